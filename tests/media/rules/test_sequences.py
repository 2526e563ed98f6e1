from core.errors import ErrorCode, FieldError
from core.media.rules.cards import MAX_TEXT
from core.media.rules.sequences import (
    MAX_INNER,
    CardPage,
    PageKind,
    check_pages,
    pages_from_json,
    pages_to_json,
)

COVER, END = CardPage(PageKind.cover, "Title"), CardPage(PageKind.call_to_action, "Come by")
POINT = CardPage(PageKind.point, "One", "Text", "Alt")


def wrong(*pages: CardPage) -> dict[str, ErrorCode]:
    return {error.field: error.code for error in check_pages(pages) if isinstance(error, FieldError)}


def test_a_cover_two_to_nine_pages_and_maybe_an_end_card() -> None:
    assert wrong(COVER, POINT, POINT) == {}
    assert wrong(COVER, *[POINT] * MAX_INNER, END) == {}
    assert wrong(COVER, POINT, END) == {"pages": ErrorCode.invalid_input}
    assert wrong(COVER, *[POINT] * (MAX_INNER + 1)) == {"pages": ErrorCode.invalid_input}
    assert wrong() == {"pages": ErrorCode.invalid_input}
    assert wrong(POINT, COVER, END, POINT) == dict.fromkeys(
        ("pages.0.kind", "pages.1.kind", "pages.2.kind"), ErrorCode.invalid_input
    )


def test_a_page_needs_a_headline_and_has_limits() -> None:
    assert wrong(COVER, CardPage(PageKind.point, " "), CardPage(PageKind.list, "A", "x" * (MAX_TEXT + 1))) == {
        "pages.1.headline": ErrorCode.content_empty,
        "pages.2.text": ErrorCode.content_too_long,
    }


def test_the_alternative_text_is_what_stands_on_the_page_unless_there_is_one() -> None:
    assert POINT.alt_text == "Alt"
    assert CardPage(PageKind.list, "Before frost", "Lower the light\n\nOil!").alt_text == (
        "Before frost. Lower the light. Oil!"
    )


def test_pages_survive_json() -> None:
    assert pages_from_json(pages_to_json([COVER, POINT, END])) == (COVER, POINT, END)
    assert pages_from_json([{"kind": "point", "headline": "One"}]) == (CardPage(PageKind.point, "One"),)
