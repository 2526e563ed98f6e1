"""Parts of an article by the demo writer: the notes' facts under fixed headings, and between them sentences that are
true of any topic. A rewrite chooses other sentences."""

from collections.abc import Callable
from typing import Final
from zlib import crc32

from core.ai.writers.base import PartOrder, TextOrder
from core.ai.writers.demo_brief import Notes, read_brief, read_notes
from core.ai.writers.demo_phrases import ArticleSection, Picker, addressed, cut, phrases_of
from core.articles.rules.outlines import Part
from core.texts.rules.texts import cut_text, one_line

_FIRST: Final = 3
"""Sentences of the notes in the first section; the second has the others."""
_PARAGRAPHS: Final = 2
_ITEMS: Final = 8


def compose_part(order: TextOrder, part: PartOrder) -> str:
    """Return the part with at most `order.max_characters`."""
    writing = _Article(order)
    compose: dict[Part, Callable[[], str]] = {
        Part.outline: writing.outline,
        Part.section: lambda: writing.section(part.heading),
        Part.summary: writing.summary,
        Part.search: lambda: writing.search(part.heading),
        Part.revision: lambda: writing.revision(part),
    }
    return cut_text(compose[part.part](), order.max_characters)


class _Article:
    def __init__(self, order: TextOrder) -> None:
        phrases = phrases_of(order.language)
        self.order, self.phrases = order, phrases.article
        self.topic = one_line(order.topic).rstrip(" .:,;") or phrases.fallback
        self.notes: Notes = read_notes(order.notes, phrases)
        self.formal = read_brief(order.prompt, self.topic, phrases).formal

    def outline(self) -> str:
        title = self._fill(self._pick("title").one(self.phrases.titles, "title"))
        return "\n".join([title, *(f"## {section.heading}" for section in self.phrases.sections)])

    def section(self, heading: str) -> str:
        """Return the section's text; a heading changed by the user gets general sentences only."""
        known = {section.heading: section for section in self.phrases.sections}
        section = known.get(heading, self.phrases.sections[0])
        facts = self._facts_of(section) if heading in known else []
        paragraphs = [self._fill(text) for text in self._pick(heading).shuffled(section.paragraphs)]
        return "\n\n".join([*facts, *paragraphs[: max(1, _PARAGRAPHS - len(facts))]])

    def summary(self) -> str:
        first = next(iter(self.notes.prose), "")
        summary = self._fill(self._pick("summary").one(self.phrases.summaries, "summary"))
        return f"{summary} {first}".strip()

    def search(self, title: str) -> str:
        return f"{title}\n{self._fill(self._pick('search').one(self.phrases.descriptions, 'search'))}"

    def revision(self, part: PartOrder) -> str:
        """Return the article with the same headings and, if there are any, other sentences below them."""
        blocks = [f"# {part.heading}"]
        for block in f"\n{part.text}".split("\n## "):
            heading, _, text = block.partition("\n")
            if not heading.strip():
                blocks += [text.strip()] if text.strip() else []
                continue
            images = [line for line in text.split("\n") if line.startswith("![")]
            written = self.section(heading.strip())
            if written in text:
                written = "\n\n".join(written.split("\n\n")[:-1]) or written
            blocks.append("\n\n".join([f"## {heading.strip()}", *images, written]))
        return "\n\n".join(blocks)

    def _facts_of(self, section: ArticleSection) -> list[str]:
        """Return the notes' facts for the section."""
        notes = self.notes
        facts = {
            "prose": [" ".join(notes.prose[:_FIRST])],
            "rest": [" ".join(notes.prose[_FIRST:]), *notes.quotes],
            "items": ["\n".join(f"- {item}" for item in notes.items[:_ITEMS])],
            "labels": ["\n".join(f"- {label}" for label in notes.labels), notes.question],
        }
        return [text for text in facts.get(section.holds, []) if text]

    def _pick(self, name: str) -> Picker:
        order = self.order
        seed = "\0".join([order.prompt, self.topic, order.seed, name, *order.refused])
        return Picker(crc32(seed.encode("utf-8", "surrogatepass")), order.turn)

    def _fill(self, sentence: str) -> str:
        """Return the sentence with the topic, in the address of the brief."""
        return addressed(sentence, formal=self.formal).replace("{topic}", cut(self.topic, 120))
