"""The ledger's rules, answer by answer: what may be called, what is kept, and what waits for a person."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from time import monotonic
from typing import Any
from uuid import UUID

import pytest
from PIL import Image as Picture
from sqlalchemy import delete, event, select, update
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from core.ai.provider_faults import FaultService
from core.ai.tables.provider_faults import ProviderFault
from core.approvals.questions import Verdict
from core.assistants.rules.assistants import Mode, RunState
from core.assistants.rules.schedules import Frequency, Schedule
from core.assistants.skipping import next_slot
from core.assistants.tables import Assistant
from core.clock import use_clock
from core.container import Services, wire
from core.database import open_sessions
from core.deliveries import jobs as delivery_jobs
from core.deliveries.delivering import DeliveringService
from core.deliveries.ledger import Ledger, Proof
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.deliveries.tables.deliveries import Delivery
from core.errors import (
    WAITS_FOR_OPERATOR,
    Ambiguous,
    AwaitsMending,
    Blocked,
    Conflict,
    ErrorCode,
    InvalidInput,
    Misconfigured,
    NeedsReconnect,
    NotFound,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
    RoleLost,
    StagedLost,
    Unavailable,
)
from core.ids import new_id
from core.installation.restoring import RestoreService
from core.media.storage import Storage
from core.media.tables import Media, MediaSource
from core.networks import mastodon
from core.networks.base import EstimatedDelay, Traits
from core.networks.connections import Credentials
from core.networks.mastodon import MastodonChannel
from core.networks.posts import Finding, Receipt, Staged
from core.networks.rules.channels import AccountState, ChannelKind, ChannelLimits
from core.networks.rules.files import VideoLimits
from core.notifications.rules import NotificationKind
from core.notifications.tables.notifications import Notification
from core.posts.composing import Composition
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import ComposedFile, DeliveryState, PostStatus, Variant
from core.posts.tables.posts import Post, PostFile
from core.runs.repositories.runs import RunRepository
from core.runs.tables import Run
from core.settings import Settings
from core.social_accounts.tables import Account, Grant
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory
from tests.media.test_pictures import picture
from tests.patience import PATIENCE
from tests.scripted_network import ScriptedNetwork
from tests.videos import Film, stored_video

Notice = tuple[UUID, str, UUID | None]
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PROOF = Receipt("urn:li:share:7", "https://network.test/7")
YEARLY = Schedule(Frequency.cron, "UTC", cron="0 0 1 1 *")


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> ScriptedNetwork:
    scripted = ScriptedNetwork()
    scripted.install(monkeypatch)
    return scripted


@pytest.fixture
async def told(connection: AsyncConnection) -> list[Notice]:
    """Whose browsers are told of what kind of thing, and which: a transaction that is undone sends no notice, so they
    are read on their way to the database."""
    notices: list[Notice] = []

    def sent(_connection: object, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        if "pg_notify" in statement and "events" in parameters:
            for notice in map(json.loads, parameters["events"]):
                notices.append((UUID(notice["user"]), notice["kind"], UUID(notice["id"]) if notice["id"] else None))

    event.listen(connection.sync_connection, "before_cursor_execute", sent)
    return notices


@dataclass(frozen=True)
class Prepared:
    """A checked post with one delivery, and what a test does to it."""

    services: Services
    assistant: Assistant
    run_id: UUID
    delivery_id: UUID
    slot: datetime

    @property
    def user_id(self) -> UUID:
        return self.assistant.user_id

    @property
    def service(self) -> DeliveringService:
        return self.services.delivering

    async def deliver(self, **other: Any) -> DeliveryOutcome:
        asked: dict[str, Any] = {"wait": at_once, **other}
        return await self.service.deliver(self.user_id, self.delivery_id, **asked)

    async def stage(self, pause: timedelta | None = None) -> timedelta:
        return await self.services.staging.stage(self.user_id, self.delivery_id, pause)

    async def row(self) -> Delivery:
        async with self.services.sessions() as session:
            return await PostRepository(session).lock_delivery(self.user_id, self.delivery_id)

    async def post(self) -> Post:
        async with self.services.sessions() as session:
            found, _ = await PostRepository(session).get(self.user_id, (await self.row()).post_id)
            return found

    async def run(self) -> Run:
        async with self.services.sessions() as session:
            return await session.get_one(Run, self.run_id)

    async def as_if(self, table: type[Any] = Delivery, **values: Any) -> None:
        """The row as another process or an earlier attempt left it."""
        row = await self.row()
        keys = {Delivery: self.delivery_id, Run: self.run_id, Assistant: self.assistant.id, Grant: row.account.grant_id}
        key = keys.get(table) or row.account_id
        async with self.services.sessions.begin() as session:
            await session.execute(update(table).where(table.id == key).values(**values))

    async def another_run(self, slot: datetime, state: RunState) -> None:
        """Of the same assistant."""
        run = Run(id=new_id(), user_id=self.user_id, assistant_id=self.assistant.id, slot=slot, state=state)
        run.workflow_id = f"run-{run.id}"
        async with self.services.sessions.begin() as session:
            session.add(run)

    async def notices(self, *kinds: str) -> list[Notice]:
        row = await self.row()
        ids = {"post": row.post_id, "run": self.run_id, "account": row.account_id, "notification": None}
        return [(self.user_id, kind, ids[kind]) for kind in kinds]


Prepare = Callable[..., Awaitable[Prepared]]


@pytest.fixture
def prepare(services: Services, make: Factory, user: User, networks: Networks) -> Prepare:
    async def prepare(
        *, image: bool = False, late: timedelta = timedelta(0), account: Account | None = None, **more: Any
    ) -> Prepared:
        account = account or await make.account(user, networks.url)
        assistant = await make.assistant(user, accounts=(account.id,), image=image, **more)
        run, slot = new_id(), datetime.now(UTC)
        await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
        await services.drafting.write(user.id, run, 1)
        if image:
            await services.imaging.make(user.id, run, 1)
        [(delivery_id, *_)] = (await services.drafting.check(user.id, run)).deliveries
        slot -= late  # it was written in time
        async with services.sessions.begin() as session:
            await session.execute(update(Run).where(Run.id == run).values(slot=slot))
            await session.execute(update(Post).where(Post.run_id == run).values(planned_at=slot))
        return Prepared(services, assistant, run, delivery_id, slot)

    return prepare


async def committed(
    lasting: AsyncEngine, settings: Settings, networks: Networks, people: Sequence[str]
) -> list[Prepared]:
    """As `prepare`, but saved for good, so that transactions can meet. Return each person's delivery of one post."""
    sessions = open_sessions(lasting)
    services = wire(settings, lasting, sessions)
    make = Factory(sessions, services.vault)
    user = await make.user()
    accounts = [await make.account(user, networks.url, person) for person in people]
    assistant = await make.assistant(user, accounts=tuple(account.id for account in accounts))
    run, slot = new_id(), datetime.now(UTC)
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    await services.drafting.write(user.id, run, 1)
    checked = await services.drafting.check(user.id, run)
    return [Prepared(services, assistant, run, delivery_id, slot) for delivery_id, *_ in checked.deliveries]


async def at_once() -> None:
    return


def since(moment: datetime | None) -> timedelta:
    assert moment is not None
    return datetime.now(UTC) - moment


# staging


async def test_a_post_without_images_stages_nothing(prepare: Prepare, network: ScriptedNetwork) -> None:
    assert await (await prepare()).stage() == timedelta(0)
    assert network.calls == []


async def test_images_are_staged_once_with_their_bytes(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("urn:li:image:1",), HOUR))
    assert await made.stage() == HOUR
    [(_, to, sent, _)] = network.asked
    row, [file] = await made.row(), (await made.post()).files
    assert (to.external_id, to.type) == (row.account.external_id, row.account.type)
    assert (sent.images[0].mime, sent.images[0].alt) == (file.media.mime, file.alt)
    assert sent.images[0].data.startswith(b"\xff\xd8")
    assert (row.staged_refs, row.staged_hash) == (["urn:li:image:1"], row.own_hash)
    assert timedelta(minutes=59) < -since(row.staged_ready_at) <= HOUR
    # the second time it is known what is there, and how long it still takes
    assert timedelta(minutes=59) < await made.stage() < HOUR
    await made.as_if(staged_ready_at=datetime.now(UTC) - HOUR)
    assert await made.stage() == timedelta(0)
    assert network.calls == ["stage"]


async def test_a_post_goes_out_composed_and_with_its_language(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    row, [file] = await made.row(), (await made.post()).files
    async with made.services.sessions.begin() as session:
        stored = {"content": "Ru\u0308ckenwind", "language": "de"}
        await session.execute(update(Post).where(Post.id == row.post_id).values(**stored))
        await session.execute(update(PostFile).where(PostFile.id == file.id).values(alt="Ra\u0308der"))
    network.stages.append(Staged(("urn:li:image:1",), HOUR))
    await made.stage()
    [(_, _, sent, _)] = network.asked
    assert (sent.text, sent.language, sent.images[0].alt) == ("Rückenwind", "de", "Räder")


@pytest.mark.parametrize("alt", ["\u200b", "\u00ad\u2800", "\ufeff "])
async def test_a_description_that_nobody_would_hear_is_none(
    prepare: Prepare, network: ScriptedNetwork, alt: str
) -> None:
    made = await prepare(image=True)
    [file] = (await made.post()).files
    async with made.services.sessions.begin() as session:
        await session.execute(update(PostFile).where(PostFile.id == file.id).values(alt=alt))
    network.stages.append(Staged(("urn:li:image:1",), HOUR))
    await made.stage()
    [(_, _, sent, _)] = network.asked
    assert sent.images[0].alt == ""


async def test_a_description_that_is_too_long_is_not_cut(prepare: Prepare, network: ScriptedNetwork) -> None:
    """Of a post that was planned before there was the rule."""
    network.limits = replace(network.limits, max_alt=4086)
    made = await prepare(image=True)
    [file] = (await made.post()).files
    async with made.services.sessions.begin() as session:
        await session.execute(update(PostFile).where(PostFile.id == file.id).values(alt="a" * 4087))
    await made.stage()
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.alt_too_long)
    assert network.calls == []


class Served(ScriptedNetwork):
    """A network whose servers each take pictures of their own size."""

    async def own_limits(self, to: Credentials) -> dict[str, Any]:
        raise NotImplementedError("what is kept is used")

    def limits_at(self, kept: Mapping[str, Any]) -> ChannelLimits:
        return replace(self.limits, max_pixels=kept["pixels"])


