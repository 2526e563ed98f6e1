import time

import pytest

from core.languages import Language
from core.texts.rules.cliches import find, phrases

# what a phrase with gaps stands for
FILLED = {
    "Das ist nicht nur …, das ist …": "Das ist nicht nur ein Tool, das ist ein Freund",
    "mehrmals: nicht nur …, sondern auch …": "Nicht nur Brot, sondern auch Käse. Nicht nur Tee, sondern auch Saft",
    "Ein Wort. Noch eins. Punkt.": "Schnell. Sicher. Einfach.",
    "Kein … Kein … Nur …": "Kein Formular. Kein Warten. Nur Brot.",
    "One word. Another. Stop.": "Fast. Safe. Easy. Fast. Safer. Easy. Simple.",
    "Ready to …?": "Ready to transform your business?",
}


@pytest.mark.parametrize("language", Language)
def test_each_phrase_is_found_by_its_pattern(language: Language) -> None:
    assert len(phrases(language)) >= 60
    assert len(set(phrases(language))) == len(phrases(language))
    missed = [phrase for phrase in phrases(language) if not find(FILLED.get(phrase, phrase), language)]
    assert missed == []


def test_a_language_without_a_list_has_no_phrases() -> None:
    assert phrases("fr") == ()
    assert phrases("../cliches/de") == ()
    assert find("Gamechanger", "fr") == ()


def test_passages_are_found_in_order_across_lines_and_apostrophes() -> None:
    text = "Here’s the\nthing: it is a game\u00a0changer. HERE'S THE THING."
    assert find(text, "en") == ("Here’s the thing", "game changer")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Das Urteil ist wegweisend, sagt das Gericht. Wir erklären es in drei Sätzen."),
        ("de", "Eine nahtlose Jacke hält dich warm."),
        ("de", "Im Zeitalter der Dampfmaschine standen hier zwei Öfen."),
        ("de", "Die Hauptrolle spielt heute der Kürbis."),
        ("de", "Stellt den Topf auf die nächste Stufe und rührt."),
        ("de", "Mehl sieben. Butter schmelzen. Rühren."),
        ("en", "We met at the end of the day and had tea."),
        ("en", "The seamless tube has no weld."),
        ("en", "Unlock the gate before you drive in."),
        ("en", "Sign in to leverage the crane: its lever is on the left."),
        ("en", "The rainforest is an ecosystem, and a river is one too."),
    ],
)
def test_plain_words_are_no_cliches(language: str, text: str) -> None:
    assert find(text, language) == ()


@pytest.mark.parametrize("language", Language)
def test_a_long_text_takes_little_time(language: Language) -> None:
    texts = ("nicht nur a " * 2000, "it's not just " * 2000, "✅ a\n" * 3000, "spielt die " * 3000, "Aaaa. " * 3000)
    for text in texts:
        started = time.process_time()
        find(text[:20_000], language)
        assert time.process_time() - started < 10
