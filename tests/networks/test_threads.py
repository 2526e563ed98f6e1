"""What Threads answers, and what that means: consent, tokens that renew themselves, containers, topics and errors."""

import os
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr

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
    TokenRefused,
)
from core.networks import graph_calls, graph_containers
from core.networks.connections import Credentials, Grant, OAuthFlow
from core.networks.posts import Image, Outgoing
from core.networks.rules.channels import AccountType, PostFacts, check
from core.networks.rules.files import FileFacts
from core.networks.rules.links import Link
from core.networks.threads import ThreadsChannel, ThreadsSettings, topic_of
from tests.http_server import Answer, Server

TOKEN = "TH-a-secret-token"
SHOP = Credentials("26100000000000001", AccountType.person, TOKEN)
ME = "/v1.0/26100000000000001"
PICTURE = Image(b"", "image/jpeg", "A red bicycle", "https://cdn.example.org/a.jpg")
TEXT = Outgoing("Rain helps #bikes", ())
ONE, TWO = Outgoing("Rain helps #bikes", (PICTURE,)), Outgoing("Rain helps #bikes", (PICTURE, PICTURE))
NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)
WAY = OAuthFlow("state", "https://postloom.test/callback/", "v" * 64)
UNSEEN = (24, 4279009)


def connect(url: str) -> ThreadsChannel:
    return ThreadsChannel(
        ThreadsSettings(
            client_id="app",
            client_secret=SecretStr("hush"),
            dialog_url=url,
            site_url="https://www.threads.com/",
            api_url=url,
        )
    )


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("THREADS_")]:
        monkeypatch.delenv(name)  # other tests point the network at its stand-in
    monkeypatch.setattr(graph_containers, "CHILD_WAITS", (0.0, 0.0))
    monkeypatch.setattr(graph_containers, "FIND_WAIT", 0.0)
    monkeypatch.setattr(graph_calls, "MISSING_WAITS", (0.0, 0.0))


def error(code: int, subcode: int | None = None, **more: Any) -> dict[str, Any]:
    told = {} if subcode is None else {"error_subcode": subcode}
    return {"error": {"message": f"Echo of {TOKEN}", "type": "OAuthException", "code": code, **told, **more}}


def container(state: str, message: str = "") -> Answer:
    return Answer(body={"id": "C1", "status": state, **({"error_message": message} if message else {})})


def form_of(body: bytes) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(body.decode()).items()}


async def staged(server: Server, post: Outgoing) -> tuple[tuple[str, ...], list[dict[str, str]]]:
    """Return the staged ids and the parameters of each created container."""
    result = await connect(server.url).stage(SHOP, post)
    return result.refs, [form_of(one.body) for one in server.requests if one.method == "POST"]


# Consent and tokens


def test_consent_asks_for_three_permissions() -> None:
    address = urlsplit(connect("https://threads.test").authorize_url(WAY))
    query = parse_qs(address.query)
    assert (address.netloc, address.path) == ("threads.test", "/oauth/authorize")
    assert query["scope"] == ["threads_basic,threads_content_publish,threads_delete"]
    assert (query["state"], query["client_id"], query["response_type"]) == (["state"], ["app"], ["code"])


async def test_a_code_becomes_a_token_of_sixty_days_that_renews_itself(server: Server) -> None:
    server.answers("/oauth/access_token", Answer(body={"access_token": "short", "user_id": 26100000000000001}))
    server.answers("/access_token", Answer(body={"access_token": TOKEN, "token_type": "bearer"}))
    had: list[Grant] = []
    grant = await connect(server.url).exchange(WAY, "the-code#_", had.append)
    assert (grant.access_token, grant.refresh_token, grant.subject) == (TOKEN, TOKEN, "26100000000000001")
    assert grant.expires_at is not None
    assert abs(grant.expires_at - datetime.now(UTC) - timedelta(days=60)) < timedelta(minutes=1)
    assert [one.access_token for one in had] == ["short", TOKEN]
    first, second = server.requests
    assert form_of(first.body) == {
        "client_id": "app",
        "client_secret": "hush",
        "grant_type": "authorization_code",
        "redirect_uri": WAY.redirect_uri,
        "code": "the-code",
    }
    assert parse_qs(urlsplit(second.path).query) == {
        "grant_type": ["th_exchange_token"],
        "client_secret": ["hush"],
        "access_token": ["short"],
    }


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (error(100, 36009), Refused, ErrorCode.connect_used),
        (error(100, 36007), Refused, ErrorCode.connect_expired),
        (error(100, 36008), Refused, ErrorCode.connect_redirect_not_registered),
        (error(190), Refused, ErrorCode.connect_failed),
        (error(101), Misconfigured, ErrorCode.provider_misconfigured),
        (error(4), RateLimited, ErrorCode.rate_limited),
        (error(2), RetrySafe, ErrorCode.provider_unavailable),
    ],
)
async def test_a_refused_code_says_why(
    server: Server, body: dict[str, Any], kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers("/oauth/access_token", Answer(400, body))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).exchange(WAY, "the-code")
    assert (type(raised.value), raised.value.code) == (kind, code)


