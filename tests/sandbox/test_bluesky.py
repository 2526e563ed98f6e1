"""As Bluesky's lexicons and server say, and as strictly."""

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

import httpx2
import pytest
from PIL import Image

from tests.sandbox.conftest import App

POSTS, PASSWORD = "app.bsky.feed.post", "abcd-efgh-ijkl-mnop"
KEY = "3lbqz5xk2pc2a"


def a_picture(colour: str = "red") -> bytes:
    data = BytesIO()
    Image.new("RGB", (40, 30), colour).save(data, "JPEG")
    return data.getvalue()


async def call(app: App, name: str, token: str = "", **request: Any) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {token}", **request.pop("headers", {})} if token else {}
    return await app.http.post(f"/xrpc/com.atproto.{name}", headers=headers, **request)


async def signed_in(app: App, handle: str = "ada-lindqvist.test") -> dict[str, Any]:
    answer = await call(app, "server.createSession", json={"identifier": handle, "password": PASSWORD})
    assert answer.status_code == 200, answer.text
    session: dict[str, Any] = answer.json()
    return session


def a_record(text: str = "Hello", **more: Any) -> dict[str, Any]:
    return {"$type": POSTS, "text": text, "createdAt": datetime.now(UTC).isoformat(), **more}


async def created(app: App, session: dict[str, Any], record: dict[str, Any], rkey: str = KEY) -> httpx2.Response:
    body = {"repo": session["did"], "collection": POSTS, "rkey": rkey, "record": record}
    return await call(app, "repo.createRecord", session["accessJwt"], json=body)


async def test_there_is_never_a_second_record_under_a_key(app: App) -> None:
    me = await signed_in(app)
    first = await created(app, me, a_record())
    assert first.json()["uri"] == f"at://{me['did']}/{POSTS}/{KEY}"
    assert (await created(app, me, a_record())).status_code == 500
    assert [post["text"] for post in await app.published()] == ["Hello"]
    query = {"repo": me["did"], "collection": POSTS, "rkey": KEY}
    assert (await app.http.get("/xrpc/com.atproto.repo.getRecord", params=query)).json()["value"]["text"] == "Hello"
    for _ in range(2):
        assert (await call(app, "repo.deleteRecord", me["accessJwt"], json=query)).status_code == 200
    gone = await app.http.get("/xrpc/com.atproto.repo.getRecord", params=query)
    assert (gone.status_code, gone.json()["error"]) == (400, "RecordNotFound")
    assert await app.published() == []


@pytest.mark.parametrize(
    ("record", "words"),
    [
        (a_record("x" * 301), "300 graphemes"),
        (a_record("👩🏽‍🚒" * 250), "3000 characters"),
        (a_record("👩🏽‍🚒" * 190), ""),
        (a_record(createdAt="yesterday"), "createdAt"),
        (a_record("ä", facets=[{"index": {"byteStart": 0, "byteEnd": 1}, "features": []}]), "inside a character"),
        (a_record("a", langs=["German"]), "language tags"),
        (a_record("a", langs=["de", "en", "fr", "it"]), "more than 3"),
        (a_record("a", facets=[{"index": {"byteStart": 0, "byteEnd": 2}, "features": []}]), "outside the text"),
        (
            a_record("a", facets=[{"index": {"byteStart": 0, "byteEnd": 1}, "features": [{"$type": "x"}]}]),
            "unknown feature",
        ),
        (a_record(embed={"$type": "app.bsky.embed.images", "images": [{}] * 5}), "4 elements"),
        (
            a_record(
                embed={
                    "$type": "app.bsky.embed.images",
                    "images": [{"alt": "", "image": {"ref": {"$link": "bafkreinone"}}}],
                }
            ),
            "Could not find blob",
        ),
    ],
    ids=lambda value: str(value)[:40],
)
async def test_a_record_is_held_to_its_lexicon(app: App, record: dict[str, Any], words: str) -> None:
    answer = await created(app, await signed_in(app), record)
    if not words:
        assert answer.status_code == 200
        return
    assert (answer.status_code, answer.json()["error"]) == (400, "InvalidRequest")
    assert words in answer.json()["message"]


async def test_a_picture_is_a_blob_first(app: App) -> None:
    me = await signed_in(app)
    headers = {"Content-Type": "image/jpeg"}
    uploaded = await call(app, "repo.uploadBlob", me["accessJwt"], content=a_picture(), headers=headers)
    image = {"alt": "Rain", "image": uploaded.json()["blob"]}
    embed = {"$type": "app.bsky.embed.images", "images": [image]}
    assert (await created(app, me, a_record(embed=embed))).status_code == 200
    [post] = await app.published()
    assert post["images"][0]["alt_text"] == "Rain"
    too_large = await call(app, "repo.uploadBlob", me["accessJwt"], content=b"x" * 1_000_001, headers=headers)
    assert too_large.json()["error"] == "BlobTooLarge"
    no_image = await call(app, "repo.uploadBlob", me["accessJwt"], content=b"words", headers=headers)
    assert no_image.json()["error"] == "InvalidMimeType"


async def test_refresh_tokens_are_exchanged_and_taken_for_a_while_more(app: App) -> None:
    me = await signed_in(app)
    first = (await call(app, "server.refreshSession", me["refreshJwt"])).json()
    again = (await call(app, "server.refreshSession", me["refreshJwt"])).json()
    assert first["refreshJwt"] == again["refreshJwt"] != me["refreshJwt"]
    assert first["accessJwt"] != me["accessJwt"]
    assert (await call(app, "server.refreshSession", me["accessJwt"])).json()["error"] == "InvalidToken"
    assert (await call(app, "server.deleteSession", first["refreshJwt"])).status_code == 200
    over = await call(app, "server.refreshSession", first["refreshJwt"])
    assert (over.status_code, over.json()["error"]) == (400, "ExpiredToken")
    # an access token is asked for nothing but its end
    assert (await created(app, me, a_record())).status_code == 200


async def test_what_is_not_allowed_is_refused(app: App) -> None:
    for handle, password in (("nobody.test", PASSWORD), ("mara-lind.test", "0000-0000-0000-0000")):
        answer = await call(app, "server.createSession", json={"identifier": handle, "password": password})
        assert (answer.status_code, answer.json()["error"]) == (401, "AuthenticationRequired")
    me, mara = await signed_in(app), await signed_in(app, "mara-lind.test")
    foreign = await created(app, {**me, "did": mara["did"]}, a_record())
    assert foreign.status_code == 401
    assert (await created(app, {**me, "accessJwt": me["accessJwt"] + "x"}, a_record())).json()[
        "error"
    ] == "InvalidToken"
    assert (await created(app, me, a_record(), "my-own-key")).status_code == 400
    await app.http.post("/sandbox/settings", json={"session_seconds": -1})
    ended = await created(app, await signed_in(app), a_record())
    assert ended.json()["error"] == "ExpiredToken"


async def test_only_what_is_marked_is_a_link(app: App) -> None:
    me = await signed_in(app)
    feature = {"$type": "app.bsky.richtext.facet#link", "uri": "https://example.org"}
    facets = [{"index": {"byteStart": 4, "byteEnd": 8}, "features": [feature]}]
    await created(app, me, a_record("ä: here, not https://other.test", facets=facets))
    page = await app.http.get(f"/profile/{me['did']}/post/{KEY}")
    assert '<a href="https://example.org" rel="noreferrer">here</a>' in page.text
    assert 'href="https://other.test' not in page.text
