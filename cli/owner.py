"""`postloom owner`: who a user id is, which workflows and log lines name."""

from uuid import UUID

from core.container import open_services
from core.errors import NotFound
from core.settings import Settings
from core.users.repositories.users import UserRepository


async def describe_owner(settings: Settings, user_id: UUID) -> list[str] | None:
    """Return the lines about the user, or None if there is none."""
    async with (
        open_services(settings, pool_size=1, application="postloom command") as services,
        services.reading() as session,
    ):
        try:
            user = await UserRepository(session).get(user_id)
        except NotFound:
            return None
    return [
        f"{user.email}{'' if user.is_email_verified else ' (not verified)'}",
        f"signed up at {user.created_at:%F %T} UTC",
        *([f"disabled at {user.disabled_at:%F %T} UTC"] if user.disabled_at else []),
        *([f"deletion requested at {user.deletion_requested_at:%F %T} UTC"] if user.deletion_requested_at else []),
    ]
