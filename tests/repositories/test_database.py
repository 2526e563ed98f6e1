"""Connections: what is handed out lives, what only reads opens no transaction, and what goes past SQLAlchemy answers,
fails and is cancelled as what does not."""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime

import pytest
from sqlalchemy import Float, String, bindparam, func, literal, select, text
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncEngine

from core.database import Sessions, open_engine, open_reading, open_sessions
from core.models import User
from core.ready import ReadyConnections
from core.repositories.subscriptions import StripeEventRepository
from core.straight import Straight, number_of

_PID = text("SELECT pg_backend_pid()")


@pytest.fixture
async def one(postgres: str) -> AsyncIterator[AsyncEngine]:
    """With a single connection."""
    engine = open_engine(postgres, pool_size=1)
    yield engine
    await engine.dispose()


async def test_a_connection_that_the_server_ended_is_not_handed_out(one: AsyncEngine, engine: AsyncEngine) -> None:
    async with one.connect() as connection:
        before = await connection.scalar(_PID)
    async with engine.connect() as other:
        await other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": before})
    async with open_sessions(one)() as session:
        assert await session.scalar(_PID) != before


async def test_a_connection_that_lives_is_used_again(one: AsyncEngine) -> None:
    async with one.connect() as connection:
        before = await connection.scalar(_PID)
    async with open_reading(one)() as session:
        assert await session.scalar(_PID) == before


async def test_what_only_reads_leaves_no_transaction_open(one: AsyncEngine, engine: AsyncEngine) -> None:
    async def state(pid: int | None) -> str | None:
        async with engine.connect() as other:
            found: str | None = await other.scalar(
                text("SELECT state FROM pg_stat_activity WHERE pid = :pid"), {"pid": pid}
            )
        return found

    async with open_reading(one)() as session:
        assert await state(await session.scalar(_PID)) == "idle"
    # the same connection, where something is changed
    async with open_sessions(one)() as session:
        assert await state(await session.scalar(_PID)) == "idle in transaction"


AWKWARD = 'it\'s 100 % {limit} %(name)s :name \\ "ö" 💡'


@pytest.mark.parametrize("opened", [open_reading, open_sessions], ids=["alone", "in a transaction"])
async def test_what_goes_straight_says_what_it_was_told(
    one: AsyncEngine, opened: Callable[[AsyncEngine], Sessions]
) -> None:
    """Its own value, that of the call and the number of rows, in whichever way the session works."""
    rows = func.generate_series(1, 9).table_valued("number").render_derived()
    asked = select(literal(AWKWARD), bindparam("name", type_=String()), rows.c.number).order_by(rows.c.number)
    straight = Straight.of(asked.limit(number_of("limit")))
    async with opened(one)() as session:
        for limit in (2, 3):
            found = await straight.numbered(limit=limit).rows(session, {"name": AWKWARD, "more": "than is asked for"})
            assert found == [(AWKWARD, AWKWARD, number) for number in range(1, limit + 1)]


async def test_what_goes_straight_sees_what_its_transaction_has_written(sessions: Sessions, user: User) -> None:
    names = Straight.of(select(User.display_name).where(User.id == bindparam("id")))
    async with sessions.begin() as session:
        row = await session.get_one(User, user.id)
        row.display_name = "Renamed"
        await session.flush()
        assert await names.rows(session, {"id": user.id}) == [("Renamed",)]


async def test_an_error_is_sqlalchemys_and_tells_no_value(one: AsyncEngine) -> None:
    straight = Straight.of(select(func.jsonb(bindparam("secret", type_=String()))))
    async with open_reading(one, ready=1)() as session:
        with pytest.raises(DataError) as refused:
            await straight.rows(session, {"secret": "pl_token"})
        assert "secret" in str(refused.value)  # the statement
        assert refused.value.params is None
        assert await Straight.of(select(literal(1))).rows(session, {}) == [(1,)]


async def test_without_a_server_it_is_the_error_of_a_session() -> None:
    nowhere = open_engine("postgresql+psycopg://127.0.0.1:1/nowhere")
    async with open_reading(nowhere)() as session:
        with pytest.raises(OperationalError):
            await Straight.of(select(literal(1))).rows(session, {})


