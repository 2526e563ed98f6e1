"""What Instagram answers, and what that means: containers, quota, errors, and what becomes of an unclear call."""

import os
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pydantic import SecretStr

from core.errors import (
    Ambiguous,
    Blocked,
    ErrorCode,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    RoleLost,
    StagedLost,
)
from core.networks import graph_calls, graph_containers
from core.networks.connections import Credentials, Grant
from core.networks.graph import MetaSettings
from core.networks.instagram import InstagramChannel
from core.networks.posts import Finding, Image, Outgoing
from core.networks.rules.channels import AccountType, PostFacts, check
from core.networks.rules.files import FileFacts
from tests.http_server import Answer, Server

TOKEN = "EAA-a-secret-token"
SHOP = Credentials("17841405822304914", AccountType.organisation, TOKEN)
ME = "/v26.0/17841405822304914"
PICTURE = Image(b"", "image/jpeg", "A red bicycle", "https://cdn.example.org/a.jpg")
ONE, TWO = Outgoing("Hello #shop", (PICTURE,)), Outgoing("Hello #shop", (PICTURE, PICTURE))
REFS = ("C1", "C1")


def connect(server_url: str) -> InstagramChannel:
    return InstagramChannel(
        MetaSettings(
            client_id="app",
            client_secret=SecretStr("hush"),
            dialog_url=server_url,
            graph_url=server_url,
            instagram_url="https://www.instagram.com/",
        )
    )


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("META_")]:
        monkeypatch.delenv(name)  # other tests point the network at its stand-in
    monkeypatch.setattr(graph_containers, "CHILD_WAITS", (0.0, 0.0))
    monkeypatch.setattr(graph_containers, "FIND_WAIT", 0.0)
    monkeypatch.setattr(graph_calls, "MISSING_WAITS", (0.0, 0.0))


def error(code: int, subcode: int | None = None, **more: Any) -> dict[str, Any]:
    told = {} if subcode is None else {"error_subcode": subcode}
    return {"error": {"message": f"Echo of {TOKEN}", "type": "OAuthException", "code": code, **told, **more}}


def container(state: str, status: str = "") -> Answer:
    return Answer(body={"id": "C1", "status_code": state, "status": status})


async def kept_by(network: InstagramChannel, post: Outgoing, *had: str) -> tuple[list[str], tuple[str, ...]]:
    """(what was kept, what was staged)."""
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    staged = await network.stage(SHOP, post, had=had, keep=keep)
    return kept, staged.refs


async def test_one_picture_is_a_container_with_the_caption(server: Server) -> None:
    server.answers(f"{ME}/media", Answer(body={"id": "C1"}))
    kept, refs = await kept_by(connect(server.url), ONE)
    assert (kept, refs) == (["C1", "C1"], REFS)
    [made] = server.requests
    assert made.json == {
        "image_url": "https://cdn.example.org/a.jpg",
        "alt_text": "A red bicycle",
        "caption": "Hello #shop",
    }
    assert TOKEN not in made.path
    assert made.headers["authorization"] == f"Bearer {TOKEN}"


async def test_several_are_a_container_of_containers_once_each_is_ready(server: Server) -> None:
    server.answers(f"{ME}/media", *(Answer(body={"id": made}) for made in ("C1", "C2", "P1")))
    server.answers("/v26.0/C1", container("IN_PROGRESS"), container("FINISHED"))
    server.answers("/v26.0/C2", container("FINISHED"))
    kept, refs = await kept_by(connect(server.url), TWO)
    assert tuple(kept) == refs == ("C1", "C2", "P1")
    whole = [one.json for one in server.requests if one.method == "POST"][-1]
    assert whole == {"media_type": "CAROUSEL", "children": "C1,C2", "caption": "Hello #shop"}


async def test_what_a_model_has_made_is_said_to_be_that(server: Server) -> None:
    made = replace(PICTURE, by_model=True)
    server.answers(f"{ME}/media", *(Answer(body={"id": made}) for made in ("C0", "C1", "C2", "P1")))
    for one in ("C1", "C2"):
        server.answers(f"/v26.0/{one}", container("FINISHED"))
    await kept_by(connect(server.url), Outgoing("Hello", (made,)))
    await kept_by(connect(server.url), Outgoing("Hello", (PICTURE, made)))
    told = [one.json.get("is_ai_generated") for one in server.requests if one.method == "POST"]
    assert told == [True, None, None, True], "of several it is said of the whole"


