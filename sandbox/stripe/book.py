"""Stripe's objects and clock, in memory and in one file next to the networks' journal.

Objects are stored in Stripe's own format. Names that begin with `_` are internal and never returned.
"""

import secrets
import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

from sandbox.journal import Journal
from sandbox.stripe.problems import StripeError

Thing = dict[str, Any]

API_VERSION = "2026-10-28.endive"
OLDEST_VERSION = "2025-03-31.basil"
DAY = 86400
MAX_OF_A_KIND = 10_000
PRICE = "price_sandbox"
PRODUCT = "prod_sandbox"


class Kind(StrEnum):
    """Stripe's values of `object`."""

    customer = "customer"
    product = "product"
    price = "price"
    payment_method = "payment_method"
    session = "checkout.session"
    portal = "billing_portal.session"
    subscription = "subscription"
    invoice = "invoice"
    charge = "charge"
    refund = "refund"
    event = "event"


PREFIXES = {
    Kind.customer: "cus",
    Kind.product: "prod",
    Kind.price: "price",
    Kind.payment_method: "pm",
    Kind.session: "cs_test",
    Kind.portal: "bps",
    Kind.subscription: "sub",
    Kind.invoice: "in",
    Kind.charge: "ch",
    Kind.refund: "re",
    Kind.event: "evt",
}
NAMES = {
    Kind.session: "checkout.session",
    Kind.portal: "billing portal session",
    Kind.payment_method: "PaymentMethod",
}


class Book:
    """The objects. For one event loop only; no method blocks."""

    def __init__(self, folder: Path) -> None:
        self._journal = Journal(folder / "stripe.jsonl")
        rows = self._journal.rows
        self.things: dict[Kind, dict[str, Thing]] = {kind: rows.get(kind, {}) for kind in Kind}
        self.offset: float = rows.get("clock", {}).get("offset", {}).get("seconds", 0.0)
        self.at: int | None = None
        """The simulated time while due changes are applied."""
        self._journal.rows = {}
        if not self.things[Kind.price]:
            self._first_price()

    def close(self) -> None:
        self._journal.close()

    def _first_price(self) -> None:
        self.save(
            {
                "id": PRODUCT,
                "object": "product",
                "active": True,
                "created": self.now,
                "default_price": PRICE,
                "description": None,
                "images": [],
                "livemode": False,
                "marketing_features": [],
                "metadata": {},
                "name": "Postloom",
                "tax_code": None,
                "type": "service",
                "updated": self.now,
                "url": None,
            }
        )
        self.save(
            {
                "id": PRICE,
                "object": "price",
                "active": True,
                "billing_scheme": "per_unit",
                "created": self.now,
                "currency": "eur",
                "livemode": False,
                "lookup_key": None,
                "metadata": {},
                "nickname": None,
                "product": PRODUCT,
                "recurring": {"interval": "month", "interval_count": 1, "usage_type": "licensed"},
                "tax_behavior": "unspecified",
                "tiers_mode": None,
                "type": "recurring",
                "unit_amount": 2900,
                "unit_amount_decimal": "2900",
            }
        )

    @property
    def now(self) -> int:
        return self.at if self.at is not None else int(time.time() + self.offset)

    def move(self, offset: float) -> None:
        self.offset = offset
        self._journal.write("clock", "offset", {"seconds": offset})

    def new_id(self, kind: Kind, *, livemode: bool = False) -> str:
        prefix = "cs_live" if livemode and kind is Kind.session else PREFIXES[kind]
        return f"{prefix}_{secrets.token_hex(12)}"

    def save(self, thing: Thing) -> None:
        """Store an object; beyond 10,000 of a kind delete the oldest one that can no longer change."""
        kind = Kind(thing["object"])
        things = self.things[kind]
        things[thing["id"]] = thing
        self._journal.write(kind, thing["id"], thing)
        if len(things) > MAX_OF_A_KIND:
            oldest = next((id_ for id_, one in things.items() if _has_ended(one)), None)
            if oldest is not None:
                del things[oldest]
                self._journal.write(kind, oldest, None)

    def find(self, id_: str) -> Thing | None:
        """Return the object of any kind with that id."""
        return next((things[id_] for things in self.things.values() if id_ in things), None)

    def get(self, kind: Kind, id_: str | None, *, livemode: bool, param: str, status: int = 400) -> Thing:
        """Return an object. Raise StripeError resource_missing if unknown or of the other mode (test, live)."""
        thing = self.things[kind].get(id_ or "")
        name = NAMES.get(kind, str(kind))
        if thing is None:
            message = f"No such {name}: '{id_}'"
        elif is_live(thing) is not livemode:
            own, other = ("live", "test") if livemode else ("test", "live")
            message = (
                f"No such {name}: '{id_}'; a similar object exists in {other} mode, "
                f"but a {own} mode key was used to make this request."
            )
        else:
            return thing
        raise StripeError(message, status=status, code="resource_missing", param=param)

    def listed(self, kind: Kind, matches: Callable[[Thing], bool] = lambda _: True) -> Iterator[Thing]:
        """Yield the matching objects, newest first."""
        return (thing for thing in reversed(self.things[kind].values()) if matches(thing))

    def reset(self, *, everything: bool) -> None:
        """Delete all but products and prices, with `everything` these too; reset the clock to real time."""
        for kind, things in self.things.items():
            if everything or kind not in (Kind.product, Kind.price):
                for id_ in things:
                    self._journal.write(kind, id_, None)
                things.clear()
        self.move(0.0)
        if everything:
            self._first_price()


def is_live(thing: Thing) -> bool:
    """Return whether the object is of live mode, which some kinds keep internally."""
    return bool(thing.get("livemode", thing.get("_livemode")))


def _has_ended(thing: Thing) -> bool:
    kind = Kind(thing["object"])
    if kind is Kind.customer:
        return "deleted" in thing
    if kind is Kind.payment_method:
        return thing["customer"] is None
    over = {
        Kind.session: ("complete", "expired"),
        Kind.subscription: ("canceled",),
        Kind.invoice: ("paid", "void"),
    }
    if kind in (Kind.price, Kind.product):
        return False
    return kind not in over or thing["status"] in over[kind]


def public_fields(thing: Thing) -> Thing:
    """Return the object without internal fields."""
    return {name: value for name, value in thing.items() if not name.startswith("_")}
