"""The last 14 days of `make demo`: published posts, one failed delivery, and one with an unknown outcome."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, DateTime, and_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.tables.transactions import Transaction
from core.assistants.configuration import schedule_from_json
from core.assistants.repository import FullAssistant
from core.assistants.rules.assistants import Mode
from core.assistants.rules.occurrences import upcoming
from core.clock import utcnow
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import run_id, run_workflow
from core.media.tables import Media
from core.notifications.tables.notifications import Notification
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run, RunStep
from core.tables import Base

FORTNIGHT: Final = timedelta(days=14)
# positions counted from the newest post: near the top of the list, where users see them
_UNKNOWN, _FAILED = 2, 4
_SLOT_COLUMNS: Final = frozenset({"planned_at", "slot"})
"""Columns set to the slot itself instead of being shifted."""


async def write_history(services: Services, assistants: Sequence[FullAssistant]) -> int:
    """Make the posts of the last 14 days with the steps of a run, and backdate them. Return how many.

    Assistants with approval get none: nobody has approved anything.
    """
    now = utcnow()
    automatic = [full for full in assistants if full.row.mode is Mode.automatic]
    slots = sorted((slot, full.row.id) for full in automatic for slot in _past_slots(full, now))
    rows = {full.row.id: full.row for full in assistants}
    for number, (slot, assistant_id) in enumerate(slots):
        state = {_UNKNOWN: DeliveryState.unknown, _FAILED: DeliveryState.failed}.get(len(slots) - number)
        await _make_run(services, rows[assistant_id].user_id, rows[assistant_id].id, slot, state)
    return len(slots)


def _past_slots(full: FullAssistant, now: datetime) -> list[datetime]:
    schedule = schedule_from_json(full.row.schedule)
    assert schedule is not None  # demo data always sets one
    return [slot for slot in upcoming(schedule, now - FORTNIGHT, now) if slot < now - timedelta(hours=1)]


async def _make_run(
    services: Services, user_id: UUID, assistant_id: UUID, slot: datetime, outcome: DeliveryState | None
) -> None:
    """Make one run with its post. `outcome`: the state of a delivery that was not published, else None."""

    async def skip_wait() -> None:
        return

    # due now: a late run would be skipped
    due = utcnow()
    name = run_workflow(assistant_id, slot)
    run = run_id(name)
    started = await services.drafting.begin(user_id, assistant_id, run, name, due)
    await services.drafting.write(user_id, run, 1)
    if started.wants_image:
        await services.imaging.make(user_id, run, 1)
    checked = await services.drafting.check(user_id, run)
    for delivery_id, *_ in checked.deliveries:
        if outcome is None:
            await services.delivering.deliver(user_id, delivery_id, wait=skip_wait)
        else:
            await _end_delivery(services, delivery_id, outcome)
    await services.projecting.finish(user_id, run)
    async with services.sessions.begin() as session:
        await _backdate_run(session, user_id, run, slot, slot - due)


async def _end_delivery(services: Services, delivery_id: UUID, state: DeliveryState) -> None:
    failed = state is DeliveryState.failed
    async with services.sessions.begin() as session:
        delivery = await session.get_one(Delivery, delivery_id)
        delivery.state, delivery.attempts, delivery.called_at = state, 1, utcnow()
        delivery.error_code = ErrorCode.delivery_refused if failed else ErrorCode.delivery_unknown
        delivery.error_detail = "The image could not be processed." if failed else None
        delivery.settled_at = utcnow() if failed else None


async def _backdate_run(session: AsyncSession, user_id: UUID, run: UUID, slot: datetime, shift: timedelta) -> None:
    """Shift all timestamps of the run and its rows to the time of its slot."""
    posts = select(Post.id).where(Post.user_id == user_id, Post.run_id == run).scalar_subquery()
    made: dict[type[Base], ColumnElement[bool]] = {
        Run: and_(Run.user_id == user_id, Run.id == run),
        RunStep: RunStep.run_id == run,
        Transaction: and_(Transaction.user_id == user_id, Transaction.run_id == run),
        Delivery: Delivery.post_id.in_(posts),
        Media: Media.id.in_(select(PostFile.media_id).where(PostFile.post_id.in_(posts))),
        Notification: and_(Notification.user_id == user_id, Notification.post_id.in_(posts)),
        Post: Post.id.in_(posts),
    }
    for table, of_run in made.items():
        moments = [one for one in table.__table__.columns if isinstance(one.type, DateTime)]
        await session.execute(
            update(table)
            .where(of_run)
            .values({one.key: slot if one.key in _SLOT_COLUMNS else one + shift for one in moments}),
            execution_options={"synchronize_session": False},
        )
