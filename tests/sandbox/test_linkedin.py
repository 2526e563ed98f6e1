import asyncio
import struct
import time
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

import httpx2
import pytest

from sandbox.app import run_sandbox
from sandbox.littletext import visible
from tests.documents import a_pdf
from tests.sandbox.conftest import ADA, APP, COFFEE, PAGE_SCOPES, App, a_post


def a_png(width: int = 2, height: int = 2) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(bytes(6))) + chunk(b"IEND", b"")


async def test_oauth_round_trip(app: App) -> None:
    returned = await app.authorize(sandbox_person="ada-lindqvist")
    assert returned["state"] == "s/1"
    first = await app.exchange(grant_type="authorization_code", code=returned["code"])
    granted = first.json()
    assert (granted["expires_in"], granted["scope"]) == (5184000, "openid,profile,email,w_member_social")
    assert "refresh_token" not in granted  # not an approved partner

    again = await app.exchange(grant_type="authorization_code", code=returned["code"])
    assert (again.status_code, again.json()["error"]) == (400, "invalid_grant")
    wrong = await app.exchange(grant_type="authorization_code", code="AQ", client_secret="other")
    assert (wrong.status_code, wrong.json()["error"]) == (401, "invalid_client")

    bearer = {"Authorization": f"Bearer {granted['access_token']}"}
    person = (await app.http.get("/v2/userinfo", headers=bearer)).json()
    assert (person["sub"], person["name"]) == ("ada-lindqvist", "Ada Lindqvist")
    assert (await app.http.get(person["picture"])).headers["content-type"] == "image/svg+xml"

    form = {**APP, "token": granted["access_token"]}
    assert (await app.http.post("/oauth/v2/introspectToken", data=form)).json()["active"] is True
    await app.http.post("/oauth/v2/revoke", data=form)
    assert (await app.http.post("/oauth/v2/introspectToken", data=form)).json()["status"] == "revoked"
    refused = await app.http.get("/v2/userinfo", headers=bearer)
    assert (refused.status_code, refused.json()["serviceErrorCode"]) == (401, 65601)


async def test_a_refreshed_token_keeps_the_end_of_its_refresh_token(app: App) -> None:
    await app.http.post("/sandbox/settings", json={"refresh_token_seconds": 1000})
    granted = await app.sign_in(PAGE_SCOPES)
    refreshed = (await app.exchange(grant_type="refresh_token", refresh_token=granted["refresh_token"])).json()
    assert refreshed["access_token"] != granted["access_token"]
    assert refreshed["refresh_token"] == granted["refresh_token"]
    assert refreshed["expires_in"] <= 1000


async def test_the_person_decides_on_a_page(app: App) -> None:
    query = {
        "response_type": "code",
        "client_id": "app-1",
        "redirect_uri": "http://127.0.0.1:8000/back",
        "scope": "w_member_social",
        "state": '"><script>',
    }
    page = await app.http.get(
        "/oauth/v2/authorization", params=query, headers={"Accept-Language": "de-DE,de;q=0.9,en;q=0.8"}
    )
    assert "Erlauben" in page.text
    assert "Ada Lindqvist" in page.text
    assert '"><script>' not in page.text

    cancelled = await app.authorize(sandbox_cancel="1")
    assert (cancelled["error"], cancelled["state"]) == ("user_cancelled_login", "s/1")
    closed = await app.authorize("r_member_social", sandbox_person="ada-lindqvist")
    assert closed["error"] == "unauthorized_scope_error"


