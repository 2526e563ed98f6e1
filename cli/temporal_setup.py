"""`postloom temporal-setup`: namespace and search attributes."""

import asyncio
from datetime import timedelta

from cli.services import load_service_environment
from core.installation.start_checks import StartRefused
from core.settings import Settings, read_settings
from temporal.client import connect
from temporal.setup import list_commands, set_up


def set_up_temporal(days: int | None, *, commands: bool) -> int:
    """Make what is missing, or print the commands for it. Return the exit code."""
    load_service_environment()
    settings = read_settings()
    retention = timedelta(days=days) if days else None
    printed = list_commands(settings.temporal_namespace, retention)
    if commands:
        print("\n".join(printed))
        return 0
    try:
        asyncio.run(_set_up(settings, retention))
    except StartRefused as refused:
        print("\n".join([f"✗ {refused}:", *(f"  {command}" for command in printed)]))
        return 1
    return 0


async def _set_up(settings: Settings, retention: timedelta | None) -> None:
    await set_up(await connect(settings), retention, print)
