"""Parts of an article that a writer makes for somebody who writes it. What its workflow does is done here by hand:
Temporal is away."""

from typing import Any
from uuid import UUID

import httpx2
import pytest

from core.ai.rules.generation import GenerationState
from core.articles.rules.articles import MAX_BODY
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.ai.test_model_calls import models
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_dry_runs import Modelled
from tests.api.test_post_writings import spoken, template
from tests.api.test_websites import an_article, site
from tests.conftest import browsing
from tests.factories import Factory
from tests.http_server import Server

__all__ = ["models", "site"]

BODY = "Write an article about ((Topic))."
HEADINGS = ["When", "Which"]


@pytest.fixture
async def path(api: httpx2.AsyncClient, site: dict[str, Any]) -> str:
    article = done(await api.post("/articles/", json=an_article(site)), 201)
    return f"/articles/{article['id']}/writings/"


async def by(api: httpx2.AsyncClient) -> dict[str, Any]:
    return {"template_id": await template(api, body=BODY), "inputs": {"Topic": "Winter tyres"}}


async def made(
    api: httpx2.AsyncClient, services: Services, user: User, path: str, order: dict[str, Any]
) -> dict[str, Any]:
    """Ordered, done by hand, and read as those of posts are."""
    queued = done(await api.post(f"{path}part/", json={"language": "en", **order}), 202)
    assert (queued["state"], queued["kind"], queued["text"], queued["outline"]) == ("queued", "part", "", None)
    assert await services.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
    found: dict[str, Any] = done(await api.get(f"/social-media-posts/{queued['post_id']}/writings/{queued['id']}/"))
    return found


