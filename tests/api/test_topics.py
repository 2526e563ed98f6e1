from datetime import timedelta
from typing import Any

import httpx2
import pytest
from sqlalchemy import update

from api.schemas.topics import TopicOut, TopicPreviewOut, TopicTreeDetail
from core.clock import utcnow
from core.container import Services
from core.errors import ErrorCode
from core.ids import new_id
from core.topics.tables import Topic
from core.topics.topic_trees import UNDO
from core.users.tables.users import User
from temporal.gateway import Gateway
from tests.api.conftest import done, refused, wrong_fields
from tests.conftest import browsing
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


async def test_the_preview_tells_a_name_for_the_tree(api: httpx2.AsyncClient) -> None:
    async def root(text: str, **more: object) -> str | None:
        preview = done(await api.post("/topics/preview/", json={"text": text, **more}))
        return str(preview["root"]) if preview["root"] is not None else None

    assert await root("-  Commuting \n-- Weather\n--- Rain") == "Commuting"
    assert await root("- Commuting\n- Weather") is None
    assert await root("- Commuting\n--- Too deep") is None
    assert await root("- Commuting", under=True) is None


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


# --- topic by topic

SMALL = "- Root\n-- A\n--- A1\n--- A2\n-- B\n-- C"


class Tree:
    """A saved tree, whose topics are called by their titles."""

    def __init__(self, api: httpx2.AsyncClient, made: dict[str, Any]) -> None:
        self.api = api
        self.path = f"/topics/{made['id']}/"
        self.ids = {topic["title"]: topic["id"] for topic in made["topics"]}

    def at(self, title: str, act: str = "") -> str:
        return f"{self.path}topics/{self.ids.get(title, title)}/{act}"

    async def add(self, parent: str, after: str | None, title: str) -> httpx2.Response:
        place = {"parent_id": self.ids.get(parent, parent), "after_id": self.ids.get(after or "", after)}
        return await self.api.post(f"{self.path}topics/", json={**place, "title": title})

    async def move(self, topic: str, parent: str, after: str | None = None) -> httpx2.Response:
        place = {"parent_id": self.ids.get(parent, parent), "after_id": self.ids.get(after or "", after)}
        return await self.api.post(self.at(topic, "move/"), json=place)

    async def change(self, topic: str, **values: object) -> httpx2.Response:
        return await self.api.patch(self.at(topic), json=values)

    async def remove(self, topic: str) -> httpx2.Response:
        return await self.api.delete(self.at(topic))

    async def bring_back(self, deletion: str) -> httpx2.Response:
        return await self.api.post(f"{self.path}deletions/{deletion}/restore/")

    async def branch(self, topic: str, text: str) -> httpx2.Response:
        return await self.api.post(self.at(topic, "import/"), json={"text": text})

    async def text(self) -> str:
        answer = await self.api.get(f"{self.path}export/")
        assert answer.status_code == 200, answer.text
        return answer.text

    async def read(self) -> dict[str, Any]:
        found: dict[str, Any] = done(await self.api.get(self.path))
        return found


async def planted(api: httpx2.AsyncClient, text: str = SMALL) -> Tree:
    return Tree(api, done(await api.post("/topics/", json={"name": "Tree", "text": text}), 201))


@pytest.fixture
async def tree(api: httpx2.AsyncClient) -> Tree:
    return await planted(api)


async def test_answers_are_what_the_document_says(api: httpx2.AsyncClient, tree: Tree) -> None:
    """They are written without being checked."""
    done(await tree.change("A", notes="Say “no”\nto 🌧", weight=3, enabled=False))
    for answer in (
        await api.get(tree.path),
        await api.post("/topics/", json={"name": "T", "description": "Of it", "text": SMALL}),
        await tree.branch("B", "- B1"),
    ):
        read = TopicTreeDetail.model_validate_json(answer.content, strict=True)
        assert answer.json() == read.model_dump(mode="json")
        assert set(answer.json()["topics"][0]) == set(TopicOut.model_fields)
    for text in (SMALL, "- A\nno hyphen"):
        answer = await api.post("/topics/preview/", json={"name": "T", "text": text})
        assert answer.json() == TopicPreviewOut.model_validate_json(answer.content).model_dump(mode="json")


