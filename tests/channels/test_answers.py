"""Whatever a server answers, and to whichever call: the engine gets one of its own errors, or what it can keep."""

import inspect
import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from typing import Any

import pytest
from PIL import Image as Picture
from pydantic import SecretStr

from cli.stand_ins import STAND_INS
from core.errors import Ambiguous, ProviderError, RetrySafe
from core.networks import linkedin
from core.networks.base import BaseChannel, supports
from core.networks.bluesky import BlueskyChannel, BlueskySettings
from core.networks.connections import App, Credentials, Grant, OAuthFlow
from core.networks.facebook import FacebookChannel
from core.networks.ghost import GhostChannel, GhostSettings
from core.networks.graph import MetaSettings
from core.networks.instagram import InstagramChannel
from core.networks.linkedin import LinkedInChannel, LinkedInSettings
from core.networks.linkedin_pages import LinkedInPagesChannel
from core.networks.mastodon import MastodonChannel, MastodonSettings
from core.networks.posts import Article, Finding, Image, Outgoing, Receipt
from core.networks.registry import channel
from core.networks.rules.channels import AccountType, ChannelKind
from core.networks.threads import ThreadsChannel, ThreadsSettings
from core.networks.webhook import WebhookChannel, WebhookSettings
from core.networks.wordpress import WordPressChannel, WordPressSettings
from core.outgoing import http
from tests.http_server import Answer, Server

ASKED = [kind for kind in ChannelKind if not supports(channel(kind), BaseChannel.feeds_of)]
"""Those that are at a server of others."""
TOKEN, CALLBACK = "a-secret-token", "http://postloom.test/callback/"
KEY, POST_ID = f"{'a1' * 12}:{'b2' * 32}", "c3" * 12
SECRET = f"whsec_{'QUJD' * 10}"
NOW = datetime.now(UTC)


