"""Mapping of CSV columns to fields of a post, by name and cells. Pure."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.errors import ErrorCode, FieldError
from core.networks.rules.channels import PostContent
from core.networks.rules.links import Link, malformed, tidied
from core.posts.rules.csv_dates import written_date, written_time
from core.texts.rules.texts import normal

MOST_COLUMNS: Final = 200
MAX_CONTENT: Final = 20_000


class CsvField(StrEnum):
    """The fields of a post that a column can hold."""

    content = "content"
    planned_at = "planned_at"
    """A date, with its own time or that of the `time` column."""
    time = "time"
    accounts = "accounts"
    first_comment = "first_comment"
    link = "link"
    link_title = "link_title"
    link_description = "link_description"
    tags = "tags"
    image_ids = "image_ids"


class ColumnSign(StrEnum):
    """What an unread column seems to hold."""

    dates = "dates"
    images = "images"
    """URLs of images, which are not fetched."""


@dataclass(frozen=True)
class CsvColumn:
    name: str
    field: CsvField | None
    example: str
    sign: ColumnSign | None = None


_NAMES: Final[dict[CsvField, tuple[str, ...]]] = {
    CsvField.content: (
        *("content", "post content", "text", "post text", "message", "post message", "caption", "post", "body"),
        *("inhalt", "beitragstext", "nachricht", "beitrag", "bildunterschrift", "copy", "post copy", "status update"),
        *("social message", "posttext", "description", "beschreibung"),
    ),
    CsvField.planned_at: (
        *("planned at", "planned", "scheduled at", "scheduled for", "scheduled time", "scheduled date", "scheduled"),
        *("schedule", "schedule date", "schedule time", "schedule at", "posting time", "posting date", "publish at"),
        *("publish date", "publish time", "publishing date", "publishing time", "publication date", "post date"),
        *("publication time", "post date time", "scheduled date time", "share date", "share time"),
        *("post time", "post at", "post at specific time", "date time", "datetime", "date and time", "date", "time"),
        *("geplant am", "geplant für", "geplant", "veröffentlichen am", "veröffentlichung", "veröffentlichungsdatum"),
        *(
            "veröffentlichungstermin",
            "veröffentlichungszeit",
            "zeitpunkt",
            "termin",
            "datum und uhrzeit",
            "datum uhrzeit",
            "datum zeit",
            "datum",
        ),
        *("uhrzeit", "zeit", "tag"),
    ),
    CsvField.accounts: ("accounts", "account", "konten", "konto"),
    CsvField.first_comment: ("first comment", "first comment text", "erster kommentar"),
    CsvField.link: ("link", "link s", "url", "link url"),
    CsvField.link_title: ("link title", "linktitel"),
    CsvField.link_description: ("link description", "linkbeschreibung"),
    CsvField.tags: ("tags", "tag", "labels", "label", "label s", "schlagwörter"),
    CsvField.image_ids: ("image ids", "images", "bilder"),
}
"""The names of each field's column here and in other programs, the clearest name first."""
_LINK_COLUMNS: Final = {
    "link.url": CsvField.link,
    "link.title": CsvField.link_title,
    "link.description": CsvField.link_description,
}
_DAY: Final = "tag"
"""German for day, English for a label: the column's cells decide."""
_KNOWN: Final = frozenset(name for names in _NAMES.values() for name in names)
_IMAGES: Final = re.compile(r"image|imagen|picture|photo|foto|media|bild", re.IGNORECASE)
_IMAGE_ADDRESS: Final = re.compile(r"https?://\S+?\.(?:jpe?g|png|gif|webp|heic|avif)\b", re.IGNORECASE)
_ADDRESS: Final = re.compile(r"https?://\S+", re.IGNORECASE)
_EXAMPLE: Final = 100


def content_cells(content: PostContent) -> dict[CsvField, str]:
    """Return the cells that `read_content` reads."""
    link = content.link or Link("")
    return {
        CsvField.content: content.content,
        CsvField.first_comment: content.first_comment,
        CsvField.link: link.url,
        CsvField.link_title: link.title,
        CsvField.link_description: link.description,
    }


def read_content(cells: Mapping[CsvField, str], errors: list[FieldError]) -> PostContent:
    """Return what the cells say, and add its errors, each at its column."""
    return PostContent(
        content=_text(cells, CsvField.content, errors),
        first_comment=_text(cells, CsvField.first_comment, errors),
        link=_link(cells, errors),
    )


