from datetime import datetime
from uuid import UUID

from pydantic import Field

from api.schemas.base import In, Out
from core.domain.channels import AccountState, AccountType, ChannelKind, GivenBack


class ChannelLimitsOut(Out):
    max_characters: int
    max_images: int
    needs_image: bool


class ChannelOut(Out):
    kind: ChannelKind
    label: str
    limits: ChannelLimitsOut
    configured: bool
    settings: list[str] = Field(description="What to set where it is not configured")
    can_delete: bool = Field(description="Whether what was published there can be deleted from here")


class AccountOut(Out):
    id: UUID
    kind: ChannelKind
    type: AccountType
    name: str
    picture_url: str | None
    state: AccountState
    expires_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime
    used_by: int = Field(description="Number of assistants")


class ConnectOut(Out):
    authorize_url: str


class DisconnectedOut(Out):
    access: GivenBack = Field(description="What has become of the access at the network")


class CallbackIn(In):
    state: str = Field(max_length=200)
    code: str | None = Field(default=None, max_length=4000)
    error: str | None = Field(default=None, max_length=200)
