"""Rate limiting by the generic cell rate algorithm, stored in PostgreSQL for all processes together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from weakref import WeakValueDictionary

from core.crypto import Vault
from core.database import Sessions
from core.errors import Throttled
from core.rate_limits.repository import LimitRepository

_SWEPT_AT_ONCE = 1000  # rows
_SHORTEST_WAIT = timedelta(seconds=1)


@dataclass(frozen=True)
class Limit:
    """`burst` calls at once, after that one each `every`.

    There are `meters` parallel counters, and a call needs a free one: with a burst of one, exactly that many calls are
    allowed in any period of `every`.
    """

    name: str
    burst: int
    every: timedelta
    meters: int = 1

    @property
    def slack(self) -> timedelta:
        return self.every * (self.burst - 1)


Taken = list[tuple[str, timedelta]]


@dataclass(frozen=True)
class LimitingService:
    sessions: Sessions
    vault: Vault
    on: bool
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary, repr=False)

    async def use(self, *counted: tuple[Limit, str]) -> Taken:
        """Count one call of each subject (an address, an account) against its limit: all of them, or none.

        The calls count whatever happens next. Raise Throttled with the time to wait.
        """
        if not self.on:
            return []
        taken: Taken = []
        # lock in a fixed order: otherwise two calls could deadlock
        ordered = sorted(counted, key=lambda pair: (pair[0].name, pair[1]))
        in_order = [(limit, self._keys(limit, subject)) for limit, subject in ordered]
        async with self._one_by_one([keys[0] for _, keys in in_order]), self.sessions.begin() as session:
            rows, now = LimitRepository(session), datetime.now(UTC)
            for limit, keys in in_order:
                for key in keys:
                    if await rows.take(key, now, every=limit.every, slack=limit.slack):
                        taken.append((key, limit.every))
                        break
                else:
                    free_at = await rows.first_free(keys) or now
                    raise _throttled(free_at - limit.slack - now)
        return taken

    @asynccontextmanager
    async def _one_by_one(self, keys: list[str]) -> AsyncIterator[None]:
        """Serialize calls that count in the same row in this process. In PostgreSQL each would wait for the row with a
        connection that others need."""
        async with AsyncExitStack() as held:
            for key in dict.fromkeys(keys):
                await held.enter_async_context(self._locks.setdefault(key, asyncio.Lock()))
            yield

    async def give_back(self, taken: Taken) -> None:
        """Undo the counts of a call that did not do what is limited."""
        if taken:
            async with self.sessions.begin() as session:
                for key, every in taken:
                    await LimitRepository(session).give_back(key, every)

    async def forget(self, *counted: tuple[Limit, str]) -> None:
        """Reset the limits of these subjects."""
        if not self.on:
            return
        keys = [key for limit, subject in counted for key in self._keys(limit, subject)]
        async with self.sessions.begin() as session:
            await LimitRepository(session).forget(keys)

    async def sweep(self) -> int:
        """Delete a batch of expired rows and return its size. Call it periodically."""
        async with self.sessions.begin() as session:
            return await LimitRepository(session).sweep(datetime.now(UTC), most=_SWEPT_AT_ONCE)

    def _keys(self, limit: Limit, subject: str) -> list[str]:
        return [self.vault.keyed_hash(f"limit\0{limit.name}\0{meter}\0{subject}") for meter in range(limit.meters)]


def _throttled(wait: timedelta) -> Throttled:
    wait = max(wait, _SHORTEST_WAIT)
    return Throttled(retry_after=wait, seconds=-(-wait // timedelta(seconds=1)))
