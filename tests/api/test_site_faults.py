"""What goes wrong at WordPress sites, over the API: each is told where it can be mended, and nothing is lost."""

from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx2
import pytest

from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode, ProviderError
from core.users.tables.users import User
from tests.api.conftest import done
from tests.api.operations import PICTURE
from tests.api.test_websites import a_form, an_article
from tests.conftest import Networks

USUAL = {
    "wordpress_rest": True,
    "wordpress_passwords": True,
    "wordpress_strips_login": False,
    "wordpress_maintenance": False,
    "wordpress_reviews": False,
    "wordpress_dates_ahead": 0,
    "wordpress_time_zone": "UTC",
    "wordpress_redirects": "",
}


@pytest.fixture(autouse=True)
async def _usual(networks: Networks) -> AsyncIterator[None]:
    await networks.calm()
    yield
    await turn(networks, **USUAL)
    await networks.calm()


async def turn(networks: Networks, **settings: Any) -> None:
    done(await networks.client.post("/sandbox/settings", json=settings))


@pytest.mark.parametrize(
    ("turned", "changes", "field", "code"),
    [
        ({"wordpress_maintenance": True}, {}, "site", ErrorCode.connect_site_answers_page),
        ({"wordpress_rest": False}, {}, "site", ErrorCode.connect_site_rest_off),
        ({"wordpress_strips_login": True}, {}, "site", ErrorCode.connect_site_login_lost),
        ({"wordpress_passwords": False}, {}, "app_password", ErrorCode.connect_app_passwords_off),
        ({"wordpress_redirects": "http://10.0.0.7/wp-json/"}, {}, "site", ErrorCode.connect_site_unreachable),
        ({"wordpress_redirects": "https://169.254.169.254/"}, {}, "site", ErrorCode.connect_site_unreachable),
        ({}, {"username": "tom-okafor"}, "username", ErrorCode.connect_may_not_publish),
    ],
    ids=["maintenance", "REST off", "login lost", "no passwords", "inside", "metadata", "contributor"],
)
async def test_why_a_site_is_not_connected_stands_at_its_field(
    api: httpx2.AsyncClient,
    networks: Networks,
    turned: dict[str, Any],
    changes: dict[str, str],
    field: str,
    code: ErrorCode,
) -> None:
    await turn(networks, **turned)
    answer = await api.post("/websites/connect/wordpress/", json=a_form(networks, **changes))
    assert answer.status_code == 422
    assert [(one["field"], one["code"]) for one in answer.json()["errors"]] == [(f"fields.{field}", code)]
    assert done(await api.get("/websites/")) == []


async def tried(api: httpx2.AsyncClient, services: Services, user: User, networks: Networks) -> Any:
    """An article with an image, on its way to a site that works."""
    site = done(await api.post("/websites/connect/wordpress/", json=a_form(networks)), 201)
    media = done(await api.post("/media/", files={"file": ("a.png", PICTURE, "image/png")}), 201)["id"]
    body = an_article(site, featured={"media_id": media, "alt": "A red bicycle"})
    article = done(await api.post("/articles/", json=body), 201)
    publish = {"version": article["version"]}
    done(await api.post(f"/social-media-posts/{article['id']}/publish/", json=publish))
    return done(await api.get(f"/articles/{article['id']}/"))


async def at_once() -> None:
    return


@pytest.mark.parametrize(
    ("turned", "fault", "state", "code"),
    [
        ({"wordpress_maintenance": True}, None, "retrying", ErrorCode.provider_unavailable),
        ({"wordpress_rest": False}, None, "held", ErrorCode.delivery_needs_reconnect),
        ({"wordpress_strips_login": True}, None, "held", ErrorCode.delivery_needs_reconnect),
        ({"wordpress_reviews": True}, None, "failed", ErrorCode.delivery_held_for_review),
        ({"wordpress_dates_ahead": 3600}, None, "failed", ErrorCode.delivery_planned_by_site),
        ({"wordpress_redirects": "http://10.0.0.7/"}, None, "failed", ErrorCode.delivery_refused),
        ({}, {"on": "upload", "status": 413}, "failed", ErrorCode.image_refused),
        ({}, {"on": "posts", "status": 403, "code": "rest_cannot_publish"}, "held", ErrorCode.delivery_needs_reconnect),
        ({}, {"on": "posts", "status": 403}, "held", ErrorCode.delivery_needs_reconnect),
    ],
    ids=[
        "maintenance",
        "REST off",
        "login lost",
        "review",
        "its zone",
        "inside",
        "413",
        "may not publish",
        "forbidden",
    ],
)
async def test_why_an_article_did_not_go_out_stands_at_it_and_nothing_is_lost(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    networks: Networks,
    turned: dict[str, Any],
    fault: dict[str, Any] | None,
    state: str,
    code: ErrorCode,
) -> None:
    article = await tried(api, services, user, networks)
    delivery_id = UUID(article["deliveries"][0]["id"])
    await turn(networks, **turned)
    if fault:
        await networks.fail(kind="status", **fault)
    with suppress(ProviderError):  # what may pass is tried again by its workflow
        await services.staging.stage(user.id, delivery_id)
        await services.delivering.deliver(user.id, delivery_id, wait=at_once)
    after = done(await api.get(f"/articles/{article['id']}/"))
    [delivery] = after["deliveries"]
    assert (delivery["state"], delivery["error_code"]) == (state, code)
    assert (after["content"], after["fields"], after["featured"]["media_id"]) == (
        article["content"],
        article["fields"],
        article["featured"]["media_id"],
    )
    log = done(await api.get(f"/social-media-posts/{article['id']}/log/"))
    assert log[-1]["error_code"] == code


@pytest.mark.parametrize("dated", [None, timedelta(hours=5)])
@pytest.mark.parametrize("zone", ["Pacific/Auckland", "America/Los_Angeles"])
async def test_an_article_is_dated_now_wherever_its_site_is(
    api: httpx2.AsyncClient,
    services: Services,
    user: User,
    networks: Networks,
    zone: str,
    dated: timedelta | None,
) -> None:
    """Also where somebody at the site has given its draft another date meanwhile."""
    await turn(networks, wordpress_time_zone=zone)
    article = await tried(api, services, user, networks)
    delivery_id = UUID(article["deliveries"][0]["id"])
    await services.staging.stage(user.id, delivery_id)
    posts, ada = f"{networks.url}/wp-json/wp/v2/posts", ("ada-lindqvist", "a" * 24)
    if dated:
        named = {"status": "draft", "slug": article["fields"]["slug"]}
        [draft] = (await networks.client.get(posts, params=named, auth=ada)).json()
        date = (utcnow() + dated).replace(tzinfo=None).isoformat(timespec="seconds")
        assert (await networks.client.post(f"{posts}/{draft['id']}", json={"date_gmt": date}, auth=ada)).is_success
    await services.delivering.deliver(user.id, delivery_id, wait=at_once)
    [row] = (await networks.client.get(posts, params={"slug": article["fields"]["slug"]})).json()
    moment = datetime.fromisoformat(row["date_gmt"]).replace(tzinfo=UTC)
    assert abs(utcnow() - moment) < timedelta(minutes=1)
    assert datetime.fromisoformat(row["date"]).replace(tzinfo=ZoneInfo(zone)) == moment
    after = done(await api.get(f"/articles/{article['id']}/"))
    went_out = datetime.fromisoformat(after["deliveries"][0]["settled_at"])
    assert abs(went_out - moment) < timedelta(minutes=1), "here it says the same"
