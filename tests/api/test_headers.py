"""What every answer carries, and what a request may be."""

import re
from collections.abc import AsyncIterator, Iterator
from functools import cache

import httpx2
import pytest
from fastapi import FastAPI

from api.app import connected_app
from api.middleware import headers
from api.web_app import WEB
from core.container import Services
from core.errors import ErrorCode
from core.settings import ROOT, Settings
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused
from tests.api.operations import operations
from tests.factories import Factory

SITE = "https://post.example.org"
JSON = {"Content-Type": "application/json"}
MEGABYTE = 1024 * 1024


@cache
def _app() -> FastAPI:
    """One for all tests: building its routes takes longer than most of them."""
    return connected_app(Settings(environment="test", public_url=SITE))


@pytest.fixture
async def site(services: Services, away: Gateway) -> AsyncIterator[httpx2.AsyncClient]:
    """The app as served at an address of its own, with TLS."""
    app = _app()
    app.state.services, app.state.gateway = services, away
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url=SITE) as client:
        yield client


def is_guarded(answer: httpx2.Response, *, secure: bool) -> None:
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["script-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["object-src"] == policy["base-uri"] == "'none'"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["x-frame-options"] == "DENY"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "camera=()" in answer.headers["permissions-policy"]
    assert answer.headers["cross-origin-opener-policy"] == "same-origin"
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    assert ("strict-transport-security" in answer.headers) is secure


PLACES = [
    ("GET", "/healthz", 200),
    ("GET", "/readyz", 503),
    ("GET", "/api/docs", 200),
    ("GET", "/api/openapi.json", 200),
    ("GET", "/api/users/me/", 401),
    ("GET", "/api/nothing/", 404),
    ("PUT", "/api/auth/login/", 405),
    ("POST", "/api/auth/login/", 422),
    ("GET", "/nothing.js", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), PLACES)
async def test_every_answer_is_guarded(site: httpx2.AsyncClient, method: str, path: str, status: int) -> None:
    answer = await site.request(method, path)
    assert answer.status_code == status
    is_guarded(answer, secure=True)
    if path.startswith("/api/"):
        assert answer.headers["cache-control"] == "no-store"


async def test_pages_and_files_are_guarded(site: httpx2.AsyncClient) -> None:
    built = [file for file in WEB.rglob("*") if file.is_file()][:20]
    for path in ["", "assistants/123", *(str(file.relative_to(WEB)) for file in built)]:
        is_guarded(await site.get(f"/{path}"), secure=True)


async def test_a_defect_is_guarded(site: httpx2.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    async def broken(*_: object) -> object:
        raise RuntimeError("it is broken")

    monkeypatch.setattr("core.users.identity.IdentityService.sign_in_by_link", broken)
    answer = await site.post("/api/auth/link/", json={"token": "x"})
    refused(answer, 500, ErrorCode.internal)
    is_guarded(answer, secure=True)


async def test_without_tls_browsers_are_not_told_to_insist_on_it(anonymous: httpx2.AsyncClient) -> None:
    is_guarded(await anonymous.get("/users/me/"), secure=False)


async def test_what_no_method_fits_says_which_do(anonymous: httpx2.AsyncClient) -> None:
    answer = await anonymous.delete("/auth/login/")
    refused(answer, 405, ErrorCode.invalid_input)
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("path", ["/healthz", "/api/users/me/", "/api/openapi.json", "/assistants"])
async def test_what_was_sent_is_not_sent_back(site: httpx2.AsyncClient, path: str) -> None:
    answer = await site.request("TRACE", path, headers={"Authorization": "Bearer a-secret"})
    assert answer.status_code == 405
    assert "a-secret" not in answer.text


@pytest.mark.parametrize("path", ["/healthz", "/api/openapi.json", "/api/users/me/", "/api/system/public/", "/api/no/"])
async def test_head_is_get_without_its_body(site: httpx2.AsyncClient, path: str) -> None:
    asked, whole = await site.head(path), await site.get(path)
    assert whole.content
    assert asked.content == b""
    assert asked.status_code == whole.status_code
    names = ("content-type", "content-length", "cache-control", "content-security-policy")
    assert [asked.headers.get(name) for name in names] == [whole.headers.get(name) for name in names]


async def test_head_changes_nothing(site: httpx2.AsyncClient) -> None:
    answer = await site.head("/api/auth/login/")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_pages_need_no_script_of_their_own() -> None:
    """The policy would stop it."""
    page = (ROOT / "frontend" / "index.html").read_text()
    assert all("src=" in script for script in re.findall(r"<script\b[^>]*>", page))
    assert not re.search(r"\son\w+=", page)


async def test_the_docs_tell_of_every_operation_without_any_script(site: httpx2.AsyncClient) -> None:
    page = (await site.get("/api/docs")).text
    assert "<script" not in page
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)
    for operation in operations():
        assert f'<details id="{operation.name}">' in page
    links = set(re.findall(r'href="#([^"]+)"', page))
    assert len(links) > 50
    assert links <= set(re.findall(r'id="([^"]+)"', page))


# other origins


async def test_only_its_own_pages_may_call(site: httpx2.AsyncClient) -> None:
    asks = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
    answer = await site.options("/api/auth/login/", headers={"Origin": SITE, **asks})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, SITE)
    is_guarded(answer, secure=True)
    for origin in ("https://evil.example", "http://post.example.org", f"{SITE}.evil.example", "null"):
        refusal = await site.options("/api/auth/login/", headers={"Origin": origin, **asks})
        assert refusal.status_code == 400
        plain = await site.get("/api/users/me/", headers={"Origin": origin})
        for given in (refusal, plain):
            assert "access-control-allow-origin" not in given.headers
            assert "access-control-allow-credentials" not in given.headers
    own = await site.get("/api/users/me/", headers={"Origin": SITE})
    assert own.headers["access-control-allow-origin"] == SITE
    assert "Origin" in own.headers["vary"]


