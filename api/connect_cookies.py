"""Cookies that bind a connection to the browser that began it, while its user is at a network or site."""

from fastapi import Request, Response

from core.crypto import token_hash
from core.settings import Settings
from core.social_accounts.connecting import CONNECT_WITHIN, AuthorizationRequest


def keep_departure(response: Response, leaving: AuthorizationRequest, settings: Settings) -> None:
    response.set_cookie(
        _name(leaving.state, settings),
        leaving.browser_secret,
        max_age=int(CONNECT_WITHIN.total_seconds()),
        secure=settings.has_tls,
        httponly=True,
        samesite="lax",
    )


def kept_secret(request: Request, state: str, settings: Settings) -> str:
    """Return the secret; empty if another browser, or none, began the connection."""
    return request.cookies.get(_name(state, settings), "")


def forget_departure(response: Response, state: str, settings: Settings) -> None:
    response.delete_cookie(_name(state, settings), secure=settings.has_tls, httponly=True, samesite="lax")


def _name(state: str, settings: Settings) -> str:
    """Return a cookie name per attempt, so that two tabs do not interfere. With TLS, browsers let only this host set
    it (`__Host-`)."""
    return f"{'__Host-' if settings.has_tls else ''}connect-{token_hash(state)[:16]}"
