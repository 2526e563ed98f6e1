"""Stripe's pages: the checkout, the customer portal, an invoice, and the stand-in's own controls."""

import re

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from sandbox.http import form_fields
from sandbox.pages import missing_page, moment, page
from sandbox.stripe.billing import OUTCOMES, Billing
from sandbox.stripe.book import DAY, Kind, Thing
from sandbox.stripe.customers import Declined
from sandbox.stripe.objects import CARDS, FINAL, period
from sandbox.stripe.problems import StripeError
from sandbox.stripe.standin import StandIn
from sandbox.stripe.webhooks import Mode
from sandbox.texts import Text

PORTAL_SECONDS = 3600
EVENTS_SHOWN = 50
CUSTOMERS_SHOWN = 50
WHOLE_UNITS = ("bif", "clp", "djf", "gnf", "jpy", "kmf", "krw", "mga", "pyg", "rwf", "vnd", "vuv", "xaf", "xof", "xpf")
DAYS = (1, 3, 14, 31)


def routes(standin: StandIn) -> APIRouter:
    router = APIRouter(prefix="/stripe")
    billing = standin.billing

    @router.get("/checkout/{checkout_id}")
    async def checkout(request: Request, checkout_id: str) -> Response:
        billing.catch_up()
        text = Text.of(request)
        session = billing.book.things[Kind.session].get(checkout_id)
        return _checkout(text, billing, session)

    @router.post("/checkout/{checkout_id}")
    async def pay(request: Request, checkout_id: str) -> Response:
        """Buy or leave. `card` is one of `good`, `declined`, `fails_later`, `asks`, `none`; `leave` buys nothing."""
        billing.catch_up()
        fields, text = await form_fields(request), Text.of(request)
        session = billing.book.things[Kind.session].get(checkout_id)
        if session is None or session["status"] != "open":
            return _checkout(text, billing, session)
        if "leave" in fields:
            if session["cancel_url"] is None:
                return _checkout(text, billing, session)
            return RedirectResponse(session["cancel_url"], 303)
        card = fields.get("card", "good")
        if card not in (*CARDS, "none"):
            return _checkout(text, billing, session, text.escape(f"card: {card}"), 422)
        try:
            billing.complete(session, None if card == "none" else card, fields.get("email") or None)
        except Declined:
            return _checkout(text, billing, session, text("declined"), 402)
        except StripeError as error:
            return _checkout(text, billing, session, text.escape(error), 422)
        return RedirectResponse(session["success_url"].replace("{CHECKOUT_SESSION_ID}", checkout_id), 303)

    @router.get("/portal/{portal_id}")
    async def portal(request: Request, portal_id: str) -> Response:
        billing.catch_up()
        return _portal(Text.of(request), billing, portal_id)

    @router.post("/portal/{portal_id}")
    async def change(request: Request, portal_id: str) -> Response:
        """`do` is `card`, `remove`, `cancel:sub_…`, `keep:sub_…`, `resume:sub_…` or `pay:in_…`."""
        billing.catch_up()
        fields, text = await form_fields(request), Text.of(request)
        customer = _customer_of(billing, portal_id)
        if customer is None:
            return _portal(text, billing, portal_id)
        try:
            _change(billing, customer, fields)
        except Declined:
            return _portal(text, billing, portal_id, text("declined"), 402)
        except StripeError as error:
            refused = text("declined") if error.status == 402 else text.escape(error)
            return _portal(text, billing, portal_id, refused, error.status)
        return RedirectResponse(f"/stripe/portal/{portal_id}", 303)

    @router.get("/invoice/{invoice_id}")
    async def invoice(request: Request, invoice_id: str) -> Response:
        text = Text.of(request)
        found = billing.book.things[Kind.invoice].get(invoice_id)
        if found is None or found["number"] is None:
            return missing_page(text, navigation=False)
        title = f"{text('invoice')} {text.escape(found['number'])}"
        body = f'<h1>{title}</h1><div class="card"><dl>{_invoice_facts(text, found)}</dl></div>'
        return HTMLResponse(page(text, title, body, navigation=False))

    @router.get("/")
    async def controls(request: Request) -> Response:
        billing.catch_up()
        return HTMLResponse(_controls_page(Text.of(request), standin))

    @router.post("/")
    async def control(request: Request) -> Response:
        """`do` is `forward:DAYS`, `mode:MODE`, `release`, `refund:cus_…`, `delete:cus_…` or `OUTCOME:cus_…`."""
        billing.catch_up()
        fields, text = await form_fields(request), Text.of(request)
        try:
            _apply_control(standin, *fields.get("do", "").partition(":")[::2])
        except (StripeError, ValueError) as error:
            return HTMLResponse(_controls_page(text, standin, str(error)), 422)
        return RedirectResponse("/stripe/", 303)

    return router


