"""What an article is beside its text: kept in order, and told where it is wrong."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.articles.rules.articles import MAX_SLUG, ArticleFields, malformed, slug_of, tidied, unfinished
from core.errors import ErrorCode

WHOLE = ArticleFields(
    title="Winter tyres", slug="winter-tyres", summary="When?", tags=("bikes",), categories=("3",), featured=True
)


def wrong(fields: ArticleFields) -> dict[str, ErrorCode]:
    return {one.field: one.code for one in malformed(fields)}


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Winter tyres, when?", "winter-tyres-when"),
        ("Öffnungszeiten: Größe & Übergröße", "oeffnungszeiten-groesse-uebergroesse"),
        ("Café à la carte", "cafe-a-la-carte"),
        ("100 % wool", "100-wool"),
        ("冬の自転車", ""),
        ("", ""),
        ("x" * 300, "x" * MAX_SLUG),
        ("word " * 40, "-".join(["word"] * 20)),
    ],
)
def test_a_slug_says_what_the_title_says(title: str, slug: str) -> None:
    assert slug_of(title) == slug


@given(st.text(max_size=300))
def test_every_slug_that_is_made_may_be_one(title: str) -> None:
    slug = slug_of(title)
    assert slug == "" or re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)
    assert len(slug) <= MAX_SLUG
    assert slug_of(slug) == slug
    assert wrong(ArticleFields(slug=slug)) == {}


def test_it_is_kept_as_it_is_read_back() -> None:
    assert ArticleFields.from_json(WHOLE.to_json()) == WHOLE
    assert ArticleFields.from_json({}) == ArticleFields()


def test_what_is_one_line_is_one() -> None:
    kept = tidied(
        replace(WHOLE, title=" Winter\ntyres ", slug="/Winter-Tyres/", tags=("a", "A", " b "), seo_title="x\ny")
    )
    assert (kept.title, kept.slug, kept.tags, kept.seo_title) == ("Winter tyres", "winter-tyres", ("a", "b"), "x y")


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"title": "x" * 201}, "fields.title", ErrorCode.content_too_long),
        ({"slug": "Not a slug"}, "fields.slug", ErrorCode.slug_malformed),
        ({"slug": "-x"}, "fields.slug", ErrorCode.slug_malformed),
        ({"summary": "x" * 1001}, "fields.summary", ErrorCode.content_too_long),
        ({"tags": ("x" * 41,)}, "fields.tags.0", ErrorCode.content_too_long),
        ({"tags": tuple(f"t{n}" for n in range(21))}, "fields.tags", ErrorCode.too_many_tags),
        ({"canonical_url": "example.org/x"}, "fields.canonical_url", ErrorCode.address_malformed),
        ({"canonical_url": "javascript:alert(1)"}, "fields.canonical_url", ErrorCode.address_malformed),
        ({"canonical_url": "https://a b"}, "fields.canonical_url", ErrorCode.address_malformed),
        ({"canonical_url": "https://[::1"}, "fields.canonical_url", ErrorCode.address_malformed),
    ],
)
def test_what_cannot_be_kept_is_told_at_its_field(changes: dict[str, Any], field: str, code: ErrorCode) -> None:
    assert wrong(replace(WHOLE, **changes)) == {field: code}
    assert wrong(WHOLE) == {}


def test_what_keeps_it_from_going_out_is_told_at_its_field() -> None:
    told = {one.field: one.code for one in unfinished(ArticleFields(), "  \n")}
    assert told == {
        "fields.title": ErrorCode.title_missing,
        "fields.slug": ErrorCode.slug_missing,
        "content": ErrorCode.content_empty,
    }
    assert unfinished(WHOLE, "Text") == []
