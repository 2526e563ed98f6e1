"""Time limits for clients that begin a request and do not continue.

uvicorn closes a connection that is idle after an answer, but keeps one that never sends a whole request forever. Each
counts against `limit_concurrency`: 800 of them, from one machine, lock everybody else out (decision 110).
"""

from asyncio import BaseTransport, TimerHandle, Transport, get_running_loop
from typing import cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle


class TimedFlow(FlowControl):
    """Counts the time in which the server does not read."""

    _paused_at = 0.0
    _paused_seconds = 0.0

    def pause_reading(self) -> None:
        if not self.read_paused:
            self._paused_at = get_running_loop().time()
        super().pause_reading()

    def resume_reading(self) -> None:
        if self.read_paused:
            self._paused_seconds += get_running_loop().time() - self._paused_at
        super().resume_reading()

    def reading_time(self) -> float:
        """Return a clock that stands still while the server does not read."""
        now = self._paused_at if self.read_paused else get_running_loop().time()
        return now - self._paused_seconds


class SlowClientProtocol(HttpToolsProtocol):
    """Closes a connection whose head takes too long, or whose body pauses or takes too long. Time in which the server
    does not read does not count."""

    head_seconds = 15.0
    pause_seconds = 30.0
    body_seconds = 600.0
    """For 20 MB, the largest image: 270 kbit/s."""
    least_pace = 125_000.0
    """Bytes per second, 1 Mbit/s: a body that comes faster, such as a long video, may take longer than that."""

    _answering: RequestResponseCycle | None = None
    _timer: TimerHandle | None = None
    _body_ends = 0.0
    """By the clock of `TimedFlow`."""

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast(Transport, transport))
        self.flow: TimedFlow = TimedFlow(cast(Transport, transport))
        self._wait(self.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        # with pipelined requests uvicorn notifies only the latest; the answer to an earlier one would be written to a
        # closed connection
        if self._answering is not None and not self._answering.response_complete:
            self._answering.disconnected = True
            self._answering.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait(self.head_seconds)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._body_ends = self.flow.reading_time() + self.body_seconds
        self._wait(self.pause_seconds)

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        # what comes after the answer is dropped: it gains no time
        if self.cycle is not None and not self.cycle.response_complete:
            self._body_ends += len(body) / self.least_pace
        self._wait(min(self.pause_seconds, self._body_ends - self.flow.reading_time()))

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._wait(None)

    def _wait(self, seconds: float | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        if self.flow.read_paused:
            self._wait(self.pause_seconds)
        else:
            self.transport.close()
