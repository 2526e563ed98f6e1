"""Stand-in for LinkedIn's two hosts: identity and pages, with the real errors, and the pages' posts."""

import re
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from sandbox import linkedin_documents, linkedin_images, linkedin_login, linkedin_posts, linkedin_videos
from sandbox.cards import picture_of
from sandbox.http import Handler, add_handlers, origin
from sandbox.linkedin_posts import Post, author_name, live, post_card
from sandbox.linkedin_problems import refuse
from sandbox.linkedin_requests import need, page_bounds, rest_token, token_of
from sandbox.pages import cards_page, missing_page, post_page
from sandbox.people import ORGANISATIONS, PEOPLE
from sandbox.state import State
from sandbox.texts import Text


def read_userinfo(request: Request, state: State) -> Response:
    token = token_of(request, state)
    need(token, "openid")
    person = PEOPLE[token.person]
    answer: dict[str, Any] = {"sub": person.sub}
    if "profile" in token.scopes:
        answer |= {
            "name": person.name,
            "given_name": person.given_name,
            "family_name": person.family_name,
            "picture": origin(request) + picture_of(person.sub),
            "locale": {"country": person.country, "language": person.language},
        }
    if "email" in token.scopes:
        answer |= {"email": person.email, "email_verified": True}
    return JSONResponse(answer)


def read_me(request: Request, state: State) -> Response:
    token = token_of(request, state)
    need(token, "r_basicprofile")
    person = PEOPLE[token.person]
    names = {"localizedFirstName": person.given_name, "localizedLastName": person.family_name}
    return JSONResponse({"id": person.sub, **names})


def list_roles(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    need(token, "rw_organization_admin")
    query = request.query_params
    if query.get("q") != "roleAssignee":
        raise refuse(400, "ILLEGAL_ARGUMENT", "q must be roleAssignee")
    start, count = page_bounds(query)
    person = PEOPLE[token.person]
    elements = [
        {
            "organization": ORGANISATIONS[page_id].listed_urn,
            "role": role,
            "state": "APPROVED",
            "roleAssignee": person.urn,
        }
        for page_id, role in person.roles.items()
        if query.get("role", role) == role and query.get("state", "APPROVED") == "APPROVED"
    ]
    paging = {"start": start, "count": count, "total": len(elements), "links": []}
    return JSONResponse({"elements": elements[start : start + count], "paging": paging})


def read_organization(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    need(token, "rw_organization_admin")
    wanted = request.path_params["organization_id"]
    found = ORGANISATIONS.get(int(wanted)) if re.fullmatch(r"[0-9]{1,18}", wanted) else None
    if found is None:
        raise refuse(404)
    if found.id not in PEOPLE[token.person].roles:
        raise refuse(403)
    logo = {"original": f"urn:li:digitalmediaAsset:{found.logo}"}
    answer = {"id": found.id, "localizedName": found.name, "vanityName": found.vanity_name, "logoV2": logo}
    return JSONResponse(answer)


HANDLERS: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/v2/userinfo", read_userinfo),
    ("GET", "/v2/me", read_me),
    ("GET", "/rest/organizationAcls", list_roles),
    ("GET", "/rest/organizations/{organization_id}", read_organization),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    # before images: an upload address of a document or a video matches theirs, too
    for handlers in (
        linkedin_login.HANDLERS,
        HANDLERS,
        linkedin_documents.HANDLERS,
        linkedin_videos.HANDLERS,
        linkedin_images.HANDLERS,
        linkedin_posts.HANDLERS,
    ):
        add_handlers(router, state, handlers)

    @router.get("/in/me/recent-activity/all/")
    async def own_posts() -> Response:
        """Redirect to all posts: there is no sign-in here."""
        return RedirectResponse("/", 302)

    @router.get("/company/{organisation_id}/posts/")
    async def posts_of_page(request: Request, organisation_id: int) -> Response:
        text = Text.of(request)
        found = ORGANISATIONS.get(organisation_id)
        if found is None:
            return missing_page(text)
        cards = [post_card(text, post, state) for post in live(state) if post.author == found.urn]
        return cards_page(text, text.escape(found.name), cards)

    @router.get("/feed/update/{urn}/")
    async def permalink(request: Request, urn: str) -> Response:
        text = Text.of(request)
        post = state.table(Post).get(urn)
        if post is None or post.deleted:
            return missing_page(text)
        return post_page(text, author_name(post), post_card(text, post, state))

    return router