async def test_a_tree_has_a_description(api: httpx2.AsyncClient) -> None:
    form = {"name": "T", "description": "For spring", "text": "- Root"}
    made = done(await api.post("/topics/", json=form), 201)
    assert (made["description"], made["topic_count"]) == ("For spring", 1)
    path = f"/topics/{made['id']}/"
    kept = done(await api.put(path, json={"name": "Other", "version": 1}))
    assert kept["description"] == "For spring"
    gone = done(await api.put(path, json={"name": "Other", "description": "", "version": 2}))
    assert gone["description"] == ""
    too_long = {**form, "description": "x" * 2001}
    assert wrong_fields(await api.post("/topics/", json=too_long)) == {"description": ErrorCode.invalid_input}


async def test_a_changed_topic_makes_no_name_stale(tree: Tree) -> None:
    done(await tree.add("A", None, "New"), 201)
    renamed = done(await tree.api.put(tree.path, json={"name": "Next", "version": 1}))
    assert renamed["version"] == 3
    for version in (1, 2, 4):
        answer = await tree.api.put(tree.path, json={"name": "Late", "version": version})
        assert refused(answer, 409, ErrorCode.stale_version)["params"] == {"current": 3}


async def test_a_topic_is_added_behind_another_or_first(tree: Tree) -> None:
    first = done(await tree.add("A", None, "  First\tof all "), 201)
    assert (first["title"], first["parent_id"], first["depth"]) == ("First of all", tree.ids["A"], 2)
    assert (first["notes"], first["enabled"], first["weight"], first["times_used"]) == ("", True, 1, 0)
    done(await tree.add("Root", "A", "Between"), 201)
    done(await tree.add("A", "A2", "Last"), 201)
    done(await tree.add("C", None, "C1"), 201)
    assert await tree.text() == (
        "- Root\n-- A\n--- First of all\n--- A1\n--- A2\n--- Last\n-- Between\n-- B\n-- C\n--- C1\n"
    )
    assert (await tree.read())["topic_count"] == 10


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("", ErrorCode.topic_empty_title),
        (" \t ", ErrorCode.topic_empty_title),
        ("\u2028", ErrorCode.topic_empty_title),
        ("x" * 201, ErrorCode.topic_title_too_long),
        ("x" * 4001, ErrorCode.invalid_input),
        ("a\0b", ErrorCode.invalid_input),
    ],
)
async def test_a_title_has_one_to_200_characters(tree: Tree, title: str, code: ErrorCode) -> None:
    assert wrong_fields(await tree.add("A", None, title)) == {"title": code}
    assert wrong_fields(await tree.change("A", title=title)) == {"title": code}
    assert await tree.text() == SMALL + "\n"
    done(await tree.add("A", None, "x" * 200), 201)


async def test_what_is_null_stays_as_it_is(tree: Tree) -> None:
    before = done(await tree.change("A", title="Next", notes="Mention the lane", enabled=False, weight=5))
    assert (before["title"], before["notes"], before["enabled"], before["weight"]) == (
        "Next",
        "Mention the lane",
        False,
        5,
    )
    assert done(await tree.change("A")) == before
    assert done(await tree.change("A", notes="")) == {**before, "notes": ""}
    assert (await tree.read())["topics"][1] == {**before, "notes": ""}


async def test_notes_of_another_tab_are_not_written_over(tree: Tree) -> None:
    done(await tree.change("A", notes="Rain", notes_before=""))
    late = await tree.change("A", notes="Snow", notes_before="", weight=9)
    assert refused(late, 409, ErrorCode.stale_version)["params"] == {"current": 2}
    topic = (await tree.read())["topics"][1]
    assert (topic["notes"], topic["weight"]) == ("Rain", 1)
    # the same once more, as after a lost answer, and other changes are no conflict
    done(await tree.change("A", notes="Rain", notes_before=""))
    done(await tree.change("A", weight=9, notes_before="Snow"))
    assert done(await tree.change("A", notes="Snow", notes_before=" Rain\n"))["notes"] == "Snow"
    assert done(await tree.change("A", notes="Hail"))["notes"] == "Hail"


async def test_a_link_is_kept_as_an_address(tree: Tree) -> None:
    assert done(await tree.change("A", link=" example.org/news "))["link"] == "https://example.org/news"
    for wrong in ("javascript:alert(1)", "no address", "https://me:secret@example.org/"):
        assert wrong_fields(await tree.change("A", link=wrong)) == {"link": ErrorCode.link_not_usable}
    assert (await tree.read())["topics"][1]["link"] == "https://example.org/news"
    assert done(await tree.change("A", link=""))["link"] == ""


