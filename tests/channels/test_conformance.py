"""What the engine relies on, of every network and kind of site: a new one is tested by being a `ChannelKind`."""

import asyncio
import html
import re
import secrets
import tracemalloc
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI, Response
from fastapi.responses import StreamingResponse
from PIL import Image as Picture

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
from core.ids import new_id
from core.media.rules.media import MediaKind
from core.networks.base import BaseChannel, supports
from core.networks.connections import App, Credentials, Grant, OAuthFlow
from core.networks.posts import Article, Document, Image, Outgoing, Receipt, Video
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind, PostFacts, check, with_link
from core.networks.rules.files import FileFacts
from core.networks.rules.links import CARDS, Link, LinkPlace
from sandbox.ghost_keys import GhostKey
from sandbox.webhook import SECRET
from tests.channels.served_here import OwnSite
from tests.conftest import Networks
from tests.documents import Paper, a_pdf, locked_pdf
from tests.serving import serve
from tests.videos import Film, chunk_at

CALLBACK = "http://postloom.test/callback/"
# how the stand-in is told who is at the consent page: one who may do all that a network offers
PERSON = "sandbox_person=ada-lindqvist"


@dataclass(frozen=True)
class Connected:
    network: BaseChannel
    to: Credentials
    networks: Networks
    grant: Grant
    apps: list[App]

    def post(
        self,
        text: str,
        images: tuple[Image, ...] = (),
        video: Video | None = None,
        document: Document | None = None,
    ) -> Outgoing:
        """As it goes there: to a site with an article, whose body is the text."""
        if not self.network.kind.is_site:
            return Outgoing(text, images, video=video, document=document)
        slug = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[-60:]
        return Outgoing(text, images, article=Article(text[:60], slug, "", f"<p>{html.escape(text, quote=False)}</p>"))

    def leading_to(self, link: Link, text: str, images: tuple[Image, ...] = ()) -> Outgoing:
        """As the engine makes it."""
        sent, card = with_link(text, link, len(images), self.network.limits)
        return Outgoing(sent, images, link=card)

    async def stage(self, post: Outgoing) -> tuple[str, ...]:
        whole = self.network.traits.stages_post
        if not post.file_count and not whole:
            return ()
        staged = await self.network.stage(self.to, post)
        assert len(staged.refs) == post.file_count + whole
        await asyncio.sleep(staged.ready_in.total_seconds())
        await self.wait_until_ready(staged.refs)
        return staged.refs

    async def wait_until_ready(self, refs: tuple[str, ...]) -> None:
        """Ask more often than the networks want: the stand-in has most at once."""
        while again := await self.network.ready(self.to, refs):
            await asyncio.sleep(min(again.total_seconds(), 0.1))

    async def publish(self, post: Outgoing) -> Receipt:
        return await self.call(post, await self.stage(post))

    async def call(self, post: Outgoing, refs: tuple[str, ...], *, ahead: bool = True) -> Receipt:
        prepared = self.network.prepare(self.to, post, refs)
        try:
            if ahead:
                await prepared.open()
            return await prepared.publish()
        finally:
            await prepared.close()

    async def unseen(self, post: Outgoing) -> list[str]:
        """The ids of what a site keeps of an article that nobody sees yet."""
        assert post.article is not None
        answer = await self.networks.client.get("/sandbox/drafts", params={"slug": post.article.slug})
        return [str(one) for one in answer.json()]

    async def shown(self, receipt: Receipt) -> dict[str, Any]:
        """The post as everybody sees it at the network."""
        return next(post for post in await self.networks.posts() if post["id"] == receipt.provider_id)


async def granted(network: BaseChannel, networks: Networks, us: App | None = None) -> tuple[Grant, list[App]]:
    """With us at the server of the grant, where the network has many: `us`, or another app each time."""
    if isinstance(networks, OwnSite):
        return await networks.connect(filled_in(network, networks)), []
    if not network.connection.consent:
        return await network.sign_in(filled_in(network, networks)), []
    way = await a_way(network, networks)
    way = replace(way, app=us or way.app)
    address = network.authorize_url(way)
    answer = await networks.client.get(f"{address}&{PERSON}")
    location = answer.headers["location"]
    assert location.startswith(CALLBACK)
    back = parse_qs(urlsplit(location).query)
    assert back["state"] == [way.state]
    return await network.exchange(way, back["code"][0]), [way.app] if way.app else []


def filled_in(network: BaseChannel, networks: Networks) -> dict[str, str]:
    """The form of a network, as the stand-in wants it."""
    typed = {
        "server": networks.url,
        "host": networks.url,
        "handle": "mara-lind.test",
        "app_password": "abcd-efgh-ijkl-mnop",
        "site": networks.url,
        "username": "mara-lind",
        "admin_key": str(GhostKey("mara-lind")),
        "endpoint": f"{networks.url}/hooks/journal",
        "secret": SECRET,
        "site_name": "Notes from the garden",
        "address": f"notes-{secrets.token_hex(4)}",
    }
    if network.kind is ChannelKind.wordpress:  # what was given back is not taken again
        typed["app_password"] = secrets.token_hex(12)
    return {one.name.value: typed[one.name] for one in network.connection.fields}


async def nowhere_yet(base_url: str) -> None:
    """We have been at no server before."""


async def a_way(network: BaseChannel, networks: Networks) -> OAuthFlow:
    form = filled_in(network, networks)
    app = await network.register(form, CALLBACK, nowhere_yet) if form else None
    return OAuthFlow(f"{new_id()}&=/+ä", CALLBACK, "v" * 64, app)


async def forgotten(base_url: str) -> App:
    """We have been there, but the server does not know that any more."""
    return App(base_url, "long gone", "hush")


