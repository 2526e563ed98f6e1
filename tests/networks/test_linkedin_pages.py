import os
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from pydantic import SecretStr

from core.errors import (
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    RoleLost,
    TokenRefused,
)
from core.networks import linkedin, linkedin_pages
from core.networks.connections import Credentials, Grant, OAuthFlow
from core.networks.linkedin import LinkedInChannel, LinkedInSettings
from core.networks.linkedin_pages import LinkedInPagesChannel
from core.networks.linkedin_posts import escape
from core.networks.posts import Finding, Image, Outgoing
from core.networks.registry import channel
from core.networks.rules.channels import AccountType, ChannelKind
from tests.http_server import Answer, Server

TOKEN = "AQX-a-secret-token"
WAY = OAuthFlow("s&t", "https://x.test/cb/", "v" * 64)
PAGE = Credentials("2414183", AccountType.organisation, TOKEN)
TEXT = Outgoing("Release notes (v2) are out #launch", ())
PICTURE = Image(b"jpeg bytes", "image/jpeg", "A dashboard")
GRANT = Grant(TOKEN, None, None, ())
URN = "urn:li:share:7243000000000000000"
SCOPES = "r_organization_social,w_organization_social rw_organization_admin"
IMAGE = "/rest/images/urn%3Ali%3Aimage%3AA"


def connect(server_url: str) -> LinkedInPagesChannel:
    return LinkedInPagesChannel(
        LinkedInSettings(
            pages_client_id="pages", pages_client_secret=SecretStr("hush"), auth_url=server_url, api_url=server_url
        )
    )


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("LINKEDIN_")]:
        monkeypatch.delenv(name)  # other tests point the network at its stand-in
    monkeypatch.setattr(linkedin, "FRESH_TOKEN_WAITS", (0.0, 0.0))
    monkeypatch.setattr(linkedin_pages, "FIND_WAITS", (0.0, 0.0))


def role(page: object, named: str = "ADMINISTRATOR", **more: object) -> dict[str, Any]:
    urn = f"urn:li:organization:{page}"
    return {"organization": urn, "role": named, "state": "APPROVED", "roleAssignee": "urn:li:person:ada", **more}


def roles(*rows: dict[str, Any]) -> Answer:
    return Answer(body={"elements": list(rows), "paging": {"start": 0, "count": 100}})


def asked_of(server: Server, path: str) -> list[dict[str, str]]:
    found = (urlsplit(request.path) for request in server.requests)
    return [{name: values[0] for name, values in parse_qs(one.query).items()} for one in found if one.path == path]


def test_people_and_pages_each_have_an_app_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert channel(ChannelKind.linkedin_pages) is linkedin_pages.CHANNEL
    monkeypatch.setenv("LINKEDIN_CLIENT_ID", "people")
    monkeypatch.setenv("LINKEDIN_CLIENT_SECRET", "hush")
    assert (LinkedInChannel().configured(), LinkedInPagesChannel().configured()) == (True, False)
    with pytest.raises(Misconfigured) as raised:
        LinkedInPagesChannel().authorize_url(WAY)
    assert raised.value.code is ErrorCode.channel_not_configured
    for name in LinkedInPagesChannel.connection.settings:
        monkeypatch.setenv(name, "of pages")
    asked = parse_qs(urlsplit(LinkedInPagesChannel().authorize_url(WAY)).query)
    assert asked["client_id"] == ["of pages"]
    assert asked["scope"] == ["r_organization_social w_organization_social rw_organization_admin"]
    monkeypatch.setenv("LINKEDIN_PAGES_SCOPES", "rw_organization_admin w_organization_social")
    asked = parse_qs(urlsplit(LinkedInPagesChannel().authorize_url(WAY)).query)
    assert asked["scope"] == ["rw_organization_admin w_organization_social"]


async def test_a_code_becomes_a_grant_of_whoever_has_the_roles(server: Server) -> None:
    server.answers("/oauth/v2/accessToken", Answer(body={"access_token": TOKEN, "scope": SCOPES}))
    server.answers("/rest/organizationAcls", Answer(401), roles(), roles(role(7, "CONTENT_ADMIN")))
    grant = await connect(server.url).exchange(WAY, "c")
    assert grant.subject == "urn:li:person:ada"
    assert parse_qs(server.requests[0].body.decode())["client_id"] == ["pages"]
    assert [asked["role"] for asked in asked_of(server, "/rest/organizationAcls")] == [
        "ADMINISTRATOR",
        "ADMINISTRATOR",
        "CONTENT_ADMIN",
    ]


async def test_a_scope_that_is_missing_is_named(server: Server) -> None:
    server.answers("/oauth/v2/accessToken", Answer(body={"access_token": TOKEN, "scope": "w_organization_social"}))
    with pytest.raises(Refused) as raised:
        await connect(server.url).exchange(WAY, "c")
    assert raised.value.code is ErrorCode.connect_scope_missing
    assert raised.value.params == {"scopes": "r_organization_social, rw_organization_admin"}