async def test_a_token_is_renewed_by_itself(server: Server) -> None:
    server.answers("/refresh_access_token", Answer(body={"access_token": "newer", "expires_in": 5_184_000}))
    fresh = await connect(server.url).refresh(Grant(TOKEN, TOKEN, None, (), subject="261"))
    assert (fresh.access_token, fresh.refresh_token, fresh.subject) == ("newer", "newer", "261")
    [asked] = server.requests
    assert parse_qs(urlsplit(asked.path).query) == {"grant_type": ["th_refresh_token"], "access_token": [TOKEN]}


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400, error(190, 463)), NeedsReconnect),
        (Answer(400, error(190, 459)), Blocked),
        (Answer(400, error(10)), NeedsReconnect),
        # such as a token that is younger than a day
        (Answer(400, error(100)), RetrySafe),
        (Answer(400, error(4)), RateLimited),
        (Answer(500), RetrySafe),
        (Answer(200, b"<html>"), RetrySafe),
    ],
)
async def test_only_a_clear_answer_ends_a_grant(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers("/refresh_access_token", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).refresh(Grant(TOKEN, TOKEN, None, ()))
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail


async def test_a_profile_has_a_name_or_else_its_handle(server: Server) -> None:
    me = {"id": "261", "username": "lind", "name": "Mara Lind", "threads_profile_picture_url": "https://i.test/p.jpg"}
    server.answers("/v1.0/me", Answer(body=me), Answer(body={"id": "261", "username": "lind"}))
    network, grant = connect(server.url), Grant(TOKEN, TOKEN, None, ())
    [named], [unnamed] = await network.profiles(grant), await network.profiles(grant)
    assert (named.external_id, named.name, named.handle, named.picture_url) == (
        "261",
        "Mara Lind",
        "lind",
        "https://i.test/p.jpg",
    )
    assert (unnamed.name, unnamed.picture_url) == ("@lind", None)


# Limits


@pytest.mark.parametrize(
    ("text", "length"),
    [("x" * 500, 500), ("ä東ß", 3), ("🚲" * 125, 500), ("🚲" * 126, 504), ("#1 – 5 km", 9), ("👩🏽‍🚒", 15), ("©", 2)],
)
def test_emoji_count_as_their_bytes(text: str, length: int) -> None:
    limits = ThreadsChannel.limits
    assert limits.length(text) == length
    codes = [one.code for one in check(PostFacts(text), limits)]
    assert codes == ([] if length <= 500 else [ErrorCode.content_too_long])


def test_a_post_needs_a_text_or_an_image_and_has_at_most_twenty() -> None:
    limits, image = ThreadsChannel.limits, FileFacts(1000, 1000)
    assert [one.code for one in check(PostFacts(""), limits)] == [ErrorCode.content_empty]
    assert check(PostFacts("", files=[image] * 20), limits) == []
    assert [one.code for one in check(PostFacts("", files=[image] * 21), limits)] == [ErrorCode.too_many_images]


# Containers


async def test_a_text_is_a_container_with_its_topic(server: Server) -> None:
    server.answers(f"{ME}/threads", Answer(body={"id": "C1"}))
    refs, [made] = await staged(server, TEXT)
    assert refs == ("C1",)
    assert made == {"media_type": "TEXT", "text": "Rain helps #bikes", "topic_tag": "bikes"}
    assert server.requests[0].headers["authorization"] == f"Bearer {TOKEN}"
    assert TOKEN not in server.requests[0].path


async def test_a_link_is_attached_to_a_text_alone(server: Server) -> None:
    server.answers(f"{ME}/threads", Answer(body={"id": "C1"}))
    _, [made] = await staged(server, Outgoing("Read on", (), link=Link("https://blog.example/rain")))
    assert made == {"media_type": "TEXT", "text": "Read on", "link_attachment": "https://blog.example/rain"}


async def test_an_image_is_a_container_and_several_are_a_carousel(server: Server) -> None:
    server.answers(f"{ME}/threads", *(Answer(body={"id": made}) for made in ("C0", "C1", "C2", "P1")))
    for child in ("C1", "C2"):
        server.answers(f"/v1.0/{child}", container("FINISHED"))
    refs, [one] = await staged(server, ONE)
    assert refs == ("C0", "C0")
    picture = {"media_type": "IMAGE", "image_url": "https://cdn.example.org/a.jpg", "alt_text": "A red bicycle"}
    assert one == {**picture, "text": "Rain helps #bikes", "topic_tag": "bikes"}
    refs, [_, first, second, whole] = await staged(server, TWO)
    assert refs == ("C1", "C2", "P1")
    assert first == second == {**picture, "is_carousel_item": "true"}
    assert whole == {"media_type": "CAROUSEL", "children": "C1,C2", "text": "Rain helps #bikes", "topic_tag": "bikes"}


async def test_a_staged_text_is_not_staged_again(server: Server) -> None:
    server.answers("/v1.0/C1", container("FINISHED"), container("EXPIRED"))
    server.answers(f"{ME}/threads", Answer(body={"id": "C2"}))
    network = connect(server.url)
    assert (await network.stage(SHOP, TEXT, had=("C1",))).refs == ("C1",)
    assert (await network.stage(SHOP, TEXT, had=("C1",))).refs == ("C2",)


async def test_a_refused_topic_is_left_out(server: Server) -> None:
    server.answers(f"{ME}/threads", Answer(400, error(100, 4279071)), Answer(body={"id": "C1"}))
    refs, made = await staged(server, TEXT)
    assert refs == ("C1",)
    assert [one.get("topic_tag") for one in made] == ["bikes", None]
    assert made[1]["text"] == "Rain helps #bikes"


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("Rain helps #bikes and #rain", "bikes"),
        ("#Übersee. #1", "Übersee"),
        ("No. #1 in town, https://example.org/#part", None),
        (f"#{'x' * 51} #short", "short"),
        (f"#{'x' * 50}", "x" * 50),
    ],
)
def test_the_topic_is_the_first_hashtag_that_is_short_enough(text: str, topic: str | None) -> None:
    assert topic_of(text) == topic


