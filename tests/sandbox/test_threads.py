"""As the documentation of the Threads API says, and as strictly."""

from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi import FastAPI, Response
from PIL import Image

from tests.sandbox.conftest import App
from tests.serving import serve

BACK = "http://127.0.0.1:8000/back"
SCOPES = "threads_basic,threads_content_publish,threads_delete"
US = {"client_id": "app-1", "client_secret": "secret-1"}
API = "/threads/v1.0"


@pytest.fixture(scope="module")
async def pictures() -> AsyncIterator[str]:
    """The address of a server with a picture at each name, such as `tall.png`."""
    server = FastAPI()

    @server.get("/{name}.{kind}")
    async def _(name: str, kind: str) -> Response:
        data = BytesIO()
        Image.new("RGB", (40, 500) if name == "tall" else (40, 30)).save(data, kind)
        return Response(data.getvalue())

    async with serve(server) as url:
        yield url


async def returned(app: App, **extra: str) -> str:
    """Return where the consent page leads to."""
    query = {"response_type": "code", "client_id": US["client_id"], "redirect_uri": BACK, "scope": SCOPES, "state": "s"}
    answer = await app.http.get("/threads/oauth/authorize", params=query | extra)
    assert answer.status_code == 302, answer.text
    return str(answer.headers["location"])


async def short_token(app: App, **extra: str) -> dict[str, Any]:
    location = await returned(app, sandbox_person="ada-lindqvist", **extra)
    assert location.endswith("#_")
    code = parse_qs(urlsplit(location).query)["code"][0]
    form = {**US, "grant_type": "authorization_code", "code": code, "redirect_uri": BACK}
    granted: dict[str, Any] = (await app.http.post("/threads/oauth/access_token", data=form)).json()
    assert code_of(await app.http.post("/threads/oauth/access_token", data=form)) == (100, 36009)
    return granted


async def signed_in(app: App, **extra: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {(await short_token(app, **extra))['access_token']}"}


def code_of(answer: Any) -> tuple[int, int | None]:
    error = answer.json()["error"]
    return error["code"], error.get("error_subcode")


async def container(app: App, headers: dict[str, str], **form: str) -> str:
    answer = await app.http.post(f"{API}/me/threads", headers=headers, data=form)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["id"])


async def published(app: App, headers: dict[str, str], **form: str) -> str:
    creation = {"creation_id": await container(app, headers, **form)}
    answer = await app.http.post(f"{API}/me/threads_publish", headers=headers, data=creation)
    assert answer.status_code == 200, answer.text
    again = await app.http.post(f"{API}/me/threads_publish", headers=headers, data=creation)
    assert code_of(again) == (24, 4279009), "a container is published once"
    return str(answer.json()["id"])


async def test_a_short_token_becomes_a_long_one_that_is_renewed_after_a_day(app: App) -> None:
    granted = await short_token(app)
    assert isinstance(granted["user_id"], int)
    query = {"grant_type": "th_exchange_token", "client_secret": US["client_secret"]}
    short = {"access_token": granted["access_token"]}
    wrong = await app.http.get("/threads/access_token", params={**query, **short, "client_secret": "other"})
    assert code_of(wrong) == (101, None)
    long = (await app.http.get("/threads/access_token", params={**query, **short})).json()
    assert long["expires_in"] == 60 * 86_400
    again = await app.http.get("/threads/access_token", params={**query, "access_token": long["access_token"]})
    assert code_of(again) == (100, None), "it is long-lived already"
    renewal = {"grant_type": "th_refresh_token"}
    for token in (granted["access_token"], long["access_token"]):
        young = await app.http.get("/threads/refresh_access_token", params={**renewal, "access_token": token})
        assert code_of(young) == (100, None)
    await app.http.post("/sandbox/settings", json={"threads_refresh_after_seconds": 0})
    renewal["access_token"] = long["access_token"]
    fresh = (await app.http.get("/threads/refresh_access_token", params=renewal)).json()
    assert fresh["access_token"] != long["access_token"]
    await app.http.delete("/sandbox/people/ada-lindqvist/tokens")
    assert code_of(await app.http.get("/threads/refresh_access_token", params=renewal)) == (190, 458)


async def test_consent_may_be_refused_and_needs_known_permissions(app: App) -> None:
    query = parse_qs(urlsplit(await returned(app, sandbox_cancel="1")).query)
    assert (query["error"], query["state"]) == (["access_denied"], ["s"])
    for scope in ("", "threads_content_publish", "threads_basic,threads_everything"):
        asked = {"response_type": "code", "client_id": "app-1", "redirect_uri": BACK, "scope": scope}
        assert (await app.http.get("/threads/oauth/authorize", params=asked)).status_code == 400


