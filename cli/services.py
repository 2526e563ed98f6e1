"""Settings of commands that run beside a running Postloom."""

import os

from cli.supervisor import running_environment
from core.settings import Settings, WrongSetting, load_environment, read_settings


def service_settings() -> Settings:
    """Return the settings, with the addresses of the embedded services if `make run` runs on `DATA_DIR`.

    Raise WrongSetting, also for DATABASE_URL if no database is found.
    """
    load_environment()
    for name, value in running_environment(read_settings().data_dir).items():
        os.environ.setdefault(name, value)
    settings = read_settings()
    if settings.database_url is None:
        raise WrongSetting("DATABASE_URL", f"is not set, and nothing runs on {settings.data_dir} (`make run`)")
    return settings
