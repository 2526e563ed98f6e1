"""A database of an older version goes on as it is: whoever could come in still can."""

import asyncio
from pathlib import Path
from uuid import UUID

from alembic import command
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncEngine

from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import CallOutcome, Transaction
from core.assistants.repository import AssistantRepository
from core.container import Services, wire
from core.crypto import new_code, new_token, shown_code, token_hash
from core.database import Sessions, migrate, open_engine, open_sessions
from core.ids import new_id
from core.media.repository import MediaOrigin, MediaSort
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.settings import Settings
from core.social_accounts.tables import Grant
from core.templates.rules.model_settings import image_from_json
from core.templates.rules.templates import Engine, TemplateType
from core.templates.versions import TemplateService
from core.topics.rules import PickFrom
from core.users.identity import SignUp
from core.users.tables.users import Scope, TokenKind
from tests.architecture.test_migrations import config_for

PASSWORD = "loom over warp and weft"
FIRST = "0001"
BEFORE_MATERIAL = "0003"
BEFORE_PICK_FROM = "0004"
BEFORE_TRYOUTS = "0007"
BEFORE_BY_ASSISTANT = "0015"
BEFORE_REPLACED_TOKENS = "0099"
BEFORE_MAIL_KINDS = "0108"


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


async def upgraded(engine: AsyncEngine, database: str, statements: list[str], ids: dict[str, UUID]) -> Sessions:
    """Rows as an older release wrote them, and then today's tables. Each statement takes those of the ids it names."""
    sessions = open_sessions(engine)
    async with sessions.begin() as session:
        for statement in statements:
            await session.execute(text(statement), {k: v for k, v in ids.items() if f":{k}" in statement})
    await engine.dispose()
    await asyncio.to_thread(migrate, database)
    return sessions


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
    page = await services.invitations.page(user_id, search="", offset=0, limit=10)
    assert [(found.code, found.state) for found in page.items] == [(shown_code(code), "open")]
    form = SignUp("ada@example.com", PASSWORD, code, "en", "UTC", consent=True, device="")
    invited, _ = await services.identity.sign_up(form)
    assert not invited.is_email_verified
    await engine.dispose()


async def test_material_of_an_older_version_goes_on(database: str, settings: Settings, tmp_path: Path) -> None:
    """Templates whose versions were bodies alone, a picture without a name, a call of a model without an outcome."""
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, "base")
    await asyncio.to_thread(command.upgrade, config, BEFORE_MATERIAL)
    config.stdout.close()
    engine = open_engine(database)
    ids = {name: new_id() for name in ("user", "template", "version", "media", "call")}
    statements = [
        """INSERT INTO users (id, email, password_hash, is_email_verified, display_name, language, time_zone,
           created_at, updated_at) VALUES (:user, 'mara@example.com', 'none', true, 'Mara', 'de', 'UTC', now(),
           now())""",
        """INSERT INTO templates (id, user_id, type, visibility, name, description, language, tags, usage_count,
           version, created_at, updated_at) VALUES (:template, :user, 'image', 'private', 'Karte', 'Zum Merken', 'de',
           '["rad"]', 3, 1, now(), now())""",
        """INSERT INTO template_versions (id, user_id, template_id, number, body, created_at, updated_at)
           VALUES (:version, :user, :template, 1, '((Content))', now(), now())""",
        """INSERT INTO media (id, user_id, sha256, storage_key, mime, width, height, bytes, made_by, created_at,
           updated_at) VALUES (:media, :user, 'a', 'a/a.jpg', 'image/jpeg', 1, 1, 1, 'cards/quote', now(), now())""",
        """INSERT INTO transactions (id, user_id, key, type, provider, model, images, currency, duration_ms, created_at)
           VALUES (:call, :user, 'k', 'text', 'openai', 'gpt-6-luna', 0, 'USD', 5, now())""",
    ]
    sessions = await upgraded(engine, database, statements, ids)

    services = wire(settings.model_copy(update={"database_url": database}), engine, sessions)
    async with sessions() as session:
        found = TemplateService(session)
        [(version, used_by)], total = await found.versions(ids["user"], ids["template"], offset=0, limit=10)
        assert (version.type, version.name, version.description) == (TemplateType.image, "Karte", "Zum Merken")
        assert (version.language, version.tags, used_by, total) == ("de", ["rad"], 0, 1)
        # as before there was a choice: the server's image model, or cards where it has none
        assert image_from_json(version.settings.get("image") or {}).engine is Engine.ai
        call = await session.get_one(Transaction, ids["call"])
        assert call.outcome is CallOutcome.succeeded
    [picture], *_ = await services.gallery.page(
        ids["user"], search="", tag=None, origin=MediaOrigin.card, sort=MediaSort.newest, offset=0, limit=10
    )
    assert (picture.id, picture.name, picture.tags, picture.version) == (ids["media"], "", [], 1)
    await engine.dispose()


