"""What does not fit stops the start, or delays it, with one line that says what to do."""

import asyncio
from pathlib import Path

import httpx2
import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from time_machine import travel

from api.app import connected_app
from cli.invite import new_codes
from cli.keys import accept, rotate
from core.clock import utcnow
from core.container import Services, open_services
from core.installation.revisions import known_revisions
from core.installation.start_checks import StartDelayed, StartRefused, open_start_checks
from core.settings import Settings
from tests.architecture.test_migrations import config_for
from tests.conftest import Stack, browsing
from tests.patience import PATIENCE

OLD, NEW, OTHER = ("a key of at least 32 characters: " + name for name in ("old", "new", "other"))


@pytest.fixture
def own(settings: Settings, database: str) -> Settings:
    """Settings with a database that only this test uses."""
    return settings.model_copy(update={"database_url": database})


def with_keys(settings: Settings, *keys: str) -> Settings:
    fields = settings.model_dump(include={"database_url", "data_dir", "public_url", "media_url"})
    return Settings(environment="test", secret_key=",".join(keys), **fields)


async def check(settings: Settings) -> None:
    async with open_start_checks(settings) as checks:
        await checks.run()


async def execute(database: str, *statements: str) -> None:
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        for statement in statements:
            await connection.execute(text(statement))
    await engine.dispose()


async def test_what_fits_starts_again_and_again(own: Settings) -> None:
    await check(own)
    await check(own)


async def test_the_database_is_at_this_releases_revision(own: Settings, database: str, tmp_path: Path) -> None:
    newest, before = known_revisions()[:2]
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, before)
    with pytest.raises(StartRefused, match=f"is at revision {before}, this release needs {newest}: run `postloom mig"):
        await check(own)
    await asyncio.to_thread(command.upgrade, config, "head")
    await check(own)
    await execute(database, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StartRefused, match="9999, which this release .* does not know: run the newer release"):
        await check(own)
    await execute(database, "DROP SCHEMA public CASCADE", "CREATE SCHEMA public")
    with pytest.raises(StartRefused, match="no tables yet: run `postloom migrate`"):
        await check(own)
    config.stdout.close()


async def test_a_database_that_does_not_answer_is_waited_for(settings: Settings) -> None:
    away = settings.model_copy(update={"database_url": "postgresql+psycopg://nobody@127.0.0.1:1/none"})
    with pytest.raises(StartDelayed, match="^DATABASE_URL: the database does not answer") as found:
        await check(away)
    assert "127.0.0.1" not in str(found.value)
    assert "127.0.0.1" in found.value.reason


async def test_why_the_database_refuses_a_query_is_in_the_log_alone(
    own: Settings, database: str, caplog: pytest.LogCaptureFixture
) -> None:
    await execute(database, "CREATE ROLE bare LOGIN")
    try:
        address = database.replace("//postgres", "//bare") if "//postgres" in database else None
        assert address
        with pytest.raises(StartRefused) as found:
            await check(own.model_copy(update={"database_url": address}))
        assert str(found.value) == (
            "DATABASE_URL: the database refuses a query, the log says why: check the rights of the database's user"
        )
        assert "permission denied for" in caplog.text
    finally:
        await execute(database, "DROP OWNED BY bare", "DROP ROLE bare")


async def test_a_clock_far_from_the_databases_stops_the_start(own: Settings) -> None:
    async with open_start_checks(own) as checks:
        await checks.check_clock()
        with travel(utcnow().timestamp() + 60), pytest.raises(StartRefused, match="is (59|60) s ahead of the database"):
            await checks.check_clock()
        with travel(utcnow().timestamp() - 60), pytest.raises(StartRefused, match="is (60|61) s behind the database"):
            await checks.check_clock()


