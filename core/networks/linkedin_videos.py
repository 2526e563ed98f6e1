"""Videos at LinkedIn: uploaded in parts, processed, then used in a post.

An upload that breaks off is begun again: LinkedIn keeps no unfinished video, and what is not in a post is seen by
nobody. Sources: https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, Protocol
from urllib.parse import quote, urlsplit

import httpx2

from core.errors import ErrorCode, ProviderError, Refused, RetrySafe
from core.networks.connections import Credentials
from core.networks.linkedin_posts import author_of
from core.networks.posts import Video
from core.networks.rules.files import VideoLimits
from core.networks.uploads import retry_part, streamed, upload_time
from core.outgoing import http
from core.outgoing.http import text_of
from core.outgoing.redaction import clip

LIMITS: Final = VideoLimits(
    shows_title=True,
    shows_cover=True,
    min_bytes=75_000,
    # of a post in the feed; the API itself accepts 5 GB
    max_bytes=500_000_000,
    min_seconds=3,
    max_seconds=1_800,
    min_ratio=1 / 2.4,
    max_ratio=2.4,
)
_PREFIX: Final = "urn:li:video:"
READY_AGAIN: Final = timedelta(seconds=10)
_LEAST_WAIT, _MOST_WAIT = timedelta(seconds=10), timedelta(seconds=120)
"""How long a video is processed, where that cannot be read."""
_PART: Final = "application/octet-stream"
ADDRESS_ENDED: Final = (401, 403, 404, 410)
"""What an address for uploads answers that has ended. The account's access has not: the upload is begun again."""


class LinkedInCalls(Protocol):
    async def rest(
        self, to: Credentials, method: str, path: str, *, json: dict[str, Any] | None = None
    ) -> httpx2.Response: ...

    async def refused(self, response: httpx2.Response, to: Credentials) -> ProviderError: ...

    async def put(self, url: str, *, within: timedelta, **request: Any) -> httpx2.Response:
        """Upload without the account's token."""

    def is_linkedins(self, url: str) -> bool: ...


@dataclass(frozen=True)
class _Part:
    url: str
    first: int
    last: int


@dataclass(frozen=True)
class _Upload:
    urn: str
    token: str
    """Empty at times; LinkedIn wants it back all the same."""
    parts: tuple[_Part, ...]
    cover_url: str


def is_video(urn: str) -> bool:
    return urn.startswith(_PREFIX)


