"""What demo data talks about: topics with the notes that posts are made of (`stories/*.json`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

Branches = Mapping[str, Mapping[str, str]]
"""Topics by the topic above them, each with its notes: what there is to say about it."""


@dataclass(frozen=True)
class Occasion:
    """Topics for one kind of post, as a job ad or an invitation."""

    kind: str
    """A bundled template's key."""
    branch: str
    topics: dict[str, str]


@dataclass(frozen=True)
class Story:
    """A shop with one assistant and all it needs, in one language."""

    language: str
    person: str
    """Who it posts as, on the sandbox's pages."""
    tree: str
    branches: Branches
    template: str
    description: str
    body: str
    tone: str
    picture: str
    assistant: str
    tag: str
    cron: str
    asks: bool
    """Where demo data lasts, its user is asked before a post goes out."""
    occasions_tree: str
    """No assistant posts about it: what the bundled templates are tried out with."""
    occasions: tuple[Occasion, ...]
    variables: dict[str, str]
    """Of the bundled templates, as this shop would fill them in."""

    @property
    def trees(self) -> dict[str, Branches]:
        """By name; the first is the assistant's."""
        return {
            self.tree: self.branches,
            self.occasions_tree: {occasion.branch: occasion.topics for occasion in self.occasions},
        }


def hyphens(name: str, branches: Branches) -> str:
    """A tree in the form of an import."""
    lines = [f"- {name}"]
    for branch, topics in branches.items():
        lines += [f"-- {branch}", *(f"--- {topic}" for topic in topics)]
    return "\n".join(lines)


def _stories() -> tuple[Story, ...]:
    files = Path(__file__).with_name("stories")
    story = TypeAdapter(Story)
    return tuple(story.validate_json((files / f"{language}.json").read_bytes()) for language in ("en", "de"))


STORIES = _stories()
CARD = "((Topic))\n((Content))"
