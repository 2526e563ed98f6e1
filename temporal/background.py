"""The loops that a worker process runs beside its activities."""

import asyncio
import logging

from core.billing.repositories.subscriptions import NEW_STRIPE_EVENT
from core.container import Services
from core.database import CHANGES, Listener
from core.feeds.repository import CHANGED_FEED
from core.notifications.repositories.mails import NEW_MAIL
from core.social_accounts.repositories.grants import CHANGED_GRANT
from core.users.deletion import SETTLING
from temporal import account_deletion, billing, housekeeping, reconcile
from temporal.gateway import Gateway
from temporal.rounds import APPLICATION_NAME, repeat, repeat_every

logger = logging.getLogger(__name__)


async def run(services: Services, gateway: Gateway) -> None:
    """Run all loops until cancelled."""
    settling = SETTLING.total_seconds()
    url = services.settings.database_url
    assert url is not None  # checked by open_services
    listener = Listener(url, APPLICATION_NAME, [CHANGES, CHANGED_FEED, CHANGED_GRANT, NEW_MAIL, NEW_STRIPE_EVENT])
    loops = [
        listener.run(),
        repeat(reconcile.sync_assistants, CHANGES, services, gateway, listener, grace=reconcile.GRACE),
        repeat_every(60, reconcile.restart_lost_assistants, services, gateway),
        repeat_every(60, reconcile.restart_overdue_assistants, services, gateway),
        repeat_every(60, reconcile.recover_lost_runs, services, gateway),
        repeat_every(60, reconcile.restart_lost_posts, services, gateway),
        repeat_every(60, reconcile.restart_lost_grants, services, gateway),
        repeat_every(60, reconcile.restart_lost_feeds, services, gateway),
        # held deliveries continue as soon as their account is reconnected
        repeat(reconcile.sync_posts, CHANGED_GRANT, services, gateway, listener, grace=0),
        repeat(reconcile.start_pending_jobs, CHANGES, services, gateway, listener, grace=reconcile.GRACE),
        # only the reconcile starts these, so there is no grace
        repeat(reconcile.start_mails, NEW_MAIL, services, gateway, listener, grace=0),
        repeat(reconcile.start_follow_ups, CHANGES, services, gateway, listener, grace=0),
        repeat(reconcile.sync_grants, CHANGED_GRANT, services, gateway, listener, grace=0),
        repeat(reconcile.sync_feeds, CHANGED_FEED, services, gateway, listener, grace=0),
        repeat(account_deletion.delete_requested, CHANGES, services, gateway, listener, grace=settling),
        repeat_every(60, housekeeping.write_digests, services, gateway),
        repeat_every(60, housekeeping.revoke_grants, services, gateway),
        housekeeping.sync_bundled_templates(services),
        housekeeping.convert_tones(services),
        housekeeping.sweep_forever(services),
    ]
    if services.settings.retention_days is not None:
        loops.append(repeat_every(600, housekeeping.remove_old_evidence, services, gateway))
    if services.subscriptions.stripe is not None:
        loops += [
            repeat(billing.process_events, NEW_STRIPE_EVENT, services, gateway, listener, grace=0),
            repeat_every(60, billing.ensure_comparison, services, gateway),
            repeat_every(60, housekeeping.end_subscriptions, services, gateway),
        ]
    try:
        async with asyncio.TaskGroup() as group:
            for loop in loops:
                group.create_task(loop)
    except Exception:
        logger.exception("the background loops have ended by a defect: restart this worker")
        raise
