"""What is old is removed, and every sum that a page shows stays as it was."""

import asyncio
from dataclasses import asdict, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import func, select, update

from core.ai.repositories.transaction_lists import CauseKind, TransactionFilter, TransactionListRepository
from core.ai.spending import SpendingService, days_of
from core.ai.tables.transactions import AnonymousTotal, CallOutcome, Transaction, TransactionType, UsageSum
from core.assistants.rules.assistants import RunState
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.container import Services
from core.deliveries.rules.delivery_log import DeliveryDecision, DeliveryStep
from core.deliveries.tables.delivery_log import DeliveryEntry
from core.ids import new_id, run_id, run_workflow
from core.posts.tables.posts import Post
from core.runs.repositories.run_lists import RunListRepository
from core.runs.repositories.runs import RunRepository
from core.runs.retention import RetentionService
from core.runs.tables import Run, RunStep, TextVersion
from core.users.repositories.deletion import AccountDeletionRepository
from core.users.tables.users import User
from tests.conftest import Networks, Stack
from tests.factories import Factory
from tests.patience import PATIENCE

LONG_AGO = datetime(2026, 3, 29, 0, 30, tzinfo=UTC)
"""In Berlin the day on which the clock goes forward."""
ZONE = "Europe/Berlin"


async def ended_run(services: Services, make: Factory, user: User, networks: Networks, at: datetime) -> UUID:
    """A run that has published a post, with everything that is stored of it."""
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,), image=False)
    slot = utcnow() + timedelta(hours=1)  # too late is nothing written
    name = run_workflow(assistant.id, slot)
    run = run_id(name)
    await services.drafting.begin(user.id, assistant.id, run, name, slot)
    await services.drafting.write(user.id, run, 3)
    [(delivery_id, *_)] = (await services.drafting.check(user.id, run)).deliveries
    await services.projecting.finish(user.id, run)
    async with services.sessions.begin() as session:
        session.add(
            DeliveryEntry(
                user_id=user.id,
                delivery_id=delivery_id,
                at=at,
                attempt=1,
                step=DeliveryStep.publish,
                decision=DeliveryDecision.done,
                exchanges=[{"body": "x"}],
            )
        )
        await session.execute(update(Run).where(Run.id == run).values(slot=at, finished_at=at, updated_at=at))
        await session.execute(update(Post).where(Post.run_id == run).values(planned_at=at))
        await session.execute(update(Transaction).where(Transaction.run_id == run).values(created_at=at))
    await add_call(services, user, at, run_id=run, assistant_id=assistant.id, cost_micros=700)
    return run


async def add_call(services: Services, user: User, at: datetime, **values: Any) -> None:
    id = new_id()
    facts = {
        "key": f"{new_id()}:text:{id}",
        "type": TransactionType.text,
        "provider": "openai",
        "model": "gpt-6-luna",
        "input_tokens": 100,
        "cached_tokens": 30,
        "output_tokens": 20,
        "cost_micros": 20,
        "duration_ms": 900,
    }
    async with services.sessions.begin() as session:
        session.add(Transaction(id=id, user_id=user.id, created_at=at, **(facts | values)))


async def shown(services: Services, user: User) -> list[Any]:
    """Every sum that a page shows of the calls."""
    days = days_of(date(2026, 3, 1), date(2026, 4, 30), ZONE, utcnow())
    everything = TransactionFilter(days.bounds[0], days.bounds[-1])
    filters = [
        everything,
        replace(everything, types=(TransactionType.image,)),
        replace(everything, models=("gpt-6-luna",)),
        replace(everything, causes=(CauseKind.run,)),
        replace(everything, causes=(CauseKind.tryout, CauseKind.post)),
        replace(everything, failed=True),
        replace(everything, unpriced=True),
    ]
    totals = [asdict(await SpendingService(services.sessions).totals(user.id, one, days)) for one in filters]
    async with services.sessions() as session:
        models = await TransactionListRepository(session).models(user.id)
    return [*totals, models]


async def rows(services: Services, *tables: type) -> list[int]:
    async with services.sessions() as session:
        return [await session.scalar(select(func.count()).select_from(table)) or 0 for table in tables]


@pytest.fixture
async def berliner(services: Services, user: User) -> User:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(time_zone=ZONE))
    return user


