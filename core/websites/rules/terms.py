"""Categories, which may be nested, and tags of a site."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

MAX_NAME: Final = 200


@dataclass(frozen=True)
class Category:
    id: str
    """The site's own id."""
    name: str
    parent: str = ""
    """The id of the parent category; empty: none."""


@dataclass(frozen=True)
class Taxonomy:
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    """The most used tags, by name."""


@dataclass(frozen=True)
class StoredTaxonomy:
    """What was last read from a site. `gone`: names by id of categories that the site had before, to name them in
    articles that still use them."""

    terms: Taxonomy = Taxonomy()
    gone: Mapping[str, str] | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "categories": [[category.id, category.name, category.parent] for category in self.terms.categories],
            "tags": list(self.terms.tags),
            "gone": dict(self.gone or {}),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "StoredTaxonomy":
        categories = tuple(Category(*map(str, category)) for category in stored["categories"])
        return cls(Taxonomy(categories, tuple(stored["tags"])), dict(stored["gone"]))

    def updated_with(self, terms: Taxonomy) -> "StoredTaxonomy":
        current_ids = {category.id for category in terms.categories}
        before = {**(self.gone or {}), **{category.id: category.name for category in self.terms.categories}}
        return StoredTaxonomy(terms, {id: name for id, name in before.items() if id not in current_ids})


def nest_categories(categories: Sequence[Category]) -> Iterator[tuple[Category, int]]:
    """Yield each category once, below its parent, with its depth; siblings by name. Categories without a known parent,
    or in a cycle, are at the top."""
    below: dict[str, list[Category]] = {}
    ids = {category.id for category in categories}
    for category in sorted(categories, key=lambda category: (category.name.casefold(), category.id)):
        below.setdefault(category.parent if category.parent in ids else "", []).append(category)
    visited: set[str] = set()

    def walk(parent: str, depth: int) -> Iterator[tuple[Category, int]]:
        for category in below.get(parent, []):
            if category.id not in visited:
                visited.add(category.id)
                yield category, depth
                yield from walk(category.id, depth + 1)

    yield from walk("", 0)
    for category in categories:  # cycles, which the walk from the top does not reach
        if category.id not in visited:
            visited.add(category.id)
            yield category, 0
            yield from walk(category.id, 1)
