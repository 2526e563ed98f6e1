"""One history of the database: it leads from nothing to what the models say, and back."""

import asyncio
import os
import shutil
import sys
from asyncio.subprocess import PIPE
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import Script, ScriptDirectory
from sqlalchemy import Connection, Engine, event, inspect, text
from sqlalchemy.ext.asyncio import create_async_engine

from cli.migrate import migrate_database
from core.database import open_engine
from core.installation.revisions import find_offline_revisions, known_revisions
from core.installation.start_checks import StartRefused
from core.settings import ROOT
from core.tables import Base
from tests.architecture.additive import find_changes
from tests.patience import PATIENCE

_MIGRATE = "import sys; from core.database import migrate; migrate(sys.argv[1])"


def config_for(url: str, out: Path) -> Config:
    config = Config(stdout=out.open("w"))
    config.set_main_option("script_location", str(ROOT / "core" / "migrations"))
    config.attributes["database_url"] = url
    return config


async def test_the_history_leads_to_what_the_models_say(database: str, tmp_path: Path) -> None:
    """`database` was migrated from nothing. Raises what is missing: `make migration` writes it."""
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.check, config)
    config.stdout.close()


async def test_the_way_back_and_forth(database: str, tmp_path: Path) -> None:
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "base")
    assert await tables(database) == {"alembic_version"}
    await asyncio.to_thread(command.upgrade, config, "head")
    assert await tables(database) == {"alembic_version", *Base.metadata.tables}
    config.stdout.close()


async def test_two_that_migrate_at_once_wait_for_each_other(database: str, tmp_path: Path) -> None:
    """Also where one of them builds indexes beside other work, which wait for open transactions."""
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "0113")
    async with asyncio.timeout(PATIENCE):
        processes = [
            await asyncio.create_subprocess_exec(sys.executable, "-c", _MIGRATE, database, cwd=ROOT, stderr=PIPE)
            for _ in range(3)
        ]
        for process in processes:
            _, said = await process.communicate()
            assert process.returncode == 0, said.decode()
    await asyncio.to_thread(command.check, config)
    config.stdout.close()


def test_there_is_one_newest_revision() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "core" / "migrations"))
    assert len(ScriptDirectory.from_config(config).get_heads()) == 1


async def test_what_is_told_of_articles_is_there_for_those_of_before(database: str, tmp_path: Path) -> None:
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "0102")
    engine = create_async_engine(database)
    html = (
        '<p>Rain &amp; <em>ice</em> <a href="https://a.example" rel="noopener">here</a></p>\n<p>'
        + "word " * 60
        + "</p>"
    )
    async with engine.begin() as connection:
        await connection.execute(text("SET session_replication_role = replica"))  # nobody else is needed
        await connection.execute(
            text(
                """
                INSERT INTO feed_articles (id, user_id, feed_id, slug, title, summary, html, markdown, tags, language,
                    seo_title, seo_description, canonical_url, images, featured, published_at, changed_at)
                VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'rain', 'Rain', '', :html, '', '[]',
                    '', '', '', '', '[]', false, now(), now())
                """
            ),
            {"html": html},
        )
    await engine.dispose()
    await asyncio.to_thread(command.upgrade, config, "head")
    async with engine.connect() as connection:
        told = (await connection.execute(text("SELECT beginning, words, html FROM feed_articles"))).one()
    await engine.dispose()
    config.stdout.close()
    assert told.beginning.startswith("Rain & ice here word")
    assert told.beginning.endswith("…")
    assert (len(told.beginning) <= 160, told.words) == (True, 63)
    assert '<a href="https://a.example" rel="noopener nofollow ugc">here</a>' in told.html


async def test_every_reference_is_indexed_or_never_followed_back(database: str) -> None:
    """Deleting a row looks for the rows that refer to it: without an index, through a whole table."""
    engine = create_async_engine(database)
    query = text(
        """
        SELECT c.conrelid::regclass::text || '.' || a.attname
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND NOT EXISTS (
            SELECT 1 FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])
        """
    )
    async with engine.connect() as connection:
        found = set(await connection.scalars(query))
    await engine.dispose()
    assert found <= UNINDEXED, sorted(found - UNINDEXED)


# what they refer to is deleted rarely, and their tables are small or are read by another key
UNINDEXED = {
    "assistants.brand_id",
    "assistants.topic_tree_id",
    "invitations.accepted_by",
    "assistant_accounts.user_id",
    "assistant_statuses.user_id",
    "post_files.user_id",
    "run_steps.user_id",
    "text_versions.user_id",
}


