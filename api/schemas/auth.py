from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out, Password
from core.languages import Language


class SignUpIn(In):
    email: str = Field(max_length=254, examples=["mara@example.com"])
    password: Password = Field(examples=["loom over warp and weft"])
    invitation_code: str = Field(max_length=40, examples=["7KQXM-2RVTA"])
    language: Language
    time_zone: str = Field(default="UTC", max_length=64, description="IANA name, as the browser tells it")
    consent: bool = Field(description="The privacy policy was accepted")
    invitation_proof: str = Field(
        default="",
        max_length=200,
        description="From the link of the invitation's mail: the e-mail that it was sent to needs no further proof",
    )


class InvitationCodeIn(In):
    invitation_code: str = Field(max_length=40, examples=["7KQXM-2RVTA"])


class InvitationCodeOut(Out):
    valid: bool = Field(description="Whether somebody may sign up with it now; with which e-mail it does not say")


class SignInIn(In):
    email: str = Field(max_length=254)
    password: Password
    code: str | None = Field(
        default=None,
        max_length=40,
        description="Of the authenticator app, or a recovery code; see second_factor_required",
    )


class ForgotIn(In):
    email: str = Field(max_length=254)


class ResetIn(In):
    token: str = Field(max_length=100, description="From the link of the mail")
    password: Password


class LinkIn(In):
    token: str = Field(max_length=100, description="From a link that signs in")


class TokenOut(Out):
    token: str = Field(description="Opaque bearer token; shown only here")


class UserOut(Out):
    id: UUID
    email: str
    is_email_verified: bool
    email_refused_at: datetime | None = Field(
        description="Since when the mail server takes nothing for the address: only mails that somebody asks for are"
        " sent there. None: it takes them"
    )
    display_name: str
    language: Language
    time_zone: str
    second_factor: bool = Field(description="Two-step login is on")


class ProfileIn(In):
    """Fields left out stay unchanged."""

    display_name: Annotated[str, Field(max_length=100), ONE_LINE] | None = None
    language: Language | None = None
    time_zone: str | None = Field(default=None, max_length=64)


class VerifyEmailIn(In):
    token: str = Field(max_length=100, description="From the link of the mail")


class VerifiedOut(Out):
    email: str
    is_email_verified: bool
