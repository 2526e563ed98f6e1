from datetime import datetime
from typing import Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out
from core.domain.cards import CardNote
from core.domain.channels import ChannelKind
from core.domain.posts import DeliveryState, PostSource, PostStatus


class FileOut(Out):
    media_id: UUID
    url: str = Field(description="Signed, expires")
    mime: str
    width: int
    height: int
    alt: str
    card_notes: list[CardNote] = Field(description="Of a card: what is not on it as it was written")


class DeliveryOut(Out):
    id: UUID
    account_id: UUID
    account_name: str
    channel: ChannelKind
    state: DeliveryState
    attempts: int
    permalink: str | None
    error_code: str | None
    error_detail: str | None
    called_at: datetime | None
    settled_at: datetime | None
    decided_at: datetime | None = Field(description="When a person said how it ended, which the network could not")


class PostOut(Out):
    id: UUID
    assistant_id: UUID | None
    assistant_name: str | None
    source: PostSource
    status: PostStatus
    content: str
    topic_title: str
    language: str
    written_by: str
    is_demo: bool = Field(description="Written by the built-in demo writer")
    planned_at: datetime | None
    time_zone: str
    files: list[FileOut]
    deliveries: list[DeliveryOut]
    acknowledged_at: datetime | None = Field(description="When a person has seen that it failed")
    version: int
    created_at: datetime
    updated_at: datetime


class DeliveryDecisionIn(In):
    answer: Literal["there", "not_there"] = Field(
        description="What a person found at the network, where the network could not tell us"
    )
