from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import ONE_LINE, In, Moment, Out, Page, Tag
from api.schemas.media import CarouselPlace
from api.schemas.problems import FieldProblem
from core.approvals.rules import ApprovalState, AtDeadline
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.errors import ErrorCode
from core.languages import Language
from core.media.rules.cards import CardNote
from core.media.rules.media import MediaKind
from core.networks.rules.channels import ChannelKind, content_fields
from core.networks.rules.links import MAX_ADDRESS, MAX_DESCRIPTION, MAX_TITLE, Link
from core.posts.rules.posts import (
    CommentAnswer,
    CommentState,
    DeliveryState,
    PostSource,
    PostStatus,
    Removable,
    RemovalState,
)
from core.texts.rules.review import Finding

PostText = Annotated[str, StringConstraints(strip_whitespace=False, max_length=20_000)]
"""Longer than any network accepts: the networks' rules report longer texts, which are still saved."""


Alt = Annotated[str, StringConstraints(max_length=4_000)]
"""Longer than any network accepts: the networks' rules report longer texts."""


class FirstFileOut(Out):
    """The part of a post's first file that lists show."""

    kind: MediaKind = Field(description="Documents and videos are marked", examples=["video"])
    thumbnail_url: str = Field(description="Signed address of its thumbnail, or of a video's cover; expires")


class FileOut(Out):
    media_id: UUID
    url: str = Field(description="Signed address; expires")
    mime: str
    width: int
    height: int
    alt: str
    title: str = Field(description="Of a document or a video; empty: the file's name in the media library")
    cover_id: UUID | None = Field(description="The image that is shown before a video plays")
    kind: MediaKind
    name: str = Field(description="In the media library")
    pages: int | None = Field(description="Of a document")
    seconds: float | None = Field(description="Length of a video")
    of_pages: bool = Field(
        description="Whether a document was made from a carousel's pages: it is made anew when the post's pages change"
    )
    thumbnail_url: str
    page_url: str | None = Field(
        description="Of a document: the address of a picture of each page, with the page's number for `{page}`"
    )
    cover_url: str | None
    card_notes: list[CardNote] = Field(description="Changes that keep a card readable")
    carousel: CarouselPlace | None = Field(description="null: not a page of a carousel")


class RemovalOut(Out):
    """The deletion of a delivery at its network."""

    state: RemovalState
    attempts: int
    next_at: datetime | None = Field(description="Next call to the network")
    removed_at: datetime | None
    error_code: ErrorCode | None
    error_detail: str | None


class CommentOut(Out):
    """The first comment of a delivery."""

    state: CommentState
    attempts: int
    next_at: datetime | None = Field(description="Next call to the network")
    error_code: ErrorCode | None
    error_detail: str | None


class DeliveryOut(Out):
    id: UUID
    account_id: UUID
    account_name: str
    posts_url: str = Field(description="Page at the network where the signed-in account owner sees its posts")
    channel: ChannelKind
    content: str | None = Field(description="This account's own text; null: the post's text")
    state: DeliveryState
    attempts: int
    permalink: str | None
    error_code: str | None
    error_detail: str | None
    called_at: datetime | None
    held_until: datetime | None = Field(
        description="Until when a held delivery waits: for its account to be reconnected, its network or the server's "
        "settings"
    )
    retry_at: datetime | None = Field(
        description="Next attempt or lookup at the network, while the delivery is retrying or held"
    )
    settled_at: datetime | None
    decided_at: datetime | None = Field(description="When a person settled a delivery whose outcome was unknown")
    removable: Removable = Field(description="Whether the post can be deleted at the network, and if not, why")
    removal: RemovalOut | None = Field(description="null: no deletion was requested")
    comment: CommentOut | None = Field(description="null: no first comment, or not published yet")
    comment_left: FieldProblem | None = Field(
        description="Why the server's app published no first comment, which the person can copy and publish; else null"
    )


class ExchangeOut(Out):
    """One call to a network, without tokens and at most 4 kB of each text."""

    asked: str = Field(description="Method and address", examples=["POST https://api.example.com/posts"])
    sent: str
    status: int | None = Field(description="HTTP status; null: no answer")
    answer: str = Field(description="The answer, or why there was none")
    milliseconds: int


