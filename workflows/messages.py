"""What goes into workflows and comes out of them: one frozen dataclass per message, ids only.

In a module of their own because it is passed through the sandbox: making a dataclass takes a millisecond, and a
workflow's own module is loaded anew for every instance. New fields have defaults, so that stored histories replay.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from activities.drafting import DeliveryRef
from core.assistants.rules.planning import Outage, Stretch
from core.assistants.rules.schedules import Schedule


@dataclass(frozen=True)
class Setup:
    """What of the configuration its timer needs. `version` is the row's: an older one never wins."""

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
    """For the operator's title alone: the server forgets a static summary when a workflow continues as new."""
    since: datetime | None = None
    """When this schedule and `active` began: no slot up to then is its concern. None for a row from before it was
    kept."""
    former: tuple[Stretch, ...] = ()
    """What applied before, as far as the workflow may not have heard of it."""
    paused: bool = False
    """It stays, and begins nothing. Where the pause has an end, `since` is that: the schedule applies from then on."""
    paused_until: datetime | None = None
    pause_reason: str = ""
    """An error code, where it paused itself."""
    address: str = ""
    """Of its page in the app, for operators."""
    paused_since: datetime | None = None
    """For operators, too."""

    @property
    def posts(self) -> bool:
        """Whether there is anything to post from `since` on."""
        return self.active and (not self.paused or self.paused_until is not None)

    def pauses(self, now: datetime) -> bool:
        return self.paused and (self.paused_until is None or now < self.paused_until)


@dataclass(frozen=True)
class AssistantState:
    """What it carries from run to run: ids and the setup, nothing that grows. `cursor` is the last slot decided."""

    user_id: UUID
    assistant_id: UUID
    setup: Setup
    cursor: datetime
    revision: int = 0
    max_events: int = 250
    outages: tuple[Outage, ...] = ()
    """Missed slots that are not in the database yet, oldest first."""
    replaced: tuple[Outage, ...] = ()
    """What ended stretches may have missed; the next plan says of which there is a slot."""
    skipped: tuple[datetime, ...] = ()
    """Coming slots that a person has left out; a past one is forgotten."""


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
    """Of its assistant's page in the app, for operators."""
    assistant: str = ""
    """Its name, for operators too."""


@dataclass(frozen=True)
class RunNow:
    """`request_id` is the client's: asked again with the same, it is the same run."""

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
    """`undo_until`: when the slot's run would have begun; None where it had, and was ended."""

    slot: datetime
    undo_until: datetime | None = None


@dataclass(frozen=True)
class RunResult:
    """`reason`: an error code, where there is one."""

    state: str
    reason: str = ""
    post_id: UUID | None = None


@dataclass(frozen=True)
class PostOrder:
    """A post that is to go out without a run: by a person's hand, or after its run has ended."""

    user_id: UUID
    post_id: UUID
    arm_seconds: int = 15
    arm_spread_seconds: int = 60
    stage_ahead_seconds: int = 600
    address: str = ""
    """Of its page in the app, for operators."""


@dataclass(frozen=True)
class PostResult:
    """`reason`: an error code, where there is one."""

    status: str
    reason: str = ""


@dataclass(frozen=True)
class MoveOrder:
    """`version` is the post's with this change; an older one never wins."""

    planned_at: datetime
    version: int


@dataclass(frozen=True)
class CancelOrder:
    version: int


@dataclass(frozen=True)
class Decision:
    """A person has decided about the content of that hash: its row says how."""

    content_hash: str
    version: int


@dataclass(frozen=True)
class RetryOrder:
    """Deliveries that are to be tried again, at `planned_at`."""

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
    """Of all subscriptions, the last one."""

    at: datetime | None = None
    """When it ended; None: there was none yet."""
    differed: int = 0


@dataclass(frozen=True)
class GrantOrder:
    """What a person has let us do at a network, and by which the accounts of `channel` post."""

    user_id: UUID
    grant_id: UUID
    channel: str
    address: str = ""
    """Of the page of its accounts in the app, for operators."""
    max_events: int = 250


@dataclass(frozen=True)
class MailOrder:
    mail_id: UUID


@dataclass(frozen=True)
class MailResult:
    state: str
