"""Carousels in the card designer."""

import base64
import io
from typing import Any

import httpx2
from pypdf import PdfReader

from core.errors import ErrorCode
from core.ids import new_id
from tests.api.conftest import done, refused, wrong_fields
from tests.pictures import opened

PAGES: list[dict[str, Any]] = [
    {"kind": "cover", "headline": "Rad im Winter"},
    {"kind": "point", "headline": "Licht tiefer stellen", "text": "Es blendet weniger."},
    {"kind": "number", "headline": "104 von 117 Regentagen", "alt": "Fast immer gefahren"},
    {"kind": "call_to_action", "headline": "Komm vorbei", "text": "Am Samstag"},
]
FORM: dict[str, Any] = {"pages": PAGES, "settings": {"size": "portrait", "foot": "Lindhof"}}
AT = "/cards/sequences"


async def test_pages_are_shown_and_saved_in_order_with_their_alternative_texts(api: httpx2.AsyncClient) -> None:
    shown = done(await api.post(f"{AT}/preview/", json=FORM))
    assert [page["alt"] for page in shown] == [
        "Rad im Winter.",
        "Licht tiefer stellen. Es blendet weniger.",
        "Fast immer gefahren",
        "Komm vorbei. Am Samstag.",
    ]
    assert {opened(base64.b64decode(page["image"])).size for page in shown} == {(1080, 1350)}
    assert done(await api.post(f"{AT}/preview/", json=FORM | {"only": 2})) == [shown[2]]
    assert done(await api.get("/media/"))["total"] == 0
    saved = done(await api.post(f"{AT}/", json=FORM | {"tags": ["Winter"]}), 201)
    assert [row["alt"] for row in saved] == [page["alt"] for page in shown]
    assert [row["name"] for row in saved] == [page["headline"] for page in PAGES]
    assert {(row["source"], *row["tags"]) for row in saved} == {("card", "Winter")}
    assert saved[1]["card"]["headline"] == "Licht tiefer stellen"
    again = done(await api.post(f"{AT}/", json=FORM | {"tags": ["Winter"]}), 201)
    assert [row["id"] for row in again] == [row["id"] for row in saved]


async def test_a_document_has_the_pages_as_text(api: httpx2.AsyncClient) -> None:
    response = await api.post(f"{AT}/document/", json=FORM | {"title": "Rad im Winter", "language": "de"})
    assert (response.status_code, response.headers["content-type"]) == (200, "application/pdf")
    reader = PdfReader(io.BytesIO(response.content))
    texts = [" ".join(page.extract_text().split()) for page in reader.pages]
    assert all(page["headline"] in text for page, text in zip(PAGES, texts, strict=True))
    assert reader.metadata is not None
    assert (reader.metadata.title, reader.metadata.author) == ("Rad im Winter", "Lindhof")


async def test_a_post_becomes_pages(api: httpx2.AsyncClient) -> None:
    text = "Licht tiefer stellen. Es blendet weniger.\n\n104 von 117 Regentagen gefahren.\n\nKomm vorbei!"
    pages = done(await api.post(f"{AT}/pages/", json={"text": text, "title": "Winter"}))
    assert [page["kind"] for page in pages] == ["cover", "point", "number", "call_to_action"]
    assert len(done(await api.post(f"{AT}/preview/", json={"pages": pages}))) == 4
    assert done(await api.post(f"{AT}/pages/", json={"text": "Kurz."})) == []


async def test_what_is_wrong_is_told_at_its_field(api: httpx2.AsyncClient) -> None:
    for path in ("preview/", "", "document/"):
        more = {"title": "T", "language": "de"} if path == "document/" else {}
        few = await api.post(f"{AT}/{path}", json=FORM | {"pages": PAGES[:2]} | more)
        assert wrong_fields(few) == {"pages": ErrorCode.invalid_input}
    empty = [*PAGES[:2], {"kind": "point", "headline": " "}]
    assert wrong_fields(await api.post(f"{AT}/preview/", json=FORM | {"pages": empty})) == {
        "pages.2.headline": ErrorCode.content_empty
    }
    # while one writes, other pages may be incomplete
    assert len(done(await api.post(f"{AT}/preview/", json=FORM | {"pages": empty, "only": 1}))) == 1
    assert wrong_fields(await api.post(f"{AT}/preview/", json=FORM | {"pages": empty, "only": 5})) == {
        "only": ErrorCode.invalid_input
    }
    foreign = [*PAGES[:2], {"kind": "point", "headline": "こんにちは"}]
    assert wrong_fields(await api.post(f"{AT}/preview/", json=FORM | {"pages": foreign})) == {
        "pages.2.headline": ErrorCode.card_letters_missing
    }
    logo = FORM["settings"] | {"logo_id": str(new_id())}
    assert wrong_fields(await api.post(f"{AT}/preview/", json=FORM | {"settings": logo})) == {
        "settings.logo_id": ErrorCode.not_found
    }
    refused(await api.post(f"{AT}/preview/", json={"pages": "cover"}), 422, ErrorCode.invalid_input)
