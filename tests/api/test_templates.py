from typing import Any
from uuid import UUID

import httpx2
import pytest

from core.domain.errors import ErrorCode
from core.models import Assistant, User
from tests.api.conftest import done, refused, wrong_fields
from tests.factories import Factory


def form(**more: Any) -> dict[str, Any]:
    return {
        "type": "text",
        "name": "Tips",
        "description": "",
        "language": "en",
        "tags": ["bikes"],
        "body": "Write about ((Topic)) for ((Audience)).",
        **more,
    }


async def test_every_change_is_a_version(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/templates/", json=form()), 201)
    assert (made["version"], made["variables"], made["visibility"]) == (1, ["Topic", "Audience"], "private")
    path = f"/templates/{made['id']}/"
    changed = done(await api.put(path, json=form(body="((Topic))!", version=1)))
    assert (changed["version"], changed["body"], changed["variables"]) == (2, "((Topic))!", ["Topic"])
    assert changed["version_id"] != made["version_id"]
    assert done(await api.get(path)) == changed


async def test_the_second_of_two_tabs_is_told(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/templates/", json=form()), 201)
    path = f"/templates/{made['id']}/"
    done(await api.put(path, json=form(name="First tab", version=1)))
    late = refused(await api.put(path, json=form(name="Second tab", version=1)), 409, ErrorCode.stale_version)
    assert late["params"] == {"current": 2}
    assert done(await api.get(path))["name"] == "First tab"


async def test_syntax_errors_have_their_place(api: httpx2.AsyncClient) -> None:
    body = "\n\n  Hello ((Topic\nand (())"
    answer = await api.post("/templates/", json=form(body=body))
    errors = refused(answer, 422, ErrorCode.invalid_input)["errors"]
    found = [(one["field"], one["code"], one["params"]["line"], one["params"]["column"]) for one in errors]
    assert found == [("body", "template_syntax", 3, 9), ("body", "template_syntax", 4, 5)]
    checked = done(await api.post("/templates/preview/", json={"type": "text", "body": body}))
    assert checked["errors"] == errors


async def test_a_body_is_kept_as_it_was_written(api: httpx2.AsyncClient) -> None:
    body = "  ((Topic))\r\n\n“Ä” 🚲 \\((literal\t \n"
    made = done(await api.post("/templates/", json=form(body=body)), 201)
    assert made["body"] == body


@pytest.mark.parametrize(
    ("change", "field", "code"),
    [
        ({"name": "  "}, "name", ErrorCode.name_required),
        ({"name": "x" * 121}, "name", ErrorCode.invalid_input),
        ({"body": " \n"}, "body", ErrorCode.content_empty),
        ({"body": "x" * 20_001}, "body", ErrorCode.invalid_input),
        ({"body": "a\0b"}, "body", ErrorCode.invalid_input),
        ({"tags": ["a\0b"]}, "tags", ErrorCode.invalid_input),
        ({"tags": ["x"] * 21}, "tags", ErrorCode.invalid_input),
        ({"type": "sound"}, "type", ErrorCode.invalid_input),
        ({"language": "fr"}, "language", ErrorCode.invalid_input),
        ({"visibility": "public"}, "visibility", ErrorCode.invalid_input),
    ],
)
async def test_what_is_wrong_is_named(
    api: httpx2.AsyncClient, change: dict[str, Any], field: str, code: ErrorCode
) -> None:
    assert wrong_fields(await api.post("/templates/", json=form(**change))) == {field: code}
    assert done(await api.get("/templates/"))["total"] == 0


async def test_the_preview_says_what_an_assistant_would_miss(api: httpx2.AsyncClient) -> None:
    body = {"type": "image", "body": "((topic)) in ((Colour))"}
    checked = done(await api.post("/templates/preview/", json=body))
    assert checked["variables"] == ["topic", "Colour"]
    assert checked["reserved"] == ["topic"]
    assert [(one["field"], one["code"]) for one in checked["needs"]] == [("body", "image_template_needs_content")]


async def test_one_in_use_stays(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    assistant = await make.assistant(user)
    used = done(await api.get(f"/assistants/{assistant.id}/"))["template"]["template_id"]
    refused(await api.delete(f"/templates/{used}/"), 409, ErrorCode.in_use)
    other_kind = form(type="image", body="((Content))", version=1)
    refused(await api.put(f"/templates/{used}/", json=other_kind), 409, ErrorCode.in_use)
    done(await api.delete(f"/assistants/{assistant.id}/"), 204)
    done(await api.delete(f"/templates/{used}/"), 204)
    refused(await api.get(f"/templates/{used}/"), 404, ErrorCode.not_found)


async def test_each_says_how_many_assistants_use_it(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    for _ in range(2):
        await make.assistant(user)
    unused = done(await api.post("/templates/", json=form(name="Nobody's")), 201)
    listed = done(await api.get("/templates/"))["items"]
    assert sorted(one["used_by"] for one in listed) == [0, 1, 1, 1, 1]
    assert done(await api.get(f"/templates/{unused['id']}/"))["used_by"] == 0


async def test_an_edit_never_changes_a_pinned_assistant(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    assistant = await make.assistant(user)
    pinned = done(await api.get(f"/assistants/{assistant.id}/"))["template"]
    done(await api.put(f"/templates/{pinned['template_id']}/", json=form(version=1)))
    after = done(await api.get(f"/assistants/{assistant.id}/"))["template"]
    assert (after["version_id"], after["number"], after["latest_number"]) == (pinned["version_id"], 1, 2)


async def test_versions_are_kept_whole_and_can_come_back(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    assistant = await make.assistant(user)
    used = done(await api.get(f"/assistants/{assistant.id}/"))["template"]["template_id"]
    path = f"/templates/{used}/"
    first = done(await api.get(path))
    settings = {"text": {"model": "gpt-6-luna", "temperature": 0.4, "max_characters": 900, "tone": "dry"}}
    second = form(name="Second", tags=["New"], body="((Topic))!", settings=settings, version=1)
    done(await api.put(path, json=second))
    listed = done(await api.get(f"{path}versions/"))
    assert [(one["number"], one["name"], one["used_by"]) for one in listed["items"]] == [
        (2, "Second", 0),
        (1, first["name"], 1),
    ]
    assert listed["items"][0]["settings"]["text"] == settings["text"]
    back = done(await api.post(f"{path}versions/1/restore/", json={"version": 2}))
    kept = ("type", "name", "description", "language", "tags", "body", "settings", "variables")
    assert {name: back[name] for name in kept} == {name: first[name] for name in kept}
    assert (back["version"], back["used_by"]) == (3, 1)
    newest = done(await api.get(f"{path}versions/?page_size=1"))
    assert (newest["items"][0]["restored_from"], newest["total"]) == (1, 3)
    refused(await api.post(f"{path}versions/1/restore/", json={"version": 2}), 409, ErrorCode.stale_version)
    refused(await api.post(f"{path}versions/9/restore/", json={"version": 3}), 404, ErrorCode.not_found)


async def test_bringing_back_another_type_is_refused_while_it_is_in_use(
    api: httpx2.AsyncClient, user: User, make: Factory
) -> None:
    made = done(await api.post("/templates/", json=form(type="image", body="((Content))")), 201)
    path = f"/templates/{made['id']}/"
    text = done(await api.put(path, json=form(version=1)))
    assistant = await make.assistant(user)
    full = done(await api.get(f"/assistants/{assistant.id}/"))
    assert full["template"]["template_id"] != made["id"]
    async with make.sessions.begin() as session:
        row = await session.get_one(Assistant, assistant.id)
        row.template_version_id = UUID(text["version_id"])
    refused(await api.post(f"{path}versions/1/restore/", json={"version": 2}), 409, ErrorCode.in_use)


async def test_lists_can_be_narrowed_and_sorted(api: httpx2.AsyncClient) -> None:
    for name, language, tags in (("beta", "de", ["Rad"]), ("Alpha", "en", ["bikes", "tips"]), ("gamma", "en", [])):
        done(await api.post("/templates/", json=form(name=name, language=language, tags=tags)), 201)

    async def names(query: str) -> list[str]:
        return [one["name"] for one in done(await api.get(f"/templates/?{query}"))["items"]]

    assert await names("sort=name") == ["Alpha", "beta", "gamma"]
    assert await names("") == ["gamma", "Alpha", "beta"]
    assert await names("language=de") == ["beta"]
    assert await names("tag=tips") == ["Alpha"]
    assert await names("visibility=public") == []
    assert await names("search=ALPH") == ["Alpha"]


async def test_tags_are_clean(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/templates/", json=form(tags=["  Cargo   bikes ", "cargo bikes", " ", "Tips"])), 201)
    assert made["tags"] == ["Cargo bikes", "Tips"]


async def test_an_export_can_be_imported(api: httpx2.AsyncClient) -> None:
    card = {"layout": "quote", "size": "portrait", "ground": "#0e444b", "foot": "lindhof"}
    bodies = [
        form(name="One", body="  ((Topic))\n„ß“ 🚲"),
        form(name="Two", type="image", body="((Content))", settings={"image": {"engine": "card", "card": card}}),
    ]
    for body in bodies:
        done(await api.post("/templates/", json=body), 201)
    answer = await api.get("/templates/export/")
    assert answer.headers["content-disposition"] == 'attachment; filename="postloom-templates.json"'
    exported = done(answer)
    assert (exported["format"], [one["name"] for one in exported["templates"]]) == (
        "postloom-templates",
        ["One", "Two"],
    )
    imported = done(await api.post("/templates/import/", json=exported), 201)["templates"]
    assert [one["visibility"] for one in imported] == ["private", "private"]
    again = done(await api.get("/templates/export/"))["templates"]
    assert again == sorted(2 * exported["templates"], key=lambda one: one["name"])
    alone = done(await api.get(f"/templates/{imported[1]['id']}/export/"))
    assert alone["templates"] == [exported["templates"][1]]


async def test_an_import_is_whole_or_nothing(api: httpx2.AsyncClient) -> None:
    good, bad = form(name="Good"), form(name=" ", body="a\n((Topic")
    document = {"format": "postloom-templates", "version": 1, "templates": [good, bad]}
    answer = await api.post("/templates/import/", json=document)
    assert wrong_fields(answer) == {
        "templates.1.name": ErrorCode.name_required,
        "templates.1.body": ErrorCode.template_syntax,
    }
    assert done(await api.get("/templates/"))["total"] == 0
    other = {"format": "something", "version": 1, "templates": []}
    assert "format" in wrong_fields(await api.post("/templates/import/", json=other))


async def test_the_settings_are_held_to_their_limits(api: httpx2.AsyncClient) -> None:
    wrong = {"text": {"temperature": 3, "max_characters": 10}, "image": {"card": {"ground": "red"}}}
    fields = wrong_fields(await api.post("/templates/", json=form(settings=wrong)))
    assert set(fields) == {"settings.text.temperature", "settings.text.max_characters", "settings.image.card.ground"}
