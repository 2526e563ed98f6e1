"""Queries of deliveries. The two writes of the ledger at the slot handle several deliveries in one statement."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    Row,
    TableValuedAlias,
    Text,
    Uuid,
    and_,
    bindparam,
    case,
    column,
    exists,
    false,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute
from sqlalchemy.sql.dml import ReturningUpdate
from sqlalchemy.types import TypeEngine

from core.ai.rules.faults import NETWORK
from core.ai.tables.provider_faults import ProviderFault
from core.approvals.rules import ApprovalState
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import OPEN_RUNS, RunState
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import WAITS_FOR_NETWORK, WAITS_FOR_OPERATOR, ErrorCode
from core.networks.rules.channels import AccountState, ChannelKind
from core.posts.repositories.posts import IS_SCHEDULED
from core.posts.rules.posts import OPEN_DELIVERIES, CommentState, DeliveryState, PostStatus
from core.posts.tables.posts import Post
from core.runs.repositories.lateness import CATCH_UP, is_overtaken, is_past
from core.runs.tables import Run
from core.social_accounts.tables import Account, Grant

_MAX_TEXTS: Final = 500
_CALL_IS_OVER: Final = timedelta(minutes=2)


def approved_or_unasked() -> ColumnElement[bool]:
    """Condition on `Delivery`: no approval was requested for its post, or exactly this content was approved."""
    has_approval = exists().where(Approval.post_id == Delivery.post_id)
    approved = exists().where(
        Approval.post_id == Delivery.post_id,
        Approval.content_hash == Delivery.content_hash,
        Approval.state == ApprovalState.approved,
    )
    return or_(~has_approval, approved)


class PublishedFields(Protocol):
    """What a network returned for a published post."""

    @property
    def provider_id(self) -> str | None: ...
    @property
    def permalink(self) -> str | None: ...
    @property
    def slug(self) -> str | None: ...
    @property
    def status(self) -> str | None: ...


@dataclass(frozen=True)
class PlannedText:
    """A text that an account publishes, or has published, and when."""

    account_id: UUID
    post_id: UUID
    text: str
    planned_at: datetime


class DeliveryRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def planned_texts(
        self, user_id: UUID, account_ids: Collection[UUID], start: datetime, end: datetime, *, beside: UUID | None
    ) -> Sequence[PlannedText]:
        """Return what these accounts publish, or have published, between the two times, without the post `beside`; at
        most 500, soonest first."""
        rows = await self.session.execute(
            select(Delivery.account_id, Post.id, func.coalesce(Delivery.content, Post.content), Post.planned_at)
            .join(Post, Post.id == Delivery.post_id)
            .where(
                Delivery.user_id == user_id,
                Delivery.account_id.in_(account_ids),
                Delivery.state.not_in((DeliveryState.failed, DeliveryState.cancelled)),
                Post.user_id == user_id,
                Post.planned_at > start,
                Post.planned_at < end,
                Post.deleted_at.is_(None),
                Post.id.is_distinct_from(beside),
            )
            .order_by(Post.planned_at, Post.id)
            .limit(_MAX_TEXTS)
        )
        return [PlannedText(account_id, post_id, text, at) for account_id, post_id, text, at in rows if at is not None]

    async def fence(
        self, requests: Sequence[tuple[UUID, UUID, UUID, UUID]], catch_up: timedelta
    ) -> set[tuple[UUID, UUID | None]]:
        """Set the fence of each (user, delivery, attempt, token id) of `requests`, by the database's clock. Return
        (delivery, attempt) of those that may call: the attempt is the current one, nobody has called yet, the account
        is connected by that token, the content is approved, and it is not too late."""
        users, ids, attempts, tokens = ([request[at] for request in requests] for at in range(4))
        rows = await self.session.execute(
            _fence_statement(),
            {"users": users, "ids": ids, "of_attempts": attempts, "tokens": tokens, "catch_up": catch_up},
            execution_options={"synchronize_session": False},
        )
        return {(row[0], row[1]) for row in rows}

    async def is_approved(self, user_id: UUID, delivery_id: UUID) -> bool:
        """Return whether `approved_or_unasked` holds."""
        owned = select(Delivery.id).where(Delivery.id == delivery_id, Delivery.user_id == user_id)
        return await self.session.scalar(owned.where(approved_or_unasked())) is not None

    async def settle(
        self, receipts: Sequence[tuple[UUID, UUID, PublishedFields]], commenting: Collection[ChannelKind]
    ) -> Sequence[Row[UUID, UUID, UUID, UUID, CommentState | None, ChannelKind]]:
        """Mark deliveries as published. `receipts`: (user, delivery, what the network returned). On the channels
        `commenting` a first comment is scheduled, if the post has one. Return (id, user_id, post_id, account_id,
        comment, channel) of each."""
        now = utcnow()
        fields = [receipt for *_, receipt in receipts]
        rows = await self.session.execute(
            _settle_statement(),
            {
                "users": [user_id for user_id, *_ in receipts],
                "ids": [delivery_id for _, delivery_id, _ in receipts],
                "provider_ids": [field.provider_id for field in fields],
                "permalinks": [field.permalink for field in fields],
                "slugs": [field.slug for field in fields],
                "statuses": [field.status for field in fields],
                "now": now,
                "commenting": list(commenting),
            },
            execution_options={"synchronize_session": False},
        )
        settled = rows.all()
        await self.session.execute(
            update(Account)
            .where(tuple_(Account.user_id, Account.id).in_({(row.user_id, row.account_id) for row in settled}))
            .values(last_used_at=now)
            .execution_options(synchronize_session=False)
        )
        return settled

    async def release_held(self) -> Sequence[Row[UUID, UUID]]:
        """For the reconcile, of all users: release held deliveries whose account is connected again or was disconnected
        for good, and those whose settings error is fixed. Those that wait for their network have a time of their own.
        Return (user, post) of each."""
        waits_for = Delivery.error_code
        connected = exists().where(
            Account.id == Delivery.account_id,
            Account.own_state == AccountState.connected,
            Account.grant_id == Grant.id,
            Grant.state == AccountState.connected,
        )
        # a server that a person names may refuse what others of its kind take: that delivery has its own next attempt
        mended = and_(
            exists().where(Account.id == Delivery.account_id, Account.base_url == ""),
            ~exists().where(ProviderFault.subject == func.concat(NETWORK, Delivery.channel)),
        )
        is_disconnected = exists().where(Account.id == Delivery.account_id, Account.disconnected_at.is_not(None))
        rows = await self.session.execute(
            update(Delivery)
            .where(
                Delivery.state == DeliveryState.held,
                or_(
                    is_disconnected,
                    and_(connected, or_(waits_for.is_(None), waits_for.not_in(WAITS_FOR_NETWORK))),
                    and_(mended, waits_for.in_(WAITS_FOR_OPERATOR)),
                ),
            )
            .values(
                # after a call it is looked up, and no longer waits for its slot
                state=case(
                    (Delivery.called_at.is_(None), literal(DeliveryState.pending, Delivery.state.type)),
                    else_=literal(DeliveryState.retrying, Delivery.state.type),
                ),
                error_code=None,
                error_detail=None,
            )
            .returning(Delivery.user_id, Delivery.post_id)
            .execution_options(synchronize_session=False)
        )
        released = rows.all()
        if released:
            await self.session.execute(
                update(Post)
                .where(tuple_(Post.user_id, Post.id).in_({(row.user_id, row.post_id) for row in released}))
                .values(version=Post.version + 1)
                .execution_options(synchronize_session=False)
            )
        return released

    async def fence_due(self, now: datetime, backup_from: datetime) -> int:
        """After the database was restored, of all users: set the fence of the open deliveries that are due by `now`,
        since they may have been called after the backup. Their workflows then look them up instead of calling. Return
        their number.

        The fence of their first comments is set too, which may have been published as well."""
        # all processes are stopped: so long ago that nobody waits for the end of a call
        called_at = func.least(func.greatest(Post.planned_at, backup_from), now - _CALL_IS_OVER)
        due = (Delivery.post_id == Post.id, Post.planned_at <= now, Delivery.state.in_(OPEN_DELIVERIES))
        fenced = await self.session.execute(
            update(Delivery)
            .where(*due)
            .values(
                state=DeliveryState.retrying,
                called_at=func.coalesce(Delivery.called_at, called_at),
                comment_called_at=func.coalesce(Delivery.comment_called_at, backup_from),
                error_code=ErrorCode.restored_from_backup,
                error_detail=None,
                held_until=None,
                retry_at=None,
                worker_id=None,
            )
            .returning(Delivery.id)
            .execution_options(synchronize_session=False)
        )
        await self.session.execute(
            update(Delivery)
            .where(Delivery.comment == CommentState.waiting)
            .values(comment_called_at=func.coalesce(Delivery.comment_called_at, backup_from))
            .execution_options(synchronize_session=False)
        )
        return len(fenced.all())

    async def oldest_due(self, now: datetime, processing: Collection[ChannelKind]) -> datetime | None:
        """Return since when the delivery of any user has waited that has waited longest since its time and could go
        out: it waits neither for its network nor for its account nor for a person. None if there is none.

        A delivery that is released late begins to wait then. `processing`: networks that process staged content for a
        time of their own; their staged deliveries wait for that.
        """
        is_processed = and_(Delivery.channel.in_(processing), Delivery.staged_ready_at.is_not(None))
        # as `is_renewing`
        gets_token = exists().where(
            Account.id == Delivery.account_id,
            Account.own_token_id.is_(None),
            Grant.id == Account.grant_id,
            Grant.refused_token_id == Grant.token_id,
            Grant.state == AccountState.connected,
        )
        found: datetime | None = await self.session.scalar(
            select(func.min(func.greatest(Post.planned_at, Delivery.updated_at)))
            .join(Delivery, Delivery.post_id == Post.id)
            .where(
                IS_SCHEDULED,
                Post.deleted_at.is_(None),
                Post.planned_at <= now,
                Delivery.state.in_((DeliveryState.pending, DeliveryState.publishing)),
                Delivery.called_at.is_(None),
                func.coalesce(Delivery.staged_ready_at <= now, true()),
                or_(Delivery.state != DeliveryState.pending, ~is_processed),
                ~gets_token,
            )
        )
        return found

    async def take_from_worker(self, worker_id: UUID) -> Sequence[Row[UUID, UUID, str | None]]:
        """Take the open deliveries of all users from a worker process that has died. Return (delivery, post, workflow
        id of its run or None if that has ended or there is none) of each."""
        rows = await self.session.execute(
            update(Delivery)
            .where(Delivery.worker_id == worker_id, Delivery.state.in_(OPEN_DELIVERIES))
            .values(worker_id=None)
            .returning(
                Delivery.id,
                Delivery.post_id,
                select(Run.workflow_id)
                .join(Post, Post.run_id == Run.id)
                .where(Post.id == Delivery.post_id, Run.state.in_(OPEN_RUNS), Run.finished_at.is_(None))
                .scalar_subquery(),
            )
            .execution_options(synchronize_session=False)
        )
        return rows.all()

    async def posts_of_ended_runs(self, post_ids: Sequence[UUID]) -> Sequence[Row[UUID, UUID]]:
        """Return (user, post) of those whose run has ended already or was deleted, so that no end of a run will
        summarise them, in an order in which several transactions can lock them."""
        rows = await self.session.execute(
            select(Post.user_id, Post.id)
            .outerjoin(Run, Run.id == Post.run_id)
            .where(Post.id.in_(post_ids), or_(Run.id.is_(None), Run.finished_at.is_not(None)))
            .order_by(Post.id)
        )
        return rows.all()

    async def end_published_runs(self, post_ids: Collection[UUID]) -> list[tuple[UUID, UUID]]:
        """End the runs under way of those posts that are published on all accounts, each by the first attempt. Return
        (user, run) of each. Where more has happened, there may be notifications to resolve, and the run's workflow ends
        it; so it does where another transaction has locked the run or its post: that one may wait for a delivery which
        this one has locked."""
        if not post_ids:
            return []
        by_first_attempt = and_(
            Delivery.state == DeliveryState.published,
            Delivery.attempts == 1,
            Delivery.held_until.is_(None),
            func.jsonb_array_length(Delivery.failures) == 0,  # those of staging, which is no attempt
        )
        ended = await self.session.execute(
            select(Run.user_id, Run.id, Post.id)
            .join(Post, Post.run_id == Run.id)
            .where(
                _is_one_of(Post.id, post_ids),
                Run.finished_at.is_(None),
                ~exists().where(Delivery.post_id == Post.id, ~by_first_attempt),
            )
            .with_for_update(skip_locked=True, key_share=True)
        )
        found = ended.all()
        if not found:
            return []
        await self.session.execute(
            update(Post)
            .where(_is_one_of(Post.id, [post_id for *_, post_id in found]))
            .values(status=PostStatus.published)
            .execution_options(synchronize_session=False)
        )
        await self.session.execute(
            update(Run)
            .where(_is_one_of(Run.id, [run_id for _, run_id, _ in found]))
            .values(state=RunState.published, reason=None, finished_at=utcnow())
            .execution_options(synchronize_session=False)
        )
        return [(user_id, run_id) for user_id, run_id, _ in found]

    async def has_run_ended(self, user_id: UUID, delivery_id: UUID) -> bool:
        """Return whether the delivery is one of a run that has ended."""
        found = await self.session.scalar(
            select(Run.id)
            .join(Post, Post.run_id == Run.id)
            .join(Delivery, Delivery.post_id == Post.id)
            .where(Delivery.id == delivery_id, Delivery.user_id == user_id, Run.finished_at.is_not(None))
        )
        return found is not None


# Cached: building these statements took longer than executing them when many deliveries were due.


@cache
def _fence_statement() -> ReturningUpdate[UUID, UUID | None]:
    requested = _parameter_table(users=Uuid(), ids=Uuid(), of_attempts=Uuid(), tokens=Uuid())
    # an account without a grant is not connected
    connected = exists().where(
        Account.id == Delivery.account_id,
        Grant.id == Account.grant_id,
        func.coalesce(Account.own_token_id, Grant.token_id) == requested.c.tokens,
        Account.disconnected_at.is_(None),
        Account.own_state == AccountState.connected,
        Grant.state == AccountState.connected,
    )
    late = exists().where(Post.id == Delivery.post_id, is_past(CATCH_UP))
    replaced = exists().where(
        Post.id == Delivery.post_id, Post.pinned.is_(False), Run.id == Post.run_id, is_overtaken()
    )
    return (
        update(Delivery)
        .where(
            Delivery.user_id == requested.c.users,
            Delivery.id == requested.c.ids,
            Delivery.attempt == requested.c.of_attempts,
            Delivery.called_at.is_(None),
            Delivery.state == DeliveryState.publishing,
            connected,
            approved_or_unasked(),
            or_(~late, func.coalesce(Delivery.held_until > func.clock_timestamp(), false())),
            ~replaced,
        )
        .values(called_at=func.clock_timestamp())
        .returning(Delivery.id, Delivery.attempt)
    )


@cache
def _settle_statement() -> ReturningUpdate[UUID, UUID, UUID, UUID, CommentState | None, ChannelKind]:
    proofs = _parameter_table(
        users=Uuid(), ids=Uuid(), provider_ids=Text(), permalinks=Text(), slugs=Text(), statuses=Text()
    )
    now = bindparam("now", type_=Delivery.settled_at.type)
    follows = and_(
        Delivery.comment.is_(None),
        Delivery.channel.in_(bindparam("commenting", expanding=True)),
        exists().where(Post.id == Delivery.post_id, Post.first_comment != ""),
    )
    return (
        update(Delivery)
        .where(Delivery.id == proofs.c.ids, Delivery.user_id == proofs.c.users)
        .values(
            state=DeliveryState.published,
            settled_at=now,
            # found without a call of this attempt: an earlier one made the post
            called_at=func.coalesce(Delivery.called_at, Delivery.doubted_at),
            provider_id=proofs.c.provider_ids,
            permalink=proofs.c.permalinks,
            site_slug=proofs.c.slugs,
            site_status=proofs.c.statuses,
            error_code=None,
            error_detail=None,
            comment=case((follows, literal(CommentState.waiting, Delivery.comment.type)), else_=Delivery.comment),
            comment_due_at=case((follows, now), else_=Delivery.comment_due_at),
        )
        .returning(
            Delivery.id, Delivery.user_id, Delivery.post_id, Delivery.account_id, Delivery.comment, Delivery.channel
        )
    )


def _is_one_of(id: InstrumentedAttribute[UUID], ids: Collection[UUID | None]) -> ColumnElement[bool]:
    """Return the condition with the ids as one parameter, so that no number of them is compiled anew."""
    return id == func.any(literal(list(ids), ARRAY(Uuid())))


def _parameter_table(**columns: TypeEngine[Any]) -> TableValuedAlias:
    """Return a table of parameters; each value is the list of one column's values."""
    parameters = [bindparam(name, type_=ARRAY(kind)) for name, kind in columns.items()]
    named = [column(name, kind) for name, kind in columns.items()]
    return func.unnest(*parameters).table_valued(*named, name="parameters").render_derived()
