"""Errors as problem documents (RFC 9457)."""

import logging
from collections.abc import Sequence
from http import HTTPStatus
from math import ceil
from typing import Any, Final

import psycopg
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import _get_scope_effective_route_context
from psycopg.errors import CheckViolation, ForeignKeyViolation, NotNullViolation, RestrictViolation
from sqlalchemy.exc import IntegrityError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from api.schemas.problems import FieldProblem, Problem
from core.errors import DomainError, ErrorCode, Throttled
from core.users.security_events import log_evasion

logger = logging.getLogger(__name__)

STATUS: Final[dict[ErrorCode, int]] = {
    ErrorCode.access_renewing: 502,
    ErrorCode.account_ambiguous: 422,
    ErrorCode.account_blocked: 502,
    ErrorCode.account_disabled: 403,
    ErrorCode.account_role_lost: 502,
    ErrorCode.account_write_only: 502,
    ErrorCode.api_version_retired: 502,
    ErrorCode.account_disconnected: 422,
    ErrorCode.account_unknown: 422,
    ErrorCode.address_malformed: 422,
    ErrorCode.address_not_allowed: 422,
    ErrorCode.already_subscribed: 409,
    ErrorCode.already_verified: 409,
    ErrorCode.ambiguous_outcome: 502,
    ErrorCode.alt_too_long: 422,
    ErrorCode.announcement_edited: 409,
    ErrorCode.api_key_limit: 409,
    ErrorCode.approval_declined: 409,
    ErrorCode.approval_expired: 409,
    ErrorCode.approval_held: 409,
    ErrorCode.approval_outdated: 409,
    ErrorCode.assistant_inactive: 409,
    ErrorCode.assistant_writes_articles: 422,
    ErrorCode.assistant_incomplete: 422,
    ErrorCode.bad_cron: 422,
    ErrorCode.bad_date_time: 422,
    ErrorCode.bad_time: 422,
    ErrorCode.billing_misconfigured: 502,
    ErrorCode.billing_not_configured: 409,
    ErrorCode.billing_unavailable: 503,
    ErrorCode.brand_needs_model: 409,
    ErrorCode.budget_out_of_range: 422,
    ErrorCode.budget_spent: 409,
    ErrorCode.budget_unpriced: 409,
    ErrorCode.card_letters_missing: 422,
    ErrorCode.channel_not_configured: 409,
    ErrorCode.channel_not_selected: 422,
    ErrorCode.checkout_incomplete: 409,
    ErrorCode.comment_not_allowed: 403,
    ErrorCode.comment_not_possible: 422,
    ErrorCode.comment_refused: 502,
    ErrorCode.comment_unknown: 409,
    ErrorCode.connect_address_own: 422,
    ErrorCode.connect_address_taken: 422,
    ErrorCode.connect_address_unusable: 422,
    ErrorCode.connect_app_passwords_off: 422,
    ErrorCode.category_gone: 422,
    ErrorCode.connect_denied: 422,
    ErrorCode.connect_endpoint_malformed: 422,
    ErrorCode.connect_expired: 422,
    ErrorCode.connect_failed: 422,
    ErrorCode.connect_key_malformed: 422,
    ErrorCode.connect_key_refused: 422,
    ErrorCode.connect_handle_malformed: 422,
    ErrorCode.connect_login_refused: 422,
    ErrorCode.connect_may_not_publish: 422,
    ErrorCode.connect_no_business_account: 422,
    ErrorCode.connect_no_page: 422,
    ErrorCode.connect_ping_refused: 422,
    ErrorCode.connect_plan_too_small: 422,
    ErrorCode.connect_redirect_not_registered: 422,
    ErrorCode.connect_role_too_low: 422,
    ErrorCode.connect_scope_missing: 422,
    ErrorCode.connect_secret_malformed: 422,
    ErrorCode.connect_server_unusable: 422,
    ErrorCode.connect_signature_refused: 422,
    ErrorCode.connect_site_answers_page: 422,
    ErrorCode.connect_site_login_lost: 422,
    ErrorCode.connect_site_other_kind: 422,
    ErrorCode.connect_site_outdated: 422,
    ErrorCode.connect_page_needs_tls: 422,
    ErrorCode.connect_site_differs: 422,
    ErrorCode.connect_site_rest_off: 422,
    ErrorCode.connect_site_unreachable: 422,
    ErrorCode.connect_used: 422,
    ErrorCode.consent_required: 422,
    ErrorCode.content_empty: 422,
    ErrorCode.content_too_long: 422,
    ErrorCode.csv_broken_quote: 422,
    ErrorCode.csv_changed: 409,
    ErrorCode.csv_column_twice: 422,
    ErrorCode.csv_in_broken_quote: 422,
    ErrorCode.csv_question_open: 422,
    ErrorCode.csv_too_many_cells: 422,
    ErrorCode.csv_too_many_columns: 422,
    ErrorCode.csv_too_many_lines: 422,
    ErrorCode.csv_unreadable: 422,
    ErrorCode.csv_wrong_lines: 422,
    ErrorCode.day_required: 422,
    ErrorCode.delivery_address_unusable: 422,
    ErrorCode.delivery_duplicate: 502,
    ErrorCode.delivery_held_for_review: 502,
    ErrorCode.delivery_planned_by_site: 502,
    ErrorCode.document_locked: 422,
    ErrorCode.document_not_ready: 502,
    ErrorCode.document_refused: 502,
    ErrorCode.document_too_long: 422,
    ErrorCode.document_unreadable: 422,
    ErrorCode.document_unsupported: 422,
    ErrorCode.file_too_large: 422,
    ErrorCode.one_document: 422,
    ErrorCode.site_clock_differs: 502,
    ErrorCode.site_clock_wrong: 502,
    ErrorCode.site_zone_differs: 502,
    ErrorCode.delivery_image_missing: 502,
    ErrorCode.delivery_needs_reconnect: 502,
    ErrorCode.delivery_unreadable: 502,
    ErrorCode.delivery_refused: 502,
    ErrorCode.delivery_unknown: 502,
    ErrorCode.demo_data_exists: 409,
    ErrorCode.email_not_verified: 409,
    ErrorCode.email_taken: 422,
    ErrorCode.email_unchanged: 422,
    ErrorCode.ending_too_long: 422,
    ErrorCode.field_required: 422,
    ErrorCode.field_too_long: 422,
    ErrorCode.first_comment_not_granted: 422,
    ErrorCode.first_comment_refused: 422,
    ErrorCode.first_comment_unsupported: 422,
    ErrorCode.generation_in_progress: 409,
    ErrorCode.hashtag_not_usable: 422,
    ErrorCode.image_attempts_used: 502,
    ErrorCode.image_failed: 502,
    ErrorCode.image_lost: 422,
    ErrorCode.image_not_ready: 502,
    ErrorCode.cover_refused: 502,
    ErrorCode.image_ratio_refused: 502,
    ErrorCode.image_refused: 502,
    ErrorCode.image_ratio_unfit: 422,
    ErrorCode.image_required: 422,
    ErrorCode.image_template_missing: 422,
    ErrorCode.image_template_needs_content: 422,
    ErrorCode.image_template_required: 422,
    ErrorCode.image_too_many_pixels: 422,
    ErrorCode.image_too_small: 422,
    ErrorCode.image_truncated: 422,
    ErrorCode.image_type_refused: 422,
    ErrorCode.image_unknown: 422,
    ErrorCode.image_unreadable: 422,
    ErrorCode.image_unsupported: 422,
    ErrorCode.in_use: 409,
    ErrorCode.internal: 500,
    ErrorCode.invalid_email: 422,
    ErrorCode.invalid_input: 422,
    ErrorCode.invitation_invalid: 422,
    ErrorCode.invitation_limit: 409,
    ErrorCode.invitation_other_email: 422,
    ErrorCode.invitation_used: 409,
    ErrorCode.limited_too_long: 429,
    ErrorCode.link_invalid: 422,
    ErrorCode.link_not_usable: 422,
    ErrorCode.link_title_missing: 422,
    ErrorCode.article_not_published: 409,
    ErrorCode.page_not_reached: 409,
    ErrorCode.page_not_shown: 409,
    ErrorCode.login_failed: 422,
    ErrorCode.mail_misconfigured: 502,
    ErrorCode.mail_address_refused: 502,
    ErrorCode.mail_refused: 502,
    ErrorCode.mail_unavailable: 503,
    ErrorCode.media_local: 409,
    ErrorCode.media_unreachable: 502,
    ErrorCode.missed_outage: 422,
    ErrorCode.missed_overtaken: 422,
    ErrorCode.model_context_too_small: 502,
    ErrorCode.model_incomplete: 502,
    ErrorCode.model_reasoned_too_long: 502,
    ErrorCode.model_misconfigured: 502,
    ErrorCode.model_out_of_credit: 502,
    ErrorCode.model_refused: 502,
    ErrorCode.model_unavailable: 503,
    ErrorCode.name_required: 422,
    ErrorCode.name_taken: 409,
    ErrorCode.not_found: 404,
    ErrorCode.not_subscribed: 409,
    ErrorCode.nothing_to_skip: 409,
    ErrorCode.own_images_required: 422,
    ErrorCode.password_common: 422,
    ErrorCode.password_contains_email: 422,
    ErrorCode.password_too_long: 422,
    ErrorCode.password_too_short: 422,
    ErrorCode.password_wrong: 422,
    ErrorCode.period_too_long: 422,
    ErrorCode.post_ended: 409,
    ErrorCode.article_busy: 409,
    ErrorCode.fixed_while_published: 422,
    ErrorCode.too_many_pages: 422,
    ErrorCode.update_not_possible: 409,
    ErrorCode.post_going_out: 409,
    ErrorCode.post_not_editable: 409,
    ErrorCode.post_on_its_way: 409,
    ErrorCode.post_unclear: 409,
    ErrorCode.prompt_too_long: 422,
    ErrorCode.provider_misconfigured: 502,
    ErrorCode.provider_unavailable: 503,
    ErrorCode.quota_used: 429,
    ErrorCode.rate_limited: 429,
    ErrorCode.reconnected_too_late: 502,
    ErrorCode.removal_not_possible: 422,
    ErrorCode.removal_refused: 502,
    ErrorCode.rewrite_same: 409,
    ErrorCode.rewrite_too_late: 409,
    ErrorCode.run_armed: 409,
    ErrorCode.run_cancelled: 422,
    ErrorCode.restored_from_backup: 409,
    ErrorCode.run_ended: 422,
    ErrorCode.scope_missing: 403,
    ErrorCode.second_factor_off: 409,
    ErrorCode.second_factor_on: 409,
    ErrorCode.second_factor_required: 422,
    ErrorCode.second_factor_wrong: 422,
    ErrorCode.server_busy: 503,
    ErrorCode.skip_not_next: 409,
    ErrorCode.skipped_by_hand: 422,
    ErrorCode.slot_past: 422,
    ErrorCode.slug_malformed: 422,
    ErrorCode.slug_missing: 422,
    ErrorCode.slug_taken: 422,
    ErrorCode.video_frame_rate_too_high: 422,
    ErrorCode.video_not_ready: 502,
    ErrorCode.video_ratio_unfit: 422,
    ErrorCode.video_refused: 502,
    ErrorCode.video_resolution_too_high: 422,
    ErrorCode.video_stands_alone: 422,
    ErrorCode.video_too_long: 422,
    ErrorCode.video_too_many_pixels: 422,
    ErrorCode.video_too_short: 422,
    ErrorCode.video_too_small: 422,
    ErrorCode.video_type_refused: 422,
    ErrorCode.video_type_unfit: 422,
    ErrorCode.video_unreadable: 422,
    ErrorCode.video_unsupported: 422,
    ErrorCode.website_has_assistant: 422,
    ErrorCode.staging_lost: 503,
    ErrorCode.stale_version: 409,
    ErrorCode.storage_unavailable: 503,
    ErrorCode.subscription_ended: 402,
    ErrorCode.subscription_required: 402,
    ErrorCode.suggestion_decided: 409,
    ErrorCode.template_import_unreadable: 422,
    ErrorCode.template_needs_topic: 422,
    ErrorCode.template_required: 422,
    ErrorCode.template_syntax: 422,
    ErrorCode.template_too_many: 422,
    ErrorCode.temporal_unavailable: 503,
    ErrorCode.text_attempts_used: 502,
    ErrorCode.time_slot_required: 422,
    ErrorCode.time_zone_required: 422,
    ErrorCode.title_missing: 422,
    ErrorCode.too_large: 413,
    ErrorCode.too_many_ahead: 422,
    ErrorCode.too_many_hashtags: 422,
    ErrorCode.too_many_images: 422,
    ErrorCode.too_many_mentions: 422,
    ErrorCode.too_many_tags: 422,
    ErrorCode.topic_depth_jump: 422,
    ErrorCode.topic_empty_title: 422,
    ErrorCode.topic_feed_branch_deleted: 409,
    ErrorCode.topic_feed_gone: 422,
    ErrorCode.topic_feed_known: 409,
    ErrorCode.topic_feed_too_many: 409,
    ErrorCode.topic_feed_unreachable: 422,
    ErrorCode.topic_feed_unusable: 422,
    ErrorCode.topic_inside_itself: 422,
    ErrorCode.topic_no_hyphen: 422,
    ErrorCode.topic_root_stays: 422,
    ErrorCode.topic_title_too_long: 422,
    ErrorCode.topic_too_many: 422,
    ErrorCode.topic_too_many_lines: 422,
    ErrorCode.topic_tree_empty: 422,
    ErrorCode.topic_tree_required: 422,
    ErrorCode.tryout_over: 409,
    ErrorCode.unauthenticated: 401,
    ErrorCode.unavailable_too_long: 503,
    ErrorCode.undo_expired: 409,
    ErrorCode.unknown_holidays: 422,
    ErrorCode.unknown_time_zone: 422,
    ErrorCode.utm_name_malformed: 422,
    ErrorCode.variable_value_required: 422,
    ErrorCode.veto_too_long: 422,
    ErrorCode.web_page_empty: 422,
    ErrorCode.web_page_reserved: 422,
    ErrorCode.web_page_unreachable: 422,
    ErrorCode.web_page_unusable: 422,
    ErrorCode.webhook_forged: 422,
}
"""Written by hand, so that each new code gets a considered status. 502: the cause is an outside service."""

