"""Customers, subscriptions and invoices, and how actions and time change them.

Two things are faster than at Stripe: an invoice is finalised and charged when it is created, not an hour later, and a
search finds changes at once.
"""

import calendar
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime

from sandbox.stripe.book import API_VERSION, DAY, Book, Kind, Thing, is_live, shown
from sandbox.stripe.forms import StripeError

SESSION_SECONDS = DAY
RETRY_DAYS = (3, 5, 7)
WARNING = 3 * DAY
FINAL = ("canceled", "incomplete_expired")
NEVER_SENT = ("payments", "line_items")
"""Fields that are returned only with `expand`."""


@dataclass(frozen=True)
class Card:
    """A card, with the number of one of Stripe's test cards."""

    number: str
    brand: str = "visa"

    @property
    def last4(self) -> str:
        return self.number[-4:]


CARDS = {
    "good": Card("4242 4242 4242 4242"),
    "declined": Card("4000 0000 0000 0002"),
    "fails_later": Card("4000 0000 0000 0341"),
    "asks": Card("4000 0027 6000 3184"),
}
OUTCOMES = ("declined", "asks")
RESUMING = ("resume_on_payment_attempt", "resume_on_payment_success")
RESUMING_SECONDS = 23 * 3600
"""Time to attempt the payment of a resumption's invoice, before it is voided."""
AFTER_RETRIES = ("canceled", "unpaid", "past_due")


class Declined(Exception):
    """The bank declined the card."""


