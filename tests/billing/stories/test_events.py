"""What Stripe tells: in any order, twice, late, by others and never. What is known in the end is what Stripe has."""

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.ext.asyncio import async_sessionmaker

from api.bodies import MEGABYTE
from core.billing.tables import StripeEvent, SubscriptionRow
from core.errors import ErrorCode
from sandbox.stripe.webhooks import signature
from tests.api.conftest import done, refused
from tests.billing.stories.shop import SECRETS, Shop, of, session_of, written
from tests.factories import Factory
from tests.patience import PATIENCE

FIRST = [
    "payment_method.attached",
    "customer.subscription.created",
    "invoice.created",
    "invoice.finalized",
    "invoice.paid",
    "checkout.session.completed",
]


def signed(event: Any, secrets: Sequence[str] = SECRETS, at: float | None = None) -> tuple[bytes, str]:
    body = event if isinstance(event, bytes) else json.dumps(event).encode()
    return body, signature(body, secrets, int(at or time.time()))


def an_event(kind: str = "customer.updated", customer: str | None = "cus_of_nobody", **more: Any) -> dict[str, Any]:
    about = {"id": "x_1", "object": "thing", "customer": customer}
    return {
        "id": f"evt_{random.randbytes(8).hex()}",
        "object": "event",
        "type": kind,
        "created": int(time.time()),
        "data": {"object": about},
        **more,
    }


def facts(raw: dict[str, Any]) -> dict[str, Any]:
    """Of Stripe's own object, name by name."""
    item = raw["items"]["data"][0]
    moments = {
        "created": raw["created"],
        "trial_end": raw["trial_end"],
        "period_start": item["current_period_start"],
        "period_end": item["current_period_end"],
        "cancel_at": raw["cancel_at"],
        "canceled_at": raw["canceled_at"],
        "ended_at": raw["ended_at"],
    }
    same = {name: raw[name] for name in ("id", "status", "cancel_at_period_end")}
    return same | {name: at and of(at).isoformat() for name, at in moments.items()}


async def is_stripes_own(shop: Shop) -> None:
    """What is kept, and what is shown."""
    every = await shop.listed("subscriptions", status="all")
    living = [one for one in every if one["status"] != "canceled"]
    assert len(living) <= 1
    raw = (living or every)[0]
    kept = (await shop.kept()).paid
    assert kept is not None
    assert {name: kept[name] for name in facts(raw)} == facts(raw)
    shown = await shop.shown()
    status, ends = raw["status"], raw["cancel_at"] is not None
    names = {"trialing": "trial", "active": "active", "past_due": "active"}
    assert shown["status"] == ("canceled_until" if ends and status in names else names.get(status, "canceled"))
    assert shown["can_subscribe"] is (not living)
    assert shown["end_date"] == {
        "canceled_until": raw["cancel_at"] and written(of(raw["cancel_at"])),
        "canceled": written(of(raw["ended_at"] or raw["items"]["data"][0]["current_period_start"])),
    }.get(shown["status"])
    assert (shown["past_due_until"] is not None) is (status == "past_due")


async def test_each_order_of_the_first_checkout_ends_in_the_same_state(shop: Shop) -> None:
    """720, with a round of the worker at some place within each. What has begun alike is kept once."""
    page = await shop.page()
    await shop.told()
    await shop.order("delivery", mode="held")
    await shop.press(page, card="good")
    events = (await shop.listed("events"))[:6]
    assert sorted(event["type"] for event in events) == sorted(FIRST)
    messages = [signed(event) for event in events]
    states, orders = set(), 0

    async with shop.services.engine.connect() as connection:
        sessions = async_sessionmaker(connection, expire_on_commit=False, join_transaction_mode="create_savepoint")
        subscribing = replace(shop.services.subscriptions, sessions=sessions, reading=sessions)

        async def go_on(left: list[tuple[bytes, str]], place: int) -> None:
            nonlocal orders
            for number, message in enumerate(left):
                here = await connection.begin_nested()
                assert await subscribing.keep_event(*message)
                others = left[:number] + left[number + 1 :]
                # after another number of events wherever the third one is another
                place = number + 1 if len(left) == 4 else place
                if not others or len(left) == place:
                    assert await subscribing.process_events() > 0
                if others:
                    await go_on(others, place)
                else:
                    orders += 1
                    async with sessions() as session:
                        row = await session.get_one(SubscriptionRow, shop.user.id)
                        outcomes = set(await session.scalars(select(StripeEvent.outcome)))
                    assert outcomes == {"synced"}
                    states.add(json.dumps([row.paid, row.had_one, row.past_due_since, row.checkout_id]))
                await here.rollback()

        await go_on(messages, 0)
    assert (orders, len(states)) == (720, 1)
    await shop.order("delivery/release")
    await shop.told()
    row = await shop.kept()
    assert states == {json.dumps([row.paid, row.had_one, row.past_due_since, row.checkout_id])}
    await is_stripes_own(shop)


