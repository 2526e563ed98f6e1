from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out, Verbatim
from api.schemas.problems import FieldProblem
from core.ai.rules.generation import GenerationState
from core.languages import Language
from core.topics.rules import MAX_LINK, MAX_TITLE

MAX_NOTES = 4000
MAX_DESCRIPTION = 2000
_MAX_TEXT = 2_500_000
_LINK = "Address of the page by others that the topic is about, as a feed or a person names it; else empty"
Title = Annotated[str, Field(max_length=4000, json_schema_extra={"maxLength": MAX_TITLE}), ONE_LINE]


class TopicImportIn(In):
    name: Annotated[str, Field(max_length=200), ONE_LINE]
    description: str = Field(default="", max_length=MAX_DESCRIPTION)
    text: Verbatim = Field(max_length=_MAX_TEXT, examples=["- Commuting\n-- Weather\n--- Rain without drama"])


class TopicPreviewIn(In):
    name: str = Field(default="", max_length=200, description="Title of the root if several lines have depth 1")
    text: Verbatim = Field(max_length=_MAX_TEXT, examples=["- Commuting\n-- Weather\n--- Rain without drama"])
    under: bool = Field(
        default=False, description="Whether to import below an existing topic; many lines may have depth 1"
    )


class BranchImportIn(In):
    text: Verbatim = Field(max_length=_MAX_TEXT, examples=["- Weather\n-- Rain without drama"])


class TopicTreeUpdate(In):
    name: Annotated[str, Field(max_length=200), ONE_LINE]
    description: str | None = Field(default=None, max_length=MAX_DESCRIPTION, description="null: unchanged")
    version: int = Field(description="A version with the name and description that the caller saw")


class TopicPreviewNode(Out):
    title: str
    depth: int
    parent: int | None = Field(description="Index in the list; null: the root, or a first topic of a branch")


class TopicPreviewOut(Out):
    topics: list[TopicPreviewNode] = Field(description="All topics, in reading order")
    errors: list[FieldProblem]
    total: int
    root: str | None = Field(description="Title of the only line of depth 1, to name the tree; null: several")


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
    link: str = Field(description=_LINK)


class TopicTreeOut(Out):
    id: UUID
    name: str
    description: str
    version: int = Field(description="Increases with every change of the tree or its topics")
    topic_count: int
    used_by: int = Field(description="Number of assistants that use the tree")
    created_at: datetime
    updated_at: datetime


class TopicTreeDetail(TopicTreeOut):
    topics: list[TopicOut] = Field(description="In reading order")


class TopicAdd(In):
    parent_id: UUID
    after_id: UUID | None = Field(default=None, description="Sibling before the topic; null: as the first child")
    title: Title


class TopicUpdate(In):
    """Null fields stay unchanged."""

    title: Title | None = None
    notes: str | None = Field(default=None, max_length=MAX_NOTES)
    notes_before: str | None = Field(
        default=None,
        max_length=MAX_NOTES,
        description="The notes before the edit; if they have changed since: stale_version",
    )
    enabled: bool | None = None
    weight: int | None = Field(default=None, ge=1, le=100)
    link: Annotated[str, Field(max_length=MAX_LINK), ONE_LINE] | None = Field(default=None, description=_LINK)


class TopicMove(In):
    parent_id: UUID
    after_id: UUID | None = Field(default=None, description="Sibling before the topic; null: as the first child")


class TopicDeleted(Out):
    deletion_id: UUID = Field(description="Restores the topics within a day")
    count: int = Field(description="Number of deleted topics, including the topic itself")


class SuggestionIn(In):
    wanted: int = Field(default=6, ge=1, le=12)
    language: Language


class SuggestedTitle(Out):
    index: int
    title: str
    state: Literal["open", "accepted", "dismissed"]


class SuggestionOut(Out):
    id: UUID
    topic_id: UUID
    wanted: int
    language: Language
    state: GenerationState
    attempt: int
    reason: str | None = Field(description="Error code")
    titles: list[SuggestedTitle]
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of `currency`; null: unknown")
    currency: str
    created_at: datetime
    finished_at: datetime | None


class SuggestionDecision(In):
    index: int = Field(ge=0)