@pytest.fixture(params=list(ChannelKind))
async def network(
    request: pytest.FixtureRequest, networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[BaseChannel]:
    await networks.calm()
    adapter = channel(request.param)
    # reads apart in time prove that a post is absent: the stand-in has all of them at once
    monkeypatch.setattr(f"{type(adapter).__module__}.FIND_WAITS", (0.0, 0.0), raising=False)
    if adapter.traits.comment_permission is None:
        yield adapter
        await networks.calm()
        return
    # as an app that has it
    permission = adapter.traits.comment_permission
    scopes = dict.fromkeys((*adapter.requested_scopes(), permission.scope))
    monkeypatch.setenv(permission.setting, " ".join(scopes))
    vars(adapter).pop("settings", None)
    await networks.set_up(linkedin_community_management=True)
    yield adapter
    vars(adapter).pop("settings", None)
    await networks.set_up(linkedin_community_management=False)
    await networks.calm()


@pytest.fixture
async def connected(network: BaseChannel, networks: Networks) -> Connected:
    grant, apps = await granted(network, networks)
    profile, *others = await network.profiles(grant)
    assert not others or network.traits.several_accounts
    to = Credentials(profile.external_id, profile.type, profile.access_token or grant.access_token, grant.base_url)
    return Connected(network, to, networks, grant, apps)


def words(about: str) -> str:
    """No network takes the same text twice."""
    return f"{about} {new_id()}"


def picture(alt: str = "A rainy street") -> Image:
    data = BytesIO()
    Picture.new("RGB", (400, 300), (30, 60, 90)).save(data, "PNG")
    return Image(data.getvalue(), "image/png", alt, f"{FETCHED[0]}/picture")


def upright_cover() -> Image:
    """A frame of a video of 9:16."""
    data = BytesIO()
    Picture.new("RGB", (270, 480), (30, 60, 90)).save(data, "JPEG")
    return Image(data.getvalue(), "image/jpeg", "", f"{FETCHED[0]}/upright")


FETCHED: list[str] = []
"""Where the networks find pictures that fetch them."""


@pytest.fixture(scope="module", autouse=True)
async def pictures() -> AsyncIterator[None]:
    app, data = FastAPI(), BytesIO()
    Picture.new("RGB", (400, 300), (30, 60, 90)).save(data, "JPEG")

    @app.get("/picture")
    async def _() -> Response:
        return Response(data.getvalue(), media_type="image/jpeg")

    @app.get("/upright")
    async def _() -> Response:
        return Response(upright_cover().data, media_type="image/jpeg")

    @app.get("/film/{seed}/{size}/{name}")
    async def _(seed: int, size: int) -> Response:
        return StreamingResponse(Film(size, seed).read(), media_type="video/mp4")

    async with serve(app) as url:
        FETCHED[:] = [url]
        yield


def test_it_is_configured_and_its_limits_are_sane(network: BaseChannel) -> None:
    assert network.configured()
    assert network.label.strip() == network.label != ""
    limits = network.limits
    if network.connection.consent:
        assert network.connection.settings or network.connection.fields
    else:
        assert network.connection.fields
    assert 100 <= limits.max_characters <= 100_000
    assert 1 <= limits.max_images <= 50
    assert (limits.max_first_comment > 0) is supports(network, BaseChannel.comment)
    assert limits.max_pixels >= 1_000_000
    assert limits.max_image_bytes >= 1_000_000
    assert 1 <= network.call_timeout.total_seconds() <= 120
    assert channel(network.kind) is network


async def test_an_account_is_connected(network: BaseChannel, networks: Networks) -> None:
    grant, _ = await granted(network, networks)
    profiles = await network.profiles(grant)
    assert profiles
    assert all(profile.external_id and profile.name for profile in profiles)
    assert grant.expires_at is None or grant.expires_at > datetime.now(UTC)
    assert grant.access_token not in repr(grant)
    assert len(profiles) == 1 or network.traits.several_accounts
    for profile in profiles:
        token = profile.access_token or grant.access_token
        assert token not in repr(profile)
        assert token not in repr(Credentials(profile.external_id, profile.type, token))


async def test_a_server_that_has_forgotten_us_is_consented_at_all_the_same(
    network: BaseChannel, networks: Networks
) -> None:
    if not (network.connection.consent and network.connection.fields):
        pytest.skip("we are registered there by hand, or not at all")
    app = await network.register(filled_in(network, networks), CALLBACK, forgotten)
    way = OAuthFlow(new_id().hex, CALLBACK, "v" * 64, app)
    answer = await networks.client.get(f"{network.authorize_url(way)}&{PERSON}")
    back = parse_qs(urlsplit(answer.headers["location"]).query)
    assert await network.profiles(await network.exchange(way, back["code"][0]))


async def test_a_code_is_traded_once(network: BaseChannel, networks: Networks) -> None:
    if not network.connection.consent:
        pytest.skip("people consent by a form here")
    way = await a_way(network, networks)
    address = network.authorize_url(way)
    back = parse_qs(urlsplit((await networks.client.get(f"{address}&{PERSON}")).headers["location"]).query)
    had: list[Grant] = []
    grant = await network.exchange(way, back["code"][0], had.append)
    assert (had[-1].access_token, had[-1].refresh_token) == (grant.access_token, grant.refresh_token)
    assert had[-1].base_url == grant.base_url
    heard = len(had)
    with pytest.raises(Refused) as raised:
        await network.exchange(way, back["code"][0], had.append)
    assert len(had) == heard, "nothing came"
    assert back["code"][0] not in raised.value.detail


@pytest.mark.parametrize("images", [0, 1, 2])
async def test_a_post_goes_out(connected: Connected, images: int) -> None:
    limits = connected.network.limits
    # an article shows one above it; any other stands where its text has it
    most = 1 if connected.network.kind.is_site else limits.max_images
    if images > most or (limits.needs_image and not images):
        pytest.skip("not on this network")
    pictures = tuple(picture(f"Picture {at}: “wet” <street> & 🌧") for at in range(images))
    post = connected.post(words("Rain without drama"), pictures)
    receipt = await connected.publish(post)
    assert receipt.provider_id
    assert receipt.permalink
    shown = await connected.shown(receipt)
    assert shown["text"] == post.text
    assert [image["alt_text"] for image in shown["images"]] == [image.alt for image in pictures]
    page = await connected.networks.client.get(receipt.permalink)
    assert page.status_code == 200
    profile = connected.network.posts_url(connected.to.type, connected.to.external_id, connected.to.base_url)
    seen = await connected.networks.client.get(profile, follow_redirects=True)
    assert html.escape(post.text, quote=False) in seen.text


LINK = Link("https://blog.example/rain?from=post&n=1#top", "Rain — “without” <drama> & wind", "What to wear, {and} why")


@pytest.mark.parametrize("images", [0, 1, 2])
async def test_a_link_is_shown_as_the_network_shows_links(connected: Connected, images: int) -> None:
    limits = connected.network.limits
    if connected.network.kind.is_site or (limits.needs_image and not images):
        pytest.skip("not on this network")
    text = words("Where it leads")
    post = connected.leading_to(LINK, text, tuple(picture() for _ in range(images)))
    await connected.stage(post)  # a picture of a card may be staged once more, too
    asked = datetime.now(UTC)
    refs = await connected.stage(post)
    receipt = await connected.call(post, refs)
    shown, place = await connected.shown(receipt), limits.link_place(images)
    card = place in CARDS
    assert shown["text"] == (f"{text}\n\n{LINK.url}" if place is LinkPlace.below else text)
    assert (shown["article"] or {}).get("source") == (LINK.url if card else None)
    assert len(shown["images"]) == (0 if card else images)
    if place is LinkPlace.card:
        told = shown["article"]
        assert (told["title"], told["description"]) == (LINK.title, LINK.description)
        assert ("thumbnail" in told) is (images == 1)
    assert receipt.permalink
    page = (await connected.networks.client.get(receipt.permalink)).text
    assert (f'href="{html.escape(LINK.url)}"' in page) is (place is not LinkPlace.left_out)
    assert (html.escape(LINK.title) in page) is (place is LinkPlace.card)
    if connected.network.traits.can_list_own:
        found = await connected.network.find(connected.to, post, refs, since=asked)
        assert found.receipt is not None
        assert found.receipt.provider_id == receipt.provider_id


def test_a_link_breaks_no_rule_of_how_many_images_there_are(network: BaseChannel) -> None:
    """Beside as many as are shown with a card, its picture among them."""
    limits = network.limits
    assert limits.card_images <= min(1, limits.max_images), "the first is the card's picture, others had no place"
    assert limits.card_images == 0 or limits.link is LinkPlace.card


async def test_staging_publishes_nothing_and_may_be_repeated(connected: Connected) -> None:
    before = await connected.networks.posts()
    post = connected.post(words("Staged twice"), (picture(),))
    await connected.stage(post)
    refs = await connected.stage(post)
    assert await connected.networks.posts() == before
    assert (await connected.call(post, refs)).provider_id


async def test_a_text_at_the_limit_goes_out_whole(connected: Connected) -> None:
    limits = connected.network.limits
    images = (picture(),) if limits.needs_image else ()
    facts = [FileFacts(400, 300)] * len(images)
    start = words("As long as it may be (really) #long")
    text = (start + " [rain] *and* wind_" * limits.max_characters)[: limits.max_characters].rstrip()
    text += "." * (limits.max_characters - len(text))
    assert check(PostFacts(text, facts), limits) == []
    assert check(PostFacts(text + ".", facts), limits) != []
    assert (await connected.shown(await connected.publish(connected.post(text, images))))["text"] == text


async def test_an_image_goes_out_without_a_text_and_is_found_again(connected: Connected) -> None:
    limits = connected.network.limits
    if limits.text_required:
        pytest.skip("not on this network")
    assert check(PostFacts("", [FileFacts(400, 300)]), limits) == []
    assert (await connected.publish(connected.post("", (picture("one"),)))).permalink
    post, asked = connected.post("", (picture("another"),)), datetime.now(UTC)
    refs = await connected.stage(post)
    receipt = await connected.call(post, refs)
    shown = await connected.shown(receipt)
    assert (shown["text"], [one["alt_text"] for one in shown["images"]]) == ("", ["another"])
    if connected.network.traits.can_list_own:
        found = await connected.network.find(connected.to, post, refs, since=asked)
        assert found.receipt is not None
        assert found.receipt.provider_id in (receipt.provider_id, None)  # where the network knows it by its text alone


async def test_a_description_at_the_limit_goes_out_whole(connected: Connected) -> None:
    most = connected.network.limits.max_alt
    if most is None or connected.network.kind.is_site:
        pytest.skip("not on this network")
    post = connected.post(words("With a long description"), (picture("ä" * most),))
    shown = await connected.shown(await connected.publish(post))
    assert [len(one["alt_text"]) for one in shown["images"]] == [most]


@pytest.mark.parametrize(
    "text",
    [
        r"Reserved: \ | { } @ [ ] ( ) < > # * _ ~",
        r"Escaped already: \( \\ \#tag \n",
        "Hashtags: #rain #Über #東京 #1st no#tag C# #5 x#y",
        "Mention-like: @[Ada](urn:li:nobody:x) @[Ada](x) {hashtag|\\#|rain} @ada",
        "Links: https://example.org/a_(b)?q=1&x=*#part_2 and <https://example.org>",
        "Umlauts äöüß, “quotes”, emoji 🌧️👩🏽‍🚒🇩🇪, RTL עברית, Zalgo e\u0301",
        "Lines\n\nand\n- lists\n\n\t tab",
        "<script>alert('x')</script> &amp; &lt; %20 \\u0041",
    ],
)
async def test_every_character_survives(connected: Connected, text: str) -> None:
    images = (picture(),) if connected.network.limits.needs_image else ()
    post = connected.post(f"{text} — {new_id()}", images)
    assert (await connected.shown(await connected.publish(post)))["text"] == post.text


async def test_a_mention_with_a_urn_is_shown_by_its_name(connected: Connected) -> None:
    images = (picture(),) if connected.network.limits.needs_image else ()
    typed = words("Thanks, @[Lindqvist Coffee](urn:li:organization:2414183) (and #rain)!")
    sent, _ = with_link(typed, None, len(images), connected.network.limits)
    post, since = connected.post(sent, images), datetime.now(UTC)
    refs = await connected.stage(post)
    receipt = await connected.call(post, refs)
    shown = (await connected.shown(receipt))["text"]
    assert shown == typed.replace("@[Lindqvist Coffee](urn:li:organization:2414183)", "Lindqvist Coffee")
    if connected.network.traits.can_list_own and not connected.network.traits.asks_by_repeating:
        found = await connected.network.find(connected.to, post, refs, since=since)
        assert found.receipt is not None, "it would be sent a second time"
        assert found.receipt.provider_id == receipt.provider_id


FAILURES: list[tuple[dict[str, object], type[ProviderError], bool]] = [
    # what happens, its class, and whether the post may be there all the same
    ({"kind": "rate_limited", "seconds": 7}, RateLimited, False),
    ({"kind": "revoked"}, NeedsReconnect, False),
    ({"kind": "status", "status": 401}, NeedsReconnect, False),
    ({"kind": "status", "status": 403}, NeedsReconnect, False),
    ({"kind": "status", "status": 400}, Refused, False),
    ({"kind": "status", "status": 422}, Refused, False),
    ({"kind": "status", "status": 500}, Ambiguous, False),
    ({"kind": "status", "status": 500, "effect": True}, Ambiguous, True),
    ({"kind": "status", "status": 503}, Ambiguous, False),
    ({"kind": "html", "status": 502}, Ambiguous, False),
    ({"kind": "truncated"}, Ambiguous, False),
    ({"kind": "empty"}, Ambiguous, False),
    ({"kind": "timeout", "seconds": 0.2}, Ambiguous, False),
    ({"kind": "timeout", "seconds": 0.2, "effect": True}, Ambiguous, True),
    ({"kind": "reset"}, Ambiguous, False),
    ({"kind": "lost_answer"}, Ambiguous, True),
]


def _class(error: ProviderError) -> type[ProviderError]:
    """A refused token is lost access, also where it is told apart."""
    return NeedsReconnect if type(error) is TokenRefused else type(error)


async def test_where_tokens_are_refreshed_a_refused_one_is_told_from_lost_access(connected: Connected) -> None:
    if not supports(connected.network, BaseChannel.refresh):
        pytest.skip("this network refreshes nothing")
    for fault, kind in (({"kind": "revoked"}, TokenRefused), ({"kind": "status", "status": 403}, NeedsReconnect)):
        await connected.networks.fail(on="images", **fault)
        with pytest.raises(NeedsReconnect) as raised:
            await connected.network.stage(connected.to, connected.post(words("With a picture"), (picture(),)))
        assert type(raised.value) is kind


@pytest.mark.parametrize("ahead", [True, False], ids=["ahead", "at once"])
@pytest.mark.parametrize(("fault", "kind", "there"), FAILURES, ids=lambda value: str(value))
async def test_a_failed_publishing_call_has_its_class(
    connected: Connected, fault: dict[str, object], kind: type[ProviderError], there: bool, ahead: bool
) -> None:
    """Above all: what may be there is never told as a failure that can simply be repeated."""
    images = (picture(),) if connected.network.limits.needs_image else ()
    post = connected.post(words("Going wrong"), images)
    refs = await connected.stage(post)
    await connected.networks.fail(on="posts", **fault)
    with pytest.raises(ProviderError) as raised:
        await connected.call(post, refs, ahead=ahead)
    assert _class(raised.value) is kind
    assert connected.to.access_token not in raised.value.detail
    assert any(shown["text"] == post.text for shown in await connected.networks.posts()) is there
    if kind is RateLimited:
        assert raised.value.retry_after is not None
        assert 6 <= raised.value.retry_after.total_seconds() <= 8


@pytest.mark.parametrize(
    ("on", "fault", "kind"),
    [
        ("images", {"kind": "status", "status": 500}, RetrySafe),
        ("images", {"kind": "rate_limited", "seconds": 7}, RateLimited),
        ("images", {"kind": "revoked"}, NeedsReconnect),
        ("images", {"kind": "html", "status": 502}, RetrySafe),
        ("upload", {"kind": "reset"}, RetrySafe),
        ("upload", {"kind": "lost_answer"}, RetrySafe),
        ("upload", {"kind": "status", "status": 400}, Refused),
    ],
    ids=lambda value: str(value),
)
async def test_a_failed_upload_is_never_ambiguous(
    connected: Connected, on: str, fault: dict[str, object], kind: type[ProviderError]
) -> None:
    if connected.network.traits.stages_here:
        pytest.skip("nothing is uploaded")
    await connected.networks.fail(on=on, **fault)
    with pytest.raises(ProviderError) as raised:
        await connected.network.stage(connected.to, connected.post(words("With a picture"), (picture(),)))
    assert _class(raised.value) is kind
    # the next try works
    assert await connected.stage(connected.post(words("With a picture"), (picture(),)))


async def test_a_text_that_only_gets_a_key_is_staged_without_a_request(connected: Connected) -> None:
    if not connected.network.traits.names_post:
        pytest.skip("it makes requests, or stages no text")
    before = (await connected.networks.client.get("/sandbox/requests")).json()
    assert len(await connected.stage(connected.post(words("Nothing to upload")))) == 1
    assert (await connected.networks.client.get("/sandbox/requests")).json() == before


async def test_a_probe_changes_nothing(connected: Connected) -> None:
    before = await connected.networks.posts()
    await connected.network.probe(connected.to)
    assert await connected.networks.posts() == before


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ({"kind": "status", "status": 426}, Misconfigured),
        ({"kind": "status", "status": 500}, RetrySafe),
        ({"kind": "rate_limited", "seconds": 7}, RateLimited),
        ({"kind": "revoked"}, NeedsReconnect),
        ({"kind": "reset"}, RetrySafe),
    ],
    ids=lambda value: str(value),
)
async def test_a_probe_tells_a_fault_of_ours_from_all_else(
    connected: Connected, fault: dict[str, object], kind: type[ProviderError]
) -> None:
    await connected.networks.fail(on="reads", **fault)
    with pytest.raises(ProviderError) as raised:
        await connected.network.probe(connected.to)
    assert _class(raised.value) is kind


