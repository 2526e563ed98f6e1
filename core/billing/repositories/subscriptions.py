from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import DateTime, cast, delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.billing.rules import NOT_BEGUN, StripeStatus
from core.billing.tables import StripeEvent, StripePrice, SubscriptionRow
from core.clock import utcnow
from core.errors import NotFound
from core.notifications.rules import NotificationKind
from core.notifications.tables.notifications import Notification
from core.users.tables.users import User

NEW_STRIPE_EVENT: Final = "postloom_stripe_events"
"""The channel on which a worker listens."""

_STATUS: Final = SubscriptionRow.paid["status"].astext
_ENDED_BY_HAND: Final = or_(
    SubscriptionRow.paid["cancel_at_period_end"].astext == "true", SubscriptionRow.paid["cancel_at"].astext.is_not(None)
)


class SubscriptionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def of(self, user_id: UUID) -> SubscriptionRow | None:
        rows = await self.session.scalars(select(SubscriptionRow).where(SubscriptionRow.user_id == user_id))
        return rows.one_or_none()

    async def with_time_zone(self, user_id: UUID) -> tuple[SubscriptionRow | None, str]:
        """Return the row, and the time zone of the user's months. Raise NotFound."""
        rows = await self.session.execute(
            select(SubscriptionRow, User.time_zone)
            .select_from(User)
            .outerjoin(SubscriptionRow, SubscriptionRow.user_id == User.id)
            .where(User.id == user_id)
        )
        if (row := rows.one_or_none()) is None:
            raise NotFound(what="user", id=str(user_id))
        return row[0], row[1]

    async def held(self, user_id: UUID) -> SubscriptionRow:
        """Return the row, locked until this transaction ends; create it if missing."""
        held = (
            select(SubscriptionRow)
            .where(SubscriptionRow.user_id == user_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        if row := (await self.session.scalars(held)).one_or_none():
            return row
        now = utcnow()
        statement = insert(SubscriptionRow).values(
            user_id=user_id, checkout_number=0, had_one=False, fetches=0, created_at=now, updated_at=now
        )
        await self.session.execute(statement.on_conflict_do_nothing())
        return (await self.session.scalars(held)).one()

    async def maybe_ended(self) -> Sequence[UUID]:
        """Return users whose subscription may have ended without being marked as locked."""
        rows = await self.session.scalars(
            select(SubscriptionRow.user_id).where(
                SubscriptionRow.locked_at.is_(None),
                _STATUS.not_in((StripeStatus.trialing, StripeStatus.active, *NOT_BEGUN)),
            )
        )
        return rows.all()

    async def trials_ending(self, now: datetime, until: datetime) -> Sequence[UUID]:
        """Return users whose trial ends by then, who have not canceled and were not notified yet."""
        ends = cast(SubscriptionRow.paid["trial_end"].astext, DateTime(timezone=True))
        was_notified = exists().where(
            Notification.user_id == SubscriptionRow.user_id,
            Notification.kind == NotificationKind.trial_ending,
            Notification.cause == SubscriptionRow.paid["id"].astext,
        )
        rows = await self.session.scalars(
            select(SubscriptionRow.user_id).where(
                StripeStatus.trialing == _STATUS, ends > now, ends <= until, ~_ENDED_BY_HAND, ~was_notified
            )
        )
        return rows.all()

    async def user_of(self, customer_id: str) -> UUID | None:
        return await self.session.scalar(
            select(SubscriptionRow.user_id).where(SubscriptionRow.customer_id == customer_id)
        )

    async def customers(self, after: UUID | None, limit: int) -> Sequence[UUID]:
        """Return users with a Stripe customer, in the order of their ids."""
        query = select(SubscriptionRow.user_id).where(SubscriptionRow.customer_id.is_not(None))
        if after:
            query = query.where(SubscriptionRow.user_id > after)
        rows = await self.session.scalars(query.order_by(SubscriptionRow.user_id).limit(limit))
        return rows.all()


class PriceRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def of(self, price_id: str) -> StripePrice | None:
        rows = await self.session.scalars(select(StripePrice).where(StripePrice.id == price_id))
        return rows.one_or_none()

    async def keep(self, price_id: str, price: dict[str, Any]) -> None:
        values = {"price": price, "fetched_at": utcnow()}
        statement = insert(StripePrice).values(id=price_id, **values)
        await self.session.execute(statement.on_conflict_do_update(index_elements=[StripePrice.id], set_=values))


class StripeEventRepository:
    """Events belong to the customer's user and are shown to nobody."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def keep(self, id: str, type: str, customer_id: str | None, created_at: datetime) -> bool:
        """Store the event and wake a worker when this transaction commits. Return whether it is new."""
        event = {
            "id": id,
            "type": type[:100],
            "customer_id": customer_id,
            "created_at": created_at,
            "received_at": utcnow(),
            "attempts": 0,
        }
        saved = await self.session.scalar(
            insert(StripeEvent).values(event).on_conflict_do_nothing().returning(StripeEvent.id)
        )
        if saved is None:
            return False
        await self.session.execute(select(func.pg_notify(NEW_STRIPE_EVENT, "")))
        return True

    async def open(self, limit: int) -> Sequence[StripeEvent]:
        """Return unprocessed events, those with fewest attempts first, then the oldest."""
        query = select(StripeEvent).where(StripeEvent.processed_at.is_(None))
        rows = await self.session.scalars(query.order_by(StripeEvent.attempts, StripeEvent.received_at).limit(limit))
        return rows.all()

    async def forget(self, customer_id: str) -> None:
        """Delete all events of a customer."""
        await self.session.execute(delete(StripeEvent).where(StripeEvent.customer_id == customer_id))

    async def forget_older(self, moment: datetime) -> None:
        """Delete events processed before that time."""
        await self.session.execute(delete(StripeEvent).where(StripeEvent.processed_at < moment))

    async def processed(self, ids: Sequence[str], outcome: str) -> None:
        await self.session.execute(
            update(StripeEvent).where(StripeEvent.id.in_(ids)).values(processed_at=utcnow(), outcome=outcome)
        )

    async def failed(self, ids: Sequence[str], code: str) -> None:
        await self.session.execute(
            update(StripeEvent).where(StripeEvent.id.in_(ids)).values(attempts=StripeEvent.attempts + 1, outcome=code)
        )
