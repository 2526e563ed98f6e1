"""What opens an account at a network is sent there and kept sealed, and is nowhere else: whatever networks answer, and
whatever they repeat of what they were sent, it is looked for in all that the product writes down or says."""

import asyncio
import json
import logging
import secrets
from base64 import b64encode
from collections import defaultdict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, urlsplit
from uuid import UUID
from zipfile import ZipFile

import httpx2
import pytest
from google.protobuf.message import Message
from sqlalchemy import select, update
from temporalio.api.sdk.v1 import WorkflowMetadata
from temporalio.client import Client
from temporalio.service import RPCError

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from core.deliveries.tables.deliveries import Delivery
from core.errors import ErrorCode
from core.ids import new_id, run_workflow
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.outgoing import http
from core.posts.rules.posts import CommentState, DeliveryState
from core.settings import Settings
from core.social_accounts.tables import Account, Grant, NetworkApp
from core.users.tables.users import User
from temporal import reconcile
from temporal.worker import run_worker
from tests.account_deletion import dumped
from tests.api.conftest import done, refused
from tests.api.operations import operations
from tests.api.test_no_secrets import Everything, logs
from tests.conftest import GRACEFUL, Networks, Stack, browsing
from tests.pictures import jpeg
from tests.replay.test_replay import payloads
from tests.workflows.support import eventually, run_once, soon
from workflows.names import grant_workflow, post_workflow

__all__ = ["logs"]

HANDLE, APP_PASSWORD, WRONG_PASSWORD = "mara-lind.test", "p1an-ted0-app4-word", "p1an-ted0-not4-this"
ALL, ONLY_PICTURES, LAST = "Rain falls on all networks.", "Rain falls on pictures.", "Rain falls once more."
Places = dict[str, bytes]
"""What was written down or said, by where."""

# what is planted


class Planting:
    """What the networks' stand-in makes its tokens with: as ever, but for what an address has to quote."""

    def __getattr__(self, name: str) -> Any:
        return getattr(secrets, name)

    def token_urlsafe(self, size: int) -> str:
        return f"{secrets.token_urlsafe(size)}+/=~"


@dataclass
class Wire:
    """Hears all that is said to the networks and by them."""

    secrets: dict[str, str] = field(default_factory=dict)
    """As what each was heard of first."""

    def asked(self, request: httpx2.Request) -> None:
        kind = request.headers.get("content-type", "")
        told: list[tuple[str, Any]] = [*request.url.params.multi_items()]
        if "urlencoded" in kind:
            told += parse_qsl(request.content.decode())
        elif "json" in kind:
            told += _fields(json.loads(request.content))
        self._keep(told, _ASKED)
        self._keep([("authorization", request.headers.get("authorization", "").removeprefix("Bearer "))])

    def answered(self, answer: httpx2.Response) -> None:
        with suppress(ValueError):
            self._keep(_fields(json.loads(answer.content)), _ANSWERED)

    def _keep(self, told: Iterable[tuple[str, Any]], names: frozenset[str] | None = None) -> None:
        for name, value in told:
            if value and (names is None or name in names):
                self.secrets.setdefault(value, name)


_ANSWERED = frozenset({"accessJwt", "access_token", "client_secret", "refreshJwt", "refresh_token"})
_ASKED = frozenset(
    {
        "client_secret",
        "code",
        "code_verifier",
        "fb_exchange_token",
        "input_token",
        "password",
        "refresh_token",
        "token",
    }
)


def _fields(body: object) -> Iterator[tuple[str, Any]]:
    """All that have a text, however deep."""
    if isinstance(body, dict):
        yield from ((name, value) for name, value in body.items() if isinstance(value, str))
        for value in body.values():
            yield from _fields(value)
    elif isinstance(body, list):
        for value in body:
            yield from _fields(value)


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Wire:
    heard, ask = Wire(), http.ask

    async def listening(api: Any, request: httpx2.Request, **more: Any) -> httpx2.Response:
        heard.asked(request)
        answer = await ask(api, request, **more)
        heard.answered(answer)
        return answer

    monkeypatch.setattr(http, "ask", listening)
    for module in ("state", "linkedin_tokens", "graph_tokens", "mastodon_login", "threads_login"):
        monkeypatch.setattr(f"sandbox.{module}.secrets", Planting())
    return heard


# where it is looked for