async def test_assistants_of_an_older_version_go_on_picking_from_leaves(
    database: str, settings: Settings, tmp_path: Path
) -> None:
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, BEFORE_PICK_FROM)
    config.stdout.close()
    engine = open_engine(database)
    ids = {"user": new_id(), "assistant": new_id()}
    statements = [
        """INSERT INTO users (id, email, password_hash, is_email_verified, display_name, language, time_zone,
           created_at, updated_at) VALUES (:user, 'mara@example.com', 'none', true, 'Mara', 'de', 'UTC', now(),
           now())""",
        """INSERT INTO assistants (id, user_id, name, tags, strategy, image_source, variables, mode, language,
           lead_minutes, active, version, created_at, updated_at) VALUES (:assistant, :user, 'Tipps', '[]',
           'in_order', 'none', '{}', 'draft', 'de', 15, false, 1, now(), now())""",
    ]
    sessions = await upgraded(engine, database, statements, ids)

    async with sessions() as session:
        full = await AssistantRepository(session).get(ids["user"], ids["assistant"])
    assert (full.row.name, full.row.pick_from) == ("Tipps", PickFrom.leaves)
    await engine.dispose()


async def test_tryouts_of_an_older_version_are_still_there(database: str, settings: Settings, tmp_path: Path) -> None:
    """And the way back: both with the call that each of them was booked for."""
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, BEFORE_TRYOUTS)
    engine = open_engine(database)
    ids = {name: new_id() for name in ("user", "template", "tryout", "call")}
    statements = [
        """INSERT INTO users (id, email, password_hash, is_email_verified, display_name, language, time_zone,
           created_at, updated_at) VALUES (:user, 'mara@example.com', 'none', true, 'Mara', 'de', 'UTC', now(),
           now())""",
        """INSERT INTO templates (id, user_id, type, visibility, name, description, language, tags, usage_count,
           version, sample_text, copied_name, copied_author, created_at, updated_at) VALUES (:template, :user, 'text',
           'private', 'Tipp', '', 'de', '[]', 0, 1, '', '', '', now(), now())""",
        """INSERT INTO template_runs (id, user_id, template_id, type, body, settings, language, inputs, state, attempt,
           detail, output, provider, model, created_at, updated_at) VALUES (:tryout, :user, :template, 'text', 'x',
           '{}', 'de', '{}', 'succeeded', 1, '', 'Licht an.', 'openai', 'gpt-6-luna', now(), now())""",
        """INSERT INTO transactions (id, user_id, template_run_id, key, type, outcome, provider, model, images,
           currency, duration_ms, created_at) VALUES (:call, :user, :tryout, 'template-run-' || :tryout || ':text:1',
           'text', 'succeeded', 'openai', 'gpt-6-luna', 0, 'USD', 5, now())""",
    ]
    sessions = await upgraded(engine, database, statements, ids)

    services = wire(settings.model_copy(update={"database_url": database}), engine, sessions)
    kept = await services.tryouts.get(ids["user"], ids["template"], ids["tryout"])
    assert (kept.output, kept.state) == ("Licht an.", GenerationState.succeeded)
    async with sessions() as session:
        call = await session.get_one(Transaction, ids["call"])
    assert (call.tryout_id, call.key) == (ids["tryout"], f"tryout-{ids['tryout']}:text:1")
    await engine.dispose()

    await asyncio.to_thread(command.downgrade, config, BEFORE_TRYOUTS)
    config.stdout.close()
    async with sessions() as session:
        [(run, key)] = await session.execute(text("SELECT template_run_id, key FROM transactions"))
    assert (run, key) == (ids["tryout"], f"template-run-{ids['tryout']}:text:1")
    await engine.dispose()