async def test_a_post_has_its_topic_and_its_page(app: App) -> None:
    headers = await signed_in(app)
    named = await published(app, headers, media_type="TEXT", text="Rain helps #bikes", topic_tag="bikes")
    unnamed = await published(app, headers, media_type="TEXT", text="No. #1: wind helps #boats, too")
    second, first = await app.published()
    assert (first["id"], first["text"], first["topic"]) == (named, "Rain helps #bikes", "bikes")
    assert (second["id"], second["text"], second["topic"]) == (unnamed, "No. #1: wind helps boats, too", "boats")
    page = await app.http.get(urlsplit(str(first["permalink"])).path)
    assert "Rain helps" in page.text
    fields = {"fields": "id,text,timestamp,permalink", "limit": "1"}
    listed = (await app.http.get(f"{API}/me/threads", headers=headers, params=fields)).json()["data"]
    assert [one["id"] for one in listed] == [unnamed]
    assert (await app.http.delete(f"{API}/{named}", headers=headers)).json() == {"success": True, "deleted_id": named}
    assert code_of(await app.http.delete(f"{API}/{named}", headers=headers)) == (100, 33)


async def test_pictures_are_a_carousel_of_containers(app: App, pictures: str) -> None:
    headers = await signed_in(app)
    image = {"media_type": "IMAGE", "image_url": f"{pictures}/a.png", "is_carousel_item": "true"}
    children = [await container(app, headers, **image, alt_text=alt) for alt in ("one", "two")]
    whole = await published(app, headers, media_type="CAROUSEL", children=",".join(children), text="Both")
    [post] = await app.published()
    assert (post["id"], [one["alt_text"] for one in post["images"]]) == (whole, ["one", "two"])
    alone = await app.http.post(
        f"{API}/me/threads", headers=headers, data={"media_type": "CAROUSEL", "children": children[0]}
    )
    assert code_of(alone) == (100, 2207028)
    child = await app.http.post(f"{API}/me/threads_publish", headers=headers, data={"creation_id": children[0]})
    assert code_of(child) == (24, 4279009)


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ({"media_type": "TEXT"}, (100, None)),
        ({"media_type": "STORY", "text": "x"}, (100, None)),
        ({"media_type": "TEXT", "text": "x" * 501}, (100, None)),
        ({"media_type": "TEXT", "text": "🚲" * 126}, (100, None)),
        ({"media_type": "TEXT", "text": " ".join(f"https://a.test/{at}" for at in range(6))}, (100, None)),
        ({"media_type": "TEXT", "text": "x", "topic_tag": "a.b"}, (100, 4279071)),
        ({"media_type": "TEXT", "text": "x", "topic_tag": "forbidden"}, (100, 4279071)),
        ({"media_type": "TEXT", "text": "x", "link_attachment": "no address"}, (100, 4279047)),
        (
            {"media_type": "IMAGE", "image_url": "PICTURES/a.png", "link_attachment": "https://a.test"},
            (100, None),
        ),
        ({"media_type": "IMAGE", "image_url": "PICTURES/missing"}, (9004, 2207052)),
        ({"media_type": "IMAGE", "image_url": "PICTURES/a.gif"}, (36001, 2207005)),
        ({"media_type": "IMAGE", "image_url": "PICTURES/tall.png"}, (36003, 2207009)),
        ({"media_type": "IMAGE", "image_url": "PICTURES/a.png", "alt_text": "x" * 1001}, (100, None)),
        (
            {"media_type": "IMAGE", "image_url": "PICTURES/a.png", "is_carousel_item": "true", "text": "x"},
            (100, None),
        ),
    ],
)
async def test_what_threads_refuses_is_refused(
    app: App, pictures: str, form: dict[str, str], code: tuple[int, int | None]
) -> None:
    sent = {name: value.replace("PICTURES", pictures) for name, value in form.items()}
    answer = await app.http.post(f"{API}/me/threads", headers=await signed_in(app), data=sent)
    assert answer.status_code == 400
    assert code_of(answer) == code


async def test_permissions_accounts_and_fields_are_checked(app: App) -> None:
    reader = await signed_in(app, scope="threads_basic")
    text = {"media_type": "TEXT", "text": "Hello"}
    assert code_of(await app.http.post(f"{API}/me/threads", headers=reader, data=text)) == (10, None)
    writer = await signed_in(app, scope="threads_basic,threads_content_publish")
    post = await published(app, writer, **text)
    assert code_of(await app.http.delete(f"{API}/{post}", headers=writer)) == (10, None)
    other = await app.http.post(f"{API}/26100000000000002/threads", headers=writer, data=text)
    assert code_of(other) == (100, 33)
    draft = await container(app, writer, **text)
    hidden = await app.http.get(f"{API}/{draft}", headers=writer, params={"fields": "id,text"})
    assert code_of(hidden) == (100, None)
    state = (await app.http.get(f"{API}/{draft}", headers=writer, params={"fields": "id,status,error_message"})).json()
    assert state == {"id": draft, "status": "FINISHED"}


async def test_the_posts_of_a_day_are_limited(app: App) -> None:
    headers = await signed_in(app)
    await app.http.post("/sandbox/settings", json={"threads_posts_a_day": 1})
    await published(app, headers, media_type="TEXT", text="First")
    limit = await app.http.get(
        f"{API}/me/threads_publishing_limit", headers=headers, params={"fields": "quota_usage,config"}
    )
    [row] = limit.json()["data"]
    assert (row["quota_usage"], row["config"]["quota_total"]) == (1, 1)
    creation = {"creation_id": await container(app, headers, media_type="TEXT", text="Second")}
    refused = await app.http.post(f"{API}/me/threads_publish", headers=headers, data=creation)
    assert code_of(refused) == (9, 2207042)
