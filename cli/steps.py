"""Steps of a start that need the product loaded: `python -m cli.steps NAME` does one and prints its result."""

import asyncio
import sys

from cli.end_process import end_process
from core.installation.start_checks import StartRefused
from core.settings import read_settings


def migrate() -> str:
    from core.database import migrate

    url = read_settings().database_url
    assert url
    migrate(url)
    return ""


def first_code() -> str:
    """Return the invitation code for the first user; empty if a user exists."""
    from cli.invite import first_code

    return asyncio.run(first_code(read_settings())) or ""


def seed() -> str:
    """Create the demo data. Return the sign-in link."""
    from cli.demo import seed

    return asyncio.run(seed(read_settings()))


STEPS = {"migrate": migrate, "first-code": first_code, "seed": seed}

if __name__ == "__main__":
    try:
        sys.stdout.write(STEPS[sys.argv[1]]())
    except StartRefused as refused:
        raise SystemExit(str(refused)) from None
    end_process(0)
