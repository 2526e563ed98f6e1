from fastapi import status

from api.bodies import Router
from api.dependencies import Core, Person
from api.errors import problems
from api.limits import ASK_PASSWORD
from api.schemas.user_deletion import AccountDeletionIn
from core.errors import ErrorCode

router = Router(prefix="/users/me", tags=["account-data"])


@router.post(
    "/delete/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.password_wrong),
    dependencies=[ASK_PASSWORD],
)
async def delete_me(body: AccountDeletionIn, person: Person, services: Core) -> None:
    """Delete the account permanently. Every token ends at once; workflows, files and rows follow within a minute."""
    await services.account_deletion.request(person.user.id, body.current_password)