async def tables(url: str) -> set[str]:
    engine = create_async_engine(url)
    async with engine.connect() as connection:
        found = await connection.run_sync(lambda sync: set(inspect(sync).get_table_names()))
    await engine.dispose()
    return found


async def test_sums_of_removed_calls_stop_the_way_back(database: str, tmp_path: Path) -> None:
    config = config_for(database, tmp_path / "said")
    engine = create_async_engine(database)
    async with engine.begin() as connection:
        await connection.execute(text("SET session_replication_role = replica"))  # nobody else is needed
        await connection.execute(
            text(
                """
                INSERT INTO usage_sums (id, user_id, at, type, outcome, cause, provider, model, currency, calls,
                    input_tokens, cached_tokens, output_tokens, images, cost_micros, uncounted, unpriced)
                VALUES (gen_random_uuid(), gen_random_uuid(), now(), 'text', 'succeeded', 'run', 'demo', 'demo', 'USD',
                    1, 1, 0, 1, 0, 1, 0, 0)
                """
            )
        )
    await engine.dispose()
    with pytest.raises(RuntimeError, match="restore a backup"):
        await asyncio.to_thread(command.downgrade, config, "0112")
    config.stdout.close()
    assert "usage_sums" in await tables(database)


# beside a running older release

FROM = "0113"
"""Later migrations only add, or say that they do more."""
NEVER_ADDING = {"0109", "0110", "0112", "0113"}
"""Of before that rule: they show that the test finds what it should."""


def scripts() -> list[Script]:
    """After 0108, the oldest first."""
    config = Config()
    config.set_main_option("script_location", str(ROOT / "core" / "migrations"))
    found = [one for one in ScriptDirectory.from_config(config).walk_revisions() if one.revision > "0108"]
    return found[::-1]


async def test_migrations_only_add_unless_they_say_so(database: str, tmp_path: Path) -> None:
    """A migration of which the old release notices nothing needs no look at the old release: whatever its statements
    were, they still work."""
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "0108")
    changes = {}
    for script in scripts():
        columns, unique = await catalogue(database)
        with recorded() as statements:
            await asyncio.to_thread(command.upgrade, config, script.revision)
        assert statements
        changes[script.revision] = find_changes(statements, columns, unique)
    config.stdout.close()
    assert {revision for revision, found in changes.items() if revision <= FROM and found} == NEVER_ADDING
    silent = {one.revision for one in scripts() if vars(one.module).keys().isdisjoint(("offline", "safe_from"))}
    assert {revision: found for revision, found in changes.items() if found and revision in silent} == {}


@contextmanager
def recorded() -> Iterator[list[str]]:
    """What all engines of this process execute meanwhile."""
    statements: list[str] = []

    def record(connection: object, cursor: object, statement: str, *_: object) -> None:
        statements.append(statement)

    event.listen(Engine, "before_cursor_execute", record)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", record)


