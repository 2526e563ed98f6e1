"""Tables of one round, and of the difference between two."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import mean
from typing import NamedTuple

from core.texts.rules.review import Finding
from core.texts.rules.second_look import opening_of
from evaluation.judge import Criterion
from evaluation.meter import MICROS_A_CENT
from evaluation.result import JudgedText, Round, SeriesCost


class Place(NamedTuple):
    template: str
    language: str
    network: str


@dataclass(frozen=True)
class Figures:
    """Figures of the texts of one place, or of several."""

    texts: int
    characters: float
    """On average."""
    found: float
    """Findings per text, before a revision."""
    notes: float
    """Findings per text as it is."""
    unproven: int
    """Texts with a number or a name that nobody gave."""
    same_openings: int
    """Texts that begin as another one of the same place does, by their first three words."""
    similarity: int
    """The highest, in percent."""
    mark: float | None
    """The mean of all marks; None: not judged."""


class Costs(NamedTuple):
    """Per post. None: unknown."""

    input_tokens: float | None
    output_tokens: float | None
    micros: float | None


def figures_of(texts: Sequence[JudgedText]) -> Figures:
    openings = Counter((*_place_of(text), _opening(text.text)) for text in texts)
    marks = [mean(text.marks.values()) for text in texts if text.marks]
    return Figures(
        texts=len(texts),
        characters=mean(len(text.text) for text in texts),
        found=mean(len(text.facts.get("found", text.notes)) for text in texts),
        notes=mean(len(text.notes) for text in texts),
        unproven=sum(any(note.finding == Finding.unproven for note in text.notes) for text in texts),
        same_openings=sum(count for count in openings.values() if count > 1),
        similarity=max(text.similarity for text in texts),
        mark=mean(marks) if marks else None,
    )


def by_place(result: Round) -> dict[Place, Figures]:
    """Return the figures by template, language and network, in the order of the round."""
    found: defaultdict[Place, list[JudgedText]] = defaultdict(list)
    for text in result.texts:
        found[_place_of(text)].append(text)
    return {place: figures_of(texts) for place, texts in found.items()}


def costs_of(costs: Iterable[SeriesCost]) -> Costs:
    costs = list(costs)
    posts = sum(cost.posts for cost in costs)

    def per_post(figures: list[int | None]) -> float | None:
        known = [figure for figure in figures if figure is not None]
        return sum(known) / posts if posts and len(known) == len(figures) else None

    return Costs(
        per_post([cost.input_tokens for cost in costs]),
        per_post([cost.output_tokens for cost in costs]),
        per_post([cost.cost_micros for cost in costs]),
    )


def render(result: Round) -> str:
    """Return the round's tables: texts by template, language and network, findings, marks, tokens and cost."""
    parts = [
        f"Written by {result.model}, judged by {f'{result.judge} and rules' if result.judge else 'rules alone'}.",
        _table(_FIGURE_HEAD, [[*place, *_figure_cells(figures)] for place, figures in by_place(result).items()]),
    ]
    if result.texts:
        parts.append(f"All texts: {_sentence(figures_of(result.texts))}")
    if any(text.notes for text in result.texts):
        parts.append(_findings_table(result.texts))
    if result.judge:
        parts.append(_marks_table(result.texts))
    rows = [
        [cost.template, cost.language, str(cost.posts), str(cost.calls), *_cost_cells(costs_of([cost]))]
        for cost in [*result.costs, *([result.judging] if result.judging else [])]
    ]
    parts.append(_table(("template", "language", "posts", "calls", *_COST_HEAD), rows))
    if result.costs:
        parts.append(f"Per post: {', '.join(_named(_COST_HEAD, _cost_cells(costs_of(result.costs))))}.")
    parts += [
        f"Missing: {failure.language}-{failure.template}, post {failure.number + 1}: {failure.step}, {failure.code}"
        for failure in result.failures
    ]
    if result.ended_by_budget:
        parts.append("The round ended before its last post: the next call could have cost more than the budget.")
    return "\n\n".join(parts)


