from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ErrorCode, InvalidInput
from core.topics.rules import (
    Candidate,
    ImportedTopic,
    PickFrom,
    Strategy,
    TopicNode,
    candidates,
    clean_title,
    export_hyphens,
    parse_branch,
    parse_hyphens,
    path_to,
    pick,
)
from tests.growth import grows_in_step


def outline(text: str, name: str = "Tree") -> list[tuple[int, str, int | None]]:
    result = parse_hyphens(text, name)
    assert result.errors == ()
    return [(topic.depth, topic.title, topic.parent) for topic in result.topics]


def problems(text: str, name: str = "Tree") -> list[tuple[str, str, dict[str, object]]]:
    result = parse_hyphens(text, name)
    assert result.topics == ()
    return [(error.field, error.code.value, dict(error.params)) for error in result.errors]


# --- import


def test_the_number_of_hyphens_is_the_depth_and_the_first_line_the_root() -> None:
    assert outline("- Root\n-- A\n--- A1\n--- A2\n-- B\n") == [
        (0, "Root", None),
        (1, "A", 0),
        (2, "A1", 1),
        (2, "A2", 1),
        (1, "B", 0),
    ]


def test_with_several_lines_of_depth_one_the_name_is_the_root() -> None:
    assert outline("- A\n-- A1\n- B", " My\ntopics ") == [
        (0, "My topics", None),
        (1, "A", 0),
        (2, "A1", 1),
        (1, "B", 0),
    ]


def test_what_editors_and_clipboards_add_is_accepted() -> None:
    text = "\ufeff\r\n  - Root \r\n\t--A\t\r\r\n   \n--\tB\n\n"
    assert outline(text) == [(0, "Root", None), (1, "A", 0), (1, "B", 0)]


def test_only_the_unbroken_run_of_hyphens_counts() -> None:
    assert outline("- - x\n-- -5 °C\n-- --") == [(0, "- x", None), (1, "-5 °C", 0), (1, "--", 0)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [("lines", "topic_tree_empty", {})]),
        ("\n \ufeff\t\n".replace("\ufeff", ""), [("lines", "topic_tree_empty", {})]),
        ("- A\n\nB", [("lines.3", "topic_no_hyphen", {"line": 3})]),
        ("- A\n-- \n-- B", [("lines.2", "topic_empty_title", {"line": 2})]),
        ("-- A", [("lines.1", "topic_depth_jump", {"line": 1, "from_depth": 0, "to_depth": 2})]),
        (
            "- A\n---- B\n---- C\n-- D",
            [("lines.2", "topic_depth_jump", {"line": 2, "from_depth": 1, "to_depth": 4})],
        ),
        ("- " + "x" * 201, [("lines.1", "topic_title_too_long", {"line": 1, "found": 201, "limit": 200})]),
        (
            "- A\nB\n---\n",
            [
                ("lines.2", "topic_no_hyphen", {"line": 2}),
                ("lines.3", "topic_depth_jump", {"line": 3, "from_depth": 1, "to_depth": 3}),
                ("lines.3", "topic_empty_title", {"line": 3}),
            ],
        ),
    ],
)
def test_errors_name_the_line(text: str, expected: list[tuple[str, str, dict[str, object]]]) -> None:
    assert problems(text) == expected


def test_a_name_that_becomes_the_root_has_to_be_a_title() -> None:
    assert problems("- A\n- B", " ") == [("name", "name_required", {})]
    assert problems("- A\n- B", "n" * 201) == [("name", "topic_title_too_long", {"found": 201, "limit": 200})]
    assert outline("- A", "") == [(0, "A", None)]


def test_at_most_a_hundred_errors_are_listed() -> None:
    assert len(problems("no hyphen\n" * 5000)) == 100


def test_ten_thousand_lines_are_read_and_one_more_is_not() -> None:
    assert len(outline("- Root\n" + "-- A\n\n" * 9_999)) == 10_000
    text = "- Root\n" + "-- A\n\n" * 10_000
    facts = {"line": 20_000, "found": 10_001, "limit": 10_000}
    assert problems(text) == [("lines.20000", "topic_too_many_lines", facts)]


