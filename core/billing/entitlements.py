"""The one place that decides what a user may do by what they are subscribed to. Asked by whatever makes an assistant go
on, by each call of a model, and by each post that is to go out. Where nobody is charged, it asks no database.

What is exact: active assistants and the cost of models, whose transactions hold the user's subscription from the
question to what uses it up. Posts are exact from above: a delivery is armed under the same hold, and counts from then
on, so never more go out than may. A run takes its place under the same hold before it pays for anything, and keeps it
until it is over: of two that are prepared at once the one is made, and the other costs nothing. From below posts are
not exact: one that is armed, or whose outcome nobody knows, counts as out, so another one may be refused beside it
though it fails in the end. A person who plans a post only looks, and may pass beside others that do so at the same
instant; arming finds out.
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
from core.notifications.rules import NotificationKind
from core.notifications.tables.mails import MailKind


@dataclass(frozen=True)
class Allowance:
    """One limit, as it applies to a user now."""

    session: AsyncSession
    user_id: UUID
    time_zone: str
    """Where their months begin."""
    limit: Limit
    allowed: int
    subscribed: bool

    async def place_refusal(self, more: int) -> SubscriptionRequired | None:
        """Why so many more assistants must not be active."""
        return self._refusal(await AllowanceRepository(self.session).active_assistants(self.user_id), more)

    async def post_refusal(self, at: datetime, post_id: UUID) -> SubscriptionRequired | None:
        """Why the post must not go out in the month of that moment. One that is out on one of its channels costs
        nothing more."""
        month = month_at(at, self.time_zone)
        found = await AllowanceRepository(self.session).posts(self.user_id, month.since, month.until, post_id=post_id)
        return None if found.counted else self._refusal(found.others, 1)

    async def run_refusal(self, at: datetime, run_id: UUID, *, has_begun: bool) -> SubscriptionRequired | None:
        """Why nothing must be paid for the post of the run that is to go out then. Those that go out before it take
        what they need first; and before one that has not begun, all that other runs have begun to pay for."""
        month = month_at(at, self.time_zone)
        found = await AllowanceRepository(self.session).posts(
            self.user_id, month.since, month.until, run_id=run_id, ahead_of=at, in_making=not has_begun
        )
        return None if found.counted else self._refusal(found.others, 1)

    async def cost_refusal(self, most_micros: int | None, at: datetime) -> SubscriptionRequired | None:
        """Why a call must not be made that may cost so much, None where nobody can tell."""
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
        """That it has no room in the month of that moment: once a month, and once more where more is allowed since."""
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
class Allowing:
    terms: Terms | None
    """None: nobody is charged."""

    @property
    def asks(self) -> bool:
        """Whether there is anything to ask."""
        return self.terms is not None

    def limits(self, row: SubscriptionRow | None, now: datetime) -> Limits:
        if self.terms is None:
            return UNLIMITED
        return self.terms.plan if self.unlocked(row, now) else self.terms.free

    def unlocked(self, row: SubscriptionRow | None, now: datetime) -> bool:
        """Whether the plan's limits apply, and not the free ones."""
        if self.terms is None:
            return True
        return row is not None and is_unlocked(
            row.known, now, past_due_since=row.past_due_since, grace=self.terms.grace
        )

    async def look(self, session: AsyncSession, user_id: UUID, limit: Limit) -> Allowance | None:
        """None: as much as it takes."""
        if self._is_off(limit):
            return None
        row, time_zone = await SubscriptionRepository(session).with_time_zone(user_id)
        return self._allowance(session, user_id, time_zone, limit, row)

    async def hold(self, session: AsyncSession, user_id: UUID, limit: Limit) -> Allowance | None:
        """As `look`, and nobody else uses any of it before the transaction ends. Whoever locks something else as well,
        an assistant, a post or a delivery, does so afterwards: another order would be a deadlock."""
        looked = await self.look(session, user_id, limit)
        if looked is None:
            return None
        row = await SubscriptionRepository(session).held(user_id)
        return self._allowance(session, user_id, looked.time_zone, limit, row)

    def _is_off(self, limit: Limit) -> bool:
        """Whether it is nobody's."""
        return self.terms is None or (limit.of(self.terms.free) is None and limit.of(self.terms.plan) is None)

    def _allowance(
        self, session: AsyncSession, user_id: UUID, time_zone: str, limit: Limit, row: SubscriptionRow | None
    ) -> Allowance | None:
        now = utcnow()
        allowed = limit.of(self.limits(row, now))
        if allowed is None:
            return None
        return Allowance(session, user_id, time_zone, limit, allowed, self.unlocked(row, now))


UNCHARGED = Allowing(None)
