"""Announce articles automatically, if their website is set so: a workflow does what the receipt of the publication
requested, step by step, so that a crash loses nothing."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from typing import Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.rules.generation import OPEN_GENERATIONS, GenerationState
from core.articles import announcements
from core.articles.announcements import AnnouncementService
from core.articles.repository import AnnouncementRepository
from core.articles.rules.announcements import OPEN_ANNOUNCEMENTS, AnnouncementState
from core.articles.tables import Announcement
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import Mode
from core.clock import utcnow
from core.database import Sessions, notify_browsers, wake_reconcile
from core.deliveries.rules.follow_ups import GONE, FollowUpOutcome, ensure_due
from core.demo.demo_texts import DemoTexts
from core.errors import Conflict, DomainError, ErrorCode, InvalidInput, NotFound, RetrySafe, SubscriptionRequired
from core.live import LiveKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind
from core.posts.publishing import PublishingService
from core.posts.recipients import chosen_accounts
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.runs.outcomes import post_title
from core.templates.repositories.tryouts import TryoutRepository

logger = logging.getLogger(__name__)

_LEASE: Final = timedelta(minutes=2)
"""How long an attempt owns the step; longer than the time-out of the page."""
GIVE_UP_AFTER: Final = timedelta(days=1)
"""How long after its publication the article's address is called."""
_CHECK_INTERVAL: Final = timedelta(seconds=5)
"""For a text that is being written."""
_TEMPORARY_CODES: Final = frozenset({ErrorCode.page_not_reached, ErrorCode.page_not_shown})
_EDITED: Final = frozenset({ErrorCode.announcement_edited, ErrorCode.stale_version})
"""A person has changed the draft meanwhile, which takes precedence."""


