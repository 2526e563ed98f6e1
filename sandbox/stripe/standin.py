"""The whole stand-in for Stripe: objects, billing, webhooks, API, and its controls as JSON endpoints."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any

import httpx2
from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.pages import iso
from sandbox.stripe.api import Api
from sandbox.stripe.billing import AFTER_RETRIES, OUTCOMES, Billing
from sandbox.stripe.book import DAY, PRICE, Book, Kind, Thing, public_fields
from sandbox.stripe.problems import StripeError
from sandbox.stripe.webhooks import Delivery, Mode, Webhooks

TICK_SECONDS = 5.0
MAX_DAYS = 3660
PRICE_NAMES = {"id", "unit_amount", "currency", "interval", "interval_count", "active", "name"}


class StandIn:
    """The stand-in. For one event loop only. Raise ValueError for an invalid webhook endpoint."""

    def __init__(self, folder: Path, url: str = "", secrets: Sequence[str] = ()) -> None:
        self.webhooks = Webhooks()
        self.set_endpoint(url, secrets)
        self.book = Book(folder)
        self.billing = Billing(self.book, self.webhooks.send)
        self.api = Api(self.billing)
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self.webhooks.run()), asyncio.create_task(self._tick())]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        for task in self._tasks:
            with suppress(asyncio.CancelledError):
                await task
        self.book.close()

    async def _tick(self) -> None:
        """Apply due changes every few seconds, as real time passes."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            self.billing.catch_up()

    def reset(self, *, everything: bool) -> None:
        self.book.reset(everything=everything)
        self.webhooks.reset()
        self.api.reset()
        self.billing.after_retries = AFTER_RETRIES[0]
        if everything:
            self.webhooks.url, self.webhooks.secrets, self.api.keys = "", (), frozenset()

    # Controls

    def move_clock(self, seconds: float) -> None:
        """Move the clock forward. Raise ValueError if `seconds` is negative or too large."""
        if not 0 <= seconds <= MAX_DAYS * DAY:
            raise ValueError(f"the clock goes forward only, at most {MAX_DAYS} days at a time")
        self.book.move(self.book.offset + seconds)
        self.billing.catch_up()

    def customer(self, name: str) -> Thing:
        """Return a customer by id or e-mail address. Raise StripeError if there is none."""
        found = next(self.book.listed(Kind.customer, lambda one: name in (one["id"], one.get("email"))), None)
        if found is None or "deleted" in found:
            raise StripeError(f"No such customer: '{name}'", status=404, code="resource_missing")
        return found

    def refund_last(self, customer: Thing, amount: int | None = None) -> Thing:
        """Refund the last payment that is not fully refunded. Raise StripeError if there is none."""
        paid = self.book.listed(
            Kind.charge, lambda one: one["customer"] == customer["id"] and one["paid"] and not one["refunded"]
        )
        charge = next(paid, None)
        if charge is None:
            raise StripeError("There is no payment to refund.", status=404)
        return self.billing.refund(charge, amount)

    def next_payment(self, customer: Thing, outcome: str, times: int = 1) -> None:
        if outcome not in OUTCOMES or not 1 <= times <= 100:
            raise ValueError(f"outcome is one of {', '.join(OUTCOMES)}, times 1 to 100")
        customer["_next"] = [*customer["_next"], *([outcome] * times)][:100]
        self.book.save(customer)

    def change_price(self, body: dict[str, Any]) -> Thing:
        """Change the price with the given or default id, or create it. Existing subscriptions keep their price. Raise
        ValueError if it is invalid."""
        if unknown := set(body) - PRICE_NAMES:
            raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
        id_ = str(body.get("id", PRICE))
        price = dict(self.book.things[Kind.price].get(id_) or self.book.things[Kind.price][PRICE])
        price["id"] = id_
        recurring = dict(price["recurring"])
        if "unit_amount" in body:
            price["unit_amount"] = int(body["unit_amount"])
            price["unit_amount_decimal"] = str(price["unit_amount"])
        if "currency" in body:
            price["currency"] = str(body["currency"]).lower()
        if "interval" in body:
            recurring["interval"] = str(body["interval"])
        if "interval_count" in body:
            recurring["interval_count"] = int(body["interval_count"])
        if "active" in body:
            price["active"] = body["active"] is True
        if recurring["interval"] not in ("day", "week", "month", "year") or recurring["interval_count"] < 1:
            raise ValueError("interval is day, week, month or year, interval_count 1 or more")
        if price["unit_amount"] < 1 or not re.fullmatch("[a-z]{3}", price["currency"]):
            raise ValueError("unit_amount is 1 or more, currency three letters")
        price["recurring"] = recurring
        known = id_ in self.book.things[Kind.price]
        self.book.save(price)
        self.billing.events.add("price.updated" if known else "price.created", price)
        if "name" in body:
            product = self.book.things[Kind.product][price["product"]]
            product["name"] = str(body["name"])
            self.book.save(product)
            self.billing.events.add("product.updated", product)
        return price

    def set_endpoint(self, url: str, secrets: Sequence[str]) -> None:
        """Set the webhook endpoint. Raise ValueError if it is invalid or has no secret."""
        try:
            address = httpx2.URL(url)
        except httpx2.InvalidURL as error:
            raise ValueError(f"url: {error}") from error
        if url and (address.scheme not in ("http", "https") or not address.host):
            raise ValueError("url must be a web address")
        if url and not secrets:
            raise ValueError("an endpoint has at least one secret")
        self.webhooks.url, self.webhooks.secrets = url, tuple(secrets)

    def clock(self) -> Thing:
        return {"now": self.book.now, "iso": iso(self.book.now), "offset_seconds": round(self.book.offset)}

    def routes(self) -> APIRouter:
        router = APIRouter(prefix="/stripe")

        @router.get("/clock/")
        async def clock() -> Response:
            self.billing.catch_up()
            return JSONResponse(self.clock())

        @router.post("/clock/")
        @_json_endpoint
        async def move(body: Any) -> Any:
            """Move the clock by `days` or `seconds`, or `to` a time (ISO 8601 with zone, or epoch seconds)."""
            match body:
                case {"days": int() | float() as days}:
                    self.move_clock(days * DAY)
                case {"seconds": int() | float() as seconds}:
                    self.move_clock(seconds)
                case {"to": int() | float() as seconds}:
                    self.move_clock(seconds - self.book.now)
                case {"to": str() as value}:
                    to = datetime.fromisoformat(value)
                    if to.tzinfo is None:
                        raise ValueError("to has no zone")
                    self.move_clock(to.timestamp() - self.book.now)
                case _:
                    raise ValueError("days, seconds or to is missing")
            return self.clock()

        @router.get("/endpoint/")
        async def endpoint() -> Response:
            return JSONResponse({"url": self.webhooks.url, "secrets": len(self.webhooks.secrets)})

        @router.post("/endpoint/")
        @_json_endpoint
        async def listen(body: Any) -> Any:
            self.set_endpoint(str(body["url"]), [str(secret) for secret in body.get("secrets", [])])
            return {"url": self.webhooks.url, "secrets": len(self.webhooks.secrets)}

        @router.get("/delivery/")
        async def delivery() -> Response:
            return JSONResponse(self.webhooks.as_json())

        @router.post("/delivery/")
        @_json_endpoint
        async def deliver(body: Any) -> Any:
            if unknown := set(body) - {"mode", "skew_seconds", "seed"}:
                raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
            seed = body.get("seed")
            self.webhooks.delivery = Delivery(
                Mode(body.get("mode", self.webhooks.delivery.mode)),
                float(body.get("skew_seconds", 0.0)),
                None if seed is None else int(seed),
            )
            return self.webhooks.as_json()

        @router.post("/delivery/release/")
        @_json_endpoint
        async def release(body: Any) -> Any:
            """Send the held events, in their order or `order` (`reversed`, `shuffled`), or the events of `ids`."""
            if not self.webhooks.url:
                raise ValueError("there is no endpoint")
            if "ids" in body:
                events = [self._event(str(id_)) for id_ in body["ids"]]
            else:
                events = self.webhooks.in_order(str(body.get("order", "same")))
            times = int(body.get("times", 1))
            if not 1 <= times <= 10:
                raise ValueError("times is 1 to 10")
            return {"sent": self.webhooks.release(events, times=times)}

        @router.get("/settings/")
        async def settings() -> Response:
            return JSONResponse(self._settings())

        @router.post("/settings/")
        @_json_endpoint
        async def change(body: Any) -> Any:
            if unknown := set(body) - {"after_retries", "keys"}:
                raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
            if body.get("after_retries", AFTER_RETRIES[0]) not in AFTER_RETRIES:
                raise ValueError(f"after_retries is one of {', '.join(AFTER_RETRIES)}")
            self.billing.after_retries = body.get("after_retries", self.billing.after_retries)
            if "keys" in body:
                self.api.keys = frozenset(str(key) for key in body["keys"])
            return self._settings()

        @router.post("/prices/")
        @_json_endpoint
        async def price(body: Any) -> Any:
            return public_fields(self.change_price(body))

        @router.post("/customers/{name}/next-payment/")
        async def next_payment(request: Request, name: str) -> Response:
            async def apply(body: Any) -> Any:
                self.next_payment(self.customer(name), str(body.get("outcome")), int(body.get("times", 1)))
                return {"next": self.customer(name)["_next"]}

            return await _json_endpoint(apply)(request)

        @router.post("/customers/{name}/refund/")
        async def refund(request: Request, name: str) -> Response:
            async def apply(body: Any) -> Any:
                return public_fields(self.refund_last(self.customer(name), body.get("amount")))

            return await _json_endpoint(apply)(request)

        @router.delete("/customers/{name}/")
        async def delete(name: str) -> Response:
            try:
                self.billing.delete_customer(self.customer(name))
            except StripeError as error:
                return JSONResponse({"error": str(error)}, error.status)
            return Response(status_code=204)

        @router.delete("/state/")
        async def reset(everything: Annotated[bool, Query(alias="all")] = False) -> Response:
            self.reset(everything=everything)
            return Response(status_code=204)

        return router

    def _settings(self) -> Thing:
        return {"after_retries": self.billing.after_retries, "keys": len(self.api.keys)}

    def _event(self, id_: str) -> Thing:
        if id_ not in self.book.things[Kind.event]:
            raise ValueError(f"no such event: {id_}")
        return self.book.things[Kind.event][id_]


def _json_endpoint(change: Callable[[Any], Awaitable[Any]]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that calls `change` with the JSON body; an invalid body is answered with 422."""

    async def endpoint(request: Request) -> Response:
        try:
            body = json.loads(await request.body() or b"{}")
            if not isinstance(body, dict):
                raise TypeError("the body must be an object")
            return JSONResponse(await change(body))
        except KeyError as error:
            return JSONResponse({"error": f"missing: {error.args[0]}"}, 422)
        except (TypeError, ValueError, OverflowError) as error:
            return JSONResponse({"error": str(error)}, 422)
        except StripeError as error:
            return JSONResponse({"error": str(error)}, error.status)

    return endpoint
