import base64
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

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
from core.networks.connections import Credentials, Grant
from core.networks.posts import Article, Image, Outgoing
from core.networks.rules.channels import AccountType
from core.networks.wordpress import CAPABILITIES, WordPressChannel, WordPressSettings
from core.outgoing.destinations import Outside
from core.outgoing.exchanges import record_exchanges
from core.outgoing.redaction import redact
from tests.http_server import Answer, Server

PASSWORD = "abcdEFGH1234abcdEFGH5678"
SHOWN = "abcd EFGH 1234 abcd EFGH 5678"
BASIC = base64.b64encode(f"ada:{PASSWORD}".encode()).decode()
PICTURE = Image(b"jpeg bytes", "image/jpeg", "A red bicycle")
ARTICLE = Article("Rain without drama", "rain-without-drama", "Short", "<p>Long</p>")
POST = Outgoing("Long", (), article=ARTICLE)
WITH_PICTURE = replace(POST, images=(PICTURE,))
API = "/wp-json/wp/v2"
POSTS, MEDIA, TAGS, ME = f"{API}/posts", f"{API}/media", f"{API}/tags", f"{API}/users/me"
INDEX = {"namespaces": ["oembed/1.0", "wp/v2"], "authentication": {"application-passwords": {}}}
PERSON = {"id": 7, "username": "ada", "name": "Ada L", "capabilities": dict.fromkeys(CAPABILITIES, True)}
PAGE = b"<!doctype html><h1>Hello</h1>"
SINCE = datetime(2026, 11, 25, 10, 0, tzinfo=UTC)


def error(code: str, status: int = 400) -> dict[str, Any]:
    return {"code": code, "message": f"Echo of {PASSWORD} and {BASIC}", "data": {"status": status}}


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("WORDPRESS_")]:
        monkeypatch.delenv(name)  # other tests point it at its stand-in


@pytest.fixture
def other() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


def connect(*urls: str) -> WordPressChannel:
    return WordPressChannel(WordPressSettings(internal_servers=",".join(urls)))


def ada(server: Server) -> Credentials:
    return Credentials("ada", AccountType.person, PASSWORD, server.url)


def a_form(site: str, username: str = "ada", app_password: str = SHOWN) -> dict[str, str]:
    return {"site": site, "username": username, "app_password": app_password}


def asked(server: Server) -> list[tuple[str, str]]:
    return [(one.method, one.path.partition("?")[0]) for one in server.requests]


# publishing


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, error("rest_invalid_param"), Refused),
        (401, error("rest_not_logged_in"), NeedsReconnect),
        (401, error("incorrect_password"), NeedsReconnect),
        (401, error("invalid_username"), NeedsReconnect),
        (401, error("application_passwords_disabled"), NeedsReconnect),
        (500, error("incorrect_password"), NeedsReconnect),
        (401, PAGE, NeedsReconnect),
        (403, error("rest_cannot_publish"), NeedsReconnect),
        (403, error("rest_cannot_edit"), NeedsReconnect),
        (403, PAGE, Refused),
        (404, error("rest_no_route"), NeedsReconnect),
        (404, error("rest_post_invalid_id"), StagedLost),
        (404, PAGE, Refused),
        (408, b"", Ambiguous),
        (413, PAGE, Refused),
        (426, b"", Misconfigured),
        (429, PAGE, RateLimited),
        (301, b"", Refused),
        (500, PAGE, Ambiguous),
        (503, PAGE, Ambiguous),
        (500, error("internal_server_error"), Ambiguous),
        (200, PAGE, Ambiguous),
        (200, {}, Ambiguous),
        (200, {"id": 101}, Ambiguous),
        (200, {"id": 102, "status": "publish"}, Ambiguous),
        (200, {"id": 101, "status": "future"}, Ambiguous),
        (200, {"id": 101, "status": "pending"}, Refused),
        (200, b'<b>Warning</b>: {"id":101,"status":"publish"}', Ambiguous),
    ],
)
async def test_what_an_answer_means(server: Server, status: int, body: Any, kind: type[ProviderError]) -> None:
    server.answers(f"{POSTS}/101", Answer(status, body))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(ada(server), POST, ("101",)).publish()
    assert type(raised.value) is kind
    assert PASSWORD not in raised.value.detail
    assert BASIC not in raised.value.detail


async def test_a_limit_of_its_host_ends_when_that_says(server: Server) -> None:
    server.answers(f"{POSTS}/101", Answer(429, PAGE, {"Retry-After": "7"}), Answer(429, PAGE))
    network = connect(server.url)
    for seconds in (7, 300):
        with pytest.raises(RateLimited) as raised:
            await network.prepare(ada(server), POST, ("101",)).publish()
        assert raised.value.retry_after is not None
        assert round(raised.value.retry_after.total_seconds()) == seconds


