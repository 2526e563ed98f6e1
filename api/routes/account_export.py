from fastapi import APIRouter
from fastapi.responses import StreamingResponse

from api.dependencies import Core, Person

router = APIRouter(prefix="/users/me", tags=["account-data"])


@router.post(
    "/export/",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
)
async def export_my_data(person: Person, services: Core) -> StreamingResponse:
    """All own data as a ZIP: one JSON file for each kind of thing, and the media as they are."""
    name, chunks = await services.account_export.export(person.user.id)
    return StreamingResponse(
        chunks, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
