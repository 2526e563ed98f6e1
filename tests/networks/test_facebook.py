import json
import os
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr

from core.clock import use_clock
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
    RoleLost,
    StagedLost,
)
from core.networks import facebook, graph_calls
from core.networks.connections import Credentials, Grant, OAuthFlow, TokenLife
from core.networks.facebook import FacebookChannel
from core.networks.graph import MetaSettings
from core.networks.posts import Image, Outgoing
from core.networks.rules.channels import AccountType
from tests.http_server import Answer, Server

TOKEN = "EAA-a-secret-token"
WAY = OAuthFlow("s&t", "https://x.test/cb/", "v" * 64)
PAGE = Credentials("7237", AccountType.organisation, TOKEN)
TEXT = Outgoing("Hello", ())
PICTURE = Image(b"jpeg bytes", "image/jpeg", "A red bicycle")
GRANT = Grant(TOKEN, None, None, (), subject="42")
POST = "7237_122168928356960180"
AT = f"/v26.0/{POST}"
DAY = timedelta(days=1)


def connect(server_url: str) -> FacebookChannel:
    return FacebookChannel(
        MetaSettings(
            client_id="app", client_secret=SecretStr("hush"), dialog_url=f"{server_url}/", graph_url=f"{server_url}/"
        )
    )


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("META_")]:
        monkeypatch.delenv(name)  # other tests point the network at its stand-in
    monkeypatch.setattr(facebook, "FIND_WAITS", (0.0, 0.0))
    monkeypatch.setattr(graph_calls, "MISSING_WAITS", (0.0, 0.0))


def error(code: int, subcode: int | None = None, **more: Any) -> dict[str, Any]:
    told = {} if subcode is None else {"error_subcode": subcode}
    return {"error": {"message": f"Echo of {TOKEN}", "type": "OAuthException", "code": code, **told, **more}}


HOME = "/v26.0/7237"
MISSING, HERE = Answer(400, error(100, 33)), Answer(body={"id": "7237"})


async def publish(server: Server) -> None:
    prepared = connect(server.url).prepare(PAGE, TEXT, (POST,))
    await prepared.publish()


@pytest.mark.parametrize(
    ("body", "status", "kind"),
    [
        (error(1), 500, Ambiguous),
        (error(2), 503, Ambiguous),
        (error(12345, is_transient=True), 400, Ambiguous),
        (error(1, 1363047), 400, Ambiguous),
        (error(1, 1609010), 400, Ambiguous),
        (error(4, is_transient=True), 400, RateLimited),
        (error(17), 400, RateLimited),
        (error(32), 403, RateLimited),
        (error(341), 400, RateLimited),
        (error(613), 400, RateLimited),
        (error(80001), 400, RateLimited),
        (error(80002), 400, RateLimited),
        (error(80008), 400, RateLimited),
        (error(10), 403, NeedsReconnect),
        (error(200), 403, NeedsReconnect),
        (error(299), 403, NeedsReconnect),
        (error(102), 400, NeedsReconnect),
        (error(190), 401, NeedsReconnect),
        (error(190, 458), 400, NeedsReconnect),
        (error(190, 460), 400, NeedsReconnect),
        (error(190, 463), 400, NeedsReconnect),
        (error(190, 467), 400, NeedsReconnect),
        (error(190, 492), 400, RoleLost),
        (error(190, 459), 400, Blocked),
        (error(190, 464), 400, Blocked),
        (error(368), 403, Blocked),
        (error(368, 1390008), 400, Blocked),
        (error(1, 1404078), 400, Blocked),
        (error(100, 4854002), 400, Blocked),
        (error(100), 400, Refused),
        (error(506), 400, Refused),
        (error(1, 1366046), 400, Refused),
        (error(1, 1366051), 400, StagedLost),
        (error(1, 1609008), 400, Refused),
        (error(1, 2061006), 400, Refused),
        (error(1, 1346003), 400, Refused),
        (error(1, 1404102), 400, Refused),
        (error(101), 400, Misconfigured),
        (error(5), 400, Misconfigured),
        (error(3), 400, Misconfigured),
        (error(12), 400, Misconfigured),
        (error(2500), 400, Misconfigured),
        (error(2635), 400, Misconfigured),
        (error(2635), 426, Misconfigured),
        ({}, 302, Misconfigured),
        ({}, 200, Ambiguous),
        ({"success": False}, 200, Ambiguous),
        ({"error": "new"}, 400, Refused),
        ({"error": {"code": "190"}}, 401, NeedsReconnect),
        (b"<h1>Sorry</h1>", 502, Ambiguous),
        (b'{"error":{"code":19', 400, Refused),
    ],
    ids=lambda value: str(value)[:60],
)
async def test_numbers_alone_say_what_an_answer_means(
    server: Server, body: Any, status: int, kind: type[ProviderError]
) -> None:
    server.answers(AT, Answer(status, body))
    with pytest.raises(ProviderError) as raised:
        await publish(server)
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail


