"""Posts as lines of a CSV file (RFC 4180): how they are written, and how a file of whichever program is read. Pure."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum
from typing import Final

from core.assistants.rules.occurrences import instant_of
from core.errors import ErrorCode, FieldError, InvalidInput
from core.posts.rules.csv_columns import MOST_COLUMNS, CsvColumn, CsvField, is_header, known_names, mapped
from core.posts.rules.csv_dates import DateOrder, WrittenDate, date_order, written_date, written_time
from core.posts.rules.csv_encodings import TextEncoding, decode, readings_of

MOST_LINES: Final = 10_000
"""Of one file, the line that names the columns not counted."""
BOM: Final = "\ufeff"
"""Begins what is written: without it Excel takes UTF-8 for something else."""
SEPARATORS: Final = (",", ";", "\t", "|")
MAX_CONTENT: Final = 20_000

# writing

_UNSEEN = "[ \"'\\xa0\\u1680\\u2000-\\u200f\\u202a-\\u202f\\u205f-\\u2064\\u2066-\\u2069\\u3000\\ufeff]*"
"""What may stand before a formula without anybody seeing it, or is taken off by a spreadsheet."""
_CELL_FORMULA = f"{_UNSEEN}[=+\\-@\\t\\r＝＋－＠]"
_ITEM = r"[+\-＋－][ \xa0][^;\t|\r\n(!]*(?=[;\t\r\n]|$(?![\s\S]))"
"""An item of a list, of which no spreadsheet computes anything."""
_INNER_FORMULA = f"{_UNSEEN}(?!{_ITEM})[=+\\-@＝＋－＠]"
_GUARD = re.compile(f"^(?={_CELL_FORMULA})|(?<=[;\\t|\\r\\n])(?={_INNER_FORMULA})")
_GUARDED = re.compile(f"^'(?={_CELL_FORMULA})|(?<=[;\\t|\\r\\n])'(?={_INNER_FORMULA})")


def guarded(text: str) -> str:
    """Return the text with an apostrophe before whatever a spreadsheet would compute: at its beginning, and wherever a
    program that separates by semicolons, tabs or bars begins a cell. `unguarded` takes the apostrophes off again."""
    return _GUARD.sub("'", text)


def unguarded(text: str) -> str:
    return _GUARDED.sub("", text)


def list_cell(items: Sequence[str]) -> str:
    """Several in one cell, separated by commas; one with a comma or a quotation mark in it stands in quotation
    marks."""
    return ", ".join(_quoted(item) if "," in item or '"' in item else item for item in items)


def _quoted(item: str) -> str:
    doubled = item.replace('"', '""')
    return f'"{doubled}"'


def listed(cell: str) -> list[str]:
    """As `list_cell` has written them, or a person. Raises InvalidInput (csv_broken_quote)."""
    line = " ".join(cell.split())
    try:
        found = next(csv.reader([line], skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        raise InvalidInput(ErrorCode.csv_broken_quote) from error
    return [stripped for item in found if (stripped := item.strip())]


def written(rows: Sequence[Sequence[str]]) -> str:
    """Lines that end by CR LF, every cell guarded."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


# reading


class CsvQuestion(StrEnum):
    """What only a person can say of a file."""

    encoding = "encoding"
    content = "content"
    """Which column has the text."""
    date_order = "date_order"
    time_of_day = "time_of_day"
    """When posts of a day without a time are to go out."""


@dataclass(frozen=True)
class CsvChoices:
    """What a person has said of a file. None: what the file shows."""

    encoding: TextEncoding | None = None
    columns: tuple[CsvField | None, ...] | None = None
    """What each column holds; None among them: it is not read."""
    date_order: DateOrder | None = None
    time_of_day: time | None = None


AS_IT_SHOWS: Final = CsvChoices()


@dataclass(frozen=True)
class CsvLine:
    """`number`: where it begins, counted from 1 as editors do, the line with the names included."""

    number: int
    cells: dict[CsvField, str]
    """Only those that are read."""
    errors: tuple[FieldError, ...] = ()


@dataclass(frozen=True)
class TwoWayDate:
    """A cell of the file that can be read in two ways."""

    cell: str
    day_first: date
    month_first: date


