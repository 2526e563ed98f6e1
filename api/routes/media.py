from collections.abc import AsyncIterator
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Query, Request, Response, status
from starlette.datastructures import UploadFile

from api.bodies import KILOBYTE, MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.limits import UPLOADS, by_user
from api.paging import Pages, Tag
from api.presenters import carousel_place
from api.schemas.cards import CardIn
from api.schemas.media import (
    MediaCounts,
    MediaDetail,
    MediaOut,
    MediaPage,
    MediaUpdate,
    MediaUse,
    UploadOut,
)
from api.schemas.templates import TagCount
from core.container import Services
from core.errors import ErrorCode, FieldError, InvalidInput
from core.media.repository import MediaOrigin, MediaSort
from core.media.rules.cards import CardNote
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind

router = Router(prefix="/media", tags=["media"])

_CHUNK = 1 << 20  # bytes
# an image of 20 MB with its form: less than another megabyte, since a refusal shows the limit in megabytes
_FORM: Final[dict[str, Any]] = up_to(
    20 * MEGABYTE + 64 * KILOBYTE,
    requestBody={
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {"file": {"type": "string", "contentMediaType": "application/octet-stream"}},
                }
            }
        },
    },
)


def media_out(row: Media, services: Services) -> MediaOut:
    return MediaOut(
        id=row.id,
        source=row.source,
        by_assistant=row.by_assistant,
        name=row.name,
        alt=row.alt,
        tags=row.tags,
        kind=row.kind,
        pages=(row.facts or {}).get("pages"),
        seconds=(row.facts or {}).get("seconds"),
        mime=row.mime,
        width=row.width,
        height=row.height,
        bytes=row.bytes,
        made_by=row.made_by,
        url=services.media.signed_url(row.id),
        thumbnail_url=services.media.signed_url(row.id, thumbnail=True),
        card=_card_of(row),
        card_notes=[CardNote(note) for note in row.card_notes],
        carousel=carousel_place(row),
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _card_of(row: Media) -> CardIn | None:
    """Return the words and the look of a card; of a page of a sequence, those of a single card."""
    if row.design is None:
        return None
    return CardIn.model_validate({name: value for name, value in row.design.items() if name != "page"})


@router.get("/")
async def list_media(
    user: CurrentUser,
    services: Core,
    pages: Pages,
    tag: Tag = None,
    origin: Annotated[MediaOrigin | None, Query()] = None,
    sort: Annotated[MediaSort, Query()] = MediaSort.newest,
) -> MediaPage:
    rows, total, origins = await services.gallery.page(
        user.id, search=pages.search, tag=tag, origin=origin, sort=sort, offset=pages.offset, limit=pages.limit
    )
    items = [media_out(row, services) for row in rows]
    counts = MediaCounts(**origins)
    return MediaPage(items=items, next_cursor=pages.next_cursor(total), total=total, origins=counts)


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        ErrorCode.too_large,
        ErrorCode.image_type_refused,
        ErrorCode.image_truncated,
        ErrorCode.image_unreadable,
        ErrorCode.image_too_many_pixels,
        ErrorCode.storage_unavailable,
    ),
    openapi_extra=_FORM,
    dependencies=[by_user(UPLOADS)],
)
async def upload_media(request: Request, user: CurrentUser, services: Core) -> UploadOut:
    """Upload one image: JPEG, PNG, WebP, GIF, HEIC or AVIF up to 20 MB and 50 megapixels.

    HEIC and AVIF are converted to JPEG, or to PNG if they are transparent. An animated WebP, PNG or AVIF is reduced to
    its first frame; a GIF stays animated. Metadata and other embedded data are removed."""
    # a parameter would be parsed before authentication: strangers' files would be written to disk
    async with request.form(max_files=1, max_fields=0) as form:
        file = form.get("file")
        if not isinstance(file, UploadFile):
            raise InvalidInput(errors=[FieldError("file", ErrorCode.invalid_input)])
        stored = await services.gallery.upload(user.id, file.filename or "", _chunks(file))
    return UploadOut(
        **media_out(stored.media, services).model_dump(),
        duplicate=stored.known,
        first_frame_only=stored.first_frame_only,
    )


async def _chunks(file: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await file.read(_CHUNK):
        yield chunk


@router.get("/tags/")
async def list_media_tags(user: CurrentUser, services: Core) -> list[TagCount]:
    return [TagCount(tag=tag, count=count) for tag, count in await services.gallery.tags(user.id)]


@router.get("/{media_id}/", responses=problems(ErrorCode.not_found))
async def read_media(media_id: UUID, user: CurrentUser, services: Core) -> MediaDetail:
    """An image with everything that uses it."""
    row, uses = await services.gallery.get(user.id, media_id)
    held = [MediaUse(kind=use.kind, id=use.id, name=use.name, blocks=use.blocks) for use in uses]
    return MediaDetail(**media_out(row, services).model_dump(), uses=held)


@router.patch(
    "/{media_id}/", responses=problems(ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.content_too_long)
)
async def update_media(media_id: UUID, body: MediaUpdate, user: CurrentUser, services: Core) -> MediaOut:
    """Null fields stay unchanged."""
    row = await services.gallery.change(user.id, media_id, body.version, name=body.name, alt=body.alt, tags=body.tags)
    return media_out(row, services)


@router.delete(
    "/{media_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.in_use),
)
async def delete_media(media_id: UUID, user: CurrentUser, services: Core) -> None:
    """Delete an image; it can be restored for a day. Refused while a scheduled post uses it."""
    await services.gallery.delete(user.id, media_id)


@router.post("/{media_id}/restore/", responses=problems(ErrorCode.not_found, ErrorCode.undo_expired))
async def restore_media(media_id: UUID, user: CurrentUser, services: Core) -> MediaOut:
    return media_out(await services.gallery.restore(user.id, media_id), services)


@router.get("/{media_id}/file/", responses=problems(ErrorCode.not_found), response_class=Response)
async def read_file(
    media_id: UUID,
    services: Core,
    expires: Annotated[int, Query(description="Unix seconds")],
    signature: Annotated[str, Query(max_length=64)],
    thumbnail: Annotated[bool, Query(description="The thumbnail; it has its own signature")] = False,
    fitted_to: Annotated[ChannelKind | None, Query(description="The image as converted for this network")] = None,
) -> Response:
    """An image by its signed address: browsers and networks send no token with it."""
    data, mime, etag = await services.media.read_signed(
        media_id, expires, signature, thumbnail=thumbnail, fitted_to=fitted_to
    )
    return Response(
        data,
        media_type=mime,
        headers={
            "Cache-Control": "private, max-age=86400, immutable",
            "ETag": f'"{etag}"',
            # do not reveal the owner's file name
            "Content-Disposition": f'inline; filename="{media_id}.{mime.rpartition("/")[2]}"',
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )
