"""Stripe: subscriptions through Checkout, the customer portal, and signed webhooks.

By the official library, which is loaded only where somebody is charged: it is large, and most charge nobody. Its calls
block, so each runs in a thread; these are its own, so that one that waits for Stripe keeps nobody else waiting. What is
read is read by the names of API versions from 2025-03-31 on (basil), where the period stands at the subscription's
item; older endpoints have it at the subscription.
"""

import asyncio
import logging
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from pydantic_core import from_json

from core.billing.rules import Interval, Paid, Price
from core.errors import Denied, ErrorCode, Misconfigured, Unavailable

if TYPE_CHECKING:
    import stripe

logger = logging.getLogger(__name__)

_TIMEOUT: Final = 10  # seconds of one call
_TRIES: Final = 1  # more, by the library: 409, 5xx and lost connections, under the same key
_AT_ONCE: Final = 8  # calls; more wait for their turn
_NEWEST: Final = 10  # subscriptions of a customer that are looked at
_BESIDE: Final = 64 * 1024
"""Bytes. A message is read in less than a millisecond, and a thread waits longer than that for its turn beside a busy
event loop; what is larger would have others wait."""
_LONGEST_ID: Final = 255
_LAST_SECOND: Final = 253_402_300_799  # of the year 9999
_OLDEST_SIGNED: Final = 3600
"""Seconds. The library's own 300 would refuse everything where a clock is ten minutes off; and a copy that somebody
sends again does nothing, since each event is kept once and says only that there is something to fetch."""


@dataclass(frozen=True)
class Checkout:
    """A page on which somebody subscribes. `open`: nothing has been decided there yet."""

    id: str
    url: str | None
    open: bool
    complete: bool
    customer_id: str | None


@dataclass(frozen=True)
class VerifiedEvent:
    """An event that Stripe has signed: what it is, and whose."""

    id: str
    type: str
    customer_id: str | None
    created: datetime


class Missing(Misconfigured):
    """What was named is not there, in the mode of the key."""

    code = ErrorCode.billing_misconfigured


class NoSuchCustomer(Missing):
    """It was deleted there, or the key is that of another account or mode."""


class AskAgain(Unavailable):
    """It was not done, or nobody knows: what is asked again under the same key is done once. The answer of every other
    failure is kept there for a day, and given again under its key."""

    code = ErrorCode.billing_unavailable


