from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import ONE_LINE, In, Moment, Out, Page
from api.schemas.posts import ApprovalOut, DeliveryOut, FileOut, PostCounts
from api.schemas.social_accounts import ConnectionOut
from core.assistants.rules.assistants import StepKind
from core.errors import ErrorCode
from core.languages import Language
from core.networks.rules.channels import AccountState, ChannelKind, FieldName, GivenBack
from core.posts.rules.posts import PostSource, PostStatus, RevisionState

Name = Annotated[str, ONE_LINE, StringConstraints(max_length=1000)]
"""The rules for names and titles set the actual limit."""
Line = Annotated[str, StringConstraints(max_length=5000)]
Body = Annotated[str, StringConstraints(strip_whitespace=False, max_length=3_000_000)]


class SiteKindOut(Out):
    """A kind of site that can be connected."""

    kind: ChannelKind
    label: str
    configured: bool
    connection: ConnectionOut
    page: bool | None = Field(
        description="Whether a page of the site lets us in, beside the form; False: it has one, but sends nobody back"
        " to this installation, which has no TLS; None: it has none"
    )
    served_here: bool = Field(description="This installation shows its articles itself")


class FeedOut(Out):
    """A site that this installation serves itself."""

    rss_url: str
    json_url: str
    description: str
    author: str
    indexed: bool = Field(description="Whether search engines may list it")


class FeedIn(In):
    description: Line
    author: Name
    indexed: bool


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
    announce_assistant_id: UUID | None = Field(
        description="By which its new articles are announced; None: they are not"
    )
    announce_publishes: bool = Field(description="At once. Else the announcement is a draft")
    feed: FeedOut | None = Field(description="Of one that is served here")
    form: dict[FieldName, str] = Field(description="What the form for connecting it again holds already")
    version: int
    created_at: datetime


class WebsiteConnectIn(In):
    fields: dict[FieldName, Annotated[str, StringConstraints(max_length=4000)]] = Field(max_length=10)
    language: Language
    website_id: UUID | None = Field(
        default=None,
        description="The one that is connected once more. Null: a new one, which is not served at the address of"
        " another",
    )


class WebsiteLeaveIn(In):
    """Start the redirect to the site's page on which its user allows access."""

    site: str = Field(max_length=4000, description="Its name or address")
    language: Language = Field(description="Of its articles")


class WebsiteLeaveOut(Out):
    address: str = Field(description="Where the browser goes")


class WebsiteCallbackIn(In):
    """The parameters of the address to which the site redirected the browser."""

    state: str = Field(max_length=200)
    language: Language
    allowed: bool = Field(description="False: its user said no")
    site_url: str = Field(default="", max_length=2000)
    user_login: str = Field(default="", max_length=200)
    password: str = Field(default="", max_length=200)


class WebsiteIn(In):
    name: Name
    language: Language
    feed: FeedIn | None = Field(default=None, description="Of one that is served here; null: as it was")
    version: int


class AnnouncingIn(In):
    assistant_id: UUID | None = Field(description="null: new articles are not announced by themselves")
    publishes: bool = Field(default=False, description="At once. Else the announcement is a draft")
    version: int


class CategoryOut(Out):
    id: str = Field(description="The site's own")
    name: str
    depth: int = Field(description="How many others it lies in")


class WebsiteTermsOut(Out):
    """The categories and tags of a site."""

    sorts: bool = Field(description="False: sites of its kind have no categories")
    categories: list[CategoryOut] = Field(description="Each below the one that it lies in")
    gone: dict[str, str] = Field(description="Names of those that the site had before, by id")
    tags: list[str] = Field(description="Those that are used most")
    read_at: datetime | None = Field(description="When the site was asked last; None: it never answered")
    error_code: ErrorCode | None = Field(description="Why it could not be read now: what is told is older")


class WebsiteRemovedOut(Out):
    access: GivenBack | None = Field(description="What became of its access; None: it was disconnected before")


class ArticleShownOut(Out):
    """An article as shown to a person who is asked about it."""

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
    """An article in a list."""

    id: UUID
    website_id: UUID | None = Field(description="None: its site was removed")
    website_name: str | None
    title: str
    slug: str
    source: PostSource
    assistant_id: UUID | None
    assistant_name: str | None
    status: PostStatus
    being_written: bool = Field(description="Its run makes it, and nobody else writes it until it is done")
    site_state: AccountState | None = Field(description="None: its site was removed")
    image_url: str | None = Field(description="Of the image above it: signed, expires")
    words: int
    planned_at: datetime | None
    deliveries: list[DeliveryOut]
    approval: ApprovalOut | None
    acknowledged_at: datetime | None = Field(description="When a person has seen that it failed")
    version: int
    created_at: datetime
    updated_at: datetime


class ArticlePage(Page[ArticleRowOut]):
    statuses: PostCounts


class RevisionOut(Out):
    """The state of the requested changes at the site."""

    state: RevisionState
    attempts: int
    next_at: datetime | None = Field(description="When the site is asked next")
    error_code: ErrorCode | None
    error_detail: str | None


class AtSiteOut(Out):
    """The state of an article at its site, as the site reports it."""

    same: bool = Field(description="False: what was changed here is not there yet, or nobody knows whether it is")
    can_discard: bool = Field(description="Whether there is a way back to what went out last")
    can_update: bool = Field(description="Whether its site can be told of changes")
    revision: RevisionOut | None = Field(description="None: nothing is wanted there that it has not")
    slug: str | None = Field(description="How the site calls it; None: it has not said")
    status: str | None = Field(
        description="Where readers do not see it, how it stands there in the site's own word", examples=["pending"]
    )
    changed_at: datetime | None = Field(description="When the site was told last; None: never since it went out")


class ArticleWritingOut(Out):
    """What the article's run does now. Until it is done, nobody else can edit the article."""

    step: StepKind = Field(description="The one under way, or that comes next")
    section: int | None = Field(description="Which of its sections is being written, from 1; None between two")
    sections: int | None = Field(description="How many there will be; None as long as nobody knows")
    again: bool = Field(description="A person wants another text: the one they were shown stays until it is there")


class ArticleOut(ArticleRowOut):
    content: str = Field(description="Markdown; an image of the gallery is `media:` and its id")
    fields: ArticleFieldsOut
    featured: FileOut | None = Field(description="The image above it")
    at_site: AtSiteOut | None = Field(description="None: its site does not show it")
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


class ArticleVersionIn(In):
    version: int = Field(description="That was shown: of another one nothing is done")


class ArticleChangeOut(Out):
    article: ArticleOut
    confirmed: bool = Field(description="By its workflow. False: saved, takes effect when the worker is back")


class PreviewIn(In):
    content: Body
    title: Name = ""


class PreviewOut(Out):
    """The rendered text and its figures."""

    html: str = Field(description="Nothing in it can do harm; its images are signed, and expire")
    words: int
    reading_minutes: int
    slug: str = Field(description="That the title suggests")
