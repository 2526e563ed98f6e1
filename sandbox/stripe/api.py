"""Stripe's API below `/stripe/v1/`: keys, versions, repeated requests and expanded objects."""

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from sandbox.stripe.billing import Billing
from sandbox.stripe.book import API_VERSION, DAY, OLDEST_VERSION, Thing, public_fields
from sandbox.stripe.forms import nested, object_of
from sandbox.stripe.objects import ONLY_EXPANDED
from sandbox.stripe.operations import OPERATIONS, Call
from sandbox.stripe.problems import StripeError, stripe_problem

KEY_SECONDS = DAY
MAX_KEYS = 10_000
EXPANDABLE = {
    "charge",
    "customer",
    "default_payment_method",
    "default_price",
    "invoice",
    "latest_invoice",
    "payment_method",
    "product",
    "subscription",
}


@dataclass(frozen=True)
class StoredAnswer:
    """The stored response of an idempotency key."""

    request: tuple[str, str, bytes]
    at: int
    status: int
    body: bytes


class Api:
    """The API. `keys`: the valid secret keys; if empty, every well-formed key is valid."""

    def __init__(self, billing: Billing) -> None:
        self.billing = billing
        self.keys: frozenset[str] = frozenset()
        self._answers: dict[str, StoredAnswer] = {}

    def reset(self) -> None:
        self._answers.clear()

    def routes(self) -> APIRouter:
        router = APIRouter(prefix="/stripe/v1")
        for method, path, names, handler in OPERATIONS:
            router.add_api_route(path, self._endpoint(names, handler), methods=[method], response_model=None)
        every = ["GET", "POST", "DELETE", "PUT", "PATCH"]
        router.add_api_route("/{rest:path}", self._unknown, methods=every, response_model=None)
        return router

    async def _unknown(self, request: Request) -> Response:
        path = request.url.path.removeprefix("/stripe")
        return stripe_problem(StripeError(f"Unrecognized request URL ({request.method}: {path}).", status=404))

    def _endpoint(self, names: Mapping[str, Any], handler: Callable[[Call], Thing]) -> Callable[[Request], Any]:
        async def endpoint(request: Request) -> Response:
            body = await request.body()
            try:
                answer = self._answer(request, body, object_of(names), handler)
            except StripeError as error:
                answer = stripe_problem(error)
            answer.headers["Request-Id"] = f"req_{secrets.token_hex(7)}"
            answer.headers["Stripe-Version"] = request.headers.get("stripe-version", API_VERSION)
            return answer

        return endpoint

    def _answer(
        self,
        request: Request,
        body: bytes,
        read: Callable[[Any, str], dict[str, Any]],
        handler: Callable[[Call], Thing],
    ) -> Response:
        livemode = self._mode(request.headers.get("authorization", ""))
        _check_version(request.headers.get("stripe-version", API_VERSION))
        query = body.decode("utf-8", "replace") if request.method == "POST" else request.url.query
        key = request.headers.get("idempotency-key", "") if request.method == "POST" else ""
        identity = (request.method, request.url.path, body)
        if (earlier := self._find_answer(key, identity)) is not None:
            return Response(
                earlier.body,
                earlier.status,
                {"Idempotency-Key": key, "Idempotent-Replayed": "true"},
                media_type="application/json",
            )
        params = read(nested(parse_qsl(query, keep_blank_values=True)), "")
        self.billing.origin = origin = str(request.base_url).rstrip("/")
        self.billing.catch_up()
        path = request.url.path.removeprefix("/stripe")
        call = Call(self.billing, params, request.path_params.get("id", ""), livemode, origin, path)
        found = handler(call)
        answer = JSONResponse(self._as_json(found, [step for step in params.get("expand", []) if step]))
        if key:
            self._store(key, StoredAnswer(identity, self.billing.book.now, answer.status_code, bytes(answer.body)))
            answer.headers["Idempotency-Key"] = key
        return answer

    def _mode(self, authorization: str) -> bool:
        """Return whether the key is a live key. Raise StripeError 401 if it is invalid."""
        scheme, _, key = authorization.partition(" ")
        if scheme.lower() != "bearer" or not key:
            message = (
                "You did not provide an API key. You need to provide your API key in the Authorization header, "
                "using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY')."
            )
            raise StripeError(message, status=401)
        match = re.fullmatch(r"(?:sk|rk)_(test|live)_\w+", key)
        if match is None or (self.keys and key not in self.keys):
            raise StripeError(f"Invalid API Key provided: {key[:8]}****{key[-4:]}", status=401)
        return match[1] == "live"

    def _find_answer(self, key: str, request: tuple[str, str, bytes]) -> StoredAnswer | None:
        """Return the stored answer to the request with this idempotency key. Raise StripeError if the key belongs to
        another request."""
        if len(key) > 255:
            raise StripeError("Idempotency keys may be at most 255 characters", kind="idempotency_error")
        earlier = self._answers.get(key)
        if earlier is None or earlier.at + KEY_SECONDS < self.billing.book.now:
            return None
        if earlier.request != request:
            message = (
                "Keys for idempotent requests can only be used with the same parameters they were first used with. "
                f"Try using a key other than '{key}' if you meant to execute a different request."
            )
            raise StripeError(message, kind="idempotency_error")
        return earlier

    def _store(self, key: str, answer: StoredAnswer) -> None:
        self._answers.pop(key, None)
        self._answers[key] = answer
        if len(self._answers) > MAX_KEYS:
            del self._answers[next(iter(self._answers))]

    def _as_json(self, thing: Thing, expand: list[str]) -> Thing:
        """Return the public part, with the ids that `expand` names replaced by their objects."""
        public: Thing = json.loads(json.dumps(_public_part(thing, expand)))
        for steps in expand:
            self._expand(public, steps.split("."), steps)
        return public

    def _expand(self, thing: Thing, steps: list[str], full_name: str) -> None:
        step, following = steps[0], steps[1:]
        inner = thing.get(step)
        if isinstance(inner, list):
            for item in inner:
                if following:
                    self._expand(item, following, full_name)
            return
        if isinstance(inner, dict):
            if following:
                self._expand(inner, following, full_name)
            return
        if step not in EXPANDABLE or step not in thing:
            message = f"This property cannot be expanded ({full_name})."
            raise StripeError(message, param="expand")
        found = self.billing.book.find(inner) if inner else None
        if found is not None:
            thing[step] = json.loads(json.dumps(_public_part(found, [".".join(following)])))
            if following:
                self._expand(thing[step], following, full_name)


def _public_part(thing: Thing, expand: list[str]) -> Thing:
    """Return the thing without internal fields and without fields that need `expand`."""
    expanded = {name for steps in expand for name in steps.removeprefix("data.").split(".")[:1]}
    cut = {name: value for name, value in public_fields(thing).items() if name not in ONLY_EXPANDED or name in expanded}
    if cut.get("object") in ("list", "search_result"):
        cut["data"] = [_public_part(one, expand) for one in cut["data"]]
    return cut


def _check_version(version: str) -> None:
    date = version[:10]
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise StripeError(f"Invalid Stripe API version: {version}")
    if date < OLDEST_VERSION[:10]:
        raise StripeError(f"The sandbox supports {OLDEST_VERSION} and newer, not {version}")
