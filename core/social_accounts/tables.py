from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import (
    ColumnElement,
    ForeignKey,
    Index,
    String,
    Text,
    UniqueConstraint,
    Uuid,
    case,
    column,
    exists,
    literal,
    select,
    table,
    text,
)
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import Mapped, column_property, mapped_column, relationship

from core.clock import utcnow
from core.ids import new_id
from core.networks.rules.channels import AccountState, AccountType, ChannelKind, called
from core.tables import Base, Timestamped, open_enum, status_enum


class Grant(Timestamped, Base):
    """What a person has let us do at a network, by one consent or one form; one or several accounts post by it. Its
    tokens are encrypted with the key of the settings."""

    __tablename__ = "grants"
    __table_args__ = (
        Index("ix_grants_revoke_due", "revoke_due_at", postgresql_where=text("revoke_due_at IS NOT NULL")),
        Index("ix_grants_behind", "id", postgresql_where=text("told_version < version")),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    base_url: Mapped[str] = mapped_column(Text, default="")
    """Of the server that it is for; empty where the network is one."""
    subject: Mapped[str | None] = mapped_column(String(200), index=True)
    """Who consented, by their id at the network, where it says so or it led to one person's account."""
    access_token_encrypted: Mapped[str] = mapped_column(Text)
    token_id: Mapped[UUID] = mapped_column(default=new_id)
    """Another one with each token, and the same while a token is only encrypted anew: what the fence asks for."""
    token_since: Mapped[datetime] = mapped_column(default=utcnow)
    """When these tokens came."""
    refresh_token_encrypted: Mapped[str | None] = mapped_column(Text)
    expires_at: Mapped[datetime | None]
    refresh_expires_at: Mapped[datetime | None]
    scopes: Mapped[list[str]] = mapped_column(default=list)
    state: Mapped[AccountState] = mapped_column(status_enum(AccountState), default=AccountState.connected)
    revoke_due_at: Mapped[datetime | None]
    """Set once nothing posts by it any more: when the network is to be asked next to take it back."""
    revoke_attempts: Mapped[int] = mapped_column(default=0)
    warned_days: Mapped[int | None]
    """So many days ahead its user was last told that it ends and that they have to consent again."""
    refused_token_id: Mapped[UUID | None]
    """Of the token that a call was refused for: a new one is to be had in its place."""
    refused_at: Mapped[datetime | None]
    renewing_until: Mapped[datetime | None]
    """Until then one caller alone asks the network for new tokens."""
    version: Mapped[int] = mapped_column(default=1)
    """Goes up with what its workflow has to hear of."""
    told_version: Mapped[int] = mapped_column(default=0)
    """What it has heard of."""


class ReplacedToken(Base):
    """What a grant had before its person consented once more: given back by itself, where its network takes back these
    tokens alone, whatever becomes of the grant."""

    __tablename__ = "replaced_tokens"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    base_url: Mapped[str] = mapped_column(Text, default="")
    subject: Mapped[str | None] = mapped_column(String(200))
    access_token_encrypted: Mapped[str] = mapped_column(Text)
    refresh_token_encrypted: Mapped[str | None] = mapped_column(Text)
    due_at: Mapped[datetime] = mapped_column(index=True)
    """When the network is to be asked next."""
    attempts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=utcnow)


# its own module names this one
_WEBSITES = table("websites", column("account_id", Uuid), column("name", String))


