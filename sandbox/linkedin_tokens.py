"""Access and refresh tokens of the stand-in for LinkedIn."""

import secrets
import time
from dataclasses import dataclass, replace
from typing import ClassVar

from sandbox.state import Row, State


@dataclass(frozen=True)
class Token(Row):
    """An access token and the refresh token issued with it. Times are epoch seconds."""

    table: ClassVar[str] = "tokens"
    lasting: ClassVar[bool] = True
    access: str
    client_id: str
    person: str
    scopes: list[str]
    created_at: float
    expires_at: float
    refresh: str | None = None
    refresh_expires_at: float | None = None
    revoked: bool = False

    @property
    def key(self) -> str:
        return self.access

    def status(self, now: float) -> str:
        if self.revoked:
            return "revoked"
        return "active" if now < self.expires_at else "expired"


def new_token(state: State, client_id: str, person: str, scopes: list[str], refreshed: Token | None = None) -> Token:
    """Issue an access token. A refreshed one keeps its refresh token and that token's end date."""
    now = time.time()
    expires_at = now + state.settings.access_token_seconds
    if refreshed is not None:
        refresh, refresh_expires_at = refreshed.refresh, refreshed.refresh_expires_at
        expires_at = min(expires_at, refresh_expires_at or expires_at)
    elif _is_partner(state, scopes):
        refresh = "AQY" + secrets.token_urlsafe(32)
        refresh_expires_at = now + state.settings.refresh_token_seconds
    else:
        refresh = refresh_expires_at = None
    access = "AQX" + secrets.token_urlsafe(32)
    token = Token(access, client_id, person, scopes, now, expires_at, refresh, refresh_expires_at)
    state.save(token)
    return token


def _is_partner(state: State, scopes: list[str]) -> bool:
    if state.settings.refresh_tokens is None:
        return any("organization" in scope for scope in scopes)
    return state.settings.refresh_tokens


def find_by_refresh(state: State, refresh: str) -> Token | None:
    """Return the latest token issued with this refresh token; None if revoked, expired or unknown."""
    found = [token for token in state.table(Token).values() if refresh and token.refresh == refresh]
    if not found or all(token.revoked for token in found):
        return None
    latest = found[-1]
    return latest if (latest.refresh_expires_at or 0) > time.time() else None


def revoke(state: State, value: str) -> None:
    """Revoke an access token, or all tokens issued with a refresh token."""
    for token in list(state.table(Token).values()):
        if value in (token.access, token.refresh):
            state.save(replace(token, revoked=True))


def revoke_person(state: State, sub: str) -> int:
    """Revoke all tokens of a person, as in their account's settings. Return how many were active."""
    active = [token for token in state.table(Token).values() if token.person == sub and not token.revoked]
    for token in active:
        revoke(state, token.access)
    return len(active)
