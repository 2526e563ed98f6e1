"""As Meta's documentation says, and as strictly."""

import json
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from PIL import Image

from tests.sandbox.conftest import APP, App

BACK = "http://127.0.0.1:8000/back"
SCOPES = "pages_show_list,pages_read_engagement,pages_manage_posts"
COFFEE = "723701"
PAGE = f"/v26.0/{COFFEE}"


def a_picture(width: int = 40, height: int = 30) -> bytes:
    data = BytesIO()
    Image.new("RGB", (width, height)).save(data, "JPEG")
    return data.getvalue()


async def returned(app: App, **extra: str) -> dict[str, str]:
    query = {
        "response_type": "code",
        "client_id": APP["client_id"],
        "redirect_uri": BACK,
        "state": "s/1",
        "scope": SCOPES,
        **extra,
    }
    answer = await app.http.get("/v26.0/dialog/oauth", params=query)
    assert answer.status_code == 302
    parts = urlsplit(answer.headers["location"])
    assert parts.fragment in ("", "_=_")
    return {name: values[0] for name, values in parse_qs(parts.query).items()}


async def person(app: App, name: str = "ada-lindqvist") -> dict[str, str]:
    """Headers of a person with a long-lived token."""
    code = (await returned(app, sandbox_person=name))["code"]
    short = await app.http.get("/v26.0/oauth/access_token", params={**APP, "redirect_uri": BACK, "code": code})
    form = {**APP, "grant_type": "fb_exchange_token", "fb_exchange_token": short.json()["access_token"]}
    longer = await app.http.get("/v26.0/oauth/access_token", params=form)
    return {"Authorization": f"Bearer {longer.json()['access_token']}"}


async def as_page(app: App, page_id: str = COFFEE, name: str = "ada-lindqvist") -> dict[str, str]:
    fields = {"fields": "id,access_token"}
    answer = await app.http.get(f"/v26.0/{page_id}", params=fields, headers=await person(app, name))
    return {"Authorization": f"Bearer {answer.json()['access_token']}"}


def refused(answer: httpx2.Response) -> tuple[int, int | None]:
    error = answer.json()["error"]
    return error["code"], error.get("error_subcode")


async def test_a_code_works_once_and_only_for_its_address(app: App) -> None:
    code = (await returned(app, sandbox_person="ada-lindqvist"))["code"]
    query = {**APP, "redirect_uri": BACK, "code": code}
    first = await app.http.get("/v26.0/oauth/access_token", params=query)
    assert first.json()["expires_in"] == 5400
    assert refused(await app.http.get("/v26.0/oauth/access_token", params=query)) == (100, 36009)
    code = (await returned(app, sandbox_person="ada-lindqvist"))["code"]
    wrong = {**APP, "redirect_uri": f"{BACK}/else", "code": code}
    assert refused(await app.http.get("/v26.0/oauth/access_token", params=wrong)) == (100, 36008)
    strange = {**query, "client_secret": "made up"}
    assert refused(await app.http.get("/v26.0/oauth/access_token", params=strange))[0] == 101


async def test_the_person_decides_on_a_page(app: App) -> None:
    query = {"response_type": "code", "client_id": "a", "redirect_uri": BACK, "scope": SCOPES, "state": '"><script>'}
    page = await app.http.get("/v26.0/dialog/oauth", params=query, headers={"Accept-Language": "de"})
    assert "Radwerk Weber" in page.text
    assert "ohne Seite" in page.text
    assert '"><script>' not in page.text
    cancelled = await returned(app, sandbox_cancel="1")
    assert (cancelled["error"], cancelled["error_reason"], cancelled["state"]) == (
        "access_denied",
        "user_denied",
        "s/1",
    )
    assert (await app.http.get("/v26.0/dialog/oauth", params={**query, "scope": "all"})).status_code == 400


async def test_a_permission_may_be_declined(app: App) -> None:
    headers = await person(app, "lea-hartmann")
    rows = (await app.http.get("/v26.0/me/permissions", headers=headers)).json()["data"]
    assert {"permission": "pages_manage_posts", "status": "declined"} in rows


