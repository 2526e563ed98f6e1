"""Pictures as a network takes them."""

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from core.media.decoding import downscale, fitted, measure
from core.networks.rules.channels import ChannelLimits
from tests.pictures import opened, saved, scene


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "GIF"])
def test_any_of_them_becomes_a_jpeg_of_its_shape(format: str) -> None:
    made = opened(fitted(saved(scene(800, 400), format), 36_000_000, 8_000_000))
    assert (made.format, made.mode, made.size) == ("JPEG", "RGB", (800, 400))


def test_what_is_transparent_stands_on_white() -> None:
    drawn = Image.new("RGBA", (40, 40), (255, 0, 0, 0))
    assert opened(fitted(saved(drawn, "WEBP", lossless=True), 10_000, 100_000)).getpixel((20, 20)) == (255, 255, 255)


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "GIF"])
def test_for_pages_it_is_as_narrow_as_they_want_it(format: str) -> None:
    data = saved(scene(2000, 500), format)
    assert measure(data) == (2000, 500)
    made = [opened(one) for one in downscale(data, (480, 1440))]
    assert [(one.format, one.size) for one in made] == [("WEBP", (480, 120)), ("WEBP", (1440, 360))]


def test_what_is_transparent_stays_so_on_a_page() -> None:
    [made] = downscale(saved(Image.new("RGBA", (40, 40), (255, 0, 0, 0)), "PNG"), (20,))
    assert opened(made).getchannel("A").getextrema() == (0, 0)


def test_what_is_no_picture_is_told() -> None:
    with pytest.raises(OSError, match="cannot identify"):
        downscale(b"no picture", (480,))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 600), st.integers(1, 600), st.integers(100, 200_000), st.integers(2_000, 60_000))
def test_it_is_never_larger_than_it_may_be(width: int, height: int, pixels: int, size: int) -> None:
    data = fitted(saved(scene(width, height), "PNG"), pixels, size)
    with Image.open(io.BytesIO(data)) as made:
        assert made.width * made.height <= max(pixels, 1)
    assert len(data) <= size


def test_what_a_network_takes_goes_out_as_it_is() -> None:
    limits = ChannelLimits(3000, 20)
    assert limits.takes("image/png", 36_000_000, 8_000_000)
    assert not limits.takes("image/webp", 100, 100)
    assert not limits.takes("image/png", 36_000_001, 100)
    assert not limits.takes("image/png", 100, 8_000_001)