def compare(before: Round, after: Round) -> str:
    """Return the difference of two rounds, place by place and in all. Places of one round alone are named."""
    old, new = by_place(before), by_place(after)
    rows = [
        [*place, *map(_change, _figure_cells(old[place]), _figure_cells(new[place]))] for place in old if place in new
    ]
    parts = [
        f"{before.model} of {before.written_at} and {after.model} of {after.written_at}.",
        _table(_FIGURE_HEAD, rows),
    ]
    # places of one round alone would change the total without a change of any text
    shared = [[text for text in each.texts if _place_of(text) in old.keys() & new.keys()] for each in (before, after)]
    if all(shared):
        changes = map(_change, *(_figure_cells(figures_of(texts)) for texts in shared))
        parts.append(f"All texts of both rounds' places: {', '.join(_named(_FIGURE_HEAD[3:], changes))}.")
    changes = map(_change, *(_cost_cells(costs_of(each.costs)) for each in (before, after)))
    parts.append(f"Per post: {', '.join(_named(_COST_HEAD, changes))}.")
    for place in sorted(old.keys() ^ new.keys()):
        parts.append(f"Only {'before' if place in old else 'after'}: {' '.join(place)}")
    return "\n\n".join(parts)


_FIGURE_HEAD = (
    *("template", "language", "network"),
    *("texts", "characters", "found", "left", "unproven", "same openings", "similarity", "mark"),
)
_COST_HEAD = ("input tokens", "output tokens", "cents")


def _figure_cells(figures: Figures) -> list[str]:
    return [
        str(figures.texts),
        f"{figures.characters:.0f}",
        f"{figures.found:.2f}",
        f"{figures.notes:.2f}",
        str(figures.unproven),
        str(figures.same_openings),
        f"{figures.similarity} %",
        "–" if figures.mark is None else f"{figures.mark:.2f}",
    ]


def _sentence(figures: Figures) -> str:
    return f"{', '.join(_named(_FIGURE_HEAD[3:], _figure_cells(figures)))}."


def _cost_cells(costs: Costs) -> list[str]:
    def cell(figure: float | None, form: Callable[[float], str]) -> str:
        return "unknown" if figure is None else form(figure)

    return [
        cell(costs.input_tokens, lambda tokens: f"{tokens:.0f}"),
        cell(costs.output_tokens, lambda tokens: f"{tokens:.0f}"),
        cell(costs.micros, lambda micros: f"{micros / MICROS_A_CENT:.4f}"),
    ]


def _findings_table(texts: Sequence[JudgedText]) -> str:
    with_notes = [text for text in texts if text.has_notes]
    without = [text for text in texts if not text.has_notes]

    def count(finding: str, of: Sequence[JudgedText]) -> str:
        return f"{sum(any(note.finding == finding for note in text.notes) for text in of)} of {len(of)}"

    found = [
        [finding.value, count(finding.value, with_notes), count(finding.value, without)]
        for finding in Finding
        if any(note.finding == finding for text in texts for note in text.notes)
    ]
    return _table(("texts with this finding", "with notes", "without notes"), found)


def _marks_table(texts: Sequence[JudgedText]) -> str:
    rows = []
    for criterion in Criterion:
        marks = [text.marks[criterion] for text in texts if text.marks]
        rows.append([criterion.value, f"{mean(marks):.2f}" if marks else "–", str(len(marks))])
    return _table(("criterion", "mean mark", "texts"), rows)


def _change(old: str, new: str) -> str:
    return new if old == new else f"{old} → {new}"


def _named(names: Iterable[str], cells: Iterable[str]) -> list[str]:
    return [f"{name} {cell}" for name, cell in zip(names, cells, strict=True)]


def _place_of(text: JudgedText) -> Place:
    return Place(text.template, text.language, text.network)


def _opening(text: str) -> str:
    return " ".join(opening_of(text).casefold().split()[:3])


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table of Markdown whose columns have one width."""
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [head, ["-" * width for width in widths], *rows]
    return "\n".join(
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))} |" for line in lines
    )
