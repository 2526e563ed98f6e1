"""What a start asks the database before it loads anything heavy."""

from pathlib import Path

from alembic.config import Config
from alembic.script import ScriptDirectory

from cli.peek import look, newest_revision
from core.crypto import Vault
from core.database import open_engine, open_sessions
from core.settings import ROOT
from tests.factories import Factory


def test_the_newest_revision_is_the_one_that_alembic_would_go_to() -> None:
    config = Config()
    config.set_main_option("script_location", str(ROOT / "core" / "migrations"))
    assert newest_revision() == ScriptDirectory.from_config(config).get_current_head()


async def test_a_current_database_and_its_first_user_are_seen(database: str) -> None:
    assert look(database) == {"revision": newest_revision(), "has_users": False}
    engine = open_engine(database)
    await Factory(open_sessions(engine), Vault([b"tests" * 8])).user()
    await engine.dispose()
    assert look(database)["has_users"] is True


def test_a_database_that_is_away_shows_nothing(tmp_path: Path) -> None:
    assert look(f"postgresql+psycopg://postgres@/postloom?host={tmp_path}") == {"revision": None, "has_users": False}