@dataclass(frozen=True)
class Life:
    """What a customer, a bank and time do to a subscription, by chance, at Stripe alone."""

    shop: Shop
    chance: random.Random

    async def step(self) -> None:
        living = await self.living()
        if living is None:
            page = await self.shop.page()
            await self.shop.press(page, card=self.chance.choice(["good", "good", "fails_later", "asks", "none"]))
            return
        steps = [self.time, self.time, self.cancel, self.keep, self.card, self.pay, self.bank, self.operator]
        await self.chance.choice(steps)(living)

    async def living(self) -> dict[str, Any] | None:
        customers = await self.shop.listed("customers")
        found = await self.shop.listed("subscriptions", customer=customers[0]["id"]) if customers else []
        return found[0] if found else None

    async def time(self, _: dict[str, Any]) -> None:
        step = timedelta(self.chance.choice([0.1, 1, 3, 7, 16, 31]))
        self.shop.clock.moved += step
        await self.shop.order("clock", seconds=step.total_seconds())

    async def cancel(self, living: dict[str, Any]) -> None:
        on = str(living["items"]["data"][0]["current_period_end"])
        by_date = self.chance.random() < 0.3
        await self.set(living, **({"cancel_at": on} if by_date else {"cancel_at_period_end": "true"}))

    async def keep(self, living: dict[str, Any]) -> None:
        await self.set(living, **({"cancel_at": ""} if living["cancel_at"] else {"cancel_at_period_end": "false"}))

    async def card(self, living: dict[str, Any]) -> None:
        await self.portal(living, "remove" if self.chance.random() < 0.2 else "card")

    async def pay(self, living: dict[str, Any]) -> None:
        for invoice in await self.shop.listed("invoices", subscription=living["id"], status="open"):
            await self.portal(living, f"pay:{invoice['id']}")

    async def bank(self, living: dict[str, Any]) -> None:
        outcome = self.chance.choice(["declined", "asks"])
        await self.shop.order(f"customers/{living['customer']}/next-payment", outcome=outcome, times=2)

    async def operator(self, living: dict[str, Any]) -> None:
        after = self.chance.choice(["canceled", "unpaid", "past_due"])
        await self.shop.order("settings", after_retries=after)
        if self.chance.random() < 0.1:
            await self.shop.standin.delete(f"/stripe/customers/{living['customer']}/")
        elif self.chance.random() < 0.2:
            await self.shop.standin.delete(f"/stripe/v1/subscriptions/{living['id']}", headers=self.shop.key)

    async def portal(self, living: dict[str, Any], do: str) -> None:
        opened = await self.shop.standin.post(
            "/stripe/v1/billing_portal/sessions", data={"customer": living["customer"]}, headers=self.shop.key
        )
        card = self.chance.choice(["good", "fails_later", "asks"])
        await self.shop.standin.post(opened.json()["url"], data={"do": do, "card": card})

    async def set(self, living: dict[str, Any], **said: str) -> None:
        path = f"/stripe/v1/subscriptions/{living['id']}"
        answer = await self.shop.standin.post(path, data=said, headers=self.shop.key)
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_happened_and_however_it_is_told(shop: Shop, seed: int) -> None:
    """200 events of a life, each twice, in any order, with forged ones between and rounds of the worker anywhere."""
    chance = random.Random(seed)
    life = Life(shop, chance)
    await shop.order("delivery", mode="held", seed=seed)
    while len(held := (await shop.standin.get("/stripe/delivery/")).json()["held"]) < 200:
        await life.step()
    ids = [event["id"] for event in held] * 2
    chance.shuffle(ids)
    forged = an_event(customer=await shop.customer())
    while ids:
        count = chance.randint(1, 60)
        portion, ids = ids[:count], ids[count:]
        await shop.order("delivery/release", ids=portion)
        refused(await shop.tell(*signed(forged, ["whsec_of_somebody_else"])), 422, ErrorCode.webhook_forged)
        await shop.told()
    assert {one["status"] for one in (await shop.delivered())["tries"]} == {204}
    kept = await shop.events()
    assert {event.id for event in kept} == {event["id"] for event in held}
    assert all(event.processed_at for event in kept)
    await is_stripes_own(shop)


