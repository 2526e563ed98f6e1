import base64
import hashlib
import hmac
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import httpx2
import pytest

from core.errors import (
    Ambiguous,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    StagedLost,
)
from core.networks.connections import Credentials
from core.networks.posts import Article, Image, Outgoing
from core.networks.rules.channels import AccountType
from core.networks.webhook import WebhookChannel, WebhookSettings
from core.outgoing.exchanges import record_exchanges
from core.outgoing.redaction import redact
from tests.http_server import Answer, Server
from tests.patience import PATIENCE

KEY = bytes(range(32))
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"
PICTURE = Image(b"", "image/jpeg", "A red bicycle", "https://cdn.example/a.jpg?signature=1&expires=2")
ARTICLE = Article("Rain without drama", "rain-without-drama", "Short", "<p>Long</p>", tags=("bikes",), seo_title="Rain")
POST = Outgoing("# Long", (), article=ARTICLE)
WITH_PICTURE = replace(POST, images=(PICTURE,))
HOOK, NAME = "/hooks/postloom", "d4" * 16
GUIDE = Path(__file__).parents[2] / "docs/networks/webhook.md"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("WEBHOOK_")]:
        monkeypatch.delenv(name)  # other tests point it at its stand-in


def connect(*urls: str) -> WebhookChannel:
    return WebhookChannel(WebhookSettings(internal_servers=",".join(urls)))


def hook(server: Server) -> Credentials:
    return Credentials("x.example", AccountType.organisation, SECRET, f"{server.url}{HOOK}")


def a_form(server: Server, **changes: str) -> dict[str, str]:
    return {"endpoint": f"{server.url}{HOOK}", "secret": SECRET} | changes


