"""`postloom keys rotate`: everything that is encrypted, by the first key."""

from uuid import UUID

from sqlalchemy import select

from cli.keys import describe_rotation
from core.clock import utcnow
from core.container import Services
from core.crypto import Vault
from core.encryption.key_rotation import KeyRotation
from core.encryption.repository import encrypted_tables
from core.notifications.notifying import NotifyingService
from core.notifications.rules import MailKind
from core.settings import secret_keys
from core.social_accounts.tables import Account, NetworkApp, ReplacedToken
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory

NEW = "a key of at least 32 characters, the new one"


async def sealed(services: Services) -> dict[tuple[str, str], dict[UUID, str]]:
    """By (table, column): the values that are there, by the keys of their rows."""
    found: dict[tuple[str, str], dict[UUID, str]] = {}
    async with services.sessions() as session:
        for table, columns in encrypted_tables():
            [key] = table.primary_key.columns
            for column in columns:
                rows = await session.execute(select(key, column).where(column.is_not(None)))
                found[table.name, column.name] = {row[0]: row[1] for row in rows}
    return found


async def test_all_columns_are_encrypted_anew_and_only_once(
    services: Services, networks: Networks, make: Factory, user: User
) -> None:
    account = await make.account(user, networks.url)
    await services.invitations.invite()
    await services.calendar_feed.renew(user.id, user)
    seal = services.vault.encrypt
    async with services.sessions.begin() as session:
        session.add(
            NetworkApp(
                kind=account.kind,
                base_url="https://server.test",
                redirect_uri="https://here.test",
                client_id="us",
                client_secret_encrypted=seal("hush"),
            )
        )
        session.add(
            ReplacedToken(
                user_id=user.id,
                kind=account.kind,
                access_token_encrypted=seal("replaced"),
                refresh_token_encrypted=seal("replaced, refreshing"),
                due_at=utcnow(),
            )
        )
        row = await session.get_one(Account, account.id)
        assert row.grant is not None
        row.access_token_encrypted, row.own_token_id = seal("a page's"), row.grant.token_id
        row.grant.refresh_token_encrypted = seal("refreshing")
        (await session.get_one(User, user.id)).totp_secret_encrypted = seal("one-time")
        await NotifyingService(session).enqueue_mail(user, MailKind.approval_needed, {}, seal("a link"))
    before = await sealed(services)
    empty = [place for place, values in before.items() if not values]
    assert empty == [], "the test has to fill every encrypted column"
    plain = {place: {key: services.vault.decrypt(one) for key, one in rows.items()} for place, rows in before.items()}

    vault = Vault.from_secrets([NEW, *secret_keys(services.settings)])
    rotated = await KeyRotation(services.sessions, vault).rotate()
    after, alone = await sealed(services), Vault.from_secrets([NEW])
    assert {place: {key: alone.decrypt(one) for key, one in rows.items()} for place, rows in after.items()} == plain
    assert sum(rotated.renewed.values()) == sum(len(rows) for rows in before.values())
    assert "Keep the last one" in describe_rotation(rotated, 2)[-1]

    again = await KeyRotation(services.sessions, vault).rotate()
    assert sum(again.renewed.values()) == 0
    assert await sealed(services) == after


async def test_what_no_key_opens_is_told_and_left_as_it_is(services: Services, user: User) -> None:
    lost = Vault.from_secrets(["a key that nobody has any more, alas, ever"]).encrypt("one-time")
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).totp_secret_encrypted = lost
    rotated = await KeyRotation(services.sessions, services.vault).rotate()
    assert rotated.lost == {"users": [user.id]}
    assert str(user.id) in "\n".join(describe_rotation(rotated, 1))
    async with services.sessions() as session:
        assert (await session.get_one(User, user.id)).totp_secret_encrypted == lost
