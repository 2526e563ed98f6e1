"""Security events of accounts: rows for the account's owner, log lines for the operator.

Successful actions are recorded in their own transaction and logged after its commit. Refusals are recorded in a
separate transaction, since nothing else of them is saved.
"""

import logging
import time
from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from typing import Any, Final
from uuid import UUID

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncSession

from core.database import Sessions
from core.errors import ErrorCode
from core.ids import new_id
from core.users.repositories.security_events import SecurityEventRepository
from core.users.tables.security_events import SecurityEvent, SecurityEventKind

logger = logging.getLogger(__name__)

KEPT: Final = timedelta(days=180)
_SWEPT_AT_ONCE = 1000  # rows
# a refused script repeats: store one row per this time
_SAME = timedelta(hours=1)
# facts with fixed values; names are the user's and not logged
_LOGGED = frozenset({"reason", "scope", "way"})
_SILENCE = 60.0  # seconds
_MOST_SILENT = 10_000
_silent_until: dict[tuple[str, str | None, str], float] = {}


@dataclass(frozen=True)
class Caller:
    """The caller of the current action, as far as the network shows it."""

    address: IPv4Address | IPv6Address | None = None
    device: str = ""


caller: Final = ContextVar("caller", default=Caller())  # noqa: B039 - it is frozen
"""Set by code that takes calls; empty if the installation itself acts."""


def record(session: AsyncSession, user_id: UUID, kind: SecurityEventKind, **facts: str) -> None:
    """Record an event in this transaction."""
    values = _values(kind, facts)
    session.add(SecurityEvent(user_id=user_id, **values))
    event.listen(session.sync_session, "after_commit", lambda _: _log(user_id, values), once=True)


def record_unseen(session: AsyncSession, user_id: UUID, kind: SecurityEventKind) -> None:
    """Record another person's action, without their address and device, which this user may not see."""
    values = _values(kind, {})
    session.add(SecurityEvent(user_id=user_id, **values | {"address": None, "device": ""}))
    event.listen(session.sync_session, "after_commit", lambda _: _log(user_id, values), once=True)


async def record_refusal(
    sessions: Sessions, user_id: UUID | None, kind: SecurityEventKind, *, repeats: bool = True, **facts: str
) -> None:
    """Record a refusal in its own transaction. `user_id` None: no account, which takes the same time. Without `repeats`
    the same event within an hour is only logged."""
    values = _values(kind, facts)
    async with sessions.begin() as session:
        await SecurityEventRepository(session).add_if_exists(
            user_id or new_id(), values, unless_since=None if repeats else values["at"] - _SAME
        )
    _log(user_id, values)


def log_evasion(code: ErrorCode, path: str) -> None:
    """Log a caller that exceeded a limit, for the operator: once a minute per caller, so that a flood of calls does not
    flood the log."""
    now = caller.get()
    address = str(now.address) if now.address else None
    key, moment = (code.value, address, path), time.monotonic()
    if moment < _silent_until.get(key, 0):
        return
    if len(_silent_until) >= _MOST_SILENT:
        _silent_until.clear()
    _silent_until[key] = moment + _SILENCE
    logger.warning("security: %s", code.value, extra={"security_event": code.value, "address": address, "path": path})


def _values(kind: SecurityEventKind, facts: dict[str, str]) -> dict[str, Any]:
    now = caller.get()
    return {
        "id": new_id(),
        "kind": kind,
        "at": datetime.now(UTC),
        "address": now.address,
        "device": now.device,
        "facts": facts,
    }


def _log(user_id: UUID | None, values: dict[str, Any]) -> None:
    facts = {name: value for name, value in values["facts"].items() if name in _LOGGED}
    about = {
        "security_event": values["kind"].value,
        "user_id": str(user_id) if user_id else None,
        "address": str(values["address"]) if values["address"] else None,
    }
    logger.info("security: %s", values["kind"].value, extra=about | facts)


@dataclass(frozen=True)
class SecurityEventService:
    sessions: Sessions

    async def page(self, user_id: UUID, *, offset: int, limit: int) -> tuple[Sequence[SecurityEvent], int]:
        """Return events, newest first, and their total."""
        async with self.sessions() as session:
            return await SecurityEventRepository(session).page(user_id, offset=offset, limit=limit)

    async def has_proved(self, email: str, network: IPv4Network | IPv6Network) -> bool:
        """Return whether the owner of this e-mail has signed in from this network within the kept time."""
        async with self.sessions() as session:
            return await SecurityEventRepository(session).has_proved(email, network)

    async def sweep(self) -> int:
        """Delete a batch of expired rows and return its size. Call it periodically."""
        async with self.sessions.begin() as session:
            return await SecurityEventRepository(session).sweep(datetime.now(UTC) - KEPT, most=_SWEPT_AT_ONCE)