class Billing:
    """The billing. `tell` is called with each event."""

    def __init__(self, book: Book, tell: Callable[[Thing], None]) -> None:
        self.book, self._tell = book, tell
        self.after_retries = "canceled"
        self.origin = "http://127.0.0.1"
        """Base address of the pages, as the last API request used it."""

    # Events

    def event(self, kind: str, thing: Thing, previous: Thing | None = None) -> Thing:
        data: Thing = {"object": deepcopy(shown(thing))}
        for name in NEVER_SENT:
            data["object"].pop(name, None)
        if previous is not None:
            data["previous_attributes"] = previous
        event = {
            "id": self.book.new_id(Kind.event),
            "object": "event",
            "api_version": API_VERSION,
            "created": self.book.now,
            "data": data,
            "livemode": is_live(thing),
            "pending_webhooks": 1,
            "request": {"id": None, "idempotency_key": None},
            "type": kind,
        }
        self.book.save(event)
        self._tell(event)
        return event

    @contextmanager
    def _changing(self, thing: Thing, kind: str) -> Iterator[None]:
        """Save the thing after the block, and emit an event if a public field changed."""
        before = deepcopy(shown(thing))
        yield
        self.book.save(thing)
        after = shown(thing)
        previous = {name: value for name, value in before.items() if after[name] != value}
        if previous:
            self.event(kind, thing, previous)

    def changing(self, thing: Thing) -> AbstractContextManager[None]:
        kinds = {"subscription": "customer.subscription.updated", "customer": "customer.updated"}
        return self._changing(thing, kinds[thing["object"]])

    # Customers and payment methods

    def new_customer(self, said: Thing, *, livemode: bool) -> Thing:
        settings = {"custom_fields": None, "default_payment_method": None, "footer": None, "rendering_options": None}
        customer = {
            "id": self.book.new_id(Kind.customer),
            "object": "customer",
            "address": None,
            "balance": 0,
            "created": self.book.now,
            "currency": None,
            "default_source": None,
            "delinquent": False,
            "description": said.get("description"),
            "email": said.get("email"),
            "invoice_settings": settings,
            "livemode": livemode,
            "metadata": said.get("metadata", {}),
            "name": said.get("name"),
            "phone": said.get("phone"),
            "preferred_locales": said.get("preferred_locales", []),
            "shipping": None,
            "tax_exempt": "none",
            "test_clock": None,
            "_next": [],
        }
        self.book.save(customer)
        self.event("customer.created", customer)
        return customer

    def customer(self, id_: str | None, *, livemode: bool, param: str = "customer") -> Thing:
        """Return a customer. Raise StripeError resource_missing if unknown or deleted."""
        customer = self.book.get(Kind.customer, id_, livemode=livemode, param=param)
        if customer.get("deleted"):
            raise StripeError(f"No such customer: '{id_}'", code="resource_missing", param=param)
        return customer

    def delete_customer(self, customer: Thing) -> Thing:
        """Delete a customer and end their subscriptions at once, without another invoice."""
        for subscription in list(self.subscriptions_of(customer)):
            self.end(subscription, "cancellation_requested")
        self.event("customer.deleted", customer)
        gone = {"id": customer["id"], "object": "customer", "deleted": True, "_livemode": customer["livemode"]}
        self.book.save(gone)
        return gone

    def subscriptions_of(self, customer: Thing) -> Iterator[Thing]:
        return self.book.listed(
            Kind.subscription, lambda one: one["customer"] == customer["id"] and one["status"] not in FINAL
        )

    def attach(self, customer: Thing, card: str) -> Thing:
        """Add a card to the customer. Raise Declined for the card that is always declined."""
        if card == "declined":
            raise Declined
        facts = CARDS[card]
        details = {
            "brand": facts.brand,
            "country": "DE",
            "exp_month": 12,
            "exp_year": datetime.fromtimestamp(self.book.now, UTC).year + 3,
            "funding": "credit",
            "last4": facts.last4,
        }
        method = {
            "id": self.book.new_id(Kind.payment_method),
            "object": "payment_method",
            "billing_details": {"address": None, "email": customer["email"], "name": customer["name"], "phone": None},
            "card": details,
            "created": self.book.now,
            "customer": customer["id"],
            "livemode": customer["livemode"],
            "metadata": {},
            "type": "card",
            "_card": card,
        }
        self.book.save(method)
        self.event("payment_method.attached", method)
        return method

    def set_card(self, customer: Thing, card: str) -> None:
        """Make a card the payment method of the customer and all their subscriptions. Raise Declined."""
        method = self.attach(customer, card)
        self._pay_with(customer, method["id"])

    def remove_cards(self, customer: Thing) -> None:
        for method in list(self.book.listed(Kind.payment_method, lambda one: one["customer"] == customer["id"])):
            method["customer"] = None
            self.book.save(method)
            self.event("payment_method.detached", method, {"customer": customer["id"]})
        self._pay_with(customer, None)

    def _pay_with(self, customer: Thing, method: str | None) -> None:
        with self.changing(customer):
            settings = {**customer["invoice_settings"], "default_payment_method": method}
            customer["invoice_settings"] = settings
        for subscription in list(self.subscriptions_of(customer)):
            with self.changing(subscription):
                subscription["default_payment_method"] = method

    def method_of(self, subscription: Thing) -> Thing | None:
        customer = self.book.things[Kind.customer][subscription["customer"]]
        chosen = subscription["default_payment_method"] or customer["invoice_settings"]["default_payment_method"]
        return self.book.things[Kind.payment_method].get(chosen or "")

    # Checkout

    def new_session(self, said: Thing, *, livemode: bool, origin: str) -> Thing:
        """Create a Checkout Session. Raise StripeError for an unknown or inactive price or customer."""
        ordered = said.get("subscription_data", {})
        item = said["line_items"][0]
        price = self.book.get(Kind.price, item["price"], livemode=livemode, param="line_items[0][price]")
        if not price["active"]:
            message = "The price specified is inactive. This field only accepts active prices."
            raise StripeError(message, param="line_items[0][price]")
        quantity = item.get("quantity", 1)
        trial = "trial_period_days" in ordered or "trial_end" in ordered
        total = 0 if trial else price["unit_amount"] * quantity
        id_ = self.book.new_id(Kind.session, livemode=livemode)
        session = {
            "id": id_,
            "object": "checkout.session",
            "allow_promotion_codes": said.get("allow_promotion_codes"),
            "amount_subtotal": total,
            "amount_total": total,
            "automatic_tax": {"enabled": False, "liability": None, "provider": None, "status": None},
            "billing_address_collection": said.get("billing_address_collection"),
            "cancel_url": said.get("cancel_url"),
            "client_reference_id": said.get("client_reference_id"),
            "created": self.book.now,
            "currency": price["currency"],
            "custom_fields": [],
            "customer": said.get("customer"),
            "customer_details": None,
            "customer_email": said.get("customer_email"),
            "expires_at": said.get("expires_at", self.book.now + SESSION_SECONDS),
            "invoice": None,
            "livemode": livemode,
            "locale": said.get("locale"),
            "metadata": said.get("metadata", {}),
            "mode": "subscription",
            "payment_intent": None,
            "payment_link": None,
            "payment_method_collection": said.get("payment_method_collection", "always"),
            "payment_method_types": ["card"],
            "payment_status": "unpaid",
            "setup_intent": None,
            "status": "open",
            "subscription": None,
            "success_url": said["success_url"],
            "ui_mode": "hosted_page",
            "url": f"{origin}/stripe/checkout/{id_}",
            "line_items": {
                "object": "list",
                "data": [
                    {
                        "id": f"li_{id_[8:]}",
                        "object": "item",
                        "amount_discount": 0,
                        "amount_subtotal": total,
                        "amount_tax": 0,
                        "amount_total": total,
                        "currency": price["currency"],
                        "price": shown(price),
                        "quantity": quantity,
                    }
                ],
                "has_more": False,
                "url": f"/v1/checkout/sessions/{id_}/line_items",
            },
            "_ordered": ordered,
        }
        if session["customer"] is not None:
            self.customer(session["customer"], livemode=livemode)
        self.book.save(session)
        return session

    def trial_end(self, session: Thing) -> int | None:
        """Return the end of the session's trial if it began now; None without a trial."""
        ordered = session["_ordered"]
        if "trial_period_days" in ordered:
            return self.book.now + int(ordered["trial_period_days"]) * DAY
        end: int | None = ordered.get("trial_end")
        return end

    def goes_without_card(self, session: Thing) -> bool:
        return self.trial_end(session) is not None and session["payment_method_collection"] == "if_required"

    def complete(self, session: Thing, card: str | None, email: str | None = None) -> None:
        """Complete the session, as the page's button does. Raise Declined, which leaves the session open, and
        StripeError if it is no longer open or needs a card."""
        if session["status"] != "open":
            raise StripeError("This Checkout Session is no longer open.")
        if card is None and not self.goes_without_card(session):
            raise StripeError("This Checkout Session needs a payment method.")
        if card == "declined":
            raise Declined
        livemode = session["livemode"]
        if session["customer"] is None:
            session["customer"] = self.new_customer({"email": session["customer_email"] or email}, livemode=livemode)[
                "id"
            ]
        customer = self.customer(session["customer"], livemode=livemode)
        method = self.attach(customer, card) if card else None
        subscription = self._subscribe(session, customer, method)
        session["customer_details"] = {"email": customer["email"], "name": customer["name"], "phone": None}
        session["invoice"] = subscription["latest_invoice"]
        session["payment_status"] = "paid" if self.trial_end(session) is None else "no_payment_required"
        session["status"], session["url"] = "complete", None
        session["subscription"] = subscription["id"]
        self.book.save(session)
        self.event("checkout.session.completed", session)

    def expire(self, session: Thing) -> None:
        if session["status"] != "open":
            message = (
                "Only Checkout Sessions with a status in ['open'] can be expired. "
                f"This Checkout Session has a status of {session['status']}."
            )
            raise StripeError(message)
        session["status"], session["url"] = "expired", None
        self.book.save(session)
        self.event("checkout.session.expired", session)

    # Subscriptions

    def _subscribe(self, session: Thing, customer: Thing, method: Thing | None) -> Thing:
        ordered = session["_ordered"]
        bought = session["line_items"]["data"][0]
        price: Thing = bought["price"]
        now, trial_end = self.book.now, self.trial_end(session)
        anchor = trial_end or now
        behaviour = ordered.get("trial_settings", {}).get("end_behavior", {"missing_payment_method": "create_invoice"})
        id_ = self.book.new_id(Kind.subscription)
        subscription: Thing = {
            "id": id_,
            "object": "subscription",
            "application": None,
            "automatic_tax": {"disabled_reason": None, "enabled": False, "liability": None},
            "billing_cycle_anchor": anchor,
            "billing_mode": {"flexible": {"proration_discounts": "included"}, "type": "flexible", "updated_at": None},
            "cancel_at": None,
            "cancel_at_period_end": False,
            "canceled_at": None,
            "cancellation_details": {"comment": None, "feedback": None, "reason": None},
            "collection_method": "charge_automatically",
            "created": now,
            "currency": price["currency"],
            "customer": customer["id"],
            "days_until_due": None,
            "default_payment_method": method["id"] if method else None,
            "default_source": None,
            "default_tax_rates": [],
            "description": ordered.get("description"),
            "discounts": [],
            "ended_at": None,
            "invoice_settings": {"account_tax_ids": None, "issuer": {"type": "self"}},
            "items": {
                "object": "list",
                "data": [
                    {
                        "id": f"si_{id_[4:]}",
                        "object": "subscription_item",
                        "created": now,
                        "current_period_end": anchor if trial_end else _later(now, price, 1),
                        "current_period_start": now,
                        "discounts": [],
                        "metadata": {},
                        "price": price,
                        "quantity": bought["quantity"],
                        "subscription": id_,
                        "tax_rates": [],
                    }
                ],
                "has_more": False,
                "url": f"/v1/subscription_items?subscription={id_}",
            },
            "latest_invoice": None,
            "livemode": session["livemode"],
            "metadata": ordered.get("metadata", {}),
            "next_pending_invoice_item_invoice": None,
            "on_behalf_of": None,
            "pause_collection": None,
            "payment_settings": {"payment_method_options": None, "payment_method_types": None},
            "pending_setup_intent": None,
            "pending_update": None,
            "schedule": None,
            "start_date": now,
            "status": "trialing" if trial_end else "active",
            "status_details": None,
            "test_clock": None,
            "transfer_data": None,
            "trial_end": trial_end,
            "trial_settings": {"end_behavior": behaviour},
            "trial_start": now if trial_end else None,
            "_periods": 0 if trial_end else 1,
            "_warned": False,
            "_resuming": None,
        }
        invoice = self._new_invoice(subscription, "subscription_create", 0 if trial_end else None)
        subscription["latest_invoice"] = invoice["id"]
        self.book.save(subscription)
        self.event("customer.subscription.created", subscription)
        self.event("invoice.created", invoice)
        self._finalize(invoice)
        self._paid(invoice, subscription)
        return subscription

    def cancel_at_period_end(self, subscription: Thing, wanted: bool) -> None:
        """Cancel at the end of the period, or undo it. Call within `changing`."""
        self.cancel_at(subscription, period(subscription)["current_period_end"] if wanted else None)
        subscription["cancel_at_period_end"] = wanted

    def cancel_at(self, subscription: Thing, end: int | None) -> None:
        """Cancel at that time, whatever is paid for; None: do not cancel. Call within `changing`."""
        subscription["cancel_at_period_end"], subscription["cancel_at"] = False, end
        subscription["canceled_at"] = None if end is None else self.book.now
        reason = None if end is None else "cancellation_requested"
        subscription["cancellation_details"] = {**subscription["cancellation_details"], "reason": reason}

    def end(self, subscription: Thing, reason: str | None) -> None:
        """End the subscription now."""
        now = self.book.now
        subscription["status"], subscription["ended_at"] = "canceled", now
        subscription["canceled_at"] = subscription["canceled_at"] or now
        subscription["cancellation_details"] = {**subscription["cancellation_details"], "reason": reason}
        for invoice in self._open_invoices(subscription):
            invoice["next_payment_attempt"], invoice["auto_advance"] = None, False
            self.book.save(invoice)
        self.book.save(subscription)
        self.event("customer.subscription.deleted", subscription)

    def set_trial_end(self, subscription: Thing, end: int | str) -> None:
        """Move the end of the trial, or end it `now`. Raise StripeError for a time in the past."""
        now = self.book.now
        if end == "now":
            if subscription["status"] == "trialing":
                self._end_trial(subscription, period_start=now)
            return
        if int(end) <= now:
            raise StripeError("Invalid timestamp: must be an integer Unix timestamp in the future.", param="trial_end")
        with self.changing(subscription):
            subscription["status"], subscription["trial_end"] = "trialing", int(end)
            subscription["trial_start"] = subscription["trial_start"] or now
            subscription["billing_cycle_anchor"] = int(end)
            subscription["_periods"], subscription["_warned"] = 0, False
            period(subscription)["current_period_end"] = int(end)
            if subscription["cancel_at_period_end"]:
                subscription["cancel_at"] = int(end)

    def resume(self, subscription: Thing, behaviour: str) -> None:
        """Resume a paused subscription: its period begins when the invoice is paid, by this call or, with
        `resume_on_payment_attempt`, by a later one. Raise StripeError if it is not paused or has no payment method."""
        if subscription["status"] != "paused":
            message = f"Only paused subscriptions can be resumed. This one has a status of {subscription['status']}."
            raise StripeError(message)
        pays = behaviour == "resume_on_payment_success"
        if pays and self.method_of(subscription) is None:
            message = "This customer has no attached payment source or default payment method."
            raise StripeError(message, code="resource_missing")
        for invoice in self._open_invoices(subscription):
            self._void(invoice)
        begun = deepcopy(subscription)
        self._begin_period(begun, self.book.now, anew=True)
        invoice = self._new_invoice(begun, "subscription_update")
        subscription["_resuming"] = behaviour
        self._send(invoice, subscription)
        if pays:
            self._attempt(invoice, subscription, on_session=False)
        else:
            invoice["auto_advance"] = False
            invoice["_void_at"] = self.book.now + RESUMING_SECONDS
            self.book.save(invoice)

    def _activate(self, subscription: Thing, invoice: Thing, status: str = "active") -> None:
        was_paused = subscription["status"] == "paused"
        with self.changing(subscription):
            if was_paused:
                self._begin_period(subscription, invoice["lines"]["data"][0]["period"]["start"], anew=True)
                subscription["status_details"] = None
            subscription["status"] = status
        if was_paused:
            self.event("customer.subscription.resumed", subscription)

    def _end_trial(self, subscription: Thing, period_start: int) -> None:
        behaviour = subscription["trial_settings"]["end_behavior"]["missing_payment_method"]
        if self.method_of(subscription) is None and behaviour == "cancel":
            self.end(subscription, None)
            return
        if self.method_of(subscription) is None and behaviour == "pause":
            with self.changing(subscription):
                subscription["status"], subscription["trial_end"] = "paused", period_start
                subscription["status_details"] = {
                    "paused": {
                        "subscription": {"type": "trial_end_without_payment_method"},
                        "transitioned_at": self.book.now,
                        "type": "subscription",
                    }
                }
            self.event("customer.subscription.paused", subscription)
            return
        with self.changing(subscription):
            subscription["status"], subscription["trial_end"] = "active", period_start
            self._begin_period(subscription, period_start, anew=True)
        self._attempt(self._bill(subscription, "subscription_cycle"), subscription, on_session=False)

    def _renew(self, subscription: Thing) -> None:
        with self.changing(subscription):
            self._begin_period(subscription, period(subscription)["current_period_end"])
        invoice = self._bill(subscription, "subscription_cycle", draft=subscription["status"] == "unpaid")
        if invoice["status"] == "open":
            self._attempt(invoice, subscription, on_session=False)

    @staticmethod
    def _begin_period(subscription: Thing, start: int, *, anew: bool = False) -> None:
        """Begin a period. Months count from the anchor, so that a start on the 31st returns to the 31st."""
        if anew:
            subscription["billing_cycle_anchor"], subscription["_periods"] = start, 0
        subscription["_periods"] += 1
        item = period(subscription)
        item["current_period_start"] = start
        item["current_period_end"] = _later(
            subscription["billing_cycle_anchor"], item["price"], subscription["_periods"]
        )

    # Invoices

    def _new_invoice(self, subscription: Thing, reason: str, amount: int | None = None) -> Thing:
        item = period(subscription)
        price = item["price"]
        amount = price["unit_amount"] * item["quantity"] if amount is None else amount
        customer = self.book.things[Kind.customer][subscription["customer"]]
        id_ = self.book.new_id(Kind.invoice)
        number = sum(1 for _ in self.book.listed(Kind.invoice)) + 1
        invoice = {
            "id": id_,
            "object": "invoice",
            "amount_due": amount,
            "amount_paid": 0,
            "amount_remaining": amount,
            "attempt_count": 0,
            "attempted": False,
            "automatic_tax": {"disabled_reason": None, "enabled": False, "liability": None, "provider": None},
            "auto_advance": True,
            "billing_reason": reason,
            "collection_method": "charge_automatically",
            "created": self.book.now,
            "currency": price["currency"],
            "customer": customer["id"],
            "customer_email": customer["email"],
            "customer_name": customer["name"],
            "customer_tax_exempt": "none",
            "default_payment_method": None,
            "description": None,
            "discounts": [],
            "due_date": None,
            "effective_at": None,
            "hosted_invoice_url": None,
            "invoice_pdf": None,
            "lines": {
                "object": "list",
                "data": [
                    {
                        "id": f"il_{id_[3:]}",
                        "object": "line_item",
                        "amount": amount,
                        "currency": price["currency"],
                        "description": self._describe(item),
                        "invoice": id_,
                        "livemode": subscription["livemode"],
                        "metadata": {},
                        "parent": {
                            "subscription_item_details": {
                                "subscription": subscription["id"],
                                "subscription_item": item["id"],
                            },
                            "type": "subscription_item_details",
                        },
                        "period": {"end": item["current_period_end"], "start": item["current_period_start"]},
                        "pricing": {
                            "price_details": {"price": price["id"], "product": price["product"]},
                            "type": "price_details",
                        },
                        "quantity": item["quantity"],
                        "subtotal": amount,
                    }
                ],
                "has_more": False,
                "url": f"/v1/invoices/{id_}/lines",
            },
            "livemode": subscription["livemode"],
            "metadata": {},
            "next_payment_attempt": None,
            "number": None,
            "parent": {
                "quote_details": None,
                "subscription_details": {"metadata": subscription["metadata"], "subscription": subscription["id"]},
                "type": "subscription_details",
            },
            "payments": {"object": "list", "data": [], "has_more": False, "url": f"/v1/invoice_payments?invoice={id_}"},
            "period_end": self.book.now,
            "period_start": self.book.now,
            "status": "draft",
            "status_transitions": {
                "finalized_at": None,
                "marked_uncollectible_at": None,
                "paid_at": None,
                "voided_at": None,
            },
            "starting_balance": 0,
            "subtotal": amount,
            "test_clock": None,
            "total": amount,
            "_number": f"SANDBOX-{number:04}",
            "_void_at": None,
        }
        self.book.save(invoice)
        return invoice

    def _describe(self, item: Thing) -> str:
        product = self.book.things[Kind.product].get(item["price"]["product"], {"name": item["price"]["product"]})
        return f"{item['quantity']} × {product['name']}"

    def _bill(self, subscription: Thing, reason: str, *, draft: bool = False) -> Thing:
        """Create the invoice of the new period and finalise it, unless `draft`."""
        invoice = self._new_invoice(subscription, reason)
        invoice["auto_advance"] = not draft
        self._send(invoice, subscription, draft=draft)
        return invoice

    def _send(self, invoice: Thing, subscription: Thing, *, draft: bool = False) -> None:
        self.book.save(invoice)
        with self.changing(subscription):
            subscription["latest_invoice"] = invoice["id"]
        self.event("invoice.created", invoice)
        if not draft:
            self._finalize(invoice)

    def _void(self, invoice: Thing) -> None:
        invoice["status"], invoice["next_payment_attempt"], invoice["_void_at"] = "void", None, None
        invoice["status_transitions"] = {**invoice["status_transitions"], "voided_at": self.book.now}
        self.book.save(invoice)
        self.event("invoice.voided", invoice)

    def _finalize(self, invoice: Thing) -> None:
        now = self.book.now
        invoice["status"], invoice["number"], invoice["effective_at"] = "open", invoice["_number"], now
        invoice["hosted_invoice_url"] = f"{self.origin}/stripe/invoice/{invoice['id']}"
        invoice["status_transitions"] = {**invoice["status_transitions"], "finalized_at": now}
        self.book.save(invoice)
        self.event("invoice.finalized", invoice)

    def _open_invoices(self, subscription: Thing) -> list[Thing]:
        return list(
            self.book.listed(
                Kind.invoice, lambda one: one["status"] == "open" and subscription_of(one) == subscription["id"]
            )
        )

    def pay(self, invoice: Thing, *, on_session: bool) -> None:
        """Pay an invoice. Raise StripeError if it is not open, and with status 402 if the card is declined."""
        if invoice["status"] != "open":
            message = "Invoice is already paid" if invoice["status"] == "paid" else "This invoice cannot be paid"
            raise StripeError(message)
        livemode = invoice["livemode"]
        self.customer(invoice["customer"], livemode=livemode)
        id_ = subscription_of(invoice)
        subscription = self.book.get(Kind.subscription, id_, livemode=livemode, param="subscription")
        if not self._attempt(invoice, subscription, on_session=on_session):
            raise StripeError("Your card was declined.", status=402, code="card_declined", kind="card_error")

    def _attempt(self, invoice: Thing, subscription: Thing, *, on_session: bool) -> bool:
        """Attempt the payment. Return whether it succeeded."""
        outcome = self._outcome(subscription, on_session=on_session) if invoice["amount_due"] else "paid"
        if outcome == "paid":
            self._paid(invoice, subscription)
        else:
            self._failed(invoice, subscription, outcome)
        return outcome == "paid"

    def _outcome(self, subscription: Thing, *, on_session: bool) -> str:
        customer = self.book.things[Kind.customer][subscription["customer"]]
        method = self.method_of(subscription)
        if method is None:
            return "no_card"
        if customer["_next"]:
            ordered: str = customer["_next"].pop(0)
            self.book.save(customer)
            return ordered
        if method["_card"] == "fails_later":
            return "declined"
        return "asks" if method["_card"] == "asks" and not on_session else "paid"

    def _charge(self, invoice: Thing, subscription: Thing, *, succeeded: bool) -> Thing:
        method = self.method_of(subscription)
        id_ = self.book.new_id(Kind.charge)
        card = method["card"] if method else None
        charge = {
            "id": id_,
            "object": "charge",
            "amount": invoice["amount_due"],
            "amount_captured": invoice["amount_due"] if succeeded else 0,
            "amount_refunded": 0,
            "captured": succeeded,
            "created": self.book.now,
            "currency": invoice["currency"],
            "customer": invoice["customer"],
            "disputed": False,
            "failure_code": None if succeeded else "card_declined",
            "failure_message": None if succeeded else "Your card was declined.",
            "livemode": invoice["livemode"],
            "metadata": {},
            "paid": succeeded,
            "payment_intent": f"pi_{id_[3:]}",
            "payment_method": method["id"] if method else None,
            "payment_method_details": {"card": card, "type": "card"},
            "refunded": False,
            "status": "succeeded" if succeeded else "failed",
            "_invoice": invoice["id"],
        }
        self.book.save(charge)
        self.event("charge.succeeded" if succeeded else "charge.failed", charge)
        return charge

    def _paid(self, invoice: Thing, subscription: Thing) -> None:
        now = self.book.now
        if invoice["amount_due"]:
            charge = self._charge(invoice, subscription, succeeded=True)
            invoice["payments"]["data"] = [
                {
                    "id": f"inpay_{charge['id'][3:]}",
                    "object": "invoice_payment",
                    "amount_paid": charge["amount"],
                    "created": now,
                    "currency": charge["currency"],
                    "invoice": invoice["id"],
                    "is_default": True,
                    "livemode": invoice["livemode"],
                    "payment": {"payment_intent": charge["payment_intent"], "type": "payment_intent"},
                    "status": "paid",
                    "status_transitions": {"canceled_at": None, "paid_at": now},
                }
            ]
            invoice["attempt_count"] += 1
        invoice["status"], invoice["attempted"], invoice["auto_advance"] = "paid", True, False
        invoice["amount_paid"], invoice["amount_remaining"] = invoice["amount_due"], 0
        invoice["next_payment_attempt"] = None
        invoice["status_transitions"] = {**invoice["status_transitions"], "paid_at": now}
        self.book.save(invoice)
        self.event("invoice.paid", invoice)
        if subscription["latest_invoice"] == invoice["id"] and subscription["status"] in (
            "past_due",
            "unpaid",
            "paused",
        ):
            self._activate(subscription, invoice)

    def _failed(self, invoice: Thing, subscription: Thing, outcome: str) -> None:
        if outcome == "declined":
            self._charge(invoice, subscription, succeeded=False)
        invoice["attempted"] = True
        invoice["attempt_count"] += 1
        left = RETRY_DAYS[invoice["attempt_count"] - 1 : invoice["attempt_count"]]
        resuming = subscription["_resuming"] if subscription["status"] == "paused" else None
        tried_again = bool(left) and (
            subscription["status"] in ("active", "past_due") or resuming == "resume_on_payment_success"
        )
        invoice["_void_at"] = None
        invoice["next_payment_attempt"] = self.book.now + left[0] * DAY if tried_again else None
        self.book.save(invoice)
        self.event("invoice.payment_failed", invoice)
        if outcome == "asks":
            self.event("invoice.payment_action_required", invoice)
        if subscription["status"] == "active":
            with self.changing(subscription):
                subscription["status"] = "past_due"
        elif resuming == "resume_on_payment_attempt":
            self._activate(subscription, invoice, "past_due")
        elif subscription["status"] == "past_due" and not left:
            self._give_up(subscription)

    def _give_up(self, subscription: Thing) -> None:
        if self.after_retries == "canceled":
            self.end(subscription, "payment_failed")
        else:
            with self.changing(subscription):
                subscription["status"] = self.after_retries

    def refund(self, charge: Thing, amount: int | None = None, reason: str | None = None) -> Thing:
        """Refund a charge. Raise StripeError if the amount exceeds what is left."""
        left = charge["amount_captured"] - charge["amount_refunded"]
        amount = left if amount is None else amount
        if left == 0:
            message = f"Charge {charge['id']} has already been refunded."
            raise StripeError(message, code="charge_already_refunded")
        if amount > left:
            message = f"Refund amount ({amount}) is greater than unrefunded amount on charge ({left})"
            raise StripeError(message, param="amount")
        refund = {
            "id": self.book.new_id(Kind.refund),
            "object": "refund",
            "amount": amount,
            "charge": charge["id"],
            "created": self.book.now,
            "currency": charge["currency"],
            "metadata": {},
            "payment_intent": charge["payment_intent"],
            "reason": reason,
            "status": "succeeded",
            "_livemode": charge["livemode"],
        }
        self.book.save(refund)
        self.event("refund.created", refund)
        before = {"amount_refunded": charge["amount_refunded"], "refunded": charge["refunded"]}
        charge["amount_refunded"] += amount
        charge["refunded"] = charge["amount_refunded"] == charge["amount_captured"]
        self.book.save(charge)
        self.event("charge.refunded", charge, before)
        return refund

    # Time

    def catch_up(self) -> None:
        """Apply all changes that are due by now, each at its own time."""
        until = self.book.now
        try:
            while due := min(self._due(until), key=lambda one: one[0], default=None):
                self.book.at, happen = due
                happen()
        finally:
            self.book.at = None

    def _due(self, until: int) -> Iterator[tuple[int, Callable[[], None]]]:
        for kind, next_of in (
            (Kind.session, self._next_of_session),
            (Kind.invoice, self._next_of_invoice),
            (Kind.subscription, self._next_of_subscription),
        ):
            for thing in self.book.things[kind].values():
                found = next_of(thing)
                if found is not None and found[0] <= until:
                    yield found

    def _next_of_session(self, session: Thing) -> tuple[int, Callable[[], None]] | None:
        return (session["expires_at"], lambda: self.expire(session)) if session["status"] == "open" else None

    def _next_of_invoice(self, invoice: Thing) -> tuple[int, Callable[[], None]] | None:
        if invoice["status"] == "open" and invoice["_void_at"] is not None:
            return invoice["_void_at"], lambda: self._void(invoice)
        if invoice["status"] != "open" or invoice["next_payment_attempt"] is None:
            return None
        return invoice["next_payment_attempt"], lambda: self._retry(invoice)

    def _retry(self, invoice: Thing) -> None:
        subscription = self.book.things[Kind.subscription][subscription_of(invoice)]
        self._attempt(invoice, subscription, on_session=False)

    def _next_of_subscription(self, subscription: Thing) -> tuple[int, Callable[[], None]] | None:
        status = subscription["status"]
        if status in FINAL or status == "paused":
            return None
        end: int = period(subscription)["current_period_end"]
        canceled: int | None = end if subscription["cancel_at_period_end"] else subscription["cancel_at"]
        if status == "trialing" and not subscription["_warned"]:
            warned_at = max(subscription["trial_end"] - WARNING, subscription["created"])
            if canceled is None or warned_at < canceled:
                return warned_at, lambda: self._warn(subscription)
        if canceled is not None and canceled <= end:
            return canceled, lambda: self.end(subscription, "cancellation_requested")
        if status == "trialing":
            return end, lambda: self._end_trial(subscription, end)
        return end, lambda: self._renew(subscription)

    def _warn(self, subscription: Thing) -> None:
        subscription["_warned"] = True
        self.book.save(subscription)
        self.event("customer.subscription.trial_will_end", subscription)


def period(subscription: Thing) -> Thing:
    """Return the subscription's item, which has the current period."""
    item: Thing = subscription["items"]["data"][0]
    return item


def subscription_of(invoice: Thing) -> str:
    return str(invoice["parent"]["subscription_details"]["subscription"])


def _later(anchor: int, price: Thing, periods: int) -> int:
    """Return the end of that many periods in epoch seconds; in shorter months, their last day."""
    every = price["recurring"]
    count: int = every["interval_count"] * periods
    if every["interval"] in ("day", "week"):
        return anchor + count * DAY * (7 if every["interval"] == "week" else 1)
    begun = datetime.fromtimestamp(anchor, UTC)
    months = begun.month - 1 + count * (12 if every["interval"] == "year" else 1)
    year, month = begun.year + months // 12, months % 12 + 1
    day = min(begun.day, calendar.monthrange(year, month)[1])
    return int(begun.replace(year=year, month=month, day=day).timestamp())
