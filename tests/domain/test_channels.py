"""What keeps a post from a channel."""

import pytest

from core.domain.channels import ChannelLimits, check
from core.domain.errors import ErrorCode

LIMITS = ChannelLimits(max_characters=10, max_images=1)


def problems(
    text: str, images: int = 0, limits: ChannelLimits = LIMITS
) -> list[tuple[str, ErrorCode, dict[str, object]]]:
    return [(found.field, found.code, dict(found.params)) for found in check(text, images, limits)]


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


def test_a_channel_of_pictures_wants_one() -> None:
    pictures = ChannelLimits(max_characters=10, max_images=1, needs_image=True)
    assert problems("a", 0, pictures) == [("files", ErrorCode.image_required, {})]
    assert problems("a", 1, pictures) == []
    assert [code for _, code, _ in problems("", 0, pictures)] == [
        ErrorCode.content_empty,
        ErrorCode.image_required,
    ]
    # it has a sentence of its own
    [problem] = check("a", 0, pictures, "instagram")
    assert problem.code is ErrorCode.image_template_required
