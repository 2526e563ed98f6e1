from datetime import date, datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from api.schemas.problems import Value
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind
from core.posts.rules.csv_columns import ColumnSign, CsvField
from core.posts.rules.csv_dates import DateOrder
from core.posts.rules.csv_encodings import TextEncoding
from core.posts.rules.post_csv import CsvQuestion


class ImportErrorOut(Out):
    column: str = Field(description="Field of the column; empty: the whole line")
    code: ErrorCode
    params: dict[str, Value]


class ImportAccountOut(Out):
    id: UUID
    name: str
    channel: ChannelKind


class ImportLineOut(Out):
    number: int = Field(description="Where the entry begins in the file; line 1 names the columns")
    content: str = Field(description="First 300 characters of the text")
    planned_at: datetime | None
    accounts: list[ImportAccountOut]
    tags: list[str]
    files: int
    errors: list[ImportErrorOut]


class ImportColumnOut(Out):
    name: str = Field(description="Name in the file; empty if it has none")
    field: CsvField | None = Field(description="The post's field that the column sets; null: the column is not read")
    example: str = Field(description="First cell that is not empty")
    sign: ColumnSign | None = Field(
        description="What an unread column seems to hold: dates, or addresses of images, which are never fetched"
    )


class ImportEncodingOut(Out):
    encoding: TextEncoding
    example: str = Field(description="A line of the file, decoded with this encoding")


class ImportDateOut(Out):
    """A cell of the file with two possible dates."""

    cell: str
    day_first: date
    month_first: date


class ImportPreviewOut(Out):
    """What an import would save. The preview saves nothing."""

    questions: list[CsvQuestion] = Field(
        description="Fields to answer in the next preview and in the import; an import with open questions is refused"
    )
    encoding: TextEncoding
    encodings: list[ImportEncodingOut] = Field(description="Possible encodings; empty: there is only one")
    separator: Literal[",", ";", "\t", "|"]
    columns: list[ImportColumnOut] = Field(description="All columns, in order")
    date_order: DateOrder | None = Field(description="null: it makes no difference, or it is one of `questions`")
    two_way_date: ImportDateOut | None
    day_without_time: str | None = Field(description="First cell with a date and no time")
    right: int
    wrong: int
    lines: list[ImportLineOut] = Field(description="The first 50 lines")
    wrong_lines: list[ImportLineOut] = Field(description="The first 200 lines with errors")
    digest: str = Field(description="Send it with the import, which then saves exactly this preview")


class ImportOut(Out):
    saved: int = Field(description="Posts saved by this call; 0: an earlier call of the same import has saved them")
    post_ids: list[UUID]
