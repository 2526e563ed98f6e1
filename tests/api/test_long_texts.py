"""Reading a long text takes a while: nobody else waits for it, and one that is far too long is not read at all."""

from threading import get_ident
from typing import Any

import httpx2
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from core.container import Services
from core.errors import ErrorCode
from core.posts.tables.posts import Post
from core.users.tables.users import User
from tests.api.conftest import done, wrong_fields
from tests.api.test_article_approvals import asked, mailed_link
from tests.api.test_websites import an_article, edited, site

__all__ = ["asked", "site"]


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Those that have read a text, once for each time."""
    found: list[int] = []
    parse = MarkdownIt.parse

    def noted(self: MarkdownIt, src: str, env: Any = None) -> list[Token]:
        found.append(get_ident())
        return parse(self, src, env)

    monkeypatch.setattr(MarkdownIt, "parse", noted)
    return found


async def test_it_is_read_beside_the_loop_that_answers(
    api: httpx2.AsyncClient, site: dict[str, Any], threads: list[int]
) -> None:
    body = an_article(site)
    article = done(await api.post("/articles/", json=body), 201)
    done(await api.put(f"/articles/{article['id']}/", json=edited(article, body)))
    assert len(done(await api.get("/articles/"))["items"]) == 1
    done(await api.get(f"/articles/{article['id']}/"))
    read = len(threads)
    done(await api.post("/articles/preview/", json={"content": body["content"]}))
    assert len(threads) == read + 1
    assert get_ident() not in threads


async def test_so_is_what_waits_for_approval(
    api: httpx2.AsyncClient, services: Services, user: User, asked: Post, threads: list[int]
) -> None:
    _, link = await mailed_link(services, user, asked)
    threads.clear()  # of how it was made
    for answer in (await api.get("/approvals/"), await api.post("/approvals/link/", json=link)):
        done(answer)
    assert len(threads) == 2
    assert get_ident() not in threads


async def test_one_that_is_far_too_long_is_refused_unread(
    api: httpx2.AsyncClient, site: dict[str, Any], threads: list[int]
) -> None:
    content = "x" * 1_000_000
    for answer in (
        await api.post("/articles/preview/", json={"content": content}),
        await api.post("/articles/", json=an_article(site, content=content)),
    ):
        assert wrong_fields(answer) == {"content": ErrorCode.content_too_long}
        assert answer.json()["errors"][0]["params"] == {"length": 1_000_000, "limit": 100_000}
    assert threads == []
