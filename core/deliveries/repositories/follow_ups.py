"""Rows that request something after a publication: comments, removals, revisions, announcements."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, exists, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from core.articles.rules.announcements import OPEN_ANNOUNCEMENTS, AnnouncementState
from core.articles.tables import Announcement
from core.deliveries.rules.follow_ups import FollowUp, FollowUpKind
from core.deliveries.tables.deliveries import Delivery
from core.posts.rules.posts import CommentState, RemovalState, RevisionState

_OF_DELIVERIES: Final[tuple[tuple[FollowUpKind, ColumnElement[bool], InstrumentedAttribute[datetime | None]], ...]] = (
    (FollowUpKind.first_comment, Delivery.comment == CommentState.waiting, Delivery.comment_due_at),
    (FollowUpKind.removal, Delivery.removal == RemovalState.waiting, Delivery.removal_due_at),
    (FollowUpKind.revision, Delivery.revision == RevisionState.waiting, Delivery.revision_due_at),
)


class FollowUpRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def list_due(
        self, kind: FollowUpKind, now: datetime, *, after: UUID | None = None, limit: int
    ) -> list[FollowUp]:
        """For the reconcile: return a page of all users' open follow-ups of a kind whose next attempt is due by `now`.
        Those with a later attempt are left out, so there are few."""
        table = Announcement if kind is FollowUpKind.announcement else Delivery
        query = _due_query(kind, now).order_by(table.id).limit(limit)
        if after is not None:
            query = query.where(table.id > after)
        return [FollowUp(kind, *row) for row in await self.session.execute(query)]

    async def list_ids(self, user_id: UUID) -> Sequence[tuple[FollowUpKind, UUID]]:
        """Return (kind, id) of the user's follow-ups that are open, or may have been."""
        found: list[tuple[FollowUpKind, UUID]] = []
        for kind, is_open, _ in _OF_DELIVERIES:
            ids = await self.session.scalars(select(Delivery.id).where(Delivery.user_id == user_id, is_open))
            found += [(kind, row_id) for row_id in ids]
        announcements = await self.session.scalars(
            # cancelled ones are not open any more
            select(Announcement.id).where(Announcement.user_id == user_id)
        )
        return found + [(FollowUpKind.announcement, row_id) for row_id in announcements]

    async def cancel_all(self, user_id: UUID) -> None:
        """Cancel all further attempts at the user's follow-ups."""
        for _, is_open, due_at in _OF_DELIVERIES:
            await self.session.execute(
                update(Delivery).where(Delivery.user_id == user_id, is_open).values({due_at: None})
            )
        await self.session.execute(
            update(Announcement)
            .where(Announcement.user_id == user_id, Announcement.state.in_(OPEN_ANNOUNCEMENTS))
            .values(state=AnnouncementState.failed)
        )

    async def has_pending(self, user_id: UUID) -> bool:
        """Return whether another attempt at one of the user's follow-ups is pending."""
        awaited = or_(*(and_(is_open, due_at.is_not(None)) for _, is_open, due_at in _OF_DELIVERIES))
        found = select(
            or_(
                exists().where(Delivery.user_id == user_id, awaited),
                exists().where(Announcement.user_id == user_id, Announcement.state.in_(OPEN_ANNOUNCEMENTS)),
            )
        )
        return bool(await self.session.scalar(found))


def _due_query(kind: FollowUpKind, now: datetime) -> Select[*tuple[Any, ...]]:
    """Its caller is the reconcile, which looks after all users."""
    if kind is FollowUpKind.announcement:
        return select(Announcement.user_id, Announcement.article_id, Announcement.id).where(
            Announcement.state.in_(OPEN_ANNOUNCEMENTS), Announcement.due_at <= now
        )
    is_open, due_at = next((is_open, due_at) for found, is_open, due_at in _OF_DELIVERIES if found is kind)
    return select(Delivery.user_id, Delivery.post_id, Delivery.id, Delivery.channel).where(is_open, due_at <= now)
