import httpx2

from core.domain.errors import ErrorCode
from core.models import User
from tests.api.conftest import done, refused, wrong_fields
from tests.factories import Factory

SEVENTH_IS_BAD = "- Cargo bikes\n-- Weather\n--- Rain\n--- Snow\n-- Money\n--- Service\nno hyphen here\n-- End"


async def test_a_bad_line_saves_nothing(api: httpx2.AsyncClient) -> None:
    answer = await api.post("/topics/", json={"name": "Bikes", "text": SEVENTH_IS_BAD})
    assert wrong_fields(answer) == {"lines.7": ErrorCode.topic_no_hyphen}
    assert done(await api.get("/topics/"))["total"] == 0


async def test_lines_are_counted_as_they_were_typed(api: httpx2.AsyncClient) -> None:
    """Blank lines at the beginning count too: the editor shows that number."""
    text = "\n \n- Root\n--- Too deep\n--\n"
    expected = {"lines.4": ErrorCode.topic_depth_jump, "lines.5": ErrorCode.topic_empty_title}
    assert wrong_fields(await api.post("/topics/", json={"name": "T", "text": text})) == expected
    preview = done(await api.post("/topics/preview/", json={"name": "T", "text": text}))
    assert {one["field"]: one["code"] for one in preview["errors"]} == expected
    assert preview["topics"] == []


async def test_the_preview_is_what_an_import_makes(api: httpx2.AsyncClient) -> None:
    form = {"name": "Bikes", "text": "- Weather\n-- Rain – “without” drama 🌧\n- -5 °C"}
    preview = done(await api.post("/topics/preview/", json=form))
    assert done(await api.get("/topics/"))["total"] == 0
    made = done(await api.post("/topics/", json=form), 201)
    assert made["topic_count"] == preview["total"] == 4
    assert [(one["title"], one["depth"]) for one in made["topics"]] == [
        (one["title"], one["depth"]) for one in preview["topics"]
    ]
    at = {one["id"]: place for place, one in enumerate(made["topics"])}
    parents = [None if one["parent_id"] is None else at[one["parent_id"]] for one in made["topics"]]
    assert parents == [one["parent"] for one in preview["topics"]] == [None, 0, 1, 0]


async def test_a_name_is_needed(api: httpx2.AsyncClient) -> None:
    assert wrong_fields(await api.post("/topics/", json={"name": " ", "text": "- a"})) == {
        "name": ErrorCode.name_required
    }
    assert wrong_fields(await api.post("/topics/", json={"name": "x", "text": ""})) == {
        "lines": ErrorCode.topic_tree_empty
    }


async def test_ten_thousand_topics_are_imported_and_read(api: httpx2.AsyncClient) -> None:
    text = "- Root\n" + "\n".join(f"{'-' * (2 + at % 20)} Topic {at}" for at in range(9_999))
    made = done(await api.post("/topics/", json={"name": "Many", "text": text}), 201)
    assert made["topic_count"] == 10_000
    answer = await api.post("/topics/", json={"name": "Too many", "text": text + "\n-- One more"})
    assert wrong_fields(answer) == {"lines.10001": ErrorCode.topic_too_many_lines}
    done(await api.delete(f"/topics/{made['id']}/"), 204)


async def test_renaming_knows_stale_tabs(api: httpx2.AsyncClient) -> None:
    made = done(await api.post("/topics/", json={"name": "Bikes", "text": "- a"}), 201)
    path = f"/topics/{made['id']}/"
    renamed = done(await api.put(path, json={"name": "Cargo bikes", "version": 1}))
    assert (renamed["name"], renamed["version"]) == ("Cargo bikes", 2)
    stale = refused(await api.put(path, json={"name": "Late", "version": 1}), 409, ErrorCode.stale_version)
    assert stale["params"] == {"current": 2}
    assert wrong_fields(await api.put(path, json={"name": "", "version": 2})) == {"name": ErrorCode.name_required}


async def test_one_in_use_stays(api: httpx2.AsyncClient, user: User, make: Factory) -> None:
    assistant = await make.assistant(user)
    path = f"/topics/{assistant.topic_tree_id}/"
    assert done(await api.get(path))["used_by"] == 1
    refused(await api.delete(path), 409, ErrorCode.in_use)
    done(await api.delete(f"/assistants/{assistant.id}/"), 204)
    done(await api.delete(path), 204)
    refused(await api.get(path), 404, ErrorCode.not_found)
