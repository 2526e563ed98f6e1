import base64
import hashlib
import hmac
import json
import os
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from uuid import uuid4

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
from core.networks.connections import Credentials, Grant
from core.networks.ghost import MARK, GhostChannel, GhostSettings
from core.networks.posts import Article, Image, Outgoing
from core.networks.rules.channels import AccountType
from core.outgoing.exchanges import record_exchanges
from core.outgoing.redaction import redact
from tests.http_server import Answer, Server

KEY_ID, SECRET = "64a1" * 6, "9f3c" * 16
KEY = f"{KEY_ID}:{SECRET}"
PICTURE = Image(b"jpeg bytes", "image/jpeg", "A red bicycle")
ARTICLE = Article("Rain without drama", "rain-without-drama", "Short", "<p>Long</p>")
POST = Outgoing("Long", (), article=ARTICLE)
WITH_PICTURE = replace(POST, images=(PICTURE,))
API = "/ghost/api/admin"
POSTS, UPLOADS, SITE, ME = f"{API}/posts/", f"{API}/images/upload/", f"{API}/site/", f"{API}/users/me/"
ID, SEEN, LATER = "5f" * 12, "2026-11-26T10:00:00.000Z", "2026-11-26T10:05:00.000Z"
BY_SLUG, BY_ID = f"{POSTS}slug/rain-without-drama/", f"{POSTS}{ID}/"
REF = f"{ID} {SEEN}"
PAGE = b"<!doctype html><h1>Hello</h1>"
SINCE = datetime(2026, 11, 25, 10, 0, tzinfo=UTC)


def error(kind: str, code: str | None = None) -> dict[str, Any]:
    return {"errors": [{"message": f"Echo of {KEY} and {SECRET}", "type": kind, "code": code}]}


def row(**changes: Any) -> dict[str, Any]:
    made = {
        "id": ID,
        "slug": "rain-without-drama",
        "status": "draft",
        "updated_at": SEEN,
        "url": "https://x.example/p/1/",
    }
    return {"posts": [made | changes]}


NOWHERE = Answer(404, error("NotFoundError"))


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("GHOST_")]:
        monkeypatch.delenv(name)  # other tests point it at its stand-in


@pytest.fixture
def other() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


def connect(*urls: str) -> GhostChannel:
    return GhostChannel(GhostSettings(internal_servers=",".join(urls)))


def key(server: Server) -> Credentials:
    return Credentials("x.example", AccountType.organisation, KEY, server.url)


def asked(server: Server) -> list[tuple[str, str]]:
    return [(one.method, one.path.partition("?")[0]) for one in server.requests]


def part(text: str) -> Any:
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


async def test_each_call_is_signed_by_the_secret_which_never_travels(server: Server) -> None:
    server.answers(POSTS, Answer(body={"posts": []}))
    with record_exchanges() as heard:
        await connect(server.url).probe(key(server))
    [asking] = server.requests
    scheme, token = asking.headers["authorization"].split(" ")
    head, claims, signature = token.split(".")
    assert scheme == "Ghost"
    assert part(head) == {"alg": "HS256", "typ": "JWT", "kid": KEY_ID}
    assert part(claims)["aud"] == "/admin/"
    assert 0 < part(claims)["exp"] - part(claims)["iat"] <= 300
    assert abs(part(claims)["iat"] - time.time()) < 5
    wanted = hmac.digest(bytes.fromhex(SECRET), f"{head}.{claims}".encode(), hashlib.sha256)
    assert base64.urlsafe_b64encode(wanted).rstrip(b"=").decode() == signature
    assert asking.headers["accept-version"] == "v5.0"
    assert SECRET not in f"{asking.headers}{heard}"
    assert token not in str(heard)


