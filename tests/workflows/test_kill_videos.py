"""Workers that are killed while a video is on its way: it is posted once."""

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import pytest
from sqlalchemy import select

from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.posts.composing import Composition
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import OPEN_DELIVERIES, ComposedFile, DeliveryState
from core.social_accounts.connecting import ConnectingService
from core.social_accounts.tables import Account
from core.users.tables.users import User
from tests.conftest import Stack
from tests.http_server import Server
from tests.patience import PATIENCE
from tests.videos import Film, stored_video
from tests.workflows.support import eventually, soon
from tests.workflows.workers import takes_tasks, worker_process

UPLOADS = {
    ChannelKind.linkedin: "PUT /dms-uploads/videos/.+",
    ChannelKind.mastodon: "POST /api/v2/media",
    ChannelKind.bluesky: r"POST /xrpc/app\.bsky\.video\.uploadVideo",
    ChannelKind.facebook: r"POST /v26\.0/\d+/videos",
}
PUBLISHING = {
    ChannelKind.linkedin_pages: "POST /rest/posts",
    ChannelKind.mastodon: "POST /api/v1/statuses",
    ChannelKind.bluesky: r"POST /xrpc/com\.atproto\.repo\.createRecord",
    ChannelKind.facebook: r"POST /v26\.0/\d+",
}


@dataclass(frozen=True)
class Story:
    stack: Stack
    film: Film
    post_id: UUID

    async def delivery(self) -> Delivery:
        async with self.stack.services.sessions() as session:
            return (await session.scalars(select(Delivery).where(Delivery.post_id == self.post_id))).one()

    async def requests(self, call: str) -> int:
        answer = await self.stack.networks.client.get("/sandbox/requests")
        return sum(re.fullmatch(call, f"{one['method']} {one['path']}") is not None for one in answer.json())

    async def settled(self) -> None:
        async def so() -> bool:
            return (await self.delivery()).state not in OPEN_DELIVERIES

        await eventually(so)

    async def is_out_once(self) -> None:
        await self.settled()
        delivery = await self.delivery()
        assert delivery.state is DeliveryState.published, (delivery.error_code, delivery.error_detail)
        [post] = await self.stack.networks.posts()
        videos = post["videos"]
        assert isinstance(videos, list)
        [shown] = videos
        assert shown["bytes"] == self.film.size
        answer = await self.stack.networks.client.get(shown["url"])
        assert answer.content == b"".join([chunk async for chunk in self.film.read()])


async def account_of(stack: Stack, user: User, kind: ChannelKind) -> Account:
    if kind is not ChannelKind.bluesky:
        return await stack.make.account(user, stack.networks.url, kind=kind)
    form = {"handle": "mara-lind.test", "app_password": "abcd-efgh-ijkl-mnop", "host": stack.networks.url}
    connecting = ConnectingService(stack.services.sessions, stack.make.vault, "http://postloom.test")
    connected = await connecting.start(user.id, kind, form)
    assert not hasattr(connected, "authorize_url")
    return connected.accounts[0]


async def planned(stack: Stack, kind: ChannelKind, size: int) -> Story:
    """A post with a video, planned for in a moment, so that it is staged at once."""
    user, film, post_id = await stack.make.user(), Film(size, secrets.randbelow(10**9)), new_id()
    account = await account_of(stack, user, kind)
    file = ComposedFile(await stored_video(stack.services, user.id, film), alt="A person rides")
    wanted = Composition(f"Riding in rain {post_id}", (account.id,), files=(file,))
    await stack.services.composing.create(user.id, post_id, wanted)
    async with stack.services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)
    changed = await stack.services.publishing.publish(user.id, post_id, post.version, soon(5))
    assert await stack.gateway.posts.send_deliveries(changed)
    return Story(stack, film, post_id)


async def killed_when(
    stack: Stack, model: Server, log: Path, kind: ChannelKind, size: int, when: Callable[[Story], Awaitable[bool]]
) -> Story:
    with worker_process(stack, model, log) as worker:
        await takes_tasks(worker, log)
        story = await planned(stack, kind, size)
        await eventually(lambda: when(story))
        worker.kill()
        worker.wait(PATIENCE)
    return story


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(UPLOADS))
async def test_killed_in_the_middle_of_an_upload_it_is_uploaded_again_and_posted_once(
    stack: Stack, model: Server, tmp_path: Path, kind: ChannelKind
) -> None:
    await stack.networks.fail(on="upload", kind="slow", seconds=60)

    async def is_uploading(story: Story) -> bool:
        return await story.requests(UPLOADS[kind]) > 0

    story = await killed_when(stack, model, tmp_path / "killed.log", kind, 9_000_000, is_uploading)
    assert await stack.networks.posts() == []
    await stack.networks.calm()
    with worker_process(stack, model, log := tmp_path / "other.log") as worker:
        await takes_tasks(worker, log)
        await story.is_out_once()


@pytest.mark.slow
async def test_killed_while_a_video_is_processed_it_is_waited_for_and_not_uploaded_again(
    stack: Stack, model: Server, tmp_path: Path
) -> None:
    await stack.networks.client.post("/sandbox/settings", json={"video_processing_seconds": 600})

    async def is_job_kept(story: Story) -> bool:
        return (await story.delivery()).staged_refs != []

    story = await killed_when(stack, model, tmp_path / "killed.log", ChannelKind.bluesky, 3_000_000, is_job_kept)
    await stack.networks.client.post("/sandbox/settings", json={"video_processing_seconds": 0})
    with worker_process(stack, model, log := tmp_path / "other.log") as worker:
        await takes_tasks(worker, log)
        await story.is_out_once()
    assert await story.requests(UPLOADS[ChannelKind.bluesky]) == 1


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(PUBLISHING))
async def test_killed_after_the_call_it_is_looked_up_and_posted_once(
    stack: Stack, model: Server, tmp_path: Path, kind: ChannelKind
) -> None:
    await stack.networks.fail(on="posts", kind="slow", seconds=60)

    async def is_called(story: Story) -> bool:
        return len(await stack.networks.posts()) > 0

    story = await killed_when(stack, model, tmp_path / "killed.log", kind, 3_000_000, is_called)
    assert (await story.delivery()).state is DeliveryState.publishing
    with worker_process(stack, model, log := tmp_path / "other.log") as worker:
        await takes_tasks(worker, log)
        await story.is_out_once()
    assert await story.requests(PUBLISHING[kind]) == 1
