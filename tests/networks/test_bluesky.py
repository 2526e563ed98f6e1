import base64
import json
import os
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Picture

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
    TokenRefused,
)
from core.networks.bluesky import CHANNEL, MAX_BYTES, MAX_GRAPHEMES, BlueskyChannel, BlueskySettings, weigh
from core.networks.bluesky_records import facets_of, new_key
from core.networks.connections import Credentials, Grant
from core.networks.posts import Image, Outgoing
from core.networks.rules.channels import AccountType, PostFacts, check
from core.texts.rules.graphemes import graphemes
from tests.http_server import Answer, Server

TOKEN, DID, KEY = "a-secret-token", "did:plc:ada", "3lbqz5xk2pc2a"
URI = f"at://{DID}/app.bsky.feed.post/{KEY}"
TEXT = Outgoing("Hello", ())
CREATE, GET, DELETE = (f"/xrpc/com.atproto.repo.{name}" for name in ("createRecord", "getRecord", "deleteRecord"))
SIGN_IN, REFRESH = "/xrpc/com.atproto.server.createSession", "/xrpc/com.atproto.server.refreshSession"


def connect(server_url: str) -> BlueskyChannel:
    return BlueskyChannel(BlueskySettings(internal_servers=server_url))


def ada(server: Server) -> Credentials:
    return Credentials(DID, AccountType.person, TOKEN, server.url)


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("BLUESKY_")]:
        monkeypatch.delenv(name)  # other tests point the network at its stand-in


def error(name: str, message: str = f"Echo of {TOKEN}") -> dict[str, Any]:
    return {"error": name, "message": message}


async def publish(server: Server) -> None:
    await connect(server.url).prepare(ada(server), TEXT, (KEY,)).publish()


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (400, error("ExpiredToken"), TokenRefused),
        (400, error("InvalidToken"), TokenRefused),
        (401, error("AuthMissing"), TokenRefused),
        (401, error("AuthenticationRequired"), TokenRefused),
        (401, error("AccountTakedown"), Blocked),
        (401, error("AccountDeactivated"), Blocked),
        (403, error("AccountNotFound"), NeedsReconnect),
        (400, error("InvalidRequest"), Refused),
        (400, error("InvalidSwap"), Refused),
        (400, error("BlobTooLarge"), Refused),
        (404, error("XRPCNotSupported"), Refused),
        (400, error("BlobNotFound"), StagedLost),
        (413, error("PayloadTooLarge"), Refused),
        (501, error("MethodNotImplemented"), Refused),
        (301, b"", Refused),
        (426, b"", Misconfigured),
        (429, error("RateLimitExceeded"), RateLimited),
        (408, b"", Ambiguous),
        (500, error("InternalServerError"), Ambiguous),
        (502, error("UpstreamFailure"), Ambiguous),
        (503, error("NotEnoughResources"), Ambiguous),
        (504, error("UpstreamTimeout"), Ambiguous),
        (502, b"<h1>Bad gateway</h1>", Ambiguous),
        (200, {}, Ambiguous),
        (200, {"uri": "at://did:plc:other/app.bsky.feed.post/3aaa"}, Ambiguous),
    ],
)
async def test_what_an_answer_means(server: Server, status: int, body: Any, kind: type[ProviderError]) -> None:
    server.answers(CREATE, Answer(status, body))
    with pytest.raises(ProviderError) as raised:
        await publish(server)
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail


@pytest.mark.parametrize(
    ("headers", "least", "most"),
    [
        ({}, 300, 300),
        ({"Retry-After": "7"}, 7, 7),
        ({"RateLimit-Reset": "1"}, 1, 1),
        ({"RateLimit-Reset": "99999999999"}, 86400, 86400),
        ({"RateLimit-Reset": "soon"}, 300, 300),
    ],
)
async def test_a_limit_ends_when_its_header_says(
    server: Server, headers: dict[str, str], least: int, most: int
) -> None:
    server.answers(CREATE, Answer(429, error("RateLimitExceeded"), headers))
    with pytest.raises(RateLimited) as raised:
        await publish(server)
    assert raised.value.retry_after is not None
    assert least <= raised.value.retry_after.total_seconds() <= most


