"""Make a database safe that was restored from a backup: what may have been published since then is not published again.

Between backup and restore, the installation went on: it published posts that the restored rows still call open. So open
deliveries that are due get their fence (`core.deliveries`), and their workflows look them up instead of calling.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from core.articles.repository import AnnouncementRepository
from core.assistants.repository import AssistantRepository
from core.database import Sessions
from core.database_clock import database_now
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.errors import ErrorCode
from core.installation.repository import InstallationRepository
from core.installation.start_checks import StartRefused
from core.posts.repositories.posts import PostRepository
from core.runs.outcomes import end_unpublished
from core.runs.repositories.runs import RunRepository

COMMAND: Final = "postloom command"
"""The name of a command's connections."""

_MARGIN: Final = timedelta(minutes=1)
"""Clocks of nodes may be ahead of the database's by some seconds."""


@dataclass(frozen=True)
class Restored:
    """What was marked: numbers of assistants, of deliveries that may have been published since the backup, and of runs
    that may have been."""

    assistants: int
    deliveries: int
    runs: int


@dataclass(frozen=True)
class RestoreService:
    sessions: Sessions

    async def ensure_alone(self) -> None:
        """Raise StartRefused while web app or workers are connected to the database."""
        async with self.sessions() as session:
            others = await InstallationRepository(session).other_processes(COMMAND)
        if others:
            raise StartRefused(f"DATABASE_URL: {', '.join(others)} uses this database: stop web app and workers first")

    async def backup_time(self) -> datetime:
        """Return a time shortly before the backup: that of its newest row. A repeated restore keeps the time of the
        first, since marking rows makes them newer."""
        async with self.sessions() as session:
            installation = InstallationRepository(session)
            if earlier := await installation.unfinished_restore(await installation.read_identity()):
                return earlier
            newest = await installation.last_change()
            return (newest or await database_now(session)) - _MARGIN

    async def mark(self, backup_from: datetime, known_times: Sequence[tuple[UUID, datetime]]) -> Restored:
        """Mark what may have been published since the backup. Idempotent. `known_times`: the time that posts were given
        after the backup, as far as Temporal knows."""
        async with self.sessions.begin() as session:
            installation = InstallationRepository(session)
            now = await database_now(session)
            await installation.record_restore(await installation.read_identity(), now, backup_from)
            await PostRepository(session).set_known_times(known_times)
            deliveries = await DeliveryRepository(session).fence_due(now, backup_from)
            await AnnouncementRepository(session).fail_open(ErrorCode.restored_from_backup)
            assistants = await AssistantRepository(session).begin_after(now)
            runs = await RunRepository(session).list_due_without_delivery(now)
        for user_id, run_id in runs:
            async with self.sessions.begin() as session:
                await end_unpublished(session, user_id, run_id, ErrorCode.restored_from_backup)
        return Restored(assistants, deliveries, len(runs))

    async def allow_starts(self) -> None:
        """Let processes start on this database."""
        async with self.sessions.begin() as session:
            installation = InstallationRepository(session)
            await installation.record_database(await installation.read_identity())
