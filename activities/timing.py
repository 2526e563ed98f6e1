"""When an armed step goes on, and how fast steps that end together say so."""

import asyncio
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta

from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory

_LATELY = 120.0  # seconds


class ServerTime:
    """The server's time by this machine's monotonic clock, never by its wall clock.

    A step hears when the server started it, some time later: of all that were heard of lately the one that took least
    is nearest, and none makes a post early."""

    def __init__(self) -> None:
        self._heard: deque[tuple[float, float]] = deque(maxlen=2000)

    def heard(self, started_at: datetime) -> None:
        """Of a step that begins here."""
        now = time.monotonic()
        while self._heard and self._heard[0][0] < now - _LATELY:
            self._heard.popleft()
        self._heard.append((now, now - started_at.timestamp()))

    async def until(self, moment: datetime) -> None:
        """Armed: wait here. Raises ApplicationError (worker_stopping) when the worker is told to stop."""
        there = moment.timestamp() + min(ahead for _, ahead in self._heard)
        stopping = asyncio.ensure_future(activity.wait_for_worker_shutdown())
        try:
            # again for what is left: the event loop rounds to milliseconds, down as well
            while not stopping.done() and (left := there - time.monotonic()) > 0:
                await asyncio.wait([stopping], timeout=left)
            if stopping.done():
                # nothing was called yet, so another worker may arm it at once
                raise ApplicationError(
                    "worker is stopping", type="worker_stopping", category=ApplicationErrorCategory.BENIGN
                )
        finally:
            stopping.cancel()


class Pace:
    """One after another, so long apart, and none while others go out: what the server and this worker do about an end
    would make those late. It waits `at_most` for them."""

    def __init__(self, apart: timedelta, at_most: timedelta) -> None:
        self._apart, self._at_most, self._next = apart.total_seconds(), at_most.total_seconds(), 0.0
        self._out, self._none_out = 0, asyncio.Event()

    @contextmanager
    def going_out(self) -> Iterator[None]:
        self._out += 1
        self._none_out.clear()
        try:
            yield
        finally:
            self._out -= 1
            if not self._out:
                self._none_out.set()

    async def turn(self) -> None:
        """In the order of asking; at once where nobody was before and nothing goes out."""
        if self._out:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._at_most):
                    await self._none_out.wait()
        now = time.monotonic()
        mine = max(now, self._next)
        self._next = mine + self._apart
        await asyncio.sleep(mine - now)
