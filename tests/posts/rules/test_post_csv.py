"""Posts as CSV: what is written is read as it was, and no spreadsheet computes it."""

import csv
import io
from contextlib import suppress
from datetime import date, time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ErrorCode, InvalidInput
from core.posts.rules.csv_columns import MOST_COLUMNS, CsvField
from core.posts.rules.csv_dates import DateOrder
from core.posts.rules.csv_encodings import TextEncoding
from core.posts.rules.post_csv import (
    BOM,
    MOST_LINES,
    SEPARATORS,
    CsvChoices,
    CsvQuestion,
    TwoWayDate,
    guarded,
    list_cell,
    listed,
    read,
    unguarded,
    written,
)
from core.texts.rules.tags import clean_tags

# what a text in the database may hold
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=60)
awkward = texts | st.text("=+-@\t\r\n'\",; aä", max_size=12)
words = st.lists(awkward, max_size=5).map(clean_tags)
CONTENT = CsvField.content


FORMULA = tuple("=+-@\t\r＝＋－＠")


@given(awkward)
def test_a_guarded_cell_is_no_formula_and_comes_back(text: str) -> None:
    assert not guarded(text).lstrip(' \ufeff\u200b"').startswith(FORMULA)
    assert unguarded(guarded(text)) == text


@given(st.text("=+-@;\t|\r\n' \"\ufeffa(＝", max_size=14))
def test_what_is_guarded_comes_back_whatever_it_is(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "＝1+1", "＋1", "－1", "＠SUM(1)"),
        *(" =1+1", "\xa0=1", "\ufeff=1+1", "\u200b=1+1", "\ufeff \u200b=1", '"=1+1', "'=1", "\u2060=1", "\u3000=1"),
        *("hi;=1+1;x", "hi; =1+1", "hi\t=1+1", "hi|=1+1", "hi;\ufeff@SUM(1)", "hi\n=1+1", "hi\n-1+1", 'hi;"=1+1"'),
        *("hi\n- cmd|'/C calc'!A0", "hi;＝1+1"),
    ],
)
def test_nothing_that_a_spreadsheet_computes_goes_out(text: str) -> None:
    file = written([["7", text, "x"]])
    for separator in SEPARATORS:
        # as programs read it that take another separator, and then any quotation mark for text
        rows = csv.reader(io.StringIO(file, newline=""), delimiter=separator)
        cells = [cell for row in rows for cell in row]
        assert not [
            cell
            for cell in cells
            if cell.lstrip(" \xa0\ufeff\u200b\u2060\u3000\"'").startswith(FORMULA) and "'" not in cell
        ]
        assert not [cell for cell in cells if cell.startswith(FORMULA)], separator
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "Advantages:\n- fast\n- cheap",
        "Open; closed",
        "a - b",
        "2+2=4",
        "mail@example.de",
        "Hello\n+ one more",
        "it’s 5|6",
    ],
)
def test_ordinary_texts_stay_as_they_are(text: str) -> None:
    assert guarded(text) == text


@given(words)
def test_several_in_one_cell_come_back(items: tuple[str, ...]) -> None:
    assert listed(list_cell(items)) == list(items)


@given(st.lists(st.tuples(awkward, words), min_size=1, max_size=6))
def test_what_is_written_is_read_as_it_was(posts: list[tuple[str, tuple[str, ...]]]) -> None:
    file = BOM + written([["id", "content", "tags"]])
    file += written([[str(at), content, list_cell(tags)] for at, (content, tags) in enumerate(posts)])
    found = read(file.encode())
    assert (found.encoding, found.separator, found.questions) == ("utf-8", ",", ())
    assert [column.field for column in found.columns] == [None, "content", "tags"]
    assert [(line.cells[CONTENT], tuple(listed(line.cells[CsvField.tags]))) for line in found.lines] == posts
    assert not any(line.errors for line in found.lines)
    # and so does any other program that knows RFC 4180
    rows = list(csv.reader(io.StringIO(file.removeprefix(BOM), newline=""), strict=True))
    assert [unguarded(row[1]) for row in rows[1:]] == [content for content, _ in posts]


@given(st.binary(max_size=300) | st.text(',;\t|"\n sep=x3/', max_size=40).map(str.encode))
def test_no_file_at_all_breaks_it(data: bytes) -> None:
    for head in (b"", b"content,tags\n", b"\xef\xbb\xbfcontent;tags\r\n"):
        with suppress(InvalidInput):
            read(head + data)