async def test_a_repeat_is_told_as_one_and_a_block_as_that(server: Server) -> None:
    server.answers(AT, Answer(400, error(506)), Answer(400, error(368)))
    for code in (ErrorCode.delivery_duplicate, ErrorCode.account_blocked):
        with pytest.raises(ProviderError) as raised:
            await publish(server)
        assert raised.value.code is code


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({}, timedelta(minutes=10)),
        ({"Retry-After": "7"}, timedelta(seconds=7)),
        (
            {
                "X-Business-Use-Case-Usage": '{"7237":[{"type":"pages","estimated_time_to_regain_access":3},'
                '{"estimated_time_to_regain_access":19}]}'
            },
            timedelta(minutes=19),
        ),
        ({"X-Business-Use-Case-Usage": '{"7237":[{"estimated_time_to_regain_access":0}]}'}, timedelta(minutes=10)),
        ({"X-Business-Use-Case-Usage": '{"7237":[{"estimated_time_to_regain_access":99999999}]}'}, DAY),
        ({"X-Business-Use-Case-Usage": f'{{"7237":[{{"estimated_time_to_regain_access":1{"0" * 30}}}]}}'}, DAY),
        ({"X-Business-Use-Case-Usage": "[broken"}, timedelta(minutes=10)),
    ],
)
async def test_a_limit_ends_when_its_header_says(server: Server, headers: dict[str, str], pause: timedelta) -> None:
    server.answers(AT, Answer(400, error(80001), headers))
    with pytest.raises(RateLimited) as raised:
        await publish(server)
    assert raised.value.retry_after == pause


@pytest.mark.parametrize(
    ("facts", "life"),
    [
        ({"app_id": "app", "is_valid": True, "expires_at": 0}, TokenLife(True, None)),
        (
            {"app_id": "app", "is_valid": True, "data_access_expires_at": 1_797_000_000},
            TokenLife(True, datetime.fromtimestamp(1_797_000_000, UTC)),
        ),
        ({"is_valid": False, "error": {"code": 190, "subcode": 463}}, TokenLife(False, None)),
        ({"app_id": "app", "is_valid": False}, TokenLife(False, None)),
        # of another app, or nothing of use
        ({"is_valid": False, "error": {"code": 100}}, None),
        ({"app_id": "older", "is_valid": False, "error": {"code": 190}}, None),
        ({"is_valid": "no"}, None),
        ({}, None),
    ],
)
async def test_a_token_is_over_only_where_that_is_told(
    server: Server, facts: dict[str, Any], life: TokenLife | None
) -> None:
    server.answers("/v26.0/debug_token", Answer(body={"data": facts}))
    if life is None:
        with pytest.raises(RetrySafe):
            await connect(server.url).token_life(TOKEN)
        return
    assert await connect(server.url).token_life(TOKEN) == life
    [request] = server.requests
    assert request.headers["authorization"] == "Bearer app|hush"


@pytest.mark.parametrize("code", [4, 101, 190])
async def test_an_answer_about_us_says_nothing_of_the_token(server: Server, code: int) -> None:
    server.answers("/v26.0/debug_token", Answer(400, error(code)))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).token_life(TOKEN)
    assert not isinstance(raised.value, NeedsReconnect)
    assert TOKEN not in raised.value.detail