async def test_a_message_is_signed_as_standard_webhooks_has_it(server: Server) -> None:
    server.answers(HOOK, Answer(body={"url": "https://x.example/rain/"}))
    network, inside = connect(server.url), uuid4()
    article = replace(ARTICLE, html=f'<img src="media:{inside}" alt="">', image_ids=(inside,))
    post = replace(WITH_PICTURE, article=article)
    staged = await network.stage(hook(server), post)
    assert server.requests == [], "nobody is asked before its time"
    assert staged.refs[0] == PICTURE.fetch_url
    # what is called for has its images' addresses by what was staged alone
    bare = replace(post, images=(replace(PICTURE, fetch_url=""),))
    with record_exchanges() as heard:
        receipt = await network.prepare(hook(server), bare, staged.refs).publish()
    assert (receipt.provider_id, receipt.permalink) == (staged.refs[1], "https://x.example/rain/")
    [asking] = server.requests
    name, moment, signature = (asking.headers[f"webhook-{one}"] for one in ("id", "timestamp", "signature"))
    digest = hmac.digest(KEY, f"{name}.{moment}.".encode() + asking.body, hashlib.sha256)
    assert signature == f"v1,{base64.b64encode(digest).decode()}"
    assert name == f"{staged.refs[1]}_published"
    assert abs(int(moment) - time.time()) < 5
    assert asking.headers["content-type"] == "application/json"
    image = {"url": PICTURE.fetch_url, "alt": "A red bicycle"}
    assert asking.json["type"] == "article.published"
    assert asking.json["data"] == {
        "id": staged.refs[1],
        "title": "Rain without drama",
        "slug": "rain-without-drama",
        "summary": "Short",
        "html": '<img src="https://cdn.example/a.jpg?signature=1&amp;expires=2" alt="">',
        "markdown": "# Long",
        "tags": ["bikes"],
        "seo_title": "Rain",
        "seo_description": "",
        "canonical_url": "",
        "image": image,
        "images": [image],
    }
    assert SECRET not in f"{asking.headers}{heard}"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400), Refused),
        (Answer(401), NeedsReconnect),
        (Answer(403), NeedsReconnect),
        (Answer(404), Refused),
        (Answer(408), Ambiguous),
        (Answer(410), Refused),
        (Answer(301, headers={"location": "https://elsewhere.example/"}), Refused),
        (Answer(426), Misconfigured),
        (Answer(429), RateLimited),
        (Answer(500, f"Echo of {SECRET}".encode()), Ambiguous),
        (Answer(501), Ambiguous),
        (Answer(drop=True), Ambiguous),
    ],
)
async def test_what_an_answer_means(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers(HOOK, answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(hook(server), POST, (NAME,)).publish()
    assert type(raised.value) is kind
    assert SECRET not in raised.value.detail
    assert len(server.requests) == 1, "no redirect is followed"


@pytest.mark.parametrize(
    "body", [b"", b"ok", b"[]", {"url": 7}, {"url": "javascript:alert(1)"}, {"url": "https://x/" + "y" * 3000}]
)
async def test_a_success_is_one_whatever_its_body_says(server: Server, body: Any) -> None:
    server.answers(HOOK, Answer(204 if body == b"" else 202, body))
    receipt = await connect(server.url).prepare(hook(server), POST, (NAME,)).publish()
    assert (receipt.provider_id, receipt.permalink) == (NAME, None)


async def test_what_was_not_answered_is_asked_for_by_its_name_until_a_person_decides(server: Server) -> None:
    network, now = connect(server.url), datetime.now(UTC)
    server.answers(HOOK, Answer(drop=True), Answer(503), Answer(body={"url": "https://x.example/rain/"}))
    with pytest.raises(Ambiguous):
        await network.prepare(hook(server), POST, (NAME,)).publish()
    with pytest.raises(RetrySafe):
        await network.find(hook(server), POST, (NAME,), since=now)
    found = await network.find(hook(server), POST, (NAME,), since=now)
    assert found.receipt
    assert found.receipt.permalink == "https://x.example/rain/"
    assert {one.headers["webhook-id"] for one in server.requests} == {f"{NAME}_published"}
    # what is refused now may have been taken before
    server.answers(HOOK, Answer(422))
    found = await network.find(hook(server), POST, (NAME,), since=now)
    assert (found.receipt, found.absent) == (None, False)
    before = len(server.requests)
    found = await network.find(hook(server), POST, (NAME,), since=now - timedelta(hours=2))
    assert (found.receipt, found.absent, len(server.requests)) == (None, False, before)


def test_what_was_not_staged_is_never_published(server: Server) -> None:
    network = connect(server.url)
    for refs in ((), (NAME,)):
        with pytest.raises(Refused):
            network.prepare(hook(server), WITH_PICTURE, refs)
    with pytest.raises(StagedLost):
        network.prepare(hook(server), POST, ("101",))
    with pytest.raises(NeedsReconnect):
        network.prepare(replace(hook(server), access_token="hush"), POST, (NAME,))


async def test_a_change_has_one_name_however_often_it_is_sent(server: Server) -> None:
    server.answers(HOOK, Answer(200))
    network = connect(server.url)
    await network.update(hook(server), NAME, WITH_PICTURE, wish="a1")
    signed_anew = replace(PICTURE, fetch_url="https://cdn.example/a.jpg?signature=3")
    await network.update(hook(server), NAME, replace(WITH_PICTURE, images=(signed_anew,)), wish="a1")
    await network.update(hook(server), NAME, WITH_PICTURE, wish="b2")
    names = [one.headers["webhook-id"] for one in server.requests]
    assert names[0] == names[1] != names[2]
    assert all(one.json["type"] == "article.updated" for one in server.requests)


async def test_what_is_gone_is_deleted(server: Server) -> None:
    network = connect(server.url)
    server.answers(HOOK, Answer(204), Answer(404), Answer(410), Answer(422))
    for _ in range(3):
        await network.delete(hook(server), NAME)
    assert server.requests[0].json["data"] == {"id": NAME}
    with pytest.raises(Refused) as raised:
        await network.delete(hook(server), NAME)
    assert raised.value.code is ErrorCode.removal_refused


# connecting


async def test_a_receiver_is_tried_before_it_is_kept(server: Server) -> None:
    server.answers(HOOK, Answer(204))
    network = connect(server.url)
    grant = await network.sign_in(a_form(server, secret=f" {SECRET} "))
    assert (grant.access_token, grant.base_url) == (SECRET, f"{server.url}{HOOK}")
    assert SECRET not in redact(f"it was {SECRET}")
    assert server.requests[0].json["type"] == "ping"
    [profile] = await network.profiles(grant)
    assert profile.name == profile.external_id == f"{urlsplit(server.url).netloc}{HOOK}"
    # the slash at its end is part of it
    server.answers(f"{HOOK}/", Answer(204))
    assert (await network.sign_in(a_form(server, endpoint=f"{server.url}{HOOK}/"))).base_url.endswith("/")
    with pytest.raises(Refused):
        await network.revoke(grant)


@pytest.mark.parametrize(
    ("answer", "changes", "code", "field"),
    [
        (Answer(401), {}, ErrorCode.connect_signature_refused, "secret"),
        (Answer(403), {}, ErrorCode.connect_signature_refused, "secret"),
        (Answer(404), {}, ErrorCode.connect_ping_refused, "endpoint"),
        (Answer(500), {}, ErrorCode.connect_ping_refused, "endpoint"),
        (Answer(drop=True), {}, ErrorCode.connect_site_unreachable, "endpoint"),
        (None, {"endpoint": "https://x.example/hook?key=hush"}, ErrorCode.connect_endpoint_malformed, "endpoint"),
        (None, {"endpoint": "http://127.0.0.1:1/hook"}, ErrorCode.connect_endpoint_malformed, "endpoint"),
        (None, {"endpoint": "nowhere"}, ErrorCode.connect_endpoint_malformed, "endpoint"),
        (None, {"secret": "hush"}, ErrorCode.connect_secret_malformed, "secret"),
        (None, {"secret": "whsec_QUJD"}, ErrorCode.connect_secret_malformed, "secret"),
        (None, {"secret": f"whsec_{'A' * 33}"}, ErrorCode.connect_secret_malformed, "secret"),
    ],
)
async def test_what_is_wrong_is_told_at_its_field(
    server: Server, answer: Answer | None, changes: dict[str, str], code: ErrorCode, field: str
) -> None:
    if answer:
        server.answers(HOOK, answer)
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in(a_form(server, **changes))
    assert (raised.value.code, raised.value.params["field"]) == (code, field)
    assert bool(server.requests) is bool(answer), "what cannot be right is sent nowhere"


# the receiver of the guide


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[str]:
    """As the guide has it, in a process of its own."""
    [example] = re.findall(r"```python\n(.+?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "receiver.py").write_text(example, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    environment = {**os.environ, "PORT": str(port), "WEBHOOK_SECRET": SECRET, "SITE": "https://journal.example"}
    process = subprocess.Popen(
        [sys.executable, "receiver.py"], cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL
    )
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with socket.socket() as trying:
                if trying.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.kill()
        process.wait()


async def test_the_receiver_of_the_guide_shows_an_article_once(receiver: str) -> None:
    async def shown() -> list[dict[str, Any]]:
        async with httpx2.AsyncClient() as browser:
            found: list[dict[str, Any]] = json.loads((await browser.get(receiver)).content)
        return found

    network = connect(receiver)
    other = f"whsec_{base64.b64encode(KEY[::-1]).decode()}"
    with pytest.raises(Refused) as raised:
        await network.sign_in({"endpoint": f"{receiver}/hook", "secret": other})
    assert raised.value.code is ErrorCode.connect_signature_refused
    grant = await network.sign_in({"endpoint": f"{receiver}/hook", "secret": SECRET})
    to = Credentials(grant.subject or "", AccountType.organisation, SECRET, grant.base_url)
    refs = (await network.stage(to, POST)).refs
    receipt = await network.prepare(to, POST, refs).publish()
    assert receipt.permalink == "https://journal.example/rain-without-drama/"
    again = await network.find(to, POST, refs, since=datetime.now(UTC))
    assert again.receipt == receipt
    assert [one["title"] for one in await shown()] == ["Rain without drama"]
    assert receipt.provider_id
    better = replace(POST, article=replace(ARTICLE, title="Sun", slug="sun"))
    assert await network.update(to, receipt.provider_id, better, wish="a1") == receipt
    assert [(one["title"], one["slug"]) for one in await shown()] == [("Sun", "rain-without-drama")]
    for _ in range(2):
        await network.delete(to, receipt.provider_id)
    assert await shown() == []
    await network.close()
