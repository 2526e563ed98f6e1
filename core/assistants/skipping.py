"""Skip the next slot of an assistant, and undo that. Rows decide which slot is next."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.repository import AssistantRepository
from core.assistants.rules.occurrences import upcoming
from core.assistants.rules.planning import preparation_start
from core.assistants.rules.schedules import Schedule
from core.database import Sessions, notify_browsers
from core.database_clock import database_now
from core.errors import Conflict, ErrorCode
from core.live import LiveKind
from core.runs.outcomes import end_unpublished, is_in_flight
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run

# maximum of slots searched for one that is not skipped
_MAX_SLOTS, _AT_ONCE = 100, 25


class SlotOrder(Protocol):
    @property
    def user_id(self) -> UUID: ...
    @property
    def assistant_id(self) -> UUID: ...
    @property
    def slot(self) -> datetime: ...
    @property
    def schedule(self) -> Schedule | None: ...
    @property
    def after(self) -> datetime: ...
    @property
    def lead_seconds(self) -> int: ...
    @property
    def jitter_window_seconds(self) -> int: ...


async def next_slot(
    session: AsyncSession, user_id: UUID, assistant_id: UUID, coming: Iterator[datetime]
) -> tuple[datetime, Run | None] | None:
    """Return the earliest slot that is not published, with its run if that has begun. `coming` are the schedule's
    coming slots. Runs on request are not counted. None: there is none."""
    runs = RunRepository(session)
    prepared = await runs.first_open(user_id, assistant_id)
    for _ in range(_MAX_SLOTS // _AT_ONCE):
        slots = list(islice(coming, _AT_ONCE))
        by_slot = await runs.by_slot(user_id, assistant_id, slots)
        slot = next((at for at in slots if at not in by_slot or by_slot[at].is_open), None)
        if slot is not None:
            return (prepared.slot, prepared) if prepared and prepared.slot <= slot else (slot, by_slot.get(slot))
        if not slots:
            break
    return (prepared.slot, prepared) if prepared else None


@dataclass(frozen=True)
class SlotSkipService:
    sessions: Sessions

    async def skip(self, order: SlotOrder) -> datetime | None:
        """Skip the slot. Return until when that can be undone: when its run would have begun; None if it had begun, and
        is ended by this.

        Idempotent. Raises Conflict: skip_not_next with the actual next slot, nothing_to_skip, run_armed while it is
        being published; NotFound.
        """
        user_id, assistant_id, slot = order.user_id, order.assistant_id, order.slot
        async with self.sessions.begin() as session:
            assistants, runs = AssistantRepository(session), RunRepository(session)
            await assistants.lock(user_id, assistant_id)
            had = (await runs.by_slot(user_id, assistant_id, [slot])).get(slot)
            if had and had.reason == ErrorCode.skipped_by_hand:
                return None if had.stored_setup else self._run_start(order)
            after = max(order.after, await database_now(session))
            coming = upcoming(order.schedule, after) if order.schedule else iter(())
            next_run = await next_slot(session, user_id, assistant_id, coming)
            if next_run is None:
                raise Conflict(ErrorCode.nothing_to_skip)
            right, run = next_run
            if right != slot:
                raise Conflict(ErrorCode.skip_not_next, slot=right.isoformat())
            if run is None:
                await runs.skip(user_id, assistant_id, slot)
            elif await is_in_flight(session, user_id, run.id):
                raise Conflict(ErrorCode.run_armed)
            else:
                await end_unpublished(session, user_id, run.id, ErrorCode.skipped_by_hand)
            await notify_browsers(session, user_id, LiveKind.assistant, assistant_id)
        return None if run else self._run_start(order)

    async def unskip(self, order: SlotOrder) -> None:
        """Undo the skip. Idempotent. Raises Conflict (undo_expired) once its run would have begun; NotFound."""
        user_id, assistant_id = order.user_id, order.assistant_id
        async with self.sessions.begin() as session:
            assistants = AssistantRepository(session)
            await assistants.lock(user_id, assistant_id)
            if self._run_start(order) <= await database_now(session):
                raise Conflict(ErrorCode.undo_expired)
            await RunRepository(session).unskip(user_id, assistant_id, order.slot)
            await notify_browsers(session, user_id, LiveKind.assistant, assistant_id)

    def _run_start(self, order: SlotOrder) -> datetime:
        return preparation_start(order.slot, order.lead_seconds, order.jitter_window_seconds, order.assistant_id)
