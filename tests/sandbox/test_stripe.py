"""Stripe's own library as the client, and an endpoint that takes its events."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import httpx2
import pytest
import stripe

from sandbox.app import Sandbox, run_sandbox
from tests.patience import PATIENCE
from tests.sandbox.conftest import App

KEY = "sk_test_51Sandbox"
SECRETS = ["whsec_new", "whsec_old"]
DAY = 86400
SUCCESS = "http://app.example/subscription?checkout=success&session_id={CHECKOUT_SESSION_ID}"
CANCEL = "http://app.example/subscription?checkout=canceled"


@dataclass
class Endpoint:
    """What takes the events: raw bodies with their signatures. `refuses`: how many it answers with 500."""

    url: str = ""
    refuses: int = 0
    got: list[tuple[bytes, str]] = field(default_factory=list)

    @property
    def types(self) -> list[str]:
        return [json.loads(body)["type"] for body, _ in self.got]

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head)}
        self.got.append((await reader.readexactly(int(headers["content-length"])), headers["stripe-signature"]))
        status = b"500 No" if self.refuses > 0 else b"200 OK"
        self.refuses -= 1
        writer.write(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()
        await writer.wait_closed()


@dataclass(frozen=True)
class Shop:
    """An app that sells a subscription, and what its customer does in the browser."""

    http: httpx2.AsyncClient
    client: stripe.StripeClient
    app: App

    async def customer(self) -> str:
        said: Any = {"email": "ada@example.org", "metadata": {"user_id": "u1"}}
        return (await asyncio.to_thread(self.client.v1.customers.create, said)).id

    async def checkout(self, customer: str, *, trial: str | None = "cancel", **more: Any) -> stripe.checkout.Session:
        """`trial`: what happens at its end without a card; without, there is none."""
        said: Any = {
            "mode": "subscription",
            "customer": customer,
            "client_reference_id": "u1",
            "line_items": [{"price": "price_sandbox", "quantity": 1}],
            "payment_method_collection": "if_required",
            "success_url": SUCCESS,
            "cancel_url": CANCEL,
            **more,
        }
        if trial:
            settings = {"end_behavior": {"missing_payment_method": trial}}
            said["subscription_data"] = {"trial_period_days": 14, "trial_settings": settings, "metadata": {"user": "1"}}
        return await asyncio.to_thread(self.client.v1.checkout.sessions.create, said)

    async def press(self, session: stripe.checkout.Session, **form: str) -> httpx2.Response:
        return await self.http.post(str(session.url), data=form)

    async def subscribe(self, card: str = "good", *, trial: str | None = "cancel") -> str:
        """The id of the subscription."""
        session = await self.checkout(await self.customer(), trial=trial)
        answer = await self.press(session, card=card)
        assert answer.headers["location"] == SUCCESS.replace("{CHECKOUT_SESSION_ID}", session.id)
        bought = await asyncio.to_thread(self.client.v1.checkout.sessions.retrieve, session.id)
        assert (bought.status, bought.url) == ("complete", None)
        assert bought.payment_status == ("no_payment_required" if trial else "paid")
        return cast(str, bought.subscription)

    async def subscription(self, id_: str) -> stripe.Subscription:
        return await asyncio.to_thread(self.client.v1.subscriptions.retrieve, id_)

    async def status(self, id_: str) -> str:
        return (await self.subscription(id_)).status

    async def update(self, id_: str, **said: Any) -> stripe.Subscription:
        return await asyncio.to_thread(self.client.v1.subscriptions.update, id_, cast(Any, said))

    async def order(self, path: str, **said: Any) -> dict[str, Any]:
        answer = await self.http.post(f"/stripe/{path}/", json=said)
        assert answer.status_code == 200, answer.text
        told: dict[str, Any] = answer.json()
        return told

    async def days(self, days: float) -> None:
        await self.order("clock", days=days)

    async def portal(self, customer: str, **form: str) -> httpx2.Response:
        said: Any = {"customer": customer, "return_url": "http://app.example/subscription"}
        portal = await asyncio.to_thread(self.client.v1.billing_portal.sessions.create, said)
        return await self.http.post(portal.url, data=form)

    async def events(self) -> list[str]:
        """The kinds, oldest first."""
        listed = await asyncio.to_thread(self.client.v1.events.list, {"limit": 100})
        return [event.type for event in reversed(listed.data)]

    async def delivered(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while (await self.http.get("/stripe/delivery/")).json()["waiting"]:
                await asyncio.sleep(0.01)


def client(sandbox: Sandbox, key: str = KEY, *, retries: int = 0) -> stripe.StripeClient:
    return stripe.StripeClient(key, base_addresses={"api": f"{sandbox.url}/stripe"}, max_network_retries=retries)


@pytest.fixture
def shop(sandbox: Sandbox, app: App) -> Shop:
    return Shop(app.http, client(sandbox), app)


@asynccontextmanager
async def listening(shop: Shop) -> AsyncIterator[Endpoint]:
    endpoint = Endpoint()
    server = await asyncio.start_server(endpoint.take, "127.0.0.1", 0)
    async with server:
        endpoint.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/webhooks"
        await shop.order("endpoint", url=endpoint.url, secrets=SECRETS)
        yield endpoint
        await shop.delivered()


async def test_a_trial_with_a_card_becomes_a_paid_subscription(shop: Shop) -> None:
    id_ = await shop.subscribe()
    assert await shop.events() == [
        "customer.created",
        "payment_method.attached",
        "customer.subscription.created",
        "invoice.created",
        "invoice.finalized",
        "invoice.paid",
        "checkout.session.completed",
    ]
    begun = await shop.subscription(id_)
    assert (begun.status, begun.metadata["user"]) == ("trialing", "1")
    assert begun.trial_end == begun["items"].data[0].current_period_end == begun.created + 14 * DAY

    await shop.days(11)
    assert (await shop.events())[-1] == "customer.subscription.trial_will_end"
    assert await shop.status(id_) == "trialing"
    await shop.days(3)
    paid = await shop.subscription(id_)
    assert (paid.status, paid["items"].data[0].current_period_start) == ("active", begun.trial_end)
    invoice = await asyncio.to_thread(
        shop.client.v1.invoices.retrieve, cast(str, paid.latest_invoice), {"expand": ["payments"]}
    )
    assert invoice.parent is not None
    assert invoice.parent.subscription_details is not None
    assert invoice.parent.subscription_details.subscription == id_
    assert (invoice.status, invoice.amount_paid, invoice.currency) == ("paid", 2900, "eur")
    assert invoice.payments is not None
    assert len(invoice.payments.data) == 1


@pytest.mark.parametrize(
    ("behaviour", "status", "last"),
    [
        ("cancel", "canceled", "customer.subscription.deleted"),
        ("pause", "paused", "customer.subscription.paused"),
        ("create_invoice", "past_due", "customer.subscription.updated"),
    ],
)
async def test_a_trial_without_a_card_ends_as_ordered(shop: Shop, behaviour: str, status: str, last: str) -> None:
    id_ = await shop.subscribe("none", trial=behaviour)
    await shop.days(14)
    assert (await shop.status(id_), (await shop.events())[-1]) == (status, last)


async def test_a_paused_subscription_goes_on_when_it_is_paid(shop: Shop) -> None:
    id_ = await shop.subscribe("none", trial="pause")
    await shop.days(30)
    customer = cast(str, (await shop.subscription(id_)).customer)
    pays: Any = {"payment_behavior": "resume_on_payment_success", "billing_cycle_anchor": {"type": "now"}}
    resume = shop.client.v1.subscriptions.resume
    with pytest.raises(stripe.InvalidRequestError, match="no attached payment source"):
        await asyncio.to_thread(resume, id_, pays)

    # the library's usual behaviour asks nobody to pay, and forgets after 23 hours
    waiting = await asyncio.to_thread(resume, id_)
    assert waiting.status == "paused"
    await shop.days(1)
    assert (await shop.events())[-1] == "invoice.voided"

    await shop.portal(customer, do="card", card="fails_later")
    assert (await asyncio.to_thread(resume, id_, pays)).status == "paused"
    late = await asyncio.to_thread(resume, id_)
    with pytest.raises(stripe.CardError):
        await asyncio.to_thread(shop.client.v1.invoices.pay, cast(str, late.latest_invoice))
    assert await shop.status(id_) == "past_due"
    await shop.portal(customer, do="card", card="good")
    await asyncio.to_thread(shop.client.v1.invoices.pay, cast(str, late.latest_invoice))
    going = await shop.subscription(id_)
    assert (going.status, going.billing_cycle_anchor) == ("active", going["items"].data[0].current_period_start)
    assert going["items"].data[0].current_period_end > (await shop.http.get("/stripe/clock/")).json()["now"]
    assert "customer.subscription.resumed" in await shop.events()
    with pytest.raises(stripe.InvalidRequestError, match="Only paused"):
        await asyncio.to_thread(resume, id_, pays)


async def test_the_checkout_can_be_declined_left_and_forgotten(shop: Shop) -> None:
    customer = await shop.customer()
    session = await shop.checkout(customer, trial=None)
    german = await shop.http.get(str(session.url), headers={"Accept-Language": "de"})
    assert "29,00\u00a0EUR im Monat" in german.text
    assert "ohne beginnen" not in german.text  # there is nothing to begin without a card
    declined = await shop.press(session, card="declined")
    assert declined.status_code == 402
    assert "was declined" in declined.text
    assert (await shop.press(session, card="none")).status_code == 422
    assert (await shop.press(session, leave="1")).headers["location"] == CANCEL
    assert await shop.events() == ["customer.created"]

    await shop.days(1)
    forgotten = await asyncio.to_thread(shop.client.v1.checkout.sessions.retrieve, session.id)
    assert (forgotten.status, (await shop.events())[-1]) == ("expired", "checkout.session.expired")
    assert (await shop.http.post(f"/stripe/checkout/{session.id}", data={"card": "good"})).status_code == 410
    assert await shop.status(await shop.subscribe(trial=None)) == "active"


async def test_a_failed_renewal_is_tried_again_and_mended(shop: Shop) -> None:
    id_ = await shop.subscribe("fails_later")
    await shop.days(14)
    late = await shop.subscription(id_)
    assert late.status == "past_due"
    assert "invoice.payment_failed" in await shop.events()
    invoice = await asyncio.to_thread(shop.client.v1.invoices.retrieve, cast(str, late.latest_invoice))
    assert (invoice.status, invoice.next_payment_attempt) == ("open", invoice.created + 3 * DAY)
    customer = cast(str, late.customer)
    assert (await shop.portal(customer, do=f"pay:{invoice.id}")).status_code == 402
    await shop.portal(customer, do="card", card="good")
    assert (await shop.portal(customer, do=f"pay:{invoice.id}")).status_code == 303
    assert await shop.status(id_) == "active"

    await shop.order(f"customers/{customer}/next-payment", outcome="asks")
    await shop.days(31)
    assert (await shop.events())[-1] == "customer.subscription.updated"
    assert "invoice.payment_action_required" in await shop.events()
    await shop.days(3)
    assert await shop.status(id_) == "active"  # the second try needed nobody


@pytest.mark.parametrize("status", ["canceled", "unpaid"])
async def test_after_the_last_try_it_ends_as_set(shop: Shop, status: str) -> None:
    await shop.order("settings", after_retries=status)
    id_ = await shop.subscribe("fails_later")
    await shop.days(14 + 14)
    assert await shop.status(id_) == "past_due"
    await shop.days(1)  # after 3, 5 and 7 days
    assert await shop.status(id_) == status
    assert Counter(await shop.events())["invoice.payment_failed"] == 4
    await shop.days(31)
    latest = cast(str, (await shop.subscription(id_)).latest_invoice)
    waiting = await asyncio.to_thread(shop.client.v1.invoices.retrieve, latest)
    assert waiting.status == ("open" if status == "canceled" else "draft")  # nothing is asked of the card any more


async def test_canceled_at_the_end_of_the_period_and_resumed(shop: Shop) -> None:
    id_ = await shop.subscribe(trial=None)
    leaving = await shop.update(id_, cancel_at_period_end=True)
    end = leaving["items"].data[0].current_period_end
    assert (leaving.status, leaving.cancel_at) == ("active", end)
    staying = await shop.update(id_, cancel_at_period_end=False)
    assert (staying.cancel_at, staying.canceled_at) == (None, None)
    await shop.portal(cast(str, staying.customer), do=f"cancel:{id_}")
    await shop.order("clock", to=end - 60)
    assert await shop.status(id_) == "active"
    await shop.order("clock", to=datetime.fromtimestamp(end, UTC).isoformat())
    over = await shop.subscription(id_)
    assert (over.status, over.ended_at) == ("canceled", end)
    assert (await shop.events())[-1] == "customer.subscription.deleted"
    listed = await asyncio.to_thread(shop.client.v1.subscriptions.list, {"customer": cast(str, over.customer)})
    assert listed.data == []
    with pytest.raises(stripe.InvalidRequestError, match="canceled subscription can only"):
        await shop.update(id_, cancel_at_period_end=True)


async def test_canceled_at_a_day_and_taken_back(shop: Shop) -> None:
    id_ = await shop.subscribe(trial=None)
    going = await shop.subscription(id_)
    end = going["items"].data[0].current_period_end
    with pytest.raises(stripe.InvalidRequestError, match="only specify one"):
        await shop.update(id_, cancel_at=end, cancel_at_period_end=True)
    with pytest.raises(stripe.InvalidRequestError, match="in the future"):
        await shop.update(id_, cancel_at=going.created)
    leaving = await shop.update(id_, cancel_at=end + 5 * DAY)
    assert (leaving.cancel_at, leaving.cancel_at_period_end) == (end + 5 * DAY, False)
    assert leaving.canceled_at is not None
    staying = await shop.update(id_, cancel_at="")
    assert (staying.cancel_at, staying.canceled_at) == (None, None)
    await shop.update(id_, cancel_at=end + 5 * DAY)
    await shop.portal(cast(str, going.customer), do=f"keep:{id_}")
    assert (await shop.subscription(id_)).cancel_at is None
    await shop.update(id_, cancel_at=end + 5 * DAY)
    await shop.order("clock", to=end + 5 * DAY - 60)
    assert await shop.status(id_) == "active"  # renewed once more
    await shop.order("clock", to=end + 5 * DAY)
    over = await shop.subscription(id_)
    assert (over.status, over.ended_at) == ("canceled", end + 5 * DAY)


async def test_whose_subscriptions_are_listed_has_to_be_known(shop: Shop) -> None:
    customer = cast(str, (await shop.subscription(await shop.subscribe())).customer)
    list_ = shop.client.v1.subscriptions.list
    with pytest.raises(stripe.InvalidRequestError, match="No such customer") as refused:
        await asyncio.to_thread(list_, {"customer": "cus_of_nobody"})
    assert (refused.value.code, refused.value.param) == ("resource_missing", "customer")
    await shop.http.delete(f"/stripe/customers/{customer}/")
    every = await asyncio.to_thread(list_, {"customer": customer, "status": "all"})
    assert [one.status for one in every.data] == ["canceled"]


async def test_a_year_is_twelve_invoices_on_the_same_day(shop: Shop) -> None:
    now = datetime.fromtimestamp((await shop.http.get("/stripe/clock/")).json()["now"], UTC)
    begun = datetime(now.year + 1, 1, 31, 12, tzinfo=UTC)
    await shop.order("clock", to=begun.isoformat())
    id_ = await shop.subscribe(trial=None)
    await shop.order("clock", to=begun.replace(year=begun.year + 1, hour=13).isoformat())
    invoices = await asyncio.to_thread(shop.client.v1.invoices.list, {"subscription": id_, "limit": 100})
    days = [datetime.fromtimestamp(one.created, UTC).day for one in reversed(invoices.data)]
    assert [*days[:1], *days[2:]] == [31, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31]
    assert days[1] in (28, 29)
    assert {one.status for one in invoices.data} == {"paid"}
    pages = await asyncio.to_thread(lambda: list(shop.client.v1.invoices.list({"limit": 5}).auto_paging_iter()))
    assert [one.id for one in pages] == [one.id for one in invoices.data]


async def test_events_are_signed_with_each_secret_and_repeated(shop: Shop) -> None:
    async with listening(shop) as endpoint:
        endpoint.refuses = 1
        await shop.customer()
        await shop.delivered()
        assert len(endpoint.got) == 2
        for body, signature in endpoint.got:
            for secret in SECRETS:
                event = stripe.Webhook.construct_event(body, signature, secret)
                assert (event.type, event.data.object["email"]) == ("customer.created", "ada@example.org")
        told = (await shop.http.get("/stripe/delivery/")).json()
        assert [(one["number"], one["status"]) for one in told["tries"]] == [(1, 500), (2, 200)]

        await shop.order("delivery", mode="at_once", skew_seconds=-600)
        await shop.customer()
        await shop.delivered()
        with pytest.raises(stripe.SignatureVerificationError, match="tolerance"):
            stripe.Webhook.construct_event(*endpoint.got[-1], SECRETS[0])


async def test_events_come_twice_shuffled_late_forged_or_never(shop: Shop) -> None:
    async with listening(shop) as endpoint:
        await shop.order("delivery", mode="twice")
        await shop.subscribe()
        await shop.delivered()
        assert set(Counter(json.loads(body)["id"] for body, _ in endpoint.got).values()) == {2}

        endpoint.got.clear()
        await shop.order("delivery", mode="shuffled", seed=4)
        await shop.subscribe()
        await shop.delivered()
        order = endpoint.types
        assert order != sorted(order, key=(await shop.events())[-7:].index)
        assert Counter(order) == Counter((await shop.events())[-7:])

        endpoint.got.clear()
        await shop.order("delivery", mode="held")
        await shop.customer()
        held = (await shop.http.get("/stripe/delivery/")).json()["held"]
        assert ([one["type"] for one in held], endpoint.got) == (["customer.created"], [])
        assert await shop.order("delivery/release", times=2) == {"sent": 2}
        await shop.delivered()
        assert endpoint.types == ["customer.created"] * 2

        await shop.order("delivery", mode="lost")
        await shop.customer()
        await shop.delivered()
        assert len(endpoint.got) == 2
        [lost] = (await asyncio.to_thread(shop.client.v1.events.list, {"limit": 1})).data
        await shop.order("delivery/release", ids=[lost.id])
        await shop.delivered()
        assert json.loads(endpoint.got[-1][0])["id"] == lost.id

        await shop.order("delivery", mode="forged")
        await shop.customer()
        await shop.delivered()
        with pytest.raises(stripe.SignatureVerificationError, match="No signatures found"):
            stripe.Webhook.construct_event(*endpoint.got[-1], SECRETS[0])


async def test_the_same_key_of_idempotency_does_a_thing_once(shop: Shop, sandbox: Sandbox) -> None:
    create = shop.client.v1.customers.create
    first = await asyncio.to_thread(create, {"email": "a@example.org"}, {"idempotency_key": "customer-u1"})
    again = await asyncio.to_thread(create, {"email": "a@example.org"}, {"idempotency_key": "customer-u1"})
    assert again.id == first.id
    with pytest.raises(stripe.IdempotencyError):
        await asyncio.to_thread(create, {"email": "b@example.org"}, {"idempotency_key": "customer-u1"})
    await shop.days(1.1)
    later = await asyncio.to_thread(create, {"email": "a@example.org"}, {"idempotency_key": "customer-u1"})
    assert later.id != first.id

    # the answer is lost, the library asks again with its own key
    await shop.app.order_fault(on="stripe_customers", kind="lost_answer", containing="c%40example.org")
    patient = client(sandbox, retries=1)
    found = await asyncio.to_thread(patient.v1.customers.create, {"email": "c@example.org"})
    listed = await asyncio.to_thread(shop.client.v1.customers.list, {"email": "c@example.org"})
    assert [one.id for one in listed.data] == [found.id]


async def test_what_is_wrong_is_said_as_stripe_says_it(shop: Shop, sandbox: Sandbox) -> None:
    for key in ("sk_wrong", "sk_test_another"):
        await shop.order("settings", keys=[KEY])
        with pytest.raises(stripe.AuthenticationError, match="Invalid API Key"):
            await asyncio.to_thread(client(sandbox, key).v1.prices.retrieve, "price_sandbox")
    assert (await shop.http.get("/stripe/v1/prices")).status_code == 401
    await shop.order("settings", keys=[])
    live = client(sandbox, "sk_live_51Sandbox").v1
    with pytest.raises(stripe.InvalidRequestError, match="a live mode key was used") as refused:
        await asyncio.to_thread(live.prices.retrieve, "price_sandbox")
    assert (refused.value.http_status, refused.value.code) == (404, "resource_missing")
    said: Any = {"mode": "subscription", "line_items": [{"price": "price_sandbox"}], "success_url": SUCCESS}
    with pytest.raises(stripe.InvalidRequestError, match="exists in test mode") as refused:
        await asyncio.to_thread(live.checkout.sessions.create, said)
    assert (refused.value.http_status, refused.value.param) == (400, "line_items[0][price]")
    with pytest.raises(stripe.InvalidRequestError) as refused:
        await shop.checkout(await shop.customer(), trial=None, subscription_data={"trial_days": 3})
    assert (refused.value.code, refused.value.param) == ("parameter_unknown", "subscription_data[trial_days]")
    expand: Any = {"expand": ["nothing"]}
    with pytest.raises(stripe.InvalidRequestError, match="cannot be expanded"):
        await asyncio.to_thread(shop.client.v1.prices.retrieve, "price_sandbox", expand)
    await shop.app.order_fault(on="stripe", kind="rate_limited")
    with pytest.raises(stripe.RateLimitError):
        await asyncio.to_thread(shop.client.v1.prices.retrieve, "price_sandbox")
    await shop.app.order_fault(on="stripe_prices", kind="status", status=503)
    with pytest.raises(stripe.APIError):
        await asyncio.to_thread(shop.client.v1.prices.retrieve, "price_sandbox")


async def test_the_operator_deletes_refunds_and_changes_the_price(shop: Shop) -> None:
    id_ = await shop.subscribe(trial=None)
    customer = cast(str, (await shop.subscription(id_)).customer)
    refund = await shop.order(f"customers/{customer}/refund", amount=900)
    assert (refund["amount"], (await shop.events())[-1]) == (900, "charge.refunded")
    rest: Any = {"payment_intent": refund["payment_intent"]}
    assert (await asyncio.to_thread(shop.client.v1.refunds.create, rest)).amount == 2000
    with pytest.raises(stripe.InvalidRequestError, match="already been refunded"):
        await asyncio.to_thread(shop.client.v1.refunds.create, rest)

    await shop.order("prices", unit_amount=39900, interval="year", name="A year")
    price = await asyncio.to_thread(shop.client.v1.prices.retrieve, "price_sandbox", {"expand": ["product"]})
    assert (price.unit_amount, cast(stripe.Product, price.product).name) == (39900, "A year")
    assert (await shop.subscription(id_))["items"].data[0].price.unit_amount == 2900

    found = await asyncio.to_thread(shop.client.v1.customers.search, {"query": "metadata['user_id']:'u1'"})
    assert [one.id for one in found.data] == [customer]
    assert (await shop.http.delete(f"/stripe/customers/{customer}/")).status_code == 204
    assert (await shop.events())[-2:] == ["customer.subscription.deleted", "customer.deleted"]
    assert (await asyncio.to_thread(shop.client.v1.customers.retrieve, customer)).deleted is True
    with pytest.raises(stripe.InvalidRequestError, match="No such customer"):
        await shop.checkout(customer)
    board = await shop.http.get("/stripe/", headers={"Accept-Language": "de"})
    assert "customer.deleted" in board.text
    assert "Noch keine Kunden" in board.text


async def test_subscriptions_and_the_clock_outlive_a_restart(tmp_path: Path) -> None:
    @asynccontextmanager
    async def opened() -> AsyncIterator[Shop]:
        async with run_sandbox(tmp_path) as sandbox, httpx2.AsyncClient(base_url=sandbox.url) as http:
            yield Shop(http, client(sandbox), App(http))

    async with opened() as shop:
        id_ = await shop.subscribe()
        await shop.days(10)
    async with opened() as shop:
        assert await shop.status(id_) == "trialing"
        await shop.days(4)
        assert await shop.status(id_) == "active"