async def test_an_answer_that_comes_late_does_not_bring_an_older_state_back(shop: Shop) -> None:
    await shop.subscribe()
    await shop.told()
    await shop.order("delivery", mode="lost")
    [living] = await shop.listed("subscriptions")
    subscribing, crossed = shop.services.subscriptions, 0
    for ends in (True, False, True, False):
        # asked before the change, and answered after another one has asked and kept it
        await shop.fail(on="stripe_subscriptions", kind="slow", seconds=0.3)
        before = len(await shop.calls())
        late = asyncio.create_task(subscribing.refresh(shop.user.id))
        async with asyncio.timeout(PATIENCE):
            while len(await shop.calls()) == before:
                await asyncio.sleep(0.005)
        await shop.portal(f"cancel:{living['id']}" if ends else f"keep:{living['id']}")
        await subscribing.refresh(shop.user.id)
        await is_stripes_own(shop)
        crossed += not late.done()
        await late
        await is_stripes_own(shop)
    assert crossed


async def test_what_is_told_before_the_way_back_is_known_there(shop: Shop) -> None:
    page = await shop.page()
    await shop.press(page, card="good")
    assert await shop.told() > 0
    told = await shop.shown()
    assert told["status"] == "trial"
    back = done(await shop.verify(session_of(page)))
    assert {**back, "as_of": None} == {**told, "as_of": None}


