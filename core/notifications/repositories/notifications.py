"""What users are told of, how they want to be told, and the overviews that they got."""

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
"""Nobody reads a larger number, and counting on would cost more with every one."""


@dataclass(frozen=True)
class Named:
    """A notification with what it is about, as that is called today."""

    row: Notification
    post_title: str | None
    """Its topic, or how its text begins; None where it is about no post."""
    assistant_name: str | None
    account: Account | None
    of_article: bool
    """Or of one that writes some."""


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
    found = _shown(user_id).where(Notification.read_at.is_(None)).limit(MOST_COUNTED)
    return select(func.count()).select_from(found.subquery())


def _shown(user_id: UUID) -> Select[UUID]:
    """What is about a post in the bin leads nowhere."""
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
        """False where the user was told of that already."""
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

    async def page(self, user_id: UUID, *, unread: bool, offset: int, limit: int) -> tuple[Sequence[Named], int]:
        """Newest first, and how many there are."""
        shown = _shown(user_id)
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
        return [Named(*row) for row in rows], total or 0

    async def unread(self, user_id: UUID) -> int:
        """At most MOST_COUNTED."""
        return await self.session.scalar(unread_count(user_id)) or 0

    async def has(self, user_id: UUID, notification_id: UUID) -> bool:
        found = await self.session.scalar(
            select(Notification.id).where(Notification.user_id == user_id, Notification.id == notification_id)
        )
        return found is not None

    async def read(self, user_id: UUID, now: datetime, *only: ColumnElement[bool]) -> int:
        """Those that were not. Returns how many."""
        read = await self.session.scalars(
            update(Notification)
            .where(Notification.user_id == user_id, Notification.read_at.is_(None), *only)
            .values(read_at=now)
            .returning(Notification.id)
        )
        return len(read.all())

    async def read_one(self, user_id: UUID, notification_id: UUID, now: datetime) -> int:
        return await self.read(user_id, now, Notification.id == notification_id)

    async def read_until(self, user_id: UUID, until: datetime, now: datetime) -> int:
        return await self.read(user_id, now, Notification.created_at <= until)

    async def read_of(
        self,
        user_id: UUID,
        kinds: Sequence[NotificationKind],
        now: datetime,
        *,
        post_id: UUID | None = None,
        assistant_id: UUID | None = None,
        account_id: UUID | None = None,
    ) -> int:
        """Those of these kinds about the one thing that is given."""
        return await self.read(user_id, now, Notification.kind.in_(kinds), *_about(post_id, assistant_id, account_id))

    async def reopen(
        self,
        user_id: UUID,
        kind: NotificationKind,
        *,
        post_id: UUID | None = None,
        assistant_id: UUID | None = None,
        account_id: UUID | None = None,
    ) -> bool:
        """The last one of this kind about the one thing that is given is unread. False where it was before, or there
        is none."""
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

    # how they want to be told

    async def chosen(self, user_id: UUID) -> Mapping[MailTopic, MailTiming]:
        """What they have chosen themselves."""
        rows = await self.session.execute(
            select(NotificationSetting.topic, NotificationSetting.mail).where(NotificationSetting.user_id == user_id)
        )
        return {row.topic: row.mail for row in rows}

    async def choose(self, user_id: UUID, topic: MailTopic, mail: MailTiming) -> None:
        row = insert(NotificationSetting).values(id=new_id(), user_id=user_id, topic=topic, mail=mail)
        await self.session.execute(
            row.on_conflict_do_update(
                index_elements=[NotificationSetting.user_id, NotificationSetting.topic],
                set_={"mail": row.excluded.mail, "updated_at": row.excluded.updated_at},
            )
        )

    async def leave_out(self, user_id: UUID, kinds: Sequence[NotificationKind]) -> None:
        """The next overview does not tell of these."""
        await self.session.execute(
            update(Notification)
            .where(Notification.user_id == user_id, Notification.for_digest, Notification.kind.in_(kinds))
            .values(for_digest=False)
        )

    # overviews

    async def waiting_for_digest(self) -> Sequence[tuple[User, datetime]]:
        """All users whom an overview has something to tell, and since when, but for those who are gone: for the worker
        alone."""
        waiting = (
            select(Notification.user_id, func.min(Notification.created_at).label("since"))
            .where(Notification.for_digest)
            .group_by(Notification.user_id)
            .subquery()
        )
        rows = await self.session.execute(
            select(User, waiting.c.since)
            .join(waiting, waiting.c.user_id == User.id)
            .where(User.disabled_at.is_(None), User.deletion_requested_at.is_(None))
        )
        return [(user, since) for user, since in rows]

    async def begin_digest(self, user_id: UUID, day: date) -> bool:
        """False where that day had its overview."""
        added = await self.session.scalar(
            insert(Digest)
            .values(id=new_id(), user_id=user_id, day=day)
            .on_conflict_do_nothing(index_elements=[Digest.user_id, Digest.day])
            .returning(Digest.id)
        )
        return added is not None

    async def take_for_digest(self, user_id: UUID, before: datetime) -> Mapping[tuple[NotificationKind, bool], int]:
        """What came before then and is still unread, by kind and by whether it is about an article or a website. No
        later overview tells of it again."""
        there = (Notification.post_id.is_(None)) | Notification.post_id.in_(
            select(Post.id).where(Post.user_id == user_id, Post.deleted_at.is_(None))
        )
        taken = await self.session.execute(
            update(Notification)
            .where(Notification.user_id == user_id, Notification.for_digest, Notification.created_at < before)
            .values(for_digest=False)
            .returning(Notification.kind, _OF_ARTICLE, Notification.read_at.is_(None) & there)
        )
        counts: dict[tuple[NotificationKind, bool], int] = {}
        for kind, of_article, open_still in taken:
            if open_still:
                counts[kind, of_article] = counts.get((kind, of_article), 0) + 1
        return counts

    async def sweep(self, before: datetime, *, most: int) -> int:
        """Remove what is older, of all users. Returns how many; the rest waits for the next time."""
        gone = 0
        for table in (Notification, Digest):
            old = select(table.id).where(table.created_at < before).limit(most).with_for_update(skip_locked=True)
            gone += len((await self.session.scalars(delete(table).where(table.id.in_(old)).returning(table.id))).all())
        return gone
