"""Bring workflows in line with their rows after crashes and outages: saved configurations, mails, try-outs and
suggestions whose workflow never started, and workflows that were lost."""

import asyncio
import logging
from collections.abc import AsyncIterator, Collection
from datetime import timedelta
from uuid import UUID

from temporalio.service import RPCError

from core.assistants.repository import AssistantRepository, FullAssistant
from core.assistants.rules.assistants import OPEN_RUNS
from core.assistants.rules.occurrences import rules
from core.clock import utcnow
from core.container import Services
from core.database import notify_browsers, notify_browsers_of_all
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.deliveries.repositories.follow_ups import FollowUpRepository
from core.errors import ErrorCode
from core.live import LiveKind
from core.notifications.repositories.mails import MailRepository
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.runs.repositories.leftovers import claim_stale
from core.runs.repositories.runs import RunRepository
from core.social_accounts.repositories.grants import GrantRepository
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion
from temporal.away import AWAY
from temporal.gateway import Gateway
from temporal.rounds import Lock, advisory_lock
from workflows.assistant import AssistantWorkflow
from workflows.grant import GrantWorkflow
from workflows.names import assistant_workflow, grant_workflow, post_workflow
from workflows.post import PostWorkflow
from workflows.run import RunWorkflow

logger = logging.getLogger(__name__)

GRACE = 4.0
"""Seconds before a row is repaired: whoever saved it notifies the workflow itself first."""
# an assistant that has shown its state within this time is not checked
_RECENT = timedelta(seconds=60)
# assistants synced at the same time: most of it is waiting for the server's disk
_AT_ONCE = 8
# maximum of try-outs and of suggestions per round
_JOBS_PER_ROUND = 100


async def sync_assistants(services: Services, gateway: Gateway) -> int:
    """Sync assistants behind their row, and let those replan that planned with older time zone data. Return the number
    of workflows notified."""
    notified = 0
    async with advisory_lock(services, Lock.assistants) as mine:
        if not mine:
            return 0
        try:
            while some := await _sync_batch(services, gateway):
                notified += some
            async with services.sessions() as session:
                outdated = await AssistantRepository(session).list_with_old_rules(rules())
            for assistant_id in outdated:
                notified += await gateway.assistants.replan(assistant_id)
        except* (RPCError, TimeoutError, RuntimeError) as errors:
            logger.warning("reconcile: Temporal is unavailable (%s)", type(errors.exceptions[0]).__name__)
    if notified:
        logger.info("reconcile: %d workflows notified", notified)
    return notified


async def _sync_batch(services: Services, gateway: Gateway) -> int:
    """Sync one batch of assistants that are behind; synced ones are not in the next. Return the number of workflows
    notified. Raises ExceptionGroup while Temporal is away."""
    async with services.sessions() as session:
        behind = await AssistantRepository(session).list_unsynced(utcnow())
    notified = 0
    for start in range(0, len(behind), _AT_ONCE):
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(_sync_assistant(services, gateway, full)) for full in behind[start : start + _AT_ONCE]
            ]
        notified += sum(task.result() for task in tasks)
    return notified


async def _sync_assistant(services: Services, gateway: Gateway, full: FullAssistant) -> bool:
    """Return whether the workflow has received its row. A failure of one assistant alone does not stop the others.

    Raises RPCError, TimeoutError or RuntimeError while Temporal is away.
    """
    row = full.row
    try:
        running = await gateway.assistants.repair(row, full.status, {account.kind for account in full.accounts})
    except RPCError as error:
        if error.status in AWAY:
            raise
        logger.warning("reconcile: assistant %s could not be notified (%s)", row.id, error.status.name)
        notified, running = False, True
    else:
        notified = True
    async with services.sessions.begin() as session:
        repository = AssistantRepository(session)
        if running:
            await repository.mark_synced(row.user_id, row.id, row.version, utcnow())
        else:
            await repository.mark_applied(row.id, row.version)
    return notified


