"""The search over everything: what it finds, for whom, and how fast."""

from collections.abc import Callable
from datetime import UTC, datetime

import httpx2
import pytest
from sqlalchemy import insert

from core.approvals.rules import ApprovalState, AtDeadline
from core.approvals.tables.approvals import Approval
from core.assistants.tables import Assistant
from core.container import Services
from core.ids import new_id
from core.media.tables import Media
from core.posts.tables.posts import Post
from core.tables import Base
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template
from core.topics.tables import TopicTree
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done
from tests.api.owned import own_everything
from tests.conftest import Networks, browsing
from tests.factories import Factory


async def found(api: httpx2.AsyncClient, query: str) -> list[tuple[str, str]]:
    items = done(await api.get("/search/", params={"q": query}))["items"]
    return [(item["kind"], item["name"]) for item in items]


async def tree(api: httpx2.AsyncClient, name: str) -> None:
    done(await api.post("/topics/", json={"name": name, "text": "- a"}), 201)


@pytest.mark.parametrize(
    "query",
    [
        "Größe",
        "GRÖSSE",
        "grosse",
        "räder größe",
        "RADER",
        "gro rad",
        "cafe",
        "CAFÉ",
        "100%",
        "_x",
        " räder  ",
        "ra\u0308der",
        "CAFE\u0301",
    ],
)
async def test_neither_case_nor_accents_nor_order_matter(api: httpx2.AsyncClient, query: str) -> None:
    await tree(api, "Größe der Räder im Café: 100% _x")
    await tree(api, "Something else: 1000 ax")
    assert await found(api, query) == [("topic_tree", "Größe der Räder im Café: 100% _x")]


async def test_names_are_kept_composed_and_what_was_kept_decomposed_is_found(
    services: Services, api: httpx2.AsyncClient, user: User
) -> None:
    await tree(api, "Ra\u0308der")
    assert await found(api, "räder") == [("topic_tree", "Räder")]
    async with services.sessions.begin() as session:
        session.add(TopicTree(user_id=user.id, name="Cafe\u0301s am Fluß"))  # as earlier releases kept it
    assert await found(api, "cafés") == [("topic_tree", "Cafe\u0301s am Fluß")]
    page = done(await api.get("/topics/", params={"search": "Ra\u0308d"}))
    assert [one["name"] for one in page["items"]] == ["Räder"]


async def test_every_kind_is_found_by_its_owner_alone(
    services: Services, make: Factory, away: Gateway, networks: Networks, api: httpx2.AsyncClient
) -> None:
    owned = await own_everything(services, make, networks)
    async with browsing(services, away, owned.user) as theirs:
        kinds = set()
        for query in ("commuter", "template", "cargo", "rain"):
            kinds |= {kind for kind, _ in await found(theirs, query)}
            assert await found(api, query) == []
        assert kinds == {"assistant", "template", "topic_tree", "post", "image"}


async def test_names_that_begin_so_come_first_and_no_more_than_five(api: httpx2.AsyncClient) -> None:
    for name in ("Snow", "Riding in snow", *(f"Deep snow {at}" for at in range(5))):
        await tree(api, name)
    hits = [name for _, name in await found(api, "snow")]
    assert hits == ["Snow", *(f"Deep snow {at}" for at in (4, 3, 2, 1))]


async def test_a_post_tells_when_it_is_planned(services: Services, api: httpx2.AsyncClient, user: User) -> None:
    at = datetime(2026, 11, 21, 9, tzinfo=UTC)
    async with services.sessions.begin() as session:
        session.add(Post(user_id=user.id, content="Snow", planned_at=at))
    await tree(api, "Snow")
    items = done(await api.get("/search/", params={"q": "snow"}))["items"]
    assert [(item["kind"], item["planned_at"]) for item in items] == [
        ("topic_tree", None),
        ("post", "2026-11-21T09:00:00Z"),
    ]


@pytest.mark.parametrize("state", [ApprovalState.waiting, ApprovalState.rewritten])
async def test_one_that_goes_out_as_soon_as_it_is_approved_has_no_time(
    services: Services, api: httpx2.AsyncClient, user: User, state: ApprovalState
) -> None:
    at = datetime(2126, 11, 21, 9, tzinfo=UTC)
    post = Post(id=new_id(), user_id=user.id, content="Snow", planned_at=at)
    asked = {"state": state, "at_deadline": AtDeadline.hold, "deadline_at": at, "at_once": True}
    async with services.sessions.begin() as session:
        session.add(post)
        await session.flush()
        session.add(Approval(user_id=user.id, post_id=post.id, content_hash=post.content_hash, **asked))
    [hit] = done(await api.get("/search/", params={"q": "snow"}))["items"]
    assert (hit["kind"], hit["planned_at"]) == ("post", None)


async def test_nothing_is_found_without_a_word(api: httpx2.AsyncClient) -> None:
    await tree(api, "Snow")
    assert await found(api, "") == await found(api, "   ") == []


async def test_among_five_thousand_of_each_it_is_found(services: Services, user: User, api: httpx2.AsyncClient) -> None:
    mine = {"user_id": user.id}
    picture = {"storage_key": "k", "mime": "image/png", "width": 1, "height": 1, "bytes": 1}
    rows: dict[type[Base], Callable[[int], dict[str, object]]] = {
        Assistant: lambda at: mine | {"name": f"Assistant number {at}"},
        Template: lambda at: mine | {"name": f"Template number {at}", "type": TemplateType.text},
        TopicTree: lambda at: mine | {"name": f"Tree number {at}"},
        Post: lambda at: mine | {"topic_title": f"Post number {at}", "content": "What it says. " * 80},
        Media: lambda at: mine | picture | {"name": f"Image number {at}", "sha256": str(at)},
    }
    async with services.sessions.begin() as session:
        for table, row in rows.items():
            await session.execute(insert(table), [row(at) for at in range(5000)])
    assert [name for _, name in await found(api, "number 4711")] == [
        f"{kind} number 4711" for kind in ("Assistant", "Template", "Tree", "Post", "Image")
    ]
