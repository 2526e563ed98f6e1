"""Servers that somebody names are asked only where they lead outside."""

import asyncio
import gzip
import socket
import ssl
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import RetrySafe
from core.outgoing import http
from core.outgoing.destinations import MAX_CLIENTS, Clients, Outside, is_outside
from core.outgoing.http import trust
from core.outgoing.warm_connections import open_connection
from tests.certificates import Authority
from tests.http_server import Answer, Server

SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("typed", "base_url"),
    [
        ("mastodon.social", "https://mastodon.social"),
        (" HTTPS://Mastodon.Social/ ", "https://mastodon.social"),
        ("@ada@mastodon.social", "https://mastodon.social"),
        ("https://mastodon.social/@ada", "https://mastodon.social"),
        ("bücher.example", "https://xn--bcher-kva.example"),
        ("10.0.0.7:8080", "http://10.0.0.7:8080"),
        ("http://10.0.0.7:8080/", "http://10.0.0.7:8080"),
        ("http://mastodon.social", None),
        ("mastodon.social:8080", None),
        ("https://10.0.0.8", None),
        ("localhost", None),
        ("[::1]", None),
        ("2130706433", None),
        ("0x7f.1", None),
        ("user:secret@host", None),
        ("two words.example", None),
        ("", None),
    ],
)
def test_a_server_is_told_by_its_name(typed: str, base_url: str | None) -> None:
    assert Outside.from_setting("http://10.0.0.7:8080/").base_url(typed) == base_url


@pytest.mark.parametrize(
    ("address", "outside"),
    [
        ("93.184.215.14", True),
        ("2606:2800:21f:cb07:6820:80da:af6b:8b2c", True),
        ("::ffff:93.184.215.14", True),
        ("64:ff9b::5db8:d70e", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),  # noqa: S104 - an address that is refused
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("2002:7f00:1::", False),
    ],
)
def test_what_leads_inside_is_known_by_its_address(address: str, outside: bool) -> None:
    assert is_outside(address) is outside


@given(st.ip_addresses(v=4, network="10.0.0.0/8"))
def test_an_address_inside_is_none_outside_whatever_carries_it(address: Any) -> None:
    assert not is_outside(str(address))
    assert not is_outside(f"::ffff:{address}")
    assert not is_outside(f"64:ff9b::{address}")


