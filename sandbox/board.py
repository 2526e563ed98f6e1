"""The board: published posts as cards and as JSON, and the endpoints with which tests control the sandbox."""

import json
from dataclasses import asdict
from typing import Any

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from sandbox import bluesky, feed, ghost, mastodon, webhook, wordpress
from sandbox.faults import Faults
from sandbox.graph import INSTAGRAM, PAGES, PERSONAS
from sandbox.linkedin import origin
from sandbox.networks import Network
from sandbox.pages import Text, iso, language, link_card, linked, moment, page
from sandbox.pictures import avatar
from sandbox.state import ORGANISATIONS, PEOPLE, Organisation, Post, State, author_of
from sandbox.stripe.standin import StandIn

BOARD_POSTS = 100
OPEN: tuple[Network, ...] = (mastodon.NETWORK, bluesky.NETWORK, wordpress.NETWORK, ghost.NETWORK, webhook.NETWORK)
"""The networks that keep their own tables."""


def routes(state: State, faults: Faults, stripe: StandIn) -> APIRouter:
    router = APIRouter()

    @router.get("/")
    async def board(request: Request) -> Response:
        text = Text(language(request))
        if (number := request.query_params.get("p")) is not None:
            return wordpress.by_number(state, text, number)
        dated = [(post.created_at / 1000, _card(text, post)) for post in state.live_posts()[:BOARD_POSTS]]
        of_pages = state.live_page_posts()[:BOARD_POSTS]
        dated += [(post.published_at or post.created_at, feed.card(text, post)) for post in of_pages]
        dated += [shown for network in OPEN for shown in network.shown(state, text)]
        newest = sorted(dated, key=lambda one: one[0], reverse=True)
        cards = "".join(shown for _, shown in newest[:BOARD_POSTS])
        listed = cards or f'<p class="card">{text("no_posts")}</p>'
        body = f"<h1>{text('board')}</h1><p>{text('board_intro')}</p>{listed}"
        return HTMLResponse(page(text, text("board"), body, live=True))

    @router.get("/in/me/recent-activity/all/")
    async def own_posts() -> Response:
        """Redirect to all posts: there is no sign-in here."""
        return RedirectResponse("/", 302)

    @router.get("/company/{organisation_id}/posts/")
    async def posts_of_page(request: Request, organisation_id: int) -> Response:
        text = Text(language(request))
        found = ORGANISATIONS.get(organisation_id)
        if found is None:
            return HTMLResponse(missing_page(text), 404)
        cards = "".join(_card(text, post) for post in state.live_posts() if post.author == found.urn)
        listed = cards or f'<p class="card">{text("no_posts")}</p>'
        name = text.escape(found.name)
        return HTMLResponse(page(text, name, f"<h1>{name}</h1>{listed}", live=True))

    @router.get("/feed/update/{urn}/")
    async def permalink(request: Request, urn: str) -> Response:
        text = Text(language(request))
        post = state.posts.get(urn)
        if post is None or post.deleted:
            return HTMLResponse(missing_page(text), 404)
        name = text.escape(_author(post)["name"])
        title = f"{text('post_by')} {name}"
        return HTMLResponse(page(text, title, f"<h1>{title}</h1>{_card(text, post)}"))

    @router.get("/sandbox/posts")
    async def posts(request: Request, author: str | None = None, since: float = 0, all: bool = False) -> Response:  # noqa: A002
        """All posts, newest first; `since`: least arrival time in Unix seconds, `all`: deleted posts too."""
        base = origin(request)
        found = [
            _as_json(post, base)
            for post in reversed(state.posts.values())
            if (all or not post.deleted) and author in (None, post.author) and post.arrived_at >= since
        ]
        found += [
            feed.as_json(post, base)
            for post in reversed(state.page_posts.values())
            if post.published_at is not None
            and (all or not post.deleted)
            and author in (None, post.page)
            and post.arrived_at >= since
        ]
        found += [
            post
            for network in OPEN
            for post in network.as_json(state, base)
            if (all or not post["deleted"]) and author in (None, post["author"]) and post["arrived_at"] >= since
        ]
        return JSONResponse(sorted(found, key=lambda one: str(one["created_at"]), reverse=True))

    @router.get("/sandbox/drafts")
    async def drafts(slug: str) -> Response:
        """The ids of the sites' unpublished articles with that slug."""
        return JSONResponse([made for network in OPEN for made, name in network.unseen(state) if name == slug])

    @router.get("/sandbox/requests")
    async def requests(path: str = "", method: str | None = None) -> Response:
        """The last 10,000 calls of the networks' APIs, oldest first; `path` is a prefix."""
        return JSONResponse(
            [entry for entry in state.requests if entry["path"].startswith(path) and method in (None, entry["method"])]
        )

    @router.delete("/sandbox/state")
    async def reset(all: bool = False) -> Response:  # noqa: A002
        faults.clear()
        state.reset(everything=all)
        stripe.reset(everything=all)
        return Response(status_code=204)

    @router.get("/sandbox/settings")
    async def settings() -> Response:
        return JSONResponse(asdict(state.settings))

    @router.post("/sandbox/settings")
    async def change_settings(request: Request) -> Response:
        try:
            state.change_settings(json.loads(await request.body()))
        except (TypeError, ValueError) as error:
            return JSONResponse({"error": str(error)}, 422)
        return JSONResponse(asdict(state.settings))

    @router.get("/sandbox/people")
    async def people() -> Response:
        return JSONResponse([{"urn": person.urn, **asdict(person)} for person in PEOPLE.values()])

    @router.delete("/sandbox/people/{sub}/tokens")
    async def revoke(sub: str) -> Response:
        """Revoke all tokens of a person, as removing the app in the account's settings does."""
        return JSONResponse({"revoked": state.revoke_person(sub)})

    @router.get("/sandbox/pictures/{name}.svg")
    async def picture(name: str) -> Response:
        shown = next((one for one in ORGANISATIONS.values() if one.vanity_name == name), None)
        of_page = next((one for one in PAGES.values() if one.slug == name), None)
        of_account = next((one for one in INSTAGRAM.values() if one.slug == name), None)
        found = PEOPLE.get(name) or shown or of_page or of_account
        if found is not None:
            return Response(avatar(found.name, found.colour), media_type="image/svg+xml")
        if (persona := PERSONAS.get(name)) is not None:
            return Response(avatar(persona.name, "#5a6b70"), media_type="image/svg+xml")
        return Response(status_code=404)

    @router.get("/sandbox/images/{image_id}")
    async def image(image_id: str) -> Response:
        found = state.images.get(image_id)
        if found is None or found.media_type is None:
            return Response(status_code=404)
        return FileResponse(state.image_file(image_id), media_type=found.media_type)

    @router.get("/sandbox/health")
    async def health() -> Response:
        return JSONResponse({"status": "ok"})

    return router


