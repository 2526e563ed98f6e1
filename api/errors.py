"""The product's failures as problem documents (RFC 9457)."""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from math import ceil
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from psycopg.errors import ForeignKeyViolation, RestrictViolation
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException

from api.schemas.problems import FieldProblem, Problem
from core.domain.errors import (
    Conflict,
    Denied,
    DomainError,
    ErrorCode,
    Forbidden,
    InvalidInput,
    NotFound,
    ProviderError,
    Throttled,
    Unauthenticated,
    Unavailable,
)

logger = logging.getLogger(__name__)

_BY_CLASS: list[tuple[type[DomainError], int]] = [
    (NotFound, 404),
    (InvalidInput, 422),
    (Denied, 422),
    (Conflict, 409),
    (Unauthenticated, 401),
    (Forbidden, 403),
    (Throttled, 429),
    (Unavailable, 503),
    (ProviderError, 502),
]

STATUS: dict[ErrorCode, int] = {
    **dict.fromkeys(ErrorCode, 422),
    ErrorCode.account_disabled: 403,
    ErrorCode.already_connected: 409,
    ErrorCode.already_verified: 409,
    ErrorCode.ambiguous_outcome: 502,
    ErrorCode.api_key_limit: 409,
    ErrorCode.assistant_not_active: 409,
    ErrorCode.billing_not_configured: 409,
    ErrorCode.channel_not_configured: 409,
    ErrorCode.email_not_verified: 409,
    ErrorCode.in_use: 409,
    ErrorCode.internal: 500,
    ErrorCode.invitation_limit: 409,
    ErrorCode.invitation_used: 409,
    ErrorCode.mail_unavailable: 503,
    ErrorCode.model_unavailable: 503,
    ErrorCode.name_taken: 409,
    ErrorCode.not_found: 404,
    ErrorCode.post_going_out: 409,
    ErrorCode.post_not_editable: 409,
    ErrorCode.provider_unavailable: 503,
    ErrorCode.rate_limited: 429,
    ErrorCode.run_in_progress: 409,
    ErrorCode.scope_missing: 403,
    ErrorCode.second_factor_off: 409,
    ErrorCode.second_factor_on: 409,
    ErrorCode.server_busy: 503,
    ErrorCode.stale_version: 409,
    ErrorCode.storage_unavailable: 503,
    ErrorCode.suggestion_decided: 409,
    ErrorCode.temporal_unavailable: 503,
    ErrorCode.too_large: 413,
    ErrorCode.tryout_over: 409,
    ErrorCode.unauthenticated: 401,
    ErrorCode.undo_expired: 409,
}
_RETRY_SECONDS = 5
_MOST_ERRORS = 100


def status_of(error: DomainError) -> int:
    status = STATUS[error.code]
    if status == 422:
        return next((known for kind, known in _BY_CLASS if isinstance(error, kind)), status)
    return status


def answer(problem: Problem, retry_after: int | None = None) -> JSONResponse:
    headers = {"Retry-After": str(retry_after)} if retry_after else {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(
        problem.model_dump(mode="json"),
        problem.status,
        media_type="application/problem+json",
        headers=headers,
    )


def problem_of(
    code: ErrorCode,
    status: int,
    *,
    detail: str = "",
    params: dict[str, Any] | None = None,
    errors: list[FieldProblem] | None = None,
) -> Problem:
    return Problem(
        type="about:blank",
        title=HTTPStatus(status).phrase,
        status=status,
        code=code,
        detail=detail or code.value,
        params=params or {},
        errors=errors or [],
    )


async def _domain(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DomainError)
    status = status_of(error)
    wait = ceil(error.retry_after.total_seconds()) if error.retry_after else None
    return answer(
        problem_of(
            error.code,
            status,
            detail=str(error),
            params=dict(error.params),
            errors=[FieldProblem.of(found) for found in error.errors],
        ),
        wait or (_RETRY_SECONDS if status in (429, 503) else None),
    )


async def _validation(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    # the input itself is left out of the answer: it may hold a password
    found = [
        FieldProblem(
            field=_path(place["loc"]),
            code=ErrorCode.invalid_input,
            params={"problem": str(place["msg"])[:200]},
        )
        for place in error.errors()[:_MOST_ERRORS]
    ]
    return answer(problem_of(ErrorCode.invalid_input, 422, errors=found))


def _path(place: Sequence[str | int]) -> str:
    """`schedule.cron`; the caller's own names may be anything, so they are cut and made printable."""
    path = ".".join(str(part) for part in place[1:]) or str(place[0])
    return path[:200].encode(errors="replace").decode()


class BodyTooLarge(HTTPException):
    """More than `most` bytes. While it reads a body, FastAPI takes any other kind of exception for bad JSON."""

    def __init__(self, most: int) -> None:
        super().__init__(413)
        self.most = most


def too_large(error: BodyTooLarge) -> JSONResponse:
    """The limit that it tells is in megabytes."""
    megabytes = round(error.most / 1024**2, 2)
    return answer(problem_of(ErrorCode.too_large, 413, params={"limit": int(megabytes) or megabytes}))


def busy() -> JSONResponse:
    """More wait already than could be answered in time."""
    return answer(problem_of(ErrorCode.server_busy, 503), _RETRY_SECONDS)


async def _http(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error, BodyTooLarge):
        return too_large(error)
    # a body that is no JSON at all is bad input like any other
    status = 422 if error.status_code == 400 else error.status_code
    code = {401: ErrorCode.unauthenticated, 404: ErrorCode.not_found}.get(status, ErrorCode.invalid_input)
    found = answer(problem_of(code, status, detail=str(error.detail)))
    found.headers.update(error.headers or {})  # which methods a path has
    return found


async def _database_away(_: Request, error: Exception) -> JSONResponse:
    logger.error("the database did not answer: %s", type(error).__name__)
    return answer(problem_of(ErrorCode.storage_unavailable, 503), _RETRY_SECONDS)


async def _changed_meanwhile(_: Request, error: Exception) -> JSONResponse:
    """Two calls at once: what this one had looked at is no longer as it was. Nothing of it is saved."""
    assert isinstance(error, IntegrityError)
    refers = isinstance(error.orig, ForeignKeyViolation | RestrictViolation)
    return answer(problem_of(ErrorCode.in_use if refers else ErrorCode.stale_version, 409))


async def _defect(request: Request, error: Exception) -> JSONResponse:
    logger.exception("unhandled error at %s", request.url.path, exc_info=error)
    return answer(problem_of(ErrorCode.internal, 500))


def install(app: FastAPI) -> None:
    app.add_exception_handler(DomainError, _domain)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(OperationalError, _database_away)
    app.add_exception_handler(InterfaceError, _database_away)
    app.add_exception_handler(PoolTimeout, _database_away)
    app.add_exception_handler(IntegrityError, _changed_meanwhile)
    app.add_exception_handler(Exception, _defect)


def problems(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """The failures an operation declares, by status, for the OpenAPI document."""
    found: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        entry = found.setdefault(STATUS[code], {"model": Problem, "description": ""})
        entry["description"] = ", ".join(filter(None, (entry["description"], code.value)))
    return found
