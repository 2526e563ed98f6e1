from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, Out, Password
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import Scope


class PasswordIn(In):
    """The user's password, required for actions that a stolen session must not do."""

    current_password: Password


class NewPasswordIn(PasswordIn):
    new_password: Password


class NewEmailIn(PasswordIn):
    email: str = Field(max_length=254)


class SessionOut(Out):
    id: UUID
    device: str = Field(description="The browser as it names itself: its User-Agent")
    created_at: datetime
    last_used_at: datetime
    current: bool = Field(description="The one that asks")


class SecondFactorOffIn(PasswordIn):
    code: str = Field(max_length=40, description="Of the app, or a recovery code")


class ApiKeyIn(PasswordIn):
    name: Annotated[str, Field(max_length=100), ONE_LINE]
    scope: Scope
    days: Literal[30, 90, 365] | None = Field(default=365, description="Until it ends; null: never")


class ApiKeyOut(Out):
    id: UUID
    name: str
    scope: Scope
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None = Field(description="null: never")


class NewApiKeyOut(ApiKeyOut):
    key: str = Field(description="Bearer token of the key; shown only here")


class SecondFactorOut(Out):
    enabled: bool
    enabled_at: datetime | None
    recovery_codes_left: int


class SecondFactorOfferOut(Out):
    secret: str = Field(description="Base32, for typing in by hand; RFC 6238, SHA-1, 6 digits, 30 s")
    uri: str = Field(description="otpauth://…")
    qr_svg: str = Field(description="The same as an SVG document")


class CodeIn(In):
    code: str = Field(max_length=40)


class RecoveryCodesOut(Out):
    recovery_codes: list[str] = Field(description="Each signs in once; shown only here")


class SecurityEventOut(Out):
    id: UUID
    kind: SecurityEventKind
    at: datetime
    address: str | None = Field(description="Of the network that the call came from; null: not told")
    device: str = Field(description="The browser as it names itself: its User-Agent")
    facts: dict[str, str] = Field(description="What it was about: a key's name, a reason")