def _text(cells: Mapping[CsvField, str], column: CsvField, errors: list[FieldError]) -> str:
    text = normal(re.sub("\r\n?", "\n", cells.get(column, "")).strip())
    if len(text) > MAX_CONTENT:
        errors.append(FieldError(column, ErrorCode.content_too_long, length=len(text), limit=MAX_CONTENT))
    return text


def _link(cells: Mapping[CsvField, str], errors: list[FieldError]) -> Link | None:
    url, *others = (cells.get(column, "").strip() for column in _LINK_COLUMNS.values())
    if not url and not any(others):
        return None
    link = tidied(Link(url, *map(normal, others)))
    errors += [FieldError(_LINK_COLUMNS[error.field], error.code, **error.params) for error in malformed(link)]
    return link


def known_names(cells: Sequence[str]) -> int:
    """Return how many of the cells are known column names."""
    return sum(plain_name(cell) in _KNOWN for cell in cells[:MOST_COLUMNS])


def plain_name(cell: str) -> str:
    """Return the normalized name: scheduledAt, Scheduled_at and "Scheduled at:" are the same."""
    apart = re.sub(r"(?<=[a-zäöü])(?=[A-ZÄÖÜ])", " ", cell)
    name = _words(apart)
    # "URL (optional)" is a URL; "Date (UTC)" is not a date in the chosen zone
    bare = _words(re.sub(r"\([^()]*\)", " ", apart))
    return name if name in _KNOWN or bare not in _KNOWN or _ZONE.search(apart) else bare


_ZONE: Final = re.compile(r"\b(?:utc|gmt|zone|zeitzone)\b", re.IGNORECASE)


def _words(name: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", name.casefold()).split())


def is_header(cells: Sequence[str]) -> bool:
    """Return whether a first line names columns. Files without names begin with a post, which has a date."""
    return known_names(cells) > 0 or not any(written_date(cell) for cell in cells[:MOST_COLUMNS])


def mapped(
    names: Sequence[str], rows: Sequence[Sequence[str]], chosen: Sequence[CsvField | None] | None
) -> tuple[CsvColumn, ...]:
    """Return the columns, mapped as `chosen`, or else guessed by name and cells. `rows`: the first ones."""
    cells = [[row[at] for row in rows if at < len(row) and row[at].strip()] for at in range(len(names))]
    fields = list(chosen) if chosen is not None else _guessed(names, cells)
    return tuple(
        CsvColumn(
            name.strip()[:_EXAMPLE],
            field,
            " ".join(inside[0].split())[:_EXAMPLE] if inside else "",
            None if field else _sign(name, inside),
        )
        for name, field, inside in zip(names, fields, cells, strict=True)
    )


def _guessed(names: Sequence[str], cells: Sequence[Sequence[str]]) -> list[CsvField | None]:
    plain = [plain_name(name) for name in names]
    fields: list[CsvField | None] = [None] * len(names)
    for field, known_names in _NAMES.items():
        ranked = sorted((known_names.index(name), at) for at, name in enumerate(plain) if name in known_names)
        if field in (CsvField.planned_at, CsvField.tags):
            dated = field is CsvField.planned_at
            ranked = [
                rank for rank in ranked if plain[rank[1]] != _DAY or _mostly(cells[rank[1]], written_date) is dated
            ]
        if field is CsvField.planned_at:
            # a column with only times belongs to a column with dates, whatever their names
            times = [at for _, at in ranked if cells[at] and all(written_time(cell) for cell in cells[at])]
            ranked = [rank for rank in ranked if rank[1] not in times]
            if times and ranked:
                fields[times[0]] = CsvField.time
        if field is CsvField.image_ids:
            ranked = [rank for rank in ranked if not _mostly(cells[rank[1]], _ADDRESS.match)]
        if ranked:
            fields[ranked[0][1]] = field
    if not any(plain) and CsvField.planned_at not in fields:  # without names, a column of dates is `planned_at`
        dates = [at for at, inside in enumerate(cells) if _mostly(inside, written_date)]
        if dates:
            fields[dates[0]] = CsvField.planned_at
    return fields


def _sign(name: str, cells: Sequence[str]) -> ColumnSign | None:
    if _mostly(cells, written_date):
        return ColumnSign.dates
    if _mostly(cells, _IMAGE_ADDRESS.match) or (_IMAGES.search(name) and _mostly(cells, _ADDRESS.match)):
        return ColumnSign.images
    return None


def _mostly(cells: Sequence[str], fits: Callable[[str], object]) -> bool:
    return bool(cells) and 2 * sum(bool(fits(cell.strip())) for cell in cells) >= len(cells)
