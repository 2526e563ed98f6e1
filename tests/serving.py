"""The app behind a real server, in the test's own process."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from fastapi import FastAPI


class _Server(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield  # the test's process keeps its signals


@asynccontextmanager
async def serve(app: FastAPI, *, access_log: bool = False, opens: bool = True) -> AsyncIterator[str]:
    """Serve the app and yield its address. `opens`: the app opens its own services instead of getting the test's."""
    listening = socket.create_server(("127.0.0.1", 0))
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    server = _Server(
        uvicorn.Config(
            app,
            log_config=None,
            access_log=access_log,
            ws="none",
            timeout_graceful_shutdown=1,
            lifespan="auto" if opens else "off",
        )
    )
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started:
        assert not serving.done()
        await asyncio.sleep(0.02)
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    await serving
