"""What the reconcile looks after, where there is more of it than one round takes."""

from datetime import timedelta

from sqlalchemy import update

from core.clock import utcnow
from core.container import Services
from core.ids import new_id
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.users.tables.users import User
from tests.factories import Factory


async def test_runs_that_sleep_for_days_keep_no_other_from_being_looked_at(
    services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user)
    long_ago = utcnow() - timedelta(days=2)
    async with services.sessions.begin() as session:
        runs = RunRepository(session)
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
        drawn = {(await runs.list_open(utcnow(), limit=1))[0].id for _ in range(100)}
    assert len(drawn) == 3
