"""As WordPress's REST API is, and as strict."""

import hashlib
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any

import httpx2
import pytest
import time_machine
from PIL import Image

from tests.sandbox.conftest import App

API = "/wp-json/wp/v2"
PASSWORD = "abcd EFGH 1234 abcd EFGH 5678"
ADMINISTRATOR, EDITOR, CONTRIBUTOR = "ada-lindqvist", "jonas-weber", "tom-okafor"
AUTHOR = "nora-feld"


def a_picture(colour: str = "red") -> bytes:
    data = BytesIO()
    Image.new("RGB", (40, 30), colour).save(data, "JPEG")
    return data.getvalue()


async def call(app: App, method: str, path: str, person: str = EDITOR, **request: Any) -> httpx2.Response:
    return await app.http.request(method, f"{API}{path}", auth=(person, PASSWORD), **request)


async def made(app: App, person: str = EDITOR, **body: Any) -> dict[str, Any]:
    answer = await call(app, "POST", "/posts", person, json={"title": "Rain", "content": "<p>Wet</p>", **body})
    assert answer.status_code == 201, answer.text
    post: dict[str, Any] = answer.json()
    return post


async def uploaded(app: App, data: bytes | None = None, person: str = EDITOR, **headers: str) -> httpx2.Response:
    told = {"Content-Type": "image/jpeg", "Content-Disposition": 'attachment; filename="rain.jpg"', **headers}
    content = a_picture() if data is None else data
    given = {name: value for name, value in told.items() if value}
    return await call(app, "POST", "/media", person, content=content, headers=given)


def refused(answer: httpx2.Response, status: int, code: str) -> None:
    told = answer.json()
    assert (answer.status_code, told["code"], told["data"]["status"]) == (status, code, status)
    assert told["message"]


async def turn(app: App, **settings: Any) -> None:
    (await app.http.post("/sandbox/settings", json=settings)).raise_for_status()


async def test_an_article_is_seen_once_it_is_published(app: App) -> None:
    media = (await uploaded(app)).json()
    await call(app, "POST", f"/media/{media['id']}", json={"alt_text": "A wet street"})
    tag = (await call(app, "POST", "/tags", json={"name": "Rain & wind"})).json()
    assert tag["name"] == "Rain &amp; wind"
    draft = await made(app, slug="wet", featured_media=media["id"], tags=[tag["id"]], categories=[3])
    assert (draft["status"], draft["link"]) == ("draft", f"http://{app.http.base_url.netloc.decode()}/?p={draft['id']}")
    assert draft["content"]["raw"] == "<p>Wet</p>"
    assert await app.published() == []
    assert (await app.http.get("/", params={"p": draft["id"]})).status_code == 404
    for _ in range(2):
        answer = await call(app, "POST", f"/posts/{draft['id']}", json={"status": "publish"})
        assert (answer.status_code, answer.json()["status"], answer.json()["slug"]) == (200, "publish", "wet")
    [post] = await app.published()
    assert (post["title"], post["text"], post["images"][0]["alt_text"]) == ("Rain", "Wet", "A wet street")
    for address in (answer.json()["link"], f"/?p={draft['id']}"):
        page = await app.http.get(address)
        assert "<h1>Rain</h1>" in page.text
        assert "<p>Wet</p>" in page.text
        assert 'alt="A wet street"' in page.text
        assert "#Rain &amp; wind" in page.text
        assert "script-src 'none'" in page.headers["content-security-policy"]
    assert "Wet" in (await app.http.get("/wp-admin/edit.php")).text
    assert "Wet" in (await app.http.get("/")).text


async def test_a_taken_name_gets_a_number_once_it_is_seen(app: App) -> None:
    first, second = await made(app, slug="rain"), await made(app, slug="rain")
    assert (first["slug"], second["slug"]) == ("rain", "rain"), "drafts may be called alike"
    names = []
    for post in (first, second):
        answer = await call(app, "POST", f"/posts/{post['id']}", json={"status": "publish"})
        names.append(answer.json()["slug"])
    assert names == ["rain", "rain-2"]
    assert (await made(app, title="Rain", status="publish"))["slug"] == "rain-3"
    assert (await uploaded(app)).json()["slug"] == "rain-4", "pictures share them"


