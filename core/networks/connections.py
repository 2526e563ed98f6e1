"""How an account is connected, and what a call needs: consent, tokens, profiles and credentials."""

import base64
import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from core.networks.rules.channels import AccountType, FormField


@dataclass(frozen=True)
class Grant:
    """Tokens issued by a network. They never leave the server and never enter a workflow's history."""

    access_token: str = field(repr=False)
    refresh_token: str | None = field(repr=False)
    expires_at: datetime | None
    scopes: tuple[str, ...]
    refresh_expires_at: datetime | None = None
    subject: str | None = None
    """The network's id of the person who consented, if it is returned with the tokens."""
    base_url: str = ""
    """The server of the grant; empty for networks with one server."""


@dataclass(frozen=True)
class App:
    """Our app at one server of a network with many; we register it there ourselves."""

    base_url: str
    client_id: str
    client_secret: str = field(repr=False)


@dataclass(frozen=True)
class OAuthFlow:
    """One OAuth flow to a consent page and back. The values are the same when the page is requested and when the code
    is exchanged."""

    state: str = field(repr=False)
    """Returned by the network with the code."""
    redirect_uri: str
    verifier: str = field(repr=False)
    """The PKCE verifier: 64 secret characters. Unused by networks without PKCE."""
    app: App | None = None
    """For networks with many servers."""

    @property
    def challenge(self) -> str:
        """The PKCE challenge (S256)."""
        digest = hashlib.sha256(self.verifier.encode()).digest()
        return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


@dataclass(frozen=True)
class Connection:
    """How an account is connected: by consent at the network, by a form here, or by a form that names the server at
    which consent is requested. The web app renders it."""

    consent: bool
    fields: tuple[FormField, ...] = ()
    settings: tuple[str, ...] = ()
    """The settings that the operator has to set."""


@dataclass(frozen=True)
class Profile:
    """An account that a grant may post for."""

    external_id: str
    name: str
    type: AccountType
    picture_url: str | None
    access_token: str | None = field(default=None, repr=False)
    """The account's own token, if the network issues one per account; None: the grant's token is used."""
    handle: str = ""
    """The name with which the person signs in there, if it differs from the id."""
    limits: Mapping[str, Any] | None = None
    """As `BaseChannel.own_limits`, if this answer contains them."""


@dataclass(frozen=True)
class Credentials:
    """What a call needs: the author's id at the network, the token, and the server if the network has several."""

    external_id: str
    type: AccountType
    access_token: str = field(repr=False)
    base_url: str = ""


KnownApp = Callable[[str], Awaitable[App | None]]
"""Returns our app at the server with this base address, if we have registered one."""
Granted = Callable[[Grant], None]
"""Called with new tokens as soon as they arrive, so that they can be revoked whatever happens next."""


def ignore_grant(grant: Grant) -> None:
    """The default of `granted`: do nothing."""


MAX_ID: Final = 200
"""Maximum characters of the id of an account, or of the person who consented."""


@dataclass(frozen=True)
class Standing:
    """What a network says now about an account's access."""

    missing: tuple[str, ...]
    """Permissions that publishing needs and the person no longer grants."""
    may_post: bool | None
    """Whether the person's role suffices; None: no roles, or unknown."""
    may_read: bool | None = None
    """Whether published posts can be read; None: unknown."""


@dataclass(frozen=True)
class TokenLife:
    """What a network says now about a token."""

    valid: bool
    access_ends_at: datetime | None
    """When data access ends, though the token does not; None: never, or unknown."""
