from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, Final
from uuid import UUID

from fastapi import Path, Query, Request, Response, status
from pydantic import ValidationError
from starlette.datastructures import UploadFile

from api.bodies import MEGABYTE, Router, up_to
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.limits import (
    CARDS,
    DOCUMENT_PAGES,
    DRAWING,
    DRAWING_PAGES,
    RECEIVING,
    RECEIVING_FORMS,
    UPLOADS,
    VIDEOS,
    by_address,
    by_user,
)
from api.paging import Pages, Tag
from api.presenters import carousel_place
from api.ranges import file_response, known_tags
from api.schemas.cards import CardIn
from api.schemas.media import (
    KindCounts,
    MediaCounts,
    MediaDetail,
    MediaOut,
    MediaPage,
    MediaUpdate,
    MediaUse,
    PageDocumentIn,
    UploadOut,
)
from api.schemas.templates import TagCount
from core.container import Services
from core.errors import ErrorCode, FieldError, InvalidInput
from core.media.documents import pages_of
from core.media.repository import MediaOrigin, MediaSort
from core.media.rules.cards import CardNote
from core.media.rules.media import MAX_NAME, PDF, VIDEO_BYTES, MediaKind
from core.media.tables import Media
from core.networks.rules.channels import ChannelKind

router = Router(prefix="/media", tags=["media"])

_CHUNK = 1 << 20  # bytes
# a document of 100,000,000 bytes with its form; a refusal shows the limit in megabytes
_FORM: Final[dict[str, Any]] = up_to(
    96 * MEGABYTE,
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
_VIDEO: Final[dict[str, Any]] = up_to(
    VIDEO_BYTES,
    requestBody={
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
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
        of_pages=bool(pages_of(row)),
        mime=row.mime,
        width=row.width,
        height=row.height,
        bytes=row.bytes,
        made_by=row.made_by,
        url=services.media.signed_url(row.id),
        thumbnail_url=services.media.signed_url(row.id, thumbnail=True),
        page_url=services.media.signed_page_url(row.id) if row.kind is MediaKind.document else None,
        card=_card_of(row),
        card_notes=[CardNote(note) for note in row.card_notes],
        carousel=carousel_place(row),
        version=row.version,
        created_at=row.created_at,
        updated_at=row.updated_at,
    )


def _card_of(row: Media) -> CardIn | None:
    """Return the words and the look of a card; of a page of a sequence, those of a single card. None also for a card
    with more than the designer takes, which assistants of older releases stored: it is shown, but not edited."""
    if row.design is None:
        return None
    try:
        return CardIn.model_validate(row.design)
    except ValidationError:
        return None


@router.get("/")
async def list_media(
    user: CurrentUser,
    services: Core,
    pages: Pages,
    tag: Tag = None,
    kind: Annotated[MediaKind | None, Query()] = None,
    origin: Annotated[MediaOrigin | None, Query()] = None,
    sort: Annotated[MediaSort, Query()] = MediaSort.newest,
) -> MediaPage:
    rows, total, origins, kinds = await services.gallery.page(
        user.id,
        search=pages.search,
        tag=tag,
        kind=kind,
        origin=origin,
        sort=sort,
        offset=pages.offset,
        limit=pages.limit,
    )
    items = [media_out(row, services) for row in rows]
    return MediaPage(
        items=items,
        next_cursor=pages.next_cursor(total),
        total=total,
        origins=MediaCounts(**origins),
        kinds=KindCounts(**kinds),
    )


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        ErrorCode.too_large,
        ErrorCode.image_type_refused,
        ErrorCode.image_truncated,
        ErrorCode.image_unreadable,
        ErrorCode.image_too_many_pixels,
        ErrorCode.document_unreadable,
        ErrorCode.document_locked,
        ErrorCode.document_too_long,
        ErrorCode.storage_unavailable,
    ),
    openapi_extra=_FORM,
    dependencies=[by_user(UPLOADS, RECEIVING_FORMS)],
)
async def upload_media(request: Request, user: CurrentUser, services: Core) -> UploadOut:
    """Upload one file: an image (JPEG, PNG, WebP, GIF, HEIC or AVIF up to 20 MB and 50 megapixels), or a PDF without a
    password, up to 100 MB and 300 pages.

    HEIC and AVIF are converted to JPEG, or to PNG if they are transparent. An animated WebP, PNG or AVIF is reduced to
    its first frame; a GIF stays animated. Metadata and other embedded data are removed. A PDF is kept as it is.

    A video is refused here: `POST /media/videos/` takes it."""
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
        page_sizes_differ=stored.page_sizes_differ,
    )


