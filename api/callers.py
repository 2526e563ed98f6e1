"""The callers of requests: address, device and request id. Behind a trusted proxy, uvicorn replaces the proxy's address
by the one in X-Forwarded-For."""

import logging
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars, unbind_contextvars

from core.rate_limits.limiting import Limit
from core.users.security_events import Caller, caller

logger = logging.getLogger(__name__)

_LONGEST_DEVICE = 200
_LONGEST_HOP = 100
# IPv6: the prefix of a household or server, and the largest prefix that one customer usually gets
_HOME, _SITE = 64, 48
# the factor between the limit of one network and of one site
_SITE_SHARE = 4


def _client(request: HTTPConnection) -> str:
    """Return the client's address, which behind trusted proxies uvicorn has replaced."""
    return request.client.host if request.client else ""


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(host.partition("%")[0])  # without its zone
    except ValueError:  # a Unix socket, or no address
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def address_of(request: HTTPConnection) -> str:
    """Return the address for rate limits. A household or server has an IPv6 /64, so that counts as one address."""
    client = _client(request)
    address = _address(client)
    if address is None:
        return client[:_LONGEST_HOP]
    return str(ip_network((address, _HOME), strict=False)) if isinstance(address, IPv6Address) else str(address)


def counted_by_network(limit: Limit, address: str) -> list[tuple[Limit, str]]:
    """Return the limit by address; for IPv6 also by the surrounding /48, which anybody can get: it contains 65,536
    networks with own limits."""
    counted = [(limit, address)]
    if "/" in address and ":" in address:
        network = ip_network(address)
        wide = Limit(f"{limit.name}-of-a-site", limit.burst * _SITE_SHARE, limit.every / _SITE_SHARE)
        counted.append((wide, str(network.supernet(new_prefix=_SITE))))
    return counted


def device_of(request: HTTPConnection) -> str:
    """Return the User-Agent, by which people recognize a signed-in device."""
    # PostgreSQL cannot store NUL
    return request.headers.get("user-agent", "").replace("\0", "")[:_LONGEST_DEVICE]


class RequestIdMiddleware:
    """Gives each request an id, for its answer and its log lines, and sets the caller for events recorded meanwhile."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = uuid4().hex
        connection = HTTPConnection(scope)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        token = caller.set(Caller(_address(_client(connection)), device_of(connection)))
        try:
            with bound_contextvars(request_id=request_id):
                await self.app(scope, receive, send_with_id)
        finally:
            caller.reset(token)
            unbind_contextvars("user_id")  # bound once the token is known


class UntrustedProxyWarning:
    """Logs once that requests come through an untrusted proxy: all callers then have the proxy's address."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.warned and any(name == b"x-forwarded-for" for name, _ in scope.get("headers", ())):
            self.warned = True
            logger.warning(
                "requests come through a proxy, but TRUSTED_PROXIES is not set, so all users share one address "
                "and its rate limits. Set TRUSTED_PROXIES to the proxy's address or network"
            )
        await self.app(scope, receive, send)
