"""One word about many posts: each is changed in a transaction of its own, so that one that is refused holds up no
other."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from core.approvals.questions import ApprovingService
from core.assistants.rules.occurrences import days_later
from core.clock import utcnow
from core.database import Sessions
from core.database_clock import database_now
from core.deliveries.answers import DeliveryDecisionService
from core.deliveries.removal import RemovalService, ensure_settled, removable
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, DomainError, ErrorCode, FieldError, InvalidInput, NotFound
from core.posts.changes import Changed, noted
from core.posts.duplicates import repeats
from core.posts.publishing import PublishingService
from core.posts.repositories.post_lists import PostListRepository
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus, Removable
from core.posts.tables.posts import Post
from core.social_accounts.repositories.accounts import AccountRepository
from core.texts.rules.tags import too_long_tags, with_tags

KEPT: Final = timedelta(days=30)
"""How long a deleted post can be brought back."""
_SWEPT = 500


class BulkAction(StrEnum):
    approve = "approve"
    decline = "decline"
    move = "move"
    cancel = "cancel"
    delete = "delete"
    remove = "remove"
    """On the networks where they can be, then here."""
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
    """Why they are declined."""
    days: int = 0
    """By which they are moved, at the time of day that they have."""
    add: tuple[str, ...] = ()
    """Tags."""
    remove: tuple[str, ...] = ()
    account_ids: tuple[UUID, ...] = ()
    """What is unclear is settled for these accounts alone, what is out deleted there alone; empty: for all of them."""

    def check(self) -> None:
        """What is wrong for all of them or for none. Raises InvalidInput."""
        if self.action is BulkAction.move and not self.days:
            raise InvalidInput(errors=[FieldError("days", ErrorCode.invalid_input)])
        if self.action is BulkAction.tag:
            if not self.add and not self.remove:
                raise InvalidInput(errors=[FieldError("add", ErrorCode.invalid_input)])
            if errors := too_long_tags(self.add):
                fields = [FieldError(one.field.replace("tags.", "add.", 1), one.code, **one.params) for one in errors]
                raise InvalidInput(errors=fields)


@dataclass(frozen=True)
class Picked:
    """A post as it was shown to whoever picked it."""

    post_id: UUID
    version: int
    content_hash: str
    planned_at: datetime | None = None
    """To which it is moved, whatever the days: over a change of the clock they do not lead back."""


@dataclass(frozen=True)
class BulkOutcome:
    post_id: UUID
    refusal: DomainError | None = None
    changed: Changed | None = None
    """What its workflow is to be told of."""


@dataclass(frozen=True)
class PostBulkService:
    sessions: Sessions
    publishing: PublishingService
    approving: ApprovingService
    answering: DeliveryDecisionService
    removing: RemovalService

    async def check(self, user_id: UUID, order: BulkOrder) -> None:
        """Before it is applied to the first of them. Raises InvalidInput as the order does, NotFound for an account
        that the user never had."""
        order.check()
        async with self.sessions() as session:
            theirs = {account.id for account in await AccountRepository(session).of_ids(user_id, order.account_ids)}
        for account_id in order.account_ids:
            if account_id not in theirs:
                raise NotFound(what="account", id=str(account_id))

    async def apply(self, user_id: UUID, order: BulkOrder, picked: Picked) -> BulkOutcome:
        """To one of them. A refusal is an outcome like others."""
        try:
            return BulkOutcome(picked.post_id, changed=await self._apply(user_id, order, picked))
        except DomainError as refusal:
            return BulkOutcome(picked.post_id, refusal=refusal)

    async def repeated(self, user_id: UUID, post_ids: Collection[UUID]) -> list[UUID]:
        """Return which of them say the same as another post by the same account within an hour."""
        async with self.sessions() as session:
            posts = [await PostRepository(session).find(user_id, post_id) for post_id in post_ids]
            return [post.id for post in posts if post and await repeats(session, post)]

    async def _apply(self, user_id: UUID, order: BulkOrder, picked: Picked) -> Changed | None:
        post_id = picked.post_id
        match order.action:
            case BulkAction.approve | BulkAction.decline:
                return await self.approving.decide(
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
                for delivery_id in await self._theirs(user_id, post_id, order, _is_unclear):
                    await self.answering.decide(user_id, delivery_id, there=order.action is BulkAction.there)
            case BulkAction.take_back:
                for delivery_id in await self._theirs(user_id, post_id, order, _is_decided):
                    await self.answering.reopen(user_id, delivery_id)
            case BulkAction.send_again:
                unclear = await self._theirs(user_id, post_id, order, _is_unclear)
                return await self.publishing.send_again(user_id, post_id, unclear)
        return None

    async def _theirs(
        self, user_id: UUID, post_id: UUID, order: BulkOrder, wanted: Callable[[Delivery], bool]
    ) -> list[UUID]:
        """Those of its deliveries that the word is about. Raises Conflict (post_not_editable) where there are none."""
        async with self.sessions() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
        if found := self._of(post, order, wanted):
            return found
        raise Conflict(ErrorCode.post_not_editable, state=post.status)

    @staticmethod
    def _of(post: Post, order: BulkOrder, wanted: Callable[[Delivery], bool]) -> list[UUID]:
        return [
            delivery.id
            for delivery in post.deliveries
            if wanted(delivery) and (not order.account_ids or delivery.account_id in order.account_ids)
        ]

    async def _move(self, user_id: UUID, picked: Picked, days: int) -> Changed | None:
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked(user_id, picked.post_id)
            planned_at = _moved(post, picked, days)
            if post.status is PostStatus.draft and post.source is PostSource.person and not post.deliveries:
                # nothing of it is on its way: only its plan changes
                if post.version != picked.version:
                    raise Conflict(current=post.version)
                if planned_at <= await database_now(session):
                    raise InvalidInput(ErrorCode.slot_past)
                post.planned_at = planned_at
                await noted(session, post)
                return None
        # moved by somebody else meanwhile, it has another version
        return await self.publishing.move(user_id, picked.post_id, picked.version, planned_at)

    async def _delete(self, user_id: UUID, post_id: UUID) -> None:
        """Raises Conflict (post_going_out, post_on_its_way): what may still go out is stopped first."""
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked_for_sending(user_id, post_id)
            await ensure_settled(session, post)
            post.deleted_at, post.leaves = utcnow(), False
            await noted(session, post)

    async def _remove(self, user_id: UUID, post_id: UUID, order: BulkOrder) -> None:
        """What is out nowhere, or cannot be deleted where it is, is deleted here. Raises as `_delete`."""
        async with self.sessions() as session:
            post, _ = await PostRepository(session).get(user_id, post_id)
        if there := self._of(post, order, _is_removable):
            await self.removing.request_removal(user_id, post_id, there, here=True)
        else:
            await self._delete(user_id, post_id)

    async def _restore(self, user_id: UUID, post_id: UUID) -> None:
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked(user_id, post_id, deleted=True)
            if post.deleted_at is None:
                return
            if post.deleted_at < utcnow() - KEPT:
                raise Conflict(ErrorCode.undo_expired)
            post.deleted_at = None
            await noted(session, post)

    async def _tag(self, user_id: UUID, post_id: UUID, order: BulkOrder) -> None:
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked(user_id, post_id)
            tags = with_tags(post.tags, order.add, order.remove)
            if tags != post.tags:
                post.tags = tags
                await noted(session, post)

    async def sweep(self) -> int:
        """Removes for good what was deleted a month ago, with its deliveries. Returns how many."""
        async with self.sessions.begin() as session:
            return await PostListRepository(session).purge(utcnow() - KEPT, _SWEPT)


def _is_unclear(delivery: Delivery) -> bool:
    return delivery.state is DeliveryState.unknown


def _is_removable(delivery: Delivery) -> bool:
    return removable(delivery) is Removable.yes


def _is_decided(delivery: Delivery) -> bool:
    return delivery.decided_at is not None


def _moved(post: Post, picked: Picked, days: int) -> datetime:
    if post.planned_at is None:
        raise Conflict(ErrorCode.post_ended)
    if picked.planned_at:
        return picked.planned_at
    try:
        return days_later(post.planned_at, post.time_zone, days)
    except OverflowError as error:
        raise InvalidInput(ErrorCode.invalid_input) from error