@pytest.mark.parametrize("separator", SEPARATORS)
@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        *(("utf-8", "utf-8"), ("utf-8-sig", "utf-8"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16")),
        *(("cp1252", "windows-1252"), ("mac_roman", "macintosh"), ("cp850", "ibm850")),
    ],
)
def test_files_of_whichever_program(separator: str, encoding: str, said: str) -> None:
    text = (
        f'Planned{separator} CONTENT {separator}"Notes, mine"\r\n{separator}"Grüße; für\tKöln, c"{separator}x\r\n\r\n'
    )
    found = read(text.encode(encoding))
    assert (found.encoding, found.separator, found.questions) == (said, separator, ())
    assert [(column.name, column.field) for column in found.columns] == [
        ("Planned", "planned_at"),
        ("CONTENT", "content"),
        ("Notes, mine", None),
    ]
    assert [(line.number, line.cells[CONTENT]) for line in found.lines] == [(2, "Grüße; für\tKöln, c")]


def test_the_line_that_names_the_separator() -> None:
    for head in (b"sep=|\r\n", b'"sep=|"\n', b"\xef\xbb\xbfSEP=|\r"):
        found = read(head + b"content|date\nHello, you|2126-03-05 09:00\n")
        assert (found.separator, [line.number for line in found.lines]) == ("|", [3])
        assert found.lines[0].cells[CONTENT] == "Hello, you"


def test_a_line_is_named_by_where_it_begins() -> None:
    found = read(b'content\n"one\ntwo"\n\n  \nthree\nfour,4\n')
    assert [(line.number, line.cells[CONTENT]) for line in found.lines] == [
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
        (b"sep=;\n", ErrorCode.csv_unreadable),
        (b"\x89PNG\r\n\x1a\n\0\0", ErrorCode.csv_unreadable),
        ("content".encode("utf-32"), ErrorCode.csv_unreadable),
        (b"content\n" + b"x\n" * (MOST_LINES + 1), ErrorCode.csv_too_many_lines),
        (b"content\n" + b"\n" * 1_000_000, ErrorCode.csv_too_many_lines),
        (b"content" + b",x" * MOST_COLUMNS + b"\n", ErrorCode.csv_too_many_columns),
    ],
)
def test_what_is_no_such_file_is_refused(data: bytes, code: ErrorCode) -> None:
    with pytest.raises(InvalidInput) as refusal:
        read(data)
    assert refusal.value.code == code


def test_empty_columns_at_the_end_are_none() -> None:
    found = read(b"content,tags" + b"," * 16_000 + b"\nx,y" + b"," * 16_000 + b"\nz,,,\n")
    assert [column.name for column in found.columns] == ["content", "tags"]
    assert not any(line.errors for line in found.lines)
    found = read(b"content,,\nx,,said\n")  # without a name, but not empty
    assert [(column.name, column.example) for column in found.columns] == [("content", "x"), ("", ""), ("", "said")]
    assert not any(line.errors for line in found.lines)


OPENS, INSIDE = ErrorCode.csv_broken_quote, ErrorCode.csv_in_broken_quote


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        # a line that is wrong in itself costs no other
        (['"a"b,', "four,", "five,"], {3: OPENS}),
        (['"never closed,', "four,", "five,"], {3: OPENS}),
        # what may belong to the cell that is broken off is no post of its own
        (['"one says "hi" and', "goes on", 'to the end",', "six,"], {3: OPENS}),
        (['"one', 'says "hi" there', 'more",', "six,"], {3: OPENS, 4: INSIDE, 5: INSIDE}),
        (['"' + "x" * 200_000 + '",', "four,"], {3: OPENS}),
    ],
)
def test_a_line_with_a_broken_quotation_mark_refuses_no_other(lines: list[str], errors: dict[int, ErrorCode]) -> None:
    found = read("\n".join(["content,tags", "two,", *lines]).encode())
    told = {line.number: error.code for line in found.lines for error in line.errors}
    posts = [line.cells[CONTENT] for line in found.lines if not line.errors]
    assert {number: told[number] for number in errors} == errors
    assert posts == ["two", *[line.rstrip(",") for at, line in enumerate(lines, 3) if at not in told]]
    assert {"goes on", 'more"', 'to the end"'}.isdisjoint(posts)


def test_in_a_column_alone_nobody_knows_where_a_broken_cell_ends() -> None:
    found = read(b'content\ntwo\n"never closed\nfour\n')
    assert [(line.number, [error.code for error in line.errors]) for line in found.lines] == [
        (2, []),
        (3, [OPENS]),
        (4, [INSIDE]),
    ]
    assert dict(found.lines[2].errors[0].params) == {"line": 3}


def test_a_first_line_that_is_broken_is_told() -> None:
    with pytest.raises(InvalidInput) as refusal:
        read(b'"content\nx\n')
    assert [(error.field, error.code) for error in refusal.value.errors] == [("lines.1", OPENS)]