def test_a_caption_mentions_twenty_and_has_thirty_hashtags_at_most() -> None:
    limits = InstagramChannel.limits
    images = [FileFacts(1000, 1000)]
    fits = " ".join([*(f"@friend{at}" for at in range(20)), *(f"#tag{at}" for at in range(30))])
    assert check(PostFacts(fits, images), limits) == []
    found = check(PostFacts(f"{fits} @one.more #more", images), limits)
    assert [(one.code, one.params) for one in found] == [
        (ErrorCode.too_many_hashtags, {"found": 31, "limit": 30}),
        (ErrorCode.too_many_mentions, {"found": 21, "limit": 20}),
    ]


async def test_a_picture_that_stays_in_progress_is_waited_for_by_the_next_try(server: Server) -> None:
    server.answers(f"{ME}/media", Answer(body={"id": "C1"}), Answer(body={"id": "C2"}))
    server.answers("/v26.0/C1", container("IN_PROGRESS"))
    with pytest.raises(RetrySafe):
        await kept_by(connect(server.url), TWO)


async def test_staging_goes_on_where_it_was(server: Server) -> None:
    for one in ("C1", "C2", "P1"):
        server.answers(f"/v26.0/{one}", container("FINISHED"))
    server.answers(f"{ME}/media", Answer(body={"id": "C2"}), Answer(body={"id": "P1"}))
    kept, refs = await kept_by(connect(server.url), TWO, "C1")
    assert (kept, refs) == (["C2", "P1"], ("C1", "C2", "P1"))
    assert (await kept_by(connect(server.url), TWO, "C1", "C2", "P1"))[1] == ("C1", "C2", "P1")


@pytest.mark.parametrize("ended", ["C1", "C2", "P1"])
async def test_no_picture_takes_the_place_of_one_whose_container_has_ended(server: Server, ended: str) -> None:
    """A carousel begins anew: what is stored of it is a list in the order of its pictures."""
    for one in ("C1", "C2", "P1"):
        server.answers(f"/v26.0/{one}", container("EXPIRED" if one == ended else "FINISHED"))
    server.answers(f"{ME}/media", Answer(body={"id": "C3"}), Answer(body={"id": "P2"}))
    with pytest.raises(StagedLost):
        await kept_by(connect(server.url), TWO, "C1", "C2", "P1")
    assert [one for one in server.requests if one.method == "POST"] == []


@pytest.mark.parametrize(
    ("answer", "comes_to"),
    [
        (container("FINISHED"), None),
        (container("PUBLISHED"), None),
        (container("IN_PROGRESS"), timedelta(seconds=20)),
        (container("EXPIRED"), StagedLost),
        (container("ERROR", "Error: Media upload has failed with error code 2207053"), StagedLost),
        (container("ERROR", "2207009: The aspect ratio is not supported"), Refused),
        (container("A_NEW_WORD"), RetrySafe),
        (Answer(body={"id": "C1"}), RetrySafe),
        (Answer(body=b'{"id":"C1","status_code":"FINI'), RetrySafe),
        (Answer(400, error(100, 33)), RetrySafe),
        (Answer(400, error(190, 463)), NeedsReconnect),
        (Answer(500, b"<html>"), RetrySafe),
    ],
)
async def test_whether_it_is_ready_is_read(
    server: Server, answer: Answer, comes_to: timedelta | type[ProviderError] | None
) -> None:
    server.answers("/v26.0/C1", answer)
    if isinstance(comes_to, type):
        with pytest.raises(comes_to):
            await connect(server.url).ready(SHOP, REFS)
    else:
        assert await connect(server.url).ready(SHOP, REFS) == comes_to