async def test_what_assistants_of_an_older_version_made_is_told_apart(
    database: str, settings: Settings, tmp_path: Path
) -> None:
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, BEFORE_BY_ASSISTANT)
    config.stdout.close()
    engine = open_engine(database)
    ids = {name: new_id() for name in ("user", "post", "card", "upload", "own", "first", "second")}
    media = """INSERT INTO media (id, user_id, sha256, storage_key, mime, width, height, bytes, made_by, source, name,
               alt, tags, card_notes, version, created_at, updated_at) VALUES (:{0}, :user, '{0}', 'a/{0}.png',
               'image/png', 1, 1, 1, '', '{1}', '{0}', '', '[]', '[]', 1, now(), now())"""
    in_post = """INSERT INTO post_files (id, user_id, post_id, media_id, position, alt) VALUES (:{0}, :user, :post,
                 :{1}, {2}, '')"""
    statements = [
        """INSERT INTO users (id, email, password_hash, is_email_verified, display_name, language, time_zone,
           created_at, updated_at) VALUES (:user, 'mara@example.com', 'none', true, 'Mara', 'de', 'UTC', now(),
           now())""",
        """INSERT INTO posts (id, user_id, source, status, content, content_hash, topic_title, language, written_by,
           time_zone, version, created_at, updated_at) VALUES (:post, :user, 'assistant', 'draft', 'x', '', '', 'de',
           '', 'UTC', 1, now(), now())""",
        *(media.format(*one) for one in (("card", "card"), ("upload", "upload"), ("own", "card"))),
        *(in_post.format(*one) for one in (("first", "card", 0), ("second", "upload", 1))),
    ]
    sessions = await upgraded(engine, database, statements, ids)

    services = wire(settings.model_copy(update={"database_url": database}), engine, sessions)
    found = await services.gallery.page(
        ids["user"], search="", tag=None, origin=MediaOrigin.assistant, sort=MediaSort.newest, offset=0, limit=10
    )
    assert ([one.id for one in found.rows], found.origins[MediaOrigin.own]) == ([ids["card"]], 2)
    await engine.dispose()


async def test_whose_consent_it_is_is_known_where_it_led_to_a_person(database: str, tmp_path: Path) -> None:
    """So that nothing of theirs is given back while another user posts by it."""
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, BEFORE_REPLACED_TOKENS)
    config.stdout.close()
    engine = open_engine(database)
    ids = {name: new_id() for name in ("user", "person", "page", "ada", "shop")}
    grant = """INSERT INTO grants (id, user_id, kind, base_url, access_token_encrypted, token_id, token_since, scopes,
               state, revoke_attempts, version, told_version, created_at, updated_at) VALUES (:{0}, :user, 'linkedin',
               '', 'x', :{0}, now(), '[]', 'connected', 0, 1, 1, now(), now())"""
    account = """INSERT INTO accounts (id, user_id, grant_id, kind, type, base_url, external_id, name, handle,
                 own_state, created_at, updated_at) VALUES (:{0}, :user, :{1}, 'linkedin', '{2}', '', '{0}', '{0}', '',
                 'connected', now(), now())"""
    statements = [
        """INSERT INTO users (id, email, password_hash, is_email_verified, display_name, language, time_zone,
           created_at, updated_at) VALUES (:user, 'mara@example.com', 'none', true, 'Mara', 'de', 'UTC', now(),
           now())""",
        *(grant.format(one) for one in ("person", "page")),
        account.format("ada", "person", "person"),
        account.format("shop", "page", "organisation"),
    ]
    sessions = await upgraded(engine, database, statements, ids)
    async with sessions() as session:
        subjects = {one.id: one.subject for one in await session.scalars(select(Grant))}
    assert subjects == {ids["person"]: "ada", ids["page"]: None}
    await engine.dispose()


async def test_pending_mails_of_an_older_version_are_sent_under_their_new_names(database: str, tmp_path: Path) -> None:
    """And the way back: the older version can read them again."""
    config = config_for(database, tmp_path / "said")
    await asyncio.to_thread(command.downgrade, config, BEFORE_MAIL_KINDS)
    engine = open_engine(database)
    new_names = {
        "approval_wanted": MailKind.approval_needed,
        "account_needs_reconnecting": MailKind.account_reconnect,
        "assistant_paused": MailKind.assistant_paused_itself,
        "budget_spent": MailKind.budget_reached,
        "budget_unpriced": MailKind.budget_unpriced,
    }
    ids = {"user": new_id(), **{name: new_id() for name in new_names}}
    statements = [
        """INSERT INTO users (id, email, password_hash, is_email_verified, display_name, language, time_zone,
           created_at, updated_at) VALUES (:user, 'mara@example.com', 'none', true, 'Mara', 'de', 'UTC', now(),
           now())""",
        *(
            f"""INSERT INTO mails (id, user_id, kind, to_email, language, params, state, created_at)
                VALUES (:{name}, :user, '{name}', 'mara@example.com', 'de', '{{}}', 'pending', now())"""
            for name in new_names
        ),
    ]
    sessions = await upgraded(engine, database, statements, ids)
    async with sessions() as session:
        kinds = {mail.id: mail.kind for mail in await session.scalars(select(Mail).where(Mail.state == "pending"))}
    assert kinds == {ids[old]: new for old, new in new_names.items()}
    await engine.dispose()

    await asyncio.to_thread(command.downgrade, config, BEFORE_MAIL_KINDS)
    config.stdout.close()
    async with sessions() as session:
        found = {row.id: row.kind for row in await session.execute(text("SELECT id, kind FROM mails"))}
    assert found == {ids[old]: old for old in new_names}
    await engine.dispose()
