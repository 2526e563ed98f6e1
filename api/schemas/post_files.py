from datetime import date, datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from api.schemas.problems import Value
from core.errors import ErrorCode
from core.posts.rules.csv_columns import ColumnSign, CsvField
from core.posts.rules.csv_dates import DateOrder
from core.posts.rules.csv_encodings import TextEncoding
from core.posts.rules.post_csv import CsvQuestion


class ImportErrorOut(Out):
    column: str = Field(description="What the column holds; empty: the line as a whole")
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


class ImportColumnOut(Out):
    name: str = Field(description="As the file has it; empty where it has none")
    field: CsvField | None = Field(description="What it brings to the posts; null: it is not read")
    example: str = Field(description="Its first cell that is not empty")
    sign: ColumnSign | None = Field(
        description="What a column that is not read looks like: dates, or addresses of images, which are never fetched"
    )


class ImportEncodingOut(Out):
    encoding: TextEncoding
    example: str = Field(description="A line of the file as it reads in this encoding")


class ImportDateOut(Out):
    """A cell of the file with two possible dates."""

    cell: str
    day_first: date
    month_first: date


class ImportPreviewOut(Out):
    """What an import would save. The preview saves nothing."""

    questions: list[CsvQuestion] = Field(
        description="What is sent along with the next preview and with the import: nothing is saved while one is open"
    )
    encoding: TextEncoding
    encodings: list[ImportEncodingOut] = Field(description="What comes into question; empty: nothing else does")
    separator: Literal[",", ";", "\t", "|"]
    columns: list[ImportColumnOut] = Field(description="All of them, in their order")
    date_order: DateOrder | None = Field(description="Null: it makes no difference, or it is a question")
    two_way_date: ImportDateOut | None
    day_without_time: str | None = Field(description="The first cell with a day and no time")
    right: int
    wrong: int
    lines: list[ImportLineOut] = Field(description="The first 50")
    wrong_lines: list[ImportLineOut] = Field(description="The first 200 that are wrong")
    digest: str = Field(description="For the import: that it saves what is shown here")


class ImportOut(Out):
    saved: int = Field(description="By this call; 0 where an earlier one of the same import has saved them")
    post_ids: list[UUID]
