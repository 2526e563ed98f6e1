"""Bring workflows in line with their rows after crashes and outages: saved configurations, mails, try-outs and
suggestions whose workflow never started, and workflows that were lost."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from operator import attrgetter, itemgetter
from typing import Final, TypeVar
from uuid import UUID

from sqlalchemy.exc import InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession
from temporalio.client import WorkflowExecutionStatus
from temporalio.service import RPCError

from core.assistants.repository import AssistantRepository, ExpectedAssistant, FullAssistant
from core.assistants.rules.occurrences import rules
from core.clock import utcnow
from core.container import Services
from core.database import log_failure, notify_browsers, notify_browsers_of_all
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.deliveries.repositories.follow_ups import FollowUpRepository
from core.deliveries.rules.follow_ups import FollowUp, FollowUpKind
from core.errors import NotFound
from core.feeds.repository import FeedRepository, UnsyncedFeed
from core.live import LiveKind
from core.notifications.repositories.mails import MailRepository, PendingMail
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.posts.tables.posts import Post
from core.runs.repositories.leftovers import claim_stale
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.social_accounts.repositories.grants import GrantRepository, UnsyncedGrant
from core.templates.tables import Tryout
from core.topics.tables import TopicSuggestion
from temporal.at_once import run_at_once
from temporal.away import AWAY
from temporal.gateway import Gateway
from temporal.rounds import Lock, advisory_lock
from workflows.names import (
    assistant_workflow,
    feed_workflow,
    follow_up_workflow,
    grant_workflow,
    mail_workflow,
    post_workflow,
)

logger = logging.getLogger(__name__)

GRACE = 4.0
"""Seconds before a row is repaired: whoever saved it notifies the workflow itself first."""
PAGE: Final = 500
"""Rows that a round reads, and asks Temporal about, at a time. A round goes through all pages, however many there are,
and holds one of them in memory."""
# rows that have changed within this time are not checked
_RECENT = timedelta(seconds=60)
# maximum of try-outs and of suggestions per round
_JOBS_PER_ROUND = 100
# assistants with older time zone data that plan again per round: each costs its worker a plan
_REPLANS_PER_ROUND = 500

Row = TypeVar("Row")
Key = TypeVar("Key")
Unsynced = TypeVar("Unsynced", UnsyncedGrant, UnsyncedFeed)


async def _pages(
    services: Services,
    read: Callable[[AsyncSession, Key | None], Awaitable[Sequence[Row]]],
    key: Callable[[Row], Key] = attrgetter("id"),
) -> AsyncIterator[Sequence[Row]]:
    """Yield pages of rows. `read` returns the rows after a key, or the first ones."""
    after: Key | None = None
    while True:
        async with services.sessions() as session:
            page = await read(session, after)
        if page:
            yield page
        if len(page) < PAGE:
            return
        after = key(page[-1])


def _alone(
    what: str, repair: Callable[[Row], Awaitable[bool | None]], key: Callable[[Row], object] = attrgetter("id")
) -> Callable[[Row], Awaitable[bool]]:
    """Return `repair`, but log the failure of a row that cannot be repaired, so that it does not stop the others. What
    stops them all is raised: Temporal or the database is away. The answer is False for a row that has failed, and for
    one for which `repair` answers False."""

    async def try_repair(row: Row) -> bool:
        try:
            return await repair(row) is not False
        except (OSError, RuntimeError, OperationalError, InterfaceError):  # TimeoutError is an OSError
            raise
        except RPCError as error:
            if error.status in AWAY:
                raise
            logger.error("reconcile: %s %s could not be repaired (%s)", what, key(row), error.status.name)
        except SQLAlchemyError as error:
            log_failure(logger, f"reconcile: {what} {key(row)}", error)
        except Exception:
            logger.exception("reconcile: %s %s could not be repaired", what, key(row))
        return False

    return try_repair


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
                outdated = await AssistantRepository(session).list_with_old_rules(rules(), _REPLANS_PER_ROUND)
            notified += sum(await run_at_once(_alone("assistant", gateway.assistants.replan, str), outdated))
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn("assistants wait", error)
    if notified:
        logger.info("reconcile: %d workflows notified", notified)
    return notified


async def _sync_batch(services: Services, gateway: Gateway) -> int:
    """Sync one batch of assistants that are behind; synced ones are not in the next. Return the number of workflows
    notified. Raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
    async with services.sessions() as session:
        behind = await AssistantRepository(session).list_unsynced(utcnow())
    return sum(
        await run_at_once(_alone("assistant", partial(_sync_assistant, services, gateway), _assistant_id), behind)
    )


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
        return await _restart_lost_assistants(services, gateway) if mine else 0


