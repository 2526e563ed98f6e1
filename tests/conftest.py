"""Fixtures with real parts: PostgreSQL, the networks' stand-in, Temporal. No mocks."""

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any, cast

import httpx2
import hypothesis
import pytest
from fastapi import FastAPI
from sqlalchemy import make_url, select, text
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, async_sessionmaker, create_async_engine
from temporalio.client import Client
from temporalio.service import RPCError, RPCStatusCode
from temporalio.testing import WorkflowEnvironment
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from api.app import connected_app
from api.server import trusted_hosts
from cli.postgres import EmbeddedPostgres
from cli.stand_ins import STAND_INS
from core.container import Services, wire
from core.database import Sessions, migrate, open_engine, open_sessions
from core.networks.registry import channels
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.settings import Settings, use_locked_time_zones
from core.users.tables.users import User
from sandbox.app import run_sandbox
from temporal.client import connect, data_converter
from temporal.gateway import Gateway
from temporal.server import find_dev_server
from tests.factories import Factory
from tests.http_server import nowhere, server
from tests.patience import PATIENCE
from tests.serving import serve
from workflows.names import COMPARISON, SEARCH_ATTRIBUTES

__all__ = ["nowhere", "server"]

# 8,000 tests and their imports stay in memory until the end: keep the garbage collector off while they load
gc.disable()

# every process of the product does so
use_locked_time_zones()

