"""What a refusing or unusable answer of LinkedIn means."""

import re
from datetime import timedelta

import httpx2

from core.clock import utcnow
from core.errors import ErrorCode, Misconfigured, NeedsReconnect, ProviderError, RateLimited, Refused, TokenRefused
from core.networks.base import EstimatedDelay
from core.outgoing import http
from core.outgoing.http import text_of

MINUTE = EstimatedDelay(seconds=60)
AFTER_MIDNIGHT = timedelta(minutes=1)
"""How far LinkedIn's clock may be behind ours: a call too early counts against the limit of the ended day."""
JUST_BEGUN = timedelta(hours=1)
STALE = EstimatedDelay(minutes=10)
"""Wait after a daily limit in the first hour of a day. The limit is then likely still that of the day before; waiting
until the next midnight would be longer than a post may wait."""
POST_URN = re.compile(r"urn:li:(?:share|ugcPost|activity):\d+")
_VERSION_CODES = ("VERSION_MISSING", "NONEXISTENT_VERSION")


def failure(response: httpx2.Response, detail: str, *, publishing: bool) -> ProviderError:
    """Return what a refusing or unusable answer means for the delivery."""
    status = response.status_code
    match status:
        case 401:
            return TokenRefused(detail=detail)
        case 403:
            return NeedsReconnect(detail=detail)
        case 408:
            return http.lost(detail, publishing=publishing)
        case 422 if _is_duplicate(response):
            named = POST_URN.search(text_of(http.fields(response), "message"))
            urn = named.group() if named else None
            return Refused(ErrorCode.delivery_duplicate, detail=detail, urn=urn)
        case 426:
            return Misconfigured(ErrorCode.api_version_retired, detail=detail)
        case 400 if text_of(http.fields(response), "code") in _VERSION_CODES:
            return Misconfigured(ErrorCode.api_version_retired, detail=detail)
        case 429:
            return RateLimited(detail=detail, retry_after=_pause(response))
    if 400 <= status < 500:
        return Refused(detail=detail)
    if 300 <= status < 400:  # not an address of the API
        return Misconfigured(detail=detail)
    return http.lost(detail, publishing=publishing)


def _is_duplicate(response: httpx2.Response) -> bool:
    details = http.fields(response).get("errorDetails")
    errors = details.get("inputErrors") if isinstance(details, dict) else None
    error_list = errors if isinstance(errors, list) else []
    return any(isinstance(error, dict) and error.get("code") == "DUPLICATE_POST" for error in error_list)


def _pause(response: httpx2.Response) -> timedelta:
    """Return how long to wait. LinkedIn names no time: daily limits end at midnight UTC, others within minutes."""
    if (pause := http.retry_after(response)) is not None:
        return pause
    if not re.search(r"\bDAY\b", text_of(http.fields(response), "message")):
        return MINUTE
    now = utcnow()
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if now < midnight + JUST_BEGUN:
        return STALE
    return midnight + timedelta(days=1) + AFTER_MIDNIGHT - now
