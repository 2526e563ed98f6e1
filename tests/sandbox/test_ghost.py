"""As Ghost's Admin API is, and as strict."""

import base64
import hmac
import json
import time
from io import BytesIO
from typing import Any

import httpx2
import pytest
from PIL import Image

from sandbox.ghost_keys import KEYS, GhostKey
from tests.sandbox.conftest import App

API = "/ghost/api/admin"
INTEGRATION, CONTRIBUTOR = GhostKey(""), GhostKey("tom-okafor")


def part(data: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(data).encode()).rstrip(b"=").decode()


def token(key: GhostKey = INTEGRATION, *, secret: str = "", head: dict[str, Any] | None = None, **claims: Any) -> str:
    now = int(time.time())
    told = {"alg": "HS256", "typ": "JWT", "kid": key.id} | (head or {})
    said = {"iat": now, "exp": now + 300, "aud": "/admin/"} | claims
    signed = f"{part(told)}.{part(said)}"
    digest = hmac.digest(bytes.fromhex(secret or key.secret), signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}"


async def call(app: App, method: str, path: str, given: str = "", **request: Any) -> httpx2.Response:
    headers = {"Authorization": f"Ghost {given or token()}", "Accept-Version": "v5.0"} | request.pop("headers", {})
    return await app.http.request(method, f"{API}{path}", headers=headers, **request)


async def made(app: App, **row: Any) -> dict[str, Any]:
    body = {"posts": [{"title": "Rain", "html": "<p>Wet</p>", "status": "draft"} | row]}
    answer = await call(app, "POST", "/posts/?source=html", json=body)
    assert answer.status_code == 201, answer.text
    [post] = answer.json()["posts"]
    return dict(post)


async def changed(app: App, post: dict[str, Any], key: GhostKey = INTEGRATION, **row: Any) -> httpx2.Response:
    body = {"posts": [{"updated_at": post["updated_at"]} | row]}
    return await call(app, "PUT", f"/posts/{post['id']}/?source=html", token(key), json=body)


def refused(answer: httpx2.Response, status: int, kind: str, code: str | None = None) -> None:
    [error] = answer.json()["errors"]
    assert (answer.status_code, error["type"], error["code"]) == (status, kind, code)


async def turn(app: App, **settings: Any) -> None:
    (await app.http.post("/sandbox/settings", json=settings)).raise_for_status()


async def test_an_article_is_seen_once_it_is_published(app: App) -> None:
    data = BytesIO()
    Image.new("RGB", (40, 30), "red").save(data, "JPEG")
    files = {"file": ("rain.jpg", data.getvalue(), "image/jpeg")}
    uploads = [await call(app, "POST", "/images/upload/", files=files, data={"ref": "r"}) for _ in range(2)]
    addresses = [answer.json()["images"][0]["url"] for answer in uploads]
    assert addresses[0].endswith("/rain.jpg")
    assert addresses[1].endswith("/rain-1.jpg")
    assert (await app.http.get(addresses[0])).headers["content-type"] == "image/jpeg"
    draft = await made(app, feature_image=addresses[0], feature_image_alt="A wet street", tags=["Rain", "#secret"])
    assert (draft["status"], draft["slug"]) == ("draft", "rain")
    assert await app.published() == []
    assert (await app.http.get("/sandbox/drafts", params={"slug": "rain"})).json() == [draft["id"]]
    for _ in range(2):  # as long as nothing is changed by it, it may come again
        answer = await changed(app, draft, status="published")
        assert answer.status_code == 200, answer.text
    address = answer.json()["posts"][0]["url"]
    [post] = await app.published()
    assert (post["title"], post["text"], post["images"][0]["alt_text"]) == ("Rain", "Wet", "A wet street")
    page = await app.http.get(address)
    assert "<h1>Rain</h1>" in page.text
    assert "<p>Wet</p>" in page.text
    assert "#Rain" in page.text
    assert "#secret" not in page.text, "internal tags are the staff's"
    for shown in ("/ghost/", "/"):
        assert "Wet" in (await app.http.get(shown)).text
    assert str(INTEGRATION) in (await app.http.get("/ghost/")).text
    assert (await call(app, "DELETE", f"/posts/{post['id']}/")).status_code == 204
    refused(await call(app, "DELETE", f"/posts/{post['id']}/"), 404, "NotFoundError")
    assert await app.published() == []


async def test_without_its_source_named_html_is_left_out(app: App) -> None:
    body = {"posts": [{"title": "Rain", "html": "<p>Wet</p>"}]}
    [post] = (await call(app, "POST", "/posts/", json=body)).json()["posts"]
    [read] = (await call(app, "GET", f"/posts/{post['id']}/?formats=html")).json()["posts"]
    assert read["html"] == ""