async def test_a_limit_ends_at_the_time_that_its_header_names(server: Server) -> None:
    headers = {"RateLimit-Reset": str(int(time.time()) + 900)}
    server.answers(CREATE, Answer(429, error("RateLimitExceeded"), headers))
    with pytest.raises(RateLimited) as raised:
        await publish(server)
    assert raised.value.retry_after is not None
    assert 600 <= raised.value.retry_after.total_seconds() <= 900


def a_picture() -> Image:
    data = BytesIO()
    Picture.new("RGB", (400, 300)).save(data, "JPEG")
    return Image(data.getvalue(), "image/jpeg", "A red bicycle")


async def test_a_record_has_its_key_before_the_call_and_the_same_for_a_repeat(server: Server) -> None:
    server.answers("/xrpc/com.atproto.repo.uploadBlob", Answer(body={"blob": {"ref": {"$link": "bafk"}, "size": 1}}))
    server.answers("/xrpc/com.atproto.identity.resolveHandle", Answer(body={"did": "did:plc:jonas"}))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    network, to, picture = connect(server.url), ada(server), a_picture()
    post = Outgoing("Thanks @jonas.example", (picture,))
    staged = await network.stage(to, post, keep=keep)
    assert list(staged.refs) == kept
    assert kept[0] == f"bafk image/jpeg {len(picture.data)} 400x300"
    key = kept[1].split(" ")[0]
    uri = f"at://{DID}/app.bsky.feed.post/{key}"
    server.answers(CREATE, Answer(500, error("InternalServerError")), Answer(body={"uri": uri, "cid": "x"}))
    with pytest.raises(Ambiguous):
        await network.prepare(to, post, staged.refs).publish()
    receipt = await network.prepare(to, post, staged.refs).publish()
    assert (receipt.provider_id, receipt.permalink) == (uri, f"https://bsky.app/profile/{DID}/post/{key}")
    *_, first, second = (
        request.json for request in server.requests if request.method == "POST" and b"{" in request.body
    )
    assert first["rkey"] == second["rkey"] == key
    assert (first["repo"], first["collection"]) == (DID, "app.bsky.feed.post")
    record = first["record"]
    assert record["embed"]["images"] == [
        {
            "alt": "A red bicycle",
            "image": {"$type": "blob", "ref": {"$link": "bafk"}, "mimeType": "image/jpeg", "size": len(picture.data)},
            "aspectRatio": {"width": 400, "height": 300},
        }
    ]
    assert record["facets"][0]["features"][0]["did"] == "did:plc:jonas"
    assert abs(datetime.fromisoformat(record["createdAt"]) - datetime.now(UTC)) < timedelta(seconds=10)
    before = len(server.requests)
    assert (await network.stage(to, post, had=staged.refs)).refs == staged.refs
    assert len(server.requests) == before


async def test_a_record_says_in_which_language_it_is(server: Server) -> None:
    network = connect(server.url)
    server.answers(CREATE, Answer(body={"uri": URI, "cid": "x"}), Answer(body={"uri": URI, "cid": "x"}))
    await network.prepare(ada(server), replace(TEXT, language="de"), (KEY,)).publish()
    await network.prepare(ada(server), TEXT, (KEY,)).publish()
    told, untold = (request.json["record"] for request in server.requests)
    assert told["langs"] == ["de"]
    assert "langs" not in untold


async def test_a_server_that_is_away_got_nothing(nowhere: str) -> None:
    to = Credentials(DID, AccountType.person, TOKEN, nowhere)
    with pytest.raises(RetrySafe):
        await connect(nowhere).prepare(to, TEXT, (KEY,)).publish()


async def test_whom_nobody_knows_is_a_word(server: Server) -> None:
    server.answers("/xrpc/com.atproto.identity.resolveHandle", Answer(400, error("InvalidRequest")))
    staged = await connect(server.url).stage(ada(server), Outgoing("Hi @nobody.example", ()))
    assert " " not in staged.refs[0]
    server.answers("/xrpc/com.atproto.identity.resolveHandle", Answer(503, b""))
    with pytest.raises(RetrySafe):
        await connect(server.url).stage(ada(server), Outgoing("Hi @nobody.example", ()))


