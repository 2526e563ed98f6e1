from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading
from api.paging import Cursor, cursor_at
from api.presenters import asked_out
from api.schemas.approvals import AskedOut
from api.schemas.base import Page
from core.clock import utcnow
from core.repositories.approvals import ApprovalRepository

router = Router(prefix="/approvals", tags=["approvals"])

_PAGE_SIZE = 50


@router.get("/")
async def list_approvals(user: CurrentUser, session: Reading, services: Core, offset: Cursor) -> Page[AskedOut]:
    """What waits for an answer, the next deadline first. It is given at `/social-media-posts/{id}/decision/`."""
    found, total = await ApprovalRepository(session).inbox(user.id, utcnow(), offset=offset, limit=_PAGE_SIZE)
    after = offset + _PAGE_SIZE
    return Page(
        items=[asked_out(asked, services.media) for asked in found],
        next_cursor=cursor_at(after) if after < total else None,
        total=total,
    )
