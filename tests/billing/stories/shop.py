"""Somebody who subscribes, and everybody who has a part in it: the product, its worker, and Stripe's stand-in."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx2
from sqlalchemy import select

from core.billing.tables import StripeEvent, SubscriptionRow
from core.container import Services
from core.users.tables.users import User
from tests.api.conftest import done
from tests.patience import PATIENCE

KEY = "sk_test_51Sandbox"
SECRETS = ("whsec_new", "whsec_old")
PAGE = "http://postloom.test/subscription"


@dataclass
class Clock:
    """What time it is for the product. `ahead`: of Stripe's clock."""

    moved: timedelta = timedelta(0)
    ahead: timedelta = timedelta(0)

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.moved + self.ahead


@dataclass(frozen=True)
class Shop:
    services: Services
    """The subscription is switched on."""
    user: User
    api: httpx2.AsyncClient
    """Signed in as the user."""
    standin: httpx2.AsyncClient
    webhooks: str
    """Where the product takes what Stripe tells."""
    clock: Clock = field(default_factory=Clock)

    # what a person does

    async def shown(self) -> dict[str, Any]:
        found: dict[str, Any] = done(await self.api.get("/users/subscription/"))
        return found

    async def post(self, call: str) -> httpx2.Response:
        return await self.api.post(f"/users/{call}/")

    async def verify(self, session_id: str | None = None) -> httpx2.Response:
        params = {} if session_id is None else {"session_id": session_id}
        return await self.api.get("/users/verify-subscription/", params=params)

    async def page(self) -> str:
        """Of the checkout: its address."""
        return str(done(await self.post("create_checkout_session"))["checkout_url"])

    async def press(self, page: str, **form: str) -> httpx2.Response:
        return await self.standin.post(page, data=form)

    async def subscribe(self, card: str = "good") -> dict[str, Any]:
        """What is shown on the way back from the checkout."""
        page = await self.page()
        back = (await self.press(page, card=card)).headers["location"]
        assert back == f"{PAGE}?checkout=success&session_id={session_of(page)}"
        found: dict[str, Any] = done(await self.verify(session_of(page)))
        return found

    async def portal(self, do: str, **form: str) -> httpx2.Response:
        url = done(await self.post("create_portal_session"))["portal_url"]
        return await self.standin.post(url, data={"do": do, **form})

    # what Stripe and time do

    async def order(self, path: str, **said: Any) -> dict[str, Any]:
        answer = await self.standin.post(f"/stripe/{path}/", json=said)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def fail(self, **fault: Any) -> None:
        answer = await self.standin.post("/sandbox/faults", json=fault)
        assert answer.status_code == 201, answer.text

    async def pass_time(self, days: float = 0, **more: float) -> None:
        """For everybody; the product hears of what it brings."""
        step = timedelta(days, **more)
        self.clock.moved += step
        await self.order("clock", seconds=step.total_seconds())
        await self.told()

    @property
    def key(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {KEY}"}

    async def delivered(self) -> dict[str, Any]:
        async with asyncio.timeout(PATIENCE):
            while (found := (await self.standin.get("/stripe/delivery/")).json())["waiting"]:
                await asyncio.sleep(0.02)
        told: dict[str, Any] = found
        return told

    async def told(self) -> int:
        """All that is on its way arrives, and the worker has done its round: over how many events."""
        await self.delivered()
        return await self.services.subscriptions.process_events()

    async def asked(self, path: str, **params: str) -> dict[str, Any]:
        """Of Stripe's API, without the product."""
        answer = await self.standin.get(f"/stripe/v1/{path}", params=params, headers=self.key)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def set_at_stripe(self, id_: str, **said: Any) -> None:
        """Of a subscription, by hand."""
        answer = await self.standin.post(f"/stripe/v1/subscriptions/{id_}", data=said, headers=self.key)
        assert answer.status_code == 200, answer.text
        await self.told()

    async def listed(self, kind: str, **params: str) -> list[dict[str, Any]]:
        """Newest first."""
        found: list[dict[str, Any]] = (await self.asked(kind, limit="100", **params))["data"]
        return found

    async def tell(self, body: bytes, header: str) -> httpx2.Response:
        """A message to the product, from whomever it is."""
        headers = {"Content-Type": "application/json", "Stripe-Signature": header}
        return await self.standin.post(self.webhooks, content=body, headers=headers)

    async def kept(self) -> SubscriptionRow:
        async with self.services.sessions() as session:
            found = await session.get(SubscriptionRow, self.user.id)
        assert found
        return found

    async def events(self) -> list[StripeEvent]:
        """That the product has kept, as they came in."""
        async with self.services.sessions() as session:
            return list(await session.scalars(select(StripeEvent).order_by(StripeEvent.received_at)))

    async def customer(self) -> str:
        """The newest one."""
        return str((await self.listed("customers"))[0]["id"])

    async def calls(self) -> list[str]:
        """Of Stripe's API, as they came in."""
        found = (await self.standin.get("/sandbox/requests")).json()
        return [f"{one['method']} {one['path']}" for one in found if one["path"].startswith("/stripe/v1/")]


def session_of(page: str) -> str:
    return page.rpartition("/")[2]


def days_from(moment: str | None, days: float) -> str:
    """As the API writes it."""
    assert moment is not None
    return written(datetime.fromisoformat(moment) + timedelta(days))


def written(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def of(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


Rewired = Callable[..., AbstractAsyncContextManager[Shop]]
"""Settings by their names."""