class Account(Timestamped, Base):
    """A connected social account: it posts by its grant, or by a token of its own that came with the grant."""

    __tablename__ = "accounts"
    __table_args__ = (UniqueConstraint("user_id", "kind", "base_url", "external_id"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    grant_id: Mapped[UUID | None] = mapped_column(ForeignKey("grants.id", ondelete="SET NULL"), index=True)
    """None once it is disconnected."""
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    type: Mapped[AccountType] = mapped_column(status_enum(AccountType))
    base_url: Mapped[str] = mapped_column(Text, default="")
    """Of the server that it is on; empty where the network is one."""
    external_id: Mapped[str] = mapped_column(String(200))
    name: Mapped[str] = mapped_column(String(200))
    handle: Mapped[str] = mapped_column(String(253), default="")
    """As which its person signs in at the network, where the id is another."""
    picture_url: Mapped[str | None] = mapped_column(Text)
    server_limits: Mapped[dict[str, Any] | None]
    """What its server says that it takes, as the network's adapter reads it; None: it was not told, or all servers of
    the network take the same."""
    own_state: Mapped[AccountState] = mapped_column(status_enum(AccountState), default=AccountState.connected)
    """Of this account alone, such as a role that its user lost; `state` is what both this and its grant come to."""
    access_token_encrypted: Mapped[str | None] = mapped_column(Text)
    """A token of its own, where the network gives each account one."""
    own_token_id: Mapped[UUID | None]
    """As a grant's `token_id`, of its own token."""
    last_used_at: Mapped[datetime | None]
    limited_until: Mapped[datetime | None]
    """Until then its network takes nothing from this account, as it said itself: nothing is asked before."""
    disconnected_at: Mapped[datetime | None]
    """Set when its user removed it: kept for the posts that name it, without its tokens."""
    grant: Mapped[Grant | None] = relationship(lazy="joined")
    site_name: Mapped[str | None] = column_property(
        select(_WEBSITES.c.name).where(_WEBSITES.c.account_id == id).correlate_except(_WEBSITES).scalar_subquery(),
        expire_on_flush=False,  # nothing that is written here changes it
    )
    """How its user calls the website that it opens; None: it opens none, or that was removed."""

    @hybrid_property
    def state(self) -> AccountState:
        if self.grant is not None and self.grant.state is AccountState.needs_reconnecting:
            return AccountState.needs_reconnecting
        return self.own_state

    @state.inplace.expression
    @classmethod
    def _state_in_queries(cls) -> ColumnElement[AccountState]:
        lost = exists().where(Grant.id == cls.grant_id, Grant.state == AccountState.needs_reconnecting)
        return case((lost, literal(AccountState.needs_reconnecting, cls.own_state.type)), else_=cls.own_state)

    @property
    def called(self) -> str:
        return called(self.kind, self.name, self.site_name, self.base_url)

    @property
    def sealed_token(self) -> str | None:
        """What it posts by, encrypted: its own token before its grant's."""
        return self.access_token_encrypted or (self.grant.access_token_encrypted if self.grant else None)

    @property
    def token_id(self) -> UUID | None:
        """Of the token that it posts by."""
        return self.own_token_id or (self.grant.token_id if self.grant else None)

    @property
    def expires_at(self) -> datetime | None:
        """When the grant ends that it posts by, and with it what came by it: where a refresh token outlives the access
        token, which is renewed by it, the end of that one. None: as far as is known it has none."""
        if self.grant is None or self.grant.expires_at is None:
            return None
        if self.grant.refresh_token_encrypted is None:
            return self.grant.expires_at
        until = self.grant.refresh_expires_at
        return until and max(until, self.grant.expires_at)

    @property
    def expires_soon(self) -> bool:
        """Its user was told so. What needs a new login already expires no more."""
        return self.grant is not None and self.grant.warned_days is not None and self.state is AccountState.connected


class ConnectAttempt(Base):
    """One way to a network's consent page and back: of one user, in one browser."""

    __tablename__ = "connect_attempts"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    state_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """Of the state and of what the browser keeps, together."""
    base_url: Mapped[str] = mapped_column(Text, default="")
    """Of the server whose consent is asked for; empty where the network is one."""
    used_hash: Mapped[str | None] = mapped_column(String(64))
    """Of the state alone, once its user came back with both: the browser has forgotten the other half by then."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    expires_at: Mapped[datetime]


class NetworkApp(Timestamped, Base):
    """Us at one server of a network that has many, as we registered there: everybody's."""

    __tablename__ = "network_apps"
    __table_args__ = (UniqueConstraint("kind", "base_url", "redirect_uri"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    base_url: Mapped[str] = mapped_column(Text)
    redirect_uri: Mapped[str] = mapped_column(Text)
    client_id: Mapped[str] = mapped_column(Text)
    client_secret_encrypted: Mapped[str] = mapped_column(Text)
