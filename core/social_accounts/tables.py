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
    """What a person has granted this app at a network, by one consent or one form; one or several accounts use it. Its
    tokens are encrypted with the key of the settings."""

    __tablename__ = "grants"
    __table_args__ = (
        Index("ix_grants_revoke_due", "revoke_due_at", postgresql_where=text("revoke_due_at IS NOT NULL")),
        Index("ix_grants_behind", "id", postgresql_where=text("told_version < version")),
        Index("ix_grants_expiring", "expires_at", postgresql_where=text("refresh_token_encrypted IS NULL")),
        Index("ix_grants_refresh_expiring", "refresh_expires_at"),
    )
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    base_url: Mapped[str] = mapped_column(Text, default="")
    """Its server; empty where the network has only one."""
    subject: Mapped[str | None] = mapped_column(String(200), index=True)
    """Who consented, by their id at the network, if it says so or the grant leads to one person's account."""
    access_token_encrypted: Mapped[str] = mapped_column(Text)
    token_id: Mapped[UUID] = mapped_column(default=new_id)
    """Changes with each new token, but not when a token is only re-encrypted. Compared by the fence."""
    token_since: Mapped[datetime] = mapped_column(default=utcnow)
    """When these tokens were issued."""
    refresh_token_encrypted: Mapped[str | None] = mapped_column(Text)
    expires_at: Mapped[datetime | None]
    refresh_expires_at: Mapped[datetime | None]
    scopes: Mapped[list[str]] = mapped_column(default=list)
    state: Mapped[AccountState] = mapped_column(status_enum(AccountState), default=AccountState.connected)
    revoke_due_at: Mapped[datetime | None]
    """Set once no account uses it: when to revoke it at the network next."""
    revoke_attempts: Mapped[int] = mapped_column(default=0)
    warned_days: Mapped[int | None]
    """Days before the end at which its user was last warned."""
    refused_token_id: Mapped[UUID | None]
    """The token that a call was refused for, and that has to be renewed."""
    refused_at: Mapped[datetime | None]
    renewing_until: Mapped[datetime | None]
    """Until then one caller alone requests new tokens."""
    version: Mapped[int] = mapped_column(default=1)
    """Increases with changes that its workflow has to know."""
    told_version: Mapped[int] = mapped_column(default=0)
    """The latest version that its workflow knows."""


class ReplacedToken(Base):
    """Tokens of a grant from before its person consented again: revoked on their own, where the network can revoke
    single tokens."""

    __tablename__ = "replaced_tokens"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    base_url: Mapped[str] = mapped_column(Text, default="")
    subject: Mapped[str | None] = mapped_column(String(200))
    access_token_encrypted: Mapped[str] = mapped_column(Text)
    refresh_token_encrypted: Mapped[str | None] = mapped_column(Text)
    due_at: Mapped[datetime] = mapped_column(index=True)
    """Time of the next attempt."""
    attempts: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[datetime] = mapped_column(default=utcnow)


# the module of websites imports this one
_WEBSITES = table("websites", column("account_id", Uuid), column("name", String))


class Account(Timestamped, Base):
    """A connected social account. It uses its grant, or a token of its own that came with the grant."""

    __tablename__ = "accounts"
    __table_args__ = (UniqueConstraint("user_id", "kind", "base_url", "external_id"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    grant_id: Mapped[UUID | None] = mapped_column(ForeignKey("grants.id", ondelete="SET NULL"), index=True)
    """None once it is disconnected."""
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    type: Mapped[AccountType] = mapped_column(status_enum(AccountType))
    base_url: Mapped[str] = mapped_column(Text, default="")
    """Its server; empty where the network has only one."""
    external_id: Mapped[str] = mapped_column(String(200))
    name: Mapped[str] = mapped_column(String(200))
    handle: Mapped[str] = mapped_column(String(253), default="")
    """The name to sign in with at the network, if that is not the id."""
    picture_url: Mapped[str | None] = mapped_column(Text)
    server_limits: Mapped[dict[str, Any] | None]
    """Limits of its server, as read by the network's adapter. None: unknown, or the same for all servers."""
    own_state: Mapped[AccountState] = mapped_column(status_enum(AccountState), default=AccountState.connected)
    """State of this account alone, for example after its user lost a role; `state` also includes its grant."""
    access_token_encrypted: Mapped[str | None] = mapped_column(Text)
    """A token of its own, where the network issues one per account."""
    own_token_id: Mapped[UUID | None]
    """As a grant's `token_id`, for its own token."""
    last_used_at: Mapped[datetime | None]
    limited_until: Mapped[datetime | None]
    """End of the rate limit that the network named: no call before."""
    comments_refused_at: Mapped[datetime | None]
    """When its network last refused a first comment that the grant's scopes allow; None: not since it was connected, or
    since a person asked to try again."""
    disconnected_at: Mapped[datetime | None]
    """Set when its user removed it: kept without tokens for the posts that refer to it."""
    grant: Mapped[Grant | None] = relationship(lazy="joined")
    site_name: Mapped[str | None] = column_property(
        select(_WEBSITES.c.name).where(_WEBSITES.c.account_id == id).correlate_except(_WEBSITES).scalar_subquery(),
        expire_on_flush=False,  # no write here changes it
    )
    """Its user's name for the website, if it is one that was not removed."""

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
        """The encrypted token that it uses: its own before its grant's."""
        return self.access_token_encrypted or (self.grant.access_token_encrypted if self.grant else None)

    @property
    def token_id(self) -> UUID | None:
        """Id of the token that it uses."""
        return self.own_token_id or (self.grant.token_id if self.grant else None)

    @property
    def expires_at(self) -> datetime | None:
        """End of the grant, and of its own token with it: the later end of access and refresh token. None: no known
        end."""
        if self.grant is None or self.grant.expires_at is None:
            return None
        if self.grant.refresh_token_encrypted is None:
            return self.grant.expires_at
        until = self.grant.refresh_expires_at
        return until and max(until, self.grant.expires_at)

    @property
    def expires_soon(self) -> bool:
        """Whether its user was warned of the end. False once it needs reconnecting."""
        return self.grant is not None and self.grant.warned_days is not None and self.state is AccountState.connected


class ConnectAttempt(Base):
    """One visit to a network's consent page, by one user in one browser."""

    __tablename__ = "connect_attempts"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    state_hash: Mapped[str] = mapped_column(String(64), unique=True)
    """Hash of the state together with the browser's secret."""
    base_url: Mapped[str] = mapped_column(Text, default="")
    """The server of the consent page; empty where the network has only one."""
    used_hash: Mapped[str | None] = mapped_column(String(64))
    """Hash of the state alone, once the user came back: the browser has deleted its secret by then."""
    created_at: Mapped[datetime] = mapped_column(default=utcnow)
    expires_at: Mapped[datetime]


class NetworkApp(Timestamped, Base):
    """This app as registered at one server of a network that has many; shared by all users."""

    __tablename__ = "network_apps"
    __table_args__ = (UniqueConstraint("kind", "base_url", "redirect_uri"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[ChannelKind] = mapped_column(open_enum(ChannelKind))
    base_url: Mapped[str] = mapped_column(Text)
    redirect_uri: Mapped[str] = mapped_column(Text)
    client_id: Mapped[str] = mapped_column(Text)
    client_secret_encrypted: Mapped[str] = mapped_column(Text)
