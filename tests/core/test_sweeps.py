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
