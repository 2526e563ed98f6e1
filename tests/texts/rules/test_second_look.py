import json
import time
from pathlib import Path
from typing import Any

import pytest

from core.brands.rules import Address, BrandVoice, EmojiUse
from core.texts.rules.endings import Ending, HashtagPolicy
from core.texts.rules.review import Finding, ReviewNote, parse_review
from core.texts.rules.second_look import MOST_OF_A_FINDING, closing_of, count_emoji, look, opening_of
from tests.texts.rules.second_look_cases import FAULTY, GOOD, Faulty, Good

STARTERS = Path(__file__).resolve().parents[3] / "core" / "templates" / "starters"


def of(language: str, brief: str, text: str, more: dict[str, Any]) -> tuple[ReviewNote, ...]:
    return look(text, language=language, brief=brief, **more)


@pytest.mark.parametrize("case", GOOD, ids=lambda case: case.text[:30])
def test_a_good_text_has_no_note(case: Good) -> None:
    assert of(*case) == ()


@pytest.mark.parametrize("case", FAULTY, ids=lambda case: f"{case.finding} {case.text[:30]}")
def test_a_faulty_text_has_the_one_note(case: Faulty) -> None:
    assert of(case.language, case.brief, case.text, case.more) == (ReviewNote(case.finding, "", case.params),)


def test_both_languages_have_enough_cases() -> None:
    for language in ("de", "en"):
        assert sum(case.language == language for case in GOOD) >= 20
        assert sum(case.language == language for case in FAULTY) >= 15
    assert len(GOOD) >= 40
    assert len(FAULTY) >= 40
    assert {case.finding for case in FAULTY} == set(Finding) - {Finding.earlier_pages}


@pytest.mark.parametrize("path", sorted(STARTERS.glob("*.json")), ids=lambda path: path.stem)
def test_the_samples_of_the_bundled_templates_have_no_note(path: Path) -> None:
    starter = json.loads(path.read_text())
    if starter["type"] != "text":
        return
    brief = "\n".join((starter["body"], *strings_of(starter["sample"])))
    assert look(starter["sample_text"], language=starter["language"], brief=brief) == ()


def strings_of(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [each for inner in value.values() for each in strings_of(inner)]
    if isinstance(value, list):
        return [each for inner in value for each in strings_of(inner)]
    return [value]


def test_a_note_names_the_network_and_reads_back() -> None:
    notes = look("Prüf dein Licht. #a #b", language="de", brief="Licht", network="linkedin", most_hashtags=1)
    assert notes == (ReviewNote(Finding.too_many_hashtags, "linkedin", {"count": 2, "most": 1}),)
    assert parse_review([note.to_json() for note in notes]) == notes


def test_a_finding_of_a_newer_release_is_left_out() -> None:
    """Else a node of the release before could not show the post during an upgrade."""
    known = ReviewNote(Finding.cliche, "", {"what": "game changer"})
    assert parse_review([{"finding": "of_tomorrow", "network": "", "params": {}}, known.to_json()]) == (known,)


@pytest.mark.parametrize(
    ("ending", "count"),
    [
        (Ending(), 4),
        (Ending(HashtagPolicy.at_most, 3), 3),
        (Ending(HashtagPolicy.at_most, 3, always=("#a",)), 2),
        (Ending(HashtagPolicy.at_most, 1), None),
        (Ending(HashtagPolicy.none), None),
        (Ending(always=("#A", "#b")), 2),
    ],
)
def test_only_the_texts_own_hashtags_that_are_published_count(ending: Ending, count: int | None) -> None:
    notes = look("Prüf dein Licht.\n\n#a #b #c #d", language="de", brief="Licht", most_hashtags=1, ending=ending)
    assert [note.params["count"] for note in notes] == ([count] if count else [])


def test_few_notes_of_a_finding_are_shown_and_each_passage_once() -> None:
    prices = " ".join(f"{price} €" for price in (21, 22, 23, 24, 25, 26, 27, 21))
    notes = look(prices, language="de", brief="")
    assert [note.params["what"] for note in notes] == [f"{price} €" for price in range(21, 21 + MOST_OF_A_FINDING)]


def test_a_long_passage_is_shortened() -> None:
    text = f"„{'Wir sind mit allem sehr zufrieden und ' * 5}froh“, sagt eine Kundin."
    (note,) = look(text, language="de", brief="")
    what = str(note.params["what"])
    assert len(what) <= 80
    assert what.endswith("…")


@pytest.mark.parametrize("part", ["#Tag. ", "#.", "@a. ", "https://a.example/ ", "?", "? ", "…"])
def test_a_long_row_of_signs_takes_no_time(part: str) -> None:
    text = "Hi.\n" + part * (3000 // len(part)) + "x"
    began = time.process_time()
    closing_of(text)
    opening_of(text)
    assert time.process_time() - began < 0.5


def test_a_brand_without_an_opinion_on_the_address_accepts_both() -> None:
    brand = BrandVoice("Radhaus", address=Address.any)
    for text in ("Hast du Fragen?", "Haben Sie Fragen?"):
        assert look(text, language="de", brief="", brand=brand) == ()


def test_no_emoji_are_wanted() -> None:
    brand = BrandVoice("Kanzlei", emoji=EmojiUse.none)
    (note,) = look("Fristen gelten für alle.\n\n📅", language="de", brief="", brand=brand)
    assert note == ReviewNote(Finding.too_many_emoji, "", {"count": 1, "most": 0})


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("1 © → ✓ #", 0), ("👨‍👩‍👧 🇩🇪 👍🏽", 3), ("1️⃣ ❤️", 2)],
)
def test_emoji_are_counted_as_readers_see_them(text: str, count: int) -> None:
    assert count_emoji(text) == count


def test_an_opening_and_a_closing_are_sentences() -> None:
    text = "Öl zuerst. Dann die Kette.\n\nWas nimmst du?\n\nhttps://radhaus.example\n\n#Rad #Öl"
    assert opening_of(text) == "Öl zuerst."
    assert closing_of(text) == "Was nimmst du?"
    assert closing_of("#Rad") == ""
    assert closing_of("") == ""


@pytest.mark.parametrize("part", ["1 ", "1.1", "Anna ", "A-", "a.a.", "Aa, ", "@", "“a “a sagt ", "✅\n", "www."])
def test_a_strange_text_takes_little_time(part: str) -> None:
    text = (part * 5_000)[:10_000]
    started = time.process_time()
    for language in ("de", "en"):
        look(text, language=language, brief="")
    assert time.process_time() - started < 15


@pytest.mark.parametrize("text", ["Seit {} Fahrten.", "Um {} pm.", "{} Mio. Euro."])
def test_a_number_may_have_more_digits_than_one_can_count_with(text: str) -> None:
    (note,) = look(text.format("9" * 5_000), language="de", brief="Viele Fahrten.")
    assert note.finding is Finding.unproven
