"""The same post, copy or import sent several times at the same moment, on connections of their own."""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import httpx2
import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.posts.repositories.posts import PostRepository
from core.posts.rules.post_csv import AS_IT_SHOWS
from core.posts.tables.posts import Post
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.conftest import browsing
from tests.factories import Factory

POSTS = "/social-media-posts/"
TIMES = 6


@pytest.fixture
async def mara(standing: Services) -> User:
    return await Factory(standing.sessions, standing.vault).user()


@pytest.fixture
async def owner(standing: Services, away: Gateway, mara: User) -> AsyncIterator[httpx2.AsyncClient]:
    async with browsing(standing, away, mara) as client:
        yield client


def written(post_id: UUID) -> dict[str, Any]:
    return {"id": str(post_id), "content": "Rain is no reason to drive.", "time_zone": "UTC", "language": "en"}


async def test_a_post_that_is_sent_several_times_at_once_is_one(owner: httpx2.AsyncClient, standing: Services) -> None:
    body = written(new_id())
    answers = await asyncio.gather(*(owner.post(POSTS, json=body) for _ in range(TIMES)))
    assert [done(answer, 201)["id"] for answer in answers] == [body["id"]] * TIMES
    async with standing.sessions() as session:
        assert await session.scalar(select(func.count()).select_from(Post)) == 1


async def test_a_copy_that_is_asked_for_several_times_at_once_is_one(owner: httpx2.AsyncClient) -> None:
    original, copy = written(new_id()), str(new_id())
    done(await owner.post(POSTS, json=original), 201)
    path = f"{POSTS}{original['id']}/duplicate/"
    answers = await asyncio.gather(*(owner.post(path, json={"id": copy}) for _ in range(TIMES)))
    assert [done(answer, 201)["id"] for answer in answers] == [copy] * TIMES


async def test_an_import_that_is_sent_several_times_at_once_is_one(standing: Services, mara: User) -> None:
    data, importing = b"content\nRain\nSnow\n", standing.post_import
    preview = await importing.preview(mara.id, data, AS_IT_SHOWS, "UTC", "en")
    import_id = new_id()
    saved = await asyncio.gather(
        *(
            importing.save(mara.id, import_id, data, AS_IT_SHOWS, "UTC", "en", digest=preview.digest, only_right=False)
            for _ in range(TIMES)
        )
    )
    assert sorted(one.saved for one in saved) == [0] * (TIMES - 1) + [2]
    assert len({tuple(sorted(one.post_ids)) for one in saved}) == 1


async def test_the_id_of_another_users_post_stays_taken(
    owner: httpx2.AsyncClient, standing: Services, away: Gateway
) -> None:
    body = written(new_id())
    done(await owner.post(POSTS, json=body), 201)
    other = await Factory(standing.sessions, standing.vault).user("jonas@example.com")
    async with browsing(standing, away, other) as theirs:
        refused(await theirs.post(POSTS, json=body), 404, ErrorCode.not_found)


async def test_what_else_the_database_refuses_is_no_post_that_is_there_already(standing: Services, mara: User) -> None:
    async with standing.sessions() as session:
        nobodys = Post(id=new_id(), user_id=new_id(), content="A secret", files=[], deliveries=[])
        with pytest.raises(IntegrityError) as raised:
            await PostRepository(session).add(nobodys)
    assert "A secret" not in str(raised.value)


async def test_what_the_database_refuses_is_logged_without_what_was_typed(
    owner: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def add(self: PostRepository, post: Post) -> bool:
        post.user_id = new_id()  # as if the account had gone meanwhile
        self.session.add(post)
        await self.session.flush()
        return True

    monkeypatch.setattr(PostRepository, "add", add)
    with caplog.at_level(logging.WARNING):
        answer = await owner.post(POSTS, json=written(new_id()))
    refused(answer, 409, ErrorCode.in_use)
    assert "fk_posts_user_id_users" in caplog.text
    assert "Rain is no reason" not in caplog.text
