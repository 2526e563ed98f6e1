"""Whether the same text is planned for the same account within the same hour: mostly somebody has planned it twice."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.database_clock import database_now
from core.deliveries.repositories.deliveries import DeliveryRepository, PlannedText
from core.posts.rules.posts import DeliveryState
from core.posts.tables.posts import Post
from core.texts.rules.texts import comparable, is_blank

NEAR: Final = timedelta(hours=1)


async def find_repeats(
    session: AsyncSession,
    user_id: UUID,
    texts: Mapping[UUID, str],
    planned_at: datetime | None,
    *,
    beside: UUID | None,
) -> dict[UUID, PlannedText]:
    """Return by account the first other post with the same text, spaces and invisible characters apart, that goes out
    or went out less than an hour before or after. `texts`: by account. `planned_at`: None for now."""
    said = {account_id: comparable(text) for account_id, text in texts.items() if not is_blank(text)}
    if not said:
        return {}
    at = planned_at or await database_now(session)
    others = await DeliveryRepository(session).planned_texts(user_id, said.keys(), at - NEAR, at + NEAR, beside=beside)
    found: dict[UUID, PlannedText] = {}
    for one in others:
        if comparable(one.text) == said[one.account_id]:
            found.setdefault(one.account_id, one)
    return found


async def repeats_other_post(session: AsyncSession, post: Post) -> bool:
    """Return whether a post that is on its way is planned like that once more."""
    open_texts = {
        one.account_id: post.content if one.content is None else one.content
        for one in post.deliveries
        if one.state not in (DeliveryState.failed, DeliveryState.cancelled, DeliveryState.published)
    }
    found = await find_repeats(session, post.user_id, open_texts, post.planned_at, beside=post.id)
    return bool(found)