_RETRY_SECONDS = 5
_MOST_ERRORS = 100


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


async def _domain(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, DomainError)
    if isinstance(error, Throttled):
        _log_evasion(request, error.code)
    status = STATUS[error.code]
    wait = ceil(error.retry_after.total_seconds()) if error.retry_after else None
    return answer(
        problem_of(
            error.code,
            status,
            detail=str(error),
            params=dict(error.params),
            errors=[FieldProblem.of(field_error) for field_error in error.errors],
        ),
        wait or (_RETRY_SECONDS if status in (429, 503) else None),
    )


async def _validation(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    # leave out the input: it may contain a password
    field_problems = [
        FieldProblem(
            field=_path(place["loc"]),
            code=ErrorCode.invalid_input,
            params={"problem": str(place["msg"])[:200]},
        )
        for place in error.errors()[:_MOST_ERRORS]
    ]
    return answer(problem_of(ErrorCode.invalid_input, 422, errors=field_problems))


def _path(place: Sequence[str | int]) -> str:
    """Return a path such as `schedule.cron`; the caller chooses the names, so cut them and make them printable."""
    path = ".".join(str(part) for part in place[1:]) or str(place[0])
    return path[:200].encode(errors="replace").decode()


class BodyTooLarge(HTTPException):
    """The body has more than `most` bytes. FastAPI reports other exceptions while reading a body as bad JSON."""

    def __init__(self, most: int) -> None:
        super().__init__(413)
        self.most = most


def too_large(error: BodyTooLarge) -> JSONResponse:
    """Return the answer, with the limit in megabytes: of a million bytes where the limit is a multiple of them."""
    megabytes = round(error.most / (1024**2 if error.most % 1_000_000 else 1_000_000), 2)
    return answer(problem_of(ErrorCode.too_large, 413, params={"limit": int(megabytes) or megabytes}))


def _log_evasion(request: Request, code: ErrorCode) -> None:
    log_evasion(code, _route(request))


def _route(request: Request) -> str:
    """Return the route's template, not its path, which contains ids and secret tokens.

    A route of an included router knows its path without the prefix; FastAPI keeps the full one separately.
    """
    route = _get_scope_effective_route_context(request.scope) or request.scope.get("route")
    return str(getattr(route, "path", request.url.path))


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    if isinstance(error, BodyTooLarge):
        _log_evasion(request, ErrorCode.too_large)
        return too_large(error)
    # a body that is no JSON is invalid input
    status = 422 if error.status_code == 400 else error.status_code
    code = {401: ErrorCode.unauthenticated, 404: ErrorCode.not_found}.get(status, ErrorCode.invalid_input)
    response = answer(problem_of(code, status, detail=str(error.detail)))
    response.headers.update(error.headers or {})  # the allowed methods of a path
    return response


async def _database_away(_: Request, error: Exception) -> JSONResponse:
    logger.error("the database did not answer: %s", type(error).__name__)
    return answer(problem_of(ErrorCode.storage_unavailable, 503), _RETRY_SECONDS)


async def _busy(_: Request, error: Exception) -> JSONResponse:
    """No database connection became free within the pool's timeout."""
    logger.error("no database connection became free in time")
    return answer(problem_of(ErrorCode.server_busy, 503), _RETRY_SECONDS)


async def _changed_meanwhile(request: Request, error: Exception) -> JSONResponse:
    """Two parallel calls: what this one had read has changed. Nothing of it is saved.

    Leave out the database's message, which quotes the values: the constraint says what was violated."""
    assert isinstance(error, IntegrityError)
    broken = error.orig.diag if isinstance(error.orig, psycopg.Error) else None
    where = (broken.table_name, broken.constraint_name or broken.column_name) if broken else ()
    defect = isinstance(error.orig, CheckViolation | NotNullViolation)
    logger.log(
        logging.ERROR if defect else logging.WARNING,
        "the database refused the changes of %s: %s %s",
        _route(request),
        type(error.orig).__name__,
        " ".join(filter(None, where)),
    )
    if defect:
        return answer(problem_of(ErrorCode.internal, 500))
    refers = isinstance(error.orig, ForeignKeyViolation | RestrictViolation)
    return answer(problem_of(ErrorCode.in_use if refers else ErrorCode.stale_version, 409))


async def _client_left(_: Request, __: Exception) -> JSONResponse:
    """Return an answer that nobody reads, since the body never arrived."""
    return answer(problem_of(ErrorCode.invalid_input, 422))


async def _defect(_: Request, __: Exception) -> JSONResponse:
    """Return the answer. Starlette raises the error again, and `RequestLog` logs it."""
    return answer(problem_of(ErrorCode.internal, 500))


def install(app: FastAPI) -> None:
    app.add_exception_handler(DomainError, _domain)
    app.add_exception_handler(RequestValidationError, _validation)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(OperationalError, _database_away)
    app.add_exception_handler(InterfaceError, _database_away)
    app.add_exception_handler(PoolTimeout, _busy)
    app.add_exception_handler(IntegrityError, _changed_meanwhile)
    app.add_exception_handler(ClientDisconnect, _client_left)
    app.add_exception_handler(Exception, _defect)


def problems(*codes: ErrorCode) -> dict[int | str, dict[str, Any]]:
    """Return the errors that an operation declares, by status, for the OpenAPI document."""
    responses: dict[int | str, dict[str, Any]] = {}
    for code in codes:
        entry = responses.setdefault(STATUS[code], {"model": Problem, "description": ""})
        entry["description"] = ", ".join(filter(None, (entry["description"], code.value)))
    return responses
