"""Write the samples of the bundled templates as a run writes a post: `python -m cli.samples`.

The text model of the settings writes them, else the demo writer; each file says which one did.
`--read FILE` changes no template: it writes each template's texts on the demo's topics to FILE, for review.
"""

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID

from core.ai.writers import open_writer
from core.ai.writers.base import TextOrder, Writer, Written
from core.articles.orders import outline_order, section_order, section_room
from core.articles.rules.outlines import body_of, read_outline, section_text
from core.demo.story_files import STORIES
from core.runs.imaging import cover_title, picture_of_run
from core.runs.rules.runs import Brief
from core.runs.text_orders import LONGEST_TEXT, text_order_of_run, variable_values
from core.settings import Settings
from core.templates.marketplace import STARTERS
from core.templates.rules.model_settings import image_from_json, text_from_json
from core.templates.rules.templates import Engine, TemplateType
from core.texts.rules.markdown import plain
from core.texts.rules.texts import cut_text

SLOT = datetime(2027, 3, 1, 8, tzinfo=UTC)
ZONE = "Europe/Berlin"
NOBODY = UUID(int=0)
ARTICLE = "article"
"""Key of the template whose sample is an article instead of a post."""


@dataclass(frozen=True)
class Subject:
    """The subject of a sample's run, as a topic tree and an assistant provide it."""

    topic: str
    path: tuple[str, ...]
    notes: str
    variables: dict[str, str]


@dataclass(frozen=True)
class Sample:
    text: str
    """For an image template, the text of its card; for a carousel, the cover's headline and the post."""
    written_by: str


@dataclass(frozen=True)
class Starter:
    file: Path
    content: dict[str, Any]

    @property
    def subject(self) -> Subject:
        sample = self.content["sample"]
        return Subject(sample["topic"], tuple(sample["path"]), sample["notes"], sample["variables"])

    @property
    def texts(self) -> "Starter":
        """The text template whose sample an image template illustrates."""
        return read_starter(self.file.with_name(f"{self.content['language']}-{self.content['sample']['of']}.json"))


def read_starter(file: Path) -> Starter:
    return Starter(file, json.loads(file.read_text(encoding="utf-8")))


def read_starters() -> list[Starter]:
    return [read_starter(file) for file in sorted(STARTERS.glob("*.json"))]


async def write_sample(
    starter: Starter, writer: Writer, subject: Subject | None = None, turn: int | None = None
) -> Sample:
    """Return what a run writes with the template; without `subject`, on the template's own subject. `turn` as in
    `TextOrder`."""
    content = starter.content
    if content["type"] == TemplateType.text:
        return await _write_post(content, subject or starter.subject, writer, turn)
    texts = starter.texts
    subject = subject or texts.subject
    post = await _write_post(texts.content, subject, writer, turn)
    settings, brief = image_from_json(content["settings"]["image"]), _brief(content, subject)
    if settings.engine is Engine.carousel:
        title = cover_title(content["body"], variable_values(brief, day=brief.day(SLOT), Content=""))
        return replace(post, text=f"{title}\n\n{post.text}")
    order = picture_of_run(
        content["body"],
        settings,
        brief,
        post.text,
        slot=SLOT,
        user_id=NOBODY,
        seed=content["key"],
        logo=None,
        drawn=True,
    )
    return replace(post, text=order.prompt)


async def _write_post(content: dict[str, Any], subject: Subject, writer: Writer, turn: int | None = None) -> Sample:
    order = text_order_of_run(
        content["body"],
        text_from_json(content["settings"]["text"]),
        _brief(content, subject),
        slot=SLOT,
        limit=LONGEST_TEXT,
        user_id=NOBODY,
        seed=content["key"],
        turn=turn,
    )
    if content["key"] == ARTICLE:
        return await write_article(order, writer.write)
    written = await writer.write(order)
    return Sample(cut_text(written.text, order.max_characters), written.model)


async def write_article(order: TextOrder, write: Callable[[TextOrder], Awaitable[Written]]) -> Sample:
    """Write the article's outline and sections. Return its text without Markdown, as the list of templates shows it."""
    planned = await write(outline_order(order))
    outline, texts = read_outline(planned.text, order.topic), list[str]()
    room = section_room(order.max_characters, len(outline.headings))
    for number, heading in enumerate(outline.headings):
        written = await write(section_order(order, outline, number, body_of(outline.headings, texts)))
        texts.append(section_text(written.text, heading, room))
    lines = [
        outline.title,
        *(f"{heading}\n{plain(text)}" for heading, text in zip(outline.headings, texts, strict=True)),
    ]
    return Sample("\n\n".join(lines), planned.model)


def _brief(content: dict[str, Any], subject: Subject) -> Brief:
    return Brief(
        name=content["name"],
        language=content["language"],
        time_zone=ZONE,
        variables=subject.variables,
        topic=subject.topic,
        topic_path=subject.path,
        topic_notes=subject.notes,
    )


def demo_topics(language: str, variables: dict[str, str], kind: str = "") -> Iterator[Subject]:
    """Yield the demo's topics for a kind of post (a bundled template's key), else those of the demo's assistant."""
    for story in STORIES:
        if story.language != language:
            continue
        values = {name: story.variables.get(name, value) for name, value in variables.items()}
        fitting = {found.branch: found.topics for found in story.occasions if found.kind == kind}
        tree = story.occasions_tree if fitting else story.tree
        for branch, topics in (fitting or story.branches).items():
            yield from (Subject(topic, (tree, branch), notes, values) for topic, notes in topics.items())


async def _write_samples(writer: Writer) -> None:
    for starter in read_starters():
        sample = await write_sample(starter, writer)
        content = starter.content | {"sample_text": sample.text, "sample_written_by": sample.written_by}
        starter.file.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        print(f"{starter.file.name}: {len(sample.text)} characters by {sample.written_by}")


async def _write_review(writer: Writer, topics: int) -> str:
    """Return each template's texts: on its sample's topic, on the demo's topics in the order of an assistant, and on
    the last of those without its notes."""
    parts = []
    for starter in read_starters():
        texts = starter if starter.content["type"] == TemplateType.text else starter.texts
        tree = demo_topics(starter.content["language"], texts.subject.variables, texts.content["key"])
        chosen = list(islice(tree, topics))
        for turn, subject in enumerate((None, *chosen, replace(chosen[-1], notes=""))):
            sample = await write_sample(starter, writer, subject, turn if subject else None)
            heading = f"{starter.file.stem} · {subject.topic if subject else 'its sample'} · {len(sample.text)}"
            parts.append(f"=== {heading}{' · without notes' if subject and not subject.notes else ''}\n{sample.text}\n")
    return "\n".join(parts)


async def _main() -> None:
    parser = argparse.ArgumentParser(prog="python -m cli.samples", description=__doc__)
    parser.add_argument("--read", type=Path, metavar="FILE", help="write texts to this file, for review")
    parser.add_argument("--topics", type=int, default=3, help="number of the demo's topics per template, with --read")
    arguments = parser.parse_args()
    settings = Settings()
    key = settings.openai_api_key
    base_url = settings.openai_base_url
    writer = open_writer(
        key.get_secret_value() if key else None,
        base_url and str(base_url),
        settings.text_model,
        settings.reasoning_effort,
    )
    try:
        if arguments.read:
            arguments.read.write_text(await _write_review(writer, arguments.topics), encoding="utf-8")
        else:
            await _write_samples(writer)
    finally:
        await writer.close()


if __name__ == "__main__":
    asyncio.run(_main())