async def test_a_confirmation_without_an_id_is_one(connected: Connected) -> None:
    if connected.network.traits.stages_post:
        pytest.skip("the id is known before")
    images = (picture(),) if connected.network.limits.needs_image else ()
    post = connected.post(words("Nameless"), images)
    refs = await connected.stage(post)
    await connected.networks.fail(on="posts", kind="no_id")
    assert (await connected.call(post, refs)).provider_id is None


async def test_the_same_text_twice_is_refused_as_that(connected: Connected) -> None:
    if not connected.network.traits.repeats_refused:
        pytest.skip("this network takes the same twice")
    images = (picture(),) if connected.network.limits.needs_image else ()
    post = connected.post(words("Twice"), images)
    refs = await connected.stage(post)
    await connected.call(post, refs)
    with pytest.raises(Refused) as raised:
        await connected.call(post, refs)
    assert raised.value.code is ErrorCode.delivery_duplicate


async def test_what_went_out_is_deleted_for_everybody(connected: Connected) -> None:
    if not supports(connected.network, BaseChannel.delete):
        pytest.skip("this network deletes nothing")
    images = (picture(),) if connected.network.limits.needs_image else ()
    post = connected.post(words("Not for long"), images)
    receipt = await connected.call(post, await connected.stage(post))
    assert receipt.provider_id is not None
    await connected.shown(receipt)
    await connected.networks.fail(on="deletes", kind="lost_answer")
    with pytest.raises(RetrySafe):
        await connected.network.delete(connected.to, receipt.provider_id)
    await connected.network.delete(connected.to, receipt.provider_id)
    assert receipt.provider_id not in {one["id"] for one in await connected.networks.posts()}


