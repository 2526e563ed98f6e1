"""Stripe's API below `/stripe/v1/`: the calls that a subscription needs, with Stripe's own errors."""

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.stripe.billing import FINAL, NEVER_SENT, RESUMING, Billing, subscription_of
from sandbox.stripe.book import API_VERSION, DAY, OLDEST_VERSION, Kind, Thing, is_live, shown
from sandbox.stripe.forms import (
    StripeError,
    many,
    missing,
    moment,
    moment_or_none,
    nested,
    one_of,
    positive,
    shape,
    span,
    stripe_problem,
    text,
    whole,
    words,
    yes_no,
)

KEYS_KEPT_SECONDS = DAY
MAX_KEYS = 10_000
EXPAND = {"expand": many(text)}
PAGED = {**EXPAND, "limit": positive, "starting_after": text, "ending_before": text, "created": span}
END_BEHAVIOR = shape({"missing_payment_method": one_of("cancel", "create_invoice", "pause")})
DETAILS = shape({"comment": text, "feedback": text})
TRIAL_SETTINGS = shape({"end_behavior": END_BEHAVIOR})
CUSTOMER = {
    **EXPAND,
    "description": text,
    "email": text,
    "metadata": words,
    "name": text,
    "phone": text,
    "preferred_locales": many(text),
}
SESSION = {
    **EXPAND,
    "allow_promotion_codes": yes_no,
    "automatic_tax": shape({"enabled": yes_no}),
    "billing_address_collection": one_of("auto", "required"),
    "cancel_url": text,
    "client_reference_id": text,
    "customer": text,
    "customer_email": text,
    "customer_update": shape({"address": text, "name": text}),
    "expires_at": whole,
    "line_items": many(shape({"price": text, "quantity": positive})),
    "locale": text,
    "metadata": words,
    "mode": one_of("payment", "setup", "subscription"),
    "payment_method_collection": one_of("always", "if_required"),
    "payment_method_types": many(text),
    "subscription_data": shape(
        {
            "description": text,
            "metadata": words,
            "trial_end": whole,
            "trial_period_days": positive,
            "trial_settings": TRIAL_SETTINGS,
        }
    ),
    "success_url": text,
    "tax_id_collection": shape({"enabled": yes_no}),
    "ui_mode": one_of("hosted_page"),
}
SUBSCRIPTION = {
    **EXPAND,
    "cancel_at": moment_or_none,
    "cancel_at_period_end": yes_no,
    "cancellation_details": DETAILS,
    "default_payment_method": text,
    "description": text,
    "metadata": words,
    "proration_behavior": one_of("always_invoice", "create_prorations", "none"),
    "trial_end": moment,
    "trial_settings": TRIAL_SETTINGS,
}
EXPANDABLE = {
    "charge",
    "customer",
    "default_payment_method",
    "default_price",
    "invoice",
    "latest_invoice",
    "payment_method",
    "product",
    "subscription",
}


@dataclass(frozen=True)
class Call:
    """A parsed request. `said`: its parameters; `id`: the id in its path."""

    billing: Billing
    said: dict[str, Any]
    id: str
    livemode: bool
    origin: str
    url: str

    def thing(self, kind: Kind) -> Thing:
        return self.billing.book.get(kind, self.id, livemode=self.livemode, param="id", status=404)

    def page(self, kind: Kind, wanted: Callable[[Thing], bool] = lambda _: True) -> Thing:
        """Return the requested page of a list, newest first."""
        bounds: dict[str, int] = self.said.get("created", {})
        things = list(
            self.billing.book.listed(
                kind,
                lambda one: (
                    is_live(one) is self.livemode
                    and "deleted" not in one
                    and _within(one["created"], bounds)
                    and wanted(one)
                ),
            )
        )
        ids = [one["id"] for one in things]
        limit = min(self.said.get("limit", 10), 100)
        start, end = 0, len(things)
        if after := self.said.get("starting_after"):
            start = _place(ids, after, "starting_after") + 1
        if before := self.said.get("ending_before"):
            end = _place(ids, before, "ending_before")
            start = max(start, end - limit)
        return {
            "object": "list",
            "data": things[start : min(end, start + limit)],
            "has_more": end - start > limit if not before else start > 0,
            "url": self.url,
        }

    def only(self, *names: str) -> Callable[[Thing], bool]:
        """Return a filter for things whose values equal the parameters of these names."""
        return lambda one: all(one[name] == self.said[name] for name in names if name in self.said)


