from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import ONE_LINE, In, Moment, Out, Page
from api.schemas.posts import ApprovalOut, DeliveryOut, FileOut, PostCounts
from api.schemas.social_accounts import ConnectionOut
from core.articles.rules.articles import (
    MAX_ADDRESS,
    MAX_SEO_DESCRIPTION,
    MAX_SEO_TITLE,
    MAX_SLUG,
    MAX_SUMMARY,
    MAX_TITLE,
)
from core.assistants.rules.assistants import StepKind
from core.errors import ErrorCode
from core.languages import Language
from core.networks.rules.channels import AccountState, ChannelKind, FieldName, GivenBack
from core.posts.rules.posts import PostSource, PostStatus, RevisionState
from core.websites.rules.feeds import MAX_AUTHOR, MAX_DESCRIPTION
from core.websites.sites import MAX_NAME

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
        description="Whether the site has a page on which its user allows access, besides the form; false: not for "
        "this installation, which has no TLS; null: no such page"
    )
    served_here: bool = Field(description="Whether this installation serves the site itself")


class FeedOut(Out):
    """A site that this installation serves itself."""

    rss_url: str
    json_url: str
    description: str
    author: str
    indexed: bool = Field(description="Whether search engines may list the site")


class FeedIn(In):
    description: Line = Field(json_schema_extra={"maxLength": MAX_DESCRIPTION})
    author: Name = Field(json_schema_extra={"maxLength": MAX_AUTHOR})
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
    handle: str = Field(description="User name at the site under which articles are published")
    language: str
    state: AccountState | None = Field(description="null: disconnected")
    last_used_at: datetime | None
    articles: int
    assistant: WritingAssistantOut | None = Field(
        description="Assistant that writes articles for the site by a schedule"
    )
    announce_assistant_id: UUID | None = Field(description="Assistant that announces new articles; null: not announced")
    announce_publishes: bool = Field(description="Whether announcements are published at once, not kept as drafts")
    feed: FeedOut | None = Field(description="Feed of a site served here")
    form: dict[FieldName, str] = Field(description="Initial values of the form to reconnect the site")
    version: int
    created_at: datetime


class WebsiteConnectIn(In):
    fields: dict[FieldName, Annotated[str, StringConstraints(max_length=4000)]] = Field(max_length=10)
    language: Language
    website_id: UUID | None = Field(
        default=None,
        description="The website to reconnect; null: a new website, whose address no website served here has",
    )


class WebsiteLeaveIn(In):
    """Start the redirect to the site's page on which its user allows access."""

    site: str = Field(max_length=4000, description="Name or address of the site")
    language: Language = Field(description="Language of the articles")


class WebsiteLeaveOut(Out):
    address: str = Field(description="Address to which the browser is redirected")


class WebsiteCallbackIn(In):
    """The parameters of the address to which the site redirected the browser."""

    state: str = Field(max_length=200)
    language: Language
    allowed: bool = Field(description="false: the user refused access")
    site_url: str = Field(default="", max_length=2000)
    user_login: str = Field(default="", max_length=200)
    password: str = Field(default="", max_length=200)


class WebsiteIn(In):
    name: Name = Field(json_schema_extra={"maxLength": MAX_NAME})
    language: Language
    feed: FeedIn | None = Field(default=None, description="Feed of a site served here; null: unchanged")
    version: int


class AnnouncingIn(In):
    assistant_id: UUID | None = Field(description="Assistant that announces new articles; null: not announced")
    publishes: bool = Field(
        default=False, description="Whether announcements are published at once, not kept as drafts"
    )
    version: int


class CategoryOut(Out):
    id: str = Field(description="Id at the site")
    name: str
    depth: int = Field(description="Number of categories above")


class WebsiteTermsOut(Out):
    """The categories and tags of a site."""

    sorts: bool = Field(description="false: this kind of site has no categories")
    categories: list[CategoryOut] = Field(description="Each one follows its parent")
    gone: dict[str, str] = Field(description="Names of categories that the site no longer has, by id")
    tags: list[str] = Field(description="The most used tags")
    read_at: datetime | None = Field(description="When the site last answered; null: never")
    error_code: ErrorCode | None = Field(description="Why the site could not be read now; the data is older")


class WebsiteRemovedOut(Out):
    access: GivenBack | None = Field(description="Whether the access was revoked; null: already disconnected")


class ArticleShownOut(Out):
    """An article as shown to the person who decides about it."""

    title: str
    summary: str
    html: str = Field(description="The text, sanitized as for the site")
    website: str = Field(description="Name of the website; empty if the website was removed")
    words: int
    reading_minutes: int
    featured: FileOut | None


class ArticleFieldsOut(Out):
    title: str
    slug: str
    summary: str
    tags: list[str]
    categories: list[str] = Field(description="Ids of the categories at the site")
    seo_title: str
    seo_description: str
    canonical_url: str