def spellings(secret: str) -> set[bytes]:
    """How it may stand somewhere: as it is, as in an address, as bytes of a table are shown, in base64 wherever it
    begins there. Of a long one each half for itself, since a text may have been cut."""
    middle, found = len(secret) // 2, set()
    for part in (secret[:middle], secret[middle:]) if len(secret) > 30 else (secret,):
        raw = part.encode()
        found |= {raw, quote(part, safe="").encode(), raw.hex().encode()}
        for before in range(3):
            coded = b64encode(bytes(before) + raw)
            # without the characters that have bits of its neighbours
            coded = coded[-(-8 * before // 6) : 8 * (before + len(raw)) // 6]
            found |= {coded, coded.translate(bytes.maketrans(b"+/", b"-_"))}
    return found


def traces(places: Places, secrets: Mapping[str, str]) -> set[tuple[str, str]]:
    """(what, where)."""
    whole = b"\n".join(places.values())
    spelt = [(name, one) for secret, name in secrets.items() for one in spellings(secret) if one in whole]
    return {(name, place) for name, one in spelt for place, told in places.items() if one in told}


async def of_temporal(client: Client, since: datetime, *, asked: bool) -> Places:
    """All that the server keeps of what was begun since then: histories, memos, labels, summaries, steps that are tried
    again. `asked`: what workflows say of themselves too, which takes their workers."""
    found: Places = defaultdict(bytes)
    async for listed in client.list_workflows(f"StartTime >= '{since.isoformat()}'"):
        handle = client.get_workflow_handle(listed.id, run_id=listed.run_id)
        messages: list[Message] = [*(await handle.fetch_history()).events, (await handle.describe()).raw_description]
        if asked:
            messages.append(await handle.query("__temporal_workflow_metadata", result_type=WorkflowMetadata))
        for one in messages:
            found[f"workflow {listed.id}"] += one.SerializeToString() + await _unsealed(client, one)
    return found


async def _unsealed(client: Client, message: Message) -> bytes:
    """Its payloads, as whoever has the keys reads them."""
    found, codec = list(payloads(message)), client.data_converter.payload_codec
    opened = await codec.decode(found) if codec else found
    assert all(payload.metadata["encoding"] != b"binary/encrypted" for payload in opened)
    return b"\n".join(payload.data for payload in opened)


async def kept(stack: Stack, logs: Everything) -> Places:
    """Every row of every table, every file, every line of the logs."""
    folder = stack.services.settings.data_dir
    files = {f"file {one.relative_to(folder)}": one.read_bytes() for one in folder.rglob("*") if one.is_file()}
    rows = {f"table {name}": text.encode() for name, text in (await dumped(stack.services)).items()}
    return {**files, **rows, "log": "\n".join(logs.lines).encode()}


@dataclass
class Browser:
    """Somebody who looks at everything, and every answer that they got."""

    api: httpx2.AsyncClient
    answers: Places

    async def export(self) -> None:
        assert (await self.api.post("/users/me/export/")).status_code == 200

    async def read(self, **ids: UUID) -> int:
        """By every operation that only reads, of these and of all that has no id. How many had an answer."""
        known = {name: str(value) for name, value in ids.items()}
        reads = [one for one in operations() if one.method == "GET" and one.needs_token and not one.streams]
        paths = [(one.at(**known), one.sent()) for one in reads if known.keys() >= set(one.ids)]
        return sum([(await self.api.get(path, params=sent.get("params"))).status_code == 200 for path, sent in paths])


@asynccontextmanager
async def looking(stack: Stack, user: User) -> AsyncIterator[Browser]:
    async with browsing(stack.services, stack.gateway, user) as api:
        browser = Browser(api, defaultdict(bytes))

        async def told(answer: httpx2.Response) -> None:
            asked = f"answer {answer.request.method} {answer.request.url.path}"
            body = await answer.aread()
            if body.startswith(b"PK"):
                with ZipFile(BytesIO(body)) as packed:
                    body = b"\n".join(packed.read(name) for name in packed.namelist())
            browser.answers[asked] += body + str(answer.headers).encode()

        api.event_hooks = {"response": [told]}
        yield browser


@pytest.fixture
def settings(settings: Settings, address: str) -> Settings:
    """Reached by networks that fetch pictures."""
    return settings.model_copy(update={"public_url": address.removesuffix("/api")})


# what happens


@dataclass
class Story:
    """Of somebody with an account at each network."""

    stack: Stack
    user: User
    browser: Browser
    accounts: dict[ChannelKind, UUID] = field(default_factory=dict)

    @property
    def networks(self) -> Networks:
        return self.stack.networks

    async def connect(self, kind: ChannelKind) -> None:
        form = {"server": self.networks.url, "host": self.networks.url, "handle": HANDLE, "app_password": APP_PASSWORD}
        begun = done(await self.start(kind, form))
        if begun["authorize_url"]:
            begun["connected"] = done(await self.finish(kind, await self.consent(begun["authorize_url"])))
        [made] = begun["connected"]["accounts"]
        self.accounts[kind] = UUID(made["id"])

    async def start(self, kind: ChannelKind, form: dict[str, str]) -> httpx2.Response:
        fields = {one.name: form[one.name] for one in channel(kind).connection.fields}
        return await self.browser.api.post(f"/accounts/connect/{kind}/", json={"fields": fields})

    async def consent(self, authorize_url: str) -> dict[str, str]:
        answer = await self.networks.client.get(f"{authorize_url}&sandbox_person=mara-lind")
        back = parse_qs(urlsplit(answer.headers["location"]).query)
        return {"state": back["state"][0], "code": back["code"][0]}

    async def finish(self, kind: ChannelKind, back: dict[str, str]) -> httpx2.Response:
        return await self.browser.api.post(f"/accounts/connect/{kind}/callback/", json=back)

    async def tokens(self, kind: ChannelKind) -> tuple[str, str]:
        """What it posts by, and what renews that, as they are now."""
        async with self.stack.services.sessions() as session:
            account = await session.get_one(Account, self.accounts[kind])
            assert account.grant
            connecting = self.stack.services.connecting
            grant, to = connecting.grants.decrypt(account.grant), connecting.credentials(account)
            return to.access_token, grant.refresh_token or ""

    async def publish(self, content: str, *kinds: ChannelKind, media_id: str) -> UUID:
        post_id, commented = new_id(), any(supports(channel(kind), BaseChannel.comment) for kind in kinds)
        body = {
            "id": str(post_id),
            "content": content,
            "account_ids": [str(self.accounts[kind]) for kind in kinds],
            "files": [{"media_id": media_id, "alt": "A bike in the rain"}],
            "first_comment": f"More below: {content}" if commented else "",
            "time_zone": "Europe/Berlin",
            "language": "en",
        }
        made = done(await self.browser.api.post("/social-media-posts/", json=body), 201)
        path = f"/social-media-posts/{post_id}/publish/"
        assert done(await self.browser.api.post(path, json={"version": made["version"]}))["confirmed"]
        return post_id

    async def became(self, states: dict[tuple[UUID, ChannelKind], DeliveryState | CommentState]) -> None:
        """Returns once these deliveries are so, or their comments."""

        async def so() -> bool:
            async with self.stack.services.sessions() as session:
                rows = (await session.scalars(select(Delivery))).all()
            found = {(one.post_id, one.channel): (one.state, one.comment) for one in rows}
            return all(state in found.get(delivery, ()) for delivery, state in states.items())

        await eventually(so)


def repeating(*told: str) -> str:
    """The words of a server that repeats what it was sent."""
    return " ".join(f"refused {one} (Bearer {one}), as in /?access={quote(one, safe='')}" for one in told)


async def connected(story: Story) -> None:
    """At each network, after two refusals that repeat what was handed in."""
    api, fail, calm = story.browser.api, story.networks.fail, story.networks.calm
    (await story.networks.client.post("/sandbox/settings", json={"refresh_tokens": True})).raise_for_status()
    begun = done(await api.post("/accounts/connect/linkedin/", json={}))
    back = await story.consent(begun["authorize_url"])
    await fail(on="token", kind="status", status=400, message=repeating(back["code"]))
    refused(await story.finish(ChannelKind.linkedin, back), 422, ErrorCode.connect_expired)
    await fail(on="token", kind="status", status=401, message=repeating(WRONG_PASSWORD))
    form = {"host": story.networks.url, "handle": HANDLE, "app_password": WRONG_PASSWORD}
    refused(await story.start(ChannelKind.bluesky, form), 422, ErrorCode.connect_login_refused)
    await calm()
    for kind in NETWORKS:
        await story.connect(kind)


async def published(story: Story) -> list[UUID]:
    """Posts with a picture and a first comment, each of whose calls is answered badly, as is the next one."""
    kinds, fail = ChannelKind, story.networks.fail
    access = {kind: (await story.tokens(kind))[0] for kind in NETWORKS}
    _, refresh = await story.tokens(kinds.linkedin)
    said = {kind: repeating(token) for kind, token in access.items()}
    file = {"file": ("a.jpg", jpeg(640, 480), "image/jpeg")}
    picture = done(await story.browser.api.post("/media/", files=file), 201)
    # so that whatever is kept of it ends within a token
    on_and_on = " ".join([access[kinds.linkedin_pages]] * 200)
    for fault in (
        {"kind": "revoked", "containing": "urn:li:person", "message": said[kinds.linkedin]},
        {"kind": "status", "status": 422, "containing": "urn:li:organization", "message": on_and_on},
        {"kind": "rate_limited", "seconds": 1, "containing": "is_published", "message": said[kinds.facebook]},
        # of Instagram and of Threads
        {"kind": "lost_answer", "containing": "creation_id", "times": 2},
        {"kind": "revoked", "containing": '"status"', "message": said[kinds.mastodon]},
        {"kind": "revoked", "containing": ALL, "message": said[kinds.bluesky]},
    ):
        await fail(on="posts", **fault)
    by_refresh = {"containing": "grant_type=refresh_token", "message": repeating(refresh)}
    await fail(on="token", kind="status", status=503, **by_refresh)
    await fail(on="comments", kind="status", status=400, containing=ALL, message=said[kinds.facebook])
    others = [kind for kind in NETWORKS if kind is not kinds.instagram]
    first = await story.publish(ALL, *others, media_id=picture["id"])
    second = await story.publish(ONLY_PICTURES, kinds.instagram, media_id=picture["id"])
    await story.became(
        {
            (first, kinds.linkedin): DeliveryState.published,
            (first, kinds.linkedin_pages): DeliveryState.failed,
            (first, kinds.facebook): CommentState.failed,
            (first, kinds.mastodon): DeliveryState.held,
            (first, kinds.bluesky): DeliveryState.published,
            (first, kinds.threads): DeliveryState.published,
            (second, kinds.instagram): CommentState.published,
        }
    )
    assert access[kinds.linkedin] != (await story.tokens(kinds.linkedin))[0], "it has been renewed"
    await story.connect(kinds.mastodon)
    await reconcile.sync_posts(story.stack.services, story.stack.gateway)
    by_now = {kind: repeating((await story.tokens(kind))[0]) for kind in NETWORKS}
    await fail(on="posts", kind="status", status=400, containing=LAST, message=by_now[kinds.bluesky])
    third = await story.publish(LAST, kinds.bluesky, media_id=picture["id"])
    await story.became(
        {
            (first, kinds.mastodon): DeliveryState.published,
            (third, kinds.bluesky): DeliveryState.failed,
        }
    )
    await fail(on="posts", kind="rate_limited", seconds=1, containing="urn:li:person", message=by_now[kinds.linkedin])
    return [first, second, third]


async def checked(story: Story) -> None:
    """Each account, one of them while its network says what it was asked by."""
    said = repeating((await story.tokens(ChannelKind.linkedin))[0])
    for kind, account_id in story.accounts.items():
        if kind is ChannelKind.linkedin:
            await story.networks.fail(on="reads", kind="status", status=503, message=said)
        rows = done(await story.browser.api.post(f"/accounts/{account_id}/check/"))
        expected = "unsure" if kind is ChannelKind.linkedin else "fine"
        assert (rows[0]["point"], rows[0]["result"]) == ("access", expected), (kind, rows)


async def disconnected(story: Story) -> None:
    """Each account; what its network refuses to take back is given back by a round."""
    for kind, account_id in story.accounts.items():
        access, refresh = await story.tokens(kind)
        by = refresh if kind is ChannelKind.bluesky else access
        if kind not in (ChannelKind.facebook, ChannelKind.instagram):  # given back by what the app itself has
            await story.networks.fail(on="revoke", kind="status", status=503, message=repeating(by))
        done(await story.browser.api.delete(f"/accounts/{account_id}/"))
        await story.networks.calm()
    services = story.stack.services
    async with services.sessions.begin() as session:
        await session.execute(update(Grant).values(revoke_due_at=utcnow()))
    await services.connecting.grants.retry_revocations()

    async def gone() -> bool:
        """Another round may have been at it."""
        async with services.sessions() as session:
            return (await session.scalars(select(Grant))).all() == []

    await eventually(gone)


async def sealed(stack: Stack) -> set[str]:
    """What is kept of tokens and of apps, opened."""
    services, found = stack.services, set[str | None]()
    async with services.sessions() as session:
        for column in (
            Grant.access_token_encrypted,
            Grant.refresh_token_encrypted,
            Account.access_token_encrypted,
            NetworkApp.client_secret_encrypted,
        ):
            found.update(await session.scalars(select(column)))
    return {services.vault.decrypt(one) for one in found if one}


@asynccontextmanager
async def watched(client: Client, since: datetime) -> AsyncIterator[Places]:
    """What steps that are tried again say of themselves is nowhere to be read later."""
    seen: Places = defaultdict(bytes)

    async def watch() -> None:
        while True:
            with suppress(RPCError):  # one that has ended meanwhile
                for place, told in (await of_temporal(client, since, asked=False)).items():
                    seen[f"{place} while it ran"] += told
            await asyncio.sleep(2)

    watching = asyncio.create_task(watch())
    try:
        yield seen
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def test_no_token_is_anywhere_but_at_its_network(
    stack: Stack, wire: Wire, logs: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    # networks are asked only when a call can no longer be under way
    for kind in NETWORKS:
        monkeypatch.setattr(channel(kind), "call_timeout", timedelta(seconds=2), raising=False)
    since, places = datetime.now(UTC), Places()
    user = await stack.make.user()
    async with looking(stack, user) as browser, run_worker(stack.client, stack.services, graceful=GRACEFUL):
        story = Story(stack, user, browser)
        async with watched(stack.client, since) as seen:
            await connected(story)
            assert await sealed(stack) <= wire.secrets.keys()
            async with stack.services.sessions() as session:
                grants = [grant_workflow(one) for one in await session.scalars(select(Grant.id))]
            posts = await published(story)
            by = (story.accounts[ChannelKind.linkedin], story.accounts[ChannelKind.linkedin_pages])
            assistant, slot = await stack.make.assistant(user, accounts=by), soon(2)
            assert (await run_once(stack, assistant, slot)).state == RunState.published
        await checked(story)
        assert assistant.topic_tree_id is not None
        ids = {"assistant_id": assistant.id, "account_id": by[0], "tree_id": assistant.topic_tree_id}
        for post_id in posts:
            assert await browser.read(post_id=post_id, **ids) > 20
        await browser.export()
        assert await sealed(stack) <= wire.secrets.keys()
        places |= seen | {f"{place} before": told for place, told in (await kept(stack, logs)).items()}
        await disconnected(story)
        await browser.read(post_id=posts[0], **ids)
        await browser.export()
        begun = {*grants, *map(post_workflow, posts), run_workflow(assistant.id, slot)}

        async def listed() -> bool:
            with suppress(RPCError):  # one of them was not begun yet
                places.update(await of_temporal(stack.client, since, asked=True))
            return places.keys() >= {f"workflow {name}" for name in begun}

        await eventually(listed)
    places |= browser.answers | await kept(stack, logs)
    assert set(wire.secrets.values()) >= {*_ANSWERED, "code", "code_verifier", "password"}
    # of LinkedIn and Meta: the stand-ins made their tokens with what an address has to quote
    assert {secret[:3] for secret in wire.secrets if secret.endswith("+/=~")} >= {"AQX", "AQY", "EAA"}
    assert b"refused \xe2\x80\xa6 (Bearer" in places["table deliveries before"]
    assert traces(places, wire.secrets) == set()


# the negative control: a search that finds nothing proves nothing


def _plain(secret: str) -> str:
    return secret


def _cut(secret: str) -> str:
    return secret[: len(secret) // 2 + 2]


def _in_an_address(secret: str) -> str:
    return f"https://example.org/?token={quote(secret, safe='')}&x=1"


def _in_base64(secret: str) -> str:
    return b64encode(f"a user:{secret}".encode()).decode()


def _in_hexadecimal(secret: str) -> str:
    return f"\\x00{secret.encode().hex()}"


async def test_what_is_written_down_is_found(stack: Stack, logs: Everything) -> None:
    since, user, name = datetime.now(UTC), await stack.make.user(), f"of-nobody-{new_id()}"
    ways = (_plain, _cut, _in_an_address, _in_base64, _in_hexadecimal)
    planted = {Planting().token_urlsafe(32): way for way in ways}
    told = "\n".join(way(secret) for secret, way in planted.items())
    async with looking(stack, user) as browser:
        logging.getLogger("core").debug("a step", extra={"answer": told})
        (stack.services.settings.data_dir / "planted").write_text(told)
        body = {"id": str(new_id()), "content": told, "account_ids": [], "time_zone": "Europe/Berlin", "language": "en"}
        done(await browser.api.post("/social-media-posts/", json=body), 201)
        await browser.read()
        await browser.export()
        await stack.client.start_workflow("Nobody", id=name, task_queue="nobody", memo={"told": told})
        places: Places = {}

        async def listed() -> bool:
            places.update(await of_temporal(stack.client, since, asked=False))
            return f"workflow {name}" in places

        await eventually(listed)
    places |= browser.answers | await kept(stack, logs)
    for secret, way in planted.items():
        assert {place for _, place in traces(places, {secret: "planted"})} == {
            "answer GET /api/social-media-posts/",
            "answer GET /api/social-media-posts/export/",
            "answer POST /api/social-media-posts/",
            "answer POST /api/users/me/export/",
            "file planted",
            "log",
            "table posts",
            f"workflow {name}",
        }, way.__name__
