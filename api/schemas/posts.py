from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import In, Moment, Out, Page, Tag
from api.schemas.problems import FieldProblem
from core.approvals.rules import ApprovalState, AtDeadline
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.errors import ErrorCode
from core.languages import Language
from core.media.rules.cards import CardNote
from core.networks.rules.channels import ChannelKind
from core.networks.rules.links import MAX_ADDRESS, MAX_DESCRIPTION, MAX_TITLE
from core.posts.rules.posts import (
    CommentAnswer,
    CommentState,
    DeliveryState,
    PostSource,
    PostStatus,
    Removable,
    RemovalState,
)

PostText = Annotated[str, StringConstraints(strip_whitespace=False, max_length=20_000)]
"""Longer than any network accepts: the networks' rules report longer texts, which are still saved."""


Alt = Annotated[str, StringConstraints(max_length=4_000)]
"""Longer than any network accepts: the networks' rules report longer texts."""


class FileOut(Out):
    media_id: UUID
    url: str = Field(description="Signed, expires")
    mime: str
    width: int
    height: int
    alt: str
    card_notes: list[CardNote] = Field(description="Of a card: what is not on it as it was written")


class RemovalOut(Out):
    """The deletion of a delivery at its network."""

    state: RemovalState
    attempts: int
    next_at: datetime | None = Field(description="When the network is asked again")
    removed_at: datetime | None
    error_code: ErrorCode | None
    error_detail: str | None


class CommentOut(Out):
    """The first comment of a delivery."""

    state: CommentState
    attempts: int
    next_at: datetime | None = Field(description="When the network is called, or asked, again")
    error_code: ErrorCode | None
    error_detail: str | None


class DeliveryOut(Out):
    id: UUID
    account_id: UUID
    account_name: str
    posts_url: str = Field(description="Where who is signed in there sees what was published through its account")
    channel: ChannelKind
    content: str | None = Field(description="What this account gets instead of the post's text")
    state: DeliveryState
    attempts: int
    permalink: str | None
    error_code: str | None
    error_detail: str | None
    called_at: datetime | None
    held_until: datetime | None = Field(
        description="While it is held: so long it waits for its account to be connected again, for its network or for"
        " this server's settings"
    )
    retry_at: datetime | None = Field(
        description="While it is retrying, or held for its network or for this server's settings: when its next attempt"
        " begins, or the network is asked what is there"
    )
    settled_at: datetime | None
    decided_at: datetime | None = Field(description="When a person said how it ended, which the network could not")
    removable: Removable = Field(description="Whether its network can be asked to delete it, and if not, why")
    removal: RemovalOut | None = Field(description="None: nobody wants it deleted there")
    comment: CommentOut | None = Field(description="None: it has no first comment, or has not gone out")


class ExchangeOut(Out):
    """One call to a network, without tokens and at most 4 kB of each text."""

    asked: str = Field(description="Method and address", examples=["POST https://api.example.com/posts"])
    sent: str
    status: int | None = Field(description="None: there was no answer")
    answer: str = Field(description="What came back, or why nothing did")
    milliseconds: int


class DeliveryEntryOut(Out):
    """One step of a delivery: the calls to its network, the answers, and the decision."""

    id: UUID
    delivery_id: UUID
    at: datetime
    attempt: int = Field(description="Of the publishing call, the comment or the removal; 0 before the first")
    step: DeliveryStep
    decision: DeliveryDecision
    error_code: str | None
    exchanges: list[ExchangeOut]


class ApprovalOut(Out):
    """The question to a person about a post, and their answer."""

    state: ApprovalState
    at_deadline: AtDeadline = Field(description="What becomes of it without an answer")
    deadline_at: datetime
    decided_at: datetime | None
    by_deadline: bool = Field(description="Nobody has answered in time")
    remark: str = Field(description="Why it was declined, or what is to be another in its text")
    at_once: bool = Field(description="Approved, it goes out then and not as planned: somebody has asked for it")
    rewrite_error: ErrorCode | None = Field(description="Why there was no other text, for which somebody asked")


class VariantOut(Out):
    channel: ChannelKind
    account_id: UUID | None = Field(description="None: all accounts of the channel without one of their own")
    content: str


class PostLinkOut(Out):
    url: str
    title: str = Field(description="Of the card, where the network makes it of this")
    description: str = Field(description="As above")


