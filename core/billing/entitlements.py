"""The only module that decides by subscription what a user may do: for assistants that start or resume, model calls,
and posts to publish. Without billing it makes no query.

Active assistants and the cost of models are exact: the transaction locks the user's subscription from the check to
the use. Posts never exceed the limit: a delivery is armed under the same lock and counts from then on. A run reserves
its post under the lock before its first paid step, until it is finished: of two parallel runs for one remaining post,
the second one costs nothing. A post may be refused although one remains: armed deliveries and those of unknown
outcome count as published, even if they fail later. Planning a post by hand only checks without locking, and may pass
in parallel; arming then refuses.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.rules.budgets import month_at
from core.billing.repositories.allowances import AllowanceRepository
from core.billing.repositories.subscriptions import SubscriptionRepository
from core.billing.rules import UNLIMITED, Limit, Limits, Terms, fits, is_unlocked
from core.billing.tables import SubscriptionRow
from core.clock import utcnow
from core.errors import SubscriptionRequired
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind


@dataclass(frozen=True)
class Allowance:
    """One limit of a user, as it applies now."""

    session: AsyncSession
    user_id: UUID
    time_zone: str
    """The time zone of the user's months."""
    limit: Limit
    allowed: int
    subscribed: bool

    async def place_refusal(self, more: int) -> SubscriptionRequired | None:
        """Return the refusal if `more` further assistants may not be active."""
        return self._refusal(await AllowanceRepository(self.session).active_assistants(self.user_id), more)

    async def post_refusal(self, at: datetime, post_id: UUID) -> SubscriptionRequired | None:
        """Return the refusal if the post may not be published in the month of `at`. A post that is published on another
        channel costs nothing more."""
        month = month_at(at, self.time_zone)
        usage = await AllowanceRepository(self.session).posts(self.user_id, month.since, month.until, post_id=post_id)
        return None if usage.counted else self._refusal(usage.others, 1)

    async def run_refusal(self, at: datetime, run_id: UUID, *, has_begun: bool) -> SubscriptionRequired | None:
        """Return the refusal if nothing may be paid for the run's post at `at`. Posts planned before it count first;
        for a run that has not begun, so do all posts that other runs have begun to pay for."""
        month = month_at(at, self.time_zone)
        usage = await AllowanceRepository(self.session).posts(
            self.user_id, month.since, month.until, run_id=run_id, ahead_of=at, in_making=not has_begun
        )
        return None if usage.counted else self._refusal(usage.others, 1)

    async def cost_refusal(self, most_micros: int | None, at: datetime) -> SubscriptionRequired | None:
        """Return the refusal for a call that may cost `most_micros`; None: unknown."""
        month = month_at(at, self.time_zone)
        used = await AllowanceRepository(self.session).cost_micros(self.user_id, month.since, month.until)
        return self._refusal(used, most_micros)

    def _refusal(self, used: int, more: int | None) -> SubscriptionRequired | None:
        if fits(self.allowed, used, more):
            return None
        return SubscriptionRequired(
            limit=self.limit.value, allowed=self.allowed, used=used, subscribed=int(self.subscribed)
        )

    async def tell(self, at: datetime) -> None:
        """Notify the user that the month's limit is reached: once a month, and again if the limit was raised since."""
        month, notifying = month_at(at, self.time_zone), NotifyingService(self.session)
        cause = f"{self.limit}:{month.first}:{self.allowed}"
        if user := await notifying.notify(self.user_id, NotificationKind.allowance_reached, cause, About()):
            params = {
                "limit": self.limit.value,
                "allowed": self.allowed,
                "subscribed": self.subscribed,
                "next_month": month.until.isoformat(),
                "time_zone": self.time_zone,
            }
            await notifying.enqueue_mail(user, MailKind.allowance_reached, params)


@dataclass(frozen=True)
class Entitlements:
    terms: Terms | None
    """None: billing is off."""

    @property
    def asks(self) -> bool:
        """Whether billing is on."""
        return self.terms is not None

    def limits(self, row: SubscriptionRow | None, now: datetime) -> Limits:
        if self.terms is None:
            return UNLIMITED
        return self.terms.plan if self.unlocked(row, now) else self.terms.free

    def unlocked(self, row: SubscriptionRow | None, now: datetime) -> bool:
        """Return whether the plan's limits apply instead of the free ones."""
        if self.terms is None:
            return True
        return row is not None and is_unlocked(
            row.known, now, past_due_since=row.past_due_since, grace=self.terms.grace
        )

    async def look(self, session: AsyncSession, user_id: UUID, limit: Limit) -> Allowance | None:
        """Return the limit as it applies to the user, or None if unlimited."""
        if self._is_off(limit):
            return None
        row, time_zone = await SubscriptionRepository(session).with_time_zone(user_id)
        return self._allowance(session, user_id, time_zone, limit, row)

    async def hold(self, session: AsyncSession, user_id: UUID, limit: Limit) -> Allowance | None:
        """As `look`, and lock the subscription until the transaction ends. Take other locks (assistant, post, delivery)
        afterwards: another order would deadlock."""
        looked = await self.look(session, user_id, limit)
        if looked is None:
            return None
        row = await SubscriptionRepository(session).held(user_id)
        return self._allowance(session, user_id, looked.time_zone, limit, row)

    def _is_off(self, limit: Limit) -> bool:
        """Return whether nobody has this limit."""
        return self.terms is None or (limit.of(self.terms.free) is None and limit.of(self.terms.plan) is None)

    def _allowance(
        self, session: AsyncSession, user_id: UUID, time_zone: str, limit: Limit, row: SubscriptionRow | None
    ) -> Allowance | None:
        now = utcnow()
        allowed = limit.of(self.limits(row, now))
        if allowed is None:
            return None
        return Allowance(session, user_id, time_zone, limit, allowed, self.unlocked(row, now))


UNCHARGED = Entitlements(None)
