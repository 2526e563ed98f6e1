"""Topic trees as text, and picking the next topic. Nothing recurses: a tree may be 10,000 levels deep.

The format: one topic per line, as many hyphens as its depth, then its title.

    - Durable execution
    -- Timers
    --- Sleeping for a month

Only the unbroken run of hyphens counts, so in `- -5 °C` and `- - x` the depth is 1 and the titles are `-5 °C`
and `- x`: the space after the run allows a title to begin with a hyphen, and export always writes it.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from itertools import accumulate
from typing import NamedTuple, Protocol
from uuid import UUID

from core.errors import ErrorCode, FieldError, InvalidInput
from core.texts.rules.texts import one_line

MAX_TITLE = 200
MAX_LINK = 2_000
MAX_TOPICS = 10_000
"""Topics in one tree, without deleted ones."""
MAX_LINES = MAX_TOPICS
MAX_ERRORS = 100

_LINE_END = re.compile(r"\r\n|\r|\n")
# control characters, line and paragraph separators, and lone surrogates, which no database accepts
_NOT_IN_TITLES = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class Strategy(StrEnum):
    least_recent = "least_recent"
    in_order = "in_order"
    weighted_random = "weighted_random"


class PickFrom(StrEnum):
    """Which topics posts are written about."""

    leaves = "leaves"
    all = "all"


@dataclass(frozen=True)
class TopicLine:
    """One line as read; depth and line count from 1."""

    depth: int
    title: str
    line: int


@dataclass(frozen=True)
class ImportedTopic:
    """Depth 0 is the root or a top topic of a branch; both have no parent in the list. `parent` is an index into the
    same list, always smaller than the topic's own."""

    title: str
    depth: int
    parent: int | None


@dataclass(frozen=True)
class Import:
    """Either topics in reading order, parents first, or errors; never both."""

    topics: tuple[ImportedTopic, ...]
    errors: tuple[FieldError, ...]
    root: str | None = None
    """Title of the line of depth 1, if a whole tree has only one."""


class Node(Protocol):
    """The fields of a topic that export needs; depth 0 is the root."""

    @property
    def title(self) -> str: ...
    @property
    def depth(self) -> int: ...


class TopicNode(NamedTuple):
    """One topic of a saved tree; a tree is a list of nodes in reading order. A tuple, since there may be 10,000."""

    id: UUID
    parent_id: UUID | None
    depth: int
    title: str
    notes: str
    enabled: bool
    weight: int
    times_used: int
    last_used_at: datetime | None
    link: str = ""


@dataclass(frozen=True)
class Candidate:
    """A topic that can be picked. `path_to` returns its path after picking: the paths of all topics of a deep tree
    are longer than the tree."""

    id: UUID
    title: str
    weight: int
    times_used: int
    last_used_at: datetime | None


def clean_title(title: str) -> str:
    """Return the title as one line without control characters or space around it; it may be empty and is not cut."""
    return one_line(_NOT_IN_TITLES.sub(" ", title))


def parse_hyphens(text: str, tree_name: str) -> Import:
    """Read a whole tree. A single line of depth 1 is the root; with several, the tree's name is the root.

    Blank lines, space around lines, a byte order mark and any kind of line end are accepted. Errors are at most 100
    errors of lines (`lines.<n>`, n from 1) and of the name if it is the root, or one error of the whole text.
    """
    lines, errors = _read(text)
    roots = sum(line.depth == 1 for line in lines)
    if lines and roots != 1:
        root = TopicLine(0, clean_title(tree_name), 0)
        lines = [root, *lines]
        if roots:
            errors = [*errors, *title_problems(root.title, "name", ErrorCode.name_required)]
        if len(lines) > MAX_TOPICS:  # the tree's export could not be imported again
            errors = [FieldError("lines", ErrorCode.topic_too_many, found=len(lines), limit=MAX_TOPICS)]
    if errors:
        return Import((), tuple(errors[:MAX_ERRORS]))
    return Import(tuple(_with_parents(lines)), (), lines[0].title if roots == 1 else None)


def parse_branch(text: str) -> Import:
    """Read the children of an existing topic: lines of depth 1, of which there may be many, become depth 0.
    Errors as of `parse_hyphens`."""
    lines, errors = _read(text)
    if errors:
        return Import((), tuple(errors[:MAX_ERRORS]))
    return Import(tuple(_with_parents(lines)), ())


def title_problems(
    title: str, field: str = "title", empty: ErrorCode = ErrorCode.topic_empty_title
) -> list[FieldError]:
    """Return the errors of a cleaned title; `empty` is the code for an empty one."""
    if not title:
        return [FieldError(field, empty)]
    if len(title) > MAX_TITLE:
        return [FieldError(field, ErrorCode.topic_title_too_long, found=len(title), limit=MAX_TITLE)]
    return []


def export_hyphens(topics: Iterable[Node]) -> str:
    """Return the text of topics in reading order; the first is the root, whatever its depth. `parse_hyphens` reads
    the same titles and the same depths below the root from it."""
    lines: list[str] = []
    above = 0
    for topic in topics:
        above = above if lines else topic.depth - 1
        lines.append(f"{'-' * (topic.depth - above)} {clean_title(topic.title)}\n")
    return "".join(lines)