def amount(text: Text, units: int, currency: str) -> str:
    """Return the amount in whole currency, with the decimal separator of the language."""
    number = str(units) if currency in WHOLE_UNITS else f"{units / 100:.2f}"
    return f"{number.replace('.', ',') if text.code == 'de' else number}\u00a0{currency.upper()}"


def _every(text: Text, price: Thing) -> str:
    count, interval = price["recurring"]["interval_count"], price["recurring"]["interval"]
    cost = amount(text, price["unit_amount"], price["currency"])
    return f"{cost} {text('each_' + interval)}" if count == 1 else f"{cost} / {count} {text('each_' + interval)}"


# Checkout


def _checkout(text: Text, billing: Billing, session: Thing | None, error: str = "", status: int = 200) -> Response:
    if session is None:
        return missing_page(text, navigation=False)
    if session["status"] != "open":
        body = f"<h1>{text('closed')}</h1><p>{text('closed_text')}</p>"
        return HTMLResponse(page(text, text("closed"), body, navigation=False), 410)
    bought = session["line_items"]["data"][0]
    product = billing.book.things[Kind.product][bought["price"]["product"]]
    terms = _every(text, bought["price"])
    trial = billing.trial_end(session)
    if trial is not None:
        days = round((trial - billing.book.now) / DAY)
        terms = f"{days} {text('day_free' if days == 1 else 'days_free')} {terms}"
    cards = [*CARDS, "none"] if billing.needs_no_card(session) else list(CARDS)
    email = ""
    if session["customer"] is None:
        known = text.escape(session["customer_email"] or "")
        email = (
            f'<div class="fields"><label>{text("email")}'
            f'<input name="email" type="email" required value="{known}"></label></div>'
        )
    leave = (
        f'<button class="quiet" name="leave" value="1" formnovalidate>{text("leave")}</button>'
        if session["cancel_url"]
        else ""
    )
    body = f"""<h1>{text("checkout")}</h1><p>{text("checkout_intro")}</p>{_problem(error)}
<form method="post" class="card"><p class="text"><strong>{text.escape(product["name"])}</strong></p><p>{terms}</p>
{email}<fieldset><legend>{text("pay_with")}</legend>{_cards(text, cards)}</fieldset>
<div class="buttons"><button>{text("buy" if trial is None else "buy_trial")}</button>{leave}</div></form>"""
    return HTMLResponse(page(text, text("checkout"), body, navigation=False), status)


def _problem(error: str) -> str:
    return f'<p class="error" role="alert">{error}</p>' if error else ""


def _cards(text: Text, cards: list[str]) -> str:
    return "".join(
        f'<label class="choice"><input type="radio" name="card" value="{name}"{"" if number else " checked"}>'
        f"<span>{text('card_' + name)}{f'<small>{CARDS[name].number}</small>' if name in CARDS else ''}</span></label>"
        for number, name in enumerate(cards)
    )


# Portal


def _customer_of(billing: Billing, portal_id: str) -> Thing | None:
    """Return the portal's customer; None if the portal has expired or the customer is deleted."""
    portal = billing.book.things[Kind.portal].get(portal_id)
    if portal is None or portal["created"] + PORTAL_SECONDS < billing.book.now:
        return None
    customer = billing.book.things[Kind.customer].get(portal["customer"])
    return None if customer is None or "deleted" in customer else customer