# remove the developer's own configuration
for _name in list(os.environ):
    if _name.startswith(
        (
            *{one.prefix for one in STAND_INS.values()},
            "OPENAI_",
            "TEMPORAL_",
            "DATABASE_URL",
            "SMTP_",
            "MEDIA_",
        )
    ):
        del os.environ[_name]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--record-histories", action="store_true", help="write the histories of the stories to tests/replay/histories"
    )
    parser.addoption(
        "--changed",
        action="store_true",
        help="of the operations, try those alone that changed since the last commit; and fewer examples of each rule",
    )
    # for random sequences of an assistant's steps (tests/workflows/sequences.py)
    parser.addoption("--seed", default="1", help="the first world's")
    parser.addoption("--worlds", default="1", help="how many, each with a seed of its own")
    parser.addoption("--only", default="", help="the number of the one assistant that lives")
    parser.addoption("--without", default="", help="numbers of steps that are left out, such as 3,7")
    parser.addoption(
        "--record-commands", action="store_true", help="write what the workflows' code orders to commands.txt"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Make property tests the same on every machine: no clock, no random seed, no file of earlier examples."""
    examples = 25 if config.getoption("--changed") else 100
    hypothesis.settings.register_profile("rules", derandomize=True, deadline=None, database=None, max_examples=examples)
    hypothesis.settings.load_profile("rules")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run slow tests first, then the workflows' tests, whose files take longest, so that no parallel worker ends long
    after the others."""
    stories = Path(__file__).parent / "workflows"
    items.sort(key=lambda item: (item.get_closest_marker("slow") is None, stories not in item.path.parents))


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL migrated to the newest revision. `TEST_DATABASE_URL` names one that is already
    migrated, for starting tests often: their changes are rolled back."""
    if given := os.environ.get("TEST_DATABASE_URL"):
        yield given
        return
    embedded = EmbeddedPostgres(tmp_path_factory.mktemp("postgres"), durable=False)
    url = embedded.start()
    try:
        migrate(url)
        yield url
    finally:
        embedded.stop()


@pytest.fixture(scope="session")
async def engine(postgres: str) -> AsyncIterator[AsyncEngine]:
    opened = open_engine(postgres)
    yield opened
    await opened.dispose()


@pytest.fixture
async def connection(engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
    """A connection in a transaction that is rolled back after the test."""
    async with engine.connect() as opened:
        outer = await opened.begin()
        yield opened
        await outer.rollback()


@pytest.fixture
def sessions(connection: AsyncConnection) -> Sessions:
    """The code under test really commits; its transactions are savepoints inside ours."""
    return async_sessionmaker(connection, expire_on_commit=False, join_transaction_mode="create_savepoint")


@dataclass(frozen=True)
class Networks:
    """The sandbox: its address, and a client that reads posts and sets faults."""

    url: str
    client: httpx2.AsyncClient

    async def posts(self) -> list[dict[str, object]]:
        found = (await self.client.get("/sandbox/posts")).json()
        return list(found["posts"] if isinstance(found, dict) else found)

    async def fail(self, **fault: object) -> None:
        (await self.client.post("/sandbox/faults", json=fault)).raise_for_status()

    async def set_up(self, **settings: object) -> None:
        (await self.client.post("/sandbox/settings", json=settings)).raise_for_status()

    async def calm(self) -> None:
        (await self.client.delete("/sandbox/faults")).raise_for_status()

    async def forget(self) -> None:
        """Forget every post: a network refuses the texts of earlier tests as duplicates."""
        (await self.client.delete("/sandbox/state")).raise_for_status()


@pytest.fixture(scope="session")
async def networks(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Networks]:
    async with run_sandbox(tmp_path_factory.mktemp("sandbox")) as sandbox:
        for stand_in in STAND_INS.values():
            os.environ.update(stand_in.settings(sandbox.url, "test-secret"))
        os.environ.update(
            LINKEDIN_CLIENT_ID="test",
            LINKEDIN_PAGES_CLIENT_ID="test-pages",
            LINKEDIN_IMAGE_GRACE_SECONDS="0.2",
            META_CLIENT_ID="test",
            SANDBOX_URL=sandbox.url,
        )
        for one in channels():
            for kept in ("settings", "_outside", "_rest", "_admin"):  # cached before the sandbox was started
                vars(one).pop(kept, None)
        async with httpx2.AsyncClient(base_url=sandbox.url, timeout=PATIENCE) as client:
            yield Networks(sandbox.url, client)


@cache
def _settings(_environment: frozenset[tuple[str, str]], postgres: str) -> Settings:
    """Read the settings once per environment: reading them takes as long as many tests."""
    return Settings(
        environment="test",
        database_url=postgres,
        public_url="http://postloom.test",
        arm_seconds=1,
        arm_spread_seconds=0,
        jitter_seconds=0,
    )


@pytest.fixture
def settings(tmp_path: Path, postgres: str) -> Settings:
    environment = frozenset(one for one in os.environ.items() if one[0] != "PYTEST_CURRENT_TEST")
    read = _settings(environment, postgres)
    own: dict[str, object] = {"data_dir": tmp_path}
    if "media_url" not in read.model_fields_set:
        own["media_url"] = (tmp_path / "media").as_uri()
    return read.model_copy(update=own)


@pytest.fixture
async def services(settings: Settings, engine: AsyncEngine, sessions: Sessions, networks: Networks) -> Services:
    return wire(settings, engine, sessions)


@pytest.fixture
def make(sessions: Sessions, services: Services) -> Factory:
    return Factory(sessions, services.vault)


@pytest.fixture
async def user(make: Factory) -> User:
    return await make.user()


# the API, called without a server


@pytest.fixture
async def away(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    """A gateway to a Temporal that is unreachable: nothing listens at its address."""
    monkeypatch.setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
    return Gateway(await connect(settings, lazy=True), settings)


@cache
def _app() -> FastAPI:
    """Build the app once for all tests: building its routes takes longer than most tests."""
    return connected_app(Settings(environment="test"))


@asynccontextmanager
async def browsing(services: Services, gateway: Gateway, user: User | None = None) -> AsyncIterator[httpx2.AsyncClient]:
    """Yield a client with the base path `/api`, signed in as `user` with a real token."""
    headers = {}
    if user:
        link = await services.identity.sign_in_link(user.id)
        _, token = await services.identity.sign_in_by_link(link, "a test")
        headers["Authorization"] = f"Bearer {token}"
    app = _app()
    app.state.services, app.state.gateway = services, gateway
    # the proxy middleware as uvicorn uses it, hence the casts for its own types;
    # an unexpected error must reach tests as it reaches browsers: status 500
    served: Any = ProxyHeadersMiddleware(cast(Any, app), trusted_hosts(services.settings.trusted_proxies))
    transport = httpx2.ASGITransport(app=served, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://postloom.test/api", headers=headers) as client:
        yield client


@pytest.fixture
async def api(services: Services, away: Gateway, user: User) -> AsyncIterator[httpx2.AsyncClient]:
    """A client signed in as `user`, while Temporal is unreachable."""
    async with browsing(services, away, user) as client:
        yield client


@pytest.fixture
async def anonymous(services: Services, away: Gateway) -> AsyncIterator[httpx2.AsyncClient]:
    async with browsing(services, away) as client:
        yield client


@pytest.fixture(scope="session")
async def address() -> AsyncIterator[str]:
    """The API's address on a real server, for clients other than browsers. It uses the services of the client opened
    last."""
    async with serve(_app(), opens=False) as url:
        yield f"{url}/api"


@dataclass(frozen=True)
class Mailed:
    """A mail that waits to be sent."""

    kind: MailKind
    to: str
    language: str
    params: dict[str, Any]
    secret: str
    """The token of its link, or its code; empty if it has neither."""


async def mailed(services: Services, to: str) -> list[Mailed]:
    """Return the mails to that address, oldest first."""
    async with services.sessions() as session:
        found = await session.scalars(select(Mail).where(Mail.to_email == to).order_by(Mail.created_at, Mail.id))
        return [
            Mailed(
                mail.kind,
                mail.to_email,
                mail.language,
                mail.params,
                services.vault.decrypt(mail.secret_encrypted) if mail.secret_encrypted else "",
            )
            for mail in found
        ]


# a stack: a database with commits, a worker, Temporal


@pytest.fixture(scope="session")
async def temporal() -> AsyncIterator[Client]:
    """A client of Temporal's real development server."""
    async with await WorkflowEnvironment.start_local(
        dev_server_existing_path=str(find_dev_server()),
        data_converter=data_converter(),
        search_attributes=SEARCH_ATTRIBUTES,
        dev_server_log_level="error",
        # stuck workflows are told after ten seconds instead of fifty
        dev_server_extra_args=(
            "--dynamic-config-value",
            "system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute=2",
        ),
    ) as environment:
        yield environment.client


@dataclass(frozen=True)
class Stack:
    """A database that only this test uses, where commits last, and all services on it."""

    services: Services
    gateway: Gateway
    make: Factory
    networks: Networks
    client: Client


@asynccontextmanager
async def _maintaining(postgres: str) -> AsyncIterator[AsyncConnection]:
    """Yield a connection that can create and drop databases."""
    admin = create_async_engine(make_url(postgres).set(database="postgres"), isolation_level="AUTOCOMMIT")
    async with admin.connect() as connection:
        yield connection
    await admin.dispose()


@pytest.fixture(scope="session")
async def blank(postgres: str) -> str:
    """A migrated database without connections, as template: copying is faster than migrating again."""
    async with _maintaining(postgres) as admin:
        await admin.execute(text("CREATE DATABASE blank"))
    url = make_url(postgres).set(database="blank").render_as_string(hide_password=False)
    await asyncio.to_thread(migrate, url)
    return "blank"


@pytest.fixture
async def database(postgres: str, blank: str) -> AsyncIterator[str]:
    """A new database that is dropped after the test."""
    name = f"test_{os.urandom(6).hex()}"
    async with _maintaining(postgres) as admin:
        await admin.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{blank}"'))
    yield make_url(postgres).set(database=name).render_as_string(hide_password=False)
    async with _maintaining(postgres) as admin:
        await admin.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))


