import json
from dataclasses import replace
from typing import Any

import httpx2
import pytest
from sqlalchemy import select

from core.brands.repository import BrandRepository
from core.brands.rules import Address
from core.container import Services
from core.errors import ErrorCode
from core.media.tables import Media
from core.outgoing.destinations import Outside
from core.outgoing.pages import PageReader
from core.templates.tables import TemplateVersion
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.ai.test_writers import responded, said, writer
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing
from tests.factories import Factory
from tests.http_server import Answer, Server
from tests.pictures import png

BRAND = {
    "name": " Spoke  & Sons ",
    "about": "Repairs bikes.",
    "voice": "dry",
    "dos": ["Be brief", " be  brief ", ""],
    "address": "formal",
    "emoji": "none",
    "words_to_avoid": ["ultimate"],
    "facts": ["Since 1998."],
    "examples": [{"text": "A post", "network": "linkedin"}, {"text": " A post "}, {"text": "Another"}],
    "languages": ["de", "en", "de"],
    "ground": "#101010",
    "font": "zilla_slab",
    "utm": {"utm_source": "{network}", "utm_term": " "},
}


async def test_from_the_form_to_the_list(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/brands/", json=BRAND), 201)
    assert (made["name"], made["dos"], made["donts"]) == ("Spoke & Sons", ["Be brief"], [])
    assert made["examples"] == [{"text": "A post", "network": "linkedin"}, {"text": "Another", "network": ""}]
    assert (made["languages"], made["utm"]) == (["de", "en"], {"utm_source": "{network}"})
    assert (made["ground"], made["ink"], made["font"], made["logo_url"]) == ("#101010", None, "zilla_slab", None)
    assert (made["address"], made["emoji"], made["hashtags"]) == ("formal", "none", "network")
    assert (made["assistants"], made["version"]) == (0, 1)
    other = done(await api.post("/brands/", json={"name": "a brand"}), 201)
    listed = done(await api.get("/brands/"))
    assert ([one["id"] for one in listed["items"]], listed["total"]) == ([other["id"], made["id"]], 2)
    assert done(await api.get("/brands/?search=DRY"))["items"] == [made]
    assert done(await api.get(f"/brands/{made['id']}/")) == made


async def test_the_second_of_two_tabs_is_told(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/brands/", json=BRAND), 201)
    path = f"/brands/{made['id']}/"
    changed = done(await api.put(path, json={"name": "New", "version": 1}))
    assert (changed["name"], changed["version"], changed["facts"]) == ("New", 2, [])
    late = refused(await api.put(path, json={"name": "Late", "version": 1}), 409, ErrorCode.stale_version)
    assert late["params"] == {"current": 2}


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"name": " "}, "name", ErrorCode.name_required),
        ({"name": "x" * 121}, "name", ErrorCode.invalid_input),
        ({"voice": "x" * 2001}, "voice", ErrorCode.content_too_long),
        ({"facts": ["short", "", "Short", "x" * 301]}, "facts.3", ErrorCode.content_too_long),
        ({"dos": [f"rule {number}" for number in range(31)]}, "dos", ErrorCode.invalid_input),
        ({"examples": [{"text": "x" * 3001}]}, "examples.0.text", ErrorCode.content_too_long),
        ({"examples": [{"text": f"{number}"} for number in range(21)]}, "examples", ErrorCode.invalid_input),
        ({"utm": {"2nd": "x"}}, "utm.2nd", ErrorCode.utm_name_malformed),
        ({"utm": {"utm source": "x"}}, "utm.utm source", ErrorCode.utm_name_malformed),
        ({"utm": {"utm_source": "x" * 101}}, "utm.utm_source", ErrorCode.content_too_long),
        ({"ground": "red"}, "ground", ErrorCode.invalid_input),
        ({"languages": ["fr"]}, "languages.0", ErrorCode.invalid_input),
    ],
)
async def test_what_is_wrong_is_named(
    api: httpx2.AsyncClient, change: dict[str, Any], field: str, code: ErrorCode
) -> None:
    assert wrong_fields(await api.post("/brands/", json={"name": "Brand", **change})) == {field: code}
    assert done(await api.get("/brands/"))["total"] == 0


