"""Videos of Facebook pages: uploaded in parts to a host of their own, staged hidden, processed, and then shown by a
call with the video's id, as a post is.

An upload that breaks off is begun again: what is not finished is seen by nobody. Sources:
https://developers.facebook.com/docs/graph-api/reference/page/videos,
https://developers.facebook.com/docs/video-api/reference/error-codes and, for the call that shows a video, the parameter
`published` of the same host's SDK (`AdVideo.api_update`).
"""

from datetime import timedelta
from typing import Any, Final, Protocol
from urllib.parse import quote

import httpx2

from core.errors import ErrorCode, ProviderError, Refused, RetrySafe, StagedLost
from core.networks.connections import Credentials
from core.networks.graph_calls import CALL, UPLOAD
from core.networks.graph_errors import error_of, is_missing
from core.networks.posts import Image, Video
from core.networks.rules.files import VideoLimits
from core.networks.uploads import retry_part, streamed_form, upload_time
from core.outgoing import http
from core.outgoing.http import text_of

LIMITS: Final = VideoLimits(
    shows_title=True,
    shows_cover=True,
    max_bytes=10_000_000_000,
    min_seconds=1,
    max_seconds=14_400,
    mimes=("video/mp4", "video/quicktime"),
)
NOT_READY: Final = 1363130
"""Subcode for a video that is still being processed."""
FORMAT_REFUSED: Final = 352
"""Code for a file that is no video, or of an unknown format."""
_OTHER_PART: Final = 1363037
"""Subcode for an unexpected part, such as one whose answer was lost. The error names the one to go on with."""
_BROKEN_OFF: Final = {_OTHER_PART, 1363019, 1363021, 1363030, 1363033, 1363041}
"""Subcodes after which the upload is begun again: those that Facebook's PHP SDK takes for errors of an upload in
parts."""
_UPLOAD_FAILED: Final = 6000
"""Code without a reason, which the list of error codes says to retry several times; of a file it refuses the subcode
says why."""
_READY_AGAIN: Final = timedelta(seconds=15)


class FacebookCalls(Protocol):
    async def ask_staged(self, to: Credentials, method: str, path: str, **request: Any) -> httpx2.Response:
        """Make a call about what is staged, which publishes nothing. Repeat it while that is reported as missing."""

    async def ask_video_host(self, to: Credentials, path: str, *, within: timedelta, **request: Any) -> httpx2.Response:
        """POST to the host for uploads of videos."""

    async def failure_of(self, response: httpx2.Response, to: Credentials) -> ProviderError: ...


def is_video(post_id: str) -> bool:
    """Return whether a post's id is that of a video: others begin with the page's."""
    return "_" not in post_id


async def upload_video(calls: FacebookCalls, to: Credentials, video: Video, text: str) -> str:
    """Return the id of the hidden video, which Facebook then processes. Its cover is chosen afterwards."""
    path = f"{quote(to.external_id, safe='')}/videos"
    start = {"upload_phase": "start", "file_size": str(video.size)}
    response = await calls.ask_video_host(to, path, within=CALL, data=start)
    body = http.fields(response)
    made, session = text_of(body, "video_id"), text_of(body, "upload_session_id")
    if not (response.is_success and made and session):
        raise await _refusal(calls, response, to)
    await _transfer(calls, to, path, session, video, _range_in(response, to))
    texts = {"title": video.title, "description": text}
    finish = {"upload_phase": "finish", "upload_session_id": session, "published": "false", **texts}
    response = await calls.ask_video_host(to, path, within=UPLOAD, data=finish)
    if not response.is_success or http.fields(response).get("success") is not True:
        raise await _refusal(calls, response, to)
    return made


async def _transfer(
    calls: FacebookCalls, to: Credentials, path: str, session: str, video: Video, part: tuple[int, int]
) -> None:
    """Upload the parts that Facebook asks for, until it asks for an empty one at the file's end."""
    assert video.read is not None
    read = video.read
    while part[0] < part[1] <= video.size:
        start, end = part
        fields: dict[str, str | Image] = {
            "upload_phase": "transfer",
            "upload_session_id": session,
            "start_offset": str(start),
        }

        async def send(start: int = start, end: int = end, fields: dict[str, str | Image] = fields) -> httpx2.Response:
            size = end - start
            form = streamed_form(fields, "video_file_chunk", read(start, end), size, "application/octet-stream")
            return await calls.ask_video_host(to, path, within=upload_time(size), **form)

        response = await retry_part(send)
        if not response.is_success and error_of(response)[1] != _OTHER_PART:
            raise await _refusal(calls, response, to)
        part = _range_in(response, to)
        if part[0] <= start:
            raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
    if part[0] != video.size:
        raise RetrySafe(detail=f"the upload ended at byte {part[0]} of {video.size}")


def _range_in(response: httpx2.Response, to: Credentials) -> tuple[int, int]:
    """Return the part to upload next, of an answer or an error."""
    body = http.fields(response)
    if isinstance(error := body.get("error"), dict):
        data = error.get("error_data")
        body = data if isinstance(data, dict) else {}
    start, end = (http.whole_number(str(body.get(name))) for name in ("start_offset", "end_offset"))
    if start is None or end is None:
        raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
    return start, end


async def choose_cover(calls: FacebookCalls, to: Credentials, video_id: str, cover: Image) -> None:
    """Raise StagedLost if the video no longer exists."""
    response = await calls.ask_staged(
        to,
        "POST",
        f"{quote(video_id, safe='')}/thumbnails",
        within=UPLOAD,
        data={"is_preferred": "true"},
        files={"source": ("image", cover.data, cover.mime)},
    )
    if not response.is_success:
        error = await _failure_of_staged(calls, response, to)
        raise Refused(ErrorCode.image_refused, detail=error.detail) if type(error) is Refused else error


async def wait_for_video(calls: FacebookCalls, to: Credentials, video_id: str) -> timedelta | None:
    """Return how long to wait before asking again; None: the video may be shown. Raise Refused if Facebook cannot
    process it, StagedLost if it no longer exists."""
    response = await calls.ask_staged(to, "GET", f"{quote(video_id, safe='')}?fields=status")
    if response.status_code != 200:
        raise await _failure_of_staged(calls, response, to)
    status = http.fields(response).get("status")
    found = text_of(status, "video_status") if isinstance(status, dict) else ""
    if found in ("error", "expired"):
        raise Refused(ErrorCode.video_refused, detail=http.excerpt(response, (to.access_token,)))
    return None if found == "ready" else _READY_AGAIN


async def _failure_of_staged(calls: FacebookCalls, response: httpx2.Response, to: Credentials) -> ProviderError:
    error = await calls.failure_of(response, to)
    return StagedLost(detail=error.detail) if is_missing(response) and isinstance(error, Refused) else error


async def _refusal(calls: FacebookCalls, response: httpx2.Response, to: Credentials) -> ProviderError:
    """Return what a refused call of an upload means."""
    error = await calls.failure_of(response, to)
    code, subcode, _ = error_of(response)
    if subcode in _BROKEN_OFF:
        return RetrySafe(detail=error.detail)
    if type(error) is not Refused:
        return error
    # a session that has ended reads as missing; the code bounds how often the upload is begun again
    if is_missing(response) or (code == _UPLOAD_FAILED and subcode in (None, _UPLOAD_FAILED)):
        return RetrySafe(ErrorCode.video_refused, detail=error.detail)
    return Refused(ErrorCode.video_refused, detail=error.detail)