class Same(dict[str, list[Answer]]):
    """One answer at every address."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def get(self, path: str, default: Any = None) -> Any:
        return [self.answer]


class OneAnswer(Server):
    def all(self, answer: Answer) -> None:
        self._answers = Same(answer)


@pytest.fixture(scope="module")
def server() -> Iterator[OneAnswer]:
    running = OneAnswer()
    yield running
    running.stop()


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    prefixes = tuple({one.prefix for one in STAND_INS.values()})
    for name in [one for one in os.environ if one.startswith(prefixes)]:
        monkeypatch.delenv(name)  # other tests point the networks at their stand-in
    monkeypatch.setattr(linkedin, "FRESH_TOKEN_WAITS", ())
    for module, name, value in (
        ("linkedin_pages", "FIND_WAITS", (0.0, 0.0)),
        ("facebook", "FIND_WAITS", (0.0, 0.0)),
        ("graph_calls", "MISSING_WAITS", (0.0, 0.0)),
        ("mastodon", "FIND_WAITS", (0.0,)),
        ("graph_containers", "CHILD_WAITS", (0.0,)),
        ("graph_containers", "FIND_WAIT", 0.0),
    ):
        monkeypatch.setattr(f"core.networks.{module}.{name}", value)


def adapter(kind: ChannelKind, url: str) -> BaseChannel:
    hush = SecretStr("hush")
    meta = MetaSettings(client_id="app", client_secret=hush, dialog_url=url, graph_url=url, instagram_url=url)
    made: dict[ChannelKind, Callable[[], Any]] = {
        ChannelKind.linkedin: lambda: LinkedInChannel(
            LinkedInSettings(client_id="app", client_secret=hush, auth_url=url, api_url=url)
        ),
        ChannelKind.linkedin_pages: lambda: LinkedInPagesChannel(
            LinkedInSettings(pages_client_id="app", pages_client_secret=hush, auth_url=url, api_url=url)
        ),
        ChannelKind.facebook: lambda: FacebookChannel(meta),
        ChannelKind.instagram: lambda: InstagramChannel(meta),
        ChannelKind.threads: lambda: ThreadsChannel(
            ThreadsSettings(client_id="app", client_secret=hush, dialog_url=url, site_url=url, api_url=url)
        ),
        ChannelKind.mastodon: lambda: MastodonChannel(MastodonSettings(internal_servers=url)),
        ChannelKind.bluesky: lambda: BlueskyChannel(BlueskySettings(internal_servers=url)),
        ChannelKind.wordpress: lambda: WordPressChannel(WordPressSettings(internal_servers=url)),
        ChannelKind.ghost: lambda: GhostChannel(GhostSettings(internal_servers=url)),
        ChannelKind.webhook: lambda: WebhookChannel(WebhookSettings(internal_servers=url)),
    }
    network: BaseChannel = made[kind]()
    return network


@dataclass(frozen=True)
class Asking:
    """All that the engine asks of a network."""

    network: BaseChannel
    url: str

    @property
    def to(self) -> Credentials:
        return Credentials("7237", AccountType.organisation, self.token, self.url)

    @property
    def token(self) -> str:
        """Written as the network writes its own."""
        return {ChannelKind.ghost: KEY, ChannelKind.webhook: SECRET}.get(self.network.kind, TOKEN)

    @property
    def grant(self) -> Grant:
        return Grant(self.token, "refreshing", None, (), subject="42", base_url=self.url)

    @property
    def post(self) -> Outgoing:
        data = BytesIO()
        Picture.new("RGB", (40, 30)).save(data, "JPEG")
        image = Image(data.getvalue(), "image/jpeg", "A street", "https://cdn.test/a.jpg")
        article = Article("Hi", "hi", "", "<p>Hi</p>", tags=("rain",), categories=("3",))
        return Outgoing("Hi @ada.example", (image, image), article=article if self.network.kind.is_site else None)

    @property
    def refs(self) -> tuple[str, ...]:
        blob = "bafk image/jpeg 7 40x30"
        own = {ChannelKind.ghost: f"{POST_ID} 2026-11-26T12:00:00.000Z", ChannelKind.webhook: "d4" * 16}
        made = own.get(self.network.kind, "3lbqz5xk2pc2a")
        return (blob, blob, made)[: 2 + self.network.traits.stages_post]

    @property
    def post_id(self) -> str:
        return POST_ID if self.network.kind is ChannelKind.ghost else "urn:li:share:7"

    @property
    def way(self) -> OAuthFlow:
        return OAuthFlow("state", CALLBACK, "v" * 64, App(self.url, "id", "hush"))

    async def publish(self) -> Receipt:
        return await self.network.prepare(self.to, self.post, self.refs).publish()

    def all(self) -> dict[str, Callable[[], Awaitable[Any]]]:
        network, to = self.network, self.to
        asks: dict[str, Callable[[], Awaitable[Any]]] = {
            "profiles": partial(network.profiles, self.grant),
            "revoke": partial(network.revoke, self.grant, [App(self.url, "id", "hush")]),
            "stage": partial(network.stage, to, self.post),
            "find": partial(network.find, to, self.post, self.refs, since=NOW),
            "named": partial(network.verify_duplicate, to, "urn:li:share:7"),
            "probe": partial(network.probe, to),
            "publish": self.publish,
        }
        if network.connection.consent:
            asks["exchange"] = partial(network.exchange, self.way, "code")
        else:
            form = {"handle": "ada.example", "app_password": "abcd-efgh-ijkl-mnop", "host": self.url}
            if network.kind.is_site:
                form = {"site": self.url, "username": "ada", "app_password": "abcd efgh ijkl mnop qrst uvwx"}
                form |= {"admin_key": KEY, "endpoint": f"{self.url}/hook", "secret": SECRET}
            asks["sign in"] = partial(network.sign_in, form)
        if network.connection.consent and network.connection.fields:
            asks["register"] = partial(network.register, {"server": self.url}, CALLBACK, nowhere_yet)
        if supports(network, BaseChannel.refresh):
            asks["refresh"] = partial(network.refresh, self.grant)
        if supports(network, BaseChannel.ready):
            asks["ready"] = partial(network.ready, to, self.refs)
        if supports(network, BaseChannel.quota):
            asks["quota"] = partial(network.quota, to)
        if supports(network, BaseChannel.delete):
            asks["delete"] = partial(network.delete, to, self.post_id)
        if supports(network, BaseChannel.comment):
            asks["comment"] = partial(network.comment, to, "7237_1", "More")
            asks["find comment"] = partial(network.find_comment, to, "7237_1", "More", since=NOW)
        if supports(network, BaseChannel.update):
            asks["update"] = partial(network.update, to, self.post_id, self.post, wish="a1")
        if supports(network, BaseChannel.standing):
            asks["standing"] = partial(network.standing, self.grant, to)
        if supports(network, BaseChannel.clock):
            asks["clock"] = partial(network.clock, to)
        return asks


async def nowhere_yet(base_url: str) -> None:
    return None


@pytest.fixture(scope="module", params=ASKED)
async def asking(request: pytest.FixtureRequest, server: OneAnswer) -> AsyncIterator[Asking]:
    network = adapter(request.param, server.url)
    yield Asking(network, server.url)
    await network.close()


def every_name(network: BaseChannel, value: object) -> bytes:
    """All fields that the network's modules know, and one that none knows, with that value."""
    modules = [inspect.getmodule(one) for one in type(network).__mro__ if one.__module__.startswith("core.")]
    names = {name for one in modules if one for name in re.findall(r'"([\w$]+)"', inspect.getsource(one))}
    return json.dumps({**dict.fromkeys(names, value), "new": value}).encode()


