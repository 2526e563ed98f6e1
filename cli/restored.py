"""`postloom restored`: after the database was restored from a backup."""

from collections.abc import Callable

from core.clock import utcnow
from core.container import open_services
from core.installation.restoring import COMMAND, RestoreService
from core.settings import Settings
from temporal.attributes import ensure_namespace
from temporal.client import connect
from temporal.restoring import delete_workflows, read_known_times


async def mark_restored(settings: Settings, *, moved: bool, say: Callable[[str], None]) -> None:
    """Mark what may have been published since the backup, empty the namespace, and let processes start. Idempotent.
    Raise StartRefused if processes run on the database, or something else does not fit.

    `moved`: nothing ran since the backup, so nothing is marked, and workflows stay."""
    async with open_services(settings, pool_size=2, application=COMMAND) as services:
        restoring, checks = RestoreService(services.sessions), services.start_checks
        await checks.check_revision()
        await restoring.ensure_alone()
        await checks.check_secret_key()
        if not moved:
            client = await connect(settings)
            await ensure_namespace(client)
            backup_from = await restoring.backup_time()
            known_times = await read_known_times(client, backup_from, utcnow())
            marked = await restoring.mark(backup_from, known_times)
            say(f"the backup is from {backup_from:%Y-%m-%d %H:%M} UTC or later")
            say(f"{marked.deliveries} deliveries may have been published since: looked up, never sent by themselves")
            say(f"{marked.runs} runs may have published a post that the backup lacks: ended as unknown")
            say(f"{marked.assistants} assistants go on with their next slot")
            removed = await delete_workflows(client, backup_from)
            say(f"{removed} workflows removed from Temporal: the workers make them anew")
        await restoring.allow_starts()
        say("web app and workers may start now")
