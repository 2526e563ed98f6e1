"""As Mastodon's documentation says, and as strictly."""

from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from PIL import Image

from tests.sandbox.conftest import App

BACK = "http://127.0.0.1:8000/back"
SCOPES = "read:accounts read:statuses write:media write:statuses"


def a_picture() -> bytes:
    data = BytesIO()
    Image.new("RGB", (40, 30)).save(data, "JPEG")
    return data.getvalue()


async def registered(app: App) -> dict[str, str]:
    told = {"client_name": "Test", "redirect_uris": BACK, "scopes": SCOPES}
    made = (await app.http.post("/api/v1/apps", json=told)).json()
    return {"client_id": made["client_id"], "client_secret": made["client_secret"]}


async def returned(app: App, client_id: str, **extra: str) -> dict[str, str]:
    query = {"response_type": "code", "client_id": client_id, "redirect_uri": BACK, "scope": SCOPES, "state": "s/1"}
    answer = await app.http.get("/oauth/authorize", params=query | extra)
    assert answer.status_code == 302, answer.text
    return {name: values[0] for name, values in parse_qs(urlsplit(answer.headers["location"]).query).items()}


async def signed_in(app: App, scopes: str = SCOPES) -> dict[str, str]:
    us = await registered(app)
    code = (await returned(app, us["client_id"], sandbox_person="ada-lindqvist", scope=scopes))["code"]
    form = {**us, "grant_type": "authorization_code", "code": code, "redirect_uri": BACK}
    granted = (await app.http.post("/oauth/token", data=form)).json()
    assert (await app.http.post("/oauth/token", data=form)).json()["error"] == "invalid_grant"
    return {"Authorization": f"Bearer {granted['access_token']}"}


async def test_a_post_with_a_picture_is_there_once_for_its_key(app: App) -> None:
    headers = await signed_in(app)
    files = {"file": ("a.jpg", a_picture(), "image/jpeg")}
    uploaded = await app.http.post("/api/v2/media", headers=headers, files=files, data={"description": "Rain"})
    media_id = uploaded.json()["id"]
    body = {"status": "Hello", "media_ids": [media_id]}
    keyed = {**headers, "Idempotency-Key": "k"}
    first = (await app.http.post("/api/v1/statuses", headers=keyed, json=body)).json()
    again = (await app.http.post("/api/v1/statuses", headers=keyed, json=body)).json()
    assert first["id"] == again["id"]
    [post] = await app.published()
    assert (post["text"], post["images"][0]["alt_text"]) == ("Hello", "Rain")
    used = await app.http.post("/api/v1/statuses", headers=headers, json=body)
    assert used.json() == {"error": "Validation failed: Media attachments is invalid"}
    account = (await app.http.get("/api/v1/accounts/lookup", params={"acct": "ada_lindqvist"})).json()
    listed = await app.http.get(f"/api/v1/accounts/{account['id']}/statuses", headers=headers)
    assert [one["id"] for one in listed.json()] == [first["id"]]
    assert (await app.http.delete(f"/api/v1/statuses/{first['id']}", headers=headers)).status_code == 200
    assert (await app.http.delete(f"/api/v1/statuses/{first['id']}", headers=headers)).status_code == 404
    assert await app.published() == []


async def test_an_accounts_posts_are_paged(app: App) -> None:
    headers = await signed_in(app)
    made = [
        (await app.http.post("/api/v1/statuses", headers=headers, json={"status": f"Post {at}"})).json()["id"]
        for at in range(5)
    ]
    account = (await app.http.get("/api/v1/accounts/lookup", params={"acct": "ada_lindqvist"})).json()
    path, pages = f"/api/v1/accounts/{account['id']}/statuses?limit=2&exclude_replies=true", []
    while path:
        answer = await app.http.get(path, headers=headers)
        pages.append([one["id"] for one in answer.json()])
        path = answer.links.get("next", {}).get("url", "")
    assert pages == [made[:2:-1], made[2:0:-1], made[:1]]
    newer = {"since_id": made[2], "limit": 1}
    answer = await app.http.get(f"/api/v1/accounts/{account['id']}/statuses", headers=headers, params=newer)
    assert [one["id"] for one in answer.json()] == [made[4]]


