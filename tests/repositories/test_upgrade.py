"""A database of an older version goes on as it is: whoever could come in still can."""

import asyncio
from pathlib import Path
from uuid import UUID

from alembic import command
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import text

from core.container import Services, wire
from core.crypto import new_code, new_token, shown_code, token_hash
from core.database import migrate, open_engine, open_sessions
from core.domain.ids import new_id
from core.models import Scope, TokenKind
from core.services.identity import SignUp
from core.settings import Settings
from tests.architecture.test_migrations import config_for

PASSWORD = "loom over warp and weft"
FIRST = "0001"


async def rows_of_the_first_revision(services: Services, token: str, link: str, code: str) -> UUID:
    """A user with a signed-in device, a link and an invitation, as the first version wrote them."""
    user_id = new_id()
    weak = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)])
    values = {
        "user": user_id,
        "hash": weak.hash(PASSWORD),
        "token_id": new_id(),
        "token": token_hash(token),
        "link_id": new_id(),
        "link": token_hash(link),
        "invitation_id": new_id(),
        "code": services.vault.keyed_hash(code),
        "encrypted": services.vault.encrypt(code),
    }
    statements = [
        """INSERT INTO users (id, email, password_hash, is_email_verified, display_name, language, time_zone,
           created_at, updated_at) VALUES (:user, 'mara@example.com', :hash, true, 'Mara', 'de', 'Europe/Berlin',
           now(), now())""",
        """INSERT INTO access_tokens (id, user_id, token_hash, device, created_at, last_used_at, expires_at)
           VALUES (:token_id, :user, :token, 'a device', now(), now(), now() + interval '30 days')""",
        """INSERT INTO mail_links (id, user_id, purpose, token_hash, created_at, expires_at)
           VALUES (:link_id, :user, 'sign_in', :link, now(), now() + interval '1 day')""",
        """INSERT INTO invitations (id, user_id, code_hash, code_encrypted, expires_at, created_at, updated_at)
           VALUES (:invitation_id, :user, :code, :encrypted, now() + interval '14 days', now(), now())""",
    ]
    async with services.sessions.begin() as session:
        for statement in statements:
            await session.execute(text(statement), values)
    return user_id


async def test_users_of_the_first_version_go_on(database: str, settings: Settings, tmp_path: Path) -> None:
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "base")
    await asyncio.to_thread(command.upgrade, config, FIRST)
    config.stdout.close()
    engine = open_engine(database)
    services = wire(settings.model_copy(update={"database_url": database}), engine, open_sessions(engine))
    token, link, code = new_token(), new_token(), new_code()
    user_id = await rows_of_the_first_revision(services, token, link, code)
    await engine.dispose()  # what it prepared was for the older tables

    await asyncio.to_thread(migrate, database)

    access = await services.identity.authenticate(token)
    assert (access.user.id, access.kind, access.scope) == (user_id, TokenKind.session, Scope.write)
    assert (access.user.display_name, access.user.time_zone) == ("Mara", "Europe/Berlin")
    for user, _ in (
        await services.identity.sign_in("mara@example.com", PASSWORD, ""),
        await services.identity.sign_in_by_link(link, ""),
    ):
        assert user.id == user_id
    page = await services.inviting.page(user_id, search="", offset=0, limit=10)
    assert [(found.code, found.state) for found in page.items] == [(shown_code(code), "open")]
    form = SignUp("ada@example.com", PASSWORD, code, "en", "UTC", consent=True, device="")
    invited, _ = await services.identity.sign_up(form)
    assert not invited.is_email_verified
    await engine.dispose()