async def test_what_went_out_is_changed_at_its_address(connected: Connected) -> None:
    if not supports(connected.network, BaseChannel.update):
        pytest.skip("this network changes nothing")
    receipt = await connected.publish(connected.post(words("First thoughts"), (picture(),)))
    assert receipt.provider_id is not None
    before = len(await connected.networks.posts())
    better = connected.post(words("Second thoughts"), (picture("A dry street"),))
    await connected.networks.fail(on="posts", kind="lost_answer")
    with pytest.raises(RetrySafe):
        await connected.network.update(connected.to, receipt.provider_id, better, wish="a1")
    assert await connected.network.update(connected.to, receipt.provider_id, better, wish="a1") == receipt
    shown = await connected.shown(receipt)
    assert (shown["text"], shown["images"][0]["alt_text"]) == (better.text, "A dry street")
    assert len(await connected.networks.posts()) == before


async def test_what_is_made_before_it_is_seen_is_made_once(connected: Connected) -> None:
    if not connected.network.kind.is_site or connected.network.traits.stages_here:
        pytest.skip("a post of a network is found by nothing before it is seen")
    post = connected.post(words("Once"), (picture(),))
    await connected.networks.fail(on="drafts", kind="lost_answer")
    with pytest.raises(RetrySafe):
        await connected.stage(post)
    [made] = await connected.unseen(post)
    refs = await connected.stage(post)
    assert refs[-1].split()[0] == made
    assert await connected.unseen(post) == [made]