async def test_images_are_as_the_server_of_the_account_takes_them(
    prepare: Prepare, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Served()
    network.install(monkeypatch)
    made = await prepare(image=True)
    await made.as_if(Account, server_limits={"pixels": 10_000})
    network.stages.append(Staged(("1",), HOUR))
    await made.stage()
    [(_, _, sent, _)] = network.asked
    with Picture.open(BytesIO(sent.images[0].data)) as picture:
        assert picture.width * picture.height <= 10_000


async def test_what_was_staged_for_other_content_is_staged_again(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    await made.as_if(staged_refs=["old"], staged_hash="of an earlier text", staged_ready_at=datetime.now(UTC))
    network.stages.append(Staged(("new",), timedelta(0)))
    await made.stage()
    assert (await made.row()).staged_refs == ["new"]


async def test_what_is_edited_for_one_account_is_staged_anew_for_that_one(
    prepare: Prepare, network: ScriptedNetwork, make: Factory, user: User, networks: Networks
) -> None:
    made, other = await prepare(image=True), await make.account(user, networks.url, "jonas-weber")
    post = await made.post()
    [first], [file] = post.deliveries, post.files

    async def edit(own_words: str, alt: str) -> None:
        wanted = Composition(
            post.content,
            (first.account_id, other.id),
            (Variant(ChannelKind.linkedin, other.id, own_words),),
            (ComposedFile(file.media_id, alt),),
            planned_at=made.slot + HOUR,
        )
        await made.services.composing.edit(made.user_id, post.id, (await made.post()).version, wanted)

    async def stage_all() -> list[tuple[str, str]]:
        """What was asked for meanwhile: the text and the words for its picture."""
        for delivery in (await made.post()).deliveries:
            network.stages.append(Staged(("urn:li:image:1",), timedelta(0)))
            await made.services.staging.stage(made.user_id, delivery.id)
        asked = [(sent.text, sent.images[0].alt) for _, _, sent, _ in network.asked]
        network.asked.clear()
        return asked

    await edit("In his words", "A wet road")
    assert sorted(await stage_all()) == sorted([(post.content, "A wet road"), ("In his words", "A wet road")])
    await edit("In other words", "A wet road")
    assert await stage_all() == [("In other words", "A wet road")]
    await edit("In other words", "A dry road")
    assert sorted(await stage_all()) == sorted([(post.content, "A dry road"), ("In other words", "A dry road")])


async def test_what_is_edited_while_it_is_staged_is_staged_anew(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.arrives = ("old",)
    network.stages += [Staged(("old",), timedelta(0)), Staged(("new",), timedelta(0))]
    network.meanwhile = lambda: made.as_if(own_hash="of a later text", content_hash="of a later text")
    await made.stage()
    network.meanwhile, network.arrives = None, ()
    await made.stage()
    assert [had for _, _, _, had in network.asked] == [(), ()]
    assert (await made.row()).staged_refs == ["new"]


HERS: dict[str, Any] = {"staged_refs": ["hers"], "attempt": new_id()}
"""What another attempt leaves, while one that was taken for dead still uploads."""


@pytest.mark.parametrize("arrives", [(), ("late",)], ids=["at its end", "in between"])
@pytest.mark.parametrize(
    "left",
    [
        {"staged_ready_at": datetime.now(UTC), "attempt": None},
        {"staged_ready_at": datetime.now(UTC), "called_at": datetime.now(UTC), "state": DeliveryState.publishing},
        {"called_at": datetime.now(UTC), "own_hash": "of a later text", "state": DeliveryState.publishing},
        {"state": DeliveryState.published},
    ],
    ids=["staged", "called", "edited and called", "published"],
)
async def test_what_another_attempt_has_staged_is_not_replaced_by_a_late_upload(
    prepare: Prepare, network: ScriptedNetwork, left: dict[str, Any], arrives: tuple[str, ...]
) -> None:
    """Its call may be without an answer, and is looked up by the ids with which it was made."""
    made = await prepare(image=True)
    own_hash = (await made.row()).own_hash
    network.arrives, network.meanwhile = arrives, lambda: made.as_if(staged_hash=own_hash, **HERS | left)
    network.stages.append(Staged(("late",), HOUR))
    if arrives:
        with pytest.raises(RetrySafe):
            await made.stage()
    else:
        await made.stage()
    row = await made.row()
    assert (row.staged_refs, row.staged_hash) == (["hers"], own_hash)
    assert {name: getattr(row, name) for name in left if name != "state"} == {
        name: value for name, value in left.items() if name != "state"
    }


async def test_the_uploads_of_two_attempts_are_not_mixed(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    own_hash = (await made.row()).own_hash
    network.arrives = ("late",)
    network.meanwhile = lambda: made.as_if(staged_hash=own_hash, **HERS)
    with pytest.raises(RetrySafe):
        await made.stage()
    assert (await made.row()).staged_refs == ["hers"]


NO_WORD_ABOUT_IT: dict[str, ProviderError] = {
    "refused": Refused(ErrorCode.video_refused, detail="413"),
    "lost": StagedLost(detail="404"),
    "away": RetrySafe(detail="503"),
    "access ended": NeedsReconnect(detail="403"),
}
"""Answers about what the delivery does not publish any more."""


async def untouched(made: Prepared, *refs: str) -> None:
    row = await made.row()
    assert (row.state, row.error_code, row.failures, row.staged_refs) == (DeliveryState.pending, None, [], [*refs])
    assert row.account.state is AccountState.connected


@pytest.mark.parametrize("answer", NO_WORD_ABOUT_IT.values(), ids=NO_WORD_ABOUT_IT)
async def test_a_refusal_of_the_earlier_content_says_nothing_about_the_new_one(
    prepare: Prepare, network: ScriptedNetwork, answer: ProviderError
) -> None:
    made = await prepare(image=True)
    network.stages += [answer, Staged(("new",), timedelta(0))]
    network.meanwhile = lambda: made.as_if(own_hash="of a later text", content_hash="of a later text")
    with pytest.raises(RetrySafe):
        await made.stage()
    await untouched(made)
    network.meanwhile = None
    await made.stage()
    await untouched(made, "new")


@pytest.mark.parametrize(
    "answer", [Staged(("late",), HOUR), *NO_WORD_ABOUT_IT.values()], ids=["kept", *NO_WORD_ABOUT_IT]
)
async def test_what_a_late_upload_meets_does_not_touch_what_another_attempt_has_staged(
    prepare: Prepare, network: ScriptedNetwork, answer: Staged | ProviderError
) -> None:
    made = await prepare(image=True)
    hers = HERS | {"attempt": None, "staged_hash": (await made.row()).own_hash, "staged_ready_at": datetime.now(UTC)}
    network.meanwhile = lambda: made.as_if(**hers)
    network.arrives = ("late",) if isinstance(answer, Staged) else ()
    network.stages.append(answer)
    with pytest.raises(RetrySafe):
        await made.stage()
    await untouched(made, "hers")
    assert await made.stage() == timedelta(0), "the repeated step finds it staged"
    assert network.calls == ["stage"]


class Replaced(ScriptedNetwork):
    """A network that is asked whether something is ready, while it is staged anew."""

    async def ready(self, to: Credentials, refs: tuple[str, ...]) -> timedelta | None:
        assert self.meanwhile
        await self.meanwhile()
        return await super().ready(to, refs)


@pytest.mark.parametrize("answer", NO_WORD_ABOUT_IT.values(), ids=NO_WORD_ABOUT_IT)
@pytest.mark.parametrize("how", ["edited", "staged anew"])
async def test_what_is_said_of_earlier_uploads_does_not_touch_later_ones(
    prepare: Prepare, monkeypatch: pytest.MonkeyPatch, answer: ProviderError, how: str
) -> None:
    network = Replaced()
    network.install(monkeypatch)
    made = await prepare(image=True)
    network.stages.append(Staged(("old",), timedelta(0)))
    await made.stage()
    own_hash = "of a later text" if how == "edited" else (await made.row()).own_hash
    network.meanwhile = lambda: made.as_if(own_hash=own_hash, staged_hash=own_hash, staged_refs=["new"])
    network.readies.append(answer)
    with pytest.raises(RetrySafe):
        await made.services.staging.check_ready(made.user_id, made.delivery_id)
    await untouched(made, "new")


class Changing(ScriptedNetwork):
    """A network whose servers say how many images a post has, and whether they take videos and show their covers."""

    async def own_limits(self, to: Credentials) -> dict[str, Any]:
        raise NotImplementedError("what is kept is used")

    def limits_at(self, kept: Mapping[str, Any]) -> ChannelLimits:
        video = VideoLimits(10**9, shows_cover=kept["covers"]) if kept["videos"] else None
        return replace(self.limits, max_images=kept["images"], video=video)


@pytest.fixture
def changing(monkeypatch: pytest.MonkeyPatch) -> Changing:
    network = Changing()
    network.install(monkeypatch)
    return network


async def with_files(made: Prepared, *media_ids: UUID, **more: Any) -> None:
    """Give the post these files instead of its own."""
    post = await made.post()
    wanted = Composition(
        post.content,
        tuple(delivery.account_id for delivery in post.deliveries),
        files=tuple(ComposedFile(media_id, **more) for media_id in media_ids),
        planned_at=made.slot + HOUR,
    )
    await made.services.composing.edit(made.user_id, post.id, post.version, wanted)


async def with_carousel(made: Prepared) -> None:
    """Give the post four pages of a carousel instead of its files."""
    pages = [await made.services.media.store(made.user_id, picture(at)) for at in ("red", "green", "blue", "white")]
    async with made.services.sessions.begin() as session:
        await session.execute(update(Media).values(facts={"page": {"number": 1}}))
    await with_files(made, *(page.id for page in pages))


async def server_takes(made: Prepared, *, images: int = 4, videos: bool = True, covers: bool = True) -> None:
    await made.as_if(Account, server_limits={"images": images, "videos": videos, "covers": covers})


async def test_a_video_that_a_server_takes_no_more_is_not_left_out(prepare: Prepare, changing: Changing) -> None:
    made = await prepare()
    await with_files(made, await stored_video(made.services, made.user_id, Film(100_000)))
    await server_takes(made, videos=False)
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.video_unsupported)
    assert changing.calls == []


async def test_a_carousel_whose_pages_a_server_takes_no_more_is_not_left_out(
    prepare: Prepare, changing: Changing
) -> None:
    made = await prepare()
    await with_carousel(made)
    await server_takes(made, images=0)
    changing.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.image_unsupported)
    assert changing.calls == []


@pytest.mark.parametrize("code", [ErrorCode.image_ratio_refused, ErrorCode.image_refused])
@pytest.mark.parametrize(
    ("has_cover", "covers", "told"),
    [
        (True, True, ErrorCode.cover_refused),
        (True, False, ErrorCode.video_refused),
        (False, True, ErrorCode.video_refused),
    ],
    ids=["a cover", "a cover that the network never gets", "no cover"],
)
async def test_a_refused_image_of_a_video_is_told_as_its_cover_or_the_video(
    prepare: Prepare, changing: Changing, code: ErrorCode, has_cover: bool, covers: bool, told: ErrorCode
) -> None:
    made = await prepare(image=True)
    cover_id = (await made.post()).files[0].media_id if has_cover else None
    await with_files(made, await stored_video(made.services, made.user_id, Film(100_000)), cover_id=cover_id)
    await server_takes(made, covers=covers)
    changing.stages.append(Refused(code, detail="36003"))
    await made.stage()
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, told)
    ((_, _, sent, _),) = changing.asked
    assert sent.video is not None
    assert (sent.video.cover is not None) == (has_cover and covers)


async def test_a_video_that_is_staged_goes_out_whatever_the_server_takes_since(
    prepare: Prepare, changing: Changing
) -> None:
    made = await prepare()
    await with_files(made, await stored_video(made.services, made.user_id, Film(100_000)))
    await server_takes(made)
    changing.stages.append(Staged(("video",), timedelta(0)))
    await made.stage()
    await server_takes(made, videos=False)
    changing.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    _, _, sent, refs = changing.asked[-1]
    assert (sent.video is not None, refs) == (True, ("video",))


@pytest.mark.parametrize("since", [2, 4], ids=["fewer", "more"])
@pytest.mark.parametrize("stages_post", [False, True], ids=["images", "the post"])
async def test_a_carousel_has_the_pages_that_were_staged(
    prepare: Prepare, changing: Changing, since: int, stages_post: bool
) -> None:
    changing.traits = Traits(stages_post=stages_post)
    made = await prepare()
    await with_carousel(made)
    await server_takes(made, images=3)
    changing.stages.append(Staged(("1", "2", "3", "post")[: 3 + stages_post], timedelta(0)))
    await made.stage()
    await server_takes(made, images=since)
    changing.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    assert [len(sent.images) for _, _, sent, _ in changing.asked] == [3] * len(changing.asked)


async def test_files_that_are_missing_at_the_network_are_uploaded_again_when_a_person_tries_again(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("gone",), timedelta(0)))
    network.publishes.append(Refused(ErrorCode.delivery_image_missing))
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.error_code, row.staged_refs, row.staged_ready_at) == (ErrorCode.delivery_image_missing, [], None)


async def test_the_title_of_a_file_is_the_one_that_was_saved(prepare: Prepare, changing: Changing) -> None:
    """Renaming it in the library is no edit of the post."""
    made = await prepare()
    video_id = await stored_video(made.services, made.user_id, Film(100_000), "my_clip_v3.MP4")
    await with_files(made, video_id)
    await server_takes(made)
    approved = await made.row()
    async with made.services.sessions() as session:
        media = await session.get_one(Media, video_id)
    await made.services.gallery.change(made.user_id, video_id, media.version, name="Something else.mp4")
    changing.stages.append(Staged(("video",), timedelta(0)))
    changing.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    titles = [sent.video.title for _, _, sent, _ in changing.asked if sent.video]
    assert titles == ["my clip v3"] * len(changing.asked)
    assert (await made.row()).own_hash == approved.own_hash


@pytest.mark.parametrize(
    "left",
    [{"state": DeliveryState.published}, {"state": DeliveryState.cancelled}, {"called_at": datetime.now(UTC)}],
    ids=["published", "cancelled", "called"],
)
async def test_nothing_is_staged_for_what_was_called_or_settled(
    prepare: Prepare, network: ScriptedNetwork, left: dict[str, Any]
) -> None:
    made = await prepare(image=True)
    await made.as_if(**left)
    assert await made.stage() == timedelta(0)
    assert network.calls == []


async def test_a_passing_fault_of_staging_is_kept_until_it_has_worked(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(image=True)
    network.stages += [RetrySafe(detail="line down"), Staged(("urn:li:image:1",), timedelta(0))]
    with pytest.raises(RetrySafe):
        await made.stage()
    row = await made.row()
    assert (row.state, row.error_code, row.error_detail) == (
        DeliveryState.retrying,
        ErrorCode.provider_unavailable,
        "line down",
    )
    assert [(one["attempt"], one["code"]) for one in row.failures] == [(0, ErrorCode.provider_unavailable)]
    await made.stage()
    row = await made.row()
    assert (row.state, row.error_code, row.error_detail) == (DeliveryState.pending, None, None)


async def test_what_got_through_is_not_uploaded_again(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.arrives = ("urn:li:image:1", "urn:li:image:2")
    network.stages.append(RetrySafe(detail="line down"))
    with pytest.raises(RetrySafe):
        await made.stage()
    row = await made.row()
    assert (row.staged_refs, row.staged_hash, row.staged_ready_at) == (
        ["urn:li:image:1", "urn:li:image:2"],
        row.own_hash,
        None,
    )
    network.arrives = ("urn:li:image:3",)
    network.stages.append(Staged(("urn:li:image:1", "urn:li:image:2", "urn:li:image:3"), timedelta(0)))
    await made.stage()
    assert [had for _, _, _, had in network.asked] == [(), ("urn:li:image:1", "urn:li:image:2")]
    assert len((await made.row()).staged_refs) == 3


async def test_the_receipt_of_a_first_attempt_ends_the_run_in_its_commit(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    run, post = await made.run(), await made.post()
    assert (run.state, run.reason, post.status) == (RunState.published, None, PostStatus.published)
    assert run.finished_at is not None
    assert await made.service.has_run_ended(made.user_id, made.delivery_id)
    assert not await made.service.has_run_ended(new_id(), made.delivery_id)
    # as of a worker that died before Temporal heard of it
    assert await made.deliver() is DeliveryOutcome.published
    assert (await made.run()).finished_at == run.finished_at
    assert network.calls == ["publish"]


async def test_a_receipt_waits_for_nobody_who_has_locked_its_run(
    lasting: AsyncEngine, settings: Settings, networks: Networks
) -> None:
    """Whoever has locked the run may want a delivery of the same batch of receipts: waiting would be a deadlock, and
    all receipts of the moment would be lost."""
    [made] = await committed(lasting, settings, networks, ["mara-lind"])
    sessions = made.services.sessions
    await made.as_if(state=DeliveryState.publishing, attempts=1, called_at=made.slot)
    ledger, proof = Ledger(sessions, HOUR), Proof(made.user_id, made.delivery_id, PROOF)
    async with sessions.begin() as session:
        assert await RunRepository(session).lock_unfinished(made.user_id, made.run_id)
        await asyncio.wait_for(ledger.settle(proof), PATIENCE)
    assert (await made.row()).state is DeliveryState.published
    assert not await made.service.has_run_ended(made.user_id, made.delivery_id)
    async with sessions.begin() as session:
        await PostRepository(session).lock(made.user_id, (await made.row()).post_id)
        await asyncio.wait_for(ledger.settle(proof), PATIENCE)
    assert (await made.run()).finished_at is None
    await ledger.settle(proof)
    assert await made.service.has_run_ended(made.user_id, made.delivery_id)


@pytest.mark.parametrize("before", ["a second attempt", "a hold", "a failed staging", "an open sibling"])
async def test_where_more_has_happened_a_step_ends_the_run(
    prepare: Prepare, network: ScriptedNetwork, make: Factory, user: User, networks: Networks, before: str
) -> None:
    """It resolves notifications and waits for the others."""
    made = await prepare()
    if before == "a second attempt":
        await made.as_if(attempts=1)
    elif before == "a hold":
        await made.as_if(held_until=datetime.now(UTC) + HOUR)
    elif before == "a failed staging":
        await made.as_if(failures=[{"attempt": 0, "code": "rate_limited", "at": datetime.now(UTC).isoformat()}])
    else:
        other, row = await make.account(user, networks.url, "jonas-weber"), await made.row()
        async with made.services.sessions.begin() as session:
            session.add(
                Delivery(
                    id=new_id(),
                    user_id=user.id,
                    post_id=row.post_id,
                    account_id=other.id,
                    channel=row.channel,
                    state=DeliveryState.pending,
                    content_hash=row.content_hash,
                )
            )
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    run, post = await made.run(), await made.post()
    assert (run.state, run.finished_at, post.status) == (RunState.publishing, None, PostStatus.complete)
    assert not await made.service.has_run_ended(made.user_id, made.delivery_id)


async def test_a_final_refusal_of_an_image_fails_the_delivery_without_a_call(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(image=True)
    network.stages.append(Refused(ErrorCode.image_refused, detail="not a picture"))
    assert await made.stage() == timedelta(0)
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.image_refused)
    assert since(row.settled_at) < HOUR
    assert await made.deliver() is DeliveryOutcome.failed
    assert network.calls == ["stage"]


async def test_an_image_that_is_gone_from_the_storage_fails_the_delivery_with_that_reason_at_its_time(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(image=True, late=-timedelta(minutes=1))
    [file] = (await made.post()).files
    await made.services.media.storage.delete(file.media.storage_key)
    with pytest.raises(RetrySafe) as early:  # it may come back until then
        await made.stage()
    assert early.value.retry_after == timedelta(seconds=30)
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.retrying, ErrorCode.image_lost)
    await passes(made, timedelta(minutes=1))
    assert await made.stage() == timedelta(0)
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.image_lost)
    assert await made.deliver() is DeliveryOutcome.failed
    assert network.calls == []


async def test_a_storage_that_is_away_is_asked_again_until_it_is_too_late(
    prepare: Prepare, network: ScriptedNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await prepare(image=True)

    async def away(*_: object) -> bytes:
        raise Unavailable(ErrorCode.storage_unavailable)

    with monkeypatch.context() as gone:
        gone.setattr(Storage, "get", away)
        with pytest.raises(RetrySafe):
            await made.stage()
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.retrying, ErrorCode.storage_unavailable)
    await passes(made, timedelta(hours=2))
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.storage_unavailable)


async def test_what_staging_left_missing_is_done_before_the_fence(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("urn:li:image:1",), timedelta(milliseconds=150)))
    network.publishes.append(PROOF)
    began = monotonic()
    assert await made.deliver() is DeliveryOutcome.published
    assert monotonic() - began >= 0.14  # what the network still needed
    assert network.calls == ["stage", "publish"]
    assert network.asked[-1][3] == ("urn:li:image:1",)
    # a thousand may be armed at once: their bytes are not held
    assert network.asked[-1][2].images[0].data == b""


