"""By what a site sorts its articles: categories, which may lie in one another, and tags."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

MAX_NAME: Final = 200


@dataclass(frozen=True)
class Category:
    id: str
    """The site's own."""
    name: str
    parent: str = ""
    """The id of the one that it lies in; empty: none."""


@dataclass(frozen=True)
class Taxonomy:
    categories: tuple[Category, ...] = ()
    tags: tuple[str, ...] = ()
    """Those that are used most, by name."""


@dataclass(frozen=True)
class StoredTaxonomy:
    """What was read of a site last. `gone`: names of categories that it had before, by id, so that articles which still
    name them can say what they mean."""

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
    """Each once, below the one that it lies in, with how deep it lies; those of one level by name. What lies in nothing
    that is there, or in itself, stands at the top."""
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
    for one in categories:  # a ring, which nothing leads into
        if one.id not in seen:
            seen.add(one.id)
            yield one, 0
            yield from walk(one.id, 1)