def missing_page(text: Text) -> str:
    return page(text, text("missing"), f"<h1>{text('missing')}</h1><p>{text('missing_text')}</p>")


def _author(post: Post) -> dict[str, str]:
    found = author_of(post.author)
    if found is None:  # written by an older sandbox with other people
        return {"name": post.author, "picture": "", "shape": ""}
    if isinstance(found, Organisation):
        return {
            "name": found.name,
            "picture": f"/sandbox/pictures/{found.vanity_name}.svg",
            "shape": " square",
        }
    return {"name": found.name, "picture": f"/sandbox/pictures/{found.sub}.svg", "shape": ""}


def _picture_path(urn: str) -> str:
    return f"/sandbox/images/{urn.removeprefix('urn:li:image:')}"


def _as_json(post: Post, base: str) -> dict[str, Any]:
    return {
        "id": post.id,
        "author": post.author,
        "author_name": _author(post)["name"],
        "text": post.text,
        "commentary": post.commentary,
        "visibility": post.visibility,
        "images": [
            {"id": urn, "alt_text": alt_text, "url": base + _picture_path(urn)} for urn, alt_text in post.images
        ],
        "article": post.article,
        "created_at": iso(post.created_at / 1000),
        "arrived_at": post.arrived_at,
        "permalink": f"{base}/feed/update/{post.id}/",
        "deleted": post.deleted,
    }


def _card(text: Text, post: Post) -> str:
    author = _author(post)
    picture = f'<img src="{text.escape(author["picture"])}" alt="">' if author["picture"] else ""
    edited = f" · {text('edited')}" if post.edited_at else ""
    images = "".join(
        f'<img src="{_picture_path(urn)}" alt="{text.escape(alt_text)}" loading="lazy">'
        for urn, alt_text in post.images
    )
    shown = f'<div class="images">{images}</div>' if images else ""
    thumbnail = (post.article or {}).get("thumbnail", "")
    link = link_card(post.article, _picture_path(thumbnail) if thumbnail else "")
    return f"""<article class="card"><div class="author{author["shape"]}">{picture}
<div><strong>{text.escape(author["name"])}</strong>
<span><a href="/feed/update/{post.id}/">{moment(post.created_at / 1000)}</a>{edited}</span></div></div>
<p class="text">{linked(post.text, tags=True)}</p>{shown}{link}</article>"""