class DeliveryEntryOut(Out):
    """One step of a delivery: the calls to its network, the answers, and the decision."""

    id: UUID
    delivery_id: UUID
    at: datetime
    attempt: int = Field(description="Number of the attempt to publish, comment or delete; 0: before the first")
    step: DeliveryStep
    decision: DeliveryDecision
    error_code: str | None
    exchanges: list[ExchangeOut]


class ApprovalOut(Out):
    """The question to a person about a post, and their answer."""

    state: ApprovalState
    at_deadline: AtDeadline = Field(description="What happens to the post if nobody answers in time")
    deadline_at: datetime
    decided_at: datetime | None
    by_deadline: bool = Field(description="Whether the deadline decided because nobody answered in time")
    remark: str = Field(description="Reason for declining, or what to change in the text")
    at_once: bool = Field(description="Whether approval publishes the post at once instead of at its planned time")
    rewrite_error: ErrorCode | None = Field(description="Why the requested other text was not written")


class VariantOut(Out):
    channel: ChannelKind
    account_id: UUID | None = Field(description="null: all accounts of the channel without their own text")
    content: str


class ReviewNoteOut(Out):
    """What the second look found in a text."""

    finding: Finding
    network: ChannelKind | None = Field(description="Network whose text it is; null: the text of all networks")
    params: dict[str, str | int] = Field(description="The passage, or the numbers, that the finding is about")


class PostLinkOut(Out):
    url: str
    title: str = Field(description="Title of the card, on networks that take it from here")
    description: str = Field(description="Description of the card, on networks that take it from here")


class PostPartsOut(Out):
    """The fields of `PostContent` that differ per account, because its network may leave them out."""

    first_comment: str = Field(description="Added below the post where supported")


class PostContentOut(PostPartsOut):
    """The fields of `PostContent`."""

    content: str
    link: PostLinkOut | None = Field(description="Shown as a card where supported, else in the text")


class PostOut(PostContentOut):
    id: UUID
    assistant_id: UUID | None
    assistant_name: str | None
    source: PostSource
    status: PostStatus
    topic_title: str
    language: str
    written_by: str
    is_demo: bool = Field(description="Written by the built-in demo writer")
    planned_at: datetime | None
    time_zone: str
    files: list[FileOut]
    deliveries: list[DeliveryOut]
    approval: ApprovalOut | None = Field(description="Approval of the current content; null: none requested")
    content_hash: str = Field(description="Hash that an approval has to name")
    account_ids: list[UUID] = Field(description="The post's accounts; for a draft, the chosen ones")
    variants: list[VariantOut] = Field(description="Texts for single channels or accounts")
    review: list[ReviewNoteOut] = Field(description="What the second look found and nobody has changed since")
    tags: list[str]
    leaves: bool = Field(description="Whether the post is deleted here once the networks have deleted it")
    pinned: bool = Field(description="Whether a person has set the time")
    announces_id: UUID | None = Field(description="The article that the post announces")
    is_article: bool = Field(description="Whether the post is an article; see `/articles/`")
    acknowledged_at: datetime | None = Field(description="When a person acknowledged a failure or a kept post")
    version: int
    created_at: datetime
    updated_at: datetime


class ComposedFileIn(In):
    media_id: UUID
    alt: Alt = Field(default="", description="Alt text, for people who cannot see the image")
    title: Annotated[str, Field(max_length=200), ONE_LINE] = Field(
        default="", description="What readers see as the name of a document or a video; empty: the file's name"
    )
    cover_id: UUID | None = Field(
        default=None, description="The image that is shown before a video plays; null: the network chooses a frame"
    )


class VariantIn(In):
    channel: ChannelKind
    account_id: UUID | None = Field(default=None, description="null: all accounts of the channel")
    content: PostText


class PostLinkIn(In):
    url: str = Field(min_length=1, max_length=MAX_ADDRESS, description="http or https; https if the scheme is missing")
    title: str = Field(default="", max_length=MAX_TITLE, description="Title of the card; some networks require it")
    description: str = Field(default="", max_length=MAX_DESCRIPTION)


