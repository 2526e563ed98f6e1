"""Finding, changing, deleting and bringing back pictures; and what holds them."""

from collections.abc import AsyncIterator
from datetime import timedelta
from uuid import UUID
from zlib import crc32

import pytest
from sqlalchemy import select, update

from core.assistants.rules.assistants import RunState
from core.clock import utcnow
from core.container import Services
from core.deliveries.tables.deliveries import Delivery
from core.errors import Conflict, ErrorCode, InvalidInput, NotFound
from core.ids import new_id
from core.media.repository import MediaOrigin, MediaSort, Use
from core.media.rules.cards import CardSettings
from core.media.tables import Media, MediaSource
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState, PostStatus
from core.posts.tables.posts import Post, PostFile
from core.runs.tables import Run
from core.settings import Settings
from core.templates.rules.model_settings import ImageSettings, image_to_json
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template, TemplateVersion
from core.templates.versions import TemplateForm, TemplateService
from core.users.tables.users import User
from tests.conftest import Networks
from tests.factories import Factory
from tests.media.test_pictures import picture
from tests.pictures import exif_of_a_phone, jpeg, opened, saved, scene

pytest_plugins = ["tests.bucket"]


@pytest.fixture
def settings(settings: Settings, media_url: str) -> Settings:
    return settings.model_copy(update={"media_url": media_url})


async def portions(data: bytes, size: int = 1000) -> AsyncIterator[bytes]:
    for at in range(0, len(data), size):
        yield data[at : at + size]


async def kept(services: Services, user: User, name: str, **known: object) -> Media:
    stored = await services.media.store(user.id, picture(f"#{crc32(name.encode()) & 0xFFFFFF:06x}"), name=name)
    async with services.sessions.begin() as session:
        await session.execute(update(Media).where(Media.id == stored.id, Media.user_id == user.id).values(**known))
    return stored


async def names(
    services: Services,
    user: User,
    *,
    search: str = "",
    tag: str | None = None,
    origin: MediaOrigin | None = None,
    sort: MediaSort = MediaSort.newest,
    offset: int = 0,
    limit: int = 50,
) -> list[str]:
    found, total, *_ = await services.gallery.page(
        user.id, search=search, tag=tag, origin=origin, sort=sort, offset=offset, limit=limit
    )
    assert total >= len(found)
    return [row.name for row in found]


# uploads


async def test_an_upload_is_kept_as_pixels_alone(services: Services, user: User) -> None:
    photo = saved(scene(800, 600), "JPEG", exif=exif_of_a_phone(6))
    uploaded = await services.gallery.upload(user.id, "C:\\Photos\\Regen.jpg", portions(photo))
    stored = uploaded.media
    assert (stored.name, stored.source, stored.made_by, uploaded.known) == ("Regen.jpg", MediaSource.upload, "", False)
    assert (stored.mime, stored.width, stored.height) == ("image/jpeg", 600, 800)
    data = await services.media.read(stored)
    assert len(data) == stored.bytes
    assert b"Secret" not in data
    assert opened(await services.media.read_small(stored)).size == (360, 480)


async def test_the_same_photo_is_found_again(services: Services, user: User) -> None:
    photo = jpeg()
    first = (await services.gallery.upload(user.id, "a.jpg", portions(photo))).media
    again = await services.gallery.upload(user.id, "b.jpg", portions(photo, 7))
    assert (again.media.id, again.media.name, again.known) == (first.id, "a.jpg", True)
    await services.gallery.delete(user.id, first.id)
    back = await services.gallery.upload(user.id, "c.jpg", portions(photo))
    assert (back.media.id, back.media.deleted_at, back.known) == (first.id, None, False)


async def test_what_is_too_large_is_not_read_to_its_end(services: Services, user: User) -> None:
    read = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal read
        while True:
            read += 1
            yield bytes(1024**2)

    with pytest.raises(InvalidInput) as raised:
        await services.gallery.upload(user.id, "a.jpg", endless())
    assert (raised.value.code, raised.value.params, read) == (ErrorCode.too_large, {"limit": 20}, 21)


# finding