class PostOut(Out):
    id: UUID
    assistant_id: UUID | None
    assistant_name: str | None
    source: PostSource
    status: PostStatus
    content: str
    first_comment: str = Field(description="Put below it where the network has that")
    link: PostLinkOut | None = Field(description="As a card where the network has them, else in the text")
    topic_title: str
    language: str
    written_by: str
    is_demo: bool = Field(description="Written by the built-in demo writer")
    planned_at: datetime | None
    time_zone: str
    files: list[FileOut]
    deliveries: list[DeliveryOut]
    approval: ApprovalOut | None = Field(description="About the post as it is now. None: nobody is asked")
    content_hash: str = Field(description="What an approval is bound to")
    account_ids: list[UUID] = Field(description="That it goes to, or is meant for")
    variants: list[VariantOut] = Field(description="Texts that some accounts get instead")
    tags: list[str]
    leaves: bool = Field(
        description="It is deleted as soon as it is gone from the networks that were asked to delete it"
    )
    pinned: bool = Field(description="A person has said when it goes out")
    announces_id: UUID | None = Field(description="The article that it announces")
    is_article: bool = Field(description="It goes to a site: see the articles")
    acknowledged_at: datetime | None = Field(description="When a person has seen that it failed, or was kept for them")
    version: int
    created_at: datetime
    updated_at: datetime


class ComposedFileIn(In):
    media_id: UUID
    alt: Alt = Field(default="", description="What a person who does not see the image is told")


class VariantIn(In):
    channel: ChannelKind
    account_id: UUID | None = Field(default=None, description="None: all accounts of the channel")
    content: PostText


class PostLinkIn(In):
    url: str = Field(min_length=1, max_length=MAX_ADDRESS, description="http or https; without a scheme: https")
    title: str = Field(default="", max_length=MAX_TITLE, description="Of the card; some networks need it")
    description: str = Field(default="", max_length=MAX_DESCRIPTION)


class ComposedIn(In):
    content: PostText
    account_ids: list[UUID] = Field(default_factory=list, max_length=50)
    variants: list[VariantIn] = Field(default_factory=list, max_length=50)
    files: list[ComposedFileIn] = Field(default_factory=list, max_length=50)
    first_comment: PostText = Field(default="", description="Put below it where the network has that")
    link: PostLinkIn | None = Field(default=None, description="As a card where the network has them, else in the text")
    tags: list[Tag] = Field(default_factory=list, max_length=200)
    planned_at: Moment | None = None
    time_zone: str = Field(max_length=64, description="IANA name, in which it is planned", examples=["Europe/Berlin"])
    language: Language


class ComposeIn(ComposedIn):
    id: UUID = Field(description="Chosen by the client: sent once more, it is the same post")


class EditIn(ComposedIn):
    version: int
    approved: bool = Field(default=False, description="Approve what the edit has made of it")


class DuplicateIn(In):
    id: UUID = Field(description="Of the copy, chosen by the client")


class FitIn(In):
    content: PostText
    variants: list[VariantIn] = Field(default_factory=list, max_length=50)
    media_ids: list[UUID] = Field(max_length=50, description="Its images, in their order")
    alts: list[Alt] = Field(default_factory=list, max_length=50, description="Of the images, in the same order")
    account_ids: list[UUID] = Field(max_length=50)
    first_comment: PostText = ""
    link: PostLinkIn | None = None
    planned_at: Moment | None = Field(default=None, description="None: now")
    post_id: UUID | None = Field(default=None, description="Which post this is, if it is saved")


class RepeatOut(Out):
    """Another post with the same text for the same account, less than an hour before or after."""

    post_id: UUID
    planned_at: datetime


class FitOut(Out):
    """How a text fits one account."""

    account_id: UUID
    channel: ChannelKind
    length: int = Field(description="In the units that the channel counts in")
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
    answer: Literal["there", "not_there"] = Field(
        description="What a person found at the network, where the network could not tell us"
    )
    address: str = Field(default="", max_length=2000, description="there: the address at which they have found it")


class CommentAnswerIn(In):
    answer: CommentAnswer = Field(description="again: it is not there, and is put once more")


class SendAgainIn(In):
    delivery_ids: list[UUID] | None = Field(
        default=None, max_length=50, description="None: all of them that are unknown"
    )


class RemoveIn(In):
    delivery_ids: list[UUID] = Field(
        min_length=1,
        max_length=50,
        description="That are to be deleted at their network",
        examples=[["00000000-0000-7000-8000-000000000000"]],
    )
    here: bool = Field(default=False, description="Delete the post here too, as soon as it is gone there")


class ApprovalIn(In):
    approved: bool
    content_hash: str = Field(max_length=64, description="Of what was shown")
    remark: str = Field(default="", max_length=1000, description="Why it is declined")


class WriteAgainIn(In):
    content_hash: str = Field(max_length=64, description="Of what was shown")
    remark: str = Field(min_length=1, max_length=1000, description="What is to be another")


class VersionIn(In):
    version: int


class MoveIn(VersionIn):
    planned_at: Moment | None = Field(description="null: now")


class PublishIn(VersionIn):
    planned_at: Moment | None = Field(default=None, description="None: now")


class RetryIn(In):
    delivery_ids: list[UUID] | None = Field(
        default=None, max_length=50, description="None: all of them that have failed"
    )


class PostChangeOut(Out):
    post: PostOut
    confirmed: bool = Field(description="By its workflow. False: saved, takes effect when the worker is back")
    repeats: bool = Field(description="Another post says the same by one of its accounts within an hour")
