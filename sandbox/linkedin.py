"""Stand-in for LinkedIn's two hosts: OAuth, identity, pages, images and posts, with the real errors."""

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox.faults import (
    ARRIVED_AT,
    FAULT,
    Fault,
    FaultKind,
    duplicate_problem,
    oauth_problem,
    problem,
)
from sandbox.littletext import unescaped, visible
from sandbox.pages import Text, is_web_address, language, page
from sandbox.pictures import MAX_PIXELS, inspect
from sandbox.state import ORGANISATIONS, PEOPLE, Image, ImageStatus, Organisation, Person, Post, State, Token

OLDEST_VERSION, NEWEST_VERSION = "202511", "202611"
MAX_COMMENTARY = 3000
MAX_ALT_TEXT = 4086
MAX_OF_ARTICLE = {"title": 400, "description": 4086}
MAX_IMAGES = 20
SCOPES = {
    "openid": ("use your name and picture", "deinen Namen und dein Bild verwenden"),
    "profile": ("use your name and picture", "deinen Namen und dein Bild verwenden"),
    "email": ("use your e-mail address", "deine E-Mail-Adresse verwenden"),
    "r_basicprofile": ("use your name and picture", "deinen Namen und dein Bild verwenden"),
    "w_member_social": ("post in your name", "in deinem Namen Beiträge veröffentlichen"),
    "w_organization_social": ("post as your pages", "als deine Seiten Beiträge veröffentlichen"),
    "r_organization_social": ("read your pages' posts", "die Beiträge deiner Seiten lesen"),
    "rw_organization_admin": ("see and manage your pages", "deine Seiten sehen und verwalten"),
}
POSTING_ROLES = {"ADMINISTRATOR", "CONTENT_ADMIN", "CONTENT_ADMINISTRATOR", "DIRECT_SPONSORED_CONTENT_POSTER"}
VISIBILITIES = {"PUBLIC", "CONNECTIONS", "LOGGED_IN"}


class LinkedInError(Exception):
    """A refusal with its answer."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


def refuse(status: int, code: str | None = None, message: str | None = None) -> LinkedInError:
    return LinkedInError(problem(status, code, message))


# Authentication


def bearer(request: Request, state: State) -> Token:
    """Return the request's token. Raise LinkedInError 401 if it is missing, unknown, revoked or expired."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not value.strip():
        raise LinkedInError(problem(401, "EMPTY_ACCESS_TOKEN", "Empty oauth2 access token", 65604))
    token = state.tokens.get(value.strip())
    if token is None:
        raise LinkedInError(problem(401))
    status = token.status(time.time())
    if status != "active":
        raise LinkedInError(problem(401, service_error_code=65601 if status == "revoked" else 65602))
    return token


def rest_token(request: Request, state: State) -> Token:
    """Return the request's token, as `bearer`, and check headers and encoding that `/rest/` calls need."""
    token = bearer(request, state)
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
    """Raise LinkedInError 403 unless the token may act for this author, or read it (pages only)."""
    person = PEOPLE[token.person]
    if urn == person.urn and not reading:
        need(token, "w_member_social")
        return
    for organisation in ORGANISATIONS.values():
        if urn == organisation.urn and person.roles.get(organisation.id) in POSTING_ROLES:
            need(token, "r_organization_social" if reading else "w_organization_social")
            return
    raise refuse(403, "ACCESS_DENIED", f"Not enough permissions to access this resource as {urn}")


async def json_body(request: Request) -> dict[str, Any]:
    try:
        body = json.loads(await request.body())
    except ValueError as error:
        raise refuse(400, "ILLEGAL_ARGUMENT", "The body is not JSON") from error
    if not isinstance(body, dict) or "json" not in request.headers.get("content-type", ""):
        raise refuse(400, "ILLEGAL_ARGUMENT", "The body must be an object sent as application/json")
    return body


async def form_body(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body()).decode("utf-8", "replace"), keep_blank_values=True))


def origin(request: Request) -> str:
    return str(request.base_url).rstrip("/")


# OAuth


