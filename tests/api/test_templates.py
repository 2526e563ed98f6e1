from typing import Any

import httpx2
import pytest

from core.domain.errors import ErrorCode
from core.models import User
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


async def test_an_edit_never_changes_a_pinned_assistant(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    assistant = await make.assistant(user)
    pinned = done(await api.get(f"/assistants/{assistant.id}/"))["template"]
    done(await api.put(f"/templates/{pinned['template_id']}/", json=form(version=1)))
    after = done(await api.get(f"/assistants/{assistant.id}/"))["template"]
    assert (after["version_id"], after["number"], after["latest_number"]) == (pinned["version_id"], 1, 2)
