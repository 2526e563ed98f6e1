"""Posts as lines of a CSV file (RFC 4180): how they are written, and how a file of whichever program is read. Pure."""

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from core.domain.dates import YEARS
from core.domain.errors import ErrorCode, FieldError, InvalidInput
from core.domain.occurrences import instant_of

MOST_LINES: Final = 10_000
"""Of one file, the first one, which names the columns, not counted."""
BOM: Final = "\ufeff"
"""Begins what is written: without it Excel takes UTF-8 for something else."""
SEPARATORS: Final = (",", ";", "\t")
MAX_CONTENT: Final = 20_000

# a spreadsheet takes a cell that begins like that for a formula
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_GUARDED = re.compile(r"'+[=+\-@\t\r]")
_LOCAL = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S")
_OFFSET = re.compile(r"(Z|[+-]\d\d:?\d\d)$", re.IGNORECASE)

_COLUMNS: Final = {
    "content": ("content", "text", "post", "inhalt", "beitrag"),
    "planned_at": ("planned_at", "planned", "geplant"),
    "accounts": ("accounts", "account", "konten", "konto"),
    "first_comment": ("first_comment", "first comment", "erster kommentar"),
    "link": ("link",),
    "link_title": ("link_title", "link title", "linktitel"),
    "link_description": ("link_description", "link description", "linkbeschreibung"),
    "tags": ("tags", "tag"),
    "image_ids": ("image_ids", "images", "bilder"),
}
"""What is read, and how else it may be called. Other columns are left alone."""


def guarded(text: str) -> str:
    """So that no spreadsheet computes it: with an apostrophe before it, which `unguarded` takes off again."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(text: str) -> str:
    return text[1:] if _GUARDED.match(text) else text


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


def decoded(data: bytes) -> tuple[str, str]:
    """(text, encoding): UTF-8 with or without its mark; else Windows' or plain Latin-1. Raises InvalidInput
    (csv_unreadable) for what is no text."""
    try:
        text, encoding = data.decode("utf-8-sig"), "utf-8"
    except UnicodeDecodeError:
        # of Latin-1 nobody uses these control characters, Windows has letters there
        windows = any(0x80 <= byte <= 0x9F for byte in data)
        encoding = "windows-1252" if windows else "latin-1"
        text = data.decode("cp1252" if windows else "latin-1", errors="replace")
    if "\0" in text or not text.strip():
        raise InvalidInput(ErrorCode.csv_unreadable)
    return text, encoding


@dataclass(frozen=True)
class CsvLine:
    """`number`: where it begins, counted from 1 as editors do, the line with the names included."""

    number: int
    cells: dict[str, str]
    """By column; only those that are read."""
    errors: tuple[FieldError, ...] = ()


@dataclass(frozen=True)
class CsvFile:
    encoding: str
    separator: str
    columns: tuple[str, ...]
    """Those that are read."""
    ignored: tuple[str, ...]
    """What else the first line names."""
    lines: tuple[CsvLine, ...]


def read(data: bytes) -> CsvFile:
    """Raises InvalidInput (csv_unreadable, csv_content_missing, csv_column_twice, csv_broken_quote,
    csv_too_many_lines)."""
    text, encoding = decoded(data)
    separator = max(SEPARATORS, key=lambda one: _known(_first(text, one)))
    records = _records(text, separator)
    header = next(records, None)
    names = [_name(cell) for cell in header[1]] if header else []
    if "content" not in names:
        raise InvalidInput(ErrorCode.csv_content_missing)
    read = [name for name in names if name in _COLUMNS]
    if twice := next((name for name in read if read.count(name) > 1), None):
        raise InvalidInput(ErrorCode.csv_column_twice, value=twice)
    lines: list[CsvLine] = []
    for number, cells in records:
        if len(lines) == MOST_LINES:
            raise InvalidInput(ErrorCode.csv_too_many_lines, limit=MOST_LINES)
        more = any(cell.strip() for cell in cells[len(names) :])
        found = {name: unguarded(cell) for name, cell in zip(names, cells, strict=False) if name in _COLUMNS}
        errors = (FieldError("", ErrorCode.csv_too_many_cells),) if more else ()
        lines.append(CsvLine(number, found, errors))
    ignored = tuple(name[:100] for name in names if name and name not in _COLUMNS)
    return CsvFile(encoding, separator, tuple(read), ignored, tuple(lines))


def _records(text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """(line, cells) of each that is not empty."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    begins = 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise InvalidInput(errors=[FieldError(f"lines.{begins}", ErrorCode.csv_broken_quote)]) from error
        if cells is None:
            return
        if any(cell.strip() for cell in cells):
            yield begins, cells
        begins = reader.line_num + 1


def _first(text: str, separator: str) -> list[str]:
    try:
        return next((cells for _, cells in _records(text, separator)), [])
    except InvalidInput:
        return []


def _known(names: Sequence[str]) -> int:
    return sum(_name(name) in _COLUMNS for name in names)


def _name(cell: str) -> str:
    """The column that is meant, or what is there."""
    plain = cell.strip().casefold()
    return next((name for name, others in _COLUMNS.items() if plain in others), plain)


def moment(cell: str, time_zone: str) -> datetime | None:
    """In UTC: with an offset as ISO 8601 has it, or a date and a time of that zone, by the rules of schedules. None:
    it is neither."""
    text = " ".join(cell.strip().replace("T", " ").split())
    if not (wall := _OFFSET.sub("", text).strip()):
        return None
    for form in _LOCAL:
        try:
            local = datetime.strptime(wall, form)  # noqa: DTZ007 - its zone is the file's or its own
        except ValueError:
            continue
        if local.year not in YEARS:
            return None
        if wall == text:
            return instant_of(local, time_zone)
        try:
            return datetime.fromisoformat(f"{local.isoformat()}{_OFFSET.findall(text)[0].upper()}").astimezone(UTC)
        except ValueError:
            return None
    return None