def consent(request: Request, state: State) -> Response:
    """Show the consent page. `sandbox_person=<sub>` or `sandbox_cancel=1` answers without it."""
    query = dict(request.query_params)
    text = Text(language(request))
    try:
        redirect_uri, scopes = _checked(query)
    except ValueError as error:
        body = f"<h1>{text('missing')}</h1><p>{text('wrong_link')}</p><p><code>{text.escape(error)}</code></p>"
        return HTMLResponse(page(text, text("missing"), body, navigation=False), 400)
    returned = {"state": query["state"]} if "state" in query else {}
    if unknown := [scope for scope in scopes if scope not in SCOPES]:
        description = f'Scope "{unknown[0]}" is not authorized for your application'
        failure = {"error": "unauthorized_scope_error", "error_description": description}
        return RedirectResponse(_with(redirect_uri, {**failure, **returned}), 302)
    if cancelled := query.get("sandbox_cancel"):
        step = "authorize" if cancelled == "authorize" else "login"
        failure = {
            "error": f"user_cancelled_{step}",
            "error_description": "The user cancelled LinkedIn login",
        }
        return RedirectResponse(_with(redirect_uri, {**failure, **returned}), 302)
    if (person := PEOPLE.get(query.get("sandbox_person", ""))) is not None:
        code = state.new_code(query["client_id"], redirect_uri, person.sub, scopes)
        return RedirectResponse(_with(redirect_uri, {"code": code, **returned}), 302)
    return HTMLResponse(_consent_page(text, query, redirect_uri, scopes))


def _checked(query: Mapping[str, str]) -> tuple[str, list[str]]:
    """Return redirect URI and scopes of a valid request. Raise ValueError if it is invalid."""
    redirect_uri = query.get("redirect_uri", "")
    parts = urlsplit(redirect_uri)
    if parts.scheme not in ("http", "https") or not parts.netloc or "#" in redirect_uri:
        raise ValueError("redirect_uri must be absolute and without a fragment")
    if query.get("response_type") != "code":
        raise ValueError("response_type must be code")
    if not query.get("client_id"):
        raise ValueError("client_id is missing")
    scopes = query.get("scope", "").split()
    if not scopes:
        raise ValueError("scope is missing")
    return redirect_uri, scopes


def _with(uri: str, parameters: dict[str, str]) -> str:
    return f"{uri}{'&' if '?' in uri else '?'}{urlencode(parameters)}"


def _consent_page(text: Text, query: Mapping[str, str], redirect_uri: str, scopes: list[str]) -> str:
    hidden = "".join(
        f'<input type="hidden" name="{text.escape(name)}" value="{text.escape(value)}">'
        for name, value in query.items()
        if not name.startswith("sandbox_")
    )
    people = "".join(
        f'<label class="choice"><input type="radio" name="sandbox_person" value="{person.sub}"'
        f"{'' if number else ' checked'}>"
        f'<img src="/sandbox/pictures/{person.sub}.svg" alt=""><span>{text.escape(person.name)}'
        f"<small>{_pages(text, person)}</small></span></label>"
        for number, person in enumerate(PEOPLE.values())
    )
    wishes = dict.fromkeys(SCOPES[scope][text.code == "de"] for scope in scopes)
    listed = "".join(f"<li>{text.escape(wish)}</li>" for wish in wishes)
    host = text.escape(urlsplit(redirect_uri).netloc)
    body = f"""<h1>{text("consent")}</h1><p>{text("consent_intro")}</p>
<form method="get" action="/oauth/v2/authorization" class="card">{hidden}
<p class="text"><strong>{host}</strong></p><p>{text("access")}</p><ul>{listed}</ul>
<fieldset><legend>{text("as_whom")}</legend>{people}</fieldset>
<div class="buttons"><button>{text("allow")}</button>
<button class="quiet" name="sandbox_cancel" value="1">{text("cancel")}</button></div></form>"""
    return page(text, text("consent"), body, navigation=False)


def _pages(text: Text, person: Person) -> str:
    names = (ORGANISATIONS[page_id].name for page_id, role in person.roles.items() if role in POSTING_ROLES)
    return " · ".join([text.escape(person.email), *(f"{text('page')} {text.escape(name)}" for name in names)])


