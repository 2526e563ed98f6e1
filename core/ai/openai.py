"""Shared by texts and pictures: the OpenAI client, and its errors as ours."""

import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx2
import openai

from core.ai.capabilities import ABOUT_CONTENT, TOO_LONG, UNSUPPORTED, ErrorAnswer, error_text
from core.ai.rules.answers import field
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe
from core.outgoing import http
from core.outgoing.redaction import clip, conceal
from core.settings import OPENAI_URL

_LIST_WITHIN = timedelta(seconds=10)

DEFAULT_PAUSE = timedelta(seconds=30)
"""Wait after a 429 without a time."""

FAILURES = (openai.OpenAIError, json.JSONDecodeError, UnicodeDecodeError, TimeoutError)
"""Errors of a call: the client's, status 200 with broken JSON, and our own time limit."""

_OUT_OF_MONEY = {"insufficient_quota", "credit_balance_exhausted", "billing_hard_limit_reached", "insufficient_balance"}
_LONGEST_REQUEST_ID = 200
_TOO_MANY = {"rate_limit_exceeded", "429"}
_NO_CREDIT = re.compile(
    r"insufficient (?:account )?balance|\b(?:any|no|out of|insufficient|all available|purchase more) credits?\b"
    r"|monthly spending limit|in good standing|\bis suspended\b.{0,80}\b(?:billing|spending|invoices)",
    re.IGNORECASE,
)
"""Matches errors about missing credit, which come with various statuses."""
_WRONG_KEY = re.compile(r"\b(?:incorrect|invalid) api key|api key (?:is )?(?:not valid|invalid)", re.IGNORECASE)
_NO_SUCH_MODEL = re.compile(
    r"\b(?:invalid|no such) model\b"
    r"|\bmodel\b.{0,100}?\b(?:not found|does not exist|not a valid model|is not available)",
    re.IGNORECASE,
)
_ABOUT_REQUEST = re.compile(r"invalid_|_invalid|unsupported|too_(?:long|large|small)", re.IGNORECASE)
# raised before the request was complete
_NOT_SENT = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.PoolTimeout, httpx2.ProxyError, httpx2.WriteError)


def connect(api_key: str | None, base_url: str | None, *, timeout: timedelta) -> openai.AsyncOpenAI:
    """Return a client without retries: each retry is billed, and runs have their own retry policy."""
    conceal(api_key)
    limit = httpx2.Timeout(timeout.total_seconds(), connect=http.CONNECT.total_seconds())
    return openai.AsyncOpenAI(
        api_key=api_key or "none",  # a self-hosted server may need no key, but the client requires one
        base_url=base_url or OPENAI_URL,
        timeout=limit,
        max_retries=0,
        # a prompt goes only to the configured server, not to a redirect's target
        http_client=openai.DefaultAsyncHttpxClient(timeout=limit, follow_redirects=False),
    )


async def list_models(api_key: str | None, base_url: str | None) -> list[str]:
    """Return the ids of the server's models; empty if it answers without such a list. Costs nothing. Raise the
    ProviderError of a wrong key or a server that does not answer."""
    client = connect(api_key, base_url, timeout=_LIST_WITHIN)
    try:
        return [model.id async for model in client.models.list()]
    except openai.NotFoundError:
        return []
    except FAILURES as error:
        raise failure(error, Spent("openai", "", UNKNOWN_USAGE, None)) from None
    finally:
        await client.close()


def failure(error: Exception, lost: Spent) -> ProviderError:
    """Return our error for one of FAILURES. Nothing is published here, so temporary errors are retried. `lost` is the
    expense to book if the request was sent and no answer tells its cost: an answer with an error status costs
    nothing."""
    if isinstance(error, openai.APIStatusError):
        return _refusal(error)
    if isinstance(error, ErrorAnswer) or (
        isinstance(error, openai.APIError) and not isinstance(error, openai.APIConnectionError) and error.body
    ):
        # an error within a stream or in place of an answer; text before it may be billed
        return reported_failure(error.code or getattr(error, "type", None), error_text(error), lost)
    # no connection, a timeout, or an unreadable answer
    detail = clip(str(error) or type(error).__name__)
    sent = not isinstance(error.__cause__, _NOT_SENT)
    return RetrySafe(ErrorCode.model_unavailable, detail=detail, spent=lost if sent else None)


