"""What texts and pictures share: the client and the meaning of its errors."""

import json
from datetime import timedelta
from typing import Any

import httpx2
import openai

from core.domain.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe
from core.domain.usage import UNTOLD, Spent, Usage
from core.providers import http
from core.providers.redaction import clip, conceal
from core.settings import OPENAI_URL

DEFAULT_PAUSE = timedelta(seconds=30)
"""After a 429 that names no time."""

FAILURES = (openai.OpenAIError, json.JSONDecodeError, UnicodeDecodeError, TimeoutError)
"""What a call may raise: the client's errors, status 200 with broken JSON, and our own limit on its whole time."""

_OUT_OF_MONEY = {"insufficient_quota", "credit_balance_exhausted"}
_PASSING = {"server_error", "server_is_overloaded", "slow_down", "vector_store_timeout"}
# raised before the request was complete
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError, httpx2.WriteError)


def connect(api_key: str | None, base_url: str | None, *, timeout: timedelta) -> openai.AsyncOpenAI:
    """A client that never repeats by itself: each repeat is billed, and a run repeats by its own rules."""
    conceal(api_key)
    limit = httpx2.Timeout(timeout.total_seconds(), connect=http.CONNECT.total_seconds())
    return openai.AsyncOpenAI(
        api_key=api_key or "none",  # a server of one's own may want no key; the client insists on one
        base_url=base_url or OPENAI_URL,
        timeout=limit,
        max_retries=0,
        # a prompt goes to the server that is set, and to none that it names
        http_client=openai.DefaultAsyncHttpxClient(timeout=limit, follow_redirects=False),
    )


def failure(error: Exception, lost: Spent) -> ProviderError:
    """The class of a failed call (one of FAILURES). Nothing is published here, so whatever may pass is simply
    repeated. `lost` is the call as it is booked where the request went out and no answer tells what it cost: an answer
    with an error's status costs nothing."""
    detail = clip(str(error) or type(error).__name__)
    if isinstance(error, openai.APIStatusError):
        return _refusal(error, detail)
    if isinstance(error, openai.APIError) and not isinstance(error, openai.APIConnectionError) and error.code:
        # said within a stream; what had come before it may be charged for
        return failed(error.code, detail, lost)
    # no connection, a time-out, or an answer that nobody can read
    sent = not isinstance(error.__cause__, _NOT_SENT)
    return RetrySafe(ErrorCode.model_unavailable, detail=detail, spent=lost if sent else None)


def failed(code: str | None, message: str | None, spent: Spent) -> ProviderError:
    """The class of an answer that arrived with status 200 and says that it failed."""
    detail = clip(f"{code or 'failed'}: {message or ''}")
    # one that was turned away and tells no tokens never began
    told = None if spent.usage == UNTOLD else spent
    if code == "rate_limit_exceeded":
        return RateLimited(detail=detail, retry_after=DEFAULT_PAUSE, spent=told)
    if code in _OUT_OF_MONEY:
        return Misconfigured(ErrorCode.model_out_of_credit, detail=detail, spent=told)
    if code is None or code in _PASSING:
        return RetrySafe(ErrorCode.model_unavailable, detail=detail, spent=spent)
    return Refused(ErrorCode.model_refused, detail=detail, spent=spent)


def usage(told: Any) -> Usage:
    """Tokens of a response, an image or a chat; None for each number that the server left out."""
    details = getattr(told, "input_tokens_details", None) or getattr(told, "prompt_tokens_details", None)
    return Usage(
        input_tokens=_first_count(told, "input_tokens", "prompt_tokens"),
        output_tokens=_first_count(told, "output_tokens", "completion_tokens"),
        cached_tokens=_first_count(details, "cached_tokens"),
    )


def _refusal(error: openai.APIStatusError, detail: str) -> ProviderError:
    status, name, pause = error.status_code, error.request_id, http.retry_after(error.response)
    if status == 429:
        if _OUT_OF_MONEY & {error.code, error.type}:
            return Misconfigured(ErrorCode.model_out_of_credit, detail=detail, request_id=name)
        return RateLimited(detail=detail, retry_after=DEFAULT_PAUSE if pause is None else pause, request_id=name)
    if status in (401, 403, 404, 405):
        wrong = Misconfigured(ErrorCode.model_misconfigured, detail=detail, request_id=name)
        # a key that is not known at all; the others may be about the one model
        wrong.whole = status == 401
        return wrong
    if status in (408, 409) or status >= 500:
        return RetrySafe(ErrorCode.model_unavailable, detail=detail, retry_after=pause, request_id=name)
    return Refused(ErrorCode.model_refused, detail=detail, request_id=name)


def _first_count(told: Any, *names: str) -> int | None:
    values = (getattr(told, name, None) for name in names)
    return next((value for value in values if isinstance(value, int) and value >= 0), None)
