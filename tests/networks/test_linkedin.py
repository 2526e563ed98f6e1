import os
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr

from core.errors import (
    Ambiguous,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    TokenRefused,
)
from core.networks import linkedin, linkedin_errors
from core.networks.base import EstimatedDelay
from core.networks.connections import Credentials, Grant, OAuthFlow
from core.networks.linkedin import LinkedInChannel, LinkedInSettings
from core.networks.linkedin_posts import escape, unescape
from core.networks.posts import Image, Outgoing
from core.networks.registry import channel, channels
from core.networks.rules.channels import AccountType, ChannelKind
from tests.documents import Paper, a_pdf
from tests.http_server import Answer, Server

TOKEN = "AQX-a-secret-token"
WAY = OAuthFlow("s&t", "https://x.test/cb/", "v" * 64)
PERSON = Credentials("782bbtaQ", AccountType.person, TOKEN)
TEXT = Outgoing("Release notes (v2) are out #launch", ())
PICTURE = Image(b"jpeg bytes", "image/jpeg", "A dashboard")
GRANT = Grant(TOKEN, None, None, ())
URN = "urn:li:share:7243000000000000000"


def connect(server_url: str, scopes: str = "openid profile w_member_social") -> LinkedInChannel:
    return LinkedInChannel(
        LinkedInSettings(
            client_id="app",
            client_secret=SecretStr("hush"),
            auth_url=f"{server_url}/",
            api_url=f"{server_url}/",
            scopes=scopes,
        )
    )


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("LINKEDIN_")]:
        monkeypatch.delenv(name)  # other tests point the network at its stand-in
    monkeypatch.setattr(linkedin, "FRESH_TOKEN_WAITS", (0.0, 0.0))


# what a text may hold: every reserved character often, and anything else
LITTLE = st.text(st.one_of(st.sampled_from(r"\|{}@[]()<>#*_~ ab1/&"), st.characters(exclude_categories=["Cs"])))


@given(LITTLE)
def test_escaping_is_undone_by_unescaping(text: str) -> None:
    assert unescape(escape(text)) == text


@given(LITTLE)
def test_nothing_reserved_stays_bare_except_the_sign_of_a_hashtag(text: str) -> None:
    bare = re.sub(r"\\.", "  ", escape(text), flags=re.DOTALL)
    assert not re.search(r"[\\|{}@\[\]()<>*_~]", bare)
    assert not re.search(r"#(?!\w|\s)", bare)


@pytest.mark.parametrize(
    ("text", "little"),
    [
        ("Release notes (v2) are out #launch", r"Release notes \(v2\) are out #launch"),
        ("#AI_tools", r"#AI\_tools"),
        ("C# and #1 and #", r"C\# and \#1 and \#"),
        ("https://x.test/a_b#part ~", r"https://x.test/a\_b\#part \~"),
        ("(#Größe)", r"\(#Größe\)"),
        ("a\\b", r"a\\b"),
        ("@[A (B) #C](urn:li:organization:7) @ada", r"@[A \(B\) \#C](urn:li:organization:7) \@ada"),
        ("@[Ada](urn:li:nobody:7)", r"\@\[Ada\]\(urn:li:nobody:7\)"),
    ],
)
def test_examples_of_little_text(text: str, little: str) -> None:
    assert escape(text) == little


def test_both_spellings_of_hashtags_and_mentions_are_read() -> None:
    assert unescape(r"{hashtag|\#|AI\_tools} by @[Dev\_test](urn:li:organization:1)") == "#AI_tools by Dev_test"


def test_the_network_is_found_by_name_and_unconfigured_without_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LINKEDIN_CLIENT_ID", "LINKEDIN_CLIENT_SECRET"):
        monkeypatch.setenv(name, "")
    assert channel(ChannelKind.linkedin) is linkedin.CHANNEL
    assert linkedin.CHANNEL in channels()
    fresh = LinkedInChannel()
    assert not fresh.configured()
    with pytest.raises(Misconfigured) as raised:
        fresh.authorize_url(WAY)
    assert raised.value.code is ErrorCode.channel_not_configured


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINKEDIN_CLIENT_ID", "app")
    monkeypatch.setenv("LINKEDIN_CLIENT_SECRET", "hush")
    monkeypatch.setenv("LINKEDIN_AUTH_URL", "https://auth.test")
    adapter = LinkedInChannel()
    assert adapter.configured()
    url = urlsplit(adapter.authorize_url(WAY))
    assert (url.netloc, url.path) == ("auth.test", "/oauth/v2/authorization")
    assert "scope=openid%20profile%20w_member_social" in url.query
    assert parse_qs(url.query)["state"] == ["s&t"]


