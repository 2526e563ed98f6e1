"""What goes into workflows and comes out of them: one frozen dataclass per message, ids only.

In a module of their own because it is passed through the sandbox: making a dataclass takes a millisecond, and a
workflow's own module is loaded anew for every instance. New fields have defaults, so that stored histories replay.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from core.domain.schedules import Outage, Schedule, Stretch


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


@dataclass(frozen=True)
class RunResult:
    state: str
    reason: str = ""


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
class MailOrder:
    mail_id: UUID


@dataclass(frozen=True)
class MailResult:
    state: str
