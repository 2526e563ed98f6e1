"""Pictures of the stand-in for a WordPress site."""

import hashlib
import re
import time
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sandbox.cards import image_path
from sandbox.faults import FaultKind, has_fault
from sandbox.http import origin
from sandbox.pictures import inspect
from sandbox.sites import slug, unique_slug
from sandbox.state import Image, State
from sandbox.wordpress_login import capabilities, password_of, person_of, respond
from sandbox.wordpress_problems import refuse, wordpress_problem
from sandbox.wordpress_requests import read_body, respond_with_page
from sandbox.wordpress_tables import Media, taken_slugs


async def add_media(request: Request, state: State) -> Response:
    person = person_of(request, state, "upload_files", "rest_cannot_create")
    data = await request.body()
    if not data:
        raise refuse(400, "rest_upload_no_data", "No data supplied.")
    if not request.headers.get("content-type"):
        raise refuse(400, "rest_upload_no_content_type", "No Content-Type supplied.")
    disposition = request.headers.get("content-disposition", "")
    if not disposition:
        raise refuse(400, "rest_upload_no_content_disposition", "No Content-Disposition supplied.")
    named = re.fullmatch(r'attachment;\s*filename="?([\w. -]+)"?', disposition)
    if named is None:
        raise refuse(400, "rest_upload_invalid_disposition", "Invalid Content-Disposition supplied.")
    digest = request.headers.get("content-md5")
    if digest is not None and digest.strip() != hashlib.md5(data, usedforsecurity=False).hexdigest():
        raise refuse(412, "rest_upload_hash_mismatch", "Content hash did not match expected.")
    try:
        media_type, _, _ = inspect(data)
    except ValueError as error:
        reason = "Sorry, you are not allowed to upload this file type."
        raise refuse(500, "rest_upload_unknown_error", reason) from error
    image = Image(str(state.new_number()), person.sub, media_type=media_type, uploaded_at=time.time())
    await state.store_image(image, data)
    name = slug(named[1].rpartition(".")[0] or named[1])
    made = Media(int(image.id), person.sub, unique_slug(name, taken_slugs(state)), image.id)
    state.save(made)
    if has_fault(request, FaultKind.processing_failed):  # the file is stored, its smaller sizes are not
        answer = wordpress_problem(500, None, "The server cannot process the image.")
        answer.headers["X-WP-Upload-Attachment-ID"] = made.key
        return answer
    return respond(request, _row(made, request), 201)


async def change_media(request: Request, state: State, number: str) -> Response:
    person = person_of(request, state)
    found = state.table(Media).get(number)
    if found is None:
        raise refuse(404, "rest_post_invalid_id", "Invalid post ID.")
    if found.person != person.sub and "edit_others_posts" not in capabilities(person):
        raise refuse(403, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.")
    alt = (await read_body(request)).get("alt_text", found.alt)
    if not isinstance(alt, str):
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): alt_text")
    state.save(replace(found, alt=alt))
    return respond(request, _row(replace(found, alt=alt), request))


def list_media(request: Request, state: State) -> Response:
    password_of(request, state)
    wanted, among = request.query_params.get("slug"), request.query_params.get("include", "")
    if among and not re.fullmatch(r"\d+(,\d+)*", among):
        raise refuse(400, "rest_invalid_param", "Invalid parameter(s): include")
    ids = {int(one) for one in among.split(",")} if among else None
    found = [
        one
        for one in reversed(state.table(Media).values())
        if wanted in (None, one.slug) and (ids is None or one.id in ids)
    ]
    return respond_with_page(request, [_row(one, request) for one in found])


def _row(media: Media, request: Request) -> dict[str, Any]:
    address = origin(request) + image_path(media.image)
    return {"id": media.id, "slug": media.slug, "status": "inherit", "alt_text": media.alt, "source_url": address}
