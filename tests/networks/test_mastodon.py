import json
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pytest

from core.errors import (
    Ambiguous,
    Blocked,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    StagedLost,
)
from core.networks import mastodon
from core.networks.connections import App, Credentials, Grant, OAuthFlow
from core.networks.mastodon import SCOPES, MastodonChannel, MastodonSettings
from core.networks.mastodon_limits import weigh
from core.networks.posts import Image, Outgoing
from core.networks.rules.channels import AccountType
from tests.http_server import Answer, Server

TOKEN = "a-secret-token"
TEXT = Outgoing("Hello", ())
PICTURE = Image(b"jpeg bytes", "image/jpeg", "A red bicycle")
KEY = "5f1d9c1e-key"
POSTS = "/api/v1/statuses"
NOW = "2026-11-25T10:00:00.000Z"
SINCE = datetime(2026, 11, 25, 10, 0, tzinfo=UTC)


def connect(server_url: str) -> MastodonChannel:
    return MastodonChannel(MastodonSettings(internal_servers=server_url))


def ada(server: Server) -> Credentials:
    return Credentials("ada", AccountType.person, TOKEN, server.url)


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("MASTODON_")]:
        monkeypatch.delenv(name)  # other tests point the network at its stand-in
    monkeypatch.setattr(mastodon, "FIND_WAITS", (0.0,))


async def publish(server: Server) -> None:
    await connect(server.url).prepare(ada(server), TEXT, (KEY,)).publish()


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": "The access token is invalid"}, NeedsReconnect),
        (401, {"error": "The access token was revoked"}, NeedsReconnect),
        (403, {"error": "This action is outside the authorized scopes"}, NeedsReconnect),
        (403, {"error": "Your login is currently disabled"}, Blocked),
        (404, {"error": "Record not found"}, Refused),
        (408, b"", Ambiguous),
        (410, b"", Refused),
        (422, {"error": "Validation failed: Text can't be blank"}, Refused),
        (422, b"<h1>The change you wanted was rejected</h1>", Refused),
        (426, b"", Misconfigured),
        (429, {"error": "Too many requests"}, RateLimited),
        (301, b"", Refused),
        (500, {"error": f"Echo of {TOKEN}"}, Ambiguous),
        (502, b"<h1>Bad gateway</h1>", Ambiguous),
        (503, {"error": "There was a temporary problem serving your request"}, Ambiguous),
        (200, b"<h1>Maintenance</h1>", Ambiguous),
        (200, {}, Ambiguous),
    ],
)
async def test_what_an_answer_means(server: Server, status: int, body: Any, kind: type[ProviderError]) -> None:
    server.answers(POSTS, Answer(status, body))
    with pytest.raises(ProviderError) as raised:
        await publish(server)
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({}, 300, 300),
        ({"Retry-After": "7"}, 7, 7),
        ({"X-RateLimit-Reset": "2020-01-01T00:00:00.000000Z"}, 1, 1),
        ({"X-RateLimit-Reset": "9999-01-01T00:00:00Z"}, 86400, 86400),
        ({"X-RateLimit-Reset": "soon"}, 300, 300),
    ],
)
async def test_a_limit_ends_when_its_header_says(
    server: Server, headers: dict[str, str], least: int, most: int
) -> None:
    server.answers(POSTS, Answer(429, {"error": "Too many requests"}, headers))
    with pytest.raises(RateLimited) as raised:
        await publish(server)
    assert raised.value.retry_after is not None
    assert least <= raised.value.retry_after.total_seconds() <= most


async def test_a_limit_ends_at_the_time_that_its_header_names(server: Server) -> None:
    reset = (datetime.now(UTC) + timedelta(minutes=3)).isoformat()
    server.answers(POSTS, Answer(429, {"error": "Too many requests"}, {"X-RateLimit-Reset": reset}))
    with pytest.raises(RateLimited) as raised:
        await publish(server)
    assert raised.value.retry_after is not None
    assert 60 <= raised.value.retry_after.total_seconds() <= 180