async def access_token(request: Request, state: State) -> Response:
    form = await form_body(request)
    client_id = form.get("client_id", "")
    if not state.knows_client(client_id, form.get("client_secret", "")):
        return oauth_problem("invalid_client", "Client authentication failed", 401)
    if form.get("grant_type") == "authorization_code":
        code = state.codes.pop(form.get("code", ""), None)  # used up even if another check fails
        if code is None or code.expires_at <= time.time():
            return oauth_problem("invalid_grant", "Authorization code is unknown, used or expired")
        if (code.client_id, code.redirect_uri) != (client_id, form.get("redirect_uri")):
            return oauth_problem("invalid_grant", "appid/redirect uri does not match authorization code")
        token = state.new_token(client_id, code.person, code.scopes)
    elif form.get("grant_type") == "refresh_token":
        earlier = state.by_refresh(form.get("refresh_token", ""))
        if earlier is None or earlier.client_id != client_id:
            return oauth_problem("invalid_grant", "The provided refresh token is invalid, expired or revoked")
        token = state.new_token(client_id, earlier.person, earlier.scopes, earlier)
    else:
        return oauth_problem("unsupported_grant_type", "grant_type must be authorization_code or refresh_token")
    answer: dict[str, Any] = {
        "access_token": token.access,
        "expires_in": round(token.expires_at - token.created_at),
        "scope": ",".join(token.scopes),
        "token_type": "Bearer",
    }
    if token.refresh is not None and token.refresh_expires_at is not None:
        answer["refresh_token"] = token.refresh
        answer["refresh_token_expires_in"] = round(token.refresh_expires_at - token.created_at)
    return JSONResponse(answer)


async def revoke(request: Request, state: State) -> Response:
    form = await form_body(request)
    if not state.knows_client(form.get("client_id", ""), form.get("client_secret", "")):
        return oauth_problem("invalid_client", "Client authentication failed", 401)
    state.revoke(form.get("token", ""))
    return Response(status_code=200)


async def introspect(request: Request, state: State) -> Response:
    form = await form_body(request)
    if not state.knows_client(form.get("client_id", ""), form.get("client_secret", "")):
        return oauth_problem("invalid_client", "Client authentication failed", 401)
    token = state.tokens.get(form.get("token", ""))
    if token is None or token.client_id != form.get("client_id"):
        return JSONResponse({"active": False})
    status = token.status(time.time())
    return JSONResponse(
        {
            "active": status == "active",
            "status": status,
            "scope": ",".join(token.scopes),
            "client_id": token.client_id,
            "created_at": int(token.created_at),
            "authorized_at": int(token.created_at),
            "expires_at": int(token.expires_at),
            "auth_type": "3L",
        }
    )


# Identity and pages


def userinfo(request: Request, state: State) -> Response:
    token = bearer(request, state)
    need(token, "openid")
    person = PEOPLE[token.person]
    answer: dict[str, Any] = {"sub": person.sub}
    if "profile" in token.scopes:
        answer |= {
            "name": person.name,
            "given_name": person.given_name,
            "family_name": person.family_name,
            "picture": f"{origin(request)}/sandbox/pictures/{person.sub}.svg",
            "locale": {"country": person.country, "language": person.language},
        }
    if "email" in token.scopes:
        answer |= {"email": person.email, "email_verified": True}
    return JSONResponse(answer)


def me(request: Request, state: State) -> Response:
    token = bearer(request, state)
    need(token, "r_basicprofile")
    person = PEOPLE[token.person]
    names = {"localizedFirstName": person.given_name, "localizedLastName": person.family_name}
    return JSONResponse({"id": person.sub, **names})