def business(**told: int) -> dict[str, str]:
    return {"X-Business-Use-Case-Usage": json.dumps({"7237": [{"type": "pages", **told}]})}


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        (business(call_count=100, estimated_time_to_regain_access=0), timedelta(minutes=10)),
        (business(call_count=3, total_cputime=104), timedelta(minutes=10)),
        (business(call_count=97, estimated_time_to_regain_access=19), timedelta(minutes=19)),
        ({"X-App-Usage": '{"call_count":100,"total_time":25,"total_cputime":25}'}, timedelta(minutes=10)),
        ({"X-Page-Usage": '{"call_count":12,"total_time":101,"total_cputime":25}'}, timedelta(minutes=10)),
        # of both it is the business's that holds
        ({"X-App-Usage": '{"call_count":100}', **business(call_count=40)}, None),
        (business(call_count=99, estimated_time_to_regain_access=0), None),
        ({"X-App-Usage": '{"call_count":"many"}'}, None),
        ({"X-App-Usage": "[broken"}, None),
        ({}, None),
    ],
)
async def test_no_call_is_made_that_the_network_said_it_would_refuse(
    server: Server, headers: dict[str, str], pause: timedelta | None
) -> None:
    server.answers("/v26.0/7237", Answer(body={"id": "7237"}, headers=headers))
    network, other = connect(server.url), replace(PAGE, access_token="EAA-another")
    await network.probe(PAGE)
    if pause is None:
        assert await network.quota(PAGE) is None
        await network.probe(PAGE)
        return
    with pytest.raises(RateLimited) as raised:
        await network.probe(PAGE)
    for left in (raised.value.retry_after, await network.quota(PAGE)):
        assert left is not None
        assert timedelta(0) <= pause - left < timedelta(seconds=5)
    assert len(server.requests) == 1
    assert await network.quota(other) is None
    await network.probe(other)
    with use_clock(lambda: datetime.now(UTC) + pause):
        assert await network.quota(PAGE) is None
        await network.probe(PAGE)


async def test_almost_at_its_limit_nothing_new_is_begun(server: Server) -> None:
    network = connect(server.url)
    server.answers("/v26.0/7237/photos", Answer(body={"id": "11"}, headers=business(call_count=96)))
    server.answers("/v26.0/7237/feed", Answer(body={"id": POST}))
    server.answers(AT, Answer(body={"success": True}))
    await network.stage(PAGE, replace(TEXT, images=(PICTURE,)))
    # what was begun goes on, and is not held before it is shown
    await network.stage(PAGE, replace(TEXT, images=(PICTURE, PICTURE)), had=("11",))
    assert await network.quota(PAGE) is None
    assert (await network.prepare(PAGE, TEXT, (POST,)).publish()).provider_id == POST
    asked = len(server.requests)
    with pytest.raises(RateLimited) as raised:
        await network.stage(PAGE, TEXT)
    assert raised.value.retry_after is not None
    assert timedelta(minutes=4) < raised.value.retry_after <= timedelta(minutes=5)
    assert len(server.requests) == asked


