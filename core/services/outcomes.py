"""What a delivery's late answer makes of its post and its run."""

from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.database import notify_browsers
from core.domain.live import LiveKind
from core.domain.posts import status_of
from core.domain.runs import run_state_of
from core.models import Post
from core.repositories.posts import PostRepository
from core.repositories.runs import RunRepository


async def follow_deliveries(session: AsyncSession, user_id: UUID, post_id: UUID) -> Post:
    """Post and run say what the deliveries say, also where the run ended before they did."""
    posts, runs = PostRepository(session), RunRepository(session)
    post, _ = await posts.get(user_id, post_id)
    states = [delivery.state for delivery in post.deliveries]
    if post.run_id is None:
        post.status = status_of(states)
        return post
    run = await runs.get(user_id, post.run_id)
    if run.finished_at is not None:  # else it says so itself when it ends
        post.status = status_of(states)
        reason = next((one.error_code for one in post.deliveries if one.error_code), None)
        await runs.set_state(user_id, run.id, run_state_of(states), reason=reason)
        await notify_browsers(session, user_id, LiveKind.run, run.id)
    return post