def test_as_many_lines_as_there_may_be() -> None:
    assert len(read(b"content\n" + b"x\n" * MOST_LINES).lines) == MOST_LINES


def fields(head: str, *lines: str) -> list[str | None]:
    return [column.field for column in read("\n".join([head, *lines]).encode()).columns]


@pytest.mark.parametrize(
    ("head", "line", "expected"),
    [
        # Buffer, Hootsuite, Metricool, Publer, Postiz and those alike
        (
            "Text,Image URL,Tags,Posting Time",
            "a,https://a.de/b.png,x,2126-03-05 09:00",
            ["content", None, "tags", "planned_at"],
        ),
        ("Date,Message,Link", "3/15/2126 9:00,a,https://a.de", ["planned_at", "content", "link"]),
        ("Text;Date;Time;Draft", "a;2126-03-05;09:00:00;TRUE", ["content", "planned_at", "time", None]),
        (
            "Date,Text,Link(s),Media URL(s),Label(s)",
            "2126/03/05 09:00,a,,,x",
            ["planned_at", "content", "link", None, "tags"],
        ),
        ("content,scheduledAt,image_url", "a,2126-03-05T09:00:00Z,https://a.de/1", ["content", "planned_at", None]),
        ("Nachricht;Datum;Uhrzeit", "a;05.03.2126;9.00", ["content", "planned_at", "time"]),
        ("Caption|Scheduled date|Scheduled time", "a|2126-03-05|9 AM", ["content", "planned_at", "time"]),
        ("post,Time", "a,2126-03-05 9:00", ["content", "planned_at"]),
        (
            "Message,Link,Image URL(s),Date & Time (YYYY-MM-DD HH:MM)",
            "a,,,2126-03-05 09:00",
            ["content", "link", None, "planned_at"],
        ),
        ("text,url,share_date,share_time", "a,,2126-03-05,09:00", ["content", "link", "planned_at", "time"]),
        ("Post Copy,Publication Date,Publication Time", "a,2126-03-05,9:00 AM", ["content", "planned_at", "time"]),
        ("Post Content,Scheduled Date/Time", "a,2126-03-05 9:00", ["content", "planned_at"]),
        ("Posttext;Veröffentlichungstermin;Tag", "a;1.5.26 9:00;x", ["content", "planned_at", "tags"]),
        ("Beitrag;Tag;Uhrzeit", "a;1.5.26;9:00", ["content", "planned_at", "time"]),
        ("Post,URL (optional),Date (UTC)", "a,https://a.de,2126-03-05 09:00", ["content", "link", None]),
        # of two with the same meaning the clearer name
        (
            "Date,Scheduled at,Text,Content",
            "2125-01-01 1:00,2126-03-05 9:00,x,y",
            [None, "planned_at", None, "content"],
        ),
        ("content,images", "a,https://a.de/b.png", ["content", None]),
        # no names at all
        ("03/15/2126 09:00,Hello,https://a.de", "03/16/2126 09:00,You,", ["planned_at", None, None]),
    ],
)
def test_columns_of_other_programs(head: str, line: str, expected: list[str | None]) -> None:
    assert fields(head, line) == expected


def test_a_column_that_is_not_read_says_what_is_in_it() -> None:
    found = read(b"content,go live,pic,note\na,2126-03-05 09:00,https://a.de/b.jpg?x=1,n\nb,,,\n")
    assert [(column.sign, column.example) for column in found.columns] == [
        (None, "a"),
        ("dates", "2126-03-05 09:00"),
        ("images", "https://a.de/b.jpg?x=1"),
        (None, "n"),
    ]


def test_a_person_says_what_columns_hold() -> None:
    data = b"id,when\n1,2126-03-05 09:00\n"
    found = read(data)
    assert (found.questions, found.lines) == ((CsvQuestion.content,), ())
    found = read(data, CsvChoices(columns=(CONTENT, CsvField.planned_at)))
    assert (found.questions, found.lines[0].cells[CONTENT]) == ((), "1")
    for columns, code in (((CONTENT,), ErrorCode.invalid_input), ((CONTENT, CONTENT), ErrorCode.csv_column_twice)):
        with pytest.raises(InvalidInput) as refusal:
            read(data, CsvChoices(columns=columns))
        assert [(error.field, error.code) for error in refusal.value.errors] == [("columns", code)]


def test_a_file_without_names_loses_no_line() -> None:
    data = b"03/15/2126 09:00,Hello,https://a.de\n03/16/2126 09:00,You,\n"
    found = read(data, CsvChoices(columns=(CsvField.planned_at, CONTENT, CsvField.link)))
    assert [(line.number, line.cells[CONTENT]) for line in found.lines] == [(1, "Hello"), (2, "You")]


