"""Posts that wait for their network or for this server's settings, over hours that pass in seconds."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id, run_id
from core.networks.rules.channels import ChannelKind
from core.posts.composing import Composition
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.settings import Settings
from core.social_accounts.tables import Account
from core.users.tables.users import User
from temporal import reconcile
from tests.conftest import Networks
from tests.factories import Factory
from tests.workflows.support import order_for
from tests.workflows.world import World, world
from workflows.names import RUNS
from workflows.run import RunWorkflow

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
pytestmark = pytest.mark.slow


class Story:
    """A world with its networks, and posts of one account."""

    def __init__(self, made: World, networks: Networks, user: User, account: Account) -> None:
        self.world, self.networks, self.user, self.account = made, networks, user, account
        self.services = made.services

    async def sends(self, text: str, at: datetime | None = None) -> UUID:
        """By hand: now, or at that time."""
        post_id, user_id = new_id(), self.user.id
        await self.services.composing.create(user_id, post_id, Composition(text, (self.account.id,)))
        post = await self.post(post_id)
        changed = await self.services.publishing.publish(user_id, post_id, post.version, at)
        # on a busy machine its workflow may answer too late: asking again finds it done
        while not await self.world.gateway.posts.send_deliveries(changed):
            await asyncio.sleep(0.2)
        await self.services.publishing.mark_synced(changed)
        return post_id

    async def runs(self) -> UUID:
        """A run of an assistant whose slot is in a minute. Returns its post's id once there is one."""
        make = Factory(self.services.sessions, self.services.vault)
        assistant = await make.assistant(self.user, accounts=(self.account.id,), image=False)
        slot = (await self.world.now()).replace(second=0, microsecond=0) + 2 * MINUTE
        name, order = order_for(assistant, slot)
        await self.world.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)
        await self.world.until(slot + MINUTE)
        async with self.services.sessions() as session:
            post = await PostRepository(session).find_by_run(self.user.id, run_id(name))
        assert post is not None
        return post.id

    async def post(self, post_id: UUID) -> Post:
        async with self.services.sessions() as session:
            found, _ = await PostRepository(session).get(self.user.id, post_id)
            return found

    async def delivery(self, post_id: UUID) -> Delivery:
        [delivery] = (await self.post(post_id)).deliveries
        return delivery

    async def passes(self, time: timedelta) -> None:
        await self.world.until(await self.world.now() + time)

    async def worker_is_killed(self) -> None:
        await self.world.worker_goes()
        await self.world.worker_comes()

    async def calls(self) -> int:
        """How often a post was published or shown there, or that was refused."""
        found = (await self.networks.client.get("/sandbox/requests")).json()
        return sum(one["method"] == "POST" and _publishes(one["path"]) for one in found)


def _publishes(path: str) -> bool:
    return path == "/rest/posts" or "_" in path.rpartition("/")[2]


@pytest.fixture
async def made(database: str, settings: Settings, networks: Networks) -> AsyncIterator[World]:
    await networks.calm()
    async with world(database, settings) as found:
        await found.worker_comes()
        yield found


async def told_by(made: World, networks: Networks, kind: ChannelKind) -> Story:
    make = Factory(made.services.sessions, made.services.vault)
    user = await make.user()
    return Story(made, networks, user, await make.account(user, networks.url, kind=kind))


@pytest.mark.parametrize("of_run", [False, True], ids=["by hand", "of a run"])
async def test_a_limit_without_an_end_delays_a_post_by_hours_and_doubles_nothing(
    made: World, networks: Networks, of_run: bool
) -> None:
    story = await told_by(made, networks, ChannelKind.facebook)
    await networks.fail(on="posts", kind="rate_limited", times=8)
    post_id = await (story.runs() if of_run else story.sends("Limited for hours."))
    await story.passes(2 * MINUTE)
    assert (await story.delivery(post_id)).state is DeliveryState.retrying
    await story.worker_is_killed()
    await story.passes(HOUR + 10 * MINUTE)
    waiting = await story.delivery(post_id)
    assert (waiting.state, waiting.error_code) == (DeliveryState.held, ErrorCode.rate_limited)
    assert waiting.retry_at is not None
    assert waiting.retry_at > await made.now()
    await story.worker_is_killed()
    await story.passes(5 * HOUR)
    assert (await story.post(post_id)).status is PostStatus.published
    assert await story.calls() == 9
    assert len(await networks.posts()) == 1


async def test_after_a_days_limit_no_post_of_the_account_asks_before_midnight(made: World, networks: Networks) -> None:
    story = await told_by(made, networks, ChannelKind.linkedin)
    evening = ((await made.now()) + timedelta(days=1)).replace(hour=20, minute=0, second=0, microsecond=0)
    midnight = evening + 4 * HOUR
    await made.until(evening)
    await networks.fail(on="posts", kind="rate_limited")
    first = await story.sends("The one that met the limit.")
    second = await story.sends("The next one.", at=evening + HOUR)
    await made.until(evening + 2 * HOUR)
    assert await story.calls() == 1
    for post_id in (first, second):
        waiting = await story.delivery(post_id)
        assert (waiting.state, waiting.error_code) == (DeliveryState.held, ErrorCode.rate_limited)
        assert waiting.retry_at is not None
        assert midnight < waiting.retry_at < midnight + 2 * MINUTE
    await story.worker_is_killed()
    await made.until(midnight)
    assert await story.calls() == 1
    await made.until(midnight + 5 * MINUTE)
    assert [(await story.post(post_id)).status for post_id in (first, second)] == [PostStatus.published] * 2
    assert (await story.calls(), len(await networks.posts())) == (3, 2)


async def test_a_retired_version_delays_a_post_until_it_is_mended(made: World, networks: Networks) -> None:
    story = await told_by(made, networks, ChannelKind.linkedin)
    await networks.fail(on="posts", kind="status", status=426)
    await networks.fail(on="reads", kind="status", status=426, times=1000)
    first = await story.sends("By the old version.")
    await story.passes(3 * HOUR)
    waiting = await story.delivery(first)
    assert (waiting.state, waiting.error_code) == (DeliveryState.held, ErrorCode.api_version_retired)
    assert await story.calls() == 1, "only what changes nothing is asked meanwhile"
    await story.worker_is_killed()
    await networks.calm()  # the operator has set a newer one
    await story.passes(45 * MINUTE)
    assert (await story.post(first)).status is PostStatus.published
    assert (await story.calls(), len(await networks.posts())) == (2, 1)


async def test_what_another_post_finds_mended_lets_all_go_out_at_once(made: World, networks: Networks) -> None:
    story = await told_by(made, networks, ChannelKind.linkedin)
    await networks.fail(on="posts", kind="status", status=426)
    await networks.fail(on="reads", kind="status", status=426, times=1000)
    first = await story.sends("By the old version.")
    await story.passes(4 * HOUR)
    await networks.calm()
    second = await story.sends("By the new version.")
    await story.passes(MINUTE)
    assert (await story.post(second)).status is PostStatus.published
    await reconcile.sync_posts(story.services, made.gateway)
    await story.passes(MINUTE)
    assert (await story.post(first)).status is PostStatus.published
    assert (await story.calls(), len(await networks.posts())) == (3, 2)
