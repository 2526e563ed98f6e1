"""The operations of Stripe's API that a subscription needs, with their parameters."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sandbox.stripe.billing import RESUMING, Billing
from sandbox.stripe.book import DAY, Kind, Thing, is_live
from sandbox.stripe.forms import (
    array,
    boolean,
    integer,
    metadata,
    object_of,
    one_of,
    positive,
    text,
    time_range,
    timestamp,
    timestamp_or_none,
)
from sandbox.stripe.objects import FINAL, subscription_of
from sandbox.stripe.problems import StripeError, missing_parameter

EXPAND = {"expand": array(text)}
PAGED = {**EXPAND, "limit": positive, "starting_after": text, "ending_before": text, "created": time_range}
END_BEHAVIOR = object_of({"missing_payment_method": one_of("cancel", "create_invoice", "pause")})
DETAILS = object_of({"comment": text, "feedback": text})
TRIAL_SETTINGS = object_of({"end_behavior": END_BEHAVIOR})
CUSTOMER = {
    **EXPAND,
    "description": text,
    "email": text,
    "metadata": metadata,
    "name": text,
    "phone": text,
    "preferred_locales": array(text),
}
SESSION = {
    **EXPAND,
    "allow_promotion_codes": boolean,
    "automatic_tax": object_of({"enabled": boolean}),
    "billing_address_collection": one_of("auto", "required"),
    "cancel_url": text,
    "client_reference_id": text,
    "customer": text,
    "customer_email": text,
    "customer_update": object_of({"address": text, "name": text}),
    "expires_at": integer,
    "line_items": array(object_of({"price": text, "quantity": positive})),
    "locale": text,
    "metadata": metadata,
    "mode": one_of("payment", "setup", "subscription"),
    "payment_method_collection": one_of("always", "if_required"),
    "payment_method_types": array(text),
    "subscription_data": object_of(
        {
            "description": text,
            "metadata": metadata,
            "trial_end": integer,
            "trial_period_days": positive,
            "trial_settings": TRIAL_SETTINGS,
        }
    ),
    "success_url": text,
    "tax_id_collection": object_of({"enabled": boolean}),
    "ui_mode": one_of("hosted_page"),
}
SUBSCRIPTION = {
    **EXPAND,
    "cancel_at": timestamp_or_none,
    "cancel_at_period_end": boolean,
    "cancellation_details": DETAILS,
    "default_payment_method": text,
    "description": text,
    "metadata": metadata,
    "proration_behavior": one_of("always_invoice", "create_prorations", "none"),
    "trial_end": timestamp,
    "trial_settings": TRIAL_SETTINGS,
}


@dataclass(frozen=True)
class Call:
    """A parsed request. `params`: its parameters; `id`: the id in its path."""

    billing: Billing
    params: dict[str, Any]
    id: str
    livemode: bool
    origin: str
    url: str

    def thing(self, kind: Kind) -> Thing:
        return self.billing.book.get(kind, self.id, livemode=self.livemode, param="id", status=404)

    def page(self, kind: Kind, matches: Callable[[Thing], bool] = lambda _: True) -> Thing:
        """Return the requested page of a list, newest first."""
        bounds: dict[str, int] = self.params.get("created", {})
        things = list(
            self.billing.book.listed(
                kind,
                lambda one: (
                    is_live(one) is self.livemode
                    and "deleted" not in one
                    and _within(one["created"], bounds)
                    and matches(one)
                ),
            )
        )
        ids = [one["id"] for one in things]
        limit = min(self.params.get("limit", 10), 100)
        start, end = 0, len(things)
        if after := self.params.get("starting_after"):
            start = _position(ids, after, "starting_after") + 1
        if before := self.params.get("ending_before"):
            end = _position(ids, before, "ending_before")
            start = max(start, end - limit)
        return {
            "object": "list",
            "data": things[start : min(end, start + limit)],
            "has_more": end - start > limit if not before else start > 0,
            "url": self.url,
        }

    def only(self, *names: str) -> Callable[[Thing], bool]:
        """Return a filter for things whose values equal the parameters of these names."""
        return lambda one: all(one[name] == self.params[name] for name in names if name in self.params)


def _within(created: int, bounds: Mapping[str, int]) -> bool:
    return bounds.get("gt", created - 1) < created < bounds.get("lt", created + 1) and bounds.get(
        "gte", created
    ) <= created <= bounds.get("lte", created)


def _position(ids: list[str], id_: str, param: str) -> int:
    if id_ not in ids:
        raise StripeError(f"No such object: '{id_}'", code="resource_missing", param=param)
    return ids.index(id_)


# Customers


def create_customer(call: Call) -> Thing:
    return call.billing.customers.create(call.params, livemode=call.livemode)


def read_customer(call: Call) -> Thing:
    customer = call.thing(Kind.customer)
    return {name: customer[name] for name in ("id", "object", "deleted")} if "deleted" in customer else customer


def update_customer(call: Call) -> Thing:
    customer = call.billing.customers.get(call.id, livemode=call.livemode, param="id")
    with call.billing.events.changing(customer):
        params = {name: value for name, value in call.params.items() if name != "expand"}
        if "metadata" in params:
            params["metadata"] = _merge_metadata(customer, params["metadata"])
        customer |= params
    return customer


def _merge_metadata(thing: Thing, values: dict[str, str]) -> dict[str, str]:
    """Return the metadata with the new values; an empty value removes a key."""
    return {name: value for name, value in {**thing["metadata"], **values}.items() if value} if values else {}


def delete_customer(call: Call) -> Thing:
    customer = call.billing.customers.get(call.id, livemode=call.livemode, param="id")
    call.billing.delete_customer(customer)
    return read_customer(call)


def list_customers(call: Call) -> Thing:
    return call.page(Kind.customer, call.only("email"))


def search_customers(call: Call) -> Thing:
    """Search by `email:"…"`, `name:"…"` and `metadata["…"]:"…"`, joined by AND."""
    query = call.params.get("query")
    if not query:
        raise missing_parameter("query")
    clauses = [_clause(part) for part in re.split(r"\s+AND\s+", query.strip(), flags=re.IGNORECASE)]
    found = call.page(Kind.customer, lambda one: all(clause(one) for clause in clauses))
    return {**found, "object": "search_result", "next_page": None}


def _clause(part: str) -> Callable[[Thing], bool]:
    match = re.fullmatch(r"""(email|name|metadata\[(["'])(.+?)\2\])\s*([:~])\s*(["'])(.*)\5""", part)
    if match is None:
        raise StripeError(f"We were unable to parse your search query: {part}", param="query")
    name, key, exact, value = match[1], match[3], match[4] == ":", match[6]

    def matches(one: Thing) -> bool:
        found = (one["metadata"].get(key) if key else one[name]) or ""
        return found.lower() == value.lower() if exact else value.lower() in found.lower()

    return matches


# Prices and products


def read_price(call: Call) -> Thing:
    return call.billing.book.get(Kind.price, call.id, livemode=call.livemode, param="price", status=404)


def list_prices(call: Call) -> Thing:
    return call.page(Kind.price, call.only("active", "product", "currency"))


def read_product(call: Call) -> Thing:
    return call.thing(Kind.product)


def list_products(call: Call) -> Thing:
    return call.page(Kind.product, call.only("active"))


# Checkout and portal


def create_session(call: Call) -> Thing:
    params, now = call.params, call.billing.book.now
    for name in ("mode", "line_items", "success_url"):
        if name not in params:
            raise missing_parameter(name)
    if params["mode"] != "subscription":
        raise StripeError("The sandbox sells subscriptions only.", param="mode")
    if len(params["line_items"]) != 1 or not params["line_items"][0].get("price"):
        raise StripeError("The sandbox sells one price at a time.", param="line_items")
    if "customer" in params and "customer_email" in params:
        raise StripeError("You may only specify one of these parameters: customer, customer_email.", param="customer")
    for name in ("success_url", "cancel_url"):
        if name in params and not re.match(r"https?://[^/]", params[name] or ""):
            raise StripeError("Not a valid URL", code="url_invalid", param=name)
    if "expires_at" in params and not now + 1800 <= params["expires_at"] <= now + DAY:
        message = "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation."
        raise StripeError(message, param="expires_at")
    ordered = params.get("subscription_data", {})
    if "trial_end" in ordered and "trial_period_days" in ordered:
        message = "You may only specify one of these parameters: trial_end, trial_period_days."
        raise StripeError(message, param="subscription_data[trial_end]")
    if "trial_end" in ordered and ordered["trial_end"] < now + 2 * DAY:
        message = "The `trial_end` date has to be at least 2 days in the future."
        raise StripeError(message, param="subscription_data[trial_end]")
    return call.billing.create_session(params, livemode=call.livemode, origin=call.origin)


def read_session(call: Call) -> Thing:
    return call.thing(Kind.session)


def list_sessions(call: Call) -> Thing:
    return call.page(Kind.session, call.only("customer", "subscription", "status"))


def expire_session(call: Call) -> Thing:
    session = call.thing(Kind.session)
    call.billing.expire(session)
    return session


def create_portal(call: Call) -> Thing:
    if "customer" not in call.params:
        raise missing_parameter("customer")
    customer = call.billing.customers.get(call.params["customer"], livemode=call.livemode)
    id_ = call.billing.book.new_id(Kind.portal)
    portal = {
        "id": id_,
        "object": "billing_portal.session",
        "configuration": "bpc_sandbox",
        "created": call.billing.book.now,
        "customer": customer["id"],
        "flow": None,
        "livemode": call.livemode,
        "locale": call.params.get("locale"),
        "on_behalf_of": None,
        "return_url": call.params.get("return_url"),
        "url": f"{call.origin}/stripe/portal/{id_}",
    }
    call.billing.book.save(portal)
    return portal


# Subscriptions


def read_subscription(call: Call) -> Thing:
    return call.thing(Kind.subscription)


def list_subscriptions(call: Call) -> Thing:
    """Return subscriptions, of deleted customers too. Without a status all but the ended ones, as Stripe does."""
    if "customer" in call.params:
        customer = call.params["customer"]
        call.billing.book.get(Kind.customer, customer, livemode=call.livemode, param="customer")
    status, same = call.params.get("status"), call.only("customer")

    def matches(one: Thing) -> bool:
        if status is None:
            return one["status"] not in FINAL and same(one)
        return (status == "all" or one["status"] in (FINAL if status == "ended" else (status,))) and same(one)

    return call.page(Kind.subscription, matches)


def update_subscription(call: Call) -> Thing:
    subscription, params, billing = call.thing(Kind.subscription), dict(call.params), call.billing
    params.pop("expand", None)
    params.pop("proration_behavior", None)  # no supported change needs a proration
    if subscription["status"] in FINAL and set(params) - {"metadata", "cancellation_details"}:
        raise StripeError("A canceled subscription can only update its cancellation_details and metadata.")
    if "cancel_at" in params and "cancel_at_period_end" in params:
        message = "You may only specify one of these parameters: cancel_at, cancel_at_period_end."
        raise StripeError(message, param="cancel_at")
    if params.get("cancel_at") is not None and params["cancel_at"] <= billing.book.now:
        raise StripeError("Invalid timestamp: must be an integer Unix timestamp in the future.", param="cancel_at")
    if params.get("default_payment_method"):
        param = "default_payment_method"
        billing.book.get(Kind.payment_method, params[param], livemode=call.livemode, param=param)
    if "trial_end" in params:
        billing.set_trial_end(subscription, params.pop("trial_end"))
    with billing.events.changing(subscription):
        if "metadata" in params:
            params["metadata"] = _merge_metadata(subscription, params["metadata"])
        if "cancellation_details" in params:
            params["cancellation_details"] = {**subscription["cancellation_details"], **params["cancellation_details"]}
        at_period_end = params.pop("cancel_at_period_end", None)
        if "cancel_at" in params:
            billing.cancel_at(subscription, params.pop("cancel_at"))
        subscription |= params
        if at_period_end is not None and at_period_end is not subscription["cancel_at_period_end"]:
            billing.cancel_at_period_end(subscription, at_period_end)
    return subscription


def cancel_subscription(call: Call) -> Thing:
    subscription = call.thing(Kind.subscription)
    if subscription["status"] in FINAL:
        raise StripeError(f"No such subscription: '{call.id}'", status=404, code="resource_missing", param="id")
    details = call.params.get("cancellation_details", {})
    subscription["cancellation_details"] = {**subscription["cancellation_details"], **details}
    call.billing.end(subscription, "cancellation_requested")
    return subscription


def resume_subscription(call: Call) -> Thing:
    subscription = call.thing(Kind.subscription)
    call.billing.resume(subscription, call.params.get("payment_behavior", RESUMING[0]))
    return subscription


# Invoices and money


def read_invoice(call: Call) -> Thing:
    return call.thing(Kind.invoice)


def list_invoices(call: Call) -> Thing:
    subscription, same = call.params.get("subscription"), call.only("customer", "status")
    return call.page(Kind.invoice, lambda one: subscription in (None, subscription_of(one)) and same(one))


def pay_invoice(call: Call) -> Thing:
    invoice = call.thing(Kind.invoice)
    call.billing.pay(invoice, on_session=not call.params.get("off_session", True))
    return invoice


def read_payment_method(call: Call) -> Thing:
    return call.thing(Kind.payment_method)


def list_payment_methods(call: Call) -> Thing:
    return call.page(Kind.payment_method, call.only("customer", "type"))


def read_charge(call: Call) -> Thing:
    return call.thing(Kind.charge)


def list_charges(call: Call) -> Thing:
    return call.page(Kind.charge, call.only("customer", "payment_intent"))


def create_refund(call: Call) -> Thing:
    params, book = call.params, call.billing.book
    if "payment_intent" in params:
        intent = params["payment_intent"]
        charge = next(book.listed(Kind.charge, lambda one: one["payment_intent"] == intent), None)
        if charge is None or is_live(charge) is not call.livemode:
            message = f"No such payment_intent: '{intent}'"
            raise StripeError(message, code="resource_missing", param="payment_intent")
    elif "charge" in params:
        charge = book.get(Kind.charge, params["charge"], livemode=call.livemode, param="charge")
    else:
        raise StripeError("One of the following params should be provided for this request: payment_intent or charge.")
    return call.billing.refund(charge, params.get("amount"), params.get("reason"))


def read_refund(call: Call) -> Thing:
    return call.thing(Kind.refund)


def list_refunds(call: Call) -> Thing:
    return call.page(Kind.refund, call.only("charge", "payment_intent"))


# Events


def read_event(call: Call) -> Thing:
    return call.thing(Kind.event)


def list_events(call: Call) -> Thing:
    types = call.params.get("types", [call.params["type"]] if "type" in call.params else None)
    return call.page(Kind.event, lambda one: types is None or any(_has_type(one["type"], type_) for type_ in types))


def _has_type(kind: str, pattern: str) -> bool:
    return kind.startswith(pattern[:-1]) if pattern.endswith("*") else kind == pattern


OPERATIONS: tuple[tuple[str, str, Mapping[str, Any], Callable[[Call], Thing]], ...] = (
    ("POST", "/customers", CUSTOMER, create_customer),
    ("GET", "/customers", {**PAGED, "email": text}, list_customers),
    ("GET", "/customers/search", {**EXPAND, "query": text, "limit": positive, "page": text}, search_customers),
    ("GET", "/customers/{id}", EXPAND, read_customer),
    ("POST", "/customers/{id}", CUSTOMER, update_customer),
    ("DELETE", "/customers/{id}", {}, delete_customer),
    ("GET", "/prices", {**PAGED, "active": boolean, "product": text, "currency": text}, list_prices),
    ("GET", "/prices/{id}", EXPAND, read_price),
    ("GET", "/products", {**PAGED, "active": boolean}, list_products),
    ("GET", "/products/{id}", EXPAND, read_product),
    ("POST", "/checkout/sessions", SESSION, create_session),
    ("GET", "/checkout/sessions", {**PAGED, "customer": text, "subscription": text, "status": text}, list_sessions),
    ("GET", "/checkout/sessions/{id}", EXPAND, read_session),
    ("POST", "/checkout/sessions/{id}/expire", EXPAND, expire_session),
    (
        "POST",
        "/billing_portal/sessions",
        {**EXPAND, "customer": text, "return_url": text, "locale": text},
        create_portal,
    ),
    ("GET", "/subscriptions", {**PAGED, "customer": text, "status": text}, list_subscriptions),
    ("GET", "/subscriptions/{id}", EXPAND, read_subscription),
    ("POST", "/subscriptions/{id}", SUBSCRIPTION, update_subscription),
    (
        "DELETE",
        "/subscriptions/{id}",
        {**EXPAND, "cancellation_details": DETAILS, "invoice_now": boolean, "prorate": boolean},
        cancel_subscription,
    ),
    (
        "POST",
        "/subscriptions/{id}/resume",
        {
            **EXPAND,
            "billing_cycle_anchor": object_of({"type": one_of("now")}),
            "payment_behavior": one_of(*RESUMING),
            "proration_behavior": one_of("always_invoice", "create_prorations", "none"),
        },
        resume_subscription,
    ),
    ("GET", "/invoices", {**PAGED, "customer": text, "status": text, "subscription": text}, list_invoices),
    ("GET", "/invoices/{id}", EXPAND, read_invoice),
    ("POST", "/invoices/{id}/pay", {**EXPAND, "off_session": boolean}, pay_invoice),
    ("GET", "/payment_methods", {**PAGED, "customer": text, "type": text}, list_payment_methods),
    ("GET", "/payment_methods/{id}", EXPAND, read_payment_method),
    ("GET", "/charges", {**PAGED, "customer": text, "payment_intent": text}, list_charges),
    ("GET", "/charges/{id}", EXPAND, read_charge),
    (
        "POST",
        "/refunds",
        {
            **EXPAND,
            "amount": positive,
            "charge": text,
            "payment_intent": text,
            "reason": one_of("duplicate", "fraudulent", "requested_by_customer"),
        },
        create_refund,
    ),
    ("GET", "/refunds", {**PAGED, "charge": text, "payment_intent": text}, list_refunds),
    ("GET", "/refunds/{id}", EXPAND, read_refund),
    ("GET", "/events", {**PAGED, "type": text, "types": array(text)}, list_events),
    ("GET", "/events/{id}", {}, read_event),
)
