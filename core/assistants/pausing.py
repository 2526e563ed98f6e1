"""An assistant that keeps failing for what only a person can mend pauses itself, and says so once."""

import logging
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.configuration import ConfiguringService
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import MOST_FAILURES, fails_lastingly
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, NotFound
from core.notifications.notifying import About, NotifyingService, of_article
from core.notifications.rules import NotificationKind
from core.notifications.tables.mails import MailKind
from core.runs.repositories.runs import RunRepository

logger = logging.getLogger(__name__)


async def pause_if_it_keeps_failing(sessions: Sessions, user_id: UUID, run_id: UUID) -> ErrorCode | None:
    """After a run has failed: the reason for which its assistant pauses from now on, if it does.

    In a transaction of its own, that begins with the assistant as all others do: another order would be a deadlock.
    Its workflow is told by the reconcile, which is woken.
    """
    async with sessions.begin() as session:
        assistant_id = await RunRepository(session).assistant_id(user_id, run_id)
        if assistant_id is None:
            return None
        try:
            row = await AssistantRepository(session).locked(user_id, assistant_id)
        except NotFound:  # deleted meanwhile
            return None
        if not row.active or row.pause(utcnow()):
            return None
        ended = await RunRepository(session).latest_results(user_id, assistant_id, row.failures_from, MOST_FAILURES)
        reason = fails_lastingly(ended)
        if reason is None:
            return None
        await ConfiguringService(session).pause(user_id, assistant_id, None, reason)
        await _tell(session, row, reason)
    logger.info("assistant %s pauses itself: %s", assistant_id, reason)
    return reason


async def _tell(session: AsyncSession, row: Assistant, reason: ErrorCode) -> None:
    notifying, about = NotifyingService(session), About(assistant_id=row.id)
    cause = f"{row.id}:{row.version}"
    if user := await notifying.tell(row.user_id, NotificationKind.assistant_paused_itself, cause, about):
        params = {"assistant_id": str(row.id), "assistant": row.name, "reason": reason.value}
        await notifying.mail(user, MailKind.assistant_paused, params | of_article(row.website_id is not None))
