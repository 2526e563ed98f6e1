"""Rows ahead of their workflows: what a crash or an outage left between a saved configuration and its workflow, mails
that were written in the transaction that they tell of, and try-outs and suggestions that nobody works on.
"""

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
from temporal.rounds import Lock, alone
from workflows.assistant import AssistantWorkflow
from workflows.grant import GrantWorkflow
from workflows.names import assistant_workflow, grant_workflow, post_workflow
from workflows.post import PostWorkflow
from workflows.run import RunWorkflow

logger = logging.getLogger(__name__)

GRACE = 4.0
"""Seconds: whoever saved tells the workflow itself; only what that did not reach is repaired."""
# an assistant that has told of itself within this time is not looked for
_QUIET = timedelta(seconds=60)
# assistants that are told at the same time: most of it is waiting for the server's disk
_AT_ONCE = 8
# try-outs and suggestions each that a round starts; the others have their turn in the next
_ORDERS = 100


async def assistants(services: Services, gateway: Gateway) -> int:
    """One round over assistants: those behind their row, and those that planned with older time zone data. Returns how
    many workflows were told."""
    told = 0
    async with alone(services, Lock.assistants) as mine:
        if not mine:
            return 0
        try:
            while some := await _tell_some(services, gateway):
                told += some
            async with services.sessions() as session:
                outdated = await AssistantRepository(session).planned_under_other_rules(rules())
            for assistant_id in outdated:
                told += await gateway.replan(assistant_id)
        except* (RPCError, TimeoutError, RuntimeError) as errors:
            logger.warning("reconcile: Temporal is away (%s)", type(errors.exceptions[0]).__name__)
    if told:
        logger.info("reconcile: %d workflows told", told)
    return told


async def _tell_some(services: Services, gateway: Gateway) -> int:
    """Of those that are behind as many as fit into one reading; whoever was told is not among the next. Returns how
    many workflows have heard. Raises ExceptionGroup while Temporal is away."""
    async with services.sessions() as session:
        behind = await AssistantRepository(session).behind(utcnow())
    told = 0
    for start in range(0, len(behind), _AT_ONCE):
        async with asyncio.TaskGroup() as group:
            telling = [group.create_task(_tell(services, gateway, full)) for full in behind[start : start + _AT_ONCE]]
        told += sum(task.result() for task in telling)
    return told


async def _tell(services: Services, gateway: Gateway, full: FullAssistant) -> bool:
    """Whether its workflow has heard of its row. What is the fault of one alone never keeps the others waiting.

    Raises RPCError, TimeoutError or RuntimeError while Temporal is away.
    """
    row = full.row
    try:
        running = await gateway.repair(row, full.status, {account.kind for account in full.accounts})
    except RPCError as error:
        if error.status in AWAY:
            raise
        logger.warning("reconcile: assistant %s could not be told (%s)", row.id, error.status.name)
        heard, running = False, True
    else:
        heard = True
    async with services.sessions.begin() as session:
        repository = AssistantRepository(session)
        if running:
            await repository.told(row.user_id, row.id, row.version, utcnow())
        else:
            await repository.settle(row.id, row.version)
    return heard


async def lost_assistants(services: Services, gateway: Gateway) -> int:
    """One round over assistants that are to run and whose workflow is gone, whoever ended it: it is started again where
    it was. Returns how many."""
    async with alone(services, Lock.lost_assistants) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            believed = await AssistantRepository(session).believed_running(utcnow() - _QUIET)
        by_name = {assistant_workflow(found): found for found in believed}
        started = 0
        async for name in _gone(gateway, AssistantWorkflow, by_name):
            started += await _restart(services, gateway, by_name[name], believed[by_name[name]])
        return started


async def _restart(services: Services, gateway: Gateway, assistant_id: UUID, version: int) -> bool:
    async with services.sessions() as session:
        full = await AssistantRepository(session).lost(assistant_id, version)
    if full is None:  # saved, switched off or deleted meanwhile
        return False
    try:
        await gateway.repair(full.row, full.status, {account.kind for account in full.accounts})
    except (RPCError, TimeoutError, RuntimeError) as error:
        logger.warning("reconcile: assistant %s could not be started again (%s)", assistant_id, type(error).__name__)
        return False
    logger.warning("reconcile: the workflow of assistant %s was gone and is started again", assistant_id)
    async with services.sessions.begin() as session:
        await AssistantRepository(session).restarted(assistant_id, utcnow())
        await notify_browsers(session, full.row.user_id, LiveKind.assistant, assistant_id)
    return True


async def lost_runs(services: Services, gateway: Gateway) -> int:
    """One round over runs that are open though their workflow is gone, whoever ended it: they end with that reason, so
    that no delivery stays open for good. Returns how many."""
    async with alone(services, Lock.lost_runs) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            begun = await RunRepository(session).list_open(utcnow() - _QUIET)
        by_name = {run.workflow_id: run for run in begun}
        ended = 0
        async for name in _gone(gateway, RunWorkflow, by_name):
            run = by_name[name]
            await services.projecting.fail(run.user_id, run.id, ErrorCode.run_ended)
            logger.warning("reconcile: the workflow of run %s was gone before its end", run.id)
            ended += 1
        return ended


