"""The fields of an article besides its text and images, and the rules for them on every site."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from core.errors import ErrorCode, FieldError
from core.texts.rules.tags import MAX_TAG, MAX_TAGS, clean_tags
from core.texts.rules.texts import is_blank, one_line

MAX_TITLE: Final = 200
MAX_SLUG: Final = 100
MAX_SUMMARY: Final = 1000
MAX_BODY: Final = 100_000
"""Characters of Markdown in an article's text: some 15,000 words."""
MAX_SEO_TITLE: Final = 120
MAX_SEO_DESCRIPTION: Final = 320
SHOWN_SEO_TITLE: Final = 60
SHOWN_SEO_DESCRIPTION: Final = 160
"""Characters that search results mostly show; longer texts are allowed, and cut there."""
MAX_ADDRESS: Final = 2000
_SLUG: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_GERMAN: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@dataclass(frozen=True)
class ArticleFields:
    """`slug`: the end of the article's address at the site. `canonical_url`: where it was published first, if
    elsewhere."""

    title: str = ""
    slug: str = ""
    summary: str = ""
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    """Their ids at the site."""
    seo_title: str = ""
    """Shown by search engines instead of the title, if given."""
    seo_description: str = ""
    canonical_url: str = ""
    featured: bool = False
    """Whether the first image is shown above the article; the others are in its text."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self) | {"tags": list(self.tags), "categories": list(self.categories)}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> "ArticleFields":
        def text(name: str) -> str:
            return str(stored.get(name) or "")

        return cls(
            title=text("title"),
            slug=text("slug"),
            summary=text("summary"),
            tags=tuple(stored.get("tags") or ()),
            categories=tuple(stored.get("categories") or ()),
            seo_title=text("seo_title"),
            seo_description=text("seo_description"),
            canonical_url=text("canonical_url"),
            featured=bool(stored.get("featured")),
        )


_LONGEST: Final = {
    "title": MAX_TITLE,
    "slug": MAX_SLUG,
    "summary": MAX_SUMMARY,
    "seo_title": MAX_SEO_TITLE,
    "seo_description": MAX_SEO_DESCRIPTION,
    "canonical_url": MAX_ADDRESS,
}


def tidied(fields: ArticleFields) -> ArticleFields:
    """Return the fields as stored: single lines without line breaks, tags and categories without duplicates."""
    return ArticleFields(
        title=one_line(fields.title),
        slug=fields.slug.strip().strip("/").lower(),
        summary=fields.summary.strip(),
        tags=clean_tags(fields.tags),
        categories=tuple(dict.fromkeys(fields.categories)),
        seo_title=one_line(fields.seo_title),
        seo_description=one_line(fields.seo_description),
        canonical_url=fields.canonical_url.strip(),
        featured=fields.featured,
    )


def too_long(content: str) -> list[FieldError]:
    """Return the problem at `content`, if any. Checked before parsing, which takes minutes for some texts that are far
    too long."""
    if len(content) <= MAX_BODY:
        return []
    return [FieldError("content", ErrorCode.content_too_long, length=len(content), limit=MAX_BODY)]


def malformed(fields: ArticleFields) -> list[FieldError]:
    """Return the problems that even a draft may not have, at `fields.<name>`."""
    problems = [
        FieldError(f"fields.{name}", ErrorCode.content_too_long, length=length, limit=most)
        for name, most in _LONGEST.items()
        if (length := len(getattr(fields, name))) > most
    ]
    problems += [
        FieldError(f"fields.tags.{at}", ErrorCode.content_too_long, length=len(tag), limit=MAX_TAG)
        for at, tag in enumerate(fields.tags)
        if len(tag) > MAX_TAG
    ]
    if len(fields.tags) > MAX_TAGS:
        problems.append(FieldError("fields.tags", ErrorCode.too_many_tags, limit=MAX_TAGS))
    if fields.slug and not _SLUG.fullmatch(fields.slug):
        problems.append(FieldError("fields.slug", ErrorCode.slug_malformed, instead=slug_of(fields.slug)))
    if fields.canonical_url and not _is_address(fields.canonical_url):
        problems.append(FieldError("fields.canonical_url", ErrorCode.address_malformed))
    return problems


def unfinished(fields: ArticleFields, body: str) -> list[FieldError]:
    """Return what prevents publication."""
    return [
        FieldError(field, code)
        for field, code, present in (
            ("fields.title", ErrorCode.title_missing, fields.title),
            ("fields.slug", ErrorCode.slug_missing, fields.slug),
            ("content", ErrorCode.content_empty, not is_blank(body)),
        )
        if not present
    ]


def slug_of(title: str) -> str:
    """Return the title as a slug: Latin letters, digits and single hyphens, cut between words. Empty if nothing of it
    can be written so."""
    latin = unicodedata.normalize("NFKD", title.lower().translate(_GERMAN)).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", latin)
    return _joined(words)


def _joined(words: Sequence[str]) -> str:
    slug = ""
    for word in words:
        longer = f"{slug}-{word}" if slug else word[:MAX_SLUG]
        if len(longer) > MAX_SLUG:
            break
        slug = longer
    return slug


def _is_address(text: str) -> bool:
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not re.search(r"\s", text)