class PostContentIn(In):
    """The fields of `PostContent`."""

    content: PostText
    first_comment: str = Field(default="", max_length=20_000, description="Added below the post where supported")
    link: PostLinkIn | None = Field(default=None, description="Shown as a card where supported, else in the text")

    def content_fields(self) -> dict[str, Any]:
        """Return the values for a `PostContent`."""
        link = Link(**self.link.model_dump()) if self.link else None
        return content_fields(self) | {"link": link}


class ComposedIn(PostContentIn):
    account_ids: list[UUID] = Field(default_factory=list, max_length=50)
    variants: list[VariantIn] = Field(default_factory=list, max_length=50)
    files: list[ComposedFileIn] = Field(default_factory=list, max_length=50)
    tags: list[Tag] = Field(default_factory=list, max_length=200)
    planned_at: Moment | None = None
    time_zone: str = Field(max_length=64, description="IANA name of the post's time zone", examples=["Europe/Berlin"])
    language: Language


class ComposeIn(ComposedIn):
    id: UUID = Field(description="Id chosen by the client; a repeated call creates no second post")


class EditIn(ComposedIn):
    version: int
    approved: bool = Field(default=False, description="Approve the edited post")


class DuplicateIn(In):
    id: UUID = Field(description="Id of the copy, chosen by the client")


class FitIn(PostContentIn):
    variants: list[VariantIn] = Field(default_factory=list, max_length=50)
    media_ids: list[UUID] = Field(max_length=50, description="The post's images, in order")
    alts: list[Alt] = Field(
        default_factory=list, max_length=50, description="Alt texts of `media_ids`, in the same order"
    )
    titles: list[Annotated[str, Field(max_length=200), ONE_LINE]] = Field(
        default_factory=list,
        max_length=50,
        description="Titles of documents and videos among `media_ids`, in the same order",
    )
    account_ids: list[UUID] = Field(max_length=50)
    planned_at: Moment | None = Field(default=None, description="null: now")
    post_id: UUID | None = Field(default=None, description="Id of the post if it is saved")


class RepeatOut(Out):
    """Another post with the same text for the same account, less than an hour before or after."""

    post_id: UUID
    planned_at: datetime


class FitOut(Out):
    """How a text fits one account."""

    account_id: UUID
    channel: ChannelKind
    length: int = Field(description="Length in the units that the channel counts")
    limit: int
    problems: list[FieldProblem]
    repeats: RepeatOut | None


class PostCounts(Out):
    """Number of posts per status, with all other filters applied."""

    draft: int
    complete: int
    published: int
    failed: int


class PostPage(Page[PostOut]):
    statuses: PostCounts


class DeliveryDecisionIn(In):
    answer: Literal["there", "not_there"] = Field(description="Whether a person found the post at the network")
    address: str = Field(default="", max_length=2000, description="there: the post's address at the network")


class CommentAnswerIn(In):
    answer: CommentAnswer = Field(description="again: the comment is missing, so send it again")


class SendAgainIn(In):
    delivery_ids: list[UUID] | None = Field(
        default=None, max_length=50, description="null: all deliveries of unknown outcome"
    )


class RemoveIn(In):
    delivery_ids: list[UUID] = Field(
        min_length=1,
        max_length=50,
        description="Deliveries to delete at their networks",
        examples=[["00000000-0000-7000-8000-000000000000"]],
    )
    here: bool = Field(default=False, description="Delete the post here too, as soon as the networks have deleted it")


class ApprovalIn(In):
    approved: bool
    content_hash: str = Field(max_length=64, description="Hash of the content that was shown")
    remark: str = Field(default="", max_length=1000, description="Reason for declining")


class WriteAgainIn(In):
    content_hash: str = Field(max_length=64, description="Hash of the content that was shown")
    remark: str = Field(min_length=1, max_length=1000, description="What to change in the text")


class VersionIn(In):
    version: int


class MoveIn(VersionIn):
    planned_at: Moment | None = Field(description="null: now")


class PublishIn(VersionIn):
    planned_at: Moment | None = Field(default=None, description="null: now")


class RetryIn(In):
    delivery_ids: list[UUID] | None = Field(default=None, max_length=50, description="null: all failed deliveries")


class PostChangeOut(Out):
    post: PostOut
    confirmed: bool = Field(description="false: saved, takes effect when the worker is available")
    repeats: bool = Field(description="Whether another post of one of the accounts has the same text within an hour")
