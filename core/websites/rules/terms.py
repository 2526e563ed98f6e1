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
            "categories": [[one.id, one.name, one.parent] for one in self.terms.categories],
            "tags": list(self.terms.tags),
            "gone": dict(self.gone or {}),
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "StoredTaxonomy":
        categories = tuple(Category(*map(str, one)) for one in kept["categories"])
        return cls(Taxonomy(categories, tuple(kept["tags"])), dict(kept["gone"]))

    def updated_with(self, terms: Taxonomy) -> "StoredTaxonomy":
        there = {one.id for one in terms.categories}
        before = {**(self.gone or {}), **{one.id: one.name for one in self.terms.categories}}
        return StoredTaxonomy(terms, {id: name for id, name in before.items() if id not in there})


def nest_categories(categories: Sequence[Category]) -> Iterator[tuple[Category, int]]:
    """Yield each category once, below its parent, with its depth; siblings by name. Categories without a known parent,
    or in a cycle, are at the top."""
    below: dict[str, list[Category]] = {}
    ids = {one.id for one in categories}
    for one in sorted(categories, key=lambda one: (one.name.casefold(), one.id)):
        below.setdefault(one.parent if one.parent in ids else "", []).append(one)
    seen: set[str] = set()

    def walk(parent: str, depth: int) -> Iterator[tuple[Category, int]]:
        for one in below.get(parent, []):
            if one.id not in seen:
                seen.add(one.id)
                yield one, depth
                yield from walk(one.id, depth + 1)

    yield from walk("", 0)
    for one in categories:  # cycles, which the walk from the top does not reach
        if one.id not in seen:
            seen.add(one.id)
            yield one, 0
            yield from walk(one.id, 1)