async def test_what_is_staged_when_armed_stays_with_its_worker(prepare: Prepare, network: ScriptedNetwork) -> None:
    """If that worker dies, another takes the delivery over at once."""
    made = await prepare(image=True)
    network.stages.append(Staged(("urn:li:image:1",), timedelta(0)))
    network.publishes.append(PROOF)
    waits_at: list[UUID | None] = []

    async def wait() -> None:
        waits_at.append((await made.row()).worker_id)

    assert await made.deliver(wait=wait) is DeliveryOutcome.published
    assert network.calls == ["stage", "publish"]
    assert waits_at == [made.service.worker_id]


async def test_an_image_refused_at_the_last_moment_ends_the_delivery_uncalled(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(image=True)
    network.stages.append(Refused(ErrorCode.image_refused))
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.error_code, row.called_at) == (ErrorCode.image_refused, None)
    assert network.calls == ["stage"]


# the one call


async def test_the_fence_stands_before_the_call_and_the_receipt_after_it(
    prepare: Prepare, network: ScriptedNetwork, told: list[Notice]
) -> None:
    made = await prepare()
    told.clear()
    seen: list[tuple[Delivery, Run]] = []

    async def look() -> Receipt:
        seen.append((await made.row(), await made.run()))
        return PROOF

    network.publishes.append(look)
    waits = 0

    async def wait() -> None:
        nonlocal waits
        waits += 1
        assert (await made.row()).called_at is None
        assert network.calls == []

    assert await made.deliver(wait=wait) is DeliveryOutcome.published
    [(during, run)] = seen
    assert (during.state, during.attempts) == (DeliveryState.publishing, 1)
    assert since(during.called_at) < HOUR
    assert run.state is RunState.publishing
    after = await made.row()
    assert (after.state, after.provider_id, after.permalink) == (
        DeliveryState.published,
        PROOF.provider_id,
        PROOF.permalink,
    )
    assert (after.called_at, after.attempt) == (during.called_at, during.attempt)
    assert since(after.settled_at) < HOUR
    assert since(after.account.last_used_at) < HOUR
    [(_, to, sent, refs)] = network.asked
    assert (to.external_id, sent.text, refs, waits) == (
        after.account.external_id,
        (await made.post()).content,
        (),
        1,
    )
    assert told == await made.notices("run", "post", "post", "run")


@pytest.mark.parametrize(
    ("state", "outcome"),
    [
        (DeliveryState.published, DeliveryOutcome.published),
        (DeliveryState.failed, DeliveryOutcome.failed),
        (DeliveryState.unknown, DeliveryOutcome.unknown),
        (DeliveryState.cancelled, DeliveryOutcome.missed),
    ],
)
async def test_what_is_settled_is_never_called(
    prepare: Prepare, network: ScriptedNetwork, state: DeliveryState, outcome: DeliveryOutcome
) -> None:
    made = await prepare()
    await made.as_if(state=state, called_at=datetime.now(UTC))
    assert await made.deliver() is outcome
    row = await made.row()
    assert (row.state, row.attempts, network.calls) == (state, 0, [])


async def test_another_users_delivery_is_not_there(prepare: Prepare, network: ScriptedNetwork, make: Factory) -> None:
    made, stranger = await prepare(), await make.user()
    for attempt in (
        made.services.staging.stage(stranger.id, made.delivery_id),
        made.service.deliver(stranger.id, made.delivery_id, wait=at_once),
        made.services.delivery_decisions.decide(stranger.id, made.delivery_id, there=True),
        made.services.delivery_decisions.acknowledge(stranger.id, (await made.row()).post_id),
    ):
        with pytest.raises(NotFound):
            await attempt
    assert network.calls == []


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Refused(detail="too spicy"), ErrorCode.delivery_refused),
        (Refused(ErrorCode.delivery_duplicate, detail="twice"), ErrorCode.delivery_duplicate),
    ],
    ids=["refused", "duplicate"],
)
async def test_a_final_answer_fails_it_with_the_networks_words(
    prepare: Prepare,
    network: ScriptedNetwork,
    told: list[Notice],
    error: ProviderError,
    code: ErrorCode,
) -> None:
    made = await prepare()
    told.clear()
    network.publishes.append(error)
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code, row.error_detail, row.called_at) == (
        DeliveryState.failed,
        code,
        error.detail,
        None,
    )
    assert [(one["attempt"], one["code"]) for one in row.failures] == [(1, code)]
    assert since(row.settled_at) < HOUR
    assert told == await made.notices("run", "post", "post")
    assert row.account.state is AccountState.connected
    assert await made.deliver() is DeliveryOutcome.failed
    assert network.calls == ["publish"]


async def test_a_lost_connection_holds_it_until_it_is_made_again(
    prepare: Prepare, network: ScriptedNetwork, told: list[Notice]
) -> None:
    made = await prepare()
    told.clear()
    network.publishes += [NeedsReconnect(detail="token gone"), PROOF]
    assert await made.deliver() is DeliveryOutcome.held
    row = await made.row()
    assert (row.state, row.error_code, row.error_detail, row.called_at, row.settled_at) == (
        DeliveryState.held,
        ErrorCode.delivery_needs_reconnect,
        "token gone",
        None,
        None,
    )
    assert row.held_until == made.slot + made.service.catch_up
    assert told == await made.notices("run", "post", "notification", "account", "post")
    assert row.account.state is AccountState.needs_reconnecting
    # nothing is asked of the network meanwhile
    assert await made.stage() == timedelta(0)
    assert await made.deliver() is DeliveryOutcome.held
    assert network.calls == ["publish"]
    assert await released(made) == []
    await made.as_if(Grant, state=AccountState.connected)
    before = await made.post()
    assert await released(made) == [(made.user_id, before.id)]
    row, post = await made.row(), await made.post()
    assert (row.state, row.error_code, post.version) == (DeliveryState.pending, None, before.version + 1)
    assert await released(made) == []
    assert await made.deliver() is DeliveryOutcome.published


async def released(made: Prepared) -> list[tuple[UUID, UUID]]:
    async with made.services.sessions.begin() as session:
        return [(user_id, post_id) for user_id, post_id in await DeliveryRepository(session).release_held()]


async def test_held_past_its_deadline_it_fails_for_that(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    network.publishes.append(NeedsReconnect(detail="token gone"))
    assert await made.deliver() is DeliveryOutcome.held
    post = await made.post()
    late = made.slot - made.service.catch_up - timedelta(minutes=1)
    async with made.services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == post.id).values(planned_at=late))
    await made.as_if(held_until=late + made.service.catch_up)
    # also where it is connected by then
    await made.as_if(Grant, state=AccountState.connected)
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.reconnected_too_late)
    assert since(row.settled_at) < HOUR
    assert network.calls == ["publish"]


async def test_what_a_person_sends_is_held_for_a_day_and_goes_out_that_late(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    post = await made.post()
    async with made.services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == post.id).values(run_id=None))
    network.publishes += [NeedsReconnect(detail="token gone"), PROOF]
    assert await made.deliver() is DeliveryOutcome.held
    assert (await made.row()).held_until == made.slot + timedelta(days=1)
    later = made.slot - timedelta(hours=23)
    async with made.services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == post.id).values(planned_at=later))
    await made.as_if(Grant, state=AccountState.connected)
    assert await made.deliver() is DeliveryOutcome.published


@pytest.mark.parametrize("lost", [False, True], ids=["still there", "expired there"])
async def test_a_token_that_ends_after_staging_holds_it_and_what_was_staged_is_used_while_it_lasts(
    prepare: Prepare, network: ScriptedNetwork, lost: bool
) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("container",), timedelta(0)))
    await made.stage()

    async def ended() -> None:
        await made.as_if(Grant, state=AccountState.needs_reconnecting)

    network.readies.append(None)
    assert await made.deliver(wait=ended) is DeliveryOutcome.held
    row = await made.row()
    assert (row.state, row.error_code, row.called_at, row.staged_refs) == (
        DeliveryState.held,
        ErrorCode.delivery_needs_reconnect,
        None,
        ["container"],
    )
    sealed = made.services.vault.encrypt("the new one")
    await made.as_if(
        Grant, access_token_encrypted=sealed, token_id=new_id(), state=AccountState.connected, refused_token_id=None
    )
    assert len(await released(made)) == 1
    if lost:
        network.readies.append(StagedLost(detail="EXPIRED"))
        with pytest.raises(StagedLost):
            await made.deliver()
        network.stages.append(Staged(("another",), timedelta(0)))
    network.readies.append(None)
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    [*_, (name, to, _, refs)] = network.asked
    assert (name, to.access_token, refs) == ("publish", "the new one", ("another",) if lost else ("container",))


