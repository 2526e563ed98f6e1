"""Stripe: subscriptions through Checkout, the customer portal, and signed webhooks.

The official library is large and most installations do not charge, so it is imported only if Stripe is configured. Its
calls block, so they run in their own thread pool, where waiting blocks nothing else. Fields are read as in API
versions from 2025-03-31 (basil), with the period on the subscription item; older endpoints have it on the subscription.
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
_TRIES: Final = 1  # retries by the library: 409, 5xx and lost connections, with the same idempotency key
_AT_ONCE: Final = 8  # parallel calls; more wait for a thread
_NEWEST: Final = 10  # newest subscriptions of a customer that are read
_BESIDE: Final = 64 * 1024
"""Maximum bytes of a webhook verified in the event loop: it takes less than a millisecond, less than a thread waits for
its turn beside a busy event loop. Larger bodies would block others."""
_LONGEST_ID: Final = 255
_LAST_SECOND: Final = 253_402_300_799  # of the year 9999
_OLDEST_SIGNED: Final = 3600
"""Seconds. The library's 300 would refuse all events if a clock is ten minutes off. A replayed event is harmless: each
event is stored once and only triggers a fetch."""


@dataclass(frozen=True)
class Checkout:
    """A Checkout page. `open`: nothing has been decided there yet."""

    id: str
    url: str | None
    open: bool
    complete: bool
    customer_id: str | None


@dataclass(frozen=True)
class VerifiedEvent:
    """An event with a valid signature of Stripe: its type and its customer."""

    id: str
    type: str
    customer_id: str | None
    created: datetime


class Missing(Misconfigured):
    """The named object does not exist in the mode of the key."""

    code = ErrorCode.billing_misconfigured


class NoSuchCustomer(Missing):
    """The customer was deleted, or the key belongs to another account or mode."""


class AskAgain(Unavailable):
    """The call had no effect, or its outcome is unknown: a retry with the same idempotency key takes effect once.
    Stripe keeps the answer of any other failure for a day and repeats it for its key."""

    code = ErrorCode.billing_unavailable


@dataclass(frozen=True)
class Stripe:
    """Methods raise Unavailable (billing_unavailable) if Stripe is unreachable or busy, and Misconfigured
    (billing_misconfigured) if it refuses the key or price, which no user can fix."""

    key: str = field(repr=False)
    webhook_secrets: Sequence[str] = field(repr=False)
    price_id: str
    url: str | None = None

    def __post_init__(self) -> None:
        # import now: otherwise the first webhook would wait for the import
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
        response = await self._ask(lambda v1: v1.prices.retrieve(self.price_id, {"expand": ["product"]}))
        price = _price(response)
        if price is None:
            raise Misconfigured(ErrorCode.billing_misconfigured)
        return price

    async def make_customer(self, user_id: str, email: str, turn: str) -> str:
        """Create a customer once per user and turn, however often it is called within a day."""
        parameters: Any = {"email": email, "metadata": {"user_id": user_id}}
        key = f"customer-{user_id}-{turn}"
        customer = await self._ask(lambda v1: v1.customers.create(parameters, {"idempotency_key": key}))
        return str(customer["id"])

    async def has_customer(self, customer_id: str) -> bool:
        customer = await self._find(lambda v1: v1.customers.retrieve(customer_id))
        return customer is not None and not customer.get("deleted")

    async def open_checkout(self, customer_id: str, user_id: str, *, trial_days: int, back: str, key: str) -> Checkout:
        """`back`: the page for success and cancellation. The same key returns the same Checkout. Raise
        NoSuchCustomer."""
        data: dict[str, Any] = {"metadata": {"user_id": user_id}}
        if trial_days:
            data |= {
                "trial_period_days": trial_days,
                "trial_settings": {"end_behavior": {"missing_payment_method": "cancel"}},
            }
        parameters: Any = {
            "mode": "subscription",
            "customer": customer_id,
            "client_reference_id": user_id,
            "line_items": [{"price": self.price_id, "quantity": 1}],
            "subscription_data": data,
            "payment_method_collection": "if_required",
            # Stripe replaces the literal with the Checkout's id
            "success_url": f"{back}?checkout=success&session_id={{CHECKOUT_SESSION_ID}}",
            "cancel_url": f"{back}?checkout=canceled",
        }
        checkout = await self._ask(lambda v1: v1.checkout.sessions.create(parameters, {"idempotency_key": key}))
        return _checkout(checkout)

    async def close_checkout(self, checkout_id: str) -> None:
        """Expire a Checkout, so that nobody can subscribe there."""
        await self._find(lambda v1: v1.checkout.sessions.expire(checkout_id))

    async def checkout(self, checkout_id: str) -> Checkout | None:
        """Return the Checkout, or None if it does not exist."""
        if not re.fullmatch(r"\w{1,255}", checkout_id, re.ASCII):
            return None
        checkout = await self._find(lambda v1: v1.checkout.sessions.retrieve(checkout_id))
        return _checkout(checkout) if checkout else None

    async def portal(self, customer_id: str, back: str) -> str:
        """Return the portal page with payment method and invoices. Raise NoSuchCustomer."""
        parameters: Any = {"customer": customer_id, "return_url": back}
        portal = await self._ask(lambda v1: v1.billing_portal.sessions.create(parameters))
        return str(portal["url"])

    async def subscriptions(self, customer_id: str) -> list[Paid]:
        """Return the newest subscriptions, including ended ones. Raise NoSuchCustomer."""
        parameters: Any = {"customer": customer_id, "status": "all", "limit": _NEWEST, "expand": ["data.customer"]}
        response = await self._ask(lambda v1: v1.subscriptions.list(parameters))
        return [_paid(subscription) for subscription in response["data"]]

    async def end_at_period_end(self, subscription_id: str) -> None:
        parameters: Any = {"cancel_at_period_end": True}
        await self._ask(lambda v1: v1.subscriptions.update(subscription_id, parameters))

    async def go_on(self, subscription_id: str, *, at_period_end: bool) -> None:
        """Undo a cancellation: `at_period_end`, or else a date set at Stripe."""
        parameters: Any = {"cancel_at_period_end": False} if at_period_end else {"cancel_at": ""}
        await self._ask(lambda v1: v1.subscriptions.update(subscription_id, parameters))

    async def remove_customer(self, customer_id: str) -> None:
        """Delete a customer with payment method; subscriptions end at once. Idempotent. Raise Missing if the customer
        never existed."""
        try:
            await self._ask(lambda v1: v1.customers.delete(customer_id), may_miss=True)
        except Missing:
            # Stripe still returns a deleted customer, but not one of another account or mode
            await self._ask(lambda v1: v1.customers.retrieve(customer_id))

    async def read_event(self, body: bytes, signature: str) -> VerifiedEvent:
        """Return a verified event. Raise Denied (webhook_forged) if the signature is invalid or the body is no
        event."""
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
            response: dict[str, Any] = call(self._client.v1).to_dict()
        except (stripe.APIConnectionError, stripe.RateLimitError) as error:
            raise AskAgain from error
        except (stripe.AuthenticationError, stripe.PermissionError) as error:
            logger.error("billing: Stripe refuses STRIPE_SECRET_KEY: %s", type(error).__name__)
            raise Misconfigured(ErrorCode.billing_misconfigured) from error
        except stripe.InvalidRequestError as error:
            missing = error.code == "resource_missing"
            if not (missing and may_miss):
                logger.error("billing: Stripe refuses the parameter %s: %s", error.param, error.code)
            if not missing:
                raise Misconfigured(ErrorCode.billing_misconfigured, param=error.param) from error
            raise (NoSuchCustomer if error.param == "customer" else Missing)(param=error.param) from error
        except stripe.StripeError as error:
            busy = error.http_status == 409  # a call with the same key is running
            raise (AskAgain() if busy else Unavailable(ErrorCode.billing_unavailable)) from error
        return response

    async def _find(self, call: Callable[[Any], Any]) -> dict[str, Any] | None:
        try:
            return await self._ask(call, may_miss=True)
        except Missing:
            return None


def _parse_event(body: bytes) -> VerifiedEvent:
    """Parse an event. Raise ValueError, LookupError, AttributeError or TypeError if it is invalid."""
    event = from_json(body, allow_inf_nan=False)  # unlike json.loads, limits the nesting
    about = event["data"]["object"]
    customer = about["id"] if about.get("object") == "customer" else about.get("customer")
    if isinstance(customer, dict):  # an endpoint may expand the customer
        customer = customer.get("id")
    for text in (event["id"], event["type"], customer or ""):
        if not (isinstance(text, str) and text.isascii() and text.isprintable()):
            raise ValueError("an id must be printable ASCII")
    if len(event["id"]) > _LONGEST_ID or len(customer or "") > _LONGEST_ID:
        raise ValueError("an id is too long")
    if type(event["created"]) is not int or not 0 <= event["created"] <= _LAST_SECOND:
        raise ValueError("`created` is not a valid time")
    return VerifiedEvent(event["id"], event["type"], customer or None, _moment(event["created"]))


def _checkout(checkout: dict[str, Any]) -> Checkout:
    status = checkout["status"]
    customer = checkout.get("customer")
    customer_id = customer["id"] if isinstance(customer, dict) else customer
    return Checkout(checkout["id"], checkout.get("url"), status == "open", status == "complete", customer_id)


def _paid(subscription: dict[str, Any]) -> Paid:
    items = (subscription.get("items") or {}).get("data") or [{}]
    period = subscription | items[0]
    customer = subscription["customer"]
    return Paid(
        id=subscription["id"],
        customer_id=customer["id"] if isinstance(customer, dict) else customer,
        status=subscription["status"],
        price=_price(items[0].get("price")),
        created=_moment(subscription["created"]),
        trial_end=_moment_or_none(subscription.get("trial_end")),
        period_start=_moment_or_none(period.get("current_period_start")),
        period_end=_moment_or_none(period.get("current_period_end")),
        cancel_at_period_end=bool(subscription.get("cancel_at_period_end")),
        cancel_at=_moment_or_none(subscription.get("cancel_at")),
        canceled_at=_moment_or_none(subscription.get("canceled_at")),
        ended_at=_moment_or_none(subscription.get("ended_at")),
        has_payment_method=_has_payment_method(subscription),
    )


def _has_payment_method(subscription: dict[str, Any]) -> bool | None:
    """Return whether the subscription or its customer has a payment method; None if the customer is only an id.
    Checkout sets it on the subscription, the portal on the customer, older integrations as a source.
    https://docs.stripe.com/api/subscriptions/object#subscription_object-default_payment_method"""
    if subscription.get("default_payment_method") or subscription.get("default_source"):
        return True
    customer = subscription["customer"]
    if not isinstance(customer, dict):
        return None
    settings = customer.get("invoice_settings") or {}
    return bool(settings.get("default_payment_method") or customer.get("default_source"))


def _price(price: dict[str, Any] | None) -> Price | None:
    """Return the price, or None if it is not a recurring price with a fixed amount."""
    if not price or not price.get("recurring") or price.get("unit_amount") is None:
        return None
    product = price.get("product")
    return Price(
        id=price["id"],
        cents=price["unit_amount"],
        currency=price["currency"].upper(),
        interval=Interval(price["recurring"]["interval"]),
        interval_count=price["recurring"].get("interval_count") or 1,
        product=product.get("name", "") if isinstance(product, dict) else "",
        livemode=bool(price.get("livemode")),
    )


def _moment(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


def _moment_or_none(seconds: int | None) -> datetime | None:
    return None if seconds is None else _moment(seconds)
