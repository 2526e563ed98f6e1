"""Invitation codes from the command line."""

from core.container import open_services
from core.settings import Settings


async def first_code(settings: Settings) -> str | None:
    """Return the code for the first sign-up, as shown to people; None once a user exists."""
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        return await services.invitations.first_code()


async def new_codes(settings: Settings, count: int) -> list[str]:
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        return [await services.invitations.invite() for _ in range(count)]
