"""Who calls, as far as the network tells. uvicorn puts the address in X-Forwarded-For in the place of a trusted
proxy's."""

import logging
from collections.abc import Iterable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from core.rate_limits.limiting import Limit
from core.users.security_events import Caller, caller

logger = logging.getLogger(__name__)

_LONGEST_DEVICE = 200
_LONGEST_HOP = 100
# of IPv6: what a household or a server is given, and what one customer may be given of those
_HOME, _SITE = 64, 48
# so many times what one network may do, those of one site may do together
_SITE_SHARE = 4


def trusted_hosts(proxies: Iterable[IPv4Network | IPv6Network]) -> list[str]:
    """Return uvicorn's `forwarded_allow_ips`. A socket for both families shows IPv4 addresses as ::ffff:10.0.0.1."""
    found = []
    for proxy in proxies:
        found.append(str(proxy))
        if isinstance(proxy, IPv4Network):
            found.append(f"::ffff:{proxy.network_address}/{96 + proxy.prefixlen}")
    return found


def _client(request: HTTPConnection) -> str:
    """Who calls; behind trusted proxies whom uvicorn has put in their place."""
    return request.client.host if request.client else ""


def _address(host: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(host.partition("%")[0])  # without its zone
    except ValueError:  # a socket in the file system, or no address at all
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def address_of(request: HTTPConnection) -> str:
    """Return what a caller is counted by. A household or a server gets a /64 of IPv6, so that counts as one address."""
    client = _client(request)
    address = _address(client)
    if address is None:
        return client[:_LONGEST_HOP]
    return str(ip_network((address, _HOME), strict=False)) if isinstance(address, IPv6Address) else str(address)


def counted_by_network(limit: Limit, address: str) -> list[tuple[Limit, str]]:
    """Return the limit by the caller's address; of IPv6 also by the /48 around it, which anybody can be given: it
    holds 65,536 networks that would each begin anew."""
    counted = [(limit, address)]
    if "/" in address and ":" in address:
        network = ip_network(address)
        wide = Limit(f"{limit.name}-of-a-site", limit.burst * _SITE_SHARE, limit.every / _SITE_SHARE)
        counted.append((wide, str(network.supernet(new_prefix=_SITE))))
    return counted


def device_of(request: HTTPConnection) -> str:
    """What a person recognises a signed-in device by."""
    # PostgreSQL has no NUL in a text
    return request.headers.get("user-agent", "").replace("\0", "")[:_LONGEST_DEVICE]


class RequestIdMiddleware:
    """Gives each request an id, in its answer and in every line that is logged for it, and says who calls to what is
    recorded meanwhile."""

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


class UntrustedProxyWarning:
    """Logs once that a proxy is in front whose X-Forwarded-For is not believed: all callers have its address then."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self.warned and any(name == b"x-forwarded-for" for name, _ in scope.get("headers", ())):
            self.warned = True
            logger.warning(
                "calls come through a proxy, and TRUSTED_PROXIES is not set: everybody counts as one address and "
                "shares its limits. Set it to the proxy's address or network"
            )
        await self.app(scope, receive, send)
