from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, NewPassword, Out, Password
from core.languages import Language


class SignUpIn(In):
    email: str = Field(max_length=254, examples=["mara@example.com"])
    password: NewPassword = Field(examples=["loom over warp and weft"])
    invitation_code: str = Field(max_length=40, examples=["7KQXM-2RVTA"])
    language: Language
    time_zone: str = Field(default="UTC", max_length=64, description="IANA name of the browser's time zone")
    consent: bool = Field(description="Whether the privacy policy was accepted")
    invitation_proof: str = Field(
        default="",
        max_length=200,
        description="Proof from the link in the invitation's mail; the address is then verified without another mail",
    )


class InvitationCodeIn(In):
    invitation_code: str = Field(max_length=40, examples=["7KQXM-2RVTA"])


class InvitationCodeOut(Out):
    valid: bool = Field(description="Whether the code can be used now; it may be reserved for one e-mail")


class SignInIn(In):
    email: str = Field(max_length=254)
    password: Password
    code: str | None = Field(
        default=None,
        max_length=40,
        description="Code of the authenticator app, or a recovery code; see second_factor_required",
    )


class ForgotIn(In):
    email: str = Field(max_length=254)


class ResetIn(In):
    token: str = Field(max_length=100, description="Token from the link in the mail")
    password: NewPassword


class LinkIn(In):
    token: str = Field(max_length=100, description="Token from a sign-in link")


class TokenOut(Out):
    token: str = Field(description="Opaque bearer token; shown only here")


class UserOut(Out):
    id: UUID
    email: str
    is_email_verified: bool
    email_refused_at: datetime | None = Field(
        description="Since when the mail server refuses the address, so that only requested mails are sent there; "
        "null: not refused"
    )
    display_name: str
    language: Language
    time_zone: str
    second_factor: bool = Field(description="Whether two-step login is on")


class ProfileIn(In):
    """Fields left out stay unchanged."""

    display_name: Annotated[str, Field(max_length=100), ONE_LINE] | None = None
    language: Language | None = None
    time_zone: str | None = Field(default=None, max_length=64)


class VerifyEmailIn(In):
    token: str = Field(max_length=100, description="Token from the link in the mail")


class VerifiedOut(Out):
    email: str
    is_email_verified: bool