async def test_the_publishing_call_names_the_draft_and_may_be_repeated(server: Server) -> None:
    link = f"{server.url}/2026/11/rain-without-drama-2/"
    server.answers(f"{POSTS}/101", Answer(502, PAGE), Answer(body={"id": 101, "status": "publish", "link": link}))
    network = connect(server.url)
    with pytest.raises(Ambiguous):
        await network.prepare(ada(server), POST, ("101",)).publish()
    receipt = await network.prepare(ada(server), POST, ("101",)).publish()
    assert (receipt.provider_id, receipt.permalink) == ("101", link), "with the name that the site has given it"
    for request in server.requests:
        assert (request.method, request.json) == ("POST", {"status": "publish"})
        assert request.headers["authorization"] == f"Basic {BASIC}"


async def test_a_draft_that_somebody_has_dated_ahead_goes_out_now(server: Server) -> None:
    link = f"{server.url}/rain-without-drama/"
    out = Answer(body={"id": 101, "status": "publish", "link": link})
    server.answers(f"{POSTS}/101", Answer(body={"id": 101, "status": "future"}), out)
    receipt = await connect(server.url).prepare(ada(server), POST, ("101",)).publish()
    assert receipt.permalink == link
    sent = [request.json for request in server.requests]
    assert sent == [{"status": "publish"}, {"status": "publish", "date_gmt": None}], "by the site's own clock"


async def test_a_site_that_dates_everything_ahead_keeps_a_draft_and_is_told_as_that(server: Server) -> None:
    """Left as planned, it would be shown some time, whatever was said of it here."""
    planned, draft = Answer(body={"id": 101, "status": "future"}), Answer(body={"id": 101, "status": "draft"})
    server.answers(f"{POSTS}/101", planned, planned, draft)
    with pytest.raises(Refused) as raised:
        await connect(server.url).prepare(ada(server), POST, ("101",)).publish()
    assert raised.value.code is ErrorCode.delivery_planned_by_site
    assert server.requests[-1].json == {"status": "draft"}


@pytest.mark.parametrize(
    "answers", [[Answer(503, PAGE)], [Answer(400, error("rest_invalid_param"))], [Answer(body={"id": 101})]]
)
async def test_what_is_planned_at_the_site_has_not_failed(server: Server, answers: list[Answer]) -> None:
    server.answers(f"{POSTS}/101", Answer(body={"id": 101, "status": "future"}), *answers)
    with pytest.raises(Ambiguous):
        await connect(server.url).prepare(ada(server), POST, ("101",)).publish()


async def test_an_article_that_waits_for_a_review_is_told_as_that(server: Server) -> None:
    server.answers(f"{POSTS}/101", Answer(body={"id": 101, "status": "pending"}))
    with pytest.raises(Refused) as raised:
        await connect(server.url).prepare(ada(server), POST, ("101",)).publish()
    assert raised.value.code is ErrorCode.delivery_held_for_review


async def test_an_address_elsewhere_is_no_permalink(server: Server) -> None:
    told = {"id": 101, "status": "publish", "link": "https://elsewhere.test/rain/"}
    server.answers(f"{POSTS}/101", Answer(body=told))
    receipt = await connect(server.url).prepare(ada(server), POST, ("101",)).publish()
    assert receipt.permalink == f"{server.url}/?p=101"


async def test_a_site_that_is_away_got_nothing(nowhere: str) -> None:
    to = Credentials("ada", AccountType.person, PASSWORD, nowhere)
    with pytest.raises(RetrySafe):
        await connect(nowhere).prepare(to, POST, ("101",)).publish()


def test_what_was_not_staged_is_never_published(server: Server) -> None:
    with pytest.raises(Refused) as raised:
        connect(server.url).prepare(ada(server), WITH_PICTURE, ("101",))
    assert raised.value.code is ErrorCode.delivery_image_missing


# staging


def empty(server: Server) -> None:
    """A site where nothing of ours is."""
    for path in (POSTS, MEDIA, TAGS):
        server.answers(path, Answer(body=b"[]"))
    server.answers(ME, Answer(body=PERSON))


def in_turn(*answers: Answer) -> tuple[Answer, ...]:
    """Of a path that is read before something is made there."""
    return tuple(one for answer in answers for one in (Answer(body=b"[]"), answer))


