from datetime import date, datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import Out
from core.assistants.rules.assistants import Mode
from core.dashboard.overview import SetupStep
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind

_COST = "Millionths of the currency; null where there were calls and the cost of none is known"
_COST_KNOWN = "False: at least one call's tokens or cost are not known, and are not in the sums"


class SetupStepOut(Out):
    key: SetupStep = Field(description="What there is to do", examples=["connect_account"])
    done: bool = Field(description="What the step makes is there", examples=[True])


class SetupStateOut(Out):
    """The steps to the first post."""

    steps: list[SetupStepOut] = Field(description="In their order", examples=[[{"key": "verify_email", "done": True}]])
    complete: bool = Field(description="All of them are done", examples=[False])


class WaitingOut(Out):
    """Everything that waits for a person."""

    posts: int = Field(
        description="With an open question, or failed or still at a network against a wish and not acknowledged",
        examples=[2],
    )
    approvals: int = Field(description="Those among the posts that may be approved or declined now", examples=[1])
    accounts: int = Field(description="At networks, that need a new login", examples=[0])
    websites: int = Field(description="That need new access", examples=[0])
    assistants: int = Field(description="That have paused themselves, or cannot plan their dates", examples=[0])
    notifications: int = Field(description="Unread ones; 100 stands for more, too", examples=[3])
    subscription: bool = Field(
        description="Whether a charge has failed, or assistants pause because it has ended", examples=[False]
    )


class PostCountsOut(Out):
    """Number of posts per status, and of those with an unknown outcome."""

    draft: int = Field(description="Being written, or not to be published", examples=[2])
    complete: int = Field(description="Ready, waiting for their time", examples=[1])
    published: int = Field(description="Live on all of their channels", examples=[64])
    failed: int = Field(description="At least one channel failed for good", examples=[0])
    unknown: int = Field(description="Nobody knows whether it is on all channels; counted nowhere else", examples=[0])


class ChannelCountsOut(Out):
    channel: ChannelKind = Field(
        description="Every channel there is, also one without posts", examples=list(ChannelKind)[:1]
    )
    posts: int = Field(description="Posts made for it, of all time", examples=[67])
    published: int = Field(description="Deliveries of the 30 days that reached it", examples=[63])
    failed: int = Field(description="Deliveries of the 30 days that finally did not", examples=[1])


class PreparedOut(Out):
    """What a run has prepared for a future date."""

    topic_title: str = Field(description="What it will be about", examples=["Rain without drama"])
    post_id: UUID | None = Field(description="The post, once it is begun")
    image_url: str | None = Field(description="Its first picture: signed, expires")
    asks: bool = Field(description="Somebody may still say what becomes of it")
    needs_approval: bool = Field(description="Unless somebody does, it does not go out")


class NextOccurrenceOut(Out):
    assistant_id: UUID = Field(description="The assistant that is due")
    assistant_name: str = Field(description="Its name", examples=["Commuter tips"])
    mode: Mode = Field(description="Whether it will publish or only write", examples=["automatic"])
    channels: list[ChannelKind] = Field(description="Where it posts to, each once", examples=[list(ChannelKind)[:1]])
    slot: datetime = Field(description="When, in UTC", examples=["2026-10-21T14:30:00Z"])
    clock_change: int = Field(
        description="Minutes by which the offset differs from its occurrence before, or from now", examples=[0]
    )
    needs_login: bool = Field(
        description="An account of its assistant needs reconnecting: until then nothing is written or goes out"
    )
    prepared: PreparedOut | None = Field(description="Null until a run has chosen the topic")


class NextPostOut(Out):
    """A post that is published at its time, maybe after approval, and belongs to none of the next dates."""

    id: UUID = Field(description="The post")
    title: str = Field(description="The first line of its text, or what it is about", examples=["Rain without drama"])
    is_article: bool
    planned_at: datetime = Field(description="When, in UTC", examples=["2026-10-21T14:30:00Z"])
    channels: list[ChannelKind] = Field(description="Where it is to go, each once", examples=[list(ChannelKind)[:1]])
    needs_login: bool = Field(description="One of its accounts needs reconnecting before it goes out there")
    held: bool = Field(description="All of its accounts do: it goes out nowhere before that")
    asks: bool = Field(description="Somebody may still say what becomes of it")
    needs_approval: bool = Field(description="Unless somebody does, it does not go out")
    image_url: str | None = Field(description="Its first picture: signed, expires")


