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


class ChannelLimitsOut(Out):
    max_characters: int
    counting: Counting
    min_images: int
    max_images: int
    needs_image: bool
    max_hashtags: int | None
    max_mentions: int | None
    max_first_comment: int = Field(description="Characters of a first comment; 0: there is none")
    link: LinkPlace = Field(description="What becomes of a post's link there")
    card_images: int = Field(description="Beside how many images it is still a card; with more it is `below`")


class FormFieldOut(Out):
    name: FieldName
    kind: FieldKind
    example: str
    max_length: int
    initial: str = Field(description="What stands in it until somebody types something else")


class ConnectionOut(Out):
    consent: bool = Field(description="Whether people consent at the network, after the form where there is one")
    fields: list[FormFieldOut] = Field(description="The form that is filled in here")
    settings: list[str] = Field(description="What to set where it is not configured")


class ChannelOut(Out):
    kind: ChannelKind
    label: str
    limits: ChannelLimitsOut
    configured: bool
    connection: ConnectionOut
    can_delete: bool = Field(description="Whether what was published there can be deleted from here")


class CheckOut(Out):
    """One result of an account check at its network."""

    point: CheckPoint
    result: CheckResult
    error: FieldProblem | None = Field(
        description="What is wrong, or why nobody can tell; of what is fine, what else to know"
    )


class AccountOut(Out):
    id: UUID
    kind: ChannelKind
    type: AccountType
    name: str
    picture_url: str | None
    state: AccountState
    expires_at: datetime | None
    expires_soon: bool = Field(description="It ends within two weeks, and only a new login renews it")
    last_used_at: datetime | None
    created_at: datetime
    used_by: int = Field(description="Number of assistants")
    max_characters: int | None = Field(description="Of its own server, where the network leaves that to each")
    form: dict[FieldName, str] = Field(description="What the form for connecting it again holds already")


class ConnectIn(In):
    fields: dict[FieldName, Annotated[str, StringConstraints(max_length=2000)]] = Field(
        default_factory=dict, max_length=20, description="What the form of the network asks for"
    )


class CandidateOut(Out):
    external_id: str
    name: str
    type: AccountType
    picture_url: str | None
    account_id: UUID | None = Field(description="As which it is connected already")


class ChoiceOut(Out):
    grant_id: UUID
    candidates: list[CandidateOut]


class ConnectedOut(Out):
    accounts: list[AccountOut]
    choice: ChoiceOut | None = Field(description="What else was found: the person chooses which to connect")


class ConnectOut(Out):
    authorize_url: str | None = Field(description="The consent page")
    connected: ConnectedOut | None = Field(description="Of a network without one")


class ChoiceIn(In):
    grant_id: UUID
    external_ids: list[Annotated[str, StringConstraints(max_length=200)]] = Field(max_length=500)


class DisconnectedOut(Out):
    access: GivenBack = Field(description="What has become of the access at the network")


class CallbackIn(In):
    state: str = Field(max_length=200)
    code: str | None = Field(default=None, max_length=4000)
    error: str | None = Field(default=None, max_length=200)
    error_description: str | None = Field(default=None, max_length=1000)
