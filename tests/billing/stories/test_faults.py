"""What can go wrong between the product, Stripe and a person: each has an end that is told."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx2
import pytest
from pydantic import SecretStr

from api.limits import BILLING
from core.container import Services
from core.errors import ErrorCode, Misconfigured, Unavailable
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.billing.stories.shop import KEY, Rewired, Shop, session_of
from tests.conftest import browsing
from tests.factories import Factory
from tests.patience import PATIENCE

FAULTS: list[tuple[dict[str, Any], int, ErrorCode]] = [
    ({"kind": "reset"}, 503, ErrorCode.billing_unavailable),
    ({"kind": "timeout", "seconds": 5}, 503, ErrorCode.billing_unavailable),
    ({"kind": "status", "status": 500}, 503, ErrorCode.billing_unavailable),
    ({"kind": "status", "status": 409}, 503, ErrorCode.billing_unavailable),
    ({"kind": "rate_limited"}, 503, ErrorCode.billing_unavailable),
    ({"kind": "html"}, 503, ErrorCode.billing_unavailable),
    ({"kind": "truncated", "status": 200}, 503, ErrorCode.billing_unavailable),
    ({"kind": "revoked"}, 502, ErrorCode.billing_misconfigured),
    ({"kind": "status", "status": 403}, 502, ErrorCode.billing_misconfigured),
]


def hasty(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stripe has a tenth of a second for its answer."""
    monkeypatch.setattr("core.billing.stripe._TIMEOUT", 0.1)
    vars(shop.services.subscriptions.stripe).pop("_client")


async def asked(shop: Shop, calls: int) -> None:
    """Until Stripe has been called so often."""
    async with asyncio.timeout(PATIENCE):
        while len(await shop.calls()) < calls:
            await asyncio.sleep(0.01)


def known(shown: dict[str, Any]) -> dict[str, Any]:
    """But for when it was asked for."""
    return {**shown, "as_of": None}