@pytest.mark.parametrize(
    ("person", "body", "status", "code"),
    [
        (CONTRIBUTOR, {"status": "publish"}, 403, "rest_cannot_publish"),
        (CONTRIBUTOR, {"status": "pending"}, 0, ""),
        (AUTHOR, {"status": "publish"}, 0, ""),
        (ADMINISTRATOR, {"status": "publish"}, 0, ""),
        (EDITOR, {"status": "sent"}, 400, "rest_invalid_param"),
        (EDITOR, {"title": ["Rain"]}, 400, "rest_invalid_param"),
        (EDITOR, {"tags": ["rain"]}, 400, "rest_invalid_param"),
        (EDITOR, {"tags": [7]}, 400, "rest_invalid_param"),
        (EDITOR, {"categories": ["news"]}, 400, "rest_invalid_param"),
        (EDITOR, {"featured_media": 7}, 400, "rest_invalid_featured_media"),
        (EDITOR, {"title": "", "content": ""}, 400, "empty_content"),
        (EDITOR, {"id": 7}, 400, "rest_post_exists"),
    ],
)
async def test_what_may_be_made(app: App, person: str, body: dict[str, Any], status: int, code: str) -> None:
    answer = await call(app, "POST", "/posts", person, json={"title": "Rain", **body})
    if code:
        refused(answer, status, code)
        assert (await call(app, "GET", "/posts?status=draft,publish,pending")).json() == []
    else:
        assert answer.status_code == 201


async def test_everybody_changes_what_they_may(app: App) -> None:
    post = await made(app, EDITOR, status="publish")
    own = await made(app, CONTRIBUTOR)
    path = f"/posts/{post['id']}"
    refused(await call(app, "POST", path, AUTHOR, json={"title": "Sun"}), 403, "rest_cannot_edit")
    refused(await call(app, "DELETE", path, AUTHOR), 403, "rest_cannot_delete")
    refused(
        await call(app, "POST", f"/posts/{own['id']}", CONTRIBUTOR, json={"status": "publish"}),
        403,
        "rest_cannot_publish",
    )
    refused(await uploaded(app, person=CONTRIBUTOR), 403, "rest_cannot_create")
    refused(await app.http.post(f"{API}/posts", json={"title": "Rain"}), 401, "rest_cannot_create")
    refused(await call(app, "POST", "/posts/7", json={"title": "Sun"}), 404, "rest_post_invalid_id")
    refused(await call(app, "POST", path, content=b"title=Sun"), 400, "rest_invalid_json")
    assert (await call(app, "POST", path, ADMINISTRATOR, json={"title": "Sun"})).json()["title"]["raw"] == "Sun"


async def test_what_is_in_the_bin_is_seen_no_more(app: App) -> None:
    post = await made(app, status="publish")
    path = f"/posts/{post['id']}"
    assert (await call(app, "DELETE", path)).json()["status"] == "trash"
    assert await app.published() == []
    assert (await app.http.get(post["link"])).status_code == 404
    refused(await call(app, "DELETE", path), 410, "rest_already_trashed")
    await turn(app, wordpress_bin=False)
    refused(await call(app, "DELETE", path), 501, "rest_trash_not_supported")
    assert (await call(app, "DELETE", f"{path}?force=true")).json()["deleted"] is True
    refused(await call(app, "GET", path), 404, "rest_post_invalid_id")


@pytest.mark.parametrize(
    ("headers", "data", "status", "code"),
    [
        ({"Content-Disposition": ""}, None, 400, "rest_upload_no_content_disposition"),
        ({"Content-Disposition": "inline"}, None, 400, "rest_upload_invalid_disposition"),
        ({"Content-Type": ""}, None, 400, "rest_upload_no_content_type"),
        ({"Content-MD5": "0" * 32}, None, 412, "rest_upload_hash_mismatch"),
        ({}, b"", 400, "rest_upload_no_data"),
        ({}, b"words", 500, "rest_upload_unknown_error"),
    ],
)
async def test_an_upload_is_held_to_its_headers(
    app: App, headers: dict[str, str], data: bytes | None, status: int, code: str
) -> None:
    refused(await uploaded(app, data, **headers), status, code)
    assert (await call(app, "GET", "/media")).json() == []


async def test_an_upload_is_found_by_its_name(app: App) -> None:
    data = a_picture()
    digest = hashlib.md5(data).hexdigest()
    answer = await uploaded(app, data, **{"Content-MD5": digest})
    assert (answer.status_code, answer.json()["slug"]) == (201, "rain")
    assert (await app.http.get(answer.json()["source_url"])).content == data
    assert [one["id"] for one in (await call(app, "GET", "/media?slug=rain")).json()] == [answer.json()["id"]]
    # what fails after the file is kept
    await app.order_fault(on="upload", kind="processing_failed")
    assert (await uploaded(app)).status_code == 500
    assert [one["slug"] for one in (await call(app, "GET", "/media?_fields=slug")).json()] == ["rain-2", "rain"]


