"""Changes by a person to a post that is to be published: the row decides, its workflow follows.

Arming locks a delivery and then reads its post's time and status; a change locks the deliveries first. So a change is
either seen by the arming, or refused because of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.questions import approve_current_content
from core.articles.drafts import site_problems
from core.billing.entitlements import Entitlements
from core.billing.rules import Limit
from core.database import Sessions, notify_browsers
from core.database_clock import database_now
from core.deliveries.tables.deliveries import Delivery
from core.errors import WAITS_FOR_NETWORK, Conflict, ErrorCode, FieldError, InvalidInput
from core.live import LiveKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.posts.changes import PlannedDelivery, PostChange, open_run_workflow, planned_deliveries, save_change
from core.posts.fitting import broken_rules, post_hash
from core.posts.recipients import assign_deliveries, chosen_accounts, is_armed, open_deliveries, reset_delivery
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus
from core.posts.tables.posts import Post
from core.runs.outcomes import (
    close_delivery,
    end_unpublished,
    notify_outcome,
    unfinished_code,
    update_from_deliveries,
)
from core.social_accounts.tables import Account


@dataclass(frozen=True)
class DeliveryOutline:
    """What the workflow of a post follows."""

    version: int
    planned_at: datetime | None
    status: PostStatus
    deliveries: tuple[PlannedDelivery, ...]
    """The open ones."""
    due: int
    """How many posts are scheduled for about its time."""


@dataclass(frozen=True)
class PostEnding:
    """The result of a post whose workflow ends. `reason` is an ErrorCode or None."""

    status: PostStatus
    reason: str | None
    goes_on: bool = False
    """Some of its deliveries were reopened by a person meanwhile."""


@dataclass(frozen=True)
class PublishingService:
    sessions: Sessions
    entitlements: Entitlements

    async def move(self, user_id: UUID, post_id: UUID, version: int, planned_at: datetime | None) -> PostChange:
        """Set the post's time, None for now. A draft keeps its status and only gets the time. Raises Conflict
        (stale_version, post_going_out, post_ended), InvalidInput (slot_past)."""
        async with self.sessions.begin() as session:
            post = await self._lock_changeable(session, user_id, post_id, version)
            on_its_way = _is_scheduled(post)
            if not on_its_way and (post.status is not PostStatus.draft or await open_run_workflow(session, post)):
                raise Conflict(ErrorCode.post_ended)
            now = await database_now(session)
            if planned_at and planned_at <= now:
                raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
            post.planned_at, post.pinned = planned_at or now, True
            for delivery in post.deliveries:
                _release_if_due_later(delivery, post.planned_at)
            return await save_change(session, post, followed=on_its_way)

    async def cancel(self, user_id: UUID, post_id: UUID, version: int) -> PostChange:
        """Make the post a draft that is not published. Raises as `move`."""
        async with self.sessions.begin() as session:
            post = await self._lock_changeable(session, user_id, post_id, version)
            if not _is_scheduled(post):
                raise Conflict(ErrorCode.post_ended)
            workflow = await open_run_workflow(session, post)
            if workflow and post.run_id:
                await end_unpublished(session, user_id, post.run_id, ErrorCode.run_cancelled)
            else:
                for delivery in post.deliveries:
                    close_delivery(delivery, None, by_hand=True)
                await session.flush()
                await update_from_deliveries(session, user_id, post_id)
            return await save_change(session, post, workflow)

    async def retry(self, user_id: UUID, post_id: UUID, only: Collection[UUID] | None = None) -> PostChange:
        """Retry its failed deliveries (of `only` these, if given): now, or at the post's time if others still wait
        for it.

        Raises Conflict (post_not_editable) if none has failed, (post_going_out) while its run is just ending;
        InvalidInput (account_disconnected); SubscriptionRequired if the month's limit of posts is reached.
        """
        return await self._deliver_again(user_id, post_id, DeliveryState.failed, only)

    async def send_again(self, user_id: UUID, post_id: UUID, only: Collection[UUID] | None = None) -> PostChange:
        """Send its unknown deliveries again (of `only` these, if given), with the same content: a network that refuses
        duplicates names the first post then. Raises as `retry`, post_not_editable if none is unknown."""
        return await self._deliver_again(user_id, post_id, DeliveryState.unknown, only)

    async def _deliver_again(
        self, user_id: UUID, post_id: UUID, state: DeliveryState, only: Collection[UUID] | None
    ) -> PostChange:
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post_id)
            again = [one for one in post.deliveries if one.state is state and (only is None or one.id in only)]
            if not again:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            _ensure_not_disconnected([delivery.account for delivery in again])
            workflow = await open_run_workflow(session, post)
            if workflow and not open_deliveries(post.deliveries):  # its run is just saving its outcome
                raise Conflict(ErrorCode.post_going_out)
            at, now = post.planned_at, await database_now(session)
            # deliveries that wait for the post's time must not go out early
            if at is None or at <= now or not open_deliveries(post.deliveries):
                at, post.pinned = now, True
            await self._ensure_within_limit(session, post, at)
            for delivery in again:
                reset_delivery(delivery)
            post.planned_at = at
            post.status, post.acknowledged_at = PostStatus.complete, None
            await notify_outcome(session, post)
            return await save_change(session, post, workflow, again)

    async def publish(self, user_id: UUID, post_id: UUID, version: int, planned_at: datetime | None) -> PostChange:
        """Publish a draft at `planned_at`, or now; if its approval was ever requested, this approves its content.

        Raises Conflict (stale_version, post_not_editable), InvalidInput (slot_past, channel_not_selected,
        account_disconnected, or the channels' rules that it breaks), SubscriptionRequired if the month's limit of posts
        is reached.
        """
        async with self.sessions.begin() as session:
            posts = PostRepository(session)
            post = await posts.lock_with_deliveries(user_id, post_id)
            _ensure_version(post, version)
            workflow = await open_run_workflow(session, post)
            if post.status is not PostStatus.draft or workflow:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            now = await database_now(session)
            if planned_at and planned_at <= now:
                raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
            accounts = await chosen_accounts(session, post)
            _ensure_accounts(post, accounts)
            if problems := [*broken_rules(post, accounts), *await site_problems(session, post)]:
                raise InvalidInput(problems[0].code, errors=problems)
            await self._ensure_within_limit(session, post, planned_at or now)
            post.content_hash = post_hash(post, accounts)
            open_now = assign_deliveries(session, post, accounts)
            post.planned_at, post.pinned = planned_at or now, True
            post.status = PostStatus.complete
            await approve_current_content(session, post, now)
            await notify_outcome(session, post)  # earlier failures need no attention any more
            if post.announces_id:
                about = About(post_id=post.id)
                await NotifyingService(session).resolve(user_id, about, NotificationKind.announcement_ready)
            return await save_change(session, post, None, open_now)

    async def outline(self, user_id: UUID, post_id: UUID) -> DeliveryOutline:
        """Return what the post's workflow follows. Raises NotFound."""
        async with self.sessions() as session:
            posts = PostRepository(session)
            post, _ = await posts.get(user_id, post_id, deleted=True)
            due = await posts.count_due_with(post.planned_at) if post.planned_at else 0
            planned = planned_deliveries(post, open_deliveries(post.deliveries))
            return DeliveryOutline(post.version, post.planned_at, post.status, planned, due)

    async def end(
        self, user_id: UUID, post_id: UUID, *, cancelled: bool = False, followed: int | None = None
    ) -> PostEnding:
        """Close all open deliveries when the post's workflow ends (unknown after a call, else failed or cancelled), and
        set the status of post and run. Deliveries that a person has opened after version `followed` stay open; None
        closes all."""
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock_with_deliveries(user_id, post_id, deleted=True)
            for delivery in post.deliveries:
                if followed is None or delivery.opened_in_version <= followed:
                    close_delivery(delivery, None if cancelled else unfinished_code(post), by_hand=cancelled)
            await session.flush()
            post = await update_from_deliveries(session, user_id, post_id)
            await notify_outcome(session, post)
            await notify_browsers(session, user_id, LiveKind.post, post_id)
            reason = next((delivery.error_code for delivery in post.deliveries if delivery.error_code), None)
            goes_on = bool(open_deliveries(post.deliveries))
            return PostEnding(post.status, None if post.status is PostStatus.published else reason, goes_on)

    async def mark_synced(self, changed: PostChange) -> None:
        """Mark the change as known to the post's workflow. An earlier one that it may not know stays unmarked."""
        async with self.sessions.begin() as session:
            await PostRepository(session).mark_change_synced(changed.user_id, changed.post_id, changed.version)

    async def _ensure_within_limit(self, session: AsyncSession, post: Post, at: datetime) -> None:
        allowance = await self.entitlements.look(session, post.user_id, Limit.published_posts)
        if allowance and (refusal := await allowance.post_refusal(at, post.id)):
            raise refusal

    async def _lock_changeable(self, session: AsyncSession, user_id: UUID, post_id: UUID, version: int) -> Post:
        post = await PostRepository(session).lock_with_deliveries(user_id, post_id)
        if is_armed(post.deliveries):
            raise Conflict(ErrorCode.post_going_out)
        _ensure_version(post, version)
        return post


def _is_scheduled(post: Post) -> bool:
    return bool(open_deliveries(post.deliveries)) and post.status in (PostStatus.draft, PostStatus.complete)


def _ensure_version(post: Post, version: int) -> None:
    if post.version != version:
        raise Conflict(current=post.version)


def _ensure_accounts(post: Post, accounts: Sequence[Account]) -> None:
    connected = {str(account.id) for account in accounts}
    if disconnected := [at for at, account_id in enumerate(post.account_ids) if account_id not in connected]:
        problems = [FieldError(f"account_ids.{at}", ErrorCode.account_disconnected) for at in disconnected]
        raise InvalidInput(ErrorCode.account_disconnected, errors=problems)
    if not accounts and post.source is PostSource.person:
        raise InvalidInput(
            ErrorCode.channel_not_selected, errors=[FieldError("account_ids", ErrorCode.channel_not_selected)]
        )
    if not accounts:
        raise InvalidInput(ErrorCode.account_disconnected)


def _ensure_not_disconnected(accounts: Sequence[Account]) -> None:
    if any(account.disconnected_at is not None for account in accounts):
        raise InvalidInput(ErrorCode.account_disconnected)


def _release_if_due_later(delivery: Delivery, planned_at: datetime) -> None:
    """Release a delivery that is held for its network, if the post's new time is not before the next attempt anyway."""
    if delivery.state is not DeliveryState.held or delivery.error_code not in WAITS_FOR_NETWORK:
        return
    if delivery.called_at is None and delivery.retry_at is not None and delivery.retry_at <= planned_at:
        delivery.state, delivery.held_until, delivery.retry_at = DeliveryState.pending, None, None
        delivery.error_code = delivery.error_detail = None