def _within(created: int, bounds: Mapping[str, int]) -> bool:
    return bounds.get("gt", created - 1) < created < bounds.get("lt", created + 1) and bounds.get(
        "gte", created
    ) <= created <= bounds.get("lte", created)


def _place(ids: list[str], id_: str, param: str) -> int:
    if id_ not in ids:
        raise StripeError(f"No such object: '{id_}'", code="resource_missing", param=param)
    return ids.index(id_)


# Customers


def create_customer(call: Call) -> Thing:
    return call.billing.new_customer(call.said, livemode=call.livemode)


def read_customer(call: Call) -> Thing:
    customer = call.thing(Kind.customer)
    return {name: customer[name] for name in ("id", "object", "deleted")} if "deleted" in customer else customer


def update_customer(call: Call) -> Thing:
    customer = call.billing.customer(call.id, livemode=call.livemode, param="id")
    with call.billing.changing(customer):
        said = {name: value for name, value in call.said.items() if name != "expand"}
        if "metadata" in said:
            said["metadata"] = _merged(customer, said["metadata"])
        customer |= said
    return customer


def _merged(thing: Thing, said: dict[str, str]) -> dict[str, str]:
    """Return the metadata with the new values; an empty value removes a key."""
    return {name: value for name, value in {**thing["metadata"], **said}.items() if value} if said else {}


def delete_customer(call: Call) -> Thing:
    customer = call.billing.customer(call.id, livemode=call.livemode, param="id")
    call.billing.delete_customer(customer)
    return read_customer(call)


def list_customers(call: Call) -> Thing:
    return call.page(Kind.customer, call.only("email"))


def search_customers(call: Call) -> Thing:
    """Search by `email:"…"`, `name:"…"` and `metadata["…"]:"…"`, joined by AND."""
    query = call.said.get("query")
    if not query:
        raise missing("query")
    clauses = [_clause(part) for part in re.split(r"\s+AND\s+", query.strip(), flags=re.IGNORECASE)]
    found = call.page(Kind.customer, lambda one: all(clause(one) for clause in clauses))
    return {**found, "object": "search_result", "next_page": None}


def _clause(part: str) -> Callable[[Thing], bool]:
    match = re.fullmatch(r"""(email|name|metadata\[(["'])(.+?)\2\])\s*([:~])\s*(["'])(.*)\5""", part)
    if match is None:
        raise StripeError(f"We were unable to parse your search query: {part}", param="query")
    name, key, exact, value = match[1], match[3], match[4] == ":", match[6]

    def fits(one: Thing) -> bool:
        has = (one["metadata"].get(key) if key else one[name]) or ""
        return has.lower() == value.lower() if exact else value.lower() in has.lower()

    return fits


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
    said, now = call.said, call.billing.book.now
    for name in ("mode", "line_items", "success_url"):
        if name not in said:
            raise missing(name)
    if said["mode"] != "subscription":
        raise StripeError("The sandbox sells subscriptions only.", param="mode")
    if len(said["line_items"]) != 1 or not said["line_items"][0].get("price"):
        raise StripeError("The sandbox sells one price at a time.", param="line_items")
    if "customer" in said and "customer_email" in said:
        raise StripeError("You may only specify one of these parameters: customer, customer_email.", param="customer")
    for name in ("success_url", "cancel_url"):
        if name in said and not re.match(r"https?://[^/]", said[name] or ""):
            raise StripeError("Not a valid URL", code="url_invalid", param=name)
    if "expires_at" in said and not now + 1800 <= said["expires_at"] <= now + DAY:
        message = "The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation."
        raise StripeError(message, param="expires_at")
    ordered = said.get("subscription_data", {})
    if "trial_end" in ordered and "trial_period_days" in ordered:
        message = "You may only specify one of these parameters: trial_end, trial_period_days."
        raise StripeError(message, param="subscription_data[trial_end]")
    if "trial_end" in ordered and ordered["trial_end"] < now + 2 * DAY:
        message = "The `trial_end` date has to be at least 2 days in the future."
        raise StripeError(message, param="subscription_data[trial_end]")
    return call.billing.new_session(said, livemode=call.livemode, origin=call.origin)


def read_session(call: Call) -> Thing:
    return call.thing(Kind.session)


def list_sessions(call: Call) -> Thing:
    return call.page(Kind.session, call.only("customer", "subscription", "status"))


def expire_session(call: Call) -> Thing:
    session = call.thing(Kind.session)
    call.billing.expire(session)
    return session


