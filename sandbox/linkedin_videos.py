"""Videos of the stand-in for LinkedIn: uploads in parts, and their states."""

import hashlib
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.faults import FaultKind, has_fault
from sandbox.http import Handler, origin
from sandbox.linkedin_images import UPLOAD_SECONDS
from sandbox.linkedin_problems import refuse
from sandbox.linkedin_requests import json_body, need_author, read_upload_order, rest_token
from sandbox.pictures import inspect
from sandbox.state import Image, State
from sandbox.videos import Video, is_mp4, is_unplayable, write

PART_BYTES = 4_194_304
MIN_BYTES, MAX_BYTES = 75_000, 500_000_000
MAX_TITLE = 400
_PREFIX = "urn:li:video:"


def is_video(urn: object) -> bool:
    return isinstance(urn, str) and urn.startswith(_PREFIX)


def id_of(urn: str) -> str:
    return urn.removeprefix(_PREFIX)


def urn_of(video: Video) -> str:
    return _PREFIX + video.id


def _facts(video: Video) -> dict[str, Any]:
    assert video.facts is not None
    return video.facts


def status_of(state: State, video: Video) -> str:
    if video.uploaded_at is None:
        return "WAITING_UPLOAD"
    if not video.is_processed(state):
        return "PROCESSING"
    return "PROCESSING_FAILED" if video.failed else "AVAILABLE"


async def act(request: Request, state: State) -> Response:
    action = request.query_params.get("action")
    if action == "initializeUpload":
        return await _start(request, state)
    if action == "finalizeUpload":
        return await _finish(request, state)
    raise refuse(400, "ILLEGAL_ARGUMENT", "action must be initializeUpload or finalizeUpload")


async def _start(request: Request, state: State) -> Response:
    owner, order = await read_upload_order(request, state)
    size, cover = order.get("fileSizeBytes"), order.get("uploadThumbnail", False)
    if not isinstance(size, int) or not MIN_BYTES <= size <= MAX_BYTES:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"fileSizeBytes must be {MIN_BYTES} to {MAX_BYTES}")
    if not isinstance(cover, bool) or order.get("uploadCaptions", False) is not False:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "uploadThumbnail must be a boolean; the sandbox takes no captions")
    expires_at = time.time() + UPLOAD_SECONDS
    facts = {"expires_at": expires_at, "token": secrets.token_hex(4), "tags": {}, "waits_for_cover": cover}
    video = Video("C5F10AQ" + secrets.token_hex(8).upper(), owner, size, facts=facts)
    state.save(video)
    address = f"{origin(request)}/dms-uploads/videos/{video.id}"
    value = {
        "uploadUrlsExpireAt": int(expires_at * 1000),
        "video": urn_of(video),
        "uploadToken": facts["token"],
        "uploadInstructions": [
            {
                "uploadUrl": f"{address}/{first // PART_BYTES}?signature={_signature(video, first // PART_BYTES)}",
                "firstByte": first,
                "lastByte": min(first + PART_BYTES, size) - 1,
            }
            for first in range(0, size, PART_BYTES)
        ],
    }
    if cover:
        value["thumbnailUploadUrl"] = f"{address}/thumbnail?signature={_signature(video, 'thumbnail')}"
    return JSONResponse({"value": value})


def _signature(video: Video, part: object) -> str:
    return hashlib.sha256(f"{_facts(video)['token']} {part}".encode()).hexdigest()[:16]


async def upload(request: Request, state: State) -> Response:
    """Store one part, or the thumbnail. The address itself is the permission: a token is refused."""
    part = request.path_params["part"]
    video = state.table(Video).get(request.path_params["video_id"])
    if video is None or request.query_params.get("signature") != _signature(video, part):
        raise refuse(404)
    if "authorization" in request.headers:
        raise refuse(400, "ILLEGAL_ARGUMENT", "The address of a part takes no Authorization header")
    if request.headers.get("content-type") != "application/octet-stream":
        raise refuse(400, "ILLEGAL_ARGUMENT", "Content-Type must be application/octet-stream")
    if _facts(video)["expires_at"] < time.time():
        raise refuse(400, "EXPIRED_UPLOAD_URL", "The upload address has expired")
    if part == "thumbnail":
        await _store_thumbnail(request, state, video)
        return Response(status_code=201)
    first = int(part) * PART_BYTES
    expected = min(first + PART_BYTES, video.size) - first
    if request.headers.get("content-length") != str(expected):
        raise refuse(400, "ILLEGAL_ARGUMENT", f"Part {part} must have {expected} bytes and say so")
    digest = hashlib.sha256()

    async def chunks() -> AsyncIterator[bytes]:
        async for chunk in request.stream():
            digest.update(chunk)
            yield chunk

    await write(state.path(video), chunks(), at=first)
    tag = f"/{video.id}/{part}/{digest.hexdigest()[:16]}"
    current = state.table(Video)[video.id]
    failed = current.failed or has_fault(request, FaultKind.processing_failed)
    tags = {**_facts(current)["tags"], part: tag}
    state.save(replace(current, failed=failed, facts={**_facts(current), "tags": tags}))
    return Response(status_code=200, headers={"ETag": f'"{tag}"'})


