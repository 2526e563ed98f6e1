from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from api.schemas.posts import FirstFileOut
from core.assistants.rules.assistants import Mode
from core.dashboard.overview import SetupStep
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind

_COST = "Known cost in millionths of the currency; null: there were calls, and none has a known cost"
_COST_KNOWN = "false: the sums lack at least one call whose tokens or cost are unknown"


class SetupStepOut(Out):
    key: SetupStep = Field(description="The step", examples=["connect_account"])
    done: bool = Field(description="Whether the step is done", examples=[True])


class SetupStateOut(Out):
    """The steps to the first post."""

    steps: list[SetupStepOut] = Field(description="In order", examples=[[{"key": "verify_email", "done": True}]])
    complete: bool = Field(description="Whether all steps are done", examples=[False])


class WaitingOut(Out):
    """Everything that waits for a person."""

    posts: int = Field(
        description="Posts to decide, and failed or undeleted posts that were not acknowledged", examples=[2]
    )
    approvals: int = Field(description="Posts of these that can be approved or declined now", examples=[1])
    accounts: int = Field(description="Social accounts that need reconnecting", examples=[0])
    websites: int = Field(description="Websites that need reconnecting", examples=[0])
    assistants: int = Field(description="Assistants that paused themselves or cannot plan", examples=[0])
    notifications: int = Field(description="Unread notifications; 100 means 100 or more", examples=[3])
    subscription: bool = Field(
        description="Whether a charge failed, or assistants are paused because the subscription ended", examples=[False]
    )


class PostCountsOut(Out):
    """Number of posts per status, and of those with an unknown outcome."""

    draft: int = Field(description="Being written, or not to be published", examples=[2])
    complete: int = Field(description="Ready, waiting for their time", examples=[1])
    published: int = Field(description="Published on all channels", examples=[64])
    failed: int = Field(description="Failed on at least one channel", examples=[0])
    unknown: int = Field(description="Outcome unknown on at least one channel; not in the other counts", examples=[0])


class ChannelCountsOut(Out):
    channel: ChannelKind = Field(
        description="Every channel, including those without posts", examples=list(ChannelKind)[:1]
    )
    posts: int = Field(description="Posts of all time for this channel", examples=[67])
    published: int = Field(description="Published deliveries of the 30 days", examples=[63])
    failed: int = Field(description="Failed deliveries of the 30 days", examples=[1])


class PreparedOut(Out):
    """What a run has prepared for a future date."""

    topic_title: str = Field(description="Topic of the post", examples=["Rain without drama"])
    post_id: UUID | None = Field(description="The post, if it exists yet")
    first_file: FirstFileOut | None = Field(description="null: no files")
    asks: bool = Field(description="Whether the post can be approved or declined")
    needs_approval: bool = Field(description="Whether the post is published only after an approval")


class NextOccurrenceOut(Out):
    assistant_id: UUID = Field(description="The assistant")
    assistant_name: str = Field(description="The assistant's name", examples=["Commuter tips"])
    mode: Mode = Field(description="How much the assistant may do without a person", examples=["automatic"])
    channels: list[ChannelKind] = Field(description="Its channels, each once", examples=[list(ChannelKind)[:1]])
    slot: datetime = Field(description="The slot, in UTC", examples=["2026-10-21T14:30:00Z"])
    clock_change: int = Field(
        description="Minutes by which the offset differs from the previous occurrence's, or from now", examples=[0]
    )
    needs_login: bool = Field(
        description="Whether nothing is written or published until an account of the assistant is reconnected"
    )
    prepared: PreparedOut | None = Field(description="null: no run has chosen a topic yet")


class NextPostOut(Out):
    """A post that is published at its time, maybe after approval, and belongs to none of the next dates."""

    id: UUID = Field(description="The post")
    title: str = Field(description="First line of the text, or the topic", examples=["Rain without drama"])
    is_article: bool
    planned_at: datetime = Field(description="Planned time, in UTC", examples=["2026-10-21T14:30:00Z"])
    channels: list[ChannelKind] = Field(description="The post's channels, each once", examples=[list(ChannelKind)[:1]])
    needs_login: bool = Field(description="Whether an account needs reconnecting before the post is published there")
    held: bool = Field(description="Whether all accounts need reconnecting, so that nothing is published before")
    asks: bool = Field(description="Whether the post can be approved or declined")
    needs_approval: bool = Field(description="Whether the post is published only after an approval")
    first_file: FirstFileOut | None = Field(description="null: no files")


