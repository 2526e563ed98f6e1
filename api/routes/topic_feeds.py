"""Feeds of topic trees, whose new items become topics."""

from uuid import UUID

from fastapi import status

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Workflows
from api.errors import problems
from api.limits import TOPIC_FEEDS, by_user
from api.schemas.topic_feeds import TopicFeedIn, TopicFeedOut, TopicFeedUpdate
from core.errors import ErrorCode
from core.feeds.feeds import FeedChange, FeedForm
from core.feeds.repository import CountedFeed

router = Router(prefix="/topics/{tree_id}/feeds", tags=["topic-feeds"])


def _out(row: CountedFeed) -> TopicFeedOut:
    feed, items, added, waiting = row
    return TopicFeedOut(
        id=feed.id,
        topic_id=None if feed.branch_purged else feed.topic_id,
        address=feed.address,
        title=feed.title,
        daily=feed.daily,
        full_text=feed.full_text,
        active=feed.active,
        error=ErrorCode(feed.error) if feed.error else None,
        asked_at=feed.asked_at,
        answered_at=feed.answered_at,
        next_at=feed.next_at,
        items=items,
        added=added,
        waiting=waiting,
        created_at=feed.created_at,
    )


@router.get("/", responses=problems(ErrorCode.not_found))
async def list_topic_feeds(tree_id: UUID, user: CurrentUser, services: Core) -> list[TopicFeedOut]:
    """The feeds of a tree, oldest first."""
    return [_out(row) for row in await services.topic_feeds.list(user.id, tree_id)]


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        ErrorCode.not_found,
        ErrorCode.address_malformed,
        ErrorCode.address_not_allowed,
        ErrorCode.topic_feed_known,
        ErrorCode.topic_feed_too_many,
        ErrorCode.topic_feed_unreachable,
        ErrorCode.topic_feed_unusable,
    ),
    dependencies=[by_user(TOPIC_FEEDS)],
)
async def add_topic_feed(tree_id: UUID, body: TopicFeedIn, user: CurrentUser, services: Core) -> TopicFeedOut:
    """Add a feed. Of the items that it shows now, at most the newest three become topics; then each new one does."""
    form = FeedForm(body.topic_id, body.address, body.daily, body.full_text)
    return _out(await services.topic_feeds.add(user.id, tree_id, form))


@router.patch("/{feed_id}/", responses=problems(ErrorCode.not_found))
async def update_topic_feed(
    tree_id: UUID, feed_id: UUID, body: TopicFeedUpdate, user: CurrentUser, services: Core
) -> TopicFeedOut:
    """Null fields stay unchanged."""
    change = FeedChange(body.topic_id, body.daily, body.full_text, body.active)
    return _out(await services.topic_feeds.change(user.id, tree_id, feed_id, change))


@router.post("/{feed_id}/read/", responses=problems(ErrorCode.not_found), dependencies=[by_user(TOPIC_FEEDS)])
async def read_topic_feed_now(tree_id: UUID, feed_id: UUID, user: CurrentUser, services: Core) -> TopicFeedOut:
    """Let the feed be asked at once, or a minute after it was asked last."""
    return _out(await services.topic_feeds.ask_now(user.id, tree_id, feed_id))


@router.delete("/{feed_id}/", status_code=status.HTTP_204_NO_CONTENT, responses=problems(ErrorCode.not_found))
async def delete_topic_feed(
    tree_id: UUID, feed_id: UUID, user: CurrentUser, services: Core, workflows: Workflows
) -> None:
    """Delete the feed. Its topics stay."""
    await services.topic_feeds.delete(user.id, tree_id, feed_id)
    await workflows.end_feed(feed_id)