async def catalogue(url: str) -> tuple[dict[str, set[str]], set[str]]:
    """The columns of each table, and the names of all unique indexes."""
    engine = create_async_engine(url)
    columns: dict[str, set[str]] = {}
    async with engine.connect() as connection:
        query = "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public'"
        for table, column in await connection.execute(text(query)):
            columns.setdefault(table, set()).add(column)
        query = "SELECT indexrelid::regclass::text FROM pg_index WHERE indisunique"
        unique = set(await connection.scalars(text(query)))
    await engine.dispose()
    return columns, unique


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE new (id UUID, post_id UUID, FOREIGN KEY(post_id) REFERENCES posts (id) ON DELETE CASCADE)",
        "CREATE UNIQUE INDEX ix_made ON made (id)",
        "CREATE INDEX CONCURRENTLY ix_posts_state ON posts (status)",
        "DROP INDEX CONCURRENTLY IF EXISTS ix_posts_state",
        "ALTER TABLE posts ADD COLUMN mood VARCHAR(16)",
        "ALTER TABLE posts ADD COLUMN mood VARCHAR(16) DEFAULT 'calm' NOT NULL",
        "ALTER TABLE posts ADD COLUMN tried_at TIMESTAMP WITH TIME ZONE DEFAULT now() NOT NULL",
        "ALTER TABLE posts ADD COLUMN share NUMERIC(10, 2) DEFAULT '0'::numeric NOT NULL",
        "ALTER TABLE posts ADD COLUMN words DOUBLE PRECISION",
        "ALTER TABLE posts ADD COLUMN tags JSONB DEFAULT '[]'::jsonb NOT NULL",
        "ALTER TABLE posts ADD COLUMN q INTEGER DEFAULT -1",
        "ALTER TABLE posts ADD CONSTRAINT mood_known CHECK (extra IN ('title', 'calm')) NOT VALID",
        "ALTER TABLE posts ADD CONSTRAINT fk FOREIGN KEY(extra) REFERENCES users (id) ON DELETE SET NULL NOT VALID",
        "ALTER TABLE posts VALIDATE CONSTRAINT mood_known",
        "ALTER TABLE made ALTER COLUMN id SET NOT NULL",
        "UPDATE alembic_version SET version_num='0114' WHERE alembic_version.version_num = '0113'",
    ],
)
def test_what_adds(statement: str) -> None:
    assert changes_of(statement) == []


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE new (id UUID, post_id UUID, FOREIGN KEY(post_id) REFERENCES posts (id))",
        "CREATE INDEX ix_posts_state ON posts (status)",
        "CREATE UNIQUE INDEX CONCURRENTLY ix_posts_title ON posts (title)",
        "DROP INDEX ix_posts_state",
        "DROP INDEX CONCURRENTLY uq_posts_slug",
        "DROP TABLE posts",
        "ALTER TABLE posts ADD COLUMN mood VARCHAR(16) NOT NULL",
        "ALTER TABLE posts ADD COLUMN mood UUID DEFAULT gen_random_uuid() NOT NULL",
        "ALTER TABLE posts ADD COLUMN q INTEGER GENERATED ALWAYS AS (length(title)) STORED",
        "ALTER TABLE posts ADD COLUMN q INTEGER GENERATED BY DEFAULT AS IDENTITY",
        "ALTER TABLE posts ADD COLUMN q BIGSERIAL",
        "ALTER TABLE posts ADD COLUMN q UUID REFERENCES users (id)",
        "ALTER TABLE posts ADD COLUMN q VARCHAR DEFAULT 'a'::text REFERENCES users (id)",
        "ALTER TABLE posts ADD COLUMN q INTEGER UNIQUE",
        "ALTER TABLE posts ADD COLUMN q INTEGER CHECK (q > 0)",
        "ALTER TABLE posts ADD COLUMN q INTEGER PRIMARY KEY",
        "ALTER TABLE posts ADD COLUMN q INTEGER, DROP COLUMN version",
        "ALTER TABLE posts ADD COLUMN q INTEGER DEFAULT 0, ADD COLUMN r INTEGER DEFAULT 0 NOT NULL",
        "ALTER TABLE posts ADD COLUMN q INTEGER; DROP TABLE posts",
        "ALTER TABLE posts VALIDATE CONSTRAINT mood_known, DROP CONSTRAINT uq",
        "ALTER TABLE posts ADD CONSTRAINT c CHECK (extra IS NULL), ADD CONSTRAINT d CHECK (extra IS NULL) NOT VALID",
        "ALTER TABLE posts ADD CONSTRAINT mood_known CHECK (extra IN ('calm'))",
        "ALTER TABLE posts ADD CONSTRAINT both CHECK (extra IS NULL OR title <> '') NOT VALID",
        "ALTER TABLE posts ADD CONSTRAINT uq UNIQUE (extra) NOT VALID",
        "ALTER TABLE posts ADD CONSTRAINT fk FOREIGN KEY(extra) REFERENCES users (id) NOT VALID",
        "ALTER TABLE posts DROP COLUMN title",
        "ALTER TABLE posts RENAME title TO heading",
        "ALTER TABLE posts ALTER COLUMN title DROP DEFAULT",
        "ALTER TABLE posts ALTER COLUMN title SET NOT NULL",
        "ALTER TABLE posts ALTER COLUMN title TYPE VARCHAR(5)",
        "UPDATE mails SET kind = 'new' WHERE kind = 'old'",
        "DELETE FROM mails",
    ],
)
def test_what_does_more(statement: str) -> None:
    assert changes_of(statement) == [statement]


def changes_of(statement: str) -> list[str]:
    before = ["CREATE TABLE made (id UUID)", "ALTER TABLE posts ADD COLUMN extra UUID"]
    return find_changes([*before, statement], {"posts": {"title", "status"}, "users": {"id"}}, {"uq_posts_slug"})


