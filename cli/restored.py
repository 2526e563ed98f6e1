"""`postloom restored`: after the database was restored from a backup."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from temporalio.client import Client
from temporalio.service import RPCError

from core.clock import utcnow
from core.container import open_services
from core.installation.restoring import COMMAND, RestoreService
from core.installation.start_checks import StartRefused
from core.settings import Settings
from temporal.attributes import ensure_namespace
from temporal.client import connect
from temporal.restoring import delete_workflows, read_known_times

Say = Callable[[str], None]


@asynccontextmanager
async def _open_restoring(settings: Settings, *, alone: bool) -> AsyncIterator[RestoreService]:
    """Raise StartRefused if processes run on the database (`alone`), or something else does not fit."""
    async with open_services(settings, pool_size=2, application=COMMAND) as services:
        restoring = RestoreService(services.sessions)
        await services.start_checks.check_revision()
        if alone:
            await restoring.ensure_alone()
        await services.start_checks.check_secret_key()
        yield restoring


async def mark_restored(settings: Settings, say: Say, *, temporal: bool) -> None:
    """Mark what may have been published since the backup, delete the workflows, and let processes start. Idempotent.
    Raise StartRefused, or RPCError if Temporal ends meanwhile. `temporal`: whether it is asked."""
    async with _open_restoring(settings, alone=True) as restoring:
        client = await _connect(settings) if temporal else None
        backup_from = await restoring.backup_time()
        known_times = await read_known_times(client, backup_from, utcnow()) if client else ()
        marked = await restoring.mark(backup_from, known_times)
        say(f"the backup is from {backup_from:%Y-%m-%d %H:%M} UTC or later")
        say(f"{marked.deliveries} deliveries may have been published since: looked up, never sent by themselves")
        say(f"{marked.runs} runs may have published a post that the backup lacks: ended as unknown")
        say(f"{marked.assistants} assistants go on with their next slot")
        if client:
            say(f"removing workflows: namespace {client.namespace}, {client.service_client.config.target_host}")
            removed = await delete_workflows(client, backup_from)
            say(f"{removed} workflows removed from Temporal: the workers make them anew")
        await restoring.allow_starts()
        say("web app and workers may start now")


async def _connect(settings: Settings) -> Client:
    """Raise StartRefused."""
    try:
        client = await connect(settings)
        await ensure_namespace(client)
    except (RPCError, RuntimeError) as error:
        raise StartRefused(
            "TEMPORAL_ADDRESS: Temporal does not answer: start it, or, if its data is lost, add --temporal-lost"
        ) from error
    return client


async def mark_moved(settings: Settings, say: Say) -> None:
    """Let processes start on a copy of a database after which nothing ran. Raise StartRefused. After an upgrade of the
    server, processes of before it may have connected again: they are right."""
    async with _open_restoring(settings, alone=False) as restoring:
        await restoring.allow_starts()
        say("web app and workers may start now")
