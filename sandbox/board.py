"""The board: published posts as cards and as JSON, and the endpoints with which tests control the sandbox."""

import json
from dataclasses import asdict

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response

from sandbox import (
    bluesky,
    ghost,
    graph_posts,
    graph_tokens,
    linkedin_documents,
    linkedin_posts,
    linkedin_tokens,
    mastodon,
    threads,
    threads_login,
    webhook,
    wordpress,
)
from sandbox.board_network import Network
from sandbox.faults import Faults
from sandbox.http import origin
from sandbox.pages import cards_page
from sandbox.people import INSTAGRAM, ORGANISATIONS, PAGES, PEOPLE, PERSONAS
from sandbox.pictures import avatar
from sandbox.state import Image, State
from sandbox.stripe.standin import StandIn
from sandbox.texts import Text
from sandbox.videos import Video

BOARD_POSTS = 100
NETWORKS: tuple[Network, ...] = (
    linkedin_posts.NETWORK,
    graph_posts.NETWORK,
    threads.NETWORK,
    mastodon.NETWORK,
    bluesky.NETWORK,
    wordpress.NETWORK,
    ghost.NETWORK,
    webhook.NETWORK,
)
_COLOURS = {
    **{person.sub: (person.name, person.colour) for person in PEOPLE.values()},
    **{one.vanity_name: (one.name, one.colour) for one in ORGANISATIONS.values()},
    **{one.slug: (one.name, one.colour) for one in PAGES.values()},
    **{one.slug: (one.name, one.colour) for one in INSTAGRAM.values()},
}
"""Name and colour by the name of a picture."""


def routes(state: State, faults: Faults, stripe: StandIn) -> APIRouter:
    router = APIRouter()

    @router.get("/")
    async def board(request: Request) -> Response:
        text = Text.of(request)
        if (number := request.query_params.get("p")) is not None:
            return wordpress.numbered_page(state, text, number)
        dated = [found for network in NETWORKS for found in network.cards(state, text)]
        newest = sorted(dated, key=lambda one: one[0], reverse=True)[:BOARD_POSTS]
        return cards_page(text, text("board"), (card for _, card in newest), f"<p>{text('board_intro')}</p>")

    @router.get("/sandbox/posts")
    async def posts(request: Request, author: str | None = None, since: float = 0, all: bool = False) -> Response:  # noqa: A002
        """All posts, newest first; `since`: least arrival time in Unix seconds, `all`: deleted posts too."""
        base = origin(request)
        found = [
            post
            for network in NETWORKS
            for post in network.as_json(state, base)
            if (all or not post["deleted"]) and author in (None, post["author"]) and post["arrived_at"] >= since
        ]
        return JSONResponse(sorted(found, key=lambda one: str(one["created_at"]), reverse=True))

    @router.get("/sandbox/drafts")
    async def drafts(slug: str) -> Response:
        """The ids of the sites' unpublished articles with that slug."""
        return JSONResponse([made for network in NETWORKS for made, name in network.drafts(state) if name == slug])

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
        stores = (linkedin_tokens, graph_tokens, threads_login)
        return JSONResponse({"revoked": sum(store.revoke_person(state, sub) for store in stores)})

    @router.get("/sandbox/pictures/{name}.svg")
    async def picture(name: str) -> Response:
        if name in _COLOURS:
            return Response(avatar(*_COLOURS[name]), media_type="image/svg+xml")
        if name in PERSONAS:
            return Response(avatar(PERSONAS[name].name, "#5a6b70"), media_type="image/svg+xml")
        return Response(status_code=404)

    @router.get("/sandbox/images/{image_id}")
    async def image(image_id: str) -> Response:
        found = state.table(Image).get(image_id)
        if found is None or found.media_type is None:
            return Response(status_code=404)
        return FileResponse(state.path(found), media_type=found.media_type)

    @router.get("/sandbox/documents/{document_id}")
    async def document(document_id: str) -> Response:
        return linkedin_documents.read_file(state, document_id)

    @router.get("/sandbox/documents/{document_id}/{page}")
    async def page_of_document(document_id: str, page: int) -> Response:
        return await linkedin_documents.read_page(state, document_id, page)

    @router.get("/sandbox/videos/{video_id}")
    async def video(video_id: str) -> Response:
        found = state.table(Video).get(video_id)
        if found is None or found.uploaded_at is None:
            return Response(status_code=404)
        return FileResponse(state.path(found), media_type="video/mp4")

    @router.get("/sandbox/health")
    async def health() -> Response:
        return JSONResponse({"status": "ok"})

    return router
