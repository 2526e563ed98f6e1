"""Posts as CSV (RFC 4180): writing it, and reading files of any program. Pure."""

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
"""Per file, without the header line."""
BOM: Final = "\ufeff"
"""Begins each file: without it Excel does not recognise UTF-8."""
SEPARATORS: Final = (",", ";", "\t", "|")

# writing

_UNSEEN = "[ \"'\\xa0\\u1680\\u2000-\\u200f\\u202a-\\u202f\\u205f-\\u2064\\u2066-\\u2069\\u3000\\ufeff]*"
"""Characters before a formula that are invisible, or that a spreadsheet strips."""
_CELL_FORMULA = f"{_UNSEEN}[=+\\-@\\t\\r＝＋－＠]"
_ITEM = r"[+\-＋－][ \xa0][^;\t|\r\n(!]*(?=[;\t\r\n]|$(?![\s\S]))"
"""An item of a list, which no spreadsheet computes."""
_INNER_FORMULA = f"{_UNSEEN}(?!{_ITEM})[=+\\-@＝＋－＠]"
_GUARD = re.compile(f"^(?={_CELL_FORMULA})|(?<=[;\\t|\\r\\n])(?={_INNER_FORMULA})")
_GUARDED = re.compile(f"^'(?={_CELL_FORMULA})|(?<=[;\\t|\\r\\n])'(?={_INNER_FORMULA})")


def guarded(text: str) -> str:
    """Return the text with an apostrophe before all that a spreadsheet would compute: at its beginning, and wherever a
    program that separates by semicolons, tabs or bars begins a cell. `unguarded` removes the apostrophes."""
    return _GUARD.sub("'", text)


def unguarded(text: str) -> str:
    return _GUARDED.sub("", text)


def list_cell(items: Sequence[str]) -> str:
    """Join items by commas; an item with a comma or a quotation mark is quoted."""
    return ", ".join(_quoted(item) if "," in item or '"' in item else item for item in items)


def _quoted(item: str) -> str:
    doubled = item.replace('"', '""')
    return f'"{doubled}"'


def listed(cell: str) -> list[str]:
    """Split a cell written by `list_cell` or a person. Raises InvalidInput (csv_broken_quote)."""
    line = " ".join(cell.split())
    try:
        items = next(csv.reader([line], skipinitialspace=True, strict=True), [])
    except csv.Error as error:
        raise InvalidInput(ErrorCode.csv_broken_quote) from error
    return [stripped for item in items if (stripped := item.strip())]


def written(rows: Sequence[Sequence[str]]) -> str:
    """Return lines that end by CR LF, every cell guarded."""
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\r\n").writerows([guarded(cell) for cell in row] for row in rows)
    return out.getvalue()


# reading


class CsvQuestion(StrEnum):
    """What only a person can decide about a file."""

    encoding = "encoding"
    content = "content"
    """Which column has the text."""
    date_order = "date_order"
    time_of_day = "time_of_day"
    """When to publish posts that have a date without a time."""


@dataclass(frozen=True)
class CsvChoices:
    """A person's answers about a file. None: detect it."""

    encoding: TextEncoding | None = None
    columns: tuple[CsvField | None, ...] | None = None
    """The field of each column; None: the column is not read."""
    date_order: DateOrder | None = None
    time_of_day: time | None = None


AS_IT_SHOWS: Final = CsvChoices()


@dataclass(frozen=True)
class CsvLine:
    """`number`: its first line, counted from 1 as editors do, including the header."""

    number: int
    cells: dict[CsvField, str]
    """Only of columns that are read."""
    errors: tuple[FieldError, ...] = ()


@dataclass(frozen=True)
class TwoWayDate:
    """A cell with an ambiguous date."""

    cell: str
    day_first: date
    month_first: date


