"""What keeps a post from a channel."""

from dataclasses import replace
from typing import Any

import pytest

from core.errors import ErrorCode
from core.networks.rules.channels import ChannelLimits, Counting, PostFacts, check, with_link
from core.networks.rules.files import FileFacts
from core.networks.rules.links import Link, LinkPlace

LIMITS = ChannelLimits(max_characters=10, max_images=1)


def problems(
    text: str, images: int = 0, limits: ChannelLimits = LIMITS
) -> list[tuple[str, ErrorCode, dict[str, object]]]:
    return [
        (found.field, found.code, dict(found.params))
        for found in check(PostFacts(text, [FileFacts(400, 300)] * images), limits)
    ]


@pytest.mark.parametrize("text", ["x" * 10, "🧵" * 5, "a", "a" + "🧵" * 4])
def test_what_fits_may_go_out(text: str) -> None:
    assert problems(text) == []


@pytest.mark.parametrize(
    ("text", "length"),
    # the larger count: eleven code points; six that take two units each
    [("x" * 11, 11), ("🧵" * 6, 12)],
)
def test_a_text_is_too_long_by_the_larger_of_the_two_counts(text: str, length: int) -> None:
    assert problems(text) == [("content", ErrorCode.content_too_long, {"length": length, "limit": 10})]


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_a_post_says_something(text: str) -> None:
    assert problems(text) == [("content", ErrorCode.content_empty, {})]


@pytest.mark.parametrize(
    "text", ["\u200b", "\u3164\u2800", "\u00ad \ufeff\n", "\U000e0068\U000e007f", "\u115f\uffa0\u034f"]
)
def test_what_nobody_sees_is_no_text(text: str) -> None:
    assert problems(text) == [("content", ErrorCode.content_empty, {})]
    assert with_link(text, None, 0, LIMITS)[0] == ""


@pytest.mark.parametrize("text", [".", "\u200bx", "🧵", "\u0301", "ㅤ가"])
def test_what_somebody_sees_is_a_text(text: str) -> None:
    assert problems(text) == []


def test_an_image_needs_no_text_where_the_channel_takes_it_without() -> None:
    without = replace(LIMITS, text_required=False)
    assert problems("\u200b", 1, without) == []
    assert problems("", 0, without) == [("content", ErrorCode.content_empty, {})]


def test_a_text_is_counted_as_it_is_sent() -> None:
    decomposed = "u\u0308" * 10
    assert problems(decomposed) == []
    assert with_link(decomposed, None, 0, LIMITS)[0] == "ü" * 10


def test_a_description_of_an_image_may_be_too_long() -> None:
    limits = replace(LIMITS, max_images=2, max_alt=5)
    images = [FileFacts(400, 300, "u\u0308" * 5), FileFacts(400, 300, "ü" * 6)]
    found = check(PostFacts("a", images), limits)
    assert [(one.field, one.code, dict(one.params)) for one in found] == [
        ("files.1.alt", ErrorCode.alt_too_long, {"length": 6, "limit": 5})
    ]


def test_a_channel_of_pictures_wants_one() -> None:
    pictures = ChannelLimits(max_characters=10, max_images=1, min_images=1)
    assert problems("a", 0, pictures) == [("files", ErrorCode.image_required, {})]
    assert problems("a", 1, pictures) == []
    assert [code for _, code, _ in problems("", 0, pictures)] == [
        ErrorCode.content_empty,
        ErrorCode.image_required,
    ]
    # one may have a sentence of its own
    own = replace(pictures, image_missing=ErrorCode.image_template_required)
    assert problems("a", 0, own) == [("files", ErrorCode.image_template_required, {})]


@pytest.mark.parametrize(
    ("counting", "length"),
    [(Counting.code_points, 7), (Counting.utf16, 8), (Counting.larger, 8), (Counting.weighted, 4)],
)
def test_each_network_counts_in_its_own_way(counting: Counting, length: int) -> None:
    limits = ChannelLimits(2, 1, counting=counting, weigh=lambda text: len(text.split()))
    assert problems("🧵 a b c", limits=limits) == [
        ("content", ErrorCode.content_too_long, {"length": length, "limit": 2})
    ]


def test_hashtags_are_counted_where_a_network_does() -> None:
    limits = ChannelLimits(100, 1, max_hashtags=2)
    assert problems("#one #two", limits=limits) == []
    assert problems("#one #two #three", limits=limits) == [
        ("content", ErrorCode.too_many_hashtags, {"found": 3, "limit": 2})
    ]