async def test_where_much_is_used_calls_are_slow(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(graph_calls, "SLOWLY", timedelta(seconds=0.2))
    answers = [Answer(body={"id": "7237"}, headers=business(call_count=used)) for used in (81, 79, 79)]
    server.answers("/v26.0/7237", *answers)
    network, took = connect(server.url), []
    for _ in range(3):
        begun = monotonic()
        await network.probe(PAGE)
        took.append(monotonic() - begun >= 0.2)
    assert took == [False, True, False]


@pytest.mark.parametrize("status", [200, 400])
async def test_the_publishing_call_tells_as_well(server: Server, status: int) -> None:
    body = {"success": True} if status == 200 else error(80001)
    server.answers(AT, Answer(status, body, business(call_count=100, estimated_time_to_regain_access=7)))
    network = connect(server.url)
    with suppress(RateLimited):
        await network.prepare(PAGE, TEXT, (POST,)).publish()
    left = await network.quota(PAGE)
    assert left is not None
    assert left > timedelta(minutes=6)
    with pytest.raises(RateLimited):
        await network.comment(PAGE, POST, "First")


async def test_a_post_is_staged_unseen_and_shown_by_one_call(server: Server) -> None:
    server.answers("/v26.0/7237/photos", Answer(body={"id": "11"}), Answer(body={"id": "12"}))
    server.answers("/v26.0/7237/feed", Answer(body={"id": POST}))
    server.answers(AT, Answer(body={"success": True}))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    network, post = connect(server.url), Outgoing("Hello", (PICTURE, PICTURE))
    staged = await network.stage(PAGE, post, keep=keep)
    assert list(staged.refs) == kept == ["11", "12", POST]
    receipt = await network.prepare(PAGE, post, staged.refs).publish()
    assert (receipt.provider_id, receipt.permalink) == (POST, f"{server.url}/{POST}")
    first, _, feed, shown = server.requests
    assert b"jpeg bytes" in first.body
    assert b"A red bicycle" in first.body
    assert feed.json == {
        "message": "Hello",
        "published": False,
        "attached_media": [{"media_fbid": "11"}, {"media_fbid": "12"}],
    }
    assert shown.json == {"is_published": True}
    assert all(TOKEN not in request.path for request in server.requests)
    assert {request.headers["authorization"] for request in server.requests} == {f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (Answer(500, error(1)), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(503, error(2)), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(400, error(1, 1363047)), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(body=b"<h1>Sorry</h1>"), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(body=b'{"id":"12'), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(drop=True), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(400, error(32)), RateLimited, ErrorCode.rate_limited),
        (Answer(400, error(190, 463)), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
        (Answer(400, error(190, 492)), RoleLost, ErrorCode.account_role_lost),
        (Answer(403, error(200)), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
        (Answer(400, error(368)), Blocked, ErrorCode.account_blocked),
        (Answer(400, error(324, 1366046)), Refused, ErrorCode.image_refused),
        (Answer(400, error(324, 2069019)), Refused, ErrorCode.image_refused),
        (Answer(400, error(324)), Refused, ErrorCode.image_refused),
        (Answer(400, error(100, 2061006)), Refused, ErrorCode.delivery_refused),
        (Answer(400, error(100, 1366051)), StagedLost, ErrorCode.staging_lost),
        (Answer(400, error(2635)), Misconfigured, ErrorCode.api_version_retired),
        (Answer(400, error(101)), Misconfigured, ErrorCode.provider_misconfigured),
        (Answer(400, error(100)), Refused, ErrorCode.delivery_refused),
    ],
    ids=lambda value: str(value)[:60],
)
@pytest.mark.parametrize("at", ["photos", "feed"])
async def test_what_staging_is_answered_is_never_unclear(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode, at: str
) -> None:
    server.answers("/v26.0/7237/photos", Answer(body={"id": "11"}))
    server.answers(f"/v26.0/7237/{at}", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).stage(PAGE, Outgoing("Hello", (PICTURE,)))
    assert (type(raised.value), raised.value.code) == (kind, code)


@pytest.mark.parametrize(
    ("photos", "text", "code"),
    [
        (5, "x" * 1_000, ErrorCode.delivery_refused),
        (4, "x" * 1_000, ErrorCode.provider_unavailable),
        (5, "x" * 999, ErrorCode.provider_unavailable),
    ],
)
async def test_many_photos_with_a_long_text_may_be_what_an_outage_is_told_for(
    server: Server, photos: int, text: str, code: ErrorCode
) -> None:
    server.answers("/v26.0/7237/feed", Answer(500, error(1)))
    had = tuple(str(at) for at in range(photos))
    with pytest.raises(RetrySafe) as raised:
        await connect(server.url).stage(PAGE, Outgoing(text, (PICTURE,) * photos), had=had)
    assert raised.value.code is code


async def test_staging_goes_on_where_it_was(server: Server) -> None:
    server.answers("/v26.0/7237/feed", Answer(body={"id": POST}))
    network, post = connect(server.url), Outgoing("Hello", (PICTURE,))
    assert (await network.stage(PAGE, post, had=("11",))).refs == ("11", POST)
    assert (await network.stage(PAGE, post, had=("11", POST))).refs == ("11", POST)
    assert len(server.requests) == 1


async def test_without_its_staged_post_nothing_is_published(server: Server) -> None:
    with pytest.raises(Refused) as raised:
        connect(server.url).prepare(PAGE, TEXT, ())
    assert raised.value.code is ErrorCode.delivery_image_missing


@pytest.mark.parametrize(
    ("answers", "there", "absent"),
    [
        ([Answer(body={"id": POST, "is_published": True, "permalink_url": "https://f.test/p/1"})], True, False),
        ([Answer(body={"id": POST, "is_published": False})], False, True),
        # a fault that passes, and one that stays
        ([MISSING, Answer(body={"id": POST, "is_published": True})], True, False),
        ([MISSING], False, False),
    ],
)
async def test_whether_it_is_there_is_read(server: Server, answers: list[Answer], there: bool, absent: bool) -> None:
    server.answers(AT, *answers)
    found = await connect(server.url).find(PAGE, TEXT, (POST,), since=datetime.now(UTC))
    assert (found.receipt is not None, found.absent) == (there, absent)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(body=b"<html>"), RetrySafe),
        (Answer(body={"id": POST, "is_published": "true"}), RetrySafe),
        (Answer(503, error(2)), RetrySafe),
        (Answer(400, error(4)), RateLimited),
        (Answer(400, error(190)), NeedsReconnect),
    ],
)
async def test_what_cannot_be_read_proves_nothing(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers(AT, answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).find(PAGE, TEXT, (POST,), since=datetime.now(UTC))
    assert type(raised.value) is kind


async def test_what_is_gone_is_deleted(server: Server) -> None:
    server.answers(HOME, HERE)
    server.answers(AT, MISSING, Answer(400, error(100)), Answer(400, error(190)))
    network = connect(server.url)
    await network.delete(PAGE, POST)
    with pytest.raises(Refused) as raised:
        await network.delete(PAGE, POST)
    assert raised.value.code is ErrorCode.removal_refused
    with pytest.raises(NeedsReconnect):
        await network.delete(PAGE, POST)


# what is said to be missing, or not to be seen by the token


async def put(network: FacebookChannel) -> None:
    await network.comment(PAGE, POST, "More")


async def look_for_it(network: FacebookChannel) -> None:
    await network.find_comment(PAGE, POST, "More", since=datetime.now(UTC))


STEPS: dict[str, tuple[str, Callable[[FacebookChannel], Awaitable[object]]]] = {
    "a photo": ("/v26.0/7237/photos", lambda network: network.stage(PAGE, Outgoing("Hello", (PICTURE,)))),
    "a post": ("/v26.0/7237/feed", lambda network: network.stage(PAGE, TEXT)),
    "a post with photos": (
        "/v26.0/7237/feed",
        lambda network: network.stage(PAGE, Outgoing("Hello", (PICTURE,)), had=("11",)),
    ),
    "publish": (AT, lambda network: network.prepare(PAGE, TEXT, (POST,)).publish()),
    "look up": (AT, lambda network: network.find(PAGE, TEXT, (POST,), since=datetime.now(UTC))),
    "delete": (AT, lambda network: network.delete(PAGE, POST)),
    "comment": (f"{AT}/comments", put),
    "look up a comment": (f"{AT}/comments", look_for_it),
    "check": (HOME, lambda network: network.probe(PAGE)),
}


@pytest.mark.parametrize(("at", "step"), STEPS.values(), ids=STEPS)
async def test_whose_token_does_not_see_its_page_connects_it_again(
    server: Server, at: str, step: Callable[[FacebookChannel], Awaitable[object]]
) -> None:
    """Of another page's, or where a person was taken off the page: nothing is wrong with the post."""
    server.answers(at, MISSING)
    server.answers(HOME, MISSING)
    with pytest.raises(RoleLost) as raised:
        await step(connect(server.url))
    assert TOKEN not in raised.value.detail
    assert sum(request.path.split("?")[0] == HOME for request in server.requests) >= 3, "one read may fail in passing"


@pytest.mark.parametrize("page", [[HERE], [MISSING, HERE], [Answer(503, b"")]], ids=["here", "in passing", "away"])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a photo", Refused),
        ("a post", Refused),
        ("a post with photos", StagedLost),
        ("publish", StagedLost),
        ("comment", Refused),
    ],
)
async def test_what_a_page_that_is_there_misses_is_what_was_staged(
    server: Server, page: list[Answer], name: str, kind: type[ProviderError]
) -> None:
    at, step = STEPS[name]
    server.answers(at, MISSING)
    server.answers(HOME, *page)
    with pytest.raises(ProviderError) as raised:
        await step(connect(server.url))
    assert type(raised.value) is kind


