from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.assistants import AccountRefOut, AssistantIn
from api.schemas.base import In, Out
from api.schemas.cards import MadePageOut
from api.schemas.post_writings import NetworkTextOut, OutlineOut
from api.schemas.posts import ReviewNoteOut
from core.ai.rules.generation import GenerationState
from core.errors import ErrorCode
from core.languages import Language


class DryRunIn(In):
    """The tryout uses the form's current content, saved or not."""

    assistant: AssistantIn
    assistant_id: UUID | None = Field(
        default=None, description="The saved assistant: its posts decide about the topic, its budget pays"
    )
    topic_id: UUID | None = Field(default=None, description="null: the topic that would be picked next")


class DryRunTopicOut(Out):
    id: UUID
    title: str
    path: list[str] = Field(description="Titles of the topics above, root first")


class DryRunOutlineOut(OutlineOut):
    further_texts: int = Field(description="Number of further model calls that the whole article would need")


class DryRunOut(Out):
    """A sample post, or an article's title and headings. It is never published or listed."""

    id: UUID
    state: GenerationState
    attempt: int
    reason: ErrorCode | None = Field(description="Why the last attempt failed")
    detail: str = Field(default="", description="The provider's message about the failure")
    next_try_at: datetime | None
    topic: DryRunTopicOut
    language: Language
    text: str = Field(description="The text, or the part written so far")
    texts: list[NetworkTextOut] = Field(
        description="The finished text of each network, the first of them also as `text`; empty for one text for all"
    )
    is_article: bool = Field(description="Whether this is an article, which has `outline` instead of `text`")
    outline: DryRunOutlineOut | None = Field(description="The outline, or the part written so far")
    written: bool = Field(description="Whether the text is complete")
    facts: dict[str, str | int | float | bool | None] = Field(
        description="How the text was made, as in a run's text step: too long, repeated and the like"
    )
    review: list[ReviewNoteOut] = Field(default_factory=list, description="What the second look found in the texts")
    wants_image: bool
    image_url: str | None
    image_width: int | None
    image_height: int | None
    pages: list[MadePageOut] = Field(
        default_factory=list, description="Of a carousel, in order; the first one is also the image"
    )
    document_title: str | None = Field(
        default=None, description="Title of the document that some networks get of the pages; null: they get none"
    )
    image_reason: ErrorCode | None = Field(description="Why there is no image")
    accounts: list[AccountRefOut]
    slot: datetime = Field(description="The next slot, whose date the text may mention")
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Cost of text and image in millionths; null: unknown")
    currency: str
    on_budget: bool = Field(description="Whether the cost counts against the assistant's budget")
    duration_ms: int | None
    created_at: datetime
    finished_at: datetime | None
