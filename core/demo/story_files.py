"""The content of demo data: topics with the notes for posts (`stories/*.json`)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter

from core.brands.rules import BrandVoice

Branches = Mapping[str, Mapping[str, str]]
"""Topics with their notes, by the topic above them."""


@dataclass(frozen=True)
class Occasion:
    """Topics for one kind of post, such as a job ad or an invitation."""

    kind: str
    """A bundled template's key."""
    branch: str
    topics: dict[str, str]


@dataclass(frozen=True)
class Story:
    """A shop with one assistant and all it needs, in one language."""

    language: str
    person: str
    """The person whose account it posts through, on the sandbox's pages."""
    tree: str
    branches: Branches
    template: str
    description: str
    body: str
    brand: BrandVoice
    picture: str
    assistant: str
    tag: str
    cron: str
    asks: bool
    """With lasting demo data, posts need the user's approval."""
    occasions_tree: str
    """Topics for trying out the bundled templates; no assistant posts about them."""
    occasions: tuple[Occasion, ...]
    variables: dict[str, str]
    """This shop's values for the variables of the bundled templates."""

    @property
    def trees(self) -> dict[str, Branches]:
        """The topic trees by name; the first is the assistant's."""
        return {
            self.tree: self.branches,
            self.occasions_tree: {occasion.branch: occasion.topics for occasion in self.occasions},
        }


def hyphens(name: str, branches: Branches) -> str:
    """Return a tree in the import format."""
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