async def test_what_a_container_says_is_told_without_the_token(server: Server) -> None:
    for number, kind in ((2207009, Refused), (2207053, StagedLost)):
        server.answers("/v26.0/C1", container("ERROR", f"{number}: {'not fetched ' * 23}by {TOKEN}"))
        with pytest.raises(kind) as raised:
            await connect(server.url).ready(SHOP, REFS)
        assert str(number) in raised.value.detail
        assert TOKEN[:6] not in raised.value.detail


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (error(-1, 2207001), Ambiguous),
        (error(1), Ambiguous),
        (error(4, 2207051), Blocked),
        (error(25, 2207050), Blocked),
        (error(9, 2207042), RateLimited),
        (error(80002), RateLimited),
        (error(24, 2207006), StagedLost),
        (error(24, 2207008), StagedLost),
        (error(-2, 2207020), StagedLost),
        (error(9007, 2207027), RetrySafe),
        (error(190, 460), NeedsReconnect),
        (error(200), NeedsReconnect),
        (error(36004, 2207010), Refused),
        (error(100, 2207028), Refused),
        (error(352, 2207026), Refused),
    ],
    ids=str,
)
async def test_what_the_call_is_answered_has_its_class(
    server: Server, body: dict[str, Any], kind: type[ProviderError]
) -> None:
    server.answers(f"{ME}/media_publish", Answer(400, body))
    server.answers("/v26.0/C1", container("FINISHED"))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(SHOP, ONE, REFS).publish()
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail


@pytest.mark.parametrize(
    ("body", "kind", "code"),
    [
        (error(-2, 2207003), StagedLost, ErrorCode.staging_lost),
        (error(-1, 2207053), StagedLost, ErrorCode.staging_lost),
        (error(-1, 2207001), RetrySafe, ErrorCode.provider_unavailable),
        (error(9004, 2207052), RetrySafe, ErrorCode.media_unreachable),
        (error(36000, 2207004), Refused, ErrorCode.image_refused),
        (error(36001, 2207005), Refused, ErrorCode.image_refused),
        (error(36003, 2207009), Refused, ErrorCode.image_ratio_refused),
        (error(36004, 2207010), Refused, ErrorCode.delivery_refused),
        (error(9, 2207042), RateLimited, ErrorCode.rate_limited),
    ],
    ids=str,
)
async def test_what_a_container_is_answered_has_its_class(
    server: Server, body: dict[str, Any], kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers(f"{ME}/media", Answer(400, body))
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).stage(SHOP, ONE)
    assert (type(raised.value), raised.value.code) == (kind, code)


async def test_a_post_goes_out_with_its_address_and_without_where_that_cannot_be_read(server: Server) -> None:
    address = "https://www.instagram.com/p/Cabc/"
    server.answers(f"{ME}/media_publish", Answer(body={"id": "179"}))
    server.answers("/v26.0/179", Answer(body={"id": "179", "permalink": address}), Answer(400, error(100, 33)))
    network = connect(server.url)
    receipt = await network.prepare(SHOP, ONE, REFS).publish()
    assert (receipt.provider_id, receipt.permalink) == ("179", address)
    assert (await network.prepare(SHOP, ONE, REFS).publish()).permalink is None
    assert server.requests[0].json == {"creation_id": "C1"}


async def test_blocked_is_no_failure_where_the_post_is_out_all_the_same(server: Server) -> None:
    server.answers(f"{ME}/media_publish", Answer(403, error(4, 2207051)))
    server.answers("/v26.0/C1", container("PUBLISHED"))
    receipt = await connect(server.url).prepare(SHOP, ONE, REFS).publish()
    assert (receipt.provider_id, receipt.rest) == (None, timedelta(hours=2)), "and the account is left alone"


@pytest.mark.parametrize("subcode", [2207006, 2207008, 2207020, 2207032])
async def test_a_container_that_is_said_to_be_gone_may_have_been_published_and_is_not_made_anew_then(
    server: Server, subcode: int
) -> None:
    server.answers(f"{ME}/media_publish", Answer(400, error(24, subcode)))
    server.answers("/v26.0/C1", container("PUBLISHED"))
    assert (await connect(server.url).prepare(SHOP, ONE, REFS).publish()).provider_id is None


@pytest.mark.parametrize(
    "answer",
    [
        Answer(500, error(1)),
        Answer(503, error(2)),
        Answer(400, error(2, is_transient=True)),
        Answer(400, error(-1, 2207001)),
    ],
    ids=["unknown", "away", "passing", "their own fault"],
)
async def test_what_passes_while_a_container_is_made_is_tried_again_and_unclear_once_it_is_published(
    server: Server, answer: Answer
) -> None:
    for at in ("media", "media_publish"):
        server.answers(f"{ME}/{at}", answer)
    with pytest.raises(RetrySafe) as raised:
        await connect(server.url).stage(SHOP, ONE)
    assert raised.value.code is ErrorCode.provider_unavailable
    with pytest.raises(Ambiguous):
        await connect(server.url).prepare(SHOP, ONE, REFS).publish()