def create_portal(call: Call) -> Thing:
    if "customer" not in call.said:
        raise missing("customer")
    customer = call.billing.customer(call.said["customer"], livemode=call.livemode)
    id_ = call.billing.book.new_id(Kind.portal)
    portal = {
        "id": id_,
        "object": "billing_portal.session",
        "configuration": "bpc_sandbox",
        "created": call.billing.book.now,
        "customer": customer["id"],
        "flow": None,
        "livemode": call.livemode,
        "locale": call.said.get("locale"),
        "on_behalf_of": None,
        "return_url": call.said.get("return_url"),
        "url": f"{call.origin}/stripe/portal/{id_}",
    }
    call.billing.book.save(portal)
    return portal


# Subscriptions


def read_subscription(call: Call) -> Thing:
    return call.thing(Kind.subscription)


def list_subscriptions(call: Call) -> Thing:
    """Return subscriptions, of deleted customers too. Without a status all but the ended ones, as Stripe does."""
    if "customer" in call.said:
        customer = call.said["customer"]
        call.billing.book.get(Kind.customer, customer, livemode=call.livemode, param="customer")
    status, same = call.said.get("status"), call.only("customer")

    def wanted(one: Thing) -> bool:
        if status is None:
            return one["status"] not in FINAL and same(one)
        return (status == "all" or one["status"] in (FINAL if status == "ended" else (status,))) and same(one)

    return call.page(Kind.subscription, wanted)


def update_subscription(call: Call) -> Thing:
    subscription, said, billing = call.thing(Kind.subscription), dict(call.said), call.billing
    said.pop("expand", None)
    said.pop("proration_behavior", None)  # no supported change needs a proration
    if subscription["status"] in FINAL and set(said) - {"metadata", "cancellation_details"}:
        raise StripeError("A canceled subscription can only update its cancellation_details and metadata.")
    if "cancel_at" in said and "cancel_at_period_end" in said:
        message = "You may only specify one of these parameters: cancel_at, cancel_at_period_end."
        raise StripeError(message, param="cancel_at")
    if said.get("cancel_at") is not None and said["cancel_at"] <= billing.book.now:
        raise StripeError("Invalid timestamp: must be an integer Unix timestamp in the future.", param="cancel_at")
    if said.get("default_payment_method"):
        param = "default_payment_method"
        billing.book.get(Kind.payment_method, said[param], livemode=call.livemode, param=param)
    if "trial_end" in said:
        billing.set_trial_end(subscription, said.pop("trial_end"))
    with billing.changing(subscription):
        if "metadata" in said:
            said["metadata"] = _merged(subscription, said["metadata"])
        if "cancellation_details" in said:
            said["cancellation_details"] = {**subscription["cancellation_details"], **said["cancellation_details"]}
        wanted = said.pop("cancel_at_period_end", None)
        if "cancel_at" in said:
            billing.cancel_at(subscription, said.pop("cancel_at"))
        subscription |= said
        if wanted is not None and wanted is not subscription["cancel_at_period_end"]:
            billing.cancel_at_period_end(subscription, wanted)
    return subscription


def cancel_subscription(call: Call) -> Thing:
    subscription = call.thing(Kind.subscription)
    if subscription["status"] in FINAL:
        raise StripeError(f"No such subscription: '{call.id}'", status=404, code="resource_missing", param="id")
    details = call.said.get("cancellation_details", {})
    subscription["cancellation_details"] = {**subscription["cancellation_details"], **details}
    call.billing.end(subscription, "cancellation_requested")
    return subscription


def resume_subscription(call: Call) -> Thing:
    subscription = call.thing(Kind.subscription)
    call.billing.resume(subscription, call.said.get("payment_behavior", RESUMING[0]))
    return subscription


# Invoices and money


def read_invoice(call: Call) -> Thing:
    return call.thing(Kind.invoice)


def list_invoices(call: Call) -> Thing:
    wanted, same = call.said.get("subscription"), call.only("customer", "status")
    return call.page(Kind.invoice, lambda one: wanted in (None, subscription_of(one)) and same(one))


def pay_invoice(call: Call) -> Thing:
    invoice = call.thing(Kind.invoice)
    call.billing.pay(invoice, on_session=not call.said.get("off_session", True))
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
    said, book = call.said, call.billing.book
    if "payment_intent" in said:
        intent = said["payment_intent"]
        charge = next(book.listed(Kind.charge, lambda one: one["payment_intent"] == intent), None)
        if charge is None or is_live(charge) is not call.livemode:
            message = f"No such payment_intent: '{intent}'"
            raise StripeError(message, code="resource_missing", param="payment_intent")
    elif "charge" in said:
        charge = book.get(Kind.charge, said["charge"], livemode=call.livemode, param="charge")
    else:
        raise StripeError("One of the following params should be provided for this request: payment_intent or charge.")
    return call.billing.refund(charge, said.get("amount"), said.get("reason"))


