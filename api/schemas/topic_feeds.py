from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out
from core.errors import ErrorCode
from core.feeds.rules.feeds import DEFAULT_DAILY, MAX_ADDRESS, MAX_DAILY

_BRANCH = "Topic under which new topics are added"
_DAILY = "Topics that the feed may add in 24 hours"
_FULL_TEXT = "Whether notes hold the main text of an item's page, where the page allows it, and not only its summary"


class TopicFeedIn(In):
    topic_id: UUID = Field(description=_BRANCH)
    address: Annotated[str, Field(max_length=MAX_ADDRESS), ONE_LINE] = Field(
        description="Of a feed (RSS, Atom, JSON Feed), or of a page that names one",
        examples=["https://example.org/feed"],
    )
    daily: int = Field(default=DEFAULT_DAILY, ge=1, le=MAX_DAILY, description=_DAILY)
    full_text: bool = Field(default=False, description=_FULL_TEXT)


class TopicFeedUpdate(In):
    """Null fields stay unchanged."""

    topic_id: UUID | None = Field(default=None, description=_BRANCH)
    daily: int | None = Field(default=None, ge=1, le=MAX_DAILY, description=_DAILY)
    full_text: bool | None = Field(default=None, description=_FULL_TEXT)
    active: bool | None = Field(default=None, description="Whether the feed is asked")


class TopicFeedOut(Out):
    id: UUID
    topic_id: UUID | None = Field(description=f"{_BRANCH}; null: it was deleted for good")
    address: str
    title: str
    daily: int = Field(description=_DAILY)
    full_text: bool = Field(description=_FULL_TEXT)
    active: bool
    error: ErrorCode | None = Field(description="Why it adds nothing for now")
    asked_at: datetime | None = Field(description="When its server was asked last")
    answered_at: datetime | None = Field(description="When it was read last, changed or not")
    next_at: datetime | None = Field(description="When it is asked next; null: at once")
    items: int = Field(description="Items that it has shown")
    added: int = Field(description="Items that became topics")
    waiting: int = Field(description="Items that become topics when the feed may add more")
    created_at: datetime
