"""Videos at the stand-ins: refused as strictly as the networks refuse them, and shown to everybody."""

import hashlib
import time
from typing import Any
from urllib.parse import quote, urlsplit

import httpx2

from tests import clips
from tests.sandbox import test_bluesky as bluesky
from tests.sandbox import test_facebook as facebook
from tests.sandbox import test_mastodon as mastodon
from tests.sandbox.conftest import ADA, App
from tests.videos import chunk_at

PART = 4_194_304
SIZE = PART + 100_000
DATA = chunk_at(7, 0, SIZE)
PLAIN = {"Content-Type": "application/octet-stream"}
MP4 = {"Content-Type": "video/mp4"}


async def begun(app: App, headers: dict[str, str], **more: Any) -> dict[str, Any]:
    order = {"owner": ADA, "fileSizeBytes": SIZE, "uploadCaptions": False, "uploadThumbnail": False, **more}
    address = "/rest/videos?action=initializeUpload"
    answer = await app.http.post(address, headers=headers, json={"initializeUploadRequest": order})
    assert answer.status_code == 200, answer.text
    value: dict[str, Any] = answer.json()["value"]
    return value


async def finalized(app: App, headers: dict[str, str], value: dict[str, Any], tags: list[str]) -> httpx2.Response:
    order = {"video": value["video"], "uploadToken": value["uploadToken"], "uploadedPartIds": tags}
    address = "/rest/videos?action=finalizeUpload"
    return await app.http.post(address, headers=headers, json={"finalizeUploadRequest": order})


async def test_a_video_of_linkedin_is_uploaded_in_parts_and_finalized(app: App) -> None:
    headers = await app.headers()
    value = await begun(app, headers)
    parts = value["uploadInstructions"]
    assert [(one["firstByte"], one["lastByte"]) for one in parts] == [(0, PART - 1), (PART, SIZE - 1)]
    content = {"media": {"id": value["video"], "title": "Two <b>parts</b>"}}
    early = await app.publish(headers, "too early", content=content)
    assert (early.status_code, early.json()["code"]) == (400, "MEDIA_ASSET_WAITING_UPLOAD")

    first, second = (one["uploadUrl"] for one in parts)
    for url, sent, data in (
        (first, PLAIN | {"Authorization": headers["Authorization"]}, DATA[:PART]),
        (first, MP4, DATA[:PART]),
        (first, PLAIN, DATA),
        (second, PLAIN, DATA[:PART]),
    ):
        assert (await app.http.put(url, headers=sent, content=data)).status_code == 400
    assert (await app.http.put(second.partition("?")[0], headers=PLAIN, content=DATA[PART:])).status_code == 404
    tags = []
    for url, data in ((first, DATA[:PART]), (second, DATA[PART:])):
        tags.append((await app.http.put(url, headers=PLAIN, content=data)).headers["etag"].strip('"'))
    early = await app.publish(headers, "not finalized", content=content)
    assert early.json()["code"] == "MEDIA_ASSET_WAITING_UPLOAD"
    for wrong in (tags[::-1], tags[:1], []):
        assert (await finalized(app, headers, value, wrong)).status_code == 400
    assert (await finalized(app, headers, value | {"uploadToken": "other"}, tags)).status_code == 400
    assert (await finalized(app, headers, value, tags)).status_code == 200

    await app.http.post("/sandbox/settings", json={"video_processing_seconds": 60})
    state = await app.http.get(f"/rest/videos/{quote(value['video'], safe='')}", headers=headers)
    assert state.json()["status"] == "PROCESSING"
    assert (await app.publish(headers, "still too early", content=content)).status_code == 400
    await app.http.post("/sandbox/settings", json={"video_processing_seconds": 0})
    answer = await app.publish(headers, "Rain", content=content)
    assert answer.headers["x-restli-id"].startswith("urn:li:ugcPost:")
    [post] = await app.published()
    [video] = post["videos"]
    assert (video["title"], (await app.http.get(video["url"])).content) == ("Two <b>parts</b>", DATA)
    page = (await app.http.get("/")).text
    assert f'src="{urlsplit(video["url"]).path}"' in page
    assert "Two &lt;b&gt;parts&lt;/b&gt;" in page


