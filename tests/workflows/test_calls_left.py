"""What Meta says of the calls that are left: every process heeds it, whichever was told, until it is over by the clock
of the database."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from sqlalchemy import event, func, select, text, update

from core.clock import use_clock
from core.container import wire
from core.database import open_engine, open_sessions
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.errors import ErrorCode, RateLimited, RetrySafe
from core.networks import facebook
from core.networks.base import Used
from core.networks.facebook import FacebookChannel
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind, CheckPoint, CheckResult
from core.networks.tables import NetworkUsage
from core.networks.usage import NetworkUsageService
from tests.conftest import Stack
from tests.workflows.support import automatic, drafted, soon

MINUTE = timedelta(minutes=1)
Begun = Callable[[Stack], Stack]


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> Iterator[Begun]:
    """Another process, which has not heard anything yet: its own services and its own client of the network."""

    def begin(stack: Stack) -> Stack:
        monkeypatch.setattr(facebook, "CHANNEL", FacebookChannel())
        channel.cache_clear()
        services = stack.services
        return replace(stack, services=wire(services.settings, services.engine, services.sessions))

    yield begin
    monkeypatch.undo()
    channel.cache_clear()


async def at_once() -> None:
    """Its time has come."""


async def posts_of(stack: Stack, number: int) -> tuple[UUID, list[UUID]]:
    """(their user, deliveries to one page of Facebook), staged; the answers to all of that say that nothing is used."""
    assistant = await automatic(stack, ChannelKind.facebook)
    made = [await drafted(stack, assistant, soon(60 * at)) for at in range(number)]
    for delivery_id in made:
        await stack.services.staging.stage(assistant.user_id, delivery_id)
    return assistant.user_id, made


async def publish(stack: Stack, user_id: UUID, delivery_id: UUID, **usage: int) -> DeliveryOutcome:
    """With an answer that says so much of the calls that are left."""
    if usage:
        await stack.networks.fail(on="posts", kind="usage", times=1, **usage)
    return await stack.services.delivering.deliver(user_id, delivery_id, wait=at_once)


async def asked(stack: Stack) -> int:
    return len((await stack.networks.client.get("/sandbox/requests")).json())


async def test_a_process_that_has_just_begun_calls_no_more_than_the_one_that_was_told(
    stack: Stack, begun: Begun
) -> None:
    user_id, (first, second) = await posts_of(stack, 2)
    assert await publish(stack, user_id, first, percent=100, minutes=7) is DeliveryOutcome.published
    before = await asked(stack)
    anew = begun(stack)
    with pytest.raises(RateLimited) as raised:
        await publish(anew, user_id, second)
    assert raised.value.retry_after is not None
    assert 6 * MINUTE < raised.value.retry_after <= 7 * MINUTE
    assert await asked(anew) == before, "the network was not asked for it"
    async with anew.services.sessions() as session:
        [row] = (await session.scalars(select(NetworkUsage))).all()
    assert len(row.key) == 64, "of a token, and not the token"


async def test_the_api_tells_what_a_worker_was_told(stack: Stack, begun: Begun) -> None:
    user_id, (first,) = await posts_of(stack, 1)
    await publish(stack, user_id, first, percent=100, minutes=7)
    api = begun(stack).services
    [account] = await accounts_of(stack, user_id)
    told = await api.account_checks.check(user_id, account)
    assert [(one.result, one.error) for one in told if one.point is CheckPoint.quota] == [
        (CheckResult.broken, ErrorCode.quota_used)
    ]


async def test_it_ends_by_the_databases_clock_alone(stack: Stack, begun: Begun) -> None:
    user_id, (first, second) = await posts_of(stack, 2)
    await publish(stack, user_id, first, percent=100, minutes=7)
    anew, network = begun(stack), channel(ChannelKind.facebook)
    job = await anew.services.delivering.jobs.load(user_id, second)
    for wrong in (timedelta(days=-1), timedelta(days=1)):
        with use_clock(lambda wrong=wrong: datetime.now(UTC) + wrong):  # type: ignore[misc]
            left = await network.quota(job.credentials)
        assert left is not None
        assert 6 * MINUTE < left <= 7 * MINUTE
    async with anew.services.sessions.begin() as session:
        await session.execute(update(NetworkUsage).values(until=NetworkUsage.until - 7 * MINUTE))
    assert await publish(anew, user_id, second) is DeliveryOutcome.published
    await anew.services.network_usage.sweep()
    async with anew.services.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(NetworkUsage)) == 0


async def test_nothing_new_is_begun_where_another_process_was_told_that_almost_all_is_used(
    stack: Stack, begun: Begun
) -> None:
    user_id, (first,) = await posts_of(stack, 1)
    await publish(stack, user_id, first, percent=96, minutes=0)
    anew = begun(stack)
    job = await anew.services.delivering.jobs.load(user_id, first)
    with pytest.raises(RateLimited):
        await job.network.stage(job.credentials, job.post)
    assert await job.network.quota(job.credentials) is None, "what was begun goes out"


async def test_a_delivery_adds_two_transactions_whatever_is_told(stack: Stack) -> None:
    user_id, (calm, much, full) = await posts_of(stack, 3)
    for delivery_id, usage in ((calm, {}), (much, {"percent": 85}), (full, {"percent": 100, "minutes": 3})):
        begins: list[str] = []

        def note(_: Any, begins: list[str] = begins) -> None:
            begins.append("begin")

        async def its_moment(note: Callable[[Any], None] = note) -> None:
            event.listen(stack.services.engine.sync_engine, "begin", note)

        if usage:
            await stack.networks.fail(on="posts", kind="usage", times=1, **usage)
        outcome = await stack.services.delivering.deliver(user_id, delivery_id, wait=its_moment)
        event.remove(stack.services.engine.sync_engine, "begin", note)
        assert (outcome, len(begins)) == (DeliveryOutcome.published, 2)
    async with stack.services.sessions() as session:
        assert (await session.scalars(select(NetworkUsage.percent))).all() == [100]


async def test_so_does_one_that_the_network_refuses(stack: Stack, begun: Begun) -> None:
    user_id, (first, second) = await posts_of(stack, 2)
    await stack.networks.fail(on="posts", kind="rate_limited", minutes=9, times=1)
    begins: list[str] = []

    def note(_: Any) -> None:
        begins.append("begin")

    async def its_moment() -> None:
        event.listen(stack.services.engine.sync_engine, "begin", note)

    with pytest.raises(RateLimited):
        await stack.services.delivering.deliver(user_id, first, wait=its_moment)
    event.remove(stack.services.engine.sync_engine, "begin", note)
    assert len(begins) == 2
    before = await asked(stack)
    with pytest.raises(RateLimited):
        await publish(begun(stack), user_id, second)
    assert await asked(stack) == before


async def test_only_what_changes_something_is_written(stack: Stack) -> None:
    user_id, made = await posts_of(stack, 5)
    written: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if "network_usage" in statement and not statement.startswith("SELECT"):
            written.append(statement.split()[0])

    event.listen(stack.services.engine.sync_engine, "before_cursor_execute", note)
    try:
        for delivery_id, percent in zip(made, (20, 85, 88, 96, 30), strict=True):
            await publish(stack, user_id, delivery_id, percent=percent)
    finally:
        event.remove(stack.services.engine.sync_engine, "before_cursor_execute", note)
    assert written == ["INSERT", "INSERT", "DELETE"], "for 85, 96 and 30"


async def test_without_the_database_what_was_said_is_known_where_it_was_heard(
    stack: Stack, begun: Begun, caplog: pytest.LogCaptureFixture
) -> None:
    """And whoever has to know what others heard asks again later."""
    user_id, (first,) = await posts_of(stack, 1)
    job, network = await stack.services.delivering.jobs.load(user_id, first), FacebookChannel()
    engine = open_engine("postgresql+psycopg://127.0.0.1:1/nowhere")
    gone = open_sessions(engine)
    network.use_usage_store(NetworkUsageService(gone, gone, stack.services.vault))
    await stack.networks.fail(on="reads", kind="usage", percent=100, minutes=7, times=1)
    await network.probe(job.credentials)
    assert "is not kept" in caplog.text
    before = await asked(stack)
    with pytest.raises(RateLimited):
        await network.probe(job.credentials)
    with pytest.raises(RetrySafe):
        await network.quota(job.credentials)
    assert await asked(stack) == before
    await network.close()
    await engine.dispose()


async def test_what_an_answer_tells_while_the_database_is_read_is_not_forgotten(stack: Stack) -> None:
    user_id, (first,) = await posts_of(stack, 1)
    job, network = await stack.services.delivering.jobs.load(user_id, first), FacebookChannel()
    services = stack.services

    class SlowlyRead(NetworkUsageService):
        async def read(self, token: str) -> Used | None:
            found = await super().read(token)
            await network.probe(job.credentials)
            return found

    network.use_usage_store(SlowlyRead(services.sessions, services.sessions, services.vault))
    await stack.networks.fail(on="reads", kind="usage", percent=100, minutes=7, times=1)
    wait = await network.quota(job.credentials)
    assert wait is not None
    assert 6 * MINUTE < wait <= 7 * MINUTE
    with pytest.raises(RateLimited):
        await network.probe(job.credentials)
    await network.close()


async def accounts_of(stack: Stack, user_id: UUID) -> list[UUID]:
    async with stack.services.sessions() as session:
        found = await session.execute(text("SELECT id FROM accounts WHERE user_id = :user"), {"user": user_id})
        return [row.id for row in found]