WHO = Straight.of(select(func.pg_backend_pid()))
SLEEP = Straight.of(select(literal("late"), func.pg_sleep(bindparam("seconds", type_=Float()))))


async def who(sessions: Sessions) -> int:
    """Which connection answers."""
    async with sessions() as session:
        [(pid,)] = await WHO.rows(session, {})
    return int(pid)


async def until(engine: AsyncEngine, condition: str, **values: int) -> None:
    """Of the connections; within a transaction PostgreSQL would tell the same again and again."""
    asked = text(f"SELECT EXISTS (SELECT FROM pg_stat_activity WHERE {condition})")
    async with asyncio.timeout(10), engine.execution_options(isolation_level="AUTOCOMMIT").connect() as other:
        while not await other.scalar(asked, values):
            await asyncio.sleep(0.01)


async def until_ended(engine: AsyncEngine, pid: int) -> None:
    """A server process needs a moment to notice that nobody is there any more."""
    await until(engine, "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = :pid)", pid=pid)


async def begin_to_sleep(sessions: Sessions, engine: AsyncEngine, seconds: float = 30) -> asyncio.Task[None]:
    """Returns while it sleeps."""

    async def sleep() -> None:
        async with sessions() as session:
            await SLEEP.rows(session, {"seconds": seconds})

    sleeping = asyncio.create_task(sleep())
    await until(engine, "wait_event = 'PgSleep' AND query LIKE '%late%'")
    return sleeping


async def test_whoever_comes_after_a_cancelled_call_does_not_get_its_answer(
    one: AsyncEngine, engine: AsyncEngine
) -> None:
    reading = open_reading(one, ready=1)
    calling = await begin_to_sleep(reading, engine)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    async with asyncio.timeout(10), reading() as session:
        assert await Straight.of(select(literal("mine"))).rows(session, {}) == [("mine",)]


async def test_what_goes_straight_uses_its_connection_again_until_the_server_ends_it(
    one: AsyncEngine, engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = open_reading(one)
    before = await who(reading)
    assert await who(reading) == before
    monkeypatch.setattr("core.ready._TRUSTED", -1)  # it is asked, and answers
    assert await who(reading) == before
    monkeypatch.undo()
    async with engine.connect() as other:
        await other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": before})
    assert await who(reading) != before


async def test_what_goes_straight_has_no_more_connections_than_it_may(one: AsyncEngine, engine: AsyncEngine) -> None:
    reading = open_reading(one, ready=2)
    assert len(set(await asyncio.gather(*(who(reading) for _ in range(20))))) == 2

    _, options = one.dialect.create_connect_args(one.url)
    impatient = ReadyConnections(options, 1, patience=0.05)
    holding = asyncio.create_task(impatient.rows("SELECT pg_sleep(0.5)", {}))
    await asyncio.sleep(0)
    with pytest.raises(PoolTimeout):
        await impatient.rows("SELECT 1", {})
    await holding
    assert await impatient.rows("SELECT 1", {}) == [(1,)]
    await impatient.close()


async def test_what_goes_straight_leaves_no_connection_behind(one: AsyncEngine, engine: AsyncEngine) -> None:
    reading = open_reading(one)
    idle = await who(reading)
    await one.dispose()
    await until_ended(engine, idle)

    busy = await who(reading)
    sleeping = await begin_to_sleep(reading, engine, seconds=0.5)
    await one.dispose()  # while it is away
    await sleeping
    await until_ended(engine, busy)


async def test_what_stripe_tells_leaves_nothing_for_the_garbage_collector(sessions: Sessions) -> None:
    """It looked at what fifty thousand of its objects were still used for, while somebody waited for 0.2 s."""

    async def keep(number: int) -> bool:
        async with sessions.begin() as session:
            events = StripeEventRepository(session)
            return await events.keep(f"evt_{number}", "invoice.paid", "cus_1", datetime.now(UTC))

    assert await keep(0)
    gc.collect()
    gc.disable()
    try:
        for number in range(1, 21):
            await keep(number)
        left = gc.collect()
    finally:
        gc.enable()
    assert left < 20 * 66 / 2
