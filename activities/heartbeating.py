"""Heartbeats of activities that wait for an outside service."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from temporalio import activity

_BEAT = 8.0  # seconds


@asynccontextmanager
async def heartbeating(every: float = _BEAT) -> AsyncIterator[None]:
    """Send a heartbeat every `every` seconds while the block runs, so that a killed worker is noticed before the
    activity's time-out. An activity learns of its cancellation by the next heartbeat."""

    async def beat() -> None:
        while True:
            activity.heartbeat()
            await asyncio.sleep(every)

    beats = asyncio.create_task(beat())
    try:
        yield
    finally:
        beats.cancel()