@pytest.mark.parametrize(
    ("answer", "there", "absent"),
    [
        (Answer(body={"uri": URI, "value": {}}), True, False),
        (Answer(400, error("RecordNotFound")), False, True),
    ],
)
async def test_whether_it_is_there_is_asked_by_its_key(
    server: Server, answer: Answer, there: bool, absent: bool
) -> None:
    server.answers(GET, answer)
    found = await connect(server.url).find(ada(server), TEXT, (f"{KEY} a.example=did:plc:a",), since=datetime.now(UTC))
    assert (found.receipt is not None, found.absent) == (there, absent)
    assert f"rkey={KEY}" in server.requests[0].path


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400, error("InvalidRequest")), Refused),
        (Answer(body=b"<h1>Hi</h1>"), RetrySafe),
        (Answer(400, error("ExpiredToken")), TokenRefused),
        (Answer(429, error("RateLimitExceeded")), RateLimited),
        (Answer(body=b'{"uri":"at://did:pl'), RetrySafe),
        (Answer(404, b"gone"), Refused),
        (Answer(502, b""), RetrySafe),
    ],
)
async def test_what_cannot_be_read_proves_nothing(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers(GET, answer)
    with pytest.raises(kind):
        await connect(server.url).find(ada(server), TEXT, (KEY,), since=datetime.now(UTC))


async def test_deleting_names_the_record(server: Server) -> None:
    server.answers(DELETE, Answer(body={}), Answer(400, error("InvalidRequest")), Answer(400, error("ExpiredToken")))
    network = connect(server.url)
    await network.delete(ada(server), URI)
    assert server.requests[0].json == {"repo": DID, "collection": "app.bsky.feed.post", "rkey": KEY}
    with pytest.raises(Refused) as raised:
        await network.delete(ada(server), URI)
    assert raised.value.code is ErrorCode.removal_refused
    with pytest.raises(TokenRefused):
        await network.delete(ada(server), URI)


# texts


def marked(text: str, **mentioned: str) -> list[tuple[str, str]]:
    """(what is marked, as what), read back by bytes as the network does."""
    data = text.encode()
    return [
        (
            data[one["index"]["byteStart"] : one["index"]["byteEnd"]].decode(),
            one["features"][0]["$type"].rpartition("#")[2],
        )
        for one in facets_of(text, {name.replace("_", "."): did for name, did in mentioned.items()})
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ümlaut https://example.org/ä?x=1#y.", [("https://example.org/ä?x=1#y", "link")]),
        (
            "https://example.de/blog… und www.example.de",
            [("https://example.de/blog", "link"), ("www.example.de", "link")],
        ),
        ("Jetzt: example.de/angebot #rad", [("example.de/angebot", "link"), ("#rad", "tag")]),
        ("(see https://example.org)", [("https://example.org", "link")]),
        ("https://example.org/a_(b)", [("https://example.org/a_(b)", "link")]),
        ("🌧️ #Regen, #2026 #東京 #c3po! a#b", [("#Regen", "tag"), ("#東京", "tag"), ("#c3po", "tag")]),
        ("#" + "x" * 65, []),
        ("Hi @ada.example and @nobody.example", [("@ada.example", "mention")]),
        ("mail a@ada.example", []),
        ("https://[broken #tag", [("#tag", "tag")]),
        ("👩🏽‍🚒🇩🇪 #tag", [("#tag", "tag")]),
    ],
)
def test_links_tags_and_mentions_are_marked_by_their_bytes(text: str, found: list[tuple[str, str]]) -> None:
    assert marked(text, ada_example="did:plc:ada") == found


PIECES = st.sampled_from(
    ["https://e.org/ä", "#täg", "@ada.example", "👩🏽‍🚒", "🇩🇪", "e\u0301", " ", "\n", "(", ").", "x", "#", "@"]
)


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_no_mark_cuts_a_character_or_another_mark(text: str) -> None:
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return  # halves of characters are cleaned away long before
    places = sorted(
        (one["index"]["byteStart"], one["index"]["byteEnd"]) for one in facets_of(text, {"ada.example": DID})
    )
    for start, end in places:
        assert 0 <= start < end <= len(data)
        data[start:end].decode()
    assert all(one[1] <= other[0] for one, other in zip(places, places[1:], strict=False))