def organization_acls(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    need(token, "rw_organization_admin")
    query = request.query_params
    if query.get("q") != "roleAssignee":
        raise refuse(400, "ILLEGAL_ARGUMENT", "q must be roleAssignee")
    start, count = _window(query, most=100)
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


def organization(request: Request, state: State) -> Response:
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


def _window(query: Mapping[str, str], *, most: int) -> tuple[int, int]:
    """Return `start` and `count` of a list request; by default 10 rows from 0."""
    try:
        start, count = int(query.get("start", "0")), int(query.get("count", "10"))
    except ValueError as error:
        raise refuse(400, "ILLEGAL_ARGUMENT", "start and count must be numbers") from error
    if start < 0 or not 1 <= count <= most:
        raise refuse(400, "ILLEGAL_ARGUMENT", f"count must be 1 to {most}")
    return start, count


# Images


async def start_upload(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    if request.query_params.get("action") != "initializeUpload":
        raise refuse(400, "ILLEGAL_ARGUMENT", "action must be initializeUpload")
    order = (await json_body(request)).get("initializeUploadRequest")
    owner = order.get("owner") if isinstance(order, dict) else None
    if not isinstance(owner, str):
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "initializeUploadRequest.owner is missing")
    need_author(token, owner)
    image = state.new_image(owner)
    value = {
        "uploadUrlExpiresAt": int(image.upload_expires_at * 1000),
        "uploadUrl": f"{origin(request)}/dms-uploads/{image.id}/uploaded-image/0?ca=sandbox",
        "image": image.urn,
    }
    return JSONResponse({"value": value})


async def upload(request: Request, state: State) -> Response:
    token = bearer(request, state)
    image = state.images.get(request.path_params["image_id"])
    if image is None:
        raise refuse(404)
    need_author(token, image.owner)
    if image.upload_expires_at < time.time():
        raise refuse(400, "ILLEGAL_ARGUMENT", "The upload address has expired")
    data = await request.body()
    media_type = await asyncio.to_thread(_store, state, image, data)
    fault: Fault | None = request.scope.get(FAULT)
    state.uploaded(image.id, media_type, failed=fault is not None and fault.kind is FaultKind.processing_failed)
    return Response(status_code=201)


def _store(state: State, image: Image, data: bytes) -> str:
    """Write the file and return its media type. Raise LinkedInError if it is not a usable picture."""
    path = state.image_file(image.id)
    part = path.with_suffix(".part")
    part.write_bytes(data)
    try:
        with part.open("rb") as file:
            media_type, width, height = inspect(file)
    except ValueError as error:
        part.unlink()
        raise refuse(400, "ILLEGAL_ARGUMENT", f"The upload is {error}") from error
    if width * height >= MAX_PIXELS:
        part.unlink()
        raise refuse(400, "ILLEGAL_ARGUMENT", f"{width} × {height} is {MAX_PIXELS} pixels or more")
    part.replace(path)
    return media_type


def image_status(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    image_id = request.path_params["urn"].removeprefix("urn:li:image:")
    image = state.images.get(image_id)
    if image is None:
        if of_page := next((one for one in ORGANISATIONS.values() if one.logo == image_id), None):
            return _logo(request, token, of_page)
        raise refuse(404)
    need_author(token, image.owner, reading=True)
    status = state.image_status(image)
    answer = {"id": image.urn, "owner": image.owner, "status": status}
    if status is ImageStatus.available:
        answer["downloadUrl"] = f"{origin(request)}/sandbox/images/{image.id}"
    return JSONResponse(answer)


def _logo(request: Request, token: Token, page: Organisation) -> Response:
    need_author(token, page.urn, reading=True)
    shown = f"{origin(request)}/sandbox/pictures/{page.vanity_name}.svg"
    urn = f"urn:li:image:{page.logo}"
    return JSONResponse({"id": urn, "owner": page.urn, "status": ImageStatus.available, "downloadUrl": shown})


# Posts


async def create_post(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    body = await json_body(request)
    author = body.get("author")
    if not isinstance(author, str):
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /author :: field is required but not found")
    need_author(token, author)
    visibility = _checked_form(body, author)
    commentary = _commentary(body.get("commentary"))
    images, article = _content(body.get("content"), author, state)
    if not commentary.strip() and not images and article is None:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "commentary and content are both empty")
    text, taken = visible(commentary)
    first = state.duplicate_of(author, commentary[:taken], [*(urn for urn, _ in images), *(article or {}).values()])
    if first is not None:
        return duplicate_problem(first)
    arrived_at = request.scope.get(ARRIVED_AT, time.time())
    post = state.new_post(author, commentary[:taken], text, visibility, images, article, arrived_at)
    fault: Fault | None = request.scope.get(FAULT)
    if fault is not None and fault.kind is FaultKind.vanish:
        state.delete_post(post.id)
    if fault is not None and fault.kind is FaultKind.no_id:
        return Response(status_code=201)
    return Response(status_code=201, headers={"x-restli-id": post.id})


def _checked_form(body: dict[str, Any], author: str) -> str:
    """Return the visibility. Raise LinkedInError if it, distribution or lifecycle state is invalid."""
    visibility, distribution = body.get("visibility"), body.get("distribution")
    if visibility not in VISIBILITIES or ("organization" in author and visibility != "PUBLIC"):
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "visibility is not allowed for this author")
    if not isinstance(distribution, dict) or distribution.get("feedDistribution") not in (
        "MAIN_FEED",
        "NONE",
    ):
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /distribution/feedDistribution :: not found")
    if body.get("lifecycleState") != "PUBLISHED":
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "lifecycleState must be PUBLISHED")
    return str(visibility)