async def test_pages_of_both_roles_are_found_once_list_by_list(server: Server) -> None:
    server.answers(
        "/rest/organizationAcls",
        roles(*(role(page) for page in range(1, 101))),
        roles(role(101), role(102, state="REQUESTED"), role("urn")),
        roles(role(101, "CONTENT_ADMIN"), role(103, "CONTENT_ADMIN")),
    )
    for page in range(1, 104):
        server.answers(f"/rest/organizations/{page}", Answer(body={"id": page, "localizedName": f"Page {page}"}))
    server.answers("/rest/organizations/101", Answer(404))
    logo = {"localizedName": "Studio", "logoV2": {"original": "urn:li:digitalmediaAsset:A"}}
    server.answers("/rest/organizations/103", Answer(body=logo))
    server.answers(IMAGE, Answer(body={"status": "AVAILABLE", "downloadUrl": "https://media.licdn.com/a.png"}))
    found = await connect(server.url).profiles(GRANT)
    assert [profile.external_id for profile in found] == [*map(str, range(1, 102)), "103"]
    assert (found[0].name, found[0].type, found[0].picture_url) == ("Page 1", AccountType.organisation, None)
    assert (found[-2].name, found[-1].name) == ("101", "Studio")
    assert found[-1].picture_url == "https://media.licdn.com/a.png"
    window = [(asked["role"], asked["start"], asked["count"]) for asked in asked_of(server, "/rest/organizationAcls")]
    assert window == [("ADMINISTRATOR", "0", "100"), ("ADMINISTRATOR", "100", "100"), ("CONTENT_ADMIN", "0", "100")]
    assert all(request.headers["linkedin-version"] == "202609" for request in server.requests)


@pytest.mark.parametrize(
    ("all_roles", "code"),
    [
        (roles(), ErrorCode.connect_no_page),
        (Answer(400), ErrorCode.connect_no_page),
        (roles(role(7, "ANALYST"), role(8, "CURATOR")), ErrorCode.connect_role_too_low),
        (roles(role(7, "ANALYST", state="REVOKED")), ErrorCode.connect_no_page),
    ],
)
async def test_why_there_is_no_page(server: Server, all_roles: Answer, code: ErrorCode) -> None:
    server.answers("/rest/organizationAcls", roles(), roles(), all_roles)
    with pytest.raises(Refused) as raised:
        await connect(server.url).profiles(GRANT)
    assert raised.value.code is code


async def test_the_other_name_of_a_role_is_known(server: Server) -> None:
    server.answers("/rest/organizationAcls", roles(), roles(), roles(role(7, "CONTENT_ADMINISTRATOR")))
    server.answers("/rest/organizations/7", Answer(body={"localizedName": "Seven"}))
    [found] = await connect(server.url).profiles(GRANT)
    assert found.name == "Seven"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(401), Refused),
        (Answer(403), Refused),
        (Answer(200, b"<html>"), Refused),
        (Answer(426), Misconfigured),
        (Answer(429), RateLimited),
        (Answer(500), RetrySafe),
    ],
)
@pytest.mark.parametrize("at", ["organizationAcls", "organizations/7"])
async def test_pages_that_cannot_be_read(server: Server, answer: Answer, kind: type[ProviderError], at: str) -> None:
    server.answers("/rest/organizationAcls", roles(role(7)))
    server.answers(f"/rest/{at}", answer)
    network = connect(server.url)
    if at != "organizationAcls" and answer.status in (200, 403):  # its name alone: it may still be posted for
        [profile] = await network.profiles(GRANT)
        assert profile.name == "7"
        return
    with pytest.raises(ProviderError) as raised:
        await network.profiles(GRANT)
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail


async def test_what_is_uploaded_is_asked_for_until_it_is_ready(server: Server) -> None:
    place = {"value": {"uploadUrl": f"{server.url}/up", "image": "urn:li:image:A"}}
    server.answers("/rest/images", Answer(body=place))
    server.answers("/up", Answer(200))
    network = connect(server.url)
    staged = await network.stage(PAGE, Outgoing("x", (PICTURE,)))
    assert (staged.refs, staged.ready_in) == (("urn:li:image:A",), timedelta(0))
    assert server.requests[0].json == {"initializeUploadRequest": {"owner": "urn:li:organization:2414183"}}
    looks = (Answer(body={"status": "PROCESSING"}), Answer(503), Answer(404), Answer(body={"status": "AVAILABLE"}))
    server.answers(IMAGE, *looks)
    waits = [await network.ready(PAGE, staged.refs) for _ in looks]
    assert waits == [timedelta(seconds=5)] * 3 + [None]
    assert await network.ready(PAGE, ()) is None


