"""A running sandbox and an app that speaks to it as LinkedIn's documentation says."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx2
import pytest

from sandbox.app import Sandbox, run_sandbox

REDIRECT = "http://127.0.0.1:8000/account/connect/linkedin/callback/"
MEMBER_SCOPES = "openid profile email w_member_social"
PAGE_SCOPES = "w_organization_social r_organization_social rw_organization_admin"
ADA = "urn:li:person:ada-lindqvist"
COFFEE = "urn:li:organization:2414183"
APP = {"client_id": "app-1", "client_secret": "secret-1"}


@dataclass(frozen=True)
class App:
    """What a client of LinkedIn does."""

    http: httpx2.AsyncClient

    async def authorize(self, scopes: str = MEMBER_SCOPES, **extra: str) -> dict[str, str]:
        """The parameters the browser is sent back with."""
        query = {
            "response_type": "code",
            "client_id": APP["client_id"],
            "redirect_uri": REDIRECT,
            "state": "s/1",
            "scope": scopes,
        }
        answer = await self.http.get("/oauth/v2/authorization", params=query | extra)
        assert answer.status_code == 302
        assert answer.headers["location"].startswith(REDIRECT)
        return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}

    async def exchange(self, **form: str) -> httpx2.Response:
        return await self.http.post("/oauth/v2/accessToken", data={"redirect_uri": REDIRECT, **APP, **form})

    async def sign_in(self, scopes: str = MEMBER_SCOPES, person: str = "ada-lindqvist") -> dict[str, Any]:
        returned = await self.authorize(scopes, sandbox_person=person)
        answer = await self.exchange(grant_type="authorization_code", code=returned["code"])
        assert answer.status_code == 200, answer.text
        granted: dict[str, Any] = answer.json()
        return granted

    async def headers(self, scopes: str = MEMBER_SCOPES) -> dict[str, str]:
        granted = await self.sign_in(scopes)
        return {
            "Authorization": f"Bearer {granted['access_token']}",
            "LinkedIn-Version": "202609",
            "X-Restli-Protocol-Version": "2.0.0",
        }

    async def publish(
        self, headers: dict[str, str], commentary: str, author: str = ADA, **more: Any
    ) -> httpx2.Response:
        return await self.http.post("/rest/posts", headers=headers, json=a_post(commentary, author, **more))

    async def published(self) -> list[dict[str, Any]]:
        posts: list[dict[str, Any]] = (await self.http.get("/sandbox/posts")).json()
        return posts

    async def order_fault(self, **fault: Any) -> None:
        answer = await self.http.post("/sandbox/faults", json=fault)
        assert answer.status_code == 201, answer.text

    async def read(self, headers: dict[str, str], urn: str) -> httpx2.Response:
        return await self.http.get(f"/rest/posts/{quote(urn, safe='')}", headers=headers)


def a_post(commentary: str, author: str = ADA, **more: Any) -> dict[str, Any]:
    return {
        "author": author,
        "commentary": commentary,
        "visibility": "PUBLIC",
        "distribution": {
            "feedDistribution": "MAIN_FEED",
            "targetEntities": [],
            "thirdPartyDistributionChannels": [],
        },
        "lifecycleState": "PUBLISHED",
        "isReshareDisabledByAuthor": False,
        **more,
    }


@pytest.fixture(scope="session")
async def sandbox(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sandbox]:
    async with run_sandbox(tmp_path_factory.mktemp("sandbox")) as sandbox:
        yield sandbox


@pytest.fixture
async def app(sandbox: Sandbox) -> AsyncIterator[App]:
    """An app that nobody has used before, on a sandbox that remembers nothing."""
    async with httpx2.AsyncClient(base_url=sandbox.url) as http:
        await http.delete("/sandbox/state?all=true")
        yield App(http)
