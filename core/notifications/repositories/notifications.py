"""Notifications, their settings and daily overviews."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

from sqlalchemy import ColumnElement, Select, case, delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.tables import Assistant
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.notifications.rules import MailTiming, MailTopic, NotificationKind
from core.notifications.tables.notifications import Digest, Notification, NotificationSetting
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.users.tables.users import User

MOST_COUNTED = 100
"""Larger numbers are of no use, and counting them would cost more with each row."""


@dataclass(frozen=True)
class NamedNotification:
    """A notification with the current names of what it is about."""

    row: Notification
    post_title: str | None
    """Its topic, or the start of its text; None without a post."""
    assistant_name: str | None
    account: Account | None
    of_article: bool
    """About an article, or an assistant that writes articles."""


_LONGEST_TITLE = 100  # characters
_FIRST_LINE = func.split_part(func.ltrim(Post.content, " \n\r\t"), "\n", 1)
_TITLE = func.coalesce(
    func.nullif(Post.topic_title, ""),
    case(
        (func.length(_FIRST_LINE) > _LONGEST_TITLE, func.left(_FIRST_LINE, _LONGEST_TITLE - 1).concat("…")),
        else_=_FIRST_LINE,
    ),
)


_SITES = [kind for kind in ChannelKind if kind.is_site]
_WRITES_ARTICLES = Assistant.website_id.is_not(None)
_OF_ARTICLE = or_(
    exists().where(Post.id == Notification.post_id, Post.article.is_not(None)).correlate(Notification),
    exists().where(Account.id == Notification.account_id, Account.kind.in_(_SITES)).correlate(Notification),
    exists()
    .where(Assistant.id == Notification.assistant_id, Assistant.website_id.is_not(None))
    .correlate(Notification),
)
"""About an article, a website, or an assistant that writes for one."""


def unread_count(user_id: UUID) -> Select[int]:
    """At most MOST_COUNTED."""
    found = _visible_ids(user_id).where(Notification.read_at.is_(None)).limit(MOST_COUNTED)
    return select(func.count()).select_from(found.subquery())


def _visible_ids(user_id: UUID) -> Select[UUID]:
    """Notifications of deleted posts are hidden, because they have no page."""
    return (
        select(Notification.id)
        .outerjoin(Post, Post.id == Notification.post_id)
        .where(Notification.user_id == user_id, or_(Notification.post_id.is_(None), Post.deleted_at.is_(None)))
    )


def _about(post_id: UUID | None, assistant_id: UUID | None, account_id: UUID | None) -> list[ColumnElement[bool]]:
    given = (
        (Notification.post_id, post_id),
        (Notification.assistant_id, assistant_id),
        (Notification.account_id, account_id),
    )
    return [column == value for column, value in given if value is not None]


class NotificationRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add(
        self,
        user_id: UUID,
        kind: NotificationKind,
        cause: str,
        *,
        post_id: UUID | None = None,
        assistant_id: UUID | None = None,
        account_id: UUID | None = None,
        for_digest: bool,
    ) -> bool:
        """Insert a notification. Return False if there is one with this cause."""
        added = await self.session.scalar(
            insert(Notification)
            .values(
                id=new_id(),
                user_id=user_id,
                kind=kind,
                cause=cause,
                post_id=post_id,
                assistant_id=assistant_id,
                account_id=account_id,
                for_digest=for_digest,
            )
            .on_conflict_do_nothing()
            .returning(Notification.id)
        )
        return added is not None

    async def list_page(
        self, user_id: UUID, *, unread: bool, offset: int, limit: int
    ) -> tuple[Sequence[NamedNotification], int]:
        """Return one page, newest first, and the total."""
        shown = _visible_ids(user_id)
        if unread:
            shown = shown.where(Notification.read_at.is_(None))
        total = await self.session.scalar(select(func.count()).select_from(shown.subquery()))
        rows = await self.session.execute(
            select(Notification, _TITLE, Assistant.name, Account, _OF_ARTICLE)
            .outerjoin(Post, Post.id == Notification.post_id)
            .outerjoin(Assistant, Assistant.id == func.coalesce(Notification.assistant_id, Post.assistant_id))
            .outerjoin(Account, Account.id == Notification.account_id)
            .where(Notification.user_id == user_id, Notification.id.in_(shown))
            .order_by(Notification.created_at.desc(), Notification.id.desc())
            .offset(offset)
            .limit(limit)
        )
        return [NamedNotification(*row) for row in rows], total or 0

    async def count_unread(self, user_id: UUID) -> int:
        """At most MOST_COUNTED."""
        return await self.session.scalar(unread_count(user_id)) or 0

    async def exists(self, user_id: UUID, notification_id: UUID) -> bool:
        found = await self.session.scalar(
            select(Notification.id).where(Notification.user_id == user_id, Notification.id == notification_id)
        )
        return found is not None

    async def mark_read(self, user_id: UUID, now: datetime, *only: ColumnElement[bool]) -> int:
        """Mark matching ones as read. Return how many were unread."""
        read = await self.session.scalars(
            update(Notification)
            .where(Notification.user_id == user_id, Notification.read_at.is_(None), *only)
            .values(read_at=now)
            .returning(Notification.id)
        )
        return len(read.all())

    async def mark_one_read(self, user_id: UUID, notification_id: UUID, now: datetime) -> int:
        return await self.mark_read(user_id, now, Notification.id == notification_id)

    async def mark_read_until(self, user_id: UUID, until: datetime, now: datetime) -> int:
        return await self.mark_read(user_id, now, Notification.created_at <= until)

    async def mark_read_about(
        self,
        user_id: UUID,
        kinds: Sequence[NotificationKind],
        now: datetime,
        *,
        post_id: UUID | None = None,
        assistant_id: UUID | None = None,
        account_id: UUID | None = None,
    ) -> int:
        """Mark those of these kinds about the given thing as read. Return how many were unread."""
        return await self.mark_read(
            user_id, now, Notification.kind.in_(kinds), *_about(post_id, assistant_id, account_id)
        )

    async def reopen(
        self,
        user_id: UUID,
        kind: NotificationKind,
        *,
        post_id: UUID | None = None,
        assistant_id: UUID | None = None,
        account_id: UUID | None = None,
    ) -> bool:
        """Mark the latest of this kind about the given thing as unread. Return False if it was unread, or there is
        none."""
        last = (
            select(Notification.id)
            .where(
                Notification.user_id == user_id,
                Notification.kind == kind,
                *_about(post_id, assistant_id, account_id),
            )
            .order_by(Notification.created_at.desc(), Notification.id.desc())
            .limit(1)
        )
        reopened = await self.session.scalar(
            update(Notification)
            .where(Notification.id == last.scalar_subquery(), Notification.read_at.is_not(None))
            .values(read_at=None)
            .returning(Notification.id)
        )
        return reopened is not None

    # when mails are sent

    async def list_timings(self, user_id: UUID) -> Mapping[MailTopic, MailTiming]:
        """Return the user's own settings."""
        rows = await self.session.execute(
            select(NotificationSetting.topic, NotificationSetting.mail).where(NotificationSetting.user_id == user_id)
        )
        return {row.topic: row.mail for row in rows}

    async def set_timing(self, user_id: UUID, topic: MailTopic, mail: MailTiming) -> None:
        row = insert(NotificationSetting).values(id=new_id(), user_id=user_id, topic=topic, mail=mail)
        await self.session.execute(
            row.on_conflict_do_update(
                index_elements=[NotificationSetting.user_id, NotificationSetting.topic],
                set_={"mail": row.excluded.mail, "updated_at": row.excluded.updated_at},
            )
        )

    async def exclude_from_digest(self, user_id: UUID, kinds: Sequence[NotificationKind]) -> None:
        """Exclude these kinds from the next overview."""
        await self.session.execute(
            update(Notification)
            .where(Notification.user_id == user_id, Notification.for_digest, Notification.kind.in_(kinds))
            .values(for_digest=False)
        )

    # overviews

    async def list_digest_users(self, after: UUID | None, limit: int) -> Sequence[tuple[User, datetime]]:
        """For the worker: return a page of active users with something for an overview, and since when."""
        waiting = (
            select(Notification.user_id, func.min(Notification.created_at).label("since"))
            .where(Notification.for_digest)
            .group_by(Notification.user_id)
            .order_by(Notification.user_id)
        )
        if after is not None:
            waiting = waiting.where(Notification.user_id > after)
        found = waiting.subquery()
        rows = await self.session.execute(
            select(User, found.c.since)
            .join(found, found.c.user_id == User.id)
            .where(User.disabled_at.is_(None), User.deletion_requested_at.is_(None))
            .order_by(User.id)
            .limit(limit)
        )
        return [(user, since) for user, since in rows]

    async def begin_digest(self, user_id: UUID, day: date) -> bool:
        """Return False if the day has its overview already."""
        added = await self.session.scalar(
            insert(Digest)
            .values(id=new_id(), user_id=user_id, day=day)
            .on_conflict_do_nothing(index_elements=[Digest.user_id, Digest.day])
            .returning(Digest.id)
        )
        return added is not None

    async def take_digest_counts(self, user_id: UUID, before: datetime) -> Mapping[tuple[NotificationKind, bool], int]:
        """Count unread notifications from before then, by kind and by whether it is about an article or a website.
        Later overviews do not count them again."""
        has_page = (Notification.post_id.is_(None)) | Notification.post_id.in_(
            select(Post.id).where(Post.user_id == user_id, Post.deleted_at.is_(None))
        )
        taken = await self.session.execute(
            update(Notification)
            .where(Notification.user_id == user_id, Notification.for_digest, Notification.created_at < before)
            .values(for_digest=False)
            .returning(Notification.kind, _OF_ARTICLE, Notification.read_at.is_(None) & has_page)
        )
        counts: dict[tuple[NotificationKind, bool], int] = {}
        for kind, of_article, is_unread in taken:
            if is_unread:
                counts[kind, of_article] = counts.get((kind, of_article), 0) + 1
        return counts

    async def delete_old(self, before: datetime, *, most: int) -> int:
        """Delete a batch of older ones, of all users. Return their number."""
        gone = 0
        for table in (Notification, Digest):
            old = select(table.id).where(table.created_at < before).limit(most).with_for_update(skip_locked=True)
            gone += len((await self.session.scalars(delete(table).where(table.id.in_(old)).returning(table.id))).all())
        return gone
