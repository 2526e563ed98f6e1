"""What texts and pictures share: the client and the meaning of its errors."""

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from core.domain.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe
from core.providers import http
from core.providers.writers.base import Usage

BASE_URL = "https://api.openai.com/v1"

DEFAULT_PAUSE = timedelta(seconds=30)
"""After a 429 that names no time."""

_OUT_OF_MONEY = {"insufficient_quota", "credit_balance_exhausted"}
_PASSING = {"server_error", "server_is_overloaded", "slow_down", "vector_store_timeout"}


def connect(api_key: str | None, base_url: str | None, *, timeout: timedelta) -> openai.AsyncOpenAI:
    """A client that never repeats by itself: each repeat is billed, and a run repeats by its own rules."""
    return openai.AsyncOpenAI(
        api_key=api_key or "none",  # a server of one's own may want no key; the client insists on one
        base_url=base_url or BASE_URL,
        timeout=httpx2.Timeout(timeout.total_seconds(), connect=http.CONNECT.total_seconds()),
        max_retries=0,
    )


def is_compatible(base_url: str | None) -> bool:
    """Whether the address is another server than OpenAI's own, which may know fewer parameters."""
    host = urlsplit(base_url or BASE_URL).hostname or ""
    return host != "api.openai.com" and not host.endswith(".api.openai.com")


def failure(error: openai.OpenAIError | ValueError, secrets: Collection[str]) -> ProviderError:
    """The class of a failed call. Nothing is published here, so whatever may pass is simply repeated."""
    detail = http.clip(http.redact(str(error), secrets))
    if not isinstance(error, openai.APIStatusError):
        # no connection, a time-out, or an answer that nobody can read
        return RetrySafe(ErrorCode.model_unavailable, detail=detail)
    status, pause = error.status_code, http.retry_after(error.response)
    if status == 429:
        if _OUT_OF_MONEY & {error.code, error.type}:
            return Misconfigured(ErrorCode.model_misconfigured, detail=detail)
        return RateLimited(detail=detail, retry_after=DEFAULT_PAUSE if pause is None else pause)
    if status in (401, 403, 404, 405):
        return Misconfigured(ErrorCode.model_misconfigured, detail=detail)
    if status in (408, 409) or status >= 500:
        return RetrySafe(ErrorCode.model_unavailable, detail=detail, retry_after=pause)
    return Refused(ErrorCode.model_refused, detail=detail)


def failed(code: str | None, message: str | None) -> ProviderError:
    """The class of an answer that arrived with status 200 and says that it failed."""
    detail = http.clip(f"{code or 'failed'}: {message or ''}")
    if code == "rate_limit_exceeded":
        return RateLimited(detail=detail, retry_after=DEFAULT_PAUSE)
    if code is None or code in _PASSING:
        return RetrySafe(ErrorCode.model_unavailable, detail=detail)
    return Refused(ErrorCode.model_refused, detail=detail)


def usage(told: Any) -> Usage:
    """Tokens of a response, an image or a chat; None for each number that the server left out."""
    details = getattr(told, "input_tokens_details", None) or getattr(told, "prompt_tokens_details", None)
    return Usage(
        input_tokens=_first_count(told, "input_tokens", "prompt_tokens"),
        output_tokens=_first_count(told, "output_tokens", "completion_tokens"),
        cached_tokens=_first_count(details, "cached_tokens"),
    )


def _first_count(told: Any, *names: str) -> int | None:
    values = (getattr(told, name, None) for name in names)
    return next((value for value in values if isinstance(value, int) and value >= 0), None)