def _commentary(value: object) -> str:
    if not isinstance(value, str):
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /commentary :: field is required but not found")
    if len(unescaped(value)) > MAX_COMMENTARY:
        raise refuse(400, "FIELD_LENGTH_TOO_LONG", f"commentary is longer than {MAX_COMMENTARY} characters")
    return value


def _content(content: object, author: str, state: State) -> tuple[list[list[str]], dict[str, str] | None]:
    """Return the images as [urn, alt text], and the link card if there is one."""
    if content is None:
        return [], None
    if not isinstance(content, dict) or len(content) != 1:
        raise refuse(422, "UNPROCESSABLE_ENTITY", "ERROR :: /content :: exactly one kind of content is allowed")
    kind, value = next(iter(content.items()))
    if kind == "media":
        return [_image(value, author, state)], None
    if kind == "multiImage":
        listed = value.get("images") if isinstance(value, dict) else None
        if not isinstance(listed, list) or not 2 <= len(listed) <= MAX_IMAGES:
            raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"multiImage needs 2 to {MAX_IMAGES} images")
        return [_image(item, author, state) for item in listed], None
    if kind == "article":
        return [], _article(value, author, state)
    raise refuse(422, "UNPROCESSABLE_ENTITY", f"ERROR :: /content/{kind} :: unrecognized field found")


def _article(value: object, author: str, state: State) -> dict[str, str]:
    """Return the link card as sent: the linked page is not fetched."""
    told = value if isinstance(value, dict) else {}
    for name in ("source", "title"):
        if name not in told:
            missing = f"ERROR :: /content/article/{name} :: field is required but not found and has no default value"
            raise refuse(422, "UNPROCESSABLE_ENTITY", missing)
    for name, text in told.items():
        if name not in (*MAX_OF_ARTICLE, "source", "thumbnail"):
            raise refuse(422, "UNPROCESSABLE_ENTITY", f"ERROR :: /content/article/{name} :: unrecognized field found")
        if not isinstance(text, str) or not text:
            raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"article.{name} must be a text")
        if len(text) > MAX_OF_ARTICLE.get(name, len(text)):
            raise refuse(400, "FIELD_LENGTH_TOO_LONG", f"article.{name} is too long")
    if not is_web_address(told["source"]):
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", "article.source must be a web address")
    if "thumbnail" in told:
        _image({"id": told["thumbnail"]}, author, state)
    return told


def _image(value: object, author: str, state: State) -> list[str]:
    urn = value.get("id") if isinstance(value, dict) else None
    alt_text = value.get("altText", "") if isinstance(value, dict) else ""
    image = state.images.get(str(urn).removeprefix("urn:li:image:"))
    if image is None or urn != image.urn:
        raise refuse(422, "UNPROCESSABLE_ENTITY", f"Image {urn} does not exist")
    if image.owner != author:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"Image {urn} is not owned by the author")
    status = state.image_status(image)
    if status is not ImageStatus.available:
        raise refuse(400, "INVALID_VALUE_FOR_FIELD", f"Image {urn} is {status}")
    if not isinstance(alt_text, str) or len(alt_text) > MAX_ALT_TEXT:
        raise refuse(400, "FIELD_LENGTH_TOO_LONG", f"altText is longer than {MAX_ALT_TEXT} characters")
    return [image.urn, alt_text]


def list_posts(request: Request, state: State) -> Response:
    """Return a page's posts, newest first."""
    token = rest_token(request, state)
    query = request.query_params
    if request.headers.get("x-restli-method", "").upper() != "FINDER" or query.get("q") != "author":
        raise refuse(400, "ILLEGAL_ARGUMENT", "Only the finder q=author with X-RestLi-Method: FINDER exists")
    author, sort = query.get("author", ""), query.get("sortBy", "LAST_MODIFIED")
    if sort not in ("CREATED", "LAST_MODIFIED"):
        raise refuse(400, "ILLEGAL_ARGUMENT", "sortBy must be CREATED or LAST_MODIFIED")
    need_author(token, author, reading=True)
    start, count = _window(query, most=100)
    posts = [post for post in state.live_posts() if post.author == author]
    if sort == "LAST_MODIFIED":
        posts.sort(key=lambda post: post.edited_at or post.created_at, reverse=True)
    paging = {"start": start, "count": count, "total": len(posts), "links": []}
    elements = [_as_json(post) for post in posts[start : start + count]]
    return JSONResponse({"elements": elements, "paging": paging})