# publishing


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, error("BadRequestError"), Refused),
        (400, error("BadRequestError", "INVALID_JWT"), NeedsReconnect),
        (401, error("UnauthorizedError", "UNKNOWN_ADMIN_API_KEY"), NeedsReconnect),
        (401, PAGE, NeedsReconnect),
        (403, error("NoPermissionError"), NeedsReconnect),
        (403, error("HostLimitError"), NeedsReconnect),
        (403, PAGE, Refused),
        (404, error("NotFoundError"), StagedLost),
        (404, PAGE, Refused),
        (406, error("RequestNotAcceptableError", "UPDATE_CLIENT"), Misconfigured),
        (406, error("RequestNotAcceptableError", "UPDATE_GHOST"), Refused),
        (408, b"", Ambiguous),
        (413, PAGE, Refused),
        (422, error("ValidationError"), Refused),
        (429, error("TooManyRequestsError"), RateLimited),
        (301, b"", Refused),
        (500, error("InternalServerError"), Ambiguous),
        (503, error("MaintenanceError"), Ambiguous),
        (502, PAGE, Ambiguous),
        (200, PAGE, Ambiguous),
        (200, {"posts": []}, Ambiguous),
        (200, {"posts": [{"id": ID}]}, Ambiguous),
        (200, row(id="6a" * 12, status="published"), Ambiguous),
        (200, row(status="scheduled"), Ambiguous),
        (200, row(status="draft"), Refused),
    ],
)
async def test_what_an_answer_means(server: Server, status: int, body: Any, kind: type[ProviderError]) -> None:
    server.answers(BY_ID, Answer(status, body))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(key(server), POST, (REF,)).publish()
    assert type(raised.value) is kind
    assert SECRET not in raised.value.detail


async def test_the_publishing_call_names_the_draft_as_it_was_seen_last(server: Server) -> None:
    server.answers(BY_ID, Answer(body=row(status="published", url="https://x.example/rain/")))
    network = connect(server.url)
    receipts = [await network.prepare(key(server), POST, (REF,)).publish() for _ in range(2)]
    assert receipts[0] == receipts[1]
    assert (receipts[0].provider_id, receipts[0].permalink) == (ID, "https://x.example/rain/")
    assert server.requests[0].json == {"posts": [{"updated_at": SEEN, "status": "published"}]}


@pytest.mark.parametrize("now", ["published", "sent", "draft", "scheduled"])
async def test_what_somebody_has_changed_meanwhile_goes_out_as_they_left_it(server: Server, now: str) -> None:
    collision = Answer(409, error("UpdateCollisionError", "UPDATE_COLLISION"))
    read = Answer(body=row(status=now, updated_at=LATER, url="https://x.example/rain/"))
    server.answers(BY_ID, collision, read, Answer(body=row(status="published", url="https://x.example/rain/")))
    receipt = await connect(server.url).prepare(key(server), POST, (REF,)).publish()
    assert (receipt.provider_id, receipt.permalink) == (ID, "https://x.example/rain/")
    again = [one.json["posts"][0]["updated_at"] for one in server.requests if one.method == "PUT"]
    assert again == ([SEEN] if now in ("published", "sent") else [SEEN, LATER])


async def test_what_is_changed_again_and_again_is_tried_later(server: Server) -> None:
    collision = Answer(409, error("UpdateCollisionError", "UPDATE_COLLISION"))
    server.answers(BY_ID, collision, Answer(body=row(updated_at=LATER)), collision)
    with pytest.raises(RetrySafe):
        await connect(server.url).prepare(key(server), POST, (REF,)).publish()
    assert len(server.requests) == 3


def test_what_was_not_staged_is_never_published(server: Server) -> None:
    network = connect(server.url)
    for refs in ((), (REF,), ("https://x.example/a.jpg",)):
        with pytest.raises(Refused):
            network.prepare(key(server), WITH_PICTURE, refs)
    with pytest.raises(StagedLost):
        network.prepare(key(server), POST, ("101",))
    assert server.requests == []


# staging


async def test_an_article_is_staged_as_a_draft_with_all_that_search_engines_read(server: Server) -> None:
    inside, above = uuid4(), uuid4()
    table = "<table><thead><tr><th>a</th></tr></thead></table>"
    article = replace(
        ARTICLE,
        summary="x" * 400,
        html=f'<p>Long</p><p><img src="media:{inside}" alt="Rain"></p>{table}',
        tags=("bikes", "bikes", "rain, wind"),
        seo_title="Rain",
        seo_description="All of it",
        canonical_url="https://first.example/rain",
        image_ids=(above, inside),
    )
    addresses = [f"https://x.example/content/images/2026/11/{name}.jpg" for name in ("above", "inside")]
    server.answers(UPLOADS, *(Answer(201, {"images": [{"url": one, "ref": "r"}]}) for one in addresses))
    server.answers(BY_SLUG, NOWHERE)
    server.answers(POSTS, Answer(201, row()))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    images = (replace(PICTURE, alt="y" * 300), replace(PICTURE, data=b"other"))
    staged = await connect(server.url).stage(key(server), Outgoing("Long", images, article=article), keep=keep)
    assert staged.refs == (*addresses, REF) == tuple(kept)
    upload, *_, made = server.requests
    digest = hashlib.sha256(PICTURE.data).hexdigest()[:16]
    assert f'filename="rain-without-drama-{digest}.jpg"'.encode() in upload.body
    assert b'name="purpose"\r\n\r\nimage' in upload.body
    assert dict(parse_qsl(urlsplit(made.path).query))["source"] == "html"
    [sent] = made.json["posts"]
    card = f"<!--kg-card-begin: html-->{table}<!--kg-card-end: html-->"
    assert sent == {
        "title": "Rain without drama",
        "slug": "rain-without-drama",
        "status": "draft",
        "html": f'<p>Long</p><p><img src="{addresses[1]}" alt="Rain"></p>{card}',
        "custom_excerpt": "x" * 299 + "…",
        "feature_image": addresses[0],
        "feature_image_alt": "y" * 190 + "…",
        "tags": ["bikes", "rain, wind", MARK],
        "meta_title": "Rain",
        "meta_description": "All of it",
        "canonical_url": "https://first.example/rain",
    }


