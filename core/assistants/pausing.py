"""Pause an assistant that keeps failing for a reason that only a person can fix, and notify once."""

import logging
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.configuration import AssistantConfigurationService
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import MOST_FAILURES, lasting_failure
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, NotFound
from core.notifications.notifying import About, NotifyingService, article_params
from core.notifications.rules import MailKind, NotificationKind
from core.runs.repositories.runs import RunRepository

logger = logging.getLogger(__name__)


async def pause_if_failing(sessions: Sessions, user_id: UUID, run_id: UUID) -> ErrorCode | None:
    """After a failed run: pause its assistant if its last runs failed for a lasting reason. Return the reason, or None.

    In a transaction of its own that locks the assistant first, as all others do: another order would deadlock. The
    reconcile is woken and notifies its workflow.
    """
    async with sessions.begin() as session:
        assistant_id = await RunRepository(session).assistant_id(user_id, run_id)
        if assistant_id is None:
            return None
        try:
            row = await AssistantRepository(session).lock(user_id, assistant_id)
        except NotFound:  # deleted meanwhile
            return None
        if not row.active or row.pause(utcnow()):
            return None
        ended = await RunRepository(session).latest_results(user_id, assistant_id, row.failures_from, MOST_FAILURES)
        reason = lasting_failure(ended)
        if reason is None:
            return None
        await AssistantConfigurationService(session).pause(user_id, assistant_id, None, reason)
        await _notify(session, row, reason)
    logger.info("assistant %s pauses itself: %s", assistant_id, reason)
    return reason


async def _notify(session: AsyncSession, row: Assistant, reason: ErrorCode) -> None:
    notifying, about = NotifyingService(session), About(assistant_id=row.id)
    cause = f"{row.id}:{row.version}"
    if user := await notifying.notify(row.user_id, NotificationKind.assistant_paused_itself, cause, about):
        params = {"assistant_id": str(row.id), "assistant": row.name, "reason": reason.value}
        await notifying.enqueue_mail(
            user, MailKind.assistant_paused_itself, params | article_params(row.website_id is not None)
        )