def read_refund(call: Call) -> Thing:
    return call.thing(Kind.refund)


def list_refunds(call: Call) -> Thing:
    return call.page(Kind.refund, call.only("charge", "payment_intent"))


# Events


def read_event(call: Call) -> Thing:
    return call.thing(Kind.event)


def list_events(call: Call) -> Thing:
    types = call.said.get("types", [call.said["type"]] if "type" in call.said else None)
    return call.page(Kind.event, lambda one: types is None or any(_is(one["type"], wanted) for wanted in types))


def _is(kind: str, wanted: str) -> bool:
    return kind.startswith(wanted[:-1]) if wanted.endswith("*") else kind == wanted


HANDLERS: tuple[tuple[str, str, Mapping[str, Any], Callable[[Call], Thing]], ...] = (
    ("POST", "/customers", CUSTOMER, create_customer),
    ("GET", "/customers", {**PAGED, "email": text}, list_customers),
    ("GET", "/customers/search", {**EXPAND, "query": text, "limit": positive, "page": text}, search_customers),
    ("GET", "/customers/{id}", EXPAND, read_customer),
    ("POST", "/customers/{id}", CUSTOMER, update_customer),
    ("DELETE", "/customers/{id}", {}, delete_customer),
    ("GET", "/prices", {**PAGED, "active": yes_no, "product": text, "currency": text}, list_prices),
    ("GET", "/prices/{id}", EXPAND, read_price),
    ("GET", "/products", {**PAGED, "active": yes_no}, list_products),
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
        {**EXPAND, "cancellation_details": DETAILS, "invoice_now": yes_no, "prorate": yes_no},
        cancel_subscription,
    ),
    (
        "POST",
        "/subscriptions/{id}/resume",
        {
            **EXPAND,
            "billing_cycle_anchor": shape({"type": one_of("now")}),
            "payment_behavior": one_of(*RESUMING),
            "proration_behavior": one_of("always_invoice", "create_prorations", "none"),
        },
        resume_subscription,
    ),
    ("GET", "/invoices", {**PAGED, "customer": text, "status": text, "subscription": text}, list_invoices),
    ("GET", "/invoices/{id}", EXPAND, read_invoice),
    ("POST", "/invoices/{id}/pay", {**EXPAND, "off_session": yes_no}, pay_invoice),
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
    ("GET", "/events", {**PAGED, "type": text, "types": many(text)}, list_events),
    ("GET", "/events/{id}", {}, read_event),
)


@dataclass(frozen=True)
class Answered:
    """The stored response of an idempotency key."""

    asked: tuple[str, str, bytes]
    at: int
    status: int
    body: bytes