async def test_what_cannot_be_known_to_be_gone_is_asked_again(server: Server) -> None:
    server.answers(AT, MISSING)
    server.answers(HOME, Answer(503, b""))
    with pytest.raises(RetrySafe):
        await connect(server.url).delete(PAGE, POST)


async def test_a_page_that_is_missed_in_passing_is_there(server: Server) -> None:
    server.answers(HOME, MISSING, HERE, MISSING, Answer(503, b""))
    await connect(server.url).probe(PAGE)
    with pytest.raises(RetrySafe):
        await connect(server.url).probe(PAGE)


# connecting


def consenting(server: Server, *declined: str, granular: Any = None) -> FacebookChannel:
    token = Answer(body={"access_token": "short", "expires_in": 5400})
    longer = Answer(body={"access_token": TOKEN, "expires_in": 5183944})
    server.answers("/v26.0/oauth/access_token", token, longer)
    network = connect(server.url)
    rows = [
        {"permission": scope, "status": "declined" if scope in declined else "granted"}
        for scope in (*network.scopes, *network.wishes)
    ]
    server.answers("/v26.0/me/permissions", Answer(body={"data": rows}))
    facts = {"user_id": "42", "expires_at": 0, "data_access_expires_at": 1797000000, "granular_scopes": granular or []}
    server.answers("/v26.0/debug_token", Answer(body={"data": facts}))
    return network


