"""As strict as Standard Webhooks asks a receiver to be."""

import base64
import hmac
import json
import time
from typing import Any

import httpx2
import pytest

from sandbox.webhook import SECRET
from tests.sandbox.conftest import App

ARTICLE = {
    "id": "one",
    "title": "Rain",
    "slug": "rain",
    "summary": "",
    "html": "<p>Wet</p>",
    "markdown": "Wet",
    "tags": ["bikes"],
    "seo_title": "",
    "seo_description": "",
    "canonical_url": "",
    "image": None,
    "images": [],
}


async def send(
    app: App, kind: str, data: object, name: str = "msg_1", *, secret: str = SECRET, age: int = 0, **headers: str
) -> httpx2.Response:
    body = json.dumps({"type": kind, "timestamp": "2026-11-26T10:00:00Z", "data": data}).encode()
    moment = str(int(time.time()) - age)
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.digest(key, f"{name}.{moment}.".encode() + body, "sha256")
    told = {"id": name, "timestamp": moment, "signature": f"v1a,x v1,{base64.b64encode(digest).decode()}"} | headers
    sent = {f"webhook-{header}": value for header, value in told.items()}
    return await app.http.post("/hooks/journal", content=body, headers=sent)


async def test_an_article_is_shown_once_however_often_it_is_sent(app: App) -> None:
    answers = [await send(app, "article.published", ARTICLE) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200] * 3
    [address] = {answer.json()["url"] for answer in answers}
    [post] = await app.published()
    assert (post["title"], post["text"], post["permalink"]) == ("Rain", "Wet", address)
    page = await app.http.get(address)
    assert "<h1>Rain</h1>" in page.text
    assert "<p>Wet</p>" in page.text
    for shown in ("/hooks", "/"):
        assert "Wet" in (await app.http.get(shown)).text
    better = ARTICLE | {"title": "Snow", "slug": "snow"}
    answer = await send(app, "article.updated", better, "msg_2")
    assert answer.json()["url"] == address, "others have linked to it"
    # a repeat of what came first changes nothing any more
    await send(app, "article.published", ARTICLE)
    assert [one["title"] for one in await app.published()] == ["Snow"]
    for name, status in (("msg_3", 200), ("msg_3", 200), ("msg_4", 404)):
        assert (await send(app, "article.deleted", {"id": "one"}, name)).status_code == status
    assert await app.published() == []
    assert (await app.http.get(address)).status_code == 404


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"secret": f"whsec_{base64.b64encode(b'x' * 32).decode()}"}, 401),
        ({"age": 400}, 401),
        ({"age": -400}, 401),
        ({"signature": "v1,"}, 401),
        ({"timestamp": "soon"}, 400),
        ({"id": ""}, 400),
    ],
)
async def test_what_may_not_be_ours_is_refused(app: App, changes: dict[str, Any], status: int) -> None:
    assert (await send(app, "ping", {}, **changes)).status_code == status


@pytest.mark.parametrize(
    ("kind", "data", "status"),
    [
        ("article.found", ARTICLE, 400),
        ("article.published", [], 400),
        ("article.published", ARTICLE | {"title": ""}, 422),
        ("article.published", {name: value for name, value in ARTICLE.items() if name != "markdown"}, 422),
        ("article.published", ARTICLE | {"images": [{"url": "http://127.0.0.1:1/a.jpg", "alt": ""}]}, 503),
        ("article.published", ARTICLE | {"images": [{"url": "ftp://127.0.0.1/a.jpg", "alt": ""}]}, 422),
        ("article.published", ARTICLE | {"image": {"url": "x", "alt": ""}}, 422),
        ("article.updated", ARTICLE, 404),
    ],
)
async def test_what_a_message_says(app: App, kind: str, data: object, status: int) -> None:
    answer = await send(app, kind, data)
    assert (answer.status_code, bool(answer.json()["error"])) == (status, True)
    assert await app.published() == []


async def test_whoever_runs_it_tells_it_another_secret(app: App) -> None:
    other = f"whsec_{base64.b64encode(b'y' * 32).decode()}"
    assert (await send(app, "ping", {}, secret=other)).status_code == 401
    assert (await app.http.post("/hooks", data={"secret": other})).status_code == 303
    for secret in (other, SECRET):
        assert (await send(app, "ping", {}, secret=secret)).status_code == 200
    assert other in (await app.http.get("/hooks")).text


@pytest.mark.parametrize(
    ("on", "kind", "sent", "status"),
    [("reads", "ping", {}, 503), ("posts", "article.published", ARTICLE, 503), ("posts", "ping", {}, 200)],
)
async def test_a_fault_meets_its_kind_of_message_alone(app: App, on: str, kind: str, sent: object, status: int) -> None:
    await app.order_fault(on=on, kind="status", status=503)
    assert (await send(app, kind, sent)).status_code == status
