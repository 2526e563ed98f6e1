"""The web application: API under /api, the built web app everywhere else."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.routing import APIRoute
from starlette.types import ASGIApp

from api import describing, docs, errors, web_app
from api.callers import RequestIdMiddleware, UntrustedProxyWarning
from api.live import Hub
from api.middleware import Heads, SafeHeaders
from api.routes import ROUTERS, feeds
from api.routes.health import probes
from api.schemas.problems import Problem
from core.container import Services, open_services
from core.errors import ErrorCode
from core.observability import configure_logs
from core.settings import Settings, load_environment, read_settings
from temporal.client import connect
from temporal.gateway import Gateway


class Application(FastAPI):
    """FastAPI with headers and request ids around every answer, those to unexpected errors too, and with an OpenAPI
    document that says who may call what."""

    public_url = ""
    hsts_subdomains = False

    def build_middleware_stack(self) -> ASGIApp:
        return RequestIdMiddleware(
            SafeHeaders(super().build_middleware_stack(), self.public_url, hsts_subdomains=self.hsts_subdomains)
        )

    def openapi(self) -> dict[str, Any]:
        if not self.openapi_schema:
            describing.complete(super().openapi(), self.routes)
        return super().openapi()


def operation_id(route: APIRoute) -> str:
    """The function's name: it becomes the name in the generated client."""
    return route.name


def bare_app() -> Application:
    """Routes and errors without anything that has to be connected: what the OpenAPI document is made of."""
    app = Application(
        title="Postloom",
        version="1",
        description="Assistants that plan, write, illustrate and publish social media posts.",
        docs_url=None,  # Swagger's page is made of scripts from elsewhere: see docs.py
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,  # an address is right or it is not there
        generate_unique_id_function=operation_id,
        responses={422: {"model": Problem, "description": ErrorCode.invalid_input.value}},
    )
    errors.install(app)
    for router in ROUTERS:  # not through a router of their own: each call would be compared on one more level
        app.include_router(router, prefix="/api")
    app.include_router(probes)
    app.include_router(docs.router)
    app.include_router(feeds.router)
    return app


def create_app() -> FastAPI:
    """For `api/server.py`. Raises WrongSetting."""
    load_environment()
    settings = read_settings()
    configure_logs(settings.log_format)
    return connected_app(settings)


def connected_app(settings: Settings, services: Services | None = None, gateway: Gateway | None = None) -> FastAPI:
    """`services` and `gateway` given: somebody else opened them and closes them."""
    app = bare_app()
    app.public_url, app.hsts_subdomains = settings.public_url, settings.hsts_subdomains
    # the fastest level: a large tree becomes a seventh of its size in 15 ms. Pictures and event streams go as they
    # are, and the web app's files as the build packed them
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=1)
    # the web app itself is of the same origin; nobody else's page may call
    app.add_middleware(
        CORSMiddleware,
        allow_origins=[settings.public_url],
        allow_methods=["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
        allow_headers=["Authorization", "Content-Type"],
        expose_headers=["Retry-After"],
    )

    app.add_middleware(Heads)
    if settings.environment == "production" and not settings.trusted_proxies:
        app.add_middleware(UntrustedProxyWarning)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        app.state.gateway = gateway or Gateway(await connect(settings, lazy=True), settings)
        if services is not None:
            app.state.services = services
            yield
            return
        async with open_services(settings) as opened:
            app.state.services = opened
            app.state.hub = Hub(str(settings.database_url))
            listening = asyncio.create_task(app.state.hub.run())
            try:
                yield
            finally:
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)

    app.router.lifespan_context = lifespan
    web_app.serve(app)
    return app
