"""Who comes next where many call at once."""

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from api.admission import Admission, Places, Precedence, elsewhere
from core.domain.errors import ErrorCode
from tests.api.conftest import refused


class Slow:
    """An app whose calls end when they are told to."""

    def __init__(self) -> None:
        self.working: list[str] = []
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        if scope["path"].endswith("/body/"):
            await request.body()
        self.working.append(request.headers["authorization"])
        if scope["path"].endswith("/queue/"):
            async with elsewhere(scope):
                await self.go_on.wait()
        if scope["path"].endswith("/stream/"):
            await StreamingResponse(self.pieces())(scope, receive, send)
            return
        await self.go_on.wait()
        await Response(b"done")(scope, receive, send)

    async def pieces(self) -> AsyncIterator[bytes]:
        yield b"begun"
        await self.go_on.wait()


@pytest.fixture
def slow() -> Slow:
    return Slow()


def client(app: Admission) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://postloom.test")


async def until_quiet() -> None:
    """Everything that can go on without waiting for anything outside has."""
    for _ in range(100):
        await asyncio.sleep(0)


def start(browser: httpx2.AsyncClient, who: str, path: str = "/api/x/") -> asyncio.Task[httpx2.Response]:
    return asyncio.create_task(browser.get(path, headers={"Authorization": who}))


async def test_somebody_with_many_calls_does_not_stand_before_somebody_with_one(slow: Slow) -> None:
    async with client(Admission(slow, Places(at_once=3, each=2, most_waiting=100))) as browser:
        many = [start(browser, "many") for _ in range(20)]
        await until_quiet()
        assert slow.working == ["many", "many"]
        one = start(browser, "one")
        await until_quiet()
        assert slow.working == ["many", "many", "one"]
        slow.go_on.set()
        answers = await asyncio.gather(one, *many)
    assert {answer.status_code for answer in answers} == {200}


async def test_a_call_in_another_queue_leaves_its_place_to_the_callers_next_one(slow: Slow) -> None:
    async with client(Admission(slow, Places(at_once=1, each=1, most_waiting=100))) as browser:
        uploads = [start(browser, "upload", "/api/queue/") for _ in range(3)]
        look = start(browser, "look")
        await until_quiet()
        assert sorted(slow.working) == ["look", "upload", "upload", "upload"]
        slow.go_on.set()
        answers = await asyncio.gather(look, *uploads)
    assert {answer.status_code for answer in answers} == {200}


async def test_callers_take_turns() -> None:
    places = Places(at_once=1, each=1, most_waiting=100)
    await places.take("first")
    order: list[str] = []

    async def call(who: str) -> None:
        await places.take(who)
        order.append(who)
        places.leave(who)

    calls = [asyncio.create_task(call(who)) for who in ("a", "a", "a", "b", "c", "b")]
    await until_quiet()
    places.leave("first")
    await asyncio.gather(*calls)
    assert order == ["a", "b", "c", "a", "b", "a"]
    assert (places.free, places.taken, places.waiting, places.number_waiting) == (1, {}, {}, 0)


async def test_whoever_leaves_while_waiting_takes_no_place() -> None:
    places = Places(at_once=1, each=1, most_waiting=100)
    await places.take("first")
    given, gone = (asyncio.create_task(places.take(who)) for who in ("given", "gone"))
    await until_quiet()
    gone.cancel()
    await until_quiet()
    places.leave("first")  # hands its place to the next one, who leaves in this very moment
    given.cancel()
    await asyncio.gather(given, gone, return_exceptions=True)
    assert (places.free, places.taken, places.waiting, places.number_waiting) == (1, {}, {}, 0)


async def test_beyond_the_bound_callers_are_told_to_come_again(slow: Slow) -> None:
    async with client(Admission(slow, Places(at_once=1, each=1, most_waiting=2))) as browser:
        waiting = [start(browser, "many") for _ in range(3)]
        await until_quiet()
        answer = await browser.get("/api/x/", headers={"Authorization": "one"})
        refused(answer, 503, ErrorCode.server_busy)
        assert int(answer.headers["retry-after"]) > 0
        slow.go_on.set()
        await asyncio.gather(*waiting)
        assert (await browser.get("/api/x/", headers={"Authorization": "one"})).status_code == 200


async def test_who_sends_or_reads_slowly_takes_no_place(slow: Slow) -> None:
    more = asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        yield b"begun"
        await more.wait()

    async with client(Admission(slow, Places(at_once=1, each=1, most_waiting=2))) as browser:
        sending = asyncio.create_task(
            browser.post("/api/body/", content=body(), headers={"Authorization": "slow sender"})
        )
        reading = start(browser, "slow reader", "/api/stream/")
        await until_quiet()
        quick = start(browser, "quick")
        await until_quiet()
        assert slow.working == ["slow reader", "quick"]
        slow.go_on.set()
        more.set()
        answers = await asyncio.gather(quick, reading, sending)
    assert [answer.status_code for answer in answers] == [200, 200, 200]