async def test_a_code_becomes_a_grant(server: Server) -> None:
    server.answers(
        "/oauth/v2/accessToken",
        Answer(body={"access_token": TOKEN, "expires_in": 5184000, "scope": "openid,profile w_member_social"}),
    )
    grant = await connect(server.url).exchange(WAY, "c")
    assert grant.refresh_token is None
    assert grant.scopes == ("openid", "profile", "w_member_social")
    assert grant.expires_at is not None
    assert abs(grant.expires_at - datetime.now(UTC) - timedelta(days=60)) < timedelta(minutes=1)
    assert parse_qs(server.requests[0].body.decode())["client_secret"] == ["hush"]
    assert TOKEN not in repr(grant)


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ([Answer(200), Answer(200)], None),
        # ended by itself
        ([Answer(200), Answer(400, {"error": "invalid_grant"})], None),
        ([Answer(400, {"error": "invalid_request"}), Answer(200)], Refused),
        ([Answer(503)], RetrySafe),
        ([Answer(401, {"error": "invalid_client"})], Misconfigured),
    ],
)
async def test_what_renews_is_given_back_though_the_other_has_ended(
    server: Server, answers: list[Answer], kind: type[ProviderError] | None
) -> None:
    server.answers("/oauth/v2/revoke", *answers)
    giving_back = connect(server.url).revoke(Grant(TOKEN, "refreshing", None, ()))
    if kind is None:
        await giving_back
    else:
        with pytest.raises(kind):
            await giving_back
    given = [parse_qs(request.body.decode())["token"] for request in server.requests]
    assert given == [["refreshing"], [TOKEN]][: len(answers)]


async def test_a_scope_that_is_missing_is_named(server: Server) -> None:
    server.answers("/oauth/v2/accessToken", Answer(body={"access_token": TOKEN, "scope": "openid profile"}))
    had: list[Grant] = []
    with pytest.raises(Refused) as raised:
        await connect(server.url).exchange(WAY, "c", had.append)
    assert [grant.access_token for grant in had] == [TOKEN], "to be given back"
    assert (raised.value.code, raised.value.params) == (ErrorCode.connect_scope_missing, {"scopes": "w_member_social"})


async def test_an_app_without_sign_in_asks_for_other_scopes_and_tells_who_it_is_otherwise(server: Server) -> None:
    adapter = connect(server.url, scopes="r_basicprofile, w_member_social")
    asked = parse_qs(urlsplit(adapter.authorize_url(WAY)).query)
    assert asked["scope"] == ["r_basicprofile w_member_social"]
    told = {"access_token": TOKEN, "scope": "r_basicprofile,w_member_social"}
    server.answers("/oauth/v2/accessToken", Answer(body=told), Answer(body={"access_token": TOKEN}))
    server.answers("/v2/me", Answer(body={"id": "782bbtaQ", "localizedFirstName": "Ada", "localizedLastName": "L"}))
    for _ in range(2):  # with the scopes in the answer, and without
        [profile] = await adapter.profiles(await adapter.exchange(WAY, "c"))
        assert (profile.external_id, profile.name, profile.picture_url) == ("782bbtaQ", "Ada L", None)


async def test_scopes_that_publish_nothing_are_told_to_whoever_connects(server: Server) -> None:
    server.answers("/oauth/v2/accessToken", Answer(body={"access_token": TOKEN}))
    with pytest.raises(Refused) as raised:
        await connect(server.url, scopes="openid profile").exchange(WAY, "c")
    assert (raised.value.code, raised.value.params) == (ErrorCode.connect_scope_missing, {"scopes": "w_member_social"})


async def test_a_scope_that_publishing_does_not_need_is_not_missed_later(server: Server) -> None:
    server.answers("/oauth/v2/introspectToken", Answer(body={"active": True, "scope": "openid,w_member_social"}))
    adapter = connect(server.url, scopes="openid profile email w_member_social")
    assert (await adapter.standing(GRANT, PERSON)).missing == ()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        ("user_cancelled_login", ErrorCode.connect_denied),
        ("access_denied", ErrorCode.connect_denied),
        ("unauthorized_scope_error", ErrorCode.connect_scope_missing),
        ("invalid_redirect_uri", ErrorCode.connect_redirect_not_registered),
        ("something new", ErrorCode.connect_failed),
    ],
)
def test_what_the_consent_page_says_in_the_place_of_a_code(error: str, code: ErrorCode) -> None:
    assert LinkedInChannel().refusal(error, "") is code


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (Answer(400, {"error": "invalid_grant"}), Refused, ErrorCode.connect_expired),
        (Answer(401, {"error": "invalid_client"}), Misconfigured, ErrorCode.provider_misconfigured),
        (Answer(400, {"error": "invalid_request"}), Refused, ErrorCode.connect_failed),
        (Answer(200, b"<html>"), Refused, ErrorCode.connect_failed),
        (Answer(500), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(drop=True), RetrySafe, ErrorCode.provider_unavailable),
    ],
)
async def test_a_refused_code(server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode) -> None:
    server.answers("/oauth/v2/accessToken", answer)
    with pytest.raises(kind) as raised:
        await connect(server.url).exchange(WAY, "c")
    assert raised.value.code is code


