"""A passage is cut out and filled as a browser counts, and nothing around it changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.articles.rules.passages import Passage, passage_at, passage_from_json, passage_to_json
from core.errors import ErrorCode, InvalidInput

PIECES = st.text(
    st.one_of(
        st.sampled_from("a Zß\n\t.,#@🚲👨‍👩‍👧‍👦🇩🇪é\u0301\u200d\ufe0f👍🏽"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=30,
)


def units(text: str) -> int:
    """The length that JavaScript tells."""
    return len(text.encode("utf-16-le")) // 2


@given(before=PIECES, inside=PIECES, after=PIECES, new=PIECES)
def test_all_outside_of_the_passage_is_untouched(before: str, inside: str, after: str, new: str) -> None:
    inside = f"{inside}x"
    text, start = before + inside + after, units(before)
    passage = passage_at(text, start, start + units(inside), "Shorter")
    assert (passage.before, passage.text, passage.after) == (before, inside, after)
    changed = passage.whole(passage.taken_by(new))
    # as the browser puts it in, by the units that it sent
    utf16 = text.encode("utf-16-le")
    there = utf16[: 2 * start] + passage.taken_by(new).encode("utf-16-le") + utf16[2 * (start + units(inside)) :]
    assert changed == there.decode("utf-16-le")
    assert changed.startswith(before)
    assert changed.endswith(after)
    assert passage_from_json(passage_to_json(passage)) == passage


@given(text=PIECES, start=st.integers(-2, 80), end=st.integers(-2, 80))
def test_what_is_no_passage_is_refused_and_what_is_one_is_whole(text: str, start: int, end: int) -> None:
    try:
        passage = passage_at(text, start, end, "Shorter")
    except InvalidInput as error:
        fields = {problem.field for problem in error.errors}
    else:
        fields = {"start"}
        assert passage.whole(passage.text) == text
        assert (units(passage.before), units(passage.text)) == (start, end - start)
    assert fields <= {"start", "end"}


def test_a_selection_within_an_emoji_is_refused_at_its_end() -> None:
    for start, end, field in ((1, 3, "start"), (0, 1, "end"), (0, 9, "end"), (3, 2, "end"), (-1, 2, "start")):
        with pytest.raises(InvalidInput) as refused:
            passage_at("🚲 ab", start, end, "Shorter")
        assert [(one.field, one.code) for one in refused.value.errors] == [(field, ErrorCode.invalid_input)]


def test_spaces_alone_are_no_passage_and_silence_is_no_remark() -> None:
    with pytest.raises(InvalidInput) as refused:
        passage_at("a  b", 1, 3, " \n")
    assert [(one.field, one.code) for one in refused.value.errors] == [
        ("end", ErrorCode.content_empty),
        ("remark", ErrorCode.content_empty),
    ]


def test_spaces_around_the_passage_stay() -> None:
    assert Passage("a", " b\n\n", "c", "?").taken_by(" new \n") == " new\n\n"


def test_the_room_is_what_the_rest_leaves_and_never_less_than_there_is() -> None:
    passage = Passage("🚲🚲", "abc", "de", "?")
    assert passage.room(100) == 94
    assert passage.room(5) == 3