async def posts(services: Services, gateway: Gateway) -> int:
    """One round over posts that a person has changed, or whose held deliveries may go on since their account is
    connected again, and whose workflow may not know it: it is told to read its rows. Returns how many were told."""
    told = 0
    async with alone(services, Lock.posts) as mine:
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
                    logger.warning("reconcile: Temporal is away (%s)", type(error).__name__)
                    break
                logger.warning("reconcile: post %s could not be told (%s)", post.id, error.status.name)
                continue
            async with services.sessions.begin() as session:
                await PostRepository(session).mark_synced(post.user_id, post.id, post.version)
            told += 1
    if told:
        logger.info("reconcile: %d posts told", told)
    return told


async def lost_posts(services: Services, gateway: Gateway) -> int:
    """One round over posts that are to go out without a run and whose workflow is gone, whoever ended it: it is started
    again. Returns how many."""
    async with alone(services, Lock.lost_posts) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            waiting = await PostRepository(session).list_open_without_run(utcnow() - _QUIET)
        by_name = {post_workflow(post.id): post for post in waiting}
        started = 0
        async for name in _gone(gateway, PostWorkflow, by_name):
            post = by_name[name]
            await gateway.posts.repair(post.user_id, post.id, None, start=True)
            logger.warning("reconcile: the workflow of post %s was gone and is started again", post.id)
            started += 1
        return started


async def _gone(gateway: Gateway, kind: type, names: Collection[str]) -> AsyncIterator[str]:
    """Those of the workflows that do not run, as far as Temporal can be asked."""
    if not names:
        return
    try:
        running = await gateway.running(kind)
        for name in names:
            # the list lags behind, so what it lacks is looked at again
            if name not in running and not await gateway.is_running(name):
                yield name
    except (RPCError, TimeoutError, RuntimeError) as error:
        logger.warning("reconcile: Temporal is away (%s)", type(error).__name__)


async def mails(services: Services, gateway: Gateway) -> int:
    """One round over mails: those that wait without a workflow get theirs. Returns how many."""
    async with alone(services, Lock.mails) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            waiting = await MailRepository(session).pending()
        try:
            started = await gateway.send_mails(waiting)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: %d mails wait, Temporal is away (%s)", len(waiting), type(error).__name__)
            return 0
    if started:
        logger.info("reconcile: %d mails on their way", started)
    return started


async def follow_ups(services: Services, gateway: Gateway) -> int:
    """One round over what follows publications: each that is due and has no workflow gets one. Return how many."""
    async with alone(services, Lock.follow_ups) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            due = await FollowUpRepository(session).list_due(utcnow())
        try:
            started = await gateway.follow_ups.start(due)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: %d follow-ups wait, Temporal is away (%s)", len(due), type(error).__name__)
            return 0
    if started:
        logger.info("reconcile: %d follow-ups begun", started)
    return started


async def grants(services: Services, gateway: Gateway) -> int:
    """One round over grants that have changed: their workflows are told, and started where they do not run. Returns how
    many were told."""
    told = 0
    async with alone(services, Lock.grants) as mine:
        if not mine:
            return 0
        while True:
            async with services.sessions() as session:
                behind = await GrantRepository(session).behind()
            for one in behind:
                try:
                    if one.used:
                        await gateway.tell_grant(one.user_id, one.id, one.kind)
                    else:
                        await gateway.tell_unused_grant(grant_workflow(one.id))
                except (RPCError, TimeoutError, RuntimeError) as error:
                    logger.warning("reconcile: grants wait, Temporal is away (%s)", type(error).__name__)
                    return told
                async with services.sessions.begin() as session:
                    await GrantRepository(session).told(one.user_id, one.id, one.version)
                told += 1
            if not behind:
                break
    if told:
        logger.info("reconcile: the workflows of %d grants told", told)
    return told


async def lost_grants(services: Services, gateway: Gateway) -> int:
    """One round over grants whose workflow is gone, whoever ended it, and over workflows whose grant is: those are
    started again, these end. Returns how many."""
    async with alone(services, Lock.lost_grants) as mine:
        if not mine:
            return 0
        async with services.sessions() as session:
            by_name = {grant_workflow(one.id): one for one in await GrantRepository(session).used()}
        found = 0
        async for name in _gone(gateway, GrantWorkflow, by_name):
            one = by_name[name]
            await gateway.tell_grant(one.user_id, one.id, one.kind)
            logger.warning("reconcile: the workflow of grant %s was gone and is started again", one.id)
            found += 1
        try:
            for name in await gateway.running(GrantWorkflow) - by_name.keys():
                await gateway.tell_unused_grant(name)  # it looks, and ends where its row is gone
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: Temporal is away (%s)", type(error).__name__)
        return found


async def orders(services: Services, gateway: Gateway) -> int:
    """One round over try-outs and suggestions that are not over and that nobody has written to for a while: their
    workflows are started where they do not run. Returns how many were looked after."""
    async with alone(services, Lock.orders) as mine:
        if not mine:
            return 0
        left = utcnow() - timedelta(seconds=GRACE)
        async with services.sessions.begin() as session:
            # taken is written to, so that the next round begins with others
            tryouts = await claim_stale(session, Tryout, left, _ORDERS)
            suggestions = await claim_stale(session, TopicSuggestion, left, _ORDERS)
        try:
            for user_id, tryout_id in tryouts:
                await gateway.ensure_tryout(user_id, tryout_id)
            for user_id, suggestion_id in suggestions:
                await gateway.ensure_suggestion(user_id, suggestion_id)
        except (RPCError, TimeoutError, RuntimeError) as error:
            logger.warning("reconcile: try-outs wait, Temporal is away (%s)", type(error).__name__)
            return 0
    return len(tryouts) + len(suggestions)