@dataclass(frozen=True)
class AutoAnnouncementService:
    sessions: Sessions
    announcements: AnnouncementService
    publishing: PublishingService
    demo_texts: DemoTexts

    async def do_next_step(self, user_id: UUID, announcement_id: UUID, pause: timedelta) -> FollowUpOutcome:
        """Do the next step. Return the state: `writing` once there is a draft whose text is being written.

        Raises RetrySafe, to be retried after its `retry_after`: at least `pause` while readers cannot see the article,
        five seconds for a text that is being written.
        """
        row = await self._claim(user_id, announcement_id)
        if isinstance(row, FollowUpOutcome):
            return row
        try:
            if row.state is AnnouncementState.waiting:
                return await self._create_draft(row, pause)
            return await self._apply_text(row)
        except NotFound:  # the article or the draft was deleted meanwhile
            return await self._end(row, AnnouncementState.made)
        except Conflict as refusal:
            if refusal.code is ErrorCode.post_not_editable:
                # it is being published: by an earlier attempt or by its owner
                return await self._mark_made(row)
            return await self._failed(row, refusal.code)

    async def _claim(self, user_id: UUID, announcement_id: UUID) -> Announcement | FollowUpOutcome:
        async with self.sessions.begin() as session:
            row = await AnnouncementRepository(session).lock(user_id, announcement_id)
            if row is None:
                return GONE
            if row.state not in OPEN_ANNOUNCEMENTS:
                return _outcome(row)
            ensure_due(row.due_at, utcnow())
            row.due_at = utcnow() + _LEASE
            await session.flush()
            return row

    async def _create_draft(self, row: Announcement, pause: timedelta) -> FollowUpOutcome:
        """Create the draft once readers can see the article, and order its text if there is a template."""
        async with self.sessions() as session:
            ordered = await TryoutRepository(session).first_text_of_post(row.user_id, row.post_id)
        if ordered:  # ordered by an earlier attempt
            return await self._mark_writing(row)
        accounts = await self._accounts(row)
        if not accounts:
            return await self._failed(row, ErrorCode.channel_not_selected)
        form = announcements.Announcement(row.article_id, row.post_id, accounts, row.assistant_id, by_template=True)
        try:
            announced = await self.announcements.announce(row.user_id, form)
        except InvalidInput as refusal:
            return await self._failed(row, refusal.errors[0].code if refusal.errors else refusal.code)
        except Conflict as refusal:
            if refusal.code not in _TEMPORARY_CODES:
                raise
            return await self._retry_later(row, refusal.code, pause)
        if announced.writing is None:
            return await self._mark_made(row, announced.refusal)
        return await self._mark_writing(row)

    async def _mark_writing(self, row: Announcement) -> FollowUpOutcome:
        async with self.sessions.begin() as session:
            locked = await AnnouncementRepository(session).lock(row.user_id, row.id)
            if locked and locked.state in OPEN_ANNOUNCEMENTS:
                locked.state, locked.due_at = AnnouncementState.writing, utcnow()
                locked.error_code = None
            return _outcome(locked)

    async def _apply_text(self, row: Announcement) -> FollowUpOutcome:
        async with self.sessions() as session:
            writing = await TryoutRepository(session).first_text_of_post(row.user_id, row.post_id)
        if writing is None:
            return await self._mark_made(row, NotFound(what="tryout", id=str(row.post_id)))
        if writing.state in OPEN_GENERATIONS:
            await self._mark_writing(row)
            raise RetrySafe(ErrorCode.generation_in_progress, retry_after=_CHECK_INTERVAL)
        if writing.state is not GenerationState.succeeded:
            return await self._mark_made(row, Conflict(ErrorCode(writing.reason or ErrorCode.model_refused)))
        try:
            version = await self.announcements.apply_text(
                row.user_id, row.article_id, row.post_id, writing.id, untouched=True
            )
            if row.publishes and not await self._stays_draft_for_demo(row, writing.model):
                await self.publishing.publish(row.user_id, row.post_id, version, None)
        except (InvalidInput, SubscriptionRequired) as refusal:
            return await self._mark_made(row, refusal)
        except Conflict as refusal:
            if refusal.code not in _EDITED:
                raise
            return await self._mark_made(row, Conflict(ErrorCode.announcement_edited))
        return await self._mark_made(row)

    async def _stays_draft_for_demo(self, row: Announcement, written_by: str | None) -> bool:
        """Return whether it stays a draft, because its text is the demo writer's and it would be published on a real
        network."""
        async with self.sessions() as session:
            post, _ = await PostRepository(session).get(row.user_id, row.post_id)
            accounts = await chosen_accounts(session, post)
        return self.demo_texts.are_asked_about(Mode.automatic, accounts, written_by=written_by or "")

    async def _mark_made(self, row: Announcement, refusal: DomainError | None = None) -> FollowUpOutcome:
        """Mark as made: the post is published, or is a draft to be reviewed, with a reason if there is one."""
        async with self.sessions.begin() as session:
            locked = await AnnouncementRepository(session).lock(row.user_id, row.id)
            if locked is None or locked.state not in OPEN_ANNOUNCEMENTS:
                return _outcome(locked)
            post, _ = await PostRepository(session).get(row.user_id, row.post_id)
            stays = post.status is PostStatus.draft
            locked.state, locked.error_code = AnnouncementState.made, refusal.code if refusal and stays else None
            if stays:
                await _notify(session, locked, NotificationKind.announcement_ready, row.post_id)
            await wake_reconcile(session)  # it starts the post's workflow
            await notify_browsers(session, row.user_id, LiveKind.post, row.article_id)
            return _outcome(locked)

    async def _accounts(self, row: Announcement) -> tuple[UUID, ...]:
        """Return the assistant's connected accounts at networks."""
        if row.assistant_id is None:
            return ()
        async with self.sessions() as session:
            assistant = await AssistantRepository(session).get(row.user_id, row.assistant_id)
        return tuple(
            account.id for account in assistant.accounts if account.disconnected_at is None and not account.kind.is_site
        )

    async def _retry_later(self, row: Announcement, code: ErrorCode, pause: timedelta) -> FollowUpOutcome:
        """Give up after a day. Raises RetrySafe before."""
        async with self.sessions.begin() as session:
            locked = await AnnouncementRepository(session).lock(row.user_id, row.id)
            if locked is None or locked.state is not AnnouncementState.waiting:
                return _outcome(locked)
            if utcnow() >= locked.created_at + GIVE_UP_AFTER:
                await self._give_up(session, locked, code)
                return _outcome(locked)
            locked.due_at, locked.error_code = utcnow() + pause, code
            await notify_browsers(session, row.user_id, LiveKind.post, row.article_id)
        raise RetrySafe(code, retry_after=pause)

    async def _failed(self, row: Announcement, code: ErrorCode) -> FollowUpOutcome:
        async with self.sessions.begin() as session:
            locked = await AnnouncementRepository(session).lock(row.user_id, row.id)
            if locked and locked.state in OPEN_ANNOUNCEMENTS:
                await self._give_up(session, locked, code)
            return _outcome(locked)

    async def _give_up(self, session: AsyncSession, locked: Announcement, code: ErrorCode) -> None:
        locked.state, locked.error_code = AnnouncementState.failed, code
        await _notify(session, locked, NotificationKind.announcement_failed, locked.article_id)
        await notify_browsers(session, locked.user_id, LiveKind.post, locked.article_id)
        logger.info("announcement %s failed: %s", locked.id, code)

    async def _end(self, row: Announcement, state: AnnouncementState) -> FollowUpOutcome:
        async with self.sessions.begin() as session:
            locked = await AnnouncementRepository(session).lock(row.user_id, row.id)
            if locked and locked.state in OPEN_ANNOUNCEMENTS:
                locked.state = state
            return _outcome(locked)


def _outcome(row: Announcement | None) -> FollowUpOutcome:
    return FollowUpOutcome(row.state, row.error_code or "") if row else GONE


async def _notify(session: AsyncSession, row: Announcement, kind: NotificationKind, post_id: UUID) -> None:
    notifying = NotifyingService(session)
    if user := await notifying.notify(row.user_id, kind, f"{row.id}", About(post_id=post_id)):
        article, _ = await PostRepository(session).get(row.user_id, row.article_id)
        params = {"post_id": str(post_id), "topic": post_title(article)}
        await notifying.enqueue_mail(user, MailKind(kind.value), params)
