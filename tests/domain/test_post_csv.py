"""Posts as CSV: what is written is read as it was, and no spreadsheet computes it."""

import csv
import io
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.errors import ErrorCode, InvalidInput
from core.domain.post_csv import (
    BOM,
    MOST_LINES,
    SEPARATORS,
    guarded,
    list_cell,
    listed,
    moment,
    read,
    unguarded,
    written,
)
from core.domain.tags import clean_tags

# what a text in the database may hold
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
awkward = texts | st.text("=+-@\t\r\n'\",; aä", max_size=12)
words = st.lists(awkward, max_size=5).map(clean_tags)


@given(awkward)
def test_a_guarded_cell_is_no_formula_and_comes_back(text: str) -> None:
    assert not guarded(text).startswith(tuple("=+-@\t\r"))
    assert unguarded(guarded(text)) == text


@given(words)
def test_several_in_one_cell_come_back(items: tuple[str, ...]) -> None:
    assert listed(list_cell(items)) == list(items)


@given(st.lists(st.tuples(awkward, words), min_size=1, max_size=6))
def test_what_is_written_is_read_as_it_was(posts: list[tuple[str, tuple[str, ...]]]) -> None:
    file = BOM + written([["id", "content", "tags"]])
    file += written([[str(at), content, list_cell(tags)] for at, (content, tags) in enumerate(posts)])
    found = read(file.encode())
    assert (found.encoding, found.separator, found.ignored) == ("utf-8", ",", ("id",))
    assert [(line.cells["content"], tuple(listed(line.cells["tags"]))) for line in found.lines] == posts
    assert not any(line.errors for line in found.lines)
    # and so does any other program that knows RFC 4180
    rows = list(csv.reader(io.StringIO(file.removeprefix(BOM), newline=""), strict=True))
    assert [unguarded(row[1]) for row in rows[1:]] == [content for content, _ in posts]


@given(st.binary(max_size=300))
def test_no_file_at_all_breaks_it(data: bytes) -> None:
    for head in (b"", b"content,tags\n", b"\xef\xbb\xbfcontent;tags\r\n"):
        with suppress(InvalidInput):
            read(head + data)


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize(
    ("encoding", "said"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("cp1252", "windows-1252"), ("latin-1", "latin-1")],
)
def test_files_of_whichever_program(separator: str, encoding: str, said: str) -> None:
    quote = "„" if said in ("utf-8", "windows-1252") else "»"
    text = (
        f'Planned{separator} CONTENT {separator}"Notes, mine"\r\n{separator}"Grüße; {quote}a\tb, c"{separator}x\r\n\r\n'
    )
    found = read(text.encode(encoding))
    assert (found.encoding, found.separator) == (said, separator)
    assert (found.columns, found.ignored) == (("planned_at", "content"), ("notes, mine",))
    assert [(line.number, line.cells["content"]) for line in found.lines] == [(2, f"Grüße; {quote}a\tb, c")]


def test_a_line_is_named_by_where_it_begins() -> None:
    found = read(b'content\n"one\ntwo"\n\n  \nthree\nfour,4\n')
    assert [(line.number, line.cells["content"]) for line in found.lines] == [
        (2, "one\ntwo"),
        (6, "three"),
        (7, "four"),
    ]
    assert [[error.code for error in line.errors] for line in found.lines] == [[], [], [ErrorCode.csv_too_many_cells]]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", ErrorCode.csv_unreadable),
        (b"\n \n", ErrorCode.csv_unreadable),
        (b"\x89PNG\r\n\x1a\n\0\0", ErrorCode.csv_unreadable),
        ("content".encode("utf-16"), ErrorCode.csv_unreadable),
        (b"id,when\n1,2\n", ErrorCode.csv_content_missing),
        (b"content,tags,Tag\nx,y,z\n", ErrorCode.csv_column_twice),
        (b"content\n" + b"x\n" * (MOST_LINES + 1), ErrorCode.csv_too_many_lines),
    ],
)
def test_what_is_no_such_file_is_refused(data: bytes, code: ErrorCode) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read(data)
    assert refusal.value.code == code


@pytest.mark.parametrize("line", [b'"never closed\nfour\n', b'"a"b\n', b'"' + b"x" * 200_000 + b'"\n'])
def test_a_broken_quotation_mark_is_shown_where_it_is(line: bytes) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read(b"content\nthree\n" + line)
    assert [(error.field, error.code) for error in refusal.value.errors] == [("lines.3", ErrorCode.csv_broken_quote)]


def test_as_many_lines_as_there_may_be() -> None:
    assert len(read(b"content\n" + b"x\n" * MOST_LINES).lines) == MOST_LINES


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("2026-12-01T09:00:00+01:00", "2026-12-01T08:00:00+00:00"),
        ("2026-12-01 09:00Z", "2026-12-01T09:00:00+00:00"),
        ("2026-12-01T09:00:00.250+0100", "2026-12-01T08:00:00.250000+00:00"),
        ("2026-12-01 09:00", "2026-12-01T08:00:00+00:00"),
        (" 1.12.2026  9:00 ", "2026-12-01T08:00:00+00:00"),
        # by the gap later, and the first of two
        ("2027-03-28 02:30", "2027-03-28T01:30:00+00:00"),
        ("31.10.2027 02:30:15", "2027-10-31T00:30:15+00:00"),
        ("2026-12-01", None),
        ("tomorrow", None),
        ("12/01/2026 09:00", None),
        ("2026-12-01T09:00+99:00", None),
        ("9999-12-31 23:59", None),
        ("+01:00", None),
    ],
)
def test_times_with_an_offset_or_of_the_chosen_zone(cell: str, expected: str | None) -> None:
    found = moment(cell, "Europe/Berlin")
    assert found == (datetime.fromisoformat(expected).astimezone(UTC) if expected else None)
