"""The remaining calls that networks report per token, stored for all processes."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from core.crypto import Vault
from core.database import Sessions
from core.errors import RetrySafe
from core.networks.base import EstimatedDelay, Used
from core.networks.repository import NetworkUsageRepository

logger = logging.getLogger(__name__)

_ROWS_PER_SWEEP: Final = 1000


@dataclass(frozen=True)
class ReportedUsage:
    """What a network reported about the token with this key."""

    key: str
    used: Used | None


_deferred: ContextVar[list[ReportedUsage] | None] = ContextVar("deferred", default=None)


@contextmanager
def defer_usage() -> Iterator[list[ReportedUsage]]:
    """Collect usage reported inside the block instead of writing it. The caller writes it (`note_usage`) with its own
    next write: a delivery has no transaction for usage alone."""
    reported: list[ReportedUsage] = []
    token = _deferred.set(reported)
    try:
        yield reported
    finally:
        _deferred.reset(token)


async def note_usage(session: AsyncSession, reported: Sequence[ReportedUsage]) -> None:
    """Write the usage in the order of the keys, so that transactions do not deadlock. Call this last among everything
    that locks rows in a transaction."""
    usage = NetworkUsageRepository(session)
    for key, used in sorted({one.key: one.used for one in reported}.items(), key=lambda one: one[0]):
        if used is None:
            await usage.forget(key)
        else:
            await usage.keep(key, used.percent, used.lasts, is_guess=isinstance(used.lasts, EstimatedDelay))


@dataclass(frozen=True)
class NetworkUsageService:
    sessions: Sessions
    reading: Sessions
    vault: Vault

    async def read(self, token: str) -> Used | None:
        try:
            async with self.reading() as session:
                found = await NetworkUsageRepository(session).read(self._key(token))
        except (SQLAlchemyError, OSError) as error:
            raise RetrySafe(detail="the database is unavailable") from error
        if found is None:
            return None
        percent, lasts, is_guess = found
        return Used(percent, EstimatedDelay.of(lasts) if is_guess else lasts)

    async def keep(self, token: str, used: Used | None) -> None:
        reported = ReportedUsage(self._key(token), used)
        if (later := _deferred.get()) is not None:
            later.append(reported)
            return
        try:
            async with self.sessions.begin() as session:
                await note_usage(session, [reported])
        except (SQLAlchemyError, OSError) as error:
            logger.warning("the usage that a network reported is not kept (%s)", type(error).__name__)

    async def sweep(self) -> None:
        """Delete expired usage. Call it periodically."""
        async with self.sessions.begin() as session:
            await NetworkUsageRepository(session).sweep(limit=_ROWS_PER_SWEEP)

    def _key(self, token: str) -> str:
        return self.vault.keyed_hash(f"usage\0{token}")