async def test_pictures_are_found_by_name_alt_text_and_tags(services: Services, user: User) -> None:
    await kept(services, user, "Rain.jpg")
    await kept(services, user, "Bike.jpg", alt="In the rain, 100 % wet")
    await kept(services, user, "Workshop.jpg", tags=["Rainy days", "Berlin"])
    await kept(services, user, "Gone-rain.jpg", deleted_at=utcnow())
    await kept(services, user, "Sun.jpg", tags=["berlin"], source=MediaSource.upload)
    assert set(await names(services, user, search="RAIN")) == {"Rain.jpg", "Bike.jpg", "Workshop.jpg"}
    assert await names(services, user, search="100 %") == ["Bike.jpg"]
    assert await names(services, user, search="_") == []
    assert await names(services, user, search='"') == []
    assert set(await names(services, user, tag="BERLIN")) == {"Workshop.jpg", "Sun.jpg"}
    assert await names(services, user, tag="Berl") == []
    assert await names(services, user, tag="berlin", origin=MediaOrigin.upload) == ["Sun.jpg"]


async def test_pictures_are_sorted_and_paged(services: Services, user: User) -> None:
    first = await kept(services, user, "beta")
    await kept(services, user, "Alpha 2", bytes=10**9)
    await kept(services, user, "gamma 3333", bytes=1)
    assert await names(services, user) == ["gamma 3333", "Alpha 2", "beta"]
    assert await names(services, user, sort=MediaSort.oldest) == ["beta", "Alpha 2", "gamma 3333"]
    assert await names(services, user, sort=MediaSort.name) == ["Alpha 2", "beta", "gamma 3333"]
    assert (await names(services, user, sort=MediaSort.largest))[0] == "Alpha 2"
    assert await names(services, user, offset=1, limit=1) == ["Alpha 2"]
    assert (await services.gallery.get(user.id, first.id))[0].name == "beta"


async def test_tags_are_counted_whatever_their_case(services: Services, user: User, make: Factory) -> None:
    await kept(services, user, "a", tags=["Rad", "Regen"])
    await kept(services, user, "ab", tags=["rad"])
    await kept(services, user, "abc", tags=["Rad"])
    await kept(services, user, "abcd", tags=["Regen"], deleted_at=utcnow())
    await kept(services, await make.user(), "a", tags=["Theirs"])
    assert await services.gallery.tags(user.id) == [("Rad", 3), ("Regen", 1)]


# changing


async def test_what_is_not_given_stays(services: Services, user: User) -> None:
    stored = await kept(services, user, "Rain.jpg", alt="Rain", tags=["wet"])
    await services.gallery.change(user.id, stored.id, 1, tags=["Berlin", "berlin", " "])
    await services.gallery.change(user.id, stored.id, 2, name="Rain / Berlin")
    row = await services.gallery.change(user.id, stored.id, 3, alt="")
    assert (row.name, row.alt, row.tags, row.version) == ("Rain / Berlin", "", ["Berlin"], 4)


async def test_nothing_is_written_over_what_was_not_seen(services: Services, user: User) -> None:
    stored = await kept(services, user, "Rain.jpg", alt="Rain")
    await services.gallery.change(user.id, stored.id, stored.version, alt="From one tab")
    with pytest.raises(Conflict) as raised:
        await services.gallery.change(user.id, stored.id, stored.version, alt="From the other")
    assert (raised.value.code, raised.value.params) == (ErrorCode.stale_version, {"current": 2})
    assert (await services.gallery.get(user.id, stored.id))[0].alt == "From one tab"
    # deleting and coming back changes nothing of what was written
    await services.gallery.delete(user.id, stored.id)
    await services.gallery.restore(user.id, stored.id)
    assert (await services.gallery.change(user.id, stored.id, 2, alt="Seen")).alt == "Seen"


async def test_a_tag_is_not_cut_behind_somebodys_back(services: Services, user: User) -> None:
    stored = await kept(services, user, "Rain.jpg", tags=["wet"])
    with pytest.raises(InvalidInput) as raised:
        await services.gallery.change(user.id, stored.id, 1, alt="x", tags=[" a  b ", "y" * 60])
    [error] = raised.value.errors
    assert (error.field, error.code, error.params) == (
        "tags.1",
        ErrorCode.content_too_long,
        {"length": 60, "limit": 40},
    )
    row, _ = await services.gallery.get(user.id, stored.id)
    assert (row.alt, row.tags, row.version) == ("", ["wet"], 1)
    exactly = f"  {'y' * 20}   {'z' * 19} "
    row = await services.gallery.change(user.id, stored.id, 1, tags=[exactly])
    assert row.tags == [f"{'y' * 20} {'z' * 19}"]


# what holds a picture


