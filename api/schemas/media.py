from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out
from api.schemas.cards import CardIn
from core.models import MediaSource


class MediaOut(Out):
    id: UUID
    source: MediaSource
    name: str
    alt: str
    tags: list[str]
    mime: str
    width: int
    height: int
    bytes: int
    made_by: str = Field(description="Provider and model of what was made; empty for uploads")
    url: str
    thumbnail_url: str
    card: CardIn | None = Field(description="Of a card: what it was made of")
    created_at: datetime
    updated_at: datetime


class MediaUse(Out):
    """What holds the picture. Only a scheduled post keeps it from being deleted."""

    kind: Literal["post", "template", "card_preset"]
    id: UUID
    name: str
    blocks: bool


class MediaDetail(MediaOut):
    uses: list[MediaUse]


class UploadOut(MediaOut):
    duplicate: bool = Field(description="It was here already: this is the one there was")


class MediaUpdate(In):
    name: str | None = Field(default=None, max_length=200)
    alt: str | None = Field(default=None, max_length=1000)
    tags: list[str] | None = Field(default=None, max_length=20)
