from datetime import datetime
from enum import StrEnum
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out, Page


class InvitationState(StrEnum):
    open = "open"
    expired = "expired"
    used = "used"
    revoked = "revoked"


class InvitationIn(In):
    email: str | None = Field(default=None, max_length=254, description="Only this address may redeem the code")
    send: bool = Field(default=False, description="Mail the code to `email`")


class InvitationOut(Out):
    id: UUID
    code: str = Field(description="XXXXX-XXXXX", examples=["7KQXM-2RVTA"])
    link: str = Field(description="Sign-up page with the code filled in")
    email: str | None
    state: InvitationState
    created_at: datetime
    expires_at: datetime
    accepted_at: datetime | None


class InvitationsOut(Page[InvitationOut]):
    """Newest first."""

    open: int = Field(description="Number of open invitations on all pages")
    limit: int = Field(description="Open invitations that each user may have")