async def test_a_token_minted_just_now_is_tried_again(server: Server) -> None:
    server.answers("/v2/userinfo", Answer(401), Answer(401), Answer(body={"sub": "782bbtaQ", "name": "Ada L"}))
    [profile] = await connect(server.url).profiles(GRANT)
    assert (profile.external_id, profile.name, profile.picture_url) == ("782bbtaQ", "Ada L", None)
    server.answers("/v2/userinfo", Answer(401))
    with pytest.raises(Refused):
        await connect(server.url).profiles(GRANT)


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (Answer(403, {"code": "ACCESS_DENIED"}), Refused, ErrorCode.connect_failed),
        (Answer(body=b"<h1>Sorry</h1>"), Refused, ErrorCode.connect_failed),
        (Answer(body=b'{"sub":"782'), Refused, ErrorCode.connect_failed),
        (Answer(body={"name": "Ada L"}), Refused, ErrorCode.connect_failed),
        (Answer(426), Misconfigured, ErrorCode.api_version_retired),
        (Answer(429), RateLimited, ErrorCode.rate_limited),
        (Answer(500, b"<h1>Sorry</h1>"), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(drop=True), RetrySafe, ErrorCode.provider_unavailable),
    ],
)
async def test_a_person_who_cannot_be_read(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers("/v2/userinfo", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).profiles(GRANT)
    assert (type(raised.value), raised.value.code) == (kind, code)


async def test_what_is_not_told_of_a_grant_is_not_guessed(server: Server) -> None:
    server.answers(
        "/oauth/v2/accessToken",
        Answer(body={"access_token": TOKEN, "new": {"field": 1}}),
        Answer(body={"access_token": TOKEN, "expires_in": 10**20, "refresh_token": 7}),
    )
    for _ in range(2):
        grant = await connect(server.url).exchange(WAY, "c")
        assert (grant.scopes, grant.expires_at, grant.refresh_token, grant.refresh_expires_at) == ((), None, None, None)


RENEWABLE = Grant(TOKEN, "a-refresh-token", None, (), datetime(2027, 1, 1, tzinfo=UTC))


async def test_a_refresh_token_and_its_end_stay_where_no_others_come(server: Server) -> None:
    server.answers(
        "/oauth/v2/accessToken",
        Answer(body={"access_token": "fresh", "expires_in": 5184000}),
        Answer(body={"access_token": "fresh", "refresh_token": "another", "refresh_token_expires_in": 86400}),
    )
    kept = await connect(server.url).refresh(RENEWABLE)
    assert (kept.access_token, kept.refresh_token) == ("fresh", RENEWABLE.refresh_token)
    assert kept.refresh_expires_at == RENEWABLE.refresh_expires_at
    asked = parse_qs(server.requests[0].body.decode())
    assert (asked["grant_type"], asked["refresh_token"]) == (["refresh_token"], ["a-refresh-token"])
    exchanged = await connect(server.url).refresh(RENEWABLE)
    assert exchanged.refresh_token == "another"
    assert exchanged.refresh_expires_at is not None
    assert exchanged.refresh_expires_at < datetime.now(UTC) + timedelta(days=2)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400, {"error": "invalid_grant"}), NeedsReconnect),
        (Answer(400, {"error": "invalid_request", "error_description": "it was revoked"}), NeedsReconnect),
        (Answer(401, {"error": "invalid_client"}), Misconfigured),
        (Answer(400, b"<h1>Sorry</h1>"), RetrySafe),
        (Answer(404), RetrySafe),
        (Answer(200, b"<h1>Sorry</h1>"), RetrySafe),
        (Answer(200, b'{"access_token":"AQ'), RetrySafe),
        (Answer(200, {"access_token": ""}), RetrySafe),
        (Answer(302), RetrySafe),
        (Answer(429), RateLimited),
        (Answer(500), RetrySafe),
        (Answer(drop=True), RetrySafe),
    ],
)
async def test_only_a_word_of_linkedins_own_ends_a_refresh_token(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answers("/oauth/v2/accessToken", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).refresh(RENEWABLE)
    assert type(raised.value) is kind
    assert not {"a-refresh-token", "hush"} & set(raised.value.detail.split())


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400, {"error": "invalid_request"}), Refused),
        (Answer(401, {"error": "invalid_client"}), Misconfigured),
        (Answer(429), RateLimited),
        (Answer(502, b"<h1>Sorry</h1>"), RetrySafe),
    ],
)
async def test_why_it_was_not_given_back(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers("/oauth/v2/revoke", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).revoke(GRANT)
    assert type(raised.value) is kind


async def test_images_are_uploaded_to_the_named_place_and_wait(server: Server) -> None:
    server.answers(
        "/rest/images",
        Answer(body={"value": {"uploadUrl": f"{server.url}/up/1", "image": "urn:li:image:A"}}),
        Answer(body={"value": {"uploadUrl": f"{server.url}/up/2", "image": "urn:li:image:B"}}),
    )
    for place in ("/up/1", "/up/2"):
        server.answers(place, Answer(201))
    staged = await connect(server.url).stage(PERSON, Outgoing("x", (PICTURE, PICTURE)))
    assert staged.refs == ("urn:li:image:A", "urn:li:image:B")
    assert staged.ready_in == timedelta(seconds=30)
    init, put = server.requests[:2]
    assert init.json == {"initializeUploadRequest": {"owner": "urn:li:person:782bbtaQ"}}
    assert (put.method, put.body, put.headers["content-type"]) == ("PUT", b"jpeg bytes", "image/jpeg")
    assert (await connect(server.url).stage(PERSON, TEXT)).ready_in == timedelta(0)


async def test_an_upload_that_got_through_is_told_and_not_made_again(server: Server) -> None:
    server.answers(
        "/rest/images",
        Answer(body={"value": {"uploadUrl": f"{server.url}/up/1", "image": "urn:li:image:A"}}),
        Answer(500),
        Answer(body={"value": {"uploadUrl": f"{server.url}/up/2", "image": "urn:li:image:B"}}),
    )
    for place in ("/up/1", "/up/2"):
        server.answers(place, Answer(201))
    kept: list[str] = []

    async def keep(ref: str) -> None:
        kept.append(ref)

    linkedin, post = connect(server.url), Outgoing("x", (PICTURE, PICTURE))
    with pytest.raises(RetrySafe):
        await linkedin.stage(PERSON, post, keep=keep)
    assert kept == ["urn:li:image:A"]
    staged = await linkedin.stage(PERSON, post, had=tuple(kept), keep=keep)
    assert staged.refs == ("urn:li:image:A", "urn:li:image:B") == tuple(kept)
    assert [request.path for request in server.requests if request.method == "PUT"] == ["/up/1", "/up/2"]


DOCUMENT = "/rest/documents/urn%3Ali%3Adocument%3AD55"


def place_of_document(server: Server, url: str = "") -> Answer:
    return Answer(body={"value": {"uploadUrl": url or f"{server.url}/up", "document": "urn:li:document:D55"}})


@pytest.mark.parametrize(
    ("answer", "size", "seconds"),
    [
        # a person's document cannot be read
        (Answer(403), 1_000, 30),
        (Answer(403), 100_000_000, 60),
        (Answer(404), 1_000, 30),
        (Answer(body={"status": "PROCESSING"}), 1_000, 0),
    ],
)
async def test_a_document_is_uploaded_in_one_request_with_its_length_and_waits(
    server: Server, answer: Answer, size: int, seconds: int
) -> None:
    server.answers("/rest/documents", place_of_document(server))
    server.answers("/up", Answer(201))
    server.answers(DOCUMENT, answer)
    sheets = Paper(a_pdf(40))
    post = Outgoing("x", (), document=sheets.document())
    staged = await connect(server.url).stage(PERSON, post)
    begun, put, _ = server.requests
    assert begun.json == {"initializeUploadRequest": {"owner": "urn:li:person:782bbtaQ"}}
    assert (put.method, put.body, put.headers["content-type"]) == ("PUT", sheets.data, "application/pdf")
    assert (put.headers["content-length"], put.headers["authorization"]) == (str(len(sheets.data)), f"Bearer {TOKEN}")
    assert "transfer-encoding" not in put.headers
    assert staged.refs == ("urn:li:document:D55",)
    # used again, without another upload; the larger, the longer it is waited for
    larger = Outgoing("x", (), document=replace(sheets.document(), size=size))
    again = await connect(server.url).stage(PERSON, larger, had=staged.refs)
    assert again.refs == staged.refs
    assert round(again.ready_in.total_seconds()) == seconds
    assert [request.method for request in server.requests].count("PUT") == 1


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        # the address has ended, not the access
        (Answer(403), RetrySafe, None),
        (Answer(401), RetrySafe, None),
        (Answer(413), Refused, ErrorCode.document_refused),
        (Answer(429), RateLimited, None),
        (Answer(503), RetrySafe, None),
    ],
)
async def test_an_upload_of_a_document_that_is_refused(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode | None
) -> None:
    server.answers("/rest/documents", place_of_document(server))
    server.answers("/up", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).stage(PERSON, Outgoing("x", (), document=Paper(a_pdf()).document()))
    assert type(raised.value) is kind
    assert code is None or raised.value.code is code


