"""Calls to servers that a person names: only allowed if the name resolves to public addresses.

A name is resolved once per connection, and the checked address is the one connected to, so DNS rebinding does not help.
With a proxy, the proxy resolves the name and decides.
"""

import asyncio
import re
import socket
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, Protocol, runtime_checkable
from urllib.parse import urlsplit

import httpx2

from core.outgoing import http
from core.outgoing.warm_connections import goes_through_proxy

MAX_CLIENTS: Final = 100
_NAT64 = IPv6Network("64:ff9b::/96")
_UNICAST = IPv6Network("2000::/3")
"""All assigned IPv6 unicast; other addresses are judged by the IPv4 address they embed."""
_RESERVED: Final = (
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),  # 6to4 relays
    IPv6Network("2001::/23"),  # protocols, Teredo and benchmarks
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
)
"""Ranges that some Python versions count as global."""
_ISATAP: Final = (0x00005EFE, 0x02005EFE)
"""The third quarter of an IPv6 address whose last quarter is an IPv4 address."""
_PATH = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~%+-]+)*", re.ASCII)
_QUOTES = re.compile("[“”„‟«»‹›‘’‚]")
_HOST = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")
_LOCAL_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")


class NotPublic(httpx2.ConnectError):
    """The address may not be called."""


@dataclass(frozen=True)
class Outside:
    """`internal`: base addresses that the operator allows although they are internal or have no TLS."""

    internal: tuple[str, ...] = ()

    @classmethod
    def from_setting(cls, internal: str) -> "Outside":
        """Read the setting: base addresses, comma-separated."""
        return cls(tuple(one.strip().rstrip("/").lower() for one in internal.split(",") if one.strip()))

    def base_url(self, typed: str) -> str | None:
        """Return the base URL of a typed server name or address; None if it is invalid."""
        text = typed.strip().rstrip("/").lower()
        if not text.isprintable():
            return None
        for base_url in self.internal:
            if text in (base_url, urlsplit(base_url).netloc):
                return base_url
        text = re.split("[/?#]", text.removeprefix("https://"), maxsplit=1)[0].rpartition("@")[2]
        if _QUOTES.search(text):  # Python would encode quotes like letters
            return None
        try:
            host = text.encode("idna").decode()
        except UnicodeError:
            return None
        return f"https://{host}" if _HOST.fullmatch(host) else None

    def site_url(self, typed: str) -> str | None:
        """As `base_url`, with the path of a site that is below one."""
        if not typed.strip().isprintable():  # urlsplit would drop characters silently
            return None
        try:
            parts = urlsplit(text if "://" in (text := typed.strip()) else f"https://{text}")
        except ValueError:
            return None
        base_url, path = self.base_url(parts.netloc), parts.path.rstrip("/")
        return f"{base_url}{path}" if base_url and _PATH.fullmatch(path) else None

    async def locate(self, url: httpx2.URL) -> Sequence[str]:
        """Return the addresses that may be connected to. Raise ConnectError if the name does not resolve, NotPublic if
        it resolves to an internal address."""
        if _origin(url) in self.internal:
            return [url.host]
        if url.scheme != "https":
            raise NotPublic("not by TLS")
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(url.host, url.port or 443, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpx2.ConnectError("the name does not resolve") from error
        addresses = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
        if not addresses or not all(is_outside(address) for address in addresses):
            raise NotPublic("the name leads inside this network")
        return sorted(addresses, key=lambda address: ":" in address)

    def client(self, base_url: str, timeout: timedelta) -> httpx2.AsyncClient:
        """As `http.client`, for a server that a person named."""
        address = urlsplit(base_url)
        if f"{address.scheme}://{address.netloc}" not in self.internal and goes_through_proxy(
            address.scheme, address.hostname or ""
        ):
            return http.client(base_url=base_url, timeout=timeout)
        return http.client(base_url=base_url, timeout=timeout, transport=_CheckedTransport(self))


class Clients:
    """A cache of the last used clients for servers that people named. A dropped client still works for its holder, and
    keeps no connection open."""

    def __init__(self, make: Callable[[str], httpx2.AsyncClient]) -> None:
        self._make = make
        self._clients: dict[str, httpx2.AsyncClient] = {}

    def of(self, base_url: str) -> httpx2.AsyncClient:
        client = self._clients.pop(base_url, None) or self._make(base_url)
        self._clients[base_url] = client
        if len(self._clients) > MAX_CLIENTS:
            del self._clients[next(iter(self._clients))]
        return client

    async def close(self) -> None:
        clients, self._clients = self._clients, {}
        for client in clients.values():
            await client.aclose()


@runtime_checkable
class AsksNamedServers(Protocol):
    """A channel whose servers people name."""

    @property
    def outside(self) -> Outside:
        """The checks for calls to these servers."""


class _CheckedTransport(httpx2.AsyncHTTPTransport):
    """Connects to the checked addresses, with the requested host name."""

    def __init__(self, outside: Outside) -> None:
        super().__init__(verify=http.trust(), limits=http.NONE_KEPT, trust_env=False)
        self._outside = outside

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        *others, last = await self._outside.locate(url)
        for address in others:
            try:
                return await self._send_to(request, url, address)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue  # nothing was sent
        return await self._send_to(request, url, last)

    async def _send_to(self, request: httpx2.Request, url: httpx2.URL, address: str) -> httpx2.Response:
        # TLS certificate and Host header stay those of the name
        extensions = {**request.extensions, "sni_hostname": url.host}
        located = httpx2.Request(
            request.method,
            url.copy_with(host=address),
            headers=request.headers,
            stream=request.stream,
            extensions=extensions,
        )
        return await super().handle_async_request(located)


def names_other_server(typed: str) -> bool:
    """Return whether what `base_url` refuses is the address of a server all the same: an IP address, a name without a
    dot such as localhost, or a name with a port. No name is resolved."""
    text = typed.strip()
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        host, has_port = (parts.hostname or "").encode("idna").decode(), parts.port is not None
    except (UnicodeError, ValueError):
        return False
    if parts.scheme not in ("http", "https") or _QUOTES.search(text):
        return False
    if _is_ip_address(parts.hostname or "") or (has_port and _HOST.fullmatch(host)):
        return True
    # a word without https:// is no address
    return bool(_LOCAL_NAME.fullmatch(host)) and ("://" in text or host == "localhost")


def _is_ip_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def is_outside(address: str) -> bool:
    """Return whether an IP address and all addresses embedded in it are public."""
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return False
        if found.ipv4_mapped is None and found not in _NAT64 and found not in _UNICAST:
            return False
    return all(_is_global(one) for one in _addresses_in(found))


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not address.is_multicast and not any(address in one for one in _RESERVED)


def _addresses_in(address: IPv4Address | IPv6Address) -> Collection[IPv4Address | IPv6Address]:
    if isinstance(address, IPv4Address):
        return [address]
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    if address.ipv4_mapped or address in _NAT64:
        return [last]
    embedded = [address.sixtofour, *(address.teredo or ())]
    if int(address) >> 32 & 0xFFFFFFFF in _ISATAP:
        embedded.append(last)
    return [address, *(one for one in embedded if one is not None)]


def _origin(url: httpx2.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode()}".lower()