def test_a_migration_that_a_running_release_does_not_bear_is_found(tmp_path: Path) -> None:
    assert find_offline_revisions("0108") == ["0109", "0110", "0111", "0112", "0113"]
    assert find_offline_revisions("0111") == ["0112", "0113"]
    assert find_offline_revisions(None) == find_offline_revisions("of a newer release") == []
    assert find_offline_revisions(known_revisions()[0]) == []
    (tmp_path / "env.py").touch()
    (tmp_path / "versions").mkdir()
    said = {"1": "", "2": "", "3": "safe_from = '2'", "4": "offline = True"}
    for revision, words in said.items():
        before = repr(str(int(revision) - 1)) if revision > "1" else None
        lines = f"revision = '{revision}'\ndown_revision = {before}\n{words}\n"
        (tmp_path / "versions" / f"{revision}.py").write_text(lines)
    own = list(ScriptDirectory(str(tmp_path)).walk_revisions())
    assert [find_offline_revisions(found, own) for found in "1234"] == [["3", "4"], ["4"], ["4"], []]


async def test_the_wait_for_a_lock_is_limited_also_after_an_index(database: str, tmp_path: Path) -> None:
    """And not by an option of the connection, which PgBouncer refuses."""
    config = config_for(database, tmp_path / "said")
    config.attributes["lock_seconds"] = 5
    await asyncio.to_thread(command.downgrade, config, "0114")  # 0115 makes indexes
    limits, options = [], []

    def connected(dialect: object, record: object, args: object, params: dict[str, object]) -> None:
        options.append(params.get("options"))

    def read_limit(connection: Connection) -> None:
        limits.append(connection.exec_driver_sql("SHOW lock_timeout").scalar())

    event.listen(Engine, "do_connect", connected)
    event.listen(Engine, "commit", read_limit)
    try:
        await asyncio.to_thread(command.upgrade, config, "head")
    finally:
        event.remove(Engine, "do_connect", connected)
        event.remove(Engine, "commit", read_limit)
    config.stdout.close()
    assert options == [None]
    assert len(limits) > 3
    assert set(limits) == {"5s"}


async def test_only_a_release_that_runs_stops_a_migration_that_it_does_not_bear(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A first installation whose migration was killed has none, and goes on."""
    monkeypatch.setenv("DATABASE_URL", database)
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "0108")
    config.stdout.close()
    engine = open_engine(database, pool_size=1, application="postloom worker")
    async with engine.connect() as connection:
        await connection.execute(text("SELECT 1"))
        with pytest.raises(StartRefused, match="0109, .*, and postloom worker uses this database: stop web app"):
            await asyncio.to_thread(migrate_database, offline=False)
    await engine.dispose()
    assert await asyncio.to_thread(migrate_database, offline=False) == known_revisions()[0]


@pytest.mark.parametrize("offline", [False, True])
async def test_an_older_release_leaves_a_newer_database_alone(
    database: str, monkeypatch: pytest.MonkeyPatch, offline: bool
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    engine = open_engine(database, pool_size=1)
    async with engine.begin() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    await engine.dispose()
    with pytest.raises(StartRefused, match="at revision 9999, which this release .* does not know: run the newer"):
        await asyncio.to_thread(migrate_database, offline=offline)


async def test_an_index_is_made_while_others_write(database: str, tmp_path: Path) -> None:
    """And again, where a try has left half of one; two migrations at once do not wait for each other."""
    folder = tmp_path / "migrations"
    shutil.copytree(ROOT / "core" / "migrations", folder)
    last = known_revisions()[0]
    (folder / "versions" / "next.py").write_text(
        f"""
from core.migrations.concurrently import create_index

revision = "next"
down_revision = "{last}"


def upgrade() -> None:
    create_index("ix_users_language", "users", ["language"])
"""
    )
    ini = tmp_path / "alembic.ini"
    ini.write_text(f"[alembic]\nscript_location = {folder}\n")
    upgrade = (sys.executable, "-m", "alembic", "-c", str(ini), "upgrade", "head")
    environment = {**os.environ, "DATABASE_URL": database}
    engine = create_async_engine(database)
    async with engine.connect() as writer:
        await writer.execute(text("DELETE FROM users"))  # its transaction is open
        migrating = [await asyncio.create_subprocess_exec(*upgrade, cwd=ROOT, env=environment) for _ in range(2)]
        async with engine.connect() as other:
            waits = text("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY%'")
            async with asyncio.timeout(PATIENCE):
                while not await other.scalar(waits):
                    await other.commit()
                    await asyncio.sleep(0.05)
            async with asyncio.timeout(PATIENCE):
                await other.execute(text("DELETE FROM users"))  # no other writer waits for it
                await other.commit()
        await writer.commit()
    async with asyncio.timeout(PATIENCE):
        assert [await one.wait() for one in migrating] == [0, 0]
    async with engine.connect() as connection:
        valid = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'ix_users_language'::regclass"
        assert await connection.scalar(text(valid)) is True
    await engine.dispose()
