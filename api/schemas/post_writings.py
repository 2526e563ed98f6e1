from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import MOST_VARIABLES, In, Moment, Out, Value, VariableName
from api.schemas.cards import MadePageOut
from api.schemas.posts import PostText
from api.schemas.websites import Body, Line
from core.ai.rules.generation import GenerationState
from core.articles.rules.outlines import Part
from core.articles.rules.passages import MAX_REMARK
from core.errors import ErrorCode
from core.languages import Language
from core.networks.rules.channels import ChannelKind
from core.posts.writings import Writing

_MOST_ACCOUNTS = 50
_BRAND = "Brand that is written for; null: the template's, if that has one"
Remark = Annotated[str, StringConstraints(max_length=5_000), Field(json_schema_extra={"maxLength": MAX_REMARK})]


class _Composed(In):
    """The post being composed, saved or not."""

    language: Language
    account_ids: list[UUID] = Field(
        default_factory=list, max_length=_MOST_ACCOUNTS, description="Accounts whose limits the text must keep"
    )


class NetworkTextOut(Out):
    """The text for all accounts of a network."""

    channel: ChannelKind
    content: str


class TemplateTextIn(_Composed):
    template_id: UUID
    brand_id: UUID | None = Field(default=None, description=_BRAND)
    topic_tree_id: UUID | None = None
    topic_id: UUID | None = Field(default=None, description="A topic of the tree; null: `inputs` may contain its title")
    inputs: dict[VariableName, Value] = Field(
        default_factory=dict,
        max_length=MOST_VARIABLES,
        description="Values of the template's variables, including the topic if none is chosen",
        examples=[{"Audience": "commuters"}],
    )
    time_zone: str = Field(default="UTC", max_length=64)
    planned_at: Moment | None = Field(default=None, description="Date that the text may mention; null: today")
    per_network: bool = Field(default=False, description="Whether each network of the accounts gets a text of its own")


class TemplateImageIn(TemplateTextIn):
    content: PostText = Field(description="The text for which the image is made")


class PassageIn(_Composed):
    text: PostText
    start: int = Field(ge=0, le=100_000, description="Start of the passage in the text, in UTF-16 units")
    end: int = Field(ge=0, le=100_000, description="End of the passage, exclusive, in UTF-16 units")
    remark: Remark = Field(description="What to change in the passage")


class ArticlePassageIn(PassageIn):
    text: Body


class PartTemplateIn(In):
    """The template and topic to use: see `TemplateTextIn`."""

    template_id: UUID
    brand_id: UUID | None = Field(default=None, description=_BRAND)
    topic_tree_id: UUID | None = None
    topic_id: UUID | None = Field(default=None, description="A topic of the tree; null: `inputs` may contain its title")
    inputs: dict[VariableName, Value] = Field(default_factory=dict, max_length=MOST_VARIABLES)


class ArticlePartIn(In):
    """A part of the article being written, saved or not."""

    part: Part
    by: PartTemplateIn | None = Field(default=None, description="Template to use; required for an outline or a section")
    title: Line = ""
    headings: list[Line] = Field(default_factory=list, max_length=200, description="Headings of all sections")
    number: int = Field(default=0, ge=0, le=1000, description="Number of the section to write, from 0")
    text: Body = Field(default="", description="The article's text; for a section, the text before it")
    remark: Remark = Field(default="", description="What to change in the existing text")
    language: Language
    time_zone: str = Field(default="UTC", max_length=64)
    planned_at: Moment | None = Field(default=None, description="Date that the text may mention; null: today")


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
    reason: ErrorCode | None = Field(description="Why the last attempt failed")
    detail: str = Field(default="", description="The provider's message about the failure")
    next_try_at: datetime | None
    text: str = Field(description="The text or the passage's replacement; while it is written, the part written so far")
    texts: list[NetworkTextOut] = Field(
        description="The finished text of each network, the first of them also as `text`; empty for one text for all"
    )
    outline: OutlineOut | None = Field(description="An article's outline, when finished")
    search: SearchFieldsOut | None = Field(description="An article's search result texts, when finished")
    media_id: UUID | None
    image_url: str | None
    image_width: int | None
    image_height: int | None
    alt: str = Field(description="Alt text of the image")
    pages: list[MadePageOut] = Field(
        default_factory=list, description="Of a carousel, in order; the first one is also the image"
    )
    provider: str
    model: str
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None = Field(description="Millionths of `currency`; null: unknown")
    currency: str
    on_budget: bool = Field(description="Whether the cost counts against the budget of the post's assistant")
    duration_ms: int | None
    created_at: datetime
    finished_at: datetime | None
