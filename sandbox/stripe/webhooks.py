"""Send events to the app as Stripe does: signed, retried until acknowledged, and with delivery faults for tests."""

import asyncio
import hashlib
import hmac
import json
import random
import time
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

import httpx2

from sandbox.stripe.book import Thing, public_fields

PAUSES = (0.3, 1.0, 3.0)
"""Seconds before each retry."""
ANSWER_SECONDS = 10.0
GATHER_SECONDS = 0.5
MAX_HELD = 10_000
MAX_TRIES = 1_000
WRONG_SECRET = "whsec_of_somebody_else"


class Mode(StrEnum):
    at_once = "at_once"
    held = "held"
    twice = "twice"
    shuffled = "shuffled"
    forged = "forged"
    lost = "lost"


@dataclass
class Delivery:
    """How events are sent. `skew_seconds`: how far the signature's timestamp is ahead of real time."""

    mode: Mode = Mode.at_once
    skew_seconds: float = 0.0
    seed: int | None = None


@dataclass(frozen=True)
class Try:
    """One attempt to send an event. `status` None: no response."""

    event: str
    type: str
    number: int
    at: float
    status: int | None
    forged: bool
    error: str | None = None


def signature(body: bytes, secrets: Sequence[str], at: int) -> str:
    """Return the Stripe-Signature header: one `v1` per valid secret."""
    signed = [hmac.new(secret.encode(), b"%d." % at + body, hashlib.sha256).hexdigest() for secret in secrets]
    return ",".join([f"t={at}", *(f"v1={one}" for one in signed)])


class Webhooks:
    """Sends events one by one in order; a retried event does not block the others."""

    def __init__(self) -> None:
        self.url = ""
        self.secrets: tuple[str, ...] = ()
        self.delivery = Delivery()
        self.held: deque[Thing] = deque(maxlen=MAX_HELD)
        self.tries: deque[Try] = deque(maxlen=MAX_TRIES)
        self._queue: asyncio.Queue[tuple[Thing, bool]] = asyncio.Queue()
        self._tasks: set[asyncio.Task[None]] = set()
        self._unfinished = 0

    @property
    def waiting(self) -> int:
        """Number of unfinished deliveries, with retries and a pending shuffle."""
        return self._unfinished

    def reset(self) -> None:
        """Discard held events and return to immediate delivery; keep the endpoint."""
        self.delivery = Delivery()
        self.held.clear()
        self.tries.clear()

    def send(self, event: Thing) -> None:
        """Send or hold the event, as the mode says."""
        if not self.url:
            return
        mode = self.delivery.mode
        if mode is Mode.held:
            self.held.append(event)
        elif mode is Mode.shuffled:
            self.held.append(event)
            if len(self.held) == 1:
                self._unfinished += 1
                self._start(self._shuffle_soon())
        elif mode is not Mode.lost:
            for _ in range(2 if mode is Mode.twice else 1):
                self._queue_event(event, forged=mode is Mode.forged)

    def _queue_event(self, event: Thing, *, forged: bool = False) -> None:
        self._unfinished += 1
        self._queue.put_nowait((event, forged))

    async def _shuffle_soon(self) -> None:
        await asyncio.sleep(GATHER_SECONDS)
        self._unfinished -= 1
        self.release(self.in_order("shuffled"))

    def in_order(self, order: str) -> list[Thing]:
        """Return the held events in their order (`same`), `reversed` or `shuffled`. Raise ValueError for others."""
        events = list(self.held)
        if order == "reversed":
            events.reverse()
        elif order == "shuffled":
            random.Random(self.delivery.seed).shuffle(events)
        elif order != "same":
            raise ValueError("order is same, reversed or shuffled")
        return events

    def release(self, events: Sequence[Thing], *, times: int = 1) -> int:
        """Send the events in this order and remove them from the held ones. Return the number of deliveries."""
        for event in events:
            for _ in range(times):
                self._queue_event(event)
        sent = {event["id"] for event in events}
        held = [event for event in self.held if event["id"] not in sent]
        self.held.clear()
        self.held.extend(held)
        return len(events) * times

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def run(self) -> None:
        """Send queued events until cancelled."""
        try:
            async with httpx2.AsyncClient(timeout=ANSWER_SECONDS, trust_env=False) as http:
                while True:
                    event, forged = await self._queue.get()
                    if await self._send(http, event, 1, forged=forged) or forged:
                        self._unfinished -= 1
                    else:
                        self._start(self._repeat(http, event))
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repeat(self, http: httpx2.AsyncClient, event: Thing) -> None:
        try:
            for number, pause in enumerate(PAUSES, 2):
                await asyncio.sleep(pause)
                if await self._send(http, event, number):
                    return
        finally:
            self._unfinished -= 1

    async def _send(self, http: httpx2.AsyncClient, event: Thing, number: int, *, forged: bool = False) -> bool:
        """Send the event once. Return whether the app answered 2xx."""
        now = time.time()
        body = json.dumps(public_fields(event), indent=2, ensure_ascii=False).encode()
        secrets = (WRONG_SECRET,) if forged else self.secrets
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "Stripe-Signature": signature(body, secrets, int(now + self.delivery.skew_seconds)),
            "User-Agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
        }
        status, error = None, None
        try:
            status = (await http.post(self.url, content=body, headers=headers)).status_code
        except httpx2.HTTPError as failure:
            error = type(failure).__name__
        self.tries.append(Try(event["id"], event["type"], number, now, status, forged, error))
        return status is not None and status < 300

    def as_json(self) -> dict[str, Any]:
        return {
            **asdict(self.delivery),
            "url": self.url,
            "secrets": len(self.secrets),
            "held": [{"id": event["id"], "type": event["type"]} for event in self.held],
            "waiting": self.waiting,
            "tries": [asdict(one) for one in self.tries],
        }
