from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from api.schemas.posts import FirstFileOut
from core.approvals.rules import ApprovalState, AtDeadline
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.rules.occurrences import LeftOutReason
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus, RemovalState


class SentRemovalOut(Out):
    state: RemovalState


class SentOut(Out):
    channel: ChannelKind
    state: DeliveryState
    called_at: datetime | None
    error_code: str | None
    removal: SentRemovalOut | None = Field(description="null: no deletion at the network was requested")


class QuestionOut(Out):
    state: ApprovalState
    at_deadline: AtDeadline = Field(description="What happens to the post if nobody answers in time")
    deadline_at: datetime
    at_once: bool = Field(description="Whether approval publishes the post at once, so that it cannot be moved")


class CalendarPostOut(Out):
    """The part of a post that a calendar shows."""

    id: UUID
    assistant_id: UUID | None
    assistant_name: str | None
    source: PostSource
    status: PostStatus
    is_article: bool = Field(description="Whether the post is an article")
    title: str = Field(description="First line of the text, or the topic")
    planned_at: datetime
    deliveries: list[SentOut]
    channels: list[ChannelKind] = Field(
        description="The post's channels; for a draft, the chosen ones", examples=[list(ChannelKind)[:1]]
    )
    approval: QuestionOut | None = Field(description="Approval of the current content; null: none requested")
    acknowledged_at: datetime | None
    first_file: FirstFileOut | None = Field(description="null: no files")
    version: int
    fixed: ErrorCode | None = Field(description="Why the post cannot be moved; null: it can be moved")


class CalendarRunOut(Out):
    """A run without a post: the post is not made yet, or never was."""

    id: UUID
    assistant_id: UUID
    assistant_name: str
    slot: datetime
    state: RunState
    reason: str | None = Field(description="Error code")
    topic_title: str | None
    needs_login: bool = Field(description="Whether the run waits for an account to be reconnected")


class PlannedSlotOut(Out):
    """A future slot whose run has not begun."""

    assistant_id: UUID
    assistant_name: str
    slot: datetime
    time_zone: str = Field(description="Time zone of the schedule")
    mode: Mode
    channels: list[ChannelKind]
    is_next: bool = Field(description="Whether a skip would leave out this slot")
    others: int = Field(description="Further slots of this hour, combined because there are too many to list")
    last: datetime | None = Field(description="The last of the combined slots; null: there are no others")


class CalendarLeftOutOut(Out):
    """A day that these assistants' schedules would use but leave out."""

    day: date
    reason: LeftOutReason
    holiday: str = Field(description="Name of the holiday")
    assistant_names: list[str]


class CalendarMoreOut(Out):
    """A day of which only the first entries are listed."""

    day: date
    count: int = Field(description="Number of entries that are not listed")


class CalendarOut(Out):
    time_zone: str = Field(description="The user's time zone, which defines the days")
    posts: list[CalendarPostOut] = Field(description="By time")
    runs: list[CalendarRunOut] = Field(description="By slot")
    planned: list[PlannedSlotOut] = Field(description="By slot")
    left_out: list[CalendarLeftOutOut]
    more: list[CalendarMoreOut] = Field(description="Days with too many entries, of which only the first are listed")


class FreeMomentsOut(Out):
    """Times without other posts around them."""

    moments: list[datetime] = Field(
        description="At most three, earliest first: at the user's usual times, an hour from other entries"
    )


class CalendarFeedOut(Out):
    """Address at which other programs read the calendar, without signing in."""

    created_at: datetime | None = Field(description="When the secret address was created; null: there is none")


class CalendarFeedAddressOut(Out):
    address: str = Field(description="Secret: anybody who has it can read the calendar")
    created_at: datetime