async def test_a_document_is_asked_for_until_it_is_ready(server: Server) -> None:
    document = "/rest/documents/urn%3Ali%3Adocument%3AD55"
    looks = (Answer(body={"status": "WAITING_UPLOAD"}), Answer(503), Answer(404), Answer(body={"status": "AVAILABLE"}))
    server.answers(document, *looks, Answer(403), Answer(body={"status": "PROCESSING_FAILED"}))
    network, refs = connect(server.url), ("urn:li:document:D55",)
    waits = [await network.ready(PAGE, refs) for _ in (*looks, "a right that an app may lack")]
    assert waits == [timedelta(seconds=5)] * 2 + [None] * 3
    with pytest.raises(Refused) as raised:
        await network.ready(PAGE, refs)
    assert raised.value.code is ErrorCode.document_refused


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(body={"status": "PROCESSING_FAILED"}), Refused),
        (Answer(401), TokenRefused),
        (Answer(403), NeedsReconnect),
        (Answer(429), RateLimited),
        (Answer(426), Misconfigured),
    ],
)
async def test_what_will_not_become_ready(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers("/rest/organizationAcls", roles(role(PAGE.external_id)))
    server.answers(IMAGE, answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).ready(PAGE, ("urn:li:image:A",))
    assert type(raised.value) is kind
    if kind is Refused:
        assert raised.value.code is ErrorCode.image_refused


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        (roles(role(PAGE.external_id)), NeedsReconnect),
        (roles(role(7)), RoleLost),
        (roles(), RoleLost),
        (Answer(403), NeedsReconnect),
        (Answer(500), NeedsReconnect),
    ],
)
async def test_a_role_that_is_lost_is_told_from_lost_access(
    server: Server, seen: Answer, kind: type[ProviderError]
) -> None:
    server.answers("/rest/posts", Answer(403))
    server.answers("/rest/organizationAcls", seen)
    with pytest.raises(NeedsReconnect) as raised:
        await connect(server.url).prepare(PAGE, TEXT, ()).publish()
    assert type(raised.value) is kind


async def test_what_is_told_of_an_access(server: Server) -> None:
    told = Answer(body={"active": True, "scope": SCOPES})
    server.answers("/oauth/v2/introspectToken", told, told, Answer(body={"active": True, "scope": SCOPES[:46]}))
    server.answers("/rest/organizationAcls", roles(role(PAGE.external_id)), roles(), roles(role(7)))
    server.answers("/rest/posts", Answer(body={"elements": []}))
    network = connect(server.url)
    seen = [await network.standing(GRANT, PAGE) for _ in range(3)]
    assert [(one.missing, one.may_post) for one in seen] == [
        ((), True),
        ((), False),
        (("rw_organization_admin",), None),
    ]


@pytest.mark.parametrize(("answer", "may_read"), [(Answer(403), False), (Answer(body={"elements": []}), True)])
async def test_whether_a_page_s_posts_can_be_read_is_told(server: Server, answer: Answer, may_read: bool) -> None:
    server.answers("/oauth/v2/introspectToken", Answer(body={"active": True, "scope": SCOPES}))
    server.answers("/rest/organizationAcls", roles(role(PAGE.external_id)))
    server.answers("/rest/posts", answer)
    standing = await connect(server.url).standing(GRANT, PAGE)
    assert (standing.may_post, standing.may_read) == (True, may_read)


async def test_it_is_published_as_the_page(server: Server) -> None:
    server.answers("/rest/posts", Answer(201, headers={"x-restli-id": URN}))
    receipt = await connect(server.url).prepare(PAGE, TEXT, ()).publish()
    assert (receipt.provider_id, receipt.permalink) == (URN, f"{server.url}/feed/update/{URN}/")
    [request] = server.requests
    assert (request.json["author"], request.json["visibility"]) == ("urn:li:organization:2414183", "PUBLIC")


def found(text: str, urn: str = URN, *, ago: int = 10, **more: Any) -> dict[str, Any]:
    created = datetime.now(UTC) - timedelta(seconds=ago)
    return {"id": urn, "commentary": text, "createdAt": int(created.timestamp() * 1000), **more}


async def look(server: Server, *pages: list[dict[str, Any]]) -> tuple[str | None, bool]:
    server.answers("/rest/posts", *(Answer(body={"elements": page}) for page in pages))
    finding = await connect(server.url).find(PAGE, TEXT, (), since=datetime.now(UTC))
    return finding.receipt.provider_id if finding.receipt else None, finding.absent


async def test_a_page_is_asked_what_is_there(server: Server) -> None:
    same = r"Release notes  \(v2\) are out {hashtag|\#|launch}" + "\n"
    assert await look(server, [found("another"), found(same)]) == (URN, False)
    assert server.requests[0].headers["x-restli-method"] == "FINDER"
    assert "author=urn%3Ali%3Aorganization%3A2414183" in server.requests[0].path
    assert await look(server, [], [], [found(same)]) == (URN, False)


