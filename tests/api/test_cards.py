"""The card designer."""

import base64
from typing import Any

import httpx2
import pytest

from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.media.rules.cards import CardFont, CardLayout
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing
from tests.factories import Factory
from tests.pictures import opened, png

LOOK: dict[str, Any] = {
    "layout": "steps",
    "size": "landscape",
    "font": "source_serif",
    "ground": "#123456",
    "ink": "#ffffff",
    "accent": "#ffcc00",
    "logo_id": None,
    "foot": "Postloom",
}
CARD: dict[str, Any] = {"headline": "Three steps", "text": "1. Look\n2. Clean\n3. Oil", "settings": LOOK}


async def test_the_designer_knows_what_there_is(api: httpx2.AsyncClient) -> None:
    options = done(await api.get("/cards/options/"))
    assert (options["layouts"], options["fonts"]) == ([*CardLayout], [*CardFont])
    assert all(found["ground"].startswith("#") for found in options["palettes"])


async def test_a_card_is_shown_saved_and_taken_up_again(api: httpx2.AsyncClient) -> None:
    preview = done(await api.post("/cards/preview/", json=CARD))
    data = base64.b64decode(preview["image"])
    assert opened(data).size == (preview["width"], preview["height"])
    assert (preview["width"] > preview["height"], preview["layout"], preview["notes"]) == (True, "steps", [])
    assert done(await api.get("/media/"))["total"] == 0
    saved = done(await api.post("/cards/", json={**CARD, "alt": "Three steps", "tags": ["Care", "care"]}), 201)
    assert (saved["source"], saved["name"], saved["alt"], saved["tags"]) == (
        "card",
        "Three steps",
        "Three steps",
        ["Care"],
    )
    assert saved["card"] == CARD
    shown = await api.get(f"http://postloom.test{saved['url']}")
    assert shown.content == data
    again = done(await api.post("/cards/preview/", json=saved["card"]))
    assert again == preview


async def test_what_a_card_had_to_leave_out_is_kept_with_it(api: httpx2.AsyncClient) -> None:
    saved = done(await api.post("/cards/", json={**CARD, "headline": "Three steps 你好"}), 201)
    assert saved["card_notes"] == ["characters_dropped"]
    # the same picture from words that lose nothing: the words are new, and so is what is said of them
    whole = done(await api.post("/cards/", json={**CARD, "headline": "Three steps"}), 201)
    assert (whole["id"], whole["card_notes"]) == (saved["id"], [])
    assert done(await api.get(f"/media/{saved['id']}/"))["card_notes"] == []
    # smaller letters are no loss, words that are cut off are
    long = done(await api.post("/cards/", json={**CARD, "text": "\n".join(f"{at}. Step" for at in range(1, 40))}), 201)
    assert long["card_notes"] == ["text_cut"]
    small = {**CARD, "settings": LOOK | {"layout": "statement"}, "text": "A long sentence about mudguards. " * 10}
    preview = done(await api.post("/cards/preview/", json=small))
    assert preview["notes"] == ["text_shrunk"]
    assert done(await api.post("/cards/", json=small), 201)["card_notes"] == []


async def test_wrong_cards_are_told_at_their_field(api: httpx2.AsyncClient) -> None:
    for path in ("/cards/preview/", "/cards/"):
        assert wrong_fields(await api.post(path, json={**CARD, "headline": "  "})) == {
            "headline": ErrorCode.content_empty
        }
        assert wrong_fields(await api.post(path, json={**CARD, "headline": "自転車"})) == {
            "headline": ErrorCode.card_letters_missing
        }
        for name, value in (("ground", "red"), ("logo_id", str(new_id())), ("layout", "poem"), ("foot", "x" * 81)):
            found = wrong_fields(await api.post(path, json={**CARD, "settings": {**LOOK, name: value}}))
            assert list(found) == [f"settings.{name}"]
    refused(await api.post("/cards/preview/", json={"text": "x"}), 422, ErrorCode.invalid_input)


async def test_a_logo_is_uploaded_and_shown_with_the_look(api: httpx2.AsyncClient) -> None:
    logo = done(await api.post("/media/", files={"file": ("logo.png", png())}), 201)
    look = {**LOOK, "logo_id": logo["id"]}
    preset = done(await api.post("/cards/presets/", json={"name": "Brand", "settings": look}), 201)
    assert preset["settings"] == look
    assert preset["logo_url"].startswith(f"/api/media/{logo['id']}/file/")
    with_logo = done(await api.post("/cards/preview/", json={**CARD, "settings": look}))
    assert with_logo["image"] != done(await api.post("/cards/preview/", json=CARD))["image"]
    uses = done(await api.get(f"/media/{logo['id']}/"))["uses"]
    assert uses == [{"kind": "card_preset", "id": preset["id"], "name": "Brand", "blocks": False}]


async def test_the_name_of_a_look_is_one_line(api: httpx2.AsyncClient) -> None:
    form = {"name": "\ufeffLate\r\n\u202e summer\u2028", "settings": {}}
    assert done(await api.post("/cards/presets/", json=form), 201)["name"] == "Late summer"


async def test_looks_are_kept_changed_and_removed(api: httpx2.AsyncClient) -> None:
    first = done(await api.post("/cards/presets/", json={"name": "Brand", "settings": LOOK}), 201)
    second = done(await api.post("/cards/presets/", json={"name": "Autumn", "settings": {}}), 201)
    assert [row["name"] for row in done(await api.get("/cards/presets/"))] == ["Autumn", "Brand"]
    taken = {"name": "Brand", "settings": {}}
    refused(await api.post("/cards/presets/", json=taken), 409, ErrorCode.name_taken)
    refused(await api.put(f"/cards/presets/{second['id']}/", json=taken), 409, ErrorCode.name_taken)
    changed = done(await api.put(f"/cards/presets/{first['id']}/", json={"name": "Brand", "settings": {"foot": "New"}}))
    assert (changed["settings"]["foot"], changed["settings"]["layout"]) == ("New", None)
    done(await api.delete(f"/cards/presets/{first['id']}/"), 204)
    refused(await api.delete(f"/cards/presets/{first['id']}/"), 404, ErrorCode.not_found)
    assert [row["id"] for row in done(await api.get("/cards/presets/"))] == [second["id"]]


@pytest.mark.parametrize("method", ["PUT", "DELETE"])
async def test_another_users_look_is_not_there(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory, user: User, method: str
) -> None:
    async with browsing(services, away, await make.user()) as other:
        theirs = done(await other.post("/cards/presets/", json={"name": "Brand", "settings": LOOK}), 201)
        logo = done(await other.post("/media/", files={"file": ("logo.png", png())}), 201)
    async with browsing(services, away, user) as mine:
        body = {"name": "Mine", "settings": LOOK} if method == "PUT" else None
        refused(await mine.request(method, f"/cards/presets/{theirs['id']}/", json=body), 404, ErrorCode.not_found)
        stolen = {**LOOK, "logo_id": logo["id"]}
        answer = await mine.post("/cards/preview/", json={**CARD, "settings": stolen})
        assert wrong_fields(answer) == {"settings.logo_id": ErrorCode.not_found}