async def test_a_repeat_has_the_key_that_was_staged(server: Server) -> None:
    server.answers("/api/v2/media", Answer(202, {"id": "11", "url": None}))
    server.answers(POSTS, Answer(500, b""), Answer(body={"id": "7", "url": f"{server.url}/@ada/7"}))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    network, post, to = connect(server.url), Outgoing("Hello", (PICTURE,)), ada(server)
    staged = await network.stage(to, post, keep=keep)
    assert list(staged.refs) == kept
    assert staged.refs[0] == "11"
    with pytest.raises(Ambiguous):
        await network.prepare(to, post, staged.refs).publish()
    receipt = await network.prepare(to, post, staged.refs).publish()
    assert (receipt.provider_id, receipt.permalink) == ("7", f"{server.url}/@ada/7")
    upload, first, second = server.requests
    assert b"jpeg bytes" in upload.body
    assert b"A red bicycle" in upload.body
    assert first.headers["idempotency-key"] == second.headers["idempotency-key"] == kept[-1]
    assert first.json == {"status": "Hello", "media_ids": ["11"]}
    assert (await network.stage(to, post, had=("11", kept[-1]))).refs == staged.refs
    assert len(server.requests) == 3


async def test_an_address_elsewhere_is_no_permalink(server: Server) -> None:
    server.answers(POSTS, Answer(body={"id": "7", "url": "https://elsewhere.test/@ada/7"}))
    receipt = await connect(server.url).prepare(ada(server), TEXT, (KEY,)).publish()
    assert receipt.permalink == f"{server.url}/@ada/7"