async def test_an_article_comes_together_part_by_part(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    chosen = await by(api)
    outline = (await made(api, services, user, path, {"part": "outline", "by": chosen}))["outline"]
    assert "Winter tyres" in outline["title"]
    assert len(outline["headings"]) == 5
    text = ""
    for number, heading in enumerate(outline["headings"]):
        order = {"part": "section", "by": chosen, "number": number, "text": text, **outline}
        section = (await made(api, services, user, path, order))["text"]
        assert section
        assert heading not in section
        text += f"\n\n## {heading}\n\n{section}"
    told = {"title": outline["title"], "text": text}
    assert (await made(api, services, user, path, {"part": "summary", **told}))["text"]
    search = (await made(api, services, user, path, {"part": "search", **told}))["search"]
    assert search["title"]
    assert search["description"]
    assert done(await api.get(path.replace("writings/", "")))["content"].startswith("# When")  # as it was


async def test_each_part_may_be_wanted_again_with_a_remark_which_the_model_is_told(
    api: httpx2.AsyncClient, services: Services, away: Gateway, user: User, models: Server, path: str
) -> None:
    answers = {
        "outline": "Tyres\n## When\n## Why",
        "section": "## Which\n\nWide **ones**.",
        "summary": "When and which.",
        "search": "Tyres\nWide ones.",
        "revision": "# Better tyres\n\nWide ones.",
    }
    chosen = await by(api)
    async with Modelled(services, models) as own, browsing(own, away, user) as client:
        for part, answer in answers.items():
            models.answers("/v1/responses", spoken(answer))
            order = {
                "part": part,
                "by": chosen,
                "title": "Tyres",
                "headings": HEADINGS,
                "number": 1,
                "text": "Below 7.",
            }
            found = await made(client, own, user, path, order | {"remark": "Nobody cares for rubber"})
            assert "Nobody cares for rubber" in models.requests[-1].json["input"]
            assert found["input_tokens"]
            shown = {
                "outline": found["outline"] == {"title": "Tyres", "headings": ["When", "Why"]},
                "section": found["text"] == "Wide **ones**.",
                "summary": found["text"] == "When and which.",
                "search": found["search"] == {"title": "Tyres", "description": "Wide ones."},
                "revision": found["text"] == "# Better tyres\n\nWide ones.",
            }
            assert shown[part], found


@pytest.mark.parametrize(
    ("order", "fields"),
    [
        ({"part": "outline"}, {"template_id": ErrorCode.template_required}),
        ({"part": "section", "headings": ["A"], "number": 1, "by": {}}, {"number": ErrorCode.content_empty}),
        ({"part": "summary", "text": " "}, {"text": ErrorCode.content_empty}),
        ({"part": "search"}, {"text": ErrorCode.content_empty}),
        ({"part": "revision", "text": "a"}, {"remark": ErrorCode.content_empty}),
        ({"part": "summary", "text": "a" * (MAX_BODY + 1)}, {"text": ErrorCode.content_too_long}),
        ({"part": "summary", "text": "a", "remark": "a" * 1001}, {"remark": ErrorCode.content_too_long}),
    ],
)
async def test_what_lacks_is_told_at_its_field(
    api: httpx2.AsyncClient, path: str, order: dict[str, Any], fields: dict[str, ErrorCode]
) -> None:
    if "by" in order:
        order = order | {"by": await by(api)}
    assert wrong_fields(await api.post(f"{path}part/", json={"language": "en", **order})) == fields


async def test_headings_are_too_many_only_for_a_section(
    api: httpx2.AsyncClient, services: Services, user: User, path: str
) -> None:
    order = {"title": "Tyres", "headings": [f"No. {at}" for at in range(22)], "text": "Below 7.", "by": await by(api)}
    for part in ("outline", "summary", "search"):
        assert (await made(api, services, user, path, order | {"part": part}))["state"] == "succeeded"
    answer = await api.post(f"{path}part/", json={"language": "en", "part": "section", **order})
    assert wrong_fields(answer) == {"headings": ErrorCode.content_too_long}


async def test_only_articles_have_parts_and_nobody_elses(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, path: str
) -> None:
    order = {"part": "summary", "text": "a", "language": "en"}
    post = {"id": str(new_id()), "content": "Hi", "account_ids": [], "time_zone": "UTC", "language": "en"}
    done(await api.post("/social-media-posts/", json=post), 201)
    refused(await api.post(f"/articles/{post['id']}/writings/part/", json=order), 404, ErrorCode.not_found)
    async with browsing(services, away, await make.user()) as other:
        refused(await other.post(f"{path}part/", json=order), 404, ErrorCode.not_found)


async def test_a_passage_of_an_article_is_written_in_markdown(
    services: Services, away: Gateway, user: User, models: Server, path: str
) -> None:
    models.answers("/v1/responses", spoken("Below **five** degrees."))
    async with Modelled(services, models) as own, browsing(own, away, user) as client:
        order = {"text": "## When\n\nBelow seven.", "start": 9, "end": 21, "remark": "Five", "language": "en"}
        queued = done(await client.post(f"{path}passage/", json=order), 202)
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
        read = f"/social-media-posts/{queued['post_id']}/writings/{queued['id']}/"
        assert done(await client.get(read))["text"] == "Below **five** degrees."
    told = models.requests[-1].json["instructions"]
    assert "one passage of an article" in told
    assert "Markdown" in told


async def test_a_passage_of_an_article_keeps_its_code(
    services: Services, away: Gateway, user: User, models: Server, path: str
) -> None:
    code = '```python\nprint("a -- b")\n```'
    models.answers("/v1/responses", spoken(f'So sagt "man" es:\n\n{code}'))
    async with Modelled(services, models) as own, browsing(own, away, user) as client:
        text = f"## Wann\n\n{code}"
        order = {"text": text, "start": 9, "end": len(text), "remark": "Mit einem Satz davor", "language": "de"}
        queued = done(await client.post(f"{path}passage/", json=order), 202)
        assert await own.tryouts.make(user.id, UUID(queued["id"]), 1) is GenerationState.succeeded
        read = f"/social-media-posts/{queued['post_id']}/writings/{queued['id']}/"
        assert done(await client.get(read))["text"] == f"So sagt „man“ es:\n\n{code}"
