"""One history of the database: it leads from nothing to what the models say, and back."""

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.ext.asyncio import create_async_engine

from core.settings import ROOT
from core.tables import Base

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
    async with asyncio.timeout(60):
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