MISSING = Answer(400, error(100, 33))


async def look_for_it(network: InstagramChannel) -> None:
    await network.find(SHOP, ONE, REFS, since=NOW)


STEPS: dict[str, tuple[str, Callable[[InstagramChannel], Awaitable[object]]]] = {
    "stage": (f"{ME}/media", lambda network: network.stage(SHOP, ONE)),
    "ready": ("/v26.0/C1", lambda network: network.ready(SHOP, REFS)),
    "quota": (f"{ME}/content_publishing_limit", lambda network: network.quota(SHOP)),
    "publish": (f"{ME}/media_publish", lambda network: network.prepare(SHOP, ONE, REFS).publish()),
    "look up": ("/v26.0/C1", look_for_it),
}


@pytest.mark.parametrize(("at", "step"), STEPS.values(), ids=STEPS)
async def test_whose_token_does_not_see_its_account_connects_it_again(
    server: Server, at: str, step: Callable[[InstagramChannel], Awaitable[object]]
) -> None:
    server.answers(at, MISSING)
    server.answers(ME, MISSING)
    with pytest.raises(RoleLost):
        await step(connect(server.url))


async def test_a_container_that_is_missing_is_made_anew_unless_it_went_out(server: Server) -> None:
    server.answers(f"{ME}/media_publish", MISSING)
    server.answers(ME, Answer(body={"id": "178"}))
    server.answers("/v26.0/C1", container("EXPIRED"), container("PUBLISHED"))
    with pytest.raises(StagedLost):
        await connect(server.url).prepare(SHOP, ONE, REFS).publish()
    assert (await connect(server.url).prepare(SHOP, ONE, REFS).publish()).provider_id is None


NOW = datetime(2026, 11, 25, 12, tzinfo=UTC)


def of_account(*rows: tuple[str, str, str]) -> Answer:
    fields = ("id", "caption", "timestamp")
    return Answer(body={"data": [dict(zip(fields, row, strict=True)) for row in rows]})


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        (of_account(("1", "Hello #shop", "2026-11-25T12:00:03+0000"), ("2", "Other", "2026-11-25T12:00:04+0000")), "1"),
        # an older one that says the same, two of them, none, and none that can be read
        (of_account(("1", "Hello #shop", "2026-11-25T11:00:00+0000")), None),
        (of_account(*[(at, "Hello #shop", "2026-11-25T12:00:03+0000") for at in "12"]), None),
        (of_account(), None),
        (Answer(500), None),
    ],
)
async def test_what_is_published_is_there_named_or_not(server: Server, answer: Answer, named: str | None) -> None:
    server.answers("/v26.0/C1", container("PUBLISHED"))
    server.answers(f"{ME}/media", answer)
    found = await connect(server.url).find(SHOP, ONE, REFS, since=NOW)
    assert found.receipt is not None
    assert found.receipt.provider_id == named


@pytest.mark.parametrize("state", ["FINISHED", "ERROR", "EXPIRED"])
async def test_what_is_not_published_is_proved_not_to_be(server: Server, state: str) -> None:
    server.answers("/v26.0/C1", container(state))
    assert (await connect(server.url).find(SHOP, ONE, REFS, since=NOW)).absent


@pytest.mark.parametrize("subcode", [2207006, 2207008])
async def test_a_container_that_cannot_be_read_proves_nothing(server: Server, subcode: int) -> None:
    server.answers("/v26.0/C1", Answer(400, error(24, subcode)))
    assert await connect(server.url).find(SHOP, ONE, REFS, since=NOW) == Finding()