@pytest.mark.parametrize("url", ["https://evil.example/up", "http://www.linkedin.com/up"])
async def test_neither_document_nor_token_goes_where_an_answer_points_elsewhere(server: Server, url: str) -> None:
    server.answers("/rest/documents", place_of_document(server, url))
    sheets = Paper(a_pdf())
    with pytest.raises(Refused) as refused:
        await connect(server.url).stage(PERSON, Outgoing("x", (), document=sheets.document()))
    assert (refused.value.code, sheets.reads) == (ErrorCode.document_refused, 0)


@pytest.mark.parametrize("place", [{}, {"uploadUrl": "https://www.linkedin.com/up"}, {"document": "urn:li:image:A"}])
async def test_without_a_place_for_a_document_it_is_asked_for_again(server: Server, place: object) -> None:
    server.answers("/rest/documents", Answer(body={"value": place}))
    with pytest.raises(RetrySafe):
        await connect(server.url).stage(PERSON, Outgoing("x", (), document=Paper(a_pdf()).document()))


async def test_a_document_is_posted_with_its_title(server: Server) -> None:
    server.answers("/rest/posts", Answer(201, headers={"x-restli-id": URN}))
    document = Paper(a_pdf()).document(title="“Rain” & (wind)")
    prepared = connect(server.url).prepare(PERSON, Outgoing("x", (), document=document), ("urn:li:document:D55",))
    await prepared.publish()
    # plain text, where the post's own is escaped
    assert server.requests[0].json["content"] == {"media": {"id": "urn:li:document:D55", "title": "“Rain” & (wind)"}}
    with pytest.raises(Refused) as refused:
        connect(server.url).prepare(PERSON, Outgoing("x", (), document=document), ())
    assert refused.value.code is ErrorCode.delivery_image_missing


@pytest.mark.parametrize(
    ("status", "code", "kind", "told"),
    [
        (400, "MEDIA_ASSET_WAITING_UPLOAD", RetrySafe, ErrorCode.document_not_ready),
        (400, "MEDIA_ASSET_PROCESSING_FAILED", Refused, ErrorCode.document_refused),
        (400, "ILLEGAL_ARGUMENT", Refused, ErrorCode.delivery_refused),
        (422, "UNPROCESSABLE_ENTITY", Refused, ErrorCode.delivery_refused),
    ],
)
async def test_a_document_that_is_not_ready_is_told_from_one_that_never_will_be(
    server: Server, status: int, code: str, kind: type[ProviderError], told: ErrorCode
) -> None:
    server.answers("/rest/posts", Answer(status, {"status": status, "code": code, "message": "No"}))
    post = Outgoing("x", (), document=Paper(a_pdf()).document())
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(PERSON, post, ("urn:li:document:D55",)).publish()
    assert (type(raised.value), raised.value.code) == (kind, told)


@pytest.mark.parametrize("place", [{}, {"uploadUrl": "https://www.linkedin.com/up"}, {"image": "urn:li:image:A"}, []])
async def test_without_a_place_the_upload_is_asked_for_again(server: Server, place: object) -> None:
    server.answers("/rest/images", Answer(body={"value": place}))
    with pytest.raises(RetrySafe):
        await connect(server.url).stage(PERSON, Outgoing("x", (PICTURE,)))


@pytest.mark.parametrize("scheme", ["http://", "https://"])
@pytest.mark.parametrize("host", ["evil.example", "linkedin.com.evil.example", "evil-linkedin.com", "10.0.0.1", ""])
async def test_neither_picture_nor_token_goes_where_an_answer_points_elsewhere(
    server: Server, scheme: str, host: str
) -> None:
    place = {"value": {"uploadUrl": f"{scheme}{host}/up", "image": "urn:li:image:A"}}
    server.answers("/rest/images", Answer(body=place))
    with pytest.raises(Refused) as refused:
        await connect(server.url).stage(PERSON, Outgoing("x", (PICTURE,)))
    assert refused.value.code is ErrorCode.image_refused
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("url", "fine"),
    [
        ("https://www.linkedin.com/dms-uploads/x", True),
        ("https://media.licdn.com/x", True),
        ("http://www.linkedin.com/dms-uploads/x", False),
        ("https://www.linkedin.com@evil.example/x", False),
    ],
)
def test_addresses_of_linkedin(url: str, fine: bool) -> None:
    assert LinkedInChannel(LinkedInSettings()).is_linkedins(url) is fine