def planned(cell: str, zone: str = "Europe/Berlin", *others: str, **choices: Any) -> str | None:
    """Of the first line; `others` are cells of further lines."""
    rows = [[name, "x"] for name in (cell, *others)]
    out = io.StringIO()
    csv.writer(out, delimiter="\t").writerows([["date", "content"], *rows])
    found = read(out.getvalue().encode(), CsvChoices(**choices))
    moment = found.planned_at(found.lines[0], zone)
    return moment.isoformat(" ", "minutes") if moment else None


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("2126-12-01T09:00:00+01:00", "2126-12-01 08:00+00:00"),
        ("2126-12-01 09:00Z", "2126-12-01 09:00+00:00"),
        ("2126-12-01 09:00", "2126-12-01 08:00+00:00"),
        (" 1.12.2126  9:00 ", "2126-12-01 08:00+00:00"),
        # by the gap later, and the first of two
        ("2027-03-28 02:30", "2027-03-28 01:30+00:00"),
        ("31.10.2027 02:30:15", "2027-10-31 00:30+00:00"),
        ("12/13/2126 9:00 PM", "2126-12-13 20:00+00:00"),
    ],
)
def test_times_with_an_offset_or_of_the_chosen_zone(cell: str, expected: str) -> None:
    assert planned(cell) == expected


@pytest.mark.parametrize("cell", ["tomorrow", "2126-12-01T09:00+99:00", "9999-12-31 23:59", "31.02.2126 09:00"])
def test_what_is_no_date_is_told(cell: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        planned(cell)
    assert [(error.field, error.code) for error in refusal.value.errors] == [("planned_at", ErrorCode.bad_date_time)]


def test_the_order_of_day_and_month_is_asked_for_unless_the_column_shows_it() -> None:
    found = read(b"content,date\na,3/5/2126 9:00 AM\nb,4/6/2126 9:00 AM\n")
    assert found.questions == (CsvQuestion.date_order,)
    assert found.two_way_date == TwoWayDate("3/5/2126 9:00 AM", date(2126, 5, 3), date(2126, 3, 5))
    assert found.planned_at(found.lines[0], "UTC") is None
    cell = "3/5/2126 9:00 AM"
    assert planned(cell, "UTC", date_order=DateOrder.month_first) == "2126-03-05 09:00+00:00"
    assert planned(cell, "UTC", date_order=DateOrder.day_first) == "2126-05-03 09:00+00:00"
    assert planned(cell, "UTC", "3/25/2126") == "2126-03-05 09:00+00:00"
    # what does not fit the order is never turned round
    with pytest.raises(InvalidInput):
        planned("25/3/2126 9:00", date_order=DateOrder.month_first)


def test_the_time_of_a_day_without_one_is_asked_for() -> None:
    found = read(b"content;date\na;05.03.2126\n")
    assert (found.questions, found.day_without_time) == ((CsvQuestion.time_of_day,), "05.03.2126")
    assert planned("05.03.2126", "UTC", time_of_day=time(9, 30)) == "2126-03-05 09:30+00:00"


def test_date_and_time_in_two_columns() -> None:
    def of(line: str) -> str | None:
        found = read(f"content;Datum;Uhrzeit\nx;{line}\ny;05.03.2126;9:00\n".encode())
        moment = found.planned_at(found.lines[0], "UTC")
        return moment.isoformat(" ", "minutes") if moment else None

    assert of("05.03.2126;9.30") == "2126-03-05 09:30+00:00"
    assert of("05.03.2126 00:00:00;9:30") == "2126-03-05 09:30+00:00"  # a day as Excel formats it
    assert of(";") is None
    for line in ("05.03.2126 10:00;9:30", ";9:30"):
        with pytest.raises(InvalidInput):
            of(line)


def test_an_encoding_is_asked_for_where_it_may_be_another() -> None:
    data = "content\nplain\nschön\n".encode("mac_roman")
    found = read(data)
    assert found.questions == (CsvQuestion.encoding,)
    assert dict(found.encodings)[TextEncoding.macintosh] == "schön"
    assert dict(found.encodings)[TextEncoding.windows_1252] == "schšn"
    found = read(data, CsvChoices(encoding=TextEncoding.windows_1252))
    assert (found.questions, found.lines[1].cells[CONTENT]) == ((), "schšn")
    with pytest.raises(InvalidInput) as refusal:
        read(data, CsvChoices(encoding=TextEncoding.utf_8))
    assert [(error.field, error.code) for error in refusal.value.errors] == [("encoding", ErrorCode.csv_unreadable)]
