from fastapi.responses import StreamingResponse

from api.bodies import Router
from api.dependencies import Core, Person
from api.limits import ACCOUNT_EXPORTS, EXPORTING, by_person, in_turn

router = Router(prefix="/users/me", tags=["account-data"])


@router.post(
    "/export/",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
    dependencies=[by_person(ACCOUNT_EXPORTS)],
)
async def export_my_data(person: Person, services: Core) -> StreamingResponse:
    """The user's data as a ZIP: one JSON file per kind, and the media files."""
    name, chunks = await services.account_export.export(person.user.id)
    return StreamingResponse(
        in_turn(EXPORTING, str(person.user.id), chunks),
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
