"""What a model answers when it is asked for the pages of a carousel."""

from typing import Any

from core.ai.writers.pages import read_pages
from core.media.rules.cards import MAX_HEADLINE
from core.media.rules.sequences import CardPage, PageKind, check_pages


def page(kind: str, headline: object, text: object = "") -> dict[str, Any]:
    return {"kind": kind, "headline": headline, "text": text}


COVER, END = page("cover", "Title"), page("call_to_action", "Come by")
POINTS = [page("point", f"Thought {word}") for word in ("one", "two", "three")]


def read(*pages: object, title: str = "", known: str = "12 of 20", most: int = 10) -> tuple[CardPage, ...]:
    return read_pages({"pages": list(pages)}, title=title, known=known, most=most)


def test_pages_are_put_into_the_order_of_a_sequence() -> None:
    kinds = [found.kind for found in read(END, *POINTS, COVER, COVER)]
    assert kinds == [PageKind.cover, *[PageKind.point] * 3, PageKind.call_to_action]
    assert [found.headline for found in read(COVER, *POINTS, END, most=4)] == [
        "Title",
        "Thought one",
        "Thought two",
        "Come by",
    ]


def test_a_title_replaces_the_cover_or_makes_one() -> None:
    assert read(COVER, *POINTS, title="Mine")[0].headline == "Mine"
    assert read(*POINTS, title="Mine")[0] == CardPage(PageKind.cover, "Mine")
    assert read(*POINTS) == ()


def test_numbers_that_nobody_gave_are_left_out() -> None:
    pages = read(
        COVER, *POINTS, page("number", "12 of 20", "days"), page("number", "98 %"), page("point", "A", "In 2031")
    )
    assert [found.headline for found in pages[1:]] == ["Thought one", "Thought two", "Thought three", "12 of 20"]


def test_whatever_is_no_page_is_left_out() -> None:
    strange: list[object] = [None, 7, "page", {}, page("point", ""), page("point", ["a"]), page("poem", "A poem", None)]
    pages = read(COVER, *strange, page("list", "Items", ["one", "two"]), page("point", "x" * 999))
    assert [(found.kind, found.text) for found in pages[1:]] == [
        (PageKind.point, ""),
        (PageKind.point, ""),
        (PageKind.list, "one\ntwo"),
        (PageKind.point, ""),
    ]
    assert max(len(found.headline) for found in pages) <= MAX_HEADLINE
    unusable: list[dict[str, Any]] = [{}, {"pages": None}, {"pages": "cover"}, {"pages": []}]
    for wrong in unusable:
        assert read_pages(wrong, title="Mine", known="", most=10) == ()


def test_texts_are_stored_without_characters_that_no_reader_sees() -> None:
    """PostgreSQL refuses the first two."""
    hidden = "A\u0000 B\ud800 C\u202e D\u200b"
    pages = read(COVER, page("point", hidden, hidden), page("list", "Items", [hidden, "two\u2028three"]), title=hidden)
    assert [(found.headline, found.text) for found in pages[1:]] == [
        ("A B C D", "A B C D"),
        ("Items", "A B C D\ntwo\nthree"),
    ]


def test_pages_keep_to_the_limits_of_saved_pages() -> None:
    long = page("list", "word " * 80, ["word " * 60] * 6)
    assert check_pages(read(page("cover", "word " * 80, "word " * 400), *POINTS, long)) == []
    # nothing is left of a hashtag that is too long
    assert [found.headline for found in read(COVER, *POINTS, page("point", f"#{'x' * 300}"))][-1] == "Thought three"
