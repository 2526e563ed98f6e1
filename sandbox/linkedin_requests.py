"""What LinkedIn's API demands of a request: a token with the right scope, version headers, and a valid body."""

import json
import re
import time
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request

from sandbox.http import bearer
from sandbox.linkedin_problems import refuse
from sandbox.linkedin_tokens import Token
from sandbox.people import ORGANISATIONS, PEOPLE
from sandbox.state import State

OLDEST_VERSION, NEWEST_VERSION = "202511", "202611"
POSTING_ROLES = {"ADMINISTRATOR", "CONTENT_ADMIN", "CONTENT_ADMINISTRATOR", "DIRECT_SPONSORED_CONTENT_POSTER"}


def token_of(request: Request, state: State) -> Token:
    """Return the request's token. Raise Refusal 401 if it is missing, unknown, revoked or expired."""
    value = bearer(request)
    if not value:
        raise refuse(401, "EMPTY_ACCESS_TOKEN", "Empty oauth2 access token", 65604)
    token = state.table(Token).get(value)
    if token is None:
        raise refuse(401)
    status = token.status(time.time())
    if status != "active":
        raise refuse(401, service_error_code=65601 if status == "revoked" else 65602)
    return token


def rest_token(request: Request, state: State) -> Token:
    """Return the request's token, as `token_of`, and check headers and encoding that `/rest/` calls need."""
    token = token_of(request, state)
    version = request.headers.get("linkedin-version", "")
    if not version:
        raise refuse(400, "VERSION_MISSING", "A version must be present. Please specify a version")
    if not re.fullmatch(r"\d{4}(0[1-9]|1[0-2])", version) or not OLDEST_VERSION <= version <= NEWEST_VERSION:
        raise refuse(426, "NONEXISTENT_VERSION", f"Requested version {version} is not active")
    if request.headers.get("x-restli-protocol-version") != "2.0.0":
        raise refuse(400, "ILLEGAL_ARGUMENT", "X-Restli-Protocol-Version must be 2.0.0")
    if b"urn:" in request.scope["raw_path"]:
        raise refuse(400, "ILLEGAL_ARGUMENT", "URNs in the path must be percent-encoded")
    return token


def need(token: Token, scope: str) -> None:
    if scope not in token.scopes:
        raise refuse(403, "ACCESS_DENIED", f"Not enough permissions to access this resource: {scope}")


def need_author(token: Token, urn: str, *, reading: bool = False) -> None:
    """Raise Refusal 403 unless the token may act for this author, or read it (pages only)."""
    person = PEOPLE[token.person]
    if urn == person.urn and not reading:
        need(token, "w_member_social")
        return
    for organisation in ORGANISATIONS.values():
        if urn == organisation.urn and person.roles.get(organisation.id) in POSTING_ROLES:
            need(token, "r_organization_social" if reading else "w_organization_social")
            return
    raise refuse(403, "ACCESS_DENIED", f"Not enough permissions to access this resource as {urn}")


async def read_upload_order(request: Request, state: State) -> tuple[str, dict[str, Any]]:
    """Return the owner and the order of an `initializeUpload`. Raise Refusal unless the token may act for the owner."""
    token = rest_token(request, state)
    if request.query_params.get("action") != "initializeUpload":
        raise refuse(400, "ILLEGAL_ARGUMENT", "action must be initializeUpload")
    order = (await json_body(request)).get("initializeUploadRequest")
    owner = order.get("owner") if isinstance(order, dict) else None
    if not isinstance(order, dict) or not isinstance(owner, str):
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "initializeUploadRequest.owner is missing")
    need_author(token, owner)
    return owner, order


COMMENTING_ROLES = {"ADMINISTRATOR", "DIRECT_SPONSORED_CONTENT_POSTER", "RECRUITING_POSTER"}


def need_commenter(token: Token, urn: str, version: str, *, reading: bool = False) -> None:
    """Raise Refusal 403 unless the app and the member's role at the page let the token comment as this author, or read
    comments. Nobody reads those below a person's posts."""
    person = PEOPLE[token.person]
    if urn == person.urn:
        able = not reading and "w_member_social_feed" in token.scopes
    else:
        scope = "r_organization_social_feed" if reading else "w_organization_social_feed"
        role = next((role for page, role in person.roles.items() if urn == ORGANISATIONS[page].urn), "")
        able = scope in token.scopes and role in (POSTING_ROLES if reading else COMMENTING_ROLES)
    if not able:
        call = f"partnerApiSocialActions.{'GET_ALL' if reading else 'CREATE'}.{version}01"
        raise refuse(403, "ACCESS_DENIED", f"Not enough permissions to access: {call}", 100)


async def json_body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "ILLEGAL_ARGUMENT", "The body is not JSON") from error
    if not isinstance(body, dict) or "json" not in request.headers.get("content-type", ""):
        raise refuse(400, "ILLEGAL_ARGUMENT", "The body must be an object sent as application/json")
    return body


def page_bounds(query: Mapping[str, str], *, most: int = 100) -> tuple[int, int]:
    """Return `start` and `count` of a list request; by default 10 rows from 0."""
    try:
        start, count = int(query.get("start", "0")), int(query.get("count", "10"))
    except ValueError as error:
        raise refuse(400, "ILLEGAL_ARGUMENT", "start and count must be numbers") from error
    if start < 0 or not 1 <= count <= most:
        raise refuse(400, "ILLEGAL_ARGUMENT", f"count must be 1 to {most}")
    return start, count