async def restart_lost_assistants(services: Services, gateway: Gateway) -> int:
    """Restart active assistants whose workflow is gone, where it was. Return their number."""
    async with advisory_lock(services, Lock.lost_assistants) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            believed = await AssistantRepository(session).list_expected_running(utcnow() - _RECENT)
        by_name = {assistant_workflow(found): found for found in believed}
        started = 0
        async for name in _not_running(gateway, AssistantWorkflow, by_name):
            started += await _restart(services, gateway, by_name[name], believed[by_name[name]])
        return started


async def _restart(services: Services, gateway: Gateway, assistant_id: UUID, version: int) -> bool:
    async with services.sessions() as session:
        full = await AssistantRepository(session).find_expected_running(assistant_id, version)
    if full is None:  # saved, switched off or deleted meanwhile
        return False
    try:
        await gateway.assistants.repair(full.row, full.status, {account.kind for account in full.accounts})
    except (RPCError, TimeoutError, RuntimeError) as error:
        logger.warning("reconcile: assistant %s could not be restarted (%s)", assistant_id, type(error).__name__)
        return False
    logger.warning("reconcile: the lost workflow of assistant %s was restarted", assistant_id)
    async with services.sessions.begin() as session:
        await AssistantRepository(session).mark_restarted(assistant_id, utcnow())
        await notify_browsers(session, full.row.user_id, LiveKind.assistant, assistant_id)
    return True


async def end_lost_runs(services: Services, gateway: Gateway) -> int:
    """End open runs whose workflow is gone, so that no delivery stays open. Return their number."""
    async with advisory_lock(services, Lock.lost_runs) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            begun = await RunRepository(session).list_open(utcnow() - _RECENT)
        by_name = {run.workflow_id: run for run in begun}
        ended = 0
        async for name in _not_running(gateway, RunWorkflow, by_name):
            run = by_name[name]
            await services.projecting.fail(run.user_id, run.id, ErrorCode.run_ended)
            logger.warning("reconcile: the workflow of run %s was lost, so the run failed", run.id)
            ended += 1
        return ended


async def sync_posts(services: Services, gateway: Gateway) -> int:
    """Release held deliveries that may go on, and let the workflows of changed posts read their rows. Return the number
    of workflows notified."""
    notified = 0
    async with advisory_lock(services, Lock.posts) as mine:
        if not mine:
            return 0
        async with services.sessions.begin() as session:
            released = await DeliveryRepository(session).release_held()
            await notify_browsers_of_all(session, [(user_id, LiveKind.post, post_id) for user_id, post_id in released])
        async with services.sessions() as session:
            behind = await PostRepository(session).list_unsynced(
                utcnow() - timedelta(seconds=GRACE), at_once={post_id for _, post_id in released}
            )
        for post, run in behind:
            under_way = run.workflow_id if run and run.state in OPEN_RUNS else None
            try:
                await gateway.posts.repair(post.user_id, post.id, under_way, start=post.status is PostStatus.complete)
            except (RPCError, TimeoutError, RuntimeError) as error:
                if not isinstance(error, RPCError) or error.status in AWAY:
                    logger.warning("reconcile: Temporal is unavailable (%s)", type(error).__name__)
                    break
                logger.warning("reconcile: post %s could not be notified (%s)", post.id, error.status.name)
                continue
            async with services.sessions.begin() as session:
                await PostRepository(session).mark_synced(post.user_id, post.id, post.version)
            notified += 1
    if notified:
        logger.info("reconcile: %d posts notified", notified)
    return notified


async def restart_lost_posts(services: Services, gateway: Gateway) -> int:
    """Restart the workflow of scheduled posts without a run, where it is gone. Return their number."""
    async with advisory_lock(services, Lock.lost_posts) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            waiting = await PostRepository(session).list_open_without_run(utcnow() - _RECENT)
        by_name = {post_workflow(post.id): post for post in waiting}
        started = 0
        async for name in _not_running(gateway, PostWorkflow, by_name):
            post = by_name[name]
            await gateway.posts.repair(post.user_id, post.id, None, start=True)
            logger.warning("reconcile: the lost workflow of post %s was restarted", post.id)
            started += 1
        return started