async def test_a_storage_that_cannot_be_written_is_waited_for(own: Settings, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    broken = own.model_copy(update={"media_url": (tmp_path / "file" / "media").as_uri()})
    async with open_start_checks(broken) as checks:
        with pytest.raises(StartDelayed, match="^MEDIA_URL: the storage of images cannot be written"):
            await checks.run()
        (tmp_path / "file").unlink()
        await checks.run()


async def test_a_node_with_another_key_does_not_start(own: Settings) -> None:
    await check(with_keys(own, OLD))
    with pytest.raises(StartRefused, match="^SECRET_KEY: lacks a key that encrypts values in this database: set the s"):
        await check(with_keys(own, OTHER))
    with pytest.raises(StartRefused, match="^SECRET_KEY: is not set, and the key in DATA_DIR/secret.key lacks a key"):
        await check(own)
    with pytest.raises(StartRefused, match="another last key"):
        await check(with_keys(own, OLD, OTHER))
    await check(with_keys(own, OLD))


async def test_keys_rotate(own: Settings) -> None:
    await check(with_keys(own, OLD))
    await check(with_keys(own, NEW, OLD))
    # from now on values are encrypted by the new key
    with pytest.raises(StartRefused, match="lacks a key"):
        await check(with_keys(own, OLD))
    await check(with_keys(own, OTHER, NEW, OLD))
    assert not (await rotate(with_keys(own, OTHER, NEW, OLD))).lost
    await check(with_keys(own, OTHER, OLD))  # the one between is gone
    with pytest.raises(StartRefused, match="another last key"):
        await check(with_keys(own, OTHER))
    await accept(with_keys(own, OTHER))
    await check(with_keys(own, OTHER))


async def test_a_command_with_other_keys_changes_nothing(own: Settings) -> None:
    await check(with_keys(own, NEW, OLD))
    assert not (await rotate(with_keys(own, NEW, OLD))).lost
    # all values are encrypted by the new key, but the old one still hashes
    with pytest.raises(StartRefused, match="another last key"):
        await rotate(with_keys(own, NEW))
    for keys in ([NEW], [OTHER]):
        with pytest.raises(StartRefused, match="^SECRET_KEY: "):
            await new_codes(with_keys(own, *keys), 1)
    await check(with_keys(own, NEW, OLD))
    assert len(await new_codes(with_keys(own, NEW, OLD), 2)) == 2


async def test_the_first_start_asks_the_values_themselves(own: Settings) -> None:
    """A database from before keys were recorded: of two nodes, the wrong one may start first."""
    right = with_keys(own, OLD)
    async with open_services(right) as services:
        await services.invitations.invite()
    with pytest.raises(StartRefused, match="is not the key that encrypted the values in this database"):
        await check(with_keys(own, OTHER))
    await check(with_keys(own, NEW, OLD))


async def test_of_two_nodes_that_start_at_once_one_is_refused(own: Settings) -> None:
    both = await asyncio.gather(*(check(with_keys(own, key)) for key in (OLD, NEW)), return_exceptions=True)
    assert sorted(type(one).__name__ for one in both) == ["NoneType", "StartRefused"]


async def test_readiness_says_what_does_not_fit(stack: Stack, lasting: AsyncEngine) -> None:
    services = stack.services
    async with lasting.begin() as connection:
        await connection.execute(text("INSERT INTO secret_key_uses VALUES ('encrypts', 'another', now())"))
    detail = await _readiness(services, stack)
    assert detail.startswith("SECRET_KEY: is not set, and the key in DATA_DIR/secret.key lacks a key")
    async with lasting.begin() as connection:
        await connection.execute(text("DELETE FROM secret_key_uses"))
    assert await _readiness(services, stack) == "not there: worker"
    # what has passed is not asked again: a newer release may have migrated the database meanwhile
    async with lasting.begin() as connection:
        await connection.execute(text("INSERT INTO secret_key_uses VALUES ('encrypts', 'another', now())"))
    assert await _readiness(services, stack) == "not there: worker"


async def test_an_app_that_nobody_asks_passes_the_checks_of_its_start_too(
    own: Settings, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEMPORAL_ADDRESS", "127.0.0.1:1")
    app = connected_app(with_keys(own, OLD))
    engine = create_async_engine(database)
    async with app.router.lifespan_context(app), engine.connect() as connection, asyncio.timeout(PATIENCE):
        while not await connection.scalar(text("SELECT count(*) FROM secret_key_uses")):
            await connection.rollback()
            await asyncio.sleep(0.1)
        await connection.rollback()
        # a newer release migrates the database
        await execute(database, "UPDATE alembic_version SET version_num = '9999'")
        transport = httpx2.ASGITransport(app=app)
        async with httpx2.AsyncClient(transport=transport, base_url="http://postloom.test") as client:
            while "9999" in (detail := (await client.get("/readyz")).json()["detail"]):
                await asyncio.sleep(0.1)
        assert detail.startswith("Temporal: ") or detail == "not there: temporal, worker"
    await engine.dispose()


async def _readiness(services: Services, stack: Stack) -> str:
    async with browsing(services, stack.gateway) as client:
        answer = await client.get("http://postloom.test/readyz")
    assert answer.status_code == 503
    return str(answer.json()["detail"])


async def test_a_user_who_may_not_read_the_clusters_identifier_starts_all_the_same(
    own: Settings, database: str
) -> None:
    await execute(database, "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC", "CREATE ROLE managed LOGIN")
    try:
        await execute(database, "GRANT ALL ON ALL TABLES IN SCHEMA public TO managed")
        address = database.replace("//postgres", "//managed") if "//postgres" in database else None
        assert address
        await check(own.model_copy(update={"database_url": address}))
        await check(own.model_copy(update={"database_url": address}))
    finally:
        await execute(database, "DROP OWNED BY managed", "DROP ROLE managed")