def candidates(nodes: Sequence[TopicNode], scope: PickFrom = PickFrom.leaves) -> list[Candidate]:
    """Return the topics of a whole tree that can be picked, in reading order: topics that are enabled, like all above
    them. `leaves` limits them to topics without an enabled child."""
    alive: set[UUID] = set()
    parents: set[UUID] = set()
    for node in nodes:
        if not node.enabled:
            continue
        if node.parent_id is None:
            alive.add(node.id)
        elif node.parent_id in alive:
            alive.add(node.id)
            parents.add(node.parent_id)
    pickable = alive if scope is PickFrom.all else alive - parents
    return [
        Candidate(
            id=node.id,
            title=node.title,
            weight=node.weight,
            times_used=node.times_used,
            last_used_at=node.last_used_at,
        )
        for node in nodes
        if node.id in pickable
    ]


def path_to(nodes: Sequence[TopicNode], topic_id: UUID) -> tuple[str, ...]:
    """Return the titles of the topics above a topic of a whole tree, root first."""
    by_id = {node.id: node for node in nodes}
    titles: list[str] = []
    above = by_id[topic_id].parent_id
    while above is not None:
        titles.append(by_id[above].title)
        above = by_id[above].parent_id
    return tuple(reversed(titles))


def notes_above(nodes: Sequence[TopicNode], topic_id: UUID) -> tuple[tuple[str, str], ...]:
    """Return title and notes of the topics with notes above a topic of a whole tree, nearest first."""
    by_id = {node.id: node for node in nodes}
    notes: list[tuple[str, str]] = []
    above = by_id[topic_id].parent_id
    while above is not None:
        node = by_id[above]
        if node.notes.strip():
            notes.append((node.title, node.notes))
        above = node.parent_id
    return tuple(notes)


def pick(
    candidates: Sequence[Candidate],
    strategy: Strategy,
    *,
    seed: str,
    recent: Sequence[UUID],
    no_repeat: int,
) -> Candidate:
    """Return the topic to write about next; the same arguments always give the same topic.

    `candidates` are in preorder, `recent` are the topics of the assistant's latest posts, newest first. The topics
    of the last `no_repeat` posts are left out, or of fewer posts if none might be left. `in_order` continues after
    the latest topic that still exists and starts over at the end. `weighted_random` never picks a weight of 0 while
    another topic has more. Raise InvalidInput (topic_tree_empty) without candidates.
    """
    if not candidates:
        raise InvalidInput(ErrorCode.topic_tree_empty)
    window = max(0, min(no_repeat, len(candidates) - 1))
    left_out = set(recent[:window])
    free = [candidate for candidate in candidates if candidate.id not in left_out]
    match strategy:
        case Strategy.in_order:
            return _after_latest(candidates, free, recent)
        case Strategy.least_recent:
            return _least_recent(free)
        case Strategy.weighted_random:
            return _weighted(free, seed)


def _read(text: str) -> tuple[list[TopicLine], list[FieldError]]:
    """Return the lines with a depth and all errors; no lines if the error is of the whole text."""
    numbered = [
        (number, line)
        for number, raw in enumerate(_LINE_END.split(text.removeprefix("\ufeff")), 1)
        if (line := raw.strip())
    ]
    if not numbered:
        return [], [FieldError("lines", ErrorCode.topic_tree_empty)]
    if len(numbered) > MAX_LINES:
        number = numbered[MAX_LINES][0]
        facts = {"line": number, "found": len(numbered), "limit": MAX_LINES}
        return [], [FieldError(f"lines.{number}", ErrorCode.topic_too_many_lines, **facts)]
    lines: list[TopicLine] = []
    errors: list[FieldError] = []
    before = 0
    for number, line in numbered:
        rest = line.lstrip("-")
        depth, title = len(line) - len(rest), clean_title(rest)
        field = f"lines.{number}"
        if depth == 0:
            errors.append(FieldError(field, ErrorCode.topic_no_hyphen, line=number))
            continue
        if depth > before + 1:
            jump = {"from_depth": before, "to_depth": depth}
            errors.append(FieldError(field, ErrorCode.topic_depth_jump, line=number, **jump))
        for problem in title_problems(title, field):
            errors.append(FieldError(field, problem.code, line=number, **problem.params))
        before = depth
        lines.append(TopicLine(depth, title, number))
    return lines, errors


def _with_parents(lines: Sequence[TopicLine]) -> list[ImportedTopic]:
    topics: list[ImportedTopic] = []
    open_at: list[int] = []  # by depth: index of the topic that is the parent of a deeper line
    for index, line in enumerate(lines):
        depth = line.depth - lines[0].depth
        del open_at[depth:]
        topics.append(ImportedTopic(line.title, depth, open_at[-1] if open_at else None))
        open_at.append(index)
    return topics


def _after_latest(candidates: Sequence[Candidate], free: Sequence[Candidate], recent: Sequence[UUID]) -> Candidate:
    position = {candidate.id: index for index, candidate in enumerate(candidates)}
    latest = next((position[topic] for topic in recent if topic in position), -1)
    return next((candidate for candidate in free if position[candidate.id] > latest), free[0])


def _least_recent(free: Sequence[Candidate]) -> Candidate:
    """Unused before used topics, then the longest unused, then the least often used, then tree order."""
    unused = [candidate for candidate in free if candidate.last_used_at is None]
    if unused:
        return min(unused, key=lambda candidate: candidate.times_used)
    used = [(candidate.last_used_at, candidate) for candidate in free if candidate.last_used_at]
    return min(used, key=lambda pair: (pair[0], pair[1].times_used))[1]


def _weighted(free: Sequence[Candidate], seed: str) -> Candidate:
    """Pick by a hash, not `random`: the pick has to stay the same with every version of Python."""
    weights = [max(0, candidate.weight) for candidate in free]
    sums = list(accumulate(weights if any(weights) else [1] * len(free)))
    draw = int.from_bytes(sha256(seed.encode("utf-8", "surrogatepass")).digest()) % sums[-1]
    return free[bisect_right(sums, draw)]