@pytest.mark.parametrize("values", [{"weight": 0}, {"weight": 101}, {"notes": "x" * 4001}])
async def test_what_a_topic_cannot_have(tree: Tree, values: dict[str, object]) -> None:
    assert wrong_fields(await tree.change("A", **values)) == dict.fromkeys(values, ErrorCode.invalid_input)


async def test_a_topic_moves_with_all_under_it(tree: Tree) -> None:
    moved = done(await tree.move("A", "C"))
    assert (moved["version"], moved["topic_count"]) == (2, 6)
    assert await tree.text() == "- Root\n-- B\n-- C\n--- A\n---- A1\n---- A2\n"
    done(await tree.move("A2", "Root", "B"))  # out, and up
    assert await tree.text() == "- Root\n-- B\n-- A2\n-- C\n--- A\n---- A1\n"
    done(await tree.move("A", "Root", "C"))  # out, where it stands
    assert await tree.text() == "- Root\n-- B\n-- A2\n-- C\n-- A\n--- A1\n"
    done(await tree.move("A", "C"))  # and in again
    done(await tree.move("C", "Root"))  # first
    assert await tree.text() == "- Root\n-- C\n--- A\n---- A1\n-- B\n-- A2\n"


async def test_where_a_topic_cannot_go(tree: Tree) -> None:
    for below in ("A", "A1"):
        refused(await tree.move("A", below), 422, ErrorCode.topic_inside_itself)
    refused(await tree.move("Root", "A"), 422, ErrorCode.topic_root_stays)
    refused(await tree.remove("Root"), 422, ErrorCode.topic_root_stays)
    # not a child of that parent
    for after in ("A1", "A"):
        missing = refused(await tree.move("B", "C", after), 404, ErrorCode.not_found)
        assert missing["params"] == {"what": "topic", "id": tree.ids[after]}
        refused(await tree.add("C", after, "New"), 404, ErrorCode.not_found)
    assert (await tree.read())["version"] == 1


async def test_deleting_is_undone_at_the_place_it_had(tree: Tree) -> None:
    gone = done(await tree.remove("A"))
    assert gone["count"] == 3
    found = await tree.read()
    assert (found["topic_count"], [topic["title"] for topic in found["topics"]]) == (3, ["Root", "B", "C"])
    assert done(await tree.api.get("/topics/"))["items"][0]["topic_count"] == 3
    for answer in (
        await tree.change("A", title="Back"),
        await tree.remove("A1"),
        await tree.move("A2", "B"),
        await tree.move("B", "A"),
        await tree.add("A", None, "New"),
        await tree.add("Root", "A", "New"),
        await tree.branch("A", "- New"),
        await tree.api.get(f"{tree.path}export/", params={"topic_id": tree.ids["A"]}),
    ):
        refused(answer, 404, ErrorCode.not_found)
    done(await tree.add("Root", None, "New"), 201)
    done(await tree.move("C", "Root", "B"))
    back = done(await tree.bring_back(gone["deletion_id"]))
    assert [topic["title"] for topic in back["topics"]] == ["Root", "New", "A", "A1", "A2", "B", "C"]
    refused(await tree.bring_back(gone["deletion_id"]), 409, ErrorCode.undo_expired)
    refused(await tree.bring_back(str(new_id())), 409, ErrorCode.undo_expired)


async def test_after_a_day_nothing_is_undone(tree: Tree, services: Services) -> None:
    gone = done(await tree.remove("A"))
    async with services.sessions.begin() as session:
        long_ago = utcnow() - UNDO - timedelta(seconds=1)
        await session.execute(update(Topic).where(Topic.deletion_id.is_not(None)).values(deleted_at=long_ago))
    refused(await tree.bring_back(gone["deletion_id"]), 409, ErrorCode.undo_expired)


async def test_a_branch_is_imported_behind_what_is_there(tree: Tree) -> None:
    found = done(await tree.branch("A", "- A3\n-- A31\n- A4"))
    assert (found["version"], found["topic_count"]) == (2, 9)
    assert await tree.text() == ("- Root\n-- A\n--- A1\n--- A2\n--- A3\n---- A31\n--- A4\n-- B\n-- C\n")
    bad = await tree.branch("B", "- X\n--- Y\nZ")
    assert wrong_fields(bad) == {"lines.2": ErrorCode.topic_depth_jump, "lines.3": ErrorCode.topic_no_hyphen}
    assert wrong_fields(await tree.branch("B", " \n")) == {"lines": ErrorCode.topic_tree_empty}
    assert (await tree.read())["version"] == 2


