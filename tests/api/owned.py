"""One of everything that a user can have, for the tests that ask every operation for it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher

from core.container import Services
from core.domain.ids import new_id
from core.models import Scope, User
from core.repositories.posts import PostRepository
from core.repositories.templates import TemplateRepository
from tests.api.operations import Operation
from tests.conftest import Networks
from tests.factories import Factory

PASSWORD = "loom over warp and weft"
QUICK = PasswordHash([Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1)])


@dataclass(frozen=True)
class Owned:
    user: User
    ids: dict[str, str]
    """By the name that a path's parameter has."""

    def at(self, operation: Operation) -> str:
        """The operation's path to what this user has."""
        unknown = set(operation.ids) - set(self.ids)
        assert not unknown, f"own_everything in {__name__} has to make an object for {unknown}: {operation} names it"
        return operation.at(**{name: self.ids[name] for name in operation.ids})


async def own_everything(services: Services, make: Factory, networks: Networks) -> Owned:
    user = await make.user()
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).password_hash = QUICK.hash(PASSWORD)
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    run, slot = new_id(), datetime.now(UTC)
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    await services.drafting.write(user.id, run, 1)
    await services.imaging.make(user.id, run, 1)
    checked = await services.drafting.check(user.id, run)
    async with services.sessions() as session:
        post = await PostRepository(session).of_run(user.id, run)
        assert post is not None
        assert assistant.template_version_id is not None
        template = (await TemplateRepository(session).version(user.id, assistant.template_version_id)).template_id
    await services.identity.sign_in_by_link(await services.identity.sign_in_link(user.id), "a telephone")
    key, _ = await services.securing.add_api_key(user.id, "nightly export", Scope.read)
    invitation = await services.inviting.create(user.id, email=None, send=False)
    return Owned(
        user,
        {
            "account_id": str(account.id),
            "assistant_id": str(assistant.id),
            "delivery_id": str(checked.deliveries[0][0]),
            "invitation_id": str(invitation.row.id),
            "key_id": str(key.id),
            "media_id": str(post.files[0].media_id),
            "post_id": str(post.id),
            "run_id": str(run),
            "session_id": str((await services.securing.sessions_of(user.id))[0].id),
            "template_id": str(template),
            "tree_id": str(assistant.topic_tree_id),
        },
    )
