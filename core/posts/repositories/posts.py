from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, delete, exists, func, or_, select, update
from sqlalchemy.dialects.postgresql import JSONB, aggregate_order_by
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import joinedload
from sqlalchemy.orm.attributes import set_committed_value

from core.among import among
from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.tables import Assistant
from core.database import violates
from core.deliveries.tables.deliveries import Delivery
from core.errors import NotFound
from core.ids import new_id
from core.posts.rules.posts import FINAL, OPEN_DELIVERIES, WAITS_FOR_PERSON, DeliveryState, PostStatus, RemovalState
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run

NamedPost = Row[Post, str]
# of a slug that is cut so that a number fits behind it, its beginning is the same
_SLUG_START = 60


@dataclass(frozen=True)
class Objection:
    """Why a person did not want a post."""

    topic: str
    remark: str


@dataclass(frozen=True)
class Before:
    """What a writer is told of what its assistant made before."""

    latest: str
    """Text of the newest post; empty where there is none."""
    objections: tuple[Objection, ...]
    """Newest first."""


async def fill(session: AsyncSession, user_id: UUID, posts: Sequence[Post]) -> None:
    """With their files, deliveries and what was asked about them: three statements, the same ones for any number, and
    nothing for none."""
    if not posts:
        return
    ids = [post.id for post in posts]
    files = await session.scalars(_files_of(), {"user_id": user_id, "ids": ids})
    of_post: defaultdict[UUID, list[PostFile]] = defaultdict(list)
    for file in files:
        of_post[file.post_id].append(file)
    deliveries = await deliveries_of(session, user_id, ids)
    asked: defaultdict[UUID, list[Approval]] = defaultdict(list)
    for approval in await session.scalars(_approvals_of(), {"user_id": user_id, "ids": ids}):
        asked[approval.post_id].append(approval)
    for post in posts:
        set_committed_value(post, "approvals", asked[post.id])
        set_committed_value(post, "files", of_post[post.id])
        set_committed_value(post, "deliveries", deliveries[post.id])


async def deliveries_of(
    session: AsyncSession, user_id: UUID, post_ids: Sequence[UUID]
) -> defaultdict[UUID, list[Delivery]]:
    """By post, each with its account."""
    found: defaultdict[UUID, list[Delivery]] = defaultdict(list)
    for delivery in await session.scalars(_deliveries_of(), {"user_id": user_id, "ids": list(post_ids)}):
        found[delivery.post_id].append(delivery)
    return found


# built once: that takes as long as asking


@cache
def _files_of() -> Select[PostFile]:
    return (
        select(PostFile)
        .where(PostFile.user_id == bindparam("user_id"), among(PostFile.post_id, "ids"))
        .options(joinedload(PostFile.media, innerjoin=True))
        .order_by(PostFile.position)
    )


@cache
def _post_of() -> Select[Post]:
    return select(Post).where(Post.id == bindparam("id"), Post.user_id == bindparam("user_id"))


@cache
def _delivery_of() -> Select[Delivery]:
    return (
        select(Delivery)
        .where(Delivery.id == bindparam("id"), Delivery.user_id == bindparam("user_id"))
        .options(joinedload(Delivery.account, innerjoin=True))
        .with_for_update(of=Delivery)
    )


@cache
def _approvals_of() -> Select[Approval]:
    return select(Approval).where(Approval.user_id == bindparam("user_id"), among(Approval.post_id, "ids"))


@cache
def _deliveries_of() -> Select[Delivery]:
    return (
        select(Delivery)
        .where(Delivery.user_id == bindparam("user_id"), among(Delivery.post_id, "ids"))
        .options(joinedload(Delivery.account, innerjoin=True))
        .order_by(Delivery.id)
    )


def has_unclear() -> ColumnElement[bool]:
    """Whether the outcome of one of its deliveries is known to nobody."""
    return (
        exists()
        .where(Delivery.post_id == Post.id, Delivery.user_id == Post.user_id, Delivery.state == DeliveryState.unknown)
        .correlate(Post)
    )


def waits_for_person() -> ColumnElement[bool]:
    """A question is open that only a person can answer, or nobody has seen yet that it failed."""
    return or_(
        has_unclear(),
        # apart from it, since PostgreSQL looks at all deliveries at once only where they are asked for by themselves
        and_(_stays_against_a_wish(), Post.acknowledged_at.is_(None)),
        and_(_lacks_its_comment(), Post.acknowledged_at.is_(None)),
        and_(Post.status == PostStatus.failed, Post.acknowledged_at.is_(None)),
        and_(Post.status == PostStatus.draft, asks_now()),
    )


