"""Documents where images are asked for, and in posts."""

import io
from typing import Any

import httpx2
import pytest
from pypdf import PdfReader
from sqlalchemy import select, update

from api.schemas.cards import CardIn
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.media.card_renderer.sequences import SequenceOrder, draw_pages
from core.media.rules.cards import CardSettings
from core.media.rules.sequences import CardPage, PageKind
from core.media.sequences import store_pages
from core.media.tables import Media
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_assistants import form
from tests.api.test_media import shown, uploaded
from tests.api.test_templates import with_logo
from tests.api.test_websites import an_article, site  # noqa: F401  (a fixture)
from tests.conftest import browsing
from tests.documents import a_pdf
from tests.factories import Factory
from tests.pictures import jpeg

POSTS = "/social-media-posts/"


def a_post(**more: Any) -> dict[str, Any]:
    return {"id": str(new_id()), "content": "Rain", "time_zone": "UTC", "language": "en"} | more


@pytest.fixture
async def document(api: httpx2.AsyncClient) -> dict[str, Any]:
    return await uploaded(api, a_pdf(3), "Eight questions.pdf")


async def test_a_document_is_no_logo(api: httpx2.AsyncClient, document: dict[str, Any]) -> None:
    look = {"logo_id": document["id"]}
    refused(await api.post("/brands/", json={"name": "Ours", "logo_id": document["id"]}), 404, ErrorCode.not_found)
    for answer in (
        await api.post("/cards/presets/", json={"name": "Ours", "settings": look}),
        await api.post("/cards/preview/", json={"headline": "Rain", "settings": look}),
    ):
        assert wrong_fields(answer) == {"settings.logo_id": ErrorCode.not_found}
    assert wrong_fields(await api.post("/templates/", json=with_logo(document["id"]))) == {
        "settings.image.card.logo_id": ErrorCode.not_found
    }


async def test_a_document_is_no_image_of_an_assistant(api: httpx2.AsyncClient, document: dict[str, Any]) -> None:
    body = form(image_source="own", image_media_ids=[document["id"]])
    problem = refused(await api.post("/assistants/", json=body), 404, ErrorCode.not_found)
    assert [(error["field"], error["code"]) for error in problem["errors"]] == [("image_media_ids.0", "not_found")]


async def test_a_document_is_no_image_of_an_article(
    api: httpx2.AsyncClient,
    document: dict[str, Any],
    site: dict[str, Any],  # noqa: F811
) -> None:
    featured = {"media_id": document["id"], "alt": ""}
    refused(await api.post("/articles/", json=an_article(site, featured=featured)), 404, ErrorCode.not_found)
    photo = await uploaded(api, jpeg())
    inside = "".join(f"![An image](media:{file['id']})\n\n" for file in (document, photo))
    article = an_article(site, content=inside)
    done(await api.post("/articles/", json=article), 201)
    uses = [done(await api.get(f"/media/{file['id']}/"))["uses"] for file in (document, photo)]
    assert [[use["id"] for use in of_file] for of_file in uses] == [[], [article["id"]]]


async def test_a_document_is_no_cover(api: httpx2.AsyncClient, document: dict[str, Any]) -> None:
    photo = await uploaded(api, jpeg())
    files = [{"media_id": photo["id"], "cover_id": document["id"]}]
    refused(await api.post(POSTS, json=a_post(files=files)), 404, ErrorCode.not_found)


async def test_a_post_has_a_document_with_its_title(api: httpx2.AsyncClient, document: dict[str, Any]) -> None:
    files = [{"media_id": document["id"], "title": "Eight questions"}]
    made = done(await api.post(POSTS, json=a_post(files=files)), 201)
    (file,) = made["files"]
    assert (file["kind"], file["mime"], file["title"]) == ("document", "application/pdf", "Eight questions")
    held = done(await api.get(f"/media/{document['id']}/"))["uses"]
    assert [(use["kind"], use["id"]) for use in held] == [("post", made["id"])]


async def test_a_document_without_a_title_gets_its_name_when_the_post_is_saved(
    api: httpx2.AsyncClient, document: dict[str, Any]
) -> None:
    made = done(await api.post(POSTS, json=a_post(files=[{"media_id": document["id"]}])), 201)
    changed = {"version": document["version"], "name": "Something else.pdf"}
    done(await api.patch(f"/media/{document['id']}/", json=changed))
    [file] = done(await api.get(f"{POSTS}{made['id']}/"))["files"]
    assert file["title"] == "Eight questions"


# of a carousel


