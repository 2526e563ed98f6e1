"""Videos of the stand-in for Facebook pages: uploads in parts, hidden until they are published."""

import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.faults import FaultKind, arrived_at, has_fault
from sandbox.graph import read_body
from sandbox.graph_posts import PagePost
from sandbox.graph_problems import graph_problem, refuse
from sandbox.graph_tokens import page_token
from sandbox.http import Handler, Refusal
from sandbox.pictures import inspect
from sandbox.state import Image, State
from sandbox.videos import Video, is_mp4, is_unplayable, write

MAX_DESCRIPTION = 63_206
MAX_VIDEO_BYTES = 10_000_000_000
PART_BYTES = 5_000_000
CHUNK = 256 * 1024


async def act(request: Request, state: State) -> Response:
    """Start an upload, take a part or finish the upload, by `upload_phase`."""
    page_id = request.path_params["page_id"]
    page_token(request, state, page_id, "pages_manage_posts")
    if "multipart" in request.headers.get("content-type", ""):
        if "content-length" not in request.headers:
            raise refuse(100, None, "(#100) The request has no Content-Length", 411)
        async with request.form() as form:
            fields = {name: value for name, value in form.items() if isinstance(value, str)}
            part = form.get("video_file_chunk")
            if fields.get("upload_phase") == "transfer" and isinstance(part, UploadFile):
                return await _take_part(request, state, page_id, fields, part)
    else:
        fields = {name: str(value) for name, value in (await read_body(request)).items()}
        if fields.get("upload_phase") == "start":
            return _start(state, page_id, fields)
        if fields.get("upload_phase") == "finish":
            return _finish(request, state, page_id, fields)
    raise refuse(100, None, "(#100) upload_phase must be start, transfer with video_file_chunk, or finish")


def _start(state: State, page_id: str, fields: Mapping[str, str]) -> Response:
    size = fields.get("file_size", "")
    if not size.isdigit() or not 0 < int(size) <= MAX_VIDEO_BYTES:
        raise refuse(100, None, "(#100) file_size must be the size of the video")
    video = Video(str(state.new_number()), page_id, int(size), facts={"session": str(state.new_number()), "offset": 0})
    state.save(video)
    ids = {"video_id": video.id, "upload_session_id": _facts(video)["session"]}
    return JSONResponse(ids | _next_part(video))


def _facts(video: Video) -> dict[str, Any]:
    assert video.facts is not None
    return video.facts


def _next_part(video: Video) -> dict[str, str]:
    start = _facts(video)["offset"]
    return {"start_offset": str(start), "end_offset": str(min(start + PART_BYTES, video.size))}


def _of_session(state: State, page_id: str, fields: Mapping[str, str]) -> Video:
    session = fields.get("upload_session_id")
    for video in state.table(Video).values():
        if video.owner == page_id and video.uploaded_at is None and _facts(video).get("session") == session:
            return video
    raise refuse(100, 33)


def _other_part(message: str, expected: dict[str, str]) -> Refusal:
    return Refusal(graph_problem(6001, 1363037, message, data=expected))


async def _take_part(
    request: Request, state: State, page_id: str, fields: Mapping[str, str], part: UploadFile
) -> Response:
    video = _of_session(state, page_id, fields)
    expected = _next_part(video)
    if fields.get("start_offset") != expected["start_offset"]:
        raise _other_part("The video chunk starts at another offset than expected", expected)
    if part.size != int(expected["end_offset"]) - int(expected["start_offset"]):
        raise _other_part("The video chunk has another size than expected", expected)

    async def chunks() -> AsyncIterator[bytes]:
        while chunk := await part.read(CHUNK):
            yield chunk

    await write(state.path(video), chunks(), at=int(expected["start_offset"]))
    failed = video.failed or has_fault(request, FaultKind.processing_failed)
    video = replace(video, failed=failed, facts={**_facts(video), "offset": int(expected["end_offset"])})
    state.save(video)
    return JSONResponse(_next_part(video))


def _finish(request: Request, state: State, page_id: str, fields: Mapping[str, str]) -> Response:
    video, text, title = _of_session(state, page_id, fields), fields.get("description", ""), fields.get("title", "")
    if _facts(video)["offset"] != video.size:
        raise refuse(6000, 1363030, "The video was not uploaded as a whole")
    if len(text) > MAX_DESCRIPTION:
        raise refuse(100, None, f"(#100) description must have at most {MAX_DESCRIPTION} characters")
    if fields.get("published", "").lower() != "false":
        raise refuse(100, None, "(#100) The sandbox publishes a video by its id: published must be false")
    if not is_mp4(state.path(video)):
        raise refuse(352, None, "(#352) The video format is not supported")
    now = time.time()
    state.save(replace(video, uploaded_at=now, title=title, failed=video.failed or is_unplayable(title)))
    state.save(PagePost(video.id, page_id, text, [], now, arrived_at(request), video=video.id))
    return JSONResponse({"success": True})


async def choose_cover(request: Request, state: State) -> Response:
    video = state.table(Video).get(request.path_params["id"])
    if video is None:
        raise refuse(100, 33)
    page_token(request, state, video.owner, "pages_manage_posts")
    async with request.form() as form:
        source, preferred = form.get("source"), form.get("is_preferred")
        data = await source.read() if isinstance(source, UploadFile) else b""
    try:
        media_type, _, _ = inspect(data)
    except ValueError as error:
        raise refuse(1, 1366046, f"The thumbnail is {error}") from error
    if preferred == "true":
        image = Image(str(state.new_number()), video.owner, media_type=media_type, uploaded_at=time.time())
        await state.store_image(image, data)
        state.save(replace(video, cover=image.id))
    return JSONResponse({"success": True})


def status_of(state: State, video: Video) -> dict[str, str]:
    if not video.is_processed(state):
        return {"video_status": "processing"}
    return {"video_status": "error" if video.failed else "ready"}


def need_ready(state: State, video_id: str) -> None:
    """Raise Refusal if the video cannot be published yet, or never."""
    video = state.table(Video)[video_id]
    if not video.is_usable(state):
        raise refuse(6000, 1363130, "The video was not uploaded, or is being processed")


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/{page_id}/videos", act),
    ("POST", "/{id}/thumbnails", choose_cover),
)