class ArticleRowOut(Out):
    """An article in a list."""

    id: UUID
    website_id: UUID | None = Field(description="null: the website was removed")
    website_name: str | None
    title: str
    slug: str
    source: PostSource
    assistant_id: UUID | None
    assistant_name: str | None
    status: PostStatus
    being_written: bool = Field(description="Whether a run is writing the article, so that nobody else can edit it")
    site_state: AccountState | None = Field(description="null: the website was removed")
    image_url: str | None = Field(description="Signed address of the featured image; expires")
    words: int
    planned_at: datetime | None
    deliveries: list[DeliveryOut]
    approval: ApprovalOut | None
    acknowledged_at: datetime | None = Field(description="When a person acknowledged that the article failed")
    version: int
    created_at: datetime
    updated_at: datetime


class ArticlePage(Page[ArticleRowOut]):
    statuses: PostCounts


class RevisionOut(Out):
    """The state of the requested changes at the site."""

    state: RevisionState
    attempts: int
    next_at: datetime | None = Field(description="Next call to the site")
    error_code: ErrorCode | None
    error_detail: str | None


class AtSiteOut(Out):
    """The state of an article at its site, as the site reports it."""

    same: bool = Field(description="false: changes made here are not at the site yet, or this is unknown")
    can_discard: bool = Field(description="Whether the version last sent to the site can be restored")
    can_update: bool = Field(description="Whether the article can be updated at the site")
    revision: RevisionOut | None = Field(description="null: no change is requested")
    slug: str | None = Field(description="Slug at the site; null: not reported")
    status: str | None = Field(
        description="The site's status of an article that readers do not see", examples=["pending"]
    )
    changed_at: datetime | None = Field(description="Last update sent to the site; null: none since publication")


class ArticleWritingOut(Out):
    """What the article's run does now. Until it is done, nobody else can edit the article."""

    step: StepKind = Field(description="The current step, or the next one")
    section: int | None = Field(description="Section being written, from 1; null: between two sections")
    sections: int | None = Field(description="Number of sections; null: not known yet")
    again: bool = Field(description="Whether a person requested another text; the current one stays until then")


class ArticleOut(ArticleRowOut):
    content: str = Field(description="Markdown; an image of the media library is `media:` and its id")
    fields: ArticleFieldsOut
    featured: FileOut | None = Field(description="The featured image")
    at_site: AtSiteOut | None = Field(description="null: the article is not shown at a site")
    reading_minutes: int
    time_zone: str
    language: str
    written_by: str
    is_demo: bool = Field(description="Written by the built-in demo writer")
    content_hash: str = Field(description="Hash that an approval has to name")
    run_id: UUID | None = Field(description="The run that made the article")
    writing: ArticleWritingOut | None = Field(description="null: no run is writing the article")


class ArticleFieldsIn(In):
    title: Name = Field(default="", json_schema_extra={"maxLength": MAX_TITLE})
    slug: Name = Field(
        default="", description="Last part of the address at the site", json_schema_extra={"maxLength": MAX_SLUG}
    )
    summary: Line = Field(default="", json_schema_extra={"maxLength": MAX_SUMMARY})
    tags: list[Name] = Field(default_factory=list, max_length=200)
    categories: list[Annotated[str, StringConstraints(max_length=100)]] = Field(default_factory=list, max_length=50)
    seo_title: Name = Field(default="", json_schema_extra={"maxLength": MAX_SEO_TITLE})
    seo_description: Line = Field(default="", json_schema_extra={"maxLength": MAX_SEO_DESCRIPTION})
    canonical_url: Line = Field(default="", json_schema_extra={"maxLength": MAX_ADDRESS})


class FeaturedIn(In):
    media_id: UUID
    alt: str = Field(default="", max_length=4000, description="Alt text, for people who cannot see the image")


class ManuscriptIn(In):
    website_id: UUID | None = Field(description="null: unchanged, including a website that was removed")
    content: Body = Field(description="Markdown; an image of the media library is `media:` and its id")
    fields: ArticleFieldsIn
    featured: FeaturedIn | None = Field(default=None, description="The featured image")
    planned_at: Moment | None = None
    time_zone: str = Field(
        max_length=64, description="IANA name of the article's time zone", examples=["Europe/Berlin"]
    )
    language: Language


class ArticleIn(ManuscriptIn):
    id: UUID = Field(description="Id chosen by the client; a repeated call creates no second article")


class ArticleEditIn(ManuscriptIn):
    version: int
    approved: bool = Field(default=False, description="Approve the edited article")


class ArticleVersionIn(In):
    version: int = Field(description="The version seen; if it is not the newest: 409 stale_version")


class ArticleChangeOut(Out):
    article: ArticleOut
    confirmed: bool = Field(description="false: saved, takes effect when the worker is available")


class PreviewIn(In):
    content: Body
    title: Name = ""


class PreviewOut(Out):
    """The rendered text and its figures."""

    html: str = Field(description="Sanitized; the addresses of its images are signed and expire")
    words: int
    reading_minutes: int
    slug: str = Field(description="Slug suggested for the title")