async def test_an_article_is_staged_as_a_draft_with_its_picture_and_tags(server: Server) -> None:
    empty(server)
    server.answers(MEDIA, Answer(body=b"[]"), Answer(201, {"id": 55}))
    server.answers(f"{MEDIA}/55", Answer(body={"id": 55}))
    known = json.dumps([{"id": 6, "name": "Rain &amp; wind"}, {"id": 7, "name": "Rainy"}]).encode()
    server.answers(
        TAGS,
        Answer(body=known),
        *in_turn(Answer(201, {"id": 8})),
        *in_turn(Answer(400, {**error("term_exists"), "data": {"status": 400, "term_id": 9}})),
    )
    server.answers(POSTS, Answer(body=b"[]"), Answer(201, {"id": 101, "status": "draft"}))
    tags = ("rain & Wind", "Bikes", "bikes and rain", "Bikes")
    article = replace(ARTICLE, tags=tags, categories=("3",))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    network, post = connect(server.url), replace(WITH_PICTURE, article=article)
    staged = await network.stage(ada(server), post, keep=keep)
    assert staged.refs == ("55", "101") == tuple(kept)
    upload = next(one for one in server.requests if one.body == PICTURE.data)
    assert upload.headers["content-type"] == "image/jpeg"
    assert upload.headers["content-md5"] == hashlib.md5(PICTURE.data).hexdigest()
    digest = hashlib.sha256(PICTURE.data).hexdigest()[:16]
    assert upload.headers["content-disposition"] == f'attachment; filename="rain-without-drama-{digest}.jpg"'
    assert next(one for one in server.requests if one.path.startswith(f"{MEDIA}/55")).json == {
        "alt_text": "A red bicycle"
    }
    assert server.requests[-1].json == {
        "title": "Rain without drama",
        "content": "<p>Long</p>",
        "excerpt": "Short",
        "slug": "rain-without-drama",
        "status": "draft",
        "featured_media": 55,
        "categories": [3],
        "tags": [6, 8, 9],
    }
    before = len(server.requests)
    assert (await network.stage(ada(server), post, had=("55", "101"))).refs == ("55", "101")
    assert len(server.requests) == before, "there is nothing left to do"


async def test_a_draft_whose_making_was_not_answered_is_found(server: Server) -> None:
    empty(server)
    row = {"id": 101, "status": "draft", "author": 7, "title": {"raw": "Rain without drama"}}
    server.answers(POSTS, *in_turn(Answer(drop=True)), Answer(body=json.dumps([row]).encode()))
    server.answers(f"{POSTS}/101", Answer(body={"id": 101, "status": "draft"}))
    network = connect(server.url)
    with pytest.raises(RetrySafe):
        await network.stage(ada(server), POST)
    assert (await network.stage(ada(server), POST)).refs == ("101",)
    made = [one.path for one in server.requests if (one.method, one.path.partition("?")[0]) == ("POST", POSTS)]
    assert len(made) == 1
    assert server.requests[-1].json["content"] == "<p>Long</p>", "it gets what is to be published now"
    looked = dict(parse_qsl(urlsplit(server.requests[-3].path).query))
    assert (looked["slug"], looked["status"], looked["context"]) == ("rain-without-drama", "draft", "edit")


@pytest.mark.parametrize(
    "row",
    [
        {"id": 90, "status": "draft", "author": 8, "title": {"raw": "Rain without drama"}},
        {"id": 90, "status": "draft", "author": 7, "title": {"raw": "My notes"}},
        {"id": 90, "status": "publish", "author": 7, "title": {"raw": "Rain without drama"}},
        {"id": 90, "status": "draft", "author": 7, "title": "strange"},
    ],
)
async def test_what_others_have_written_is_left_alone(server: Server, row: dict[str, Any]) -> None:
    empty(server)
    server.answers(POSTS, Answer(body=json.dumps([row]).encode()), Answer(201, {"id": 101, "status": "draft"}))
    assert (await connect(server.url).stage(ada(server), POST)).refs == ("101",)
    assert ("POST", f"{POSTS}/90") not in asked(server)


async def test_a_picture_whose_upload_was_not_answered_is_found(server: Server) -> None:
    empty(server)
    name = f"rain-without-drama-{hashlib.sha256(PICTURE.data).hexdigest()[:16]}"
    found = json.dumps([{"id": 54, "slug": "another"}, {"id": 55, "slug": name}]).encode()
    server.answers(MEDIA, *in_turn(Answer(drop=True)), Answer(body=found))
    server.answers(f"{MEDIA}/55", Answer(502, PAGE), Answer(body={"id": 55}))
    server.answers(POSTS, *in_turn(Answer(201, {"id": 101})))
    network = connect(server.url)
    for _ in range(2):  # the second time its words for those who do not see it get lost
        with pytest.raises(RetrySafe):
            await network.stage(ada(server), WITH_PICTURE)
    assert (await network.stage(ada(server), WITH_PICTURE)).refs == ("55", "101")
    assert asked(server).count(("POST", MEDIA)) == 1