async def test_a_post_with_an_image_is_on_the_board(app: App) -> None:
    headers = await app.headers()
    order = {"initializeUploadRequest": {"owner": ADA}}
    started = await app.http.post("/rest/images?action=initializeUpload", headers=headers, json=order)
    value = started.json()["value"]
    content = {"media": {"id": value["image"], "altText": "Two <grey> pixels"}}

    early = await app.publish(headers, "too early", content=content)
    assert (early.status_code, early.json()["code"]) == (400, "INVALID_VALUE_FOR_FIELD")
    for wrong in (b"<svg/>", a_png(8000, 6000)):
        assert (await app.http.put(value["uploadUrl"], headers=headers, content=wrong)).status_code == 400
    assert (await app.http.put(value["uploadUrl"], headers=headers, content=a_png())).status_code == 201
    status = await app.http.get(f"/rest/images/{quote(value['image'], safe='')}", headers=headers)
    assert (status.status_code, status.json()["code"]) == (403, "ACCESS_DENIED")

    before = time.time()
    answer = await app.publish(headers, r"Release notes \(v2\) are out #launch", content=content)
    assert (answer.status_code, answer.content) == (201, b"")
    urn = answer.headers["x-restli-id"]

    [post] = await app.published()
    assert (post["id"], post["author"]) == (urn, ADA)
    assert post["text"] == "Release notes (v2) are out #launch"
    assert before <= post["arrived_at"] <= time.time()
    assert (await app.http.get(post["images"][0]["url"])).content == a_png()
    for address in ("/", f"/feed/update/{urn}/", "/in/me/recent-activity/all/"):
        page = (await app.http.get(address, follow_redirects=True)).text
        assert "Release notes (v2) are out" in page
        assert 'alt="Two &lt;grey&gt; pixels"' in page
        assert "nothing leaves this machine" in page


async def test_a_post_with_a_document_is_on_the_board(app: App) -> None:
    headers, pdf = await app.headers(), a_pdf(14)
    order = {"initializeUploadRequest": {"owner": ADA}}
    started = await app.http.post("/rest/documents?action=initializeUpload", headers=headers, json=order)
    value = started.json()["value"]
    told = {"id": value["document"], "title": "Two <grey> pages"}

    async def refused(content: dict[str, object], status: int, code: str) -> None:
        answer = await app.publish(headers, "Not yet", content=content)
        assert (answer.status_code, answer.json()["code"]) == (status, code)

    await refused({"media": told}, 400, "MEDIA_ASSET_WAITING_UPLOAD")
    typed = {**headers, "Content-Type": "application/pdf"}

    async def chunks() -> AsyncIterator[bytes]:
        yield pdf

    # without its length, as something else, and by nobody
    assert (await app.http.put(value["uploadUrl"], headers=typed, content=chunks())).status_code == 411
    wrong = {**headers, "Content-Type": "application/octet-stream"}
    assert (await app.http.put(value["uploadUrl"], headers=wrong, content=pdf)).status_code == 400
    anonymous = {"Content-Type": "application/pdf"}
    assert (await app.http.put(value["uploadUrl"], headers=anonymous, content=pdf)).status_code == 401
    assert (await app.http.put(value["uploadUrl"], headers=typed, content=pdf)).status_code == 201
    status = await app.http.get(f"/rest/documents/{quote(value['document'], safe='')}", headers=headers)
    assert (status.status_code, status.json()["code"]) == (403, "ACCESS_DENIED")

    await refused({"media": {"id": value["document"]}}, 422, "UNPROCESSABLE_ENTITY")
    await refused({"media": {**told, "title": " "}}, 422, "UNPROCESSABLE_ENTITY")
    await refused({"media": {**told, "title": "x" * 59}}, 400, "FIELD_LENGTH_TOO_LONG")
    await refused({"media": {**told, "altText": "no"}}, 422, "UNPROCESSABLE_ENTITY")
    await refused({"media": {**told, "id": "urn:li:document:0"}}, 422, "UNPROCESSABLE_ENTITY")
    await refused({"multiImage": {"images": [told, told]}}, 422, "UNPROCESSABLE_ENTITY")
    assert (await app.publish(headers, "Turn the pages", content={"media": told})).status_code == 201
    [post] = await app.published()
    [shown] = post["documents"]
    assert (shown["title"], shown["pages"], shown["bytes"]) == ("Two <grey> pages", 14, len(pdf))
    page = (await app.http.get("/")).text
    assert "Two &lt;grey&gt; pages</a> · PDF · 14" in page
    assert page.count('<img src="/sandbox/documents/') == 12
    assert (await app.http.get(shown["url"])).content == pdf
    assert (await app.http.get(f"{shown['url']}/14")).headers["content-type"] == "image/png"
    for missing in (f"{shown['url']}/15", f"{shown['url']}/0", "/sandbox/documents/none"):
        assert (await app.http.get(missing)).status_code == 404


