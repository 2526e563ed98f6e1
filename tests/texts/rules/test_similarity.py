import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.texts.rules.similarity import LOOKED_BACK, SIMILAR, Nearest, nearest, similarity
from tests.growth import grows_in_step

POST = (
    "Full mudguards keep you drier than any jacket. Painted lines and metal covers are slippery when wet, so cross "
    "them upright and without braking. A spare pair of socks in the pannier saves the day.\n\n#cargobike"
)


@pytest.mark.parametrize(
    ("text", "repeats"),
    [
        (POST, True),
        (POST.upper().replace("\n", " "), True),
        (POST.replace("#cargobike", "#rain https://example.org/a"), True),
        ("Commuters! " + POST, True),
        (". ".join(reversed(POST.split(". "))), True),
        (POST.replace("Full", "Long").replace("slippery", "smooth").replace("spare", "second"), True),
        # its first sentence alone: all of it was said before
        (POST.split(". ")[0], True),
        # half of it, and news
        (
            POST[:90] + " The new service price list begins in March, and a chain costs less than a winter of rust.",
            False,
        ),
        ("Fresh snow is easy, and the frozen ruts of the next morning are not. #cargobike", False),
        ("Ein Satz auf Deutsch, der nichts wiederholt.", False),
        ("#cargobike", False),
        ("", False),
    ],
)
def test_what_repeats_a_post(text: str, repeats: bool) -> None:
    assert (similarity(text, POST) >= SIMILAR) is repeats


def test_the_nearest_is_the_first_of_those_most_like_it() -> None:
    assert nearest("one two three", ["something else", "one two three", "One, two, three!"]) == Nearest(1, 1.0)
    assert nearest("one two three", []) is None
    assert nearest("one two three", ["", "vier"]) == Nearest(0, 0.0)


some = st.sampled_from(["rain", "snow", "light", "brake", "chain", "Öle", "雨の日"])


@given(st.text(), st.text())
def test_it_is_a_share(one: str, other: str) -> None:
    assert 0 <= similarity(one, other) <= 1
    assert similarity(one, one) in (0, 1)


@given(st.lists(some, min_size=2), st.lists(some), st.lists(some))
def test_what_stands_whole_in_a_longer_text_was_said_before(text: list[str], more: list[str], rest: list[str]) -> None:
    assert similarity(" ".join(text), " ".join([*more, *text, *rest])) == 1


@given(st.lists(some, min_size=1))
def test_neither_case_nor_marks_count(words: list[str]) -> None:
    assert similarity(" ".join(words).upper(), ", ".join(words) + "! #tag") == 1


def test_long_posts_take_no_more_per_word_than_short_ones() -> None:
    def posts(words: int) -> list[str]:
        return [" ".join(f"word{(index * number) % 9973}" for number in range(words)) for index in range(LOOKED_BACK)]

    def look_back(posts: list[str]) -> None:
        assert nearest(posts[7], posts) == Nearest(7, 1.0)

    assert grows_in_step(posts, look_back, 200)
