from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Response

from api.dependencies import Core
from api.errors import problems
from core.domain.errors import ErrorCode

router = APIRouter(prefix="/media", tags=["media"])


@router.get("/{media_id}/file/", responses=problems(ErrorCode.not_found), response_class=Response)
async def read_file(
    media_id: UUID,
    services: Core,
    expires: Annotated[int, Query(description="Unix seconds")],
    signature: Annotated[str, Query(max_length=64)],
) -> Response:
    """A picture by its signed address: pictures in pages and outside fetchers carry no token."""
    data, mime, etag = await services.media.read_signed(media_id, expires, signature)
    return Response(
        data,
        media_type=mime,
        headers={
            "Cache-Control": "private, max-age=86400, immutable",
            "ETag": f'"{etag}"',
            "Content-Disposition": "inline",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        },
    )
