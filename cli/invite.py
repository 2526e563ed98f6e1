"""Invitation codes from the command line."""

from core.container import open_services
from core.settings import Settings


async def first_code(settings: Settings) -> str | None:
    """Return the code for the first sign-up, as shown to people; None once a user exists. Raise StartRefused if nodes
    have other keys and would not know the code."""
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        await services.start_checks.check_secret_key()
        return await services.invitations.first_code()


async def new_codes(settings: Settings, count: int) -> list[str]:
    """Return new codes, as shown to people. Raise StartRefused as `first_code`."""
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        await services.start_checks.check_secret_key()
        return [await services.invitations.invite() for _ in range(count)]
