from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from api.schemas.problems import Value
from core.domain.errors import ErrorCode


class ImportErrorOut(Out):
    column: str = Field(description="Empty: the line as a whole")
    code: ErrorCode
    params: dict[str, Value]


class ImportAccountOut(Out):
    id: UUID
    name: str


class ImportLineOut(Out):
    number: int = Field(description="Where it begins in the file, from 1; the first line names the columns")
    content: str = Field(description="At most 300 characters of it")
    planned_at: datetime | None
    accounts: list[ImportAccountOut]
    tags: list[str]
    images: int
    errors: list[ImportErrorOut]


class ImportPreviewOut(Out):
    """What would be saved. Nothing is."""

    encoding: Literal["utf-8", "windows-1252", "latin-1"]
    separator: Literal[",", ";", "\t"]
    columns: list[str]
    ignored: list[str] = Field(description="Columns that are left alone")
    right: int
    wrong: int
    lines: list[ImportLineOut] = Field(description="The first 50")
    wrong_lines: list[ImportLineOut] = Field(description="The first 200 that are wrong")
    digest: str = Field(description="For the import: that it saves what is shown here")


class ImportOut(Out):
    saved: int = Field(description="By this call; 0 where an earlier one of the same import has saved them")
    post_ids: list[UUID]
