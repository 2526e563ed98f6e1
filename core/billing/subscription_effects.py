"""The effects of a subscription's state: when it ends, assistants are paused, and its owner is notified of the end and
of what may cause it. Nothing is deleted, and nothing resumes by itself when the subscription is renewed.

Posts prepared before the end still go out, as after a pause, up to the free limits.
"""

import logging
from datetime import datetime

from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.configuration import AssistantConfigurationService
from core.billing.entitlements import Entitlements
from core.billing.repositories.allowances import AllowanceRepository
from core.billing.rules import NOT_BEGUN, TRIAL_ENDS_SOON, Paid, StripeStatus, Terms, price_to_json
from core.billing.tables import SubscriptionRow
from core.database import notify_browsers
from core.errors import ErrorCode
from core.live import LiveKind
from core.notifications.notifying import About, NotifyingService
from core.notifications.rules import MailKind, NotificationKind

logger = logging.getLogger(__name__)


async def follow(session: AsyncSession, entitlements: Entitlements, row: SubscriptionRow, now: datetime) -> bool:
    """Apply the state of a locked row. Return whether the row was found to be locked out just now. Idempotent: each
    notification is sent once."""
    paid = row.known
    if entitlements.terms is None:
        return False
    if entitlements.unlocked(row, now):
        assert paid is not None  # locked without one
        await _unlocked(session, row, paid, entitlements.terms, now)
        return False
    if row.locked_at is not None or not row.had_one or (paid is not None and paid.status in NOT_BEGUN):
        return False
    row.locked_at = now
    paused = await _pause_all(session, row)
    notifying = NotifyingService(session)
    await notifying.resolve(row.user_id, About(), NotificationKind.trial_ending, NotificationKind.payment_failed)
    cause = f"{paid.id if paid else row.customer_id}:{now.isoformat()}"
    await _notify(session, row, NotificationKind.subscription_ended, cause, paused=paused)
    await notify_browsers(session, row.user_id, LiveKind.subscription, row.user_id)
    logger.info("subscription of user %s has ended, %d assistants are paused", row.user_id, paused)
    return True


async def _unlocked(session: AsyncSession, row: SubscriptionRow, paid: Paid, terms: Terms, now: datetime) -> None:
    over = []
    if row.locked_at is not None:
        row.locked_at = None
        over.append(NotificationKind.subscription_ended)
        await notify_browsers(session, row.user_id, LiveKind.subscription, row.user_id)
    if row.past_due_since is not None:
        until = row.past_due_since + terms.grace
        cause = f"{paid.id}:{row.past_due_since.isoformat()}"
        await _notify(session, row, NotificationKind.payment_failed, cause, until=until.isoformat())
    else:
        over.append(NotificationKind.payment_failed)
    if paid.status != StripeStatus.trialing or paid.ends:
        over.append(NotificationKind.trial_ending)
    elif paid.trial_end is not None and now < paid.trial_end <= now + TRIAL_ENDS_SOON:
        price = price_to_json(paid.price) if paid.price else None
        await _notify(
            session, row, NotificationKind.trial_ending, paid.id, until=paid.trial_end.isoformat(), price=price
        )
    await NotifyingService(session).resolve(row.user_id, About(), *over)


async def _pause_all(session: AsyncSession, row: SubscriptionRow) -> int:
    """Pause all scheduled assistants and return their number; one paused without an end keeps its own reason."""
    configuring = AssistantConfigurationService(session)
    assistants = await AllowanceRepository(session).going_on(row.user_id)
    for assistant_id in assistants:
        await configuring.pause(row.user_id, assistant_id, None, ErrorCode.subscription_ended)
    return len(assistants)


async def _notify(
    session: AsyncSession, row: SubscriptionRow, kind: NotificationKind, cause: str, **params: object
) -> None:
    notifying = NotifyingService(session)
    if user := await notifying.notify(row.user_id, kind, cause, About()):
        await notifying.enqueue_mail(user, MailKind(kind.value), params)
