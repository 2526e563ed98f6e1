from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import MOST_VARIABLES, In, Moment, Out, Value, VariableName
from api.schemas.posts import PostText
from api.schemas.websites import Body, Line
from core.ai.rules.generation import GenerationState
from core.articles.rules.outlines import Part
from core.errors import ErrorCode
from core.languages import Language
from core.posts.writings import Writing

_MOST_ACCOUNTS = 50


class _Composed(In):
    """The post being composed, saved or not."""

    language: Language
    account_ids: list[UUID] = Field(
        default_factory=list, max_length=_MOST_ACCOUNTS, description="Whose limits the text has to keep"
    )


class TemplateTextIn(_Composed):
    template_id: UUID
    topic_tree_id: UUID | None = None
    topic_id: UUID | None = Field(default=None, description="Of that tree. None: its title may be one of the inputs")
    inputs: dict[VariableName, Value] = Field(
        default_factory=dict,
        max_length=MOST_VARIABLES,
        description="Values of the template's variables, the topic among them where none is chosen",
        examples=[{"Audience": "commuters"}],
    )
    time_zone: str = Field(default="UTC", max_length=64)
    planned_at: Moment | None = Field(default=None, description="The date that the text may tell; None: today")


class TemplateImageIn(TemplateTextIn):
    content: PostText = Field(description="The text that the image is of")


class PassageIn(_Composed):
    text: PostText
    start: int = Field(ge=0, le=100_000, description="Of the passage in the text, in UTF-16 units")
    end: int = Field(ge=0, le=100_000, description="Behind the passage")
    remark: Annotated[str, StringConstraints(max_length=5_000)] = Field(description="What is to be another in it")


class ArticlePassageIn(PassageIn):
    text: Body


class PartTemplateIn(In):
    """The template and topic to use: see `TemplateTextIn`."""

    template_id: UUID
    topic_tree_id: UUID | None = None
    topic_id: UUID | None = Field(default=None, description="Of that tree. None: its title may be one of the inputs")
    inputs: dict[VariableName, Value] = Field(default_factory=dict, max_length=MOST_VARIABLES)


class ArticlePartIn(In):
    """A part of the article being written, saved or not."""

    part: Part
    by: PartTemplateIn | None = Field(default=None, description="An outline and a section need a template to go by")
    title: Line = ""
    headings: list[Line] = Field(default_factory=list, max_length=200, description="Those of all sections")
    number: int = Field(default=0, ge=0, le=1000, description="Of the section that is wanted, from 0")
    text: Body = Field(default="", description="The article's text; of a section what stands before it")
    remark: Annotated[str, StringConstraints(max_length=5_000)] = Field(
        default="", description="What is to be another than in what there was"
    )
    language: Language
    time_zone: str = Field(default="UTC", max_length=64)
    planned_at: Moment | None = Field(default=None, description="The date that the text may tell; None: today")


class OutlineOut(Out):
    title: str
    headings: list[str]


class SearchFieldsOut(Out):
    title: str
    description: str


class WritingOut(Out):
    """A text or image written for a post, which takes it only if the person accepts it."""

    id: UUID
    post_id: UUID
    kind: Writing
    state: GenerationState
    attempt: int
    reason: ErrorCode | None = Field(description="Why it failed, or why it waits for its next attempt")
    detail: str = Field(default="", description="What the provider said when it failed")
    next_try_at: datetime | None
    text: str = Field(description="Of a passage: what comes in its place. While it is written: as far as it has come")
    outline: OutlineOut | None = Field(description="Of an article, once it is there")
    search: SearchFieldsOut | None = Field(description="Of an article, once they are there")
    media_id: UUID | None
    image_url: str | None
    image_width: int | None
    image_height: int | None
    alt: str = Field(description="Of the image")
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of `currency`; null: unknown")
    currency: str
    on_budget: bool = Field(description="It is a post of an assistant that has a budget, and this counts")
    duration_ms: int | None
    created_at: datetime
    finished_at: datetime | None
