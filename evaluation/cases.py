"""What is written: posts of each bundled text template in each language, and of the demo's topic tree."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from cli.samples import ARTICLE, Subject, demo_topics, read_starters
from core.brands.rules import BrandVoice
from core.demo.story_files import STORIES
from core.templates.rules.model_settings import TextSettings, text_from_json
from core.templates.rules.templates import TemplateType

DEMO_TREE: Final = "demo-tree"
"""The name of the demo's own template, with the topics of its assistant."""


@dataclass(frozen=True)
class Series:
    """Posts with one template in one language, written one after the other, as an assistant does."""

    template: str
    """A bundled template's key, or DEMO_TREE."""
    language: str
    body: str
    settings: TextSettings
    subjects: tuple[Subject, ...]
    brand: BrandVoice | None = None

    @property
    def is_article(self) -> bool:
        return self.template == ARTICLE

    def __str__(self) -> str:
        return f"{self.language}-{self.template}"


def list_series(
    languages: Collection[str], templates: Collection[str], posts: int, brand: BrandVoice | None = None
) -> list[Series]:
    """Return the series of the languages and, unless `templates` is empty, of these templates alone. Of several posts
    with a bundled template the last has no notes: it shows whether facts are invented. The demo's posts are for the
    demo's brand, unless there is another `brand` for all."""
    found = [*_of_starters(languages, posts), *_of_demo_trees(languages, posts)]
    wanted = [series for series in found if not templates or series.template in templates]
    return [replace(series, brand=brand) for series in wanted] if brand else wanted


def _of_starters(languages: Collection[str], posts: int) -> Iterator[Series]:
    for starter in read_starters():
        content, language = starter.content, starter.content["language"]
        if content["type"] != TemplateType.text or language not in languages:
            continue
        own = starter.subject
        others = islice(demo_topics(language, own.variables, content["key"]), posts - 1)
        subjects = [own, *others]
        if len(subjects) > 1:
            subjects[-1] = replace(subjects[-1], notes="")
        settings = text_from_json(content["settings"]["text"])
        yield Series(content["key"], language, content["body"], settings, tuple(subjects))


def _of_demo_trees(languages: Collection[str], posts: int) -> Iterator[Series]:
    for story in STORIES:
        if story.language in languages:
            subjects = tuple(islice(demo_topics(story.language, {}), posts))
            yield Series(DEMO_TREE, story.language, story.body, TextSettings(), subjects, story.brand)
