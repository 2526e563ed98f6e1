from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from api.schemas.base import ONE_LINE, In, NewPassword, Out, Password
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import Scope


class PasswordIn(In):
    """The user's password, required for actions that a stolen session must not do."""

    current_password: Password


class NewPasswordIn(PasswordIn):
    new_password: NewPassword


class NewEmailIn(PasswordIn):
    email: str = Field(max_length=254)


class SessionOut(Out):
    id: UUID
    device: str = Field(description="The browser's User-Agent")
    created_at: datetime
    last_used_at: datetime
    current: bool = Field(description="Whether this is the caller's session")


class SecondFactorOffIn(PasswordIn):
    code: str = Field(max_length=40, description="Code of the authenticator app, or a recovery code")


class ApiKeyIn(PasswordIn):
    name: Annotated[str, Field(max_length=100), ONE_LINE]
    scope: Scope
    days: Literal[30, 90, 365] | None = Field(default=365, description="Days until the key expires; null: never")


class ApiKeyOut(Out):
    id: UUID
    name: str
    scope: Scope
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime | None = Field(description="null: never")


class NewApiKeyOut(ApiKeyOut):
    key: str = Field(description="Bearer token; shown only here")


class SecondFactorOut(Out):
    enabled: bool
    enabled_at: datetime | None
    recovery_codes_left: int


class SecondFactorOfferOut(Out):
    secret: str = Field(description="Base32, to type into an app; RFC 6238, SHA-1, 6 digits, 30 s")
    uri: str = Field(description="otpauth://…")
    qr_svg: str = Field(description="`uri` as a QR code in SVG")


class CodeIn(In):
    code: str = Field(max_length=40)


class RecoveryCodesOut(Out):
    recovery_codes: list[str] = Field(description="Each is valid once; shown only here")


class SecurityEventOut(Out):
    id: UUID
    kind: SecurityEventKind
    at: datetime
    address: str | None = Field(description="Network of the caller's address; null: unknown")
    device: str = Field(description="The browser's User-Agent")
    facts: dict[str, str] = Field(description="Details, such as a key's name or a reason")
