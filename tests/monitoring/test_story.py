"""`postloom post`: one post by one id, from its rows and from Temporal."""

import asyncio
import os
import subprocess
import sys
from uuid import UUID

from sqlalchemy import update

from core.assistants.rules.assistants import RunState
from core.errors import ErrorCode
from core.ids import new_id
from core.monitoring.story import StoryService
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail, MailState
from core.posts.tables.posts import Post
from core.settings import ROOT
from temporal.worker import run_worker
from tests.conftest import GRACEFUL, Stack
from tests.patience import PATIENCE
from tests.workflows.support import automatic, outcome, run_once, soon

LONG = (
    "A \x1b]0;first\u202e line.\nA second one that goes on and on, and that nobody who looks for a fault has to read."
)


def printed(stack: Stack, id: UUID, temporal: str = "", command: str = "post") -> subprocess.CompletedProcess[str]:
    settings = stack.services.settings
    environment = {
        **os.environ,
        "DATABASE_URL": str(settings.database_url),
        "DATA_DIR": str(settings.data_dir),
        "TEMPORAL_ADDRESS": temporal or stack.client.service_client.config.target_host,
    }
    arguments = [sys.executable, "-m", "cli", command, str(id)]
    return subprocess.run(arguments, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)


async def test_one_failed_post_tells_its_story_by_any_of_its_ids(stack: Stack) -> None:
    await stack.networks.fail(on="posts", kind="rate_limited", seconds=1, times=1)
    await stack.networks.fail(on="posts", kind="status", status=422, times=9)
    assistant = await automatic(stack)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        assert (await run_once(stack, assistant, slot)).state == RunState.failed
    run, post, delivery = await outcome(stack, assistant, slot)
    mail = Mail(
        id=new_id(),
        user_id=post.user_id,
        kind=MailKind.post_failed,
        to_email="ada@example.org",
        language="en",
        params={"post_id": str(post.id)},
        state=MailState.refused,
        error=ErrorCode.mail_refused,
    )
    async with stack.services.sessions.begin() as session:
        session.add(mail)
        await session.execute(update(Post).where(Post.id == post.id).values(content=LONG))
    done = await asyncio.to_thread(printed, stack, delivery.id)
    assert done.returncode == 0, done.stderr
    told = done.stdout
    for known in (post.id, run.id, delivery.id, assistant.id, post.user_id, mail.id):
        assert str(known) in told
    assert f"{delivery.state.value}, {delivery.error_code}, {delivery.attempts} attempts" in told
    assert "attempt 1 failed:" in told
    assert "/rest/posts → 429" in told
    assert "mail post_failed" in told
    assert f"{run.workflow_id}\n  RunWorkflow completed" in told
    assert "deliver: attempt 2 began after" in told
    # one line of the text, no address, no token
    assert "A \\x1b]0;first\\u202e line. A second one" in told
    assert "has to read" not in told
    assert "ada@" not in told
    assert "Bearer" not in told
    by_run, by_post = await asyncio.gather(*(StoryService(stack.services.reading).read(id) for id in (run.id, post.id)))
    assert by_run == by_post
    times = [line[:23] for line in told.split("\n\n")[1].splitlines()]
    assert times == sorted(times)
    assert len(times) > 8


async def test_without_temporal_the_rows_are_told(stack: Stack) -> None:
    assistant = await automatic(stack)
    slot = soon(0)
    async with run_worker(stack.client, stack.services, graceful=GRACEFUL):
        await run_once(stack, assistant, slot)
    _, post, _ = await outcome(stack, assistant, slot)
    done = await asyncio.to_thread(printed, stack, post.id, "127.0.0.1:1")
    assert done.returncode == 0, done.stderr
    assert "settled: published" in done.stdout
    assert "Temporal is unavailable" in done.stdout


async def test_an_unknown_id_is_refused(stack: Stack) -> None:
    done = await asyncio.to_thread(printed, stack, new_id())
    assert done.returncode != 0
    assert "there is no post" in done.stderr
    assert done.stdout == ""


async def test_the_owner_of_a_workflow_is_found_by_the_id_that_it_names(stack: Stack) -> None:
    user = await stack.make.user("ada@example.org")
    done = await asyncio.to_thread(printed, stack, user.id, command="owner")
    assert done.stdout.splitlines()[0] == "ada@example.org"
    done = await asyncio.to_thread(printed, stack, new_id(), command="owner")
    assert (done.returncode, done.stdout) == (2, "")