async def test_pages_of_a_business_are_not_listed_but_can_be_asked_for(app: App) -> None:
    headers = await person(app)
    query = {"fields": "id,name,access_token,tasks", "limit": "1"}
    listed = (await app.http.get("/v26.0/me/accounts", params=query, headers=headers)).json()
    assert [row["name"] for row in listed["data"]] == ["Lindqvist Coffee"]
    assert "next" not in listed["paging"]
    app_token = {"Authorization": f"Bearer {APP['client_id']}|{APP['client_secret']}"}
    asked = {"input_token": headers["Authorization"].removeprefix("Bearer ")}
    facts = (await app.http.get("/v26.0/debug_token", params=asked, headers=app_token)).json()["data"]
    assert {"scope": "pages_show_list", "target_ids": ["723701", "723702"]} in facts["granular_scopes"]
    found = await app.http.get("/v26.0/723702", params=query, headers=headers)
    assert found.json()["access_token"]
    # whoever may only look gets no token
    looks = await app.http.get("/v26.0/723702", params=query, headers=await person(app, "jonas-weber"))
    assert "access_token" not in looks.json()


async def test_a_post_is_seen_when_it_is_shown_and_once(app: App) -> None:
    headers = await as_page(app)
    form = {"published": "false", "alt_text_custom": "Two <grey> pixels"}
    photo = await app.http.post(
        f"{PAGE}/photos", data=form, files={"source": ("a", a_picture(), "image/jpeg")}, headers=headers
    )
    attached = [{"media_fbid": photo.json()["id"]}]
    body = {"message": "Hello <all>", "published": False, "attached_media": attached}
    post_id = (await app.http.post(f"{PAGE}/feed", json=body, headers=headers)).json()["id"]
    assert await app.published() == []
    assert (await app.http.get(f"/{post_id}")).status_code == 404
    read = await app.http.get(f"/v26.0/{post_id}", params={"fields": "is_published,message"}, headers=headers)
    assert read.json() == {"id": post_id, "is_published": False, "message": "Hello <all>"}
    for _ in range(2):
        shown = await app.http.post(f"/v26.0/{post_id}", json={"is_published": True}, headers=headers)
        assert shown.json() == {"success": True}
    [seen] = await app.published()
    assert (seen["id"], seen["text"], seen["images"][0]["alt_text"]) == (post_id, "Hello <all>", "Two <grey> pixels")
    for address in ("/", f"/{post_id}", f"/{COFFEE}"):
        assert "Hello &lt;all&gt;" in (await app.http.get(address)).text
    again = await app.http.post(f"{PAGE}/feed", json=body, headers=headers)
    assert refused(again) == (1, 1366051)
    assert (await app.http.delete(f"/v26.0/{post_id}", headers=headers)).json() == {"success": True}
    assert refused(await app.http.delete(f"/v26.0/{post_id}", headers=headers)) == (100, 33)
    assert await app.published() == []


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({"message": "x" * 63_207, "published": False}, (100, None)),
        ({"message": " ", "published": False}, (100, None)),
        ({"message": "Hello", "published": "maybe"}, (100, None)),
        ({"message": "Hello", "link": "https://x.test", "attached_media": [{"media_fbid": "1"}]}, (100, None)),
        ({"message": "Hello", "attached_media": [{"media_fbid": "1"}]}, (100, 33)),
    ],
)
async def test_what_is_no_post_is_refused(app: App, body: dict[str, Any], error: tuple[int, int | None]) -> None:
    assert refused(await app.http.post(f"{PAGE}/feed", json=body, headers=await as_page(app))) == error