async def commented(connected: Connected) -> str:
    """The id of a post that is out, on a network with first comments."""
    if not supports(connected.network, BaseChannel.comment):
        pytest.skip("this network has no first comment")
    images = (picture(),) if connected.network.limits.needs_image else ()
    receipt = await connected.publish(connected.post(words("With a comment"), images))
    assert receipt.provider_id is not None
    return receipt.provider_id


async def comments_below(connected: Connected, post_id: str) -> object:
    return (await connected.shown(Receipt(post_id, None)))["comments"]


async def test_a_first_comment_is_put_and_found(connected: Connected) -> None:
    post_id = await commented(connected)
    text, since = words("More under (this) link: https://lindhof.example/a_b #rad"), datetime.now(UTC)
    readable = connected.network.traits.can_list_own
    before = await connected.network.find_comment(connected.to, post_id, text, since=since)
    assert (before.receipt, before.absent) == (None, readable)
    receipt = await connected.network.comment(connected.to, post_id, text)
    assert await comments_below(connected, post_id) == [text]
    found = await connected.network.find_comment(connected.to, post_id, text, since=since)
    if not readable:
        assert (found.receipt, found.absent) == (None, False)
        return
    assert found.receipt is not None
    assert found.receipt.provider_id == receipt.provider_id


@pytest.mark.parametrize(("fault", "kind", "there"), FAILURES, ids=lambda value: str(value))
async def test_a_failed_call_for_a_comment_has_its_class(
    connected: Connected, fault: dict[str, object], kind: type[ProviderError], there: bool
) -> None:
    post_id = await commented(connected)
    await connected.networks.fail(on="comments", **fault)
    with pytest.raises(ProviderError) as raised:
        await connected.network.comment(connected.to, post_id, "Once")
    # a permission that is missing for comments alone says nothing of the account
    assert _class(raised.value) in (kind, Refused) if kind is NeedsReconnect else _class(raised.value) is kind
    assert connected.to.access_token not in raised.value.detail
    assert await comments_below(connected, post_id) == (["Once"] if there else [])


@pytest.mark.parametrize("there", [True, False])
async def test_asking_whether_it_is_there_claims_no_more_than_can_be_proved(connected: Connected, there: bool) -> None:
    """Where nothing can be read, neither that one is there nor that none is may ever be claimed."""
    if connected.network.traits.asks_by_repeating:
        pytest.skip("it is asked of nothing but what was called for")
    images = (picture(),) if connected.network.limits.needs_image else ()
    post = connected.post(words("Is it there?"), images)
    since = datetime.now(UTC)
    refs = await connected.stage(post)
    receipt = await connected.call(post, refs) if there else None
    found = await connected.network.find(connected.to, post, refs, since=since)
    if not connected.network.traits.can_list_own:
        assert (found.receipt, found.absent) == (None, False)
    elif receipt is None:
        assert (found.receipt, found.absent) == (None, True)
    else:
        assert found.receipt is not None
        assert found.receipt.provider_id == receipt.provider_id


