from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import time
from typing import Annotated, Any, TypeVar
from uuid import UUID

from fastapi import Query, Request, status
from fastapi.responses import StreamingResponse
from starlette.datastructures import UploadFile

from api.bodies import KILOBYTE, MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.limits import EXPORTING, EXPORTS, IMPORTS, by_user, in_turn
from api.post_filters import Filtered
from api.schemas.base import has_nul
from api.schemas.post_files import (
    ImportAccountOut,
    ImportColumnOut,
    ImportDateOut,
    ImportEncodingOut,
    ImportErrorOut,
    ImportLineOut,
    ImportOut,
    ImportPreviewOut,
)
from core.errors import ErrorCode, FieldError, InvalidInput
from core.posts.csv_export import COLUMNS
from core.posts.csv_import import ImportedLine
from core.posts.repositories.post_lists import PostSort
from core.posts.rules.csv_columns import CsvField
from core.posts.rules.csv_dates import DateOrder
from core.posts.rules.csv_encodings import TextEncoding
from core.posts.rules.post_csv import CsvChoices

Value = TypeVar("Value")

router = Router(prefix="/social-media-posts", tags=["posts"])

_MEGABYTES = 5
_SHOWN, _SHOWN_WRONG = 50, 200
_CHARACTERS = 300
_WRONG_FILE = (
    ErrorCode.too_large,
    ErrorCode.unknown_time_zone,
    ErrorCode.csv_unreadable,
    ErrorCode.csv_column_twice,
    ErrorCode.csv_broken_quote,
    ErrorCode.csv_too_many_lines,
    ErrorCode.csv_too_many_columns,
)


def _form(**fields: dict[str, Any]) -> dict[str, Any]:
    """Return the `openapi_extra` of a form with a file of 5 MB and its fields."""
    needed = {"file": {"type": "string", "contentMediaType": "application/octet-stream"}, **fields}
    schema = {"type": "object", "required": list(needed), "properties": {**needed, **_CHOICES}}
    return up_to(
        _MEGABYTES * MEGABYTE + 64 * KILOBYTE,
        requestBody={"required": True, "content": {"multipart/form-data": {"schema": schema}}},
    )


_CHOICES: dict[str, Any] = {
    "encoding": {"type": "string", "enum": [*TextEncoding]},
    "columns": {
        "type": "string",
        "maxLength": 10_000,
        "description": f"Field of each column in the file's order, separated by commas: {', '.join(CsvField)}, or "
        "empty for a column that is not read",
    },
    "date_order": {
        "type": "string",
        "enum": [*DateOrder],
        "description": "Order of day and month in dates such as 3/5/2026",
    },
    "time_of_day": {"type": "string", "format": "time", "description": "Time for dates without a time, such as 09:00"},
}
_ZONE = {"type": "string", "maxLength": 64, "description": "IANA name of the time zone for times without an offset"}


