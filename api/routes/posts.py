from typing import Annotated
from uuid import UUID

from fastapi import Query

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading
from api.errors import problems
from api.paging import Pages
from api.presenters import post_out
from api.schemas.base import Page
from api.schemas.posts import DeliveryDecisionIn, PostOut
from core.domain.errors import ErrorCode, NotFound
from core.domain.posts import PostStatus
from core.repositories.posts import PostRepository

router = Router(prefix="/social-media-posts", tags=["posts"])


@router.get("/")
async def list_posts(
    user: CurrentUser,
    session: Reading,
    services: Core,
    pages: Pages,
    status: Annotated[PostStatus | None, Query()] = None,
    assistant_id: Annotated[UUID | None, Query()] = None,
    waiting: Annotated[bool, Query(description="Only what waits for a person")] = False,
) -> Page[PostOut]:
    """Latest slot first."""
    found, total = await PostRepository(session).page(
        user.id,
        search=pages.search,
        status=status,
        assistant_id=assistant_id,
        waiting=waiting,
        offset=pages.offset,
        limit=pages.limit,
    )
    items = [post_out(post, name, services.media) for post, name in found]
    return Page(items=items, next_cursor=pages.next_cursor(total), total=total)


@router.get("/{post_id}/", responses=problems(ErrorCode.not_found))
async def read_post(post_id: UUID, user: CurrentUser, session: Reading, services: Core) -> PostOut:
    post, name = await PostRepository(session).get(user.id, post_id)
    return post_out(post, name, services.media)


@router.post(
    "/{post_id}/deliveries/{delivery_id}/decision/",
    responses=problems(ErrorCode.not_found, ErrorCode.post_not_editable),
)
async def decide_delivery(
    post_id: UUID, delivery_id: UUID, body: DeliveryDecisionIn, user: CurrentUser, services: Core
) -> PostOut:
    """Settle a delivery whose outcome the network could not tell. Refused unless it is unknown."""
    async with services.sessions() as session:
        post, _ = await PostRepository(session).get(user.id, post_id)
    if delivery_id not in {delivery.id for delivery in post.deliveries}:
        raise NotFound(what="delivery", id=str(delivery_id))
    await services.delivering.decide(user.id, delivery_id, there=body.answer == "there")
    async with services.sessions() as session:
        post, name = await PostRepository(session).get(user.id, post_id)
        return post_out(post, name, services.media)


@router.post("/{post_id}/acknowledge/", responses=problems(ErrorCode.not_found, ErrorCode.post_not_editable))
async def acknowledge_post(post_id: UUID, user: CurrentUser, services: Core) -> PostOut:
    """A person has seen that it failed: it waits for nobody any more. Refused unless it has failed."""
    await services.delivering.acknowledge(user.id, post_id)
    async with services.sessions() as session:
        post, name = await PostRepository(session).get(user.id, post_id)
        return post_out(post, name, services.media)