@pytest.mark.parametrize(
    ("answer", "comes_to"),
    [
        (container("FINISHED"), None),
        (container("PUBLISHED"), None),
        (container("IN_PROGRESS"), timedelta(seconds=20)),
        (container("EXPIRED"), StagedLost),
        (container("ERROR", "UNKNOWN"), StagedLost),
        (container("ERROR", "FAILED_DOWNLOADING_VIDEO"), ErrorCode.media_unreachable),
        (container("ERROR", "FAILED_PROCESSING_VIDEO"), ErrorCode.video_refused),
        (container("ERROR", "INVALID_ASPEC_RATIO"), ErrorCode.image_ratio_refused),
        (container("ERROR", "INVALID_BIT_RATE"), ErrorCode.video_refused),
        (container("A_NEW_WORD"), RetrySafe),
        (Answer(400, error(*UNSEEN)), RetrySafe),
        (Answer(400, error(100, 33)), RetrySafe),
        (Answer(400, error(190, 463)), TokenRefused),
        (Answer(500, b"<html>"), RetrySafe),
    ],
)
async def test_whether_a_container_is_ready_is_read(
    server: Server, answer: Answer, comes_to: timedelta | type[ProviderError] | ErrorCode | None
) -> None:
    server.answers("/v1.0/C1", answer)
    ready = connect(server.url).ready(SHOP, ("C1",))
    if isinstance(comes_to, timedelta | None):
        assert await ready == comes_to
        return
    with pytest.raises(ProviderError) as raised:
        await ready
    assert comes_to in (type(raised.value), raised.value.code)


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (error(100), Refused, ErrorCode.delivery_refused),
        (error(100, 4279047), Refused, ErrorCode.delivery_refused),
        (error(9004, 2207052), RetrySafe, ErrorCode.media_unreachable),
        (error(36003, 2207009), Refused, ErrorCode.image_ratio_refused),
        (error(1), RetrySafe, ErrorCode.provider_unavailable),
        (error(10), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
        (error(368), Blocked, ErrorCode.account_blocked),
    ],
    ids=str,
)
async def test_what_a_container_is_answered_has_its_class(
    server: Server, body: dict[str, Any], kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers(f"{ME}/threads", Answer(400, body))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).stage(SHOP, ONE)
    assert (type(raised.value), raised.value.code) == (kind, code)


