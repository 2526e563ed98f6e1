from io import BytesIO
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image
from sqlalchemy import func, select

from core.container import Services
from core.domain.errors import NotFound
from core.models import Media, User
from core.providers.pictures.base import Picture
from core.providers.writers.base import Usage
from tests.factories import Factory


def picture(colour: str) -> Picture:
    data = BytesIO()
    Image.new("RGB", (40, 30), colour).save(data, "PNG")
    return Picture(
        data=data.getvalue(),
        mime="image/png",
        width=40,
        height=30,
        provider="cards",
        model="card",
        usage=Usage(None, None),
        request_id=None,
    )


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


async def test_an_address_is_the_same_all_day(services: Services, user: User) -> None:
    stored = await services.media.store(user.id, picture("red"))
    url = services.media.signed_url(stored.id)
    assert services.media.signed_url(stored.id) == url
    query = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
    data, mime, digest = await services.media.read_signed(stored.id, int(query["expires"]), query["signature"])
    assert (data, mime, digest) == (picture("red").data, "image/png", stored.sha256)
    for expires, signature in [(int(query["expires"]) + 1, query["signature"]), (int(query["expires"]), "x")]:
        with pytest.raises(NotFound):
            await services.media.read_signed(stored.id, expires, signature)
