from fastapi import APIRouter

from api.dependencies import CurrentUser
from api.schemas.session import UserOut

router = APIRouter(prefix="/users", tags=["users"])


@router.get("/me/")
async def read_me(user: CurrentUser) -> UserOut:
    """The signed-in user."""
    return UserOut.model_validate(user)