def reported_failure(code: str | None, message: str | None, spent: Spent) -> ProviderError:
    """Return our error for a failure reported with status 200. `code` is a name or a status. An unknown code is
    retryable."""
    detail = clip(f"{code or 'failed'}: {message or ''}")
    # a rejected call without token counts never started
    expense = None if spent.usage == UNKNOWN_USAGE else spent
    if code in _TOO_MANY:
        return RateLimited(detail=detail, retry_after=DEFAULT_PAUSE, spent=expense)
    if code in _OUT_OF_MONEY:
        return Misconfigured(ErrorCode.model_out_of_credit, detail=detail, spent=expense)
    if code and re.fullmatch(r"[45][0-9]{2}", code):
        return _by_status(int(code), detail, spent=expense if int(code) < 408 else spent)
    if code and (ABOUT_CONTENT.search(code) or _ABOUT_REQUEST.search(code) or TOO_LONG.search(code)):
        return _by_status(400, detail, spent=spent)
    return RetrySafe(ErrorCode.model_unavailable, detail=detail, spent=spent)


def read_request_id(value: object) -> str | None:
    """Return a server's request id without unprintable characters, cut to the column: a proxy may send several hundred
    characters."""
    if not isinstance(value, str):
        return None
    return "".join(each for each in value if each.isprintable())[:_LONGEST_REQUEST_ID] or None


def read_usage(reported: Any) -> Usage:
    """Return the tokens of a response, an image or a chat; None for each number that the server left out."""
    details = field(reported, "input_tokens_details") or field(reported, "prompt_tokens_details")
    output_details = field(reported, "output_tokens_details") or field(reported, "completion_tokens_details")
    return Usage(
        input_tokens=_first_count(reported, "input_tokens", "prompt_tokens"),
        output_tokens=_first_count(reported, "output_tokens", "completion_tokens"),
        cached_tokens=_first_count(details, "cached_tokens") or _first_count(reported, "prompt_cache_hit_tokens"),
        reasoning_tokens=_first_count(output_details, "reasoning_tokens") or 0,
    )


def _refusal(error: openai.APIStatusError) -> ProviderError:
    status, words = error.status_code, error_text(error)
    if 300 <= status < 400:
        words = f"redirects to {_without_credentials(error.response.headers.get('location', ''))}"
    code = error.code if error.code != str(status) else error.type
    detail = clip(" ".join(filter(None, (str(status), code or error.type, words))))
    request_id = read_request_id(error.request_id)
    if _OUT_OF_MONEY & {error.code, error.type}:
        return Misconfigured(ErrorCode.model_out_of_credit, detail=detail, request_id=request_id)
    return _by_status(status, detail, request_id=request_id, pause=http.retry_after(error.response))


def _by_status(
    status: int,
    detail: str,
    *,
    spent: Spent | None = None,
    request_id: str | None = None,
    pause: timedelta | None = None,
) -> ProviderError:
    """Return our error for a refusal, by its status or, if that is ambiguous, by the server's message."""
    facts: dict[str, Any] = {"detail": detail, "spent": spent, "request_id": request_id}
    if status == 402 or (status in (400, 403, 412, 429) and _NO_CREDIT.search(detail)):
        return Misconfigured(ErrorCode.model_out_of_credit, **facts)
    if status == 429:
        return RateLimited(retry_after=DEFAULT_PAUSE if pause is None else pause, **facts)
    if TOO_LONG.search(detail):  # a few servers send a 5xx for it
        return Refused(ErrorCode.model_context_too_small, **facts)
    if status in (408, 409) or status >= 500:
        return RetrySafe(ErrorCode.model_unavailable, retry_after=pause, **facts)
    if status == 403 and "flagged" in detail:
        return Refused(ErrorCode.model_refused, **facts)
    if status == 400 and _WRONG_KEY.search(detail):
        status = 401
    unknown = status in (400, 422) and (UNSUPPORTED.search(detail) or _NO_SUCH_MODEL.search(detail))
    if status < 400 or status in (401, 403, 404, 405, 407) or (unknown and not ABOUT_CONTENT.search(detail)):
        wrong = Misconfigured(ErrorCode.model_misconfigured, **facts)
        # an unknown key is a fault of the provider; other errors may concern only this model
        wrong.whole = status == 401
        return wrong
    return Refused(ErrorCode.model_refused, **facts)


def _without_credentials(address: str) -> str:
    """Return an address without credentials and query."""
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else parts.path


def _first_count(reported: Any, *names: str) -> int | None:
    values = (field(reported, name) for name in names)
    return next((value for value in values if isinstance(value, int) and value >= 0), None)
