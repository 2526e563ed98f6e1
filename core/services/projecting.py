"""What the browser sees of workflows: rows, and a notice that they changed."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Protocol
from uuid import UUID

from core.database import Sessions, notify_browsers
from core.domain.assistants import AssistantPhase, RunState, StepState, given_up
from core.domain.errors import ErrorCode
from core.domain.live import LiveKind
from core.domain.posts import FINAL, DeliveryState, PostStatus, status_of
from core.domain.runs import run_state_of
from core.domain.schedules import Outage, missed_slots
from core.models import Delivery
from core.models.base import utcnow
from core.repositories.assistants import AssistantRepository
from core.repositories.posts import PostRepository
from core.repositories.runs import RunRepository
from core.services.model_calls import record_lost_calls
from core.services.model_steps import causes_of

# rows of one statement: PostgreSQL takes 65,535 parameters, and other writers get their turn in between
_PORTION = 1000


class AssistantView(Protocol):
    """The picture of an assistant at one revision."""

    @property
    def user_id(self) -> UUID: ...
    @property
    def assistant_id(self) -> UUID: ...
    @property
    def phase(self) -> AssistantPhase: ...
    @property
    def revision(self) -> int: ...
    @property
    def applied_version(self) -> int: ...
    @property
    def cursor(self) -> datetime: ...
    @property
    def next_slot(self) -> datetime | None: ...
    @property
    def next_start(self) -> datetime | None: ...
    @property
    def rules(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def retry_at(self) -> datetime | None: ...


@dataclass(frozen=True)
class ProjectingService:
    sessions: Sessions

    async def assistant(self, view: AssistantView) -> None:
        async with self.sessions.begin() as session:
            await AssistantRepository(session).project(
                view.user_id,
                view.assistant_id,
                phase=view.phase,
                revision=view.revision,
                applied_version=view.applied_version,
                cursor=view.cursor,
                next_slot=view.next_slot,
                next_start=view.next_start,
                rules=view.rules,
                reason=view.reason or None,
                retry_at=view.retry_at,
                now=utcnow(),
            )
            await notify_browsers(session, view.user_id, LiveKind.assistant, view.assistant_id)

    async def missed(self, user_id: UUID, assistant_id: UUID, outage: Outage) -> None:
        """A run with its reason for each slot of the outage, in portions that are seen as they come.

        An assistant deleted meanwhile has no slots to answer for: nothing is written.
        """
        coming = missed_slots(outage)
        while slots := list(islice(coming, _PORTION)):
            async with self.sessions.begin() as session:
                if not await AssistantRepository(session).held(user_id, assistant_id):
                    return
                await RunRepository(session).record_missed(user_id, assistant_id, slots, ErrorCode.missed_outage)
                await notify_browsers(session, user_id, LiveKind.assistant, assistant_id)

    async def finish(self, user_id: UUID, run_id: UUID) -> RunState:
        """The final state, from what the ledger says of the deliveries. None stays open: nobody would close it."""
        async with self.sessions.begin() as session:
            post = await PostRepository(session).of_run(user_id, run_id)
            for delivery in post.deliveries if post else []:
                _close(delivery, ErrorCode.missed_outage)
            states = [delivery.state for delivery in post.deliveries] if post else []
            reason = next((found.error_code for found in (post.deliveries if post else []) if found.error_code), None)
            if post:
                post.status = status_of(states)
            state = run_state_of(states)
            await RunRepository(session).set_state(
                user_id, run_id, state, reason=None if state is RunState.published else reason
            )
            await notify_browsers(session, user_id, LiveKind.run, run_id)
            if post:
                await notify_browsers(session, user_id, LiveKind.post, post.id)
        return state

    async def fail(self, user_id: UUID, run_id: UUID, code: str) -> RunState:
        """The run ends without going out, with its reason. Returns its state: missed where it was too late,
        skipped where it may not spend more, else failed, or what a delivery says that was called for after all."""
        async with self.sessions.begin() as session:
            runs, posts = RunRepository(session), PostRepository(session)
            state = given_up(code)
            for step in await runs.active_steps(user_id, run_id):
                step.state, step.finished_at, step.facts = StepState.failed, utcnow(), {"code": code}
            post = await posts.of_run(user_id, run_id)
            if post:
                for delivery in post.deliveries:
                    _close(delivery, None)
                states = [delivery.state for delivery in post.deliveries]
                if any(found is not DeliveryState.cancelled for found in states):
                    post.status, state = status_of(states), run_state_of(states)
                else:
                    post.status = PostStatus.failed if state is RunState.failed else PostStatus.draft
                await notify_browsers(session, user_id, LiveKind.post, post.id)
            await runs.set_state(user_id, run_id, state, reason=None if state is RunState.published else code)
            # the run before its calls, as whoever reserves one: another order would be a deadlock
            await record_lost_calls(session, *causes_of(user_id, run_id))
            await notify_browsers(session, user_id, LiveKind.run, run_id)
        return state


def _close(delivery: Delivery, missed: ErrorCode | None) -> None:
    """End what nobody works on any more. One that was called for may have gone out, whatever was written of it."""
    if delivery.state in FINAL or delivery.state is DeliveryState.unknown:
        return
    if delivery.called_at is not None:
        delivery.state, delivery.error_code = DeliveryState.unknown, ErrorCode.delivery_unknown
    elif delivery.error_code:  # its last attempt said why, and no further one came in time
        delivery.state, delivery.settled_at = DeliveryState.failed, utcnow()
    else:
        delivery.state, delivery.error_code, delivery.settled_at = DeliveryState.cancelled, missed, utcnow()
