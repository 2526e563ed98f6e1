from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out
from api.schemas.posts import FileOut, PostContentOut, PostPartsOut
from api.schemas.websites import ArticleShownOut
from core.approvals.mail_links import LinkState
from core.approvals.rules import AtDeadline
from core.networks.rules.channels import ChannelKind
from core.networks.rules.links import LinkPlace


class ApprovalLinkIn(In):
    post_id: UUID
    token: str = Field(max_length=100, description="Token from the link in the mail")


class LinkDecisionIn(ApprovalLinkIn):
    approved: bool
    remark: str = Field(default="", max_length=1000, description="Reason for declining")


class LinkedAccountOut(PostPartsOut):
    name: str
    channel: ChannelKind
    content: str | None = Field(description="This account's own text; null: the post's text")
    link: LinkPlace = Field(description="How the network shows the post's link")
    file_places: list[int] = Field(description="Places of the files that the network gets, in order, from 0")
    hides_cover: bool = Field(description="Whether the network leaves out the cover that was chosen for the video")


class LinkedPostOut(PostContentOut):
    """The post to decide about, exactly as it would be published."""

    assistant_name: str | None
    topic_title: str
    language: str
    planned_at: datetime
    time_zone: str
    deadline_at: datetime
    at_deadline: AtDeadline = Field(description="What happens to the post if nobody answers in time")
    at_once: bool = Field(description="Whether approval publishes the post at once instead of at its planned time")
    accounts: list[LinkedAccountOut]
    files: list[FileOut]
    article: ArticleShownOut | None = Field(description="The article to decide about; null: it is a social post")
    is_demo: bool = Field(description="Written by the built-in demo writer")


class ApprovalLinkOut(Out):
    """The state of a mail's approval link. Reading it decides nothing."""

    state: LinkState
    decided_at: datetime | None = Field(description="Time of the decision, by a person or by the deadline")
    by_deadline: bool = Field(description="Whether the deadline decided because nobody answered in time")
    topic_title: str = Field(description="Topic of the post; empty if the post has changed since")
    at_deadline: AtDeadline = Field(description="What happens to the post if nobody answers in time")
    at_once: bool = Field(description="Whether approval publishes the post at once instead of at its planned time")
    post: LinkedPostOut | None = Field(description="The post to decide about; null: it can no longer be decided")