async def test_a_published_post_has_its_link(server: Server) -> None:
    server.answers("/rest/posts", Answer(201, headers={"X-RestLi-Id": URN}))
    receipt = await connect(server.url).prepare(PERSON, TEXT, ()).publish()
    assert (receipt.provider_id, receipt.permalink) == (URN, f"{server.url}/feed/update/{URN}/")
    [request] = server.requests
    assert request.headers["authorization"] == f"Bearer {TOKEN}"
    assert request.headers["linkedin-version"] == "202609"
    assert request.headers["x-restli-protocol-version"] == "2.0.0"
    assert request.headers["content-type"] == "application/json"
    assert request.json["commentary"] == r"Release notes \(v2\) are out #launch"
    assert request.json["author"] == "urn:li:person:782bbtaQ"
    assert "content" not in request.json


async def test_published_without_an_id_is_still_published(server: Server) -> None:
    server.answers("/rest/posts", Answer(201))
    receipt = await connect(server.url).prepare(PERSON, TEXT, ()).publish()
    assert (receipt.provider_id, receipt.permalink) == (None, None)


async def test_an_id_is_a_confirmation_whatever_the_body(server: Server) -> None:
    server.answers("/rest/posts", Answer(200, b"<html>", {"x-restli-id": URN}), Answer(201, b'{"id":"urn:li:sha'))
    network = connect(server.url)
    assert (await network.prepare(PERSON, TEXT, ()).publish()).provider_id == URN
    assert (await network.prepare(PERSON, TEXT, ()).publish()).provider_id is None


@pytest.mark.parametrize(
    ("answer", "refs", "kind"),
    [
        (Answer(422, {"code": "UNPROCESSABLE_ENTITY"}), ("urn:li:image:A",), RetrySafe),
        (Answer(400, {"code": "MEDIA_ASSET_WAITING_UPLOAD"}), ("urn:li:image:A",), RetrySafe),
        (Answer(400, {"code": "ILLEGAL_ARGUMENT"}), ("urn:li:image:A",), Refused),
        (Answer(422, {"code": "UNPROCESSABLE_ENTITY"}), (), Refused),
    ],
)
async def test_a_persons_image_that_may_not_be_ready_is_waited_for(
    server: Server, answer: Answer, refs: tuple[str, ...], kind: type[ProviderError]
) -> None:
    """Nobody can ask whether it is, and the refusal proves that nothing is out."""
    server.answers("/rest/posts", answer)
    post = Outgoing("x", (PICTURE,) if refs else ())
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(PERSON, post, refs).publish()
    assert type(raised.value) is kind
    if kind is RetrySafe:
        assert (raised.value.code, raised.value.retry_after) == (ErrorCode.image_not_ready, timedelta(minutes=1))


DUPLICATE = {
    "message": "Content is a duplicate of urn:li:share:7141138937766391808",
    "errorDetails": {"inputErrors": [{"code": "DUPLICATE_POST", "input": {}}]},
}


async def test_a_conflict_and_then_a_duplicate_may_be_the_same_post(server: Server) -> None:
    server.answers("/rest/posts", Answer(409, {"code": "CONFLICT"}), Answer(422, DUPLICATE))
    with pytest.raises(Ambiguous):
        await connect(server.url).prepare(PERSON, TEXT, ()).publish()


async def test_one_and_several_images(server: Server) -> None:
    server.answers("/rest/posts", Answer(201))
    adapter = connect(server.url)
    await adapter.prepare(PERSON, Outgoing("x", (PICTURE,)), ("urn:li:image:A",)).publish()
    await adapter.prepare(PERSON, Outgoing("x", (PICTURE, Image(b"", "image/png", ""))), ("a", "b")).publish()
    one, two = (request.json["content"] for request in server.requests)
    assert one == {"media": {"id": "urn:li:image:A", "altText": "A dashboard"}}
    assert two == {"multiImage": {"images": [{"id": "a", "altText": "A dashboard"}, {"id": "b"}]}}
    with pytest.raises(Refused) as raised:
        await adapter.prepare(PERSON, Outgoing("x", (PICTURE,)), ()).publish()
    assert raised.value.code is ErrorCode.delivery_image_missing


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(400, {"code": "ILLEGAL_ARGUMENT"}), Refused),
        (Answer(400, {"code": "VERSION_MISSING"}), Misconfigured),
        (Answer(401, {"serviceErrorCode": 65601, "code": "REVOKED_ACCESS_TOKEN"}), TokenRefused),
        (Answer(401), TokenRefused),
        (Answer(403, {"code": "ACCESS_DENIED"}), NeedsReconnect),
        (Answer(404), Refused),
        (Answer(408), Ambiguous),
        (Answer(409, {"code": "CONFLICT"}), Refused),
        (Answer(422, {"code": "UNPROCESSABLE_ENTITY"}), Refused),
        (Answer(422, b'{"status":422,"errorDetails":{"inputErr'), Refused),
        (Answer(400, {"code": "INVALID_VALUE_FOR_FIELD", "new": [{"field": None}]}), Refused),
        (Answer(400, b"<h1>Bad request</h1>"), Refused),
        (Answer(426, {"code": "NONEXISTENT_VERSION"}), Misconfigured),
        (Answer(429, {"serviceErrorCode": 101}), RateLimited),
        (Answer(302, headers={"Location": "/login"}), Misconfigured),
        (Answer(200, b"<html>"), Ambiguous),
        (Answer(500, b"<html>"), Ambiguous),
        (Answer(503), Ambiguous),
        (Answer(drop=True), Ambiguous),
    ],
)
async def test_every_documented_failure_has_its_class(
    server: Server, answer: Answer, kind: type[ProviderError]
) -> None:
    server.answers("/rest/posts", answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).prepare(PERSON, TEXT, ()).publish()
    assert type(raised.value) is kind
    assert TOKEN not in raised.value.detail
    # only a conflict is worth a second call
    assert len(server.requests) == (2 if answer.status == 409 else 1)


