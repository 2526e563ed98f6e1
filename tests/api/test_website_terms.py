"""Categories and tags of websites over the API, as the stand-in for WordPress has them."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx2
import pytest
from sqlalchemy import update

from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.users.tables.users import User
from core.websites.tables.websites import Website
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_websites import a_form, an_article, edited
from tests.conftest import Networks


@pytest.fixture
async def site(api: httpx2.AsyncClient, networks: Networks) -> AsyncIterator[dict[str, Any]]:
    await networks.calm()
    yield done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    usual = {"wordpress_more_categories": 0, "wordpress_gone_category": 0, "wordpress_maintenance": False}
    done(await networks.client.post("/sandbox/settings", json=usual))


async def turn(networks: Networks, **settings: Any) -> None:
    done(await networks.client.post("/sandbox/settings", json=settings))


async def test_all_of_them_are_read_however_many_there_are(
    api: httpx2.AsyncClient, networks: Networks, site: dict[str, Any]
) -> None:
    path = f"/websites/{site['id']}/terms/"
    found = done(await api.get(path))
    assert [(one["name"], one["depth"]) for one in found["categories"]] == [
        ("News", 0),
        ("Town & country", 1),
        ("Uncategorized", 0),
    ]
    assert found["sorts"]
    assert found["read_at"]
    await turn(networks, wordpress_more_categories=230)
    assert done(await api.get(path))["read_at"] == found["read_at"]  # kept for a while
    assert len(done(await api.post(path))["categories"]) == 233


async def test_what_a_site_says_no_more_is_shown_as_it_was_with_the_reason(
    api: httpx2.AsyncClient, networks: Networks, services: Services, site: dict[str, Any]
) -> None:
    path = f"/websites/{site['id']}/terms/"
    before = done(await api.get(path))
    await turn(networks, wordpress_maintenance=True)
    async with services.sessions.begin() as session:
        old = utcnow() - timedelta(hours=1)
        await session.execute(update(Website).where(Website.id == UUID(site["id"])).values(terms_at=old))
    found = done(await api.get(path))
    assert (found["categories"], found["error_code"]) == (before["categories"], ErrorCode.provider_unavailable)
    refused(await api.get(f"/websites/{uuid4()}/terms/"), 404, ErrorCode.not_found)


async def test_a_category_that_is_gone_is_told_at_its_field_by_its_name(
    api: httpx2.AsyncClient, networks: Networks, site: dict[str, Any]
) -> None:
    done(await api.get(f"/websites/{site['id']}/terms/"))
    body = an_article(site, fields={"categories": ["3", "4"]})
    article = done(await api.post("/articles/", json=body), 201)
    await turn(networks, wordpress_gone_category=4)
    assert done(await api.post(f"/websites/{site['id']}/terms/"))["gone"] == {"4": "Town & country"}
    answer = await api.post(f"/social-media-posts/{article['id']}/publish/", json={"version": article["version"]})
    assert wrong_fields(answer, ErrorCode.category_gone) == {"fields.categories": ErrorCode.category_gone}
    assert answer.json()["errors"][0]["params"] == {"category": "Town & country"}
    # nothing is lost, and without it it goes out
    kept = done(await api.get(f"/articles/{article['id']}/"))
    assert kept["fields"]["categories"] == ["3", "4"]
    fields = body["fields"] | {"categories": ["3"]}
    kept = done(await api.put(f"/articles/{article['id']}/", json=edited(kept, body, fields=fields)))["article"]
    done(await api.post(f"/social-media-posts/{article['id']}/publish/", json={"version": kept["version"]}))


async def test_one_that_is_gone_without_anybody_knowing_fails_with_its_number(
    api: httpx2.AsyncClient, networks: Networks, services: Services, user: User, site: dict[str, Any]
) -> None:
    body = an_article(site, fields={"categories": ["4"]})
    article = done(await api.post("/articles/", json=body), 201)
    await turn(networks, wordpress_gone_category=4)
    done(await api.post(f"/social-media-posts/{article['id']}/publish/", json={"version": article["version"]}))
    article = done(await api.get(f"/articles/{article['id']}/"))
    await services.staging.stage(user.id, UUID(article["deliveries"][0]["id"]))
    await services.publishing.end(user.id, UUID(article["id"]))
    failed = done(await api.get(f"/articles/{article['id']}/"))
    [delivery] = failed["deliveries"]
    assert (failed["status"], delivery["error_code"]) == ("failed", ErrorCode.category_gone)
    assert delivery["error_detail"] == "there is no category 4"
    assert failed["content"] == body["content"]
