from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.accounts import ConnectionOut
from api.schemas.base import ONE_LINE, In, Moment, Out
from api.schemas.posts import ApprovalOut, DeliveryOut, FileOut
from core.domain.assistants import StepKind
from core.domain.channels import AccountState, ChannelKind, FieldName, GivenBack
from core.domain.posts import PostSource, PostStatus

Language = Literal["de", "en"]
Name = Annotated[str, ONE_LINE, StringConstraints(max_length=1000)]
"""The rules for names and titles say how long they may be."""
Line = Annotated[str, StringConstraints(max_length=5000)]
Body = Annotated[str, StringConstraints(strip_whitespace=False, max_length=400_000)]


class SiteKindOut(Out):
    """A kind of site that can be connected."""

    kind: ChannelKind
    label: str
    configured: bool
    connection: ConnectionOut


class WritingAssistantOut(Out):
    id: UUID
    name: str
    active: bool
    topic_tree_id: UUID | None


class WebsiteOut(Out):
    id: UUID
    account_id: UUID
    kind: ChannelKind
    name: str
    url: str
    handle: str = Field(description="As whom articles are published there")
    language: str
    state: AccountState | None = Field(description="None: it is disconnected")
    last_used_at: datetime | None
    articles: int
    assistant: WritingAssistantOut | None = Field(description="Which writes articles for it by a plan")
    form: dict[FieldName, str] = Field(description="What the form for connecting it again holds already")
    version: int
    created_at: datetime


class WebsiteConnectIn(In):
    fields: dict[FieldName, Annotated[str, StringConstraints(max_length=4000)]] = Field(max_length=10)
    language: Language


class WebsiteIn(In):
    name: Name
    language: Language
    version: int


class WebsiteRemovedOut(Out):
    access: GivenBack | None = Field(description="What became of its access; None: it was disconnected before")


class ArticleShownOut(Out):
    """As somebody reads it who is asked about it."""

    title: str
    summary: str
    html: str = Field(description="The text, cleaned as at the site")
    website: str = Field(description="As it is called; empty where nothing goes out to any")
    words: int
    reading_minutes: int
    featured: FileOut | None


class ArticleFieldsOut(Out):
    title: str
    slug: str
    summary: str
    tags: list[str]
    categories: list[str] = Field(description="Their ids at the site")
    seo_title: str
    seo_description: str
    canonical_url: str


class ArticleRowOut(Out):
    """An article as a list shows it."""

    id: UUID
    website_id: UUID | None = Field(description="None: its site was removed")
    website_name: str | None
    title: str
    slug: str
    source: PostSource
    assistant_id: UUID | None
    assistant_name: str | None
    status: PostStatus
    image_url: str | None = Field(description="Of the image above it: signed, expires")
    words: int
    planned_at: datetime | None
    deliveries: list[DeliveryOut]
    approval: ApprovalOut | None
    version: int
    created_at: datetime
    updated_at: datetime


class ArticleWritingOut(Out):
    """What its run does with it now. Until it is done, nobody else writes it."""

    step: StepKind = Field(description="The one under way, or that comes next")
    section: int | None = Field(description="Which of its sections is being written, from 1; None between two")
    sections: int | None = Field(description="How many there will be; None as long as nobody knows")
    again: bool = Field(description="A person wants another text: the one they were shown stays until it is there")


class ArticleOut(ArticleRowOut):
    content: str = Field(description="Markdown; an image of the gallery is `media:` and its id")
    fields: ArticleFieldsOut
    featured: FileOut | None = Field(description="The image above it")
    reading_minutes: int
    time_zone: str
    language: str
    written_by: str
    is_demo: bool = Field(description="Written by the built-in demo writer")
    content_hash: str = Field(description="What an approval is bound to")
    run_id: UUID | None = Field(description="Which made it")
    writing: ArticleWritingOut | None = Field(description="Only while its run makes it")


class ArticleFieldsIn(In):
    title: Name = ""
    slug: Name = Field(default="", description="The end of its address at the site")
    summary: Line = ""
    tags: list[Name] = Field(default_factory=list, max_length=200)
    categories: list[Annotated[str, StringConstraints(max_length=100)]] = Field(default_factory=list, max_length=50)
    seo_title: Name = ""
    seo_description: Line = ""
    canonical_url: Line = ""


class FeaturedIn(In):
    media_id: UUID
    alt: str = Field(default="", max_length=4000, description="What a person who does not see the image is told")


class ManuscriptIn(In):
    website_id: UUID | None = Field(description="null: where it goes already, such as a site that was removed")
    content: Body = Field(description="Markdown; an image of the gallery is `media:` and its id")
    fields: ArticleFieldsIn
    featured: FeaturedIn | None = Field(default=None, description="The image above it")
    planned_at: Moment | None = None
    time_zone: str = Field(max_length=64, description="IANA name, in which it is planned", examples=["Europe/Berlin"])
    language: Language


class ArticleIn(ManuscriptIn):
    id: UUID = Field(description="Chosen by the client: sent once more, it is the same article")


class ArticleEditIn(ManuscriptIn):
    version: int
    approved: bool = Field(default=False, description="Approve what the edit has made of it")


class ArticleChangeOut(Out):
    article: ArticleOut
    confirmed: bool = Field(description="By its workflow. False: saved, takes effect when the worker is back")


class PreviewIn(In):
    content: Body
    title: Name = ""


class PreviewOut(Out):
    """What a text will look like, and what can be said of it."""

    html: str = Field(description="Nothing in it can do harm; its images are signed, and expire")
    words: int
    reading_minutes: int
    slug: str = Field(description="That the title suggests")