async def test_old_evidence_is_removed_and_no_sum_changes(
    services: Services, make: Factory, berliner: User, networks: Networks
) -> None:
    user = berliner
    old = await ended_run(services, make, user, networks, LONG_AGO)
    recent = await ended_run(services, make, user, networks, utcnow() - timedelta(days=5))
    for hours in (0, 1, 22, 23):  # the night's last call is of the next day in Berlin
        await add_call(services, user, LONG_AGO + timedelta(hours=hours), key=f"tryout-{new_id()}:text:1")
    await add_call(services, user, LONG_AGO, type=TransactionType.image, model="gpt-image-2", images=1, cost_micros=9)
    await add_call(services, user, LONG_AGO, outcome=CallOutcome.refused, key=f"post-{new_id()}:text:1")
    await add_call(services, user, LONG_AGO, model="home-made", cost_micros=None, input_tokens=None)

    async def listed(run: UUID) -> tuple[Any, ...]:
        async with services.sessions() as session:
            row = await session.get_one(Run, run)
            [one], counts = await RunListRepository(session).list_page(user.id, row.assistant_id, offset=0, limit=10)
        return one.full.spent, one.attempts, one.full.topic_title, one.full.row.state, counts

    before = [await shown(services, user), await listed(old), await listed(recent)]
    kept = await rows(services, Run, Post, Assistant)
    assert before[1][0].cost_micros == 700
    assert before[1][1] == 3
    retention = RetentionService(services.sessions, 92)
    assert await retention.remove_portion() > 0
    assert await retention.remove_portion() == 0
    assert [await shown(services, user), await listed(old), await listed(recent)] == before
    assert await rows(services, Run, Post, Assistant) == kept
    async with services.sessions() as session:
        for table in (RunStep, TextVersion, Transaction):
            left = set(await session.scalars(select(table.run_id).distinct()))
            assert old not in left
        assert recent in set(await session.scalars(select(RunStep.run_id)))
        assert (await session.scalars(select(DeliveryEntry.at))).one() > LONG_AGO
        evidence = await RunListRepository(session).evidence(
            user.id, (await session.get_one(Run, old)).assistant_id, old, None
        )
    assert (evidence.steps, evidence.texts, evidence.calls) == ([], [], [])
    # of nine calls: those of one day and kind are one row
    assert await rows(services, UsageSum) == [7]
    # what stays of a user who leaves
    async with services.sessions.begin() as session:
        await AccountDeletionRepository(session).keep_totals(user.id)
        left_over = await session.scalar(
            select(func.sum(AnonymousTotal.cost_micros)).where(AnonymousTotal.month == date(2026, 3, 1))
        )
    assert left_over == 700 + 4 * 20 + 9 + 20


async def test_nothing_is_removed_unless_an_operator_says_so(
    services: Services, make: Factory, berliner: User, networks: Networks
) -> None:
    await ended_run(services, make, berliner, networks, LONG_AGO)
    before = await rows(services, Run, RunStep, Transaction, DeliveryEntry)
    assert services.settings.retention_days is None
    assert await services.retention.remove_portion() == 0
    assert await rows(services, Run, RunStep, Transaction, DeliveryEntry) == before


async def test_an_open_run_keeps_its_evidence_however_old(
    services: Services, make: Factory, berliner: User, networks: Networks
) -> None:
    run = await ended_run(services, make, berliner, networks, LONG_AGO)
    async with services.sessions.begin() as session:
        await session.execute(update(Run).where(Run.id == run).values(finished_at=None))
    await RetentionService(services.sessions, 92).remove_portion()
    async with services.sessions() as session:
        assert (await session.scalars(select(RunStep.id).where(RunStep.run_id == run))).all()
        assert (await session.scalars(select(Transaction.id).where(Transaction.run_id == run))).all()


async def test_a_run_with_a_call_that_has_not_ended_keeps_its_evidence(
    services: Services, make: Factory, berliner: User, networks: Networks
) -> None:
    """Nothing would look for the call later: its run is in the sums already."""
    run = await ended_run(services, make, berliner, networks, LONG_AGO)
    await add_call(services, berliner, LONG_AGO, run_id=run, outcome=CallOutcome.calling, cost_micros=5)
    retention = RetentionService(services.sessions, 92)
    await retention.remove_portion()
    async with services.sessions.begin() as session:
        assert (await session.get_one(Run, run)).totals is None
        await session.execute(update(Transaction).values(outcome=CallOutcome.lost))
    assert await retention.remove_portion() > 0
    async with services.sessions() as session:
        totals = (await session.get_one(Run, run)).totals
    assert totals is not None
    assert totals["spent"]["cost_micros"] == 705
    assert await rows(services, Transaction) == [0]