async def test_a_second_upload_spoils_a_document_and_another_owner_cannot_use_it(app: App) -> None:
    headers = await app.headers(PAGE_SCOPES)
    order = {"initializeUploadRequest": {"owner": COFFEE}}
    started = await app.http.post("/rest/documents?action=initializeUpload", headers=headers, json=order)
    value = started.json()["value"]
    address = f"/rest/documents/{quote(value['document'], safe='')}"
    typed = {**headers, "Content-Type": "application/pdf"}
    states = [(await app.http.get(address, headers=headers)).json()["status"]]
    for _ in range(2):
        assert (await app.http.put(value["uploadUrl"], headers=typed, content=a_pdf())).status_code == 201
        states.append((await app.http.get(address, headers=headers)).json()["status"])
    assert states == ["WAITING_UPLOAD", "AVAILABLE", "PROCESSING_FAILED"]
    ada = await app.headers()
    content = {"media": {"id": value["document"], "title": "Rain"}}
    answer = await app.publish(ada, "Not mine", content=content)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_VALUE_FOR_FIELD")


@pytest.mark.parametrize(
    ("commentary", "seen"),
    [
        (
            r"All \\ \| \{ \} \@ \[ \] \( \) \< \> \# \* \_ \~ shown",
            r"All \ | { } @ [ ] ( ) < > # * _ ~ shown",
        ),
        ("Out now (v2)", "Out now "),
        (r"about #AI\_tools and {hashtag|\#|launch}.", "about #AI_tools and #launch."),
        (r"by @[Devtest\_co](urn:li:organization:2414183)!", "by Devtest_co!"),
        ("C# is fine", "C"),
        ("a \\ b", "a "),
        ("snake_case", "snake"),
    ],
)
def test_little_text(commentary: str, seen: str) -> None:
    assert visible(commentary)[0] == seen


async def test_an_unescaped_character_cuts_the_post(app: App) -> None:
    answer = await app.publish(await app.headers(), "Out now (v2) #launch")
    assert answer.status_code == 201
    assert [post["text"] for post in await app.published()] == ["Out now "]


async def test_the_same_content_twice_names_the_first_post(app: App) -> None:
    headers = await app.headers()
    first = (await app.publish(headers, "Once")).headers["x-restli-id"]
    again = await app.publish(headers, "Once")
    assert again.status_code == 422
    assert again.json()["message"].endswith(f"Content is a duplicate of {first}")
    assert again.json()["errorDetails"]["inputErrors"][0]["code"] == "DUPLICATE_POST"
    assert (await app.publish(headers, "Twice")).status_code == 201


async def test_only_pages_can_be_read(app: App) -> None:
    member, page = await app.headers(), await app.headers(PAGE_SCOPES)
    own = (await app.publish(member, "Mine")).headers["x-restli-id"]
    ours = (await app.publish(page, "Ours", COFFEE)).headers["x-restli-id"]
    assert (await app.read(member, own)).status_code == 403
    assert (await app.publish(member, "Not my page", COFFEE)).status_code == 403

    assert (await app.read(page, ours)).json()["commentary"] == "Ours"
    assert "Ours" in (await app.http.get("/company/2414183/posts/")).text
    assert "Ours" not in (await app.http.get("/company/2414184/posts/")).text
    assert (await app.http.get("/company/1/posts/")).status_code == 404
    listing = f"/rest/posts?q=author&author={quote(COFFEE, safe='')}&count=50&sortBy=CREATED"
    listed = await app.http.get(listing, headers=page | {"X-RestLi-Method": "FINDER"})
    assert [post["id"] for post in listed.json()["elements"]] == [ours]
    assert (await app.http.get(listing, headers=page)).status_code == 400

    address = f"/rest/posts/{quote(ours, safe='')}"
    assert (await app.http.delete(address, headers=member)).status_code == 403
    assert (await app.http.delete(address, headers=page)).status_code == 204
    assert (await app.read(page, ours)).status_code == 404

    acls = await app.http.get("/rest/organizationAcls?q=roleAssignee&role=ADMINISTRATOR", headers=page)
    assert [element["organization"] for element in acls.json()["elements"]] == [COFFEE]