def test_a_name_that_becomes_the_root_counts_too() -> None:
    """Or the export of the tree could not be imported."""
    text = "- A\n" * 10_000
    assert problems(text) == [("lines", "topic_too_many", {"found": 10_001, "limit": 10_000})]
    assert len(outline("- A\n" * 9_999)) == 10_000


def test_a_chain_of_three_thousand_is_read_and_written() -> None:
    """Nothing recurses; its text has more than four million hyphens."""
    chain = [ImportedTopic(f"T{n}", n, n - 1 if n else None) for n in range(3_000)]
    result = parse_hyphens(export_hyphens(chain), "")
    assert result.topics == tuple(chain)


# --- import under a topic


def test_a_branch_may_have_many_lines_of_depth_one() -> None:
    result = parse_branch("- A\n-- A1\n--- A2\n- B\n-- B1")
    assert result.errors == ()
    assert [(topic.title, topic.depth, topic.parent) for topic in result.topics] == [
        ("A", 0, None),
        ("A1", 1, 0),
        ("A2", 2, 1),
        ("B", 0, None),
        ("B1", 1, 3),
    ]
    assert len(parse_branch("- A\n" * 10_000).topics) == 10_000


@pytest.mark.parametrize("text", ["", "-- A", "- A\nB", "-", "- A\n--- B", "- " + "x" * 201, "- A\n" * 10_001])
def test_a_branch_has_the_errors_of_a_tree(text: str) -> None:
    found = parse_branch(text)
    assert found.topics == ()
    assert [(error.field, error.code, dict(error.params)) for error in found.errors] == problems(text)


def wide(size: int) -> list[ImportedTopic]:
    return [ImportedTopic("R", 0, None), *(ImportedTopic(f"W{n}", 1, 0) for n in range(size - 1))]


def deep(size: int) -> list[ImportedTopic]:
    """Ways down of 250 topics: one single way would have as many hyphens as the square of its length."""
    ways = [ImportedTopic(f"T{n}", n % 250 + 1, n if n % 250 else 0) for n in range(size - 1)]
    return [ImportedTopic("R", 0, None), *ways]


@pytest.mark.parametrize("tree", [wide, deep])
def test_a_deep_and_a_wide_tree_take_no_more_per_topic_than_a_small_one(
    tree: Callable[[int], list[ImportedTopic]],
) -> None:
    def there_and_back(topics: list[ImportedTopic]) -> None:
        assert parse_hyphens(export_hyphens(topics), "").topics == tuple(topics)

    assert grows_in_step(tree, there_and_back, 2500)


# --- export

titles = st.text(min_size=1, max_size=30).map(clean_title).filter(bool) | st.text("-\\ x", min_size=1).map(
    clean_title
).filter(lambda title: 0 < len(title) <= 200)


@st.composite
def trees(draw: st.DrawFn) -> list[ImportedTopic]:
    """Of any shape; some go down far before they branch."""
    chain = draw(st.just(0) | st.integers(0, 300))
    topics = [ImportedTopic("x", depth, depth - 1 if depth else None) for depth in range(chain)]
    path = list(range(chain))
    for index in range(chain, chain + draw(st.integers(1, 25))):
        depth = draw(st.integers(1, len(path))) if path else 0
        topics.append(ImportedTopic(draw(titles), depth, path[depth - 1] if depth else None))
        path = [*path[:depth], index]
    return topics


@given(trees(), st.text(max_size=5))
def test_import_of_an_export_gives_the_same_tree(tree: list[ImportedTopic], name: str) -> None:
    result = parse_hyphens(export_hyphens(tree), name)
    assert (list(result.topics), result.errors) == (tree, ())