@router.post(
    "/videos/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(
        ErrorCode.too_large,
        ErrorCode.video_type_refused,
        ErrorCode.video_too_many_pixels,
        ErrorCode.video_unreadable,
        ErrorCode.storage_unavailable,
    ),
    openapi_extra=_VIDEO,
    dependencies=[by_user(VIDEOS, RECEIVING)],
)
async def upload_video(
    request: Request,
    user: CurrentUser,
    services: Core,
    name: Annotated[str, Query(max_length=4 * MAX_NAME, description="The file's name")] = "",
) -> UploadOut:
    """Upload one video, as the body of the request: MP4 or MOV with H.264 (8 bits, 4:2:0) and AAC or no sound, up to
    1 GB (1,000,000,000 bytes) and 4096 pixels on each side.

    Nothing is encoded again. The tracks are packed into an MP4 whose index comes first; metadata, such as the place
    where a phone recorded the video, is removed."""
    stored = await services.gallery.upload(user.id, name, _received(request), video=True)
    return UploadOut(
        **media_out(stored.media, services).model_dump(),
        duplicate=stored.known,
        first_frame_only=stored.first_frame_only,
        page_sizes_differ=stored.page_sizes_differ,
    )


async def _received(request: Request) -> AsyncIterator[bytes]:
    """Yield the body in larger chunks than it arrives in: each is written by a thread."""
    waiting = bytearray()
    async for chunk in request.stream():
        waiting += chunk
        if len(waiting) >= _CHUNK:
            yield bytes(waiting)
            waiting.clear()
    yield bytes(waiting)


@router.post(
    "/documents/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(ErrorCode.not_found, ErrorCode.invalid_input, ErrorCode.storage_unavailable),
    dependencies=[by_user(CARDS, DRAWING)],
)
async def make_document(body: PageDocumentIn, user: CurrentUser, services: Core) -> MediaOut:
    """Make a PDF of a carousel's pages and store it in the media library, for the files of a post: networks that show
    documents get it instead of the images. It is made anew when the pages of the post change."""
    row = await services.carousel_documents.add_document(
        user.id, body.media_ids, title=body.title, language=body.language or ""
    )
    return media_out(row, services)


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


@router.get(
    "/{media_id}/file/",
    responses={
        **problems(ErrorCode.not_found, ErrorCode.storage_unavailable),
        206: {"description": "The range of a document or a video that the header Range names"},
        416: {"description": "The document or video has no such range"},
    },
    response_class=Response,
)
async def read_file(
    request: Request,
    media_id: UUID,
    services: Core,
    expires: Annotated[int, Query(description="Unix seconds")],
    signature: Annotated[str, Query(max_length=64)],
    thumbnail: Annotated[bool, Query(description="The thumbnail; it has its own signature")] = False,
    fitted_to: Annotated[ChannelKind | None, Query(description="The image as converted for this network")] = None,
) -> Response:
    """A file by its signed address: browsers and networks send no token with it. Documents and videos are streamed."""
    media = await services.media.find_signed(media_id, expires, signature, thumbnail=thumbnail, fitted_to=fitted_to)
    if media.kind is MediaKind.image or thumbnail:
        data, mime, etag = await services.media.read_shown(media, thumbnail=thumbnail, fitted_to=fitted_to)
        return Response(data, headers={**_file_headers(media_id, mime), "ETag": f'"{etag}"'})
    key, storage = media.storage_key, services.media.storage
    await storage.ensure_exists(key)  # while the answer can still say so
    headers = _file_headers(media_id, media.mime)
    return file_response(request, partial(storage.stream, key), media.bytes, f'"{media.sha256}"', headers)


def _file_headers(media_id: UUID, mime: str) -> dict[str, str]:
    return {
        "Content-Type": mime,
        "Cache-Control": "private, max-age=86400, immutable",
        # do not reveal the owner's file name; a PDF is never opened as a page of this server
        "Content-Disposition": f"{'attachment' if mime == PDF else 'inline'}; "
        f'filename="{media_id}.{mime.rpartition("/")[2]}"',
        "Content-Security-Policy": "default-src 'none'; sandbox",
    }


@router.get(
    "/{media_id}/pages/{page}/",
    responses={
        **problems(ErrorCode.not_found, ErrorCode.document_unreadable, ErrorCode.storage_unavailable),
        304: {"description": "The caller has the picture already"},
    },
    response_class=Response,
    dependencies=[by_address(DOCUMENT_PAGES)],
)
async def read_page(
    request: Request,
    media_id: UUID,
    page: Annotated[int, Path(ge=1, description="Counted from 1")],
    services: Core,
    expires: Annotated[int, Query(description="Unix seconds")],
    signature: Annotated[str, Query(max_length=64)],
) -> Response:
    """A picture (WebP) of a document's page, by the signed address `page_url`: its signature is valid for all pages."""
    media = await services.media.find_signed_page(media_id, page, expires, signature)
    etag = f'"{media.sha256}-{page}"'
    caching = {"Cache-Control": "private, max-age=86400, immutable", "ETag": etag}
    if etag in known_tags(request):
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=caching)
    async with DRAWING_PAGES.place(str(media.user_id)):
        data, mime = await services.media.read_page(media, page)
    return Response(
        data,
        media_type=mime,
        headers={
            **caching,
            "Content-Disposition": f'inline; filename="{media_id}-{page}.webp"',
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )
