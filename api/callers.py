"""Who calls, as far as the network tells: known to whatever is recorded or logged while the call is worked on."""

import logging
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from uuid import uuid4

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.contextvars import bound_contextvars

from core.rate_limits.limiting import Limit
from core.settings import Settings
from core.users.security_events import Caller, caller

logger = logging.getLogger(__name__)

_LONGEST_DEVICE = 200
_LONGEST_HOP = 100
# of IPv6: what a household or a server is given, and what one customer may be given of those
_HOME, _SITE = 64, 48
# so many times what one network may do, those of one site may do together
_SITE_SHARE = 4


def calling(request: HTTPConnection, settings: Settings) -> tuple[IPv4Address | IPv6Address | None, str]:
    """The caller's address, and how the network writes it; None where that is no address.

    Behind proxies of one's own it is the last hop that none of them is: what stands before it in X-Forwarded-For
    is anybody's claim.
    """
    trusted = settings.trusted_proxies
    hops = [request.client.host if request.client else ""]
    if trusted:
        claimed = ",".join(request.headers.getlist("x-forwarded-for")).split(",")
        hops = [*filter(None, map(str.strip, claimed)), *hops]
    for hop in reversed(hops):
        address = _address(hop)
        if address is None or not any(address in network for network in trusted):
            break
    return address, hop


def _address(hop: str) -> IPv4Address | IPv6Address | None:
    """Without port, brackets and zone."""
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    try:
        found = ip_address(hop.partition("%")[0])
    except ValueError:
        return None
    return found.ipv4_mapped or found if isinstance(found, IPv6Address) else found


def address_of(request: HTTPConnection, settings: Settings) -> str:
    """Return what a caller is counted by. A household or a server gets a /64 of IPv6, so that counts as one address."""
    address, hop = calling(request, settings)
    if address is None:  # a socket in the file system, or no address at all
        return hop[:_LONGEST_HOP]
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


class Callers:
    """Each call has an id of its own: in its answer and in every line that is logged for it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.warned = False

    def _warn_of_proxy(self, scope: Scope) -> None:
        """Say once that a proxy is in front whose word nobody takes: all callers have its address then."""
        services: Any = getattr(scope["app"].state, "services", None)
        if self.warned or services is None or services.settings.trusted_proxies:
            return
        if services.settings.environment == "production" and any(
            name == b"x-forwarded-for" for name, _ in scope["headers"]
        ):
            self.warned = True
            logger.warning(
                "calls come through a proxy, and TRUSTED_PROXIES is not set: everybody counts as one address and "
                "shares its limits. Set it to the proxy's address or network"
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        self._warn_of_proxy(scope)
        request_id = uuid4().hex
        connection = HTTPConnection(scope)

        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        services: Any = getattr(scope["app"].state, "services", None)
        address = calling(connection, services.settings)[0] if services else None
        token = caller.set(Caller(address, device_of(connection)))
        try:
            with bound_contextvars(request_id=request_id):
                await self.app(scope, receive, named)
        finally:
            caller.reset(token)
