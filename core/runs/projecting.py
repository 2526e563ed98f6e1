"""What the browser sees of workflows: rows, and a notice that they changed."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.pausing import pause_if_it_keeps_failing
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import FAILURES, AssistantPhase, RunState, given_up
from core.assistants.rules.planning import Outage, missed_slots
from core.billing.entitlements import Allowing
from core.billing.rules import Limit
from core.clock import utcnow
from core.database import Sessions, notify_browsers, notify_browsers_of_all
from core.errors import ErrorCode
from core.live import LiveKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.notifications.tables.mails import MailKind
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import status_of
from core.runs.outcomes import close, give_up, tell_how_it_ended
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import run_state_of

# rows of one statement: PostgreSQL takes 65,535 parameters, and other writers get their turn in between
_PORTION = 1000
_LASTS = timedelta(minutes=1)
"""The pause before the next try from which on planning has failed for longer than a moment."""


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
class Ended:
    """How a run ended. `reason`: an error code, or nothing."""

    state: RunState
    reason: str


@dataclass(frozen=True)
class ProjectingService:
    sessions: Sessions
    allowing: Allowing

    async def assistant(self, view: AssistantView) -> None:
        async with self.sessions.begin() as session:
            before = await AssistantRepository(session).project(
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
            if AssistantPhase.planning_failed in (view.phase, before):
                await self._tell_of_planning(session, view)
            await notify_browsers(session, view.user_id, LiveKind.assistant, view.assistant_id)

    async def _tell_of_planning(self, session: AsyncSession, view: AssistantView) -> None:
        """What one more try may mend is nobody's news: the pauses between tries grow."""
        notifying, about = NotifyingService(session), About(assistant_id=view.assistant_id)
        if view.phase is not AssistantPhase.planning_failed:
            await notifying.over(view.user_id, about, NotificationKind.planning_failed)
            return
        if view.retry_at is None or view.retry_at - utcnow() < _LASTS:
            return
        row = (await AssistantRepository(session).get(view.user_id, view.assistant_id)).row
        cause = f"{row.id}:{row.version}"
        if user := await notifying.tell(view.user_id, NotificationKind.planning_failed, cause, about):
            params = {"assistant_id": str(row.id), "assistant": row.name}
            await notifying.mail(user, MailKind.planning_failed, params)

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

    async def finish(self, user_id: UUID, run_id: UUID, post_id: UUID | None = None) -> Ended:
        """The final state, from what the ledger says of the deliveries. None stays open: nobody would close it.

        `post_id` finds the post of a run whose row went with its assistant.
        """
        async with self.sessions.begin() as session:
            posts = PostRepository(session)
            post = await posts.of_run(user_id, run_id) or (post_id and await posts.find(user_id, post_id)) or None
            for delivery in post.deliveries if post else []:
                close(delivery, ErrorCode.missed_outage)
            states = [delivery.state for delivery in post.deliveries] if post else []
            reason = next((found.error_code for found in (post.deliveries if post else []) if found.error_code), None)
            if post:
                post.status = status_of(states)
                await tell_how_it_ended(session, post)
            state = run_state_of(states)
            if state is RunState.missed and (already := await RunRepository(session).left_out(user_id, run_id)):
                state, reason = given_up(already), already  # a person was faster than its workflow
            reason = None if state is RunState.published else reason
            await RunRepository(session).set_state(user_id, run_id, state, reason=reason)
            changed = [(LiveKind.run, run_id), *([(LiveKind.post, post.id)] if post else [])]
            await notify_browsers_of_all(session, [(user_id, kind, id) for kind, id in changed])
        if state is RunState.failed:
            await pause_if_it_keeps_failing(self.sessions, user_id, run_id)
        return Ended(state, reason or "")

    async def fail(self, user_id: UUID, run_id: UUID, code: str) -> RunState:
        """The run ends without going out, with its reason. Returns its state: missed where it was too late, skipped
        where it may not spend more or a person ended it, else failed, or what a delivery says that was called for after
        all."""
        async with self.sessions.begin() as session:
            state = await give_up(session, user_id, run_id, code)
            if code == ErrorCode.subscription_required:
                await self._tell_of_posts(session, user_id, run_id)
        if state in FAILURES:
            await pause_if_it_keeps_failing(self.sessions, user_id, run_id)
        return state

    async def _tell_of_posts(self, session: AsyncSession, user_id: UUID, run_id: UUID) -> None:
        """Whoever refused it could not say so: its transaction is undone. Of the cost of models, each call does."""
        run = await RunRepository(session).get(user_id, run_id)
        allowance = await self.allowing.look(session, user_id, Limit.published_posts)
        if allowance and await allowance.run_refusal(run.slot, run_id, has_begun=False):
            await allowance.tell(run.slot)
