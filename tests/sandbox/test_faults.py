import asyncio
import json
import time
from pathlib import Path

import httpx2
import pytest

from sandbox.app import run_sandbox
from sandbox.linkedin_posts import Post
from tests.sandbox.conftest import App, a_post


@pytest.mark.parametrize(("kind", "stored"), [("lost_answer", ["Heard"]), ("reset", [])])
async def test_a_broken_connection(app: App, kind: str, stored: list[str]) -> None:
    headers = await app.headers()
    await app.order_fault(on="posts", kind=kind)
    with pytest.raises(httpx2.ReadError):
        await app.publish(headers, "Heard")
    assert [post["text"] for post in await app.published()] == stored
    [call] = (await app.http.get("/sandbox/requests?path=/rest/posts")).json()
    assert (call["status"], call["fault"]) == (None, kind)
    assert (await app.http.get("/sandbox/faults")).json() == []
    assert (await app.publish(headers, "Heard")).status_code == (422 if stored else 201)


@pytest.mark.parametrize("kind", ["slow", "lost_answer"])
async def test_a_request_that_ends_before_its_body_has_no_effect(app: App, kind: str) -> None:
    headers = await app.headers()
    await app.order_fault(on="posts", kind=kind, seconds=1)
    body = json.dumps(a_post("Cut off"))
    sent = {"Host": app.http.base_url.host, "Content-Type": "application/json", "Content-Length": str(len(body) + 1)}
    lines = "".join(f"{name}: {value}\r\n" for name, value in (headers | sent).items())
    _, writer = await asyncio.open_connection(app.http.base_url.host, app.http.base_url.port)
    writer.write(f"POST /rest/posts HTTP/1.1\r\n{lines}\r\n{body}".encode())
    await writer.drain()
    while (await app.http.get("/sandbox/faults")).json():
        await asyncio.sleep(0.01)
    writer.close()
    await writer.wait_closed()
    assert (await app.publish(headers, "Whole")).status_code == 201
    assert [post["text"] for post in await app.published()] == ["Whole"]


async def test_no_answer_within_the_callers_patience(app: App) -> None:
    headers = await app.headers()
    await app.order_fault(on="posts", kind="timeout", seconds=30, effect=True)
    app.http.timeout = httpx2.Timeout(0.3)
    with pytest.raises(httpx2.ReadTimeout):
        await app.publish(headers, "Heard")
    assert [post["text"] for post in await app.published()] == ["Heard"]


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ({"kind": "status", "status": 403}, 403, "ACCESS_DENIED"),
        ({"kind": "status", "status": 401, "service_error_code": 65602}, 401, "EXPIRED_ACCESS_TOKEN"),
        ({"kind": "status", "status": 409}, 409, "CONFLICT"),
        ({"kind": "status", "status": 503}, 503, "INTERNAL_SERVER_ERROR"),
        ({"kind": "revoked"}, 401, "REVOKED_ACCESS_TOKEN"),
        ({"kind": "rate_limited", "seconds": 7}, 429, "TOO_MANY_REQUESTS"),
    ],
)
async def test_refusals(app: App, fault: dict[str, object], status: int, code: str) -> None:
    headers = await app.headers()
    await app.order_fault(on="posts", times=2, **fault)
    for _ in range(2):
        answer = await app.publish(headers, "Hello")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert await app.published() == []
    assert answer.headers.get("retry-after") == ("7" if "seconds" in fault else None)
    assert (await app.publish(headers, "Hello")).status_code == 201


async def test_a_fault_meets_only_what_it_names(app: App) -> None:
    headers = await app.headers()
    await app.order_fault(on="posts", kind="status", status=500, containing="Rain", effect=False)
    assert (await app.publish(headers, "Snow")).status_code == 201
    assert (await app.publish(headers, "Rain again")).status_code == 500
    assert (await app.publish(headers, "Rain again")).status_code == 201
    await app.order_fault(on="posts", kind="slow", seconds=0.1, containing="Sun")
    assert (await app.publish(headers, "Sun at last")).status_code == 201
    assert {post["text"] for post in await app.published()} == {"Snow", "Rain again", "Sun at last"}


async def test_an_answer_that_cannot_be_read_although_the_post_is_there(app: App) -> None:
    headers = await app.headers()
    await app.order_fault(on="posts", kind="html", status=200, effect=True)
    assert (await app.publish(headers, "Hello")).headers["content-type"].startswith("text/html")
    await app.order_fault(on="posts", kind="no_id")
    answer = await app.publish(headers, "Nameless")
    assert (answer.status_code, "x-restli-id" in answer.headers) == (201, False)
    await app.order_fault(on="posts", kind="vanish")
    assert (await app.publish(headers, "Gone")).status_code == 201
    await app.order_fault(on="posts", kind="status", status=422, code="DUPLICATE_POST", urn="urn:li:person:x")
    assert "urn:li:person:x" in (await app.publish(headers, "Other")).json()["message"]
    assert [post["text"] for post in await app.published()] == ["Nameless", "Hello"]


async def test_other_calls_fail_too(app: App) -> None:
    await app.order_fault(on="token", kind="status", status=400)
    refused = await app.exchange(grant_type="authorization_code", code="AQ")
    assert refused.json()["error"] == "invalid_grant"
    headers = await app.headers()
    await app.order_fault(on="userinfo", kind="slow", seconds=0.2)
    before = time.monotonic()
    assert (await app.http.get("/v2/userinfo", headers=headers)).status_code == 200
    assert time.monotonic() - before >= 0.2


async def test_the_page_orders_and_clears(app: App) -> None:
    form = {"on": "posts", "kind": "rate_limited", "times": "3", "effect": "", "seconds": ""}
    assert (await app.http.post("/faults", data=form)).status_code == 303
    assert "posts: rate_limited" in (await app.http.get("/faults")).text
    assert (await app.http.post("/faults", data={"on": "posts", "kind": "?"})).status_code == 422
    await app.http.post("/faults", data={"clear": "1"})
    assert (await app.http.get("/sandbox/faults")).json() == []


async def test_stopping_does_not_wait_for_a_hanging_answer(tmp_path: Path) -> None:
    async with httpx2.AsyncClient(timeout=30) as http:
        async with run_sandbox(tmp_path) as sandbox:
            http.base_url = httpx2.URL(sandbox.url)
            headers = await App(http).headers()
            await App(http).order_fault(on="posts", kind="timeout", seconds=30, effect=True)
            hanging = asyncio.create_task(App(http).publish(headers, "Hello"))
            while not sandbox.state.table(Post):  # noqa: ASYNC110  # the fault's effect comes before its silence
                await asyncio.sleep(0.01)
            before = time.monotonic()
        assert time.monotonic() - before < 10
        with pytest.raises(httpx2.ReadError):
            await hanging