async def test_the_preview_of_a_branch_is_what_its_import_makes(tree: Tree) -> None:
    text = "- A3\n-- A31\n- A4"
    preview = done(await tree.api.post("/topics/preview/", json={"text": text, "under": True}))
    assert (preview["total"], preview["errors"]) == (3, [])
    assert [(one["title"], one["depth"], one["parent"]) for one in preview["topics"]] == [
        ("A3", 0, None),
        ("A31", 1, 0),
        ("A4", 0, None),
    ]
    made = done(await tree.branch("A", text))["topics"][4:7]
    assert [(one["title"], one["depth"] - 2) for one in made] == [
        (one["title"], one["depth"]) for one in preview["topics"]
    ]


async def test_a_full_tree_takes_nothing_more(api: httpx2.AsyncClient) -> None:
    tree = await planted(api, "- Root\n-- A\n" + "-- B\n" * 9_998)
    facts = {"found": 10_001, "limit": 10_000}
    for answer in (await tree.add("Root", None, "One more"), await tree.branch("A", "- One more")):
        assert refused(answer, 422, ErrorCode.topic_too_many)["params"] == facts
    gone = done(await tree.remove("A"))
    done(await tree.add("Root", None, "Instead"), 201)
    assert refused(await tree.bring_back(gone["deletion_id"]), 422, ErrorCode.topic_too_many)["params"] == facts
    lines = {"name": "Too many", "text": "- A\n" * 10_000}
    assert wrong_fields(await api.post("/topics/", json=lines)) == {"lines": ErrorCode.topic_too_many}
    assert len(done(await api.post("/topics/preview/", json={"text": "- A\n" * 9_999}))["topics"]) == 10_000


async def test_a_tree_a_thousand_deep_is_imported_exported_and_moved(api: httpx2.AsyncClient) -> None:
    text = "".join(f"{'-' * (depth + 1)} T{depth}\n" for depth in range(1_000))
    tree = await planted(api, text)
    assert await tree.text() == text
    done(await tree.move("T500", "T0"))
    found = await tree.read()
    assert [topic["depth"] for topic in found["topics"]] == [0, *range(1, 501), *range(1, 500)]
    assert found["topics"][1]["title"] == "T500"
    done(await tree.move("T500", "T499"))
    assert await tree.text() == text


async def test_an_export_is_a_file_of_text_or_of_a_branch(tree: Tree) -> None:
    answer = await tree.api.get(f"{tree.path}export/", params={"topic_id": tree.ids["A"]})
    assert (answer.text, answer.headers["content-type"]) == ("- A\n-- A1\n-- A2\n", "text/plain; charset=utf-8")
    assert answer.headers["content-disposition"] == 'attachment; filename="topics.txt"'


async def test_another_users_tree_and_topics_are_not_there(
    tree: Tree, services: Services, away: Gateway, make: Factory
) -> None:
    """Neither by the tree's address, nor by a topic's under one's own."""
    gone = done(await tree.remove("C"))
    async with browsing(services, away, await make.user()) as other:
        mine = await planted(other)
        theirs = Tree(other, {"id": tree.path.split("/")[2], "topics": []})
        theirs.ids = tree.ids
        for answer in (
            await other.get(tree.path),
            await other.put(tree.path, json={"name": "Mine", "version": 1}),
            await other.delete(tree.path),
            await other.get(f"{tree.path}export/"),
            await theirs.add("A", None, "New"),
            await theirs.change("A", title="Mine"),
            await theirs.move("A", "B"),
            await theirs.remove("A"),
            await theirs.bring_back(gone["deletion_id"]),
            await theirs.branch("A", "- New"),
            await mine.add(tree.ids["A"], None, "New"),
            await mine.add("A", tree.ids["A1"], "New"),
            await mine.change(tree.ids["A"], title="Mine"),
            await mine.move(tree.ids["A"], "B"),
            await mine.move("A", tree.ids["B"]),
            await mine.move("A", "Root", tree.ids["B"]),
            await mine.remove(tree.ids["A"]),
            await mine.branch(tree.ids["A"], "- New"),
            await other.get(f"{mine.path}export/", params={"topic_id": tree.ids["A"]}),
        ):
            refused(answer, 404, ErrorCode.not_found)
        refused(await mine.bring_back(gone["deletion_id"]), 409, ErrorCode.undo_expired)
        assert await mine.text() == SMALL + "\n"
    assert await tree.text() == SMALL.removesuffix("\n-- C") + "\n"