@pytest.mark.parametrize(
    ("status", "wait", "code"),
    [
        (206, timedelta(seconds=5), None),
        (200, None, None),
        (422, None, ErrorCode.image_refused),
    ],
)
async def test_an_image_is_waited_for(
    server: Server, status: int, wait: timedelta | None, code: ErrorCode | None
) -> None:
    server.answers("/api/v1/media/11", Answer(status, b""))
    asking = connect(server.url).ready(ada(server), ("11", KEY))
    if code is None:
        assert await asking == wait
        return
    with pytest.raises(Refused) as raised:
        await asking
    assert raised.value.code is code


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(404, {"error": "Record not found"}), StagedLost),
        (Answer(401, {"error": "The access token was revoked"}), NeedsReconnect),
        (Answer(429), RateLimited),
        (Answer(503, b"<h1>Sorry</h1>"), RetrySafe),
        (Answer(drop=True), RetrySafe),
    ],
)
async def test_an_image_that_was_removed_is_uploaded_once_more_and_no_other_answer_says_that(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answers("/api/v1/media/11", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).ready(ada(server), ("11", KEY))
    assert type(raised.value) is kind


async def test_a_server_that_is_away_got_nothing(nowhere: str) -> None:
    to = Credentials("ada", AccountType.person, TOKEN, nowhere)
    with pytest.raises(RetrySafe):
        await connect(nowhere).prepare(to, TEXT, (KEY,)).publish()


def listed(server: Server, *posts: dict[str, Any], source: str = "Hello", on_a_page: int = 40) -> None:
    """Newest first, as its server pages them."""
    server.answers("/api/v1/accounts/lookup", Answer(body={"id": "1"}))

    def page() -> bytes:
        query = dict(parse_qsl(urlsplit(server.requests[-1].path).query))
        ids = [post["id"] for post in posts]
        start = ids.index(query["max_id"]) + 1 if "max_id" in query else 0
        return _json(posts[start : start + on_a_page])

    server.answers("/api/v1/accounts/1/statuses", Answer(body=page))
    for post in posts:
        server.answers(f"{POSTS}/{post['id']}/source", Answer(body={"id": post["id"], "text": source}))


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def a_post(post_id: str = "7", created_at: str = NOW, *media: str) -> dict[str, Any]:
    return {"id": post_id, "created_at": created_at, "media_attachments": [{"id": one} for one in media]}


@pytest.mark.parametrize(
    ("posts", "source", "there", "absent"),
    [
        ([a_post()], "Hello", "7", False),
        ([a_post()], " Hello\n", "7", False),
        ([a_post()], "Something else", None, True),
        ([], "", None, True),
        ([a_post(created_at="2026-11-25T09:57:00Z")], "Hello", None, True),
        ([a_post(created_at="unreadable")], "Hello", "7", False),
        ([a_post("7"), a_post("8")], "Hello", None, False),
        ([a_post("7", NOW, "11")], "Hello", None, True),
        ([a_post(str(at)) for at in range(40)], "Something else", None, True),
        ([a_post(str(at)) for at in range(160)], "Something else", None, True),
        ([a_post(str(at)) for at in range(200)], "Something else", None, False),
    ],
)
async def test_whether_it_is_there_is_read_by_its_text(
    server: Server, posts: list[dict[str, Any]], source: str, there: str | None, absent: bool
) -> None:
    listed(server, *posts, source=source)
    found = await connect(server.url).find(ada(server), TEXT, (KEY,), since=SINCE)
    assert (found.receipt and found.receipt.provider_id, found.absent) == (there, absent)


async def test_it_is_looked_for_until_a_post_is_older(server: Server) -> None:
    old = a_post("0", "2026-11-25T09:57:00Z")
    listed(server, *(a_post(str(at), NOW, "10") for at in range(60, 10, -1)), a_post("7", NOW, "11"), old, a_post("-1"))
    post = Outgoing("Hello", (PICTURE,))
    found = await connect(server.url).find(ada(server), post, ("11", KEY), since=SINCE)
    assert found.receipt is not None
    assert found.receipt.provider_id == "7"
    pages = [parse_qs(urlsplit(one.path).query).get("max_id") for one in server.requests if "/1/statuses" in one.path]
    assert pages == [None, ["21"]]


async def test_a_server_may_put_fewer_on_a_page_than_it_was_asked_for(server: Server) -> None:
    listed(server, a_post("9"), a_post("8"), a_post("7", NOW, "11"), on_a_page=2)
    found = await connect(server.url).find(ada(server), Outgoing("Hello", (PICTURE,)), ("11", KEY), since=SINCE)
    assert found.receipt is not None


async def test_a_server_that_does_not_page_proves_nothing(server: Server) -> None:
    listed(server)
    server.answers("/api/v1/accounts/1/statuses", Answer(body=_json([a_post("7", NOW, "10")])))
    found = await connect(server.url).find(ada(server), TEXT, (KEY,), since=SINCE)
    assert (found.receipt, found.absent) == (None, False)


async def test_each_text_is_asked_for_once(server: Server) -> None:
    listed(server, a_post("8"), a_post("7"), source="Something else")
    assert (await connect(server.url).find(ada(server), TEXT, (KEY,), since=SINCE)).absent
    assert sum(one.path.endswith("/source") for one in server.requests) == 2


async def test_a_post_with_images_is_known_by_them(server: Server) -> None:
    listed(server, a_post("6", NOW, "10"), a_post("7", NOW, "11"))
    post = Outgoing("Hello", (PICTURE,))
    found = await connect(server.url).find(ada(server), post, ("11", KEY), since=SINCE)
    assert found.receipt is not None
    assert found.receipt.provider_id == "7"


async def test_what_cannot_be_read_proves_nothing(server: Server) -> None:
    listed(server, a_post())
    server.answers(f"{POSTS}/7/source", Answer(503, b""))
    with pytest.raises(RetrySafe):
        await connect(server.url).find(ada(server), TEXT, (KEY,), since=SINCE)


async def test_what_is_gone_is_deleted(server: Server) -> None:
    server.answers(f"{POSTS}/7", Answer(404, b""), Answer(422, b""), Answer(401, b""))
    network = connect(server.url)
    await network.delete(ada(server), "7")
    with pytest.raises(Refused) as raised:
        await network.delete(ada(server), "7")
    assert raised.value.code is ErrorCode.removal_refused
    with pytest.raises(NeedsReconnect):
        await network.delete(ada(server), "7")


CONFIGURATION = {
    "statuses": {"max_characters": 5000, "max_media_attachments": 16, "characters_reserved_per_url": 30},
    "media_attachments": {
        "supported_mime_types": ["image/jpeg", "image/png", "image/heic", "video/mp4"],
        "image_size_limit": 1_048_576,
        "image_matrix_limit": 2_000_000,
        "video_size_limit": 50_000_000,
        "video_matrix_limit": 2_304_000,
        "video_frame_rate_limit": 60,
        "description_limit": 1500,
    },
}


async def test_what_a_server_takes_is_asked_of_it(server: Server) -> None:
    server.answers("/api/v2/instance", Answer(body={"configuration": CONFIGURATION}), Answer(404), Answer(body={}))
    network = connect(server.url)
    kept = await network.own_limits(ada(server))
    limits = network.limits_at(kept)
    assert (limits.max_characters, limits.max_images) == (5000, 16)
    assert limits.length("See https://example.org/a/very/long/address?with=more.") == 4 + 30 + 1
    assert limits.takes("image/png", 2_000_000, 1_048_575)
    assert not limits.takes("image/png", 2_000_001, 1000)
    assert not limits.takes("image/png", 1000, 1_048_576), "it has to be less"
    assert not limits.takes("image/gif", 1000, 1000)
    assert limits.video is not None
    assert (limits.video.max_bytes, limits.video.mimes) == (49_999_999, ("video/mp4",))
    assert (limits.video.max_pixels, limits.video.max_frame_rate) == (2_304_000, 60)
    assert network.limits_at(kept | {"supported_video_types": []}).video is None, "it takes none"
    assert network.limits.max_characters == 500, "elsewhere it is as before"
    for _ in range(2):
        with pytest.raises(ProviderError):
            await network.own_limits(ada(server))


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"statuses": [], "media_attachments": "none"},
        {"statuses": {"max_characters": "many", "characters_reserved_per_url": -1, "max_media_attachments": None}},
        {"statuses": {"max_characters": 0}, "media_attachments": {"image_size_limit": 0, "image_matrix_limit": True}},
        {"media_attachments": {"video_matrix_limit": "4K", "video_frame_rate_limit": 0}},
        {"media_attachments": {"supported_mime_types": [["image/png"], "\0"]}},
    ],
)
async def test_what_a_server_says_of_no_use_changes_nothing(server: Server, told: dict[str, Any]) -> None:
    server.answers("/api/v2/instance", Answer(body={"configuration": told}))
    network = connect(server.url)
    limits = network.limits_at(await network.own_limits(ada(server)))
    assert replace(limits, weigh=None) == replace(network.limits, weigh=None)
    assert limits.length("https://example.org/") == 23


