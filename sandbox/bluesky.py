"""Stand-in for a Bluesky server: blobs and records, with the real errors."""

import base64
import hashlib
import re
import time
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar

import regex
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from sandbox import bluesky_sessions, bluesky_videos
from sandbox.bluesky_problems import refuse
from sandbox.bluesky_sessions import DIDS, HANDLES, did_of, handle_of, person_of, read_body
from sandbox.bluesky_videos import video_of_blob
from sandbox.board_network import Network
from sandbox.cards import card, image_grid, image_path, link_card, picture_of
from sandbox.faults import FaultKind, arrived_at, has_fault
from sandbox.http import Handler, Refusal, add_handlers, is_web_address
from sandbox.pages import cards_page, iso, missing_page, page, post_page
from sandbox.people import PEOPLE, Person
from sandbox.pictures import inspect
from sandbox.state import Image, Row, State
from sandbox.texts import Text
from sandbox.videos import Video, video_players, videos_as_json

POSTS = "app.bsky.feed.post"
EXTERNAL = "app.bsky.embed.external"
VIDEO = "app.bsky.embed.video"
MAX_VIDEO_ALT = 1_000
MAX_GRAPHEMES, MAX_BYTES, MAX_IMAGES, MAX_TAG = 300, 3000, 4, 64
MAX_IMAGE_BYTES = 1_000_000
MAX_LANGUAGES = 3
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_KEY = re.compile(r"[234567abcdefghij][234567abcdefghijklmnopqrstuvwxyz]{12}")


@dataclass(frozen=True)
class Record(Row):
    """`images` are (id, alt text). Times are epoch seconds."""

    table: ClassVar[str] = "bluesky_records"
    rkey: str
    person: str
    value: dict[str, Any]
    images: list[list[str]]
    created_at: float
    arrived_at: float
    deleted: bool = False
    video: str = ""
    """The id of its video."""

    @property
    def key(self) -> str:
        return f"{self.person}/{self.rkey}"


# Blobs


async def upload_blob(request: Request, state: State) -> Response:
    person, data = person_of(request, state), await request.body()
    if not request.headers.get("content-type"):
        raise refuse(400, "InvalidRequest", "Request encoding (Content-Type) required but not provided")
    if len(data) > MAX_IMAGE_BYTES:
        raise refuse(400, "BlobTooLarge", f"This file is too large. It is {len(data)} bytes")
    cid = "bafkrei" + base64.b32encode(hashlib.sha256(data).digest()).decode().lower().rstrip("=")
    try:
        media_type, _, _ = inspect(data)
    except ValueError as error:
        raise refuse(400, "InvalidMimeType", "Wrong type of file") from error
    # the same bytes are the same blob for every uploader
    await state.store_image(Image(cid, person.sub, media_type=media_type, uploaded_at=time.time()), data)
    blob = {"$type": "blob", "ref": {"$link": cid}, "mimeType": media_type, "size": len(data)}
    return JSONResponse({"blob": blob})


# Records


async def create_record(request: Request, state: State) -> Response:
    person, body = person_of(request, state), await read_body(request)
    _check_repository(person, body)
    rkey, value = body.get("rkey"), body.get("record")
    if not isinstance(rkey, str) or not _KEY.fullmatch(rkey):
        raise refuse(400, "InvalidRequest", f"Invalid record key for {POSTS}")
    if not isinstance(value, dict):
        raise refuse(400, "InvalidRequest", "Input/record must be an object")
    images = _check_record(state, value)
    video = _check_video(state, person, value.get("embed"))
    if f"{person.sub}/{rkey}" in state.table(Record) and not state.table(Record)[f"{person.sub}/{rkey}"].deleted:
        raise refuse(500, "InternalServerError", "Internal Server Error")  # "There is already a value at key"
    now = time.time()
    record = Record(rkey, person.sub, value, images, now, arrived_at(request), video=video)
    state.save(replace(record, deleted=has_fault(request, FaultKind.vanish)))
    if has_fault(request, FaultKind.no_id):
        return JSONResponse({})
    return JSONResponse({"uri": _uri(record), "cid": "bafyrei" + "a" * 52, "validationStatus": "valid"})


