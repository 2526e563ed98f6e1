"""Ask a person to approve a post before it is published. The row binds the answer to exactly the content that was
shown."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.writers.base import DEMO_MODEL
from core.approvals.repositories.approval_links import ApprovalLinkRepository
from core.approvals.repositories.approvals import ApprovalRepository
from core.approvals.rules import (
    ON_REQUEST,
    UNDECIDED,
    ApprovalState,
    AtDeadline,
    deadline_of,
    planned_with_veto,
    reminder_at,
)
from core.approvals.tables.approval_links import ApprovalLink
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import RunState
from core.crypto import Vault, new_token, token_hash
from core.database import Sessions
from core.database_clock import database_now
from core.errors import Conflict, ErrorCode
from core.ids import new_id
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind
from core.posts.changes import PostChange, notify_post_browsers, open_run_workflow, save_change
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.runs.outcomes import end_unpublished
from core.runs.repositories.runs import RunRepository
from core.users.tables.users import User


class Verdict(StrEnum):
    """State of a post that a person may decide about."""

    waiting = "waiting"
    approved = "approved"
    declined = "declined"
    held = "held"
    skipped = "skipped"
    withdrawn = "withdrawn"
    rewritten = "rewritten"
    """Another text is to be written."""


_KIND = NotificationKind.approval_needed
_AT_DEADLINE = {AtDeadline.hold: Verdict.held, AtDeadline.skip: Verdict.skipped}


@dataclass(frozen=True)
class ApprovalCheck:
    verdict: Verdict
    look_in: timedelta | None
    """When to check again, while it waits."""
    planned_at: datetime
    version: int


async def lock_waiting(
    session: AsyncSession, user_id: UUID, post_id: UUID, content_hash: str
) -> tuple[Post, Approval, datetime]:
    """Return the post and its waiting approval of exactly this content, both locked after the post's deliveries, and
    the database's time. Raise Conflict: approval_outdated if this content waits for no answer, approval_expired after
    the deadline."""
    post = await PostRepository(session).lock_with_deliveries(user_id, post_id)
    approval = await ApprovalRepository(session).lock_current(post)
    if approval is None or approval.content_hash != content_hash:
        raise Conflict(ErrorCode.approval_outdated)
    now = await database_now(session)
    if approval.state is ApprovalState.expired or approval.by_deadline or now >= approval.deadline_at:
        raise Conflict(ErrorCode.approval_expired)
    if approval.state is not ApprovalState.waiting:
        raise Conflict(ErrorCode.approval_outdated)
    return post, approval, now


@dataclass(frozen=True)
class ApprovalService:
    sessions: Sessions
    vault: Vault

    async def check(self, user_id: UUID, post_id: UUID, arming: timedelta) -> ApprovalCheck:
        """Return the current verdict by the database's clock. Requests the approval if nobody was asked about this
        content yet, sends the reminder when it is due, and applies the deadline once it is past. Does none of this if
        the post's run has ended. Idempotent.

        `arming`: how long before its time a delivery is armed at the earliest.
        """
        async with self.sessions.begin() as session:
            post = await PostRepository(session).lock(user_id, post_id, deleted=True)
            now = await database_now(session)
            approval = await ApprovalRepository(session).lock_current(post)
            if approval is None or approval.state in UNDECIDED:
                # a person may also have edited the post since its run ended
                if await open_run_workflow(session, post) is None:
                    planned_at = post.planned_at or (approval.deadline_at if approval else now)
                    return ApprovalCheck(Verdict.withdrawn, None, planned_at, post.version)
                if approval is None:
                    approval = await self.request_approval(session, post, arming, now)
                await self._apply_clock(session, post, approval, arming, now)
            waits = approval.state is ApprovalState.waiting
            look_at = approval.remind_at or approval.deadline_at
            return ApprovalCheck(
                verdict=_verdict(approval),
                look_in=max(look_at - now, timedelta(0)) if waits else None,
                # a post asked for by hand that was not approved has no time any more
                planned_at=post.planned_at or approval.deadline_at,
                version=post.version,
            )

    async def request_approval(self, session: AsyncSession, post: Post, arming: timedelta, now: datetime) -> Approval:
        """Request the approval of the post's current content, in the caller's transaction."""
        assert post.run_id is not None
        assert post.planned_at is not None
        run, setup = await RunRepository(session).get_with_setup(post.user_id, post.run_id)
        if setup.veto_minutes is not None and not setup.asks_first:
            shown_for = timedelta(minutes=setup.veto_minutes)
            post.planned_at = planned_with_veto(post.planned_at, now, shown_for, arming)
        elif run.by_hand:  # requested for now and not shown to anybody yet: its own time would be past already
            post.planned_at = planned_with_veto(post.planned_at, now, ON_REQUEST, arming)
        deadline = deadline_of(post.planned_at, arming)
        approval = Approval(
            id=new_id(),
            user_id=post.user_id,
            post_id=post.id,
            content_hash=post.content_hash,
            state=ApprovalState.waiting,
            at_deadline=setup.without_answer,
            deadline_at=deadline,
            remind_at=reminder_at(now, deadline),
            at_once=run.by_hand,
        )
        session.add(approval)
        await session.flush()
        if now < deadline:
            await RunRepository(session).set_state(post.user_id, run.id, RunState.waiting)
            user = await NotifyingService(session).notify(post.user_id, _KIND, str(approval.id), About(post_id=post.id))
            if user:
                await self._send_mail(session, user, MailKind.approval_needed, post, approval)
        await notify_post_browsers(session, post)
        return approval

    async def _apply_clock(
        self, session: AsyncSession, post: Post, approval: Approval, arming: timedelta, now: datetime
    ) -> None:
        assert post.planned_at is not None
        deadline = deadline_of(post.planned_at, arming)
        if approval.deadline_at != deadline:  # the post was moved
            approval.deadline_at, approval.remind_at = deadline, reminder_at(now, deadline)
        if now >= deadline:
            await self._apply_deadline(session, post, approval, now)
        elif approval.state is ApprovalState.waiting and approval.remind_at and now >= approval.remind_at:
            approval.remind_at = None
            if user := await NotifyingService(session).wants_mail_now(post.user_id, _KIND):
                await self._send_mail(session, user, MailKind.approval_reminder, post, approval)

    async def _apply_deadline(self, session: AsyncSession, post: Post, approval: Approval, now: datetime) -> None:
        if approval.state is ApprovalState.rewritten:  # a text with an objection must not be published by default
            approval.at_deadline = approval.at_deadline.without_publishing()
        approval.by_deadline, approval.decided_at, approval.remind_at = True, now, None
        if approval.at_deadline is AtDeadline.publish:
            await approve(session, post, approval, now)
        else:
            approval.state = ApprovalState.expired  # the workflow ends with that reason
            if not approval.kept:
                await NotifyingService(session).resolve(post.user_id, About(post_id=post.id), _KIND)
        await notify_post_browsers(session, post)

    async def decide(
        self,
        user_id: UUID,
        post_id: UUID,
        *,
        approved: bool,
        content_hash: str,
        remark: str,
        link_id: UUID | None = None,
    ) -> PostChange:
        """Save a person's answer about exactly the content they were shown; `link_id` if by the link of a mail. Raises
        Conflict (approval_outdated) if this content waits for no answer, (approval_expired) after the deadline."""
        async with self.sessions.begin() as session:
            post, approval, now = await lock_waiting(session, user_id, post_id, content_hash)
            approval.remark = remark
            if link_id:
                await ApprovalLinkRepository(session).mark_used(user_id, link_id, now)
            workflow = await open_run_workflow(session, post)
            if approved:
                await approve(session, post, approval, now)
            else:
                approval.state, approval.decided_at = ApprovalState.declined, now
                await NotifyingService(session).resolve(user_id, About(post_id=post.id), _KIND)
                if post.run_id:
                    await end_unpublished(session, user_id, post.run_id, ErrorCode.approval_declined)
            return await save_change(session, post, workflow)

    async def _send_mail(
        self, session: AsyncSession, user: User, kind: MailKind, post: Post, approval: Approval
    ) -> None:
        assert post.run_id is not None
        assert post.planned_at is not None
        _, setup = await RunRepository(session).get_with_setup(post.user_id, post.run_id)
        token = new_token()
        link = {"token_hash": token_hash(token), "email": user.email}
        session.add(ApprovalLink(id=new_id(), user_id=user.id, approval_id=approval.id, **link))
        params = {
            "post_id": str(post.id),
            "assistant": setup.brief.name,
            "topic": post.topic_title,
            "article": post.article is not None,
            "planned_at": post.planned_at.isoformat(),
            "deadline": approval.deadline_at.isoformat(),
            "at_deadline": approval.at_deadline.value,
            "at_once": approval.at_once and not post.pinned and approval.at_deadline is not AtDeadline.publish,
            "demo": post.written_by == DEMO_MODEL,
        }
        await NotifyingService(session).enqueue_mail(user, kind, params, self.vault.encrypt(token))


async def rebind_approval(session: AsyncSession, post: Post, content_hash: str) -> Approval | None:
    """Set the post's new content hash, and carry the approval or the open request over to it. Return the approval, None
    if there is none. For scheduled posts."""
    approvals = ApprovalRepository(session)
    before = await approvals.lock_current(post)
    if content_hash == post.content_hash:
        return before
    post.content_hash = content_hash
    if before is None or before.state not in (ApprovalState.waiting, ApprovalState.approved):
        return before
    # the post may have had this content before
    now_asked = await approvals.lock_current(post)
    if now_asked is None:
        now_asked = Approval(id=new_id(), user_id=post.user_id, post_id=post.id, content_hash=content_hash)
        session.add(now_asked)
    copied = ("state", "at_deadline", "deadline_at", "remind_at", "decided_at", "by_deadline", "remark", "at_once")
    for name in copied:
        setattr(now_asked, name, getattr(before, name))
    if before.state is ApprovalState.waiting:
        before.state, before.remind_at = ApprovalState.withdrawn, None
    await session.flush()
    return now_asked


async def approve_current_content(session: AsyncSession, post: Post, now: datetime) -> None:
    """Approve the post's content if its approval was ever requested: the person who publishes it approves it."""
    approval = await ApprovalRepository(session).lock_current(post)
    if approval is None and post.approvals:
        approval = Approval(
            id=new_id(),
            user_id=post.user_id,
            post_id=post.id,
            content_hash=post.content_hash,
            at_deadline=post.approvals[-1].at_deadline,
            deadline_at=now,
        )
        session.add(approval)
    if approval and approval.state is not ApprovalState.approved:
        approval.by_deadline = False  # after a deadline without an answer, this is the answer
        await approve(session, post, approval, now)


async def approve(session: AsyncSession, post: Post, approval: Approval, now: datetime) -> None:
    """Approve the post. It is published at its time; a post made on request, without a time set by a person, at
    once."""
    approval.state, approval.decided_at, approval.remind_at = ApprovalState.approved, now, None
    post.status = PostStatus.complete
    await NotifyingService(session).resolve(post.user_id, About(post_id=post.id), _KIND)
    if post.run_id:
        runs = RunRepository(session)
        run = await runs.get(post.user_id, post.run_id)
        if run.is_open:  # else it is published without its run, at the time that a person chose
            await runs.set_state(post.user_id, post.run_id, RunState.ready)
            if approval.at_once and not post.pinned:
                post.planned_at = min(post.planned_at or now, now)
    await session.flush()


def _verdict(approval: Approval) -> Verdict:
    if approval.state is ApprovalState.expired:
        return _AT_DEADLINE[approval.at_deadline]
    return Verdict(approval.state.value)
