from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out
from api.schemas.posts import FileOut, PostLinkOut
from api.schemas.websites import ArticleShownOut
from core.approvals.mail_links import LinkState
from core.approvals.rules import AtDeadline
from core.networks.rules.channels import ChannelKind
from core.networks.rules.links import LinkPlace


class ApprovalLinkIn(In):
    post_id: UUID
    token: str = Field(max_length=100, description="From the link of the mail")


class LinkDecisionIn(ApprovalLinkIn):
    approved: bool
    remark: str = Field(default="", max_length=1000, description="Why it is declined")


class LinkedAccountOut(Out):
    name: str
    channel: ChannelKind
    content: str | None = Field(description="What this account gets instead of the post's text")
    first_comment: str = Field(description="What is put below it there")
    link: LinkPlace = Field(description="What becomes of the link there, where the post has one")


class LinkedPostOut(Out):
    """Exactly what is asked about."""

    assistant_name: str | None
    topic_title: str
    content: str
    language: str
    planned_at: datetime
    time_zone: str
    deadline_at: datetime
    at_deadline: AtDeadline = Field(description="What becomes of it without an answer")
    at_once: bool = Field(description="Approved, it goes out then and not as planned: somebody has asked for it")
    accounts: list[LinkedAccountOut]
    files: list[FileOut]
    article: ArticleShownOut | None = Field(description="What is asked about is one, and no post")
    is_demo: bool = Field(description="Written by the built-in demo writer")
    link: PostLinkOut | None


class ApprovalLinkOut(Out):
    """The state of a mail's approval link. Reading it decides nothing."""

    state: LinkState
    decided_at: datetime | None = Field(description="When it was approved or declined, or its deadline decided")
    by_deadline: bool = Field(description="Nobody has answered in time")
    topic_title: str = Field(description="What the post is about; empty where it is another one by now")
    at_deadline: AtDeadline = Field(description="What becomes of it without an answer")
    at_once: bool = Field(description="Approved, it goes out then and not as planned: somebody has asked for it")
    post: LinkedPostOut | None = Field(description="Only while it can be answered")