async def test_a_code_becomes_a_lasting_token(server: Server) -> None:
    grant = await consenting(server, "business_management").exchange(WAY, "code")
    assert (grant.access_token, grant.subject) == (TOKEN, "42")
    assert grant.expires_at == datetime.fromtimestamp(1797000000, UTC)
    first, second, *_ = server.requests
    assert parse_qs(urlsplit(first.path).query)["redirect_uri"] == [WAY.redirect_uri]
    assert parse_qs(urlsplit(second.path).query)["fb_exchange_token"] == ["short"]


async def test_what_was_declined_is_named(server: Server) -> None:
    had: list[Grant] = []
    with pytest.raises(Refused) as raised:
        await consenting(server, "pages_manage_posts").exchange(WAY, "code", had.append)
    assert (had[-1].access_token, had[-1].subject) == (TOKEN, "42"), "to be given back"
    assert raised.value.code is ErrorCode.connect_scope_missing
    assert raised.value.params["scopes"] == "pages_manage_posts"


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (error(100, 36009), ErrorCode.connect_used),
        (error(100, 36007), ErrorCode.connect_expired),
        (error(100, 36008), ErrorCode.connect_redirect_not_registered),
        (error(100), ErrorCode.connect_failed),
        (error(190, 463), ErrorCode.connect_failed),
        (error(101), ErrorCode.provider_misconfigured),
    ],
)
async def test_a_code_that_is_refused_says_why(server: Server, body: Any, code: ErrorCode) -> None:
    server.answers("/v26.0/oauth/access_token", Answer(400, body))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).exchange(WAY, "a-secret-code")
    assert raised.value.code is code
    assert "hush" not in raised.value.detail


@pytest.mark.parametrize("at", ["oauth/access_token", "me/permissions", "debug_token", "me/accounts"])
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (Answer(500, error(2)), ErrorCode.provider_unavailable),
        (Answer(502, b"<h1>Sorry</h1>"), ErrorCode.provider_unavailable),
        (Answer(drop=True), ErrorCode.provider_unavailable),
        (Answer(400, error(4)), ErrorCode.rate_limited),
        (Answer(400, error(101)), ErrorCode.provider_misconfigured),
        (Answer(400, error(190, 463)), ErrorCode.connect_failed),
    ],
    ids=lambda value: str(value)[:60],
)
async def test_where_connecting_is_refused_on_the_way_it_says_why(
    server: Server, answer: Answer, code: ErrorCode, at: str
) -> None:
    network = consenting(server)
    server.answers("/v26.0/me/accounts", Answer(body={"data": [a_page("1", "MANAGE")]}))
    if at == "oauth/access_token":  # the second one, for a token that lasts
        server.answers(f"/v26.0/{at}", Answer(body={"access_token": "short"}), answer)
    else:
        server.answers(f"/v26.0/{at}", answer)
    with pytest.raises(ProviderError) as raised:
        await network.profiles(await network.exchange(WAY, "code"))
    assert raised.value.code is code
    assert not {"hush", "short", TOKEN} & set(raised.value.detail.split())