def test_mentions_are_counted_where_a_network_does() -> None:
    limits = ChannelLimits(100, 1, max_mentions=2)
    assert problems("@one and @two, not a@b.example or https://x.test/@three", limits=limits) == []
    assert problems("@one @two @three", limits=limits) == [
        ("content", ErrorCode.too_many_mentions, {"found": 3, "limit": 2})
    ]


def test_a_first_comment_is_held_to_rules_of_its_own() -> None:
    def told(comment: str, most: int) -> list[tuple[str, ErrorCode]]:
        limits = ChannelLimits(100, 1, max_first_comment=most)
        return [(one.field, one.code) for one in check(PostFacts("a", first_comment=comment), limits)]

    assert told("", 0) == []
    assert told("b", 0) == [("first_comment", ErrorCode.first_comment_unsupported)]
    assert told("b" * 5, 5) == []
    assert told("b" * 6, 5) == [("first_comment", ErrorCode.content_too_long)]


@pytest.mark.parametrize(
    ("width", "height", "code"),
    [
        (320, 400, None),
        (1910, 1000, None),
        (319, 319, ErrorCode.image_too_small),
        (400, 501, ErrorCode.image_ratio_unfit),
        (2000, 1000, ErrorCode.image_ratio_unfit),
    ],
)
def test_an_image_has_a_width_and_a_shape(width: int, height: int, code: ErrorCode | None) -> None:
    limits = ChannelLimits(100, 2, min_width=320, min_ratio=0.8, max_ratio=1.91)
    found = check(PostFacts("a", [FileFacts(400, 400), FileFacts(width, height)]), limits)
    assert [(one.field, one.code) for one in found] == ([("files.1", code)] if code else [])


LINK = Link("https://blog.example/rain", "Rain")


@pytest.mark.parametrize(
    ("place", "card_images", "images", "sent", "card"),
    [
        (LinkPlace.card, 1, 0, "Rain.", LINK),
        (LinkPlace.card, 1, 1, "Rain.", LINK),
        (LinkPlace.card, 1, 2, "Rain.\n\nhttps://blog.example/rain", None),
        (LinkPlace.page_card, 0, 0, "Rain.", LINK),
        (LinkPlace.page_card, 0, 1, "Rain.\n\nhttps://blog.example/rain", None),
        (LinkPlace.below, 0, 0, "Rain.\n\nhttps://blog.example/rain", None),
        (LinkPlace.left_out, 0, 1, "Rain.", None),
    ],
)
def test_what_becomes_of_a_link(place: LinkPlace, card_images: int, images: int, sent: str, card: Link | None) -> None:
    limits = ChannelLimits(100, 4, link=place, card_images=card_images)
    assert with_link("Rain.", LINK, images, limits) == (sent, card)
    assert with_link("Rain.", None, images, limits) == ("Rain.", None)


def test_an_address_that_the_text_has_is_not_put_below_it() -> None:
    limits = ChannelLimits(100, 4)
    for text in ("See https://blog.example/rain.", "https://blog.example/rain and more"):
        assert with_link(text, LINK, 0, limits) == (text, None)
    longer = "See https://blog.example/rainy"
    assert with_link(longer, LINK, 0, limits) == (f"{longer}\n\nhttps://blog.example/rain", None)


def test_a_link_breaks_the_rules_that_it_has_a_part_in() -> None:
    def told(of: Link, text: str = "Rain.", images: int = 0, **limits: Any) -> list[tuple[str, ErrorCode]]:
        facts = PostFacts(text, [FileFacts(400, 300)] * images, link=of)
        return [(one.field, one.code) for one in check(facts, ChannelLimits(32, 4, **limits))]

    untitled = Link(LINK.url)
    assert told(LINK) == []
    assert told(LINK, "Rain!!") == [("content", ErrorCode.content_too_long)]
    assert told(LINK, "R" * 32, link=LinkPlace.card) == []
    assert told(untitled, link=LinkPlace.card) == [("link.title", ErrorCode.link_title_missing)]
    assert told(untitled, link=LinkPlace.page_card) == []
    assert told(untitled, images=1, link=LinkPlace.card) == [], "its address is in the text then"
    assert told(LINK, "  ", link=LinkPlace.card) == [("content", ErrorCode.content_empty)]