async def test_a_cover_that_was_announced_is_needed(app: App) -> None:
    headers = await app.headers()
    value = await begun(app, headers, uploadThumbnail=True)
    tags = [
        (await app.http.put(one["uploadUrl"], headers=PLAIN, content=DATA[one["firstByte"] : one["lastByte"] + 1]))
        .headers["etag"]
        .strip('"')
        for one in value["uploadInstructions"]
    ]
    assert (await finalized(app, headers, value, tags)).status_code == 400
    cover = facebook.a_picture()
    address = value["thumbnailUploadUrl"]
    assert (await app.http.put(address, headers=PLAIN, content=cover)).status_code == 400
    still = PLAIN | {"media-type-family": "STILLIMAGE"}
    assert (await app.http.put(address, headers=still, content=b"<svg/>")).status_code == 400
    assert (await app.http.put(address, headers=still, content=cover)).status_code == 201
    assert (await finalized(app, headers, value, tags)).status_code == 200


async def test_a_video_of_mastodon_is_processed_after_the_answer(app: App) -> None:
    headers = await mastodon.signed_in(app)
    await app.http.post("/sandbox/settings", json={"video_processing_seconds": 60})
    files = {"file": ("rain.mp4", DATA, "video/mp4")}
    made = await app.http.post("/api/v2/media", headers=headers, data={"description": "Rain"}, files=files)
    assert (made.status_code, made.json()["type"], made.json()["url"]) == (202, "video", None)
    assert (await app.http.get(f"/api/v1/media/{made.json()['id']}", headers=headers)).status_code == 206
    post = {"status": "Rain", "media_ids": [made.json()["id"]]}
    assert (await app.http.post("/api/v1/statuses", headers=headers, json=post)).status_code == 422
    await app.http.post("/sandbox/settings", json={"video_processing_seconds": 0})
    assert (await app.http.get(f"/api/v1/media/{made.json()['id']}", headers=headers)).status_code == 200
    assert (await app.http.post("/api/v1/statuses", headers=headers, json=post)).status_code == 200
    [shown] = await app.published()
    assert [one["alt_text"] for one in shown["videos"]] == ["Rain"]
    wrong = {"file": ("rain.mp4", b"<svg/>", "video/mp4")}
    assert (await app.http.post("/api/v2/media", headers=headers, files=wrong)).status_code == 422


async def test_mastodon_refuses_a_video_with_too_many_pixels_or_frames(app: App) -> None:
    headers = await mastodon.signed_in(app)

    async def upload(data: bytes) -> httpx2.Response:
        files = {"file": ("rain.mp4", data, "video/mp4")}
        return await app.http.post("/api/v2/media", headers=headers, data={"description": "Rain"}, files=files)

    large, quick = clips.video(0.2, (4096, 2160), sound=None), clips.video(0.2, sound=None, rate=121)
    answers = [await upload(data) for data in (large, quick)]
    assert [(one.status_code, one.json()) for one in answers] == [
        (422, {"error": "4096x2160 videos are not supported"}),
        (422, {"error": "121fps videos are not supported"}),
    ]
    assert (await upload(clips.video(0.2, (3840, 2160), sound=None))).status_code == 202
    told = (await app.http.get("/api/v2/instance")).json()["configuration"]["media_attachments"]
    assert (told["video_matrix_limit"], told["video_frame_rate_limit"]) == (8_294_400, 120)