async def test_an_upload_that_got_through_is_not_made_again(server: Server) -> None:
    server.answers(BY_SLUG, Answer(502, PAGE), NOWHERE)
    server.answers(POSTS, Answer(201, row()))
    network, had = connect(server.url), ("https://x.example/a.jpg",)
    with pytest.raises(RetrySafe):
        await network.stage(key(server), WITH_PICTURE, had=had)
    assert (await network.stage(key(server), WITH_PICTURE, had=had)).refs == (*had, REF)
    before = len(server.requests)
    assert (await network.stage(key(server), WITH_PICTURE, had=(*had, REF))).refs == (*had, REF)
    assert len(server.requests) == before, "there is nothing left to do"
    assert ("POST", UPLOADS) not in asked(server)


OURS = {"title": "Rain without drama", "tags": [{"name": "bikes"}, {"name": MARK}]}


async def test_a_draft_whose_making_was_not_answered_is_found(server: Server) -> None:
    server.answers(POSTS, Answer(drop=True))
    server.answers(BY_SLUG, NOWHERE, Answer(body=row(**OURS)))
    server.answers(BY_ID, Answer(body=row(updated_at=LATER)))
    network = connect(server.url)
    with pytest.raises(RetrySafe):
        await network.stage(key(server), POST)
    assert (await network.stage(key(server), POST)).refs == (f"{ID} {LATER}",)
    assert asked(server).count(("POST", POSTS)) == 1
    [sent] = server.requests[-1].json["posts"]
    assert (server.requests[-1].method, sent["html"], sent["updated_at"]) == ("PUT", "<p>Long</p>", SEEN)
    assert "slug" not in sent