@pytest.mark.parametrize(
    ("seconds", "until", "ends"),
    [
        (None, 0, None),
        (5183944, None, timedelta(seconds=5183944)),
        (5183944, 0, timedelta(seconds=5183944)),
        ("soon", "never", None),
        (10**20, 10**20, None),
        (-1, -1, None),
    ],
)
async def test_an_end_that_is_not_told_is_none(
    server: Server, seconds: object, until: object, ends: timedelta | None
) -> None:
    network = consenting(server)
    lasting = Answer(body={"access_token": TOKEN, **({} if seconds is None else {"expires_in": seconds})})
    server.answers("/v26.0/oauth/access_token", Answer(body={"access_token": "short"}), lasting)
    facts = {"user_id": 42, "expires_at": 0, **({} if until is None else {"data_access_expires_at": until})}
    server.answers("/v26.0/debug_token", Answer(body={"data": facts}))
    grant = await network.exchange(WAY, "code")
    assert grant.subject is None, "not a word"
    if ends is None:
        assert grant.expires_at is None
        return
    assert grant.expires_at is not None
    assert abs(grant.expires_at - datetime.now(UTC) - ends) < timedelta(minutes=1)


@pytest.mark.parametrize(("answer", "found"), [(Answer(500), None), (Answer(400, error(4)), None), (Answer(403), 1)])
async def test_a_page_that_cannot_be_read_in_passing_is_not_left_out(
    server: Server, answer: Answer, found: int | None
) -> None:
    network = consenting(server, granular=[{"scope": "pages_show_list", "target_ids": ["1", "2"]}])
    server.answers("/v26.0/me/accounts", Answer(body={"data": [a_page("1", "MANAGE")]}))
    server.answers("/v26.0/2", answer)
    if found is not None:
        assert len(await network.profiles(GRANT)) == found
        return
    with pytest.raises(ProviderError) as raised:
        await network.profiles(GRANT)
    assert raised.value.retryable


def a_page(page_id: str, *tasks: str, token: str = "EAA-of-page") -> dict[str, Any]:
    picture = {"data": {"url": f"https://pictures.test/{page_id}"}}
    return {"id": page_id, "name": f"Page {page_id}", "access_token": token, "tasks": list(tasks), "picture": picture}


async def test_pages_are_listed_to_the_end_and_those_of_a_business_asked_for(server: Server) -> None:
    network = consenting(server, granular=[{"scope": "pages_show_list", "target_ids": ["1", "2", "3", "4"]}])
    cursors = {"cursors": {"after": "x"}, "next": "https://elsewhere.test/"}
    listed = [a_page("1", "MANAGE")], [a_page("2", "ANALYZE")]
    first = Answer(body={"data": listed[0], "paging": cursors})
    server.answers("/v26.0/me/accounts", first, Answer(body={"data": listed[1], "paging": {"cursors": {"after": "y"}}}))
    unlisted = a_page("3")
    del unlisted["tasks"]
    server.answers("/v26.0/3", Answer(body=unlisted))
    server.answers("/v26.0/4", Answer(400, error(100, 33)))
    profiles = await network.profiles(GRANT)
    assert [(one.external_id, one.name, one.access_token) for one in profiles] == [
        ("1", "Page 1", "EAA-of-page"),
        ("3", "Page 3", "EAA-of-page"),
    ]
    assert profiles[0].picture_url == "https://pictures.test/1"
    assert "after=x" in server.requests[1].path


async def test_pages_that_only_a_portfolio_tells_of_are_found(server: Server) -> None:
    network = consenting(server, granular=[{"scope": "pages_show_list"}])
    server.answers("/v26.0/me/accounts", Answer(body={"data": []}))
    server.answers("/v26.0/me/businesses", Answer(body={"data": [{"id": "77"}]}))
    server.answers("/v26.0/77/owned_pages", Answer(body={"data": [{"id": "1"}, {"id": "2"}]}))
    server.answers("/v26.0/77/client_pages", Answer(body={"data": [{"id": "3"}]}))
    server.answers("/v26.0/1", Answer(body=a_page("1", "MANAGE")))
    server.answers("/v26.0/2", Answer(body=a_page("2", "ANALYZE")))
    server.answers("/v26.0/3", Answer(body=a_page("3", "CREATE_CONTENT")))
    profiles = await network.profiles(await network.exchange(WAY, "code"))
    assert [(one.external_id, one.access_token) for one in profiles] == [("1", "EAA-of-page"), ("3", "EAA-of-page")]