async def _not_running(gateway: Gateway, kind: type, names: Collection[str]) -> AsyncIterator[str]:
    """Yield those of the workflows that are not running, as far as Temporal can be asked."""
    if not names:
        return
    try:
        running = await gateway.running_ids(kind)
        for name in names:
            # the list lags behind, so workflows that it lacks are checked again
            if name not in running and not await gateway.is_running(name):
                yield name
    except (RPCError, TimeoutError, RuntimeError) as error:
        logger.warning("reconcile: Temporal is unavailable (%s)", type(error).__name__)


async def start_mails(services: Services, gateway: Gateway) -> int:
    """Start the workflow of each pending mail that has none. Return their number."""
    async with advisory_lock(services, Lock.mails) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            waiting = await MailRepository(session).pending()
        try:
            started = await gateway.send_mails(waiting)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: %d mails wait for Temporal (%s)", len(waiting), type(error).__name__)
            return 0
    if started:
        logger.info("reconcile: %d mails started", started)
    return started


async def start_follow_ups(services: Services, gateway: Gateway) -> int:
    """Start the workflow of each due follow-up that has none. Return their number."""
    async with advisory_lock(services, Lock.follow_ups) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            due = await FollowUpRepository(session).list_due(utcnow())
        try:
            started = await gateway.follow_ups.start(due)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: %d follow-ups wait for Temporal (%s)", len(due), type(error).__name__)
            return 0
    if started:
        logger.info("reconcile: %d follow-ups started", started)
    return started


async def sync_grants(services: Services, gateway: Gateway) -> int:
    """Notify the workflows of changed grants, and start those that are not running. Return their number."""
    notified = 0
    async with advisory_lock(services, Lock.grants) as mine:
        if not mine:
            return 0
        while True:
            async with services.sessions() as session:
                behind = await GrantRepository(session).list_unsynced()
            for one in behind:
                try:
                    if one.used:
                        await gateway.notify_grant(one.user_id, one.id, one.kind)
                    else:
                        await gateway.notify_unused_grant(grant_workflow(one.id))
                except (RPCError, TimeoutError, RuntimeError) as error:
                    logger.warning("reconcile: grants wait for Temporal (%s)", type(error).__name__)
                    return notified
                async with services.sessions.begin() as session:
                    await GrantRepository(session).mark_synced(one.user_id, one.id, one.version)
                notified += 1
            if not behind:
                break
    if notified:
        logger.info("reconcile: %d grants notified", notified)
    return notified


async def restart_lost_grants(services: Services, gateway: Gateway) -> int:
    """Restart workflows of grants that are gone, and notify workflows whose grant is gone, so that they end. Return the
    number of restarted ones."""
    async with advisory_lock(services, Lock.lost_grants) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            by_name = {grant_workflow(one.id): one for one in await GrantRepository(session).list_synced()}
        found = 0
        async for name in _not_running(gateway, GrantWorkflow, by_name):
            one = by_name[name]
            await gateway.notify_grant(one.user_id, one.id, one.kind)
            logger.warning("reconcile: the lost workflow of grant %s was restarted", one.id)
            found += 1
        try:
            for name in await gateway.running_ids(GrantWorkflow) - by_name.keys():
                await gateway.notify_unused_grant(name)  # it reads its row, and ends because there is none
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: Temporal is unavailable (%s)", type(error).__name__)
        return found


async def start_pending_jobs(services: Services, gateway: Gateway) -> int:
    """Start the workflows of open try-outs and suggestions that were not updated for a while. Return their number."""
    async with advisory_lock(services, Lock.pending_jobs) as mine:
        if not mine:
            return 0
        left = utcnow() - timedelta(seconds=GRACE)
        async with services.sessions.begin() as session:
            # claiming updates them, so that the next round has others
            tryouts = await claim_stale(session, Tryout, left, _JOBS_PER_ROUND)
            suggestions = await claim_stale(session, TopicSuggestion, left, _JOBS_PER_ROUND)
        try:
            for user_id, tryout_id in tryouts:
                await gateway.ensure_tryout(user_id, tryout_id)
            for user_id, suggestion_id in suggestions:
                await gateway.ensure_suggestion(user_id, suggestion_id)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: try-outs wait for Temporal (%s)", type(error).__name__)
            return 0
    return len(tryouts) + len(suggestions)