def processing_time(size: int) -> timedelta:
    """Return how long to wait for a video of so many bytes, where its state cannot be read."""
    return min(_LEAST_WAIT + timedelta(seconds=size // 1_000_000), _MOST_WAIT)


async def upload_video(calls: LinkedInCalls, to: Credentials, video: Video) -> str:
    """Return the id of the uploaded video, which LinkedIn then processes."""
    assert video.read is not None
    begun = await _begin(calls, to, video)
    tags = []
    for part in begun.parts:
        size = part.last - part.first + 1
        tags.append(await _put_part(calls, to, _sender(calls, video, part, size)))
    if video.cover:
        await _put_cover(calls, to, begun.cover_url, video.cover.data)
    order = {"video": begun.urn, "uploadToken": begun.token, "uploadedPartIds": tags}
    response = await calls.rest(to, "POST", "/rest/videos?action=finalizeUpload", json={"finalizeUploadRequest": order})
    if response.status_code != 200:
        raise await calls.refused(response, to)
    return begun.urn


async def _begin(calls: LinkedInCalls, to: Credentials, video: Video) -> _Upload:
    order = {
        "owner": author_of(to),
        "fileSizeBytes": video.size,
        "uploadCaptions": False,
        "uploadThumbnail": video.cover is not None,
    }
    response = await calls.rest(
        to, "POST", "/rest/videos?action=initializeUpload", json={"initializeUploadRequest": order}
    )
    if response.status_code != 200:
        raise await calls.refused(response, to)
    value = http.fields(response).get("value")
    place = value if isinstance(value, dict) else {}
    parts = _parts(place.get("uploadInstructions"), video.size)
    begun = _Upload(text_of(place, "video"), text_of(place, "uploadToken"), parts, text_of(place, "thumbnailUploadUrl"))
    if not (is_video(begun.urn) and parts and (begun.cover_url or not video.cover)):
        raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
    for url in (*(part.url for part in parts), *filter(None, [begun.cover_url])):
        if not calls.is_linkedins(url):
            raise Refused(ErrorCode.video_refused, detail=clip(f"upload to another host: {urlsplit(url).netloc}"))
    return begun


def _parts(listed: object, size: int) -> tuple[_Part, ...]:
    """Return the parts in order; none if they are not the whole file."""
    found = [
        _Part(url, first, last)
        for one in (listed if isinstance(listed, list) else [])
        if isinstance(one, dict)
        and (url := text_of(one, "uploadUrl"))
        and isinstance(first := one.get("firstByte"), int)
        and isinstance(last := one.get("lastByte"), int)
    ]
    starts = [0, *(part.last + 1 for part in found)]
    whole = starts[-1] == size and all(
        part.first == start <= part.last for part, start in zip(found, starts, strict=False)
    )
    return tuple(found) if whole else ()


def _sender(calls: LinkedInCalls, video: Video, part: _Part, size: int) -> Callable[[], Awaitable[httpx2.Response]]:
    assert video.read is not None
    read = video.read
    return lambda: calls.put(
        part.url, within=upload_time(size), **streamed(read(part.first, part.last + 1), size, _PART)
    )


async def _put_part(calls: LinkedInCalls, to: Credentials, send: Callable[[], Awaitable[httpx2.Response]]) -> str:
    """Return the part's ETag."""
    response = await retry_part(send)
    tag = response.headers.get("etag", "").strip().removeprefix("W/").strip('"')
    if response.is_success and tag:
        return tag
    if response.is_success or response.status_code in ADDRESS_ENDED:
        raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
    raise await _refusal(calls, response, to)


async def _put_cover(calls: LinkedInCalls, to: Credentials, url: str, data: bytes) -> None:
    headers = {"Content-Type": _PART, "media-type-family": "STILLIMAGE"}
    response = await retry_part(lambda: calls.put(url, within=upload_time(len(data)), content=data, headers=headers))
    if response.status_code in ADDRESS_ENDED:
        raise RetrySafe(detail=http.excerpt(response, (to.access_token,)))
    if not response.is_success:
        raise await _refusal(calls, response, to, ErrorCode.image_refused)


async def _refusal(
    calls: LinkedInCalls, response: httpx2.Response, to: Credentials, code: ErrorCode = ErrorCode.video_refused
) -> ProviderError:
    """Return the error for an upload. An expired address is replaced by beginning again."""
    if text_of(http.fields(response), "code") == "EXPIRED_UPLOAD_URL":
        return RetrySafe(detail=http.excerpt(response, (to.access_token,)))
    error = await calls.refused(response, to)
    return Refused(code, detail=error.detail) if type(error) is Refused else error


async def is_video_ready(calls: LinkedInCalls, to: Credentials, urn: str) -> bool | None:
    """Return whether the video may be used; None: unknown, since not every app may read that. Raise Refused if LinkedIn
    cannot process it."""
    response = await calls.rest(to, "GET", f"/rest/videos/{quote(urn, safe='')}")
    if response.status_code in (401, 426, 429):
        raise await calls.refused(response, to)
    if response.is_client_error:
        return None
    # a server's failure is asked again, as a video that is being processed
    status = text_of(http.fields(response), "status") if response.status_code == 200 else ""
    if status == "PROCESSING_FAILED":
        raise Refused(ErrorCode.video_refused, detail=http.excerpt(response, (to.access_token,)))
    return status == "AVAILABLE"