async def test_a_run_whose_post_is_being_delivered_again_keeps_its_evidence(
    services: Services, make: Factory, berliner: User, networks: Networks
) -> None:
    run = await ended_run(services, make, berliner, networks, LONG_AGO)
    async with services.sessions.begin() as session:
        await RunRepository(session).set_state(berliner.id, run, RunState.publishing)
    retention = RetentionService(services.sessions, 92)
    await retention.remove_portion()
    async with services.sessions() as session:
        assert (await session.get_one(Run, run)).totals is None
        assert await RunRepository(session).is_checked(berliner.id, run)


async def test_a_time_zone_that_postgresql_lacks_does_not_stop_it(
    services: Services, make: Factory, user: User
) -> None:
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(time_zone="Lost/Zone"))
    await add_call(services, user, LONG_AGO, key=f"tryout-{new_id()}:text:1")
    assert await RetentionService(services.sessions, 92).remove_portion() == 1
    async with services.sessions() as session:
        assert await session.scalar(select(UsageSum.at)) == LONG_AGO.replace(hour=12, minute=0)


async def test_it_waits_for_an_assistant_that_is_being_deleted(stack: Stack) -> None:
    """Both lock the assistant before its runs: another order would deadlock."""
    services = stack.services
    run = await ended_run(services, stack.make, await stack.make.user(), stack.networks, LONG_AGO)
    async with services.sessions.begin() as session:
        assistant_id = await session.scalar(select(Run.assistant_id).where(Run.id == run))
        await session.execute(select(Assistant.id).where(Assistant.id == assistant_id).with_for_update())
        removing = asyncio.create_task(RetentionService(services.sessions, 92).remove_portion())
        await asyncio.sleep(1)
        await session.execute(select(Run.id).where(Run.id == run).with_for_update())
    assert await asyncio.wait_for(removing, PATIENCE) > 0


async def test_it_waits_for_a_user_who_is_being_deleted(stack: Stack) -> None:
    """Both lock the user first: another order would deadlock. What the user has used is counted once."""
    services = stack.services
    user = await stack.make.user()
    await ended_run(services, stack.make, user, stack.networks, LONG_AGO)
    await add_call(services, user, LONG_AGO, key=f"tryout-{new_id()}:text:1")
    before = await counted_calls(services)
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id == user.id).values(deletion_requested_at=utcnow()))
    async with services.sessions.begin() as session:
        deletion = AccountDeletionRepository(session)
        assert await deletion.last_lock(user.id)
        removing = asyncio.create_task(RetentionService(services.sessions, 92).remove_portion())
        await asyncio.sleep(1)
        await deletion.keep_totals(user.id)
        await deletion.remove(user.id)
    assert await asyncio.wait_for(removing, PATIENCE) == 0
    assert await counted_calls(services) == before


async def test_users_are_deleted_while_old_evidence_is_removed(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.runs.retention._PORTION", 2)
    services = stack.services
    users = [await stack.make.user() for _ in range(6)]
    for user in users:
        await ended_run(services, stack.make, user, stack.networks, LONG_AGO)
        for _ in range(3):
            await add_call(services, user, LONG_AGO, key=f"tryout-{new_id()}:text:1")
    before, leaving = await counted_calls(services), [user.id for user in users[::2]]
    async with services.sessions.begin() as session:
        await session.execute(update(User).where(User.id.in_(leaving)).values(deletion_requested_at=utcnow()))
    for user_id in leaving:
        assert await services.account_deletion.withdraw(user_id)

    async def remove_old_evidence() -> None:
        while await RetentionService(services.sessions, 92).remove_portion():
            pass

    async with asyncio.timeout(PATIENCE), asyncio.TaskGroup() as both:
        both.create_task(remove_old_evidence())
        deletions = [both.create_task(services.account_deletion.remove_rows(user_id)) for user_id in leaving]
    assert all(deletion.result() for deletion in deletions)
    assert await rows(services, User, RunStep, Transaction) == [len(users) - len(leaving), 0, 0]
    assert await counted_calls(services) == before


async def counted_calls(services: Services) -> int:
    """Return the number of model calls that any table counts."""
    async with services.sessions() as session:
        sums = [await session.scalar(select(func.sum(table.calls))) or 0 for table in (AnonymousTotal, UsageSum)]
        single = await session.scalar(select(func.count()).select_from(Transaction))
    return int(sum(sums)) + (single or 0)
