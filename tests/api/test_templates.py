import json
from typing import Any
from uuid import UUID

import httpx2
import pytest

from core.assistants.tables import Assistant
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.templates.rules.templates import MOST_IN_FILE
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing
from tests.factories import Factory
from tests.pictures import png
from tests.statements import record_statements


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
        ({"tags": ["short", "x" * 41]}, "tags.1", ErrorCode.content_too_long),
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
    assert (checked["longest"], checked["limit"]) == (200 + len(" in ") + 10_000, 100_000)
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
    text = {"model": "gpt-6-luna", "temperature": 0.4, "max_characters": 900, "tone": "dry", "effort": "high"}
    settings = {"text": text}
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
    assert "effort" not in back["settings"]["text"]  # which an older release beside this one would not know
    assert (back["version"], back["used_by"]) == (3, 1)
    newest = done(await api.get(f"{path}versions/?page_size=1"))
    assert (newest["items"][0]["restored_from"], newest["total"]) == (1, 3)
    refused(await api.post(f"{path}versions/1/restore/", json={"version": 2}), 409, ErrorCode.stale_version)
    refused(await api.post(f"{path}versions/9/restore/", json={"version": 3}), 404, ErrorCode.not_found)
    for number in (0, 2**31, 99_999_999_999_999):
        answer = await api.post(f"{path}versions/{number}/restore/", json={"version": 3})
        assert wrong_fields(answer) == {"number": ErrorCode.invalid_input}


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