@pytest.mark.parametrize(("fault", "status", "code"), FAULTS, ids=range(len(FAULTS)))
async def test_stripe_is_away_at_each_call(
    shop: Shop, fault: dict[str, Any], status: int, code: ErrorCode, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state stays the last known one, nothing is half done, and the same call works afterwards."""
    hasty(shop, monkeypatch)

    async def fails(on: str, call: Callable[[], Awaitable[httpx2.Response]]) -> None:
        before = await shop.shown()
        # the library asks a second time, and what is left over must not meet anybody else
        await shop.fail(on=on, times=2, **fault)
        refused(await call(), status, code)
        await shop.standin.delete("/sandbox/faults")
        assert known(await shop.shown()) == known(before)

    def post(call: str) -> Callable[[], Awaitable[httpx2.Response]]:
        return lambda: shop.post(call)

    for on in ("stripe_customers", "stripe_checkout"):
        await fails(on, post("create_checkout_session"))
    page = await shop.page()
    await fails("stripe", post("create_checkout_session"))
    assert page == await shop.page()
    assert len(await shop.listed("checkout/sessions")) == 1
    await shop.press(page, card="good")
    for on in ("stripe", "stripe_subscriptions"):
        await fails(on, lambda: shop.verify(session_of(page)))
    assert done(await shop.verify(session_of(page)))["status"] == "trial"
    for call, then in (("cancel_subscription", "canceled_until"), ("resume_subscription", "trial")):
        await fails("stripe_subscriptions", post(call))
        assert done(await shop.post(call))["status"] == then
    await fails("stripe_portal", post("create_portal_session"))
    assert len(await shop.listed("customers")) == 1


async def test_what_stripe_answers_late_keeps_nobody_else_waiting(shop: Shop, away: Gateway, sold: Services) -> None:
    """More calls than threads, and than are worked on at once: other calls are answered, a large body is parsed in a
    thread, and what Stripe tells is kept."""
    await shop.subscribe()
    await shop.told()
    await shop.fail(on="stripe", kind="slow", seconds=2, times=8)
    before = len(await shop.calls())
    async with AsyncExitStack() as others:
        waiting = []
        for _ in range(7):
            other = await Factory(sold.sessions, sold.vault).user()
            api = await others.enter_async_context(browsing(sold, away, other))
            waiting += [asyncio.create_task(api.post("/users/create_checkout_session/")) for _ in range(2)]
        waiting += [asyncio.create_task(shop.verify()) for _ in range(7)]
        await asked(shop, before + 8)
        assert (await shop.shown())["status"] == "trial"
        large = {"name": "Large", "content": "- A\n" + "-- B\n" * 60_000}
        refused(await shop.api.post("/topics/", json=large), 422, ErrorCode.invalid_input)
        [event, *_] = await shop.listed("events")
        await shop.order("delivery/release", ids=[event["id"]])
        assert (await shop.delivered())["tries"][-1]["status"] == 204
        assert not any(call.done() for call in waiting)
        assert {(await call).status_code for call in waiting} == {200}


async def test_several_checkouts_at_once_are_one_page(shop: Shop) -> None:
    pages = await asyncio.gather(*(shop.page() for _ in range(5)))
    assert len(set(pages)) == 1
    assert len(await shop.listed("customers")) == 1
    assert len(await shop.listed("checkout/sessions")) == 1
    # the first one has expired: of the next one all get the same, too
    await shop.pass_time(days=1)
    later = await asyncio.gather(*(shop.page() for _ in range(5)))
    assert len({*later, *pages}) == 2


async def test_who_asks_too_often_is_told_when_to_ask_again(shop: Shop, rewired: Rewired) -> None:
    async with rewired(rate_limits=True) as limited:
        for _ in range(BILLING.burst):
            await limited.services.limiting.use((BILLING, str(shop.user.id)))
        assert 1 <= refused(await limited.verify(), 429, ErrorCode.rate_limited)["params"]["seconds"] <= 3
        refused(await limited.post("create_checkout_session"), 429, ErrorCode.rate_limited)


async def test_many_who_ask_at_once_all_get_an_answer(shop: Shop) -> None:
    begun = await shop.subscribe()
    for answer in await asyncio.gather(*(shop.verify() for _ in range(12))):
        assert known(done(answer)) == known(begun)


async def test_somebody_decides_while_a_second_checkout_is_opened(shop: Shop) -> None:
    """Whenever it happens: nobody has two subscriptions, and no second page on which there could be one."""
    page = await shop.page()
    for skipped in range(3):
        # answers that were true when they were given arrive late
        await shop.fail(on="stripe", kind="slow", seconds=0.05, times=max(skipped, 1))
        await shop.fail(on="stripe", kind="slow", seconds=0.3)
        before = len(await shop.calls())
        second = asyncio.create_task(shop.post("create_checkout_session"))
        await asked(shop, before + 1)
        await shop.press(page, card="good")
        answer = await second
        if answer.status_code == 200:
            assert answer.json()["checkout_url"] == page  # which says that it is done
        else:
            refused(answer, 409, ErrorCode.already_subscribed)
        await shop.standin.delete("/sandbox/faults")
        refused(await shop.post("create_checkout_session"), 409, ErrorCode.already_subscribed)
        [living] = await shop.listed("subscriptions")
        assert [one["status"] for one in await shop.listed("checkout/sessions")].count("open") == 0
        await shop.standin.delete(f"/stripe/v1/subscriptions/{living['id']}", headers=shop.key)
        await shop.told()
        page = await shop.page()


async def test_a_page_that_sells_the_old_price_is_closed(shop: Shop, rewired: Rewired) -> None:
    old = await shop.page()
    await shop.order("prices", id="price_new", unit_amount=3900)
    async with rewired(stripe_price_id="price_new") as changed:
        assert (await changed.shown())["price_cents"] is None  # until it is asked for, nothing is said of it
        await changed.services.subscriptions.keep_price()
        assert (await changed.shown())["price_cents"] == 3900
        new = await changed.page()
        assert new != old
        assert (await shop.press(old, card="good")).status_code == 410
        await shop.press(new, card="good")
        begun = done(await changed.verify(session_of(new)))
        assert (begun["status"], begun["price_cents"]) == ("trial", 3900)
    # whoever has subscribed keeps the price that they agreed to
    async with rewired() as before:
        assert (await before.shown())["price_cents"] == 3900


async def test_an_old_page_on_which_somebody_decides_while_it_is_closed(shop: Shop, rewired: Rewired) -> None:
    old = await shop.page()
    await shop.order("prices", id="price_new", unit_amount=3900)
    async with rewired(stripe_price_id="price_new") as changed:
        # the page and the subscriptions, as they were
        await shop.fail(on="stripe", kind="slow", seconds=0.2, times=2)
        before = len(await shop.calls())
        second = asyncio.create_task(changed.post("create_checkout_session"))
        await asked(shop, before + 2)
        await shop.press(old, card="good")
        refused(await second, 409, ErrorCode.already_subscribed)
        assert (await changed.shown())["status"] == "trial"


@pytest.mark.parametrize(
    "changed",
    [
        {"stripe_price_id": "price_of_somebody_else"},
        {"stripe_secret_key": SecretStr("sk_test_another")},
        {"stripe_secret_key": SecretStr("sk_live_51Sandbox")},
    ],
    ids=["price", "key", "mode"],
)
async def test_a_key_or_a_price_that_is_wrong_is_told_and_changes_nothing(
    shop: Shop, rewired: Rewired, changed: dict[str, Any]
) -> None:
    await shop.order("settings", keys=[KEY, "sk_live_51Sandbox"])
    async with rewired(**changed) as wrong:
        refused(await wrong.post("create_checkout_session"), 502, ErrorCode.billing_misconfigured)
        assert wrong.services.subscriptions.stripe
        with pytest.raises(Misconfigured, match=ErrorCode.billing_misconfigured):
            await wrong.services.subscriptions.stripe.price()
    async with rewired() as right:
        assert (await right.subscribe())["status"] == "trial"  # once it is mended


async def test_a_wrong_key_takes_nothing_from_anybody(shop: Shop) -> None:
    """Stripe knows none of our customers then."""
    begun = await shop.subscribe()
    await shop.told()
    await shop.order(f"customers/{await shop.customer()}/next-payment", outcome="declined")
    await shop.standin.delete("/stripe/state/?all=true")  # as an account of somebody else is
    await shop.order("endpoint", url=shop.webhooks, secrets=["whsec_new"])
    for call in ("create_portal_session", "create_checkout_session", "cancel_subscription", "resume_subscription"):
        refused(await shop.post(call), 502, ErrorCode.billing_misconfigured)
    refused(await shop.verify(), 502, ErrorCode.billing_misconfigured)
    assert known(await shop.shown()) == known(begun)
    assert await shop.services.subscriptions.compare(None, 10) == (None, 1)
    assert known(await shop.shown()) == known(begun)


async def test_what_was_tried_with_a_test_key_is_forgotten_with_the_real_one(shop: Shop, rewired: Rewired) -> None:
    await shop.subscribe()
    await shop.told()
    async with rewired(stripe_secret_key=SecretStr("sk_live_51Sandbox")) as real:
        begun = done(await real.verify())
        assert (begun["status"], begun["trial_days"], begun["can_subscribe"]) == ("none", 14, True)


async def test_a_customer_who_was_deleted_there_is_a_new_one(shop: Shop) -> None:
    await shop.subscribe()
    await shop.told()
    first = await shop.customer()
    await shop.standin.delete(f"/stripe/customers/{first}/")
    await shop.told()
    gone = await shop.shown()
    assert (gone["status"], gone["unlocked"], gone["can_subscribe"]) == ("canceled", False, True)
    refused(await shop.post("create_portal_session"), 409, ErrorCode.not_subscribed)
    gone = await shop.shown()
    assert (gone["status"], gone["has_portal"]) == ("canceled", False)
    again = await shop.subscribe()
    assert (again["status"], again["trial_days_left"], again["has_portal"]) == ("active", None, True)
    assert await shop.customer() != first


@pytest.mark.parametrize("delivery", ["at_once", "lost"])
async def test_a_customer_who_was_deleted_with_the_page_open(shop: Shop, delivery: str) -> None:
    """Nobody is sent to the old page once more, whether Stripe's message arrives or not."""
    old = await shop.page()
    await shop.told()
    await shop.order("delivery", mode=delivery)
    await shop.standin.delete(f"/stripe/customers/{await shop.customer()}/")
    assert await shop.told() == (0 if delivery == "lost" else 1)
    new = await shop.page()
    assert new != old
    await shop.press(new, card="good")
    assert done(await shop.verify(session_of(new)))["status"] == "trial"


async def test_a_customer_who_was_deleted_there_without_a_word(shop: Shop) -> None:
    """What they had is over with their next call, whichever that is, and with the daily comparison."""
    await shop.subscribe()
    await shop.told()
    await shop.order("delivery", mode="lost")
    first = await shop.customer()
    await shop.standin.delete(f"/stripe/customers/{first}/")
    assert await shop.told() == 0
    assert (await shop.shown())["status"] == "trial"  # nobody knows yet
    refused(await shop.post("create_portal_session"), 409, ErrorCode.not_subscribed)
    gone = await shop.shown()
    assert (gone["status"], gone["unlocked"], gone["can_subscribe"], gone["has_portal"]) == (
        "canceled",
        False,
        True,
        False,
    )
    again = await shop.subscribe()
    assert (again["status"], again["trial_days_left"]) == ("active", None)
    second = await shop.customer()
    assert second != first
    await shop.standin.delete(f"/stripe/customers/{second}/")
    refused(await shop.post("cancel_subscription"), 409, ErrorCode.not_subscribed)
    assert (await shop.subscribe())["status"] == "active"
    await shop.standin.delete(f"/stripe/customers/{await shop.customer()}/")
    assert await shop.services.subscriptions.compare(None, 10) == (None, 1)
    assert (await shop.shown())["unlocked"] is False


async def test_it_ends_while_somebody_takes_back_that_it_ends(shop: Shop) -> None:
    await shop.subscribe()
    done(await shop.post("cancel_subscription"))
    await shop.fail(on="stripe_subscriptions", kind="slow", seconds=0.3)
    before = len(await shop.calls())
    late = asyncio.create_task(shop.post("resume_subscription"))
    await asked(shop, before + 1)
    await shop.order("clock", days=15)
    refused(await late, 409, ErrorCode.not_subscribed)
    assert (await shop.shown())["status"] == "canceled"


@pytest.mark.parametrize("minutes", [-10, 10])
async def test_clocks_ten_minutes_apart(shop: Shop, minutes: int) -> None:
    """The product's before or behind Stripe's."""
    shop.clock.ahead = timedelta(minutes=minutes)
    await shop.order("delivery", mode="at_once", skew_seconds=-60 * minutes)
    begun = await shop.subscribe()
    assert (begun["status"], begun["unlocked"], begun["trial_days_left"]) == ("trial", True, 14)
    assert await shop.told() > 0
    assert {one["status"] for one in (await shop.delivered())["tries"]} == {204}
    await shop.pass_time(days=14, minutes=-5)
    last = await shop.shown()
    assert (last["status"], last["unlocked"], last["trial_days_left"]) == ("trial", True, 0 if minutes > 0 else 1)
    await shop.pass_time(minutes=10)
    paid = await shop.shown()
    assert (paid["status"], paid["unlocked"], paid["trial_days_left"]) == ("active", True, None)


async def test_sessions_of_somebody_else_and_of_nobody_prove_nothing(shop: Shop, away: Gateway, sold: Services) -> None:
    page = await shop.page()
    await shop.press(page, card="good")
    other = await Factory(sold.sessions, sold.vault).user()
    async with browsing(sold, away, other) as api:
        stranger = replace(shop, user=other, api=api)
        for _ in range(2):
            refused(await stranger.verify(session_of(page)), 409, ErrorCode.checkout_incomplete)
            assert (await stranger.shown())["status"] == "none"
            await stranger.page()
    before = len(await shop.calls())
    for nobodys in ("", "cs_test_unknown", "../customers", "\0", "a/b", "{CHECKOUT_SESSION_ID}", "ü" * 85):
        refused(await shop.verify(nobodys), 409, ErrorCode.checkout_incomplete)
    assert len(await shop.calls()) == before + 1
    refused(await shop.verify("c" * 256), 422, ErrorCode.invalid_input)
    assert done(await shop.verify(session_of(page)))["status"] == "trial"


@pytest.mark.parametrize(
    ("fault", "pages"), [({"kind": "lost_answer"}, 1), ({"kind": "status", "status": 500, "effect": True}, 2)]
)
async def test_what_is_asked_again_has_the_key_that_its_failure_calls_for(
    shop: Shop, fault: dict[str, Any], pages: int
) -> None:
    """A lost answer is given again under the same key, and what was done is done once. So is an answer that was an
    error, for a day: the next one needs another key."""
    await shop.fail(on="stripe_checkout", times=2, **fault)
    refused(await shop.post("create_checkout_session"), 503, ErrorCode.billing_unavailable)
    page = await shop.page()
    assert len(await shop.listed("checkout/sessions")) == pages
    await shop.press(page, card="good")
    assert done(await shop.verify(session_of(page)))["status"] == "trial"


async def test_whoever_leaves_is_charged_no_more(shop: Shop, rewired: Rewired) -> None:
    await shop.subscribe()
    await shop.told()
    [living] = await shop.listed("subscriptions")
    # nobody is forgotten while they might go on being charged
    await shop.fail(on="stripe_customers", kind="status", status=503, times=2)
    with pytest.raises(Unavailable, match=ErrorCode.billing_unavailable):
        await shop.services.subscriptions.leave(shop.user.id)
    await shop.order("settings", keys=[KEY])
    async with rewired(stripe_secret_key=SecretStr("sk_test_another")) as wrong:
        with pytest.raises(Misconfigured, match=ErrorCode.billing_misconfigured):
            await wrong.services.subscriptions.leave(shop.user.id)
    assert [one["id"] for one in await shop.listed("subscriptions")] == [living["id"]]
    for _ in range(2):
        await shop.services.subscriptions.leave(shop.user.id)
    assert await shop.listed("subscriptions") == []


async def test_whoever_leaves_an_account_that_the_key_does_not_know_is_not_forgotten(shop: Shop) -> None:
    await shop.subscribe()
    await shop.told()
    await shop.standin.delete("/stripe/state/?all=true")  # as an account of somebody else is
    with pytest.raises(Misconfigured, match=ErrorCode.billing_misconfigured):
        await shop.services.subscriptions.leave(shop.user.id)
