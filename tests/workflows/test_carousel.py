"""A carousel from the model's answer to the networks' boards, while the worker is killed in the middle."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from core.assistants.rules.assistants import RunState, TextPer
from core.ids import run_id, run_workflow
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind
from core.posts.repositories.posts import PostRepository
from tests.conftest import Stack
from tests.http_server import Server
from tests.patience import PATIENCE
from tests.runs.test_carousels import carousel_assistant
from tests.workflows.support import eventually, order_for, soon, written
from tests.workflows.workers import takes_tasks, worker_process
from workflows.names import RUNS
from workflows.run import RunWorkflow

POST = """Riding in winter needs six things, and none of them is dear.

Lower your light by a finger. Clean the chain after salt. Fill the tyres less. Wear one thing that reflects.
Charge on Sunday. Dry your gloves on the heater.

Come by on Saturday."""
INNER = ("Lower your light", "Clean the chain", "Fill the tyres less", "Wear what reflects", "Charge on Sunday")
PAGES = [
    {"kind": "cover", "headline": "Six things for winter", "text": ""},
    *({"kind": "point", "headline": headline, "text": ""} for headline in INNER),
    {"kind": "call_to_action", "headline": "Come by on Saturday", "text": ""},
]
UPLOADS = "/api/v2/media"


@pytest.mark.slow
async def test_killed_while_pages_are_uploaded_each_network_gets_them_once_and_in_order(
    stack: Stack, model: Server, tmp_path: Path
) -> None:
    model.answers("/v1/responses", written(POST), written(json.dumps({"pages": PAGES})))
    kinds = ChannelKind.linkedin, ChannelKind.mastodon
    assistant = await carousel_assistant(stack.make, stack.networks, *kinds, text_per=TextPer.post)
    logs = tmp_path / "first.log", tmp_path / "second.log"

    async def has_uploaded_some() -> bool:
        asked = {"path": UPLOADS, "method": "POST"}
        return len((await stack.networks.client.get("/sandbox/requests", params=asked)).json()) >= 2

    await stack.networks.fail(on="upload", kind="slow", times=20, seconds=1)
    slot = soon(40)
    with worker_process(stack, model, logs[0]) as killed:
        await takes_tasks(killed, logs[0])
        name, order = order_for(assistant, slot)
        handle = await stack.client.start_workflow(RunWorkflow.run, order, id=name, task_queue=RUNS)
        await eventually(has_uploaded_some)
        killed.kill()
        killed.wait(PATIENCE)
    assert await stack.networks.posts() == []
    with worker_process(stack, model, logs[1]) as worker:
        await takes_tasks(worker, logs[1])
        result = await asyncio.wait_for(handle.result(), PATIENCE)
    assert result.state == RunState.published, logs[1].read_text()
    async with stack.services.sessions() as session:
        post = await PostRepository(session).find_by_run(assistant.user_id, run_id(run_workflow(assistant.id, slot)))
        assert post is not None
        alts = [file.alt for file in sorted(post.files, key=lambda file: file.position)]
        stored = await session.scalar(select(func.count()).select_from(Media).where(Media.user_id == assistant.user_id))
    # the last file is the document of the pages, which LinkedIn shows instead of them
    assert (len(alts), stored, len(model.requests)) == (len(PAGES) + 1, len(PAGES) + 1, 2)
    posts = await stack.networks.posts()
    shown = [[image["alt_text"] for image in images_of(one)] for one in posts]
    assert sorted(shown, key=len) == [[], alts[:4]]
    documents: Any = [one["documents"] for one in posts if "documents" in one]
    assert [[document["pages"] for document in found] for found in documents] == [[len(PAGES)]]


def images_of(post: dict[str, Any]) -> list[dict[str, str]]:
    images: list[dict[str, str]] = post["images"]
    return images
