"""Pictures in a folder and in a bucket."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import httpx2
import pytest
from PIL import Image
from sqlalchemy import func, select, update

from core.ai.pictures.base import Picture
from core.ai.rules.usage import Usage
from core.clock import utcnow
from core.container import Services, wire
from core.database import open_engine, open_sessions
from core.errors import ErrorCode, NotFound, Unavailable
from core.media.storage import open_storage
from core.media.tables import Media, MediaSource
from core.networks import linkedin
from core.networks.connections import Credentials
from core.networks.posts import Image as Outgoes
from core.networks.posts import Outgoing
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.settings import Settings
from core.users.tables.users import User
from tests.channels.test_conformance import granted
from tests.conftest import Networks
from tests.factories import Factory
from tests.pictures import opened

pytest_plugins = ["tests.bucket"]


async def read_signed(
    services: Services,
    media_id: UUID,
    expires: int,
    signature: str,
    *,
    thumbnail: bool = False,
    fitted_to: ChannelKind | None = None,
) -> tuple[bytes, str, str]:
    """What the signed address shows: (bytes, MIME type, hash)."""
    media = services.media
    row = await media.find_signed(media_id, expires, signature, thumbnail=thumbnail, fitted_to=fitted_to)
    return await media.read_shown(row, thumbnail=thumbnail, fitted_to=fitted_to)


@pytest.fixture
def settings(settings: Settings, media_url: str) -> Settings:
    return settings.model_copy(update={"media_url": media_url})


def picture(colour: str, width: int = 40, height: int = 30) -> Picture:
    data = BytesIO()
    Image.new("RGB", (width, height), colour).save(data, "PNG")
    return Picture(
        data=data.getvalue(),
        mime="image/png",
        width=width,
        height=height,
        provider="cards",
        model="card",
        usage=Usage(None, None),
        request_id=None,
    )


async def shown(services: Services, url: str) -> tuple[bytes, str, str]:
    """What its signed address answers."""
    parts = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()}
    return await read_signed(
        services, _id_in(parts.path), int(query["expires"]), query["signature"], thumbnail="thumbnail" in query
    )


def _id_in(path: str) -> UUID:
    return UUID(path.split("/")[3])


async def test_the_same_bytes_are_stored_once_for_each_user(services: Services, make: Factory, user: User) -> None:
    first, again = [await services.media.store(user.id, picture("red")) for _ in range(2)]
    other = await services.media.store(user.id, picture("blue"))
    theirs = await services.media.store((await make.user()).id, picture("red"))
    assert first.id == again.id
    assert len({first.id, other.id, theirs.id}) == 3
    assert theirs.storage_key != first.storage_key
    assert await services.media.read(theirs) == picture("red").data
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).where(Media.user_id == user.id)) == 2


async def test_what_is_known_of_a_picture_is_kept(services: Services, user: User) -> None:
    stored = await services.media.store(
        user.id,
        picture("red"),
        source=MediaSource.card,
        name="Rain",
        alt="A card",
        tags=[" Rain ", "rain"],
        design={"headline": "Rain"},
    )
    again = await services.media.store(user.id, picture("red"), name="Other", alt="Other")
    for row in (stored, again):
        assert (row.source, row.name, row.alt, row.tags) == (MediaSource.card, "Rain", "A card", ["Rain"])
        assert (row.design, row.made_by, row.bytes) == ({"headline": "Rain"}, "cards/card", len(picture("red").data))


async def test_a_network_fetches_a_picture_as_it_takes_it(
    services: Services, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await services.media.store(user.id, picture("red"))
    limits = replace(linkedin.CHANNEL.limits, image_types=("image/jpeg",))
    monkeypatch.setattr(linkedin.CHANNEL, "limits", limits, raising=False)
    address = urlsplit(await services.media.fetch_url(stored, ChannelKind.linkedin))
    assert f"{address.scheme}://{address.netloc}" == "http://postloom.test"
    query = {name: values[0] for name, values in parse_qs(address.query).items()}
    expires, signature = int(query["expires"]), query["signature"]
    data, mime, _ = await read_signed(services, stored.id, expires, signature, fitted_to=ChannelKind.linkedin)
    assert mime == "image/jpeg"
    assert data.startswith(b"\xff\xd8")
    with pytest.raises(NotFound):  # of this alone
        await read_signed(services, stored.id, expires, signature)


@pytest.mark.parametrize("media_url", ["bucket"], indirect=True)
async def test_from_a_bucket_that_others_reach_it_fetches_without_us(
    services: Services, user: User, s3: str, media_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = s3.replace("127.0.0.1", "localhost")
    media = replace(services.media, storage=open_storage(media_url, outside))
    stored = await media.store(user.id, picture("red"))
    limits = replace(linkedin.CHANNEL.limits, image_types=("image/jpeg",))
    traits = replace(linkedin.CHANNEL.traits, stages_by_url=True)
    as_it_is = await media.fetch_url(stored, ChannelKind.linkedin)
    monkeypatch.setattr(linkedin.CHANNEL, "limits", limits, raising=False)
    monkeypatch.setattr(linkedin.CHANNEL, "traits", traits, raising=False)
    made_for_it = [await media.fetch_url(stored, ChannelKind.linkedin) for _ in range(2)]
    async with httpx2.AsyncClient() as network:
        [original, jpeg, again] = [await network.get(url) for url in (as_it_is, *made_for_it)]
        assert all(url.startswith(f"{outside}/") for url in (as_it_is, *made_for_it))
        assert (original.headers["content-type"], original.content) == ("image/png", picture("red").data)
        assert jpeg.headers["content-type"] == "image/jpeg"
        assert jpeg.content == again.content
        assert opened(jpeg.content).size == (40, 30)
        await media.remove(stored)
        for url in (as_it_is, made_for_it[0]):
            assert (await network.get(url)).status_code == 404


@pytest.mark.parametrize("media_url", ["bucket"], indirect=True)
async def test_instagram_has_its_picture_from_the_bucket(
    services: Services, user: User, s3: str, media_url: str, networks: Networks
) -> None:
    media, network = replace(services.media, storage=open_storage(media_url, s3)), channel(ChannelKind.instagram)
    stored = await media.store(user.id, picture("red", 400, 400))
    grant, _ = await granted(network, networks)
    profile, *_ = await network.profiles(grant)
    to = Credentials(profile.external_id, profile.type, profile.access_token or grant.access_token)
    address = await media.fetch_url(stored, ChannelKind.instagram)
    assert address.startswith(f"{s3}/")
    staged = await network.stage(to, Outgoing("Rain", (Outgoes(b"", stored.mime, "A red square", address),)))
    assert len(staged.refs) == 2


async def test_an_address_is_the_same_all_day(services: Services, user: User) -> None:
    stored = await services.media.store(user.id, picture("red"))
    url = services.media.signed_url(stored.id)
    assert services.media.signed_url(stored.id) == url
    assert url.isascii()
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    data, mime, digest = await read_signed(services, stored.id, int(query["expires"]), query["signature"])
    assert (data, mime, digest) == (picture("red").data, "image/png", stored.sha256)
    for expires, signature in [(int(query["expires"]) + 1, query["signature"]), (int(query["expires"]), "x")]:
        with pytest.raises(NotFound):
            await read_signed(services, stored.id, expires, signature)
    with pytest.raises(NotFound):  # the signature is of the large one alone
        await read_signed(services, stored.id, int(query["expires"]), query["signature"], thumbnail=True)


async def test_the_thumbnail_has_an_address_of_its_own(services: Services, user: User) -> None:
    stored = await services.media.store(user.id, picture("red", 1200, 900))
    data, mime, digest = await shown(services, services.media.signed_url(stored.id, thumbnail=True))
    assert (mime, opened(data).size) == ("image/webp", (480, 360))
    assert digest != stored.sha256


async def test_a_picture_of_an_older_release_gets_its_thumbnail_when_it_is_asked_for(
    services: Services, user: User
) -> None:
    stored = await services.media.store(user.id, picture("red", 1200, 900))
    assert stored.thumbnail_key is not None
    await services.media.storage.delete(stored.thumbnail_key)
    async with services.sessions.begin() as session:
        await session.execute(update(Media).where(Media.user_id == user.id).values(thumbnail_key=None))
    url = services.media.signed_url(stored.id, thumbnail=True)
    first = await shown(services, url)
    assert opened(first[0]).size == (480, 360)
    async with services.sessions() as session:
        key = await session.scalar(select(Media.thumbnail_key).where(Media.id == stored.id))
    assert key == stored.thumbnail_key
    assert await services.media.storage.get(key) == first[0]
    assert await shown(services, url) == first


async def test_all_files_of_a_user_go(services: Services, make: Factory, user: User) -> None:
    mine, theirs = [await services.media.store(owner.id, picture("red")) for owner in (user, await make.user())]
    await services.media.remove_files(user.id)
    for key in (mine.storage_key, mine.thumbnail_key):
        with pytest.raises(NotFound):
            await services.media.storage.get(str(key))
    assert await services.media.read(theirs) == picture("red").data


async def test_nothing_arrives_for_somebody_who_has_left(services: Services, user: User) -> None:
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).deletion_requested_at = utcnow()
    with pytest.raises(NotFound):
        await services.media.store(user.id, picture("red"))


@pytest.mark.parametrize("media_url", ["bucket"], indirect=True)
async def test_nor_does_what_is_made_for_a_network(
    services: Services, user: User, s3: str, media_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    media = replace(services.media, storage=open_storage(media_url, s3))
    stored = await media.store(user.id, picture("red"))
    limits = replace(linkedin.CHANNEL.limits, image_types=("image/jpeg",))
    monkeypatch.setattr(linkedin.CHANNEL, "limits", limits, raising=False)
    async with services.sessions.begin() as session:
        (await session.get_one(User, user.id)).deletion_requested_at = utcnow()
    with pytest.raises(NotFound):
        await media.fetch_url(stored, ChannelKind.linkedin)


async def test_a_deleted_picture_that_is_stored_again_is_back(services: Services, user: User) -> None:
    stored = await services.media.store(user.id, picture("red"), name="Rain")
    await services.gallery.delete(user.id, stored.id)
    again = await services.media.store(user.id, picture("red"))
    assert (again.id, again.name, again.deleted_at) == (stored.id, "Rain", None)


async def test_storing_what_is_just_being_removed_leaves_both_row_and_files(
    database: str, settings: Settings, networks: Networks
) -> None:
    """Many who store the same, and a sweep that wants to remove it, at once: a row that is there has its files."""
    engine = open_engine(database)
    services = wire(settings.model_copy(update={"database_url": database}), engine, open_sessions(engine))
    try:
        user = await Factory(services.sessions, services.vault).user()
        for _ in range(6):
            stored = await services.media.store(user.id, picture("red"))
            async with services.sessions.begin() as session:
                long_ago = utcnow() - timedelta(days=2)
                await session.execute(update(Media).where(Media.user_id == user.id).values(deleted_at=long_ago))
            await asyncio.gather(
                *(services.media.store(user.id, picture("red")) for _ in range(3)),
                services.gallery.sweep(),
                services.gallery.sweep(),
            )
            async with services.sessions() as session:
                [row] = (await session.scalars(select(Media).where(Media.user_id == user.id))).all()
            assert row.deleted_at is None
            assert await services.media.read(row) == picture("red").data
            assert opened(await services.media.read_small(row)).size == (40, 30)
            assert row.sha256 == stored.sha256
    finally:
        await engine.dispose()


async def test_while_the_storage_is_away_nothing_is_known_of_the_picture(
    services: Services, settings: Settings, user: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = await services.media.store(user.id, picture("red"))
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")  # nobody listens there
    bucket = settings.media_url.startswith("s3:")
    gone = settings.media_url if bucket else (tmp_path / "file" / "media").as_uri()
    without = wire(settings.model_copy(update={"media_url": gone}), services.engine, services.sessions)
    for ask in (
        without.media.store(user.id, picture("blue")),
        without.media.read(stored),
        without.media.read_small(stored),
        without.media.remove(stored),
    ):
        with pytest.raises(Unavailable) as raised:
            await ask
        assert raised.value.code is ErrorCode.storage_unavailable
    async with services.sessions() as session:
        assert await session.scalar(select(func.count()).where(Media.user_id == user.id)) == 1
    await services.gallery.delete(user.id, stored.id)
    async with services.sessions.begin() as session:
        long_ago = utcnow() - timedelta(days=2)
        await session.execute(update(Media).where(Media.id == stored.id).values(deleted_at=long_ago))
    with pytest.raises(Unavailable):
        await without.gallery.sweep()
    assert await services.gallery.sweep() == 1