async def test_members_delete_what_is_theirs_as_often_as_they_like(app: App) -> None:
    mara, page = await app.headers(), await app.headers(PAGE_SCOPES)
    own = (await app.publish(mara, "Mine")).headers["x-restli-id"]
    address = f"/rest/posts/{quote(own, safe='')}"
    assert [(await app.http.delete(address, headers=mara)).status_code for _ in range(2)] == [204, 204]
    assert (await app.http.delete("/rest/posts/urn%3Ali%3Ashare%3A1", headers=mara)).status_code == 404
    ours = (await app.publish(page, "Ours", COFFEE)).headers["x-restli-id"]
    assert (await app.http.delete(f"/rest/posts/{quote(ours, safe='')}", headers=mara)).status_code == 403


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"LinkedIn-Version": ""}, 400, "VERSION_MISSING"),
        ({"LinkedIn-Version": "202401"}, 426, "NONEXISTENT_VERSION"),
        ({"X-Restli-Protocol-Version": "1.0.0"}, 400, "ILLEGAL_ARGUMENT"),
        ({"Authorization": ""}, 401, "EMPTY_ACCESS_TOKEN"),
        ({"Authorization": "Bearer nobody"}, 401, "INVALID_ACCESS_TOKEN"),
    ],
)
async def test_wrong_headers(app: App, changes: dict[str, str], status: int, code: str) -> None:
    answer = await app.publish(await app.headers() | changes, "Hello")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert await app.published() == []


async def test_3000_visible_characters_fit(app: App) -> None:
    headers = await app.headers()
    assert (await app.publish(headers, r"\_" * 3000)).status_code == 201
    long = await app.publish(headers, "x" * 3001)
    assert (long.status_code, long.json()["code"]) == (400, "FIELD_LENGTH_TOO_LONG")


async def test_everything_is_found_again_after_a_restart(tmp_path: Path) -> None:
    async with run_sandbox(tmp_path) as sandbox, httpx2.AsyncClient(base_url=sandbox.url) as http:
        headers = await App(http).headers()
        urn = (await App(http).publish(headers, "Still here")).headers["x-restli-id"]
    with (tmp_path / "journal.jsonl").open("a") as journal:
        journal.write('["posts","urn:li:share:1",{"id":')  # a line cut short by a crash
    async with run_sandbox(tmp_path) as sandbox, httpx2.AsyncClient(base_url=sandbox.url) as http:
        assert [post["id"] for post in await App(http).published()] == [urn]
        assert (await App(http).publish(headers, "Still here")).status_code == 422
        assert (await http.delete("/sandbox/state")).status_code == 204
        assert await App(http).published() == []
        assert (await App(http).publish(headers, "The token outlived the reset")).status_code == 201


async def test_200_posts_at_once(app: App) -> None:
    headers = await app.headers()
    limits = httpx2.Limits(max_connections=200)
    async with httpx2.AsyncClient(base_url=app.http.base_url, limits=limits, timeout=30) as http:
        bodies = [a_post(f"Number {number}") for number in range(200)]
        answers = await asyncio.gather(*(http.post("/rest/posts", headers=headers, json=body) for body in bodies))
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.headers["x-restli-id"] for answer in answers}) == 200
    assert len((await app.http.get("/sandbox/requests?path=/rest/posts")).json()) == 200