async def a_post(
    services: Services,
    user: User,
    media: Media,
    status: PostStatus,
    content: str = "Rain without drama",
    topic: str = "Rain",
) -> UUID:
    async with services.sessions.begin() as session:
        post = Post(id=new_id(), user_id=user.id, status=status, content=content, topic_title=topic)
        session.add(post)
        await session.flush()
        session.add(PostFile(user_id=user.id, post_id=post.id, media_id=media.id, position=0))
        return post.id


async def test_a_post_that_is_to_go_out_keeps_its_picture(services: Services, user: User) -> None:
    media = await services.media.store(user.id, picture("red"))
    post = await a_post(services, user, media, PostStatus.complete)
    assert (await services.gallery.get(user.id, media.id))[1] == [Use("post", post, "Rain", True)]
    with pytest.raises(Conflict) as raised:
        await services.gallery.delete(user.id, media.id)
    assert (raised.value.code, raised.value.params) == (ErrorCode.in_use, {"by": "Rain"})
    async with services.sessions.begin() as session:
        (await session.get_one(Post, post)).status = PostStatus.published
    assert [use.blocks for use in (await services.gallery.get(user.id, media.id))[1]] == [False]
    await services.gallery.delete(user.id, media.id)


async def test_a_post_without_a_topic_is_named_by_whole_words(services: Services, user: User) -> None:
    media = await services.media.store(user.id, picture("red"))
    await a_post(services, user, media, PostStatus.draft, "Regen   macht nass und " + "Fahrradwerkstatt " * 20, "")
    [use], words = (await services.gallery.get(user.id, media.id))[1], "Regen macht nass und"
    assert len(use.name) <= 80
    assert use.name == f"{words}{' Fahrradwerkstatt' * use.name.count('Fahrradwerkstatt')}…"


@pytest.mark.parametrize(
    ("state", "blocks"),
    [(RunState.preparing, True), (RunState.ready, True), (RunState.drafted, False), (RunState.failed, False)],
)
async def test_a_draft_of_a_run_under_way_keeps_its_picture(
    services: Services, user: User, make: Factory, state: RunState, blocks: bool
) -> None:
    assistant = await make.assistant(user)
    media = await services.media.store(user.id, picture("red"))
    post = await a_post(services, user, media, PostStatus.draft)
    run = Run(id=new_id(), user_id=user.id, assistant_id=assistant.id, workflow_id="run", slot=utcnow(), state=state)
    async with services.sessions.begin() as session:
        session.add(run)
        await session.flush()
        (await session.get_one(Post, post)).run_id = run.id
    assert [use.blocks for use in (await services.gallery.get(user.id, media.id))[1]] == [blocks]


@pytest.mark.parametrize("state", DeliveryState)
async def test_a_delivery_that_is_not_settled_keeps_the_picture(
    services: Services, user: User, make: Factory, networks: Networks, state: DeliveryState
) -> None:
    account = await make.account(user, networks.url)
    media = await services.media.store(user.id, picture("red"))
    post = await a_post(services, user, media, PostStatus.failed)
    async with services.sessions.begin() as session:
        session.add(
            Delivery(
                user_id=user.id,
                post_id=post,
                account_id=account.id,
                channel=ChannelKind.linkedin,
                content_hash="",
                state=state,
            )
        )
    settled = state in (DeliveryState.published, DeliveryState.failed, DeliveryState.cancelled)
    assert [use.blocks for use in (await services.gallery.get(user.id, media.id))[1]] == [not settled]


async def image_template(services: Services, user: User, logo_id: UUID | None) -> UUID:
    settings = {"image": image_to_json(ImageSettings(card=CardSettings(logo_id=logo_id)))}
    form = TemplateForm(TemplateType.image, "Brand card", "", "en", (), "((Content))", settings)
    async with services.sessions.begin() as session:
        return (await TemplateService(session).create(user.id, form))[0].id


async def test_templates_and_presets_that_show_it_are_told(services: Services, user: User, make: Factory) -> None:
    media = await services.media.store(user.id, picture("red"))
    logo = CardSettings(logo_id=media.id)
    by_logo = await image_template(services, user, media.id)
    preset = await services.cards.add_preset(user.id, "Brand", logo)
    await image_template(services, user, None)
    uses = (await services.gallery.get(user.id, media.id))[1]
    assert uses == [Use("template", by_logo, "Brand card", False), Use("card_preset", preset.id, "Brand", False)]
    await services.gallery.delete(user.id, media.id)


# deleting


