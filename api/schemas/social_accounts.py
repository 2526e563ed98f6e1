from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field, StringConstraints

from api.schemas.base import In, Out
from api.schemas.problems import FieldProblem
from core.networks.rules.channels import (
    AccountState,
    AccountType,
    ChannelKind,
    CheckPoint,
    CheckResult,
    Counting,
    FieldKind,
    FieldName,
    GivenBack,
)
from core.networks.rules.links import LinkPlace


class DocumentLimitsOut(Out):
    max_bytes: int
    max_pages: int
    max_title: int = Field(description="Characters")


class VideoLimitsOut(Out):
    max_bytes: int
    min_seconds: float
    max_seconds: float | None
    min_ratio: float
    max_ratio: float | None
    mimes: list[str]
    shows_title: bool = Field(description="Whether readers see the video's title")
    shows_cover: bool = Field(description="Whether readers see the cover that was chosen for the video")


class ChannelLimitsOut(Out):
    max_characters: int
    counting: Counting
    min_images: int
    max_images: int
    needs_image: bool
    max_hashtags: int | None
    max_mentions: int | None
    max_first_comment: int = Field(description="Characters of a first comment; 0: not supported")
    urn_mentions: bool = Field(description="Whether a typed @[name](urn:li:…) counts as typed; elsewhere as its name")
    link: LinkPlace = Field(description="How the network shows a post's link")
    card_images: int = Field(description="Maximum number of images beside a link card; with more, the link is `below`")
    document: DocumentLimitsOut | None = Field(description="A PDF, sent instead of the images; null: not supported")
    video: VideoLimitsOut | None = Field(description="null: not supported")


class FormFieldOut(Out):
    name: FieldName
    kind: FieldKind
    example: str
    max_length: int
    initial: str = Field(description="Initial value")


class ConnectionOut(Out):
    consent: bool = Field(description="Whether people consent on the network's page, after the form if there is one")
    fields: list[FormFieldOut] = Field(description="Fields of the connect form")
    settings: list[str] = Field(description="Settings to set if the network is not configured")


class ChannelOut(Out):
    kind: ChannelKind
    label: str
    limits: ChannelLimitsOut
    configured: bool
    connection: ConnectionOut
    can_delete: bool = Field(description="Whether published posts can be deleted from here")


class CheckOut(Out):
    """One result of an account check at its network."""

    point: CheckPoint
    result: CheckResult
    error: FieldProblem | None = Field(
        description="What is wrong, or why the check had no result; for a passed check, a remark"
    )


class AccountOut(Out):
    id: UUID
    kind: ChannelKind
    type: AccountType
    name: str
    picture_url: str | None
    state: AccountState
    expires_at: datetime | None
    expires_soon: bool = Field(description="Whether the access ends within two weeks, and only a new login renews it")
    restricts_automation: bool = Field(
        description="Whether the network's terms restrict automated posting for accounts of this type"
    )
    first_comment_error: FieldProblem | None = Field(
        description="Why the server's app may publish no first comments for the account, though the network has them"
    )
    last_used_at: datetime | None
    created_at: datetime
    used_by: int = Field(description="Number of assistants that use the account")
    max_characters: int | None = Field(description="Limit of the account's server; null: the network's limit")
    form: dict[FieldName, str] = Field(description="Initial values of the form to reconnect the account")


class ConnectIn(In):
    fields: dict[FieldName, Annotated[str, StringConstraints(max_length=2000)]] = Field(
        default_factory=dict, max_length=20, description="Values of the connect form"
    )


class CandidateOut(Out):
    external_id: str
    name: str
    type: AccountType
    picture_url: str | None
    account_id: UUID | None = Field(description="The account, if it is already connected")


class ChoiceOut(Out):
    grant_id: UUID
    candidates: list[CandidateOut]


class ConnectedOut(Out):
    accounts: list[AccountOut]
    choice: ChoiceOut | None = Field(description="Further accounts found; the person chooses which to connect")


class ConnectOut(Out):
    authorize_url: str | None = Field(description="Address of the consent page")
    connected: ConnectedOut | None = Field(description="The result at a network without a consent page")


class ChoiceIn(In):
    grant_id: UUID
    external_ids: list[Annotated[str, StringConstraints(max_length=200)]] = Field(max_length=500)


class DisconnectedOut(Out):
    access: GivenBack = Field(description="Whether the access was revoked at the network")


class CallbackIn(In):
    state: str = Field(max_length=200)
    code: str | None = Field(default=None, max_length=4000)
    error: str | None = Field(default=None, max_length=200)
    error_description: str | None = Field(default=None, max_length=1000)
