"""Checkout sessions, subscriptions and invoices, and how actions and time change them.

Two things are faster than at Stripe: an invoice is finalised and charged when it is created, not an hour later, and a
search finds changes at once.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy

from sandbox.stripe.book import DAY, Book, Kind, Thing
from sandbox.stripe.customers import Customers, Declined
from sandbox.stripe.events import Events
from sandbox.stripe.objects import (
    FINAL,
    add_periods,
    new_charge,
    new_invoice,
    new_payment,
    new_refund,
    new_session,
    new_subscription,
    period,
    subscription_of,
)
from sandbox.stripe.problems import StripeError

RETRY_DAYS = (3, 5, 7)
WARNING = 3 * DAY
OUTCOMES = ("declined", "asks")
RESUMING = ("resume_on_payment_attempt", "resume_on_payment_success")
RESUMING_SECONDS = 23 * 3600
"""Time to attempt the payment of a resumption's invoice, before it is voided."""
AFTER_RETRIES = ("canceled", "unpaid", "past_due")


class Billing:
    """The billing. `send` is called with each event."""

    def __init__(self, book: Book, send: Callable[[Thing], None]) -> None:
        self.book = book
        self.events = Events(book, send)
        self.customers = Customers(book, self.events)
        self.after_retries = AFTER_RETRIES[0]
        self.origin = "http://127.0.0.1"
        """Base address of the pages, as the last API request used it."""

    def delete_customer(self, customer: Thing) -> Thing:
        """Delete a customer and end their subscriptions at once, without another invoice."""
        for subscription in list(self.customers.subscriptions(customer)):
            self.end(subscription, "cancellation_requested")
        self.events.add("customer.deleted", customer)
        deleted = {"id": customer["id"], "object": "customer", "deleted": True, "_livemode": customer["livemode"]}
        self.book.save(deleted)
        return deleted

    # Checkout

    def create_session(self, fields: Thing, *, livemode: bool, origin: str) -> Thing:
        """Create a Checkout Session. Raise StripeError for an unknown or inactive price or customer."""
        item = fields["line_items"][0]
        price = self.book.get(Kind.price, item["price"], livemode=livemode, param="line_items[0][price]")
        if not price["active"]:
            message = "The price specified is inactive. This field only accepts active prices."
            raise StripeError(message, param="line_items[0][price]")
        if fields.get("customer") is not None:
            self.customers.get(fields["customer"], livemode=livemode)
        id_ = self.book.new_id(Kind.session, livemode=livemode)
        session = new_session(id_, self.book.now, fields, price, livemode=livemode, origin=origin)
        self.book.save(session)
        return session

    def trial_end(self, session: Thing) -> int | None:
        """Return the end of the session's trial if it began now; None without a trial."""
        ordered = session["_ordered"]
        if "trial_period_days" in ordered:
            return self.book.now + int(ordered["trial_period_days"]) * DAY
        end: int | None = ordered.get("trial_end")
        return end

    def needs_no_card(self, session: Thing) -> bool:
        return self.trial_end(session) is not None and session["payment_method_collection"] == "if_required"

    def complete(self, session: Thing, card: str | None, email: str | None = None) -> None:
        """Complete the session, as the page's button does. Raise Declined, which leaves the session open, and
        StripeError if it is no longer open or needs a card."""
        if session["status"] != "open":
            raise StripeError("This Checkout Session is no longer open.")
        if card is None and not self.needs_no_card(session):
            raise StripeError("This Checkout Session needs a payment method.")
        if card == "declined":
            raise Declined
        livemode = session["livemode"]
        if session["customer"] is None:
            session["customer"] = self.customers.create(
                {"email": session["customer_email"] or email}, livemode=livemode
            )["id"]
        customer = self.customers.get(session["customer"], livemode=livemode)
        method = self.customers.add_card(customer, card) if card else None
        subscription = self._subscribe(session, customer, method)
        session["customer_details"] = {"email": customer["email"], "name": customer["name"], "phone": None}
        session["invoice"] = subscription["latest_invoice"]
        session["payment_status"] = "paid" if self.trial_end(session) is None else "no_payment_required"
        session["status"], session["url"] = "complete", None
        session["subscription"] = subscription["id"]
        self.book.save(session)
        self.events.add("checkout.session.completed", session)

    def expire(self, session: Thing) -> None:
        if session["status"] != "open":
            message = (
                "Only Checkout Sessions with a status in ['open'] can be expired. "
                f"This Checkout Session has a status of {session['status']}."
            )
            raise StripeError(message)
        session["status"], session["url"] = "expired", None
        self.book.save(session)
        self.events.add("checkout.session.expired", session)

    # Subscriptions

    def _subscribe(self, session: Thing, customer: Thing, method: Thing | None) -> Thing:
        now, trial_end = self.book.now, self.trial_end(session)
        subscription = new_subscription(self.book.new_id(Kind.subscription), now, session, customer, method, trial_end)
        invoice = self._create_invoice(subscription, "subscription_create", 0 if trial_end else None)
        subscription["latest_invoice"] = invoice["id"]
        self.book.save(subscription)
        self.events.add("customer.subscription.created", subscription)
        self.events.add("invoice.created", invoice)
        self._finalize(invoice)
        self._mark_paid(invoice, subscription)
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
        self.events.add("customer.subscription.deleted", subscription)

    def set_trial_end(self, subscription: Thing, end: int | str) -> None:
        """Move the end of the trial, or end it `now`. Raise StripeError for a time in the past."""
        now = self.book.now
        if end == "now":
            if subscription["status"] == "trialing":
                self._end_trial(subscription, period_start=now)
            return
        if int(end) <= now:
            raise StripeError("Invalid timestamp: must be an integer Unix timestamp in the future.", param="trial_end")
        with self.events.changing(subscription):
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
        if pays and self.customers.payment_method(subscription) is None:
            message = "This customer has no attached payment source or default payment method."
            raise StripeError(message, code="resource_missing")
        for invoice in self._open_invoices(subscription):
            self._void(invoice)
        begun = deepcopy(subscription)
        self._begin_period(begun, self.book.now, anew=True)
        invoice = self._create_invoice(begun, "subscription_update")
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
        with self.events.changing(subscription):
            if was_paused:
                self._begin_period(subscription, invoice["lines"]["data"][0]["period"]["start"], anew=True)
                subscription["status_details"] = None
            subscription["status"] = status
        if was_paused:
            self.events.add("customer.subscription.resumed", subscription)

    def _end_trial(self, subscription: Thing, period_start: int) -> None:
        behaviour = subscription["trial_settings"]["end_behavior"]["missing_payment_method"]
        if self.customers.payment_method(subscription) is None and behaviour == "cancel":
            self.end(subscription, None)
            return
        if self.customers.payment_method(subscription) is None and behaviour == "pause":
            with self.events.changing(subscription):
                subscription["status"], subscription["trial_end"] = "paused", period_start
                subscription["status_details"] = {
                    "paused": {
                        "subscription": {"type": "trial_end_without_payment_method"},
                        "transitioned_at": self.book.now,
                        "type": "subscription",
                    }
                }
            self.events.add("customer.subscription.paused", subscription)
            return
        with self.events.changing(subscription):
            subscription["status"], subscription["trial_end"] = "active", period_start
            self._begin_period(subscription, period_start, anew=True)
        self._attempt(self._bill(subscription, "subscription_cycle"), subscription, on_session=False)

    def _renew(self, subscription: Thing) -> None:
        with self.events.changing(subscription):
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
        item["current_period_end"] = add_periods(
            subscription["billing_cycle_anchor"], item["price"], subscription["_periods"]
        )

    # Invoices

    def _create_invoice(self, subscription: Thing, reason: str, amount: int | None = None) -> Thing:
        item = period(subscription)
        product = self.book.things[Kind.product].get(item["price"]["product"], {"name": item["price"]["product"]})
        invoice = new_invoice(
            self.book.new_id(Kind.invoice),
            self.book.now,
            subscription,
            self.book.things[Kind.customer][subscription["customer"]],
            number=sum(1 for _ in self.book.listed(Kind.invoice)) + 1,
            description=f"{item['quantity']} × {product['name']}",
            amount=item["price"]["unit_amount"] * item["quantity"] if amount is None else amount,
            reason=reason,
        )
        self.book.save(invoice)
        return invoice

    def _bill(self, subscription: Thing, reason: str, *, draft: bool = False) -> Thing:
        """Create the invoice of the new period and finalise it, unless `draft`."""
        invoice = self._create_invoice(subscription, reason)
        invoice["auto_advance"] = not draft
        self._send(invoice, subscription, draft=draft)
        return invoice

    def _send(self, invoice: Thing, subscription: Thing, *, draft: bool = False) -> None:
        self.book.save(invoice)
        with self.events.changing(subscription):
            subscription["latest_invoice"] = invoice["id"]
        self.events.add("invoice.created", invoice)
        if not draft:
            self._finalize(invoice)

    def _void(self, invoice: Thing) -> None:
        invoice["status"], invoice["next_payment_attempt"], invoice["_void_at"] = "void", None, None
        invoice["status_transitions"] = {**invoice["status_transitions"], "voided_at": self.book.now}
        self.book.save(invoice)
        self.events.add("invoice.voided", invoice)

    def _finalize(self, invoice: Thing) -> None:
        now = self.book.now
        invoice["status"], invoice["number"], invoice["effective_at"] = "open", invoice["_number"], now
        invoice["hosted_invoice_url"] = f"{self.origin}/stripe/invoice/{invoice['id']}"
        invoice["status_transitions"] = {**invoice["status_transitions"], "finalized_at": now}
        self.book.save(invoice)
        self.events.add("invoice.finalized", invoice)

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
        self.customers.get(invoice["customer"], livemode=livemode)
        id_ = subscription_of(invoice)
        subscription = self.book.get(Kind.subscription, id_, livemode=livemode, param="subscription")
        if not self._attempt(invoice, subscription, on_session=on_session):
            raise StripeError("Your card was declined.", status=402, code="card_declined", kind="card_error")

    def _attempt(self, invoice: Thing, subscription: Thing, *, on_session: bool) -> bool:
        """Attempt the payment. Return whether it succeeded."""
        outcome = self._outcome(subscription, on_session=on_session) if invoice["amount_due"] else "paid"
        if outcome == "paid":
            self._mark_paid(invoice, subscription)
        else:
            self._mark_failed(invoice, subscription, outcome)
        return outcome == "paid"

    def _outcome(self, subscription: Thing, *, on_session: bool) -> str:
        customer = self.book.things[Kind.customer][subscription["customer"]]
        method = self.customers.payment_method(subscription)
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
        method = self.customers.payment_method(subscription)
        charge = new_charge(self.book.new_id(Kind.charge), self.book.now, invoice, method, succeeded=succeeded)
        self.book.save(charge)
        self.events.add("charge.succeeded" if succeeded else "charge.failed", charge)
        return charge

    def _mark_paid(self, invoice: Thing, subscription: Thing) -> None:
        now = self.book.now
        if invoice["amount_due"]:
            charge = self._charge(invoice, subscription, succeeded=True)
            invoice["payments"]["data"] = [new_payment(now, invoice, charge)]
            invoice["attempt_count"] += 1
        invoice["status"], invoice["attempted"], invoice["auto_advance"] = "paid", True, False
        invoice["amount_paid"], invoice["amount_remaining"] = invoice["amount_due"], 0
        invoice["next_payment_attempt"] = None
        invoice["status_transitions"] = {**invoice["status_transitions"], "paid_at": now}
        self.book.save(invoice)
        self.events.add("invoice.paid", invoice)
        if subscription["latest_invoice"] == invoice["id"] and subscription["status"] in (
            "past_due",
            "unpaid",
            "paused",
        ):
            self._activate(subscription, invoice)

    def _mark_failed(self, invoice: Thing, subscription: Thing, outcome: str) -> None:
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
        self.events.add("invoice.payment_failed", invoice)
        if outcome == "asks":
            self.events.add("invoice.payment_action_required", invoice)
        if subscription["status"] == "active":
            with self.events.changing(subscription):
                subscription["status"] = "past_due"
        elif resuming == "resume_on_payment_attempt":
            self._activate(subscription, invoice, "past_due")
        elif subscription["status"] == "past_due" and not left:
            self._give_up(subscription)

    def _give_up(self, subscription: Thing) -> None:
        if self.after_retries == "canceled":
            self.end(subscription, "payment_failed")
        else:
            with self.events.changing(subscription):
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
        refund = new_refund(self.book.new_id(Kind.refund), self.book.now, charge, amount, reason)
        self.book.save(refund)
        self.events.add("refund.created", refund)
        before = {"amount_refunded": charge["amount_refunded"], "refunded": charge["refunded"]}
        charge["amount_refunded"] += amount
        charge["refunded"] = charge["amount_refunded"] == charge["amount_captured"]
        self.book.save(charge)
        self.events.add("charge.refunded", charge, before)
        return refund

    # Time

    def catch_up(self) -> None:
        """Apply all changes that are due by now, each at its own time."""
        until = self.book.now
        try:
            while due := min(self._due(until), key=lambda one: one[0], default=None):
                self.book.at, change = due
                change()
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
            announced_at = max(subscription["trial_end"] - WARNING, subscription["created"])
            if canceled is None or announced_at < canceled:
                return announced_at, lambda: self._announce_trial_end(subscription)
        if canceled is not None and canceled <= end:
            return canceled, lambda: self.end(subscription, "cancellation_requested")
        if status == "trialing":
            return end, lambda: self._end_trial(subscription, end)
        return end, lambda: self._renew(subscription)

    def _announce_trial_end(self, subscription: Thing) -> None:
        subscription["_warned"] = True
        self.book.save(subscription)
        self.events.add("customer.subscription.trial_will_end", subscription)
