"""Carousels in the card designer."""

import base64
import io
from typing import Any

import httpx2
from pypdf import PdfReader

from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing
from tests.factories import Factory
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


async def test_each_page_opens_the_saved_carousel(api: httpx2.AsyncClient) -> None:
    saved = done(await api.post(f"{AT}/", json=FORM | {"tags": ["Winter"]}), 201)
    places = [row["carousel"] for row in saved]
    assert [(place["number"], place["count"]) for place in places] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert len({place["sequence_id"] for place in places}) == 1
    # a deleted page is not lost to the others
    assert (await api.delete(f"/media/{saved[2]['id']}/")).status_code == 204
    own = {"version": saved[1]["version"], "alt": "A lamp, a little lower"}
    done(await api.patch(f"/media/{saved[1]['id']}/", json=own))
    opened_again = done(await api.get(f"{AT}/{saved[3]['id']}/"))
    assert [page["headline"] for page in opened_again["pages"]] == [page["headline"] for page in PAGES]
    assert [page["alt"] for page in opened_again["pages"]] == ["", own["alt"], "Fast immer gefahren", ""]
    assert (opened_again["settings"]["foot"], opened_again["tags"]) == ("Lindhof", ["Winter"])
    # the same pages again are the same images
    again = done(await api.post(f"{AT}/", json=opened_again), 201)
    assert [row["id"] for row in again] == [row["id"] for row in saved]
    assert again[1]["alt"] == own["alt"]


async def test_an_edited_carousel_is_saved_beside_the_first(api: httpx2.AsyncClient) -> None:
    first = done(await api.post(f"{AT}/", json=FORM), 201)
    changed = [*PAGES[:2], {"kind": "quote", "headline": "Fast immer", "text": "Mara"}, PAGES[3]]
    second = done(await api.post(f"{AT}/", json=FORM | {"pages": changed}), 201)
    assert [row["id"] == other["id"] for row, other in zip(first, second, strict=True)] == [True, True, False, True]
    of_first = done(await api.get(f"{AT}/{first[2]['id']}/"))
    of_second = done(await api.get(f"{AT}/{second[2]['id']}/"))
    assert (of_first["pages"][2]["kind"], of_second["pages"][2]["kind"]) == ("number", "quote")
    # a page that both have opens the one that was saved last
    assert done(await api.get(f"{AT}/{first[0]['id']}/"))["pages"] == of_second["pages"]


async def test_an_opened_carousel_keeps_the_colours_of_its_run(api: httpx2.AsyncClient) -> None:
    shown = done(await api.post(f"{AT}/preview/", json=FORM))
    seeds = [f"run {number}" for number in range(6)]
    drawn = [done(await api.post(f"{AT}/preview/", json=FORM | {"seed": seed, "only": 0})) for seed in seeds]
    other = next(index for index, pages in enumerate(drawn) if pages[0]["image"] != shown[0]["image"])
    saved = done(await api.post(f"{AT}/", json=FORM | {"seed": seeds[other]}), 201)
    opened_again = done(await api.get(f"{AT}/{saved[0]['id']}/"))
    assert opened_again["seed"] == seeds[other]
    form = {name: value for name, value in opened_again.items() if name != "tags"}
    assert done(await api.post(f"{AT}/preview/", json=form))[0]["image"] == drawn[other][0]["image"]


async def test_only_pages_of_ones_own_carousels_open(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    card = done(await api.post("/cards/", json={"headline": "A single card"}), 201)
    assert card["carousel"] is None
    page = done(await api.post(f"{AT}/", json=FORM), 201)[0]
    for media_id in (card["id"], new_id()):
        refused(await api.get(f"{AT}/{media_id}/"), 404, ErrorCode.not_found)
    async with browsing(services, away, await make.user()) as stranger:
        refused(await stranger.get(f"{AT}/{page['id']}/"), 404, ErrorCode.not_found)
