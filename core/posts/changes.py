"""What every change of a post by a person leaves for whoever tells its workflow."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.rules.assistants import OPEN_RUNS
from core.database import notify_browsers
from core.deliveries.tables.deliveries import Delivery
from core.live import LiveKind
from core.networks.rules.channels import ChannelKind
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository


@dataclass(frozen=True)
class Changed:
    """A post as it was just changed, for whoever tells its workflow."""

    user_id: UUID
    post_id: UUID
    version: int
    planned_at: datetime | None
    run_workflow: str | None
    """The workflow of its run, while that is not over."""
    deliveries: tuple[tuple[UUID, ChannelKind], ...] = ()
    """What is to be delivered anew."""
    followed: bool = True
    """Whether a workflow follows it; else there is nobody to tell."""


async def run_workflow(session: AsyncSession, post: Post) -> str | None:
    """The workflow of its run, while that is not over."""
    if post.run_id is None:
        return None
    run = await RunRepository(session).get(post.user_id, post.run_id)
    return run.workflow_id if run.state in OPEN_RUNS else None


async def changed(
    session: AsyncSession,
    post: Post,
    workflow: str | None = None,
    again: Sequence[Delivery] = (),
    *,
    followed: bool = True,
) -> Changed:
    """Raises its version, by which its workflow tells what is newer. `again`: deliveries that were opened anew."""
    workflow = workflow or await run_workflow(session, post)
    post.version += 1
    for delivery in again:
        delivery.opened_in_version = 0 if workflow else post.version
    await session.flush()
    await tell_browsers(session, post)
    return Changed(post.user_id, post.id, post.version, post.planned_at, workflow, refs_of(again), followed)


async def noted(session: AsyncSession, post: Post) -> None:
    """A change that is none of its workflow's business: whoever has an older version open is told."""
    told = post.told_version == post.version
    post.version += 1
    if told:
        post.told_version = post.version
    await session.flush()
    await tell_browsers(session, post)


def refs_of(deliveries: Sequence[Delivery]) -> tuple[tuple[UUID, ChannelKind], ...]:
    return tuple((delivery.id, delivery.channel) for delivery in deliveries)


async def tell_browsers(session: AsyncSession, post: Post) -> None:
    await notify_browsers(session, post.user_id, LiveKind.post, post.id)
    if post.run_id:
        await notify_browsers(session, post.user_id, LiveKind.run, post.run_id)