async def pages(api: httpx2.AsyncClient, **settings: Any) -> list[dict[str, Any]]:
    told = [
        {"kind": "cover", "headline": "Eight questions about rain and how to stay dry on the way to work every day"},
        {"kind": "point", "headline": "Mudguards", "text": "They help."},
        {"kind": "number", "headline": "73 %", "text": "of days are dry"},
        {"kind": "call_to_action", "headline": "Follow us"},
    ]
    made: list[dict[str, Any]] = done(
        await api.post("/cards/sequences/", json={"pages": told, "settings": settings, "tags": []}), 201
    )
    return made


def ids(files: list[dict[str, Any]]) -> list[str]:
    return [file["id"] for file in files]


async def texts(api: httpx2.AsyncClient, document: dict[str, Any]) -> list[str]:
    """The beginning of each page."""
    reader = PdfReader(io.BytesIO((await shown(api, document["url"])).content))
    return [page.extract_text().split()[0] for page in reader.pages]


async def test_pages_become_a_document_with_their_text(api: httpx2.AsyncClient) -> None:
    found = await pages(api)
    body = {"media_ids": ids(found), "language": "en"}
    made = done(await api.post("/media/documents/", json=body), 201)
    assert (made["kind"], made["pages"], made["of_pages"], made["source"]) == ("document", 4, True, "card")
    assert (made["width"], made["height"]) == (810, 810)
    assert (made["name"], made["card"]) == ("Eight questions about rain and how to stay dry on the way…", None)
    assert len(made["name"]) <= 58
    assert await texts(api, made) == ["Eight", "Mudguards", "73", "Follow"]
    reader = PdfReader(io.BytesIO((await shown(api, made["url"])).content))
    assert reader.metadata is not None
    assert reader.metadata.title == made["name"]
    assert done(await api.post("/media/documents/", json=body), 201)["id"] == made["id"]
    named = done(await api.post("/media/documents/", json={**body, "title": "Rain"}), 201)
    assert (named["name"], named["id"] == made["id"]) == ("Rain", False)