async def test_probes_do_not_stand_in_the_queue(slow: Slow) -> None:
    async with client(Admission(slow, Places(at_once=1, each=1, most_waiting=0))) as browser:
        slow.go_on.set()
        assert (await browser.get("/readyz", headers={"Authorization": "x"})).status_code == 200


async def test_what_others_servers_tell_stands_in_no_queue_with_calls(slow: Slow) -> None:
    async with client(Admission(slow, Places(at_once=1, each=1, most_waiting=1))) as browser:
        calls = [start(browser, "many") for _ in range(2)]
        await until_quiet()
        refused(await browser.get("/api/x/", headers={"Authorization": "one"}), 503, ErrorCode.server_busy)
        told = start(browser, "stripe", "/api/webhooks/stripe/")
        await until_quiet()
        assert slow.working == ["many", "stripe"]
        slow.go_on.set()
        answers = await asyncio.gather(told, *calls)
    assert {answer.status_code for answer in answers} == {200}


async def stepping(steps: list[str], who: str) -> None:
    while True:
        steps.append(who)
        await asyncio.sleep(0)


async def test_calls_stand_still_while_something_else_is_first_and_have_as_much_time_afterwards() -> None:
    now, steps = 0.0, list[str]()
    precedence = Precedence(60, lambda: now)
    calls = [asyncio.create_task(precedence.giving_way(stepping(steps, who))) for who in ("a", "b")]
    await asyncio.sleep(0)
    with precedence.first():
        steps.clear()
        await until_quiet()
        assert steps == []
        now += 0.02
    now += 0.01
    with precedence.first():  # nobody stands still for it yet
        await until_quiet()
        assert {"a", "b"} == set(steps)
    now += 0.02
    precedence.longest = 0.01
    with precedence.first():
        steps.clear()
        await until_quiet()
        before = len(steps)
        async with asyncio.timeout(10):
            while len(steps) == before:  # what comes first does not end, and is waited for no longer
                await asyncio.sleep(0.01)
    for call in calls:
        call.cancel()
    assert [type(end) for end in await asyncio.gather(*calls, return_exceptions=True)] == [asyncio.CancelledError] * 2


async def test_whoever_leaves_while_standing_still_takes_nobody_along() -> None:
    precedence, steps = Precedence(60), list[str]()
    heard = list[str]()

    async def leaving() -> None:
        try:
            await stepping(steps, "leaving")
        except asyncio.CancelledError:
            heard.append("cancelled")
            raise

    async def failing() -> None:
        await asyncio.sleep(0)
        raise LookupError

    left, stays, fails = (
        asyncio.create_task(precedence.giving_way(call)) for call in (leaving(), stepping(steps, "stays"), failing())
    )
    await asyncio.sleep(0)
    with precedence.first():
        await until_quiet()
        left.cancel()
        await until_quiet()
        assert (heard, left.cancelled(), stays.done(), fails.done()) == (["cancelled"], True, False, False)
        steps.clear()
    await until_quiet()
    assert set(steps) == {"stays"}
    assert isinstance(fails.exception(), LookupError)
    stays.cancel()
    await asyncio.gather(stays, return_exceptions=True)


async def test_nobody_stands_still_for_a_message_before_all_of_it_is_here() -> None:
    """Nor for what is not told at all."""
    began, go_on, steps = asyncio.Event(), asyncio.Event(), list[str]()

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].endswith("/steps/"):
            while not go_on.is_set():
                steps.append("call")
                await asyncio.sleep(0)
        else:
            await Request(scope, receive).body()
            began.set()
            await asyncio.sleep(0.03)
        await Response(b"done")(scope, receive, send)

    more = asyncio.Event()

    async def body() -> AsyncIterator[bytes]:
        yield b"begun"
        await more.wait()

    admission = Admission(app)
    admission.precedence = Precedence(60)
    async with client(admission) as browser:
        call = start(browser, "call", "/api/steps/")
        told = asyncio.create_task(browser.post("/api/webhooks/stripe/", content=body()))
        await until_quiet()
        steps.clear()
        await until_quiet()
        assert steps
        more.set()
        await began.wait()
        await asyncio.sleep(0)
        steps.clear()
        await until_quiet()
        assert steps == []
        assert (await told).status_code == 200
        await until_quiet()
        assert steps
        go_on.set()
        assert (await call).status_code == 200
