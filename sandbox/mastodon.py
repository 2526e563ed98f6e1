"""Stand-in for a Mastodon server with everybody's account: media and posts, with the real errors."""

import asyncio
import math
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import urlencode

import regex
from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox import mastodon_login
from sandbox.board_network import Network
from sandbox.cards import card, image_grid, image_path, paragraph, picture_of
from sandbox.faults import FaultKind, arrived_at, has_fault
from sandbox.http import Handler, add_handlers, origin
from sandbox.mastodon_login import read_body, token_of, username
from sandbox.mastodon_problems import refuse
from sandbox.pages import cards_page, iso, missing_page, post_page
from sandbox.people import PEOPLE, Person
from sandbox.pictures import inspect
from sandbox.state import Image, Row, State
from sandbox.texts import Text
from sandbox.videos import (
    Video,
    is_mp4,
    is_unplayable,
    read_track,
    video_path,
    video_players,
    videos_as_json,
    write,
)

MAX_MEDIA = 4
MAX_DESCRIPTION = 1500
MAX_BYTES = 16_777_216
MAX_PIXELS = 33_177_600
MAX_VIDEO_BYTES = 103_809_024
MAX_VIDEO_PIXELS = 8_294_400
MAX_VIDEO_FRAME_RATE = 120
CHUNK = 256 * 1024
KEY_SECONDS = 3600
_LANGUAGE = regex.compile(r"[a-z]{2,3}")
_LINK = regex.compile(r"https?://[^\s<>\"]*[^\s<>\"'.,;:!?)\]}。，、]", regex.IGNORECASE)
_MENTION = regex.compile(r"(?<![/\w.=])@(\w+(?:[\w.-]*\w)?)@[\w.-]+\w")


@dataclass(frozen=True)
class Status(Row):
    """`media` are (id, description). Times are epoch seconds."""

    table: ClassVar[str] = "mastodon_statuses"
    id: str
    person: str
    text: str
    media: list[list[str]]
    idempotency_key: str
    created_at: float
    arrived_at: float
    deleted: bool = False
    language: str = ""

    @property
    def key(self) -> str:
        return self.id


def length(text: str) -> int:
    """Return the length as Mastodon counts it: graphemes, a link as 23, mentions without their server."""
    return len(regex.findall(r"\X", _MENTION.sub(r"@\1", _LINK.sub("x" * 23, text))))


NAMES = {username(person): person for person in PEOPLE.values()}


# Accounts and media


def _account(person: Person, base: str) -> dict[str, Any]:
    name = username(person)
    return {
        "id": str(100 + list(NAMES).index(name)),
        "username": name,
        "acct": name,
        "display_name": person.name,
        "url": f"{base}/@{name}",
        "avatar": base + picture_of(person.sub),
    }


def verify_credentials(request: Request, state: State) -> Response:
    token = token_of(request, state, "read:accounts")
    return JSONResponse(_account(PEOPLE[str(token.person)], origin(request)))


def look_up_account(request: Request, state: State) -> Response:
    person = NAMES.get(request.query_params.get("acct", "").removeprefix("@"))
    if person is None:
        raise refuse(404)
    return JSONResponse(_account(person, origin(request)))


def read_instance(request: Request, state: State) -> Response:
    statuses = {
        "max_characters": state.settings.mastodon_characters,
        "max_media_attachments": MAX_MEDIA,
        "characters_reserved_per_url": 23,
    }
    media = {
        "supported_mime_types": ["image/jpeg", "image/png", "image/gif", "image/webp", "video/mp4"],
        "image_size_limit": MAX_BYTES,
        "image_matrix_limit": MAX_PIXELS,
        "video_size_limit": MAX_VIDEO_BYTES,
        "video_matrix_limit": MAX_VIDEO_PIXELS,
        "video_frame_rate_limit": MAX_VIDEO_FRAME_RATE,
        "description_limit": MAX_DESCRIPTION,
    }
    configuration = {"statuses": statuses, "media_attachments": media}
    return JSONResponse({"domain": request.url.netloc, "version": "4.5.0", "configuration": configuration})