IMAGE, FAILED = ErrorCode.image_refused, ErrorCode.delivery_refused


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (Answer(400, error("rest_upload_no_content_disposition")), Refused, IMAGE),
        (Answer(400, error("rest_upload_no_data")), Refused, IMAGE),
        (Answer(400, error("rest_upload_file_too_big")), Refused, IMAGE),
        (Answer(413, PAGE), Refused, IMAGE),
        (Answer(400, error("rest_cannot_create")), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
        (Answer(400, PAGE), Refused, FAILED),
        (Answer(403, PAGE), Refused, FAILED),
        (Answer(412, error("rest_upload_hash_mismatch")), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(500, error("rest_upload_unknown_error")), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(502, PAGE), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(200, PAGE), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(201, b'{"id":5'), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(429, PAGE), RateLimited, ErrorCode.rate_limited),
        (Answer(401, error("rest_not_logged_in")), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
    ],
)
async def test_what_an_upload_is_answered_is_never_unclear(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    empty(server)
    server.answers(MEDIA, Answer(body=b"[]"), answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).stage(ada(server), WITH_PICTURE)
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert asked(server).count(("POST", MEDIA)) == 1, "it is never sent twice at once"


async def test_a_picture_that_somebody_has_deleted_is_uploaded_once_more(server: Server) -> None:
    empty(server)
    server.answers(POSTS, Answer(body=b"[]"), Answer(400, error("rest_invalid_featured_media")))
    with pytest.raises(StagedLost):
        await connect(server.url).stage(ada(server), WITH_PICTURE, had=("55",))


async def test_a_site_takes_articles_alone(server: Server) -> None:
    network = connect(server.url)
    strange = (replace(ARTICLE, categories=("News",)), replace(ARTICLE, slug=""), replace(ARTICLE, title=" "), None)
    for post in (replace(POST, article=article) for article in strange):
        with pytest.raises(Refused):
            await network.stage(ada(server), post)
    assert ("POST", POSTS) not in asked(server)


@pytest.mark.parametrize(
    ("told", "clock"),
    [
        ({"gmt_offset": "5.5", "timezone_string": "Asia/Kolkata"}, ("Asia/Kolkata", timedelta(hours=5, minutes=30))),
        ({"gmt_offset": -3.5, "timezone_string": ""}, ("UTC-03:30", timedelta(hours=-3, minutes=-30))),
        ({"gmt_offset": 0, "timezone_string": ""}, ("UTC+00:00", timedelta(0))),
        ({"gmt_offset": "soon"}, ("", None)),
        ({}, ("", None)),
    ],
    ids=str,
)
async def test_a_site_tells_its_clock_and_its_zone(
    server: Server, told: dict[str, Any], clock: tuple[str, timedelta | None]
) -> None:
    date = format_datetime(datetime.now(UTC) - timedelta(minutes=20), usegmt=True)
    server.answers("/wp-json/", Answer(body=told, headers={"date": date, "age": "300"}))
    found = await connect(server.url).clock(ada(server))
    assert (found.zone, found.ahead_of_utc) == clock
    assert found.off is not None
    assert abs(found.off - timedelta(minutes=-15)) < timedelta(seconds=5), "a cache has kept it for five of them"


# what is there


@pytest.mark.parametrize(
    ("answer", "there", "absent"),
    [
        (Answer(body={"id": 101, "status": "publish", "link": ""}), True, False),
        (Answer(body={"id": 101, "status": "draft"}), False, True),
        (Answer(body={"id": 101, "status": "pending"}), False, True),
        (Answer(body={"id": 101, "status": "trash"}), False, False),
        (Answer(body={"id": 101, "status": "private"}), False, False),
        (Answer(body={"id": 101, "status": "future"}), False, True),
        (Answer(body={"id": 101}), False, False),
        (Answer(404, error("rest_post_invalid_id")), False, False),
    ],
)
async def test_whether_it_is_there_is_read_by_its_id(server: Server, answer: Answer, there: bool, absent: bool) -> None:
    server.answers(f"{POSTS}/101", answer)
    found = await connect(server.url).find(ada(server), POST, ("101",), since=SINCE)
    assert (found.receipt is not None, found.absent) == (there, absent)
    assert "context=edit" in server.requests[0].path


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(Answer(200, PAGE), RetrySafe), (Answer(503, PAGE), RetrySafe), (Answer(401, error("x")), NeedsReconnect)],
)
async def test_what_cannot_be_read_proves_nothing(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers(f"{POSTS}/101", answer)
    with pytest.raises(kind):
        await connect(server.url).find(ada(server), POST, ("101",), since=SINCE)


async def test_what_is_gone_is_deleted(server: Server) -> None:
    server.answers(
        f"{POSTS}/101",
        Answer(body={"id": 101, "status": "trash"}),
        Answer(410, error("rest_already_trashed", 410)),
        Answer(404, error("rest_post_invalid_id", 404)),
        Answer(501, error("rest_trash_not_supported", 501)),
        Answer(body={"id": 101}),
        Answer(400, PAGE),
        Answer(200, PAGE),
        Answer(403, error("rest_cannot_delete", 403)),
    )
    network = connect(server.url)
    for _ in range(4):
        await network.delete(ada(server), "101")
    assert ["force=true" in one.path for one in server.requests] == [False, False, False, False, True]
    for kind in (Refused, RetrySafe, NeedsReconnect):
        with pytest.raises(ProviderError) as raised:
            await network.delete(ada(server), "101")
        assert type(raised.value) is kind
        assert (raised.value.code is ErrorCode.removal_refused) is (kind is Refused)


async def test_what_is_there_is_changed_at_its_address(server: Server) -> None:
    empty(server)
    server.answers(
        f"{POSTS}/101", Answer(body={"id": 101, "status": "publish", "link": f"{server.url}/old-name/"}), Answer(404)
    )
    network = connect(server.url)
    receipt = await network.update(ada(server), "101", POST, wish="a1")
    assert receipt.permalink == f"{server.url}/old-name/"
    assert server.requests[-1].json == {
        "title": "Rain without drama",
        "content": "<p>Long</p>",
        "excerpt": "Short",
        "featured_media": 0,
        "categories": [],
        "tags": [],
    }
    with pytest.raises(Refused):
        await network.update(ada(server), "101", POST, wish="a1")


@pytest.mark.parametrize(
    ("address", "permalink"),
    [
        ("https://w.test/blog/2026/rain/", "https://w.test/blog/2026/rain/"),
        ("https://www.w.test/blog/rain?utm=x#top", "https://www.w.test/blog/rain"),
        ("https://w.test/blog/?p=101&preview=true", "https://w.test/blog/?p=101"),
        ("https://w.test/blog/wp-tips/", "https://w.test/blog/wp-tips/"),
        ("https://w.test/blog/", None),
        ("https://w.test/blog", None),
        ("https://w.test/blogs/rain", None),
        ("https://w.test/rain", None),
        ("https://w.test/blog/wp-admin/post.php?post=7", None),
        ("https://w.test/blog/wp-login.php", None),
        ("https://other.test/blog/rain", None),
        ("javascript://w.test/blog/rain", None),
        ("https://w.test:bad/[", None),
    ],
)
def test_an_address_leads_to_an_article_or_to_none(address: str, permalink: str | None) -> None:
    assert connect().permalink_in(address, "https://w.test/blog") == permalink


# connecting


async def test_a_user_signs_in(server: Server) -> None:
    server.answers("/wp-json/", Answer(body=INDEX))
    server.answers(ME, Answer(body=PERSON))
    network = connect(server.url)
    grant = await network.sign_in(a_form(server.url, username="ada@example.org"))
    assert (grant.access_token, grant.base_url, grant.subject) == (PASSWORD, server.url, "ada")
    [profile] = await network.profiles(grant)
    assert (profile.external_id, profile.handle, profile.name) == ("ada", "ada", "Ada L")
    first, second, third = server.requests
    assert "authorization" not in first.headers, "nobody is told a login before they are known"
    signed = base64.b64encode(f"ada@example.org:{PASSWORD}".encode()).decode()
    assert (second.headers["authorization"], third.headers["authorization"]) == (f"Basic {signed}", f"Basic {BASIC}")
    assert redact(f"{PASSWORD} {SHOWN}") == "… …", "whoever echoes it"


UNREACHABLE, A_PAGE = ErrorCode.connect_site_unreachable, ErrorCode.connect_site_answers_page
REST_OFF, LOST = ErrorCode.connect_site_rest_off, ErrorCode.connect_site_login_lost
PASSWORDS_OFF, WRONG = ErrorCode.connect_app_passwords_off, ErrorCode.connect_login_refused
MAY_NOT = ErrorCode.connect_may_not_publish


@pytest.mark.parametrize(
    ("index", "me", "code", "field"),
    [
        (Answer(drop=True), Answer(), UNREACHABLE, "site"),
        (Answer(200, PAGE), Answer(), A_PAGE, "site"),
        (Answer(503, PAGE), Answer(), A_PAGE, "site"),
        (Answer(403, PAGE), Answer(), A_PAGE, "site"),
        (Answer(body={"hello": "world"}), Answer(), A_PAGE, "site"),
        (Answer(404, PAGE), Answer(), REST_OFF, "site"),
        (Answer(404, error("rest_no_route")), Answer(), REST_OFF, "site"),
        (Answer(403, error("rest_disabled")), Answer(), REST_OFF, "site"),
        (Answer(429, PAGE), Answer(), ErrorCode.rate_limited, None),
        (Answer(body=INDEX), Answer(404, error("rest_no_route")), REST_OFF, "site"),
        (Answer(body=INDEX), Answer(200, PAGE), A_PAGE, "site"),
        (Answer(body=INDEX), Answer(403, PAGE), A_PAGE, "site"),
        (Answer(body=INDEX), Answer(302, b"", {"Location": "https://elsewhere.test/"}), A_PAGE, "site"),
        (Answer(body=INDEX), Answer(drop=True), UNREACHABLE, "site"),
        (Answer(body=INDEX), Answer(429, PAGE), ErrorCode.rate_limited, None),
        (Answer(body=INDEX), Answer(500, error("internal_server_error")), ErrorCode.provider_unavailable, None),
        (Answer(body=INDEX), Answer(401, error("rest_not_logged_in")), LOST, "site"),
        (
            Answer(body={**INDEX, "authentication": []}),
            Answer(401, error("rest_not_logged_in")),
            PASSWORDS_OFF,
            "app_password",
        ),
        (Answer(401, error("rest_login_required")), Answer(401, error("rest_not_logged_in")), LOST, "site"),
        (Answer(body=INDEX), Answer(401, error("application_passwords_disabled")), PASSWORDS_OFF, "app_password"),
        (Answer(body=INDEX), Answer(401, error("incorrect_password")), WRONG, "app_password"),
        (Answer(body=INDEX), Answer(401, error("invalid_username")), WRONG, "username"),
        (Answer(body=INDEX), Answer(401, error("invalid_email")), WRONG, "username"),
        (Answer(body=INDEX), Answer(500, error("incorrect_password")), WRONG, "app_password"),
        (Answer(body=INDEX), Answer(403, error("rest_forbidden_context")), MAY_NOT, "username"),
        (Answer(body=INDEX), Answer(body={**PERSON, "capabilities": {"edit_posts": True}}), MAY_NOT, "username"),
        (Answer(body=INDEX), Answer(body={**PERSON, "capabilities": []}), MAY_NOT, "username"),
    ],
)
async def test_a_login_that_does_not_work_says_why_at_its_field(
    server: Server, index: Answer, me: Answer, code: ErrorCode, field: str | None
) -> None:
    server.answers("/wp-json/", index)
    server.answers(ME, me)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).sign_in(a_form(server.url))
    assert (raised.value.code, raised.value.params.get("field")) == (code, field)
    assert PASSWORD not in raised.value.detail
    if any("authorization" in one.headers for one in server.requests):  # else it is none that the site knows
        assert BASIC not in raised.value.detail


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"username": ""}, "username"),
        ({"username": "ada:admin"}, "username"),
        ({"app_password": "my own p4ssword!"}, "app_password"),
        ({"app_password": f"{PASSWORD}x"}, "app_password"),
    ],
)
async def test_what_may_be_their_own_password_is_sent_nowhere(
    server: Server, typed: dict[str, str], field: str
) -> None:
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in(a_form(server.url) | typed)
    assert (raised.value.code, raised.value.params["field"]) == (WRONG, field)
    assert server.requests == []