async def test_a_photo_is_fetched_and_measured(app: App) -> None:
    headers = await as_page(app)
    base = str(app.http.base_url).rstrip("/")
    uploaded = await app.http.post(
        f"{PAGE}/photos",
        data={"published": "false"},
        files={"source": ("a", a_picture(), "image/jpeg")},
        headers=headers,
    )
    there = {"url": f"{base}/sandbox/images/{uploaded.json()['id']}", "published": False}
    assert (await app.http.post(f"{PAGE}/photos", json=there, headers=headers)).json()["id"]
    for url in (f"{base}/nothing", "https://ä.test/a.jpg", "http://127.0.0.1:1/a.jpg"):
        answer = await app.http.post(f"{PAGE}/photos", json={"url": url, "published": False}, headers=headers)
        assert refused(answer) == (100, 2061006)
    page = {"url": f"{base}/faults", "published": False}
    assert refused(await app.http.post(f"{PAGE}/photos", json=page, headers=headers)) == (1, 1366046)


async def test_tokens_allow_what_they_are_for(app: App) -> None:
    of_person, of_page = await person(app), await as_page(app)
    body = {"message": "Hello", "published": False}
    assert refused(await app.http.post(f"{PAGE}/feed", json=body, headers=of_person))[0] == 200
    assert refused(await app.http.get("/v26.0/me/accounts", headers=of_page))[0] == 100
    assert refused(await app.http.post("/v26.0/723703/feed", json=body, headers=of_page)) == (100, 33)
    assert refused(await app.http.get(PAGE, headers={"Authorization": "Bearer EAAmade-up"}))[0] == 190
    old = await app.http.get("/v20.0/me/accounts", headers=of_person)
    assert (old.status_code, refused(old)[0]) == (426, 2635)
    taken = await app.http.delete("/v26.0/me/permissions", headers=of_person)
    assert taken.json() == {"success": True}
    assert refused(await app.http.get(PAGE, headers=of_page)) == (190, 458)


async def test_each_answer_says_how_much_of_a_limit_is_used(app: App) -> None:
    of_person, of_page = await person(app), await as_page(app)
    answer = await app.http.get("/v26.0/me/accounts", headers=of_person)
    assert answer.headers["x-app-usage"] == '{"call_count": 1, "total_cputime": 0, "total_time": 0}'
    await app.order_fault(on="reads", kind="usage", percent=97, minutes=0)
    busy = await app.http.get(PAGE, headers=of_page)
    assert busy.json()["id"] == COFFEE
    [row] = json.loads(busy.headers["x-business-use-case-usage"])[COFFEE]
    assert (row["call_count"], row["estimated_time_to_regain_access"]) == (97, 0)
    missing = await app.http.get("/v26.0/723703", headers=of_page)
    assert refused(missing) == (100, 33)
    assert "x-business-use-case-usage" in missing.headers


async def test_beyond_its_limit_no_call_of_a_token_is_taken(app: App) -> None:
    headers = await as_page(app)
    await app.http.post("/sandbox/settings", json={"graph_calls_an_hour": 2})
    for percent in (50, 100):
        taken = await app.http.get(PAGE, headers=headers)
        [row] = json.loads(taken.headers["x-business-use-case-usage"])[COFFEE]
        assert row["call_count"] == percent
    assert 0 < row["estimated_time_to_regain_access"] <= 60
    assert refused(await app.http.get(PAGE, headers=headers)) == (80001, None)


async def test_faults_are_worded_as_meta_does(app: App) -> None:
    headers = await as_page(app)
    await app.order_fault(on="reads", kind="rate_limited", minutes=19)
    limited = await app.http.get(PAGE, headers=headers)
    assert refused(limited)[0] == 4
    assert '"estimated_time_to_regain_access": 19' in limited.headers["x-business-use-case-usage"]
    await app.order_fault(on="reads", kind="status", status=403, code="368", service_error_code=1390008)
    assert refused(await app.http.get(PAGE, headers=headers)) == (368, 1390008)
    await app.order_fault(on="drafts", kind="status", status=500)
    answer = await app.http.post(f"{PAGE}/feed", json={"message": "x", "published": False}, headers=headers)
    assert (answer.status_code, refused(answer)[0]) == (500, 1)
