from datetime import datetime
from enum import StrEnum

from pydantic import Field

from api.schemas.base import Out
from core.errors import ErrorCode
from core.networks.rules.channels import ChannelKind


class PartOut(Out):
    ok: bool
    since: datetime | None = Field(description="Last sign of life")


class ModelOut(Out):
    provider: str
    model: str
    is_demo: bool


class FaultOut(Out):
    """A fault that the operator has to fix."""

    network: ChannelKind | None = Field(description="None: the text or image model")
    code: ErrorCode
    since: datetime


class SystemOut(Out):
    """The services that the app needs, and whether they are available."""

    temporal: PartOut
    worker: PartOut
    writer: ModelOut
    pictures: ModelOut
    faults: list[FaultOut] = Field(description="What keeps runs from being prepared until it is mended, oldest first")
    now: datetime


class ModelHost(StrEnum):
    none = "none"
    """Texts and images are generated on this server."""
    openai = "openai"
    other = "other"
    """Another server with the same protocol."""


class PublicOut(Out):
    """What the privacy policy says about this server."""

    operator_name: str | None = Field(description="Who is responsible; none: whoever invited")
    operator_contact: str | None = Field(description="A mail address, a web page, or other words")
    model_host: ModelHost = Field(description="Where templates and topics go to become texts and images")
    mail_outbox_url: str | None = Field(description="Where mails are read that only seem to be sent")
    session_days: int = Field(description="Days until an unused sign-in ends")
    invitation_days: int = Field(description="Days until an invitation code expires")


class ReadyOut(Out):
    ready: bool
    database: bool
    temporal: bool
    worker: bool
    detail: str
