from uuid import UUID

from fastapi import status

from api.bodies import Router
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.limits import INVITE
from api.paging import Pages
from api.schemas.invitations import InvitationIn, InvitationOut, InvitationsOut, InvitationState
from core.errors import ErrorCode
from core.users.invitations import Invited

router = Router(prefix="/invitations", tags=["invitations"])


def _out(invited: Invited) -> InvitationOut:
    row = invited.row
    return InvitationOut(
        id=row.id,
        code=invited.code,
        link=invited.link,
        email=row.email,
        state=InvitationState(invited.state),
        created_at=row.created_at,
        expires_at=row.expires_at,
        accepted_at=row.accepted_at,
    )


@router.get("/")
async def list_invitations(user: CurrentUser, services: Core, pages: Pages) -> InvitationsOut:
    """The user's invitations, newest first; `search` filters by e-mail."""
    invitations = await services.invitations.page(user.id, search=pages.search, offset=pages.offset, limit=pages.limit)
    return InvitationsOut(
        items=[_out(invited) for invited in invitations.items],
        next_cursor=pages.next_cursor(invitations.total),
        total=invitations.total,
        open=invitations.open,
        limit=services.invitations.limit,
    )


@router.post(
    "/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(ErrorCode.invalid_email, ErrorCode.invitation_limit),
    dependencies=[INVITE],
)
async def create_invitation(body: InvitationIn, user: CurrentUser, services: Core) -> InvitationOut:
    """Create a code; with an e-mail only that address may redeem it, and `send` mails it there."""
    return _out(await services.invitations.create(user.id, email=body.email, send=body.send))


@router.delete(
    "/{invitation_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found, ErrorCode.invitation_used),
)
async def revoke_invitation(invitation_id: UUID, user: CurrentUser, services: Core) -> None:
    """Revoke an open code; it stays in the list."""
    await services.invitations.revoke(user.id, invitation_id)
