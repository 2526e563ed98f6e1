from typing import Annotated

from fastapi import Query

from api.bodies import Router
from api.dependencies import CurrentUser, Session
from api.schemas.base import has_nul
from api.schemas.search import SearchHitOut, SearchOut
from core.errors import ErrorCode, FieldError, InvalidInput
from core.search.repository import SearchRepository
from core.texts.rules.texts import normal

router = Router(prefix="/search", tags=["search"])

_WORDS = 8  # per query; further words are ignored


@router.get("/")
async def search_objects(
    user: CurrentUser,
    session: Session,
    q: Annotated[str, Query(max_length=200, description="Words, in any order")] = "",
) -> SearchOut:
    """Assistants, templates, topic trees, posts and images that contain every word: up to five of each, ignoring case
    and accents."""
    if has_nul(q):
        raise InvalidInput(errors=[FieldError("q", ErrorCode.invalid_input)])
    words = normal(q).split()[:_WORDS]
    hits = await SearchRepository(session).find(user.id, words, most=5) if words else []
    return SearchOut(items=[SearchHitOut.model_validate(hit) for hit in hits])