async def add_media(request: Request, state: State) -> Response:
    token = token_of(request, state, "write:media")
    if "content-length" not in request.headers:
        raise refuse(411, "Length Required")
    async with request.form() as form:
        file, description = form.get("file"), form.get("description", "")
        if isinstance(file, UploadFile) and str(file.content_type).startswith("video/"):
            return await _add_video(request, state, str(token.person), file, description, form.get("thumbnail"))
        data = await file.read() if isinstance(file, UploadFile) else b""
    if not data:
        raise refuse(422, "Validation failed: File can't be blank")
    if len(data) >= MAX_BYTES:
        raise refuse(422, "Validation failed: File must be less than 16 MB")
    if not isinstance(description, str) or len(description) > MAX_DESCRIPTION:
        raise refuse(422, f"Validation failed: Description is too long (maximum is {MAX_DESCRIPTION} characters)")
    try:
        media_type, width, height = inspect(data)
    except ValueError as error:
        raise refuse(422, "Validation failed: File content type is invalid, File is invalid") from error
    if width * height > MAX_PIXELS:
        raise refuse(422, f"Validation failed: File {width}x{height} images are not supported")
    failed = has_fault(request, FaultKind.processing_failed)
    image = Image(
        str(state.new_number()),
        str(token.person),
        media_type=media_type,
        uploaded_at=time.time(),
        failed=failed,
        alt=description,
    )
    await state.store_image(image, data)
    return JSONResponse(
        _media(image, origin(request), state), 200 if _is_processed(image, state) and not failed else 202
    )


async def _add_video(
    request: Request, state: State, person: str, file: UploadFile, description: object, thumbnail: object
) -> Response:
    """Store the video, which the form's parser has written to a file, and process it after the answer."""
    if not isinstance(description, str) or len(description) > MAX_DESCRIPTION:
        raise refuse(422, f"Validation failed: Description is too long (maximum is {MAX_DESCRIPTION} characters)")
    if (file.size or 0) >= MAX_VIDEO_BYTES:
        raise refuse(422, "Validation failed: File must be less than 99 MB")

    async def chunks() -> AsyncIterator[bytes]:
        while chunk := await file.read(CHUNK):
            yield chunk

    cover = ""
    if isinstance(thumbnail, UploadFile):
        data = await thumbnail.read()
        try:
            media_type, _, _ = inspect(data)
        except ValueError as error:
            raise refuse(422, "Validation failed: Thumbnail content type is invalid") from error
        image = Image(str(state.new_number()), person, media_type=media_type, uploaded_at=time.time())
        await state.store_image(image, data)
        cover = image.id
    video = Video(str(state.new_number()), person, alt=description, cover=cover)
    size = await write(state.path(video), chunks())
    if not is_mp4(state.path(video)):
        raise refuse(422, "Validation failed: File content type is invalid, File is invalid")
    if picture := await asyncio.to_thread(read_track, state.path(video)):
        width, height, rate = picture
        if width * height > MAX_VIDEO_PIXELS:
            raise refuse(422, f"{width}x{height} videos are not supported")
        if math.floor(rate) > MAX_VIDEO_FRAME_RATE:
            raise refuse(422, f"{math.floor(rate)}fps videos are not supported")
    failed = has_fault(request, FaultKind.processing_failed) or is_unplayable(description)
    video = replace(video, size=size, uploaded_at=time.time(), failed=failed)
    state.save(video)
    return JSONResponse(_media(video, origin(request), state), 202)


def _is_processed(image: Image | Video, state: State) -> bool:
    if isinstance(image, Video):
        return image.is_processed(state)
    return time.time() >= (image.uploaded_at or 0) + state.settings.image_processing_seconds


def _media(image: Image | Video, base: str, state: State) -> dict[str, Any]:
    is_video = isinstance(image, Video)
    url = base + (video_path(image.id) if is_video else image_path(image.id))
    ready = _is_processed(image, state)
    return {
        "id": image.id,
        "type": "video" if is_video else "image",
        "url": url if ready else None,
        "preview_url": url,
        "description": image.alt or None,
    }


def read_media(request: Request, state: State) -> Response:
    token = token_of(request, state, "write:media")
    image = _stored(state, request.path_params["id"])
    if image is None or image.owner != token.person or _is_attached(state, image.id):
        raise refuse(404)
    if not _is_processed(image, state):
        return JSONResponse(_media(image, origin(request), state), 206)
    if image.failed:
        raise refuse(422, "Error processing thumbnail for uploaded media")
    return JSONResponse(_media(image, origin(request), state))


def _stored(state: State, media_id: str) -> Image | Video | None:
    return state.table(Image).get(media_id) or state.table(Video).get(media_id)


