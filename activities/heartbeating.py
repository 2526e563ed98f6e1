"""Signs of life of a step that waits for an outside service."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from temporalio import activity

_BEAT = 8.0  # seconds


@asynccontextmanager
async def heartbeating(every: float = _BEAT) -> AsyncIterator[None]:
    """Heartbeats every so many seconds as long as the block lasts: a killed worker is noticed by their absence, not
    only when the whole time of the step is over. A step hears by its next one that it was cancelled."""

    async def beat() -> None:
        while True:
            activity.heartbeat()
            await asyncio.sleep(every)

    beats = asyncio.create_task(beat())
    try:
        yield
    finally:
        beats.cancel()
