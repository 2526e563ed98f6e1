"""Bulk changes of posts. Each post is changed in its own transaction, so a refusal does not stop the others."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from core.approvals.questions import ApprovalService
from core.assistants.rules.occurrences import days_later
from core.clock import utcnow
from core.database import Sessions
from core.database_clock import database_now
from core.deliveries.answers import DeliveryDecisionService
from core.deliveries.removal import RemovalService, ensure_settled, removable
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, DomainError, ErrorCode, FieldError, InvalidInput, NotFound
from core.posts.changes import PostChange, save_unsynced_change
from core.posts.duplicates import repeats_other_post
from core.posts.publishing import PublishingService
from core.posts.repositories.post_lists import PostListRepository
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus, Removable
from core.posts.tables.posts import Post
from core.social_accounts.repositories.accounts import AccountRepository
from core.texts.rules.tags import too_long_tags, with_tags

RESTORABLE: Final = timedelta(days=30)
"""How long a deleted post can be restored."""
_PURGE_LIMIT = 500


class BulkAction(StrEnum):
    approve = "approve"
    decline = "decline"
    move = "move"
    cancel = "cancel"
    delete = "delete"
    remove = "remove"
    """Delete at the networks where that is possible, then here."""
    restore = "restore"
    tag = "tag"
    there = "there"
    not_there = "not_there"
    take_back = "take_back"
    send_again = "send_again"


@dataclass(frozen=True)
class BulkOrder:
    action: BulkAction
    remark: str = ""
    """Reason for declining."""
    days: int = 0
    """Days to move by, at the same local time."""
    add: tuple[str, ...] = ()
    """Tags."""
    remove: tuple[str, ...] = ()
    account_ids: tuple[UUID, ...] = ()
    """Only deliveries of these accounts are settled or removed; empty for all."""

    def ensure_valid(self) -> None:
        """Raises InvalidInput for what is wrong for all posts."""
        if self.action is BulkAction.move and not self.days:
            raise InvalidInput(errors=[FieldError("days", ErrorCode.invalid_input)])
        if self.action is BulkAction.tag:
            if not self.add and not self.remove:
                raise InvalidInput(errors=[FieldError("add", ErrorCode.invalid_input)])
            if errors := too_long_tags(self.add):
                fields = [
                    FieldError(error.field.replace("tags.", "add.", 1), error.code, **error.params) for error in errors
                ]
                raise InvalidInput(errors=fields)


@dataclass(frozen=True)
class PickedPost:
    """A post as it was shown when it was selected."""

    post_id: UUID
    version: int
    content_hash: str
    planned_at: datetime | None = None
    """Target of a move, instead of the days: moving back across a change of the clock needs it."""


@dataclass(frozen=True)
class BulkOutcome:
    post_id: UUID
    refusal: DomainError | None = None
    changed: PostChange | None = None
    """For its workflow."""


@dataclass(frozen=True)
class PostBulkService:
    sessions: Sessions
    publishing: PublishingService
    approvals: ApprovalService
    delivery_decisions: DeliveryDecisionService
    removals: RemovalService

    async def ensure_applicable(self, user_id: UUID, order: BulkOrder) -> None:
        """Check before the first post. Raises InvalidInput as the order, NotFound for an account of another user."""
        order.ensure_valid()
        async with self.sessions() as session:
            theirs = {account.id for account in await AccountRepository(session).by_ids(user_id, order.account_ids)}
        for account_id in order.account_ids:
            if account_id not in theirs:
                raise NotFound(what="account", id=str(account_id))

    async def apply(self, user_id: UUID, order: BulkOrder, picked: PickedPost) -> BulkOutcome:
        """Apply the order to one post. A refusal is returned as an outcome."""
        try:
            return BulkOutcome(picked.post_id, changed=await self._apply(user_id, order, picked))
        except DomainError as refusal:
            return BulkOutcome(picked.post_id, refusal=refusal)

    async def find_repeats(self, user_id: UUID, post_ids: Collection[UUID]) -> list[UUID]:
        """Return the posts that have the same text as another post of the same account within an hour."""
        async with self.sessions() as session:
            posts = [await PostRepository(session).find(user_id, post_id) for post_id in post_ids]
            return [post.id for post in posts if post and await repeats_other_post(session, post)]

    async def _apply(self, user_id: UUID, order: BulkOrder, picked: PickedPost) -> PostChange | None:
        post_id = picked.post_id
        match order.action:
            case BulkAction.approve | BulkAction.decline:
                return await self.approvals.decide(
                    user_id,
                    post_id,
                    approved=order.action is BulkAction.approve,
                    content_hash=picked.content_hash,
                    remark=order.remark,
                )
            case BulkAction.move:
                return await self._move(user_id, picked, order.days)
            case BulkAction.cancel:
                return await self.publishing.cancel(user_id, post_id, picked.version)
            case BulkAction.delete:
                await self._delete(user_id, post_id)
            case BulkAction.remove:
                await self._remove(user_id, post_id, order)
            case BulkAction.restore:
                await self._restore(user_id, post_id)
            case BulkAction.tag:
                await self._tag(user_id, post_id, order)
            case BulkAction.there | BulkAction.not_there:
                for delivery_id in await self._matching_deliveries(user_id, post_id, order, _is_unknown):
                    await self.delivery_decisions.decide(user_id, delivery_id, there=order.action is BulkAction.there)
            case BulkAction.take_back:
                for delivery_id in await self._matching_deliveries(user_id, post_id, order, _is_decided):
                    await self.delivery_decisions.reopen(user_id, delivery_id)
            case BulkAction.send_again:
                unclear = await self._matching_deliveries(user_id, post_id, order, _is_unknown)
                return await self.publishing.send_again(user_id, post_id, unclear)
        return None

    async def _matching_deliveries(
        self, user_id: UUID, post_id: UUID, order: BulkOrder, is_eligible: Callable[[Delivery], bool]
    ) -> list[UUID]:
        """Return the deliveries that the action applies to. Raises Conflict (post_not_editable) if there is none."""
        async with self.sessions() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
        if delivery_ids := self._filter_deliveries(post, order, is_eligible):
            return delivery_ids
        raise Conflict(ErrorCode.post_not_editable, state=post.status)

    @staticmethod
    def _filter_deliveries(post: Post, order: BulkOrder, is_eligible: Callable[[Delivery], bool]) -> list[UUID]:
        return [
            delivery.id
            for delivery in post.deliveries
            if is_eligible(delivery) and (not order.account_ids or delivery.account_id in order.account_ids)
        ]

    async def _move(self, user_id: UUID, picked: PickedPost, days: int) -> PostChange | None:
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock(user_id, picked.post_id)
            planned_at = _new_time(post, picked, days)
            if post.status is PostStatus.draft and post.source is PostSource.person and not post.deliveries:
                # not scheduled: only its planned time changes
                if post.version != picked.version:
                    raise Conflict(current=post.version)
                if planned_at <= await database_now(session):
                    raise InvalidInput(ErrorCode.slot_past)
                post.planned_at = planned_at
                await save_unsynced_change(session, post)
                return None
        # if somebody else has moved it, its version differs
        return await self.publishing.move(user_id, picked.post_id, picked.version, planned_at)

    async def _delete(self, user_id: UUID, post_id: UUID) -> None:
        """Raises Conflict (post_going_out, post_on_its_way): a scheduled post has to be cancelled first."""
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post_id)
            await ensure_settled(session, post)
            post.deleted_at, post.pending_deletion = utcnow(), False
            await save_unsynced_change(session, post)

    async def _remove(self, user_id: UUID, post_id: UUID, order: BulkOrder) -> None:
        """Delete the post at its networks, then here; only here if there is nothing to delete there. Raises as
        `_delete`."""
        async with self.sessions() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
        if delivery_ids := self._filter_deliveries(post, order, _is_removable):
            await self.removals.request_removal(user_id, post_id, delivery_ids, here=True)
        else:
            await self._delete(user_id, post_id)

    async def _restore(self, user_id: UUID, post_id: UUID) -> None:
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock(user_id, post_id, deleted=True)
            if post.deleted_at is None:
                return
            if post.deleted_at < utcnow() - RESTORABLE:
                raise Conflict(ErrorCode.undo_expired)
            post.deleted_at = None
            await save_unsynced_change(session, post)

    async def _tag(self, user_id: UUID, post_id: UUID, order: BulkOrder) -> None:
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock(user_id, post_id)
            tags = with_tags(post.tags, order.add, order.remove)
            if tags != post.tags:
                post.tags = tags
                await save_unsynced_change(session, post)

    async def purge_deleted(self) -> int:
        """Delete posts for good whose time to be restored is over, with their deliveries. Return their number."""
        async with self.sessions.begin() as session:
            return await PostListRepository(session).delete_older(utcnow() - RESTORABLE, _PURGE_LIMIT)


def _is_unknown(delivery: Delivery) -> bool:
    return delivery.state is DeliveryState.unknown


def _is_removable(delivery: Delivery) -> bool:
    return removable(delivery) is Removable.yes


def _is_decided(delivery: Delivery) -> bool:
    return delivery.decided_at is not None


def _new_time(post: Post, picked: PickedPost, days: int) -> datetime:
    if post.planned_at is None:
        raise Conflict(ErrorCode.post_ended)
    if picked.planned_at:
        return picked.planned_at
    try:
        return days_later(post.planned_at, post.time_zone, days)
    except OverflowError as error:
        raise InvalidInput(ErrorCode.invalid_input) from error