# Publishing and finding


async def test_a_post_goes_out_by_its_container(server: Server) -> None:
    address = "https://www.threads.com/@lind/post/Tabc"
    server.answers(f"{ME}/threads_publish", Answer(body={"id": "180"}))
    server.answers("/v1.0/180", Answer(body={"id": "180", "permalink": address}), Answer(400, error(100, 33)))
    network = connect(server.url)
    receipt = await network.prepare(SHOP, TEXT, ("C1",)).publish()
    assert (receipt.provider_id, receipt.permalink) == ("180", address)
    assert (await network.prepare(SHOP, TEXT, ("C1",)).publish()).permalink is None
    assert form_of(server.requests[0].body) == {"creation_id": "C1"}
    with pytest.raises(Refused):
        network.prepare(SHOP, ONE, ("C1",))


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400, error(1)), Ambiguous),
        (Answer(500, error(2)), Ambiguous),
        (Answer(400, error(2, is_transient=True)), Ambiguous),
        (Answer(503), Ambiguous),
        (Answer(200, b"{}"), Ambiguous),
        (Answer(400, error(4)), RateLimited),
        (Answer(400, error(17)), RateLimited),
        (Answer(400, error(613)), RateLimited),
        (Answer(400, error(9, 2207042)), RateLimited),
        (Answer(400, error(190)), TokenRefused),
        (Answer(400, error(190, 459)), Blocked),
        (Answer(403, error(200)), NeedsReconnect),
        (Answer(400, error(10)), NeedsReconnect),
        (Answer(400, error(100)), Refused),
    ],
)
async def test_what_the_call_is_answered_has_its_class(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answers(f"{ME}/threads_publish", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(SHOP, TEXT, ("C1",)).publish()
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail


@pytest.mark.parametrize("state", ["FINISHED", "IN_PROGRESS"])
async def test_a_container_that_is_not_seen_yet_is_published_by_the_next_attempt(server: Server, state: str) -> None:
    """Threads answers so for seconds after a container is ready. A new container would begin anew."""
    server.answers(f"{ME}/threads_publish", Answer(400, error(*UNSEEN)))
    server.answers("/v1.0/C1", container(state))
    with pytest.raises(RetrySafe) as raised:
        await connect(server.url).prepare(SHOP, TEXT, ("C1",)).publish()
    assert type(raised.value) is RetrySafe


async def test_a_container_that_is_not_found_may_have_been_published(server: Server) -> None:
    server.answers(f"{ME}/threads_publish", Answer(400, error(*UNSEEN)))
    server.answers("/v1.0/C1", container("PUBLISHED"))
    assert (await connect(server.url).prepare(SHOP, TEXT, ("C1",)).publish()).provider_id is None


def posts(*rows: tuple[str, str, str]) -> Answer:
    fields = ("id", "text", "timestamp")
    return Answer(body={"data": [dict(zip(fields, row, strict=True)) for row in rows]})


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (
            posts(("1", "Rain helps #bikes", "2026-11-25T12:00:03+0000"), ("2", "Other", "2026-11-25T12:00:04+0000")),
            "1",
        ),
        # Threads shows a hashtag that became the topic without its #
        (posts(("1", "Rain helps bikes", "2026-11-25T12:00:03+0000")), "1"),
        # an older one with the same text, two of them, none, and none that can be read
        (posts(("1", "Rain helps #bikes", "2026-11-25T11:00:00+0000")), None),
        (posts(*[(at, "Rain helps #bikes", "2026-11-25T12:00:03+0000") for at in "12"]), None),
        (posts(), None),
        (Answer(500), None),
    ],
)
async def test_a_published_container_proves_the_post_which_the_list_names(
    server: Server, answer: Answer, named: str | None
) -> None:
    server.answers("/v1.0/C1", container("PUBLISHED"))
    server.answers(f"{ME}/threads", answer)
    found = await connect(server.url).find(SHOP, TEXT, ("C1",), since=NOW)
    assert found.receipt is not None
    assert found.receipt.provider_id == named