@pytest.fixture(scope="session")
async def _shared(postgres: str, blank: str) -> AsyncIterator[AsyncEngine]:
    """The engine of a database that is emptied after each test; compiled statements stay cached."""
    async with _maintaining(postgres) as admin:
        await admin.execute(text(f'CREATE DATABASE shared TEMPLATE "{blank}"'))
    opened = open_engine(make_url(postgres).set(database="shared").render_as_string(hide_password=False))
    yield opened
    await opened.dispose()


@pytest.fixture
async def lasting(postgres: str, _shared: AsyncEngine) -> AsyncIterator[AsyncEngine]:
    """An engine whose commits last until the end of the test. Its database's address is `lasting.url`."""
    yield _shared
    await _shared.dispose()
    async with _maintaining(postgres) as admin:
        # close connections that a killed process or a cancelled step left open
        await admin.execute(text("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shared'"))
    async with _shared.begin() as connection:
        await connection.execute(text(_EMPTY))


_EMPTY = """
DO $$
DECLARE
    name text;
    filled text[] := '{}';
    is_filled boolean;
BEGIN
    FOR name IN SELECT quote_ident(tablename) FROM pg_tables
        WHERE schemaname = 'public' AND tablename <> 'alembic_version'
    LOOP
        EXECUTE 'SELECT EXISTS (SELECT FROM ' || name || ')' INTO is_filled;
        IF is_filled THEN
            filled := filled || name;
        END IF;
    END LOOP;
    IF filled <> '{}' THEN
        EXECUTE 'TRUNCATE ' || array_to_string(filled, ', ') || ' RESTART IDENTITY CASCADE';
    END IF;
END $$
"""


@pytest.fixture
async def stack(lasting: AsyncEngine, settings: Settings, networks: Networks, temporal: Client) -> AsyncIterator[Stack]:
    """End without workflows: the server is shared, and what is left would go on with the worker and the database of
    the next test.
    """
    own = settings.model_copy(update={"database_url": lasting.url.render_as_string(hide_password=False)})
    made = open_sessions(lasting)
    services = wire(own, lasting, made)
    await networks.calm()
    await networks.forget()
    yield Stack(services, Gateway(temporal, own), Factory(made, services.vault), networks, temporal)
    left = {found.id async for found in temporal.list_workflows("ExecutionStatus = 'Running'")}
    # its id is the same in each test, and a loop of the worker starts it again: the list may not have it yet
    for workflow_id in {*left, COMPARISON}:
        try:
            await temporal.get_workflow_handle(workflow_id).terminate("its test is over")
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:  # has ended meanwhile
                raise


GRACEFUL = timedelta(seconds=1)