@dataclass(frozen=True)
class Stripe:
    """Raises Unavailable (billing_unavailable) where it cannot be reached or answers that it is busy,
    Misconfigured (billing_misconfigured) for a key or price that it does not take: nothing that a user could mend."""

    key: str = field(repr=False)
    webhook_secrets: Sequence[str] = field(repr=False)
    price_id: str
    url: str | None = None

    def __post_init__(self) -> None:
        # now: the first message that Stripe sends would wait for it
        import_module("stripe")

    @property
    def livemode(self) -> bool:
        """Whether real money is charged."""
        return self.key[:8] in ("sk_live_", "rk_live_")

    @cached_property
    def _threads(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(_AT_ONCE, "stripe")

    @cached_property
    def _client(self) -> "stripe.StripeClient":
        import stripe

        return stripe.StripeClient(
            self.key,
            base_addresses={"api": self.url} if self.url else None,
            max_network_retries=_TRIES,
            http_client=stripe.RequestsClient(timeout=_TIMEOUT),
        )

    async def price(self) -> Price:
        found = await self._ask(lambda v1: v1.prices.retrieve(self.price_id, {"expand": ["product"]}))
        price = _price(found)
        if price is None:
            raise Misconfigured(ErrorCode.billing_misconfigured)
        return price

    async def make_customer(self, user_id: str, email: str, turn: str) -> str:
        """Once for each user and turn, however often it is asked within a day."""
        wanted: Any = {"email": email, "metadata": {"user_id": user_id}}
        key = f"customer-{user_id}-{turn}"
        made = await self._ask(lambda v1: v1.customers.create(wanted, {"idempotency_key": key}))
        return str(made["id"])

    async def has_customer(self, customer_id: str) -> bool:
        found = await self._find(lambda v1: v1.customers.retrieve(customer_id))
        return found is not None and not found.get("deleted")

    async def open_checkout(self, customer_id: str, user_id: str, *, trial_days: int, back: str, key: str) -> Checkout:
        """`back`: the page to which both ends lead. The same key is the same page. Raises NoSuchCustomer."""
        data: dict[str, Any] = {"metadata": {"user_id": user_id}}
        if trial_days:
            data |= {
                "trial_period_days": trial_days,
                "trial_settings": {"end_behavior": {"missing_payment_method": "cancel"}},
            }
        wanted: Any = {
            "mode": "subscription",
            "customer": customer_id,
            "client_reference_id": user_id,
            "line_items": [{"price": self.price_id, "quantity": 1}],
            "subscription_data": data,
            "payment_method_collection": "if_required",
            # the literal is the provider's, which puts the page's id in its place
            "success_url": f"{back}?checkout=success&session_id={{CHECKOUT_SESSION_ID}}",
            "cancel_url": f"{back}?checkout=canceled",
        }
        made = await self._ask(lambda v1: v1.checkout.sessions.create(wanted, {"idempotency_key": key}))
        return _checkout(made)

    async def close_checkout(self, checkout_id: str) -> None:
        """Nobody can subscribe on it any more."""
        await self._find(lambda v1: v1.checkout.sessions.expire(checkout_id))

    async def checkout(self, checkout_id: str) -> Checkout | None:
        """None: there is none of that name."""
        if not re.fullmatch(r"\w{1,255}", checkout_id, re.ASCII):
            return None
        found = await self._find(lambda v1: v1.checkout.sessions.retrieve(checkout_id))
        return _checkout(found) if found else None

    async def portal(self, customer_id: str, back: str) -> str:
        """The page with payment method and invoices. Raises NoSuchCustomer."""
        wanted: Any = {"customer": customer_id, "return_url": back}
        made = await self._ask(lambda v1: v1.billing_portal.sessions.create(wanted))
        return str(made["url"])

    async def subscriptions(self, customer_id: str) -> list[Paid]:
        """The newest ones, ended ones too. Raises NoSuchCustomer."""
        wanted: Any = {"customer": customer_id, "status": "all", "limit": _NEWEST, "expand": ["data.customer"]}
        found = await self._ask(lambda v1: v1.subscriptions.list(wanted))
        return [_paid(one) for one in found["data"]]

    async def end_at_period_end(self, subscription_id: str) -> None:
        wanted: Any = {"cancel_at_period_end": True}
        await self._ask(lambda v1: v1.subscriptions.update(subscription_id, wanted))

    async def go_on(self, subscription_id: str, *, at_period_end: bool) -> None:
        """Takes back that it ends: `at_period_end`, or else at a moment that was set at Stripe."""
        wanted: Any = {"cancel_at_period_end": False} if at_period_end else {"cancel_at": ""}
        await self._ask(lambda v1: v1.subscriptions.update(subscription_id, wanted))

    async def remove_customer(self, customer_id: str) -> None:
        """With the payment method; what they are subscribed to ends at once. Nothing where it was removed before.
        Raises Missing."""
        try:
            await self._ask(lambda v1: v1.customers.delete(customer_id), may_miss=True)
        except Missing:
            # one who was removed before is still shown there, one of another account or mode is not
            await self._ask(lambda v1: v1.customers.retrieve(customer_id))

    async def read_event(self, body: bytes, signature: str) -> VerifiedEvent:
        """Return a verified event. Raises Denied (webhook_forged) for what Stripe has not signed or is no event."""
        if len(body) <= _BESIDE:
            return self._verify_event(body, signature)
        return await asyncio.to_thread(self._verify_event, body, signature)

    def _verify_event(self, body: bytes, signature: str) -> VerifiedEvent:
        import stripe

        for secret in self.webhook_secrets:
            try:
                stripe.WebhookSignature.verify_header(body, signature, secret, _OLDEST_SIGNED)
                return _parse_event(body)
            except (stripe.SignatureVerificationError, ValueError, LookupError, AttributeError, TypeError):
                continue
        raise Denied(ErrorCode.webhook_forged)

    async def _ask(self, call: Callable[[Any], Any], *, may_miss: bool = False) -> dict[str, Any]:
        return await asyncio.get_running_loop().run_in_executor(self._threads, self._answer, call, may_miss)

    def _answer(self, call: Callable[[Any], Any], may_miss: bool) -> dict[str, Any]:
        import stripe

        try:
            found: dict[str, Any] = call(self._client.v1).to_dict()
        except (stripe.APIConnectionError, stripe.RateLimitError) as error:
            raise AskAgain from error
        except (stripe.AuthenticationError, stripe.PermissionError) as error:
            logger.error("billing: Stripe does not take STRIPE_SECRET_KEY: %s", type(error).__name__)
            raise Misconfigured(ErrorCode.billing_misconfigured) from error
        except stripe.InvalidRequestError as error:
            missing = error.code == "resource_missing"
            if not (missing and may_miss):
                logger.error("billing: Stripe takes %s not: %s", error.param, error.code)
            if not missing:
                raise Misconfigured(ErrorCode.billing_misconfigured, param=error.param) from error
            raise (NoSuchCustomer if error.param == "customer" else Missing)(param=error.param) from error
        except stripe.StripeError as error:
            busy = error.http_status == 409  # with what was asked under the same key
            raise (AskAgain() if busy else Unavailable(ErrorCode.billing_unavailable)) from error
        return found

    async def _find(self, call: Callable[[Any], Any]) -> dict[str, Any] | None:
        try:
            return await self._ask(call, may_miss=True)
        except Missing:
            return None


def _parse_event(body: bytes) -> VerifiedEvent:
    """Raises ValueError, LookupError, AttributeError or TypeError for what is no event that can be kept."""
    event = from_json(body, allow_inf_nan=False)  # json.loads has no bound on how deep it goes
    about = event["data"]["object"]
    customer = about["id"] if about.get("object") == "customer" else about.get("customer")
    if isinstance(customer, dict):  # as an endpoint may have it expanded
        customer = customer.get("id")
    for text in (event["id"], event["type"], customer or ""):
        if not (isinstance(text, str) and text.isascii() and text.isprintable()):
            raise ValueError("a name of a thing of Stripe's is printable ASCII")
    if len(event["id"]) > _LONGEST_ID or len(customer or "") > _LONGEST_ID:
        raise ValueError("longer than what is kept")
    if type(event["created"]) is not int or not 0 <= event["created"] <= _LAST_SECOND:
        raise ValueError("no time")
    return VerifiedEvent(event["id"], event["type"], customer or None, _moment(event["created"]))


def _checkout(found: dict[str, Any]) -> Checkout:
    status = found["status"]
    customer = found.get("customer")
    customer_id = customer["id"] if isinstance(customer, dict) else customer
    return Checkout(found["id"], found.get("url"), status == "open", status == "complete", customer_id)


def _paid(found: dict[str, Any]) -> Paid:
    items = (found.get("items") or {}).get("data") or [{}]
    period = found | items[0]
    customer = found["customer"]
    return Paid(
        id=found["id"],
        customer_id=customer["id"] if isinstance(customer, dict) else customer,
        status=found["status"],
        price=_price(items[0].get("price")),
        created=_moment(found["created"]),
        trial_end=_moment_or_none(found.get("trial_end")),
        period_start=_moment_or_none(period.get("current_period_start")),
        period_end=_moment_or_none(period.get("current_period_end")),
        cancel_at_period_end=bool(found.get("cancel_at_period_end")),
        cancel_at=_moment_or_none(found.get("cancel_at")),
        canceled_at=_moment_or_none(found.get("canceled_at")),
        ended_at=_moment_or_none(found.get("ended_at")),
        has_payment_method=_has_payment_method(found),
    )


def _has_payment_method(subscription: dict[str, Any]) -> bool | None:
    """Return whether the subscription or its customer has one; None where the customer is an id alone. The checkout
    sets that of the subscription, the portal that of the customer, older integrations a source.
    https://docs.stripe.com/api/subscriptions/object#subscription_object-default_payment_method"""
    if subscription.get("default_payment_method") or subscription.get("default_source"):
        return True
    customer = subscription["customer"]
    if not isinstance(customer, dict):
        return None
    settings = customer.get("invoice_settings") or {}
    return bool(settings.get("default_payment_method") or customer.get("default_source"))


def _price(found: dict[str, Any] | None) -> Price | None:
    """None: it is no price that is charged again and again at a fixed sum."""
    if not found or not found.get("recurring") or found.get("unit_amount") is None:
        return None
    product = found.get("product")
    return Price(
        id=found["id"],
        cents=found["unit_amount"],
        currency=found["currency"].upper(),
        interval=Interval(found["recurring"]["interval"]),
        interval_count=found["recurring"].get("interval_count") or 1,
        product=product.get("name", "") if isinstance(product, dict) else "",
        livemode=bool(found.get("livemode")),
    )


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _moment_or_none(seconds: int | None) -> datetime | None:
    return None if seconds is None else _moment(seconds)