async def test_nothing_listens(nowhere: str) -> None:
    with pytest.raises(RetrySafe):
        await connect(nowhere).prepare(PERSON, TEXT, ()).publish()


async def test_a_conflict_may_pass_the_second_time(server: Server) -> None:
    server.answers("/rest/posts", Answer(409), Answer(201, headers={"x-restli-id": URN}))
    assert (await connect(server.url).prepare(PERSON, TEXT, ()).publish()).provider_id == URN


@pytest.mark.parametrize(
    ("named", "urn"),
    [
        ("urn:li:share:7141138937766391808", "urn:li:share:7141138937766391808"),
        ("urn:li:ugcPost:5", "urn:li:ugcPost:5"),
        ("urn:li:person:abc", None),
        ("", None),
    ],
)
async def test_a_duplicate_names_the_earlier_post(server: Server, named: str, urn: str | None) -> None:
    body = {
        "status": 422,
        "message": f"BadRequestResponseException: Content is a duplicate of {named}",
        "errorDetails": {"inputErrors": [{"code": "DUPLICATE_POST", "input": {}}]},
    }
    server.answers("/rest/posts", Answer(422, body))
    with pytest.raises(Refused) as raised:
        await connect(server.url).prepare(PERSON, TEXT, ()).publish()
    assert raised.value.code is ErrorCode.delivery_duplicate
    assert raised.value.params["urn"] == urn


@pytest.mark.parametrize(
    ("now", "pause"),
    [
        ("2026-11-28T10:00:00Z", timedelta(hours=14, minutes=1)),
        ("2026-11-28T23:59:59Z", timedelta(seconds=61)),
        ("2026-11-29T00:00:30Z", timedelta(minutes=10)),
        ("2026-11-29T01:00:00Z", timedelta(hours=23, minutes=1)),
    ],
)
async def test_rate_limits_name_or_imply_their_end(
    server: Server, monkeypatch: pytest.MonkeyPatch, now: str, pause: timedelta
) -> None:
    """A day's limit ends a minute after midnight of LinkedIn's clock, which may be behind ours."""
    monkeypatch.setattr(linkedin_errors, "utcnow", lambda: datetime.fromisoformat(now))
    day = {"serviceErrorCode": 101, "message": "Resource level throttle APPLICATION DAY limit is reached."}
    server.answers("/rest/posts", Answer(429), Answer(429, day), Answer(429, day, {"Retry-After": "7"}))
    pauses = []
    for _ in range(3):
        with pytest.raises(RateLimited) as raised:
            await connect(server.url).prepare(PERSON, TEXT, ()).publish()
        pauses.append(raised.value.retry_after)
    assert pauses == [timedelta(seconds=60), pause, timedelta(seconds=7)]
    assert isinstance(pauses[1], EstimatedDelay) is (pause == timedelta(minutes=10))


async def test_of_a_person_nothing_can_be_looked_up(server: Server) -> None:
    network = connect(server.url)
    finding = await network.find(PERSON, TEXT, (), since=datetime.now(UTC))
    assert (finding.receipt, finding.absent) == (None, False)
    named = await network.verify_duplicate(PERSON, "urn:li:share:7")
    assert named is not None
    assert named.permalink == f"{server.url}/feed/update/urn:li:share:7/"
    assert server.requests == []


async def test_a_closed_channel_opens_again(server: Server) -> None:
    server.answers("/rest/posts", Answer(201))
    adapter = connect(server.url)
    await adapter.prepare(PERSON, TEXT, ()).publish()
    await adapter.close()
    await adapter.prepare(PERSON, TEXT, ()).publish()
    assert len(server.requests) == 2