def _stays_against_a_wish() -> ColumnElement[bool]:
    """Its network was to delete it, and did not."""
    return (
        exists()
        .where(Delivery.post_id == Post.id, Delivery.user_id == Post.user_id, Delivery.removal == RemovalState.failed)
        .correlate(Post)
    )


def _lacks_its_comment() -> ColumnElement[bool]:
    """It went out, but its first comment did not, or nobody knows."""
    return (
        exists()
        .where(Delivery.post_id == Post.id, Delivery.user_id == Post.user_id, Delivery.comment.in_(WAITS_FOR_PERSON))
        .correlate(Post)
    )


def asks_now() -> ColumnElement[bool]:
    """Somebody is asked about it as it is, or it was kept for them when nobody had answered in time."""
    asked = exists().where(
        Approval.post_id == Post.id,
        Approval.user_id == Post.user_id,
        Approval.content_hash == Post.content_hash,
        or_(Approval.state == ApprovalState.waiting, and_(_kept_at_deadline(), Post.acknowledged_at.is_(None))),
    )
    return asked.correlate(Post)


def _kept_at_deadline() -> ColumnElement[bool]:
    return and_(Approval.state == ApprovalState.expired, Approval.at_deadline == AtDeadline.hold)


def _bound_for_its_site() -> ColumnElement[bool]:
    """It is there, was to be, or is to be as soon as somebody has approved it: then it is a draft, and has its
    delivery."""
    waits = exists().where(Delivery.post_id == Post.id, Delivery.state.not_in(FINAL))
    return or_(Post.status != PostStatus.draft, waits)


ID_TAKEN: Final = "pk_posts"
"""What is broken by a second post with the same id."""
_LOOKS: Final = 5
"""At what changes meanwhile: it is told of its changes, and looked at anew."""


class PostRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def fill(self, user_id: UUID, posts: Sequence[Post]) -> None:
        """Those that were found elsewhere, as every method here gives them."""
        await fill(self.session, user_id, posts)

    async def get(self, user_id: UUID, post_id: UUID, *, deleted: bool = False) -> NamedPost:
        """Another user's post is missing, never forbidden. `deleted`: also one that is, for whoever sees to the end
        of its deliveries."""
        query = (
            select(Post, Assistant.name)
            .outerjoin(Assistant, Assistant.id == Post.assistant_id)
            .where(Post.id == post_id, Post.user_id == user_id)
        )
        if not deleted:
            query = query.where(Post.deleted_at.is_(None))
        row = (await self.session.execute(query)).one_or_none()
        if row is None:
            raise NotFound(what="post", id=str(post_id))
        await fill(self.session, user_id, [row[0]])
        return row

    async def seen(self, user_id: UUID, post_id: UUID) -> NamedPost:
        """As `get`, to be shown: its version is that of its deliveries. Each statement sees what was committed before:
        they may be newer than the post was, and whoever answers what they see would be refused as late."""
        version = select(Post.version).where(Post.id == post_id, Post.user_id == user_id)
        for _ in range(_LOOKS):
            row = await self.get(user_id, post_id)
            if await self.session.scalar(version) == row[0].version:
                break
            self.session.expire_all()
        return row

    async def with_files(self, user_id: UUID, post_id: UUID) -> Post:
        """With its files alone, for what goes out. Raises NotFound."""
        post: Post | None = await self.session.scalar(_post_of(), {"user_id": user_id, "id": post_id})
        if post is None:
            raise NotFound(what="post", id=str(post_id))
        files = await self.session.scalars(_files_of(), {"user_id": user_id, "ids": [post_id]})
        set_committed_value(post, "files", list(files))
        return post

    async def has_files(self, user_id: UUID, post_id: UUID) -> bool:
        found = await self.session.scalar(
            select(PostFile.id).where(PostFile.post_id == post_id, PostFile.user_id == user_id).limit(1)
        )
        return found is not None

    async def locked(self, user_id: UUID, post_id: UUID, *, deleted: bool = False) -> Post:
        """For a change; nobody else changes the post before the transaction ends. `deleted`: also one that is. Raises
        NotFound."""
        query = select(Post).where(Post.id == post_id, Post.user_id == user_id)
        if not deleted:
            query = query.where(Post.deleted_at.is_(None))
        found: Post | None = await self.session.scalar(
            query.with_for_update().execution_options(populate_existing=True)
        )
        if found is None:
            raise NotFound(what="post", id=str(post_id))
        await fill(self.session, user_id, [found])
        return found

    async def locked_for_sending(self, user_id: UUID, post_id: UUID, *, deleted: bool = False) -> Post:
        """As `locked`, with its deliveries, which come first: whoever arms one has it before it looks at the post."""
        await self.session.execute(
            select(Delivery.id)
            .where(Delivery.post_id == post_id, Delivery.user_id == user_id)
            .order_by(Delivery.id)
            .with_for_update()
        )
        return await self.locked(user_id, post_id, deleted=deleted)

    async def add(self, post: Post) -> bool:
        """Return False where there is one with its id, whoever owns it: also one that another call adds right now."""
        try:
            async with self.session.begin_nested():
                self.session.add(post)
        except IntegrityError as error:
            if violates(error, ID_TAKEN):
                return False
            raise
        return True

    async def has_same_slug(self, post: Post, slug: str) -> bool:
        """Whether another article that is at the same site, or on its way there, has it; one too that waits for its
        approval."""
        return bool(
            await self.session.scalar(
                select(
                    exists().where(
                        Post.user_id == post.user_id,
                        Post.id != post.id,
                        Post.article["slug"].astext == slug,
                        Post.account_ids == post.account_ids,
                        _bound_for_its_site(),
                    )
                )
            )
        )

    async def slugs_beginning(self, user_id: UUID, account_ids: Sequence[str], start: str) -> set[str]:
        """Of the articles for those accounts, drafts too; those as well that are deleted here and may be there."""
        slug = Post.article["slug"].astext
        rows = await self.session.scalars(
            select(slug).where(
                Post.user_id == user_id,
                or_(Post.deleted_at.is_(None), _bound_for_its_site()),
                Post.account_ids == list(account_ids),
                slug.startswith(start[:_SLUG_START], autoescape=True),
            )
        )
        return set(rows)

    async def set_files(self, post: Post, files: Sequence[tuple[UUID, str]]) -> None:
        """(picture, alt text) in their order, instead of those that it has."""
        await self.session.flush()
        await self.session.execute(
            delete(PostFile).where(PostFile.post_id == post.id, PostFile.user_id == post.user_id)
        )
        self.session.add_all(
            PostFile(id=new_id(), user_id=post.user_id, post_id=post.id, media_id=media_id, position=at, alt=alt)
            for at, (media_id, alt) in enumerate(files)
        )
        await self.session.flush()
        found = await self.session.scalars(_files_of(), {"user_id": post.user_id, "ids": [post.id]})
        set_committed_value(post, "files", list(found))

    async def planned_at(self, user_id: UUID, post_id: UUID) -> datetime | None:
        found: datetime | None = await self.session.scalar(
            select(Post.planned_at).where(Post.id == post_id, Post.user_id == user_id)
        )
        return found

    async def told(self, user_id: UUID, post_id: UUID, version: int) -> None:
        """Its workflow knows of everything up to that version."""
        await self.session.execute(
            update(Post)
            .where(Post.id == post_id, Post.user_id == user_id, Post.told_version < version)
            .values(told_version=version, updated_at=Post.updated_at)
        )

    async def behind(
        self, before: datetime, limit: int = 100, *, at_once: Collection[UUID] = ()
    ) -> Sequence[tuple[Post, Run | None]]:
        """Of all users, those whose workflow may not have heard of what a person changed, with the runs they are of;
        drawn anew each time, so that what cannot be told keeps no other waiting. Changed `before`, or one of
        those `at_once`, which nobody else tells. For the reconcile."""
        rows = await self.session.execute(
            select(Post, Run)
            .outerjoin(Run, Run.id == Post.run_id)
            .where(Post.version > Post.told_version, or_(Post.updated_at < before, Post.id.in_(at_once)))
            .order_by(func.random())
            .limit(limit)
        )
        return [(post, run) for post, run in rows]

    async def going_out(self, before: datetime, limit: int = 1000) -> Sequence[Post]:
        """Of all users, those that are to go out without a run that sees to it, and that nothing was written to since,
        drawn anew each time. For the reconcile."""
        left = exists().where(
            Delivery.post_id == Post.id,
            Delivery.state.in_(OPEN_DELIVERIES),
        )
        rows = await self.session.scalars(
            select(Post)
            .outerjoin(Run, Run.id == Post.run_id)
            .where(
                Post.status == PostStatus.complete,
                Post.updated_at < before,
                or_(Run.id.is_(None), Run.finished_at.is_not(None)),
                left.correlate(Post),
            )
            .order_by(func.random())
            .limit(limit)
        )
        return rows.all()

    async def unclear(self, user_id: UUID, assistant_id: UUID, *, beside: UUID | None) -> list[UUID]:
        """Posts of the assistant with a delivery that nobody knows the outcome of, but for those of the run `beside`,
        newest first."""
        rows = await self.session.scalars(
            select(Post.id)
            .where(
                Post.user_id == user_id,
                Post.assistant_id == assistant_id,
                Post.run_id.is_distinct_from(beside),
                has_unclear(),
            )
            .order_by(Post.planned_at.desc(), Post.id.desc())
        )
        return list(rows)

    async def of_run(self, user_id: UUID, run_id: UUID, *, deleted: bool = True) -> Post | None:
        """`deleted`: also one that is."""
        query = select(Post).where(Post.run_id == run_id, Post.user_id == user_id)
        if not deleted:
            query = query.where(Post.deleted_at.is_(None))
        found: Post | None = await self.session.scalar(query)
        if found:
            await fill(self.session, user_id, [found])
        return found

    async def find(self, user_id: UUID, post_id: UUID) -> Post | None:
        """As `get`, where it may be gone."""
        found: Post | None = await self.session.scalar(select(Post).where(Post.id == post_id, Post.user_id == user_id))
        if found:
            await fill(self.session, user_id, [found])
        return found

    async def count_of(self, user_id: UUID, assistant_id: UUID | None) -> int:
        """How many posts the assistant has made."""
        made = select(func.count()).where(Post.user_id == user_id, Post.assistant_id == assistant_id)
        return await self.session.scalar(made) or 0

    async def latest_of(
        self, user_id: UUID, assistant_id: UUID, limit: int, *, beside: UUID
    ) -> Sequence[Row[UUID, str, str]]:
        """Ids, topics and texts of the assistant's newest posts but for the one of the run `beside`, newest first."""
        rows = await self.session.execute(
            select(Post.id, Post.topic_title, Post.content)
            .where(
                Post.user_id == user_id,
                Post.assistant_id == assistant_id,
                Post.run_id.is_distinct_from(beside),
                Post.content != "",
            )
            .order_by(Post.created_at.desc(), Post.id.desc())
            .limit(limit)
        )
        return rows.all()

    async def before(self, user_id: UUID, assistant_id: UUID, *, beside: UUID, objections: int) -> Before:
        """The assistant's newest post but for the one of the run `beside`, and the newest remarks with which its posts
        were declined, at most so many. In one query."""
        latest = (
            select(Post.content)
            .where(
                Post.user_id == user_id,
                Post.assistant_id == assistant_id,
                Post.run_id.is_distinct_from(beside),
                Post.content != "",
            )
            .order_by(Post.created_at.desc(), Post.id.desc())
            .limit(1)
        )
        declined = (
            select(Approval.id, Approval.decided_at, Approval.remark, Post.topic_title)
            .join(Post, Post.id == Approval.post_id)
            .where(
                Approval.user_id == user_id,
                Post.assistant_id == assistant_id,
                Approval.state == ApprovalState.declined,
                Approval.remark != "",
            )
            .order_by(Approval.decided_at.desc(), Approval.id.desc())
            .limit(objections)
            .subquery()
        )
        pair = func.jsonb_build_array(declined.c.topic_title, declined.c.remark)
        told = func.jsonb_agg(aggregate_order_by(pair, declined.c.decided_at.desc(), declined.c.id.desc()), type_=JSONB)
        row = (
            await self.session.execute(
                select(latest.scalar_subquery(), select(told).select_from(declined).scalar_subquery())
            )
        ).one()
        return Before(row[0] or "", tuple(Objection(*one) for one in row[1] or ()))

    async def recent_topics(self, user_id: UUID, assistant_id: UUID, limit: int) -> list[UUID]:
        """Topics of the assistant's latest runs, newest first."""
        rows = await self.session.scalars(
            select(Run.topic_id)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.topic_id.is_not(None))
            .order_by(Run.slot.desc())
            .limit(limit)
        )
        return [topic_id for topic_id in rows if topic_id is not None]

    async def delivery(self, user_id: UUID, delivery_id: UUID) -> Delivery:
        """Locked: the ledger's row belongs to one at a time."""
        found: Delivery | None = await self.session.scalar(_delivery_of(), {"user_id": user_id, "id": delivery_id})
        if found is None:
            raise NotFound(what="delivery", id=str(delivery_id))
        return found