@dataclass(frozen=True)
class CsvFile:
    encoding: TextEncoding
    encodings: tuple[tuple[TextEncoding, str], ...]
    """All possible encodings, this one included, each with a line of the file decoded by it. Empty if no other is
    plausible."""
    separator: str
    columns: tuple[CsvColumn, ...]
    date_order: DateOrder | None
    two_way_date: TwoWayDate | None
    day_without_time: str | None
    """The first cell with a date and no time."""
    time_of_day: time | None
    questions: tuple[CsvQuestion, ...]
    """Nothing may be saved while a question is open."""
    lines: tuple[CsvLine, ...]

    def planned_at(self, line: CsvLine, time_zone: str) -> datetime | None:
        """Return the time in UTC; a time without an offset is in `time_zone`. None if the line has no time or a
        question is open. Raises InvalidInput: bad_date_time, on the column."""
        cell, beside = (line.cells.get(field, "").strip() for field in (CsvField.planned_at, CsvField.time))
        if not cell and not beside:
            return None
        day_cell, at = written_date(cell), written_time(beside) if beside else None
        if beside and at is None:
            raise _bad_date(CsvField.time, beside)
        if day_cell is None or (at and day_cell.time_of_day and time(0) != day_cell.time_of_day != at):
            raise _bad_date(CsvField.planned_at, cell or beside)
        order = self.date_order
        day, at = day_cell.on(order), at or day_cell.time_of_day or self.time_of_day
        if day is None and not (order is None and day_cell.is_ambiguous):
            raise _bad_date(CsvField.planned_at, cell)
        if day is None or at is None:
            return None
        try:
            moment = day_cell.moment(day, at)
            return moment.astimezone(UTC) if moment.tzinfo else instant_of(moment, time_zone)
        except OverflowError as error:
            raise _bad_date(CsvField.planned_at, cell) from error


def _bad_date(field: CsvField, cell: str) -> InvalidInput:
    return InvalidInput(errors=[FieldError(field, ErrorCode.bad_date_time, value=cell[:100])])


_SEPARATOR_LINE: Final = re.compile(r'"?sep=([,;\t|])"?[,;\t|]*(?:\r\n|\r|\n)', re.IGNORECASE)
"""Tells Excel the separator."""
_MOST_TEXT_LINES: Final = 50 * MOST_LINES
"""A post may span many lines, and some lines are empty."""
_SAMPLE: Final = 200
"""Lines from which the columns' fields are guessed."""


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
    dates = [dated for line in lines if (dated := _date_of(line))]
    proved, asks_order = date_order(date for _, date, _ in dates)
    two_ways = next((date for date in dates if date[1].is_ambiguous), None)
    without_time = next((cell for cell, date, beside in dates if date.time_of_day is None and not beside), None)
    has_content = any(column.field is CsvField.content for column in columns)
    questions = {
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
        questions=tuple(question for question, open in questions.items() if open),
        lines=lines if has_content else (),
    )


@dataclass(frozen=True)
class _Record:
    number: int
    cells: list[str] | None
    """None if a quotation mark in it is broken."""
    follows: int | None = None
    """The line with the broken quotation mark, to which this line may belong."""


def _width(first: _Record, rows: Sequence[_Record]) -> int:
    """Return the number of columns up to the last with a name or a cell: programs append empty ones."""
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
    """Return (the cell, its parsed date, the time cell)."""
    cell = line.cells.get(CsvField.planned_at, "")
    date = written_date(cell)
    return (cell.strip(), date, line.cells.get(CsvField.time, "").strip()) if date else None


def _two_way_date(cell: str, date: WrittenDate) -> TwoWayDate:
    assert date.day_first is not None
    assert date.month_first is not None
    return TwoWayDate(cell, date.day_first, date.month_first)


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
    """Return (the separator, the non-empty records)."""
    match = _SEPARATOR_LINE.match(text)
    lines = list(io.StringIO(text[match.end() :] if match else text, newline=""))
    if len(lines) > _MOST_TEXT_LINES:
        raise InvalidInput(ErrorCode.csv_too_many_lines, limit=MOST_LINES)
    separator = match[1] if match else max(SEPARATORS, key=lambda separator: _fits(lines, separator))
    return separator, _parsed(lines, separator, 2 if match else 1)


def _fits(lines: Sequence[str], separator: str) -> tuple[int, int]:
    """Return the numbers of known names and of columns in the first line."""
    first = next(_parsed(lines, separator, 1), None)
    return (known_names(first.cells), len(first.cells)) if first and first.cells else (0, 0)


class _Lines(Iterator[str]):
    """An iterator over lines that can be moved to any line."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.at = 0

    def __next__(self) -> str:
        if self.at == len(self.lines):
            raise StopIteration
        self.at += 1
        return self.lines[self.at - 1]

    def balanced(self, start: int, end: int) -> bool:
        """Return whether these lines have an even number of quotation marks."""
        return sum(line.count('"') for line in self.lines[start:end]) % 2 == 0


def _parsed(lines: Sequence[str], separator: str, begins: int) -> Iterator[_Record]:
    """Yield the records. After a broken quotation mark the end of its cell is unknown: lines count as broken up to the
    next that has as many cells as there are columns, and balanced quotation marks."""
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
        # skip this line and read on after it
        source.at = start + 1
        reader = csv.reader(source, delimiter=separator, strict=True)
        if lines[start].strip():
            yield _Record(begins + start, None, broken)
        if broken is None and not source.balanced(start, start + 1):
            broken = begins + start
