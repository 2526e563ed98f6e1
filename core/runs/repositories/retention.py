"""Remove old evidence of all users, in portions, and keep the sums that pages show."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

from sqlalchemy import ColumnElement, Text, column, delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.repositories.transaction_lists import CAUSE_OF_CALL
from core.ai.tables.transactions import CallOutcome, Transaction, UsageSum
from core.assistants.rules.assistants import OPEN_RUNS
from core.assistants.tables import Assistant
from core.deliveries.tables.deliveries import Delivery
from core.deliveries.tables.delivery_log import DeliveryEntry
from core.posts.rules.posts import FINAL
from core.runs.tables import Run, RunStep, TextVersion
from core.users.tables.users import User

_ENDED = Transaction.outcome != CallOutcome.calling
_NOON = timedelta(hours=12)


class RetentionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def fold_runs(self, before: datetime, limit: int) -> int:
        """Remove the steps, texts and model calls of runs that finished `before`. The runs stay, with what lists show
        of these. Return the number of runs."""
        is_calling = select(Transaction.id).where(Transaction.run_id == Run.id, ~_ENDED)
        found = await self.session.execute(
            select(Run.id, Run.user_id, Run.assistant_id)
            # one is open again while what a person has sent of it since is being delivered
            .where(Run.totals.is_(None), Run.finished_at < before, Run.state.not_in(OPEN_RUNS), ~is_calling.exists())
            .order_by(Run.finished_at)
            .limit(limit)
        )
        rows = found.all()
        await self._lock_owners({row.user_id for row in rows}, {row.assistant_id for row in rows})
        locked = await self.session.scalars(
            select(Run.id)
            .where(Run.id.in_([row.id for row in rows]), Run.totals.is_(None), Run.state.not_in(OPEN_RUNS))
            .with_for_update(skip_locked=True)
        )
        ids = locked.all()
        if not ids:
            return 0
        attempts = select(func.max(RunStep.attempt)).where(RunStep.run_id == Run.id).scalar_subquery()
        totals = func.jsonb_build_object("attempts", attempts, "spent", _spent_by_run())
        await self.session.execute(
            update(Run)
            .where(Run.id.in_(ids))
            .values(totals=totals, updated_at=Run.updated_at)
            .execution_options(synchronize_session=False)
        )
        await self._sum_up(Transaction.run_id.in_(ids))
        for table in (RunStep, TextVersion):
            await self.session.execute(delete(table).where(table.run_id.in_(ids)))
        return len(ids)

    async def sum_up_calls(self, before: datetime, limit: int) -> int:
        """Sum up and remove model calls from `before` that belong to no run. Return their number."""
        found = await self.session.execute(
            select(Transaction.id, Transaction.user_id, Transaction.assistant_id)
            .where(Transaction.run_id.is_(None), Transaction.created_at < before, _ENDED)
            .limit(limit)
        )
        rows = found.all()
        await self._lock_owners(
            {row.user_id for row in rows}, {row.assistant_id for row in rows if row.assistant_id is not None}
        )
        locked = await self.session.scalars(
            select(Transaction.id).where(Transaction.id.in_([row.id for row in rows])).with_for_update(skip_locked=True)
        )
        ids = locked.all()
        if ids:
            await self._sum_up(Transaction.id.in_(ids))
        return len(ids)

    async def delete_entries(self, before: datetime, limit: int) -> int:
        """Remove exchanges with networks from `before`, of deliveries that are final. Return their number."""
        old = (
            select(DeliveryEntry.id)
            .join(Delivery, Delivery.id == DeliveryEntry.delivery_id)
            .where(DeliveryEntry.at < before, Delivery.state.in_(FINAL))
            .limit(limit)
            .with_for_update(skip_locked=True, of=DeliveryEntry)
        )
        gone = await self.session.scalars(
            delete(DeliveryEntry)
            .where(DeliveryEntry.id.in_(old))
            .returning(DeliveryEntry.id)
            .execution_options(synchronize_session=False)
        )
        return len(gone.all())

    async def _lock_owners(self, user_ids: Collection[UUID], assistant_ids: Collection[UUID]) -> None:
        """Lock the users and the assistants that the sums will refer to, before their runs and calls, as the deletion
        of an account or an assistant does: another order would deadlock."""
        for table, ids in ((User, user_ids), (Assistant, assistant_ids)):
            await self.session.execute(
                select(table.id).where(table.id.in_(ids)).order_by(table.id).with_for_update(read=True, key_share=True)
            )

    async def _sum_up(self, which: ColumnElement[bool]) -> None:
        """Remove the calls, and add them to the sums of their users' days, in one statement."""
        gone = (
            delete(Transaction)
            .where(which, _ENDED)
            .returning(*Transaction.__table__.c, CAUSE_OF_CALL.label("cause"))
            .cte("gone")
        )
        calls = gone.c
        # PostgreSQL may lack a zone that Python has
        known = select(column("name", Text)).select_from(text("pg_timezone_names")).subquery("known")
        zone = func.coalesce(known.c.name, "UTC")
        local_day = func.date_trunc("day", func.timezone(zone, calls.created_at))
        noon = func.timezone(zone, local_day + _NOON)
        kind = (calls.type, calls.outcome, calls.cause, calls.provider, calls.model, calls.assistant_id, calls.currency)
        keys = (calls.user_id, noon, *kind, calls.cost_micros.is_(None))
        unknown = or_(calls.input_tokens.is_(None), calls.output_tokens.is_(None))
        sums = (
            func.count(),
            func.coalesce(func.sum(calls.input_tokens), 0),
            func.coalesce(func.sum(calls.cached_tokens), 0),
            func.coalesce(func.sum(calls.output_tokens), 0),
            func.sum(calls.images),
            func.coalesce(func.sum(calls.cost_micros), 0),
            func.count().filter(unknown),
            func.count().filter(calls.cost_micros.is_(None)),
        )
        names = ("user_id", "at", "type", "outcome", "cause", "provider", "model", "assistant_id", "currency")
        figures = ("calls", "input_tokens", "cached_tokens", "output_tokens", "images", "cost_micros", "uncounted")
        await self.session.execute(
            insert(UsageSum).from_select(
                ["id", *names, *figures, "unpriced"],
                select(func.gen_random_uuid(), *keys[:-1], *sums)
                .join(User, User.id == calls.user_id)
                .outerjoin(known, known.c.name == User.time_zone)
                .group_by(*keys),
            )
        )


def _spent_by_run() -> ColumnElement[dict[str, object] | None]:
    """Return the spending of the run's calls as `RunSpending` has it; NULL without a call."""
    return (
        select(
            func.jsonb_build_object(
                "input_tokens",
                func.sum(Transaction.input_tokens),
                "output_tokens",
                func.sum(Transaction.output_tokens),
                "cost_micros",
                func.sum(Transaction.cost_micros),
                "known",
                func.bool_and(Transaction.cost_micros.is_not(None)),
                "currency",
                func.min(Transaction.currency),
            )
        )
        .where(Transaction.run_id == Run.id, _ENDED)
        .having(func.count() > 0)
        .scalar_subquery()
    )
