import pytest

from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.rules.edited_texts import keep_notes
from core.posts.rules.posts import Variant
from core.texts.rules.review import Finding, ReviewNote
from core.texts.rules.second_look import look

ENGLISH = "Rain is no drama when you have the right mudguards. We show you how to fit them and what matters."
GERMAN = "Regen ist kein Drama, wenn du die richtigen Bleche hast. Wir zeigen dir, wie du sie anbaust und was zählt."


def kept(note: ReviewNote, text: str) -> list[ReviewNote]:
    return list(keep_notes([note], text, (), "de"))


@pytest.mark.parametrize(
    ("finding", "what", "holds", "mended"),
    [
        (Finding.unproven, "12.500 €", "Es kostet 12.500\u00a0€.", "Es kostet wenig."),
        (Finding.unproven, "@radhaus", "Danke @radhaus!", "Danke!"),
        (Finding.cliche, "auf das nächste Level", "Das hebt dich auf das\nnächste Level.", "Das hilft dir."),
        (Finding.avoided_word, "günstig", "Heute günstig.", "Heute günstiger."),
        (Finding.wrong_address, "du", "Kommst du?", "Kommen Sie durch den Hof?"),
        (Finding.repeated_opening, "Wann hast du zuletzt…", "Wann hast du zuletzt geölt?", "Hast du zuletzt geölt?"),
        (Finding.repeated_closing, "Was meint ihr?", "Öl hilft. Was meint ihr?", "Öl hilft."),
    ],
)
def test_a_note_on_a_passage_is_kept_as_long_as_the_text_has_it(
    finding: Finding, what: str, holds: str, mended: str
) -> None:
    note = ReviewNote(finding, "", {"what": what})
    assert kept(note, holds) == [note]
    assert kept(note, mended) == []


def test_numbers_are_counted_again() -> None:
    tags = ReviewNote(Finding.too_many_hashtags, "", {"count": 4, "most": 2})
    assert kept(tags, "Licht #a #b #c") == [ReviewNote(Finding.too_many_hashtags, "", {"count": 3, "most": 2})]
    assert kept(tags, "Licht #a #b") == []
    emoji = ReviewNote(Finding.too_many_emoji, "", {"count": 3, "most": 2})
    assert kept(emoji, "🚲 🚲") == []
    assert kept(emoji, "🚲 🚲 🚲") == [emoji]
    first = ReviewNote(Finding.too_many_emoji, "", {"count": 1, "most": 0, "where": "first_line"})
    assert kept(first, "🚲 Licht") == [first]
    assert kept(first, "Licht\n🚲") == []


def test_the_fixed_hashtags_below_a_text_do_not_count() -> None:
    tags = ReviewNote(Finding.too_many_hashtags, "", {"count": 4, "most": 3})
    text = "Licht #a #b\n\n#Fest #Immer"
    assert kept(tags, text) == [tags]
    assert list(keep_notes([tags], text, (), "de", ("#fest", "#immer"))) == []


def test_an_address_is_noted_in_lower_case_and_found_in_any() -> None:
    text = "Soft rubber grips. Read more on Example.com today."
    notes = look(text, language="en", brief="tyres")
    assert [note.finding for note in notes] == [Finding.unproven]
    assert tuple(keep_notes(notes, text, (), "en")) == notes


def test_the_first_sentence_and_the_language_are_looked_at_again() -> None:
    late = ReviewNote(Finding.late_message, "", {"fold": 20})
    assert kept(late, "Ein Satz, der länger ist als zwanzig Zeichen. Gut.") == [late]
    assert kept(late, "Ein kurzer Satz. Und danach steht, was noch zu sagen ist.") == []
    language = ReviewNote(Finding.wrong_language)
    assert kept(language, ENGLISH) == [language]
    assert kept(language, GERMAN) == []


def test_a_note_is_about_the_text_of_its_network() -> None:
    note = ReviewNote(Finding.cliche, "facebook", {"what": "Gamechanger"})
    own = Variant(ChannelKind.facebook, None, "Ein Gamechanger.")
    one_account = Variant(ChannelKind.facebook, new_id(), "Ein Gamechanger.")
    assert list(keep_notes([note], "Gut.", [own], "de")) == [note]
    assert list(keep_notes([note], "Gut.", [one_account], "de")) == []
    assert list(keep_notes([note], "Ein Gamechanger.", [], "de")) == [note]


def test_each_finding_of_a_look_holds_for_the_same_text() -> None:
    text = (
        "🚲 Der Gamechanger 2027, sagt Anna Weber, ist ein Licht, das man auch im Regen sieht und das sehr lange hält. "
        "#a #b #c"
    )
    notes = look(text, language="de", brief="", fold=60, most_hashtags=2)
    assert {note.finding for note in notes} == {
        *(Finding.unproven, Finding.cliche, Finding.too_many_hashtags, Finding.late_message)
    }
    assert tuple(keep_notes(notes, text, (), "de")) == notes