@pytest.mark.parametrize("kind", ["lost_answer", "reset"], ids=["it was", "it was not"])
async def test_where_asking_is_repeating_it_is_there_once_whatever_the_call_has_done(
    connected: Connected, kind: str
) -> None:
    if not connected.network.traits.asks_by_repeating:
        pytest.skip("it is asked by reading")
    post, since = connected.post(words("Once, however often"), (picture(),)), datetime.now(UTC)
    refs = await connected.stage(post)
    await connected.networks.fail(on="posts", kind=kind)
    with pytest.raises(Ambiguous):
        await connected.call(post, refs)
    await connected.networks.fail(on="posts", kind="status", status=503)
    with pytest.raises(RetrySafe):
        await connected.network.find(connected.to, post, refs, since=since)
    found = [await connected.network.find(connected.to, post, refs, since=since) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].receipt
    assert found[0].receipt.provider_id == refs[-1]
    there = [one for one in await connected.networks.posts() if one["text"] == post.text]
    assert len(there) == 1
    assert not (await connected.network.find(connected.to, post, refs, since=since - timedelta(days=1))).receipt


async def test_a_grant_is_refreshed_where_the_network_does_that(network: BaseChannel, networks: Networks) -> None:
    if not supports(network, BaseChannel.refresh):
        pytest.skip("this network refreshes nothing")
    given = {"refresh_tokens": True, "threads_refresh_after_seconds": 0}
    await networks.client.post("/sandbox/settings", json=given)
    try:
        grant, _ = await granted(network, networks)
        assert grant.refresh_token
        fresh = await network.refresh(grant)
    finally:
        usual = {"refresh_tokens": None, "threads_refresh_after_seconds": 86_400}
        await networks.client.post("/sandbox/settings", json=usual)
    assert fresh.access_token
    assert fresh.access_token != grant.access_token
    assert fresh.refresh_token, "the next one can be made as well"
    assert {profile.external_id for profile in await network.profiles(fresh)} == {
        profile.external_id for profile in await network.profiles(grant)
    }
    with pytest.raises(NeedsReconnect) as raised:
        await network.refresh(replace(grant, refresh_token="made up"))
    assert "made up" not in raised.value.detail
    with pytest.raises(NeedsReconnect):
        await network.refresh(replace(grant, refresh_token=None))


async def test_what_is_given_back_allows_nothing_any_more(connected: Connected) -> None:
    grant = connected.grant
    if not supports(connected.network, BaseChannel.revoke):
        with pytest.raises(Refused):
            await connected.network.revoke(grant, connected.apps)
        return
    await connected.network.revoke(grant, connected.apps)
    if connected.network.traits.access_outlives_revoke:
        await connected.network.probe(connected.to)
        with pytest.raises(NeedsReconnect):
            await connected.network.refresh(grant)
    else:
        with pytest.raises(NeedsReconnect):
            await connected.network.probe(connected.to)
    await connected.network.revoke(grant, connected.apps)  # once more changes nothing


async def test_what_is_given_back_ends_nothing_else_where_the_network_says_so(
    connected: Connected, networks: Networks
) -> None:
    network = connected.network
    if not network.traits.revokes_token_alone:
        pytest.skip("it may end all that its person has consented to")
    await networks.client.post("/sandbox/settings", json={"mastodon_reuses_tokens": False})
    try:
        another, _ = await granted(network, networks, *connected.apps)
    finally:
        await networks.client.post("/sandbox/settings", json={"mastodon_reuses_tokens": True})
    assert another.access_token != connected.grant.access_token
    await network.revoke(connected.grant, connected.apps)
    [profile] = await network.profiles(another)
    await network.probe(Credentials(profile.external_id, profile.type, another.access_token, another.base_url))
    if supports(network, BaseChannel.refresh):
        assert (await network.refresh(another)).access_token


# videos

_PARTS = 9_000_000
"""Bytes of a video that LinkedIn takes in three parts."""


def film(size: int = 200_000, *, name: str = "rain.mp4") -> Film:
    """A new video, and where a network finds it that fetches it. No two have the same bytes."""
    seed = secrets.randbelow(10**9)
    return Film(size, seed, fetch_url=f"{FETCHED[0]}/film/{seed}/{size}/{name}")


async def settings(networks: Networks, **values: object) -> None:
    (await networks.client.post("/sandbox/settings", json=values)).raise_for_status()


@pytest.fixture
async def filmed(connected: Connected) -> AsyncIterator[Connected]:
    """An account of a network that takes videos."""
    if connected.network.limits.video is None:
        pytest.skip("it takes no videos from here")
    yield connected
    await settings(connected.networks, video_processing_seconds=0, linkedin_reads_videos=True)


async def bytes_of(networks: Networks, shown: dict[str, Any]) -> bytes:
    answer = await networks.client.get(shown["url"])
    assert answer.headers["content-type"] == "video/mp4"
    return answer.content


@pytest.mark.parametrize("cover", [False, True], ids=["a frame", "a cover"])
async def test_a_video_goes_out_and_is_found_again(filmed: Connected, cover: bool) -> None:
    taken = film(_PARTS)
    video = taken.video(alt="A person rides in “rain” & <wind>", cover=upright_cover() if cover else None)
    post, asked = filmed.post(words("Riding in rain"), video=video), datetime.now(UTC)
    refs = await filmed.stage(post)
    receipt = await filmed.call(post, refs)
    shown = await filmed.shown(receipt)
    assert shown["text"] == post.text
    assert shown["images"] == []
    [seen] = shown["videos"]
    assert seen["title"] in (video.title, "")
    assert seen["alt_text"] in (video.alt, "")
    assert seen["title"] or seen["alt_text"] or filmed.network.kind is ChannelKind.instagram, "Reels have neither"
    assert await bytes_of(filmed.networks, seen) == chunk_at(taken.seed, 0, _PARTS)
    if seen["cover"]:
        assert cover
        assert (await filmed.networks.client.get(seen["cover"])).headers["content-type"].startswith("image/")
    assert receipt.permalink
    page = (await filmed.networks.client.get(receipt.permalink)).text
    assert f'<video controls preload="metadata" src="{urlsplit(seen["url"]).path}"' in page
    if filmed.network.traits.can_list_own:
        found = await filmed.network.find(filmed.to, post, refs, since=asked)
        assert found.receipt is not None
        assert found.receipt.provider_id == receipt.provider_id


