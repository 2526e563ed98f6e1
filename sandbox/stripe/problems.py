"""Error responses of Stripe, and the calls that faults can hit."""

import re

from starlette.responses import JSONResponse, Response

from sandbox.faults import Fault, FaultKind, FaultyApi, Target


class StripeError(Exception):
    """An error in Stripe's format."""

    def __init__(
        self,
        message: str,
        *,
        status: int = 400,
        code: str | None = None,
        param: str | None = None,
        kind: str = "invalid_request_error",
    ) -> None:
        super().__init__(message)
        self.status = status
        self.body = {"message": message, "type": kind, "code": code, "param": param}


def stripe_problem(error: StripeError) -> JSONResponse:
    return JSONResponse(
        {"error": {name: value for name, value in error.body.items() if value is not None}}, error.status
    )


def missing_parameter(name: str) -> StripeError:
    return StripeError(f"Missing required param: {name}.", code="parameter_missing", param=name)


def _answer(fault: Fault) -> Response:
    if fault.kind is FaultKind.revoked:
        return _problem(401, "api_key_expired", fault.message or "Expired API Key provided")
    if fault.kind is FaultKind.status:
        return _problem(fault.status, fault.code, fault.message)
    return fault.with_retry_after(_problem(429, fault.code, fault.message))


def _problem(status: int, code: str | None, message: str | None) -> JSONResponse:
    kind = "api_error" if status >= 500 else "card_error" if status == 402 else "invalid_request_error"
    usual = {429: "rate_limit", 402: "card_declined"}
    text = message or ("Too many requests" if status == 429 else "Sandbox fault")
    return stripe_problem(StripeError(text, status=status, code=code or usual.get(status), kind=kind))


_V1 = "/stripe/v1"
API = FaultyApi(
    prefixes=(f"{_V1}/",),
    paths=re.compile(_V1 + "/.+"),
    targets=(
        (Target.stripe_checkout, "POST", re.compile(_V1 + "/checkout/sessions")),
        (Target.stripe_portal, "POST", re.compile(_V1 + "/billing_portal/sessions")),
        (Target.stripe_customers, None, re.compile(_V1 + "/customers(/.+)?")),
        (Target.stripe_prices, None, re.compile(_V1 + "/prices(/.+)?")),
        (Target.stripe_subscriptions, None, re.compile(_V1 + "/subscriptions(/.+)?")),
        (Target.stripe_invoices, None, re.compile(_V1 + "/invoices(/.+)?")),
        (Target.stripe_events, None, re.compile(_V1 + "/events(/.+)?")),
        (Target.stripe, None, re.compile(_V1 + "/.+")),
    ),
    answer=_answer,
)
