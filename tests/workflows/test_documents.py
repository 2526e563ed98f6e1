"""Posts with a document, whose worker is killed while it is uploaded or published: each is there once."""

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import select

from core.deliveries.tables.deliveries import Delivery
from core.ids import new_id
from core.media.rules.media import MediaKind
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind
from core.posts.composing import Composition
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile, DeliveryState
from core.users.tables.users import User
from tests.conftest import Stack
from tests.documents import a_pdf
from tests.http_server import Server
from tests.patience import PATIENCE
from tests.workflows.support import eventually
from tests.workflows.workers import takes_tasks, worker_process
from workflows.messages import PostResult
from workflows.names import post_workflow


async def uploaded(stack: Stack, user: User, folder: Path) -> Media:
    file = folder / "document"
    file.write_bytes(a_pdf(3))
    checked = await stack.services.media.decoder.check(file, MediaKind.document)
    return (await stack.services.media.keep_upload(user.id, checked, "Eight questions.pdf"))[0]


async def requests(stack: Stack, path: str) -> int:
    found = await stack.networks.client.get("/sandbox/requests", params={"path": path, "method": "POST"})
    return len(found.json())


@pytest.mark.slow
@pytest.mark.parametrize("kind", [ChannelKind.linkedin, ChannelKind.linkedin_pages])
@pytest.mark.parametrize("on", ["upload", "posts"])
async def test_killed_while_a_document_is_on_its_way_it_is_posted_once(
    stack: Stack, model: Server, tmp_path: Path, kind: ChannelKind, on: str
) -> None:
    user, post_id = await stack.make.user(), new_id()
    account = await stack.make.account(user, stack.networks.url, kind=kind)
    media = await uploaded(stack, user, tmp_path)
    composed = Composition("Turn the pages.", (account.id,), files=(ComposedFile(media.id),))
    await stack.services.composing.create(user.id, post_id, composed)
    async with stack.services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)
    await stack.networks.fail(on=on, kind="slow", seconds=8, times=1)

    async def row() -> Delivery:
        async with stack.services.sessions() as session:
            return (await session.scalars(select(Delivery).where(Delivery.post_id == post_id))).one()

    async def is_on_its_way() -> bool:
        if on == "upload":
            return await requests(stack, "/rest/documents") == 1
        return (await row()).called_at is not None

    logs = tmp_path / "killed.log", tmp_path / "other.log"
    with worker_process(stack, model, logs[0]) as killed:
        await takes_tasks(killed, logs[0])
        changed = await stack.services.publishing.publish(user.id, post_id, post.version, None)
        assert await stack.gateway.posts.send_deliveries(changed)
        await eventually(is_on_its_way)
        await asyncio.sleep(1)
        killed.kill()
        killed.wait(PATIENCE)
    assert (await row()).state in (DeliveryState.pending, DeliveryState.publishing)
    with worker_process(stack, model, logs[1]) as worker:
        await takes_tasks(worker, logs[1])
        handle = stack.client.get_workflow_handle(post_workflow(post_id), result_type=PostResult)

        async def is_settled() -> bool:
            return (await row()).state in (DeliveryState.published, DeliveryState.unknown, DeliveryState.failed)

        await eventually(is_settled)
        delivery = await row()
        if delivery.state is DeliveryState.published:
            assert await asyncio.wait_for(handle.result(), PATIENCE) == PostResult("published")
    [shown] = await stack.networks.posts()
    documents = shown["documents"]
    assert isinstance(documents, list)
    [document] = documents
    # a title that nobody typed is the file's name
    assert (shown["text"], document["title"], document["pages"]) == ("Turn the pages.", "Eight questions", 3)
    if on == "posts" and kind is ChannelKind.linkedin:  # a person's posts cannot be read: a person decides
        assert delivery.state in (DeliveryState.unknown, DeliveryState.published)
    else:
        assert delivery.state is DeliveryState.published
    assert await requests(stack, "/rest/documents") == (2 if on == "upload" else 1), (
        "an upload that ended is used again"
    )
