"""Connections that are open before their call: used once, and only while they are known to be there."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx2
import pytest
import uvloop
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from core.errors import Ambiguous, RetrySafe
from core.networks.posts import Receipt
from core.outgoing import http
from core.outgoing.warm_connections import PreparedCall, WarmConnection, open_connection

SECOND = timedelta(seconds=1)
pytestmark = pytest.mark.skipif(
    not hasattr(socket, "TCP_INFO"), reason="the system does not tell of a connection's end"
)


@dataclass
class Service:
    """Answers 201 to whatever comes, and counts connections and requests."""

    answer: bytes = b"HTTP/1.1 201 Created\r\nx-restli-id: 7\r\ncontent-length: 0\r\n\r\n"
    connections: int = 0
    requests: list[bytes] = field(default_factory=list)
    writers: list[asyncio.StreamWriter] = field(default_factory=list)
    url: str = ""

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        self.writers.append(writer)
        while head := await reader.read(65536):
            self.requests.append(head)
            writer.write(self.answer)
            if not self.answer:
                writer.close()

    def hang_up(self) -> None:
        for writer in self.writers:
            writer.close()


@asynccontextmanager
async def serving() -> AsyncIterator[Service]:
    made = Service()
    server = await asyncio.start_server(made.talk, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        yield made
        made.hang_up()


@pytest.fixture
async def service() -> AsyncIterator[Service]:
    async with serving() as made:
        yield made


def call(service: Service) -> PreparedCall:
    usual = http.client(base_url=service.url, timeout=SECOND)

    async def send(client: httpx2.AsyncClient | httpx2.AsyncBaseTransport) -> Receipt:
        answer = await http.ask(client, http.build(usual, "POST", "/posts", json={}), publishing=True)
        return Receipt(answer.headers["x-restli-id"], None)

    return PreparedCall(usual, service.url, send)


def certificate(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """(a server's, that of a client who trusts it)"""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file = folder / "server.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(made.public_bytes(Encoding.PEM) + secret)
    theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    theirs.load_cert_chain(file)
    return theirs, ssl.create_default_context(cafile=str(file))


async def test_the_call_travels_over_what_is_open(service: Service) -> None:
    prepared = call(service)
    await prepared.open()
    await asyncio.sleep(0.05)
    assert (service.connections, service.requests) == (1, [])
    assert (await prepared.publish()).provider_id == "7"
    await prepared.close()
    assert (service.connections, len(service.requests)) == (1, 1)
    assert service.requests[0].startswith(b"POST /posts HTTP/1.1\r\n")


def test_so_it_does_on_the_event_loop_of_a_worker() -> None:
    async def story() -> None:
        async with serving() as service:
            await test_the_call_travels_over_what_is_open(service)

    uvloop.run(story())


async def test_over_tls_the_tickets_that_wait_to_be_read_say_nothing(
    service: Service, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    theirs, ours = certificate(tmp_path)
    monkeypatch.setattr("core.outgoing.http.trust", lambda: ours)
    server = await asyncio.start_server(service.talk, "127.0.0.1", 0, ssl=theirs)
    async with server:
        service.url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        prepared = call(service)
        await prepared.open()
        await asyncio.sleep(0.05)
        assert (await prepared.publish()).provider_id == "7"
        await prepared.close()
        service.hang_up()
    assert (service.connections, len(service.requests)) == (1, 1)


async def test_one_that_was_hung_up_is_not_used(service: Service) -> None:
    prepared = call(service)
    await prepared.open()
    await asyncio.sleep(0.05)
    service.hang_up()
    await asyncio.sleep(0.05)
    assert (await prepared.publish()).provider_id == "7"
    assert (service.connections, len(service.requests)) == (2, 1)
    await prepared.close()


async def test_hung_up_in_the_middle_it_may_have_been_heard(service: Service) -> None:
    service.answer = b""
    prepared = call(service)
    await prepared.open()
    with pytest.raises(Ambiguous):
        await prepared.publish()
    assert (service.connections, len(service.requests)) == (1, 1)
    await prepared.close()


async def test_an_answer_that_does_not_end_is_not_read(service: Service) -> None:
    service.answer = b"HTTP/1.1 201 Created\r\nx-restli-id: 7\r\ncontent-length: 2000000\r\n\r\n" + b"x" * 2_000_000
    prepared = call(service)
    await prepared.open()
    with pytest.raises(Ambiguous):
        await prepared.publish()
    assert (service.connections, len(service.requests)) == (1, 1)
    await prepared.close()


async def test_a_service_that_is_away_is_found_out_by_the_call(service: Service) -> None:
    service.url = "http://127.0.0.1:1"
    prepared = call(service)
    await prepared.open()
    with pytest.raises(RetrySafe):
        await prepared.publish()


async def test_no_more_than_so_many_are_open(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.outgoing.warm_connections.MAX_OPEN", 1)
    first = await open_connection(service.url, within=SECOND)
    assert isinstance(first, WarmConnection)
    assert await open_connection(service.url, within=SECOND) is None
    await first.aclose()
    second = await open_connection(service.url, within=SECOND)
    assert second is not None
    await second.aclose()


@pytest.mark.parametrize(("excepted", "is_open"), [("", False), ("127.0.0.1", True)])
async def test_behind_a_proxy_there_is_none(
    service: Service, monkeypatch: pytest.MonkeyPatch, excepted: str, is_open: bool
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", excepted)
    line = await open_connection(service.url, within=SECOND)
    assert (line is not None) is is_open
    if line:
        await line.aclose()