def _check_repository(person: Person, body: dict[str, Any]) -> None:
    if body.get("repo") not in (did_of(person), handle_of(person)):
        raise refuse(401, "AuthenticationRequired", "Authentication Required")
    if body.get("collection") != POSTS:
        raise refuse(400, "InvalidRequest", "The sandbox stores posts only")


def _check_record(state: State, value: dict[str, Any]) -> list[list[str]]:
    """Return the images of a record that is valid by its lexicon, else raise Refusal."""
    text = value.get("text")
    if value.get("$type") != POSTS or not isinstance(text, str):
        raise _invalid("Record/text must be a string")
    if len(text.encode()) > MAX_BYTES:
        raise _invalid(f"Record/text must not be longer than {MAX_BYTES} characters")
    if len(regex.findall(r"\X", text)) > MAX_GRAPHEMES:
        raise _invalid(f"Record/text must not be longer than {MAX_GRAPHEMES} graphemes")
    try:
        datetime.fromisoformat(str(value.get("createdAt")))
    except ValueError as error:
        raise _invalid("Record/createdAt must be an valid atproto datetime") from error
    languages = value.get("langs", [])
    if not isinstance(languages, list) or len(languages) > MAX_LANGUAGES:
        raise _invalid(f"Record/langs must not have more than {MAX_LANGUAGES} elements")
    if not all(isinstance(one, str) and _LANGUAGE.fullmatch(one) for one in languages):
        raise _invalid("Record/langs must be well-formed BCP 47 language tags")
    for facet in value.get("facets", []):
        _check_facet(text.encode(), facet)
    embed = value.get("embed")
    if embed is None:
        return []
    if embed.get("$type") == VIDEO:
        return []
    if embed.get("$type") == EXTERNAL:
        return _external(state, embed.get("external"))
    listed = embed.get("images") if embed.get("$type") == "app.bsky.embed.images" else None
    if not isinstance(listed, list) or len(listed) > MAX_IMAGES:
        raise _invalid(f"Record/embed/images must not have more than {MAX_IMAGES} elements")
    return [_image(state, one) for one in listed]


def _check_video(state: State, person: Person, embed: dict[str, Any] | None) -> str:
    """Return the id of a record's video, which gets the record's description; empty if it has none."""
    if embed is None or embed.get("$type") != VIDEO:
        return ""
    alt, ratio = embed.get("alt", ""), embed.get("aspectRatio", {"width": 1, "height": 1})
    if not isinstance(alt, str) or len(regex.findall(r"\X", alt)) > MAX_VIDEO_ALT:
        raise _invalid(f"Record/embed/alt must not be longer than {MAX_VIDEO_ALT} graphemes")
    if not all(isinstance(ratio.get(side), int) and ratio[side] > 0 for side in ("width", "height")):
        raise _invalid("Record/embed/aspectRatio must have positive integers")
    found = video_of_blob(state, person.sub, embed.get("video"))
    if found is None:
        raise refuse(400, "BlobNotFound", "Could not find blob of the video")
    state.save(replace(found, alt=alt))
    return found.id


def _external(state: State, card: object) -> list[list[str]]:
    """Check a link card. Return its picture as (id, alt text), if any."""
    fields = card if isinstance(card, dict) else {}
    for name in ("uri", "title", "description"):
        if not isinstance(fields.get(name), str):
            raise _invalid(f'Record/embed/external must have the property "{name}"')
    if not is_web_address(fields["uri"]):
        raise _invalid("Record/embed/external/uri must be a uri")
    return [[_blob(state, fields["thumb"]), ""]] if "thumb" in fields else []


