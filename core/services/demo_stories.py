"""What the demo's two assistants talk about: topics with the notes that their posts are made of (`stories/*.json`)."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter


@dataclass(frozen=True)
class Story:
    """One assistant with all it needs, in one language."""

    language: str
    person: str
    """Who it posts as, on the sandbox's pages."""
    tree: str
    branches: dict[str, dict[str, str]]
    """Topics by the topic above them, each with its notes: what there is to say about it."""
    template: str
    description: str
    body: str
    tone: str
    picture: str
    assistant: str
    tag: str
    cron: str
    paid_cron: str
    """In its place where every post costs something."""

    @property
    def topics(self) -> str:
        """The tree in the form of an import."""
        lines = [f"- {self.tree}"]
        for branch, topics in self.branches.items():
            lines += [f"-- {branch}", *(f"--- {topic}" for topic in topics)]
        return "\n".join(lines)

    @property
    def notes(self) -> dict[str, str]:
        return {topic: notes for topics in self.branches.values() for topic, notes in topics.items()}


def _stories() -> tuple[Story, ...]:
    files = Path(__file__).parents[1] / "stories"
    story = TypeAdapter(Story)
    return tuple(story.validate_json((files / f"{language}.json").read_bytes()) for language in ("en", "de"))


STORIES = _stories()
CARD = "((Topic))\n((Content))"
