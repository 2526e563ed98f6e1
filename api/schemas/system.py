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

    network: ChannelKind | None = Field(description="null: the text or image model")
    code: ErrorCode
    since: datetime


class SystemOut(Out):
    """The services that the app needs, and whether they are available."""

    temporal: PartOut
    worker: PartOut
    writer: ModelOut
    pictures: ModelOut
    faults: list[FaultOut] = Field(description="Faults that stop runs from being prepared, oldest first")
    now: datetime


class ModelHost(StrEnum):
    none = "none"
    """Texts and images are generated on this server."""
    openai = "openai"
    other = "other"
    """Another server with the same protocol."""


class PublicOut(Out):
    """What the privacy policy says about this server."""

    operator_name: str | None = Field(
        description="Who is responsible for the server; null: whoever sent the invitation"
    )
    operator_contact: str | None = Field(description="E-mail address, web page or other contact")
    model_host: ModelHost = Field(description="Where texts and images are generated from templates and topics")
    mail_outbox_url: str | None = Field(description="Page that shows mails which are not really sent")
    session_days: int = Field(description="Days until an unused session ends")
    invitation_days: int = Field(description="Days until an invitation code expires")


class ReadyOut(Out):
    ready: bool
    database: bool
    temporal: bool
    worker: bool
    detail: str
    oldest_due: datetime | None = None
    """Since when the delivery has waited that has waited longest since its time, to the minute."""
    stuck_workflows: int | None = None
    """Workflows whose tasks keep failing, as a defect in a release makes them. None: the server cannot tell."""
    backlog: int | None = None
    """Tasks that wait in the queues for a worker, about."""
