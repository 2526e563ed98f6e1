"""Topic trees under every kind of change, one after the other and at once."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from random import Random
from typing import Any, TypeVar
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from sqlalchemy import func, select, update

from api.schemas.topics import TopicOut
from core.assistants.configuration import missing_fields
from core.assistants.repository import AssistantRepository
from core.clock import utcnow
from core.container import Services
from core.database import EVENTS, Listener, Sessions, open_engine, open_sessions
from core.errors import Conflict, DomainError, ErrorCode, InvalidInput, NotFound
from core.ids import new_id
from core.topics.rules import ImportedTopic, TopicNode, export_hyphens
from core.topics.tables import Topic, TopicTree
from core.topics.topic_trees import UNDO, TopicTreeService
from core.users.tables.users import User
from tests.factories import Factory
from tests.statements import record_statements

Result = TypeVar("Result")
SMALL = "- Root\n-- A\n--- A1\n--- A2\n-- B\n--- B1\n-- C"


@dataclass(frozen=True)
class Trees:
    """The service, each call in a transaction of its own."""

    sessions: Sessions
    user_id: UUID

    async def do(self, act: Callable[[TopicTreeService], Awaitable[Result]]) -> Result:
        async with self.sessions.begin() as session:
            return await act(TopicTreeService(session))

    async def create(self, text: str = SMALL) -> UUID:
        return (await self.do(lambda trees: trees.create(self.user_id, "Tree", text)))[0].id

    async def nodes(self, tree_id: UUID) -> list[TopicNode]:
        return await self.do(lambda trees: trees.topics.nodes(self.user_id, tree_id))

    async def outline(self, tree_id: UUID) -> str:
        return await self.do(lambda trees: trees.export(self.user_id, tree_id, None))

    async def at(self, tree_id: UUID, title: str) -> UUID:
        return next(node.id for node in await self.nodes(tree_id) if node.title == title)

    async def add(self, tree_id: UUID, parent: UUID, after: UUID | None, title: str) -> Topic:
        return await self.do(lambda trees: trees.add(self.user_id, tree_id, parent, after, title))

    async def branch(self, tree_id: UUID, parent: UUID, text: str) -> None:
        await self.do(lambda trees: trees.add_branch(self.user_id, tree_id, parent, text))

    async def move(self, tree_id: UUID, topic: UUID, parent: UUID, after: UUID | None = None) -> None:
        await self.do(lambda trees: trees.move(self.user_id, tree_id, topic, parent, after))

    async def remove(self, tree_id: UUID, topic: UUID) -> tuple[UUID, int]:
        return await self.do(lambda trees: trees.remove(self.user_id, tree_id, topic))

    async def bring_back(self, tree_id: UUID, deletion: UUID) -> None:
        await self.do(lambda trees: trees.restore(self.user_id, tree_id, deletion))

    async def whole(self, tree_id: UUID, *, dense: bool = True) -> list[Topic]:
        """All rows by position, deleted ones too, once what holds for every tree holds for this one. `dense`: none is
        gone for good."""
        async with self.sessions() as session:
            rows = list(
                await session.scalars(select(Topic).where(Topic.tree_id == tree_id).order_by(Topic.position, Topic.id))
            )
        positions = [row.position for row in rows]
        assert positions == list(range(len(rows))) if dense else all(one < next for one, next in pairwise(positions))
        above: list[Topic] = []
        for row in rows:
            del above[row.depth :]
            assert len(above) == row.depth, "a topic is one deeper than what it stands under"
            assert row.parent_id == (above[-1].id if above else None)
            if above and above[-1].deletion_id:
                assert row.deletion_id, "nothing is left below a deleted topic"
            above.append(row)
        live = await self.nodes(tree_id)
        assert [node.id for node in live] == [row.id for row in rows if row.deletion_id is None]
        return rows


@pytest.fixture
def trees(sessions: Sessions, user: User) -> Trees:
    return Trees(sessions, user.id)


@pytest.fixture
async def lasting(database: str) -> AsyncIterator[Trees]:
    """In a database of its own, where many connections see what others committed."""
    engine = open_engine(database)
    made = open_sessions(engine)
    user_id = new_id()
    async with made.begin() as session:
        session.add(User(id=user_id, email="many@example.org", password_hash="-", is_email_verified=True))
    yield Trees(made, user_id)
    await engine.dispose()


# --- against a model in memory


@dataclass(eq=False)
class Leaf:
    id: UUID
    above: "Leaf | None"
    below: list["Leaf"] = field(default_factory=list)
    deletion: UUID | None = None

    def all(self) -> "Iterator[tuple[int, Leaf]]":
        """(depth, topic) in reading order."""
        open_ones = [(0, self)]
        while open_ones:
            depth, one = open_ones.pop()
            yield depth, one
            open_ones += [(depth + 1, child) for child in reversed(one.below)]

    def live(self) -> "list[Leaf]":
        return [one for _, one in self.all() if one.deletion is None]

    def put(self, child: "Leaf", after: "Leaf | None") -> None:
        child.above = self
        self.below.insert(self.below.index(after) + 1 if after else 0, child)


KINDS = ("add", "branch", "move", "move", "move", "remove", "remove", "bring back", "sweep")


@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(seed=st.integers(0, 2**32), length=st.integers(5, 30))
async def test_any_changes_in_any_order_leave_a_whole_tree(trees: Trees, seed: int, length: int) -> None:
    """A step is drawn from all there is: a failure is made shorter by its length alone."""
    draw = Random(seed)
    tree_id = await trees.create()
    root = await _model(trees, tree_id)
    deletions: list[UUID] = []
    swept = False
    for number in range(length):
        live = root.live()
        one, other = draw.choice(live), draw.choice(live)
        after = draw.choice([None, *(child for child in other.below if child.deletion is None)])
        after_id = after.id if after else None
        match draw.choice(KINDS):
            case "add":
                made = await trees.add(tree_id, other.id, after_id, f"N{number}")
                other.put(Leaf(made.id, None), after)
            case "branch":
                await trees.branch(tree_id, other.id, "- X\n-- Y\n- Z")
                await _learn(trees, tree_id, root)
            case "move":
                under = any(inner is other for _, inner in one.all())
                if one is root or under:
                    with pytest.raises(InvalidInput) as refused:
                        await trees.move(tree_id, one.id, other.id, after_id)
                    told = ErrorCode.topic_root_stays if one is root else ErrorCode.topic_inside_itself
                    assert refused.value.code is told
                else:
                    await trees.move(tree_id, one.id, other.id, after_id)
                    if after is not one:
                        assert one.above is not None
                        one.above.below.remove(one)
                        other.put(one, after)
            case "remove":
                if one is root:
                    with pytest.raises(InvalidInput):
                        await trees.remove(tree_id, one.id)
                else:
                    deletion, count = await trees.remove(tree_id, one.id)
                    deletions.append(deletion)
                    gone = one.live()
                    assert count == len(gone)
                    for inner in gone:
                        inner.deletion = deletion
            case "bring back":
                if deletions:
                    await _bring_back(trees, tree_id, root, draw.choice(deletions))
            case "sweep":
                if draw.random() < 0.3:
                    swept = True
                    await trees.do(lambda one: one.topics.purge(utcnow() + timedelta(seconds=1), trees=9))
                    for leaf in root.live():
                        leaf.below = [child for child in leaf.below if child.deletion is None]
        rows = await trees.whole(tree_id, dense=not swept)
        assert [(row.id, row.depth, row.deletion_id) for row in rows] == [
            (leaf.id, depth, leaf.deletion) for depth, leaf in root.all()
        ]


async def _model(trees: Trees, tree_id: UUID) -> Leaf:
    nodes = await trees.nodes(tree_id)
    root = Leaf(nodes[0].id, None)
    await _learn(trees, tree_id, root)
    return root


async def _learn(trees: Trees, tree_id: UUID, root: Leaf) -> None:
    """What is new, as the last children of where it stands."""
    known = {leaf.id: leaf for _, leaf in root.all()}
    for node in await trees.nodes(tree_id):
        if node.id not in known:
            assert node.parent_id is not None
            above = known[node.parent_id]
            known[node.id] = Leaf(node.id, above)
            above.below.append(known[node.id])


async def _bring_back(trees: Trees, tree_id: UUID, root: Leaf, deletion: UUID) -> None:
    gone = [leaf for _, leaf in root.all() if leaf.deletion == deletion]
    if gone and gone[0].above and gone[0].above.deletion is None:
        await trees.bring_back(tree_id, deletion)
        for leaf in gone:
            leaf.deletion = None
    else:
        with pytest.raises(Conflict) as refused:
            await trees.bring_back(tree_id, deletion)
        assert refused.value.code is ErrorCode.undo_expired


# --- import and export


@st.composite
def _shapes(draw: st.DrawFn) -> list[ImportedTopic]:
    found: list[ImportedTopic] = []
    path: list[int] = []
    for index in range(draw(st.integers(1, 40))):
        depth = draw(st.integers(1, len(path))) if path else 0
        title = draw(st.text(min_size=1, max_size=20).map(lambda text: f"{text}.".strip().replace("\0", "")))
        found.append(ImportedTopic(title, depth, path[depth - 1] if depth else None))
        path = [*path[:depth], index]
    return found


@settings(
    max_examples=15,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(_shapes())
async def test_import_of_an_export_is_the_same_tree(trees: Trees, shape: list[ImportedTopic]) -> None:
    text = export_hyphens(shape)
    first = await trees.create(text)
    assert await trees.outline(first) == text
    second = await trees.create(await trees.outline(first))
    assert [(node.title, node.depth) for node in await trees.nodes(second)] == [
        (node.title, node.depth) for node in await trees.nodes(first)
    ]
    await trees.whole(second)


async def test_a_branch_is_exported_from_its_own_root(trees: Trees) -> None:
    tree_id = await trees.create()
    branch = await trees.at(tree_id, "A")
    assert await trees.do(lambda one: one.export(trees.user_id, tree_id, branch)) == "- A\n-- A1\n-- A2\n"
    await trees.remove(tree_id, await trees.at(tree_id, "A1"))
    assert await trees.do(lambda one: one.export(trees.user_id, tree_id, branch)) == "- A\n-- A2\n"
    assert await trees.outline(tree_id) == "- Root\n-- A\n--- A2\n-- B\n--- B1\n-- C\n"


async def test_a_bad_branch_changes_nothing(trees: Trees) -> None:
    tree_id = await trees.create()
    with pytest.raises(InvalidInput) as refused:
        await trees.branch(tree_id, await trees.at(tree_id, "B"), "- X\nY")
    assert [error.field for error in refused.value.errors] == ["lines.2"]
    assert await trees.outline(tree_id) == SMALL + "\n"


# --- sizes

WIDE = "- Root\n" + "".join(f"-- T{number}\n" for number in range(9_999))


async def _chain(trees: Trees, length: int) -> UUID:
    """Each topic under the one before, made a thousand at a time: the text of all is fifty million hyphens."""
    tree_id = await trees.create("- T0")
    lowest = (await trees.nodes(tree_id))[0].id
    for start in range(1, length, 1_000):
        topics = [ImportedTopic(f"T{at}", at, None) for at in range(start, min(start + 1_000, length))]
        await trees.branch(tree_id, lowest, export_hyphens(topics))
        lowest = (await trees.nodes(tree_id))[-1].id
    return tree_id


async def test_a_chain_of_ten_thousand_is_changed_like_any_tree(trees: Trees) -> None:
    tree_id = await _chain(trees, 10_000)
    nodes = await trees.nodes(tree_id)
    assert [node.depth for node in nodes] == list(range(10_000))
    half, above = nodes[5_000].id, nodes[4_999].id
    await trees.move(tree_id, half, nodes[0].id)
    assert [(node.title, node.depth) for node in (await trees.nodes(tree_id))[:2]] == [("T0", 0), ("T5000", 1)]
    deletion, count = await trees.remove(tree_id, half)
    assert count == 5_000
    await trees.add(tree_id, above, None, "The deepest")
    with pytest.raises(InvalidInput) as refused:
        await trees.bring_back(tree_id, deletion)
    assert refused.value.code is ErrorCode.topic_too_many
    await trees.remove(tree_id, await trees.at(tree_id, "The deepest"))
    await trees.bring_back(tree_id, deletion)
    await trees.move(tree_id, half, above)
    assert [node.title for node in await trees.nodes(tree_id)] == [node.title for node in nodes]
    assert len(await trees.whole(tree_id)) == 10_001
    await trees.remove(tree_id, nodes[1].id)
    assert await _expire(trees, tree_id) == 10_000  # no chain of parents is followed, which would be too long
    await trees.do(lambda one: one.delete(trees.user_id, tree_id))


async def test_a_tree_with_ten_thousand_children_is_deleted_at_once(trees: Trees) -> None:
    chain, wide = await _chain(trees, 3_000), await trees.create(WIDE)
    for tree_id in (chain, wide):
        await trees.do(lambda one, tree_id=tree_id: one.delete(trees.user_id, tree_id))  # type: ignore[misc]
        with pytest.raises(NotFound):
            await trees.outline(tree_id)
    async with trees.sessions() as session:
        assert await session.scalar(select(func.count()).where(Topic.user_id == trees.user_id)) == 0


async def test_the_database_lists_a_tree_as_it_is(trees: Trees) -> None:
    tree_id = await trees.create('- "Root" \\ \n-- Ä 🚲 </script>\n--- \u2028 {}')
    leaf, moment = (await trees.nodes(tree_id))[-1].id, utcnow()
    await trees.remove(tree_id, (await trees.add(tree_id, await trees.at(tree_id, '"Root" \\'), None, "Gone")).id)
    await trees.do(lambda one: one.topics.count_use(trees.user_id, leaf, moment))
    nodes = await trees.nodes(tree_id)
    listed = TypeAdapter(list[TopicOut]).validate_json(
        await trees.do(lambda one: one.topics.nodes_json(trees.user_id, tree_id))
    )
    assert [tuple(topic.model_dump().values()) for topic in listed] == nodes
    assert nodes[-1].last_used_at == moment


async def test_no_tree_holds_more_than_ten_thousand_topics(trees: Trees) -> None:
    tree_id = await trees.create(WIDE)
    root, first = [node.id for node in (await trees.nodes(tree_id))[:2]]
    tries: list[Callable[[], Awaitable[object]]] = [
        lambda: trees.add(tree_id, root, None, "One more"),
        lambda: trees.do(lambda one: one.append(trees.user_id, tree_id, root, "One more")),
        lambda: trees.branch(tree_id, first, "- One more"),
    ]
    for one_more in tries:
        with pytest.raises(InvalidInput) as refused:
            await one_more()
        assert refused.value.code is ErrorCode.topic_too_many
        assert refused.value.params == {"found": 10_001, "limit": 10_000}
    deletion, _ = await trees.remove(tree_id, first)
    await trees.add(tree_id, root, None, "Instead")
    with pytest.raises(InvalidInput):
        await trees.bring_back(tree_id, deletion)
    assert len(await trees.whole(tree_id)) == 10_001


async def test_what_is_imported_and_deleted_again_and_again_does_not_pile_up(trees: Trees) -> None:
    tree_id = await trees.create("- Root")
    root = (await trees.nodes(tree_id))[0].id
    many = "- A\n" + "-- B\n" * 5_999
    for _ in range(2):
        await trees.branch(tree_id, root, many)
        last, count = await trees.remove(tree_id, (await trees.nodes(tree_id))[1].id)
        assert count == 6_000
    assert len(await trees.whole(tree_id, dense=False)) == 6_001
    await trees.bring_back(tree_id, last)
    assert len(await trees.nodes(tree_id)) == 6_001


async def test_a_larger_tree_takes_no_more_statements(trees: Trees) -> None:
    taken: list[list[int]] = []
    for text in (SMALL, SMALL + "\n--- Below\n" + "---- Deep\n" * 500 + "-- Wide\n" * 500):
        counts: list[int] = []
        tree_id = await trees.create(text)
        ids = {node.title: node.id for node in await trees.nodes(tree_id)}
        branch = "- X\n" * (2 if text == SMALL else 100)
        gone = await trees.remove(tree_id, ids["B"])
        acts: list[Callable[[], Awaitable[object]]] = [
            lambda text=text: trees.create(text),  # type: ignore[misc]
            lambda: trees.nodes(tree_id),  # noqa: B023
            lambda: trees.outline(tree_id),  # noqa: B023
            lambda: trees.add(tree_id, ids["Root"], None, "New"),  # noqa: B023
            lambda: trees.branch(tree_id, ids["A"], branch),  # noqa: B023
            lambda: trees.move(tree_id, ids["C"], ids["A"]),  # noqa: B023
            lambda: trees.bring_back(tree_id, gone[0]),  # noqa: B023
            lambda: trees.remove(tree_id, ids["C"]),  # noqa: B023
        ]
        for act in acts:
            with record_statements() as statements:
                await act()
            counts.append(len(statements))
        taken.append(counts)
    assert taken[0] == taken[1]
    assert max(taken[0]) <= 12


# --- what is changed, and what it leaves alone


async def test_every_change_raises_the_version(trees: Trees) -> None:
    tree_id = await trees.create()
    ids = {node.title: node.id for node in await trees.nodes(tree_id)}

    async def state() -> tuple[int, Any]:
        tree = (await trees.do(lambda one: one.topics.get(trees.user_id, tree_id)))[0]
        return tree.version, tree.updated_at

    async def change(**values: Any) -> None:
        full = {"title": None, "notes": None, "enabled": None, "weight": None} | values
        await trees.do(lambda one: one.change(trees.user_id, tree_id, ids["A"], **full))

    seen = [await state()]
    await trees.add(tree_id, ids["A"], None, "New")
    seen.append(await state())
    await trees.branch(tree_id, ids["A"], "- X")
    seen.append(await state())
    await trees.move(tree_id, ids["A1"], ids["B"])
    seen.append(await state())
    deletion, _ = await trees.remove(tree_id, ids["A1"])
    seen.append(await state())
    await trees.bring_back(tree_id, deletion)
    seen.append(await state())
    await change(weight=7)
    seen.append(await state())
    await trees.do(lambda one: one.rename(trees.user_id, tree_id, 1, "Other name"))
    seen.append(await state())
    assert [version for version, _ in seen] == list(range(1, 9))
    assert all(before[1] < after[1] for before, after in pairwise(seen))
    # what changes nothing is no change
    await change(weight=7)
    await trees.move(tree_id, ids["A"], ids["Root"])
    await trees.move(tree_id, ids["A"], ids["Root"], ids["A"])
    assert await state() == seen[-1]


async def test_every_change_reaches_the_browsers(lasting: Trees, database: str) -> None:
    heard: list[dict[str, str]] = []
    listening = asyncio.Event()

    def hear(notice: str | None) -> None:
        listening.set()
        if notice:
            heard.append(json.loads(notice))

    listener = Listener(database, "a test", [EVENTS])
    listener.add(EVENTS, hear)
    async with asyncio.TaskGroup() as group:
        task = group.create_task(listener.run())
        await listening.wait()
        tree_id = await lasting.create()
        ids = {node.title: node.id for node in await lasting.nodes(tree_id)}
        await lasting.add(tree_id, ids["A"], None, "New")
        await lasting.branch(tree_id, ids["A"], "- X")
        await lasting.move(tree_id, ids["A1"], ids["B"])
        deletion, _ = await lasting.remove(tree_id, ids["A1"])
        await lasting.bring_back(tree_id, deletion)
        await lasting.do(
            lambda one: one.change(
                lasting.user_id, tree_id, ids["A"], title=None, notes="Short", enabled=None, weight=None
            )
        )
        await lasting.do(lambda one: one.rename(lasting.user_id, tree_id, 1, "Other name"))
        await lasting.do(lambda one: one.delete(lasting.user_id, tree_id))
        for _ in range(100):
            if len(heard) == 9:
                break
            await asyncio.sleep(0.05)
        task.cancel()
    assert heard == [{"user": str(lasting.user_id), "kind": "topic_tree", "id": str(tree_id)}] * 9


async def test_topics_that_make_room_are_not_changed(trees: Trees) -> None:
    tree_id = await trees.create()
    ids = {node.title: node.id for node in await trees.nodes(tree_id)}
    before = {row.id: row.updated_at for row in await trees.whole(tree_id)}
    await trees.add(tree_id, ids["Root"], None, "New")
    await trees.move(tree_id, ids["C"], ids["A"])
    after = {row.id: row.updated_at for row in await trees.whole(tree_id)}
    assert {id for id in before if before[id] != after[id]} == {ids["C"]}


async def test_use_is_kept_through_all_moves(trees: Trees) -> None:
    tree_id = await trees.create()
    ids = {node.title: node.id for node in await trees.nodes(tree_id)}
    slot = utcnow()
    await trees.do(lambda one: one.topics.count_use(trees.user_id, ids["A1"], slot))
    await trees.move(tree_id, ids["A"], ids["B"])
    deletion, _ = await trees.remove(tree_id, ids["B"])
    await trees.bring_back(tree_id, deletion)
    found = next(node for node in await trees.nodes(tree_id) if node.id == ids["A1"])
    assert (found.times_used, found.last_used_at, found.depth) == (1, slot, 3)


async def test_a_deletion_inside_of_another_comes_back_only_after_it(trees: Trees) -> None:
    tree_id = await trees.create()
    ids = {node.title: node.id for node in await trees.nodes(tree_id)}
    inner, _ = await trees.remove(tree_id, ids["A1"])
    outer, count = await trees.remove(tree_id, ids["A"])
    assert count == 2  # A1 went before
    with pytest.raises(Conflict) as refused:
        await trees.bring_back(tree_id, inner)
    assert refused.value.code is ErrorCode.undo_expired
    await trees.bring_back(tree_id, outer)
    assert await trees.outline(tree_id) == "- Root\n-- A\n--- A2\n-- B\n--- B1\n-- C\n"
    await trees.bring_back(tree_id, inner)
    assert await trees.outline(tree_id) == SMALL + "\n"
    for deletion in (inner, new_id()):  # twice, and never
        with pytest.raises(Conflict):
            await trees.bring_back(tree_id, deletion)


async def _expire(trees: Trees, tree_id: UUID, *deletions: UUID) -> int:
    """A day goes by for those deletions, or for all; then it is swept. Returns how many topics are gone."""
    async with trees.sessions.begin() as session:
        old = update(Topic).where(Topic.tree_id == tree_id, Topic.deleted_at.is_not(None))
        if deletions:
            old = old.where(Topic.deletion_id.in_(deletions))
        await session.execute(old.values(deleted_at=utcnow() - UNDO - timedelta(seconds=1)))
    rows = len(await _rows(trees, tree_id))
    await trees.do(lambda one: one.purge_deleted())
    return rows - len(await trees.whole(tree_id, dense=False))


async def _rows(trees: Trees, tree_id: UUID) -> list[UUID]:
    async with trees.sessions() as session:
        return list(await session.scalars(select(Topic.id).where(Topic.tree_id == tree_id)))


async def test_after_a_day_a_deletion_is_gone(trees: Trees, make: Factory) -> None:
    other = await make.user()
    tree_id, theirs = await trees.create(), await make.tree(other)
    ids = {node.title: node.id for node in await trees.nodes(tree_id)}
    old, _ = await trees.remove(tree_id, ids["A"])
    young, _ = await trees.remove(tree_id, ids["C"])
    assert await _expire(trees, tree_id, old) == 3
    with pytest.raises(Conflict) as refused:
        await trees.bring_back(tree_id, old)
    assert refused.value.code is ErrorCode.undo_expired
    await trees.bring_back(tree_id, young)
    assert await trees.outline(tree_id) == "- Root\n-- B\n--- B1\n-- C\n"
    assert len(await _rows(trees, theirs)) == 6


async def test_a_day_counts_before_anybody_sweeps(trees: Trees) -> None:
    tree_id = await trees.create()
    deletion, _ = await trees.remove(tree_id, await trees.at(tree_id, "A"))
    async with trees.sessions.begin() as session:
        await session.execute(
            update(Topic).where(Topic.deletion_id == deletion).values(deleted_at=utcnow() - UNDO - timedelta(seconds=1))
        )
    with pytest.raises(Conflict):
        await trees.bring_back(tree_id, deletion)


async def test_a_sweep_takes_a_few_trees_at_a_time(trees: Trees) -> None:
    for _ in range(3):
        tree_id = await trees.create()
        await trees.remove(tree_id, await trees.at(tree_id, "A"))
    later = utcnow() + timedelta(seconds=1)
    gone = [await trees.do(lambda one: one.topics.purge(later, trees=2)) for _ in range(3)]
    assert gone == [6, 3, 0]


async def test_what_is_deleted_or_disabled_is_not_written_about(
    trees: Trees, services: Services, make: Factory, user: User
) -> None:
    assistant = await make.assistant(user, topics="- Root\n-- A")
    tree_id = assistant.topic_tree_id
    assert tree_id is not None
    root, leaf = [node.id for node in await trees.nodes(tree_id)]

    async def enabled() -> int:
        async with services.sessions() as session:
            return (await AssistantRepository(session).get(user.id, assistant.id)).enabled_topics

    async def switch(topic_id: UUID, on: bool) -> None:
        await trees.do(
            lambda one: one.change(user.id, tree_id, topic_id, title=None, notes=None, enabled=on, weight=None)
        )

    assert await enabled() == 2
    deletion, _ = await trees.remove(tree_id, leaf)
    assert await enabled() == 1
    await trees.bring_back(tree_id, deletion)
    await switch(leaf, False)
    assert await enabled() == 1
    await switch(leaf, True)
    await switch(root, False)
    async with services.sessions() as session:
        full = await AssistantRepository(session).get(user.id, assistant.id)
    assert [error.code for error in missing_fields(full)] == [
        ErrorCode.topic_tree_empty,
        ErrorCode.channel_not_selected,
    ]


# --- at once


async def test_moves_into_one_another_at_once_end_in_a_whole_tree(lasting: Trees) -> None:
    """Each alone is fine; both together would be a ring."""
    tree_id = await lasting.create()
    ids = {node.title: node.id for node in await lasting.nodes(tree_id)}
    for _ in range(5):
        done = await asyncio.gather(
            lasting.move(tree_id, ids["A"], ids["B1"]),
            lasting.move(tree_id, ids["B"], ids["A2"]),
            return_exceptions=True,
        )
        refused = [error for error in done if error is not None]
        assert len(refused) == 1
        assert isinstance(refused[0], InvalidInput)
        assert refused[0].code is ErrorCode.topic_inside_itself
        assert len(await lasting.whole(tree_id)) == 7
        await lasting.move(tree_id, ids["A"], ids["Root"])
        await lasting.move(tree_id, ids["B"], ids["Root"], ids["A"])


async def test_many_changes_at_once_all_count(lasting: Trees) -> None:
    tree_id = await lasting.create()
    ids = {node.title: node.id for node in await lasting.nodes(tree_id)}
    deletion, _ = await lasting.remove(tree_id, ids["C"])
    acts: list[Awaitable[object]] = [
        *(lasting.add(tree_id, ids["A"], None, f"N{at}") for at in range(8)),
        *(lasting.branch(tree_id, ids["B"], "- X\n-- Y") for _ in range(4)),
        lasting.move(tree_id, ids["A1"], ids["B"]),
        lasting.remove(tree_id, ids["B1"]),
        lasting.bring_back(tree_id, deletion),
        lasting.do(lambda one: one.purge_deleted()),
    ]
    done = await asyncio.gather(*acts, return_exceptions=True)
    assert not [error for error in done if isinstance(error, BaseException)]
    rows = await lasting.whole(tree_id)
    assert len(rows) == 7 + 8 + 8
    async with lasting.sessions() as session:
        tree = await session.get_one(TopicTree, tree_id)
    assert tree.version == 1 + 1 + 15


async def test_of_two_who_bring_the_same_back_one_does(lasting: Trees) -> None:
    tree_id = await lasting.create()
    deletion, _ = await lasting.remove(tree_id, await lasting.at(tree_id, "A"))
    done = await asyncio.gather(*(lasting.bring_back(tree_id, deletion) for _ in range(2)), return_exceptions=True)
    assert [error.code for error in done if isinstance(error, DomainError)] == [ErrorCode.undo_expired]
    assert await lasting.outline(tree_id) == SMALL + "\n"
