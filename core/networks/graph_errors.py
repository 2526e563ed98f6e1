"""What a refusing or unusable answer of the Graph API means.

Errors are identified by their numbers; their texts change.
"""

from datetime import timedelta

import httpx2

from core.errors import (
    Blocked,
    ErrorCode,
    Misconfigured,
    NeedsReconnect,
    ProviderError,
    RateLimited,
    Refused,
    RoleLost,
    StagedLost,
)
from core.networks.graph_usage import THROTTLED, usage_of
from core.outgoing import http

_LIMITS = {4, 17, 32, 341, 613, *range(80_000, 80_015)}
_UNAVAILABLE = {1, 2}
_UNAVAILABLE_SUBCODES = {1363047, 1609010}
_BLOCKED = 368
_BLOCKED_SUBCODES = {1404078, 4854002}
TOKEN_OVER = 190
_TOKEN_ENDED = {10, 102, TOKEN_OVER}
_CHECKPOINT = {459, 464}
_ROLE_LOST = 492
_SETTINGS_REFUSED = {3, 5, 101, 2500}
"""The app may not make this call, or not from this server's IP address, or the app or the call's path is unknown."""
_VERSION_RETIRED = {12, 2635}
PARAMETER = 100
_NOT_FOUND = 33
_REPEATED = 506
_IMAGE_INVALID = 324
_IMAGE_REFUSED = 1366046
_IMAGES_USED = 1366051
"""The images are used by another post, such as the hidden post of an attempt whose answer was lost."""
_CONTENT_REFUSED = {1609008, 2061006, 1346003, 1404102}


def failure(response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
    """Return what a refusing or unusable answer means for the delivery."""
    status = response.status_code
    code, subcode, transient = error_of(response)
    if code is None:
        return _by_status(response, detail, publishing=publishing)
    if status == 426 or code in _VERSION_RETIRED:
        return Misconfigured(ErrorCode.api_version_retired, detail=detail)
    if 300 <= status < 400 or code in _SETTINGS_REFUSED:
        return Misconfigured(detail=detail)
    if status == 429 or code in _LIMITS:
        return RateLimited(detail=detail, retry_after=_pause(response))
    if code == _BLOCKED or subcode in _BLOCKED_SUBCODES or (code == 190 and subcode in _CHECKPOINT):
        return Blocked(detail=detail)
    if subcode == _IMAGE_REFUSED or code == _IMAGE_INVALID:
        return Refused(ErrorCode.image_refused, detail=detail)
    if subcode == _IMAGES_USED:
        return StagedLost(detail=detail)
    if subcode in _CONTENT_REFUSED:
        return Refused(detail=detail)
    if transient or code in _UNAVAILABLE or subcode in _UNAVAILABLE_SUBCODES:
        return http.lost(detail, publishing=publishing)
    if code == 190 and subcode == _ROLE_LOST:
        return RoleLost(detail=detail)
    if code in _TOKEN_ENDED or 200 <= code <= 299:
        return NeedsReconnect(detail=detail)
    if code == _REPEATED:
        return Refused(ErrorCode.delivery_duplicate, detail=detail)
    return Refused(detail=detail) if status < 500 else http.lost(detail, publishing=publishing)


def error_of(response: httpx2.Response) -> tuple[int | None, int | None, bool]:
    """Return (code, subcode, whether it is transient) of an error; no code if the body has no error."""
    error = http.fields(response).get("error")
    if not isinstance(error, dict) or not isinstance(error.get("code"), int):
        return None, None, False
    subcode = error.get("error_subcode")
    return error["code"], subcode if isinstance(subcode, int) else None, error.get("is_transient") is True


def is_missing(response: httpx2.Response) -> bool:
    """Return whether an item is missing, hidden from this token, or temporarily unreadable."""
    return error_of(response)[:2] == (PARAMETER, _NOT_FOUND)


def _pause(response: httpx2.Response) -> timedelta:
    """Return the wait until a limit ends, from the headers or as a guess."""
    if (named := http.retry_after(response)) is not None:
        return named
    return usage_of(response)[1] or THROTTLED


def _by_status(response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
    match response.status_code:
        case 401 | 403:
            return NeedsReconnect(detail=detail)
        case 429:
            return RateLimited(detail=detail, retry_after=_pause(response))
        case 408:
            return http.lost(detail, publishing=publishing)
        case 426:
            return Misconfigured(ErrorCode.api_version_retired, detail=detail)
        case status if 300 <= status < 400:  # not an address of the API
            return Misconfigured(detail=detail)
        case status if 400 <= status < 500:
            return Refused(detail=detail)
    return http.lost(detail, publishing=publishing)