async def test_another_users_brand_does_not_exist(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    stranger = await make.user()
    made = done(await api.post("/brands/", json=BRAND), 201)
    assistant = await make.assistant(stranger)
    async with browsing(services, away, stranger) as theirs:
        for method, body in (("GET", None), ("PUT", {"name": "Mine", "version": 1}), ("DELETE", None)):
            answer = await theirs.request(method, f"/brands/{made['id']}/", json=body)
            refused(answer, 404, ErrorCode.not_found)
        text = {"settings": {"text": {"brand_id": made["id"]}}}
        template = {"type": "text", "name": "Mine", "language": "en", "body": "((Topic))", **text}
        named = {"settings.text.brand_id": ErrorCode.not_found}
        assert wrong_fields(await theirs.post("/templates/", json=template)) == named
        card = {"headline": "Hello", "settings": {"brand_id": made["id"]}}
        assert wrong_fields(await theirs.post("/cards/preview/", json=card)) == {
            "settings.brand_id": ErrorCode.not_found
        }
        read = done(await theirs.get(f"/assistants/{assistant.id}/"))
        form = _form(read, made["id"])
        chosen = await theirs.put(f"/assistants/{assistant.id}/", json=form)
        assert wrong_fields(chosen) == {"brand_id": ErrorCode.not_found}
        refused(await theirs.get(f"/brands/{made['id']}/uses/"), 404, ErrorCode.not_found)
        file = {"format": "postloom-templates", "version": 1, "templates": [template]}
        [imported] = done(await theirs.post("/templates/import/", json=file), 201)["templates"]
        assert "brand_id" not in imported["settings"]["text"]
    async with services.sessions() as session:
        assert await BrandRepository(session).voice(stranger.id, made["id"]) is None


def _form(read: dict[str, Any], brand_id: str | None, **more: Any) -> dict[str, Any]:
    """An assistant's form as the web app sends it."""
    same = ("name", "language", "schedule", "topic_tree_id", "image_source", "version", "mode", "lead_minutes")
    versions = {f"{kind}_version_id": read[kind]["version_id"] for kind in ("template", "image_template") if read[kind]}
    return {name: read[name] for name in same} | versions | {"brand_id": brand_id} | more


async def test_an_assistant_and_templates_choose_one_until_it_is_deleted(
    api: httpx2.AsyncClient, services: Services, user: User, make: Factory
) -> None:
    made = done(await api.post("/brands/", json=BRAND), 201)
    assistant = await make.assistant(user)
    path = f"/assistants/{assistant.id}/"
    before = done(await api.get(path))
    assert (before["brand_id"], before["text_per"], before["second_look"]) == (None, "network", "revision")
    form = _form(before, made["id"], text_per="post", second_look="off")
    changed = done(await api.put(path, json=form))["assistant"]
    assert (changed["brand_id"], changed["text_per"], changed["second_look"]) == (made["id"], "post", "off")
    assert done(await api.get(f"/brands/{made['id']}/"))["assistants"] == 1
    settings = {"text": {"brand_id": made["id"]}, "image": {"card": {"brand_id": made["id"], "foot": "Ours"}}}
    template = {"type": "text", "name": "Tips", "language": "en", "body": "((Topic))", "settings": settings}
    saved = done(await api.post("/templates/", json=template), 201)
    assert saved["settings"]["text"]["brand_id"] == made["id"]
    assert saved["settings"]["image"]["card"]["brand_id"] == made["id"]
    preset = {"name": "House", "settings": {"brand_id": made["id"], "foot": "Ours"}}
    done(await api.post("/cards/presets/", json=preset), 201)
    card = {"headline": "Hello", "settings": {"brand_id": made["id"], "foot": "Ours"}}
    drawn = done(await api.post("/cards/", json=card), 201)
    uses = done(await api.get(f"/brands/{made['id']}/uses/"))
    named = [("assistant", before["name"]), ("template", "Tips"), ("card_preset", "House")]
    assert [(use["kind"], use["name"]) for use in uses] == named

    done(await api.delete(f"/brands/{made['id']}/"), 204)
    assert done(await api.get(path))["brand_id"] is None
    [after] = done(await api.get("/templates/?search=Tips"))["items"]
    assert "brand_id" not in after["settings"]["text"]
    assert "brand_id" not in after["settings"]["image"]["card"]
    assert after["settings"]["image"]["card"]["foot"] == "Ours"
    assert after["updated_at"] == saved["updated_at"]
    [look] = done(await api.get("/cards/presets/"))
    assert ("brand_id" in look["settings"], look["settings"]["foot"]) == (False, "Ours")
    again = done(await api.get(f"/media/{drawn['id']}/"))
    assert ("brand_id" in again["card"]["settings"], again["card"]["settings"]["foot"]) == (False, "Ours")
    assert again["updated_at"] == drawn["updated_at"]
    assert (await api.post("/cards/preview/", json=again["card"])).status_code == 200


async def test_a_put_of_an_older_client_keeps_what_it_does_not_know(
    api: httpx2.AsyncClient, user: User, make: Factory
) -> None:
    made = done(await api.post("/brands/", json=BRAND), 201)
    path = f"/assistants/{(await make.assistant(user)).id}/"
    form = _form(done(await api.get(path)), made["id"], text_per="post", second_look="off")
    done(await api.put(path, json=form))
    older = {name: value for name, value in form.items() if name not in ("brand_id", "text_per", "second_look")}
    kept = done(await api.put(path, json=older | {"version": form["version"] + 1}))["assistant"]
    assert (kept["brand_id"], kept["text_per"], kept["second_look"]) == (made["id"], "post", "off")
    without = done(await api.put(path, json=form | {"brand_id": None, "version": kept["version"]}))["assistant"]
    assert without["brand_id"] is None


async def test_a_brand_of_older_versions_alone_is_in_use(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    made = done(await api.post("/brands/", json=BRAND), 201)
    path = f"/brands/{made['id']}/uses/"
    assert done(await api.get(path)) == []
    settings = {"text": {"brand_id": made["id"]}}
    form = {"type": "text", "name": "Tips", "language": "en", "body": "((Topic))", "settings": settings}
    template = done(await api.post("/templates/", json=form), 201)
    assistant = await make.assistant(user)
    read = done(await api.get(f"/assistants/{assistant.id}/"))
    pinned = _form(read, None, template_version_id=template["version_id"])
    done(await api.put(f"/assistants/{assistant.id}/", json=pinned))
    newer = {**form, "settings": {}, "version": template["version"]}
    done(await api.put(f"/templates/{template['id']}/", json=newer))
    named = [("assistant", read["name"]), ("template", "Tips")]
    assert [(use["kind"], use["name"]) for use in done(await api.get(path))] == named


async def test_a_template_without_a_brand_is_stored_as_an_older_release_stores_it(
    api: httpx2.AsyncClient, services: Services
) -> None:
    """Its web apps, which may still run, refuse unknown fields."""
    form = {"type": "text", "name": "Tips", "language": "en", "body": "((Topic))"}
    made = done(await api.post("/templates/", json=form), 201)
    async with services.sessions() as session:
        version = (await session.scalars(select(TemplateVersion).where(TemplateVersion.id == made["version_id"]))).one()
    assert "brand_id" not in json.dumps(version.settings)


async def test_the_marketplace_shows_no_brand(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    brand = done(await api.post("/brands/", json=BRAND), 201)
    settings = {"text": {"brand_id": brand["id"]}, "image": {"card": {"brand_id": brand["id"]}}}
    form = {"type": "text", "name": "Tips", "language": "en", "body": "((Topic))", "settings": settings}
    made = done(await api.post("/templates/", json=form), 201)
    done(await api.post(f"/templates/{made['id']}/publish/", json={"version": 1}))
    stranger = await make.user()
    async with browsing(services, away, stranger) as theirs:
        assert brand["id"] not in (await theirs.get(f"/marketplace/{made['id']}/")).text
        copied = done(await theirs.post(f"/marketplace/{made['id']}/copy/"), 201)
    assert brand["id"] not in json.dumps(copied)
    assert done(await api.get(f"/templates/{made['id']}/"))["settings"]["text"]["brand_id"] == brand["id"]


async def test_a_brand_keeps_its_logo(api: httpx2.AsyncClient, services: Services, user: User) -> None:
    uploaded = done(await api.post("/media/", files={"file": ("logo.png", png(), "image/png")}), 201)
    brand = done(await api.post("/brands/", json={"name": "Ours", "logo_id": uploaded["id"]}), 201)
    assert brand["logo_url"]
    uses = done(await api.get(f"/media/{uploaded['id']}/"))["uses"]
    assert [(use["kind"], use["name"], use["blocks"]) for use in uses] == [("brand", "Ours", False)]
    async with services.sessions.begin() as session:
        await session.delete(await session.get_one(Media, uploaded["id"]))
    assert done(await api.get(f"/brands/{brand['id']}/"))["logo_id"] is None


async def test_a_card_has_the_look_of_its_brand(api: httpx2.AsyncClient) -> None:
    brand = done(
        await api.post("/brands/", json={"name": "Ours", "ground": "#000000", "ink": "#ffffff", "font": "zilla_slab"}),
        201,
    )
    words = {"headline": "Hello", "text": "there"}
    own = {"layout": "statement", "ground": "#ffffff", "accent": "#0000ff"}
    plain = done(await api.post("/cards/preview/", json={**words, "settings": own}))
    branded = done(await api.post("/cards/preview/", json={**words, "settings": {**own, "brand_id": brand["id"]}}))
    same = {"layout": "statement", "ground": "#000000", "ink": "#ffffff", "font": "zilla_slab"}
    assert branded["image"] != plain["image"]
    assert branded["image"] == done(await api.post("/cards/preview/", json={**words, "settings": same}))["image"]


async def test_a_brand_with_an_accent_alone_leaves_ground_and_ink(api: httpx2.AsyncClient) -> None:
    brand = done(await api.post("/brands/", json={"name": "Ours", "accent": "#ff0000"}), 201)
    words = {"headline": "Hello", "text": "there"}
    own = {"layout": "statement", "ground": "#ffffff", "ink": "#101010", "accent": "#0000ff"}
    branded = done(await api.post("/cards/preview/", json={**words, "settings": {**own, "brand_id": brand["id"]}}))
    same = done(await api.post("/cards/preview/", json={**words, "settings": {**own, "accent": "#ff0000"}}))
    assert branded["image"] == same["image"]


async def test_a_draft_over_the_api(api: httpx2.AsyncClient, services: Services, server: Server) -> None:
    body = {"address": f"{server.url}/shop", "language": "de"}
    # as tests run: without a model
    refused(await api.post("/brands/draft/", json=body), 409, ErrorCode.brand_needs_model)
    pages = PageReader(Outside((server.url,)))
    drafts = replace(services.brand_drafts, writer=writer(server.url), pages=pages)
    vars(services)["brand_drafts"] = drafts
    assert wrong_fields(await api.post("/brands/draft/", json=body)) == {"address": ErrorCode.web_page_unusable}
    page = b'<meta name="theme-color" content="#123456"><p>We repair bikes.</p>'
    server.answers("/shop", Answer(200, page, {"content-type": "text/html"}))
    server.answers("/v1/responses", responded(said(json.dumps({"name": "Spoke", "address": "informal"}))))
    draft = done(await api.post("/brands/draft/", json={**body, "posts": ["A post"]}))
    assert (draft["name"], draft["address"], draft["accent"]) == ("Spoke", Address.informal, "#123456")
    assert (draft["emoji"], draft["hashtags"]) == (None, None)
    assert draft["examples"] == [{"text": "A post", "network": ""}]
    [call] = done(await api.get("/transactions/"))["items"]
    assert (call["cause"], call["input_tokens"]) == ("brand", 36)
    assert done(await api.get("/transactions/?cause=brand"))["total"] == 1
    assert done(await api.get("/transactions/?cause=run"))["total"] == 0
    assert done(await api.get("/brands/"))["total"] == 0