@given(trees(), st.data())
def test_the_export_of_a_branch_is_a_tree(tree: list[ImportedTopic], data: st.DataObject) -> None:
    """The first line is the root, however deep it was."""
    start = data.draw(st.integers(0, len(tree) - 1))
    end = next((at for at in range(start + 1, len(tree)) if tree[at].depth <= tree[start].depth), len(tree))
    result = parse_hyphens(export_hyphens(tree[start:end]), "")
    assert [(topic.title, topic.depth) for topic in result.topics] == [
        (topic.title, topic.depth - tree[start].depth) for topic in tree[start:end]
    ]


@given(trees())
def test_the_children_of_an_export_are_a_branch(tree: list[ImportedTopic]) -> None:
    """Written under the root of another tree, they are what they were."""
    below = [ImportedTopic(topic.title, topic.depth - 1, topic.parent) for topic in tree[1:]]
    text = "".join(f"{'-' * (topic.depth + 1)} {topic.title}\n" for topic in below)
    result = parse_branch(text)
    assert [(topic.title, topic.depth) for topic in result.topics] == [(topic.title, topic.depth) for topic in below]


def test_export_takes_anything_with_title_and_depth_and_keeps_one_line_each() -> None:
    @dataclass
    class Row:
        title: str
        depth: int

    assert export_hyphens([Row("Root", 0), Row("two\nlines ", 1)]) == "- Root\n-- two lines\n"
    assert export_hyphens([]) == ""


@given(st.text())
def test_any_text_is_either_a_tree_or_errors(text: str) -> None:
    result = parse_hyphens(text, "Tree")
    assert bool(result.topics) != bool(result.errors)
    for index, topic in enumerate(result.topics):
        assert 0 < len(topic.title) <= 200
        assert topic.title == clean_title(topic.title)
        if topic.parent is None:
            assert (index, topic.depth) == (0, 0)
        else:
            assert topic.parent < index
            assert result.topics[topic.parent].depth == topic.depth - 1


@given(st.text(st.characters()))
def test_clean_titles_are_one_storable_line_and_stay(title: str) -> None:
    cleaned = clean_title(title)
    assert clean_title(cleaned) == cleaned == cleaned.strip()
    assert len(cleaned.splitlines()) <= 1
    assert "\x00" not in cleaned.encode("utf-8").decode()


# --- candidates


def test_a_candidate_keeps_what_picking_asks_of_it() -> None:
    used = datetime(2026, 11, 1, tzinfo=UTC)
    node = TopicNode(UUID(int=1), None, 0, "Rain", "", True, 5, 7, used)
    assert candidates([node]) == [Candidate(UUID(int=1), "Rain", 5, 7, used)]


def test_of_equally_old_topics_the_less_used_comes_first() -> None:
    pair = [topic(0, last_used_at=BEGAN, times_used=3), topic(1, last_used_at=BEGAN, times_used=2)]
    assert number(pick(pair, Strategy.least_recent, seed="", recent=[], no_repeat=0)) == 1


def test_a_title_may_be_as_long_as_it_may_be() -> None:
    assert outline("- " + "x" * 200) == [(0, "x" * 200, None)]


def test_any_seed_picks() -> None:
    # half a character, as a name cut by another program may end with one
    assert pick(FOUR, Strategy.weighted_random, seed="\ud83d", recent=[], no_repeat=0) in FOUR


def saved(tree: list[tuple[int, bool]]) -> list[TopicNode]:
    """From depths and whether each is enabled."""
    nodes: list[TopicNode] = []
    path: list[UUID] = []
    for number, (depth, enabled) in enumerate(tree):
        del path[depth:]
        id = UUID(int=number)
        nodes.append(TopicNode(id, path[-1] if path else None, depth, f"T{number}", "", enabled, 1, 0, None))
        path.append(id)
    return nodes


def chosen_from(tree: list[tuple[int, bool]], scope: PickFrom) -> list[int]:
    return [found.id.int for found in candidates(saved(tree), scope)]


# Root: A: (A1, A2 off: A2a), B off: (B1), C: (C1 off)
MIXED = [(0, True), (1, True), (2, True), (2, False), (3, True), (1, False), (2, True), (1, True), (2, False)]