UNREADABLE: dict[str, bytes] = {
    "html": b"<!doctype html><h1>Maintenance</h1>",
    "cut off": b'{"id":"17","success":true,"uri":"at://did:plc:ada/app.bsky.feed.post/3lb',
    "empty": b"",
    "a list": b'[{"id":"1"},7,null]',
    "a word": b'"gone"',
    "nothing": b"null",
    "deep": b"[" * 100_000,
    "endless": b'{"id":"17","success":true,"more":"' + b"x" * http.MAX_LIST_BYTES + b'"}',
    "no text": b"\xff\xfe\x00\x01",
}
VALUES: dict[str, object] = {
    "null": None,
    "true": True,
    "zero": 0,
    "minus": -1,
    "huge": 10**20,
    "no word": "",
    "a word": "word",
    "half a character": "half \ud800 and \0",
    "a long word": "x" * 5_000,
    "no rows": [],
    "rows of rows": [[]],
    "rows of nothing": [{}],
    "mixed rows": ["word", 7, None],
    "no object": {},
    "numbers for words": {"id": 7, "code": 10**20, "error_subcode": 10**20, "data": [{"id": [1]}]},
    "strange rows": [
        {"id": "1", "createdAt": 10**20, "created_at": "9999-99-99", "timestamp": "soon", "media_attachments": [7]}
    ],
}


@pytest.mark.parametrize("status", [200, 400, 500])
@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
async def test_what_cannot_be_read_is_an_error_of_ours(
    asking: Asking, server: OneAnswer, body: bytes, status: int
) -> None:
    server.all(Answer(status, body))
    for name, ask in asking.all().items():
        await holds(name, ask)


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
async def test_fields_may_hold_anything(asking: Asking, server: OneAnswer, value: object, status: int) -> None:
    server.all(Answer(status, every_name(asking.network, value)))
    for name, ask in asking.all().items():
        await holds(name, ask)


async def holds(name: str, ask: Callable[[], Awaitable[Any]]) -> None:
    try:
        found = await ask()
    except ProviderError as error:
        found = error
    except Exception as leaked:
        raise AssertionError(f"{name} leaks {leaked!r}") from leaked
    if isinstance(found, ProviderError):
        assert TOKEN not in found.detail, name
        assert KEY not in found.detail, name
        assert SECRET not in found.detail, name
        assert "\0" not in found.detail, f"{name}: no database keeps that"
    if isinstance(found, Finding):
        found = found.receipt
    if isinstance(found, Receipt):
        for text in filter(None, (found.provider_id, found.permalink)):
            assert len(text) <= 2_000, f"{name}: no post is called that"
            assert "\0" not in text, f"{name}: no database keeps that"
            text.encode()


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
async def test_a_success_that_cannot_be_read_is_looked_up(asking: Asking, server: OneAnswer, body: bytes) -> None:
    server.all(Answer(200, body))
    if asking.network.traits.any_success and len(body) <= http.MAX_ANSWER_BYTES:
        assert (await asking.publish()).provider_id == asking.refs[-1]
        assert (await asking.network.find(asking.to, asking.post, asking.refs, since=NOW)).receipt
        return
    with pytest.raises(Ambiguous):
        await asking.publish()
    # and what cannot be read then proves nothing either way
    looking = asking.network.find(asking.to, asking.post, asking.refs, since=NOW)
    if asking.network.traits.can_list_own or asking.network.traits.asks_by_repeating:
        with pytest.raises(RetrySafe):
            await looking
    else:
        found = await looking
        assert (found.receipt, found.absent) == (None, False)


@pytest.mark.parametrize("status", [302, 400, 401, 403, 429])
async def test_a_refusal_that_does_not_end_is_looked_up(asking: Asking, server: OneAnswer, status: int) -> None:
    """What it says is not known, so it may be no refusal."""
    server.all(Answer(status, b"x" * (http.MAX_ANSWER_BYTES + 1)))
    with pytest.raises(Ambiguous):
        await asking.publish()


@pytest.mark.parametrize("ahead", [True, False], ids=["ahead", "at once"])
@pytest.mark.parametrize(
    "header",
    [{"Content-Encoding": "gzip"}, {"Transfer-Encoding": "chunked"}, {"X-Long": "x" * 200_000}],
    ids=lambda header: next(iter(header)),
)
async def test_an_answer_that_breaks_its_own_word_is_looked_up(
    asking: Asking, server: OneAnswer, header: dict[str, str], ahead: bool
) -> None:
    """After such a call the post may be there."""
    server.all(Answer(201, b'{"id":"17"}', {**header, "x-restli-id": "urn:li:share:7"}))
    prepared = asking.network.prepare(asking.to, asking.post, asking.refs)
    if ahead:
        await prepared.open()
    try:
        with pytest.raises(Ambiguous):
            await prepared.publish()
    finally:
        await prepared.close()