async def test_absence_takes_three_reads(server: Server) -> None:
    old = found(escape(TEXT.text), ago=600)
    assert await look(server, [old, found("another"), found(escape(TEXT.text), lifecycleState="DRAFT")]) == (None, True)
    assert len(server.requests) == 3


async def test_doubt_is_neither_proof(server: Server) -> None:
    twice = [found(escape(TEXT.text)), found(escape(TEXT.text), "urn:li:share:2")]
    assert await look(server, twice) == (None, False)
    server.answers("/rest/posts", Answer(403))
    finding = await connect(server.url).find(PAGE, TEXT, (), since=datetime.now(UTC))
    assert finding == Finding(unreadable=True)


async def test_of_a_post_without_a_time_that_can_be_read_it_is_not_known_that_it_is_old(server: Server) -> None:
    for created in (None, "yesterday", -1, 10**20):
        assert await look(server, [found(escape(TEXT.text), createdAt=created)]) == (URN, False)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(500), RetrySafe),
        (Answer(200, b"<h1>Sorry</h1>"), RetrySafe),
        (Answer(200, b'{"elements":[{"id":"urn'), RetrySafe),
        (Answer(200, {"elements": {}}), RetrySafe),
        (Answer(429), RateLimited),
        (Answer(401), TokenRefused),
        (Answer(426), Misconfigured),
    ],
)
async def test_a_read_that_fails_proves_nothing(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers("/rest/posts", Answer(body={"elements": []}), answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).find(PAGE, TEXT, (), since=datetime.now(UTC))
    assert type(raised.value) is kind


async def test_where_not_all_can_be_seen_a_person_decides(server: Server) -> None:
    others = [found("another", f"urn:li:share:{at}") for at in range(100)]
    assert await look(server, others) == (None, False)
    assert len(server.requests) == 5


async def test_what_a_repeat_is_said_to_be_of_is_looked_at(server: Server) -> None:
    network = connect(server.url)
    server.answers("/rest/posts/urn%3Ali%3Ashare%3A7", Answer(200, {"id": "urn:li:share:7"}), Answer(404), Answer(500))
    found = await network.verify_duplicate(PAGE, "urn:li:share:7")
    assert found is not None
    assert found.permalink == f"{server.url}/feed/update/urn:li:share:7/"
    assert await network.verify_duplicate(PAGE, "urn:li:share:7") is None
    with pytest.raises(RetrySafe):
        await network.verify_duplicate(PAGE, "urn:li:share:7")


def test_its_posts_are_seen_at_the_page() -> None:
    network = LinkedInPagesChannel(LinkedInSettings())
    assert network.posts_url(PAGE.type, PAGE.external_id) == "https://www.linkedin.com/company/2414183/posts/"


COMMENTS = "/rest/socialActions/urn%3Ali%3Ashare%3A7/comments"


def comments(*texts: str, actor: str = "urn:li:organization:77") -> Answer:
    rows = [{"$URN": f"urn:li:comment:{at}", "actor": actor, "message": {"text": one}} for at, one in enumerate(texts)]
    return Answer(body={"elements": rows})


async def test_a_comment_is_found_by_its_text_and_author(server: Server) -> None:
    page, ago = Credentials("77", AccountType.organisation, TOKEN), datetime.now(UTC) - timedelta(minutes=5)
    ask = partial(connect(server.url).find_comment, page, "urn:li:share:7", "More: @[Ada](urn:li:person:7)", since=ago)
    server.answers(COMMENTS, comments("Other", "More:  Ada"), comments("More: Ada", actor="urn:li:person:7"))
    found = await ask()
    assert found.receipt is not None
    assert found.receipt.provider_id == "urn:li:comment:1"
    assert (await ask()).absent, "somebody else wrote the same"
    server.answers(COMMENTS, comments(*map(str, range(linkedin_pages.LIST_COUNT))))
    assert await ask() == Finding(), "it may be on the next page"
    server.answers(COMMENTS, Answer(403))
    assert await ask() == Finding(unreadable=True)
    server.answers(COMMENTS, Answer(404))
    assert await ask() == Finding()


async def test_a_new_comment_is_not_absent_before_it_would_be_listed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linkedin_pages, "FIND_WAITS", (30.0, 30.0))
    page, since = Credentials("77", AccountType.organisation, TOKEN), datetime.now(UTC)
    server.answers(COMMENTS, comments("Other"))
    with pytest.raises(RetrySafe) as raised:
        await connect(server.url).find_comment(page, "urn:li:share:7", "More", since=since)
    assert raised.value.retry_after is not None
    assert timedelta(0) < raised.value.retry_after <= timedelta(minutes=1)
