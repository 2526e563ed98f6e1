"""Subscriptions, and how much of their limits users have used this month.

Stripe's state is always fetched and stored whole. A webhook only says that there is something to fetch, so its order,
repeats, losses and forgeries change nothing.
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from core.assistants.configuration import AssistantConfigurationService
from core.assistants.rules.budgets import Month, month_at
from core.billing.entitlements import Entitlements
from core.billing.repositories.allowances import AllowanceRepository
from core.billing.repositories.subscriptions import PriceRepository, StripeEventRepository, SubscriptionRepository
from core.billing.rules import (
    LIVE,
    SELF_HOSTED,
    TRIAL_ENDS_SOON,
    UNCHARGED_STATES,
    UNLIMITED,
    Limit,
    Limits,
    Paid,
    Subscription,
    Terms,
    Used,
    newest,
    paid_to_json,
    price_from_json,
    price_to_json,
    shown,
)
from core.billing.stripe import AskAgain, Checkout, Missing, NoSuchCustomer, Stripe
from core.billing.subscription_effects import follow
from core.billing.tables import SubscriptionRow
from core.clock import utcnow
from core.database import Sessions, log_failure_of_one, notify_browsers
from core.errors import Conflict, DomainError, ErrorCode, Misconfigured, SubscriptionRequired, Unavailable
from core.live import LiveKind
from core.users.repositories.users import UserRepository

logger = logging.getLogger(__name__)

_PRICE_FOR: Final = timedelta(hours=1)
"""How long a price is valid before a worker fetches it again; while Stripe is down, the last one stays."""
_EVENTS: Final = 200  # per round
_EVENTS_KEPT: Final = timedelta(days=90)
_TURNS: Final = 5  # tries of a checkout that meets a parallel one, or a deleted customer


@dataclass(frozen=True)
class Standing:
    subscription: Subscription
    used: Used
    month: Month
    fetched_at: datetime | None
    """When Stripe was last asked; None without billing, or if it never was."""
    limits: Limits
    """The limits now."""
    free: Limits
    """The limits without a subscription."""
    plan: Limits
    """The limits with a subscription."""
    paused_assistants: int
    """Assistants paused because the subscription ended."""


@dataclass(frozen=True)
class SubscriptionService:
    sessions: Sessions
    reading: Sessions
    stripe: Stripe | None
    public_url: str
    trial_days: int
    grace: timedelta
    """How long everything stays unlocked after a failed charge."""
    free: Limits
    plan: Limits

    @property
    def entitlements(self) -> Entitlements:
        """The limits that follow from subscriptions."""
        return Entitlements(Terms(self.free, self.plan, self.grace) if self.stripe else None)

    async def standing(self, user_id: UUID, time_zone: str, now: datetime) -> Standing:
        """Return the stored state, without outside calls. The month is the calendar month in the user's time zone."""
        month = month_at(now, time_zone)
        async with self.reading() as session:
            used = await AllowanceRepository(session).used(user_id, month.since, month.until)
            if self.stripe is None:
                return Standing(SELF_HOSTED, used, month, None, UNLIMITED, UNLIMITED, UNLIMITED, 0)
            paused = await AllowanceRepository(session).paused(user_id)
            row = await SubscriptionRepository(session).of(user_id)
            price = await PriceRepository(session).of(self.stripe.price_id)
        subscription = shown(
            paid_of(row),
            price_from_json(price.price) if price else None,
            now,
            past_due_since=row.past_due_since if row else None,
            grace=self.grace,
            trial_days=self._trial_days(row),
        )
        if row and row.customer_id is None:  # deleted at Stripe
            subscription = replace(subscription, has_portal=False)
        limits = self.entitlements.limits(row, now)
        fetched_at = row.fetched_at if row else None
        return Standing(subscription, used, month, fetched_at, limits, self.free, self.plan, paused)

    async def refresh(self, user_id: UUID) -> Paid | None:
        """Fetch the state from Stripe. Raise Unavailable (billing_unavailable) or Misconfigured
        (billing_misconfigured); the stored state is kept then."""
        began: int | None = None
        while True:
            async with self.reading() as session:
                row = await SubscriptionRepository(session).of(user_id)
            if self.stripe is None or row is None or row.customer_id is None:
                return None
            if began is None:
                began = row.fetches
            elif row.fetches >= began + 2:
                # the second of these fetches began after the first was stored, so it is newer than this call
                return paid_of(row)
            try:
                paid = newest(await self.stripe.subscriptions(row.customer_id))
            except NoSuchCustomer:
                if not self._was_a_test(paid_of(row)):
                    raise
                await self._forget_customer(user_id, was_a_test=True)
                return None
            if await self._keep(row, paid):
                return paid

    async def _keep(self, read: SubscriptionRow, paid: Paid | None) -> bool:
        """Store a fetched state. Return False, and store nothing, if another fetch was stored since `read` was read."""
        stored = paid_to_json(paid) if paid else None
        async with self.sessions.begin() as session:
            row = await SubscriptionRepository(session).held(read.user_id)
            if (row.fetches, row.customer_id) != (read.fetches, read.customer_id):
                return False
            changed = stored != row.paid
            row.fetches += 1
            row.fetched_at = utcnow()
            row.paid = stored
            row.had_one = row.had_one or paid is not None
            if paid is None or paid.status not in UNCHARGED_STATES:
                row.past_due_since = None
            elif row.past_due_since is None:
                # the renewal has started a new period, which could not be charged
                row.past_due_since = paid.period_start or row.fetched_at
            if changed:
                await notify_browsers(session, row.user_id, LiveKind.subscription, row.user_id)
            await follow(session, self.entitlements, row, row.fetched_at)
        if changed:
            logger.info("subscription of user %s is %s", read.user_id, paid.status if paid else "none")
        return True

    async def verify(self, user_id: UUID, checkout_id: str | None) -> None:
        """Check a Checkout when the user returns from it. Raise Conflict (checkout_incomplete) if it is not complete,
        or not the user's; and what `refresh` raises."""
        if self.stripe is None:
            return
        if checkout_id is not None:
            async with self.reading() as session:
                row = await SubscriptionRepository(session).of(user_id)
            if row is None or row.customer_id is None:
                raise Conflict(ErrorCode.checkout_incomplete)
            checkout = await self.stripe.checkout(checkout_id)
            if checkout is None or not checkout.complete or checkout.customer_id != row.customer_id:
                raise Conflict(ErrorCode.checkout_incomplete)
        await self.refresh(user_id)

    async def checkout(self, user_id: UUID) -> str:
        """Return the address of the Checkout page; parallel calls get the same one. Raise Conflict (already_subscribed)
        if a subscription is live, and what `refresh` raises."""
        stripe = self._configured()
        for _ in range(_TURNS):
            async with self.reading() as session:
                row = await SubscriptionRepository(session).of(user_id)
            checkout_id = row.checkout_id if row else None
            # read the page before the subscription: if it is completed in between, the subscription shows it
            page = await stripe.checkout(checkout_id) if checkout_id else None
            try:
                await self._refuse_a_second(user_id)
                row = await self._customer(stripe, user_id)
                if row.checkout_id == checkout_id:
                    return await self._page(stripe, row, page)
            except NoSuchCustomer:
                if not self._may_be_forgotten(row):
                    raise
                await self._forget_customer(user_id)
        raise Unavailable(ErrorCode.billing_unavailable)

    async def _refuse_a_second(self, user_id: UUID) -> None:
        paid = await self.refresh(user_id)
        if paid and paid.status in LIVE:
            raise Conflict(ErrorCode.already_subscribed)

    async def _page(self, stripe: Stripe, row: SubscriptionRow, page: Checkout | None) -> str:
        """`page`: the newest Checkout, if any. Raise NoSuchCustomer, and what `checkout` raises."""
        user_id, customer_id = row.user_id, row.customer_id
        assert customer_id
        if page and page.open and page.url:
            if (row.checkout_price_id, page.customer_id) == (stripe.price_id, customer_id):
                # the page of a deleted customer stays open until it expires, and leads nowhere
                if not await stripe.has_customer(customer_id):
                    raise NoSuchCustomer
                return page.url
            # the page has an old price, or belongs to a deleted customer
            try:
                await stripe.close_checkout(page.id)
            except Misconfigured:  # it was completed meanwhile
                await self._refuse_a_second(user_id)
                raise
        number, trial_days = row.checkout_number + 1, self._trial_days(row)
        async with self._counted(user_id, number):
            page = await stripe.open_checkout(
                customer_id,
                str(user_id),
                trial_days=trial_days,
                back=f"{self.public_url}/subscription",
                # parallel calls use the same key, and get the same page
                key=f"checkout-{customer_id}-{number}-{stripe.price_id}-{trial_days}",
            )
        if page.url is None:
            raise Unavailable(ErrorCode.billing_unavailable)
        async with self.sessions.begin() as session:
            held = await SubscriptionRepository(session).held(user_id)
            if held.checkout_number < number:
                held.checkout_id, held.checkout_price_id = page.id, stripe.price_id
                held.checkout_number = number
        return page.url

    @asynccontextmanager
    async def _counted(self, user_id: UUID, number: int) -> AsyncIterator[None]:
        """Run a call with an idempotency key of this number. After a failure that Stripe would repeat for a day, use
        the next number."""
        try:
            yield
        except (AskAgain, NoSuchCustomer):
            raise
        except DomainError:
            async with self.sessions.begin() as session:
                held = await SubscriptionRepository(session).held(user_id)
                held.checkout_number = max(held.checkout_number, number)
            raise

    async def portal(self, user_id: UUID) -> str:
        """Return the address of the portal with payment method and invoices. Raise Conflict (not_subscribed), and what
        `refresh` raises."""
        stripe = self._configured()
        async with self.reading() as session:
            row = await SubscriptionRepository(session).of(user_id)
        if row is None or row.customer_id is None or row.paid is None:
            raise Conflict(ErrorCode.not_subscribed)
        try:
            return await stripe.portal(row.customer_id, f"{self.public_url}/subscription")
        except NoSuchCustomer:
            paid = await self.refresh(user_id)
            if paid and paid.status in LIVE:
                raise
            await self._forget_customer(user_id)
            raise Conflict(ErrorCode.not_subscribed) from None

    async def end(self, user_id: UUID) -> None:
        """Cancel at the end of the paid period. Raise Conflict (not_subscribed) if nothing is live, and what `refresh`
        raises."""
        stripe, paid = self._configured(), await self.refresh(user_id)
        if paid is None or paid.status not in LIVE:
            raise Conflict(ErrorCode.not_subscribed)
        if not paid.ends:
            await self._change(user_id, stripe.end_at_period_end(paid.id))

    async def resume(self, user_id: UUID) -> None:
        """Undo a cancellation. Raise Conflict (not_subscribed) if the subscription has ended, and what `refresh`
        raises."""
        stripe, paid = self._configured(), await self.refresh(user_id)
        if paid is None or paid.status not in LIVE:
            raise Conflict(ErrorCode.not_subscribed)
        if paid.ends:
            await self._change(user_id, stripe.go_on(paid.id, at_period_end=paid.cancel_at_period_end))

    async def _change(self, user_id: UUID, change: Awaitable[None]) -> None:
        try:
            await change
        except Misconfigured:
            paid = await self.refresh(user_id)
            if paid is None or paid.status not in LIVE:  # it has ended meanwhile
                raise Conflict(ErrorCode.not_subscribed) from None
            raise
        await self.refresh(user_id)

    async def leave(self, user_id: UUID) -> None:
        """Delete the Stripe customer of a deleted account, with subscriptions and payment method. Idempotent. Raises
        what `refresh` raises."""
        async with self.reading() as session:
            row = await SubscriptionRepository(session).of(user_id)
        if row is None or row.customer_id is None:
            return
        if self.stripe is None:
            logger.error("billing: delete customer %s at Stripe: STRIPE_SECRET_KEY is not set", row.customer_id)
        else:
            try:
                await self.stripe.remove_customer(row.customer_id)
            except Missing:
                # with a wrong key the customer would still be charged
                if not self._may_be_forgotten(row) and not self._was_a_test(paid_of(row)):
                    raise
        async with self.sessions.begin() as session:
            await StripeEventRepository(session).forget(row.customer_id)

    async def sweep(self) -> int:
        """Find ended grace periods and soon-ending trials, which Stripe does not report. Return how many subscriptions
        have ended."""
        if self.stripe is None:
            return 0
        now, ended = utcnow(), 0
        async with self.reading() as session:
            subscriptions = SubscriptionRepository(session)
            users = {*await subscriptions.maybe_ended(), *await subscriptions.trials_ending(now, now + TRIAL_ENDS_SOON)}
        for user_id in users:
            with log_failure_of_one(logger, f"subscription of user {user_id}"):
                async with self.sessions.begin() as session:
                    row = await SubscriptionRepository(session).held(user_id)
                    ended += await follow(session, self.entitlements, row, now)
        return ended

    async def resume_assistants(self, user_id: UUID) -> Sequence[UUID]:
        """Resume assistants paused because the subscription ended, as many as allowed, in list order. Return their ids;
        the caller notifies their workflows. Raise SubscriptionRequired if none may resume."""
        resumed: list[UUID] = []
        async with self.sessions.begin() as session:
            # lock order: the subscription before the assistants
            await self.entitlements.hold(session, user_id, Limit.active_assistants)
            configuring = AssistantConfigurationService(session, self.entitlements)
            for assistant_id in await AllowanceRepository(session).paused_assistants(user_id):
                try:
                    await configuring.resume(user_id, assistant_id)
                except SubscriptionRequired:
                    if not resumed:
                        raise
                    break
                resumed.append(assistant_id)
            await notify_browsers(session, user_id, LiveKind.subscription, user_id)
        return resumed

    async def keep_event(self, body: bytes, signature: str) -> bool:
        """Store an event, which a worker then processes. Return whether it is new. It is committed when this returns,
        so that Stripe only gets an acknowledgement for stored events. Raise Denied (webhook_forged)."""
        event = await self._configured().read_event(body, signature)
        async with self.sessions.begin() as session:
            return await StripeEventRepository(session).keep(event.id, event.type, event.customer_id, event.created)

    async def keep_price(self) -> None:
        """Fetch and store the price if it is older than an hour. Raises what `refresh` raises."""
        if self.stripe is None:
            return
        async with self.reading() as session:
            stored_price = await PriceRepository(session).of(self.stripe.price_id)
        if stored_price and utcnow() - stored_price.fetched_at < _PRICE_FOR:
            return
        price = await self.stripe.price()
        async with self.sessions.begin() as session:
            await PriceRepository(session).keep(price.id, price_to_json(price))

    async def process_events(self) -> int:
        """Process one round of events: each customer is fetched once, whatever the number of events. Return how many
        events are done; failed ones are retried in the next round."""
        async with self.reading() as session:
            waiting = await StripeEventRepository(session).open(_EVENTS)
        done = 0
        for customer_id in dict.fromkeys(event.customer_id for event in waiting):
            customer_events = [event for event in waiting if event.customer_id == customer_id]
            ids = [event.id for event in customer_events]
            outcome, failed = "noted", None
            if customer_id is not None:
                async with self.reading() as session:
                    user_id = await SubscriptionRepository(session).user_of(customer_id)
                outcome = "unknown_customer" if user_id is None else "synced"
                try:
                    if user_id is not None:
                        await self.refresh(user_id)
                        if any(event.type == "customer.deleted" for event in customer_events):
                            await self._look_for_customer(user_id, customer_id)
                except DomainError as error:
                    failed = error.code
                    logger.warning("billing: a changed subscription cannot be fetched from Stripe yet: %s", failed)
            async with self.sessions.begin() as session:
                events = StripeEventRepository(session)
                if failed is None:
                    await events.processed(ids, outcome)
                    done += len(ids)
                else:
                    await events.failed(ids, failed)
        return done

    async def forget_events(self) -> None:
        """Delete processed events once Stripe can no longer send them again."""
        async with self.sessions.begin() as session:
            await StripeEventRepository(session).forget_older(utcnow() - _EVENTS_KEPT)

    async def compare(self, after: UUID | None, limit: int) -> tuple[UUID | None, int]:
        """Fetch a batch of all customers. Return the last user's id for the next batch, None at the end, and how many
        states differed from the stored ones, as after a lost webhook. Raises what `refresh` raises."""
        async with self.reading() as session:
            users = await SubscriptionRepository(session).customers(after, limit)
        differed = 0
        for user_id in users:
            async with self.reading() as session:
                before = await SubscriptionRepository(session).of(user_id)
            try:
                paid = await self.refresh(user_id)
            except NoSuchCustomer:
                differed += 1
                logger.warning("billing: Stripe does not know the customer of user %s", user_id)
                continue
            if before and before.paid != (paid and paid_to_json(paid)):
                differed += 1
                logger.warning("billing: Stripe has not told of a change for user %s yet", user_id)
        return (users[-1] if len(users) == limit else None), differed

    async def _customer(self, stripe: Stripe, user_id: UUID) -> SubscriptionRow:
        """Return the user's row with a Stripe customer; create the customer if missing."""
        async with self.reading() as session:
            row = await SubscriptionRepository(session).of(user_id)
            user = await UserRepository(session).get(user_id)
        if row and row.customer_id:
            return row
        # after a deleted customer this number differs
        number = row.checkout_number if row else 0
        async with self._counted(user_id, number + 1):
            customer_id = await stripe.make_customer(str(user_id), user.email, f"{number}")
        async with self.sessions.begin() as session:
            held = await SubscriptionRepository(session).held(user_id)
            held.customer_id = held.customer_id or customer_id
        return held

    async def _look_for_customer(self, user_id: UUID, customer_id: str) -> None:
        """Clear a deleted customer, for whom Checkout would no longer work."""
        if await self._configured().has_customer(customer_id):
            return
        async with self.reading() as session:
            row = await SubscriptionRepository(session).of(user_id)
        if row and row.customer_id == customer_id and self._may_be_forgotten(row):
            await self._forget_customer(user_id)

    async def _forget_customer(self, user_id: UUID, *, was_a_test: bool = False) -> None:
        """Clear the customer. The stored subscription is kept, unless it `was_a_test`."""
        async with self.sessions.begin() as session:
            held = await SubscriptionRepository(session).held(user_id)
            held.customer_id, held.checkout_id = None, None
            held.checkout_number += 1
            if was_a_test:
                held.paid, held.had_one, held.past_due_since = None, False, None
                await notify_browsers(session, user_id, LiveKind.subscription, user_id)
        logger.warning("billing: the customer of user %s no longer exists at Stripe", user_id)

    def _was_a_test(self, paid: Paid | None) -> bool:
        """Return whether the subscription was made with a test key, before the live key was set."""
        assert self.stripe
        return bool(paid and paid.price and not paid.price.livemode and self.stripe.livemode)

    @staticmethod
    def _may_be_forgotten(row: SubscriptionRow | None) -> bool:
        """Return whether a missing customer may be cleared: not with a live subscription, since the key is then likely
        wrong."""
        paid = paid_of(row)
        return paid is None or paid.status not in LIVE

    def _trial_days(self, row: SubscriptionRow | None) -> int:
        """Return the days of the trial that the user may still start."""
        return 0 if row and row.had_one else self.trial_days

    def _configured(self) -> Stripe:
        if self.stripe is None:
            raise Conflict(ErrorCode.billing_not_configured)
        return self.stripe


def paid_of(row: SubscriptionRow | None) -> Paid | None:
    return row.known if row else None