def test_leaves_are_candidates_unless_they_or_one_above_is_disabled() -> None:
    """C is a leaf: what is under it is disabled."""
    assert chosen_from(MIXED, PickFrom.leaves) == [2, 7]


def test_all_topics_are_candidates_where_that_is_wanted() -> None:
    assert chosen_from(MIXED, PickFrom.all) == [0, 1, 2, 7]


@pytest.mark.parametrize("scope", PickFrom)
def test_below_a_disabled_root_there_is_nothing(scope: PickFrom) -> None:
    assert chosen_from([(0, False), (1, True), (2, True)], scope) == []
    assert chosen_from([(0, True)], scope) == [0]
    assert chosen_from([], scope) == []


@st.composite
def switched(draw: st.DrawFn) -> list[tuple[int, bool]]:
    found: list[tuple[int, bool]] = []
    for _ in range(draw(st.integers(1, 20))):
        found.append((draw(st.integers(1, found[-1][0] + 1)) if found else 0, draw(st.booleans())))
    return found


@given(switched())
def test_candidates_are_what_a_look_at_each_path_says(tree: list[tuple[int, bool]]) -> None:
    nodes = saved(tree)
    by_id = {node.id: node for node in nodes}

    def on(node: TopicNode) -> bool:
        return node.enabled and (node.parent_id is None or on(by_id[node.parent_id]))

    every = [node.id for node in nodes if on(node)]
    leaves = [id for id in every if not any(node.enabled for node in nodes if node.parent_id == id)]
    assert [found.id for found in candidates(nodes, PickFrom.all)] == every
    assert [found.id for found in candidates(nodes)] == leaves


def test_the_path_to_a_topic_is_what_it_stands_under() -> None:
    nodes = saved(MIXED)
    assert path_to(nodes, nodes[4].id) == ("T0", "T1", "T3")
    assert path_to(nodes, nodes[0].id) == ()


def test_candidates_of_a_chain_take_no_more_per_topic_the_longer_it_is() -> None:
    def chain(length: int) -> list[TopicNode]:
        return saved([(depth, True) for depth in range(length)])

    def all_of(nodes: list[TopicNode]) -> None:
        assert len(candidates(nodes, PickFrom.all)) == len(nodes)
        assert len(path_to(nodes, candidates(nodes)[0].id)) == len(nodes) - 1

    assert grows_in_step(chain, all_of, 2500)


# --- picking

BEGAN = datetime(2026, 1, 1, tzinfo=UTC)


def topic(number: int, *, weight: int = 1, times_used: int = 0, last_used_at: datetime | None = None) -> Candidate:
    return Candidate(UUID(int=number), f"T{number}", weight, times_used, last_used_at)


FOUR = [topic(n) for n in range(4)]


def number(candidate: Candidate) -> int:
    return candidate.id.int


def picked_in_a_row(candidates: list[Candidate], strategy: Strategy, no_repeat: int, count: int) -> list[int]:
    recent: list[UUID] = []
    for turn in range(count):
        found = pick(candidates, strategy, seed=str(turn), recent=recent, no_repeat=no_repeat)
        recent.insert(0, found.id)
    return [each.int for each in reversed(recent)]


def test_without_candidates_there_is_nothing_to_pick() -> None:
    with pytest.raises(InvalidInput) as caught:
        pick([], Strategy.in_order, seed="", recent=[], no_repeat=0)
    assert caught.value.code == ErrorCode.topic_tree_empty


def test_in_order_goes_round() -> None:
    assert picked_in_a_row(FOUR, Strategy.in_order, 0, 6) == [0, 1, 2, 3, 0, 1]
    assert picked_in_a_row(FOUR, Strategy.in_order, 99, 6) == [0, 1, 2, 3, 0, 1]


def test_in_order_goes_on_after_the_latest_that_is_still_there() -> None:
    recent = [UUID(int=77), UUID(int=1), UUID(int=3)]
    assert number(pick(FOUR, Strategy.in_order, seed="", recent=recent, no_repeat=1)) == 2


