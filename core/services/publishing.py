"""What a person changes about a post that is to go out: the row decides, its workflow follows.

Whoever arms a delivery locks it and then looks at its post's time and status; whoever changes these locks the
deliveries first. So a change is either seen by the arming, or refused because of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.domain.approvals import ApprovalState
from core.domain.channels import ChannelKind
from core.domain.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.domain.ids import new_id
from core.domain.live import LiveKind
from core.domain.posts import FINAL, DeliveryState, PostStatus, status_of
from core.models import Account, Delivery, Post
from core.repositories.accounts import AccountRepository
from core.repositories.approvals import ApprovalRepository
from core.repositories.clock import database_now
from core.repositories.posts import PostRepository
from core.repositories.runs import RunRepository
from core.services.approving import approve
from core.services.fitting import broken_rules, hash_of
from core.services.outcomes import close, follow_deliveries, give_up
from core.services.post_changes import Changed, changed, refs_of, run_workflow


@dataclass(frozen=True)
class Outline:
    """What the workflow of a post follows."""

    version: int
    planned_at: datetime | None
    status: PostStatus
    deliveries: tuple[tuple[UUID, ChannelKind], ...]
    """Those that are open."""


@dataclass(frozen=True)
class PublishingService:
    sessions: Sessions

    async def move(self, user_id: UUID, post_id: UUID, version: int, planned_at: datetime) -> Changed:
        """It goes out at that time instead. Raises Conflict (stale_version, post_going_out, post_ended), InvalidInput
        (slot_past)."""
        async with self.sessions.begin() as session:
            post = await self._changeable(session, user_id, post_id, version)
            if not _is_on_its_way(post):
                raise Conflict(ErrorCode.post_ended)
            if planned_at <= await database_now(session):
                raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
            post.planned_at, post.pinned = planned_at, True
            return await changed(session, post)

    async def cancel(self, user_id: UUID, post_id: UUID, version: int) -> Changed:
        """It does not go out and is kept as a draft. Raises as `move`."""
        async with self.sessions.begin() as session:
            post = await self._changeable(session, user_id, post_id, version)
            if not _is_on_its_way(post):
                raise Conflict(ErrorCode.post_ended)
            workflow = await run_workflow(session, post)
            if workflow and post.run_id:
                await give_up(session, user_id, post.run_id, ErrorCode.run_cancelled)
            else:
                for delivery in post.deliveries:
                    close(delivery, None, by_hand=True)
                post.status = status_of([delivery.state for delivery in post.deliveries])
            return await changed(session, post, workflow)

    async def retry(self, user_id: UUID, post_id: UUID, only: Collection[UUID] | None = None) -> Changed:
        """Those of its deliveries that failed (or `only` these) are tried again now; what went out stays as it is.

        Raises Conflict (post_not_editable) where none of them has failed, (post_going_out) while its run is just
        ending, InvalidInput (account_disconnected) where an account is gone for good.
        """
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked_for_sending(user_id, post_id)
            again = [
                delivery
                for delivery in post.deliveries
                if delivery.state is DeliveryState.failed and (only is None or delivery.id in only)
            ]
            if not again:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            _must_be_there([delivery.account for delivery in again])
            workflow = await run_workflow(session, post)
            if workflow and not _open(post.deliveries):  # its run is writing down how it ended
                raise Conflict(ErrorCode.post_going_out)
            for delivery in again:
                _reopen(delivery, delivery.content_hash)
            post.planned_at, post.pinned = await database_now(session), True
            post.status, post.acknowledged_at = PostStatus.complete, None
            return await changed(session, post, workflow, again)

    async def publish(self, user_id: UUID, post_id: UUID, version: int, planned_at: datetime | None) -> Changed:
        """A draft of an assistant goes out, at that time or now: whoever says so has approved it as it is.

        Raises Conflict (stale_version, post_not_editable), InvalidInput (slot_past, account_disconnected, or the
        channels' rules that it breaks).
        """
        async with self.sessions.begin() as session:
            posts = PostRepository(session)
            post = await posts.locked_for_sending(user_id, post_id)
            _must_be_current(post, version)
            workflow = await run_workflow(session, post)
            if post.status is not PostStatus.draft or post.run_id is None or workflow:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            now = await database_now(session)
            if planned_at and planned_at <= now:
                raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
            accounts = await self._accounts(session, post)
            if problems := broken_rules(post, accounts):
                raise InvalidInput(problems[0].code, errors=problems)
            post.content_hash = hash_of(post, accounts)
            open_now = self._deliveries(session, post, accounts)
            approval = await ApprovalRepository(session).of(post)
            post.planned_at, post.pinned = planned_at or now, True
            post.status = PostStatus.complete
            if approval and approval.state is not ApprovalState.approved:
                await approve(session, post, approval, now)
            return await changed(session, post, None, open_now)

    async def outline(self, user_id: UUID, post_id: UUID) -> Outline:
        """For its workflow. Raises NotFound."""
        async with self.sessions() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
            return Outline(post.version, post.planned_at, post.status, refs_of(_open(post.deliveries)))

    async def end(self, user_id: UUID, post_id: UUID, *, cancelled: bool = False) -> PostStatus:
        """Nothing of it stays open once its workflow ends: what was called for becomes unknown, else it has failed or
        is cancelled. Post and run say what the deliveries say."""
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked_for_sending(user_id, post_id)
            for delivery in post.deliveries:
                close(delivery, None if cancelled else ErrorCode.missed_outage, by_hand=cancelled)
            await session.flush()
            post = await follow_deliveries(session, user_id, post_id)
            await notify_browsers(session, user_id, LiveKind.post, post_id)
            return post.status

    async def told(self, changed: Changed) -> None:
        """Its workflow has heard of it."""
        async with self.sessions.begin() as session:
            await PostRepository(session).told(changed.user_id, changed.post_id, changed.version)

    async def _changeable(self, session: AsyncSession, user_id: UUID, post_id: UUID, version: int) -> Post:
        post = await PostRepository(session).locked_for_sending(user_id, post_id)
        if is_armed(post.deliveries):
            raise Conflict(ErrorCode.post_going_out)
        _must_be_current(post, version)
        return post

    async def _accounts(self, session: AsyncSession, post: Post) -> Sequence[Account]:
        assert post.run_id is not None
        _, setup = await RunRepository(session).begun(post.user_id, post.run_id)
        accounts = await AccountRepository(session).connected(post.user_id, setup.account_ids)
        if not accounts:
            raise InvalidInput(ErrorCode.account_disconnected)
        return accounts

    def _deliveries(self, session: AsyncSession, post: Post, accounts: Sequence[Account]) -> list[Delivery]:
        """One for each account, those that were cancelled opened again."""
        had = {delivery.account_id: delivery for delivery in post.deliveries}
        found = []
        for account in accounts:
            delivery = had.get(account.id)
            if delivery is None:
                delivery = Delivery(
                    id=new_id(),
                    user_id=post.user_id,
                    post_id=post.id,
                    account_id=account.id,
                    channel=account.kind,
                    state=DeliveryState.pending,
                    content_hash=post.content_hash,
                )
                session.add(delivery)
            elif delivery.state is DeliveryState.published or delivery.called_at is not None:
                continue
            else:
                _reopen(delivery, post.content_hash)
            found.append(delivery)
        return found


def is_armed(deliveries: Collection[Delivery]) -> bool:
    """Whether one of them waits in a worker for its moment, is being called for, or may have been."""
    return any(
        delivery.state is DeliveryState.publishing or (delivery.called_at is not None and delivery.state not in FINAL)
        for delivery in deliveries
    )


def _is_on_its_way(post: Post) -> bool:
    return bool(_open(post.deliveries)) and post.status in (PostStatus.draft, PostStatus.complete)


def _open(deliveries: Sequence[Delivery]) -> list[Delivery]:
    return [one for one in deliveries if one.state not in FINAL and one.state is not DeliveryState.unknown]


def _must_be_current(post: Post, version: int) -> None:
    if post.version != version:
        raise Conflict(current=post.version)


def _must_be_there(accounts: Sequence[Account]) -> None:
    if any(account.disconnected_at is not None for account in accounts):
        raise InvalidInput(ErrorCode.account_disconnected)


def _reopen(delivery: Delivery, content: str) -> None:
    """As if nothing was tried yet; what failed before stays in its evidence."""
    delivery.state, delivery.content_hash = DeliveryState.pending, content
    delivery.called_at = delivery.settled_at = delivery.decided_at = delivery.attempt = None
    delivery.error_code = delivery.error_detail = None
    delivery.updated_at = utcnow()
