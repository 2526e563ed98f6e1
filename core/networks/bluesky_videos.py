"""Videos at Bluesky: uploaded to the network's video service, which processes them and stores the result at the
account's server. A post's record names the result, so staging lasts until it is there.

An upload is a job. Its id is kept in the ledger, so that an attempt after a crash waits for the same job. Source:
https://docs.bsky.app/docs/tutorials/video.
"""

import asyncio
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final, Protocol
from urllib.parse import urlencode, urlsplit

import httpx2

from core.clock import utcnow
from core.errors import Blocked, ErrorCode, ProviderError, Refused, RetrySafe, StagedLost
from core.networks.connections import Credentials
from core.networks.posts import Keep, Video
from core.networks.rules.files import VideoLimits
from core.networks.uploads import streamed, upload_time
from core.outgoing import http
from core.outgoing.http import text_of

LIMITS: Final = VideoLimits(max_bytes=100_000_000, max_seconds=180)
MAX_ALT: Final = 1_000
"""Graphemes; of an image's description it is more."""
JOB: Final = "job "
"""Begins the reference of a job whose result is not known yet."""
JOB_WAITS: Final = (1.0, 2.0, 3.0, 5.0, *(10.0,) * 30)
"""Seconds between reads of a job."""
_LATER: Final = timedelta(minutes=1)
_TOKEN_LIFE: Final = timedelta(minutes=30)
_UPLOAD_BLOB: Final = "com.atproto.repo.uploadBlob"
_FAILED: Final = "JOB_STATE_FAILED"
_FILE_REFUSED: Final = {"validation_failure", "encoding_failure", "pds_upload_unsupported_blob_size"}
"""Reasons for which the same file would fail again. Other failures are often temporary."""
_UNCONFIRMED: Final = "unconfirmed_email"


class BlueskyCalls(Protocol):
    async def ask(self, to: Credentials, method: str, path: str) -> httpx2.Response:
        """Ask the account's server, with the account's token."""

    async def ask_video_service(
        self, method: str, path: str, *, within: timedelta | None = None, **request: Any
    ) -> httpx2.Response: ...

    def refused(self, answer: httpx2.Response, to: Credentials) -> ProviderError: ...


async def stage_video(
    calls: BlueskyCalls, to: Credentials, video: Video, *, had: tuple[str, ...], keep: Keep
) -> tuple[str, ...]:
    """Return what the record needs about the video, and what an earlier attempt has kept after it."""
    jobs = [ref.removeprefix(JOB) for ref in had if ref.startswith(JOB)]
    done = tuple(ref for ref in had if not ref.startswith(JOB))
    if done:
        return done
    blob = await _result(calls, to, jobs[-1], repeated=True) if jobs else None
    if blob is None:
        job = await _upload(calls, to, video)
        await keep(JOB + job)
        blob = await _result(calls, to, job)
    assert blob is not None
    ref = f"{blob['ref']['$link']} {blob['mimeType']} {blob['size']} {video.width}x{video.height}"
    await keep(ref)
    return (ref,)


async def _upload(calls: BlueskyCalls, to: Credentials, video: Video) -> str:
    """Return the id of the job. The service answers with an earlier one for a file that it knows."""
    assert video.read is not None
    token = await _service_token(calls, to)
    name = re.sub(r"[^\w-]+", "-", video.title, flags=re.ASCII).strip("-")[:80] or "video"
    query = urlencode({"did": to.external_id, "name": f"{name}.mp4"})
    request = streamed(video.read(), video.size, video.mime)
    request["headers"]["Authorization"] = f"Bearer {token}"
    answer = await calls.ask_video_service(
        "POST", f"/xrpc/app.bsky.video.uploadVideo?{query}", within=upload_time(video.size), **request
    )
    status = _status_in(answer)
    if job := text_of(status, "jobId"):
        return job
    detail = http.excerpt(answer, (to.access_token, token))
    if text_of(status, "error") == _UNCONFIRMED:
        raise Blocked(detail=detail)
    if answer.status_code == 401:  # of the service's token, which is new each time
        raise RetrySafe(detail=detail)
    failure = calls.refused(answer, to)
    raise Refused(ErrorCode.video_refused, detail=detail) if type(failure) is Refused else failure


async def _service_token(calls: BlueskyCalls, to: Credentials) -> str:
    """Return a token with which the video service may store the result at the account's server, which may be another
    than the one to sign in at."""
    signed_in = await calls.ask(to, "GET", "/xrpc/com.atproto.server.getSession")
    if signed_in.status_code != 200:
        raise calls.refused(signed_in, to)
    host = _server_in(http.fields(signed_in)) or urlsplit(to.base_url).netloc
    expires_at = round((utcnow() + _TOKEN_LIFE).timestamp())
    # a port is written with %3A in such an id
    query = urlencode({"aud": f"did:web:{host.replace(':', '%3A')}", "lxm": _UPLOAD_BLOB, "exp": expires_at})
    answer = await calls.ask(to, "GET", f"/xrpc/com.atproto.server.getServiceAuth?{query}")
    token = text_of(http.fields(answer), "token")
    if answer.status_code != 200 or not token:
        raise calls.refused(answer, to)
    return token


def _server_in(signed_in: Mapping[str, Any]) -> str:
    """Return the host of the account's server, by its DID document; empty if the answer has none."""
    document = signed_in.get("didDoc")
    services = document.get("service") if isinstance(document, dict) else None
    for one in services if isinstance(services, list) else []:
        if isinstance(one, dict) and text_of(one, "id").endswith("#atproto_pds"):
            return urlsplit(text_of(one, "serviceEndpoint")).netloc
    return ""


async def _result(calls: BlueskyCalls, to: Credentials, job: str, *, repeated: bool = False) -> dict[str, Any] | None:
    """Return the blob that processing has made. None: the job of an earlier attempt failed, so the file is to be
    uploaded again. Raise Refused or StagedLost if a new job failed, RetrySafe if it takes too long or is unknown."""
    path = f"/xrpc/app.bsky.video.getJobStatus?{urlencode({'jobId': job})}"
    for wait in (*JOB_WAITS, 0.0):
        answer = await calls.ask_video_service("GET", path)
        status = _status_in(answer)
        if blob := _blob_in(status):  # also of a job that failed because the file is known already
            return blob
        if answer.status_code == 429:
            raise calls.refused(answer, to)
        if text_of(status, "state") == _FAILED or answer.status_code in (400, 404):
            if repeated:
                return None
            detail = http.excerpt(answer)
            if text_of(status, "failureCode") in _FILE_REFUSED:
                raise Refused(ErrorCode.video_refused, detail=detail)
            raise StagedLost(ErrorCode.video_refused, detail=detail)
        await asyncio.sleep(wait)
    raise RetrySafe(ErrorCode.video_not_ready, retry_after=_LATER, detail=http.excerpt(answer))


def _status_in(answer: httpx2.Response) -> dict[str, Any]:
    """Return a job's status, which some answers have as their only field and others as their body."""
    body = http.fields(answer)
    status = body.get("jobStatus")
    return status if isinstance(status, dict) else body


def _blob_in(status: Mapping[str, Any]) -> dict[str, Any] | None:
    blob = status.get("blob")
    if not isinstance(blob, dict) or not isinstance(link := blob.get("ref"), dict):
        return None
    whole = text_of(link, "$link") and text_of(blob, "mimeType") and isinstance(blob.get("size"), int)
    return blob if whole else None
