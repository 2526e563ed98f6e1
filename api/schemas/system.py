from datetime import datetime

from pydantic import Field

from api.schemas.base import Out


class PartOut(Out):
    ok: bool
    since: datetime | None = Field(description="Last sign of life")


class ModelOut(Out):
    provider: str
    model: str
    is_demo: bool


class SystemOut(Out):
    """What the app needs in order to work, and whether it is there."""

    temporal: PartOut
    worker: PartOut
    writer: ModelOut
    pictures: ModelOut
    now: datetime


class ReadyOut(Out):
    ready: bool
    database: bool
    temporal: bool
    worker: bool
    detail: str
