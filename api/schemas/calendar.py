from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from core.approvals.rules import ApprovalState, AtDeadline
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.rules.occurrences import LeftOutReason
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus


class SentOut(Out):
    channel: ChannelKind
    state: DeliveryState
    called_at: datetime | None
    error_code: str | None


class QuestionOut(Out):
    state: ApprovalState
    at_deadline: AtDeadline = Field(description="What becomes of it without an answer")
    deadline_at: datetime
    at_once: bool = Field(
        description="Approved, it goes out then and not as planned: somebody has asked for it, and no other time is its"
    )


class CalendarPostOut(Out):
    """The part of a post that a calendar shows."""

    id: UUID
    assistant_id: UUID | None
    assistant_name: str | None
    source: PostSource
    status: PostStatus
    is_article: bool = Field(description="It goes to a site")
    title: str = Field(description="The first line of its text, or what it is about")
    planned_at: datetime
    deliveries: list[SentOut]
    channels: list[ChannelKind] = Field(
        description="Where it goes, or a draft is meant to go", examples=[list(ChannelKind)[:1]]
    )
    approval: QuestionOut | None = Field(description="About the post as it is now. None: nobody is asked")
    acknowledged_at: datetime | None
    thumbnail_url: str | None = Field(description="Of its first picture. Signed, expires")
    version: int
    fixed: ErrorCode | None = Field(description="Why it cannot be moved. None: it can")


class CalendarRunOut(Out):
    """A slot whose run has no post: it is not made yet, or never was."""

    id: UUID
    assistant_id: UUID
    assistant_name: str
    slot: datetime
    state: RunState
    reason: str | None = Field(description="A code, such as of a problem")
    topic_title: str | None
    needs_login: bool = Field(description="It is not written before an account of its assistant is connected again")


class PlannedSlotOut(Out):
    """A future slot whose run has not begun."""

    assistant_id: UUID
    assistant_name: str
    slot: datetime
    time_zone: str = Field(description="In which the schedule means it")
    mode: Mode
    channels: list[ChannelKind]
    is_next: bool = Field(description="It is the one that skipping would leave out")
    others: int = Field(description="Further ones of its hour that it stands for, where a schedule has too many")
    last: datetime | None = Field(description="The last one that it stands for. None: it stands for itself alone")


class CalendarLeftOutOut(Out):
    """A day that these assistants' schedules would use but leave out."""

    day: date
    reason: LeftOutReason
    holiday: str = Field(description="What is celebrated")
    assistant_names: list[str]


class CalendarMoreOut(Out):
    """A day of which only the first entries are listed."""

    day: date
    count: int = Field(description="How many further ones it has")


class CalendarOut(Out):
    time_zone: str = Field(description="The user's, by whose days it is cut")
    posts: list[CalendarPostOut] = Field(description="By their time")
    runs: list[CalendarRunOut] = Field(description="By their slot")
    planned: list[PlannedSlotOut] = Field(description="By their slot")
    left_out: list[CalendarLeftOutOut]
    more: list[CalendarMoreOut] = Field(description="Days that have more than fits; of these the first are there")


class FreeMomentsOut(Out):
    """Times at which a post would have the audience to itself."""

    moments: list[datetime] = Field(
        description="At most three, ascending: at the usual times of the user, an hour from all that is planned"
    )


class CalendarFeedOut(Out):
    """Address at which other programs read the calendar, without signing in."""

    created_at: datetime | None = Field(description="Of the secret address. None: there is none")


class CalendarFeedAddressOut(Out):
    address: str = Field(description="Secret: who has it reads along")
    created_at: datetime
