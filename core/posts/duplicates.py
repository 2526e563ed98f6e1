"""Detection of a text that is planned twice for the same account within an hour, mostly by mistake."""

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
    """Return by account the first other post with the same text, ignoring spaces and invisible characters, that is
    planned or published less than an hour before or after. `texts`: by account. `planned_at`: None for now."""
    own = {account_id: comparable(text) for account_id, text in texts.items() if not is_blank(text)}
    if not own:
        return {}
    at = planned_at or await database_now(session)
    others = await DeliveryRepository(session).planned_texts(user_id, own.keys(), at - NEAR, at + NEAR, beside=beside)
    repeats: dict[UUID, PlannedText] = {}
    for other in others:
        if comparable(other.text) == own[other.account_id]:
            repeats.setdefault(other.account_id, other)
    return repeats


async def repeats_other_post(session: AsyncSession, post: Post) -> bool:
    """Return whether the text of a delivery that may still go out is also planned in another post."""
    open_texts = {
        delivery.account_id: post.content if delivery.content is None else delivery.content
        for delivery in post.deliveries
        if delivery.state not in (DeliveryState.failed, DeliveryState.cancelled, DeliveryState.published)
    }
    repeats = await find_repeats(session, post.user_id, open_texts, post.planned_at, beside=post.id)
    return bool(repeats)