def _check_facet(text: bytes, facet: dict[str, Any]) -> None:
    start, end = facet["index"]["byteStart"], facet["index"]["byteEnd"]
    if not 0 <= start < end <= len(text):
        raise _invalid("Record/facets: an index is outside the text")
    try:
        text[start:end].decode()
    except UnicodeDecodeError as error:
        raise _invalid("Record/facets: an index is inside a character") from error
    for feature in facet["features"]:
        kind = feature.get("$type", "").removeprefix("app.bsky.richtext.facet#")
        if kind == "tag" and len(regex.findall(r"\X", feature.get("tag", ""))) > MAX_TAG:
            raise _invalid(f"Record/facets/tag must not be longer than {MAX_TAG} graphemes")
        needs = {"link": "uri", "tag": "tag", "mention": "did"}.get(kind)
        if needs is None or not feature.get(needs):
            raise _invalid("Record/facets: unknown feature")


def _image(state: State, one: dict[str, Any]) -> list[str]:
    alt = one.get("alt")
    if not isinstance(alt, str):
        raise _invalid('Record/embed/images must have the property "alt"')
    return [_blob(state, one.get("image", {})), alt]


def _blob(state: State, blob: dict[str, Any]) -> str:
    """Return the id of an uploaded blob. Raise Refusal if it is unknown or its type or size differs."""
    cid: str = blob.get("ref", {}).get("$link", "")
    found = state.table(Image).get(cid)
    if found is None:
        raise refuse(400, "InvalidRequest", f"Could not find blob: {cid}")
    if blob.get("mimeType") != found.media_type or blob.get("size") != state.path(found).stat().st_size:
        raise refuse(400, "InvalidRequest", "Referenced mimetype or size does not match stored blob")
    return cid


def _invalid(message: str) -> Refusal:
    return refuse(400, "InvalidRequest", f"Invalid {POSTS} record: {message}")


def _uri(record: Record) -> str:
    return f"at://{did_of(PEOPLE[record.person])}/{POSTS}/{record.rkey}"


async def get_record(request: Request, state: State) -> Response:
    query = request.query_params
    person = DIDS.get(query.get("repo", "")) or HANDLES.get(query.get("repo", ""))
    record = state.table(Record).get(f"{person.sub if person else ''}/{query.get('rkey', '')}")
    if record is None or record.deleted or query.get("collection") != POSTS:
        raise refuse(400, "RecordNotFound", f"Could not locate record: {query.get('rkey', '')}")
    return JSONResponse({"uri": _uri(record), "cid": "bafyrei" + "a" * 52, "value": record.value})


async def delete_record(request: Request, state: State) -> Response:
    person, body = person_of(request, state), await read_body(request)
    _check_repository(person, body)
    record = state.table(Record).get(f"{person.sub}/{body.get('rkey')}")
    if record is not None:
        state.save(replace(record, deleted=True))
    return JSONResponse({})


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/xrpc/com.atproto.repo.uploadBlob", upload_blob),
    ("POST", "/xrpc/com.atproto.repo.createRecord", create_record),
    ("GET", "/xrpc/com.atproto.repo.getRecord", get_record),
    ("POST", "/xrpc/com.atproto.repo.deleteRecord", delete_record),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    add_handlers(router, state, bluesky_sessions.HANDLERS)
    add_handlers(router, state, HANDLERS)
    add_handlers(router, state, bluesky_videos.HANDLERS)

    @router.get("/profile/{name}")
    async def posts_of_account(request: Request, name: str) -> Response:
        text, person = Text.of(request), DIDS.get(name) or HANDLES.get(name)
        if person is None:
            return missing_page(text)
        cards = [_card(one, state) for one in live(state) if one.person == person.sub]
        return cards_page(text, text.escape(person.name), cards)

    @router.get("/profile/{name}/post/{rkey}")
    async def permalink(request: Request, name: str, rkey: str) -> Response:
        text, person = Text.of(request), DIDS.get(name) or HANDLES.get(name)
        record = state.table(Record).get(f"{person.sub if person else ''}/{rkey}")
        if record is None or record.deleted:
            return missing_page(text)
        return post_page(text, PEOPLE[record.person].name, _card(record, state))

    @router.get("/bluesky")
    async def people(request: Request) -> Response:
        """The handles that can sign in."""
        text = Text.of(request)
        rows = "".join(
            f"<li><strong>{text.escape(handle)}</strong> <span>{text.escape(person.name)}</span></li>"
            for handle, person in HANDLES.items()
        )
        body = f'<h1>{text("bluesky")}</h1><p>{text("bluesky_intro")}</p><ul class="rows">{rows}</ul>'
        return HTMLResponse(page(text, text("bluesky"), body))

    return router