@router.get(
    "/export/",
    response_class=StreamingResponse,
    response_description=f"Columns: {', '.join(COLUMNS)}",
    responses={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
    dependencies=[by_user(EXPORTS)],
)
async def export_posts(
    user: CurrentUser,
    services: Core,
    filter: Filtered,
    sort: Annotated[PostSort, Query()] = PostSort.planned_latest,
) -> StreamingResponse:
    """The filtered list as CSV (RFC 4180, UTF-8 with byte order mark): at most the first 10,000 posts.

    Times have their offset; several values in one cell are separated by commas. Cells that begin with =, +, -, @, a tab
    or a line end get an apostrophe before it, so that no spreadsheet computes them, also where another separator would
    begin a cell; the import removes it."""
    name, chunks = await services.post_export.export(user.id, filter, sort)
    return StreamingResponse(
        in_turn(EXPORTING, str(user.id), chunks),
        media_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@router.post(
    "/import/preview/",
    responses=problems(*_WRONG_FILE),
    openapi_extra=_form(time_zone=_ZONE),
    dependencies=[by_user(IMPORTS)],
)
async def preview_post_import(request: Request, user: CurrentUser, services: Core) -> ImportPreviewOut:
    """Preview the import of a CSV file of up to 5 MB and 10,000 lines. Nothing is saved.

    The first line names the columns: content, and optionally the other fields of `columns`, accounts by name or id, or
    the names that Buffer, Hootsuite, Metricool, Publer and others use. Order and separator (comma, semicolon, tab or
    bar) do not matter. Encoding, columns, and the order of day and month are detected. What cannot be detected is
    listed in `questions`; the next preview and the import carry the answers."""
    async with _received(request, {"time_zone"}) as form:
        preview = await services.post_import.preview(
            user.id, form.data, form.choices(), form.fields["time_zone"], user.language
        )
    file = preview.file
    return ImportPreviewOut(
        questions=list(file.questions),
        encoding=file.encoding,
        encodings=[ImportEncodingOut(encoding=name, example=line[:_CHARACTERS]) for name, line in file.encodings],
        separator=file.separator,
        columns=[
            ImportColumnOut(name=column.name, field=column.field, example=column.example, sign=column.sign)
            for column in file.columns
        ],
        date_order=file.date_order,
        two_way_date=file.two_way_date
        and ImportDateOut(
            cell=file.two_way_date.cell[:_CHARACTERS],
            day_first=file.two_way_date.day_first,
            month_first=file.two_way_date.month_first,
        ),
        day_without_time=file.day_without_time and file.day_without_time[:_CHARACTERS],
        right=len(preview.right),
        wrong=len(preview.wrong),
        lines=[_line(line) for line in preview.lines[:_SHOWN]],
        wrong_lines=[_line(line) for line in preview.wrong[:_SHOWN_WRONG]],
        digest=preview.digest,
    )


@router.post(
    "/import/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(*_WRONG_FILE, ErrorCode.csv_wrong_lines, ErrorCode.csv_question_open, ErrorCode.csv_changed),
    openapi_extra=_form(
        time_zone=_ZONE,
        import_id={
            "type": "string",
            "format": "uuid",
            "description": "Chosen by the caller; repeating saves nothing more",
        },
        digest={"type": "string", "maxLength": 64, "description": "`digest` of the preview"},
        only_right={"type": "string", "enum": ["true", "false"], "description": "true: leave out lines with errors"},
    ),
    dependencies=[by_user(IMPORTS)],
)
async def import_posts(request: Request, user: CurrentUser, services: Core) -> ImportOut:
    """Import the previewed file as drafts: all lines or none."""
    async with _received(request, {"time_zone", "import_id", "digest", "only_right"}) as form:
        saved = await services.post_import.save(
            user.id,
            form.id("import_id"),
            form.data,
            form.choices(),
            form.fields["time_zone"],
            user.language,
            digest=form.fields["digest"],
            only_right=form.fields["only_right"] == "true",
        )
    return ImportOut(saved=saved.saved, post_ids=saved.post_ids)


@dataclass(frozen=True)
class _Form:
    data: bytes
    fields: dict[str, str]

    def id(self, name: str) -> UUID:
        try:
            return UUID(self.fields[name])
        except ValueError as error:
            raise InvalidInput(errors=[FieldError(name, ErrorCode.invalid_input)]) from error

    def choices(self) -> CsvChoices:
        """Return the choices for the file. Raise InvalidInput at an invalid field."""
        return CsvChoices(
            encoding=self._parse_field("encoding", TextEncoding),
            columns=self._parse_field("columns", _columns),
            date_order=self._parse_field("date_order", DateOrder),
            time_of_day=self._parse_field("time_of_day", _time_of_day),
        )

    def _parse_field(self, name: str, read: Callable[[str], Value]) -> Value | None:
        if not (value := self.fields.get(name, "")):
            return None
        try:
            return read(value)
        except ValueError as error:
            raise InvalidInput(errors=[FieldError(name, ErrorCode.invalid_input)]) from error


def _columns(text: str) -> tuple[CsvField | None, ...]:
    return tuple(CsvField(name) if name else None for name in map(str.strip, text.split(",")))


def _time_of_day(text: str) -> time:
    time_of_day = time.fromisoformat(text)
    if time_of_day.tzinfo is not None:
        raise ValueError("the time of day must not have an offset")
    return time_of_day


@asynccontextmanager
async def _received(request: Request, names: set[str]) -> AsyncIterator[_Form]:
    """Read the form. Raise InvalidInput at fields that are missing or no text."""
    # a parameter would be parsed before authentication: strangers' files would be written to disk
    async with request.form(max_files=1, max_fields=len(names) + len(_CHOICES)) as form:
        file, present = form.get("file"), [name for name in _CHOICES if name in form]
        fields = {name: form.get(name) for name in [*sorted(names), *present]}
        wrong = [name for name, value in fields.items() if not isinstance(value, str) or has_nul(value)]
        if not isinstance(file, UploadFile):
            wrong.append("file")
        if wrong:
            raise InvalidInput(errors=[FieldError(name, ErrorCode.invalid_input) for name in wrong])
        assert isinstance(file, UploadFile)
        data = await file.read()
        if len(data) > _MEGABYTES * MEGABYTE:
            raise InvalidInput(ErrorCode.too_large, limit=_MEGABYTES)
        yield _Form(data, {name: str(value) for name, value in fields.items()})


def _line(line: ImportedLine) -> ImportLineOut:
    return ImportLineOut(
        number=line.number,
        content=line.content[:_CHARACTERS],
        planned_at=line.planned_at,
        accounts=[
            ImportAccountOut(id=id, name=name, channel=kind)
            for id, name, kind in zip(line.account_ids, line.account_names, line.account_kinds, strict=True)
        ],
        tags=list(line.tags),
        files=len(line.files),
        errors=[
            ImportErrorOut(column=error.field, code=error.code, params=dict(error.params)) for error in line.errors
        ],
    )
