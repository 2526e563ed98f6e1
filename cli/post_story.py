"""`postloom post`: the story of one post, from its rows and from Temporal."""

import asyncio
from datetime import datetime
from uuid import UUID

from temporalio.client import Client
from temporalio.service import RPCError

from core.container import open_services
from core.monitoring.story import Story, StoryService
from core.settings import Settings
from temporal.client import connect
from temporal.story import WorkflowStory, read_workflow
from workflows.names import follow_up_workflow, mail_workflow, post_workflow

_LET_GO = 0.3  # seconds


async def tell(settings: Settings, id: UUID) -> list[str] | None:
    """Return the lines about the post, or about the post of the delivery or run with this id; None if there is none."""
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        story = await StoryService(services.reading).read(id)
    if story is None:
        return None
    return [*story.facts, "", *_rows(story), "", *await _workflows(await connect(settings, lazy=True), story)]


def _rows(story: Story) -> list[str]:
    width = max(len(event.subject) for event in story.events)
    return [f"{_time(event.at)}  {event.subject:<{width}}  {event.text}" for event in story.events]


def _time(at: datetime) -> str:
    return f"{at:%F %T}.{at.microsecond // 1000:03d}"


async def _workflows(client: Client, story: Story) -> list[str]:
    names = [
        *([story.run_workflow] if story.run_workflow else []),
        post_workflow(story.post_id),
        *(follow_up_workflow(kind, row_id) for kind, row_id in story.follow_ups),
        *map(mail_workflow, story.mail_ids),
    ]
    try:
        found = [await read_workflow(client, name) for name in names]
    except (RPCError, TimeoutError, RuntimeError) as error:
        return [f"Temporal is unavailable ({type(error).__name__})"]
    finally:
        # the SDK's threads let go of their calls: at the interpreter's end one in flight makes it hang
        await asyncio.sleep(_LET_GO)
    lines = [line for one in found if one for line in _workflow(one)]
    return lines or ["Temporal has no workflow of this post: none was started, or its retention is over"]


def _workflow(one: WorkflowStory) -> list[str]:
    failures = [f"  {_time(at)}  {text}" for at, text in one.failures]
    return [one.workflow_id, *(f"  {fact}" for fact in one.facts), *failures]