async def test_only_two_reads_say_that_it_is_not_there(server: Server) -> None:
    server.answers("/v26.0/C1", container("FINISHED"), container("PUBLISHED"))
    server.answers(f"{ME}/media", of_account())
    assert (await connect(server.url).find(SHOP, ONE, REFS, since=NOW)).receipt is not None


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (container("IN_PROGRESS"), RetrySafe),
        (container("A_NEW_WORD"), RetrySafe),
        (Answer(400, error(100, 33)), RetrySafe),
        (Answer(503), RetrySafe),
        (Answer(400, error(4)), RateLimited),
        (Answer(400, error(190, 460)), NeedsReconnect),
        (Answer(400, error(10)), NeedsReconnect),
    ],
)
async def test_what_cannot_be_read_proves_nothing(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers("/v26.0/C1", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).find(SHOP, ONE, REFS, since=NOW)
    assert type(raised.value) is kind


@pytest.mark.parametrize(
    ("child", "kind", "code"),
    [
        (container("ERROR", "2207032"), StagedLost, ErrorCode.staging_lost),
        (container("EXPIRED"), StagedLost, ErrorCode.staging_lost),
        (container("ERROR", "2207009: The aspect ratio is not supported"), Refused, ErrorCode.image_ratio_refused),
        (container("ERROR", "2207005: The format is not supported"), Refused, ErrorCode.image_refused),
        (container("ERROR", "2207010: The caption is too long"), Refused, ErrorCode.delivery_refused),
        (Answer(400, error(190)), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
    ],
)
async def test_a_picture_that_fails_ends_the_carousel(
    server: Server, child: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers(f"{ME}/media", Answer(body={"id": "C1"}), Answer(body={"id": "C2"}))
    server.answers("/v26.0/C1", container("FINISHED"))
    server.answers("/v26.0/C2", child)
    with pytest.raises(ProviderError) as raised:
        await kept_by(connect(server.url), TWO)
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert not any("CAROUSEL" in str(one.body) for one in server.requests)


@pytest.mark.parametrize(("used", "pause"), [(49, None), (50, timedelta(minutes=10))])
async def test_the_quota_is_the_accounts_own(server: Server, used: int, pause: timedelta | None) -> None:
    row = {"quota_usage": used, "config": {"quota_total": 50, "quota_duration": 86400}}
    server.answers(f"{ME}/content_publishing_limit", Answer(body={"data": [row]}))
    assert await connect(server.url).quota(SHOP) == pause


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(body={"data": []}), RetrySafe),
        (Answer(body=b"<h1>Sorry</h1>"), RetrySafe),
        (Answer(500, error(2)), RetrySafe),
        (Answer(400, error(80002)), RateLimited),
        (Answer(400, error(190)), NeedsReconnect),
        (Answer(400, error(10)), NeedsReconnect),
    ],
)
async def test_a_quota_that_cannot_be_read_keeps_it_from_being_called(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answers(f"{ME}/content_publishing_limit", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).quota(SHOP)
    assert type(raised.value) is kind


async def test_a_page_without_a_professional_account_is_none(server: Server) -> None:
    page = {"id": "7237", "name": "Shop", "access_token": "EAA-page", "tasks": ["CREATE_CONTENT"]}
    linked = {"id": "1784", "username": "shop", "profile_picture_url": "https://i.test/p.jpg"}
    server.answers("/v26.0/debug_token", Answer(body={"data": {}}))
    other = {**page, "id": "8", "instagram_business_account": linked}
    server.answers("/v26.0/me/accounts", Answer(body={"data": [page, other]}))
    [profile] = await connect(server.url).profiles(Grant(TOKEN, None, None, ()))
    assert (profile.external_id, profile.name, profile.access_token) == ("1784", "shop", "EAA-page")
    server.answers("/v26.0/me/accounts", Answer(body={"data": [page]}))
    with pytest.raises(Refused) as raised:
        await connect(server.url).profiles(Grant(TOKEN, None, None, ()))
    assert raised.value.code is ErrorCode.connect_no_business_account


@pytest.mark.parametrize(
    ("address", "permalink"),
    [
        ("https://www.instagram.com/p/Cabc_-1/?img_index=2", "https://www.instagram.com/p/Cabc_-1/"),
        ("https://instagram.com/shop/p/Cabc", "https://www.instagram.com/p/Cabc/"),
        ("https://www.instagram.com/reel/Cabc/", "https://www.instagram.com/p/Cabc/"),
        ("https://www.instagram.com/shop/", None),
        ("https://instagram.com.evil.test/p/Cabc/", None),
        ("http://www.instagram.com/p/Cabc/", None),
        ("https://[", None),
    ],
)
def test_an_address_leads_to_a_post_or_to_none(address: str, permalink: str | None) -> None:
    assert connect("http://127.0.0.1:1").permalink_in(address) == permalink