async def test_a_lost_message_is_found_by_the_comparison(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    page = await shop.page()
    await shop.told()
    await shop.order("delivery", mode="lost")
    await shop.press(page, card="good")
    assert await shop.told() == 0
    assert (await shop.shown())["status"] == "none"
    assert await shop.services.subscriptions.compare(None, 10) == (None, 1)
    assert f"has not told of a change for user {shop.user.id}" in caplog.text
    assert (await shop.shown())["status"] == "trial"
    assert await shop.services.subscriptions.compare(None, 10) == (None, 0)


async def test_the_comparison_looks_at_everybody_in_portions(shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    """Also behind somebody whom Stripe does not know."""
    await shop.page()
    gone = [await Factory(shop.services.sessions, shop.services.vault).user() for _ in range(3)]
    async with shop.services.sessions.begin() as session:
        session.add_all([SubscriptionRow(user_id=one.id, customer_id=f"cus_{one.id}") for one in gone])
    after, rounds, differed = None, 0, 0
    while rounds == 0 or after:
        after, found = await shop.services.subscriptions.compare(after, 2)
        rounds, differed = rounds + 1, differed + found
    assert (rounds, differed) == (3, 3)
    assert all(f"does not know the customer of user {one.id}" in caplog.text for one in gone)


async def test_while_stripe_is_away_what_it_told_waits(shop: Shop) -> None:
    page = await shop.page()
    await shop.told()
    await shop.fail(on="stripe_subscriptions", kind="status", status=503, times=2)
    await shop.press(page, card="good")
    assert await shop.told() == 0
    waiting = [event for event in await shop.events() if event.processed_at is None]
    assert len(waiting) == 6
    assert {(event.attempts, event.outcome) for event in waiting} == {(1, "billing_unavailable")}
    assert (await shop.shown())["status"] == "none"
    assert await shop.told() == 6
    assert (await shop.shown())["status"] == "trial"


async def test_what_cannot_be_asked_for_lets_others_pass(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.billing.subscriptions._EVENTS", 3)
    other = await Factory(shop.services.sessions, shop.services.vault).user()
    async with shop.services.sessions.begin() as session:
        session.add(SubscriptionRow(user_id=other.id, customer_id="cus_of_another_account"))
    for _ in range(3):
        assert (await shop.tell(*signed(an_event(customer="cus_of_another_account")))).status_code == 204
    page = await shop.page()
    await shop.press(page, card="good")
    for _ in range(4):
        await shop.told()
    assert (await shop.shown())["status"] == "trial"


async def test_nobody_else_tells_anything(shop: Shop) -> None:
    event = an_event()
    now = time.time()
    body, header = signed(event)
    changed = json.dumps({**event, "type": "customer.deleted"}).encode()
    for said, by in (
        signed(event, ["whsec_of_somebody_else"]),
        signed(event, at=now - 3700),
        signed(event, [""]),
        (changed, header),
        (body, header.replace("v1=", "v0=")),
        (body, header.replace("v1=", "v1=\u00e9")),
        (body, "t=,v1="),
        (body, "nonsense"),
        (body, ""),
        (b"", signed(event)[1]),
        # signed, and yet no event
        signed(b""),
        signed(b"[]"),
        signed(b"null"),
        signed(b"\xff"),
        signed({"id": "evt_1"}),
        signed({**event, "data": None}),
        signed({**event, "created": "yesterday"}),
        signed({**event, "created": 1e300}),
        signed({**event, "created": 10**20}),
        signed({**event, "created": -1}),
        signed({**event, "created": True}),
        signed({**event, "id": {"of": "another"}}),
        signed({**event, "id": "evt_\0"}),
        signed({**event, "id": "evt_\ud800"}),
        signed({**event, "id": "evt_" + "x" * 300}),
        signed({**event, "type": ["customer.updated"]}),
        signed({**event, "data": {"object": {"object": "customer", "id": 7}}}),
        signed({**event, "data": {"object": {"customer": "cus_\0"}}}),
        signed(b'{"id": "evt_1", "deep": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        signed(b'{"id": "evt_1", "nan": NaN}'),
    ):
        answer = await shop.standin.post(
            shop.webhooks, content=said, headers=[(b"Stripe-Signature", by.encode("latin-1"))]
        )
        refused(answer, 422, ErrorCode.webhook_forged)
    refused(await shop.standin.post(shop.webhooks, content=body), 422, ErrorCode.webhook_forged)
    refused(await shop.tell(body, header + "," * 2000), 422, ErrorCode.invalid_input)
    assert await shop.events() == []


@pytest.mark.parametrize("secrets", [SECRETS, SECRETS[:1], SECRETS[1:], ("whsec_older", *SECRETS)])
async def test_while_one_secret_replaces_another_both_are_taken(shop: Shop, secrets: Sequence[str]) -> None:
    assert (await shop.tell(*signed(an_event(), secrets))).status_code == 204


async def test_what_nobody_knows_is_kept_and_thanked_for(shop: Shop) -> None:
    await shop.page()
    await shop.told()
    customer = await shop.customer()
    expanded = {"id": "x", "object": "thing", "customer": {"id": customer, "object": "customer"}}
    for event, outcome in (
        (an_event("of.next.year", None), "noted"),
        (an_event("x" * 300, None), "noted"),
        (an_event("customer.updated"), "unknown_customer"),
        (an_event("of.next.year", customer), "synced"),
        (an_event("customer.updated", data={"object": {"id": customer, "object": "customer"}}), "synced"),
        (an_event("invoice.paid", data={"object": expanded}), "synced"),
        (an_event("balance.available", data={"object": {"object": "balance"}}), "noted"),
    ):
        for _ in range(2):
            assert (await shop.tell(*signed(event))).status_code == 204
        assert await shop.told() == 1
        last = (await shop.events())[-1]
        assert (last.id, last.type, last.outcome) == (event["id"], event["type"][:100], outcome)
    assert (await shop.shown())["status"] == "none"


async def test_a_body_over_the_limit_is_not_read(shop: Shop) -> None:
    event = an_event(filling="x" * (MEGABYTE - 400))
    assert (await shop.tell(*signed(event))).status_code == 204
    body, header = signed(an_event(filling="x" * MEGABYTE))
    assert refused(await shop.tell(body, header), 413, ErrorCode.too_large)["params"] == {"limit": 1}

    async def in_pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 65536):
            yield body[start : start + 65536]

    answer = await shop.standin.post(shop.webhooks, content=in_pieces(), headers={"Stripe-Signature": header})
    refused(answer, 413, ErrorCode.too_large)
    assert len(await shop.events()) == 1
