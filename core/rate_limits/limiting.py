"""How often somebody may call: the generic cell rate algorithm, kept in PostgreSQL for all processes together."""

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

    `meters` such counters stand side by side, and a call needs one that is free: with a burst of one, exactly that
    many calls in any stretch of time as long as `every`.
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
        """Count one call of each subject (an address, an account) against its limit; all of them, or none.

        It lasts, whatever becomes of the call. Raises Throttled with the time of return.
        """
        if not self.on:
            return []
        taken: Taken = []
        # in one order for all: two calls that hold what the other waits for would never end
        wanted = sorted(counted, key=lambda one: (one[0].name, one[1]))
        in_order = [(limit, self._keys(limit, subject)) for limit, subject in wanted]
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
        """Calls that are counted in the same row wait for one another here. In PostgreSQL they would wait for the
        row, each with a connection that others need."""
        async with AsyncExitStack() as held:
            for key in dict.fromkeys(keys):
                await held.enter_async_context(self._locks.setdefault(key, asyncio.Lock()))
            yield

    async def give_back(self, taken: Taken) -> None:
        """The call did not do what is limited, so it does not count."""
        if taken:
            async with self.sessions.begin() as session:
                for key, every in taken:
                    await LimitRepository(session).give_back(key, every)

    async def forget(self, *counted: tuple[Limit, str]) -> None:
        """As if these subjects had never called."""
        if not self.on:
            return
        keys = [key for limit, subject in counted for key in self._keys(limit, subject)]
        async with self.sessions.begin() as session:
            await LimitRepository(session).forget(keys)

    async def sweep(self) -> int:
        """Remove some of the rows whose time is over; call it now and then. Returns how many went."""
        async with self.sessions.begin() as session:
            return await LimitRepository(session).sweep(datetime.now(UTC), most=_SWEPT_AT_ONCE)

    def _keys(self, limit: Limit, subject: str) -> list[str]:
        return [self.vault.keyed_hash(f"limit\0{limit.name}\0{meter}\0{subject}") for meter in range(limit.meters)]


def _throttled(wait: timedelta) -> Throttled:
    wait = max(wait, _SHORTEST_WAIT)
    return Throttled(retry_after=wait, seconds=-(-wait // timedelta(seconds=1)))
