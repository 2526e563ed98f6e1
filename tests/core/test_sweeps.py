"""What the reconcile looks after, where there is more of it than one round takes."""

from datetime import timedelta

from sqlalchemy import update

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from core.container import Services
from core.ids import new_id
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory


async def test_open_runs_come_page_by_page_and_each_once(services: Services, make: Factory, user: User) -> None:
    assistants = [await make.assistant(user) for _ in range(2)]
    long_ago = utcnow() - timedelta(days=2)
    async with services.sessions.begin() as session:
        runs = RunRepository(session)
        for assistant in assistants:
            for hours in (1, 2, 3):
                row = Run(
                    id=new_id(),
                    user_id=user.id,
                    assistant_id=assistant.id,
                    slot=utcnow() + timedelta(hours=hours),
                    by_hand=False,
                )
                row.workflow_id = f"run-{row.id}"
                await runs.insert_or_get(row)
        await session.execute(update(Run).values(updated_at=long_ago))
        seen: list[Run] = []
        while page := await runs.list_open(
            utcnow(), after=(seen[-1].assistant_id, seen[-1].slot) if seen else None, limit=4
        ):
            assert len(page) <= 4
            seen += page
    assert len(seen) == len({run.id for run in seen}) == 6


async def test_a_run_that_has_ended_or_whose_user_leaves_is_not_carried_on(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    leaving = await make.user()
    runs = {}
    for name, owner in (("open", user), ("ended", user), ("leaving", leaving)):
        account = await make.account(owner, networks.url)
        assistant, run = await make.assistant(owner, accounts=(account.id,)), new_id()
        await services.drafting.begin(owner.id, assistant.id, run, f"run-{run}", utcnow() + timedelta(hours=1))
        runs[name] = (owner.id, run)
    assert await services.projecting.fail_left(*runs["ended"])
    async with services.sessions.begin() as session:
        # a workflow of its post delivers what a person has sent since
        await RunRepository(session).set_state(*runs["ended"], RunState.publishing)
        await session.execute(update(Run).values(updated_at=utcnow() - timedelta(days=2)))
        await session.execute(update(User).where(User.id == leaving.id).values(deletion_requested_at=utcnow()))
    async with services.sessions.begin() as session:
        page = await RunRepository(session).list_open(utcnow(), after=None, limit=9)
        assert [run.id for run in page] == [runs["open"][1]]
        for name, (user_id, run_id) in runs.items():
            assert (await RunRepository(session).lock_unfinished(user_id, run_id) is not None) is (name == "open")


async def test_a_run_that_ends_during_the_round_stays_as_it_ended(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    assistant, run = await make.assistant(user, accounts=(account.id,)), new_id()
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", utcnow() + timedelta(hours=1))
    await services.projecting.finish(user.id, run)
    async with services.sessions() as session:
        before = await RunRepository(session).get(user.id, run)
    assert not await services.projecting.fail_left(user.id, run)
    async with services.sessions() as session:
        after = await RunRepository(session).get(user.id, run)
    assert (after.state, after.reason, after.finished_at) == (before.state, before.reason, before.finished_at)
