"""Runs of an assistant that shows its own images, ends its texts in its own way, and waits as long as it wants to."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zlib import crc32

import pytest
from sqlalchemy import select, update

from core.ai.tables.transactions import Transaction
from core.assistants.configuration import missing_fields
from core.assistants.repository import AssistantRepository
from core.assistants.rules.assistants import ImageOrder, ImageSource, StepKind
from core.assistants.tables import Assistant
from core.container import Services
from core.deliveries.rules.deliveries import DeliveryOutcome
from core.errors import Conflict, ErrorCode, InvalidInput
from core.ids import new_id
from core.media.repository import Use
from core.media.tables import Media
from core.networks.rules.channels import ChannelLimits
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import RunStep
from core.texts.rules.endings import Ending, HashtagPolicy, hashtags
from core.users.tables.users import User
from tests.conftest import Networks, Stack
from tests.factories import Factory
from tests.media.test_library import portions
from tests.media.test_pictures import picture
from tests.pictures import opened, saved, scene

SLOT = datetime(2036, 11, 21, 9, tzinfo=UTC)


async def kept(services: Services, user: User, name: str, alt: str = "") -> Media:
    colour = f"#{crc32(name.encode()) & 0xFFFFFF:06x}"
    return await services.media.store(user.id, picture(colour), name=name, alt=alt)


@pytest.fixture
async def images(services: Services, user: User) -> list[Media]:
    return [
        await kept(services, user, "Shop", alt="Our shop in the rain"),
        await kept(services, user, "Bike"),
        await kept(services, user, "Team"),
    ]


async def owning(make: Factory, user: User, networks: Networks, images: list[Media], **more: Any) -> Assistant:
    account = await make.account(user, networks.url)
    return await make.assistant(
        user,
        accounts=(account.id,),
        image=False,
        image_source=ImageSource.own,
        image_media_ids=tuple(image.id for image in images),
        **more,
    )


async def written(services: Services, assistant: Assistant, hour: int = 0) -> UUID:
    run = new_id()
    slot = SLOT + timedelta(hours=hour)
    await services.drafting.begin(assistant.user_id, assistant.id, run, f"run-{run}", slot)
    await services.drafting.write(assistant.user_id, run, 1)
    return run


async def shown(services: Services, run: UUID) -> tuple[str, str]:
    """The image's name and what is said of it."""
    async with services.sessions() as session:
        query = (
            select(Media.name, PostFile.alt)
            .join(PostFile, PostFile.media_id == Media.id)
            .join(Post, Post.id == PostFile.post_id)
            .where(Post.run_id == run)
        )
        name, alt = (await session.execute(query)).one()
    return name, alt


async def evidence(services: Services, run: UUID) -> dict[str, Any]:
    async with services.sessions() as session:
        step = await session.scalar(select(RunStep).where(RunStep.run_id == run, RunStep.kind == StepKind.image))
    assert step is not None
    return step.facts


async def test_runs_take_them_in_turn_and_a_repeated_step_takes_the_same(
    services: Services, make: Factory, user: User, networks: Networks, images: list[Media]
) -> None:
    assistant = await owning(make, user, networks, images)
    names = []
    for hour in range(4):
        run = await written(services, assistant, hour)
        for attempt in (1, 2):
            await services.imaging.make(user.id, run, attempt)
        await services.drafting.check(user.id, run)
        names.append((await shown(services, run))[0])
    assert names == ["Shop", "Bike", "Team", "Shop"]
    facts = await evidence(services, run)
    assert facts | {"media_id": ""} == {
        "source": "own",
        "media_id": "",
        "name": "Shop",
        "order": "in_turn",
        "round": 2,
        "images": 3,
        "left_out": 0,
    }
    async with services.sessions() as session:
        # no model was asked for an image
        booked = await session.scalars(select(Transaction.type).where(Transaction.user_id == user.id))
        assert set(booked) == {"text"}


async def test_what_is_said_of_it_is_its_own_text_or_else_the_first_sentence(
    services: Services, make: Factory, user: User, networks: Networks, images: list[Media]
) -> None:
    assistant = await owning(make, user, networks, images)
    first, second = await written(services, assistant), await written(services, assistant, 1)
    await services.imaging.make(user.id, first, 1)
    await services.imaging.make(user.id, second, 1)
    assert await shown(services, first) == ("Shop", "Our shop in the rain")
    async with services.sessions() as session:
        content = await session.scalar(select(Post.content).where(Post.run_id == second))
    name, alt = await shown(services, second)
    assert name == "Bike"
    assert content is not None
    assert content.startswith(alt[:20])


async def test_runs_at_once_never_take_the_same(stack: Stack) -> None:
    services, user = stack.services, await stack.make.user()
    images = [await kept(services, user, name) for name in ("Shop", "Bike", "Team")]
    assistant = await owning(stack.make, user, stack.networks, images, image_order=ImageOrder.random)
    runs = [await written(services, assistant, hour) for hour in range(3)]
    await asyncio.gather(*(services.imaging.make(user.id, run, 1) for run in runs))
    assert {(await shown(services, run))[0] for run in runs} == {"Shop", "Bike", "Team"}