async def test_a_staged_video_is_not_seen_and_proven_absent(filmed: Connected) -> None:
    before = await filmed.networks.posts()
    post, asked = filmed.post(words("Staged twice"), video=film().video()), datetime.now(UTC)
    await filmed.stage(post)
    refs = await filmed.stage(post)
    assert await filmed.networks.posts() == before
    found = await filmed.network.find(filmed.to, post, refs, since=asked)
    assert (found.receipt, found.absent) == (None, filmed.network.traits.can_list_own)


async def test_a_video_is_waited_for_until_it_is_processed(filmed: Connected) -> None:
    await settings(filmed.networks, video_processing_seconds=3)
    post = filmed.post(words("Slowly"), video=film().video())
    staged = await filmed.network.stage(filmed.to, post)
    if await filmed.network.ready(filmed.to, staged.refs):
        with pytest.raises(RetrySafe):  # too early: nothing is published, and later it is
            await filmed.call(post, staged.refs)
    else:
        assert filmed.network.kind is ChannelKind.bluesky, "there the record needs what processing makes"
    await settings(filmed.networks, video_processing_seconds=0)
    await filmed.wait_until_ready(staged.refs)
    assert (await filmed.call(post, staged.refs)).provider_id


async def test_a_video_that_cannot_be_processed_is_refused(filmed: Connected) -> None:
    taken = film(name="unplayable.mp4")
    post = filmed.post(words("unplayable"), video=taken.video(title="unplayable", alt="unplayable"))
    with pytest.raises(Refused) as raised:
        await filmed.publish(post)
    assert raised.value.code is ErrorCode.video_refused


