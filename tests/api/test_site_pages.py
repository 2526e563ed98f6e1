"""Websites connected by a page of their own, which hands out a password: over the API, against the stand-in."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest

from core.container import Services
from core.errors import ErrorCode
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import Networks, browsing
from tests.factories import Factory

LEAVE, BACK = "/websites/connect/wordpress/page/", "/websites/connect/wordpress/callback/"


async def leave(api: httpx2.AsyncClient, networks: Networks) -> str:
    address: str = done(await api.post(LEAVE, json={"site": networks.url, "language": "de"}))["address"]
    return address


async def consent(address: str, answer: str = "sandbox_person=ada-lindqvist") -> dict[str, Any]:
    """What a person does there, and what our page makes of the address that they come back to."""
    async with httpx2.AsyncClient() as browser:
        sent = await browser.get(f"{address}&{answer}")
    assert sent.status_code == 302, sent.text
    back = urlsplit(sent.headers["location"])
    assert back.path == "/account/connect/wordpress/callback/"
    told = {name: values[0] for name, values in parse_qs(back.query).items()}
    allowed = told.pop("success", "") != "false"
    return told | {"allowed": allowed}


@pytest.fixture(autouse=True)
async def _usual(networks: Networks) -> AsyncIterator[None]:
    await networks.calm()
    yield
    done(await networks.client.post("/sandbox/settings", json={"wordpress_passwords": True}))


async def test_a_site_is_connected_by_its_own_page_and_called_by_its_own_name(
    api: httpx2.AsyncClient, networks: Networks
) -> None:
    [kind] = [one for one in done(await api.get("/websites/kinds/")) if one["kind"] == "wordpress"]
    assert kind["page"] is True
    address = await leave(api, networks)
    asked = parse_qs(urlsplit(address).query)
    assert asked["app_name"] == ["Postloom"]
    assert len(asked["app_id"][0]) == 36
    back = await consent(address)
    site = done(await api.post(BACK, json=back), 201)
    assert (site["name"], site["language"], site["handle"]) == ("Sandbox Times", "de", "ada-lindqvist")
    assert site["state"] == "connected"
    # once, and never shown again
    refused(await api.post(BACK, json=back), 422, ErrorCode.connect_used)
    assert back["password"] not in (await api.get(f"/websites/{site['id']}/")).text
    # connected again it is the same, called as its user calls it
    done(await api.put(f"/websites/{site['id']}/", json={"name": "Mine", "language": "en", "version": 1}))
    again = done(await api.post(BACK, json=await consent(await leave(api, networks))), 201)
    assert (again["id"], again["name"]) == (site["id"], "Mine")


async def test_who_says_no_is_told_so(api: httpx2.AsyncClient, networks: Networks) -> None:
    back = await consent(await leave(api, networks), "sandbox_cancel=1")
    assert back["allowed"] is False
    refused(await api.post(BACK, json=back), 422, ErrorCode.connect_denied)
    assert done(await api.get("/websites/")) == []


@pytest.mark.parametrize("told", ["https://elsewhere.example", "http://127.0.0.1:1", "", "javascript:alert(1)"])
async def test_a_password_of_another_site_is_shown_to_none(
    api: httpx2.AsyncClient, networks: Networks, told: str
) -> None:
    back = await consent(await leave(api, networks))
    refused(await api.post(BACK, json=back | {"site_url": told}), 422, ErrorCode.connect_site_differs)
    assert done(await api.get("/websites/")) == []


async def test_nobody_else_finishes_what_a_browser_began(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, networks: Networks, user: User
) -> None:
    back = await consent(await leave(api, networks))
    async with browsing(services, away, await make.user("stranger@example.org")) as stranger:
        refused(await stranger.post(BACK, json=back), 422, ErrorCode.connect_expired)
    async with browsing(services, away, user) as other_browser:  # without the cookie
        refused(await other_browser.post(BACK, json=back), 422, ErrorCode.connect_expired)
    refused(await api.post(BACK, json=back | {"state": "x" * 43}), 422, ErrorCode.connect_expired)
    done(await api.post(BACK, json=back), 201)


async def test_what_is_wrong_with_the_user_is_told_without_a_form(api: httpx2.AsyncClient, networks: Networks) -> None:
    back = await consent(await leave(api, networks), "sandbox_person=tom-okafor")
    problem = refused(await api.post(BACK, json=back), 422, ErrorCode.connect_may_not_publish)
    assert problem["errors"] == []
    assert back["password"] not in str(problem)


async def test_a_site_without_that_page_says_so_at_its_field(api: httpx2.AsyncClient, networks: Networks) -> None:
    done(await networks.client.post("/sandbox/settings", json={"wordpress_passwords": False}))
    answer = await api.post(LEAVE, json={"site": networks.url, "language": "en"})
    assert wrong_fields(answer, ErrorCode.connect_app_passwords_off) == {
        "fields.site": ErrorCode.connect_app_passwords_off
    }
    for site in ("", "http://127.0.0.1:1", "localhost"):
        answer = await api.post(LEAVE, json={"site": site, "language": "en"})
        assert [one["field"] for one in answer.json()["errors"]] == ["fields.site"]


async def test_a_network_has_no_such_page(api: httpx2.AsyncClient) -> None:
    answer = await api.post("/websites/connect/linkedin/page/", json={"site": "x", "language": "en"})
    refused(answer, 404, ErrorCode.not_found)
