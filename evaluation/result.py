"""What a round has written and found, as it is stored: JSON that two rounds can be compared by."""

from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict

VERSION: Final = 1
"""Of the file's form."""


class _Stored(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Note(_Stored):
    """A finding of the second look (`core.posts.rules.review`)."""

    finding: str
    params: dict[str, str | int]


class JudgedText(_Stored):
    template: str
    language: str
    network: str
    number: int
    """Of the post in its series, from 0."""
    topic: str
    has_notes: bool
    text: str
    limit: int
    notes: list[Note]
    """What the second look finds in the finished text."""
    too_long: bool
    similarity: int
    """Percent of the text that the most similar earlier text of its series on this network has as well."""
    facts: dict[str, Any]
    """What the product did until the text was finished."""
    marks: dict[str, int] | None = None
    """By the judge's criteria; None: not judged."""


class SeriesCost(_Stored):
    """What the posts of a series have cost, with all further calls. None: unknown."""

    template: str
    language: str
    posts: int
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    cost_micros: int | None


class Failure(_Stored):
    """A post or a judgement that is missing. `code`: an `ErrorCode`, or why else."""

    template: str
    language: str
    number: int
    step: str
    code: str


class Round(_Stored):
    version: int = VERSION
    written_at: str
    model: str
    judge: str | None
    networks: list[str]
    second_look: str
    posts: int
    texts: list[JudgedText]
    costs: list[SeriesCost]
    judging: SeriesCost | None = None
    failures: list[Failure]
    ended_by_budget: bool


def read_round(path: Path) -> Round:
    return Round.model_validate_json(path.read_text(encoding="utf-8"))


def store_round(result: Round, path: Path) -> None:
    path.write_text(result.model_dump_json(indent=2) + "\n", encoding="utf-8")