async def test_lists_are_read_in_pages(app: App) -> None:
    for _ in range(3):
        await made(app)
    answer = await call(app, "GET", "/posts?status=draft&per_page=2&page=2&_fields=id,status")
    assert [set(one) for one in answer.json()] == [{"id", "status"}]
    assert (answer.headers["x-wp-total"], answer.headers["x-wp-totalpages"]) == ("3", "2")
    refused(await call(app, "GET", "/posts?per_page=101"), 400, "rest_invalid_param")
    refused(await call(app, "GET", "/posts?page=2"), 400, "rest_post_invalid_page_number")
    refused(await app.http.get(f"{API}/posts?status=draft"), 400, "rest_invalid_param")
    refused(await app.http.get(f"{API}/posts?context=edit"), 401, "rest_forbidden_context")
    assert (await app.http.get(f"{API}/posts")).json() == [], "nobody sees drafts"


async def test_a_tag_is_made_once(app: App) -> None:
    tag = (await call(app, "POST", "/tags", json={"name": "Rain"})).json()
    again = await call(app, "POST", "/tags", json={"name": "rain"})
    refused(again, 400, "term_exists")
    assert again.json()["data"]["term_id"] == tag["id"]
    assert [one["id"] for one in (await call(app, "GET", "/tags?search=ai")).json()] == [tag["id"]]
    assert [one["name"] for one in (await call(app, "GET", "/categories")).json()] == [
        *("Uncategorized", "News", "Town &amp; country")
    ]


@pytest.mark.parametrize(
    ("login", "code"),
    [
        (("nobody", PASSWORD), "invalid_username"),
        (("nobody@example.org", PASSWORD), "invalid_email"),
        ((EDITOR, "0" * 24), "incorrect_password"),
        ((EDITOR, "hunter2"), "incorrect_password"),
    ],
)
async def test_a_wrong_login_is_refused_wherever_it_is(app: App, login: tuple[str, str], code: str) -> None:
    for path in ("/users/me", "/posts", "/tags"):
        refused(await app.http.get(f"{API}{path}", auth=login), 401, code)


async def test_a_user_is_shown_their_rights(app: App) -> None:
    for person, may in ((ADMINISTRATOR, True), (EDITOR, True), (AUTHOR, True), (CONTRIBUTOR, False)):
        me = (await call(app, "GET", "/users/me?context=edit", person)).json()
        assert (me["username"], me["capabilities"].get("publish_posts", False)) == (person, may)
    assert "capabilities" not in (await call(app, "GET", "/users/me")).json()
    mail = await app.http.get(f"{API}/users/me?context=edit", auth=("ada@example.org", PASSWORD))
    assert mail.json()["username"] == ADMINISTRATOR
    refused(await app.http.get(f"{API}/users/me"), 401, "rest_not_logged_in")


async def test_a_password_deletes_itself(app: App) -> None:
    passwords = "/users/me/application-passwords"
    told = (await call(app, "GET", f"{passwords}/introspect")).json()
    refused(
        await call(app, "DELETE", f"{passwords}/{told['uuid']}", AUTHOR), 404, "rest_application_password_not_found"
    )
    assert (await call(app, "DELETE", f"{passwords}/{told['uuid']}")).json()["deleted"] is True
    refused(await call(app, "GET", "/users/me"), 401, "incorrect_password")
    assert (await call(app, "GET", "/users/me", AUTHOR)).status_code == 200


async def test_a_site_may_have_plain_addresses(app: App) -> None:
    for route in ("/", "/wp/v2/types"):
        both = [await app.http.get(f"/wp-json{route}"), await app.http.get("/", params={"rest_route": route})]
        assert both[0].json() == both[1].json()
    await turn(app, wordpress_plain=True)
    assert (await app.http.get("/wp-json/")).status_code == 404
    assert "wp/v2" in (await app.http.get("/?rest_route=/")).json()["namespaces"]
    query = {"rest_route": "/wp/v2/posts", "_fields": "status"}
    answer = await app.http.post("/", params=query, json={"title": "Rain"}, auth=(EDITOR, PASSWORD))
    assert (answer.status_code, answer.json()) == (201, {"status": "draft"})
    assert (await app.http.get("/sandbox/requests?path=/wp-json/wp/v2/posts")).json()[-1]["status"] == 201


