from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out, Verbatim
from api.schemas.problems import FieldProblem


class TopicImportIn(In):
    name: str = Field(max_length=200)
    text: Verbatim = Field(max_length=2_500_000, examples=["- Commuting\n-- Weather\n--- Rain without drama"])


class TopicTreeUpdate(In):
    name: str = Field(max_length=200)
    version: int


class TopicPreviewNode(Out):
    title: str
    depth: int
    parent: int | None = Field(description="Index in the list")


class TopicPreviewOut(Out):
    topics: list[TopicPreviewNode]
    errors: list[FieldProblem]
    total: int


class TopicOut(Out):
    id: UUID
    parent_id: UUID | None
    depth: int
    title: str
    notes: str
    enabled: bool
    weight: int
    times_used: int
    last_used_at: datetime | None


class TopicTreeOut(Out):
    id: UUID
    name: str
    description: str
    version: int
    topic_count: int
    used_by: int = Field(description="Number of assistants")
    created_at: datetime
    updated_at: datetime


class TopicTreeDetail(TopicTreeOut):
    topics: list[TopicOut] = Field(description="In reading order")
