"""Tags and categories of the stand-in for a WordPress site."""

import html
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from sandbox.sites import slug
from sandbox.state import State
from sandbox.wordpress_login import password_of, person_of, respond
from sandbox.wordpress_problems import refuse
from sandbox.wordpress_requests import read_body, respond_with_page
from sandbox.wordpress_tables import Tag

CATEGORIES = {1: ("Uncategorized", 0), 3: ("News", 0), 4: ("Town & country", 3)}
"""Name and parent's id by category id."""


def list_tags(request: Request, state: State) -> Response:
    password_of(request, state)
    search = request.query_params.get("search", "").lower()
    return respond_with_page(
        request, [_term(one.id, one.name) for one in state.table(Tag).values() if search in one.name.lower()]
    )


async def add_tag(request: Request, state: State) -> Response:
    person_of(request, state, "edit_posts", "rest_cannot_create")
    name = (await read_body(request)).get("name")
    if not isinstance(name, str) or not name.strip():
        raise refuse(400, "rest_missing_callback_param", "Missing parameter(s): name")
    for one in state.table(Tag).values():
        if one.name.lower() == name.strip().lower():
            reason = "A term with the name provided already exists in this taxonomy."
            raise refuse(400, "term_exists", reason, term_id=one.id)
    made = Tag(state.new_number(), name.strip())
    state.save(made)
    return respond(request, _term(made.id, made.name), 201)


def list_categories(request: Request, state: State) -> Response:
    password_of(request, state)
    return respond_with_page(
        request,
        [_term(number, name) | {"parent": parent} for number, (name, parent) in categories(state).items()],
    )


def categories(state: State) -> dict[int, tuple[str, int]]:
    """Return the categories, with those that a test adds and without the deleted one."""
    more = {1000 + at: (f"Topic {at}", 0) for at in range(state.settings.wordpress_more_categories)}
    deleted = state.settings.wordpress_gone_category
    return {number: one for number, one in (CATEGORIES | more).items() if number != deleted}


def _term(number: int, name: str) -> dict[str, Any]:
    # WordPress stores names escaped
    return {"id": number, "name": html.escape(name, quote=False), "slug": slug(name)}