async def test_a_site_goes_wrong_as_sites_do(app: App) -> None:
    await turn(app, wordpress_strips_login=True)
    refused(await call(app, "GET", "/users/me"), 401, "rest_not_logged_in")
    assert (await app.http.get("/wp-json/")).json()["authentication"]
    await turn(app, wordpress_strips_login=False, wordpress_passwords=False)
    refused(await call(app, "GET", "/users/me"), 401, "rest_not_logged_in")
    assert (await app.http.get("/wp-json/")).json()["authentication"] == []
    await turn(app, wordpress_passwords=True, wordpress_reviews=True)
    assert (await made(app, status="publish"))["status"] == "pending"
    await turn(app, wordpress_reviews=False, wordpress_rest=False)
    refused(await app.http.get("/wp-json/"), 404, "rest_no_route")
    await turn(app, wordpress_rest=True, wordpress_maintenance=True)
    page = await call(app, "GET", "/users/me")
    assert (page.status_code, page.headers["content-type"].partition(";")[0]) == (200, "text/html")


async def test_a_date_ahead_makes_what_is_published_planned(app: App) -> None:
    await turn(app, wordpress_time_zone="Asia/Kolkata")
    draft = await made(app)
    local, there = (datetime.fromisoformat(draft[name]) for name in ("date", "date_gmt"))
    assert local - there == timedelta(hours=5, minutes=30)
    ahead = (datetime.now(UTC) + timedelta(hours=1)).replace(tzinfo=None, microsecond=0)
    route = f"/posts/{draft['id']}"
    dated = (await call(app, "POST", route, json={"date_gmt": ahead.isoformat()})).json()
    assert (dated["status"], dated["date_gmt"]) == ("draft", ahead.isoformat())
    assert dated["date"] == (ahead + timedelta(hours=5, minutes=30)).isoformat()
    assert (await call(app, "POST", route, json={"status": "publish"})).json()["status"] == "future"
    assert await app.published() == []
    out = (await call(app, "POST", route, json={"status": "publish", "date_gmt": None})).json()
    assert out["status"] == "publish"
    assert abs(datetime.fromisoformat(out["date_gmt"]).replace(tzinfo=UTC) - datetime.now(UTC)) < timedelta(minutes=1)
    refused(await call(app, "POST", route, json={"date": "soon"}), 400, "rest_invalid_param")


async def test_what_is_planned_is_shown_at_its_moment(app: App) -> None:
    await turn(app, wordpress_dates_ahead=61)
    planned = await made(app, status="publish")
    assert planned["status"] == "future"
    moment = datetime.fromisoformat(planned["date_gmt"]).replace(tzinfo=UTC)
    with time_machine.travel(moment - timedelta(seconds=5)):
        assert (await call(app, "GET", f"/posts/{planned['id']}")).json()["status"] == "future"
    with time_machine.travel(moment + timedelta(seconds=5)):
        assert (await call(app, "GET", f"/posts/{planned['id']}")).json()["status"] == "publish"
    assert len(await app.published()) == 1


@pytest.mark.parametrize(
    ("fault", "status", "code"),
    [
        ({"kind": "revoked"}, 401, "incorrect_password"),
        ({"kind": "status", "status": 401}, 401, "rest_not_logged_in"),
        ({"kind": "status", "status": 403}, 403, "rest_cannot_edit"),
        ({"kind": "status", "status": 403, "code": "rest_cannot_publish"}, 403, "rest_cannot_publish"),
        ({"kind": "status", "status": 404, "code": "rest_no_route"}, 404, "rest_no_route"),
        ({"kind": "status", "status": 413}, 413, None),
        ({"kind": "status", "status": 503}, 503, None),
        ({"kind": "rate_limited", "seconds": 7}, 429, None),
        ({"kind": "html", "status": 200}, 200, None),
    ],
    ids=str,
)
async def test_a_fault_is_worded_as_by_a_site_or_its_host(
    app: App, fault: dict[str, Any], status: int, code: str | None
) -> None:
    post = await made(app)
    await app.order_fault(on="posts", **fault)
    answer = await call(app, "POST", f"/posts/{post['id']}", json={"status": "publish"})
    assert answer.status_code == status
    if code is None:
        assert answer.headers["content-type"].startswith("text/html")
    else:
        assert answer.json()["code"] == code
    assert answer.headers.get("retry-after") == ("7" if status == 429 else None)
    assert await app.published() == []
