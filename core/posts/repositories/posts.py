from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any, Final
from uuid import UUID

from sqlalchemy import ColumnElement, Row, Select, and_, bindparam, delete, exists, func, or_, select, tuple_, update
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
from core.deliveries.rules.arming import MOST_COUNTED, minute_around
from core.deliveries.tables.deliveries import IN_DISPLAY_ORDER, Delivery
from core.errors import NotFound
from core.ids import new_id
from core.media.rules.media import default_title
from core.posts.rules.edits import Edit, edits_between
from core.posts.rules.posts import (
    FINAL,
    OPEN_DELIVERIES,
    WAITS_FOR_PERSON,
    ComposedFile,
    DeliveryState,
    PostStatus,
    RemovalState,
)
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run

NamedPost = Row[Post, str]
# a slug that was cut for an added number still starts the same
_SLUG_START = 60
_MOST_COMPARED = 100
"""Newest posts of an assistant that are looked through for changes of people."""
_MOST_CHANGED = 20
"""Changed posts that are compared: most have a change in some text that is more than white space."""


@dataclass(frozen=True)
class Objection:
    """A person's remark on a declined post."""

    topic: str
    remark: str


@dataclass(frozen=True)
class WritingContext:
    """What the prompt says of the assistant's earlier posts, each newest first."""

    texts: tuple[str, ...]
    objections: tuple[Objection, ...]
    edits: tuple[Edit, ...]
    """What people changed in a model's texts before they were published or scheduled."""

    @property
    def latest(self) -> str:
        """Text of the newest post, or ""."""
        return self.texts[0] if self.texts else ""


async def load_related(session: AsyncSession, user_id: UUID, posts: Sequence[Post]) -> None:
    """Load the posts' files, deliveries and approvals, in three statements for any number of posts."""
    if not posts:
        return
    ids = [post.id for post in posts]
    files = await session.scalars(_files_query(), {"user_id": user_id, "ids": ids})
    of_post: defaultdict[UUID, list[PostFile]] = defaultdict(list)
    for file in files:
        of_post[file.post_id].append(file)
    deliveries = await deliveries_by_post(session, user_id, ids)
    asked: defaultdict[UUID, list[Approval]] = defaultdict(list)
    for approval in await session.scalars(_approvals_query(), {"user_id": user_id, "ids": ids}):
        asked[approval.post_id].append(approval)
    for post in posts:
        set_committed_value(post, "approvals", asked[post.id])
        set_committed_value(post, "files", of_post[post.id])
        set_committed_value(post, "deliveries", deliveries[post.id])


async def deliveries_by_post(
    session: AsyncSession, user_id: UUID, post_ids: Sequence[UUID]
) -> defaultdict[UUID, list[Delivery]]:
    """Return the deliveries by post id, each with its account."""
    found: defaultdict[UUID, list[Delivery]] = defaultdict(list)
    for delivery in await session.scalars(_deliveries_query(), {"user_id": user_id, "ids": list(post_ids)}):
        found[delivery.post_id].append(delivery)
    return found


# cached: building takes as long as executing


@cache
def _files_query() -> Select[PostFile]:
    return (
        select(PostFile)
        .where(PostFile.user_id == bindparam("user_id"), among(PostFile.post_id, "ids"))
        .options(joinedload(PostFile.media, innerjoin=True), joinedload(PostFile.cover))
        .order_by(PostFile.position)
    )


@cache
def _post_query() -> Select[Post]:
    return select(Post).where(Post.id == bindparam("id"), Post.user_id == bindparam("user_id"))


@cache
def _delivery_query() -> Select[Delivery]:
    return (
        select(Delivery)
        .where(Delivery.id == bindparam("id"), Delivery.user_id == bindparam("user_id"))
        .options(joinedload(Delivery.account, innerjoin=True))
        .with_for_update(of=Delivery)
        .execution_options(populate_existing=True)
    )


@cache
def _approvals_query() -> Select[Approval]:
    return select(Approval).where(Approval.user_id == bindparam("user_id"), among(Approval.post_id, "ids"))


@cache
def _deliveries_query() -> Select[Delivery]:
    return (
        select(Delivery)
        .where(Delivery.user_id == bindparam("user_id"), among(Delivery.post_id, "ids"))
        .options(joinedload(Delivery.account, innerjoin=True))
        .order_by(*IN_DISPLAY_ORDER)
    )


