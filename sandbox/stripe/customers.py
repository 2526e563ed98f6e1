"""Customers of Stripe and their payment methods."""

from collections.abc import Iterator

from sandbox.stripe.book import Book, Kind, Thing
from sandbox.stripe.events import Events
from sandbox.stripe.objects import FINAL, new_customer, new_payment_method
from sandbox.stripe.problems import StripeError


class Declined(Exception):
    """The bank declined the card."""


class Customers:
    def __init__(self, book: Book, events: Events) -> None:
        self._book, self._events = book, events

    def create(self, fields: Thing, *, livemode: bool) -> Thing:
        customer = new_customer(self._book.new_id(Kind.customer), self._book.now, fields, livemode=livemode)
        self._book.save(customer)
        self._events.add("customer.created", customer)
        return customer

    def get(self, id_: str | None, *, livemode: bool, param: str = "customer") -> Thing:
        """Return a customer. Raise StripeError resource_missing if unknown or deleted."""
        customer = self._book.get(Kind.customer, id_, livemode=livemode, param=param)
        if customer.get("deleted"):
            raise StripeError(f"No such customer: '{id_}'", code="resource_missing", param=param)
        return customer

    def subscriptions(self, customer: Thing) -> Iterator[Thing]:
        """Return those that have not ended."""
        return self._book.listed(
            Kind.subscription, lambda one: one["customer"] == customer["id"] and one["status"] not in FINAL
        )

    def add_card(self, customer: Thing, card: str) -> Thing:
        """Add a card to the customer. Raise Declined for the card that is always declined."""
        if card == "declined":
            raise Declined
        method = new_payment_method(self._book.new_id(Kind.payment_method), self._book.now, customer, card)
        self._book.save(method)
        self._events.add("payment_method.attached", method)
        return method

    def set_card(self, customer: Thing, card: str) -> None:
        """Make a card the payment method of the customer and all their subscriptions. Raise Declined."""
        self._pay_with(customer, self.add_card(customer, card)["id"])

    def remove_cards(self, customer: Thing) -> None:
        for method in list(self._book.listed(Kind.payment_method, lambda one: one["customer"] == customer["id"])):
            method["customer"] = None
            self._book.save(method)
            self._events.add("payment_method.detached", method, {"customer": customer["id"]})
        self._pay_with(customer, None)

    def _pay_with(self, customer: Thing, method: str | None) -> None:
        with self._events.changing(customer):
            settings = {**customer["invoice_settings"], "default_payment_method": method}
            customer["invoice_settings"] = settings
        for subscription in list(self.subscriptions(customer)):
            with self._events.changing(subscription):
                subscription["default_payment_method"] = method

    def payment_method(self, subscription: Thing) -> Thing | None:
        """Return the payment method of a subscription: its own, else its customer's."""
        customer = self._book.things[Kind.customer][subscription["customer"]]
        chosen = subscription["default_payment_method"] or customer["invoice_settings"]["default_payment_method"]
        return self._book.things[Kind.payment_method].get(chosen or "")
