from fastapi import status
from fastapi.responses import StreamingResponse

from api.bodies import Router
from api.dependencies import Core, Person
from api.errors import problems
from api.limits import ACCOUNT_EXPORTS, ASK_PASSWORD, by_person
from api.schemas.leaving import LeaveIn
from core.domain.errors import ErrorCode

router = Router(prefix="/users/me", tags=["leaving"])


@router.post(
    "/export/",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}}}},
    dependencies=[by_person(ACCOUNT_EXPORTS)],
)
async def export_my_data(person: Person, services: Core) -> StreamingResponse:
    """All own data as a ZIP: one JSON file for each kind of thing, and the media as they are."""
    name, chunks = await services.exporting.export(person.user.id)
    return StreamingResponse(
        chunks, media_type="application/zip", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@router.post(
    "/delete/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.password_wrong),
    dependencies=[ASK_PASSWORD],
)
async def delete_me(body: LeaveIn, person: Person, services: Core) -> None:
    """Delete the account for good. Every token ends at once; workflows, files and rows follow within a minute."""
    await services.erasing.leave(person.user.id, body.current_password)