@given(st.lists(PIECES, max_size=400).map("".join))
def test_what_fits_is_what_the_network_takes(text: str) -> None:
    fits = weigh(text) <= MAX_GRAPHEMES
    assert fits is (graphemes(text) <= MAX_GRAPHEMES and len(text.encode()) <= MAX_BYTES)


def test_a_family_is_one_character() -> None:
    assert graphemes("👩🏽‍🚒🇩🇪e\u0301") == 3
    assert check(PostFacts("ä" * 300), CHANNEL.limits) == []
    assert check(PostFacts("ä" * 301), CHANNEL.limits) != []
    assert check(PostFacts("👩🏽‍🚒" * 201), CHANNEL.limits) != [], "beyond 3,000 bytes"


def test_keys_are_sortable_and_each_its_own() -> None:
    keys = [new_key() for _ in range(200)]
    assert all(len(key) == 13 and key[0] in "234567abcdefghij" for key in keys)
    assert len(set(keys)) == 200
    assert sorted(key[:10] for key in keys) == [key[:10] for key in keys]


# connecting


def jwt(seconds: int) -> str:
    part = base64.urlsafe_b64encode(json.dumps({"exp": int(time.time()) + seconds}).encode()).rstrip(b"=").decode()
    return f"e30.{part}.x"


def a_session(**more: Any) -> dict[str, Any]:
    return {"accessJwt": jwt(7200), "refreshJwt": jwt(90 * 86400), "did": DID, "handle": "ada.example", **more}


def form(server: Server, **more: str) -> dict[str, str]:
    return {"handle": "@Ada.Example", "app_password": "abcd-efgh-ijkl-mnop", "host": server.url, **more}


async def test_who_signs_in_gets_tokens_with_their_ends(server: Server) -> None:
    server.answers(SIGN_IN, Answer(body=a_session()))
    grant = await connect(server.url).sign_in(form(server))
    assert (grant.subject, grant.base_url) == (DID, server.url)
    assert grant.expires_at is not None
    assert grant.refresh_expires_at is not None
    assert timedelta(hours=1) < grant.expires_at - datetime.now(UTC) < timedelta(hours=3)
    assert timedelta(days=89) < grant.refresh_expires_at - datetime.now(UTC) < timedelta(days=91)
    assert server.requests[0].json == {"identifier": "ada.example", "password": "abcd-efgh-ijkl-mnop"}


@pytest.mark.parametrize(
    ("answer", "code", "at"),
    [
        (Answer(401, error("AuthenticationRequired")), ErrorCode.connect_login_refused, "app_password"),
        (Answer(401, error("AccountTakedown")), ErrorCode.connect_login_refused, "handle"),
        (Answer(401, error("AuthFactorTokenRequired")), ErrorCode.connect_login_refused, "handle"),
        (Answer(400, error("InvalidRequest")), ErrorCode.connect_login_refused, "handle"),
        (Answer(body=a_session(active=False, status="deactivated")), ErrorCode.connect_login_refused, "handle"),
        (Answer(404, b"<h1>No</h1>"), ErrorCode.connect_server_unusable, "host"),
        (Answer(302, b""), ErrorCode.connect_server_unusable, "host"),
        (Answer(drop=True), ErrorCode.connect_server_unusable, "host"),
    ],
)
async def test_what_is_refused_stands_at_its_field(server: Server, answer: Answer, code: ErrorCode, at: str) -> None:
    server.answers(SIGN_IN, answer)
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in(form(server))
    assert (raised.value.code, raised.value.params["field"]) == (code, at)
    assert "abcd-efgh" not in raised.value.detail


@pytest.mark.parametrize(
    ("more", "at"),
    [({"app_password": "the-password-of-the-account"}, "app_password"), ({"host": "127.0.0.1"}, "host")],
)
async def test_no_password_goes_where_it_must_not(server: Server, more: dict[str, str], at: str) -> None:
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in(form(server, **more))
    assert raised.value.params["field"] == at
    assert server.requests == []


