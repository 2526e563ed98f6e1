"""Serves the built web app: its files, and its page at every other path outside of the API."""

import os
from pathlib import Path

from fastapi import FastAPI
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Match, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from core.errors import NotFound
from core.settings import CODE, IS_INSTALLED

WEB = Path(__file__).with_name("web") if IS_INSTALLED else CODE / "frontend" / "dist"

_TYPES = {  # types of the build's files: the system's table may lack some or differ
    ".css": "text/css",
    ".html": "text/html",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
    ".xml": "application/xml",
}
# compressed files beside the originals, in order of preference
_PACKED = {"br": ".br", "gzip": ".gz"}
_FOR_EVER = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"


class WebFiles(StaticFiles):
    """Files of the build, compressed if the caller supports it.

    Files with a hash in their name are cached forever. All others are revalidated each time, and answered with 304 if
    unchanged.
    """

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        path = Path(full_path)
        packed = {name: path.with_name(path.name + ending) for name, ending in _PACKED.items()}
        existing = {name: file for name, file in packed.items() if file.is_file()}
        # a range refers to the uncompressed file: callers rarely expect a part of the compressed one
        asks_for_part = "range" in Headers(scope=scope)
        name = None if asks_for_part else next((name for name in existing if _takes(scope, name)), None)
        if name:
            full_path, stat_result = existing[name], existing[name].stat()
        response = super().file_response(full_path, stat_result, scope, status_code)
        if response.status_code == 200:
            media_type = _TYPES.get(path.suffix)
            if media_type:
                is_text = media_type.startswith("text/") or media_type.endswith(("/xml", "+xml"))
                response.headers["Content-Type"] = media_type + ("; charset=utf-8" if is_text else "")
            if name:
                response.headers["Content-Encoding"] = name
        if existing:
            response.headers.add_vary_header("Accept-Encoding")
        hashed = path.parent.name == "assets"
        response.headers["Cache-Control"] = _FOR_EVER if hashed else _ASK_EACH_TIME
        return response


def _takes(scope: Scope, encoding: str) -> bool:
    """Return whether the caller accepts the encoding: by name or `*`, with a weight above zero."""
    weights = {}
    for header in Headers(scope=scope).getlist("accept-encoding"):
        for part in header.lower().split(","):
            name, *parameters = (piece.strip() for piece in part.split(";"))
            weights[name] = next((text[2:] for text in parameters if text.startswith("q=")), "1")
    try:
        return float(weights.get(encoding, weights.get("*", "0"))) > 0
    except ValueError:
        return False


class _Pages(Route):
    """Every path outside of the API, whose own handlers answer missing paths and methods."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        path = scope["path"]
        return (Match.NONE, {}) if path == "/api" or path.startswith("/api/") else super().matches(scope)


def serve(app: FastAPI) -> None:
    """Add the web app to `app`, after all other routes."""
    files = WebFiles(directory=WEB, check_dir=False)

    async def web(request: Request) -> Response:
        path = files.get_path(request.scope)
        ending = os.path.splitext(path)[1]
        if ending not in _PACKED.values():
            try:
                return await files.get_response(path, request.scope)
            except HTTPException as error:
                if error.status_code != 404:
                    raise
        if ending in _TYPES or ending in _PACKED.values():
            raise NotFound(what="file", id=path)
        if not (WEB / "index.html").is_file():
            return PlainTextResponse(
                "The web app is not built yet: make run builds it, or `npm run build` in frontend/.", status_code=503
            )
        return await files.get_response("index.html", request.scope)

    app.router.routes.append(_Pages("/{path:path}", web, methods=["GET", "HEAD"], include_in_schema=False))
