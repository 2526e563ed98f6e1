"""Server-sent events that say what kind of data has changed, not how: the browser then fetches it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

from fastapi import Request
from fastapi.responses import StreamingResponse
from fastapi.sse import format_sse_event
from sqlalchemy.exc import SQLAlchemyError

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Token
from api.errors import problems
from api.schemas.live import LiveEventOut
from core.database import APPLICATION, EVENTS, Listener
from core.errors import ErrorCode, Forbidden, Throttled, Unauthenticated
from core.live import LiveKind
from core.metrics import EVENT_STREAMS

router = Router(tags=["live"])

APPLICATION_NAME = f"{APPLICATION} api"
"""The name of an API process's connections to PostgreSQL."""

_EVERYTHING = LiveEventOut(kind=LiveKind.everything, id=None).model_dump_json()
_KEEP_ALIVE = 10.0  # seconds; the browser shows its data as stale after three of them
_ASK_AGAIN = 15.0  # seconds a stream may outlive its session, plus at most one keep-alive

_MOST_STREAMS = 20  # per user and process: one per visible tab
_COME_AGAIN = timedelta(seconds=30)


class EventStream(StreamingResponse):
    media_type = "text/event-stream"


Allowed = Callable[[], Awaitable[bool]]


@dataclass
class Hub:
    """Passes what the process's listening connection hears to the process's streams."""

    database_url: str
    _streams: dict[UUID, set[asyncio.Queue[str]]] = field(default_factory=dict)

    async def run(self) -> None:
        """Run until cancelled. After each new LISTEN, every browser is told to fetch everything: earlier changes were
        missed."""
        listener = Listener(self.database_url, APPLICATION_NAME, [EVENTS])
        listener.add(EVENTS, self._receive)
        await listener.run()

    def _receive(self, payload: str | None) -> None:
        if payload is None:
            self._look_again()
        else:
            self._send(payload)

    def streams_of(self, user_id: UUID) -> int:
        return len(self._streams.get(user_id, ()))

    def _look_again(self) -> None:
        for queues in self._streams.values():
            for queue in queues:
                _offer(queue, _EVERYTHING)

    def _send(self, payload: str) -> None:
        event = json.loads(payload)
        for queue in self._streams.get(UUID(event["user"]), ()):
            # pass unknown kinds on: another release may know more
            _offer(queue, json.dumps({"kind": event["kind"], "id": event["id"]}))

    async def stream(self, user_id: UUID, request: Request, allowed: Allowed) -> AsyncIterator[bytes]:
        """Stream until the browser leaves, or a periodic call of `allowed` returns False."""
        asked = time.monotonic()
        queue: asyncio.Queue[str] = asyncio.Queue(maxsize=100)
        self._streams.setdefault(user_id, set()).add(queue)
        EVENT_STREAMS.inc()
        try:
            yield format_sse_event(retry=2000)
            while not await request.is_disconnected():
                if time.monotonic() - asked >= _ASK_AGAIN:
                    if not await allowed():
                        return  # the browser reconnects, and gets the reason
                    asked = time.monotonic()
                try:
                    async with asyncio.timeout(_KEEP_ALIVE):
                        data = await queue.get()
                except TimeoutError:
                    yield format_sse_event(event="alive", data_str="{}")
                else:
                    yield format_sse_event(event="changed", data_str=data)
        finally:
            EVENT_STREAMS.dec()
            self._streams[user_id].discard(queue)
            if not self._streams[user_id]:
                del self._streams[user_id]


def _offer(queue: asyncio.Queue[str], data: str) -> None:
    if queue.full():  # a slow browser: one "everything" event replaces those it missed
        while not queue.empty():
            queue.get_nowait()
        data = _EVERYTHING
    queue.put_nowait(data)


@router.get(
    "/live/",
    response_class=EventStream,
    responses={
        **problems(ErrorCode.rate_limited),
        200: {"model": LiveEventOut, "description": "Events: `changed` with this content, and `alive` every 10 s"},
    },
)
async def stream_changes(user: CurrentUser, token: Token, services: Core, request: Request) -> EventStream:
    """Stream the user's changes. The stream ends soon after the token does."""
    hub: Hub = request.app.state.hub
    if hub.streams_of(user.id) >= _MOST_STREAMS:
        raise Throttled(retry_after=_COME_AGAIN, seconds=int(_COME_AGAIN.total_seconds()))

    async def allowed() -> bool:
        try:
            await services.identity.authenticate(token)
        except (Unauthenticated, Forbidden):
            return False
        except (SQLAlchemyError, OSError):
            return True  # an unreachable database says nothing about the token
        return True

    return EventStream(
        hub.stream(user.id, request, allowed),
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
