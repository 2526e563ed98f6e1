"""Stand-in for Bluesky's video service: jobs that process a video and store it as a blob."""

import base64
import hashlib
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.bluesky_problems import refuse
from sandbox.bluesky_sessions import did_of, person_of_service_token
from sandbox.faults import FaultKind, has_fault
from sandbox.http import Handler
from sandbox.people import PEOPLE
from sandbox.state import State
from sandbox.videos import Video, is_mp4, is_unplayable, write

MAX_VIDEO_BYTES = 100_000_000
VIDEO = "video/mp4"


async def upload_video(request: Request, state: State) -> Response:
    """Store a video and begin its job, which has the id of the video. A file that is known has its job already."""
    person, query = person_of_service_token(request, state, "com.atproto.repo.uploadBlob"), request.query_params
    if query.get("did") != did_of(person) or not query.get("name"):
        raise refuse(400, "InvalidRequest", "did must be that of the token, and a name is needed")
    size = request.headers.get("content-length", "")
    if request.headers.get("content-type") != VIDEO or not size.isdigit():
        raise refuse(400, "InvalidRequest", "Content-Type must be video/mp4, and Content-Length is needed")
    if int(size) > MAX_VIDEO_BYTES:
        raise refuse(413, "PayloadTooLarge", "The video is larger than 100 MB")
    video, digest = Video(secrets.token_hex(10), person.sub, int(size)), hashlib.sha256()

    async def chunks() -> AsyncIterator[bytes]:
        async for chunk in request.stream():
            digest.update(chunk)
            yield chunk

    await write(state.path(video), chunks())
    if not is_mp4(state.path(video)):
        state.path(video).unlink()
        raise refuse(400, "InvalidRequest", "The file is no video")
    cid = "bafkrei" + base64.b32encode(digest.digest()).decode().lower().rstrip("=")
    if known := next((one for one in _of_person(state, person.sub) if one.facts == {"cid": cid}), None):
        state.path(video).unlink()
        status = {**_status(state, known), "error": "already_exists", "message": "Video already processed"}
        return JSONResponse(status, 409)
    failed = has_fault(request, FaultKind.processing_failed) or is_unplayable(query["name"])
    video = replace(video, uploaded_at=time.time(), failed=failed, facts={"cid": cid})
    state.save(video)
    return JSONResponse(_status(state, video))


def _of_person(state: State, person: str) -> list[Video]:
    """Return the person's jobs, without the videos at other stand-ins."""
    return [one for one in state.table(Video).values() if one.owner == person and one.facts and "cid" in one.facts]


def get_job_status(request: Request, state: State) -> Response:
    video = state.table(Video).get(request.query_params.get("jobId", ""))
    if video is None:
        raise refuse(400, "InvalidRequest", "No job with that id")
    return JSONResponse({"jobStatus": _status(state, video)})


def _status(state: State, video: Video) -> dict[str, Any]:
    status: dict[str, Any] = {"jobId": video.id, "did": did_of(PEOPLE[video.owner])}
    if not video.is_processed(state):
        return {**status, "state": "JOB_STATE_ENCODING", "progress": 50}
    if video.failed:
        failure = {"error": "video processing error", "failureCode": "encoding_failure"}
        return {**status, "state": "JOB_STATE_FAILED", **failure}
    return {**status, "state": "JOB_STATE_COMPLETED", "blob": blob_of(video)}


def blob_of(video: Video) -> dict[str, Any]:
    assert video.facts is not None
    return {"$type": "blob", "ref": {"$link": video.facts["cid"]}, "mimeType": VIDEO, "size": video.size}


def video_of_blob(state: State, person: str, blob: object) -> Video | None:
    """Return the processed video of the person whose blob this is."""
    return next((one for one in _of_person(state, person) if one.is_usable(state) and blob_of(one) == blob), None)


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/xrpc/app.bsky.video.uploadVideo", upload_video),
    ("GET", "/xrpc/app.bsky.video.getJobStatus", get_job_status),
)