async def test_a_name_is_one_post_s_among_drafts_too(app: App) -> None:
    first, second = await made(app, slug="rain"), await made(app, slug="rain")
    assert (first["slug"], second["slug"]) == ("rain", "rain-2")
    [found] = (await call(app, "GET", "/posts/slug/rain/?include=tags")).json()["posts"]
    assert (found["id"], found["tags"]) == (first["id"], [])
    refused(await call(app, "GET", "/posts/slug/snow/"), 404, "NotFoundError")


async def test_who_has_not_seen_the_last_change_changes_nothing(app: App) -> None:
    post = await made(app)
    stale = post | {"updated_at": "2026-01-01T00:00:00.000Z"}
    refused(await changed(app, stale, title="Snow"), 409, "UpdateCollisionError", "UPDATE_COLLISION")
    refused(await changed(app, {**post, "updated_at": None}, title="Snow"), 422, "ValidationError")
    assert (await changed(app, stale, title="Rain")).status_code == 200, "that changes nothing"


@pytest.mark.parametrize(
    "row",
    [
        {"title": ""},
        {"title": "x" * 256},
        {"custom_excerpt": "x" * 301},
        {"feature_image_alt": "x" * 192},
        {"meta_title": "x" * 301},
        {"meta_description": "x" * 501},
        {"feature_image": "javascript:alert(1)"},
        {"status": "live"},
        {"tags": [7]},
        {"excerpt": "of another version"},
    ],
)
async def test_what_may_be_made(app: App, row: dict[str, Any]) -> None:
    body = {"posts": [{"title": "Rain"} | row]}
    refused(await call(app, "POST", "/posts/?source=html", json=body), 422, "ValidationError")


@pytest.mark.parametrize(
    ("given", "status", "kind", "code"),
    [
        (token(secret="00" * 32), 401, "UnauthorizedError", "INVALID_JWT"),
        (token(head={"kid": "00" * 12}), 401, "UnauthorizedError", "UNKNOWN_ADMIN_API_KEY"),
        (token(head={"kid": None}), 400, "BadRequestError", "MISSING_ADMIN_API_KID"),
        (token(head={"alg": "none"}), 401, "UnauthorizedError", "INVALID_JWT"),
        (token(aud="/content/"), 401, "UnauthorizedError", "INVALID_JWT"),
        (token(iat=int(time.time()) - 400), 401, "UnauthorizedError", "INVALID_JWT"),
        (token(exp=int(time.time()) - 1), 401, "UnauthorizedError", "INVALID_JWT"),
        ("a.b.c", 400, "BadRequestError", "INVALID_JWT"),
    ],
)
async def test_a_token_is_held_to_all_that_it_says(app: App, given: str, status: int, kind: str, code: str) -> None:
    refused(await call(app, "GET", "/posts/", given), status, kind, code)


async def test_everybody_does_what_they_may(app: App) -> None:
    post = await made(app)
    refused(await changed(app, post, CONTRIBUTOR, status="published"), 403, "NoPermissionError")
    roles = (await call(app, "GET", "/users/me/?include=roles", token(CONTRIBUTOR))).json()["users"][0]["roles"]
    assert roles == [{"name": "Contributor"}]
    refused(await call(app, "GET", "/users/me/"), 404, "NotFoundError")
    assert len({str(key) for key in KEYS.values()}) == len(KEYS)


async def test_a_site_goes_wrong_as_sites_do(app: App) -> None:
    refused(await call(app, "GET", "/invitations/"), 406, "RequestNotAcceptableError", "UPDATE_CLIENT")
    assert (await call(app, "GET", "/site/", headers={"Accept-Version": ""})).status_code == 400
    await turn(app, ghost_integrations=False)
    refused(await call(app, "GET", "/posts/"), 403, "HostLimitError")
    assert (await call(app, "GET", "/posts/", token(CONTRIBUTOR))).status_code == 200
    await turn(app, ghost_integrations=True, ghost_keys_removed=[INTEGRATION.id])
    refused(await call(app, "GET", "/posts/"), 401, "UnauthorizedError", "UNKNOWN_ADMIN_API_KEY")
    await turn(app, ghost_keys_removed=[], ghost_maintenance=True)
    refused(await call(app, "GET", "/site/"), 503, "MaintenanceError")


@pytest.mark.parametrize(
    ("fault", "status", "kind"),
    [
        ({"kind": "revoked"}, 401, "UnauthorizedError"),
        ({"kind": "status", "status": 403}, 403, "NoPermissionError"),
        ({"kind": "status", "status": 409}, 409, "UpdateCollisionError"),
        ({"kind": "rate_limited", "seconds": 7}, 429, "TooManyRequestsError"),
    ],
)
async def test_a_fault_is_worded_as_by_a_site(app: App, fault: dict[str, Any], status: int, kind: str) -> None:
    post = await made(app)
    await app.order_fault(on="posts", **fault)
    answer = await changed(app, post, status="published")
    assert (answer.status_code, answer.json()["errors"][0]["type"]) == (status, kind)
    assert answer.headers.get("retry-after") == ("7" if status == 429 else None)
    assert await app.published() == []
