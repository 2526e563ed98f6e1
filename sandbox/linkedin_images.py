"""Images of the stand-in for LinkedIn: uploads, and their states."""

import secrets
import time
from dataclasses import replace
from enum import StrEnum

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.cards import image_path, picture_of
from sandbox.faults import FaultKind, has_fault
from sandbox.http import Handler, origin
from sandbox.linkedin_problems import refuse
from sandbox.linkedin_requests import need_author, read_upload_order, rest_token, token_of
from sandbox.linkedin_tokens import Token
from sandbox.people import ORGANISATIONS, Organisation
from sandbox.pictures import inspect
from sandbox.state import Image, State

UPLOAD_SECONDS = 86400
MAX_PIXELS = 36_152_320
MAX_ALT_TEXT = 4086


class ImageStatus(StrEnum):
    waiting_upload = "WAITING_UPLOAD"
    processing = "PROCESSING"
    available = "AVAILABLE"
    processing_failed = "PROCESSING_FAILED"


def urn_of(image: Image) -> str:
    return f"urn:li:image:{image.id}"


def id_of(urn: str) -> str:
    return urn.removeprefix("urn:li:image:")


def status_of(state: State, image: Image) -> ImageStatus:
    if image.uploaded_at is None:
        return ImageStatus.waiting_upload
    if time.time() < image.uploaded_at + state.settings.image_processing_seconds:
        return ImageStatus.processing
    return ImageStatus.processing_failed if image.failed else ImageStatus.available


async def start_upload(request: Request, state: State) -> Response:
    owner, _ = await read_upload_order(request, state)
    expires_at = time.time() + UPLOAD_SECONDS
    image = Image("C4E10AQ" + secrets.token_hex(8).upper(), owner, expires_at)
    state.save(image)
    value = {
        "uploadUrlExpiresAt": int(expires_at * 1000),
        "uploadUrl": f"{origin(request)}/dms-uploads/{image.id}/uploaded-image/0?ca=sandbox",
        "image": urn_of(image),
    }
    return JSONResponse({"value": value})


async def upload(request: Request, state: State) -> Response:
    token = token_of(request, state)
    image = state.table(Image).get(request.path_params["image_id"])
    if image is None:
        raise refuse(404)
    need_author(token, image.owner)
    if image.upload_expires_at < time.time():
        raise refuse(400, "ILLEGAL_ARGUMENT", "The upload address has expired")
    data = await request.body()
    try:
        media_type, width, height = inspect(data)
    except ValueError as error:
        raise refuse(400, "ILLEGAL_ARGUMENT", f"The upload is {error}") from error
    if width * height >= MAX_PIXELS:
        raise refuse(400, "ILLEGAL_ARGUMENT", f"{width} × {height} is {MAX_PIXELS} pixels or more")
    failed = has_fault(request, FaultKind.processing_failed)
    await state.store_image(replace(image, media_type=media_type, uploaded_at=time.time(), failed=failed), data)
    return Response(status_code=201)


def read_image(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    image_id = id_of(request.path_params["urn"])
    image = state.table(Image).get(image_id)
    if image is None:
        if of_page := next((one for one in ORGANISATIONS.values() if one.logo == image_id), None):
            return _logo(request, token, of_page)
        raise refuse(404)
    need_author(token, image.owner, reading=True)
    status = status_of(state, image)
    answer = {"id": urn_of(image), "owner": image.owner, "status": status}
    if status is ImageStatus.available:
        answer["downloadUrl"] = origin(request) + image_path(image.id)
    return JSONResponse(answer)


def _logo(request: Request, token: Token, page: Organisation) -> Response:
    need_author(token, page.urn, reading=True)
    url = origin(request) + picture_of(page.vanity_name)
    urn = f"urn:li:image:{page.logo}"
    return JSONResponse({"id": urn, "owner": page.urn, "status": ImageStatus.available, "downloadUrl": url})


def usable_image(value: object, author: str, state: State) -> list[str]:
    """Return (urn, alt text) of an image in a post. Raise Refusal if the author cannot use it."""
    urn = value.get("id") if isinstance(value, dict) else None
    alt_text = value.get("altText", "") if isinstance(value, dict) else ""
    image = state.table(Image).get(id_of(str(urn)))
    if image is None or urn != urn_of(image):
        raise refuse(422, "UNPROCESSABLE_ENTITY", f"Image {urn} does not exist")
    if image.owner != author:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"Image {urn} is not owned by the author")
    status = status_of(state, image)
    if status is not ImageStatus.available:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"Image {urn} is {status}")
    if not isinstance(alt_text, str) or len(alt_text) > MAX_ALT_TEXT:
        raise refuse(400, "FIELD_LENGTH_TOO_LONG", f"altText is longer than {MAX_ALT_TEXT} characters")
    return [urn_of(image), alt_text]


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("POST", "/rest/images", start_upload),
    ("GET", "/rest/images/{urn}", read_image),
    ("PUT", "/dms-uploads/{image_id}/{rest:path}", upload),
)
