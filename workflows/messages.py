"""Inputs and results of workflows: one frozen dataclass per message, ids only.

In a module of its own because it is passed through the sandbox: creating a dataclass takes a millisecond, and a
workflow's own module is loaded anew for every instance. New fields have defaults, so that stored histories replay.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from activities.drafting import DeliveryRef
from core.assistants.rules.planning import Outage, ScheduleVersion
from core.assistants.rules.schedules import Schedule


@dataclass(frozen=True)
class Setup:
    """The part of the configuration that the workflow needs. `version` is the row's: an older set-up is ignored."""

    version: int
    schedule: Schedule
    lead_seconds: int
    channels: tuple[str, ...] = ()
    active: bool = True
    catch_up_seconds: int = 3600
    jitter_seconds: int = 300
    arm_seconds: int = 15
    arm_spread_seconds: int = 60
    stage_ahead_seconds: int = 600
    name: str = ""
    """For the title that operators see: the server forgets a static summary on continue-as-new."""
    since: datetime | None = None
    """When this schedule and `active` began; slots up to then do not count. None for rows from before this was
    stored."""
    former: tuple[ScheduleVersion, ...] = ()
    """Schedules that applied before, as far as the workflow may not know them."""
    paused: bool = False
    """Paused: active, but starts no runs. If the pause has an end, `since` is that: the schedule applies from then
    on."""
    paused_until: datetime | None = None
    pause_reason: str = ""
    """An error code, if it paused itself."""
    address: str = ""
    """Web address of its page in the app, for operators."""
    paused_since: datetime | None = None
    """For operators."""

    @property
    def posts(self) -> bool:
        """Whether there are slots from `since` on."""
        return self.active and (not self.paused or self.paused_until is not None)

    def pauses(self, now: datetime) -> bool:
        return self.paused and (self.paused_until is None or now < self.paused_until)


@dataclass(frozen=True)
class AssistantState:
    """The state carried over by continue-as-new: ids and the set-up, nothing that grows. `cursor` is the last slot
    decided."""

    user_id: UUID
    assistant_id: UUID
    setup: Setup
    cursor: datetime
    revision: int = 0
    max_events: int = 250
    outages: tuple[Outage, ...] = ()
    """Missed slots that are not in the database yet, oldest first."""
    replaced: tuple[Outage, ...] = ()
    """What ended schedules may have missed; the next plan finds the slots."""
    skipped: tuple[datetime, ...] = ()
    """Coming slots that a person has skipped; past ones are removed."""


@dataclass(frozen=True)
class RunOrder:
    user_id: UUID
    assistant_id: UUID
    run_id: UUID
    slot: datetime
    catch_up_seconds: int = 3600
    arm_seconds: int = 15
    arm_spread_seconds: int = 60
    stage_ahead_seconds: int = 600
    by_hand: bool = False
    address: str = ""
    """Web address of its assistant's page in the app, for operators."""
    assistant: str = ""
    """Its assistant's name, for operators."""


@dataclass(frozen=True)
class RunNow:
    """`request_id` is the client's: repeated requests are the same run."""

    request_id: UUID


@dataclass(frozen=True)
class RunStarted:
    run_id: UUID


@dataclass(frozen=True)
class Skip:
    """The slot that the client saw as the next one."""

    slot: datetime


@dataclass(frozen=True)
class Skipped:
    """`undo_until`: when the slot's run would have begun; None if it had begun, and was ended."""

    slot: datetime
    undo_until: datetime | None = None


@dataclass(frozen=True)
class RunResult:
    """`reason`: an error code or ""."""

    state: str
    reason: str = ""
    post_id: UUID | None = None


@dataclass(frozen=True)
class PostOrder:
    """A post to publish without a run: sent by a person, or after its run has ended."""

    user_id: UUID
    post_id: UUID
    arm_seconds: int = 15
    arm_spread_seconds: int = 60
    stage_ahead_seconds: int = 600
    address: str = ""
    """Web address of its page in the app, for operators."""


@dataclass(frozen=True)
class PostResult:
    """`reason`: an error code or ""."""

    status: str
    reason: str = ""


@dataclass(frozen=True)
class MoveOrder:
    """`version` is the post's with this change; an older one is refused."""

    planned_at: datetime
    version: int


@dataclass(frozen=True)
class CancelOrder:
    version: int


@dataclass(frozen=True)
class Decision:
    """A person has decided about the content with that hash: its row has the answer."""

    content_hash: str
    version: int


@dataclass(frozen=True)
class RetryOrder:
    """Deliveries to retry at `planned_at`."""

    deliveries: tuple[DeliveryRef, ...]
    planned_at: datetime
    version: int


@dataclass(frozen=True)
class TryoutOrder:
    user_id: UUID
    tryout_id: UUID


@dataclass(frozen=True)
class TryoutResult:
    """`succeeded`, `failed`, `cancelled`, or `gone` with its template."""

    state: str
    reason: str = ""


@dataclass(frozen=True)
class SuggestionOrder:
    user_id: UUID
    suggestion_id: UUID


@dataclass(frozen=True)
class SuggestionResult:
    """As of a try-out; `gone` with its topic."""

    state: str
    reason: str = ""


@dataclass(frozen=True)
class Comparison:
    """Result of the last comparison of all subscriptions."""

    at: datetime | None = None
    """When it ended; None if there was none yet."""
    differed: int = 0


@dataclass(frozen=True)
class GrantOrder:
    """A network's grant, which the accounts of `channel` use."""

    user_id: UUID
    grant_id: UUID
    channel: str
    address: str = ""
    """Web address of its accounts' page in the app, for operators."""
    max_events: int = 250


@dataclass(frozen=True)
class FeedOrder:
    """A feed of a topic tree. `address`: of the tree's page in the app, for operators."""

    user_id: UUID
    feed_id: UUID
    address: str = ""
    max_events: int = 250


@dataclass(frozen=True)
class MailOrder:
    mail_id: UUID


@dataclass(frozen=True)
class MailResult:
    state: str
