"""How many calls are worked on at once, and who comes next.

All calls of a process share one processor core and twenty connections to the database. Two hundred at once are not
answered sooner than ten at a time, but each of them late, and everything that looks in between, readiness first, waits
behind all of them. So a few are worked on, the others wait their turn by caller: somebody with two hundred calls does
not stand in front of somebody with one."""

import asyncio
import time
import types
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.errors import busy
from core.domain.feeds import FEEDS

AT_ONCE = 12
"""Calls that are worked on: enough to keep the processor busy while some wait for the database."""
EACH = 6
"""Of them at most for one caller, so that another never finds all places taken."""
MOST_WAITING = 400
"""Calls that wait; what comes then is told to come again in some seconds."""
TOLD_AT_ONCE = 4
"""Messages of others' servers that are kept at once, beside the calls: each is one statement, on connections of their
own. Whoever sends one may be anybody, so a flood of them takes no more than this."""
STANDING_STILL = 0.05
"""Seconds for which calls stand still at most while a message is kept."""
_TOLD = "/api/webhooks/"
_ADMITTED = ("/api/", f"{FEEDS}/")
"""What asks the database: the web app's own files are read beside it."""


class Places:
    """Places for calls, given in turn to the callers who wait."""

    def __init__(self, at_once: int = AT_ONCE, each: int = EACH, most_waiting: int = MOST_WAITING) -> None:
        self.free, self.each, self.most_waiting = at_once, each, most_waiting
        self.taken: dict[str, int] = {}
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        """By caller, in the order in which their turn comes."""
        self.number_waiting = 0

    def full(self) -> bool:
        return self.number_waiting >= self.most_waiting

    async def take(self, caller: str) -> None:
        """Waits until it is the caller's turn."""
        if self.free and self.taken.get(caller, 0) < self.each and caller not in self.waiting:
            self._give(caller)
            return
        turn = asyncio.get_running_loop().create_future()
        self.waiting.setdefault(caller, deque()).append(turn)
        self.number_waiting += 1
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self.leave(caller)  # it had just been given
            else:
                self._forget(caller, turn)
            raise

    def leave(self, caller: str) -> None:
        self.free += 1
        if self.taken[caller] == 1:
            del self.taken[caller]
        else:
            self.taken[caller] -= 1
        self._call_next()

    def _give(self, caller: str) -> None:
        self.free -= 1
        self.taken[caller] = self.taken.get(caller, 0) + 1

    def _call_next(self) -> None:
        while self.free:
            caller = next(self._with_a_claim(), None)
            if caller is None:
                return
            turn = self.waiting[caller][0]
            self._forget(caller, turn)
            if caller in self.waiting:  # behind the others, for its next one
                self.waiting[caller] = self.waiting.pop(caller)
            self._give(caller)
            turn.set_result(None)

    def _with_a_claim(self) -> Iterator[str]:
        return (caller for caller in self.waiting if self.taken.get(caller, 0) < self.each)

    def _forget(self, caller: str, turn: asyncio.Future[None]) -> None:
        self.waiting[caller].remove(turn)
        self.number_waiting -= 1
        if not self.waiting[caller]:
            del self.waiting[caller]


class Precedence:
    """Calls that stand still, wherever they next wait, while something else is `first`.

    A call that waits for the database comes on only after all that came back before it have had their turn, a
    millisecond each: beside twelve lists, one statement took longer than twenty statements without them."""

    def __init__(self, longest: float = STANDING_STILL, clock: Callable[[], float] = time.monotonic) -> None:
        self.longest, self.clock = longest, clock
        self._over: asyncio.Event | None = None
        self._not_before = 0.0

    @contextmanager
    def first(self) -> Iterator[None]:
        """For as long as the block takes, but no longer than the `longest`. Not at once again: whoever stood still
        has as much time first, so that no flood of what comes first stops all else."""
        began = self.clock()
        if self._over or began < self._not_before:
            yield
            return
        over = self._over = asyncio.Event()

        def go_on() -> None:
            if not over.is_set():
                over.set()
                self._over, self._not_before = None, 2 * self.clock() - began

        latest = asyncio.get_running_loop().call_later(self.longest, go_on)
        try:
            yield
        finally:
            latest.cancel()
            go_on()

    @types.coroutine
    def giving_way(self, call: Awaitable[None]) -> Generator[Any, Any, None]:
        """The call itself, step by step."""
        steps = call.__await__()
        error: BaseException | None = None
        while True:
            try:
                awaited = steps.send(None) if error is None else steps.throw(error)
            except StopIteration:
                return
            error = None
            try:
                yield awaited
                while self._over:
                    yield from self._over.wait().__await__()
            except BaseException as thrown:  # a cancellation, say, which is the call's to hear of
                error = thrown


_STAY = "postloom.stay"


class Admission:
    """Each call of the API takes a place from its beginning until its answer begins, but not while it waits for the
    caller: for the body, or for whoever reads a long answer slowly; nor while it is `elsewhere`. What others' servers
    tell stands in no queue with what people ask: it is thanked for within milliseconds, or told again for days."""

    def __init__(self, app: ASGIApp, places: Places | None = None) -> None:
        self.app = app
        self.places = places or Places()
        self.told = Places(at_once=TOLD_AT_ONCE, each=TOLD_AT_ONCE)
        self.precedence = Precedence()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].startswith(_ADMITTED):
            await self.app(scope, receive, send)
            return
        told = scope["path"].startswith(_TOLD)
        places = self.told if told else self.places
        if places.full():
            await busy()(scope, receive, send)
            return
        stay = scope[_STAY] = _Stay(places, _caller(scope))
        await stay.begin()

        async def heard() -> Message:
            stay.end()
            try:
                return await receive()
            finally:
                if not stay.answered:
                    await stay.begin()

        async def said(message: Message) -> None:
            stay.answered = True
            stay.end()
            await send(message)

        try:
            if not told:
                await self.precedence.giving_way(self.app(scope, heard, said))
                return
            with ExitStack() as first:

                async def heard_out() -> Message:
                    message = await heard()
                    # only now: nobody stands still for somebody who is slow to speak
                    if message["type"] == "http.request" and not message.get("more_body"):
                        first.enter_context(self.precedence.first())
                    return message

                await self.app(scope, heard_out, said)
        finally:
            stay.end()


class _Stay:
    def __init__(self, places: Places, caller: str) -> None:
        self.places, self.caller = places, caller
        self.here = self.answered = False

    async def begin(self) -> None:
        if not self.here:
            await self.places.take(self.caller)
            self.here = True

    def end(self) -> None:
        if self.here:
            self.here = False
            self.places.leave(self.caller)


@asynccontextmanager
async def elsewhere(scope: Scope) -> AsyncIterator[None]:
    """Gives the call's place to others while it stands in a queue of its own, such as that of the decoder of pictures:
    somebody who uploads twenty pictures goes on to look at pages meanwhile."""
    stay: _Stay | None = scope.get(_STAY)
    if stay is None:  # served without admission
        yield
        return
    stay.end()
    try:
        yield
    finally:
        await stay.begin()


def _caller(scope: Scope) -> str:
    """The token, true or not, else the address: this only decides whose turn it is."""
    for name, value in scope["headers"]:
        if name == b"authorization":
            return str(value[:200], "latin-1")
    client = scope.get("client")
    return client[0] if client else ""