@pytest.mark.parametrize("status", [204, 200, 404])
async def test_what_is_deleted_or_gone_is_gone(server: Server, status: int) -> None:
    server.answers("/rest/posts/urn%3Ali%3Ashare%3A7", Answer(status))
    await connect(server.url).delete(PERSON, "urn:li:share:7")


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (Answer(403), Refused, ErrorCode.removal_refused),
        (Answer(400), Refused, ErrorCode.removal_refused),
        (Answer(401), NeedsReconnect, ErrorCode.delivery_needs_reconnect),
        (Answer(426), Misconfigured, ErrorCode.api_version_retired),
        (Answer(429), RateLimited, ErrorCode.rate_limited),
        (Answer(500), RetrySafe, ErrorCode.provider_unavailable),
    ],
)
async def test_why_it_was_not_deleted(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers("/rest/posts/urn%3Ali%3Ashare%3A7", answer)
    with pytest.raises(kind) as raised:
        await connect(server.url).delete(PERSON, "urn:li:share:7")
    assert raised.value.code is code


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("https://www.linkedin.com/feed/update/urn:li:share:71?utm_source=share", "urn:li:share:71"),
        ("https://www.linkedin.com/feed/update/urn%3Ali%3Aactivity%3A72/", "urn:li:activity:72"),
        ("https://de.linkedin.com/posts/mara-lind_rain-in-march-activity-73-AbC1?rcm=x", "urn:li:activity:73"),
        ("https://www.linkedin.com/in/mara-lind/", None),
        ("http://www.linkedin.com/feed/update/urn:li:share:71", None),
        ("https://linkedin.com.evil.example/feed/update/urn:li:share:71", None),
        ("javascript:alert('urn:li:share:71')", None),
        ("https://[", None),
        ("urn:li:share:71", None),
    ],
)
def test_addresses_that_people_copy(address: str, kept: str | None) -> None:
    permalink = LinkedInChannel(LinkedInSettings()).permalink_in(address)
    assert permalink == (kept and f"https://www.linkedin.com/feed/update/{kept}/")


def test_a_persons_posts_are_seen_by_who_looks() -> None:
    network = LinkedInChannel(LinkedInSettings())
    assert network.posts_url(PERSON.type, PERSON.external_id) == "https://www.linkedin.com/in/me/recent-activity/all/"


COMMENTS = "/rest/socialActions/urn%3Ali%3Ashare%3A7243000000000000000/comments"


async def test_a_comment_is_plain_text_by_the_account(server: Server) -> None:
    server.answers(COMMENTS, Answer(201, {"$URN": "urn:li:comment:(urn:li:activity:7,8)"}))
    text = "More (here): @[Ada L](urn:li:person:7) #rain"
    receipt = await connect(server.url).comment(PERSON, URN, text)
    assert receipt.provider_id == "urn:li:comment:(urn:li:activity:7,8)"
    assert server.requests[-1].json == {
        "actor": "urn:li:person:782bbtaQ",
        "object": URN,
        "message": {"text": "More (here): Ada L #rain"},
    }


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (
            Answer(403, {"serviceErrorCode": 100, "message": "Not enough permissions: partnerApiSocialActions.CREATE"}),
            Refused,
            ErrorCode.comment_not_allowed,
        ),
        # of this post alone
        (Answer(403, {"message": "The author has turned off comments"}), Refused, ErrorCode.comment_refused),
        (Answer(403), Refused, ErrorCode.comment_refused),
        (Answer(400, {"message": "Unable to obtain activity from urn"}), RetrySafe, ErrorCode.provider_unavailable),
        (Answer(400, {"message": "text is too long"}), Refused, ErrorCode.delivery_refused),
        (Answer(401), TokenRefused, ErrorCode.delivery_needs_reconnect),
        (Answer(429), RateLimited, ErrorCode.rate_limited),
        (Answer(502), Ambiguous, ErrorCode.ambiguous_outcome),
    ],
)
async def test_a_refused_comment_has_its_class(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers(COMMENTS, answer)
    with pytest.raises(ProviderError) as raised:
        await connect(server.url).comment(PERSON, URN, "More")
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert TOKEN not in raised.value.detail


@pytest.mark.parametrize(
    ("scopes", "products"),
    [
        (
            "openid profile w_member_social",
            ["Sign In with LinkedIn using OpenID Connect", "Share on LinkedIn"],
        ),
        ("w_member_social w_member_social_feed", ["Share on LinkedIn", "Community Management API"]),
        ("r_organization_social", ["Community Management API"]),
        ("r_basicprofile", []),
    ],
)
def test_scopes_tell_what_products_an_app_has(scopes: str, products: list[str]) -> None:
    assert LinkedInChannel().app_products(scopes.split()) == products