async def test_held_and_then_disconnected_it_fails_for_that(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    network.publishes.append(NeedsReconnect(detail="token gone"))
    assert await made.deliver() is DeliveryOutcome.held
    await made.as_if(Account, disconnected_at=datetime.now(UTC))
    assert await released(made) == [(made.user_id, (await made.row()).post_id)]
    assert await made.deliver() is DeliveryOutcome.failed
    assert (await made.row()).error_code == ErrorCode.account_disconnected


@pytest.mark.parametrize("error", [RateLimited(), RetrySafe()], ids=["rate limit", "no effect"])
async def test_what_had_no_effect_for_certain_is_called_again(
    prepare: Prepare, network: ScriptedNetwork, error: ProviderError
) -> None:
    made = await prepare()
    network.publishes += [error, PROOF]
    with pytest.raises(type(error)):
        await made.deliver()
    row = await made.row()
    assert (row.state, row.called_at, row.error_code, row.error_detail, row.settled_at) == (
        DeliveryState.retrying,
        None,
        error.code,
        None,
        None,
    )
    assert await made.deliver() is DeliveryOutcome.published
    row = await made.row()
    assert (row.attempts, row.error_code, network.calls) == (2, None, ["publish", "publish"])


async def test_an_unclear_answer_leaves_the_fence_standing(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    network.publishes.append(Ambiguous(detail="answer lost"))
    with pytest.raises(Ambiguous):
        await made.deliver()
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.retrying, ErrorCode.ambiguous_outcome)
    assert since(row.called_at) < HOUR


async def test_a_call_without_an_answer_in_time_is_unclear(
    prepare: Prepare, network: ScriptedNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await prepare()
    monkeypatch.setattr(delivery_jobs, "_MARGIN", timedelta(milliseconds=20))
    network.call_timeout = timedelta(milliseconds=20)
    silence = asyncio.Event()

    async def hang() -> Receipt:
        await silence.wait()
        return PROOF

    network.publishes.append(hang)
    with pytest.raises(Ambiguous):
        await made.deliver()
    row = await made.row()
    assert (row.state, row.error_detail) == (DeliveryState.retrying, "no answer in time")
    assert row.called_at is not None


async def test_an_overtaken_attempt_neither_calls_nor_writes(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()

    async def overtaken() -> None:
        await made.as_if(attempt=new_id())

    with pytest.raises(Ambiguous, match=ErrorCode.ambiguous_outcome) as raised:
        await made.deliver(wait=overtaken)
    assert raised.value.detail == "another attempt owns this delivery"
    row = await made.row()
    assert (row.called_at, row.state, network.calls) == (None, DeliveryState.publishing, [])


async def test_an_overtaken_attempts_error_leaves_the_newer_ones_fence(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    newer = new_id()

    async def refused_late() -> Receipt:
        await made.as_if(attempt=newer)
        raise Refused(detail="late word")

    network.publishes.append(refused_late)
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.attempt, row.error_code, row.failures) == (DeliveryState.publishing, newer, None, [])
    assert row.called_at is not None


@pytest.mark.parametrize(
    ("said", "state", "code", "fenced"),
    [
        (PROOF, DeliveryState.published, None, True),
        (Refused(detail="400"), DeliveryState.failed, ErrorCode.delivery_refused, False),
        (RateLimited(detail="DAY", retry_after=7 * HOUR), DeliveryState.held, ErrorCode.rate_limited, False),
        (Ambiguous(detail="cut off"), DeliveryState.retrying, ErrorCode.ambiguous_outcome, True),
    ],
    ids=["published", "refused", "limited", "unclear"],
)
async def test_what_comes_of_a_running_call_is_written_down_though_its_step_was_given_to_another(
    prepare: Prepare,
    network: ScriptedNetwork,
    said: Receipt | ProviderError,
    state: DeliveryState,
    code: ErrorCode | None,
    fenced: bool,
) -> None:
    """A worker that lives is taken for dead in the middle of its call."""
    made = await prepare()

    async def taken_for_dead() -> Receipt:
        with pytest.raises(Ambiguous) as raised:
            await made.deliver()
        assert raised.value.retry_after is not None
        if isinstance(said, ProviderError):
            raise said
        return said

    network.publishes.append(taken_for_dead)
    try:
        await made.deliver()
    except Ambiguous:
        assert state is DeliveryState.retrying
    row = await made.row()
    assert (row.state, row.error_code, row.called_at is not None, row.attempts) == (state, code, fenced, 1)
    assert network.calls == ["publish"]
    if state in (DeliveryState.published, DeliveryState.failed, DeliveryState.held):
        assert (await made.deliver()).value == state.value
        assert network.calls == ["publish"]


async def test_a_step_that_is_cancelled_while_its_fence_is_set_makes_its_call(
    prepare: Prepare, network: ScriptedNetwork, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when workers are replaced at a slot: a fence without a call would leave the delivery unknown."""
    made = await prepare()
    network.publishes.append(PROOF)
    fencing, goes_on, fence = asyncio.Event(), asyncio.Event(), DeliveryRepository.fence

    async def slow(repository: DeliveryRepository, *asked: Any) -> set[tuple[UUID, UUID | None]]:
        fencing.set()
        await goes_on.wait()
        return await fence(repository, *asked)

    monkeypatch.setattr(DeliveryRepository, "fence", slow)
    step = asyncio.create_task(made.deliver())
    await fencing.wait()
    step.cancel()
    await asyncio.sleep(0)
    goes_on.set()
    assert await step is DeliveryOutcome.published
    assert network.calls == ["publish"]
    assert (await made.row()).state is DeliveryState.published


async def test_an_error_after_the_proof_changes_nothing(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()

    async def proved_meanwhile() -> Receipt:
        await made.as_if(state=DeliveryState.published)
        raise Ambiguous

    network.publishes.append(proved_meanwhile)
    with pytest.raises(Ambiguous):
        await made.deliver()
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.published, None)


async def test_a_disconnected_account_is_never_posted_to(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    await made.as_if(Account, disconnected_at=datetime.now(UTC))
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code, row.attempts) == (DeliveryState.failed, ErrorCode.account_disconnected, 0)
    assert since(row.settled_at) < HOUR
    assert network.calls == []


# late


@pytest.mark.parametrize(
    ("minutes", "newer", "window", "code"),
    [
        (1, None, 60, None),
        (59, None, 60, None),
        (61, None, 60, ErrorCode.missed_outage),
        (1, None, 0.5, ErrorCode.missed_outage),
        # a newer one that is due, whether it has its text already or is out
        (0.5, RunState.preparing, 60, ErrorCode.missed_overtaken),
        (4, RunState.ready, 60, ErrorCode.missed_overtaken),
        (4, RunState.published, 60, ErrorCode.missed_overtaken),
        (4, RunState.unknown, 60, ErrorCode.missed_overtaken),
        # one that will never go out takes nobody's place
        (4, RunState.failed, 60, None),
        (4, RunState.missed, 60, None),
        (4, RunState.skipped, 60, None),
    ],
)
async def test_late_posts_never_come_in_a_burst(
    prepare: Prepare,
    network: ScriptedNetwork,
    minutes: float,
    newer: RunState | None,
    window: float,
    code: ErrorCode | None,
) -> None:
    made = await prepare(late=timedelta(minutes=minutes))
    if newer:
        await made.another_run(made.slot + timedelta(seconds=20), newer)
    network.publishes.append(PROOF)
    service = replace(made.service, catch_up=timedelta(minutes=window))
    ended = await service.deliver(made.user_id, made.delivery_id, wait=at_once)
    row = await made.row()
    if code is None:
        assert ended is DeliveryOutcome.published
        return
    assert ended is DeliveryOutcome.missed
    assert (row.state, row.error_code, row.called_at) == (DeliveryState.cancelled, code, None)
    assert since(row.settled_at) < HOUR
    assert network.calls == []


async def passes(made: Prepared, time: timedelta) -> None:
    """So much later for everybody: what was to happen was to do so that long ago."""
    row, post = await made.row(), await made.post()
    assert post.planned_at is not None
    async with made.services.sessions.begin() as session:
        earlier = {"planned_at": post.planned_at - time}
        await session.execute(update(Post).where(Post.id == post.id).values(**earlier))
    await made.as_if(held_until=row.held_until and row.held_until - time, retry_at=row.retry_at and row.retry_at - time)
    if row.account.limited_until:
        await made.as_if(Account, limited_until=row.account.limited_until - time)


@pytest.mark.parametrize("image", [False, True], ids=["text", "image"])
async def test_what_its_network_was_away_for_goes_out_within_the_window(
    prepare: Prepare, network: ScriptedNetwork, image: bool
) -> None:
    made = await prepare(image=image)
    away: list[Staged | ProviderError] = [RetrySafe(detail="ConnectError")] * 11
    network.stages += away if image else []
    network.publishes += [] if image else [RetrySafe(detail="ConnectError")] * 11
    for _ in range(11):  # five minutes apart
        with pytest.raises(RetrySafe):
            await (made.stage() if image else made.deliver())
        await passes(made, timedelta(minutes=5))
    network.stages.append(Staged(("urn:li:image:1",), timedelta(0)))
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    row = await made.row()
    assert (row.error_code, row.settled_at is not None) == (None, True)
    assert network.calls.count("publish") == (1 if image else 12)


@pytest.mark.parametrize(
    "error",
    [
        RetrySafe(detail="ConnectError"),
        StagedLost(),
        RetrySafe(ErrorCode.media_unreachable),
        RetrySafe(ErrorCode.access_renewing),
    ],
    ids=lambda error: error.code,
)
@pytest.mark.parametrize("step", ["stage", "publish"])
async def test_what_its_network_was_away_for_until_it_was_too_late_has_failed_for_that_and_can_be_tried_again(
    prepare: Prepare, network: ScriptedNetwork, error: ProviderError, step: str
) -> None:
    made = await prepare(image=True)
    network.stages += [error] if step == "stage" else [Staged(("urn:li:image:1",), timedelta(0))]
    network.publishes += [error]
    with pytest.raises(RetrySafe):
        await (made.stage() if step == "stage" else made.deliver())
    await passes(made, made.service.catch_up + timedelta(minutes=1))
    # nothing is uploaded any more
    assert await made.stage() == timedelta(0)
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code, row.called_at) == (
        DeliveryState.failed,
        ErrorCode.unavailable_too_long,
        None,
    )
    assert [one["code"] for one in row.failures] == [error.code]
    assert since(row.settled_at) < HOUR
    asked = len(network.calls)
    await made.services.projecting.finish(made.user_id, made.run_id)
    assert ((await made.run()).state, (await made.run()).reason) == (RunState.failed, ErrorCode.unavailable_too_long)
    await made.services.publishing.retry(made.user_id, row.post_id)
    network.stages.append(Staged(("urn:li:image:1",), timedelta(0)))
    network.publishes.clear()
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    assert len(network.calls) > asked


async def test_what_its_network_was_away_for_after_a_reconnect_says_that(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    network.publishes += [NeedsReconnect(detail="token gone"), RetrySafe(detail="ConnectError")]
    assert await made.deliver() is DeliveryOutcome.held
    await made.as_if(Grant, state=AccountState.connected)
    assert len(await released(made)) == 1
    with pytest.raises(RetrySafe):
        await made.deliver()
    await passes(made, timedelta(days=1, minutes=1))
    assert await made.deliver() is DeliveryOutcome.failed
    assert (await made.row()).error_code == ErrorCode.unavailable_too_long


async def test_what_was_overtaken_while_its_network_was_away_says_that(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(late=timedelta(minutes=4))
    network.publishes.append(RetrySafe(detail="ConnectError"))
    with pytest.raises(RetrySafe):
        await made.deliver()
    await made.another_run(made.slot + timedelta(seconds=20), RunState.ready)
    assert await made.deliver() is DeliveryOutcome.missed
    assert (await made.row()).error_code == ErrorCode.missed_overtaken


async def test_a_newer_run_that_is_not_due_yet_takes_nobodys_place(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(late=timedelta(minutes=4))
    await made.another_run(datetime.now(UTC) + HOUR, RunState.ready)
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published


async def test_what_was_disproved_is_asked_again_whether_it_is_too_late(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(late=timedelta(minutes=30))
    await called(made, timedelta(minutes=25))
    await made.another_run(made.slot + timedelta(minutes=10), RunState.ready)
    network.finds.append(Finding(absent=True))
    assert await made.deliver() is DeliveryOutcome.missed
    row = await made.row()
    assert (row.state, row.error_code, row.called_at) == (
        DeliveryState.cancelled,
        ErrorCode.missed_overtaken,
        None,
    )
    assert "publish" not in network.calls


@pytest.mark.parametrize(
    ("changed", "code", "outcome"),
    [
        ({"disconnected_at": datetime.now(UTC)}, ErrorCode.account_disconnected, DeliveryOutcome.failed),
        (
            {"own_state": AccountState.needs_reconnecting},
            ErrorCode.delivery_needs_reconnect,
            DeliveryOutcome.held,
        ),
    ],
    ids=["disconnected", "revoked"],
)
async def test_the_fence_asks_once_more_what_came_while_it_was_armed(
    prepare: Prepare,
    network: ScriptedNetwork,
    changed: dict[str, Any],
    code: ErrorCode,
    outcome: DeliveryOutcome,
) -> None:
    made = await prepare()

    async def meanwhile() -> None:
        await made.as_if(Account, **changed)

    assert await made.deliver(wait=meanwhile) is outcome
    row = await made.row()
    assert (row.state, row.error_code, row.called_at) == (DeliveryState(outcome), code, None)
    assert network.calls == []


async def test_connected_anew_while_it_was_armed_it_goes_out_by_the_new_token(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()

    async def meanwhile() -> None:
        await made.as_if(Grant, access_token_encrypted=made.services.vault.encrypt("the new one"), token_id=new_id())

    with pytest.raises(RetrySafe, match=ErrorCode.provider_unavailable):
        await made.deliver(wait=meanwhile)
    assert network.calls == []
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    assert [(asked, to.access_token) for asked, to, *_ in network.asked] == [("publish", "the new one")]


async def test_one_frozen_over_its_time_does_not_go_out_late(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()

    async def frozen() -> None:
        # two hours pass for everybody but the worker
        post = await made.post()
        async with made.services.sessions.begin() as session:
            late = {"planned_at": datetime.now(UTC) - 2 * HOUR}
            await session.execute(update(Post).where(Post.id == post.id).values(**late))

    assert await made.deliver(wait=frozen) is DeliveryOutcome.missed
    assert (await made.row()).error_code == ErrorCode.missed_outage
    assert network.calls == []


async def test_a_late_post_of_a_deleted_assistant_still_goes_out(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(late=timedelta(minutes=4))
    async with made.services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.run_id == made.run_id).values(assistant_id=None))
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published


# asking what is there


async def called(made: Prepared, ago: timedelta) -> datetime:
    """An earlier attempt has called and died."""
    at = datetime.now(UTC) - ago
    await made.as_if(called_at=at, state=DeliveryState.publishing, attempts=1, attempt=new_id())
    return at


async def test_nobody_asks_while_the_earlier_call_may_be_under_way(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    await called(made, timedelta(seconds=20))
    with pytest.raises(Ambiguous) as raised:
        await made.deliver()
    # the call's own time and twice the margin, less what has passed
    assert raised.value.code is ErrorCode.ambiguous_outcome
    assert raised.value.retry_after is not None
    assert timedelta(seconds=13) < raised.value.retry_after <= timedelta(seconds=14)
    assert (await made.row()).state is DeliveryState.retrying
    assert network.calls == []


@pytest.mark.parametrize("wrong", [HOUR, -HOUR], ids=["ahead", "behind"])
async def test_how_long_the_earlier_call_may_take_is_told_by_the_clock_of_its_fence(
    prepare: Prepare, network: ScriptedNetwork, wrong: timedelta
) -> None:
    """The database has set it; the clock of this worker is wrong."""
    made = await prepare()
    await called(made, timedelta(seconds=20))
    with use_clock(lambda: datetime.now(UTC) + wrong), pytest.raises(Ambiguous) as raised:
        await made.deliver()
    assert raised.value.retry_after is not None
    assert timedelta(seconds=10) < raised.value.retry_after <= timedelta(seconds=14)
    assert network.calls == []


async def test_what_is_found_there_is_settled_without_a_call(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    at = await called(made, HOUR)
    network.finds.append(Finding(PROOF))
    assert await made.deliver() is DeliveryOutcome.published
    row = await made.row()
    assert (row.state, row.provider_id, row.called_at) == (DeliveryState.published, PROOF.provider_id, at)
    assert [(name, about) for name, _, _, about in network.asked] == [("find", at)]


async def test_only_proof_of_absence_allows_a_second_call(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    at = await called(made, HOUR)
    network.finds.append(Finding(absent=True))
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    row = await made.row()
    assert row.called_at is not None
    assert (row.attempts, row.called_at > at, network.calls) == (2, True, ["find", "publish"])


@pytest.mark.parametrize(
    "said",
    [Finding(absent=True), Finding(), Refused(), RateLimited(retry_after=7 * HOUR), Misconfigured(), NeedsReconnect()],
    ids=["absent", "nothing", "refused", "limited", "settings", "token refused"],
)
async def test_a_look_up_that_ends_after_another_attempt_has_called_changes_nothing(
    prepare: Prepare, network: ScriptedNetwork, monkeypatch: pytest.MonkeyPatch, said: Finding | ProviderError
) -> None:
    """A worker that lives is taken for dead while it looks up."""
    made, find = await prepare(), network.find
    await called(made, HOUR)
    newer: list[Delivery] = []

    async def taken_for_dead(*asked: Any, **more: Any) -> Finding:
        monkeypatch.setattr(network, "find", find)
        network.finds += [Finding(absent=True), said]
        network.publishes.append(Ambiguous(detail="cut off"))
        with pytest.raises(Ambiguous):
            await made.deliver()
        newer.append(await made.row())
        return await find(*asked, **more)

    monkeypatch.setattr(network, "find", taken_for_dead)
    with pytest.raises(ProviderError) as raised:
        await made.deliver()
    assert raised.value.retryable
    row, [after] = await made.row(), newer
    assert after.called_at is not None
    assert (row.called_at, row.attempt, row.state) == (after.called_at, after.attempt, DeliveryState.retrying)
    await made.as_if(called_at=datetime.now(UTC) - timedelta(minutes=1))  # long enough ago that the call is over
    await made.as_if(Grant, state=AccountState.connected)
    network.finds.append(Finding(PROOF))
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls.count("publish") == 1


@pytest.mark.parametrize("said", [Finding(), Refused()], ids=["nothing", "refused"])
async def test_where_the_network_cannot_tell_a_person_decides(
    prepare: Prepare,
    network: ScriptedNetwork,
    told: list[Notice],
    said: Finding | ProviderError,
) -> None:
    made = await prepare()
    at = await called(made, HOUR)
    told.clear()
    network.finds.append(said)
    assert await made.deliver() is DeliveryOutcome.unknown
    row = await made.row()
    assert (row.state, row.error_code, row.called_at, row.settled_at) == (
        DeliveryState.unknown,
        ErrorCode.delivery_unknown,
        at,
        None,
    )
    assert told == await made.notices("run", "post", "notification", "post")
    [(name, to, about, _)] = network.asked
    assert (name, to.external_id, about.text) == ("find", row.account.external_id, (await made.post()).content)


async def test_where_only_the_connection_is_lost_nobody_has_to_decide_before_it_is_made_again(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    at = await called(made, HOUR)
    network.finds += [NeedsReconnect(detail="token gone"), Finding(PROOF)]
    assert await made.deliver() is DeliveryOutcome.held
    row = await made.row()
    assert (row.state, row.error_code, row.called_at) == (
        DeliveryState.held,
        ErrorCode.delivery_needs_reconnect,
        at,
    )
    assert row.account.state is AccountState.needs_reconnecting
    await made.as_if(Grant, state=AccountState.connected)
    assert len(await released(made)) == 1
    assert (await made.row()).state is DeliveryState.retrying
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls == ["find", "find"]


@pytest.mark.parametrize("how", ["never", "disconnected"])
async def test_where_it_is_not_made_again_a_person_decides_in_the_end(
    prepare: Prepare, network: ScriptedNetwork, how: str
) -> None:
    made = await prepare()
    await called(made, HOUR)
    network.finds += [NeedsReconnect(detail="token gone")] * 2
    assert await made.deliver() is DeliveryOutcome.held
    if how == "never":
        late = update(Post).where(Post.id == (await made.post()).id)
        async with made.services.sessions.begin() as session:
            await session.execute(late.values(planned_at=made.slot - made.service.catch_up - timedelta(minutes=1)))
    else:
        await made.as_if(Account, disconnected_at=datetime.now(UTC))
        assert len(await released(made)) == 1
    assert await made.deliver() is DeliveryOutcome.unknown
    assert network.calls == ["find", "find"]


@pytest.mark.parametrize("said", [RetrySafe(), RateLimited()], ids=["away", "rate limit"])
async def test_a_question_that_could_not_be_asked_is_asked_again(
    prepare: Prepare, network: ScriptedNetwork, said: ProviderError
) -> None:
    made = await prepare()
    at = await called(made, HOUR)
    network.finds.append(said)
    with pytest.raises(type(said)):
        await made.deliver()
    row = await made.row()
    assert (row.called_at, row.state, network.calls) == (at, DeliveryState.retrying, ["find"])


@pytest.mark.parametrize("where", ["stages", "publishes", "finds"])
@pytest.mark.parametrize("error", [RetrySafe, RateLimited])
@pytest.mark.parametrize(
    ("named", "pause", "waits"),
    [
        (timedelta(minutes=7), timedelta(seconds=4), timedelta(minutes=7)),
        (None, timedelta(seconds=4), timedelta(seconds=4)),
        (None, None, None),
    ],
)
async def test_it_is_told_when_the_next_attempt_begins(
    prepare: Prepare,
    network: ScriptedNetwork,
    where: str,
    error: type[RetrySafe | RateLimited],
    named: timedelta | None,
    pause: timedelta | None,
    waits: timedelta | None,
) -> None:
    made = await prepare(image=where == "stages")
    if where == "finds":
        await called(made, HOUR)
    getattr(network, where).append(error(retry_after=named))
    begun = datetime.now(UTC)
    attempt = made.stage(pause) if where == "stages" else made.deliver(pause=pause)
    with pytest.raises(error):
        await attempt
    row = await made.row()
    assert row.state is DeliveryState.retrying
    if waits is None:
        assert row.retry_at is None
    else:
        assert row.retry_at is not None
        assert waits <= row.retry_at - begun < waits + timedelta(seconds=3)


async def test_so_it_is_where_the_call_before_may_still_be_under_way(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    await called(made, timedelta(0))
    with pytest.raises(Ambiguous) as raised:
        await made.deliver(pause=timedelta(seconds=1))
    row = await made.row()
    assert row.retry_at is not None
    assert raised.value.retry_after is not None
    assert abs(row.retry_at - datetime.now(UTC) - raised.value.retry_after) < timedelta(seconds=3)
    assert (row.state, network.calls) == (DeliveryState.retrying, [])


# what a person says


async def unclear(prepare: Prepare) -> Prepared:
    made = await prepare()
    await made.as_if(state=DeliveryState.unknown, called_at=made.slot, error_code=ErrorCode.delivery_unknown)
    await made.as_if(Run, state=RunState.unknown, finished_at=made.slot)
    return made


async def test_a_person_found_it(prepare: Prepare, told: list[Notice]) -> None:
    made = await unclear(prepare)
    told.clear()
    await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=True)
    row, post, run = await made.row(), await made.post(), await made.run()
    assert told == await made.notices("run", "post")
    # it went out when it was called, not when somebody looked
    assert (row.state, row.error_code, row.settled_at) == (DeliveryState.published, None, made.slot)
    assert since(row.decided_at) < HOUR
    assert (post.status, post.acknowledged_at, run.state) == (PostStatus.published, None, RunState.published)


async def test_a_person_found_nothing(prepare: Prepare) -> None:
    made = await unclear(prepare)
    await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=False)
    row, post, run = await made.row(), await made.post(), await made.run()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.delivery_unknown)
    assert row.settled_at == row.decided_at
    assert since(row.decided_at) < HOUR
    # whoever found out need not be told again
    assert (post.status, post.acknowledged_at, run.state) == (PostStatus.failed, row.decided_at, RunState.failed)


async def test_one_answer_of_two_leaves_the_post_open(prepare: Prepare, told: list[Notice]) -> None:
    made = await unclear(prepare)
    async with made.services.sessions.begin() as session:
        first = await PostRepository(session).lock_delivery(made.user_id, made.delivery_id)
        other = Account(
            id=new_id(),
            user_id=made.user_id,
            kind=first.account.kind,
            type=first.account.type,
            external_id="second",
            name="Second",
            grant=first.account.grant,
        )
        session.add(other)
        await session.flush()
        session.add(
            Delivery(
                id=new_id(),
                user_id=made.user_id,
                post_id=first.post_id,
                account_id=other.id,
                channel=first.channel,
                state=DeliveryState.unknown,
                content_hash=first.content_hash,
            )
        )
    told.clear()
    await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=False)
    assert told == await made.notices("run", "notification", "post")
    post, run = await made.post(), await made.run()
    assert (post.status, post.acknowledged_at, run.state) == (PostStatus.complete, None, RunState.unknown)


@pytest.mark.parametrize("other", ["answer", "proof"])
async def test_two_answers_at_once_settle_the_post(
    lasting: AsyncEngine, settings: Settings, networks: Networks, other: str
) -> None:
    one, two = await committed(lasting, settings, networks, ["mara-lind", "jonas-weber"])
    for made in (one, two):
        await made.as_if(state=DeliveryState.unknown, called_at=made.slot, error_code=ErrorCode.delivery_unknown)
    await one.services.projecting.finish(one.user_id, one.run_id)
    assert ((await one.post()).status, (await one.run()).state) == (PostStatus.complete, RunState.unknown)
    decide, ledger = one.services.delivery_decisions.decide, Ledger(one.services.sessions, HOUR)
    await asyncio.gather(
        decide(one.user_id, one.delivery_id, there=True),
        decide(two.user_id, two.delivery_id, there=True)
        if other == "answer"
        else ledger.settle(Proof(two.user_id, two.delivery_id, PROOF)),
    )
    assert ((await one.post()).status, (await one.run()).state) == (PostStatus.published, RunState.published)


async def test_an_answer_is_taken_back_until_it_was_sent_again(
    prepare: Prepare, network: ScriptedNetwork, told: list[Notice]
) -> None:
    made = await unclear(prepare)
    await made.services.delivery_decisions.decide(
        made.user_id, made.delivery_id, there=True, address="https://network.test/7"
    )
    assert (await made.row()).permalink == "https://network.test/7"
    told.clear()
    await made.services.delivery_decisions.reopen(made.user_id, made.delivery_id)
    assert told == await made.notices("run", "post")
    row, post, run = await made.row(), await made.post(), await made.run()
    assert (row.state, row.error_code, row.called_at) == (
        DeliveryState.unknown,
        ErrorCode.delivery_unknown,
        made.slot,
    )
    assert (row.permalink, row.decided_at, row.settled_at) == (None, None, None)
    assert (post.status, run.state) == (PostStatus.complete, RunState.unknown)

    await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=False)
    await made.services.delivery_decisions.reopen(made.user_id, made.delivery_id)
    assert (await made.post()).acknowledged_at is None, "it waits for a person as before"
    with pytest.raises(Conflict):
        await made.services.delivery_decisions.reopen(made.user_id, made.delivery_id)

    await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=False)
    await made.services.publishing.retry(made.user_id, post.id)
    with pytest.raises(Conflict):
        await made.services.delivery_decisions.reopen(made.user_id, made.delivery_id)


async def test_an_address_of_something_else_is_refused(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await unclear(prepare)
    with pytest.raises(InvalidInput) as raised:
        await made.services.delivery_decisions.decide(
            made.user_id, made.delivery_id, there=True, address="https://elsewhere.test/7"
        )
    [problem] = raised.value.errors
    assert (problem.field, problem.code) == ("address", ErrorCode.delivery_address_unusable)
    assert (await made.row()).state is DeliveryState.unknown


# once more, identical


@pytest.mark.parametrize("how", ["send again", "not there, tried again"])
async def test_a_refused_repeat_names_what_the_unproved_call_made(
    prepare: Prepare, network: ScriptedNetwork, how: str
) -> None:
    made = await unclear(prepare)
    post_id = (await made.row()).post_id
    if how == "send again":
        await made.services.publishing.send_again(made.user_id, post_id)
    else:
        await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=False)
        await made.services.publishing.retry(made.user_id, post_id)
    network.publishes.append(Refused(ErrorCode.delivery_duplicate, urn=PROOF.provider_id))
    network.names.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    row = await made.row()
    assert (row.state, row.provider_id, row.permalink) == (DeliveryState.published, PROOF.provider_id, PROOF.permalink)
    assert (row.error_code, (await made.post()).status) == (None, PostStatus.published)
    assert network.calls == ["publish"], "through the fence, once"


@pytest.mark.parametrize(
    ("sent", "urn", "named"),
    [
        ("nothing before", "urn:li:share:7", None),
        ("another text", "urn:li:share:7", None),
        ("the same", None, None),
        ("the same", "urn:li:share:7", "gone"),
    ],
)
async def test_without_a_call_of_its_own_a_repeat_is_refused(
    prepare: Prepare, network: ScriptedNetwork, sent: str, urn: str | None, named: str | None
) -> None:
    made = await prepare()
    if sent != "nothing before":
        await made.as_if(doubted_hash=(await made.row()).own_hash if sent == "the same" else "another")
    network.publishes.append(Refused(ErrorCode.delivery_duplicate, urn=urn))
    if named:
        network.names.append(None)
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code, row.provider_id) == (
        DeliveryState.failed,
        ErrorCode.delivery_duplicate,
        None,
    )


async def test_only_what_is_unknown_is_sent_again(prepare: Prepare) -> None:
    made = await prepare()
    post_id = (await made.row()).post_id
    for state in (DeliveryState.pending, DeliveryState.published, DeliveryState.failed):
        await made.as_if(state=state)
        with pytest.raises(Conflict) as raised:
            await made.services.publishing.send_again(made.user_id, post_id)
        assert raised.value.code is ErrorCode.post_not_editable


@pytest.mark.parametrize("state", [state for state in DeliveryState if state is not DeliveryState.unknown])
async def test_only_the_unknown_can_be_decided(prepare: Prepare, state: DeliveryState) -> None:
    made = await prepare()
    await made.as_if(state=state)
    with pytest.raises(Conflict) as raised:
        await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=True)
    assert (raised.value.code, raised.value.params) == (ErrorCode.post_not_editable, {"state": state})
    assert ((await made.row()).state, (await made.row()).decided_at) == (state, None)


async def test_a_failed_post_is_put_aside_once(prepare: Prepare, told: list[Notice]) -> None:
    made = await prepare()
    post_id = (await made.row()).post_id
    with pytest.raises(Conflict) as raised:
        await made.services.delivery_decisions.acknowledge(made.user_id, post_id)
    assert (raised.value.code, raised.value.params) == (ErrorCode.post_not_editable, {"state": PostStatus.complete})
    async with made.services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.id == post_id).values(status=PostStatus.failed))
    told.clear()
    await made.services.delivery_decisions.acknowledge(made.user_id, post_id)
    assert told == await made.notices("post")
    seen = (await made.post()).acknowledged_at
    assert since(seen) < HOUR
    await made.services.delivery_decisions.acknowledge(made.user_id, post_id)
    assert (await made.post()).acknowledged_at == seen


# the end of a run


@pytest.mark.parametrize(
    ("left", "ended", "code", "run_state", "status"),
    [
        # called for, and nobody knows: also where the workflow was cancelled in the middle of the call
        (
            {"state": DeliveryState.publishing, "called_at": datetime.now(UTC)},
            DeliveryState.unknown,
            ErrorCode.delivery_unknown,
            RunState.unknown,
            PostStatus.complete,
        ),
        (
            {"state": DeliveryState.retrying, "called_at": datetime.now(UTC), "error_code": "ambiguous_outcome"},
            DeliveryState.unknown,
            ErrorCode.delivery_unknown,
            RunState.unknown,
            PostStatus.complete,
        ),
        # told to come back after its time
        (
            {"state": DeliveryState.retrying, "error_code": "rate_limited"},
            DeliveryState.failed,
            ErrorCode.rate_limited,
            RunState.failed,
            PostStatus.failed,
        ),
        (
            {"state": DeliveryState.pending},
            DeliveryState.cancelled,
            ErrorCode.missed_outage,
            RunState.missed,
            PostStatus.draft,
        ),
    ],
    ids=["calling", "unclear", "rate limited", "never tried"],
)
async def test_no_run_ends_with_an_open_delivery(
    prepare: Prepare,
    left: dict[str, Any],
    ended: DeliveryState,
    code: ErrorCode,
    run_state: RunState,
    status: PostStatus,
) -> None:
    made = await prepare()
    await made.as_if(**left)
    assert (await made.services.projecting.finish(made.user_id, made.run_id)).state is run_state
    row, run, post = await made.row(), await made.run(), await made.post()
    assert (row.state, row.error_code, run.state, run.reason, post.status) == (ended, code, run_state, code, status)


async def sent_after_the_end(prepare: Prepare, network: ScriptedNetwork, said: ProviderError) -> Prepared:
    """A post whose run has failed, and that a person tries again: its workflow meets `said`, and its run is publishing
    again although it has ended."""
    made = await prepare()
    network.publishes += [Refused(detail="too long"), said]
    assert await made.deliver() is DeliveryOutcome.failed
    await made.services.projecting.finish(made.user_id, made.run_id)
    await made.services.publishing.retry(made.user_id, (await made.row()).post_id)
    with suppress(RetrySafe):
        await made.deliver()
    run = await made.run()
    assert (run.state, run.finished_at is None) == (RunState.publishing, False)
    return made


async def test_what_is_cancelled_after_its_run_has_ended_does_not_go_out(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await sent_after_the_end(prepare, network, RetrySafe(detail="away"))
    post = await made.post()
    changed = await made.services.publishing.cancel(made.user_id, post.id, post.version)
    assert changed.run_workflow is None, "its own workflow has to follow"
    assert ((await made.row()).state, (await made.post()).status) == (DeliveryState.cancelled, PostStatus.draft)
    assert (await made.run()).state is RunState.missed
    assert await made.deliver() is DeliveryOutcome.missed
    assert network.calls == ["publish", "publish"]


async def test_what_is_tried_again_twice_after_its_run_has_ended_is_followed_by_its_own_workflow(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await sent_after_the_end(prepare, network, Refused(detail="too long"))
    post, publishing = await made.post(), made.services.publishing
    changed = await publishing.retry(made.user_id, post.id)
    assert (changed.run_workflow, (await made.row()).opened_in_version) == (None, changed.version)
    over = await publishing.end(made.user_id, post.id, followed=changed.version - 1)
    assert (over.goes_on, (await made.row()).state) == (True, DeliveryState.pending)


async def test_what_is_moved_after_its_run_has_ended_is_followed_by_its_own_workflow(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await sent_after_the_end(prepare, network, RetrySafe(detail="away"))
    post = await made.post()
    moved = await made.services.publishing.move(made.user_id, post.id, post.version, datetime.now(UTC) + HOUR)
    assert moved.run_workflow is None


async def test_a_dead_workers_step_of_an_ended_run_is_one_of_its_posts_workflow(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await sent_after_the_end(prepare, network, RetrySafe(detail="away"))
    async with made.services.sessions.begin() as session:
        [taken] = await DeliveryRepository(session).take_from_worker(made.service.worker_id)
    assert tuple(taken) == (made.delivery_id, (await made.row()).post_id, None)


async def test_an_ended_run_is_not_the_next_one_while_its_post_is_delivered(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await sent_after_the_end(prepare, network, RetrySafe(detail="away"))
    slots = [made.slot + HOUR, made.slot + DAY]
    async with made.services.sessions() as session:
        assert await next_slot(session, made.user_id, made.assistant.id, iter(slots)) == (slots[0], None)


async def test_what_a_defect_ends_before_its_time_has_failed_and_was_not_missed(prepare: Prepare) -> None:
    made = await prepare()
    async with made.services.sessions.begin() as session:
        later = datetime.now(UTC) + timedelta(minutes=5)
        await session.execute(update(Post).where(Post.run_id == made.run_id).values(planned_at=later))
    assert (await made.services.projecting.finish(made.user_id, made.run_id)).state is RunState.failed
    row, run, post = await made.row(), await made.run(), await made.post()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.internal)
    assert (run.state, run.reason, post.status) == (RunState.failed, ErrorCode.internal, PostStatus.failed)
    # so that a person can try it again
    await made.services.publishing.retry(made.user_id, row.post_id)
    assert (await made.row()).state is DeliveryState.pending


async def test_a_run_that_a_person_cancelled_keeps_its_reason_when_its_workflow_did_not_hear_of_it(
    prepare: Prepare,
) -> None:
    made = await prepare()
    await made.services.projecting.fail(made.user_id, made.run_id, ErrorCode.run_cancelled)
    assert (await made.services.projecting.finish(made.user_id, made.run_id)).state is RunState.skipped
    run = await made.run()
    assert (run.state, run.reason) == (RunState.skipped, ErrorCode.run_cancelled)
    # nor does it lose it to what its workflow stumbles over afterwards
    await made.services.projecting.fail(made.user_id, made.run_id, ErrorCode.missed_outage)
    assert (await made.run()).reason == ErrorCode.run_cancelled


@pytest.mark.parametrize(
    ("left", "code", "run_state", "status"),
    [
        ({"state": DeliveryState.pending}, ErrorCode.model_refused, RunState.failed, PostStatus.failed),
        ({"state": DeliveryState.pending}, ErrorCode.missed_overtaken, RunState.missed, PostStatus.draft),
        (
            {"state": DeliveryState.publishing, "called_at": datetime.now(UTC)},
            ErrorCode.run_ended,
            RunState.unknown,
            PostStatus.complete,
        ),
    ],
    ids=["failed", "too late", "called for"],
)
async def test_a_run_that_gives_up_leaves_no_open_delivery_either(
    prepare: Prepare, left: dict[str, Any], code: ErrorCode, run_state: RunState, status: PostStatus
) -> None:
    made = await prepare()
    await made.as_if(**left)
    assert await made.services.projecting.fail(made.user_id, made.run_id, code) is run_state
    row, run, post = await made.row(), await made.run(), await made.post()
    assert row.state in (DeliveryState.cancelled, DeliveryState.unknown)
    assert (run.state, run.reason, post.status) == (run_state, code, status)


async def test_proof_that_comes_after_the_end_changes_run_and_post(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()

    async def frozen() -> Receipt:
        # meanwhile the run is over, and the others think that nobody knows
        await made.services.projecting.finish(made.user_id, made.run_id)
        assert (await made.run()).state is RunState.unknown
        return PROOF

    network.publishes.append(frozen)
    assert await made.deliver() is DeliveryOutcome.published
    run, post = await made.run(), await made.post()
    assert (run.state, run.reason, post.status) == (RunState.published, None, PostStatus.published)


# what a run still needs is asked before it is paid


async def test_nothing_is_written_for_a_run_whose_turn_is_over(
    services: Services, make: Factory, user: User, networks: Networks, prepare: Prepare
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    older, newer, now = new_id(), new_id(), datetime.now(UTC)
    await services.drafting.begin(user.id, assistant.id, older, f"run-{older}", now - timedelta(minutes=2))
    await services.drafting.begin(user.id, assistant.id, newer, f"run-{newer}", now)
    with pytest.raises(Conflict) as raised:
        await services.drafting.write(user.id, older, 1)
    assert raised.value.code is ErrorCode.missed_overtaken
    await services.drafting.write(user.id, newer, 1)
    # and no image for what came in between
    async with services.sessions.begin() as session:
        await session.execute(update(Post).where(Post.run_id == newer).values(planned_at=now - 2 * HOUR))
    with pytest.raises(Conflict) as raised:
        await services.imaging.make(user.id, newer, 1)
    assert raised.value.code is ErrorCode.missed_outage


async def test_nothing_is_written_while_every_account_needs_reconnecting(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    run = new_id()
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", datetime.now(UTC))
    async with services.sessions.begin() as session:
        await session.execute(
            update(Account).where(Account.id == account.id).values(own_state=AccountState.needs_reconnecting)
        )
    with pytest.raises(AwaitsMending) as raised:
        await services.drafting.write(user.id, run, 1)
    assert raised.value.code is ErrorCode.delivery_needs_reconnect
    async with services.sessions() as session:
        assert await PostRepository(session).find_by_run(user.id, run) is None


async def test_nothing_is_written_where_every_account_was_disconnected_meanwhile(
    services: Services, make: Factory, user: User, networks: Networks
) -> None:
    account = await make.account(user, networks.url)
    assistant = await make.assistant(user, accounts=(account.id,))
    run = new_id()
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", datetime.now(UTC))
    async with services.sessions.begin() as session:
        gone = update(Account).where(Account.id == account.id).values(disconnected_at=datetime.now(UTC))
        await session.execute(gone)
    with pytest.raises(Conflict) as raised:
        await services.drafting.write(user.id, run, 1)
    assert raised.value.code is ErrorCode.account_disconnected
    async with services.sessions() as session:
        assert await PostRepository(session).find_by_run(user.id, run) is None


async def test_what_is_staged_waits_until_its_network_says_that_it_is_ready(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("container",), timedelta(0)))
    await made.stage()
    service = made.services.staging
    network.readies += [timedelta(seconds=30), RetrySafe(), None]
    assert await service.check_ready(made.user_id, made.delivery_id) == timedelta(seconds=30)
    with pytest.raises(RetrySafe):
        await service.check_ready(made.user_id, made.delivery_id)
    assert await service.check_ready(made.user_id, made.delivery_id) is None
    assert network.waited_for == [("container",)] * 3
    network.readies += [timedelta(seconds=5), None]
    with pytest.raises(RetrySafe):  # looked at once more before the call
        await made.deliver()
    assert "publish" not in network.calls
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published


async def test_what_may_be_published_is_looked_up_even_if_what_was_staged_is_gone(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("container",), timedelta(0)))
    await made.stage()
    at = made.slot - timedelta(hours=1)
    await made.as_if(called_at=at, state=DeliveryState.retrying)
    network.readies.append(StagedLost(detail="404"))  # as of an image that has been attached to its post
    assert await made.services.staging.check_ready(made.user_id, made.delivery_id) is None
    row = await made.row()
    assert (row.called_at, row.staged_refs) == (at, ["container"])
    network.finds.append(Finding(PROOF))
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls == ["stage", "find"]


async def test_what_will_never_be_ready_has_failed(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("container",), timedelta(0)))
    await made.stage()
    network.readies.append(Refused(ErrorCode.image_refused))
    assert await made.services.staging.check_ready(made.user_id, made.delivery_id) is None
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.image_refused)
    assert await made.deliver() is DeliveryOutcome.failed
    # a person who tries it again gets another upload, not the same word once more
    await made.services.projecting.finish(made.user_id, made.run_id)
    await made.services.publishing.retry(made.user_id, row.post_id)
    network.stages.append(Staged(("another",), timedelta(0)))
    network.readies.append(None)
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    assert network.asked[-1][3] == ("another",)


async def test_what_never_becomes_ready_ends_with_its_window(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.stages.append(Staged(("container",), timedelta(0)))
    await made.stage()
    network.readies += [timedelta(seconds=20)] * 3
    for _ in range(2):
        assert await made.services.staging.check_ready(made.user_id, made.delivery_id) == timedelta(seconds=20)
        await passes(made, timedelta(minutes=31))
    assert await made.services.staging.check_ready(made.user_id, made.delivery_id) is None
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code, row.called_at) == (
        DeliveryState.failed,
        ErrorCode.unavailable_too_long,
        None,
    )
    assert [one["code"] for one in row.failures] == [ErrorCode.provider_unavailable]
    assert network.calls == ["stage"]


async def test_what_is_lost_each_time_it_was_staged_is_given_up(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.stages += [Staged((f"container {at}",), timedelta(0)) for at in range(4)]
    network.readies += [StagedLost(detail="ERROR")] * 4
    for _ in range(3):
        await made.stage()
        with pytest.raises(StagedLost):
            await made.services.staging.check_ready(made.user_id, made.delivery_id)
    await made.stage()
    assert await made.services.staging.check_ready(made.user_id, made.delivery_id) is None
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.staging_lost)
    assert network.calls == ["stage"] * 4


async def test_what_a_person_tries_again_has_all_its_attempts_again(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)

    async def lost(times: int) -> DeliveryState:
        network.stages += [StagedLost()] * times
        for _ in range(times):
            with suppress(StagedLost):
                await made.stage()
        return (await made.row()).state

    for _ in range(2):
        assert await lost(3) is DeliveryState.retrying
        assert await lost(1) is DeliveryState.failed
        await made.services.projecting.finish(made.user_id, made.run_id)
        await made.services.publishing.retry(made.user_id, (await made.row()).post_id)
    assert len((await made.row()).failures) == 8, "none is forgotten"


async def test_what_was_staged_and_is_lost_is_staged_anew(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare(image=True)
    network.stages += [Staged(("old",), timedelta(0)), Staged(("new",), timedelta(0))]
    await made.stage()
    network.readies.append(StagedLost(detail="EXPIRED"))
    with pytest.raises(StagedLost):
        await made.services.staging.check_ready(made.user_id, made.delivery_id)
    row = await made.row()
    assert (row.state, row.staged_refs, row.staged_hash) == (DeliveryState.retrying, [], None)
    network.readies.append(None)
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    assert [refs for name, _, _, refs in network.asked if name == "publish"] == [("new",)]


@pytest.mark.parametrize(
    ("lost", "more"),
    [(StagedLost(), 3), (RetrySafe(ErrorCode.media_unreachable), 3), (RetrySafe(ErrorCode.delivery_refused), 1)],
    ids=lambda value: str(value),
)
async def test_what_may_pass_but_not_for_hours_is_tried_a_few_times_more(
    prepare: Prepare, network: ScriptedNetwork, lost: ProviderError, more: int
) -> None:
    made = await prepare(image=True)
    network.stages += [lost] * (more + 1)
    for _ in range(more):
        with pytest.raises(RetrySafe):
            await made.stage()
    await made.stage()
    row = await made.row()
    assert (row.state, row.error_code, network.calls) == (DeliveryState.failed, lost.code, ["stage"] * (more + 1))


async def test_a_quota_that_is_used_up_is_waited_for_before_the_call(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    network.quotas += [timedelta(minutes=7), None]
    with pytest.raises(RateLimited) as raised:
        await made.deliver()
    assert raised.value.retry_after == timedelta(minutes=7)
    row = await made.row()
    assert (row.state, row.called_at, network.calls) == (DeliveryState.retrying, None, [])
    await passes(made, timedelta(minutes=7))
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published


async def tried(made: Prepared) -> tuple[DeliveryOutcome | None, timedelta | None]:
    """How it ended, or how long its step waits for a limit."""
    try:
        return await made.deliver(), None
    except RateLimited as error:
        return None, error.retry_after


async def waiting_notices(made: Prepared) -> list[NotificationKind]:
    """What its owner has been told and has not seen yet."""
    async with made.services.sessions() as session:
        unread = select(Notification.kind).where(Notification.user_id == made.user_id, Notification.read_at.is_(None))
        return list(await session.scalars(unread))


@pytest.mark.parametrize(
    ("hours", "state"),
    # a step waits for an hour after its time at most, and a post for a day
    [(0.9, DeliveryState.retrying), (1.1, DeliveryState.held), (23, DeliveryState.held), (24, DeliveryState.failed)],
)
async def test_a_limit_is_waited_for_where_it_ends_within_a_day(
    prepare: Prepare, network: ScriptedNetwork, hours: float, state: DeliveryState
) -> None:
    made = await prepare()
    pause = timedelta(hours=hours)
    network.quotas.append(pause)
    outcome, told = await tried(made)
    assert told == (pause if state is DeliveryState.retrying else None)
    row = await made.row()
    assert (row.state, row.called_at, network.calls) == (state, None, [])
    assert [one["code"] for one in row.failures] == ["rate_limited"]
    if state is DeliveryState.failed:
        assert (outcome, row.error_code) == (DeliveryOutcome.failed, ErrorCode.limited_too_long)
        assert since(row.settled_at) < HOUR
        return
    assert row.error_code == ErrorCode.rate_limited
    assert row.held_until == made.slot + DAY
    assert row.retry_at is not None
    assert abs(row.retry_at - datetime.now(UTC) - pause) < timedelta(minutes=1)
    assert await waiting_notices(made) == ([NotificationKind.post_waits] if state is DeliveryState.held else [])


@pytest.mark.parametrize("where", ["stage", "publish"])
@pytest.mark.parametrize("by_hand", [False, True], ids=["of a run", "by hand"])
async def test_what_a_day_s_limit_meets_goes_out_once_it_has_ended(
    prepare: Prepare, network: ScriptedNetwork, where: str, by_hand: bool
) -> None:
    made = await prepare(image=where == "stage")
    if by_hand:
        async with made.services.sessions.begin() as session:
            await session.execute(update(Post).where(Post.run_id == made.run_id).values(run_id=None))
    refusal = RateLimited(detail="DAY", retry_after=timedelta(hours=7))
    (network.stages if where == "stage" else network.publishes).append(refusal)
    if where == "stage":
        assert await made.stage() == timedelta(0)
    for passed in (timedelta(0), timedelta(hours=1), timedelta(hours=5)):
        await passes(made, passed)
        # nothing is asked before, whatever it is woken for
        assert await made.stage() == timedelta(0)
        assert await made.deliver() is DeliveryOutcome.held
        assert await released(made) == []
    row = await made.row()
    assert await made.service.end_details(made.user_id, made.delivery_id) == (
        ErrorCode.rate_limited,
        row.held_until,
        row.retry_at,
    )
    assert network.calls == [where]
    await passes(made, HOUR)
    network.stages.append(Staged(("urn:li:image:1",), timedelta(0)))
    network.publishes.append(PROOF)
    if where == "stage":
        await made.stage()
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls[-1] == "publish"


@pytest.mark.parametrize(
    ("hours", "state"), [(6, DeliveryState.held), (9, DeliveryState.pending)], ids=["before its end", "after it"]
)
async def test_what_a_limit_holds_and_is_moved_waits_for_its_new_time(
    prepare: Prepare, network: ScriptedNetwork, hours: int, state: DeliveryState
) -> None:
    made = await prepare()
    network.publishes.append(RateLimited(detail="DAY", retry_after=7 * HOUR))
    assert await made.deliver() is DeliveryOutcome.held
    post, later = await made.post(), datetime.now(UTC) + hours * HOUR
    await made.services.publishing.move(made.user_id, post.id, post.version, later)
    row = await made.row()
    assert (row.state, row.held_until is None, row.retry_at is None) == (state, *[state is DeliveryState.pending] * 2)
    assert await made.deliver(planned_at=made.slot) is (
        DeliveryOutcome.held if state is DeliveryState.held else DeliveryOutcome.moved
    )
    await passes(made, timedelta(hours=hours))
    network.publishes.append(PROOF)
    if state is DeliveryState.held:
        assert await made.deliver() is DeliveryOutcome.held
        await passes(made, HOUR)
    assert await made.deliver() is DeliveryOutcome.published


async def test_a_limit_without_an_end_is_waited_for_with_growing_pauses(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    refusal = RateLimited(detail="#4", retry_after=EstimatedDelay(minutes=10))
    pauses = []
    for _ in range(40):
        network.publishes.append(refusal)
        outcome, pause = await tried(made)
        if outcome is DeliveryOutcome.failed:
            break
        retry_at = (await made.row()).retry_at
        assert retry_at is not None
        pauses.append(pause or retry_at - datetime.now(UTC))
        await passes(made, pauses[-1])
    minutes = [round(pause / timedelta(minutes=1)) for pause in pauses]
    assert minutes[:3] == [10, 10, 10]
    assert minutes[-2] == 60
    assert minutes[:-1] == sorted(minutes[:-1])
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.limited_too_long)
    assert abs(sum(pauses, timedelta(0)) - DAY) < HOUR


async def test_the_next_post_of_an_account_waits_for_its_limit_without_asking(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    first = await prepare()
    network.publishes.append(RateLimited(detail="DAY", retry_after=timedelta(hours=7)))
    assert await first.deliver() is DeliveryOutcome.held
    other = await prepare(account=(await first.row()).account)
    assert await other.stage() == timedelta(0)
    assert await other.deliver() is DeliveryOutcome.held
    row = await other.row()
    assert row.error_code == ErrorCode.rate_limited
    assert row.retry_at is not None
    assert row.account.limited_until is not None
    assert abs(row.retry_at - row.account.limited_until) < timedelta(seconds=1)
    assert network.calls == ["publish"]


async def test_a_network_that_has_published_and_asks_for_a_rest_gets_it(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    first = await prepare()
    network.publishes.append(replace(PROOF, rest=timedelta(hours=2)))
    assert await first.deliver() is DeliveryOutcome.published
    other = await prepare(account=(await first.row()).account)
    assert await other.deliver() is DeliveryOutcome.held
    assert network.calls == ["publish"]


async def test_a_limit_that_outlasted_a_day_is_its_reason(prepare: Prepare, network: ScriptedNetwork) -> None:
    """Such as by the seconds that a step is asked for later."""
    made = await prepare()
    network.publishes.append(RateLimited(detail="DAY", retry_after=timedelta(hours=23)))
    assert await made.deliver() is DeliveryOutcome.held
    await passes(made, DAY + timedelta(minutes=1))
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.limited_too_long)
    assert network.calls == ["publish"]


async def test_a_newer_run_overtakes_what_waits_for_its_network(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    network.publishes.append(RateLimited(detail="DAY", retry_after=timedelta(hours=7)))
    assert await made.deliver() is DeliveryOutcome.held
    await made.another_run(datetime.now(UTC), RunState.publishing)
    assert await made.deliver() is DeliveryOutcome.missed
    assert (await made.row()).error_code == ErrorCode.missed_overtaken


async def test_what_was_held_for_its_account_waits_for_a_limit_as_well(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(late=timedelta(minutes=59))
    await made.as_if(held_until=datetime.now(UTC) + HOUR)
    network.publishes.append(RateLimited(retry_after=timedelta(minutes=30)))
    assert await made.deliver() is DeliveryOutcome.held
    await passes(made, timedelta(minutes=30))
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published


@pytest.mark.parametrize("code", sorted(WAITS_FOR_OPERATOR))
@pytest.mark.parametrize("where", ["stage", "publish"])
async def test_what_meets_wrong_settings_of_this_server_goes_out_once_they_are_mended(
    prepare: Prepare, network: ScriptedNetwork, monkeypatch: pytest.MonkeyPatch, code: ErrorCode, where: str
) -> None:
    made = await prepare(image=where == "stage")
    looked: list[UUID] = []

    async def look(_: object, user_id: UUID, account_ids: Sequence[UUID]) -> None:
        looked.extend(account_ids)

    monkeypatch.setattr(FaultService, "recheck", look)
    (network.stages if where == "stage" else network.publishes).append(Misconfigured(code, detail="version gone"))
    if where == "stage":
        await made.stage()
    else:
        assert await made.deliver() is DeliveryOutcome.held
    row = await made.row()
    assert (row.state, row.error_code, row.error_detail, row.called_at, row.held_until) == (
        DeliveryState.held,
        code,
        "version gone",
        None,
        made.slot + DAY,
    )
    assert await waiting_notices(made) == [NotificationKind.post_waits]
    # not before its next attempt, and not without a look that finds it mended
    assert await made.deliver() is DeliveryOutcome.held
    assert looked == []
    await passes(made, timedelta(minutes=6))
    assert await made.deliver() is DeliveryOutcome.held
    assert looked == [row.account_id]
    assert await released(made) == []
    assert network.calls == [where]
    async with made.services.sessions.begin() as session:
        await session.execute(delete(ProviderFault))
    # long after its window of an hour
    await passes(made, timedelta(hours=5))
    assert await released(made) == [(made.user_id, row.post_id)]
    network.stages.append(Staged(("urn:li:image:1",), timedelta(0)))
    network.publishes.append(PROOF)
    if where == "stage":
        await made.stage()
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls[-1] == "publish"


async def test_settings_that_nobody_mends_in_a_day_are_its_reason(prepare: Prepare, network: ScriptedNetwork) -> None:
    made = await prepare()
    network.publishes.append(Misconfigured(ErrorCode.api_version_retired))
    assert await made.deliver() is DeliveryOutcome.held
    await passes(made, DAY + timedelta(minutes=1))
    assert await made.deliver() is DeliveryOutcome.failed
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.failed, ErrorCode.api_version_retired)
    assert network.calls == ["publish"]


async def test_what_waits_for_its_network_and_then_loses_its_account_is_held_for_that(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    network.publishes.append(RateLimited(detail="DAY", retry_after=timedelta(hours=7)))
    assert await made.deliver() is DeliveryOutcome.held
    await made.as_if(Grant, state=AccountState.needs_reconnecting)
    assert await made.deliver() is DeliveryOutcome.held
    assert (await made.row()).error_code == ErrorCode.delivery_needs_reconnect


async def test_a_question_that_wrong_settings_keep_from_being_asked_waits_until_they_are_mended(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    """Nobody is asked to look at the network meanwhile, and nothing is called."""
    network.traits = Traits(can_list_own=True)
    made = await prepare()
    called = datetime.now(UTC) - timedelta(minutes=5)
    await made.as_if(called_at=called, state=DeliveryState.retrying)
    network.finds.append(Misconfigured(ErrorCode.api_version_retired))
    assert await made.deliver() is DeliveryOutcome.held
    row = await made.row()
    assert (row.called_at, row.error_code) == (called, ErrorCode.api_version_retired)
    async with made.services.sessions.begin() as session:
        await session.execute(delete(ProviderFault))
    assert len(await released(made)) == 1
    network.finds.append(Finding(PROOF))
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls == ["find", "find"]


async def test_a_question_that_a_day_s_limit_keeps_from_being_asked_waits_for_its_end(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    network.traits = Traits(can_list_own=True)
    made = await prepare()
    called = datetime.now(UTC) - timedelta(minutes=5)
    await made.as_if(called_at=called, state=DeliveryState.retrying)
    network.finds.append(RateLimited(detail="DAY", retry_after=7 * HOUR))
    assert await made.deliver() is DeliveryOutcome.held
    row = await made.row()
    assert (row.called_at, row.error_code, row.held_until) == (called, ErrorCode.rate_limited, made.slot + DAY)
    assert row.retry_at is not None
    assert abs(row.retry_at - datetime.now(UTC) - 7 * HOUR) < timedelta(minutes=1)
    await passes(made, HOUR)
    assert await made.deliver() is DeliveryOutcome.held
    assert network.calls == ["find"]
    await passes(made, 6 * HOUR)
    network.finds.append(Finding(PROOF))
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls == ["find", "find"]


async def test_a_question_that_cannot_be_asked_for_more_than_a_day_is_a_persons(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    await made.as_if(called_at=datetime.now(UTC) - timedelta(minutes=5), state=DeliveryState.retrying)
    network.finds.append(RateLimited(detail="DAY", retry_after=30 * HOUR))
    assert await made.deliver() is DeliveryOutcome.unknown
    assert (await made.row()).error_code == ErrorCode.delivery_unknown


@pytest.mark.parametrize("meanwhile", ["disconnected", "overtaken"])
async def test_what_was_called_for_is_not_ended_while_it_waits_to_be_looked_up(
    prepare: Prepare, network: ScriptedNetwork, meanwhile: str
) -> None:
    network.traits = Traits(can_list_own=True)
    made = await prepare()
    called = datetime.now(UTC) - timedelta(minutes=5)
    await made.as_if(called_at=called, state=DeliveryState.retrying)
    network.finds.append(Misconfigured(ErrorCode.api_version_retired))
    assert await made.deliver() is DeliveryOutcome.held
    if meanwhile == "disconnected":
        await made.as_if(Account, disconnected_at=datetime.now(UTC))
    else:
        await made.as_if(Run, slot=made.slot - HOUR)
        await made.another_run(made.slot, RunState.ready)
    assert await made.deliver() is DeliveryOutcome.held
    row = await made.row()
    assert (row.state, row.called_at, row.settled_at) == (DeliveryState.held, called, None)
    assert network.calls == ["find"]


# a refusal that may mean that an earlier call worked


@pytest.mark.parametrize(
    "error",
    [Refused(detail="422"), Refused(ErrorCode.delivery_duplicate), StagedLost(detail="404")],
    ids=["refused", "repeated", "gone"],
)
@pytest.mark.parametrize(
    ("finding", "outcome"),
    [
        (Finding(PROOF), DeliveryOutcome.published),
        (Finding(), DeliveryOutcome.unknown),
        (RetrySafe(detail="503"), DeliveryOutcome.unknown),
    ],
    ids=["there", "cannot tell", "could not be asked"],
)
async def test_a_repeat_that_is_refused_looks_before_it_fails(
    prepare: Prepare,
    network: ScriptedNetwork,
    error: ProviderError,
    finding: Finding | ProviderError,
    outcome: DeliveryOutcome,
) -> None:
    network.traits = Traits(can_list_own=True)
    made = await prepare()
    called = datetime.now(UTC) - timedelta(minutes=5)
    await made.as_if(called_at=called, state=DeliveryState.retrying)
    network.finds += [Finding(absent=True), finding]
    network.publishes.append(error)
    assert await made.deliver() is outcome
    assert network.calls == ["find", "publish", "find"]
    assert network.asked[-1][3] == called, "it is looked for since the first call"
    row = await made.row()
    assert row.state.value == outcome.value
    assert row.called_at is not None, "nothing calls again by itself"


async def test_a_repeat_that_is_refused_and_is_not_there_has_failed(prepare: Prepare, network: ScriptedNetwork) -> None:
    network.traits = Traits(can_list_own=True)
    made = await prepare()
    await made.as_if(called_at=datetime.now(UTC) - timedelta(minutes=5), state=DeliveryState.retrying)
    network.finds += [Finding(absent=True), Finding(absent=True)]
    network.publishes.append(Refused(detail="too long"))
    assert await made.deliver() is DeliveryOutcome.failed
    assert (await made.row()).error_code == ErrorCode.delivery_refused


async def test_a_refusal_of_the_first_call_is_final(prepare: Prepare, network: ScriptedNetwork) -> None:
    network.traits = Traits(can_list_own=True)
    made = await prepare()
    network.publishes.append(Refused(detail="too long"))
    assert await made.deliver() is DeliveryOutcome.failed
    assert network.calls == ["publish"]


@pytest.mark.parametrize(
    ("unasked", "code"),
    [
        (NeedsReconnect(detail="403"), ErrorCode.delivery_unreadable),
        (RetrySafe(detail="503"), ErrorCode.delivery_unknown),
    ],
    ids=["may not read", "away"],
)
async def test_a_post_that_a_refusal_names_and_nobody_can_read_is_a_persons_to_look_at(
    prepare: Prepare, network: ScriptedNetwork, unasked: ProviderError, code: ErrorCode
) -> None:
    made = await unclear(prepare)
    await made.services.publishing.send_again(made.user_id, (await made.row()).post_id)
    named = "Content is a duplicate of urn:li:share:7"
    network.publishes.append(Refused(ErrorCode.delivery_duplicate, detail=named, urn=PROOF.provider_id))
    network.names.append(unasked)
    assert await made.deliver() is DeliveryOutcome.unknown
    row = await made.row()
    assert (row.state, row.error_code, row.error_detail) == (DeliveryState.unknown, code, named)
    assert row.account.state is AccountState.connected
    assert await released(made) == []
    assert await made.deliver() is DeliveryOutcome.unknown
    assert network.calls == ["publish"], "no further call"


@dataclass(frozen=True)
class AtMastodon:
    """A staged post with an image at the stand-in, whose server answers 404 for media that a post uses."""

    made: Prepared
    networks: Networks

    async def ids(self) -> list[object]:
        """The ids of the posts that readers see."""
        text = (await self.made.post()).content
        return [post["id"] for post in await self.networks.posts() if post["text"] == text and not post["deleted"]]

    async def lose_answer(self, *, was_carried_out: bool) -> None:
        await self.networks.fail(on="posts", kind="lost_answer", effect=was_carried_out)
        with pytest.raises(Ambiguous):
            await self.made.deliver()
        called = datetime.now(UTC) - timedelta(minutes=1)
        await self.made.as_if(called_at=called)  # long enough ago that the call is over

    async def outcome(self) -> DeliveryOutcome:
        """As the workflow repeats it."""
        await self.made.stage()
        await self.made.services.staging.check_ready(self.made.user_id, self.made.delivery_id)
        return await self.made.deliver()


@pytest.fixture
async def at_mastodon(
    prepare: Prepare, make: Factory, user: User, networks: Networks, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[AtMastodon]:
    monkeypatch.setattr(mastodon, "FIND_WAITS", (0.0,))
    await networks.forget()
    account = await make.account(user, networks.url, kind=ChannelKind.mastodon)
    made = await prepare(image=True, account=account)
    await made.stage()
    yield AtMastodon(made, networks)
    await networks.calm()


@pytest.mark.parametrize("answer", ["send again", "not there"])
@pytest.mark.parametrize("is_readable", [True, False])
async def test_what_a_person_sends_again_is_looked_up_where_its_image_is_in_use(
    at_mastodon: AtMastodon, answer: str, is_readable: bool
) -> None:
    made, networks = at_mastodon.made, at_mastodon.networks
    await at_mastodon.lose_answer(was_carried_out=True)
    called = (await made.row()).called_at
    await networks.fail(on="reads", kind="status", status=404)
    assert await made.deliver() is DeliveryOutcome.unknown
    first = await at_mastodon.ids()
    assert len(first) == 1
    await made.services.projecting.finish(made.user_id, made.run_id)
    post_id, publishing = (await made.row()).post_id, made.services.publishing
    if answer == "send again":
        await publishing.send_again(made.user_id, post_id)
    else:
        await made.services.delivery_decisions.decide(made.user_id, made.delivery_id, there=False)
        await publishing.retry(made.user_id, post_id)
    if not is_readable:
        await networks.fail(on="reads", kind="status", status=404, times=9)
    outcome = await at_mastodon.outcome()
    assert outcome is (DeliveryOutcome.published if is_readable else DeliveryOutcome.unknown)
    assert await at_mastodon.ids() == first
    row = await made.row()
    assert row.called_at == called, "when it went out, and nothing calls again by itself"
    assert (row.staged_refs == []) is not is_readable, "if the person sends it again, with another upload"


async def sent_again(at_mastodon: AtMastodon) -> Prepared:
    """A post whose answer was lost, of which the network said nothing, and which a person sends again."""
    made = at_mastodon.made
    await at_mastodon.lose_answer(was_carried_out=True)
    await at_mastodon.networks.fail(on="reads", kind="status", status=404)
    assert await made.deliver() is DeliveryOutcome.unknown
    await made.services.projecting.finish(made.user_id, made.run_id)
    await made.services.publishing.send_again(made.user_id, (await made.row()).post_id)
    await made.stage()
    return made


async def test_a_network_that_is_busy_before_the_call_is_asked_again(
    at_mastodon: AtMastodon, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, find = await sent_again(at_mastodon), MastodonChannel.find
    first = await at_mastodon.ids()

    async def busy(*asked: Any, **more: Any) -> Finding:
        raise RetrySafe(ErrorCode.provider_unavailable)

    monkeypatch.setattr(MastodonChannel, "find", busy)
    with pytest.raises(RetrySafe):
        await made.deliver()
    row = await made.row()
    assert (row.state, row.called_at) == (DeliveryState.retrying, None)
    monkeypatch.setattr(MastodonChannel, "find", find)
    assert await made.deliver() is DeliveryOutcome.published
    assert await at_mastodon.ids() == first


async def test_an_attempt_that_was_taken_over_before_its_call_marks_nothing(
    at_mastodon: AtMastodon, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, other = await sent_again(at_mastodon), new_id()

    async def taken_over(*asked: Any, **more: Any) -> Finding:
        await made.as_if(attempt=other)
        return Finding()

    monkeypatch.setattr(MastodonChannel, "find", taken_over)
    with pytest.raises(RetrySafe):
        await made.deliver()
    row = await made.row()
    assert (row.state, row.attempt, row.called_at) == (DeliveryState.publishing, other, None)


async def test_a_call_that_arrives_after_proof_of_absence_is_looked_up_before_another_upload(
    at_mastodon: AtMastodon,
) -> None:
    made, networks = at_mastodon.made, at_mastodon.networks
    await at_mastodon.lose_answer(was_carried_out=False)
    await networks.fail(on="posts", kind="rate_limited", seconds=0)
    with pytest.raises(RateLimited):
        await made.deliver()
    assert ((await made.row()).called_at, await at_mastodon.ids()) == (None, [])
    job = await made.service.jobs.load(made.user_id, made.delivery_id)
    receipt = await job.network.prepare(job.credentials, job.post, job.refs).publish()
    await made.as_if(Account, limited_until=None)
    assert await at_mastodon.outcome() is DeliveryOutcome.published
    assert await at_mastodon.ids() == [receipt.provider_id]


async def test_a_network_that_fetches_is_told_where_and_gets_no_bytes(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    network.traits = Traits(stages_by_url=True)
    made = await prepare(image=True)
    network.stages.append(Staged(("container",), timedelta(0)))
    await made.stage()
    [(_, _, post, _)] = network.asked
    [image] = post.images
    assert image.data == b""
    assert image.fetch_url.startswith("http://postloom.test/api/media/")


@pytest.mark.parametrize(("source", "by_model"), [(MediaSource.ai, True), (MediaSource.upload, False)])
async def test_a_network_is_told_what_a_model_has_made(
    prepare: Prepare, network: ScriptedNetwork, source: MediaSource, by_model: bool
) -> None:
    made = await prepare(image=True)
    async with made.services.sessions.begin() as session:
        await session.execute(update(Media).values(source=source))
    network.stages.append(Staged(("urn:li:image:1",), timedelta(0)))
    await made.stage()
    assert network.asked[0][2].images[0].by_model is by_model


async def test_a_post_that_is_staged_whole_is_asked_for_and_published_by_what_staging_left(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    network.traits = Traits(stages_post=True, can_list_own=True)
    made = await prepare()
    network.stages.append(Staged(("unseen",), timedelta(0)))
    await made.stage()
    await made.as_if(called_at=datetime.now(UTC) - HOUR, state=DeliveryState.retrying)
    network.finds.append(Finding(absent=True))
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls == ["stage", "find", "publish"]
    assert [refs for name, _, _, refs in network.asked if name == "publish"] == [("unseen",)]
    assert network.sought == [("unseen",)]


async def test_what_was_not_staged_is_before_it_is_published(prepare: Prepare, network: ScriptedNetwork) -> None:
    network.traits = Traits(stages_post=True)
    made = await prepare()
    network.stages.append(Staged(("unseen",), timedelta(0)))
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls == ["stage", "publish"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Blocked(detail="policy"), ErrorCode.account_blocked),
        (RoleLost(detail="no role"), ErrorCode.account_role_lost),
    ],
    ids=["blocked", "role lost"],
)
@pytest.mark.parametrize("step", ["stage", "ready", "publish"])
async def test_what_is_of_one_account_stops_it_alone(
    prepare: Prepare, network: ScriptedNetwork, error: ProviderError, code: ErrorCode, step: str
) -> None:
    made = await prepare(image=True)
    network.stages.append(error if step == "stage" else Staged(("container",), timedelta(0)))
    network.readies.append(error if step == "ready" else None)
    network.publishes.append(error)
    await made.stage()
    assert await made.deliver() is DeliveryOutcome.held
    assert await made.deliver() is DeliveryOutcome.held
    row = await made.row()
    assert (row.error_code, row.called_at) == (code, None)
    assert row.account.own_state is AccountState.needs_reconnecting
    assert row.account.grant is not None
    assert row.account.grant.state is AccountState.connected


# after the database was restored from a backup


async def restored(made: Prepared) -> None:
    restoring = RestoreService(made.services.sessions)
    backup_from = datetime.now(UTC) - HOUR
    marked = await restoring.mark(backup_from, ())
    assert marked.deliveries == 1
    assert await restoring.mark(backup_from, ()) == replace(marked, deliveries=1)  # a repeat changes nothing
    await restoring.allow_starts()


async def test_a_restored_delivery_is_looked_up_and_its_presence_is_believed(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare()
    await restored(made)
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.retrying, ErrorCode.restored_from_backup)
    network.finds.append(Finding(PROOF))
    assert await made.deliver() is DeliveryOutcome.published
    assert network.calls == ["find"]


async def test_the_absence_of_a_restored_delivery_proves_nothing_and_a_person_may_send_it(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    """Its text may have been edited after the backup, so the network has another one."""
    made = await prepare()
    await restored(made)
    network.finds.append(Finding(absent=True))
    assert await made.deliver() is DeliveryOutcome.unknown
    row = await made.row()
    assert (row.state, row.error_code) == (DeliveryState.unknown, ErrorCode.restored_from_backup)
    assert network.calls == ["find"]
    await made.services.projecting.finish(made.user_id, made.run_id)
    await made.services.publishing.send_again(made.user_id, row.post_id)
    assert (await made.row()).comment_called_at is None
    network.publishes.append(PROOF)
    assert await made.deliver() is DeliveryOutcome.published


async def test_a_network_that_is_asked_by_repeating_the_call_is_not_asked_about_a_restored_delivery(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    """Perhaps nobody has called before, and the repeat would be the first call."""
    network.traits = Traits(asks_by_repeating=True)
    made = await prepare()
    await restored(made)
    assert await made.deliver() is DeliveryOutcome.unknown
    assert network.calls == []


async def test_a_restored_run_that_waited_for_an_answer_ends_as_unknown(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    """Somebody may have approved it after the backup."""
    made = await prepare(mode=Mode.approval)
    post = await made.post()
    check = await made.services.approvals.check(made.user_id, post.id, timedelta(0))
    assert check.verdict is Verdict.held
    await restored(made)
    assert await made.services.projecting.fail(made.user_id, made.run_id, ErrorCode.approval_held) is RunState.unknown
    row, run = await made.row(), await made.run()
    assert (row.state, row.error_code) == (DeliveryState.unknown, ErrorCode.restored_from_backup)
    assert run.state is RunState.unknown


async def test_what_is_planned_for_later_is_not_touched_by_a_restore(
    prepare: Prepare, network: ScriptedNetwork
) -> None:
    made = await prepare(late=-HOUR)
    restoring = RestoreService(made.services.sessions)
    now = datetime.now(UTC)
    assert (await restoring.mark(now - DAY, ())).deliveries == 0
    # but Temporal knows that a person has moved it since
    post = await made.post()
    assert (await restoring.mark(now - DAY, [(post.id, now - HOUR)])).deliveries == 1
    assert (await made.post()).planned_at == now - HOUR