# sizes


@pytest.mark.parametrize(
    ("path", "most"), [("/topics/", 16), ("/topics/preview/", 16), ("/templates/", 1), ("/auth/login/", 0.06)]
)
@pytest.mark.parametrize("announced", [True, False])
async def test_a_body_that_is_too_large_is_not_read(
    api: httpx2.AsyncClient, path: str, most: float, announced: bool
) -> None:
    given = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal given
        yield b'{"name": "'
        while given < 64:
            given += 1
            yield b"x" * MEGABYTE

    headers = JSON | ({"Content-Length": str(int(-(-most // 1) * MEGABYTE) + 1)} if announced else {})
    answer = await api.post(path, content=endless(), headers=headers)
    assert refused(answer, 413, ErrorCode.too_large)["params"] == {"limit": most}
    assert given <= (0 if announced else most + 1)
    is_guarded(answer, secure=False)


async def test_a_body_of_just_the_size_is_read(api: httpx2.AsyncClient) -> None:
    body = b'{"name": ""}'.ljust(MEGABYTE)
    refused(await api.post("/templates/", content=body, headers=JSON), 422, ErrorCode.invalid_input)
    refused(await api.post("/templates/", content=body + b" ", headers=JSON), 413, ErrorCode.too_large)


def nested(depth: int) -> Iterator[bytes]:
    for opened, closed in ((b"[", b"]"), (b'{"a":', b"}")):
        yield opened * depth + b"1" + closed * depth


@pytest.mark.parametrize("depth", [50, 200, 400, 700, 900, 1000, 5000, 10_000])
async def test_deep_nesting_is_bad_input(api: httpx2.AsyncClient, depth: int) -> None:
    for deep in nested(depth):
        for body in (deep, b'{"name": "x", "variables": {"a": ' + deep + b"}}", b'{"email": ' + deep + b"}"):
            for path in ("/assistants/", "/schedules/preview/", "/auth/login/", "/auth/forgot/", "/invitations/"):
                answer = await api.post(path, content=body, headers=JSON)
                refused(answer, 422, ErrorCode.invalid_input)
                assert len(answer.content) < 20_000


async def test_very_many_fields_are_bad_input(api: httpx2.AsyncClient) -> None:
    many = "{" + ",".join(f'"{at}":1' for at in range(80_000)) + "}"
    for body in (many, f'{{"name": "x", "variables": {many}}}', f"[{'1,' * 200_000}1]"):
        answer = await api.post("/assistants/", content=body.encode(), headers=JSON)
        refused(answer, 422, ErrorCode.invalid_input)
        assert len(answer.content) < 100_000
    done(await api.get("/assistants/"))


async def test_what_is_large_travels_compressed_where_the_caller_can_read_that(
    api: httpx2.AsyncClient, make: Factory, user: User
) -> None:
    tree = await make.tree(user, "- Root\n" + "".join(f"-- Topic {at}\n" for at in range(500)))
    path = f"/topics/{tree}/"
    small = await api.get("/users/me/", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in small.headers
    packed = await api.get(path, headers={"Accept-Encoding": "gzip"})
    plain = await api.get(path, headers={"Accept-Encoding": "identity"})
    assert (packed.headers["content-encoding"], "content-encoding" in plain.headers) == ("gzip", False)
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"]) / 4


def test_hosts_below_are_spoken_for_by_a_setting_alone() -> None:
    plain = headers(SITE)["Strict-Transport-Security"]
    assert headers(SITE, hsts_subdomains=True)["Strict-Transport-Security"] == f"{plain}; includeSubDomains"
    assert "includeSubDomains" not in plain
