"""When an armed activity continues, and how fast activities complete that end together."""

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
    """The server's time, by this machine's monotonic clock and never by its wall clock.

    An activity learns its start time from the server with some delay. Of recent samples the one with the least delay is
    used, so no post is early.
    """

    def __init__(self) -> None:
        self._samples: deque[tuple[float, float]] = deque(maxlen=2000)

    def add_sample(self, started_at: datetime) -> None:
        """Add the start time of an activity that begins here."""
        now = time.monotonic()
        while self._samples and self._samples[0][0] < now - _LATELY:
            self._samples.popleft()
        self._samples.append((now, now - started_at.timestamp()))

    async def wait_until(self, moment: datetime) -> None:
        """Wait until the moment. Raises ApplicationError (worker_stopping) when the worker is stopping."""
        target = moment.timestamp() + min(ahead for _, ahead in self._samples)
        stopping = asyncio.ensure_future(activity.wait_for_worker_shutdown())
        try:
            # repeat for the rest: the event loop rounds to milliseconds, also down
            while not stopping.done() and (left := target - time.monotonic()) > 0:
                await asyncio.wait([stopping], timeout=left)
            if stopping.done():
                # nothing was called yet, so another worker may arm it at once
                raise ApplicationError(
                    "the worker is stopping", type="worker_stopping", category=ApplicationErrorCategory.BENIGN
                )
        finally:
            stopping.cancel()


class Pace:
    """Completes activities one by one, `apart` from each other, and waits (`at_most`) while others publish: the work of
    server and worker for completions would make those late."""

    def __init__(self, apart: timedelta, at_most: timedelta) -> None:
        self._apart, self._at_most, self._next = apart.total_seconds(), at_most.total_seconds(), 0.0
        self._out, self._none_out = 0, asyncio.Event()

    @contextmanager
    def publishing(self) -> Iterator[None]:
        self._out += 1
        self._none_out.clear()
        try:
            yield
        finally:
            self._out -= 1
            if not self._out:
                self._none_out.set()

    async def wait_for_turn(self) -> None:
        """Wait for the turn, first come first served; returns at once if nobody waits or publishes."""
        if self._out:
            with suppress(TimeoutError):
                async with asyncio.timeout(self._at_most):
                    await self._none_out.wait()
        now = time.monotonic()
        mine = max(now, self._next)
        self._next = mine + self._apart
        await asyncio.sleep(mine - now)