def _is_attached(state: State, image_id: str) -> bool:
    return any(image_id == one for status in state.table(Status).values() for one, _ in status.media)


# Posts


async def add_status(request: Request, state: State) -> Response:
    token = token_of(request, state, "write:statuses")
    key, body = request.headers.get("idempotency-key", ""), await read_body(request)
    now = time.time()
    for earlier in state.table(Status).values():
        same = key and (earlier.idempotency_key, earlier.person) == (key, token.person)
        if same and now - earlier.created_at < KEY_SECONDS:
            return JSONResponse(_status(earlier, request, state))
    text, ids = body.get("status", ""), body.get("media_ids", [])
    if not isinstance(text, str) or not isinstance(ids, list):
        raise refuse(422, "Validation failed: status and media_ids are no text and list")
    if not text.strip() and not ids:
        raise refuse(422, "Validation failed: Text can't be blank")
    if length(text) > (most := state.settings.mastodon_characters):
        raise refuse(422, f"Validation failed: Text character limit of {most} exceeded")
    if len(ids) > MAX_MEDIA:
        raise refuse(422, f"Validation failed: Cannot attach more than {MAX_MEDIA} files")
    language = body.get("language", "")
    if not isinstance(language, str) or (language and not _LANGUAGE.fullmatch(language)):
        raise refuse(422, "Validation failed: Language is invalid")
    images = [_unused_media(state, str(token.person), one) for one in ids]
    if len(images) > 1 and any(isinstance(one, Video) for one in images):
        raise refuse(422, "Validation failed: Cannot attach a video to a post that already contains images")
    status = Status(
        str(state.new_number()),
        str(token.person),
        text,
        [[image.id, image.alt] for image in images],
        key,
        now,
        arrived_at(request),
        language=language,
    )
    state.save(replace(status, deleted=has_fault(request, FaultKind.vanish)))
    if has_fault(request, FaultKind.no_id):
        return JSONResponse({})
    return JSONResponse(_status(status, request, state))


def _unused_media(state: State, person: str, media_id: object) -> Image | Video:
    image = _stored(state, str(media_id))
    if image is None or image.owner != person or _is_attached(state, image.id):
        raise refuse(422, "Validation failed: Media attachments is invalid")
    if image.failed or not _is_processed(image, state):
        raise refuse(422, "Cannot attach files that have not finished processing. Try again in a moment!")
    return image


def _status(status: Status, request: Request, state: State) -> dict[str, Any]:
    base, person = origin(request), PEOPLE[status.person]
    return {
        "id": status.id,
        "created_at": iso(status.created_at),
        "visibility": "public",
        "language": status.language or None,
        "url": base + _path(status),
        "content": f"<p>{Text.escape(status.text)}</p>",
        "account": _account(person, base),
        "media_attachments": [
            _media(stored, base, state) for one, _ in status.media if (stored := _stored(state, one)) is not None
        ],
    }


def list_statuses(request: Request, state: State) -> Response:
    token_of(request, state, "read:statuses")
    wanted = request.path_params["id"]
    person = next((one for one in PEOPLE.values() if _account(one, "")["id"] == wanted), None)
    if person is None:
        raise refuse(404)
    limit = request.query_params.get("limit", "20")
    if not limit.isdigit() or not 1 <= int(limit) <= 40:
        raise refuse(422, "limit must be 1 to 40")
    posts = [one for one in live(state) if one.person == person.sub]
    bounds = {name: request.query_params[name] for name in ("max_id", "since_id") if name in request.query_params}
    if not all(one.isdigit() for one in bounds.values()):
        raise refuse(404)
    if "max_id" in bounds:
        posts = [one for one in posts if int(one.id) < int(bounds["max_id"])]
    if "since_id" in bounds:
        posts = [one for one in posts if int(one.id) > int(bounds["since_id"])]
    posts = posts[: int(limit)]
    return JSONResponse([_status(one, request, state) for one in posts], headers=_pages(request, posts, int(limit)))


def _pages(request: Request, posts: list[Status], limit: int) -> dict[str, str]:
    """Return the Link header to the next and previous pages. A page that is not full is the last."""
    query = {name: value for name, value in request.query_params.items() if name not in ("max_id", "since_id")}
    at = f"{origin(request)}{request.url.path}"
    links = [f'<{at}?{urlencode({**query, "max_id": posts[-1].id})}>; rel="next"'] if len(posts) == limit else []
    links += [f'<{at}?{urlencode({**query, "since_id": posts[0].id})}>; rel="prev"'] if posts else []
    return {"Link": ", ".join(links)} if links else {}


