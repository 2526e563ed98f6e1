"""What wakes the loops of a worker."""

import asyncio
from contextlib import suppress
from typing import cast

import pytest
from sqlalchemy import text

from core.container import Services
from core.social_accounts.repositories.grants import CHANGED_GRANT
from temporal import background, housekeeping, reconcile, rounds
from temporal.gateway import Gateway


async def test_what_is_held_is_looked_at_as_soon_as_a_consent_has_changed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: asyncio.Queue[None] = asyncio.Queue()

    async def look(*_: object) -> int:
        await looked.put(None)
        return 0

    async def only_posts(once: rounds.Round, channel: str, of: Services, gateway: Gateway, *, grace: float) -> None:
        if once is look:
            await rounds.repeat(once, channel, of, gateway, grace=grace)
        await asyncio.Event().wait()

    async def rest(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(reconcile, "sync_posts", look)
    monkeypatch.setattr(background, "repeat", only_posts)
    for name in ("sync_bundled_templates", "sweep_forever"):
        monkeypatch.setattr(housekeeping, name, rest)
    monkeypatch.setattr(background, "repeat_every", rest)
    running = asyncio.create_task(background.run(services, cast(Gateway, None)))
    async with asyncio.timeout(10):
        await looked.get()  # when it begins to listen
        async with services.engine.begin() as connection:  # what a test writes by a session is never committed
            await connection.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANGED_GRANT})
        await looked.get()  # by itself it would be after 15 s
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