def _as_json(post: Post) -> dict[str, Any]:
    answer: dict[str, Any] = {
        "id": post.id,
        "author": post.author,
        "commentary": post.commentary,
        "visibility": post.visibility,
        "lifecycleState": "PUBLISHED",
        "createdAt": post.created_at,
        "publishedAt": post.created_at,
        "lastModifiedAt": post.edited_at or post.created_at,
        "isReshareDisabledByAuthor": False,
        "distribution": {
            "feedDistribution": "MAIN_FEED",
            "targetEntities": [],
            "thirdPartyDistributionChannels": [],
        },
    }
    images = [{"id": urn, "altText": alt_text} for urn, alt_text in post.images]
    if post.article is not None:
        answer["content"] = {"article": post.article}
    elif len(images) == 1:
        answer["content"] = {"media": images[0]}
    elif images:
        answer["content"] = {"multiImage": {"images": images}}
    return answer


def _wanted(request: Request, state: State, token: Token) -> Post:
    """Return the page's post of the path. Without a page's scope, access is refused before the lookup."""
    post = state.posts.get(request.path_params["urn"])
    if "w_organization_social" not in token.scopes and "r_organization_social" not in token.scopes:
        raise refuse(403)
    if post is None or post.deleted:
        raise refuse(404)
    if post.author.startswith("urn:li:person:"):
        raise refuse(403)
    need_author(token, post.author, reading=True)
    return post


def read_post(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    return JSONResponse(_as_json(_wanted(request, state, token)))


def delete_post(request: Request, state: State) -> Response:
    """Delete a post; anyone who may post as its author can, members too. Deleting it again succeeds."""
    token = rest_token(request, state)
    post = state.posts.get(request.path_params["urn"])
    if post is None:
        raise refuse(404)
    need_author(token, post.author)
    if not post.deleted:
        state.delete_post(post.id)
    return Response(status_code=204)


async def edit_post(request: Request, state: State) -> Response:
    token = rest_token(request, state)
    if request.headers.get("x-restli-method", "").upper() != "PARTIAL_UPDATE":
        raise refuse(400, "ILLEGAL_ARGUMENT", "X-RestLi-Method must be PARTIAL_UPDATE")
    patch = (await json_body(request)).get("patch")
    changes = patch.get("$set") if isinstance(patch, dict) else None
    if not isinstance(changes, dict) or set(changes) != {"commentary"}:
        raise refuse(422, "UNPROCESSABLE_ENTITY", "Only commentary can be changed")
    commentary = _commentary(changes["commentary"])
    post = state.posts.get(request.path_params["urn"])
    if post is None or post.deleted:
        raise refuse(404)
    need_author(token, post.author)
    text, taken = visible(commentary)
    state.change_post(post, commentary[:taken], text)
    return Response(status_code=204)


HANDLERS: tuple[tuple[str, str, Callable[[Request, State], Response | Awaitable[Response]]], ...] = (
    ("GET", "/oauth/v2/authorization", consent),
    ("POST", "/oauth/v2/accessToken", access_token),
    ("POST", "/oauth/v2/revoke", revoke),
    ("POST", "/oauth/v2/introspectToken", introspect),
    ("GET", "/v2/userinfo", userinfo),
    ("GET", "/v2/me", me),
    ("GET", "/rest/organizationAcls", organization_acls),
    ("GET", "/rest/organizations/{organization_id}", organization),
    ("POST", "/rest/images", start_upload),
    ("GET", "/rest/images/{urn}", image_status),
    ("PUT", "/dms-uploads/{image_id}/{rest:path}", upload),
    ("POST", "/rest/posts", create_post),
    ("GET", "/rest/posts", list_posts),
    ("GET", "/rest/posts/{urn}", read_post),
    ("DELETE", "/rest/posts/{urn}", delete_post),
    ("POST", "/rest/posts/{urn}", edit_post),
)


def routes(state: State) -> APIRouter:
    router = APIRouter()
    for method, path, handler in HANDLERS:
        router.add_api_route(path, _endpoint(handler, state), methods=[method], response_model=None)
    return router


def _endpoint(
    handler: Callable[[Request, State], Response | Awaitable[Response]], state: State
) -> Callable[[Request], Awaitable[Response]]:
    # always a coroutine: the state belongs to the event loop, and a plain function would run in a thread
    async def endpoint(request: Request) -> Response:
        answer = handler(request, state)
        return answer if isinstance(answer, Response) else await answer

    return endpoint