# where a site is


@pytest.mark.parametrize(
    "typed", ["not a name", "localhost", "127.0.0.1", "http://10.0.0.7/blog", "https://[::1]/", "inside", "w.test/../x"]
)
async def test_a_site_inside_is_told_at_its_field(typed: str) -> None:
    with pytest.raises(Refused) as raised:
        await connect().sign_in(a_form(typed))
    assert (raised.value.code, raised.value.params["field"]) == (UNREACHABLE, "site")


@pytest.mark.parametrize(
    ("typed", "site"),
    [
        ("example.org", "https://example.org"),
        ("http://Example.org/", "https://example.org"),
        (" https://example.org/Blog/ ", "https://example.org/Blog"),
        ("https://example.org/blog/wp-admin/index.php", "https://example.org/blog"),
        ("https://example.org/wp-login.php?redirect_to=x", "https://example.org"),
        ("https://user@example.org", "https://example.org"),
        ("https://example.org:8443", None),
        ("ftp://example.org/a b", None),
        ("https://[", None),
        ("x" * 300 + ".org", None),
    ],
)
def test_a_site_is_known_by_its_address(typed: str, site: str | None) -> None:
    assert connect()._rest.site_of(typed) == site


async def test_a_site_whose_name_leads_inside_is_not_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is asked of the site, at signing in and later."""
    monkeypatch.setenv("NO_PROXY", "*")

    async def inside(self: Outside, url: httpx2.URL) -> list[str]:
        assert url.host == "w.test"
        raise httpx2.ConnectError("its name leads inside")

    monkeypatch.setattr(Outside, "locate", inside)
    network, to = connect(), Credentials("ada", AccountType.person, PASSWORD, "https://w.test")
    with pytest.raises(Refused) as raised:
        await network.sign_in(a_form("w.test"))
    assert raised.value.code is UNREACHABLE
    with pytest.raises(RetrySafe):
        await network.probe(to)
    prepared = network.prepare(to, POST, ("101",))
    await prepared.open()
    with pytest.raises(RetrySafe):
        await prepared.publish()


async def test_a_site_that_has_moved_is_followed_before_anybody_signs_in(server: Server, other: Server) -> None:
    server.answers("/wp-json/", Answer(301, b"", {"Location": f"{other.url}/blog/wp-json/?x=1"}))
    other.answers("/blog/wp-json/", Answer(body=INDEX))
    other.answers("/blog/wp-json/wp/v2/users/me", Answer(body=PERSON))
    grant = await connect(server.url, other.url).sign_in(a_form(server.url))
    assert grant.base_url == f"{other.url}/blog"
    assert [one.headers.get("authorization") for one in server.requests] == [None]
    assert [one.headers.get("authorization") for one in other.requests] == [None, f"Basic {BASIC}"]


async def test_of_a_page_the_site_is_taken(server: Server) -> None:
    """By plain addresses a site answers at each of its pages."""
    for page in ("/2026/rain", "/blog"):
        server.answers(f"{page}/wp-json/", Answer(404, PAGE))
        server.answers(
            f"{page}/", Answer(body={**INDEX, "home": f"{server.url}/blog" if page == "/blog" else server.url})
        )
    server.answers("/wp-json/", Answer(body={**INDEX, "home": server.url}))
    for path in (ME, "/blog/"):
        server.answers(path, Answer(body={**INDEX, **PERSON, "home": f"{server.url}/blog"}))
    network = connect(server.url)
    assert (await network.sign_in(a_form(f"{server.url}/2026/rain"))).base_url == server.url
    assert (await network.sign_in(a_form(f"{server.url}/blog"))).base_url == f"{server.url}/blog"


async def test_a_site_is_followed_three_times_at_most(server: Server, other: Server) -> None:
    for here, there in ((server, other), (other, server)):
        here.answers("/wp-json/", Answer(302, b"", {"Location": f"{there.url}/wp-json/"}))
    with pytest.raises(Refused) as raised:
        await connect(server.url, other.url).sign_in(a_form(server.url))
    assert (raised.value.code, raised.value.params["field"]) == (UNREACHABLE, "site")
    assert len(server.requests) + len(other.requests) == 4


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/wp-json/",
        "//127.0.0.1:{port}/wp-json/",
        "https://10.0.0.7/wp-json/",
        "https://167772167/wp-json/",
        "https://0x7f.1:{port}/",
        "http://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://example.org@127.0.0.1:{port}/wp-json/",
        "https://example.org:{port}/wp-json/",
        "http://example.org/wp-json/",
        "ftp://example.org/wp-json/",
        "file:///etc/passwd",
        "gopher://127.0.0.1:{port}/_GET",
        "https://127。0。0。1/",
        "https://metadata/computeMetadata/v1/",
    ],
)
async def test_a_redirect_leads_nowhere_inside(server: Server, other: Server, target: str) -> None:
    location = target.format(port=urlsplit(other.url).port)
    server.answers("/wp-json/", Answer(301, b"", {"Location": location}))
    other.answers("/wp-json/", Answer(body=INDEX))
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in(a_form(server.url))
    assert (raised.value.code, raised.value.params["field"]) == (UNREACHABLE, "site")
    assert other.requests == []


def plainly(server: Server, told: dict[str, Any]) -> Callable[[], bytes]:
    """A site with plain addresses: all of it is at one, and says by its route what is asked for."""

    def answer() -> bytes:
        query = dict(parse_qsl(urlsplit(server.requests[-1].path).query))
        return json.dumps(told.get(query.get("rest_route", ""), error("rest_no_route"))).encode()

    return answer


@pytest.mark.parametrize(
    "pretty", [Answer(404, PAGE), Answer(200, PAGE), Answer(301, b"", {"Location": "/"})], ids=["404", "200", "301"]
)
async def test_a_site_with_plain_addresses_is_asked_by_them(server: Server, pretty: Answer) -> None:
    told = {"id": 101, "status": "publish", "link": f"{server.url}/?p=101"}
    answers = {"/": INDEX, "/wp/v2/users/me": PERSON, "/wp/v2/posts/101": told}
    for path in ("/wp-json/", ME, f"{POSTS}/101"):
        server.answers(path, pretty)
    server.answers("/", Answer(body=plainly(server, answers)))
    network = connect(server.url)
    grant = await network.sign_in(a_form(server.url))
    to = Credentials("ada", AccountType.person, grant.access_token, grant.base_url)
    receipt = await network.prepare(to, POST, ("101",)).publish()
    assert receipt.permalink == f"{server.url}/?p=101"
    assert asked(server)[1:] == [("GET", "/"), ("GET", "/"), ("POST", "/")], "it is known by then"
    # a process that has begun since finds it out by asking
    assert (await connect(server.url).find(to, POST, ("101",), since=SINCE)).receipt is not None


async def test_a_process_that_knows_nothing_publishes_at_plain_addresses_too(server: Server) -> None:
    told = {"id": 101, "status": "publish", "link": ""}
    server.answers("/", Answer(body=plainly(server, {"/wp/v2/posts/101": told})))
    prepared = connect(server.url).prepare(ada(server), POST, ("101",))
    await prepared.open()
    assert (await prepared.publish()).provider_id == "101"
    await prepared.close()
    assert asked(server) == [("POST", f"{POSTS}/101"), ("POST", "/")]


async def test_a_site_may_change_to_plain_addresses(server: Server) -> None:
    server.answers(ME, Answer(body=PERSON), Answer(404, PAGE))
    server.answers("/", Answer(body=plainly(server, {"/wp/v2/users/me": PERSON})))
    network = connect(server.url)
    for _ in range(3):
        await network.probe(ada(server))
    assert asked(server) == [("GET", ME), ("GET", ME), ("GET", "/"), ("GET", "/")]


async def test_what_may_have_been_heard_is_not_asked_at_another_address(server: Server) -> None:
    for status, body in ((200, PAGE), (301, b""), (404, error("rest_no_route")), (502, PAGE)):
        server.answers(f"{POSTS}/101", Answer(status, body))
        with pytest.raises(ProviderError):
            await connect(server.url).prepare(ada(server), POST, ("101",)).publish()
    assert {path for _, path in asked(server)} == {f"{POSTS}/101"}


# what else is asked


async def test_a_password_deletes_itself(server: Server) -> None:
    passwords = f"{ME}/application-passwords"
    server.answers(f"{passwords}/introspect", Answer(body={"uuid": "a-b"}), Answer(401, error("incorrect_password")))
    server.answers(f"{passwords}/a-b", Answer(body={"deleted": True}))
    grant = Grant(PASSWORD, None, None, (), subject="ada", base_url=server.url)
    network = connect(server.url)
    for _ in range(2):  # one that has ended is no error
        await network.revoke(grant)
    assert asked(server)[1] == ("DELETE", f"{passwords}/a-b")
    for answer, kind in (
        (Answer(404, error("rest_no_route")), Refused),
        (Answer(401, error("rest_not_logged_in")), Refused),
        (Answer(503, PAGE), RetrySafe),
    ):
        server.answers(f"{passwords}/introspect", answer)
        with pytest.raises(ProviderError) as raised:
            await network.revoke(grant)
        assert type(raised.value) is kind


@pytest.mark.parametrize(
    ("may", "allowed"), [(PERSON["capabilities"], True), ({"edit_posts": True}, False), ([], False)]
)
async def test_a_site_tells_whether_its_user_may_publish(server: Server, may: object, allowed: bool) -> None:
    server.answers(ME, Answer(body={**PERSON, "capabilities": may}))
    grant = Grant(PASSWORD, None, None, (), subject="ada", base_url=server.url)
    standing = await connect(server.url).standing(grant, ada(server))
    assert (standing.missing, standing.may_post) == ((), allowed)


async def test_what_is_heard_of_a_call_holds_no_password(server: Server) -> None:
    password = "of this test alone, so nobody has concealed it"
    to = Credentials("ada", AccountType.person, password, server.url)
    packed = base64.b64encode(f"ada:{password}".encode()).decode()
    echo = {"code": "incorrect_password", "message": f"Not {password} as in {packed}"}
    server.answers(ME, Answer(401, echo))
    with record_exchanges() as heard, pytest.raises(NeedsReconnect) as raised:
        await connect(server.url).probe(to)
    told = f"{heard} {raised.value.detail}"
    assert "Not … as in …" in told
    assert password not in told
    assert packed not in told


@pytest.mark.parametrize(("pages", "asked"), [("2", 2), ("9" * 5000, 1), ("many", 1)])
async def test_a_number_of_pages_that_cannot_be_ends_the_list(server: Server, pages: str, asked: int) -> None:
    headers = {"content-type": "application/json", "x-wp-totalpages": pages}
    server.answers(f"{API}/categories", Answer(200, b'[{"id": 3, "name": "News"}]', headers))
    server.answers(TAGS, Answer(200, b"[]", headers))
    found = await connect(server.url).terms(ada(server))
    assert {category.name for category in found.categories} == {"News"}
    assert [request.path.split("?")[0] for request in server.requests].count(f"{API}/categories") == asked