def test_least_recent_takes_the_unused_first_then_the_oldest() -> None:
    old, older = BEGAN, BEGAN - timedelta(days=1)
    candidates = [topic(0, last_used_at=old, times_used=1), topic(1, last_used_at=older, times_used=9), topic(2)]
    recent: list[UUID] = []
    assert number(pick(candidates, Strategy.least_recent, seed="", recent=recent, no_repeat=0)) == 2
    assert number(pick(candidates[:2], Strategy.least_recent, seed="", recent=recent, no_repeat=0)) == 1
    # a post not yet counted in last_used_at is known from `recent`
    assert number(pick(candidates[:2], Strategy.least_recent, seed="", recent=[UUID(int=1)], no_repeat=3)) == 0


def test_weights_are_kept_to() -> None:
    candidates = [topic(0, weight=3), topic(1, weight=1), topic(2, weight=0)]
    counts = Counter(
        number(pick(candidates, Strategy.weighted_random, seed=f"run-{n}", recent=[], no_repeat=0)) for n in range(2000)
    )
    assert counts[2] == 0
    assert 2.5 < counts[0] / counts[1] < 3.5


def test_if_no_topic_has_weight_all_have_the_same() -> None:
    candidates = [topic(0, weight=0), topic(1, weight=0)]
    assert set(picked_in_a_row(candidates, Strategy.weighted_random, 0, 30)) == {0, 1}


def test_a_seed_picks_the_same_in_every_release() -> None:
    found = [number(pick(FOUR, Strategy.weighted_random, seed=f"s{n}", recent=[], no_repeat=0)) for n in range(8)]
    assert found == [3, 0, 0, 3, 2, 0, 3, 2]


@given(
    st.sampled_from(Strategy),
    st.lists(st.integers(0, 5), min_size=1, max_size=12),
    st.lists(st.integers(0, 14), max_size=20),
    st.integers(0, 20),
    st.text(max_size=10),
)
def test_no_topic_repeats_within_the_window(
    strategy: Strategy, weights: list[int], recent: list[int], no_repeat: int, seed: str
) -> None:
    candidates = [topic(index, weight=weight) for index, weight in enumerate(weights)]
    used = [UUID(int=each) for each in recent]
    found = pick(candidates, strategy, seed=seed, recent=used, no_repeat=no_repeat)
    assert found in candidates
    assert found.id not in used[: min(no_repeat, len(candidates) - 1)]
    assert pick(candidates, strategy, seed=seed, recent=used, no_repeat=no_repeat) == found


@given(st.sampled_from(Strategy), st.lists(st.integers(1, 100), min_size=1, max_size=9), st.text(max_size=5))
def test_when_all_are_used_up_it_starts_over(strategy: Strategy, weights: list[int], seed: str) -> None:
    """As long as nothing may repeat, every topic has its turn before one has its second."""
    used: dict[int, datetime] = {}
    recent: list[UUID] = []
    for turn in range(3 * len(weights)):
        now = [
            topic(at, weight=weight, times_used=int(at in used), last_used_at=used.get(at))
            for at, weight in enumerate(weights)
        ]
        found = pick(now, strategy, seed=f"{seed}{turn}", recent=recent, no_repeat=99)
        used[found.id.int] = BEGAN + timedelta(hours=turn)
        recent.insert(0, found.id)
    for start in range(0, len(recent), len(weights)):
        assert len(set(recent[start : start + len(weights)])) == len(weights)


@pytest.mark.parametrize("strategy", Strategy)
def test_candidates_take_no_more_each_the_more_there_are(strategy: Strategy) -> None:
    def pick_one(candidates: list[Candidate]) -> None:
        recent = [each.id for each in candidates[::2]]
        pick(candidates, strategy, seed="x", recent=recent, no_repeat=len(candidates) * 9 // 10)

    assert grows_in_step(lambda size: [topic(n) for n in range(size)], pick_one, 2500)