def _change(billing: Billing, customer: Thing, fields: dict[str, str]) -> None:
    do, _, id_ = fields.get("do", "").partition(":")
    own = {
        thing["id"]: thing
        for kind in (Kind.subscription, Kind.invoice)
        for thing in billing.book.listed(kind, lambda one: one["customer"] == customer["id"])
    }
    if do == "card" and fields.get("card") in CARDS:
        billing.customers.set_card(customer, fields["card"])
    elif do == "remove":
        billing.customers.remove_cards(customer)
    elif do in ("cancel", "keep") and own.get(id_, {}).get("status") not in (None, *FINAL):
        if (own[id_]["cancel_at"] is not None) is not (do == "cancel"):
            with billing.events.changing(own[id_]):
                billing.cancel_at_period_end(own[id_], do == "cancel")
    elif do == "resume" and id_ in own:
        billing.resume(own[id_], "resume_on_payment_success")
    elif do == "pay" and id_ in own:
        billing.pay(own[id_], on_session=True)
    else:
        raise StripeError(f"do: {fields.get('do')}", status=422)


def _portal(text: Text, billing: Billing, portal_id: str, error: str = "", status: int = 200) -> Response:
    customer = _customer_of(billing, portal_id)
    if customer is None:
        return missing_page(text, navigation=False)
    portal = billing.book.things[Kind.portal][portal_id]

    def mine(one: Thing) -> bool:
        return bool(one["customer"] == customer["id"])

    subscriptions = "".join(_subscription(text, one) for one in billing.book.listed(Kind.subscription, mine))
    methods = list(billing.book.listed(Kind.payment_method, mine))
    chosen = customer["invoice_settings"]["default_payment_method"]
    current = next((one for one in methods if one["id"] == chosen), methods[0] if methods else None)
    card = f"<code>{current['card']['brand']} •••• {current['card']['last4']}</code>" if current else text("no_card")
    remove = f'<button class="quiet" name="do" value="remove">{text("remove_card")}</button>' if current else ""
    invoices = "".join(_invoice(text, one) for one in billing.book.listed(Kind.invoice, mine) if one["number"])
    listed = f'<ul class="rows">{invoices}</ul>' if invoices else f"<p>{text('no_invoices')}</p>"
    back = portal["return_url"]
    returning = f'<p><a href="{text.escape(back)}">{text("portal_back")}</a></p>' if back else ""
    body = f"""<h1>{text("portal")}</h1><p>{text("portal_intro")}</p>{_problem(error)}{returning}<form method="post">
<h2>{text("subscription")}</h2>{subscriptions or f"<p>{text('no_subscription')}</p>"}
<h2>{text("payment_method")}</h2><div class="card"><p class="text">{card}</p>
<fieldset><legend>{text("pay_with")}</legend>{_cards(text, list(CARDS))}</fieldset><div class="buttons">
<button name="do" value="card">{text("save_card")}</button>{remove}</div></div>
<h2>{text("invoices")}</h2>{listed}</form>"""
    return HTMLResponse(page(text, text("portal"), body, navigation=False), status)


def _subscription(text: Text, subscription: Thing) -> str:
    item = period(subscription)
    facts = [f"<dt>{text('status')}</dt><dd><code>{subscription['status']}</code></dd>"]
    facts.append(f"<dt>{text('price')}</dt><dd>{_every(text, item['price'])}</dd>")
    button = ""
    if subscription["status"] in FINAL:
        facts.append(f"<dt>{text('ended')}</dt><dd>{moment(subscription['ended_at'])}</dd>")
    elif subscription["status"] == "paused":
        button = _button(f"resume:{subscription['id']}", text("resume"))
    elif subscription["cancel_at"] is not None:
        facts.append(f"<dt>{text('ends_on')}</dt><dd>{moment(subscription['cancel_at'])}</dd>")
        button = _button(f"keep:{subscription['id']}", text("keep"))
    else:
        facts.append(f"<dt>{text('renews_on')}</dt><dd>{moment(item['current_period_end'])}</dd>")
        button = _button(f"cancel:{subscription['id']}", text("cancel_at_end"), quiet=True)
    return f'<div class="card"><dl>{"".join(facts)}</dl>{button}</div>'


def _button(do: str, label: str, *, quiet: bool = False) -> str:
    style = ' class="quiet"' if quiet else ""
    return f'<div class="buttons"><button{style} name="do" value="{do}">{label}</button></div>'


def _invoice_facts(text: Text, invoice: Thing) -> str:
    return (
        f"<dt>{text('status')}</dt><dd><code>{invoice['status']}</code></dd>"
        f"<dt>{text('price')}</dt><dd>{amount(text, invoice['total'], invoice['currency'])}</dd>"
        f"<dt>{text('date')}</dt><dd>{moment(invoice['created'])}</dd>"
    )


