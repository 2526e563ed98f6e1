"""A user with one row of everything, made with the product's services; used by tests of export and deletion."""

from dataclasses import dataclass
from uuid import UUID

from pyotp import TOTP
from sqlalchemy import select, text

from core.assistants.tables import Assistant
from core.container import Services
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.ids import new_id, run_id, run_workflow
from core.media.rules.cards import CardSettings
from core.notifications.tables.mails import Mail
from core.social_accounts.tables import Account
from core.tables import Base
from core.templates.repositories.templates import TemplateRepository
from core.templates.tryouts import TryoutForm
from core.topics.repositories.topics import TopicRepository
from core.users.export import LEFT_OUT, WITHHELD
from core.users.identity import SignUp
from core.users.tables.users import Scope, User
from tests.conftest import Networks
from tests.factories import Factory
from tests.workflows.support import soon

PASSWORD = "loom over warp and weft"
SECRET = frozenset(
    {
        "access_token_encrypted",
        "code_encrypted",
        "code_hash",
        "password_hash",
        "refresh_token_encrypted",
        "secret_encrypted",
        "token_hash",
        "totp_secret_encrypted",
    }
)
"""Columns that hold a secret, encrypted or hashed."""


@dataclass(frozen=True)
class Life:
    user: User
    email: str
    token: str
    """Session token."""
    assistant: Assistant
    account: Account
    secrets: frozenset[str]
    """All secrets of the user in plain text."""


async def sign_up(services: Services, email: str, *, code: str | None = None) -> tuple[User, str]:
    form = SignUp(
        email=email,
        password=PASSWORD,
        invitation_code=code or await services.invitations.invite(),
        language="en",
        time_zone="Europe/Berlin",
        consent=True,
        device="Firefox on Linux",
    )
    return await services.identity.sign_up(form)


async def live(
    services: Services,
    make: Factory,
    networks: Networks,
    email: str,
    *,
    code: str | None = None,
    person: str = "mara-lind",
) -> Life:
    """Return a new user, connected as `person`, with a published post with image, a template's tryout and suggested
    subtopics; the run is over, the assistant inactive."""
    user, token = await sign_up(services, email, code=code)
    async with services.sessions.begin() as session:
        found = await session.get_one(User, user.id)
        found.is_email_verified, found.display_name = True, f"Name of {email}"
    _, key_text = await services.account_security.add_api_key(user.id, "a script", Scope.write)
    offer = await services.account_security.offer_second_factor(user.id, PASSWORD)
    recovery = await services.account_security.confirm_second_factor(user.id, TOTP(offer.secret).now())
    invited = await services.invitations.create(user.id, email=f"friend-of-{email}", send=True)
    await services.identity.request_password_reset(email)
    account = await make.account(user, networks.url, person)
    assistant = await make.assistant(user, accounts=(account.id,))
    await publish(services, assistant)
    await services.tryouts.make(user.id, await order_tryout(services, assistant), 1)
    await services.suggestions.run_round(user.id, await suggest(services, assistant), 1)
    await services.cards.add_preset(user.id, "House style", CardSettings(foot=f"By {email}"))
    links = await _links(services, user.id)
    async with services.sessions() as session:
        stored = await session.get_one(Account, account.id)
    provider = services.connecting.credentials(stored).access_token
    secrets = {PASSWORD, token, key_text, offer.secret, *recovery, invited.code, invited.code.replace("-", ""), *links}
    return Life(user, email, token, assistant, account, frozenset({*secrets, provider}))


async def publish(services: Services, assistant: Assistant) -> None:
    """Run one slot of the assistant without its workflow."""

    async def at_once() -> None:
        return

    slot = soon(0)
    name = run_workflow(assistant.id, slot)
    user, run = assistant.user_id, run_id(name)
    await services.drafting.begin(user, assistant.id, run, name, slot)
    await services.drafting.write(user, run, 1)
    await services.imaging.make(user, run, 1)
    checked = await services.drafting.check(user, run)
    [(delivery_id, *_)] = checked.deliveries
    done = await services.delivering.deliver(user, delivery_id, wait=at_once)
    assert done is DeliveryOutcome.published
    await services.projecting.finish(user, run)


async def order_tryout(services: Services, assistant: Assistant) -> UUID:
    """Order a tryout as the API does, without starting its workflow. Return its id."""
    assert assistant.template_version_id is not None
    async with services.sessions() as session:
        version = await TemplateRepository(session).version(assistant.user_id, assistant.template_version_id)
    form = TryoutForm(version.body, {}, "en", {"Topic": "Rain without drama"})
    return (await services.tryouts.order(assistant.user_id, version.template_id, new_id(), form)).id


async def suggest(services: Services, assistant: Assistant) -> UUID:
    """Order suggestions under the root of the assistant's topics, without their workflow. Return the order's id."""
    user_id, tree_id = assistant.user_id, assistant.topic_tree_id
    assert tree_id is not None
    async with services.sessions() as session:
        root, *_ = await TopicRepository(session).nodes(user_id, tree_id)
    row = await services.suggestions.order(user_id, tree_id, root.id, new_id(), wanted=3, language="en")
    return row.id


async def _links(services: Services, user_id: UUID) -> set[str]:
    """Return the secrets of the mails that wait to be sent."""
    async with services.sessions() as session:
        sealed = await session.scalars(
            select(Mail.secret_encrypted).where(Mail.user_id == user_id, Mail.secret_encrypted.is_not(None))
        )
        return {services.vault.decrypt(secret) for secret in sealed if secret}


async def dumped(services: Services) -> dict[str, str]:
    """Return all rows of every table as text, by table name."""
    async with services.sessions() as session:
        names = await session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'"))
        found = {}
        for name in names.all():
            rows = await session.scalars(text(f'SELECT "{name}"::text FROM "{name}"'))
            found[name] = "\n".join(rows.all())
    return found


async def fingerprints(services: Services, user_id: UUID) -> set[str]:
    """Return the stored hashes and encrypted values of a user's secrets."""
    found: set[str] = set()
    async with services.sessions() as session:
        for table in Base.metadata.tables.values():
            mine = table.c.id if table.name == "users" else table.c.get("user_id")
            hidden = [table.c[name] for name in sorted(WITHHELD.get(table.name, set()) & SECRET)]
            hidden += [column for column in table.c if table.name in LEFT_OUT and column.name.endswith("_hash")]
            if mine is not None and hidden:
                for row in await session.execute(select(*hidden).where(mine == user_id)):
                    found.update(str(value) for value in row if value)
    return found
