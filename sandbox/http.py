"""What the stand-ins share of HTTP: reading a request, refusing it, and adding handlers to a router."""

from collections.abc import Awaitable, Callable, Iterable
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from sandbox.state import State

Handler = Callable[[Request, State], Response | Awaitable[Response]]


class Refusal(Exception):
    """A refused request, with its response."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


def add_handlers(router: APIRouter, state: State, handlers: Iterable[tuple[str, str, Handler]]) -> None:
    """Add handlers given as (method, path, handler)."""
    for method, path, handler in handlers:
        router.add_api_route(path, _endpoint(handler, state), methods=[method], response_model=None)


def _endpoint(handler: Handler, state: State) -> Callable[[Request], Awaitable[Response]]:
    # always a coroutine: the state belongs to the event loop, and a plain function would run in a thread
    async def endpoint(request: Request) -> Response:
        answer = handler(request, state)
        return answer if isinstance(answer, Response) else await answer

    return endpoint


def origin(request: Request) -> str:
    return str(request.base_url).rstrip("/")


def bearer(request: Request) -> str:
    """Return the bearer token of the Authorization header; empty if there is none."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() if scheme.lower() == "bearer" else ""


async def form_fields(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))


def with_query(url: str, parameters: dict[str, str]) -> str:
    """Return the URL with the parameters added to its query."""
    return f"{url}{'&' if '?' in url else '?'}{urlencode(parameters)}"


def is_web_address(value: object) -> bool:
    if not isinstance(value, str):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(one.isspace() for one in value)
