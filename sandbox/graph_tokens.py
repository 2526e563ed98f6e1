"""Tokens of the stand-in for Meta's Graph API, and what they allow."""

import secrets
import time
from dataclasses import dataclass, replace
from typing import ClassVar

from starlette.requests import Request

from sandbox.graph_problems import refuse
from sandbox.http import bearer
from sandbox.people import PAGES, PERSONAS
from sandbox.state import Row, State

POSTING_TASKS = {"CREATE_CONTENT", "MANAGE"}


@dataclass(frozen=True)
class GraphToken(Row):
    """A token of Meta: of a person (short-lived or long-lived) or of a page. Times are epoch seconds; `expires_at` 0:
    it does not expire."""

    table: ClassVar[str] = "graph_tokens"
    lasting: ClassVar[bool] = True
    access: str
    client_id: str
    person: str
    scopes: list[str]
    created_at: float
    expires_at: float
    long: bool = False
    page: str | None = None
    revoked: bool = False

    @property
    def key(self) -> str:
        return self.access


def new_token(
    state: State,
    client_id: str,
    person: str,
    scopes: list[str],
    *,
    expires_at: float,
    long: bool = False,
    page: str | None = None,
) -> GraphToken:
    access = "EAA" + secrets.token_urlsafe(48)
    token = GraphToken(access, client_id, person, scopes, time.time(), expires_at, long, page)
    state.save(token)
    return token


def revoke_person(state: State, person: str, client_id: str | None = None) -> int:
    """Revoke all tokens of a person, page tokens too, for one app or all. Return how many were active."""
    active = [
        token
        for token in state.table(GraphToken).values()
        if token.person == person and not token.revoked and client_id in (None, token.client_id)
    ]
    for token in active:
        state.save(replace(token, revoked=True))
    return len(active)


def token_value(request: Request) -> str:
    """Return the token of header or query; empty if there is none."""
    return bearer(request) or request.query_params.get("access_token", "")


def token_of(request: Request, state: State) -> GraphToken:
    """Return the request's token. Raise Refusal if it is missing, unknown, revoked or expired."""
    value = token_value(request)
    token = state.table(GraphToken).get(value)
    if not value:
        raise refuse(2500, None, "An active access token must be used to query information about the current user.")
    if token is None:
        raise refuse(190, None, "Invalid OAuth access token - Cannot parse access token", 401)
    if token.revoked:
        raise refuse(190, 458)
    if token.expires_at and token.expires_at < time.time():
        raise refuse(190, 463)
    return token


def user_token(request: Request, state: State) -> GraphToken:
    token = token_of(request, state)
    if token.page is not None:
        raise refuse(100, None, "(#100) A user access token is required to request this resource.")
    return token


def page_token(request: Request, state: State, page_id: str, scope: str) -> GraphToken:
    """Return the token to read or post as that page. Raise Refusal for a person's token, another page's, or one
    without the scope or task."""
    token = token_of(request, state)
    if page_id not in PAGES:
        raise refuse(100, 33)
    if token.page is None:
        raise refuse(200, None, "(#200) A page access token is required for this call for the new Pages experience.")
    if token.page != page_id:
        raise refuse(100, 33)
    need(token, scope)
    if POSTING_TASKS.isdisjoint(PERSONAS[token.person].tasks.get(page_id, ())):
        raise refuse(190, 492)
    return token


def need(token: GraphToken, scope: str) -> None:
    if scope not in token.scopes:
        raise refuse(200, None, f"(#200) Requires {scope} permission to manage the object")