@pytest.mark.parametrize(
    ("on", "fault", "kind"),
    [
        ("images", {"kind": "status", "status": 500}, RetrySafe),
        ("images", {"kind": "rate_limited", "seconds": 7}, RateLimited),
        ("images", {"kind": "revoked"}, NeedsReconnect),
        ("upload", {"kind": "reset", "times": 9}, RetrySafe),
        ("upload", {"kind": "lost_answer", "times": 9}, RetrySafe),
        ("upload", {"kind": "status", "status": 400}, Refused),
    ],
    ids=lambda value: str(value),
)
async def test_a_failed_upload_of_a_video_goes_on_or_begins_again(
    filmed: Connected,
    on: str,
    fault: dict[str, object],
    kind: type[ProviderError],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.networks.uploads.PART_WAITS", (0.0, 0.0))
    post = filmed.post(words("Broken off"), video=film(_PARTS).video())
    before, kept = await filmed.networks.posts(), list[str]()

    async def keep(ref: str) -> None:
        kept.append(ref)

    await filmed.networks.fail(on=on, **fault)
    with pytest.raises(ProviderError) as raised:
        await filmed.network.stage(filmed.to, post, keep=keep)
    assert _class(raised.value) is kind
    assert filmed.to.access_token not in raised.value.detail
    await filmed.networks.calm()
    staged = await filmed.network.stage(filmed.to, post, had=tuple(kept), keep=keep)
    await filmed.wait_until_ready(staged.refs)
    assert (await filmed.call(post, staged.refs)).provider_id
    assert len(await filmed.networks.posts()) == len(before) + 1


@pytest.mark.parametrize(("fault", "kind", "there"), FAILURES, ids=lambda value: str(value))
async def test_a_failed_publishing_call_with_a_video_has_its_class(
    filmed: Connected, fault: dict[str, object], kind: type[ProviderError], there: bool
) -> None:
    post = filmed.post(words("Going wrong"), video=film().video())
    refs = await filmed.stage(post)
    await filmed.networks.fail(on="posts", **fault)
    with pytest.raises(ProviderError) as raised:
        await filmed.call(post, refs)
    assert _class(raised.value) is kind
    assert any(shown["text"] == post.text for shown in await filmed.networks.posts()) is there


async def test_a_post_with_a_video_is_deleted_for_everybody(filmed: Connected) -> None:
    if not supports(filmed.network, BaseChannel.delete):
        pytest.skip("this network deletes nothing")
    receipt = await filmed.publish(filmed.post(words("Not for long"), video=film().video()))
    assert receipt.provider_id is not None
    await filmed.network.delete(filmed.to, receipt.provider_id)
    assert receipt.provider_id not in {one["id"] for one in await filmed.networks.posts()}


async def test_a_video_is_never_held_in_memory(filmed: Connected) -> None:
    """Neither by the adapter nor by the stand-in, which runs in this process, too."""
    size, most = 24_000_000, 10_000_000
    post = filmed.post(words("Long"), video=film(size).video())
    tracemalloc.start()
    try:
        await filmed.network.stage(filmed.to, post)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < most


# documents


def paper(pages: int = 3) -> Paper:
    """A new document. No two have the same bytes."""
    return Paper(a_pdf(pages, words=secrets.token_hex(4)))


@pytest.fixture
async def printed(connected: Connected) -> AsyncIterator[Connected]:
    """An account of a network that takes documents."""
    if connected.network.limits.document is None:
        pytest.skip("it takes no documents")
    yield connected
    await settings(connected.networks, image_processing_seconds=0)


@pytest.mark.parametrize("text", ["Turning pages", ""])
async def test_a_document_goes_out_and_is_found_again(printed: Connected, text: str) -> None:
    sheets = paper()
    document = sheets.document(title="“Rain” & <wind> (1) #one")
    post, asked = printed.post(words(text) if text else "", document=document), datetime.now(UTC)
    refs = await printed.stage(post)
    assert sheets.reads == 1
    receipt = await printed.call(post, refs)
    shown = await printed.shown(receipt)
    assert (shown["text"], shown["images"], shown["videos"]) == (post.text, [], [])
    [seen] = shown["documents"]
    assert (seen["title"], seen["pages"]) == (document.title, 3)
    assert (await printed.networks.client.get(seen["url"])).content == sheets.data
    assert receipt.permalink
    page = (await printed.networks.client.get(receipt.permalink)).text
    addresses = [f"{urlsplit(seen['url']).path}/{number}" for number in (1, 2, 3)]
    assert all(f'<img src="{address}"' in page for address in addresses)
    drawn = await printed.networks.client.get(addresses[2])
    assert Picture.open(BytesIO(drawn.content)).size[0] == 440
    if printed.network.traits.can_list_own:
        found = await printed.network.find(printed.to, post, refs, since=asked)
        assert found.receipt is not None
        assert found.receipt.provider_id == receipt.provider_id


async def test_the_longest_title_of_a_document_fits(printed: Connected) -> None:
    limits = printed.network.limits.document
    assert limits is not None
    title = "(Rain) [&] " + "x" * (limits.max_title - 11)
    shown = await printed.shown(
        await printed.publish(printed.post(words("Named"), document=paper().document(title=title)))
    )
    assert [one["title"] for one in shown["documents"]] == [title]


async def test_a_link_beside_a_document_stands_below_the_text(printed: Connected) -> None:
    limits, text = printed.network.limits, words("See")
    facts = [FileFacts(595, 842, kind=MediaKind.document, mime="application/pdf", bytes=900, pages=3)]
    assert check(PostFacts(text, files=facts, link=LINK), limits) == []
    sent, card = with_link(text, LINK, limits.card_files(facts), limits)
    shown = await printed.shown(await printed.publish(printed.post(sent, document=paper().document())))
    assert (card, shown["article"], len(shown["documents"])) == (None, None, 1)
    assert LINK.url in shown["text"]


async def test_a_staged_document_is_not_seen_and_proven_absent(printed: Connected) -> None:
    before, kept = await printed.networks.posts(), list[str]()

    async def keep(ref: str) -> None:
        kept.append(ref)

    sheets = paper()
    post, asked = printed.post(words("Staged twice"), document=sheets.document()), datetime.now(UTC)
    staged = await printed.network.stage(printed.to, post, keep=keep)
    again = await printed.network.stage(printed.to, post, had=tuple(kept), keep=keep)
    assert (staged.refs, again.refs, sheets.reads) == (tuple(kept), tuple(kept), 1)
    assert await printed.networks.posts() == before
    found = await printed.network.find(printed.to, post, staged.refs, since=asked)
    assert (found.receipt, found.absent) == (None, printed.network.traits.can_list_own)


async def test_a_document_is_waited_for_until_it_is_processed(printed: Connected) -> None:
    await settings(printed.networks, image_processing_seconds=3)
    post = printed.post(words("Slowly"), document=paper().document())
    staged = await printed.network.stage(printed.to, post)
    # whose state cannot be read is waited for a fixed time
    assert (await printed.network.ready(printed.to, staged.refs) is not None) is printed.network.traits.can_list_own
    with pytest.raises(RetrySafe) as raised:  # too early: nothing is published, and later it is
        await printed.call(post, staged.refs)
    assert raised.value.code is ErrorCode.document_not_ready
    await settings(printed.networks, image_processing_seconds=0)
    assert (await printed.call(post, staged.refs)).provider_id


@pytest.mark.parametrize("data", [locked_pdf(user="rain", owner="sun"), b"%PDF-1.7 but no more"], ids=["locked", "cut"])
async def test_a_document_that_cannot_be_processed_is_refused(printed: Connected, data: bytes) -> None:
    with pytest.raises(Refused) as raised:
        await printed.publish(printed.post(words("Not shown"), document=Paper(data).document()))
    assert raised.value.code is ErrorCode.document_refused


@pytest.mark.parametrize(
    ("on", "fault", "kind"),
    [
        ("images", {"kind": "status", "status": 500}, RetrySafe),
        ("images", {"kind": "rate_limited", "seconds": 7}, RateLimited),
        ("images", {"kind": "revoked"}, NeedsReconnect),
        ("upload", {"kind": "reset"}, RetrySafe),
        ("upload", {"kind": "lost_answer"}, RetrySafe),
        ("upload", {"kind": "status", "status": 400}, Refused),
        ("upload", {"kind": "status", "status": 503}, RetrySafe),
    ],
    ids=lambda value: str(value),
)
async def test_a_failed_upload_of_a_document_begins_again(
    printed: Connected, on: str, fault: dict[str, object], kind: type[ProviderError]
) -> None:
    post = printed.post(words("Broken off"), document=paper().document())
    before, kept = await printed.networks.posts(), list[str]()

    async def keep(ref: str) -> None:
        kept.append(ref)

    await printed.networks.fail(on=on, **fault)
    with pytest.raises(ProviderError) as raised:
        await printed.network.stage(printed.to, post, keep=keep)
    assert _class(raised.value) is kind
    assert printed.to.access_token not in raised.value.detail
    assert kept == []
    await printed.networks.calm()
    assert (await printed.publish(post)).provider_id
    assert len(await printed.networks.posts()) == len(before) + 1


@pytest.mark.parametrize(("fault", "kind", "there"), FAILURES, ids=lambda value: str(value))
async def test_a_failed_publishing_call_with_a_document_has_its_class(
    printed: Connected, fault: dict[str, object], kind: type[ProviderError], there: bool
) -> None:
    post = printed.post(words("Going wrong"), document=paper().document())
    refs = await printed.stage(post)
    await printed.networks.fail(on="posts", **fault)
    with pytest.raises(ProviderError) as raised:
        await printed.call(post, refs)
    assert _class(raised.value) is kind
    assert any(shown["text"] == post.text for shown in await printed.networks.posts()) is there


async def test_a_post_with_a_document_is_deleted_for_everybody(printed: Connected) -> None:
    receipt = await printed.publish(printed.post(words("Not for long"), document=paper().document()))
    assert receipt.provider_id is not None
    await printed.network.delete(printed.to, receipt.provider_id)
    assert receipt.provider_id not in {one["id"] for one in await printed.networks.posts()}