class DayOut(Out):
    """A day from midnight to midnight in the user's time zone."""

    day: date = Field(description="Day in the user's time zone", examples=["2026-10-21"])
    posts: PostCountsOut = Field(description="Posts and articles planned for this day, by their current status")
    articles: PostCountsOut = Field(description="The articles among them")
    input_tokens: int = Field(description="Tokens sent to models", examples=[1830])
    output_tokens: int = Field(description="Tokens written by models", examples=[412])
    cost_micros: int | None = Field(description=_COST, examples=[92000])
    cost_known: bool = Field(description=_COST_KNOWN, examples=[True])


class AccountToReconnectOut(Out):
    id: UUID = Field(description="The connected account")
    channel: ChannelKind = Field(description="The account's network", examples=list(ChannelKind)[:1])
    name: str = Field(description="Name at the network", examples=["Mara Lind"])


class PausedAssistantOut(Out):
    id: UUID = Field(description="The assistant")
    name: str = Field(description="The assistant's name", examples=["Commuter tips"])
    until: datetime | None = Field(description="End of the pause; null: until a person resumes the assistant")
    reason: ErrorCode | None = Field(description="Why the assistant paused itself; null: a person paused it")


class UnplannedAssistantOut(Out):
    id: UUID = Field(description="The assistant")
    name: str = Field(description="The assistant's name", examples=["Commuter tips"])
    reason: ErrorCode | None = Field(description="Why planning failed", examples=["invalid_input"])
    retry_at: datetime | None = Field(description="When planning is retried")


class LeftOutRunsOut(Out):
    assistant_id: UUID = Field(description="The assistant")
    name: str = Field(description="The assistant's name", examples=["Commuter tips"])
    missed: int = Field(description="Slots without a run", examples=[2])
    skipped: int = Field(description="Runs that ended without a post, for example because of the budget", examples=[0])


class AccountStatsOut(Out):
    """The dashboard's figures; a post may be an article. "The 30 days" are `days`: today and the 29 days before."""

    time_zone: str = Field(description="The user's time zone, which defines the days", examples=["Europe/Berlin"])
    posts_by_status: PostCountsOut = Field(description="All posts and articles")
    articles_by_status: PostCountsOut = Field(description="The articles among them")
    posts_by_channel: list[ChannelCountsOut] = Field(description="One entry per channel")
    published_posts: int = Field(
        description="Posts and articles planned for the 30 days that are published on at least one channel",
        examples=[64],
    )
    published_posts_before: int = Field(description="The same for the 30 days before", examples=[52])
    next_occurrences: list[NextOccurrenceOut] = Field(
        description="The next five occurrences of all active assistants, earliest first"
    )
    next_posts: list[NextPostOut] = Field(
        description="The next five posts and articles outside of these occurrences, such as those written by hand"
    )
    days: list[DayOut] = Field(description="30 days without gaps, ending today")
    input_tokens: int = Field(description="Tokens sent to models in the 30 days", examples=[54210])
    output_tokens: int = Field(description="Tokens written by models in the 30 days", examples=[12904])
    cost_micros: int | None = Field(description=_COST, examples=[3180000])
    cost_known: bool = Field(description=_COST_KNOWN, examples=[True])
    currency: str = Field(description="Currency of all costs, ISO 4217", examples=["USD"])
    published_deliveries: int = Field(description="Published deliveries of the 30 days", examples=[63])
    failed_deliveries: int = Field(description="Failed deliveries of the 30 days", examples=[1])
    unknown_deliveries: int = Field(description="Deliveries of the 30 days whose outcome is unknown", examples=[0])
    success_rate: float | None = Field(
        description="Published share of the deliveries sent in the 30 days, 0 to 1; null: none was sent",
        examples=[0.984],
    )
    open_approvals: int = Field(description="Posts that can be approved or declined now", examples=[0])
    accounts_to_reconnect: list[AccountToReconnectOut] = Field(
        description="Accounts through which nothing is published until they are reconnected"
    )
    left_out_runs: list[LeftOutRunsOut] = Field(
        description="Assistants with slots of the 30 days left out by no person, most slots first"
    )
    paused_assistants: list[PausedAssistantOut] = Field(description="Active assistants that are paused now")
    unplanned_assistants: list[UnplannedAssistantOut] = Field(
        description="Active assistants whose planning failed, so that no run begins"
    )