async def test_a_server_that_takes_very_much_is_believed_within_bounds(server: Server) -> None:
    network = connect(server.url)
    limits = network.limits_at({"max_characters": 10**9, "image_size_limit": 10**12})
    assert (limits.max_characters, limits.max_image_bytes) == (20_000, 100_000_000)


@pytest.mark.parametrize(
    ("answer", "known"), [(Answer(body={"configuration": CONFIGURATION}), True), (Answer(503), False)]
)
async def test_whoever_connects_does_not_wait_for_what_their_server_takes(
    server: Server, answer: Answer, known: bool
) -> None:
    server.answers("/api/v1/accounts/verify_credentials", Answer(body={"id": "1", "username": "ada"}))
    server.answers("/api/v2/instance", answer)
    [profile] = await connect(server.url).profiles(Grant(TOKEN, None, None, (), base_url=server.url))
    assert (profile.external_id, profile.limits is not None) == ("ada", known)


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("Hello", 5),
        ("👩🏽‍🚒🇩🇪e\u0301", 3),
        ("See https://example.org/a/very/long/address?with=more.", 4 + 23 + 1),
        ("http://a.de", 23),
        ("Thanks @ada@mastodon.social!", len("Thanks @ada!")),
        ("a@b.example and https://x.test/@ada@other.example", len("a@b.example and ") + 23),
    ],
)
def test_length_is_as_mastodon_counts(text: str, length: int) -> None:
    assert weigh(text) == length


# connecting

APP = App("https://m.test", "id", "hush")
BACK = "https://x.test/cb/"


async def nowhere_yet(base_url: str) -> None:
    return None


async def test_it_is_registered_once_for_each_server(server: Server) -> None:
    server.answers("/api/v1/apps", Answer(body={"client_id": "id", "client_secret": "hush"}))
    server.answers("/oauth/token", Answer(body={"access_token": "of the app"}))
    network = connect(server.url)
    app = await network.register({"server": server.url}, BACK, nowhere_yet)
    assert app == App(server.url, "id", "hush")
    made, kept = server.requests
    assert made.json == {
        "client_name": "Postloom",
        "redirect_uris": BACK,
        "scopes": " ".join(SCOPES),
        "website": "https://x.test",
    }
    assert dict(parse_qsl(kept.body.decode()))["grant_type"] == "client_credentials"

    async def known(base_url: str) -> App:
        return App(base_url, "id", "hush")

    assert await network.register({"server": server.url}, BACK, known) == app
    assert [one.path for one in server.requests].count("/api/v1/apps") == 1


@pytest.mark.parametrize(
    ("answer", "is_new"),
    [
        (Answer(401, {"error": "invalid_client", "error_description": "unknown client"}), True),
        (Answer(401, b"<h1>Unauthorized</h1>"), False),
        (Answer(422, {"error": "invalid_client"}), False),
        (Answer(429, b""), False),
        (Answer(503, b""), False),
        (Answer(drop=True), False),
    ],
)
async def test_a_server_that_has_forgotten_us_is_registered_at_anew(
    server: Server, answer: Answer, is_new: bool
) -> None:
    server.answers("/oauth/token", answer, Answer(body={"access_token": "of the app"}))
    server.answers("/api/v1/apps", Answer(body={"client_id": "newer", "client_secret": "hush"}))

    async def known(base_url: str) -> App:
        return App(base_url, "older", "hush")

    app = await connect(server.url).register({"server": server.url}, BACK, known)
    assert app == App(server.url, "newer" if is_new else "older", "hush")


