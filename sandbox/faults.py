"""Faults that tests add: which requests, what goes wrong, and how many times.

Faults for the same kind of request apply in the order in which they were added. They are lost when the process ends.
"""

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.responses import Response

FAULT = "sandbox.fault"
ARRIVED_AT = "sandbox.arrived_at"

Answer = TypeVar("Answer", bound=Response)


class Target(StrEnum):
    posts = "posts"
    drafts = "drafts"
    """Creation of unpublished posts, where a network has them."""
    images = "images"
    upload = "upload"
    comments = "comments"
    """First comments on a post."""
    quota = "quota"
    """The remaining posts of an account, where a network has such a call."""
    own_posts = "own_posts"
    """LinkedIn's list of a page's posts."""
    reads = "reads"
    deletes = "deletes"
    token = "token"
    revoke = "revoke"
    userinfo = "userinfo"
    mail = "mail"
    stripe = "stripe"
    """All calls of Stripe's API; the targets below are subsets."""
    stripe_checkout = "stripe_checkout"
    stripe_portal = "stripe_portal"
    stripe_customers = "stripe_customers"
    stripe_prices = "stripe_prices"
    stripe_subscriptions = "stripe_subscriptions"
    stripe_invoices = "stripe_invoices"
    stripe_events = "stripe_events"


class FaultKind(StrEnum):
    # replaces the real answer
    status = "status"
    rate_limited = "rate_limited"
    revoked = "revoked"
    html = "html"
    truncated = "truncated"
    empty = "empty"
    # no answer
    timeout = "timeout"
    reset = "reset"
    lost_answer = "lost_answer"
    # changes the real answer
    slow = "slow"
    no_id = "no_id"
    vanish = "vanish"
    processing_failed = "processing_failed"
    usage = "usage"
    """Meta's usage headers report `percent` of a limit as used and access again in `minutes`."""


APPLIED_BY_STAND_IN = {
    FaultKind.no_id: Target.posts,
    FaultKind.vanish: Target.posts,
    FaultKind.processing_failed: Target.upload,
}
"""Kinds that the stand-in itself applies, and the only requests they are for."""


@dataclass(frozen=True)
class Fault:
    """A fault. `effect`: carry the request out although its answer is replaced. `seconds`: the wait of `timeout` and
    `slow`, or the `Retry-After` of `rate_limited`. `urn`: the post that a DUPLICATE_POST names. `containing`: affect
    only requests with this in the body, so that several users of one sandbox don't interfere.
    """

    on: Target
    kind: FaultKind
    status: int = 500
    times: int = 1
    seconds: float | None = None
    effect: bool = False
    message: str | None = None
    code: str | None = None
    service_error_code: int | None = None
    urn: str = "urn:li:share:7141138937766391808"
    containing: str = ""
    minutes: int = 0
    """Minutes until a limit of Meta ends, for its usage header."""
    percent: int = 100
    """Used percentage of a limit of Meta, for the headers of the kind `usage`."""

    @property
    def wait(self) -> float:
        """Seconds to wait; by default 60 for `timeout` and 2 for `slow`."""
        if self.seconds is not None:
            return self.seconds
        return 60.0 if self.kind is FaultKind.timeout else 2.0

    def with_retry_after(self, answer: Answer) -> Answer:
        """Return the answer with the header Retry-After, if the fault has a time."""
        if self.seconds is not None:
            answer.headers["Retry-After"] = str(round(self.seconds))
        return answer


@dataclass(frozen=True)
class FaultyApi:
    """A network's API, as faults see it."""

    prefixes: tuple[str, ...]
    """Beginnings of the paths whose calls are recorded."""
    paths: re.Pattern[str]
    """Paths whose errors have the network's format."""
    targets: tuple[tuple[Target, str | None, re.Pattern[str]], ...]
    """Kinds of requests with method (None: any) and path."""
    answer: Callable[[Fault], Response]
    """Return the error response for the kinds status, rate_limited and revoked."""


def fault_of(request: Request) -> Fault | None:
    """Return the fault that the stand-in has to apply to this request."""
    fault: Fault | None = request.scope.get(FAULT)
    return fault


def has_fault(request: Request, kind: FaultKind) -> bool:
    fault = fault_of(request)
    return fault is not None and fault.kind is kind


def arrived_at(request: Request) -> float:
    """Return when the request arrived, in epoch seconds."""
    return float(request.scope.get(ARRIVED_AT, time.time()))


def read_fault(body: Any) -> Fault:
    """Return the fault of a JSON body. Raise ValueError with the reason if it is invalid."""
    if not isinstance(body, dict):
        raise ValueError("the body must be an object")
    if unknown := set(body) - {field.name for field in fields(Fault)}:
        raise ValueError(f"unknown: {', '.join(sorted(unknown))}")
    on, kind = Target(str(body.get("on"))), FaultKind(str(body.get("kind")))
    if kind in APPLIED_BY_STAND_IN and on is not APPLIED_BY_STAND_IN[kind]:
        raise ValueError(f"{kind} is for {APPLIED_BY_STAND_IN[kind]} only")
    if on is Target.mail and kind is not FaultKind.status:
        raise ValueError("mail can only fail with a status")
    usual = 451 if on is Target.mail else 502 if kind is FaultKind.html else 500
    fault = Fault(
        on=on,
        kind=kind,
        status=int(body.get("status") or usual),
        times=int(body.get("times") or 1),
        seconds=None if body.get("seconds") is None else float(body["seconds"]),
        effect=bool(body.get("effect", kind in (FaultKind.lost_answer, FaultKind.slow))),
        message=body.get("message"),
        code=None if body.get("code") is None else str(body["code"]),
        service_error_code=body.get("service_error_code"),
        urn=str(body.get("urn") or Fault.urn),
        containing=str(body.get("containing") or ""),
        minutes=int(body.get("minutes") or 0),
        percent=int(body.get("percent") or 100),
    )
    lowest = 400 if kind is FaultKind.status else 200
    if not lowest <= fault.status <= 599:
        raise ValueError(f"status must be {lowest} to 599")
    if kind is FaultKind.usage and not 0 <= fault.percent <= 999:
        raise ValueError("percent must be 0 to 999")
    if fault.times < 1 or fault.wait < 0:
        raise ValueError("times must be 1 or more, seconds 0 or more")
    return fault


class Faults:
    """Faults that have not been applied yet."""

    def __init__(self) -> None:
        self._waiting: list[tuple[int, Fault, int]] = []
        self._next = 1
        self.closing = asyncio.Event()

    def add(self, fault: Fault) -> dict[str, Any]:
        self._waiting.append((self._next, fault, fault.times))
        self._next += 1
        return self.active()[-1]

    def need_body(self, targets: Sequence[Target]) -> bool:
        """Return whether a fault of these targets depends on the request's body."""
        return any(fault.on in targets and fault.containing for _, fault, _ in self._waiting)

    def take(self, targets: Sequence[Target], body: bytes = b"") -> Fault | None:
        for index, (number, fault, left) in enumerate(self._waiting):
            if fault.on in targets and fault.containing.encode() in body:
                if left > 1:
                    self._waiting[index] = (number, fault, left - 1)
                else:
                    del self._waiting[index]
                return fault
        return None

    def active(self) -> list[dict[str, Any]]:
        """Return the pending faults as JSON; `times` is the number left."""
        return [
            {
                "id": number,
                **{field.name: getattr(fault, field.name) for field in fields(fault)},
                "times": left,
            }
            for number, fault, left in self._waiting
        ]

    def clear(self) -> None:
        self._waiting.clear()
