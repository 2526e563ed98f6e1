"""Nobody waits for what others' servers do, or for what strangers send."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx2
import pytest
import time_machine
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine

from api.dependencies import UNKNOWN_TOKENS
from api.limits import Places
from core.container import Services, wire
from core.database import open_engine, open_reading, open_sessions
from core.errors import ErrorCode
from core.media.uploads import Decoder
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.settings import Settings
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import quick_passwords, refused
from tests.api.test_media import uploaded
from tests.conftest import Networks, browsing
from tests.documents import a_pdf
from tests.factories import Factory
from tests.patience import PATIENCE

CALLS = 12


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"rate_limits": True})


@dataclass
class Hanging:
    """A server that takes connections and answers when it is told to."""

    url: str = ""
    asked: int = 0
    answers: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked += 1
        with suppress(OSError):
            await self.answers.wait()
            writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            await writer.drain()
            writer.close()


@asynccontextmanager
async def hanging() -> AsyncIterator[Hanging]:
    made = Hanging()
    server = await asyncio.start_server(made.take, "127.0.0.1", 0)
    made.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        try:
            yield made
        finally:
            made.answers.set()


def _forget_settings() -> None:
    for kept in ("settings", "_outside", "_rest"):
        vars(channel(ChannelKind.wordpress)).pop(kept, None)


@pytest.fixture
async def slow_site(networks: Networks, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hanging]:
    async with hanging() as site:
        with monkeypatch.context() as patch:
            patch.setenv("WORDPRESS_INTERNAL_SERVERS", site.url)
            _forget_settings()
            yield site
        _forget_settings()


@pytest.fixture
async def narrow(lasting: AsyncEngine, settings: Settings, networks: Networks) -> AsyncIterator[Services]:
    """Services with two connections to the database."""
    url = lasting.url.render_as_string(hide_password=False)
    engine = open_engine(url, pool_size=1)
    services = wire(
        settings.model_copy(update={"database_url": url}),
        engine,
        open_sessions(engine),
        reading=open_reading(engine),
    )
    quick_passwords(services)
    yield services
    await engine.dispose()


async def test_a_slow_site_of_one_user_keeps_nobody_waiting(
    narrow: Services, away: Gateway, slow_site: Hanging
) -> None:
    """While twelve calls wait for it, neither a place nor a connection to the database is taken."""
    make = Factory(narrow.sessions, narrow.vault)
    mara, jon = await make.user(), await make.user()
    form = {"site": slow_site.url, "username": "ada", "app_password": "abcd efgh ijkl mnop qrst uvwx"}
    async with browsing(narrow, away, mara) as slow, browsing(narrow, away, jon) as quick:
        body = {"fields": form, "language": "en"}
        connecting = [asyncio.create_task(slow.post("/websites/connect/wordpress/", json=body)) for _ in range(CALLS)]
        async with asyncio.timeout(PATIENCE):
            while slow_site.asked < CALLS:
                await asyncio.sleep(0.01)
        async with asyncio.timeout(PATIENCE):
            answers = [await quick.get(path) for path in ("/users/me/", "/websites/", "/social-media-posts/")]
        assert [answer.status_code for answer in answers] == [200, 200, 200]
        assert not any(call.done() for call in connecting)
        slow_site.answers.set()
        assert {answer.status_code for answer in await asyncio.gather(*connecting)} == {422}


async def test_pages_of_one_owners_documents_keep_nobody_waiting(
    narrow: Services, away: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has the address of a page may ask for it as often as they like."""
    go_on, draw = asyncio.Event(), Decoder.draw_page

    async def draw_slowly(decoder: Decoder, document: Path, page: int) -> bytes:
        if page == 2:
            await go_on.wait()
        return await draw(decoder, document, page)

    monkeypatch.setattr(Decoder, "draw_page", draw_slowly)
    make = Factory(narrow.sessions, narrow.vault)
    mara, jon = await make.user(), await make.user()
    async with browsing(narrow, away, mara) as slow, browsing(narrow, away, jon) as quick:
        page_urls = [(await uploaded(client, a_pdf(2), "talk.pdf"))["page_url"] for client in (slow, quick)]
        long, short = [f"http://postloom.test{url.replace('{page}', '2')}" for url in page_urls]
        calls = [asyncio.create_task(slow.get(long)) for _ in range(1 + CALLS * 2)]
        await asyncio.wait(calls, timeout=2)
        refused_at_once = [call.result() for call in calls if call.done()]
        async with asyncio.timeout(PATIENCE):
            assert (await quick.get(short.replace("/2/", "/1/"))).status_code == 200
        go_on.set()
        statuses = [answer.status_code for answer in await asyncio.gather(*calls)]
    assert (statuses.count(200), statuses.count(429)) == (21, 4)
    assert len(refused_at_once) == 4
    for answer in refused_at_once:
        refused(answer, 429, ErrorCode.rate_limited)
        assert int(answer.headers["retry-after"]) > 0


