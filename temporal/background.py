"""Every loop that a worker process runs beside its steps: one list."""

import asyncio

from core.billing.repositories.subscriptions import NEW_STRIPE_EVENT
from core.container import Services
from core.database import CHANGES
from core.notifications.repositories.mails import NEW_MAIL
from core.social_accounts.repositories.grants import CHANGED_GRANT
from core.users.deletion import SETTLING
from temporal import account_deletion, billing, housekeeping, reconcile
from temporal.gateway import Gateway
from temporal.rounds import repeat, repeat_every


async def run(services: Services, gateway: Gateway) -> None:
    """Until cancelled."""
    settling = SETTLING.total_seconds()
    loops = [
        repeat(reconcile.assistants, CHANGES, services, gateway, grace=reconcile.GRACE),
        repeat_every(60, reconcile.lost_assistants, services, gateway),
        repeat_every(60, reconcile.lost_runs, services, gateway),
        repeat_every(60, reconcile.lost_posts, services, gateway),
        repeat_every(60, reconcile.lost_grants, services, gateway),
        # what is held goes on as soon as its account is connected again
        repeat(reconcile.posts, CHANGED_GRANT, services, gateway, grace=0),
        repeat(reconcile.orders, CHANGES, services, gateway, grace=reconcile.GRACE),
        # nobody but the reconcile starts these, so they wait for nothing
        repeat(reconcile.mails, NEW_MAIL, services, gateway, grace=0),
        repeat(reconcile.follow_ups, CHANGES, services, gateway, grace=0),
        repeat(reconcile.grants, CHANGED_GRANT, services, gateway, grace=0),
        repeat(account_deletion.once, CHANGES, services, gateway, grace=settling),
        repeat_every(60, housekeeping.digests, services, gateway),
        repeat_every(60, housekeeping.grants, services, gateway),
        housekeeping.bundle(services),
        housekeeping.sweep(services),
    ]
    if services.subscribing.stripe is not None:
        loops += [
            repeat(billing.once, NEW_STRIPE_EVENT, services, gateway, grace=0),
            repeat_every(60, billing.comparison, services, gateway),
            repeat_every(60, housekeeping.subscriptions, services, gateway),
        ]
    async with asyncio.TaskGroup() as group:
        for loop in loops:
            group.create_task(loop)