def _own_status(request: Request, state: State, scope: str) -> Status:
    token = token_of(request, state, scope)
    status = state.table(Status).get(request.path_params["id"])
    if status is None or status.deleted or status.person != token.person:
        raise refuse(404)
    return status


def read_source(request: Request, state: State) -> Response:
    status = _own_status(request, state, "read:statuses")
    return JSONResponse({"id": status.id, "text": status.text, "spoiler_text": ""})


def read_status(request: Request, state: State) -> Response:
    return JSONResponse(_status(_own_status(request, state, "read:statuses"), request, state))


def delete_status(request: Request, state: State) -> Response:
    status = _own_status(request, state, "write:statuses")
    state.save(replace(status, deleted=True))
    return JSONResponse({**_status(status, request, state), "text": status.text})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/api/v1/accounts/verify_credentials", verify_credentials),
    ("GET", "/api/v1/accounts/lookup", look_up_account),
    ("GET", "/api/v1/accounts/{id}/statuses", list_statuses),
    ("GET", "/api/v2/instance", read_instance),
    ("POST", "/api/v2/media", add_media),
    ("GET", "/api/v1/media/{id}", read_media),
    ("POST", "/api/v1/statuses", add_status),
    ("GET", "/api/v1/statuses/{id}/source", read_source),
    ("GET", "/api/v1/statuses/{id}", read_status),
    ("DELETE", "/api/v1/statuses/{id}", delete_status),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add_handlers(router, state, mastodon_login.HANDLERS)
    add_handlers(router, state, HANDLERS)

    @router.get("/@{name}")
    async def posts_of_account(request: Request, name: str) -> Response:
        text, person = Text.of(request), NAMES.get(name)
        if person is None:
            return missing_page(text)
        cards = [_card(one, state) for one in live(state) if one.person == person.sub]
        return cards_page(text, text.escape(person.name), cards)

    @router.get("/@{name}/{number}")
    async def permalink(request: Request, name: str, number: str) -> Response:
        text, status = Text.of(request), state.table(Status).get(number)
        if status is None or status.deleted or username(PEOPLE[status.person]) != name:
            return missing_page(text)
        return post_page(text, PEOPLE[status.person].name, _card(status, state))

    return router


def live(state: State) -> list[Status]:
    """Return the statuses that are not deleted, newest first."""
    return [one for one in reversed(state.table(Status).values()) if not one.deleted]


def _path(status: Status) -> str:
    return f"/@{username(PEOPLE[status.person])}/{status.id}"


def _images(state: State, status: Status) -> list[list[str]]:
    return [one for one in status.media if one[0] in state.table(Image)]


def _videos(state: State, status: Status) -> list[Video]:
    return [state.table(Video)[one] for one, _ in status.media if one in state.table(Video)]


def _card(status: Status, state: State) -> str:
    person = PEOPLE[status.person]
    return card(
        author=person.name,
        picture=picture_of(person.sub),
        permalink=_path(status),
        at=status.created_at,
        notes=[f"@{username(person)}", "Mastodon"],
        body=paragraph(status.text)
        + image_grid((image_path(one), alt) for one, alt in _images(state, status))
        + video_players(_videos(state, status)),
    )


def _as_json(state: State, status: Status, base: str) -> dict[str, Any]:
    return {
        "id": status.id,
        "author": username(PEOPLE[status.person]),
        "author_name": PEOPLE[status.person].name,
        "text": status.text,
        "commentary": status.text,
        "visibility": "PUBLIC",
        "language": status.language,
        "images": [{"id": one, "alt_text": alt, "url": base + image_path(one)} for one, alt in _images(state, status)],
        "videos": videos_as_json(_videos(state, status), base),
        "article": None,
        "created_at": iso(status.created_at),
        "arrived_at": status.arrived_at,
        "permalink": base + _path(status),
        "deleted": status.deleted,
    }


NETWORK = Network(
    cards=lambda state, _: [(one.created_at, _card(one, state)) for one in live(state)],
    as_json=lambda state, base: [_as_json(state, one, base) for one in state.table(Status).values()],
)