@pytest.mark.parametrize("answer", [container("FINISHED"), container("EXPIRED"), container("ERROR", "UNKNOWN")])
async def test_an_unpublished_container_proves_that_there_is_no_post(server: Server, answer: Answer) -> None:
    server.answers("/v1.0/C1", answer)
    assert (await connect(server.url).find(SHOP, TEXT, ("C1",), since=NOW)).absent


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (container("IN_PROGRESS"), RetrySafe),
        (Answer(400, error(*UNSEEN)), RetrySafe),
        (Answer(503), RetrySafe),
        (Answer(400, error(4)), RateLimited),
        (Answer(400, error(190, 460)), TokenRefused),
    ],
)
async def test_an_unreadable_container_proves_nothing(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answers("/v1.0/C1", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).find(SHOP, TEXT, ("C1",), since=NOW)
    assert type(raised.value) is kind


@pytest.mark.parametrize(("used", "pause"), [(249, None), (250, timedelta(minutes=10))])
async def test_the_quota_is_read(server: Server, used: int, pause: timedelta | None) -> None:
    row = {"quota_usage": used, "config": {"quota_total": 250, "quota_duration": 86400}}
    server.answers(f"{ME}/threads_publishing_limit", Answer(body={"data": [row]}))
    assert await connect(server.url).quota(SHOP) == pause


# Deleting


@pytest.mark.parametrize(
    "answer", [Answer(body={"success": True}), Answer(400, error(100, 33)), Answer(400, error(24))]
)
async def test_a_post_is_deleted_once(server: Server, answer: Answer) -> None:
    server.answers("/v1.0/180", answer)
    server.answers(ME, Answer(body={"id": SHOP.external_id}))
    await connect(server.url).delete(SHOP, "180")
    assert server.requests[0].method == "DELETE"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        # only the permission to delete is missing: the account can still publish
        (Answer(400, error(10)), Refused),
        (Answer(403, error(200)), Refused),
        (Answer(400, error(100)), Refused),
        (Answer(400, error(190)), TokenRefused),
        (Answer(400, error(4)), RateLimited),
        (Answer(500), RetrySafe),
    ],
)
async def test_a_refused_deletion_has_its_class(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers("/v1.0/180", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).delete(SHOP, "180")
    assert type(raised.value) is kind
    assert kind is not Refused or raised.value.code is ErrorCode.removal_refused


async def test_a_missing_post_of_an_account_that_cannot_be_read_is_not_taken_as_deleted(server: Server) -> None:
    server.answers("/v1.0/180", Answer(400, error(100, 33)))
    server.answers(ME, Answer(400, error(100, 33)))
    with pytest.raises(RoleLost):
        await connect(server.url).delete(SHOP, "180")


@pytest.mark.parametrize(
    ("address", "permalink"),
    [
        ("https://www.threads.com/@lind.co/post/Tab_-1?xmt=1", "https://www.threads.com/@lind.co/post/Tab_-1"),
        ("https://threads.net/@lind/post/Tab/", "https://www.threads.com/@lind/post/Tab"),
        ("https://www.threads.net/t/Tab", "https://www.threads.com/t/Tab"),
        ("https://www.threads.com/@lind", None),
        ("https://threads.com.evil.test/@lind/post/Tab", None),
        ("http://www.threads.net/@lind/post/Tab", None),
        ("https://[", None),
    ],
)
def test_an_address_leads_to_a_post_or_to_none(address: str, permalink: str | None) -> None:
    assert connect("http://127.0.0.1:1").permalink_in(address) == permalink
