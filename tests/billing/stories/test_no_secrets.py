"""What a payment brings with it is in no log and in no row: no key, no card, nobody's e-mail."""

import json
import time
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import text

from core.errors import DomainError
from sandbox.stripe.objects import CARDS
from sandbox.stripe.webhooks import signature
from tests.api.test_no_secrets import Everything
from tests.billing.stories.shop import KEY, SECRETS, Rewired, Shop, session_of

TABLES = ("subscriptions", "stripe_events", "stripe_prices")
WRONG_KEY = "sk_test_OfSomebodyElse"


async def everything_happens(shop: Shop, rewired: Rewired) -> None:
    """Of a subscription: all calls, all failures of Stripe, and what it tells."""
    for fault in ({"kind": "reset"}, {"kind": "html"}, {"kind": "rate_limited"}, {"kind": "status", "status": 402}):
        await shop.fail(on="stripe", times=2, **fault)
        await shop.post("create_checkout_session")
        await shop.standin.delete("/sandbox/faults")
    await shop.order("settings", keys=[KEY, "sk_live_51Sandbox"])
    for changed in (WRONG_KEY, "sk_live_51Sandbox"):
        async with rewired(stripe_secret_key=SecretStr(changed)) as wrong:
            await wrong.post("create_checkout_session")
    async with rewired() as own:
        page = await own.page()
        for card in ("declined", "fails_later"):
            await own.press(page, card=card)
        await own.verify(session_of(page))
        await own.verify("cs_test_of_nobody")
        for call in ("cancel_subscription", "resume_subscription", "create_checkout_session"):
            await own.post(call)
        await own.pass_time(days=14)
        await own.portal("card", card="asks")
        await own.pass_time(days=40)
        event: dict[str, Any] = (await own.listed("events"))[0]
        body = json.dumps({**event, "data": {"object": {"customer": own.user.email, "card": "4242424242424242"}}})
        for secret in ("whsec_of_somebody_else", SECRETS[0]):
            await own.tell(body.encode(), signature(body.encode(), [secret], int(time.time()) - 4000))
        await own.fail(on="stripe", kind="revoked", times=2)
        with pytest.raises(DomainError):
            await own.services.subscriptions.compare(None, 10)
        await own.standin.delete("/sandbox/faults")
        await own.standin.delete(f"/stripe/customers/{await own.customer()}/")
        await own.told()
        await own.page()


async def test_no_key_no_card_and_no_address_is_written_down(
    shop: Shop,
    rewired: Rewired,
    logs: Everything,
) -> None:
    await everything_happens(shop, rewired)
    secrets = {shop.user.email, KEY, WRONG_KEY, *SECRETS, "whsec_", "4242424242424242", "sk_live_"}
    secrets |= {card.number for card in CARDS.values()} | {card.number.replace(" ", "") for card in CARDS.values()}
    # beginnings and ends by which others say which one it is
    secrets |= {"sk_test_", "cs_test_"}
    lines = [line for line in logs.lines if "'name': 'tests" not in line]
    assert any("billing: " in line for line in lines)
    assert [(one, line) for line in lines for one in secrets if one in line and "httpx2" not in line] == []
    kept: dict[str, str] = {}
    async with shop.services.sessions() as session:
        for table in TABLES:
            rows = await session.execute(text(f"SELECT to_jsonb({table})::text FROM {table}"))
            kept[table] = "\n".join(rows.scalars())
    assert all(kept.values())
    # the newest checkout page is known by its name, which opens nothing without being its customer
    assert [
        (one, table) for table, rows in kept.items() for one in {*secrets, "visa", "card"} - {"cs_test_"} if one in rows
    ] == []
