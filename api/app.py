"""The web application: API under /api, the built web app everywhere else."""

import asyncio
import logging
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from fastapi.middleware.gzip import GZipMiddleware
from fastapi.routing import APIRoute
from sqlalchemy.exc import SQLAlchemyError
from starlette.types import ASGIApp
from uvicorn.config import STARTUP_FAILURE

from api import describing, docs, errors, web_app
from api.callers import RequestIdMiddleware, UntrustedProxyWarning
from api.live import APPLICATION_NAME, Hub
from api.middleware import Heads, SafeHeaders
from api.request_log import RequestLog
from api.routes import ROUTERS, site_feeds
from api.routes.health import probes
from api.schemas.problems import Problem
from core.container import Services, open_services
from core.database import log_failure
from core.errors import ErrorCode
from core.media.folders import remove_left_folders
from core.monitoring.figures import FiguresService
from core.monitoring.serving import serve_metrics
from core.observability import configure_logs
from core.settings import Settings, load_environment, read_settings
from core.tracing import close_tracing, open_tracing
from temporal.client import connect
from temporal.gateway import Gateway
from temporal.runtime import open_runtime

logger = logging.getLogger(__name__)


class Application(FastAPI):
    """FastAPI with headers, request ids and a log line for every answer, including unexpected errors, and with
    authentication and refusals in the OpenAPI document."""

    public_url = ""
    hsts_subdomains = False

    def build_middleware_stack(self) -> ASGIApp:
        inner = SafeHeaders(super().build_middleware_stack(), self.public_url, hsts_subdomains=self.hsts_subdomains)
        return RequestIdMiddleware(RequestLog(inner))

    def openapi(self) -> dict[str, Any]:
        if not self.openapi_schema:
            describing.complete(super().openapi(), self.routes)
        return super().openapi()


def operation_id(route: APIRoute) -> str:
    """Return the function's name, which becomes the name in the generated client."""
    return route.name


def bare_app() -> Application:
    """Return the app with routes and errors but without connections, for the OpenAPI document."""
    app = Application(
        title="Postloom",
        version="1",
        description="Assistants that plan, write, illustrate and publish social media posts.",
        docs_url=None,  # Swagger's page loads external scripts: see docs.py
        redoc_url=None,
        openapi_url="/api/openapi.json",
        redirect_slashes=False,  # an address matches exactly or not at all
        generate_unique_id_function=operation_id,
        # spans of requests alone, and only where core/tracing.py has set a provider
        telemetry={"auto_configure": False, "metrics": False, "logs": False, "operation_spans": False},
        responses={422: {"model": Problem, "description": ErrorCode.invalid_input.value}},
    )
    errors.install(app)
    for router in ROUTERS:  # no common parent router, which would add a matching level to each call
        app.include_router(router, prefix="/api")
    app.include_router(probes)
    app.include_router(docs.router)
    app.include_router(site_feeds.router)
    return app


def create_app() -> FastAPI:
    """Return the app for `api/server.py`. If that fails, log it and exit with uvicorn's code for it: after any other
    code uvicorn starts one of several processes again and again."""
    load_environment()
    settings = read_settings()
    configure_logs(settings.log_format)
    try:
        open_tracing("api")
        return connected_app(settings, pages=open_runtime(settings))
    except Exception:
        logger.exception("the app cannot be made")
        sys.exit(STARTUP_FAILURE)


async def _pass_start_checks(services: Services, gateway: Gateway) -> None:
    """Run the checks of a start until they have passed; /readyz has status 503 until then. Afterwards they are not run
    again, also in a process that /readyz never asks: a newer release may migrate the database."""
    pause = 0.5
    while True:
        try:
            found = [await services.start_checks.find_problem(), await gateway.find_setup_problem()]
        except SQLAlchemyError as error:
            log_failure(logger, "checks of the start", error)
        else:
            if not any(found):
                return
            logger.warning("not ready: %s", "; ".join(filter(None, found)))
        await asyncio.sleep(pause)
        pause = min(pause * 2, 10.0)


def connected_app(
    settings: Settings,
    services: Services | None = None,
    gateway: Gateway | None = None,
    *,
    pages: tuple[str, ...] = (),
) -> FastAPI:
    """Return the connected app. Given `services` and `gateway` are opened and closed by the caller. `pages`: of the
    metrics of Temporal's SDK."""
    app = bare_app()
    app.public_url, app.hsts_subdomains = settings.public_url, settings.hsts_subdomains
    # the fastest level: a large tree shrinks to a seventh in 15 ms. Images and event streams are not compressed, and
    # the web app's files are compressed by the build
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=1)
    # the web app has the same origin; other origins may not call
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
        await asyncio.to_thread(remove_left_folders)
        app.state.gateway = gateway or Gateway(await connect(settings, lazy=True), settings)
        if services is not None:
            app.state.services = services
            yield
            return
        async with (
            open_services(settings, application=APPLICATION_NAME) as opened,
            serve_metrics(settings, "api", opened.engine, FiguresService(opened.health.probes), pages=pages),
        ):
            app.state.services = opened
            app.state.hub = Hub(str(settings.database_url))
            tasks = [
                asyncio.create_task(app.state.hub.run()),
                asyncio.create_task(_pass_start_checks(opened, app.state.gateway)),
            ]
            try:
                yield
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await asyncio.to_thread(close_tracing)

    app.router.lifespan_context = lifespan
    web_app.serve(app)
    return app