async def _store_thumbnail(request: Request, state: State, video: Video) -> None:
    if request.headers.get("media-type-family") != "STILLIMAGE":
        raise refuse(400, "ILLEGAL_ARGUMENT", "media-type-family must be STILLIMAGE")
    data = await request.body()
    try:
        media_type, _, _ = inspect(data)
    except ValueError as error:
        raise refuse(400, "ILLEGAL_ARGUMENT", f"The thumbnail is {error}") from error
    image = Image(str(state.new_number()), video.owner, media_type=media_type, uploaded_at=time.time())
    await state.store_image(image, data)
    current = state.table(Video)[video.id]
    state.save(replace(current, cover=image.id, facts={**_facts(current), "waits_for_cover": False}))


async def _finish(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    found = (await json_body(request)).get("finalizeUploadRequest")
    order = found if isinstance(found, dict) else {}
    video = state.table(Video).get(id_of(str(order.get("video"))))
    if video is None:
        raise refuse(400, "INVALID_VIDEO_ID", "The video does not exist")
    need_author(token, video.owner)
    if order.get("uploadToken") != _facts(video)["token"]:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "uploadToken is not that of the upload")
    tags, parts = _facts(video)["tags"], -(-video.size // PART_BYTES)
    if order.get("uploadedPartIds") != [tags.get(str(part)) for part in range(parts)]:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "uploadedPartIds are not the tags of all parts in order")
    if _facts(video)["waits_for_cover"]:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "The thumbnail was not uploaded")
    failed = video.failed or not is_mp4(state.path(video))
    state.save(replace(video, uploaded_at=video.uploaded_at or time.time(), failed=failed))
    return Response(status_code=200)


def read_video(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    video = state.table(Video).get(id_of(request.path_params["urn"]))
    if video is None:
        raise refuse(404)
    if not state.settings.linkedin_reads_videos:
        raise refuse(403)
    need_author(token, video.owner)
    status = status_of(state, video)
    reason = {"processingFailureReason": "The video cannot be played"} if status == "PROCESSING_FAILED" else {}
    return JSONResponse({"id": urn_of(video), "owner": video.owner, "status": status, **reason})


def usable_video(value: dict[str, Any], author: str, state: State) -> str:
    """Return the id of the video in a post, which gets its title. Raise Refusal if the author cannot use it."""
    video, title = state.table(Video).get(id_of(str(value.get("id")))), value.get("title", "")
    if video is None:
        raise refuse(422, "UNPROCESSABLE_ENTITY", f"Video {value.get('id')} does not exist")
    if video.owner != author:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"Video {urn_of(video)} is not owned by the author")
    if not isinstance(title, str) or len(title) > MAX_TITLE or set(value) - {"id", "title"}:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"A video has a title of at most {MAX_TITLE} characters")
    if is_unplayable(title):
        video = replace(video, failed=True)
    match status_of(state, video):
        case "AVAILABLE":
            state.save(replace(video, title=title))
            return video.id
        case "PROCESSING_FAILED":
            raise refuse(400, "MEDIA_ASSET_PROCESSING_FAILED", f"Video {urn_of(video)} could not be processed")
        case _:
            raise refuse(400, "MEDIA_ASSET_WAITING_UPLOAD", f"Video {urn_of(video)} is not ready")


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/rest/videos", act),
    ("GET", "/rest/videos/{urn}", read_video),
    ("PUT", "/dms-uploads/videos/{video_id}/{part}", upload),
)
