"""Own images: in a round each comes once, whatever is added or removed meanwhile."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.assistants.rules.assistants import ImageOrder
from core.assistants.rules.own_images import OwnImage, pick_image

BEGIN = datetime(2026, 11, 21, tzinfo=UTC)


def image(number: int) -> OwnImage:
    return OwnImage(UUID(int=number))


def used(images: list[OwnImage], order: ImageOrder, turn: int) -> tuple[list[OwnImage], UUID]:
    """The images after one was taken, and which it was."""
    picked = pick_image(images, order, f"run-{turn}")
    at = BEGIN + timedelta(minutes=turn)
    changed = [
        replace(each, round=picked.round, used_at=at) if each.media_id == picked.media_id else each for each in images
    ]
    return changed, picked.media_id


def sequence(images: list[OwnImage], order: ImageOrder, turns: int) -> list[int]:
    taken = []
    for turn in range(turns):
        images, media_id = used(images, order, turn)
        taken.append(media_id.int)
    return taken


def test_in_turn_goes_round_and_round() -> None:
    assert sequence([image(3), image(1), image(2)], ImageOrder.in_turn, 7) == [3, 1, 2, 3, 1, 2, 3]


def test_what_is_new_joins_the_round_under_way() -> None:
    images = [image(1), image(2), image(3)]
    for turn in range(4):
        images, _ = used(images, ImageOrder.in_turn, turn)
    assert sequence([image(4), *images], ImageOrder.in_turn, 5) == [4, 2, 3, 4, 1]


def test_one_image_is_used_every_time() -> None:
    assert sequence([image(1)], ImageOrder.random, 3) == [1, 1, 1]


def test_without_images_there_is_none() -> None:
    with pytest.raises(ValueError, match="no images"):
        pick_image([], ImageOrder.in_turn, "run")


@given(st.sampled_from(ImageOrder), st.integers(1, 9), st.integers(0, 40))
def test_none_comes_again_before_all_were_used(order: ImageOrder, count: int, turns: int) -> None:
    taken = sequence([image(number) for number in range(1, count + 1)], order, turns)
    for begin in range(0, turns, count):
        window = taken[begin : begin + count]
        assert len(set(window)) == len(window)
    assert count == 1 or all(one != other for one, other in zip(taken, taken[1:], strict=False))


@given(st.sampled_from(ImageOrder), st.integers(1, 9), st.text(max_size=20))
def test_the_same_run_gets_the_same_image(order: ImageOrder, count: int, seed: str) -> None:
    images = [image(number) for number in range(count)]
    assert pick_image(images, order, seed) == pick_image(images, order, seed)
