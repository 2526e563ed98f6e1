import asyncio
from collections.abc import Awaitable, Callable, Sequence
from uuid import UUID

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Workflows
from api.errors import problems
from api.limits import BULK_CHANGES, by_user
from api.schemas.post_bulk import PostBulkIn, PostBulkOut, PostBulkResultOut, PostRefusalOut
from core.errors import DomainError, ErrorCode
from core.posts.bulk_changes import BulkAction, BulkOrder, BulkOutcome, PickedPost
from core.posts.changes import PostChange
from temporal.posts import PostMessages

router = Router(prefix="/social-media-posts", tags=["posts"])

_AT_ONCE = 8  # workflows notified in parallel
_PATIENCE = 10.0  # seconds for all of them; the reconcile notifies the rest


@router.post("/bulk/", responses=problems(ErrorCode.not_found), dependencies=[by_user(BULK_CHANGES)])
async def change_posts(body: PostBulkIn, user: CurrentUser, services: Core, workflows: Workflows) -> PostBulkOut:
    """Apply one action to up to 200 posts, each independently of the others.

    A deleted post can be restored for 30 days. A post that may still be published cannot be deleted: cancel it
    first."""
    order = BulkOrder(body.action, body.remark, body.days, tuple(body.add), tuple(body.remove), tuple(body.account_ids))
    await services.post_bulk.ensure_applicable(user.id, order)
    picked = {post.id: PickedPost(post.id, post.version, post.content_hash, post.planned_at) for post in body.posts}
    outcomes = [await services.post_bulk.apply(user.id, order, post) for post in picked.values()]
    changes = [outcome.changed for outcome in outcomes if outcome.changed]
    hashes = {post.post_id: post.content_hash for post in picked.values()}
    confirmed = await _notify_workflows(
        changes, lambda changed: _message(workflows.posts, order.action, changed, hashes)
    )
    for changed in changes:
        if changed.post_id in confirmed:
            await services.publishing.mark_synced(changed)
    results = [_result(outcome, outcome.changed is None or outcome.post_id in confirmed) for outcome in outcomes]
    refused = sum(result.refusal is not None for result in results)
    moved = [result.id for result in results if result.refusal is None] if order.action is BulkAction.move else []
    repeated = await services.post_bulk.find_repeats(user.id, moved)
    return PostBulkOut(results=results, done=len(results) - refused, refused=refused, repeats=repeated)


def _message(posts: PostMessages, action: BulkAction, changed: PostChange, hashes: dict[UUID, str]) -> Awaitable[bool]:
    """Send the message that the route for a single post sends."""
    match action:
        case BulkAction.move:
            return posts.send_move(changed)
        case BulkAction.cancel:
            return posts.send_cancel(changed)
        case BulkAction.send_again:
            return posts.send_deliveries(changed)
        case _:
            return posts.send_decision(changed, hashes[changed.post_id])


async def _notify_workflows(
    changes: Sequence[PostChange], notify: Callable[[PostChange], Awaitable[bool]]
) -> set[UUID]:
    """Return the posts whose workflow has confirmed the message."""
    places, until = asyncio.Semaphore(_AT_ONCE), asyncio.get_running_loop().time() + _PATIENCE
    confirmed = set()

    async def notify_workflow(changed: PostChange) -> None:
        async with places:
            if asyncio.get_running_loop().time() < until and await notify(changed):
                confirmed.add(changed.post_id)

    async with asyncio.TaskGroup() as group:
        for changed in changes:
            group.create_task(notify_workflow(changed))
    return confirmed


def _result(outcome: BulkOutcome, confirmed: bool) -> PostBulkResultOut:
    refusal = _refusal(outcome.refusal) if outcome.refusal else None
    return PostBulkResultOut(id=outcome.post_id, refusal=refusal, confirmed=confirmed and refusal is None)


def _refusal(error: DomainError) -> PostRefusalOut:
    """Return the first field's error, which is more specific than the error as a whole."""
    first = error.errors[0] if error.errors else error
    return PostRefusalOut(code=first.code, params=dict(first.params))
