"""Servers that a person names: asked only where their name leads outside.

A name is looked up once for each connection, and what was checked is what is connected to: one that leads inside a
moment later (DNS rebinding) wins nothing. Through a proxy it is the proxy that looks it up, and decides.
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

MOST_CLIENTS: Final = 100
_NAT64 = IPv6Network("64:ff9b::/96")
_UNICAST = IPv6Network("2000::/3")
"""All that is handed out of IPv6; what else carries an IPv4 address is told by it."""
_RESERVED: Final = (
    IPv4Network("192.0.0.0/24"),
    IPv4Network("192.88.99.0/24"),  # relays of 6to4
    IPv6Network("2001::/23"),  # of protocols, Teredo and benchmarks
    IPv6Network("2001:db8::/32"),
    IPv6Network("3fff::/20"),
)
"""What Python takes for the Internet's, or has done in some version."""
_ISATAP: Final = (0x00005EFE, 0x02005EFE)
"""The third quarter of an IPv6 address whose last is an IPv4 address."""
_PATH = re.compile(r"(/(?!\.{1,2}(/|$))[\w.~%+-]+)*", re.ASCII)
_QUOTES = re.compile("[“”„‟«»‹›‘’‚]")
_HOST = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]")


class NotOutside(httpx2.ConnectError):
    """The address is none that may be asked."""


@dataclass(frozen=True)
class Outside:
    """`internal`: base addresses that may be asked wherever they lead, and without TLS, as an operator says."""

    internal: tuple[str, ...] = ()

    @classmethod
    def besides(cls, internal: str) -> "Outside":
        """By a setting: base addresses between commas."""
        return cls(tuple(one.strip().rstrip("/").lower() for one in internal.split(",") if one.strip()))

    def base_url(self, typed: str) -> str | None:
        """Of the server that somebody has typed the name or address of. None: it cannot be one."""
        text = typed.strip().rstrip("/").lower()
        if not text.isprintable():
            return None
        for base_url in self.internal:
            if text in (base_url, urlsplit(base_url).netloc):
                return base_url
        text = re.split("[/?#]", text.removeprefix("https://"), maxsplit=1)[0].rpartition("@")[2]
        if _QUOTES.search(text):  # Python would encode them like letters
            return None
        try:
            host = text.encode("idna").decode()
        except UnicodeError:
            return None
        return f"https://{host}" if _HOST.fullmatch(host) else None

    def site_url(self, typed: str) -> str | None:
        """As `base_url`, with the path below which a site is, where it has one to itself."""
        if not typed.strip().isprintable():  # what it would be split into is not what was typed
            return None
        try:
            parts = urlsplit(text if "://" in (text := typed.strip()) else f"https://{text}")
        except ValueError:
            return None
        base_url, path = self.base_url(parts.netloc), parts.path.rstrip("/")
        return f"{base_url}{path}" if base_url and _PATH.fullmatch(path) else None

    async def locate(self, url: httpx2.URL) -> Sequence[str]:
        """The addresses that may be connected to. Raises ConnectError where the name leads nowhere, NotOutside
        where it leads inside."""
        if _origin(url) in self.internal:
            return [url.host]
        if url.scheme != "https":
            raise NotOutside("not by TLS")
        loop = asyncio.get_running_loop()
        try:
            found = await loop.getaddrinfo(url.host, url.port or 443, type=socket.SOCK_STREAM)
        except OSError as error:
            raise httpx2.ConnectError("its name leads nowhere") from error
        addresses = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
        if not addresses or not all(is_outside(address) for address in addresses):
            raise NotOutside("its name leads inside")
        return sorted(addresses, key=lambda address: ":" in address)

    def client(self, base_url: str, timeout: timedelta) -> httpx2.AsyncClient:
        """As `http.client`, for a server that a person named."""
        address = urlsplit(base_url)
        if f"{address.scheme}://{address.netloc}" not in self.internal and goes_through_proxy(
            address.scheme, address.hostname or ""
        ):
            return http.client(base_url=base_url, timeout=timeout)
        return http.client(base_url=base_url, timeout=timeout, transport=_Checked(self))


class Clients:
    """Clients for the servers that people have named, those that were used last. One that is forgotten works on for who
    has it, and keeps no connection."""

    def __init__(self, make: Callable[[str], httpx2.AsyncClient]) -> None:
        self._make = make
        self._kept: dict[str, httpx2.AsyncClient] = {}

    def of(self, base_url: str) -> httpx2.AsyncClient:
        client = self._kept.pop(base_url, None) or self._make(base_url)
        self._kept[base_url] = client
        if len(self._kept) > MOST_CLIENTS:
            del self._kept[next(iter(self._kept))]
        return client

    async def close(self) -> None:
        kept, self._kept = self._kept, {}
        for client in kept.values():
            await client.aclose()


@runtime_checkable
class AsksNamedServers(Protocol):
    """A channel whose servers people name."""

    @property
    def outside(self) -> Outside:
        """By which they are asked."""


class _Checked(httpx2.AsyncHTTPTransport):
    """Connects to the addresses that were checked, under the name that was asked for."""

    def __init__(self, outside: Outside) -> None:
        super().__init__(verify=http.trust(), limits=http.NONE_KEPT, trust_env=False)
        self._outside = outside

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        named = request.url
        *others, last = await self._outside.locate(named)
        for address in others:
            try:
                return await self._ask(request, named, address)
            except (httpx2.ConnectError, httpx2.ConnectTimeout):
                continue  # nothing was sent
        return await self._ask(request, named, last)

    async def _ask(self, request: httpx2.Request, named: httpx2.URL, address: str) -> httpx2.Response:
        # certificate and Host stay those of the name
        extensions = {**request.extensions, "sni_hostname": named.host}
        placed = httpx2.Request(
            request.method,
            named.copy_with(host=address),
            headers=request.headers,
            stream=request.stream,
            extensions=extensions,
        )
        return await super().handle_async_request(placed)


def is_outside(address: str) -> bool:
    """Whether an IP address is one of the Internet's, also as what it carries of another one."""
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        if found.scope_id is not None:
            return False
        if found.ipv4_mapped is None and found not in _NAT64 and found not in _UNICAST:
            return False
    return all(_is_global(one) for one in _meant(found))


def _is_global(address: IPv4Address | IPv6Address) -> bool:
    return address.is_global and not address.is_multicast and not any(address in one for one in _RESERVED)


def _meant(address: IPv4Address | IPv6Address) -> Collection[IPv4Address | IPv6Address]:
    if isinstance(address, IPv4Address):
        return [address]
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    if address.ipv4_mapped or address in _NAT64:
        return [last]
    carried = [address.sixtofour, *(address.teredo or ())]
    if int(address) >> 32 & 0xFFFFFFFF in _ISATAP:
        carried.append(last)
    return [address, *(one for one in carried if one is not None)]


def _origin(url: httpx2.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode()}".lower()