async def test_tokens_that_are_made_up_are_counted_by_network_address(
    services: Services, away: Gateway, user: User, anonymous: httpx2.AsyncClient
) -> None:
    """However they are spelled; whoever has a right one is answered at the same address."""
    with time_machine.travel(datetime.now(UTC), tick=False):
        for number in range(UNKNOWN_TOKENS.burst):
            scheme = ("Bearer", "bearer")[number % 2]
            answer = await anonymous.get("/users/me/", headers={"Authorization": f"{scheme} made-up-{number}"})
            refused(answer, 401, ErrorCode.unauthenticated)
        answer = await anonymous.get("/users/me/", headers={"Authorization": "Bearer made-up"})
    refused(answer, 429, ErrorCode.rate_limited)
    assert int(answer.headers["retry-after"]) > 0
    async with browsing(services, away, user) as client:
        assert (await client.get("/users/me/")).status_code == 200


async def test_a_call_that_waits_too_long_for_the_database_is_told_to_come_again(
    narrow: Services, away: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = await Factory(narrow.sessions, narrow.vault).user()
    async with browsing(narrow, away, user) as client:
        pool = narrow.engine.sync_engine.pool
        monkeypatch.setattr(pool, "_timeout", 0.1)
        async with narrow.engine.connect(), narrow.engine.connect():
            answer = await client.get("/accounts/")
    refused(answer, 503, ErrorCode.server_busy)
    assert int(answer.headers["retry-after"]) > 0


async def test_calls_that_are_counted_together_take_one_connection(
    narrow: Services, lasting: AsyncEngine, away: Gateway, anonymous: httpx2.AsyncClient
) -> None:
    """A flood from one address waits for its own row, and nobody else for a connection."""
    user = await Factory(narrow.sessions, narrow.vault).user()
    async with browsing(narrow, away, user) as client:
        assert (await anonymous.get("/users/me/", headers={"Authorization": "Bearer x"})).status_code == 401
        async with lasting.begin() as other:
            await other.execute(text("SELECT * FROM rate_limits FOR UPDATE"))
            flood = [
                asyncio.create_task(anonymous.get("/users/me/", headers={"Authorization": f"Bearer {number}"}))
                for number in range(20)
            ]
            await asyncio.sleep(0.3)
            async with asyncio.timeout(PATIENCE):
                assert (await client.get("/accounts/")).status_code == 200
        assert {answer.status_code for answer in await asyncio.gather(*flood)} == {401}


async def test_one_users_heavy_work_leaves_a_place_to_others() -> None:
    places, working, go_on = Places(at_once=2, each=1), list[str](), asyncio.Event()

    async def work(who: str) -> None:
        async with places.place(who):
            working.append(who)
            await go_on.wait()

    calls = [asyncio.create_task(work(who)) for who in ("mara", "mara", "mara", "jon")]
    for _ in range(20):
        await asyncio.sleep(0)
    assert working == ["mara", "jon"]
    calls[1].cancel()  # whoever leaves while waiting takes no place
    go_on.set()
    await asyncio.gather(*calls, return_exceptions=True)
    assert working == ["mara", "jon", "mara"]


@pytest.mark.parametrize(
    "path", ["/api/webhooks/stripe/", "/api/auth/login/", "/api/media/", "/api/social-media-posts/import/preview/"]
)
async def test_a_client_that_leaves_amid_its_body_is_no_error(
    services: Services, away: Gateway, user: User, address: str, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    async with browsing(services, away, user) as client:
        token = client.headers["Authorization"]
    head = (
        f"POST {path} HTTP/1.1\r\nHost: here\r\nAuthorization: {token}\r\nContent-Length: 1000\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
    )
    _, writer = await asyncio.open_connection("127.0.0.1", httpx2.URL(address).port)
    writer.write(head.encode())
    await asyncio.sleep(0.3)
    writer.close()
    await asyncio.sleep(0.3)
    assert [record.getMessage() for record in caplog.records if record.levelname == "ERROR"] == []
