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
    post_title: str | None = Field(description="The topic, or the beginning of the text")
    assistant_id: UUID | None = Field(description="null: about a post or an account")
    assistant_name: str | None = Field(description="Also the assistant that made the post")
    account_id: UUID | None
    account_name: str | None
    channel: ChannelKind | None = Field(description="The account's channel")
    of_article: bool = Field(description="About an article, a website, or an assistant that writes for a website")
    created_at: datetime
    read_at: datetime | None = Field(description="When the user saw the notification, or when its cause was resolved")


class NotificationPage(Page[NotificationOut]):
    unread: int = Field(description="Unread notifications of all kinds; 100 means 100 or more")


class ReadIn(In):
    until: AwareDatetime = Field(
        description="`created_at` of the newest notification seen; later ones stay unread",
        examples=["2126-11-21T09:00:00Z"],
    )


class NotificationSettingOut(Out):
    topic: MailTopic
    mail: MailTiming
    choices: list[MailTiming] = Field(description="Possible values of `mail`")


class NotificationSettingIn(In):
    mail: MailTiming = Field(examples=["daily"])
