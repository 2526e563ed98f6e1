"""Steps of a run may be repeated: the second time finds what the first has made."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from uuid import UUID

import pytest
from sqlalchemy import func, select

from core.container import Services
from core.domain.assistants import RunState
from core.domain.errors import ErrorCode, InvalidInput
from core.domain.ids import new_id
from core.domain.posts import PostStatus
from core.models import Assistant, Delivery, Media, Post, PostFile, Run, RunStep, Topic, Transaction, User
from core.repositories.accounts import AccountRepository
from core.repositories.runs import RunRepository
from tests.conftest import Networks
from tests.factories import Factory

SLOT = datetime(2026, 11, 21, 9, tzinfo=UTC)


@pytest.fixture
async def assistant(make: Factory, user: User, networks: Networks) -> Assistant:
    account = await make.account(user, networks.url)
    return await make.assistant(user, accounts=(account.id,))


async def begin(services: Services, assistant: Assistant, run: UUID) -> None:
    await services.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", SLOT)


async def counts(services: Services, user_id: UUID) -> dict[str, int]:
    found = {}
    async with services.sessions() as session:
        for table in (Run, RunStep, Post, PostFile, Media, Transaction, Delivery):
            query = select(func.count()).select_from(table).where(table.user_id == user_id)
            found[table.__tablename__] = await session.scalar(query) or 0
        used = await session.scalar(select(func.sum(Topic.times_used)).where(Topic.user_id == user_id))
        found["topics used"] = int(used or 0)
    return found


async def test_a_second_attempt_of_each_step_makes_nothing_twice(services: Services, assistant: Assistant) -> None:
    run, owner = new_id(), assistant.user_id
    steps: list[Callable[[int], Awaitable[object]]] = [
        lambda attempt: begin(services, assistant, run),
        lambda attempt: services.drafting.write(owner, run, attempt),
        lambda attempt: services.imaging.make(owner, run, attempt),
        lambda attempt: services.drafting.check(owner, run),
    ]
    outcomes = []
    for step in steps:
        first = await step(1)
        made = await counts(services, owner)
        assert await step(2) == first
        assert await counts(services, owner) == made
        outcomes.append(made)
    assert outcomes[-1] == {
        "runs": 1,
        "run_steps": 4,
        "posts": 1,
        "post_files": 1,
        "media": 1,
        "transactions": 2,
        "deliveries": 1,
        "topics used": 1,
    }


async def test_a_run_keeps_what_it_began_with(services: Services, assistant: Assistant, user: User) -> None:
    """An edit while it is under way changes later runs alone."""
    run = new_id()
    await begin(services, assistant, run)
    async with services.sessions.begin() as session:
        row = await session.get_one(Assistant, assistant.id)
        row.language, row.name, row.template_version_id = "de", "Renamed", None
    await services.drafting.write(user.id, run, 1)
    async with services.sessions() as session:
        kept = await RunRepository(session).get(user.id, run)
        post = await session.scalar(select(Post).where(Post.run_id == run))
    assert kept.setup["language"] == "en"
    assert post is not None
    assert (post.language, post.status) == ("en", PostStatus.draft)


async def test_the_demo_writers_text_is_labelled_and_costs_nothing(
    services: Services, assistant: Assistant, user: User
) -> None:
    run = new_id()
    await begin(services, assistant, run)
    await services.drafting.write(user.id, run, 1)
    async with services.sessions() as session:
        booked = await session.scalar(select(Transaction).where(Transaction.run_id == run))
        post = await session.scalar(select(Post).where(Post.run_id == run))
    assert booked is not None
    assert booked.cost_micros == 0
    assert post is not None
    assert post.content
    assert post.written_by == booked.model


async def test_what_is_missing_by_now_stops_the_run(services: Services, assistant: Assistant, user: User) -> None:
    run = new_id()
    await begin(services, assistant, run)
    await services.drafting.write(user.id, run, 1)
    async with services.sessions() as session:
        [(account, _)] = await AccountRepository(session).all(user.id)
    await services.connecting.disconnect(user.id, account.id)
    with pytest.raises(InvalidInput) as raised:
        await services.drafting.check(user.id, run)
    assert raised.value.code is ErrorCode.account_disconnected
    with pytest.raises(InvalidInput) as raised:
        await services.drafting.begin(user.id, assistant.id, new_id(), "later", SLOT.replace(hour=10))
    assert raised.value.code is ErrorCode.assistant_incomplete
    await services.projecting.fail(user.id, run, ErrorCode.account_disconnected)
    async with services.sessions() as session:
        ended = await RunRepository(session).get(user.id, run)
    assert (ended.state, ended.reason) == (RunState.failed, "account_disconnected")