class DayOut(Out):
    """A day from midnight to midnight in the user's time zone."""

    day: date = Field(description="Of the user's time zone", examples=["2026-10-21"])
    posts: PostCountsOut = Field(description="Posts and articles planned for this day, by the status they have now")
    articles: PostCountsOut = Field(description="The articles among them")
    input_tokens: int = Field(description="Sent to models", examples=[1830])
    output_tokens: int = Field(description="Written by models", examples=[412])
    cost_micros: int | None = Field(description=_COST, examples=[92000])
    cost_known: bool = Field(description=_COST_KNOWN, examples=[True])


class AccountToReconnectOut(Out):
    id: UUID = Field(description="The connected account")
    channel: ChannelKind = Field(description="Its network", examples=list(ChannelKind)[:1])
    name: str = Field(description="As the network shows it", examples=["Mara Lind"])


class PausedAssistantOut(Out):
    id: UUID = Field(description="The assistant")
    name: str = Field(description="Its name", examples=["Commuter tips"])
    until: datetime | None = Field(description="When it goes on by itself; null: not before somebody resumes it")
    reason: ErrorCode | None = Field(description="Why it paused itself; null where a person did it")


class UnplannedAssistantOut(Out):
    id: UUID = Field(description="The assistant")
    name: str = Field(description="Its name", examples=["Commuter tips"])
    reason: ErrorCode | None = Field(description="Why its dates could not be planned", examples=["invalid_input"])
    retry_at: datetime | None = Field(description="When it tries again by itself")


class LeftOutRunsOut(Out):
    assistant_id: UUID = Field(description="The assistant")
    name: str = Field(description="Its name", examples=["Commuter tips"])
    missed: int = Field(description="Slots that nothing ran for", examples=[2])
    skipped: int = Field(description="Runs that stopped, such as at its budget", examples=[0])


class AccountStatsOut(Out):
    """The dashboard's figures; a post may be an article. "The 30 days" are `days`: today and the 29 days before."""

    time_zone: str = Field(description="The user's, which the days are counted in", examples=["Europe/Berlin"])
    posts_by_status: PostCountsOut = Field(description="All posts and articles there are")
    articles_by_status: PostCountsOut = Field(description="The articles among them")
    posts_by_channel: list[ChannelCountsOut] = Field(description="One entry for every channel")
    published_posts: int = Field(
        description="Posts and articles planned for the 30 days that are published", examples=[64]
    )
    published_posts_before: int = Field(description="The same for the 30 days before those", examples=[52])
    next_occurrences: list[NextOccurrenceOut] = Field(
        description="The next five dates of all active assistants, the soonest first"
    )
    next_posts: list[NextPostOut] = Field(
        description="The next five posts and articles that are at none of these dates, such as those written by hand"
    )
    days: list[DayOut] = Field(description="30 of them, without gaps, the last one is today")
    input_tokens: int = Field(description="Sent to models in the 30 days", examples=[54210])
    output_tokens: int = Field(description="Written by models in the 30 days", examples=[12904])
    cost_micros: int | None = Field(description=_COST, examples=[3180000])
    cost_known: bool = Field(description=_COST_KNOWN, examples=[True])
    currency: str = Field(description="Of all costs, ISO 4217", examples=["USD"])
    published_deliveries: int = Field(description="Deliveries of the 30 days that went out", examples=[63])
    failed_deliveries: int = Field(description="Deliveries of the 30 days that failed for good", examples=[1])
    unknown_deliveries: int = Field(
        description="Deliveries sent in the 30 days that nobody knows the outcome of", examples=[0]
    )
    success_rate: float | None = Field(
        description="Published among the deliveries of the 30 days that were sent, 0 to 1; null where none was",
        examples=[0.984],
    )
    open_approvals: int = Field(description="Posts that may be approved or declined now", examples=[0])
    accounts_to_reconnect: list[AccountToReconnectOut] = Field(
        description="Connected accounts that need a new login before anything goes out through them"
    )
    left_out_runs: list[LeftOutRunsOut] = Field(
        description="Assistants that left out slots of the 30 days, and no person did; those with most first"
    )
    paused_assistants: list[PausedAssistantOut] = Field(description="Active ones that pause now")
    unplanned_assistants: list[UnplannedAssistantOut] = Field(
        description="Active ones whose dates could not be planned: no run of theirs begins"
    )
