"""What a person changes about a post that is to go out: the row decides, its workflow follows.

Whoever arms a delivery locks it and then looks at its post's time and status; whoever changes these locks the
deliveries first. So a change is either seen by the arming, or refused because of it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.approvals.questions import approve_as_it_is
from core.articles.drafts import kept_back_by_site
from core.billing.entitlements import Allowing
from core.billing.rules import Limit
from core.database import Sessions, notify_browsers
from core.database_clock import database_now
from core.deliveries.tables.deliveries import Delivery
from core.errors import WAITS_FOR_NETWORK, Conflict, ErrorCode, FieldError, InvalidInput
from core.live import LiveKind
from core.networks.rules.channels import ChannelKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import NotificationKind
from core.posts.changes import Changed, changed, refs_of, run_workflow
from core.posts.fitting import broken_rules, hash_of
from core.posts.recipients import address, chosen_accounts, is_armed, open_deliveries, reopen
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import DeliveryState, PostSource, PostStatus, status_of
from core.posts.tables.posts import Post
from core.runs.outcomes import close_delivery, end_unpublished, notify_outcome, update_from_deliveries
from core.social_accounts.tables import Account


@dataclass(frozen=True)
class Outline:
    """What the workflow of a post follows."""

    version: int
    planned_at: datetime | None
    status: PostStatus
    deliveries: tuple[tuple[UUID, ChannelKind], ...]
    """Those that are open."""


@dataclass(frozen=True)
class Ending:
    """What has become of a post whose workflow ends, `reason`: an ErrorCode, if there is one."""

    status: PostStatus
    reason: str | None
    goes_on: bool = False
    """Some of it goes out anew, since a person said so meanwhile."""


@dataclass(frozen=True)
class PublishingService:
    sessions: Sessions
    allowing: Allowing

    async def move(self, user_id: UUID, post_id: UUID, version: int, planned_at: datetime | None) -> Changed:
        """It goes out at that time instead, None: now; a draft is planned for it, and goes out once somebody says so.
        Raises Conflict (stale_version, post_going_out, post_ended), InvalidInput (slot_past)."""
        async with self.sessions.begin() as session:
            post = await self._changeable(session, user_id, post_id, version)
            on_its_way = _is_on_its_way(post)
            if not on_its_way and (post.status is not PostStatus.draft or await run_workflow(session, post)):
                raise Conflict(ErrorCode.post_ended)
            now = await database_now(session)
            if planned_at and planned_at <= now:
                raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
            post.planned_at, post.pinned = planned_at or now, True
            for delivery in post.deliveries:
                _wait_no_longer_than(delivery, post.planned_at)
            return await changed(session, post, followed=on_its_way)

    async def cancel(self, user_id: UUID, post_id: UUID, version: int) -> Changed:
        """It does not go out and is kept as a draft. Raises as `move`."""
        async with self.sessions.begin() as session:
            post = await self._changeable(session, user_id, post_id, version)
            if not _is_on_its_way(post):
                raise Conflict(ErrorCode.post_ended)
            workflow = await run_workflow(session, post)
            if workflow and post.run_id:
                await end_unpublished(session, user_id, post.run_id, ErrorCode.run_cancelled)
            else:
                for delivery in post.deliveries:
                    close_delivery(delivery, None, by_hand=True)
                post.status = status_of([delivery.state for delivery in post.deliveries])
            return await changed(session, post, workflow)

    async def retry(self, user_id: UUID, post_id: UUID, only: Collection[UUID] | None = None) -> Changed:
        """Those of its deliveries that failed (or `only` these) are tried again now; what went out stays as it is.

        Raises Conflict (post_not_editable) where none of them has failed, (post_going_out) while its run is just
        ending, InvalidInput (account_disconnected) where an account is gone for good, SubscriptionRequired where no
        more posts may be published this month.
        """
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked_for_sending(user_id, post_id)
            again = [
                delivery
                for delivery in post.deliveries
                if delivery.state is DeliveryState.failed and (only is None or delivery.id in only)
            ]
            return await self._once_more(session, post, again)

    async def send_again(self, user_id: UUID, post_id: UUID, only: Collection[UUID] | None = None) -> Changed:
        """Those of its deliveries whose outcome nobody knows (or `only` these) are sent once more, exactly as they
        were: a network that refuses repeats names the first one by that. Raises as `retry`, post_not_editable where
        none is unknown."""
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked_for_sending(user_id, post_id)
            again = [
                delivery
                for delivery in post.deliveries
                if delivery.state is DeliveryState.unknown and (only is None or delivery.id in only)
            ]
            return await self._once_more(session, post, again)

    async def _once_more(self, session: AsyncSession, post: Post, again: Sequence[Delivery]) -> Changed:
        if not again:
            raise Conflict(ErrorCode.post_not_editable, state=post.status)
        _must_be_there([delivery.account for delivery in again])
        workflow = await run_workflow(session, post)
        if workflow and not open_deliveries(post.deliveries):  # its run is writing down how it ended
            raise Conflict(ErrorCode.post_going_out)
        await self._must_have_room(session, post, now := await database_now(session))
        for delivery in again:
            reopen(delivery)
        post.planned_at, post.pinned = now, True
        post.status, post.acknowledged_at = PostStatus.complete, None
        await notify_outcome(session, post)
        return await changed(session, post, workflow, again)

    async def publish(self, user_id: UUID, post_id: UUID, version: int, planned_at: datetime | None) -> Changed:
        """A draft goes out, at that time or now: whoever says so has approved it as it is.

        Raises Conflict (stale_version, post_not_editable), InvalidInput (slot_past, channel_not_selected,
        account_disconnected, or the channels' rules that it breaks), SubscriptionRequired where no more posts may be
        published in that month.
        """
        async with self.sessions.begin() as session:
            posts = PostRepository(session)
            post = await posts.locked_for_sending(user_id, post_id)
            _must_be_current(post, version)
            workflow = await run_workflow(session, post)
            if post.status is not PostStatus.draft or workflow:
                raise Conflict(ErrorCode.post_not_editable, state=post.status)
            now = await database_now(session)
            if planned_at and planned_at <= now:
                raise InvalidInput(errors=[FieldError("planned_at", ErrorCode.slot_past)])
            accounts = await chosen_accounts(session, post)
            _must_have_accounts(post, accounts)
            if problems := [*broken_rules(post, accounts), *await kept_back_by_site(session, post)]:
                raise InvalidInput(problems[0].code, errors=problems)
            await self._must_have_room(session, post, planned_at or now)
            post.content_hash = hash_of(post, accounts)
            open_now = address(session, post, accounts)
            post.planned_at, post.pinned = planned_at or now, True
            post.status = PostStatus.complete
            await approve_as_it_is(session, post, now)
            await notify_outcome(session, post)  # what failed before waits for nobody any more
            if post.announces_id:
                about = About(post_id=post.id)
                await NotifyingService(session).over(user_id, about, NotificationKind.announcement_ready)
            return await changed(session, post, None, open_now)

    async def outline(self, user_id: UUID, post_id: UUID) -> Outline:
        """For its workflow. Raises NotFound."""
        async with self.sessions() as session:
            post, _ = await PostRepository(session).get(user_id, post_id, deleted=True)
            return Outline(post.version, post.planned_at, post.status, refs_of(open_deliveries(post.deliveries)))

    async def end(
        self, user_id: UUID, post_id: UUID, *, cancelled: bool = False, followed: int | None = None
    ) -> Ending:
        """Nothing of it stays open once its workflow ends: what was called for becomes unknown, else it has failed or
        is cancelled. Post and run say what the deliveries say. What a person has let go out since the version that it
        `followed` goes on, None: whatever it followed."""
        async with self.sessions.begin() as session:
            post = await PostRepository(session).locked_for_sending(user_id, post_id, deleted=True)
            for delivery in post.deliveries:
                if followed is None or delivery.opened_in_version <= followed:
                    close_delivery(delivery, None if cancelled else ErrorCode.missed_outage, by_hand=cancelled)
            await session.flush()
            post = await update_from_deliveries(session, user_id, post_id)
            await notify_outcome(session, post)
            await notify_browsers(session, user_id, LiveKind.post, post_id)
            reason = next((one.error_code for one in post.deliveries if one.error_code), None)
            goes_on = bool(open_deliveries(post.deliveries))
            return Ending(post.status, None if post.status is PostStatus.published else reason, goes_on)

    async def told(self, changed: Changed) -> None:
        """Its workflow has heard of it."""
        async with self.sessions.begin() as session:
            await PostRepository(session).told(changed.user_id, changed.post_id, changed.version)

    async def _must_have_room(self, session: AsyncSession, post: Post, at: datetime) -> None:
        allowance = await self.allowing.look(session, post.user_id, Limit.published_posts)
        if allowance and (refusal := await allowance.post_refusal(at, post.id)):
            raise refusal

    async def _changeable(self, session: AsyncSession, user_id: UUID, post_id: UUID, version: int) -> Post:
        post = await PostRepository(session).locked_for_sending(user_id, post_id)
        if is_armed(post.deliveries):
            raise Conflict(ErrorCode.post_going_out)
        _must_be_current(post, version)
        return post


def _is_on_its_way(post: Post) -> bool:
    return bool(open_deliveries(post.deliveries)) and post.status in (PostStatus.draft, PostStatus.complete)


def _must_be_current(post: Post, version: int) -> None:
    if post.version != version:
        raise Conflict(current=post.version)


def _must_have_accounts(post: Post, accounts: Sequence[Account]) -> None:
    connected = {str(account.id) for account in accounts}
    if gone := [at for at, account_id in enumerate(post.account_ids) if account_id not in connected]:
        problems = [FieldError(f"account_ids.{at}", ErrorCode.account_disconnected) for at in gone]
        raise InvalidInput(ErrorCode.account_disconnected, errors=problems)
    if not accounts and post.source is PostSource.person:
        raise InvalidInput(
            ErrorCode.channel_not_selected, errors=[FieldError("account_ids", ErrorCode.channel_not_selected)]
        )
    if not accounts:
        raise InvalidInput(ErrorCode.account_disconnected)


def _must_be_there(accounts: Sequence[Account]) -> None:
    if any(account.disconnected_at is not None for account in accounts):
        raise InvalidInput(ErrorCode.account_disconnected)


def _wait_no_longer_than(delivery: Delivery, planned_at: datetime) -> None:
    """Let a delivery that is held for its network wait for its time alone, where that is not before its next
    attempt."""
    if delivery.state is not DeliveryState.held or delivery.error_code not in WAITS_FOR_NETWORK:
        return
    if delivery.called_at is None and delivery.retry_at is not None and delivery.retry_at <= planned_at:
        delivery.state, delivery.held_until, delivery.retry_at = DeliveryState.pending, None, None
        delivery.error_code = delivery.error_detail = None