async def restart_overdue_assistants(services: Services, gateway: Gateway) -> int:
    """As `restart_lost_assistants`, but only those that should have started a run by now. They are few, so this round
    stays quick while the other goes through hundreds of thousands."""
    async with advisory_lock(services, Lock.overdue_assistants) as mine:
        return await _restart_lost_assistants(services, gateway, due_before=utcnow() - _RECENT) if mine else 0


async def _restart_lost_assistants(services: Services, gateway: Gateway, due_before: datetime | None = None) -> int:
    before = utcnow() - _RECENT

    async def read(session: AsyncSession, after: UUID | None) -> Sequence[ExpectedAssistant]:
        return await AssistantRepository(session).list_expected_running(
            before, due_before=due_before, after=after, limit=PAGE
        )

    started = 0
    try:
        async for page in _pages(services, read):
            lost = await _find_lost(gateway, {assistant_workflow(one.id): one for one in page})
            started += sum(await run_at_once(_alone("assistant", partial(_restart_assistant, services, gateway)), lost))
    except (RPCError, TimeoutError, RuntimeError) as error:
        _warn("lost assistants wait", error)
    return started


async def _restart_assistant(services: Services, gateway: Gateway, lost: ExpectedAssistant) -> bool:
    """Raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
    async with services.sessions() as session:
        full = await AssistantRepository(session).find_expected_running(lost.id, lost.version)
    if full is None:  # saved, switched off or deleted meanwhile
        return False
    try:
        await gateway.assistants.repair(full.row, full.status, {account.kind for account in full.accounts})
    except RPCError as error:
        if error.status in AWAY:
            raise
        logger.warning("reconcile: assistant %s could not be restarted (%s)", lost.id, error.status.name)
        return False
    logger.warning("reconcile: the lost workflow of assistant %s was restarted", lost.id)
    async with services.sessions.begin() as session:
        await AssistantRepository(session).mark_restarted(lost.id, utcnow())
        await notify_browsers(session, full.row.user_id, LiveKind.assistant, lost.id)
    return True


async def recover_lost_runs(services: Services, gateway: Gateway) -> int:
    """Carry on open runs that Temporal has lost, and end those whose workflow has ended without them, so that no
    delivery stays open. Return the number of both."""
    async with advisory_lock(services, Lock.lost_runs) as mine:
        if not mine:
            return 0
        before = utcnow() - _RECENT

        async def read(session: AsyncSession, after: tuple[UUID, datetime] | None) -> Sequence[Run]:
            return await RunRepository(session).list_open(before, after=after, limit=PAGE)

        recovered = 0
        try:
            async for page in _pages(services, read, lambda run: (run.assistant_id, run.slot)):
                lost = await _find_lost(gateway, {run.workflow_id: run for run in page})
                recovered += sum(await run_at_once(_alone("run", partial(_recover_run, services, gateway)), lost))
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn("lost runs wait", error)
        return recovered


async def _recover_run(services: Services, gateway: Gateway, run: Run) -> bool:
    """Raises RPCError, TimeoutError or RuntimeError while Temporal is away."""
    status = await gateway.find_status(run.workflow_id)
    if status is WorkflowExecutionStatus.RUNNING:
        return False
    if status is not None:  # an operator or a defect has ended it, unless the run has ended meanwhile
        if not await services.projecting.fail_left(run.user_id, run.id):
            return False
        logger.warning("reconcile: the workflow of run %s had ended, so the run failed", run.id)
        return True
    async with services.sessions.begin() as session:
        current = await RunRepository(session).lock_unfinished(run.user_id, run.id)
        if current is None:  # ended meanwhile, or its user is being deleted
            return False
        try:
            full = await AssistantRepository(session).get(run.user_id, run.assistant_id)
        except NotFound:  # deleted meanwhile, with the run
            return False
    await gateway.runs.carry_on(current, full.row, {account.kind for account in full.accounts})
    logger.warning("reconcile: run %s, whose workflow was lost, is carried on", run.id)
    return True


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
        before, at_once = utcnow() - timedelta(seconds=GRACE), {post_id for _, post_id in released}

        async def read(session: AsyncSession, after: UUID | None) -> Sequence[tuple[Post, Run | None]]:
            return await PostRepository(session).list_unsynced(before, at_once=at_once, after=after, limit=PAGE)

        try:
            async for page in _pages(services, read, _post_id):
                notified += sum(
                    await run_at_once(_alone("post", partial(_sync_post, services, gateway), _post_id), page)
                )
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn("posts wait", error)
    if notified:
        logger.info("reconcile: %d posts notified", notified)
    return notified


async def _sync_post(services: Services, gateway: Gateway, behind: tuple[Post, Run | None]) -> bool:
    """Return whether the workflow was notified. Raises RPCError, TimeoutError or RuntimeError while Temporal is
    away."""
    post, run = behind
    under_way = run.workflow_id if run and run.is_open else None
    try:
        await gateway.posts.repair(post.user_id, post.id, under_way, start=post.status is PostStatus.complete)
    except RPCError as error:
        if error.status in AWAY:
            raise
        logger.warning("reconcile: post %s could not be notified (%s)", post.id, error.status.name)
        return False
    async with services.sessions.begin() as session:
        await PostRepository(session).mark_synced(post.user_id, post.id, post.version)
    return True


async def restart_lost_posts(services: Services, gateway: Gateway) -> int:
    """Restart the workflow of scheduled posts without a run, where it is gone. Return their number."""
    async with advisory_lock(services, Lock.lost_posts) as mine:
        if not mine:
            return 0
        before = utcnow() - _RECENT

        async def read(session: AsyncSession, after: tuple[datetime, UUID] | None) -> Sequence[Post]:
            return await PostRepository(session).list_open_without_run(before, after=after, limit=PAGE)

        async def restart(post: Post) -> bool:
            await gateway.posts.repair(post.user_id, post.id, None, start=True)
            logger.warning("reconcile: the lost workflow of post %s was restarted", post.id)
            return True

        started = 0
        try:
            async for page in _pages(services, read, _time_and_id):
                lost = await _find_lost(gateway, {post_workflow(post.id): post for post in page})
                started += sum(await run_at_once(_alone("post", restart), lost))
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn("lost posts wait", error)
        return started


def _assistant_id(full: FullAssistant) -> UUID:
    return full.row.id


def _post_id(row: tuple[Post, Run | None]) -> UUID:
    return row[0].id


def _time_and_id(post: Post) -> tuple[datetime, UUID]:
    assert post.planned_at is not None  # it is scheduled
    return post.planned_at, post.id


async def _find_lost(gateway: Gateway, by_name: Mapping[str, Row]) -> list[Row]:
    """Return those of a page of rows whose workflow is not running. Raises RPCError, TimeoutError or RuntimeError while
    Temporal is away."""
    running = await gateway.running_ids(by_name)
    # the list lags behind, so workflows that it lacks are checked again
    missing = [name for name in by_name if name not in running]
    found = await run_at_once(gateway.find_status, missing)
    return [
        by_name[name]
        for name, status in zip(missing, found, strict=True)
        if status is not WorkflowExecutionStatus.RUNNING
    ]


async def _start_missing(
    gateway: Gateway, what: str, by_name: Mapping[str, Row], start: Callable[[Row], Awaitable[None]]
) -> int:
    """Start the workflow of each of a page of rows that has none. Return their number. Raises RPCError, TimeoutError or
    RuntimeError while Temporal is away."""
    # the list lags behind: `start` leaves a workflow alone that is running all the same
    running = await gateway.running_ids(by_name)
    return sum(await run_at_once(_alone(what, start), [row for name, row in by_name.items() if name not in running]))


def _warn(what: str, error: RPCError | TimeoutError | RuntimeError) -> None:
    """Say why a round stopped. Only some errors mean that Temporal is away: others need an operator."""
    if isinstance(error, RPCError) and error.status not in AWAY:
        logger.error("reconcile: %s, Temporal refused a call (%s: %s)", what, error.status.name, error.message[:200])
    else:
        logger.warning("reconcile: %s, Temporal is unavailable (%s)", what, type(error).__name__)


async def start_mails(services: Services, gateway: Gateway) -> int:
    """Start the workflow of each pending mail that has none. Return their number."""
    async with advisory_lock(services, Lock.mails) as mine:
        if not mine:
            return 0

        async def read(session: AsyncSession, after: UUID | None) -> Sequence[PendingMail]:
            return await MailRepository(session).list_pending(after=after, limit=PAGE)

        started = 0
        try:
            async for page in _pages(services, read):
                started += await _start_missing(
                    gateway, "mail", {mail_workflow(mail.id): mail for mail in page}, gateway.start_mail
                )
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn("mails wait", error)
    if started:
        logger.info("reconcile: %d mails started", started)
    return started


async def start_follow_ups(services: Services, gateway: Gateway) -> int:
    """Start the workflow of each due follow-up that has none. Return their number."""
    async with advisory_lock(services, Lock.follow_ups) as mine:
        if not mine:
            return 0
        now, started = utcnow(), 0

        async def read(kind: FollowUpKind, session: AsyncSession, after: UUID | None) -> Sequence[FollowUp]:
            return await FollowUpRepository(session).list_due(kind, now, after=after, limit=PAGE)

        try:
            for kind in FollowUpKind:
                async for page in _pages(services, partial(read, kind)):
                    started += await _start_missing(
                        gateway,
                        f"{kind.value} of delivery",
                        {follow_up_workflow(kind, one.id): one for one in page},
                        gateway.follow_ups.start,
                    )
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn("follow-ups wait", error)
    if started:
        logger.info("reconcile: %d follow-ups started", started)
    return started


async def sync_grants(services: Services, gateway: Gateway) -> int:
    """Notify the workflows of changed grants, and start those that are not running. Return their number."""

    async def read(session: AsyncSession, after: UUID | None) -> Sequence[UnsyncedGrant]:
        return await GrantRepository(session).list_unsynced(after=after, limit=PAGE)

    return await _notify_changed(services, Lock.grants, "grant", read, partial(_sync_grant, services, gateway))


async def _sync_grant(services: Services, gateway: Gateway, grant: UnsyncedGrant) -> bool:
    if grant.used:
        await gateway.notify_grant(grant.user_id, grant.id, grant.kind)
    else:
        await gateway.notify_unused_grant(grant.id)
    async with services.sessions.begin() as session:
        await GrantRepository(session).mark_synced(grant.user_id, grant.id, grant.version)
    return True


async def restart_lost_grants(services: Services, gateway: Gateway) -> int:
    """Restart workflows of grants that are gone. Return their number. A workflow whose grant is gone looks at its row
    by itself from time to time, and ends."""

    async def read(session: AsyncSession, after: UUID | None) -> Sequence[UnsyncedGrant]:
        return await GrantRepository(session).list_synced(after=after, limit=PAGE)

    async def restart(grant: UnsyncedGrant) -> None:
        await gateway.notify_grant(grant.user_id, grant.id, grant.kind)

    return await _restart_lost(services, gateway, Lock.lost_grants, "grant", read, grant_workflow, restart)


async def sync_feeds(services: Services, gateway: Gateway) -> int:
    """Notify the workflows of changed feeds, and start those that are not running. Return their number."""

    async def read(session: AsyncSession, after: UUID | None) -> Sequence[UnsyncedFeed]:
        return await FeedRepository(session).list_unsynced(after=after, limit=PAGE)

    return await _notify_changed(services, Lock.feeds, "feed", read, partial(_sync_feed, services, gateway))


async def _sync_feed(services: Services, gateway: Gateway, feed: UnsyncedFeed) -> bool:
    if feed.used:
        await gateway.notify_feed(feed.user_id, feed.id, feed.tree_id)
    else:
        await gateway.notify_unused_feed(feed.id)
    async with services.sessions.begin() as session:
        await FeedRepository(session).mark_synced(feed.user_id, feed.id, feed.version)
    return True


async def restart_lost_feeds(services: Services, gateway: Gateway) -> int:
    """Restart workflows of feeds that are gone. Return their number. A workflow whose feed is gone looks at its row by
    itself when it wakes, and ends."""

    async def read(session: AsyncSession, after: UUID | None) -> Sequence[UnsyncedFeed]:
        return await FeedRepository(session).list_synced(after=after, limit=PAGE)

    async def restart(feed: UnsyncedFeed) -> None:
        await gateway.notify_feed(feed.user_id, feed.id, feed.tree_id)

    return await _restart_lost(services, gateway, Lock.lost_feeds, "feed", read, feed_workflow, restart)


async def _notify_changed(
    services: Services,
    lock: Lock,
    what: str,
    read: Callable[[AsyncSession, UUID | None], Awaitable[Sequence[Unsynced]]],
    sync: Callable[[Unsynced], Awaitable[bool]],
) -> int:
    """Notify the workflow of each changed row, page by page. Return how many were notified."""
    notified = 0
    async with advisory_lock(services, lock) as mine:
        if not mine:
            return 0
        try:
            async for page in _pages(services, read):
                notified += sum(await run_at_once(_alone(what, sync), page))
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn(f"{what}s wait", error)
    if notified:
        logger.info("reconcile: %d %ss notified", notified, what)
    return notified


async def _restart_lost(
    services: Services,
    gateway: Gateway,
    lock: Lock,
    what: str,
    read: Callable[[AsyncSession, UUID | None], Awaitable[Sequence[Unsynced]]],
    name_workflow: Callable[[UUID], str],
    restart: Callable[[Unsynced], Awaitable[None]],
) -> int:
    """Restart the workflow of each row that has lost it, page by page. Return how many were restarted."""

    async def restart_one(row: Unsynced) -> bool:
        await restart(row)
        logger.warning("reconcile: the lost workflow of %s %s was restarted", what, row.id)
        return True

    restarted = 0
    async with advisory_lock(services, lock) as mine:
        if not mine:
            return 0
        try:
            async for page in _pages(services, read):
                lost = await _find_lost(gateway, {name_workflow(row.id): row for row in page})
                restarted += sum(await run_at_once(_alone(what, restart_one), lost))
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn(f"lost {what}s wait", error)
    return restarted


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

        async def ensure_tryout(row: tuple[UUID, UUID]) -> None:
            await gateway.ensure_tryout(*row)

        async def ensure_suggestion(row: tuple[UUID, UUID]) -> None:
            await gateway.ensure_suggestion(*row)

        try:
            started = sum(await run_at_once(_alone("try-out", ensure_tryout, itemgetter(1)), tryouts))
            return started + sum(await run_at_once(_alone("suggestion", ensure_suggestion, itemgetter(1)), suggestions))
        except (RPCError, TimeoutError, RuntimeError) as error:
            _warn("try-outs wait", error)
            return 0