async def long_ago(services: Services, media: Media, hours: int = 25) -> None:
    async with services.sessions.begin() as session:
        then = utcnow() - timedelta(hours=hours)
        await session.execute(update(Media).where(Media.id == media.id).values(deleted_at=then))


async def is_there(services: Services, media: Media) -> bool:
    async with services.sessions() as session:
        row = await session.scalar(select(Media.id).where(Media.id == media.id))
    files = []
    for key in (media.storage_key, str(media.thumbnail_key)):
        try:
            files.append(bool(await services.media.storage.get(key)))
        except NotFound:
            files.append(False)
    assert {row is not None} == set(files), "row and files go together"
    return row is not None


async def test_what_is_deleted_can_be_brought_back_for_a_day(services: Services, user: User) -> None:
    media = await services.media.store(user.id, picture("red"))
    await services.gallery.delete(user.id, media.id)
    for ask in (
        services.gallery.get(user.id, media.id),
        services.gallery.delete(user.id, media.id),
        services.gallery.change(user.id, media.id, media.version, name="x"),
    ):
        with pytest.raises(NotFound):
            await ask
    assert await names(services, user) == []
    assert await services.gallery.sweep() == 0
    await long_ago(services, media, hours=23)
    assert (await services.gallery.restore(user.id, media.id)).deleted_at is None
    assert (await services.gallery.restore(user.id, media.id)).id == media.id
    assert await is_there(services, media)
    await long_ago(services, media)
    with pytest.raises(Conflict) as raised:
        await services.gallery.restore(user.id, media.id)
    assert raised.value.code is ErrorCode.undo_expired


async def test_after_a_day_row_and_files_go(services: Services, user: User) -> None:
    gone, kept_one = [await services.media.store(user.id, picture(colour)) for colour in ("red", "blue")]
    await services.gallery.delete(user.id, gone.id)
    await long_ago(services, gone)
    assert await services.gallery.sweep() == 1
    assert not await is_there(services, gone)
    assert await is_there(services, kept_one)
    with pytest.raises(NotFound):
        await services.gallery.restore(user.id, gone.id)
    assert await services.gallery.sweep() == 0


async def test_what_is_still_shown_stays(services: Services, user: User) -> None:
    post, logo, preset, sample, old_logo, free = [
        await services.media.store(user.id, picture(colour))
        for colour in ("red", "green", "blue", "white", "black", "pink")
    ]
    await a_post(services, user, post, PostStatus.published)
    await image_template(services, user, logo.id)
    await services.cards.add_preset(user.id, "Brand", CardSettings(logo_id=preset.id))
    shown = await image_template(services, user, None)
    async with services.sessions.begin() as session:
        (await session.get_one(Template, shown)).sample_media_id = sample.id
    edited = await image_template(services, user, old_logo.id)
    async with services.sessions.begin() as session:  # an assistant may be pinned to the version with the logo
        form = TemplateForm(TemplateType.image, "Brand card", "", "en", (), "((Content))", {})
        await TemplateService(session).update(user.id, edited, 1, form)
    for media in (post, logo, preset, sample, old_logo, free):
        await services.gallery.delete(user.id, media.id)
        await long_ago(services, media)
    assert await services.gallery.sweep() == 1
    for media in (post, logo, preset, sample, old_logo):
        assert await is_there(services, media)
    assert not await is_there(services, free)


async def test_what_another_user_shows_holds_nothing(services: Services, user: User, make: Factory) -> None:
    media = await services.media.store(user.id, picture("red"))
    theirs = await image_template(services, await make.user(), None)
    async with services.sessions.begin() as session:  # as a release could that did not look whose a logo is
        settings = {"image": image_to_json(ImageSettings(card=CardSettings(logo_id=media.id)))}
        await session.execute(
            update(TemplateVersion).where(TemplateVersion.template_id == theirs).values(settings=settings)
        )
    assert (await services.gallery.get(user.id, media.id))[1] == []
    await services.gallery.delete(user.id, media.id)
    await long_ago(services, media)
    assert await services.gallery.sweep() == 1


async def test_another_users_picture_does_not_exist(services: Services, user: User, make: Factory) -> None:
    theirs = await services.media.store((await make.user()).id, picture("red"))
    for ask in (
        services.gallery.get(user.id, theirs.id),
        services.gallery.change(user.id, theirs.id, theirs.version, name="x"),
        services.gallery.delete(user.id, theirs.id),
        services.gallery.restore(user.id, theirs.id),
    ):
        with pytest.raises(NotFound):
            await ask
    assert await names(services, user) == []
