"""Write the state of workflows to rows for the browser, and notify browsers."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice
from typing import Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.pausing import pause_if_failing
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import FAILURES, AssistantPhase, RunState, unpublished_state
from core.assistants.rules.planning import Outage, missed_slots
from core.billing.entitlements import Entitlements
from core.billing.rules import Limit
from core.clock import utcnow
from core.database import Sessions, notify_browsers, notify_browsers_of_all
from core.errors import ErrorCode
from core.live import LiveKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import OPEN_DELIVERIES, status_of
from core.runs.outcomes import close_delivery, end_unpublished, notify_outcome, unfinished_code
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import run_state_of

# PostgreSQL accepts 65,535 parameters, and other writers get their turn in between
_BATCH = 1000
_NOTIFIED_PAUSE = timedelta(minutes=1)
"""Planning failures are notified once the pause before the next try is this long."""


class AssistantView(Protocol):
    """The state of an assistant's workflow at one revision."""

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
class RunEnd:
    """How a run ended. `reason` is an error code or ""."""

    state: RunState
    reason: str


@dataclass(frozen=True)
class ProjectingService:
    sessions: Sessions
    entitlements: Entitlements

    async def project_assistant(self, view: AssistantView) -> None:
        """Write the workflow's state to the assistant's row, unless a newer revision is there."""
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
                await self._notify_planning(session, view)
            await notify_browsers(session, view.user_id, LiveKind.assistant, view.assistant_id)

    async def _notify_planning(self, session: AsyncSession, view: AssistantView) -> None:
        """Notify the owner once planning keeps failing, and mark the notification as read when it works again."""
        notifying, about = NotifyingService(session), About(assistant_id=view.assistant_id)
        if view.phase is not AssistantPhase.planning_failed:
            await notifying.resolve(view.user_id, about, NotificationKind.planning_failed)
            return
        if view.retry_at is None or view.retry_at - utcnow() < _NOTIFIED_PAUSE:
            return
        row = (await AssistantRepository(session).get(view.user_id, view.assistant_id)).row
        cause = f"{row.id}:{row.version}"
        if user := await notifying.notify(view.user_id, NotificationKind.planning_failed, cause, about):
            params = {"assistant_id": str(row.id), "assistant": row.name}
            await notifying.enqueue_mail(user, MailKind.planning_failed, params)

    async def record_missed_slots(self, user_id: UUID, assistant_id: UUID, outage: Outage) -> None:
        """Insert a missed run for each slot of the outage, committed in batches. Does nothing if the assistant was
        deleted meanwhile."""
        coming = missed_slots(outage)
        while slots := list(islice(coming, _BATCH)):
            async with self.sessions.begin() as session:
                if not await AssistantRepository(session).prevent_deletion(user_id, assistant_id):
                    return
                await RunRepository(session).record_missed(user_id, assistant_id, slots, ErrorCode.missed_outage)
                await notify_browsers(session, user_id, LiveKind.assistant, assistant_id)

    async def finish(
        self, user_id: UUID, run_id: UUID, post_id: UUID | None = None, followed: int | None = None
    ) -> RunEnd:
        """Set the final state of run and post from the deliveries, and close open ones: no workflow would do so later.
        If the post has changed since version `followed`, they stay open: the post's own workflow delivers them, and
        until then the run is publishing.

        `post_id` finds the post of a run whose row was deleted with its assistant.
        """
        async with self.sessions() as session:
            posts = PostRepository(session)
            found = await posts.find_by_run(user_id, run_id) or (post_id and await posts.find(user_id, post_id)) or None
        async with self.sessions.begin() as session:
            posts = PostRepository(session)
            post = await posts.lock_with_deliveries(user_id, found.id, deleted=True) if found else None
            if post and (followed is None or post.version <= followed):
                for delivery in post.deliveries:
                    close_delivery(delivery, unfinished_code(post))
            states = [delivery.state for delivery in post.deliveries] if post else []
            reason = next(
                (delivery.error_code for delivery in (post.deliveries if post else []) if delivery.error_code), None
            )
            if post:
                post.status = status_of(states)
                await notify_outcome(session, post)
            goes_on = any(state in OPEN_DELIVERIES for state in states)
            state = RunState.publishing if goes_on else run_state_of(states)
            if state is RunState.missed and (already := await RunRepository(session).missed_reason(user_id, run_id)):
                state, reason = (
                    unpublished_state(already),
                    already,
                )  # a person has ended the run before its workflow did
            reason = None if goes_on or state is RunState.published else reason
            await RunRepository(session).set_state(user_id, run_id, state, reason=reason, ended=True)
            changed = [(LiveKind.run, run_id), *([(LiveKind.post, post.id)] if post else [])]
            await notify_browsers_of_all(session, [(user_id, kind, id) for kind, id in changed])
        if state is RunState.failed:
            await pause_if_failing(self.sessions, user_id, run_id)
        return RunEnd(state, reason or "")

    async def fail(self, user_id: UUID, run_id: UUID, code: str) -> RunState:
        """End the run unpublished. Return its state as `end_unpublished`."""
        async with self.sessions.begin() as session:
            state = await end_unpublished(session, user_id, run_id, code)
            if code == ErrorCode.subscription_required:
                await self._notify_post_limit(session, user_id, run_id)
        if state in FAILURES:
            await pause_if_failing(self.sessions, user_id, run_id)
        return state

    async def fail_left(self, user_id: UUID, run_id: UUID) -> bool:
        """Fail a run whose workflow has ended without it. Return False if the run has ended meanwhile."""
        async with self.sessions.begin() as session:
            await PostRepository(session).lock_by_run(user_id, run_id)  # before its run, as arming does
            if await RunRepository(session).lock_unfinished(user_id, run_id) is None:
                return False
            state = await end_unpublished(session, user_id, run_id, ErrorCode.run_ended)
        if state in FAILURES:
            await pause_if_failing(self.sessions, user_id, run_id)
        return True

    async def _notify_post_limit(self, session: AsyncSession, user_id: UUID, run_id: UUID) -> None:
        """Notify the user of their limit. The transaction that refused the run was rolled back, with its notification.
        Limits of model costs are notified by each call."""
        run = await RunRepository(session).get(user_id, run_id)
        allowance = await self.entitlements.look(session, user_id, Limit.published_posts)
        if allowance and await allowance.run_refusal(run.slot, run_id, has_begun=False):
            await allowance.tell(run.slot)