def live(state: State) -> list[Record]:
    """Return the records that are not deleted, newest first."""
    return [one for one in reversed(state.table(Record).values()) if not one.deleted]


def _videos(state: State, record: Record) -> list[Video]:
    return [state.table(Video)[record.video]] if record.video else []


def _card(record: Record, state: State) -> str:
    person = PEOPLE[record.person]
    if article := _article(record):
        below = link_card(article, image_path(article["thumbnail"]) if "thumbnail" in article else "")
    else:
        below = image_grid((image_path(one), alt) for one, alt in record.images)
        below += video_players(_videos(state, record))
    return card(
        author=person.name,
        picture=picture_of(person.sub),
        permalink=f"/profile/{handle_of(person)}/post/{record.rkey}",
        at=record.created_at,
        notes=[f"@{handle_of(person)}", "Bluesky"],
        body=f'<p class="text">{_rich_text(record.value)}</p>{below}',
    )


def _article(record: Record) -> dict[str, str] | None:
    """Return the record's link card, if any."""
    external = (record.value.get("embed") or {}).get("external")
    if external is None:
        return None
    shown = {"source": external["uri"], "title": external["title"], "description": external["description"]}
    return {**shown, "thumbnail": record.images[0][0]} if record.images else shown


def _rich_text(value: dict[str, Any]) -> str:
    """Return the text as HTML. Only its facets are links and tags: the network detects none itself."""
    data, at, parts = value["text"].encode(), 0, []
    for facet in sorted(value.get("facets", []), key=lambda one: one["index"]["byteStart"]):
        start, end, feature = facet["index"]["byteStart"], facet["index"]["byteEnd"], facet["features"][0]
        marked = Text.escape(data[start:end].decode())
        address = feature.get("uri") or (f"/profile/{feature['did']}" if "did" in feature else "")
        link = f'<a href="{Text.escape(address)}" rel="noreferrer">{marked}</a>'
        parts += [Text.escape(data[at:start].decode()), link if address else f'<span class="tag">{marked}</span>']
        at = end
    return "".join([*parts, Text.escape(data[at:].decode())])


def _as_json(state: State, record: Record, base: str) -> dict[str, Any]:
    person = PEOPLE[record.person]
    return {
        "id": _uri(record),
        "author": did_of(person),
        "author_name": person.name,
        "text": record.value["text"],
        "commentary": record.value["text"],
        "facets": record.value.get("facets", []),
        "langs": record.value.get("langs", []),
        "visibility": "PUBLIC",
        "images": [
            {"id": one, "alt_text": alt, "url": base + image_path(one)}
            for one, alt in record.images
            if _article(record) is None
        ],
        "videos": videos_as_json(_videos(state, record), base),
        "article": _article(record),
        "created_at": iso(record.created_at),
        "arrived_at": record.arrived_at,
        "permalink": f"{base}/profile/{did_of(person)}/post/{record.rkey}",
        "deleted": record.deleted,
    }


NETWORK = Network(
    cards=lambda state, _: [(one.created_at, _card(one, state)) for one in live(state)],
    as_json=lambda state, base: [_as_json(state, one, base) for one in state.table(Record).values()],
)