def _invoice(text: Text, invoice: Thing) -> str:
    pay = _button(f"pay:{invoice['id']}", text("pay_now")) if invoice["status"] == "open" else ""
    return (
        f'<li><a href="/stripe/invoice/{invoice["id"]}">{text.escape(invoice["number"])}</a> '
        f"{amount(text, invoice['total'], invoice['currency'])}<br>"
        f"<span>{moment(invoice['created'])} · {invoice['status']}</span>{pay}</li>"
    )


# Controls


def _apply_control(standin: StandIn, do: str, what: str) -> None:
    """Apply a control of the page. Raise StripeError or ValueError if it is invalid."""
    billing, webhooks = standin.billing, standin.webhooks
    if do == "forward" and re.fullmatch("[0-9]{1,4}", what):
        standin.move_clock(int(what) * DAY)
    elif do == "mode":
        webhooks.delivery.mode = Mode(what)
    elif do == "release":
        webhooks.release(list(webhooks.held))
    elif do == "delete":
        billing.delete_customer(standin.customer(what))
    elif do == "refund":
        standin.refund_last(standin.customer(what))
    elif do in OUTCOMES:
        standin.next_payment(standin.customer(what), do)
    else:
        raise ValueError(f"do: {do}:{what}")


def _controls_page(text: Text, standin: StandIn, error: str = "") -> str:
    book, webhooks = standin.billing.book, standin.webhooks
    forward = "".join(
        f'<button class="quiet" name="do" value="forward:{days}">+{days} {text("days" if days > 1 else "day")}</button>'
        for days in DAYS
    )
    modes = "".join(
        f'<button{"" if mode is webhooks.delivery.mode else " class=quiet"} name="do" value="mode:{mode}" '
        f'aria-pressed="{str(mode is webhooks.delivery.mode).lower()}">{text("mode_" + mode)}</button>'
        for mode in Mode
    )
    held = (
        f'<button name="do" value="release">{text("release")} ({len(webhooks.held)})</button>' if webhooks.held else ""
    )
    to = f"<code>{text.escape(webhooks.url)}</code>" if webhooks.url else text("no_endpoint")
    living = book.listed(Kind.customer, lambda one: "deleted" not in one)
    customers = "".join(
        _customer(text, standin.billing, one) for _, one in zip(range(CUSTOMERS_SHOWN), living, strict=False)
    )
    tried = {one.event: one.status or one.error for one in webhooks.tries}
    events = "".join(
        f"<li>{text.escape(one['type'])} <code>{text.escape(tried.get(one['id'], '–'))}</code><br>"
        f"<span>{moment(one['created'])}</span></li>"
        for _, one in zip(range(EVENTS_SHOWN), book.listed(Kind.event), strict=False)
    )
    body = f"""<h1>{text("stripe")}</h1><p>{text("stripe_intro")}</p>{_problem(text.escape(error))}
<form method="post"><h2>{text("clock")}</h2><div class="card"><p class="text">{moment(book.now)}</p>
<div class="buttons">{forward}</div></div>
<h2>{text("webhooks")}</h2><div class="card"><p class="text">{to}</p><div class="buttons">{modes}{held}</div></div>
<h2>{text("customers")}</h2>{customers or f"<p>{text('no_customers')}</p>"}</form>
<h2>{text("events")}</h2>{f'<ul class="rows">{events}</ul>' if events else f"<p>{text('no_events')}</p>"}"""
    return page(text, text("stripe"), body)


def _customer(text: Text, billing: Billing, customer: Thing) -> str:
    own = billing.book.listed(Kind.subscription, lambda one: one["customer"] == customer["id"])
    states = " ".join(f"<code>{one['status']}</code>" for one in own) or text("no_subscription")
    buttons = "".join(
        f'<button class="quiet" name="do" value="{do}:{customer["id"]}">{text(word)}</button>'
        for do, word in (
            ("declined", "next_declined"),
            ("asks", "next_asks"),
            ("refund", "refund_last"),
            ("delete", "delete_customer"),
        )
    )
    return (
        f'<div class="card"><p class="text"><strong>{text.escape(customer["email"] or customer["id"])}</strong> '
        f'{states}</p><div class="buttons">{buttons}</div></div>'
    )
