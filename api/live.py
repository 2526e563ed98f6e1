"""Server-sent events: that something has changed, never what. The browser then asks for it."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID

import psycopg
from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse

from api.dependencies import CurrentUser
from core.database import EVENTS, listen

logger = logging.getLogger(__name__)
router = APIRouter(tags=["live"])

_EVERYTHING = json.dumps({"kind": "all", "id": None})
_KEEP_ALIVE = 10.0  # seconds; the browser takes the picture for stale after three of them


@dataclass
class Hub:
    """One listening connection per process, fanned out to its streams."""

    database_url: str
    _streams: dict[UUID, set[asyncio.Queue[str]]] = field(default_factory=dict)

    async def run(self) -> None:
        """Until cancelled. Whenever it listens anew, every browser is told to look again: nobody heard what changed
        before."""
        while True:
            listening = False
            with suppress(psycopg.OperationalError, OSError):
                async for payload in listen(self.database_url, EVENTS):
                    if payload is not None:
                        self._send(payload)
                    elif not listening:
                        listening = True
                        self._look_again()
            logger.warning("live: the database is away, trying again")
            await asyncio.sleep(2)

    def _look_again(self) -> None:
        for queues in self._streams.values():
            for queue in queues:
                _offer(queue, _EVERYTHING)

    def _send(self, payload: str) -> None:
        event = json.loads(payload)
        for queue in self._streams.get(UUID(event["user"]), ()):
            _offer(queue, json.dumps({"kind": event["kind"], "id": event["id"]}))

    async def stream(self, user_id: UUID, request: Request) -> AsyncIterator[str]:
        queue: asyncio.Queue[str] = asyncio.Queue(maxsize=100)
        self._streams.setdefault(user_id, set()).add(queue)
        try:
            yield "retry: 2000\n\n"
            while not await request.is_disconnected():
                try:
                    data = await asyncio.wait_for(queue.get(), _KEEP_ALIVE)
                except TimeoutError:
                    yield "event: alive\ndata: {}\n\n"
                else:
                    yield f"event: changed\ndata: {data}\n\n"
        finally:
            self._streams[user_id].discard(queue)
            if not self._streams[user_id]:
                del self._streams[user_id]


def _offer(queue: asyncio.Queue[str], data: str) -> None:
    if queue.full():  # a slow browser: one "look at everything" stands for what it missed
        while not queue.empty():
            queue.get_nowait()
        data = _EVERYTHING
    queue.put_nowait(data)


@router.get(
    "/live/",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "changed {kind, id}; alive every 10 s"}},
)
async def stream_changes(user: CurrentUser, request: Request) -> StreamingResponse:
    """What of the user's has changed, while it changes."""
    hub: Hub = request.app.state.hub
    return StreamingResponse(
        hub.stream(user.id, request),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
