"""Settings of commands that run beside a running Postloom, or are a part of one."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from cli.plan import MAIL_PORT
from cli.postgres import EmbeddedPostgres, has_embedded_data
from cli.stand_ins import point_to_sandbox
from cli.supervisor import running_environment
from core.settings import Settings, WrongSetting, load_environment, read_settings

_SANDBOX_SECRET: Final = "sandbox"
"""Of the OAuth clients at a sandbox that several nodes use: they need the same one, and it protects nothing."""


def load_service_environment() -> None:
    """Load `.env`, the addresses of the embedded services if `make run` runs on `DATA_DIR`, and, with SANDBOX and
    SANDBOX_URL, the settings that lead to that sandbox. What is set already stays. Raise WrongSetting."""
    load_environment()
    for name, value in running_environment(read_settings().data_dir).items():
        os.environ.setdefault(name, value)
    settings = read_settings()
    if settings.sandbox and settings.sandbox_url:
        for name, value in _lead_to_sandbox(settings, settings.sandbox_url).items():
            os.environ.setdefault(name, value)


def service_settings() -> Settings:
    """Load the environment and return the settings. Raise WrongSetting, also for DATABASE_URL if no database is
    found."""
    load_service_environment()
    settings = read_settings()
    if settings.database_url is None:
        raise WrongSetting("DATABASE_URL", f"is not set, and nothing runs on {settings.data_dir} (`make run`)")
    return settings


@contextmanager
def settings_with_database() -> Iterator[Settings]:
    """Yield the settings as `service_settings` does. If nothing runs on DATA_DIR but its embedded database exists, run
    it meanwhile: `make run` may have stopped because of what the command mends. Raise WrongSetting or PostgresError."""
    load_service_environment()
    settings = read_settings()
    if settings.database_url is not None or not has_embedded_data(settings.data_dir):
        yield service_settings()
        return
    postgres = EmbeddedPostgres(settings.data_dir)
    try:
        yield settings.model_copy(update={"database_url": postgres.start()})
    finally:
        postgres.stop()


def _lead_to_sandbox(settings: Settings, url: str) -> dict[str, str]:
    added = point_to_sandbox(os.environ, url, _SANDBOX_SECRET)
    if not settings.smtp_url:
        host = urlsplit(url).hostname or ""
        added["SMTP_URL"] = f"smtp+plain://{f'[{host}]' if ':' in host else host}:{MAIL_PORT}"
        added["MAIL_OUTBOX_URL"] = f"{url}/outbox"
    if not settings.internal_pages:
        added["INTERNAL_PAGES"] = url
    return added
