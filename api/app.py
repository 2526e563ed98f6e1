"""The web application: API under /api, the built web app everywhere else."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.responses import FileResponse
from fastapi.routing import APIRoute
from starlette.staticfiles import StaticFiles

from api import errors
from api.live import Hub
from api.routes import ROUTERS
from api.routes.health import probes
from api.schemas.problems import Problem
from core.container import Services, open_services
from core.domain.errors import ErrorCode, NotFound
from core.observability import configure_logs
from core.settings import Settings, load_environment, read_settings
from temporal.client import connect
from temporal.gateway import Gateway

_MAX_BODY = 16 * 1024 * 1024  # bytes; the largest import, however its characters are written
WEB = Path(__file__).resolve().parents[1] / "frontend" / "dist"
_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob: http: https:; "
    "connect-src 'self'; font-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)


def operation_id(route: APIRoute) -> str:
    """The function's name: it becomes the name in the generated client."""
    return route.name


def bare_app() -> FastAPI:
    """Routes and errors without anything that has to be connected: what the OpenAPI document is made of."""
    app = FastAPI(
        title="Postloom",
        version="1",
        description="Assistants that plan, write, illustrate and publish social media posts.",
        docs_url="/api/docs",
        redoc_url=None,
        max_body_size=_MAX_BODY,
        openapi_url="/api/openapi.json",
        generate_unique_id_function=operation_id,
        responses={
            401: {"model": Problem, "description": ErrorCode.unauthenticated.value},
            422: {"model": Problem, "description": ErrorCode.invalid_input.value},
        },
    )
    errors.install(app)
    api = APIRouter(prefix="/api")
    for router in ROUTERS:
        api.include_router(router)
    app.include_router(api)
    app.include_router(probes)
    app.middleware("http")(_headers)
    return app


async def _headers(request: Request, call_next: Callable[[Request], Awaitable[Response]]) -> Response:
    response = await call_next(request)
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Referrer-Policy", "strict-origin-when-cross-origin")
    response.headers.setdefault("X-Frame-Options", "DENY")
    if not request.url.path.startswith("/api/docs"):
        response.headers.setdefault("Content-Security-Policy", _POLICY)
    return response


def create_app() -> FastAPI:
    """For a server: `uvicorn --factory api.app:create_app`. Raises WrongSetting."""
    load_environment()
    settings = read_settings()
    configure_logs(settings.log_format)
    return connected_app(settings)


def connected_app(settings: Settings, services: Services | None = None, gateway: Gateway | None = None) -> FastAPI:
    """`services` and `gateway` given: somebody else opened them and closes them."""
    app = bare_app()

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
    _serve_web(app)
    return app


def _file(path: str) -> Path | None:
    """What the build has under this path."""
    try:
        file = (WEB / path).resolve()
        return file if path and file.is_relative_to(WEB) and file.is_file() else None
    except (OSError, ValueError):  # longer than names can be, or with a NUL
        return None


def _serve_web(app: FastAPI) -> None:
    """Files of the build, which carry their hash in their name; every other path is the web app's own."""
    if (WEB / "assets").is_dir():
        app.mount("/assets", StaticFiles(directory=WEB / "assets"), name="assets")

    @app.get("/{path:path}", include_in_schema=False)
    async def web(path: str) -> Response:
        if path == "api" or path.startswith("api/"):
            raise NotFound(what="operation", id=path)
        file = _file(path)
        if file:
            return FileResponse(file, headers={"Cache-Control": "public, max-age=3600"})
        if os.path.splitext(path)[1] in {".js", ".css", ".map", ".woff2", ".png", ".svg", ".ico"}:
            raise NotFound(what="file", id=path)
        index = WEB / "index.html"
        if not index.is_file():
            return Response(
                "The web app is not built yet: make run builds it, or `npm run build` in frontend/.",
                status_code=503,
                media_type="text/plain",
            )
        return FileResponse(index, headers={"Cache-Control": "no-cache"})