async def test_a_search_looks_into_text_and_tags(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/templates/", json=form(name="One", body="Speak of ((Topic)) at 100 %", tags=[])), 201)
    done(await api.post("/templates/", json=form(name="Two", body="((Topic))", tags=["Cargo bikes", "speakers"])), 201)
    done(await api.post("/templates/", json=form(name="Three", description="Speaks", tags=[])), 201)

    async def names(words: str) -> set[str]:
        found = done(await api.get("/templates/", params={"search": words}))
        assert found["total"] == len(found["items"])
        return {one["name"] for one in found["items"]}

    assert await names("SPEAK") == {"One", "Two", "Three"}
    assert await names("cargo b") == {"Two"}
    assert await names("100 %") == {"One"}
    # the marks between the values of a list are no text
    assert await names('", "') == set()
    # a text that was replaced is found among the versions, not here
    done(await api.put(f"/templates/{made['id']}/", json=form(name="One", body="((Topic))", tags=[], version=1)))
    assert await names("100 %") == set()


async def test_tags_are_clean(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/templates/", json=form(tags=["  Cargo   bikes ", "cargo bikes", " ", "Tips"])), 201)
    assert made["tags"] == ["Cargo bikes", "Tips"]


async def test_ones_tags_are_listed_with_their_templates(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    assert done(await api.get("/templates/tags/")) == []
    for name, tags in (("a", ["Rad", "Tips"]), ("b", ["rad"]), ("c", ["Rad", "autumn"])):
        done(await api.post("/templates/", json=form(name=name, tags=tags)), 201)
    async with browsing(services, away, await make.user()) as other:
        done(await other.post("/templates/", json=form(tags=["Tips", "theirs"])), 201)
    assert done(await api.get("/templates/tags/")) == [
        {"tag": "Rad", "count": 3},
        {"tag": "autumn", "count": 1},
        {"tag": "Tips", "count": 1},
    ]
    # what is counted is what the filter finds
    for tag in ("Rad", "rad"):
        assert done(await api.get(f"/templates/?tag={tag}"))["total"] == 3


def with_logo(logo_id: str, **more: Any) -> dict[str, Any]:
    card = {"engine": "card", "card": {"logo_id": logo_id, "foot": "lindhof"}}
    return form(type="image", body="((Content))", settings={"image": card}, **more)


async def a_logo(api: httpx2.AsyncClient) -> str:
    made: str = done(await api.post("/media/", files={"file": ("logo.png", png())}), 201)["id"]
    return made


def logo_of(template: dict[str, Any]) -> Any:
    return template["settings"]["image"]["card"]["logo_id"]


async def test_a_logo_is_one_of_ones_own_pictures(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    mine = await a_logo(api)
    made = done(await api.post("/templates/", json=with_logo(mine)), 201)
    assert logo_of(made) == mine
    async with browsing(services, away, await make.user()) as other:
        theirs = await a_logo(other)
    for foreign in (theirs, str(new_id())):
        for answer in (
            await api.post("/templates/", json=with_logo(foreign)),
            await api.put(f"/templates/{made['id']}/", json={**with_logo(foreign), "version": 1}),
        ):
            assert wrong_fields(answer, ErrorCode.invalid_input) == {"settings.image.card.logo_id": ErrorCode.not_found}
    assert wrong_fields(await api.post("/templates/", json=with_logo(theirs, name=" "))) == {
        "name": ErrorCode.name_required,
        "settings.image.card.logo_id": ErrorCode.not_found,
    }
    unchanged = done(await api.get(f"/templates/{made['id']}/"))
    assert (unchanged["version"], logo_of(unchanged)) == (1, mine)
    assert done(await api.get("/templates/"))["total"] == 1


async def test_a_logo_that_is_deleted_stays_on_the_cards(api: httpx2.AsyncClient, services: Services) -> None:
    logo = await a_logo(api)
    made = done(await api.post("/templates/", json=with_logo(logo)), 201)
    use = {"kind": "template", "id": made["id"], "name": "Tips", "blocks": False}
    assert done(await api.get(f"/media/{logo}/"))["uses"] == [use]
    card = {"headline": "Be seen", "settings": made["settings"]["image"]["card"]}
    drawn = done(await api.post("/cards/preview/", json=card))["image"]
    done(await api.delete(f"/media/{logo}/"), 204)
    assert done(await api.post("/cards/preview/", json=card))["image"] == drawn
    saved = done(await api.put(f"/templates/{made['id']}/", json={**with_logo(logo, name="Still"), "version": 1}))
    assert logo_of(saved) == logo
    # an older version shows it, and an assistant may be pinned to that
    done(await api.put(f"/templates/{made['id']}/", json={**form(name="Without"), "version": 2}))
    done(await api.post(f"/media/{logo}/restore/"))
    assert done(await api.get(f"/media/{logo}/"))["uses"] == [{**use, "name": "Without"}]


async def test_an_import_takes_no_logo_of_somebody_else(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    logo = await a_logo(api)
    done(await api.post("/templates/", json=with_logo(logo)), 201)
    exported = done(await api.get("/templates/export/"))
    [own] = done(await api.post("/templates/import/", json=exported), 201)["templates"]
    assert logo_of(own) == logo
    async with browsing(services, away, await make.user()) as other:
        [theirs] = done(await other.post("/templates/import/", json=exported), 201)["templates"]
    assert (logo_of(theirs), theirs["settings"]["image"]["card"]["foot"]) == (None, "lindhof")


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


async def test_an_imported_name_is_one_line(api: httpx2.AsyncClient) -> None:
    [made] = done(await api.post("/templates/import/", json=document(form(name="A\r\ntip\u2029\u202e"))), 201)[
        "templates"
    ]
    assert made["name"] == "A tip"


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


def document(*templates: dict[str, Any]) -> dict[str, Any]:
    return {"format": "postloom-templates", "version": 1, "templates": list(templates)}


async def exported(api: httpx2.AsyncClient) -> list[httpx2.Response]:
    """File by file, as the web app saves them."""
    files = [await api.get("/templates/export/")]
    while "next" in files[-1].links:
        assert len(files) < 10
        files.append(await api.get(str(files[-1].links["next"]["url"]).removeprefix("/api")))
    return files


async def imported(api: httpx2.AsyncClient, count: int) -> None:
    """Named `Tip 0001` and so on."""
    for first in range(1, count + 1, MOST_IN_FILE):
        numbers = range(first, min(first + MOST_IN_FILE, count + 1))
        made = await api.post("/templates/import/", json=document(*(form(name=f"Tip {n:04}") for n in numbers)))
        assert len(done(made, 201)["templates"]) == len(numbers)


async def test_any_number_is_exported_into_files_that_can_be_imported(
    api: httpx2.AsyncClient, services: Services, away: Gateway, make: Factory
) -> None:
    await imported(api, MOST_IN_FILE + 1)
    files = [done(answer)["templates"] for answer in await exported(api)]
    assert [len(templates) for templates in files] == [MOST_IN_FILE, 1]
    names = [template["name"] for templates in files for template in templates]
    assert names == [f"Tip {n:04}" for n in range(1, MOST_IN_FILE + 2)]
    async with browsing(services, away, await make.user()) as other:
        for templates in files:
            done(await other.post("/templates/import/", json=document(*templates)), 201)
        again = [one["name"] for answer in await exported(other) for one in done(answer)["templates"]]
    assert again == names


async def test_a_full_file_has_no_next_one(api: httpx2.AsyncClient) -> None:
    await imported(api, MOST_IN_FILE)
    [only] = await exported(api)
    assert len(done(only)["templates"]) == MOST_IN_FILE


async def test_a_file_is_never_too_large_to_be_imported(api: httpx2.AsyncClient) -> None:
    """The longest texts, of the letters that take the most room, sent in the form that takes the most."""
    long = [form(name=f"{number:02}", body="🚲" * 20_000, description="🚲" * 2_000) for number in range(70)]
    for templates in (long[:35], long[35:]):
        done(await api.post("/templates/import/", json=document(*templates)), 201)
    files = await exported(api)
    assert [one["name"] for file in files for one in file.json()["templates"]] == [one["name"] for one in long]
    assert len(files) == 2
    for file in files:
        escaped = json.dumps(file.json(), ensure_ascii=True, indent=2).encode()
        done(await api.post("/templates/import/", content=escaped, headers={"Content-Type": "application/json"}), 201)


async def test_too_many_at_once_are_refused_by_name(api: httpx2.AsyncClient) -> None:
    answer = await api.post("/templates/import/", json=document(*[form()] * (MOST_IN_FILE + 1)))
    [error] = refused(answer, 422, ErrorCode.invalid_input)["errors"]
    assert error == {"field": "templates", "code": "template_too_many", "params": {"limit": MOST_IN_FILE}}
    assert done(await api.get("/templates/"))["total"] == 0


async def test_a_larger_import_takes_no_more_statements(api: httpx2.AsyncClient) -> None:
    counts: list[int] = []
    for size in (2, 200):
        with record_statements() as statements:
            done(await api.post("/templates/import/", json=document(*[form()] * size)), 201)
        counts.append(len(statements))
    assert counts[0] == counts[1] < 20


async def test_the_settings_are_held_to_their_limits(api: httpx2.AsyncClient) -> None:
    wrong = {"text": {"temperature": 3, "max_characters": 10, "effort": "huge"}, "image": {"card": {"ground": "red"}}}
    fields = wrong_fields(await api.post("/templates/", json=form(settings=wrong)))
    assert set(fields) == {
        "settings.text.temperature",
        "settings.text.max_characters",
        "settings.text.effort",
        "settings.image.card.ground",
    }