async def test_bluesky_takes_a_video_by_the_token_for_its_service_alone(app: App) -> None:
    me = await bluesky.signed_in(app)
    own = {"Authorization": f"Bearer {me['accessJwt']}"}
    session = (await app.http.get("/xrpc/com.atproto.server.getSession", headers=own)).json()
    [server] = session["didDoc"]["service"]
    host = urlsplit(server["serviceEndpoint"]).netloc.replace(":", "%3A")

    async def token(**more: str) -> str:
        asked = {
            "aud": f"did:web:{host}",
            "lxm": "com.atproto.repo.uploadBlob",
            "exp": str(round(time.time()) + 60),
            **more,
        }
        answer = await app.http.get("/xrpc/com.atproto.server.getServiceAuth", params=asked, headers=own)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["token"])

    async def upload(bearer: str, did: str = me["did"]) -> httpx2.Response:
        sent = {"Authorization": f"Bearer {bearer}", **MP4}
        asked = {"did": did, "name": "rain.mp4"}
        return await app.http.post("/xrpc/app.bsky.video.uploadVideo", params=asked, headers=sent, content=DATA)

    for wrong in (me["accessJwt"], await token(aud="did:web:other.example"), await token(lxm="other.method")):
        assert (await upload(wrong)).status_code in (400, 401)
    assert (await upload(await token(), "did:plc:other")).status_code == 400
    job = (await upload(await token())).json()["jobId"]
    again = await upload(await token())
    assert (again.status_code, again.json()["error"], again.json()["jobId"]) == (409, "already_exists", job)
    state = (await app.http.get("/xrpc/app.bsky.video.getJobStatus", params={"jobId": job})).json()["jobStatus"]
    assert (state["state"], state["blob"]["size"]) == ("JOB_STATE_COMPLETED", SIZE)
    embed = {"$type": "app.bsky.embed.video", "video": state["blob"], "alt": "Rain"}
    other = embed | {"video": state["blob"] | {"size": 1}}
    refused = await bluesky.created(app, me, bluesky.a_record(embed=other))
    assert (refused.status_code, refused.json()["error"]) == (400, "BlobNotFound")
    long = embed | {"alt": "x" * 1001}
    assert (await bluesky.created(app, me, bluesky.a_record(embed=long))).status_code == 400
    assert (await bluesky.created(app, me, bluesky.a_record(embed=embed))).status_code == 200
    [shown] = await app.published()
    [video] = shown["videos"]
    assert hashlib.sha256((await app.http.get(video["url"])).content).digest() == hashlib.sha256(DATA).digest()


async def test_a_video_of_a_page_is_hidden_until_it_is_published_by_its_id(app: App) -> None:
    headers = await facebook.as_page(app)
    address = f"{facebook.PAGE}/videos"

    async def phase(name: str, **fields: str) -> httpx2.Response:
        return await app.http.post(address, headers=headers, data={"upload_phase": name, **fields})

    started = (await phase("start", file_size=str(SIZE))).json()
    session = {"upload_session_id": started["upload_session_id"]}
    assert (started["start_offset"], started["end_offset"]) == ("0", str(SIZE))
    finish = {**session, "description": "Rain", "title": "Wet", "published": "false"}
    assert (await phase("finish", **finish)).json()["error"]["error_subcode"] == 1363030
    for offset, data in (("5", DATA), ("0", DATA[:-1])):
        form = {"upload_phase": "transfer", **session, "start_offset": offset}
        answer = await app.http.post(address, headers=headers, data=form, files={"video_file_chunk": ("x", data)})
        assert answer.json()["error"]["error_subcode"] == 1363037
    form = {"upload_phase": "transfer", **session, "start_offset": "0"}
    answer = await app.http.post(address, headers=headers, data=form, files={"video_file_chunk": ("x", DATA)})
    assert answer.json() == {"start_offset": str(SIZE), "end_offset": str(SIZE)}
    assert (await phase("finish", **finish | {"published": "true"})).status_code == 400
    await app.http.post("/sandbox/settings", json={"video_processing_seconds": 60})
    assert (await phase("finish", **finish)).json() == {"success": True}
    assert await app.published() == []
    video = f"/v26.0/{started['video_id']}"
    early = await app.http.post(video, headers=headers, json={"published": True})
    assert early.json()["error"]["error_subcode"] == 1363130
    await app.http.post("/sandbox/settings", json={"video_processing_seconds": 0})
    for _ in range(2):  # it may be repeated
        assert (await app.http.post(video, headers=headers, json={"published": True})).json() == {"success": True}
    told = (await app.http.get(f"{video}?fields=published,status", headers=headers)).json()
    assert (told["published"], told["status"]["video_status"]) == (True, "ready")
    [shown] = await app.published()
    assert (shown["text"], [one["title"] for one in shown["videos"]]) == ("Rain", ["Wet"])