@dataclass(frozen=True)
class CsvFile:
    encoding: TextEncoding
    encodings: tuple[tuple[TextEncoding, str], ...]
    """What else the file can be read as, this one included, each with a line of the file as it reads then. Empty where
    nothing else comes into question."""
    separator: str
    columns: tuple[CsvColumn, ...]
    date_order: DateOrder | None
    two_way_date: TwoWayDate | None
    day_without_time: str | None
    """The first cell with a date and no time."""
    time_of_day: time | None
    questions: tuple[CsvQuestion, ...]
    """Nothing of the file is to be saved while one is open."""
    lines: tuple[CsvLine, ...]

    def planned_at(self, line: CsvLine, time_zone: str) -> datetime | None:
        """In UTC; a time without an offset is one of `time_zone`. None where the line names none, or where a question
        is open. Raises InvalidInput: bad_date_time, on the column."""
        cell, beside = (line.cells.get(field, "").strip() for field in (CsvField.planned_at, CsvField.time))
        if not cell and not beside:
            return None
        found, at = written_date(cell), written_time(beside) if beside else None
        if beside and at is None:
            raise _bad_date(CsvField.time, beside)
        if found is None or (at and found.time_of_day and time(0) != found.time_of_day != at):
            raise _bad_date(CsvField.planned_at, cell or beside)
        order = self.date_order
        day, at = found.on(order), at or found.time_of_day or self.time_of_day
        if day is None and not (order is None and found.is_ambiguous):
            raise _bad_date(CsvField.planned_at, cell)
        if day is None or at is None:
            return None
        try:
            moment = found.moment(day, at)
            return moment.astimezone(UTC) if moment.tzinfo else instant_of(moment, time_zone)
        except OverflowError as error:
            raise _bad_date(CsvField.planned_at, cell) from error


def _bad_date(field: CsvField, cell: str) -> InvalidInput:
    return InvalidInput(errors=[FieldError(field, ErrorCode.bad_date_time, value=cell[:100])])


_SEPARATOR_LINE: Final = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*(?:\r\n|\r|\n)', re.IGNORECASE)
"""By which Excel is told the separator."""
_MOST_TEXT_LINES: Final = 50 * MOST_LINES
"""A post may have many, and some are empty."""
_SAMPLE: Final = 200
"""Lines by whose cells it is guessed what a column holds."""


def read(data: bytes, choices: CsvChoices = AS_IT_SHOWS) -> CsvFile:
    """Return what the file holds.

    Raises InvalidInput: csv_unreadable, csv_too_many_lines, csv_too_many_columns; csv_broken_quote on `lines.<number>`
    of the first line; csv_unreadable on `encoding`; csv_column_twice and invalid_input on `columns`.
    """
    decoded = decode(data, choices.encoding)
    if decoded is None and choices.encoding is not None:
        raise InvalidInput(errors=[FieldError("encoding", ErrorCode.csv_unreadable)])
    if decoded is None or not decoded.text.strip():
        raise InvalidInput(ErrorCode.csv_unreadable)
    separator, records = _records(decoded.text)
    first = next(records, None)
    if first is None:
        raise InvalidInput(ErrorCode.csv_unreadable)
    if first.cells is None:
        raise InvalidInput(errors=[FieldError(f"lines.{first.number}", ErrorCode.csv_broken_quote)])
    named = is_header(first.cells)
    rows = [] if named else [first]
    for record in records:
        rows.append(record)
        if len(rows) > MOST_LINES:
            raise InvalidInput(ErrorCode.csv_too_many_lines, limit=MOST_LINES)
    names = (first.cells if named else [""] * len(first.cells))[: _width(first, rows)]
    if len(names) > MOST_COLUMNS:
        raise InvalidInput(ErrorCode.csv_too_many_columns, limit=MOST_COLUMNS)
    columns = mapped(names, [row.cells for row in rows[:_SAMPLE] if row.cells], _fitting(choices.columns, len(names)))
    lines = tuple(_line(row, columns) for row in rows)
    dates = [found for line in lines if (found := _date_of(line))]
    proved, asks_order = date_order(found for _, found, _ in dates)
    two_ways = next((one for one in dates if one[1].is_ambiguous), None)
    without_time = next((cell for cell, found, beside in dates if found.time_of_day is None and not beside), None)
    has_content = any(column.field is CsvField.content for column in columns)
    asked = {
        CsvQuestion.encoding: not decoded.sure,
        CsvQuestion.content: not has_content,
        CsvQuestion.date_order: asks_order and choices.date_order is None,
        CsvQuestion.time_of_day: without_time is not None and choices.time_of_day is None,
    }
    return CsvFile(
        encoding=decoded.encoding,
        encodings=tuple(readings_of(data, (decoded.encoding, *decoded.others))) if decoded.others else (),
        separator=separator,
        columns=columns,
        date_order=choices.date_order or proved,
        two_way_date=_two_way_date(*two_ways[:2]) if two_ways else None,
        day_without_time=without_time,
        time_of_day=choices.time_of_day,
        questions=tuple(question for question, open in asked.items() if open),
        lines=lines if has_content else (),
    )