@pytest.mark.parametrize(
    "changes",
    [
        OURS | {"tags": [{"name": "bikes"}]},
        OURS | {"tags": None},
        OURS | {"title": "My notes"},
        OURS | {"status": "published"},
    ],
)
async def test_what_others_have_written_is_left_alone(server: Server, changes: dict[str, Any]) -> None:
    server.answers(BY_SLUG, Answer(body=row(**changes)))
    server.answers(POSTS, Answer(201, row(id="6a" * 12, slug="rain-without-drama-2")))
    assert (await connect(server.url).stage(key(server), POST)).refs == (f"{'6a' * 12} {SEEN}",)
    assert ("PUT", BY_ID) not in asked(server)


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (Answer(413, PAGE), Refused, ErrorCode.image_refused),
        (Answer(415, error("UnsupportedMediaTypeError")), Refused, ErrorCode.image_refused),
        (Answer(422, error("ValidationError")), Refused, ErrorCode.delivery_refused),
        (Answer(403, error("NoPermissionError")), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
        (Answer(502, PAGE), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(201, PAGE), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(201, {"images": [{"url": "javascript:alert(1)"}]}), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(429, PAGE), RateLimited, ErrorCode.rate_limited),
    ],
)
async def test_what_an_upload_is_answered_is_never_unclear(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers(UPLOADS, answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).stage(key(server), WITH_PICTURE)
    assert (type(raised.value), raised.value.code) == (kind, code)


# afterwards


@pytest.mark.parametrize(
    ("answer", "there", "absent"),
    [
        (Answer(body=row(status="published")), True, False),
        (Answer(body=row(status="sent")), True, False),
        (Answer(body=row(status="draft")), False, True),
        (Answer(body=row(status="scheduled")), False, False),
        (NOWHERE, False, False),
    ],
)
async def test_whether_it_is_there_is_read_by_its_id(server: Server, answer: Answer, there: bool, absent: bool) -> None:
    server.answers(BY_ID, answer)
    found = await connect(server.url).find(key(server), POST, (REF,), since=SINCE)
    assert (found.receipt is not None, found.absent) == (there, absent)


async def test_what_is_gone_is_deleted(server: Server) -> None:
    network = connect(server.url)
    for answer in (Answer(204), NOWHERE):
        server.answers(BY_ID, answer)
        await network.delete(key(server), ID)
    server.answers(BY_ID, Answer(403, error("NoPermissionError")))
    with pytest.raises(NeedsReconnect):
        await network.delete(key(server), ID)
    server.answers(BY_ID, Answer(422, error("ValidationError")))
    with pytest.raises(Refused) as raised:
        await network.delete(key(server), ID)
    assert raised.value.code is ErrorCode.removal_refused


async def test_what_is_there_is_changed_at_its_address_and_keeps_its_images(server: Server) -> None:
    digest = hashlib.sha256(PICTURE.data).hexdigest()[:16]
    there = f"https://x.example/content/images/2026/11/rain-without-drama-{digest}.jpg"
    small = there.replace("/images/", "/images/size/w600/")
    shown = {"html": f'<img src="{small}"><img src="{there}" srcset="{small} 600w">', "updated_at": LATER}
    done = Answer(body=row(status="published", url="https://x.example/rain/"))
    server.answers(BY_ID, Answer(body=row(status="published", **shown)), done)
    receipt = await connect(server.url).update(key(server), ID, WITH_PICTURE, wish="a1")
    assert (receipt.provider_id, receipt.permalink) == (ID, "https://x.example/rain/")
    [sent] = server.requests[-1].json["posts"]
    assert (sent["feature_image"], sent["updated_at"]) == (there, LATER)
    assert not {"slug", "status"} & set(sent)
    assert ("POST", UPLOADS) not in asked(server)


@pytest.mark.parametrize(
    ("base", "address", "permalink"),
    [
        ("https://x.example", "https://x.example/rain/?ref=1", "https://x.example/rain/"),
        ("https://x.example", "https://www.x.example/rain/", "https://www.x.example/rain/"),
        ("https://x.example", "https://y.example/rain/", None),
        ("https://x.example", "https://x.example/", None),
        ("https://x.example", "https://x.example/ghost/#/editor/post/1", None),
        ("https://x.example/blog", "https://x.example/blog/rain/", "https://x.example/blog/rain/"),
        ("https://x.example/blog", "https://x.example/rain/", None),
        ("https://x.ghost.io", "https://own.example/rain/", "https://own.example/rain/"),
        ("https://x.example", "ftp://x.example/rain/", None),
        ("https://x.example", "https://[", None),
    ],
)
def test_an_address_leads_to_an_article_or_to_none(base: str, address: str, permalink: str | None) -> None:
    assert connect().permalink_in(address, base) == permalink


# connecting


def a_site(**changes: Any) -> dict[str, Any]:
    return {"site": {"title": "Gazette", "url": "https://x.example/", "version": "6.9", "icon": None} | changes}


def allowed(server: Server, **site: Any) -> None:
    server.answers(SITE, Answer(body=a_site(**site)))
    server.answers(POSTS, Answer(body={"posts": []}))
    server.answers(ME, NOWHERE)


async def test_a_site_is_connected_by_its_key(server: Server) -> None:
    allowed(server, icon="https://x.example/icon.png")
    network = connect(server.url)
    grant = await network.sign_in({"site": f"{server.url}/ghost/#/settings", "admin_key": f" {KEY} "})
    assert (grant.access_token, grant.base_url) == (KEY, server.url)
    assert SECRET not in redact(f"it was {SECRET}")
    first = next(one for one in server.requests if one.path.startswith(SITE))
    assert "authorization" not in first.headers, "nobody is told a key before they are known"
    [profile] = await network.profiles(grant)
    assert (profile.name, profile.picture_url) == ("Gazette", "https://x.example/icon.png")
    with pytest.raises(Refused):
        await network.revoke(Grant(KEY, None, None, (), base_url=server.url))


@pytest.mark.parametrize(
    ("answers", "code", "field"),
    [
        ({SITE: Answer(404, PAGE)}, ErrorCode.connect_site_other_kind, "site"),
        ({SITE: Answer(200, PAGE)}, ErrorCode.connect_site_other_kind, "site"),
        ({SITE: Answer(200, {"namespaces": ["wp/v2"]})}, ErrorCode.connect_site_other_kind, "site"),
        ({SITE: Answer(drop=True)}, ErrorCode.connect_site_unreachable, "site"),
        ({SITE: Answer(body=a_site(version="4.48"))}, ErrorCode.connect_site_outdated, "site"),
        ({SITE: Answer(301, headers={"location": "http://10.0.0.1/"})}, ErrorCode.connect_site_unreachable, "site"),
        (
            {POSTS: Answer(401, error("UnauthorizedError", "UNKNOWN_ADMIN_API_KEY"))},
            ErrorCode.connect_key_refused,
            "admin_key",
        ),
        ({POSTS: Answer(401, error("UnauthorizedError", "INVALID_JWT"))}, ErrorCode.connect_key_refused, "admin_key"),
        ({POSTS: Answer(403, error("HostLimitError"))}, ErrorCode.connect_plan_too_small, "admin_key"),
        ({POSTS: Answer(403, error("NoPermissionError"))}, ErrorCode.connect_may_not_publish, "admin_key"),
        ({POSTS: Answer(403, PAGE)}, ErrorCode.connect_site_answers_page, "site"),
        ({POSTS: Answer(drop=True)}, ErrorCode.connect_site_unreachable, "site"),
        (
            {ME: Answer(body={"users": [{"roles": [{"name": "Contributor"}]}]})},
            ErrorCode.connect_may_not_publish,
            "admin_key",
        ),
    ],
)
async def test_what_is_wrong_is_told_at_its_field(
    server: Server, answers: dict[str, Answer], code: ErrorCode, field: str
) -> None:
    allowed(server)
    for path, answer in answers.items():
        server.answers(path, answer)
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in({"site": server.url, "admin_key": KEY})
    assert (raised.value.code, raised.value.params["field"]) == (code, field)
    assert SECRET not in raised.value.detail


@pytest.mark.parametrize(
    ("off", "code", "field"),
    [
        (timedelta(minutes=6), ErrorCode.site_clock_differs, "site"),
        (timedelta(minutes=-90), ErrorCode.site_clock_differs, "site"),
        (timedelta(minutes=2), ErrorCode.connect_key_refused, "admin_key"),
    ],
    ids=str,
)
async def test_a_clock_that_is_wrong_is_told_as_no_wrong_key(
    server: Server, off: timedelta, code: ErrorCode, field: str
) -> None:
    allowed(server)
    date = format_datetime(datetime.now(UTC) + off, usegmt=True)
    server.answers(POSTS, Answer(401, error("UnauthorizedError", "INVALID_JWT"), headers={"date": date}))
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in({"site": server.url, "admin_key": KEY})
    assert (raised.value.code, raised.value.params["field"]) == (code, field)
    # what is on its way is tried again: nobody has to sign in anew
    kind = RetrySafe if code is ErrorCode.site_clock_differs else NeedsReconnect
    with pytest.raises(kind):
        await connect(server.url).probe(key(server))


@pytest.mark.parametrize("typed", ["22444f78447824223cefc48062", SECRET, f"{KEY_ID}:{SECRET[:-1]}", f"{KEY}0", "a:b"])
async def test_what_is_no_admin_key_is_sent_nowhere(server: Server, typed: str) -> None:
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in({"site": server.url, "admin_key": typed})
    assert (raised.value.code, raised.value.params["field"]) == (ErrorCode.connect_key_malformed, "admin_key")
    assert server.requests == []


async def test_an_api_on_a_domain_of_its_own_is_followed_before_a_key_is_told(server: Server, other: Server) -> None:
    allowed(other)
    server.answers(SITE, Answer(301, headers={"location": f"{other.url}{SITE}"}))
    grant = await connect(server.url, other.url).sign_in({"site": server.url, "admin_key": KEY})
    assert grant.base_url == other.url
    assert all("authorization" not in one.headers for one in server.requests)


@pytest.mark.parametrize(("role", "may"), [("Editor", True), ("Contributor", False)])
async def test_a_person_s_own_key_may_what_they_may(server: Server, role: str, may: bool) -> None:
    allowed(server)
    server.answers(ME, Answer(body={"users": [{"roles": [{"name": role}]}]}))
    grant = Grant(KEY, None, None, (), base_url=server.url)
    assert (await connect(server.url).standing(grant, key(server))).may_post is may
