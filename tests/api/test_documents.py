"""Documents where images are asked for, and in posts."""

from typing import Any

import httpx2
import pytest

from core.errors import ErrorCode
from core.ids import new_id
from tests.api.conftest import done, refused, wrong_fields
from tests.api.test_assistants import form
from tests.api.test_media import uploaded
from tests.api.test_post_files import previewed
from tests.api.test_templates import with_logo
from tests.api.test_websites import an_article, site  # noqa: F401  (a fixture)
from tests.documents import a_pdf
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


async def test_a_document_is_neither_a_cover_nor_an_image_of_a_csv_file(
    api: httpx2.AsyncClient, document: dict[str, Any]
) -> None:
    photo = await uploaded(api, jpeg())
    files = [{"media_id": photo["id"], "cover_id": document["id"]}]
    refused(await api.post(POSTS, json=a_post(files=files)), 404, ErrorCode.not_found)
    found = await previewed(api, f"content,image_ids\nx,{document['id']}\n")
    assert [error["code"] for error in found["lines"][0]["errors"]] == [ErrorCode.image_unknown]


async def test_a_post_has_a_document_with_its_title(api: httpx2.AsyncClient, document: dict[str, Any]) -> None:
    files = [{"media_id": document["id"], "title": "Eight questions"}]
    made = done(await api.post(POSTS, json=a_post(files=files)), 201)
    (file,) = made["files"]
    assert (file["kind"], file["mime"], file["title"]) == ("document", "application/pdf", "Eight questions")
    held = done(await api.get(f"/media/{document['id']}/"))["uses"]
    assert [(use["kind"], use["id"]) for use in held] == [("post", made["id"])]
