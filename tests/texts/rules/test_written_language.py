import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.texts.rules.written_language import Flaw, find_flaw, has_words, other_language

GERMAN = (
    "Regen ist kein Drama, wenn du die richtigen Schutzbleche hast. Wir zeigen dir heute, wie du sie in fünf Minuten "
    "anbaust und worauf es dabei ankommt. Komm vorbei, wir haben bis 18 Uhr für dich geöffnet."
)
ENGLISH = (
    "Rain is no drama when you have the right mudguards. Today we show you how to fit them in five minutes and what "
    "matters. Come by, we are open until six."
)


@pytest.mark.parametrize(
    ("text", "wanted", "found"),
    [
        (ENGLISH, "de", "en"),
        (GERMAN, "en", "de"),
        (GERMAN, "de", None),
        (ENGLISH, "en", None),
        (ENGLISH + "\n\n#Fahrrad #Regen https://der-die-das.de", "de", "en"),
        # short, mixed, quoting, full of names, or in a third language
        ("Keep it simple!", "de", None),
        ("Save the date: Open House am 5. Mai", "de", None),
        ("Just do it. Think different. Life is for sharing.", "de", None),
        (f'Anna sagt: "{ENGLISH}" Und das stimmt auch für uns, wie wir finden.', "de", None),
        (f"{GERMAN}\n\n{ENGLISH}", "de", None),
        (f"{GERMAN}\n\n{ENGLISH}", "en", None),
        (
            "Content Marketing Lead, Social Media Manager, UX Writer, Art Director: Team Berlin sucht Verstärkung",
            "de",
            None,
        ),
        (
            "La pluie n'est pas un drame si vous avez les bons garde-boue, et nous vous montrons comment les monter.",
            "de",
            None,
        ),
        ("Die Hard, The Wall, Under the Bridge, Let It Be, Stairway to Heaven, Back in Black, One", "de", None),
        ("Die Zeit, Der Spiegel, Das Bild, Die Welt: which newspapers do journalists trust most?", "en", None),
        (
            "Von der Leyen, van der Bellen, Otto von Habsburg, Annette von Droste, Max von Sydow met today in Bonn",
            "en",
            None,
        ),
        (
            "Neu im Shop: Nike Air Max 90 by Off-White for Women. Out now! Get it at our Store in Berlin Mitte.",
            "de",
            None,
        ),
        (
            "Big Data, Machine Learning, Cloud Computing, Customer Experience, Employer Branding: Webinar am 5. Mai.",
            "de",
            None,
        ),
        (
            "Servus beinand! Heut gibts bei uns an frischn Kaiserschmarrn, kommts vorbei, mir gfrein uns auf enk alle.",
            "de",
            None,
        ),
        ("Grüezi mitenand! Hüt gits bi üs früsche Zopf und Gipfeli. Chömed verbii, mir freued üs uf eu.", "de", None),
        (
            "Rainy days? Stay dry! New mudguards in store now. Free fitting because you ride only this week. Book "
            "online today.",
            "de",
            "en",
        ),
        (
            "Discover our new collection! Made from recycled materials, designed in Berlin. Shop now and save 20%.",
            "de",
            "en",
        ),
        ("Wir zeigen Ihnen auf der Messe die neuen Modelle und freuen uns auf Ihren Besuch in Halle 5.", "en", "de"),
        ("#der #die #das #und #ist #ein #eine #nicht #mit #für #auf #den #dem", "en", None),
        ("", "de", None),
        (ENGLISH, "fr", None),
    ],
)
def test_only_what_is_clearly_in_the_other_language_is_told(text: str, wanted: str, found: str | None) -> None:
    assert other_language(text, wanted) == found


def test_a_language_that_was_asked_for_is_not_wrong() -> None:
    assert other_language(ENGLISH, "de", asked="Schreibe den Post auf Englisch.") is None
    assert other_language(ENGLISH, "de", asked="Write it in German.") == "en"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#Fahrrad #Regen", False),
        ("🚲🌧️", False),
        ("https://example.de #Regen @anna_b", False),
        ("100 %!", False),
        ("", False),
        ("Hallo", True),
        ("#Fahrrad ist schön", True),
        ("こんにちは", True),
        ("שלום", True),
    ],
)
def test_hashtags_and_signs_are_no_words(text: str, words: bool) -> None:
    assert has_words(text) is words
    assert (find_flaw(text, "de") is Flaw.no_words) is not words


@given(st.text(max_size=60), st.sampled_from(["de", "en"]))
def test_a_short_text_is_never_called_wrong(text: str, wanted: str) -> None:
    assert other_language(" ".join(text.split()[:11]), wanted) is None
