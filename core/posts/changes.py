"""Changes of posts by a person, as their workflow and browsers have to learn of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.database import notify_browsers
from core.deliveries.tables.deliveries import Delivery
from core.live import LiveKind
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.posts.tables.posts import Post
from core.runs.repositories.runs import RunRepository


class PlannedDelivery(NamedTuple):
    """A delivery as its workflow plans it."""

    id: UUID
    channel: ChannelKind
    stages: bool
    """Whether something is uploaded or created at its network before the slot. The key of a call can wait."""


@dataclass(frozen=True)
class PostChange:
    """A change of a post that its workflow has to follow."""

    user_id: UUID
    post_id: UUID
    version: int
    planned_at: datetime | None
    run_workflow: str | None
    """Workflow id of its run while that is open."""
    deliveries: tuple[tuple[UUID, ChannelKind], ...] = ()
    """Deliveries that were reopened."""
    followed: bool = True
    """Whether a workflow follows the post."""


async def open_run_workflow(session: AsyncSession, post: Post) -> str | None:
    """Return the workflow id of the post's run while that is open, else None."""
    if post.run_id is None:
        return None
    run = await RunRepository(session).get(post.user_id, post.run_id)
    return run.workflow_id if run.is_open else None


async def save_change(
    session: AsyncSession,
    post: Post,
    workflow: str | None = None,
    again: Sequence[Delivery] = (),
    *,
    followed: bool = True,
) -> PostChange:
    """Increase the post's version, so that its workflow can tell newer changes, and notify browsers. `again`:
    deliveries that were reopened. Return the change, for the workflow."""
    workflow = workflow or await open_run_workflow(session, post)
    post.version += 1
    for delivery in again:
        delivery.opened_in_version = 0 if workflow else post.version
    await session.flush()
    await notify_post_browsers(session, post)
    return PostChange(post.user_id, post.id, post.version, post.planned_at, workflow, delivery_refs(again), followed)


async def save_unsynced_change(session: AsyncSession, post: Post) -> None:
    """Save a change that its workflow need not follow: browsers that show an older version are notified."""
    was_synced = post.told_version == post.version
    post.version += 1
    if was_synced:
        post.told_version = post.version
    await session.flush()
    await notify_post_browsers(session, post)


def planned_deliveries(post: Post, deliveries: Sequence[Delivery]) -> tuple[PlannedDelivery, ...]:
    """Return these deliveries of the post, whose files are loaded."""
    return tuple(
        PlannedDelivery(one.id, one.channel, bool(post.files) or (traits.stages_post and not traits.names_post))
        for one in deliveries
        for traits in [channel(one.channel).traits]
    )


def delivery_refs(deliveries: Sequence[Delivery]) -> tuple[tuple[UUID, ChannelKind], ...]:
    return tuple((delivery.id, delivery.channel) for delivery in deliveries)


async def notify_post_browsers(session: AsyncSession, post: Post) -> None:
    await notify_browsers(session, post.user_id, LiveKind.post, post.id)
    if post.run_id:
        await notify_browsers(session, post.user_id, LiveKind.run, post.run_id)
