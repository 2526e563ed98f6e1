"""The sandbox's app and servers: one port for all pages and APIs, one for mail."""

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import uvicorn
from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import Response

from sandbox import (
    bluesky,
    board,
    facebook,
    fault_form,
    feeds,
    ghost,
    graph,
    instagram,
    linkedin,
    mail,
    mastodon,
    threads,
    webhook,
    wordpress,
    wordpress_consent,
)
from sandbox.faults import Faults
from sandbox.faulty_app import PREFIXES, CuttableProtocol, FaultyApp
from sandbox.http import Refusal
from sandbox.linkedin_problems import problem
from sandbox.pages import missing_page
from sandbox.state import State
from sandbox.stripe import screens
from sandbox.stripe.standin import StandIn
from sandbox.texts import Text

MAX_BODY = 1100 * 1024 * 1024
"""Videos are streamed to files."""
_LOCAL_HOSTS = ["127.0.0.1", "localhost"]


def create_app(state: State, faults: Faults, stripe: StandIn, hosts: Sequence[str] = ("*",)) -> FaultyApp:
    """Build the app. `hosts`: the host names that it answers to. The outbox shows sign-in links, and a foreign page
    could point its own name at this machine (DNS rebinding)."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None, max_body_size=MAX_BODY)
    for router in (
        linkedin.routes(state),
        graph.routes(state),
        instagram.routes(state),
        facebook.routes(state),
        threads.routes(state),
        mastodon.routes(state),
        bluesky.routes(state),
        wordpress.routes(state),
        ghost.routes(state),
        webhook.routes(state),
        wordpress_consent.routes(state),
        mail.routes(state),
        fault_form.routes(faults),
        feeds.routes(),
        board.routes(state, faults, stripe),
        stripe.api.routes(),
        stripe.routes(),
        screens.routes(stripe),
    ):
        app.include_router(router)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    app.add_exception_handler(Refusal, _answer_refusal)
    app.add_exception_handler(HTTPException, _answer_missing)
    return FaultyApp(app, state, faults)


async def _answer_refusal(_: Request, error: Exception) -> Response:
    return cast(Refusal, error).answer


async def _answer_missing(request: Request, error: Exception) -> Response:
    status = cast(HTTPException, error).status_code
    if request.url.path.startswith(PREFIXES):
        return problem(status)
    return missing_page(Text.of(request), status)


class _Server(uvicorn.Server):
    """Leaves signals to the caller: uvicorn would end the process with the signal it received."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@dataclass(frozen=True)
class Sandbox:
    """A running sandbox."""

    url: str
    smtp_port: int
    state: State
    faults: Faults
    stripe: StandIn


@asynccontextmanager
async def run_sandbox(
    folder: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    smtp_port: int = 0,
    access_log: bool = False,
    stripe_webhooks: str = "",
    stripe_secrets: Sequence[str] = (),
) -> AsyncIterator[Sandbox]:
    """Serve until the block ends; port 0 takes a free port. Raise OSError if a port is taken.

    `stripe_webhooks`: the URL of Stripe's events, signed with each of the secrets.

    Needs asyncio's own event loop: the faults that cut a connection use its socket.
    """
    listening = _listen(host, port)
    try:
        state = State(folder)  # after binding the port, so that a second process fails before it opens the folder
        faults = Faults()
        stripe = StandIn(folder, stripe_webhooks, stripe_secrets)
        smtp = await mail.serve_smtp(host, smtp_port, state, faults)
    except BaseException:
        listening.close()
        raise
    config = uvicorn.Config(
        create_app(state, faults, stripe, _LOCAL_HOSTS if host in _LOCAL_HOSTS else ("*",)),
        http=CuttableProtocol,
        ws="none",
        lifespan="off",
        proxy_headers=False,
        server_header=False,
        log_config=None,
        access_log=access_log,
        timeout_graceful_shutdown=1,
    )
    server = _Server(config)
    stripe.start()
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    ready = asyncio.create_task(server.ready.wait())
    try:
        await asyncio.wait({serving, ready}, return_when=asyncio.FIRST_COMPLETED)
        name = f"[{host}]" if ":" in host else host
        url = f"http://{name}:{listening.getsockname()[1]}"
        yield Sandbox(url, smtp.sockets[0].getsockname()[1], state, faults, stripe)
    finally:
        ready.cancel()
        faults.closing.set()
        smtp.close()
        server.should_exit = True
        await serving
        await stripe.close()
        state.close()


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family, backlog=2048)
    # asyncio sets it only on its own sockets: a response in two pieces would be 40 ms late
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