def has_unknown_delivery() -> ColumnElement[bool]:
    """Condition on `Post`: the outcome of one of its deliveries is unknown."""
    return _has_delivery(Delivery.state == DeliveryState.unknown)


def has_published_delivery() -> ColumnElement[bool]:
    """Condition on `Post`: one of its deliveries is published, and not deleted at its network."""
    return _has_delivery(and_(Delivery.state == DeliveryState.published, Delivery.removed_at.is_(None)))


def waits_for_person() -> ColumnElement[bool]:
    """Condition on `Post`: a question is open that only a person can answer, or a failure is not acknowledged."""
    return or_(
        has_unknown_delivery(),
        # separate EXISTS, since PostgreSQL hashes a subquery over all deliveries only if it stands alone
        and_(_has_failed_removal(), Post.acknowledged_at.is_(None)),
        and_(_lacks_first_comment(), Post.acknowledged_at.is_(None)),
        and_(Post.status == PostStatus.failed, Post.acknowledged_at.is_(None)),
        and_(Post.status == PostStatus.draft, awaits_approval()),
    )


def _has_failed_removal() -> ColumnElement[bool]:
    """Condition on `Post`: it could not be deleted at a network."""
    return _has_delivery(Delivery.removal == RemovalState.failed)


def _lacks_first_comment() -> ColumnElement[bool]:
    """Condition on `Post`: it was published, but a first comment failed or is unknown."""
    return _has_delivery(Delivery.comment.in_(WAITS_FOR_PERSON))


def _has_delivery(condition: ColumnElement[bool]) -> ColumnElement[bool]:
    """Condition on `Post`: it has a delivery of this kind."""
    return exists().where(Delivery.post_id == Post.id, Delivery.user_id == Post.user_id, condition).correlate(Post)


def awaits_approval() -> ColumnElement[bool]:
    """Condition on `Post`: its current content waits for an approval, or was held when nobody answered in time."""
    asked = exists().where(
        Approval.post_id == Post.id,
        Approval.user_id == Post.user_id,
        Approval.content_hash == Post.content_hash,
        or_(Approval.state == ApprovalState.waiting, and_(_held_at_deadline(), Post.acknowledged_at.is_(None))),
    )
    return asked.correlate(Post)


def _held_at_deadline() -> ColumnElement[bool]:
    return and_(Approval.state == ApprovalState.expired, Approval.at_deadline == AtDeadline.hold)


def _is_or_goes_to_site() -> ColumnElement[bool]:
    """Condition on `Post` (an article): it is published at its site, scheduled, or waits for its approval, which makes
    it a draft with a delivery."""
    waits = exists().where(Delivery.post_id == Post.id, Delivery.state.not_in(FINAL))
    return or_(Post.status != PostStatus.draft, waits)


IS_SCHEDULED: Final = Post.status == bindparam(
    "scheduled", PostStatus.complete, type_=Post.status.type, literal_execute=True
)
"""Condition on `Post`. A literal, so that PostgreSQL sees that the partial index has all of them."""

ID_TAKEN: Final = "pk_posts"
"""The constraint that a second post with the same id violates."""
_MAX_READS: Final = 5
"""How often a post that changes meanwhile is read again."""


class PostRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def load_related(self, user_id: UUID, posts: Sequence[Post]) -> None:
        """Load what every method here loads, for posts from another query."""
        await load_related(self.session, user_id, posts)

    async def get(self, user_id: UUID, post_id: UUID, *, deleted: bool = False) -> NamedPost:
        """Return the post and its assistant's name. Raises NotFound, also for another user's post. `deleted`: also a
        deleted one, for work on its deliveries."""
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
        await load_related(self.session, user_id, [row[0]])
        return row

    async def get_consistent(self, user_id: UUID, post_id: UUID) -> NamedPost:
        """As `get`, for display: the version matches the deliveries. Each statement sees later commits, so deliveries
        could be newer than the post, and an answer with its version would be refused as stale."""
        version = select(Post.version).where(Post.id == post_id, Post.user_id == user_id)
        for _ in range(_MAX_READS):
            row = await self.get(user_id, post_id)
            if await self.session.scalar(version) == row[0].version:
                break
            self.session.expire_all()
        return row

    async def get_with_files(self, user_id: UUID, post_id: UUID) -> Post:
        """Return the post with its files only. Raises NotFound."""
        post: Post | None = await self.session.scalar(_post_query(), {"user_id": user_id, "id": post_id})
        if post is None:
            raise NotFound(what="post", id=str(post_id))
        files = await self.session.scalars(_files_query(), {"user_id": user_id, "ids": [post_id]})
        set_committed_value(post, "files", list(files))
        return post

    async def has_files(self, user_id: UUID, post_id: UUID) -> bool:
        found = await self.session.scalar(
            select(PostFile.id).where(PostFile.post_id == post_id, PostFile.user_id == user_id).limit(1)
        )
        return found is not None

    async def lock(self, user_id: UUID, post_id: UUID, *, deleted: bool = False) -> Post:
        """Return the post, locked until the transaction ends. `deleted`: also a deleted one. Raises NotFound."""
        query = select(Post).where(Post.id == post_id, Post.user_id == user_id)
        if not deleted:
            query = query.where(Post.deleted_at.is_(None))
        found: Post | None = await self.session.scalar(
            query.with_for_update().execution_options(populate_existing=True)
        )
        if found is None:
            raise NotFound(what="post", id=str(post_id))
        await load_related(self.session, user_id, [found])
        return found

    async def lock_with_deliveries(self, user_id: UUID, post_id: UUID, *, deleted: bool = False) -> Post:
        """As `lock`, with its deliveries locked first, in the order in which arming locks."""
        await self.session.execute(
            select(Delivery.id)
            .where(Delivery.post_id == post_id, Delivery.user_id == user_id)
            .order_by(Delivery.id)
            .with_for_update()
        )
        return await self.lock(user_id, post_id, deleted=deleted)

    async def lock_by_run(self, user_id: UUID, run_id: UUID) -> Post | None:
        """Return the run's post, also a deleted one, locked as by `lock_with_deliveries`; None if it has none."""
        post_id = await self.session.scalar(select(Post.id).where(Post.run_id == run_id, Post.user_id == user_id))
        return await self.lock_with_deliveries(user_id, post_id, deleted=True) if post_id else None

    async def count_due_with(self, planned_at: datetime) -> int:
        """Return how many posts of all users are scheduled for about this time, at most `MOST_COUNTED`."""
        start, end = minute_around(planned_at)
        due = select(Post.id).where(IS_SCHEDULED, Post.planned_at >= start, Post.planned_at < end).limit(MOST_COUNTED)
        return await self.session.scalar(select(func.count()).select_from(due.subquery())) or 0

    async def add(self, post: Post) -> bool:
        """Insert the post. Return False if its id is taken by any user, also by a concurrent call."""
        try:
            async with self.session.begin_nested():
                self.session.add(post)
        except IntegrityError as error:
            if violates(error, ID_TAKEN):
                return False
            raise
        return True

    async def has_same_slug(self, post: Post, slug: str) -> bool:
        """Return whether another article at the same site has the slug: published, scheduled or waiting for
        approval."""
        return bool(
            await self.session.scalar(
                select(
                    exists().where(
                        Post.user_id == post.user_id,
                        Post.id != post.id,
                        Post.article["slug"].astext == slug,
                        Post.account_ids == post.account_ids,
                        _is_or_goes_to_site(),
                    )
                )
            )
        )

    async def slugs_starting_with(self, user_id: UUID, account_ids: Sequence[str], start: str) -> set[str]:
        """Return slugs of articles for these accounts: drafts too, and deleted ones that may still be at the site."""
        slug = Post.article["slug"].astext
        rows = await self.session.scalars(
            select(slug).where(
                Post.user_id == user_id,
                or_(Post.deleted_at.is_(None), _is_or_goes_to_site()),
                Post.account_ids == list(account_ids),
                slug.startswith(start[:_SLUG_START], autoescape=True),
            )
        )
        return set(rows)

    async def set_files(self, post: Post, files: Sequence[ComposedFile]) -> None:
        """Replace the post's files by these, in order. A document or a video without a title gets one now: it is part
        of what is approved, and the name of the file may change later."""
        await self.session.flush()
        await self.session.execute(
            delete(PostFile).where(PostFile.post_id == post.id, PostFile.user_id == post.user_id)
        )
        self.session.add_all(
            PostFile(
                id=new_id(),
                user_id=post.user_id,
                post_id=post.id,
                media_id=file.media_id,
                position=at,
                alt=file.alt,
                title=file.title,
                cover_id=file.cover_id,
            )
            for at, file in enumerate(files)
        )
        await self.session.flush()
        found = await self.session.scalars(_files_query(), {"user_id": post.user_id, "ids": [post.id]})
        set_committed_value(post, "files", list(found))
        for file in post.files:
            file.title = file.title or default_title(file.media.kind, file.media.name)
        await self.session.flush()

    async def planned_at(self, user_id: UUID, post_id: UUID) -> datetime | None:
        found: datetime | None = await self.session.scalar(
            select(Post.planned_at).where(Post.id == post_id, Post.user_id == user_id)
        )
        return found

    async def mark_synced(self, user_id: UUID, post_id: UUID, version: int) -> None:
        """Mark changes up to the version as known to the post's workflow."""
        await self.session.execute(
            update(Post)
            .where(Post.id == post_id, Post.user_id == user_id, Post.told_version < version)
            .values(told_version=version, updated_at=Post.updated_at)
        )

    async def mark_change_synced(self, user_id: UUID, post_id: UUID, version: int) -> None:
        """Mark this one change as known to the post's workflow, unless it may not know the one before: its message
        carries no other change, so the reconcile still has to let the workflow read the rows."""
        await self.session.execute(
            update(Post)
            .where(Post.id == post_id, Post.user_id == user_id, Post.told_version == version - 1)
            .values(told_version=version, updated_at=Post.updated_at)
        )

    async def set_known_times(self, known: Sequence[tuple[UUID, datetime]]) -> None:
        """After the database was restored, of all users: set the time that a post was given after the backup, where it
        is earlier. `known`: (post, time)."""
        for post_id, planned_at in known:
            await self.session.execute(
                update(Post).where(Post.id == post_id, Post.planned_at > planned_at).values(planned_at=planned_at)
            )

    async def list_unsynced(
        self, before: datetime, *, at_once: Collection[UUID] = (), after: UUID | None, limit: int
    ) -> Sequence[tuple[Post, Run | None]]:
        """For the reconcile: return a page of posts of all users, with their runs, whose workflow may not know the
        latest change: changed `before`, or one of `at_once`, which nobody else reports."""
        query = (
            select(Post, Run)
            .outerjoin(Run, Run.id == Post.run_id)
            .where(Post.version > Post.told_version, or_(Post.updated_at < before, Post.id.in_(at_once)))
            .order_by(Post.id)
            .limit(limit)
        )
        if after is not None:
            query = query.where(Post.id > after)
        return [(post, run) for post, run in await self.session.execute(query)]

    async def list_open_without_run(
        self, before: datetime, *, after: tuple[datetime, UUID] | None, limit: int
    ) -> Sequence[Post]:
        """For the reconcile: return a page of scheduled posts of all users without an open run that were not updated
        since `before`, soonest first. `after`: time and id of the last page's last post."""
        left = exists().where(
            Delivery.post_id == Post.id,
            Delivery.state.in_(OPEN_DELIVERIES),
        )
        query = (
            select(Post)
            .outerjoin(Run, Run.id == Post.run_id)
            .where(
                IS_SCHEDULED,
                Post.planned_at.is_not(None),
                Post.updated_at < before,
                or_(Run.id.is_(None), Run.finished_at.is_not(None)),
                left.correlate(Post),
            )
            .order_by(Post.planned_at, Post.id)
            .limit(limit)
        )
        if after is not None:
            query = query.where(tuple_(Post.planned_at, Post.id) > tuple_(*after))
        return (await self.session.scalars(query)).all()

    async def list_unknown(self, user_id: UUID, assistant_id: UUID, *, beside: UUID | None) -> list[UUID]:
        """Return the assistant's posts with an unknown delivery, without that of the run `beside`, newest first."""
        rows = await self.session.scalars(
            select(Post.id)
            .where(
                Post.user_id == user_id,
                Post.assistant_id == assistant_id,
                Post.run_id.is_distinct_from(beside),
                has_unknown_delivery(),
            )
            .order_by(Post.planned_at.desc(), Post.id.desc())
        )
        return list(rows)

    async def find_by_run(self, user_id: UUID, run_id: UUID, *, deleted: bool = True) -> Post | None:
        """Return the run's post, or None. `deleted`: also a deleted one."""
        query = select(Post).where(Post.run_id == run_id, Post.user_id == user_id)
        if not deleted:
            query = query.where(Post.deleted_at.is_(None))
        found: Post | None = await self.session.scalar(query)
        if found:
            await load_related(self.session, user_id, [found])
        return found

    async def find(self, user_id: UUID, post_id: UUID) -> Post | None:
        """As `get`, but return None if there is none."""
        found: Post | None = await self.session.scalar(select(Post).where(Post.id == post_id, Post.user_id == user_id))
        if found:
            await load_related(self.session, user_id, [found])
        return found

    async def count_by_assistant(self, user_id: UUID, assistant_id: UUID | None) -> int:
        """Return how many posts the assistant has made."""
        made = select(func.count()).where(Post.user_id == user_id, Post.assistant_id == assistant_id)
        return await self.session.scalar(made) or 0

    async def latest_texts(
        self, user_id: UUID, assistant_id: UUID, limit: int, *, beside: UUID
    ) -> Sequence[Row[UUID, str, str, list[dict[str, Any]]]]:
        """Return (id, topic, text, variants) of the assistant's newest posts, without that of the run `beside`, newest
        first."""
        rows = await self.session.execute(
            select(Post.id, Post.topic_title, Post.content, Post.variants)
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

    async def writing_context(
        self, user_id: UUID, assistant_id: UUID, *, beside: UUID, texts: int, objections: int, edits: int
    ) -> WritingContext:
        """Return the assistant's newest `texts`, without that of the run `beside`, the newest `objections` to its
        declined posts and the newest `edits`, in one query."""
        newest = (
            select(Post.content, Post.variants, Post.written, Post.status, Post.deleted_at, Post.created_at, Post.id)
            .where(
                Post.user_id == user_id,
                Post.assistant_id == assistant_id,
                Post.run_id.is_distinct_from(beside),
                Post.content != "",
            )
            .order_by(Post.created_at.desc(), Post.id.desc())
            .limit(_MOST_COMPARED)
            .cte()
        )
        latest = select(newest).order_by(newest.c.created_at.desc(), newest.c.id.desc()).limit(texts).subquery()
        latest_texts = func.jsonb_agg(
            aggregate_order_by(latest.c.content, latest.c.created_at.desc(), latest.c.id.desc()), type_=JSONB
        )
        changed = (
            select(newest)
            .where(
                newest.c.status != PostStatus.draft,  # a person has approved or scheduled it
                newest.c.deleted_at.is_(None),
                or_(
                    newest.c.content != newest.c.written["content"].astext,
                    newest.c.variants != newest.c.written["variants"],
                ),
            )
            .order_by(newest.c.created_at.desc(), newest.c.id.desc())
            .limit(_MOST_CHANGED)
            .subquery()
        )
        version = func.jsonb_build_array(changed.c.written, changed.c.content, changed.c.variants)
        changes = func.jsonb_agg(
            aggregate_order_by(version, changed.c.created_at.desc(), changed.c.id.desc()), type_=JSONB
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
        remarks = func.jsonb_agg(
            aggregate_order_by(pair, declined.c.decided_at.desc(), declined.c.id.desc()), type_=JSONB
        )
        row = (
            await self.session.execute(
                select(
                    select(latest_texts).select_from(latest).scalar_subquery(),
                    select(remarks).select_from(declined).scalar_subquery(),
                    select(changes).select_from(changed).scalar_subquery(),
                )
            )
        ).one()
        found = (edit for version in row[2] or () for edit in edits_between(*version))
        return WritingContext(
            tuple(row[0] or ()), tuple(Objection(*one) for one in row[1] or ()), tuple(islice(found, edits))
        )

    async def recent_topics(self, user_id: UUID, assistant_id: UUID, limit: int) -> list[UUID]:
        """Return topics of the assistant's latest runs, newest first."""
        rows = await self.session.scalars(
            select(Run.topic_id)
            .where(Run.user_id == user_id, Run.assistant_id == assistant_id, Run.topic_id.is_not(None))
            .order_by(Run.slot.desc())
            .limit(limit)
        )
        return [topic_id for topic_id in rows if topic_id is not None]

    async def lock_delivery(self, user_id: UUID, delivery_id: UUID) -> Delivery:
        """Return the delivery, locked, with its account. Raises NotFound."""
        found: Delivery | None = await self.session.scalar(_delivery_query(), {"user_id": user_id, "id": delivery_id})
        if found is None:
            raise NotFound(what="delivery", id=str(delivery_id))
        return found
