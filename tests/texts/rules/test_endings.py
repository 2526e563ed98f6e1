"""Hashtags as they are wanted, and a link below the text."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from core.texts.rules.endings import Ending, HashtagPolicy, finished, hashtags, normal_hashtag, normal_link, room_for
from core.texts.rules.texts import clean_output

TEXT = "Our #bike is great for #commuters.\n\nCome by! #Cargo #City"
NONE, FEW = HashtagPolicy.none, HashtagPolicy.at_most
LINK = "https://example.org/shop?x=1"


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        (Ending(), TEXT),
        (Ending(NONE), "Our bike is great for commuters.\n\nCome by!"),
        (Ending(FEW, 0), "Our bike is great for commuters.\n\nCome by!"),
        (Ending(FEW, 1), "Our #bike is great for commuters.\n\nCome by!"),
        (Ending(FEW, 3), "Our #bike is great for #commuters.\n\nCome by! #Cargo"),
        (Ending(FEW, 2, ("#Shop",)), "Our #bike is great for commuters.\n\nCome by!\n\n#Shop"),
        (Ending(FEW, 2, ("#CITY",)), "Our #bike is great for commuters.\n\nCome by! #City"),
        (Ending(always=("#cargo", "#Shop")), "Our #bike is great for #commuters.\n\nCome by!\n\n#City #cargo #Shop"),
        (Ending(NONE, None, ("#Shop",)), "Our bike is great for commuters.\n\nCome by!\n\n#Shop"),
        (
            Ending(link=LINK),
            f"Our #bike is great for #commuters.\n\nCome by!\n\n{LINK}\n\n#Cargo #City",
        ),
        (Ending(NONE, link=LINK), f"Our bike is great for commuters.\n\nCome by!\n\n{LINK}"),
    ],
)
def test_what_becomes_of_a_text(ending: Ending, expected: str) -> None:
    assert finished(TEXT, 3000, ending) == expected


def test_a_word_of_a_sentence_stays_when_its_hashtag_goes() -> None:
    assert finished("I love #bikes #city", 100, Ending(NONE)) == "I love bikes"
    assert finished("I love #bikes and #cities", 100, Ending(NONE)) == "I love bikes and cities"
    assert finished("Great 🚲 #bikes #city", 100, Ending(NONE)) == "Great 🚲"
    assert finished("#a #b\nText\n#c, #d\n\nEnd", 100, Ending(NONE)) == "Text\n\nEnd"


def test_a_link_that_the_text_has_is_not_there_twice() -> None:
    text = f"Look at {LINK}. All of it."
    assert finished(text, 300, Ending(link=LINK)) == text
    # another address that only begins with it is another one
    assert finished(f"Look at {LINK}2.", 300, Ending(link=LINK)) == f"Look at {LINK}2.\n\n{LINK}"
    assert finished(f"Look at {LINK}.pdf.", 300, Ending(link=LINK)) == f"Look at {LINK}.pdf.\n\n{LINK}"
    # and where the text would lose it, it is put below
    long = "Word " * 30 + LINK
    assert finished(long, 100, Ending(link=LINK)).endswith(f"…\n\n{LINK}")


def test_parts_of_addresses_and_numbers_are_no_hashtags() -> None:
    text = "See https://example.org/#part and page#part, a & b; &#39; #1 of #2nd"
    assert hashtags(text) == ["#2nd"]
    assert finished(text, 300, Ending(NONE)) == text.replace("#2nd", "2nd")


def test_the_row_of_a_text_that_is_too_long_stays() -> None:
    text = "One sentence is here. " * 10 + "\n\n#Cargo #City"
    assert finished(text, 80, Ending()) == f"{text[:65]}\n\n#Cargo #City"


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("bikes", "#bikes"),
        (" #Bikes ", "#Bikes"),
        ("##bikes", "#bikes"),
        ("हिन्दी", "#हिन्दी"),
        ("bike_24", "#bike_24"),
        ("24", None),
        ("two words", None),
        ("bike-shop", None),
        ("", None),
        ("x" * 100, None),
    ],
)
def test_a_hashtag_as_it_is_typed(typed: str, expected: str | None) -> None:
    assert normal_hashtag(typed) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("https://example.org", "https://example.org"),
        (" example.org/a?b=c#d ", "https://example.org/a?b=c#d"),
        ("http://bücher.example:8080/", "http://bücher.example:8080/"),
        ("", None),
        ("shop", None),
        ("https://localhost/", None),
        ("https://example..org", None),
        ("ftp://example.org", None),
        ("javascript://example.org/%0aalert(1)", None),
        ("https://me:secret@example.org", None),
        ("https://example.org/two words", None),
        ("https://example.org:port/", None),
        ("https://[::1", None),
        (f"https://example.org/{'x' * 500}", None),
    ],
)
def test_a_link_as_it_is_typed(typed: str, expected: str | None) -> None:
    assert normal_link(typed) == expected


# --- what holds for any text

WORDS = st.sampled_from(
    ["Bikes", "are", "#good", "#Cargo", "#bike_24,", "🚲", "#हिन्दी", "fast.", "x" * 40, LINK, "\n", "#1"]
)
TEXTS = st.lists(WORDS, max_size=60).map(" ".join) | st.text(max_size=200) | st.text("#a1 .\n/&e\u0301", max_size=60)
TAGS = st.lists(st.sampled_from(["#Shop", "#cargo", "#GOOD", "#a", "#Üben"]), unique_by=str.casefold, max_size=4)
ENDINGS = st.builds(
    Ending,
    st.sampled_from(HashtagPolicy),
    st.integers(0, 6),
    TAGS.map(tuple),
    st.sampled_from(["", LINK, "https://example.org"]),
)
LIMITS = st.integers(1, 400)


def names(text: str) -> list[str]:
    return [tag.casefold() for tag in hashtags(text)]


@given(TEXTS, LIMITS, ENDINGS)
@example("#a" * 50, 10, Ending(link="https://example.org"))
def test_it_is_never_longer_than_the_channel_takes(text: str, limit: int, ending: Ending) -> None:
    assert units(finished(text, limit, ending)) <= limit


@given(TEXTS, LIMITS, ENDINGS)
def test_the_link_is_there_whole(text: str, limit: int, ending: Ending) -> None:
    assume(units(ending.link) <= limit)
    assert ending.link in finished(text, limit, ending)


@given(TEXTS, LIMITS, ENDINGS, st.none() | LIMITS)
def test_no_hashtag_is_halved(text: str, limit: int, ending: Ending, most: int | None) -> None:
    known = set(names(clean_output(text, 10_000))) | {tag.casefold() for tag in ending.always}
    assert set(names(finished(text, limit, ending, most))) <= known


@given(TEXTS, ENDINGS)
def test_with_room_all_is_as_it_was_asked_for(text: str, ending: Ending) -> None:
    found = names(finished(text, 10_000, ending))
    always = {tag.casefold() for tag in ending.always}
    assert always <= set(found)
    if ending.hashtags is NONE:
        assert set(found) == always
    if ending.hashtags is FEW:
        assert len(found) <= max(ending.most_hashtags or 0, len(always))


@given(TEXTS, LIMITS, ENDINGS)
def test_what_the_model_leaves_free_is_enough(text: str, limit: int, ending: Ending) -> None:
    """A text that keeps to the room that it was told of is not cut."""
    text = clean_output(text, limit)
    whole = finished(text, 10_000, ending)
    assert finished(text, limit + room_for(ending), ending) == whole


@given(TEXTS, LIMITS, ENDINGS)
def test_a_second_time_changes_nothing_where_there_is_room(text: str, limit: int, ending: Ending) -> None:
    once = finished(text, 10_000, ending)
    assert finished(once, 10_000, ending) == once