@pytest.mark.parametrize(
    ("typed", "asked"),
    [
        ("ada.example", "ada.example"),
        ("@Ada.Example/", "ada.example"),
        ("https://bsky.app/profile/ada.example", "ada.example"),
        ("bsky.app/profile/ada.example/post/3lbqz5xk2pc2a?a=b", "ada.example"),
        ("https://bsky.app/profile/did:plc:ada7", "did:plc:ada7"),
        ("at://ada.example/app.bsky.feed.post/3lbq", "ada.example"),
        ("at://did:plc:ada7", "did:plc:ada7"),
        ("Ada@Example.com", "ada@example.com"),
    ],
)
async def test_a_handle_is_understood_as_people_copy_it(server: Server, typed: str, asked: str) -> None:
    server.answers(SIGN_IN, Answer(body=a_session()))
    await connect(server.url).sign_in(form(server, handle=typed))
    assert server.requests[0].json["identifier"] == asked


async def test_a_name_alone_is_one_at_the_server(server: Server) -> None:
    server.answers(SIGN_IN, Answer(body=a_session()))
    await connect(server.url).sign_in(form(server, handle="@ada"))
    assert server.requests[0].json["identifier"] == f"ada.{server.url.removeprefix('http://')}"


@pytest.mark.parametrize("typed", ["ada bsky", "ada..example", "https://example.com", "@", "ada@", "ädä.example", "-a"])
async def test_what_is_no_handle_is_told_at_its_field(server: Server, typed: str) -> None:
    with pytest.raises(Refused) as raised:
        await connect(server.url).sign_in(form(server, handle=typed))
    assert (raised.value.code, raised.value.params["field"]) == (ErrorCode.connect_handle_malformed, "handle")
    assert server.requests == []


async def test_a_profile_is_told_also_by_a_server_that_knows_only_its_handle(server: Server) -> None:
    server.answers("/xrpc/com.atproto.server.getSession", Answer(body={"did": DID, "handle": "ada.example"}))
    server.answers("/xrpc/app.bsky.actor.getProfile", Answer(501, error("MethodNotImplemented")))
    [profile] = await connect(server.url).profiles(Grant(TOKEN, None, None, (), base_url=server.url))
    assert (profile.external_id, profile.name, profile.picture_url) == (DID, "@ada.example", None)
    assert profile.handle == "ada.example"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400, error("ExpiredToken")), NeedsReconnect),
        (Answer(401, error("AccountTakedown")), NeedsReconnect),
        (Answer(400, error("InvalidRequest")), RetrySafe),
        (Answer(503, b""), RetrySafe),
        (Answer(body=b"<h1>Hi</h1>"), RetrySafe),
        (Answer(429, error("RateLimitExceeded")), RateLimited),
    ],
)
async def test_a_refresh_that_fails_says_whether_a_person_is_needed(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answers(REFRESH, answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).refresh(Grant(TOKEN, "refreshing", None, (), subject=DID, base_url=server.url))
    assert type(raised.value) is kind


async def test_both_tokens_are_exchanged(server: Server) -> None:
    fresh = a_session()
    server.answers(REFRESH, Answer(body=fresh))
    grant = await connect(server.url).refresh(Grant(TOKEN, "refreshing", None, (), subject=DID, base_url=server.url))
    assert (grant.access_token, grant.refresh_token) == (fresh["accessJwt"], fresh["refreshJwt"])
    assert server.requests[0].headers["authorization"] == "Bearer refreshing"


@pytest.mark.parametrize(
    ("address", "permalink"),
    [
        (f"https://bsky.app/profile/ada.example/post/{KEY}", f"https://bsky.app/profile/ada.example/post/{KEY}"),
        (f"https://bsky.app/profile/{DID}/post/{KEY}?x", f"https://bsky.app/profile/{DID}/post/{KEY}"),
        ("https://bsky.app/profile/ada.example", None),
        (f"https://other.test/profile/ada.example/post/{KEY}", None),
        ("https://bsky.app:bad/[", None),
    ],
)
def test_an_address_leads_to_a_post_or_to_none(address: str, permalink: str | None) -> None:
    assert connect("").permalink_in(address) == permalink
