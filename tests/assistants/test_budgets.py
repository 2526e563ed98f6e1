"""An assistant spends no more in a month than it may, whatever becomes of its calls and however many come at once."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select, update

from core.ai.model_calls import ModelRequest
from core.ai.repositories.transactions import Cause
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.ai.tables.transactions import Transaction, TransactionType
from core.assistants.budgets import BudgetService, RemainingBudget
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import Mode, RunState, StepKind, StepState
from core.assistants.rules.budgets import BudgetUnit
from core.assistants.tables import Assistant
from core.container import Services, wire
from core.database import open_engine, open_sessions
from core.errors import ErrorCode, NoMoreSpending, RetrySafe
from core.ids import new_id
from core.notifications.rules import MailKind
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import PostStatus
from core.runs.repositories.run_lists import RunListRepository
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.settings import Settings
from core.users.repositories.users import UserRepository
from tests.ai.test_model_calls import TEXT, Deadly, Killed, answered, told, writing
from tests.conftest import Mailed, Networks, mailed
from tests.factories import Factory
from tests.http_server import Server

NOW = datetime.now(UTC)


@dataclass(frozen=True)
class Own:
    """Services on a database of their own: their transactions really run at once."""

    services: Services
    make: Factory

    async def assistant(self, unit: BudgetUnit, amount: int) -> Assistant:
        assistant = await self.make.assistant(await self.make.user(), image=False)
        await limit(self.services, assistant, unit, amount)
        return assistant

    async def runs(self, assistant: Assistant, count: int) -> list[Cause]:
        rows = [
            Run(
                id=new_id(),
                user_id=assistant.user_id,
                assistant_id=assistant.id,
                workflow_id=f"run-{at}",
                slot=NOW + timedelta(minutes=at),
            )
            for at in range(count)
        ]
        async with self.services.sessions.begin() as session:
            session.add_all(rows)
        return [Cause(assistant.user_id, TransactionType.text, run_id=row.id) for row in rows]

    async def spent(self, assistant: Assistant) -> tuple[int, int]:
        """And reserved: in millionths and in tokens, read by a way of its own."""
        async with self.services.sessions() as session:
            rows = await session.scalars(select(Transaction).where(Transaction.assistant_id == assistant.id))
            money = tokens = 0
            for row in rows:
                money += row.cost_micros if row.cost_micros is not None else row.most_micros or 0
                told_in, told_out = row.input_tokens, row.output_tokens
                tokens += told_in if told_in is not None else row.most_input_tokens or 0
                tokens += told_out if told_out is not None else row.most_output_tokens or 0
            return money, tokens


@pytest.fixture
async def own(database: str, settings: Settings, networks: Networks) -> AsyncIterator[Own]:
    engine = open_engine(database)
    sessions = open_sessions(engine)
    services = wire(settings.model_copy(update={"database_url": database}), engine, sessions)
    yield Own(services, Factory(sessions, services.vault))
    await engine.dispose()


async def limit(services: Services, assistant: Assistant, unit: BudgetUnit, amount: int) -> None:
    async with services.sessions.begin() as session:
        change = update(Assistant).where(Assistant.id == assistant.id)
        await session.execute(change.values(budget_unit=unit, budget_amount=amount))


async def left(services: Services, assistant: Assistant, now: datetime | None = None) -> RemainingBudget | None:
    async with services.sessions() as session:
        row = (await AssistantRepository(session).get(assistant.user_id, assistant.id)).row
        return await BudgetService(session).left(row, now or datetime.now(UTC))


@dataclass(frozen=True)
class Call:
    """One that may take so much, what it really takes, and how it ends."""

    most_in: int
    most_out: int
    share: float
    end: str


CALLS = st.lists(
    st.builds(
        Call,
        st.integers(0, 5000),
        st.integers(1, 8000),
        st.floats(0, 1),
        st.sampled_from(["answers", "tells nothing", "fails and costs", "costs nothing", "dies", "is cancelled"]),
    ),
    min_size=1,
    max_size=8,
)


@settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(calls=CALLS, cap=st.integers(1, 30_000), unit=st.sampled_from(BudgetUnit))
async def test_what_is_spent_and_reserved_never_passes_the_cap(
    own: Own, calls: list[Call], cap: int, unit: BudgetUnit
) -> None:
    """Calls of runs that all come at once; then once more, one after the other, by what the first have left."""
    assistant = await own.assistant(unit, cap)
    asked = 0

    async def within() -> None:
        money, tokens = await own.spent(assistant)
        assert (money if unit is BudgetUnit.money else tokens) <= cap

    async def one(cause: Cause, call: Call) -> None:
        async def model() -> Spent:
            nonlocal asked
            asked += 1
            await within()
            used = Usage(int(call.most_in * call.share), int(call.most_out * call.share))
            match call.end:
                case "answers":
                    return Spent("openai", "gpt-6-luna", used, None)
                case "tells nothing":
                    return Spent("openai", "gpt-6-luna", UNKNOWN_USAGE, None)
                case "fails and costs":
                    raise RetrySafe(spent=Spent("openai", "gpt-6-luna", used, None))
                case "costs nothing":
                    raise RetrySafe
                case "dies":
                    raise Killed
            raise asyncio.CancelledError

        most = Usage(call.most_in, call.most_out)
        await own.services.meter.call(cause, ModelRequest("openai", "gpt-6-luna", most), model)

    causes = await own.runs(assistant, len(calls))
    ended = await asyncio.gather(*map(one, causes, calls), return_exceptions=True)
    await within()
    for cause, call in zip(causes, calls, strict=True):
        ended += await asyncio.gather(one(cause, call), return_exceptions=True)
        await within()
    assert not [end for end in ended if isinstance(end, AssertionError)]
    refused = [end for end in ended if isinstance(end, NoMoreSpending)]
    assert asked + len(refused) == 2 * len(calls)
    # and none is refused for which there was room
    needs = [call.most_in + call.most_out for call in calls]
    if unit is BudgetUnit.tokens and 2 * sum(needs) <= cap:
        assert refused == []


async def test_of_many_at_once_as_many_pass_as_there_is_room_for(own: Own) -> None:
    assistant = await own.assistant(BudgetUnit.tokens, 350)
    causes = await own.runs(assistant, 8)

    async def one(cause: Cause) -> None:
        async def model() -> Spent:
            await asyncio.sleep(0.1)
            return Spent("openai", "gpt-6-luna", UNKNOWN_USAGE, None)

        await own.services.meter.call(cause, ModelRequest("openai", "gpt-6-luna", Usage(50, 50)), model)

    ended = await asyncio.gather(*map(one, causes), return_exceptions=True)
    assert [type(end) for end in ended if end is not None] == [NoMoreSpending] * 5
    assert (await own.spent(assistant))[1] == 300


async def test_a_deletion_of_the_assistant_and_a_call_for_it_wait_for_each_other(own: Own) -> None:
    """Each takes the assistant first: another order would be a deadlock, which PostgreSQL ends by an error."""
    for _ in range(5):
        assistant = await own.assistant(BudgetUnit.tokens, 10_000)
        causes = await own.runs(assistant, 6)

        async def model() -> Spent:
            return Spent("openai", "gpt-6-luna", Usage(1, 1), None)

        async def delete(gone: Assistant = assistant) -> None:
            async with own.services.sessions.begin() as session:
                await session.delete(await AssistantRepository(session).lock(gone.user_id, gone.id))

        asked = ModelRequest("openai", "gpt-6-luna", Usage(50, 50))
        await asyncio.gather(*(own.services.meter.call(cause, asked, model) for cause in causes), delete())


# one run


async def begun(
    services: Services, make: Factory, unit: BudgetUnit, amount: int, *, image: bool = False
) -> tuple[Assistant, UUID]:
    assistant = await make.assistant(await make.user(), mode=Mode.draft, image=image)
    await limit(services, assistant, unit, amount)
    return assistant, await another(services, assistant)


async def another(services: Services, assistant: Assistant, minutes: int = 0) -> UUID:
    run = new_id()
    slot = datetime.now(UTC) + timedelta(minutes=10 + minutes)  # the others may have taken longer
    await services.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", slot)
    return run


@pytest.fixture
async def models() -> AsyncIterator[Server]:
    running = Server()
    yield running
    running.stop()


async def test_a_run_beyond_the_budget_asks_nobody_and_its_owner_is_told_once(
    services: Services, make: Factory, models: Server
) -> None:
    assistant, run = await begun(services, make, BudgetUnit.money, 3000)
    runs = [run, await another(services, assistant, 1)]
    async with services.sessions() as session:
        before = (await AssistantRepository(session).get(assistant.user_id, assistant.id)).row.updated_at
    async with writing(services, models.url) as own:
        for each in runs:
            with pytest.raises(NoMoreSpending) as raised:
                await own.drafting.write(assistant.user_id, each, 1)
            assert (raised.value.code, raised.value.retryable) == (ErrorCode.budget_spent, False)
            await own.projecting.fail(assistant.user_id, each, raised.value.code)
    assert models.requests == []
    async with services.sessions() as session:
        rows, counts = await RunListRepository(session).list_page(assistant.user_id, assistant.id, offset=0, limit=9)
        steps = await RunRepository(session).list_steps(assistant.user_id, run)
        after = (await AssistantRepository(session).get(assistant.user_id, assistant.id)).row.updated_at
        assert await session.scalar(select(func.count(Transaction.id)).where(Transaction.run_id == run)) == 0
    assert counts == {RunState.skipped: 2}
    assert {(found.full.row.state, found.full.row.reason) for found in rows} == {(RunState.skipped, "budget_spent")}
    assert [(step.kind, step.state, step.failures) for step in steps[1:]] == [(StepKind.text, StepState.failed, [])]
    assert after == before
    [mail] = await sent(services, assistant)
    assert mail.kind is MailKind.budget_reached
    assert mail.params["assistant"] == "Commuter tips"
    assert (mail.params["unit"], mail.params["amount"]) == ("money", 3000)


async def test_the_owner_is_told_again_in_another_month(services: Services, make: Factory, models: Server) -> None:
    assistant, run = await begun(services, make, BudgetUnit.tokens, 100)
    async with services.sessions.begin() as session:
        long_ago = update(Assistant).where(Assistant.id == assistant.id)
        await session.execute(long_ago.values(budget_told=date(2026, 1, 1)))
    async with writing(services, models.url) as own:
        for _ in range(2):
            with pytest.raises(NoMoreSpending):
                await own.drafting.write(assistant.user_id, run, 1)
    assert len(await sent(services, assistant)) == 1


async def sent(services: Services, assistant: Assistant) -> list[Mailed]:
    async with services.sessions() as session:
        user = await UserRepository(session).get(assistant.user_id)
    return [mail for mail in await mailed(services, user.email) if mail.kind.startswith("budget")]


async def test_a_text_that_is_written_stays_as_a_draft_where_its_image_does_not_fit(
    services: Services, make: Factory, models: Server
) -> None:
    said = {"type": "output_text", "text": TEXT, "annotations": []}
    models.answers("/v1/responses", answered(said, usage=told(321, 45)))
    assistant, run = await begun(services, make, BudgetUnit.tokens, 12_000, image=True)
    async with writing(services, models.url, image_model="gpt-image-2") as own:
        await own.drafting.write(assistant.user_id, run, 1)
        await limit(services, assistant, BudgetUnit.tokens, 400)
        await own.imaging.make(assistant.user_id, run, 1)
        assert (await own.drafting.check(assistant.user_id, run)).deliveries == ()
    async with services.sessions() as session:
        post = await PostRepository(session).find_by_run(assistant.user_id, run)
        found = await RunRepository(session).get(assistant.user_id, run)
    assert post is not None
    assert (found.state, found.reason) == (RunState.drafted, ErrorCode.budget_spent)
    assert (post.status, post.content) == (PostStatus.draft, TEXT)


async def test_what_costs_nothing_fits_into_any_budget(services: Services, make: Factory) -> None:
    assistant, run = await begun(services, make, BudgetUnit.tokens, 1, image=True)
    await services.drafting.write(assistant.user_id, run, 1)
    await services.imaging.make(assistant.user_id, run, 1)
    found = await left(services, assistant)
    assert found is not None
    assert (found.used, found.left) == (0, 1)


@pytest.mark.parametrize(("unit", "code"), [(BudgetUnit.money, ErrorCode.budget_unpriced), (BudgetUnit.tokens, None)])
async def test_nobody_spends_money_that_cannot_be_counted(
    services: Services, make: Factory, models: Server, unit: BudgetUnit, code: ErrorCode | None
) -> None:
    said = {"type": "output_text", "text": TEXT, "annotations": []}
    models.answers("/v1/responses", answered(said, usage=told(321, 45)))
    assistant, run = await begun(services, make, unit, 1_000_000_000)
    async with writing(services, models.url, text_model="home-made") as own:
        if code is None:
            await own.drafting.write(assistant.user_id, run, 1)
        else:
            with pytest.raises(NoMoreSpending) as raised:
                await own.drafting.write(assistant.user_id, run, 1)
            assert raised.value.code is code
    assert len(models.requests) == (0 if code else 1)
    assert [mail.kind for mail in await sent(services, assistant)] == ([MailKind.budget_unpriced] if code else [])


async def test_an_estimate_is_said_to_be_one(services: Services, make: Factory) -> None:
    assistant, run = await begun(services, make, BudgetUnit.money, 1_000_000)
    with pytest.raises(Killed):
        await replace(services.drafting, writer=Deadly()).write(assistant.user_id, run, 1)
    await services.projecting.fail(assistant.user_id, run, ErrorCode.model_unavailable)
    found = await left(services, assistant)
    assert found is not None
    assert 4000 < found.estimated == found.used == 1_000_000 - found.left


async def test_a_month_begins_where_the_assistant_lives(services: Services, make: Factory) -> None:
    """Europe/Berlin is an hour ahead in winter."""
    assistant, run = await begun(services, make, BudgetUnit.money, 1_000_000)
    with pytest.raises(Killed):
        await replace(services.drafting, writer=Deadly()).write(assistant.user_id, run, 1)
    last, next = datetime(2026, 11, 30, 22, 59, tzinfo=UTC), datetime(2026, 11, 30, 23, tzinfo=UTC)
    for made in (last, next):
        async with services.sessions.begin() as session:
            await session.execute(update(Transaction).where(Transaction.run_id == run).values(created_at=made))
        for asked in (last, next):
            found = await left(services, assistant, asked)
            assert found is not None
            assert (found.used > 0) is (asked == made)


async def test_without_a_budget_there_is_no_limit(services: Services, make: Factory) -> None:
    assistant = await make.assistant(await make.user(), image=False)
    assert assistant.budget is None
    assert await left(services, assistant) is None
