"""What wakes the loops of a worker."""

import asyncio
import os
import time
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from sqlalchemy import make_url, select, text

from core.ai.tables.transactions import CallOutcome, Transaction
from core.clock import utcnow
from core.container import Services, open_services
from core.database import Listener
from core.settings import Settings
from core.social_accounts.repositories.grants import CHANGED_GRANT
from temporal import background, housekeeping, reconcile, rounds
from temporal.gateway import Gateway
from tests.conftest import Stack
from tests.patience import PATIENCE
from tests.runs.test_retention import add_call
from tests.workflows.support import eventually


async def test_what_is_held_is_looked_at_as_soon_as_a_consent_has_changed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: asyncio.Queue[None] = asyncio.Queue()

    async def look(*_: object) -> int:
        await looked.put(None)
        return 0

    async def only_posts(
        once: rounds.Round, channel: str, of: Services, gateway: Gateway, listener: Listener, *, grace: float
    ) -> None:
        if once is look:
            await rounds.repeat(once, channel, of, gateway, listener, grace=grace)
        await asyncio.Event().wait()

    async def rest(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(reconcile, "sync_posts", look)
    monkeypatch.setattr(background, "repeat", only_posts)
    for name in ("sync_bundled_templates", "sweep_forever"):
        monkeypatch.setattr(housekeeping, name, rest)
    monkeypatch.setattr(background, "repeat_every", rest)
    running = asyncio.create_task(background.run(services, cast(Gateway, None)))
    async with asyncio.timeout(PATIENCE):
        await looked.get()  # at its start, and when it begins to listen
        await looked.get()
        async with services.engine.begin() as connection:  # what a test writes by a session is never committed
            await connection.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANGED_GRANT})
        await looked.get()  # by itself it would be after 15 s
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running


async def test_all_loops_of_a_process_share_one_connection_that_listens(stack: Stack) -> None:
    services = stack.services
    mine = text("SELECT count(*) FROM pg_stat_activity WHERE application_name = :name AND query LIKE 'LISTEN%'")
    running = asyncio.create_task(background.run(services, stack.gateway))

    async def listening() -> int:
        async with services.engine.connect() as connection:
            return await connection.scalar(mine, {"name": rounds.APPLICATION_NAME}) or 0

    try:
        async with asyncio.timeout(PATIENCE):
            while not await listening():
                await asyncio.sleep(0.05)
        await asyncio.sleep(0.5)  # others would be there by now
        assert await listening() == 1
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def test_missing_tables_are_not_called_an_outage(
    postgres: str, settings: Settings, away: Gateway, caplog: pytest.LogCaptureFixture
) -> None:
    """A database that nobody has migrated: an operator waits in vain for it to come back."""
    empty = make_url(postgres).set(database="postgres").render_as_string(hide_password=False)
    unmigrated = settings.model_copy(update={"database_url": empty})
    listener = Listener(empty, rounds.APPLICATION_NAME, [CHANGED_GRANT])
    async with open_services(unmigrated, pool_size=1) as services:
        running = asyncio.create_task(
            rounds.repeat(reconcile.sync_posts, CHANGED_GRANT, services, away, listener, grace=0)
        )
        try:
            async with asyncio.timeout(PATIENCE):
                while "sync_posts" not in caplog.text:
                    await asyncio.sleep(0.05)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
    [logged] = [record for record in caplog.records if "sync_posts" in record.getMessage()]
    assert logged.levelname == "ERROR"
    assert 'migrate it (relation "deliveries" does not exist)' in logged.getMessage()


async def test_loops_that_end_are_logged(
    services: Services, away: Gateway, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: Services) -> None:
        raise ValueError("a defect")

    monkeypatch.setattr(housekeeping, "sweep_forever", fail)
    with pytest.raises(ExceptionGroup):
        async with asyncio.timeout(PATIENCE):
            await background.run(services, away)
    assert "the background loops have ended" in caplog.text


async def test_a_sweep_that_fails_does_not_stop_the_others(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(housekeeping, "_SWEEP", 0.1)
    services, user = stack.services, await stack.make.user()
    long_ago = utcnow() - timedelta(days=2)
    await add_call(services, user, long_ago, key="tryout-x:text:1", outcome=CallOutcome.calling)
    async with services.engine.begin() as connection:
        await connection.execute(
            text(
                "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;"
                "CREATE TRIGGER refuse BEFORE DELETE ON rate_limits EXECUTE FUNCTION refuse()"
            )
        )
    sweeping = asyncio.create_task(housekeeping.sweep_forever(services))
    try:

        async def is_closed() -> bool:
            async with services.sessions() as session:
                return await session.scalar(select(Transaction.outcome)) == CallOutcome.lost

        await eventually(is_closed)
    finally:
        sweeping.cancel()
        async with services.engine.begin() as connection:
            await connection.execute(text("DROP FUNCTION refuse CASCADE"))
    assert any("LimitingService.sweep" in line for line in caplog.messages)


async def test_files_that_a_killed_process_left_unfinished_are_swept(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(housekeeping, "_SWEEP", 0.1)
    folder = Path(urlsplit(services.settings.media_url).path)
    left = folder / "7" / "a.mp4#1"
    left.parent.mkdir(parents=True)
    left.write_bytes(b"half")
    os.utime(left, (time.time() - 2 * 86_400,) * 2)
    sweeping = asyncio.create_task(housekeeping.sweep_forever(services))
    try:

        async def is_gone() -> bool:
            return not left.exists()

        await eventually(is_gone)
    finally:
        sweeping.cancel()