async def test_an_image_takes_its_time(app: App) -> None:
    headers = await signed_in(app)
    await app.http.post("/sandbox/settings", json={"image_processing_seconds": 60})
    files = {"file": ("a.jpg", a_picture(), "image/jpeg")}
    uploaded = await app.http.post("/api/v2/media", headers=headers, files=files)
    assert (uploaded.status_code, uploaded.json()["url"]) == (202, None)
    media_id = uploaded.json()["id"]
    assert (await app.http.get(f"/api/v1/media/{media_id}", headers=headers)).status_code == 206
    early = await app.http.post("/api/v1/statuses", headers=headers, json={"status": "x", "media_ids": [media_id]})
    assert early.status_code == 422


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        ({"status": " "}, 422, "Validation failed: Text can't be blank"),
        ({"status": "x" * 501}, 422, "Validation failed: Text character limit of 500 exceeded"),
        ({"status": "https://example.org/" + "x" * 600}, 200, None),
        ({"status": "x", "media_ids": list("12345")}, 422, "Validation failed: Cannot attach more than 4 files"),
        ({"status": "x", "media_ids": ["1"]}, 422, "Validation failed: Media attachments is invalid"),
    ],
)
async def test_its_limits_are_those_of_a_server(app: App, body: Any, status: int, error: str | None) -> None:
    answer = await app.http.post("/api/v1/statuses", headers=await signed_in(app), json=body)
    assert (answer.status_code, answer.json().get("error")) == (status, error)


async def test_a_server_says_what_it_takes(app: App) -> None:
    await app.http.post("/sandbox/settings", json={"mastodon_characters": 5})
    told = (await app.http.get("/api/v2/instance")).json()["configuration"]
    assert told["statuses"]["max_characters"] == 5
    assert "image/jpeg" in told["media_attachments"]["supported_mime_types"]
    headers = await signed_in(app)
    assert (await app.http.post("/api/v1/statuses", headers=headers, json={"status": "x" * 6})).status_code == 422
    assert (await app.http.post("/api/v1/statuses", headers=headers, json={"status": "x" * 5})).status_code == 200


async def test_what_is_not_allowed_is_refused(app: App) -> None:
    assert (await app.http.post("/api/v1/statuses", json={"status": "x"})).status_code == 401
    reader = await signed_in(app, "read:accounts")
    refused = await app.http.post("/api/v1/statuses", headers=reader, json={"status": "x"})
    assert (refused.status_code, refused.json()["error"]) == (403, "This action is outside the authorized scopes")
    us = await registered(app)
    assert (await returned(app, us["client_id"], sandbox_cancel="1"))["error"] == "access_denied"
    wrong = {"response_type": "code", "client_id": us["client_id"], "redirect_uri": "http://elsewhere.test/"}
    assert (await app.http.get("/oauth/authorize", params=wrong)).status_code == 400


async def test_a_code_belongs_to_whoever_can_prove_it(app: App) -> None:
    us = await registered(app)
    asked = {"sandbox_person": "mara-lind", "code_challenge": "x" * 43, "code_challenge_method": "S256"}
    code = (await returned(app, us["client_id"], **asked))["code"]
    form = {**us, "grant_type": "authorization_code", "code": code, "redirect_uri": BACK, "code_verifier": "guess"}
    assert (await app.http.post("/oauth/token", data=form)).json()["error"] == "invalid_grant"


async def test_a_reset_leaves_who_is_signed_in(app: App) -> None:
    headers = await signed_in(app)
    await app.http.post("/api/v1/statuses", headers=headers, json={"status": "Gone soon"})
    await app.http.delete("/sandbox/state")
    assert await app.published() == []
    assert (await app.http.get("/api/v1/accounts/verify_credentials", headers=headers)).status_code == 200


async def test_who_consents_once_more_has_the_same_token_until_it_is_given_back(app: App) -> None:
    us = await registered(app)

    async def token(person: str = "ada-lindqvist", scope: str = SCOPES) -> str:
        code = (await returned(app, us["client_id"], sandbox_person=person, scope=scope))["code"]
        form = {**us, "grant_type": "authorization_code", "code": code, "redirect_uri": BACK}
        return str((await app.http.post("/oauth/token", data=form)).json()["access_token"])

    first = await token()
    assert await token() == first
    assert first not in (await token("mara-lind"), await token(scope="read:accounts"))
    assert (await app.http.post("/oauth/revoke", data={**us, "token": first})).status_code == 200
    second = await token()
    assert second != first
    await app.http.post("/sandbox/settings", json={"mastodon_reuses_tokens": False})
    assert await token() != second