async def test_only_pages_of_one_size_become_a_document(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    found, tall, photo = await pages(api), await pages(api, size="portrait"), await uploaded(api, jpeg())
    for chosen in (ids([found[0], photo]), ids([found[0], tall[1]])):
        answer = await api.post("/media/documents/", json={"media_ids": chosen})
        assert wrong_fields(answer) == {"media_ids": ErrorCode.invalid_input}
    assert wrong_fields(await api.post("/media/documents/", json={"media_ids": ids(found[:1])})) == {
        "media_ids": ErrorCode.invalid_input
    }
    async with browsing(services, away, await make.user()) as other:
        refused(await other.post("/media/documents/", json={"media_ids": ids(found)}), 404, ErrorCode.not_found)


@pytest.mark.parametrize("typed", ["", "Rain"], ids=["of the first page", "typed"])
async def test_the_title_of_a_carousel_follows_its_first_page_unless_somebody_typed_it(
    api: httpx2.AsyncClient, typed: str
) -> None:
    found = await pages(api)
    document = done(await api.post("/media/documents/", json={"media_ids": ids(found), "language": "en"}), 201)
    body = a_post(files=[*({"media_id": page} for page in ids(found)), {"media_id": document["id"], "title": typed}])
    made = done(await api.post(POSTS, json=body), 201)
    assert made["files"][4]["title"] == (typed or document["name"])
    files = [{"media_id": file["media_id"], "title": file["title"]} for file in made["files"]]
    told = {name: value for name, value in body.items() if name != "id"}
    told |= {"version": made["version"], "files": [files[1], files[0], *files[2:]]}
    post = done(await api.put(f"{POSTS}{made['id']}/", json=told))["post"]
    assert post["files"][4]["title"] == (typed or "Mudguards")


async def test_a_document_is_made_anew_when_the_pages_of_its_post_change(api: httpx2.AsyncClient) -> None:
    found = await pages(api)
    order = {"media_ids": ids(found), "language": "en"}
    document = done(await api.post("/media/documents/", json=order), 201)
    body = a_post(files=[{"media_id": file["id"]} for file in (*found, document)])
    made = done(await api.post(POSTS, json=body), 201)
    assert ids_of(made) == [*ids(found), document["id"]]

    async def edited(chosen: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
        now = done(await api.get(f"{POSTS}{made['id']}/"))
        files = [{"media_id": file["id"], "title": file.get("title", "")} for file in chosen]
        told = {name: value for name, value in body.items() if name != "id"}
        told |= {"version": now["version"], "files": files} | changes
        post: dict[str, Any] = done(await api.put(f"{POSTS}{made['id']}/", json=told))["post"]
        return post

    assert ids_of(await edited([*found, document], content="Wet")) == [*ids(found), document["id"]]
    moved = [found[0], found[2], found[1], found[3]]
    post = await edited([*moved, document])
    assert ids_of(post)[:4] == ids(moved)
    again = done(await api.get(f"/media/{ids_of(post)[4]}/"))
    assert again["id"] != document["id"]
    assert await texts(api, again) == ["Eight", "73", "Mudguards", "Follow"]
    assert [file["of_pages"] for file in post["files"]] == [False] * 4 + [True]
    # wherever it stands among the files, and whoever made it before
    post = await edited([document, *found[:2]])
    fewer = done(await api.get(f"/media/{ids_of(post)[0]}/"))
    assert (await texts(api, fewer), ids_of(post)[1:]) == (["Eight", "Mudguards"], ids(found[:2]))
    back = await edited([*found, again])
    assert ids_of(back) == [*ids(found), document["id"]], "the same pages are the same document"
    # it would not show the photo
    photo = await uploaded(api, jpeg())
    assert ids_of(await edited([*found, photo, document])) == [*ids(found), photo["id"]]
    assert ids_of(await edited([photo, document])) == [photo["id"]]
    # a document that somebody uploaded is left alone
    own = await uploaded(api, a_pdf(3))
    assert ids_of(await edited([*found, own])) == [*ids(found), own["id"]]


async def test_a_document_stays_while_its_pages_are_removed(api: httpx2.AsyncClient) -> None:
    """Networks that show documents get it alone, or other pages follow."""
    found, others = await pages(api), await pages(api, size="portrait")
    document = done(await api.post("/media/documents/", json={"media_ids": ids(found)}), 201)
    made = done(await api.post(POSTS, json=a_post(files=[{"media_id": document["id"]}])), 201)
    assert ids_of(made) == [document["id"]]

    async def edited(chosen: list[dict[str, Any]]) -> list[str]:
        version = done(await api.get(f"{POSTS}{made['id']}/"))["version"]
        files = [{"media_id": file["id"]} for file in chosen]
        told = {name: value for name, value in a_post(files=files, version=version).items() if name != "id"}
        return ids_of(done(await api.put(f"{POSTS}{made['id']}/", json=told))["post"])

    assert await edited([*found, document]) == [*ids(found), document["id"]]
    assert await edited([document]) == [document["id"]]
    assert await edited([found[0], document]) == [found[0]["id"], document["id"]]
    assert await edited([others[0], document]) == [others[0]["id"], document["id"]]
    first, second, anew = await edited([*others[:2], document])
    assert [first, second] == ids(others[:2])
    assert await texts(api, done(await api.get(f"/media/{anew}/"))) == ["Eight", "Mudguards"]


def ids_of(post: dict[str, Any]) -> list[str]:
    return [file["media_id"] for file in post["files"]]


async def test_the_release_before_shows_pages_and_documents(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    """It reads the design of each file as a card, and refuses what it does not know."""
    found = await pages(api)
    done(await api.post("/media/documents/", json={"media_ids": ids(found)}), 201)
    async with services.sessions() as session:
        rows = (await session.scalars(select(Media).where(Media.user_id == user.id))).all()
    assert len(rows) == 5
    headlines = [CardIn.model_validate(row.design).headline for row in rows if row.design is not None]
    assert sorted(headlines)[:2] == [
        "73 %",
        "Eight questions about rain and how to stay dry on the way to work every day",
    ]
    assert len(headlines) == 4


async def test_a_design_that_the_designer_refuses_is_shown_without_it(
    api: httpx2.AsyncClient, services: Services
) -> None:
    found = await pages(api)
    async with services.sessions.begin() as session:
        await session.execute(update(Media).values(design={"headline": "Rain", "of": "another release"}))
    assert {file["card"] for file in done(await api.get("/media/"))["items"]} == {None}
    assert done(await api.get(f"/media/{found[0]['id']}/"))["carousel"]["number"] == 1


async def test_long_texts_of_an_assistant_are_cut_so_that_its_pages_can_be_edited(
    api: httpx2.AsyncClient, services: Services, user: User
) -> None:
    point = CardPage(PageKind.point, "Rain " * 60, "Mudguards help. " * 100, "Wet " * 400)
    order = SequenceOrder((CardPage(PageKind.cover, "Rain"), point, point), CardSettings(), foot="Lindhof " * 15)
    stored = await store_pages(services.media, user.id, order, draw_pages(order), by_assistant=True)
    assert len(stored) == 3
    shown = [file for file in done(await api.get("/media/"))["items"] if file["carousel"]["number"] > 1]
    assert all(len(file["card"]["settings"]["foot"]) <= 80 for file in shown)
    form = done(await api.get(f"/cards/sequences/{stored[0].id}/"))
    done(await api.post("/cards/sequences/preview/", json={name: form[name] for name in ("pages", "settings", "seed")}))
