"""A connection keeps how it checked foreign keys while its tables were small; what is large must not pay for it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.assistants.configuration import AssistantConfigurationService
from core.assistants.rules.assistants import StepKind
from core.assistants.tables import Assistant
from core.clock import utcnow
from core.crypto import Vault
from core.database import Sessions, open_engine, open_sessions
from core.ids import new_id
from core.runs.tables import Run, RunStep
from core.topics.tables import Topic
from core.topics.topic_trees import UNDO, TopicTreeService
from core.users.repositories.deletion import AccountDeletionRepository
from core.users.tables.users import User
from tests.factories import Factory

SIZE = 1_000
TREE = "- Root\n-- A\n" + "--- B\n---- C\n" * (SIZE // 2 - 1)


@pytest.fixture
async def fresh(database: str) -> AsyncIterator[Factory]:
    """In a database of its own, for other connections to see."""
    engine = open_engine(database)
    yield Factory(open_sessions(engine), Vault([]))
    await engine.dispose()


@pytest.fixture
async def aged(fresh: Factory, database: str) -> AsyncIterator[Sessions]:
    """One connection that has seen small trees and assistants come and go."""
    engine = open_engine(database, pool_size=1)
    sessions = open_sessions(engine)
    make = Factory(sessions, fresh.vault)
    user = await make.user()
    async with sessions.begin() as session:
        await session.execute(text("ANALYZE"))
    for _ in range(4):
        tree, assistant = await make.tree(user), await _assistant(sessions, user, 4)
        async with sessions.begin() as session:
            await TopicTreeService(session).delete(user.id, tree)
            await AssistantConfigurationService(session).delete(user.id, assistant)
    yield sessions
    await engine.dispose()


async def _assistant(sessions: Sessions, user: User, runs: int) -> UUID:
    assistant = Assistant(id=new_id(), user_id=user.id, name="A", language="de")
    first = datetime(2020, 1, 1, tzinfo=UTC)
    rows = [
        {
            "id": new_id(),
            "user_id": user.id,
            "assistant_id": assistant.id,
            "workflow_id": "-",
            "slot": first + timedelta(hours=hour),
        }
        for hour in range(runs)
    ]
    async with sessions.begin() as session:
        session.add(assistant)
        await session.flush()
        await session.execute(insert(Run), rows)
        await session.execute(
            insert(RunStep), [{"user_id": user.id, "run_id": row["id"], "kind": StepKind.text} for row in rows]
        )
    return assistant.id


Act = Callable[[AsyncSession, UUID, UUID, UUID], Awaitable[object]]
"""Of a user, with a tree and an assistant."""

ACTS: dict[str, Act] = {
    "import a tree": lambda session, user, *_: TopicTreeService(session).create(user, "Tree", TREE),
    "delete a tree": lambda session, user, tree, _: TopicTreeService(session).delete(user, tree),
    "forget deletions": lambda session, user, tree, _: TopicTreeService(session).topics.purge_oldest(user, tree, 0),
    "sweep deletions": lambda session, *_: TopicTreeService(session).purge_deleted(),
    "delete an assistant": lambda session, user, _, assistant: AssistantConfigurationService(session).delete(
        user, assistant
    ),
    "leave": lambda session, user, *_: AccountDeletionRepository(session).remove(user),
}


@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS)
async def test_no_row_costs_a_reading_of_the_whole_table(act: Act, fresh: Factory, aged: Sessions) -> None:
    user, other = await fresh.user(), await fresh.user()
    tree, assistant = await fresh.tree(user, TREE), await _assistant(fresh.sessions, user, SIZE)
    await fresh.tree(other, TREE)
    await _assistant(fresh.sessions, other, SIZE)
    async with fresh.sessions.begin() as session:
        trees = TopicTreeService(session)
        top = await session.scalar(select(Topic.id).where(Topic.tree_id == tree, Topic.title == "Root"))
        assert top
        await trees.add_branch(user.id, tree, top, TREE)
        added = await session.scalar(select(Topic.id).where(Topic.tree_id == tree, Topic.parent_id == top).limit(1))
        assert added
        await trees.remove(user.id, tree, added)
        old = update(Topic).where(Topic.deletion_id.is_not(None))
        await session.execute(old.values(deleted_at=utcnow() - 2 * UNDO))

    async def read(session: AsyncSession) -> int:
        return await session.scalar(text("SELECT sum(seq_tup_read)::int FROM pg_stat_xact_user_tables")) or 0

    async with aged.begin() as session:
        before = await read(session)
        await act(session, user.id, tree, assistant)
        await session.flush()
        # each of 1,000 rows would read 1,000 or more
        assert await read(session) - before < 20 * SIZE
