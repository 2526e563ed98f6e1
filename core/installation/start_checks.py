"""What is checked when a process starts, against the database and the storage."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError

from core.crypto import Vault
from core.database import Sessions, log_failure, open_engine, open_sessions
from core.database_clock import database_now
from core.errors import Unavailable
from core.installation.repository import InstallationRepository
from core.installation.revisions import find_revision_problem
from core.installation.secret_keys import SecretKeyService
from core.media.storage import Storage, open_storage
from core.settings import Settings, WrongSetting, secret_keys

logger = logging.getLogger(__name__)

MAX_CLOCK_DIFFERENCE: Final = timedelta(seconds=5)
_STORAGE_PATIENCE: Final = 10.0  # seconds
_DATABASE_PATIENCE: Final = 10.0  # seconds


class StartRefused(Exception):
    """Something does not fit, and waiting does not change it. The message is one line that says what to do, without
    secrets and addresses."""


class StartDelayed(Exception):
    """Something does not answer yet. The message is as of StartRefused; `reason` is for the log alone."""

    def __init__(self, message: str, reason: object = "") -> None:
        super().__init__(message)
        self.reason = " ".join(str(reason).split())


@dataclass
class StartChecks:
    settings: Settings
    sessions: Sessions
    vault: Vault
    storage: Storage
    _passed: bool = field(default=False, init=False)

    async def run(self) -> None:
        """Check everything, unless it has passed before. Raise StartRefused or StartDelayed."""
        if self._passed:
            return
        try:
            async with asyncio.timeout(_DATABASE_PATIENCE):
                await self.check_revision()
                await self.check_origin()
                await self.check_clock()
                await self.check_secret_key()
        except (OperationalError, InterfaceError, OSError) as error:  # TimeoutError is an OSError
            reason = getattr(error, "orig", None) or error
            raise StartDelayed(
                f"DATABASE_URL: the database does not answer ({type(error).__name__})", reason
            ) from error
        except DBAPIError as error:  # such as a right that is missing
            log_failure(logger, "checks of the start", error)
            raise StartRefused(
                "DATABASE_URL: the database refuses a query, the log says why: check the rights of the database's user"
            ) from error
        await self.check_storage()
        self._passed = True

    async def find_problem(self) -> str | None:
        """As `run`, but return the message."""
        try:
            await self.run()
        except (StartRefused, StartDelayed) as error:
            return str(error)
        return None

    async def check_revision(self) -> None:
        async with self.sessions() as session:
            problem = find_revision_problem(await InstallationRepository(session).read_revision())
        if problem:
            raise StartRefused(problem)

    async def check_origin(self, *, record: bool = True) -> None:
        """Refuse a copy of another database, which would publish again what that one has published. Also record this
        database, if it is the first, unless `record` is off."""
        async with self.sessions.begin() as session:
            installation = InstallationRepository(session)
            identity, known = await installation.read_identity(), await installation.read_known_databases()
            if not known and record:
                await installation.record_database(identity)
        if known and not any(may_start and identity.is_same(one) for one, may_start in known):
            raise StartRefused(
                "DATABASE_URL: these rows come from a backup, or are a copy of another database's: stop all other "
                "processes of Postloom, then run `postloom restored`; if nothing ran since the copy, as after "
                "pg_upgrade, `postloom restored --moved`"
            )

    async def check_clock(self) -> timedelta:
        """Return how far this machine's clock is ahead of the database's, at least."""
        async with self.sessions() as session:
            await session.connection()  # connecting takes time, which is not the clocks' difference
            before = datetime.now(UTC)
            theirs = await database_now(session)
            after = datetime.now(UTC)
        difference = before - theirs if theirs < before else after - theirs if theirs > after else timedelta()
        if abs(difference) > MAX_CLOCK_DIFFERENCE:
            seconds = round(abs(difference).total_seconds())
            word = "ahead of" if difference > timedelta() else "behind"
            raise StartRefused(
                f"clock: this machine's is {seconds} s {word} the database's: synchronise both (NTP), then start again"
            )
        return difference

    async def check_secret_key(self, *, record: bool = True) -> None:
        """Also record this node's keys, unless `record` is off."""
        keys = SecretKeyService(self.sessions, self.vault)
        if problem := await (keys.record_start() if record else keys.find_problem()):
            missing = "" if self.settings.secret_key else "is not set, and the key in DATA_DIR/secret.key "
            raise StartRefused(
                f"SECRET_KEY: {missing}{problem}: set the same SECRET_KEY on all nodes, or, if that key is lost, run "
                "`postloom keys accept`"
            )

    async def check_storage(self) -> None:
        """Write a file and delete it."""
        try:
            async with asyncio.timeout(_STORAGE_PATIENCE):
                await self.storage.ensure_writable()
        except (Unavailable, TimeoutError) as error:
            kind = error.params.get("reason") if isinstance(error, Unavailable) else type(error).__name__
            raise StartDelayed(
                f"MEDIA_URL: the storage of images cannot be written ({kind}): check its address, its rights and, for "
                "a bucket, the AWS_ variables",
                str(error.__cause__ or "").partition("Debug source")[0],
            ) from error


@asynccontextmanager
async def open_start_checks(settings: Settings) -> AsyncIterator[StartChecks]:
    """Yield the checks with connections of their own. Raise WrongSetting if no database is configured."""
    import core.all_tables  # noqa: F401 - the encrypted columns of all tables

    if settings.database_url is None:
        raise WrongSetting("DATABASE_URL", "is not set")
    engine = open_engine(settings.database_url, pool_size=1)
    storage = open_storage(settings.media_url, settings.media_fetch_url)
    try:
        yield StartChecks(settings, open_sessions(engine), Vault.from_secrets(secret_keys(settings)), storage)
    finally:
        await engine.dispose()