def leads(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Every name leads there. Returns the names that are looked up."""
    asked: list[str] = []

    async def looked_up(self: object, host: str, port: int, **more: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

    monkeypatch.setattr("uvloop.Loop.getaddrinfo", looked_up, raising=False)
    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.getaddrinfo", looked_up)
    return asked


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["93.184.215.14", "169.254.169.254"], []])
async def test_a_name_that_leads_inside_is_not_asked(
    server: Server, monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    leads(monkeypatch, *addresses)
    port = server.url.rpartition(":")[2]
    async with Outside().client(f"https://inside.example:{port}", SECOND) as client:
        with pytest.raises(RetrySafe):
            await http.send(client, "GET", "/", publishing=True)
    assert await open_connection(f"https://inside.example:{port}", within=SECOND, locate=Outside().locate) is None
    assert server.requests == []


async def test_what_was_checked_is_what_is_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a name that leads inside a moment later."""
    asked = leads(monkeypatch, "93.184.215.14")
    assert await Outside().locate(httpx2.URL("https://turning.example")) == ["93.184.215.14"]
    assert asked == ["turning.example"]


async def test_what_an_operator_names_is_asked_also_without_tls(server: Server) -> None:
    server.answers("/", Answer(body=b"there"))
    outside = Outside.from_setting(f"https://other.example, {server.url}/")
    async with outside.client(server.url, SECOND) as client:
        answer = await http.send(client, "GET", "/", publishing=False)
    assert answer.content == b"there"
    async with Outside().client(server.url, SECOND) as client:
        with pytest.raises(RetrySafe):
            await http.send(client, "GET", "/", publishing=False)


async def test_a_server_is_asked_under_its_name(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    leads(monkeypatch, "127.0.0.1")
    monkeypatch.setattr("core.outgoing.destinations.is_outside", lambda address: True)
    port = server.url.rpartition(":")[2]
    outside = Outside()
    monkeypatch.setattr(Outside, "locate", _without_tls)
    async with outside.client(f"http://named.example:{port}", SECOND) as client:
        await http.send(client, "GET", "/", publishing=False)
    assert server.requests[0].headers["host"] == f"named.example:{port}"


async def _without_tls(self: Outside, url: httpx2.URL) -> list[str]:
    return ["127.0.0.1"]


@dataclass
class Secured:
    """A server that has one certificate, and hears by which name it is asked for."""

    names: list[str | None] = field(default_factory=list)
    requests: list[bytes] = field(default_factory=list)

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.requests.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nthere")
        await writer.drain()
        writer.close()

    @asynccontextmanager
    async def serving(
        self, folder: Path, certificate: str, *, address: str = "127.0.0.1", port: int = 0
    ) -> AsyncIterator[int]:
        """Its port."""
        file = folder / f"{address}.pem"
        file.write_text(certificate)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(file)
        context.sni_callback = lambda _, name, __: self.names.append(name)
        server = await asyncio.start_server(self.talk, address, port, ssl=context)
        async with server:
            yield server.sockets[0].getsockname()[1]


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Authority]:
    """The one authority that is trusted here. Every name leads to this machine, which is taken to be outside."""
    authority = Authority()
    monkeypatch.setattr(
        "httpcore2.default_ssl_context", lambda **_: ssl.create_default_context(cadata=authority.pem), raising=True
    )
    monkeypatch.setattr("core.outgoing.destinations.is_outside", lambda address: True)
    leads(monkeypatch, "127.0.0.1")
    trust.cache_clear()
    yield authority
    trust.cache_clear()


async def test_over_tls_it_is_asked_for_by_its_name(trusted: Authority, tmp_path: Path) -> None:
    server = Secured()
    async with server.serving(tmp_path, trusted.for_server("named.example")) as port:
        async with Outside().client(f"https://named.example:{port}", SECOND) as client:
            answer = await http.send(client, "GET", "/", publishing=True)
        line = await open_connection(f"https://named.example:{port}", within=SECOND, locate=Outside().locate)
        assert line is not None
        await line.aclose()
    assert answer.content == b"there"
    assert server.names == ["named.example"] * 2
    assert f"Host: named.example:{port}".encode() in server.requests[0]


@pytest.mark.parametrize(
    ("known", "of"),
    [
        (True, "other.example"),
        (True, "127.0.0.1"),  # the address that is connected to
        (True, "example"),
        (False, "named.example"),
    ],
)
async def test_who_has_not_the_certificate_of_that_name_is_told_nothing(
    trusted: Authority, tmp_path: Path, known: bool, of: str
) -> None:
    """Nor is a call to them one whose outcome is unknown."""
    server = Secured()
    issuer = trusted if known else Authority()
    async with server.serving(tmp_path, issuer.for_server(of)) as port:
        async with Outside().client(f"https://named.example:{port}", SECOND) as client:
            with pytest.raises(RetrySafe):
                await http.send(client, "POST", "/", publishing=True, json={"token": "secret"})
        assert await open_connection(f"https://named.example:{port}", within=SECOND, locate=Outside().locate) is None
    assert server.requests == []


async def test_a_certificate_that_has_ended_is_believed_no_more(trusted: Authority, tmp_path: Path) -> None:
    server = Secured()
    ended = trusted.for_server("named.example", until=-timedelta(hours=1))
    async with (
        server.serving(tmp_path, ended) as port,
        Outside().client(f"https://named.example:{port}", SECOND) as client,
    ):
        with pytest.raises(RetrySafe):
            await http.send(client, "POST", "/", publishing=True, json={"token": "secret"})
    assert server.requests == []


async def test_a_name_that_turns_inside_after_it_was_checked_wins_nothing(
    trusted: Authority, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Two servers listen at one port: the one that the name led to when it was checked, and one inside that it leads to
    from then on."""
    checked, inside = Secured(), Secured()
    monkeypatch.setattr("core.outgoing.destinations.is_outside", lambda address: address == "127.0.0.1")
    turns = ["127.0.0.1"]
    looked_up: list[str] = []

    async def turning(self: object, host: str, port: int, **more: Any) -> list[Any]:
        looked_up.append(host)
        address = host if host.startswith("127.") else turns.pop(0) if turns else "127.0.0.2"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr("uvloop.Loop.getaddrinfo", turning, raising=False)
    monkeypatch.setattr("asyncio.base_events.BaseEventLoop.getaddrinfo", turning)
    certificate = trusted.for_server("turning.example")
    async with (
        checked.serving(tmp_path, certificate) as port,
        inside.serving(tmp_path, certificate, address="127.0.0.2", port=port),
        Outside().client(f"https://turning.example:{port}", SECOND) as client,
    ):
        await http.send(client, "GET", "/", publishing=False)
        assert (len(checked.requests), len(inside.requests)) == (1, 0)
        assert looked_up.count("turning.example") == 1
        with pytest.raises(RetrySafe):  # the next call looks again, and finds it inside
            await http.send(client, "GET", "/", publishing=False)
    assert (len(checked.requests), len(inside.requests)) == (1, 0)


async def _drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.05)


async def _bomb(writer: asyncio.StreamWriter) -> None:
    """50 MB in 50 kB, of a length that nobody has said."""
    packed = gzip.compress(b"\0" * 50_000_000)
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\n")
    writer.write(f"{len(packed):x}\r\n".encode() + packed + b"\r\n0\r\n\r\n")
    await writer.drain()


async def _boast(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n")
    while True:
        writer.write(b"x" * 100_000)
        await writer.drain()


@pytest.mark.parametrize("talk", [_drip, _bomb, _boast])
async def test_no_server_keeps_us_by_what_it_sends(talk: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        try:
            with suppress(ConnectionError):
                await talk(writer)
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    began = time.monotonic()
    async with server, Outside.from_setting(url).client(url, SECOND) as client:
        with pytest.raises(RetrySafe):
            await http.send(client, "GET", "/", publishing=False)
        server.close()
    assert time.monotonic() - began < 20  # without the limit it would not end


async def test_clients_of_servers_that_people_name_are_not_kept_without_end() -> None:
    clients = Clients(lambda base_url: Outside().client(base_url, timedelta(seconds=1)))
    first = clients.of("https://one.example")
    for number in range(3 * MAX_CLIENTS):
        clients.of(f"https://{number}.example")
        assert clients.of("https://one.example") is first, "one that is used stays"
    assert len(vars(clients)["_clients"]) == MAX_CLIENTS
    assert not first.is_closed
    await clients.close()
    assert first.is_closed
