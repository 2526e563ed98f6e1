from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import select

from core.container import Services
from core.crypto import new_token, token_hash
from core.errors import Denied, Forbidden, Unauthenticated
from core.users.tables.users import AccessToken, Scope, TokenKind, User
from tests.factories import Factory

PASSWORD = "loom over warp and weft"


async def token_of(services: Services, user: User) -> str:
    _, token = await services.identity.sign_in_by_link(await services.identity.sign_in_link(user.id), "a device")
    return token


async def test_an_old_hash_is_renewed_at_the_next_sign_in(services: Services, make: Factory) -> None:
    user = await make.user("mara@example.com")
    weak = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=1024, parallelism=1)]).hash(PASSWORD)
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).password_hash = weak
    with pytest.raises(Denied):
        await services.identity.sign_in("mara@example.com", "not it at all", "")
    assert await stored_hash(services, user) == weak
    await services.identity.sign_in("mara@example.com", PASSWORD, "")
    renewed = await stored_hash(services, user)
    assert renewed.startswith("$argon2id$")
    assert renewed != weak
    await services.identity.sign_in("mara@example.com", PASSWORD, "")
    assert await stored_hash(services, user) == renewed


COMPOSED, DECOMPOSED = "räder über ketten", "ra\u0308der u\u0308ber ketten"


async def test_a_password_is_the_same_by_every_keyboard(services: Services, make: Factory) -> None:
    user = await make.user("mara@example.com")
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).password_hash = await services.identity.hashing.hash(DECOMPOSED)
    kept = await stored_hash(services, user)
    for typed in (COMPOSED, DECOMPOSED, COMPOSED.replace("r", "\uff52")):
        await services.identity.sign_in("mara@example.com", typed, "")
        assert await services.identity.hashing.fits(typed, kept)
    assert await stored_hash(services, user) == kept
    with pytest.raises(Denied):
        await services.identity.sign_in("mara@example.com", "rader uber ketten", "")


async def test_a_hash_of_a_password_as_it_was_typed_is_renewed(services: Services, make: Factory) -> None:
    """Earlier releases hashed what was typed."""
    user = await make.user("mara@example.com")
    earlier = services.identity.hashing.hasher.hash(DECOMPOSED)
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).password_hash = earlier
    assert await services.identity.hashing.fits(DECOMPOSED, earlier)
    await services.identity.sign_in("mara@example.com", DECOMPOSED, "")
    renewed = await stored_hash(services, user)
    assert renewed != earlier
    await services.identity.sign_in("mara@example.com", COMPOSED, "")
    assert await stored_hash(services, user) == renewed


async def stored_hash(services: Services, user: User) -> str:
    async with services.sessions() as session:
        return (await session.get_one(User, user.id)).password_hash


async def test_a_session_lasts_as_long_as_it_is_used(services: Services, user: User) -> None:
    token = await token_of(services, user)
    days = services.settings.session_days
    start = datetime.now(UTC)
    for used in (days - 1, 2 * days - 2, 3 * days - 3):
        with time_machine.travel(start + timedelta(days=used)):
            assert (await services.identity.authenticate(token)).user.id == user.id
    with time_machine.travel(start + timedelta(days=4 * days - 3, seconds=1)), pytest.raises(Unauthenticated):
        await services.identity.authenticate(token)


async def test_an_unused_session_ends(services: Services, user: User) -> None:
    token = await token_of(services, user)
    late = datetime.now(UTC) + timedelta(days=services.settings.session_days, seconds=1)
    with time_machine.travel(late), pytest.raises(Unauthenticated):
        await services.identity.authenticate(token)


async def test_use_is_not_written_at_every_request(services: Services, user: User) -> None:
    token = await token_of(services, user)

    async def last_used() -> datetime:
        async with services.sessions() as session:
            found = await session.scalar(select(AccessToken.last_used_at).where(AccessToken.user_id == user.id))
        assert found is not None
        return found

    began = await last_used()
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=4)):
        await services.identity.authenticate(token)
    assert await last_used() == began
    with time_machine.travel(datetime.now(UTC) + timedelta(minutes=6)):
        await services.identity.authenticate(token)
    assert await last_used() > began


async def test_an_api_key_lasts_until_it_is_revoked(services: Services, user: User) -> None:
    key = new_token()
    async with services.sessions.begin() as session:
        session.add(
            AccessToken(
                user_id=user.id, token_hash=token_hash(key), kind=TokenKind.api_key, scope=Scope.read, last_used_at=None
            )
        )
    for later in (timedelta(0), timedelta(days=400), timedelta(days=4000)):
        with time_machine.travel(datetime.now(UTC) + later):
            access = await services.identity.authenticate(key)
        assert (access.user.id, access.kind, access.scope) == (user.id, TokenKind.api_key, Scope.read)
    with pytest.raises(Forbidden):
        await services.identity.sign_out(key)
    await services.identity.authenticate(key)


async def test_a_token_says_what_it_is(services: Services, user: User) -> None:
    access = await services.identity.authenticate(await token_of(services, user))
    assert (access.kind, access.scope) == (TokenKind.session, Scope.write)


@pytest.mark.parametrize("column", ["disabled_at", "deletion_requested_at"])
async def test_who_is_disabled_or_deleted_has_no_way_in(services: Services, user: User, column: str) -> None:
    token = await token_of(services, user)
    link = await services.identity.sign_in_link(user.id)
    async with services.sessions.begin() as session:
        setattr(await session.get_one(User, user.id), column, datetime.now(UTC))
    expected = {
        "disabled_at": (Forbidden, Forbidden),
        "deletion_requested_at": (Unauthenticated, Denied),
    }[column]
    with pytest.raises(expected[0]):
        await services.identity.authenticate(token)
    with pytest.raises(expected[1]):
        await services.identity.sign_in_by_link(link, "")


async def test_the_first_code_is_shown_until_somebody_has_signed_up(services: Services, make: Factory) -> None:
    code = await services.invitations.first_code()
    assert code is not None
    assert len(code) == 11
    assert await services.invitations.first_code() == code
    await make.user()
    assert await services.invitations.first_code() is None


async def test_a_user_is_added_once(services: Services) -> None:
    added = [
        await services.identity.add_verified(email, language="en", time_zone="UTC", name="Demo")
        for email in ("demo@example.com", "Demo@Example.com")
    ]
    assert added[0].id == added[1].id
    assert added[0].is_email_verified
