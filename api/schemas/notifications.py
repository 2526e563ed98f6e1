from datetime import datetime
from uuid import UUID

from pydantic import AwareDatetime, Field

from api.schemas.base import In, Out, Page
from core.networks.rules.channels import ChannelKind
from core.notifications.rules import MailTiming, MailTopic, NotificationKind


class NotificationOut(Out):
    """A notification about one thing, with its current name."""

    id: UUID
    kind: NotificationKind
    post_id: UUID | None
    post_title: str | None = Field(description="The topic, or how the text begins")
    assistant_id: UUID | None = Field(description="Null where it is about a post or an account")
    assistant_name: str | None = Field(description="Also of the assistant that made the post")
    account_id: UUID | None
    account_name: str | None
    channel: ChannelKind | None = Field(description="Of the account")
    of_article: bool = Field(description="It is about an article, a website, or an assistant that writes for one")
    created_at: datetime
    read_at: datetime | None = Field(description="When somebody has seen it, or it was so no more")


class NotificationPage(Page[NotificationOut]):
    unread: int = Field(description="Whatever is asked for; 100 stands for more, too")


class ReadIn(In):
    until: AwareDatetime = Field(
        description="When the newest was made that somebody has seen: what came later stays unread",
        examples=["2126-11-21T09:00:00Z"],
    )


class NotificationSettingOut(Out):
    topic: MailTopic
    mail: MailTiming
    choices: list[MailTiming] = Field(description="What can be chosen")


class NotificationSettingIn(In):
    mail: MailTiming = Field(examples=["daily"])