async def test_a_portfolio_is_not_asked_for_without_the_permission_or_where_pages_are_named(server: Server) -> None:
    for declined, granular in (
        (("business_management",), []),
        ((), [{"scope": "pages_show_list", "target_ids": ["1"]}]),
    ):
        network = consenting(server, *declined, granular=granular)
        server.answers("/v26.0/me/accounts", Answer(body={"data": [a_page("1", "MANAGE")]}))
        assert len(await network.profiles(await network.exchange(WAY, "code"))) == 1
    assert not any("businesses" in one.path for one in server.requests)


async def test_a_portfolio_that_tells_nothing_hides_no_other_page(server: Server) -> None:
    network = consenting(server)
    server.answers("/v26.0/me/accounts", Answer(body={"data": [a_page("1", "MANAGE")]}))
    server.answers("/v26.0/me/businesses", Answer(400, error(10)))
    assert len(await network.profiles(await network.exchange(WAY, "code"))) == 1


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ([], ErrorCode.connect_no_page),
        ([a_page("1", "ANALYZE")], ErrorCode.connect_role_too_low),
        ([a_page("1", "MANAGE", token="")], ErrorCode.connect_role_too_low),
    ],
)
async def test_no_page_to_post_for_says_why(server: Server, pages: list[dict[str, Any]], code: ErrorCode) -> None:
    network = consenting(server)
    server.answers("/v26.0/me/accounts", Answer(body={"data": pages}))
    with pytest.raises(Refused) as raised:
        await network.profiles(GRANT)
    assert raised.value.code is code


async def test_it_is_given_back_by_the_app_since_tokens_of_pages_outlive_the_persons(server: Server) -> None:
    server.answers("/v26.0/42/permissions", Answer(body={"success": True}), Answer(400, error(190)))
    network = connect(server.url)
    await network.revoke(GRANT)
    await network.revoke(GRANT)
    assert {one.headers["authorization"] for one in server.requests} == {"Bearer app|hush"}


def test_who_denies_is_told_so_and_is_asked_for_all_again() -> None:
    network = connect("https://f.test")
    assert network.refusal("access_denied", "Permissions error") is ErrorCode.connect_denied
    assert network.refusal("server_error", "") is ErrorCode.connect_failed
    url = urlsplit(network.authorize_url(WAY))
    assert (url.netloc, url.path) == ("f.test", "/v26.0/dialog/oauth")
    query = parse_qs(url.query)
    assert (query["state"], query["auth_type"]) == (["s&t"], ["rerequest"])
    assert "pages_manage_posts" in query["scope"][0].split(",")


@pytest.mark.parametrize(
    ("address", "permalink"),
    [
        (f"https://www.facebook.com/{POST}", f"https://www.facebook.com/{POST}"),
        ("https://m.facebook.com/shop/posts/pfbid0abc?ref=1", "https://www.facebook.com/shop/posts/pfbid0abc"),
        ("https://www.facebook.com/shop/posts/a-title/122/", "https://www.facebook.com/shop/posts/a-title/122/"),
        ("https://www.facebook.com/permalink.php?story_fbid=122&id=7237", "https://www.facebook.com/7237_122"),
        (
            "https://www.facebook.com/permalink.php?story_fbid=pfbid0a&id=7237",
            "https://www.facebook.com/permalink.php?story_fbid=pfbid0a&id=7237",
        ),
        ("https://www.facebook.com/share/p/1AbC/", "https://www.facebook.com/share/p/1AbC/"),
        ("https://www.facebook.com/shop", None),
        ("https://facebook.com.evil.test/shop/posts/1", None),
        ("http://www.facebook.com:bad/x", None),
    ],
)
def test_an_address_leads_to_a_post_or_to_none(address: str, permalink: str | None) -> None:
    assert FacebookChannel(MetaSettings()).permalink_in(address) == permalink


async def test_what_is_asked_by_its_person_is_told_without_their_token(server: Server) -> None:
    grant = replace(GRANT, access_token="EAA-of-the-person")
    server.answers("/v26.0/7237", Answer(400, {"error": {"message": f"Echo of {grant.access_token}", "code": 100}}))
    with pytest.raises(Refused) as raised:
        await connect(server.url).may_post(grant, PAGE)
    assert "Echo of …" in raised.value.detail


def test_without_settings_it_is_not_configured() -> None:
    fresh = FacebookChannel(MetaSettings())
    assert not fresh.configured()
    with pytest.raises(Misconfigured) as raised:
        fresh.authorize_url(WAY)
    assert raised.value.code is ErrorCode.channel_not_configured
