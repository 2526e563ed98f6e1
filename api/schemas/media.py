from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out, Page, Tag
from api.schemas.cards import CardIn
from core.media.rules.cards import CardNote
from core.media.tables import MediaSource


class MediaOut(Out):
    id: UUID
    source: MediaSource
    by_assistant: bool = Field(description="A run made it, and no person made or uploaded the same")
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
    card_notes: list[CardNote] = Field(description="Of a card: what is not on it as it was written")
    version: int = Field(description="Of name, alt text and tags; goes along with a change")
    created_at: datetime
    updated_at: datetime


class MediaCounts(Out):
    """Number of pictures by origin; `own`: all that no assistant made."""

    own: int
    upload: int
    ai: int
    card: int
    assistant: int


class MediaPage(Page[MediaOut]):
    origins: MediaCounts = Field(description="Of all that the other filters let through, whichever origin is asked for")


class MediaUse(Out):
    """What uses the picture. Only a scheduled post prevents its deletion."""

    kind: Literal["post", "template", "card_preset", "assistant"]
    id: UUID
    name: str
    blocks: bool


class MediaDetail(MediaOut):
    uses: list[MediaUse]


class UploadOut(MediaOut):
    duplicate: bool = Field(description="It was here already: this is the one there was")
    first_frame_only: bool = Field(description="The file moves; its first frame was kept")


class MediaUpdate(In):
    version: int = Field(description="The version that was edited; it was changed since: 409 stale_version")
    name: Annotated[str, Field(max_length=200), ONE_LINE] | None = None
    alt: str | None = Field(default=None, max_length=1000)
    tags: list[Tag] | None = Field(default=None, max_length=20)