class Api:
    """The API. `keys`: the valid secret keys; if empty, every well-formed key is valid."""

    def __init__(self, billing: Billing) -> None:
        self.billing = billing
        self.keys: frozenset[str] = frozenset()
        self._answered: dict[str, Answered] = {}

    def reset(self) -> None:
        self._answered.clear()

    def routes(self) -> APIRouter:
        router = APIRouter(prefix="/stripe/v1")
        for method, path, names, handler in HANDLERS:
            router.add_api_route(path, self._endpoint(names, handler), methods=[method], response_model=None)
        every = ["GET", "POST", "DELETE", "PUT", "PATCH"]
        router.add_api_route("/{rest:path}", self._unknown, methods=every, response_model=None)
        return router

    async def _unknown(self, request: Request) -> Response:
        path = request.url.path.removeprefix("/stripe")
        return stripe_problem(StripeError(f"Unrecognized request URL ({request.method}: {path}).", status=404))

    def _endpoint(self, names: Mapping[str, Any], handler: Callable[[Call], Thing]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            body = await request.body()
            try:
                answer = self._answer(request, body, shape(names), handler)
            except StripeError as error:
                answer = stripe_problem(error)
            answer.headers["Request-Id"] = f"req_{secrets.token_hex(7)}"
            answer.headers["Stripe-Version"] = request.headers.get("stripe-version", API_VERSION)
            return answer

        return endpoint

    def _answer(
        self,
        request: Request,
        body: bytes,
        read: Callable[[Any, str], dict[str, Any]],
        handler: Callable[[Call], Thing],
    ) -> Response:
        livemode = self._mode(request.headers.get("authorization", ""))
        _check_version(request.headers.get("stripe-version", API_VERSION))
        query = body.decode("utf-8", "replace") if request.method == "POST" else request.url.query
        key = request.headers.get("idempotency-key", "") if request.method == "POST" else ""
        asked = (request.method, request.url.path, body)
        if (earlier := self._earlier(key, asked)) is not None:
            return Response(
                earlier.body,
                earlier.status,
                {"Idempotency-Key": key, "Idempotent-Replayed": "true"},
                media_type="application/json",
            )
        said = read(nested(parse_qsl(query, keep_blank_values=True)), "")
        self.billing.origin = origin = str(request.base_url).rstrip("/")
        self.billing.catch_up()
        path = request.url.path.removeprefix("/stripe")
        call = Call(self.billing, said, request.path_params.get("id", ""), livemode, origin, path)
        found = handler(call)
        answer = JSONResponse(self._as_json(found, [step for step in said.get("expand", []) if step]))
        if key:
            self._keep(key, Answered(asked, self.billing.book.now, answer.status_code, bytes(answer.body)))
            answer.headers["Idempotency-Key"] = key
        return answer

    def _mode(self, authorization: str) -> bool:
        """Return whether the key is a live key. Raise StripeError 401 if it is invalid."""
        scheme, _, key = authorization.partition(" ")
        if scheme.lower() != "bearer" or not key:
            message = (
                "You did not provide an API key. You need to provide your API key in the Authorization header, "
                "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
            )
            raise StripeError(message, status=401)
        looks = re.fullmatch(r"(?:sk|rk)_(test|live)_\w+", key)
        if looks is None or (self.keys and key not in self.keys):
            raise StripeError(f"Invalid API Key provided: {key[:8]}****{key[-4:]}", status=401)
        return looks[1] == "live"

    def _earlier(self, key: str, asked: tuple[str, str, bytes]) -> Answered | None:
        if len(key) > 255:
            raise StripeError("Idempotency keys may be at most 255 characters", kind="idempotency_error")
        earlier = self._answered.get(key)
        if earlier is None or earlier.at + KEYS_KEPT_SECONDS < self.billing.book.now:
            return None
        if earlier.asked != asked:
            message = (
                "Keys for idempotent requests can only be used with the same parameters they were first used with. "
                f"Try using a key other than '{key}' if you meant to execute a different request."
            )
            raise StripeError(message, kind="idempotency_error")
        return earlier

    def _keep(self, key: str, answered: Answered) -> None:
        self._answered.pop(key, None)
        self._answered[key] = answered
        if len(self._answered) > MAX_KEYS:
            del self._answered[next(iter(self._answered))]

    def _as_json(self, thing: Thing, expand: list[str]) -> Thing:
        """Return the public part, with the ids that `expand` names replaced by their objects."""
        bare: Thing = json.loads(json.dumps(_bare(thing, expand)))
        for steps in expand:
            self._expand(bare, steps.split("."), steps)
        return bare

    def _expand(self, thing: Thing, steps: list[str], whole_name: str) -> None:
        step, following = steps[0], steps[1:]
        inner = thing.get(step)
        if isinstance(inner, list):
            for item in inner:
                if following:
                    self._expand(item, following, whole_name)
            return
        if isinstance(inner, dict):
            if following:
                self._expand(inner, following, whole_name)
            return
        if step not in EXPANDABLE or step not in thing:
            message = f"This property cannot be expanded ({whole_name})."
            raise StripeError(message, param="expand")
        found = self.billing.book.find(inner) if inner else None
        if found is not None:
            thing[step] = json.loads(json.dumps(_bare(found, [".".join(following)])))
            if following:
                self._expand(thing[step], following, whole_name)


def _bare(thing: Thing, expand: list[str]) -> Thing:
    """Return the thing without internal fields and without fields that need `expand`."""
    asked = {name for steps in expand for name in steps.removeprefix("data.").split(".")[:1]}
    cut = {name: value for name, value in shown(thing).items() if name not in NEVER_SENT or name in asked}
    if cut.get("object") in ("list", "search_result"):
        cut["data"] = [_bare(one, expand) for one in cut["data"]]
    return cut


def _check_version(version: str) -> None:
    date = version[:10]
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise StripeError(f"Invalid Stripe API version: {version}")
    if date < OLDEST_VERSION[:10]:
        raise StripeError(f"The sandbox speaks {OLDEST_VERSION} and newer, not {version}")
