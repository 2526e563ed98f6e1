"""Adds to the OpenAPI document what FastAPI cannot: the kind of token and the scope of an operation, the refusals of
its dependencies, and its body limit. All are read from each route's dependencies."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from fastapi.routing import APIRoute, iter_route_contexts
from starlette.routing import BaseRoute

from api.bodies import dependencies_of, limit_of, up_to
from api.dependencies import READING, get_access, get_person, get_services, get_token, get_user
from api.errors import STATUS
from api.limits import get_limiting
from core.errors import ErrorCode
from core.users.tables.users import Scope

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
_SCHEMES = {
    "session": {"type": "http", "scheme": "bearer", "description": "Opaque token from a sign-in"},
    "api_key": {"type": "http", "scheme": "bearer", "description": "Opaque token of an API key, limited by its scope"},
}


def complete(document: dict[str, Any], routes: Sequence[BaseRoute]) -> None:
    """Complete the document that FastAPI generated for these routes."""
    document["components"]["securitySchemes"] = _SCHEMES
    for route in iter_route_contexts(routes):
        if not isinstance(route.original_route, APIRoute) or not route.include_in_schema:
            continue
        calls = set(dependencies_of(route.dependant))
        for method in route.methods or ():
            operation = document["paths"][route.path_format][method.lower()]
            if security := _security(method, calls):
                operation["security"] = security
            _add_refusals(operation, _refusals(method, calls))
            _drop_string_type(operation)
            if "requestBody" in operation:
                operation |= up_to(limit_of(route))


def _security(method: str, calls: set[Callable[..., Any]]) -> list[dict[str, list[str]]]:
    if get_token not in calls:
        return []
    if _for_people(calls):
        return [{"session": []}]
    return [{"session": []}, {"api_key": [str(Scope.read if method in READING else Scope.write)]}]


def _for_people(calls: set[Callable[..., Any]]) -> bool:
    """Return whether API keys are refused: the route needs a person, or ends the session itself."""
    return get_person in calls or get_access not in calls


def _refusals(method: str, calls: set[Callable[..., Any]]) -> Iterator[ErrorCode]:
    if get_token in calls:
        yield ErrorCode.unauthenticated
    if get_access in calls:
        yield ErrorCode.account_disabled
    if get_token in calls and (_for_people(calls) or method not in READING):
        yield ErrorCode.scope_missing
    if get_user in calls:
        yield ErrorCode.email_not_verified
    if get_limiting in calls or (get_user in calls and method not in READING):
        yield ErrorCode.rate_limited
    if get_services in calls or get_access in calls:
        yield ErrorCode.storage_unavailable


def _drop_string_type(operation: dict[str, Any]) -> None:
    """Remove `type: string`, which FastAPI adds to answers other than JSON, if the model is known."""
    for answer in operation["responses"].values():
        for content in answer.get("content", {}).values():
            if "$ref" in content.get("schema", {}):
                content["schema"].pop("type", None)


def _add_refusals(operation: dict[str, Any], codes: Iterator[ErrorCode]) -> None:
    answers = operation["responses"]
    if "requestBody" in operation:
        codes = iter([*codes, ErrorCode.invalid_input, ErrorCode.too_large])
    for code in codes:
        entry = answers.setdefault(str(STATUS[code]), {"description": ""})
        listed = entry["description"].split(", ") if entry["description"] else []
        if code not in listed:
            entry["description"] = ", ".join([*listed, code])
    for status, entry in answers.items():
        if status >= "400":
            entry["content"] = _PROBLEM
    operation["responses"] = dict(sorted(answers.items()))