async def test_one_that_was_removed_is_left_out_and_said_so(
    services: Services, make: Factory, user: User, networks: Networks, images: list[Media]
) -> None:
    assistant = await owning(make, user, networks, images)
    _, uses = await services.gallery.get(user.id, images[0].id)
    assert uses == [Use("assistant", assistant.id, "Commuter tips", False)]
    await services.gallery.delete(user.id, images[0].id)
    run = await written(services, assistant)
    await services.imaging.make(user.id, run, 1)
    assert (await shown(services, run))[0] == "Bike"
    facts = await evidence(services, run)
    assert (facts["images"], facts["left_out"]) == (2, 1)


async def test_where_all_were_removed_the_run_says_so_before_it_pays(
    services: Services, make: Factory, user: User, networks: Networks, images: list[Media]
) -> None:
    assistant = await owning(make, user, networks, images[:1])
    run = await written(services, assistant)
    await services.gallery.delete(user.id, images[0].id)
    with pytest.raises(InvalidInput) as raised:
        await services.imaging.make(user.id, run, 1)
    assert raised.value.code is ErrorCode.own_images_required
    with pytest.raises(InvalidInput) as raised:
        await written(services, assistant, 1)
    assert raised.value.code is ErrorCode.assistant_incomplete
    async with services.sessions() as session:
        full = await AssistantRepository(session).get(user.id, assistant.id)
    assert [(problem.field, problem.code) for problem in missing_fields(full)] == [
        ("image_media_ids", ErrorCode.own_images_required)
    ]
    await services.gallery.restore(user.id, images[0].id)
    await services.imaging.make(user.id, run, 2)
    assert (await shown(services, run))[0] == "Shop"


async def test_a_text_ends_as_it_is_wanted(
    services: Services, make: Factory, user: User, networks: Networks, images: list[Media]
) -> None:
    ending = Ending(HashtagPolicy.none, always=("#Lindhof",), link="https://example.org/shop")
    assistant = await owning(make, user, networks, images, ending=ending)
    run = await written(services, assistant)
    async with services.sessions.begin() as session:
        # a run keeps what it began with
        await session.execute(update(Assistant).where(Assistant.id == assistant.id).values(link=""))
        content = await session.scalar(select(Post.content).where(Post.run_id == run))
    assert content is not None
    assert content.endswith("\n\nhttps://example.org/shop\n\n#Lindhof")
    assert hashtags(content) == ["#Lindhof"]
    await services.imaging.make(user.id, run, 1)
    await services.drafting.check(user.id, run)


@pytest.mark.parametrize(
    ("minutes", "ago", "late"),
    # the server's window is an hour
    [(None, 30, False), (10, 30, True), (120, 90, False), (0, 30, True), (0, 0, False)],
)
async def test_an_assistant_says_how_late_its_posts_may_be(
    services: Services,
    make: Factory,
    user: User,
    networks: Networks,
    images: list[Media],
    minutes: int | None,
    ago: int,
    late: bool,
) -> None:
    assistant = await owning(make, user, networks, images, catch_up_minutes=minutes)
    run = new_id()
    slot = datetime.now(UTC) - timedelta(minutes=ago)
    await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", slot)
    if late:
        with pytest.raises(Conflict) as raised:
            await services.drafting.write(user.id, run, 1)
        assert raised.value.code is ErrorCode.missed_outage
        return
    await services.drafting.write(user.id, run, 1)
    await services.imaging.make(user.id, run, 1)
    [(delivery_id, *_)] = (await services.drafting.check(user.id, run)).deliveries

    async def at_once() -> None:
        pass

    # its own window is that of the fence, too
    assert await services.delivering.deliver(user.id, delivery_id, wait=at_once) is DeliveryOutcome.published


async def test_no_topic_comes_again_within_so_many_posts(
    services: Services, make: Factory, user: User, networks: Networks, images: list[Media]
) -> None:
    topics = "- All\n" + "".join(f"-- Topic {number}\n" for number in range(5))
    titles: dict[int, list[str]] = {}
    for within in (0, 4):
        assistant = await owning(make, user, networks, images, no_repeat=within, topics=topics)
        for hour in range(6):
            run = new_id()
            await services.drafting.begin(user.id, assistant.id, run, f"run-{run}", SLOT + timedelta(hours=hour))
            async with services.sessions() as session:
                step = await session.scalar(
                    select(RunStep).where(RunStep.run_id == run, RunStep.kind == StepKind.topic)
                )
            assert step is not None
            titles.setdefault(within, []).append(step.facts["title"])
    # in the order of the tree either way
    assert titles[0] == titles[4] == [f"Topic {number}" for number in (0, 1, 2, 3, 4, 0)]


async def test_a_picture_of_a_type_that_the_network_does_not_know_goes_out_as_another(
    services: Services, user: User
) -> None:
    photo = saved(scene(600, 400), "WEBP")
    stored = (await services.gallery.upload(user.id, "rain.webp", portions(photo))).media
    assert stored.mime == "image/webp"
    data, mime = await services.media.read_for(stored, ChannelLimits(3000, 20))
    assert (mime, opened(data).format, opened(data).size) == ("image/jpeg", "JPEG", (600, 400))
    # as it is, where it may
    data, mime = await services.media.read_for(stored, ChannelLimits(3000, 20, image_types=("image/webp",)))
    assert (mime, data) == ("image/webp", await services.media.read(stored))
