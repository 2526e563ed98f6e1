"""New objects in the format of Stripe's API. Names that begin with `_` are internal and never returned."""

import calendar
from dataclasses import dataclass
from datetime import UTC, datetime

from sandbox.stripe.book import DAY, Thing, public_fields

SESSION_SECONDS = DAY
FINAL = ("canceled", "incomplete_expired")
"""Statuses of subscriptions that have ended."""
ONLY_EXPANDED = ("payments", "line_items")
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


def new_customer(id_: str, now: int, fields: Thing, *, livemode: bool) -> Thing:
    settings = {"custom_fields": None, "default_payment_method": None, "footer": None, "rendering_options": None}
    return {
        "id": id_,
        "object": "customer",
        "address": None,
        "balance": 0,
        "created": now,
        "currency": None,
        "default_source": None,
        "delinquent": False,
        "description": fields.get("description"),
        "email": fields.get("email"),
        "invoice_settings": settings,
        "livemode": livemode,
        "metadata": fields.get("metadata", {}),
        "name": fields.get("name"),
        "phone": fields.get("phone"),
        "preferred_locales": fields.get("preferred_locales", []),
        "shipping": None,
        "tax_exempt": "none",
        "test_clock": None,
        "_next": [],
    }


def new_payment_method(id_: str, now: int, customer: Thing, name: str) -> Thing:
    card = CARDS[name]
    details = {
        "brand": card.brand,
        "country": "DE",
        "exp_month": 12,
        "exp_year": datetime.fromtimestamp(now, UTC).year + 3,
        "funding": "credit",
        "last4": card.last4,
    }
    return {
        "id": id_,
        "object": "payment_method",
        "billing_details": {"address": None, "email": customer["email"], "name": customer["name"], "phone": None},
        "card": details,
        "created": now,
        "customer": customer["id"],
        "livemode": customer["livemode"],
        "metadata": {},
        "type": "card",
        "_card": name,
    }


def new_session(id_: str, now: int, fields: Thing, price: Thing, *, livemode: bool, origin: str) -> Thing:
    ordered = fields.get("subscription_data", {})
    quantity = fields["line_items"][0].get("quantity", 1)
    trial = "trial_period_days" in ordered or "trial_end" in ordered
    total = 0 if trial else price["unit_amount"] * quantity
    return {
        "id": id_,
        "object": "checkout.session",
        "allow_promotion_codes": fields.get("allow_promotion_codes"),
        "amount_subtotal": total,
        "amount_total": total,
        "automatic_tax": {"enabled": False, "liability": None, "provider": None, "status": None},
        "billing_address_collection": fields.get("billing_address_collection"),
        "cancel_url": fields.get("cancel_url"),
        "client_reference_id": fields.get("client_reference_id"),
        "created": now,
        "currency": price["currency"],
        "custom_fields": [],
        "customer": fields.get("customer"),
        "customer_details": None,
        "customer_email": fields.get("customer_email"),
        "expires_at": fields.get("expires_at", now + SESSION_SECONDS),
        "invoice": None,
        "livemode": livemode,
        "locale": fields.get("locale"),
        "metadata": fields.get("metadata", {}),
        "mode": "subscription",
        "payment_intent": None,
        "payment_link": None,
        "payment_method_collection": fields.get("payment_method_collection", "always"),
        "payment_method_types": ["card"],
        "payment_status": "unpaid",
        "setup_intent": None,
        "status": "open",
        "subscription": None,
        "success_url": fields["success_url"],
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
                    "price": public_fields(price),
                    "quantity": quantity,
                }
            ],
            "has_more": False,
            "url": f"/v1/checkout/sessions/{id_}/line_items",
        },
        "_ordered": ordered,
    }


def new_subscription(
    id_: str, now: int, session: Thing, customer: Thing, method: Thing | None, trial_end: int | None
) -> Thing:
    ordered = session["_ordered"]
    bought = session["line_items"]["data"][0]
    price: Thing = bought["price"]
    anchor = trial_end or now
    behaviour = ordered.get("trial_settings", {}).get("end_behavior", {"missing_payment_method": "create_invoice"})
    return {
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
                    "current_period_end": anchor if trial_end else add_periods(now, price, 1),
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


def new_invoice(
    id_: str, now: int, subscription: Thing, customer: Thing, *, number: int, description: str, amount: int, reason: str
) -> Thing:
    """Return a draft for the subscription's current period."""
    item = period(subscription)
    price = item["price"]
    return {
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
        "created": now,
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
                    "description": description,
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
        "period_end": now,
        "period_start": now,
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


def new_charge(id_: str, now: int, invoice: Thing, method: Thing | None, *, succeeded: bool) -> Thing:
    return {
        "id": id_,
        "object": "charge",
        "amount": invoice["amount_due"],
        "amount_captured": invoice["amount_due"] if succeeded else 0,
        "amount_refunded": 0,
        "captured": succeeded,
        "created": now,
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
        "payment_method_details": {"card": method["card"] if method else None, "type": "card"},
        "refunded": False,
        "status": "succeeded" if succeeded else "failed",
        "_invoice": invoice["id"],
    }


def new_payment(now: int, invoice: Thing, charge: Thing) -> Thing:
    """Return the payment of an invoice by a charge."""
    return {
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


def new_refund(id_: str, now: int, charge: Thing, amount: int, reason: str | None) -> Thing:
    return {
        "id": id_,
        "object": "refund",
        "amount": amount,
        "charge": charge["id"],
        "created": now,
        "currency": charge["currency"],
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "reason": reason,
        "status": "succeeded",
        "_livemode": charge["livemode"],
    }


def period(subscription: Thing) -> Thing:
    """Return the subscription's item, which has the current period."""
    item: Thing = subscription["items"]["data"][0]
    return item


def subscription_of(invoice: Thing) -> str:
    return str(invoice["parent"]["subscription_details"]["subscription"])


def add_periods(anchor: int, price: Thing, periods: int) -> int:
    """Return the end of that many periods after the anchor in epoch seconds; in shorter months, their last day."""
    every = price["recurring"]
    count: int = every["interval_count"] * periods
    if every["interval"] in ("day", "week"):
        return anchor + count * DAY * (7 if every["interval"] == "week" else 1)
    started = datetime.fromtimestamp(anchor, UTC)
    months = started.month - 1 + count * (12 if every["interval"] == "year" else 1)
    year, month = started.year + months // 12, months % 12 + 1
    day = min(started.day, calendar.monthrange(year, month)[1])
    return int(started.replace(year=year, month=month, day=day).timestamp())