@dataclass(frozen=True)
class _Record:
    number: int
    cells: list[str] | None
    """None: a quotation mark in it is broken."""
    follows: int | None = None
    """The line with the quotation mark that is broken, to which this one may belong."""


def _width(first: _Record, rows: Sequence[_Record]) -> int:
    """Columns up to the last one that has a name or a cell: programs put any number of empty ones behind it."""
    used = (at for row in (first, *rows) for at, cell in enumerate(row.cells or ()) if cell.strip())
    return max(used, default=0) + 1


def _fitting(chosen: tuple[CsvField | None, ...] | None, columns: int) -> tuple[CsvField | None, ...] | None:
    if chosen is None:
        return None
    if len(chosen) != columns:
        raise InvalidInput(errors=[FieldError("columns", ErrorCode.invalid_input)])
    fields = [field for field in chosen if field is not None]
    if twice := next((field for field in fields if fields.count(field) > 1), None):
        raise InvalidInput(errors=[FieldError("columns", ErrorCode.csv_column_twice, value=twice)])
    return chosen


def _date_of(line: CsvLine) -> tuple[str, WrittenDate, str] | None:
    """(the cell, what it says, the time beside it)."""
    cell = line.cells.get(CsvField.planned_at, "")
    found = written_date(cell)
    return (cell.strip(), found, line.cells.get(CsvField.time, "").strip()) if found else None


def _two_way_date(cell: str, found: WrittenDate) -> TwoWayDate:
    assert found.day_first is not None
    assert found.month_first is not None
    return TwoWayDate(cell, found.day_first, found.month_first)


def _line(record: _Record, columns: Sequence[CsvColumn]) -> CsvLine:
    if record.follows is not None:
        return CsvLine(record.number, {}, (FieldError("", ErrorCode.csv_in_broken_quote, line=record.follows),))
    if record.cells is None:
        return CsvLine(record.number, {}, (FieldError("", ErrorCode.csv_broken_quote),))
    more = any(cell.strip() for cell in record.cells[len(columns) :])
    cells = {
        column.field: unguarded(cell)
        for column, cell in zip(columns, record.cells, strict=False)
        if column.field is not None
    }
    return CsvLine(record.number, cells, (FieldError("", ErrorCode.csv_too_many_cells),) if more else ())


def _records(text: str) -> tuple[str, Iterator[_Record]]:
    """(the separator, what is not empty)."""
    told = _SEPARATOR_LINE.match(text)
    lines = list(io.StringIO(text[told.end() :] if told else text, newline=""))
    if len(lines) > _MOST_TEXT_LINES:
        raise InvalidInput(ErrorCode.csv_too_many_lines, limit=MOST_LINES)
    separator = told[1] if told else max(SEPARATORS, key=lambda one: _fits(lines, one))
    return separator, _parsed(lines, separator, 2 if told else 1)


def _fits(lines: Sequence[str], separator: str) -> tuple[int, int]:
    """How many names of columns it finds in the first line, and how many columns."""
    first = next(_parsed(lines, separator, 1), None)
    return (known_names(first.cells), len(first.cells)) if first and first.cells else (0, 0)


class _Lines(Iterator[str]):
    """One after the other, from any of them on."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.at = 0

    def __next__(self) -> str:
        if self.at == len(self.lines):
            raise StopIteration
        self.at += 1
        return self.lines[self.at - 1]

    def balanced(self, start: int, end: int) -> bool:
        """Whether each quotation mark of these lines has its partner among them."""
        return sum(line.count('"') for line in self.lines[start:end]) % 2 == 0


def _parsed(lines: Sequence[str], separator: str, begins: int) -> Iterator[_Record]:
    """Where a quotation mark opens and does not close properly, nobody knows where its cell ends. The lines after it
    are taken for posts again from the first one on that has as many cells as there are columns, and is whole."""
    source, columns, broken = _Lines(lines), 0, None
    reader = csv.reader(source, delimiter=separator, strict=True)
    while (start := source.at) < len(lines):
        try:
            cells = next(reader)
        except csv.Error:
            cells = None
        if cells is not None and (broken is None or (len(cells) == columns > 1 and source.balanced(start, source.at))):
            broken = None
            if any(cell.strip() for cell in cells):
                columns = columns or len(cells)
                yield _Record(begins + start, cells)
            continue
        # this line is given up, and reading begins anew after it
        source.at = start + 1
        reader = csv.reader(source, delimiter=separator, strict=True)
        if lines[start].strip():
            yield _Record(begins + start, None, broken)
        if broken is None and not source.balanced(start, start + 1):
            broken = begins + start