@pytest.mark.parametrize("answer", [Answer(404, b"<h1>No</h1>"), Answer(200, b"<h1>Hi</h1>"), Answer(302), Answer(500)])
async def test_what_is_no_server_of_its_kind_is_told_at_its_field(server: Server, answer: Answer) -> None:
    server.answers("/api/v1/apps", answer)
    with pytest.raises(Refused) as raised:
        await connect(server.url).register({"server": server.url}, BACK, nowhere_yet)
    assert (raised.value.code, raised.value.params["field"]) == (ErrorCode.connect_server_unusable, "server")


@pytest.mark.parametrize("typed", ["not a name", "127.0.0.1", "localhost", "inside"])
async def test_a_server_inside_is_told_at_its_field(server: Server, typed: str) -> None:
    with pytest.raises(Refused) as raised:
        await MastodonChannel(MastodonSettings()).register({"server": typed}, BACK, nowhere_yet)
    assert (raised.value.code, raised.value.params["field"]) == (ErrorCode.connect_server_unusable, "server")


def test_who_connects_proves_that_they_began() -> None:
    way = OAuthFlow("s&t", BACK, "v" * 64, APP)
    url = urlsplit(connect("").authorize_url(way))
    query = parse_qs(url.query)
    assert (url.netloc, url.path) == ("m.test", "/oauth/authorize")
    assert (query["code_challenge"], query["code_challenge_method"]) == ([way.challenge], ["S256"])
    assert query["scope"] == [" ".join(SCOPES)]
    assert connect("").refusal("access_denied", "") is ErrorCode.connect_denied


async def test_a_code_becomes_a_token_of_that_server(server: Server) -> None:
    way = OAuthFlow("s&t", BACK, "v" * 64, App(server.url, "id", "hush"))
    server.answers("/oauth/token", Answer(body={"access_token": TOKEN, "scope": "read write"}))
    grant = await connect(server.url).exchange(way, "code")
    assert (grant.access_token, grant.expires_at, grant.base_url) == (TOKEN, None, server.url)
    assert dict(parse_qsl(server.requests[0].body.decode()))["code_verifier"] == way.verifier


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(400, {"error": "invalid_grant"}), ErrorCode.connect_expired),
        (Answer(401, {"error": "invalid_client"}), ErrorCode.connect_failed),
        (Answer(503, b""), ErrorCode.provider_unavailable),
    ],
)
async def test_a_code_that_is_refused_says_why(server: Server, answer: Answer, code: ErrorCode) -> None:
    server.answers("/oauth/token", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).exchange(
            OAuthFlow("s", BACK, "v" * 64, App(server.url, "id", "hush")), "a-secret-code"
        )
    assert raised.value.code is code
    assert "a-secret-code" not in raised.value.detail


async def test_a_scope_that_is_missing_is_named_and_what_came_can_be_given_back(server: Server) -> None:
    server.answers("/oauth/token", Answer(body={"access_token": TOKEN, "scope": "read:accounts read"}))
    had: list[Grant] = []
    with pytest.raises(Refused) as raised:
        await connect(server.url).exchange(
            OAuthFlow("s", BACK, "v" * 64, App(server.url, "id", "hush")), "c", had.append
        )
    assert raised.value.code is ErrorCode.connect_scope_missing
    assert [(grant.access_token, grant.base_url) for grant in had] == [(TOKEN, server.url)]


async def test_a_token_is_given_back_by_the_app_that_it_was_made_for(server: Server) -> None:
    server.answers("/oauth/revoke", Answer(403, {"error": "unauthorized_client"}), Answer(body={}))
    grant = Grant(TOKEN, None, None, (), base_url=server.url)
    await connect(server.url).revoke(grant, [App(server.url, "newer", "x"), App(server.url, "older", "y")])
    assert [dict(parse_qsl(one.body.decode()))["client_id"] for one in server.requests] == ["newer", "older"]
    with pytest.raises(Refused):
        await connect(server.url).revoke(grant)


@pytest.mark.parametrize(
    ("address", "permalink"),
    [
        ("https://m.test/@ada/112", "https://m.test/@ada/112"),
        ("https://m.test/@ada@other.test/112?x#y", "https://m.test/@ada@other.test/112"),
        ("https://m.test/@ada/statuses/01ABC", "https://m.test/@ada/statuses/01ABC"),
        ("https://m.test/@ada", None),
        ("https://other.test/@ada/112", None),
        ("http://m.test/@ada/112", None),
        ("https://m.test:bad/[", None),
    ],
)
def test_an_address_leads_to_a_post_or_to_none(address: str, permalink: str | None) -> None:
    assert connect("").permalink_in(address, "https://m.test") == permalink
