from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.assistants import AccountRefOut, AssistantIn
from api.schemas.base import In, Out
from api.schemas.post_writings import OutlineOut
from core.ai.rules.generation import GenerationState
from core.errors import ErrorCode
from core.languages import Language


class DryRunIn(In):
    """The tryout uses the form's current content, saved or not."""

    assistant: AssistantIn
    assistant_id: UUID | None = Field(
        default=None, description="The saved one that the form is of: its posts decide about the topic, its budget pays"
    )
    topic_id: UUID | None = Field(default=None, description="None: the topic that would be picked next")


class DryRunTopicOut(Out):
    id: UUID
    title: str
    path: list[str] = Field(description="Titles of the topics above it, from the root down")


class DryRunOutlineOut(OutlineOut):
    further_texts: int = Field(description="That a model is asked for, for the article below these headings")


class DryRunOut(Out):
    """A sample post, or an article's title and headings. It is never published or listed."""

    id: UUID
    state: GenerationState
    attempt: int
    reason: ErrorCode | None = Field(description="Why it failed, or why it waits for its next attempt")
    detail: str = Field(default="", description="What the provider said when it failed")
    next_try_at: datetime | None
    topic: DryRunTopicOut
    language: Language
    text: str = Field(description="While it is written: as far as it has come")
    is_article: bool = Field(description="It is for a website, and has an outline in the place of a text")
    outline: DryRunOutlineOut | None = Field(description="While it is written: as far as it has come")
    written: bool = Field(description="The text is all there")
    facts: dict[str, str | int | float | bool | None] = Field(
        description="How it came to its text, as the text step of a run tells it: what was too long, what repeated"
    )
    wants_image: bool
    image_url: str | None
    image_width: int | None
    image_height: int | None
    image_reason: ErrorCode | None = Field(description="Why there is no image")
    accounts: list[AccountRefOut]
    slot: datetime = Field(description="The date that the text may tell: the next one")
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Of text and image together, in millionths; null: unknown")
    currency: str
    on_budget: bool = Field(description="The assistant has a budget, and this counts")
    duration_ms: int | None
    created_at: datetime
    finished_at: datetime | None
