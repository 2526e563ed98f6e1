"""What is let in, what is refused, and what is left of it."""

import asyncio
import os
import struct
import sys
import zlib
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageSequence, ImageStat, PngImagePlugin
from pillow_heif import register_heif_opener

from core.errors import ErrorCode, InvalidInput
from core.media import decoding, programs, uploads
from core.media.decoding import MAX_FRAMES, PLUGINS, THUMBNAIL, Refused, clean
from core.media.uploads import CleanedUpload, Decoder
from tests import pictures
from tests.pictures import (
    HTML,
    MP4,
    PDF,
    SVG,
    XMP,
    ZIP,
    animation,
    chunk,
    claiming_png,
    exif_of_a_phone,
    jpeg,
    opened,
    other_profile,
    png,
    saved,
    scene,
    with_segment,
)

register_heif_opener()  # to make such files


def cleaned(data: bytes) -> CleanedUpload:
    """What the program does, without a process for each of many cases."""
    picture, thumbnail = BytesIO(), BytesIO()
    made = clean(data, picture, thumbnail)
    return CleanedUpload(
        picture.getvalue(), made.mime, made.width, made.height, thumbnail.getvalue(), made.first_frame_only
    )


def refusal(data: bytes) -> str:
    with pytest.raises(Refused) as raised:
        cleaned(data)
    return raised.value.code


def alike(one: Image.Image, other: Image.Image, by: int = 60) -> bool:
    """Whether no part of them differs by more than what quality costs."""
    small = [drawn.convert("RGB").resize((16, 16), Image.Resampling.BOX) for drawn in (one, other)]
    return max(high for _, high in ImageChops.difference(*small).getextrema()) <= by  # type: ignore[misc]


# refused


@pytest.mark.parametrize("data", [b"", b"\xff", HTML, SVG, PDF, ZIP, b"BM" + bytes(60), b"II*\0" + bytes(60), b"RIFF"])
def test_what_is_no_picture_of_a_known_kind(data: bytes) -> None:
    assert refusal(data) == ErrorCode.image_type_refused


def test_a_huge_picture_is_refused_by_its_header(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)  # as in the program
    for data in (claiming_png(60_000, 60_000), claiming_png(7072, 7071), pictures.real_bomb()):
        with pytest.raises(Refused) as raised:
            cleaned(data)
        assert raised.value.code == ErrorCode.image_too_many_pixels
    assert raised.value.params == {"width": 8_000, "height": 8_000, "limit": 50}
    assert refusal(claiming_png(10_000, 5_000)) != ErrorCode.image_too_many_pixels


def test_the_header_of_each_kind_is_read() -> None:
    huge = struct.pack(">HH", 60_000, 60_000)
    photo = jpeg()
    at = photo.index(b"\xff\xc0") + 5
    assert refusal(photo[:at] + huge + photo[at + 4 :]) == ErrorCode.image_too_many_pixels
    film = animation()
    assert refusal(film[:6] + huge + film[10:]) == ErrorCode.image_too_many_pixels
    large = b"VP8X" + struct.pack("<I", 10) + bytes(4) + b"\xff\xff\x00" * 2
    assert refusal(b"RIFF" + struct.pack("<I", 4 + len(large)) + b"WEBP" + large) == ErrorCode.image_too_many_pixels


def test_a_frame_that_is_shown_a_million_times_is_not_drawn_a_million_times() -> None:
    film = animation(2)
    began = film.index(b"\x21\xf9")
    frame = film[began:-1]
    assert refusal(film[:began] + frame * MAX_FRAMES + film[-1:]) == ErrorCode.image_too_many_pixels


WHOLE = {
    "jpeg": jpeg(),
    "progressive": jpeg(progressive=True),
    "png": png(),
    "gif": animation(),
    "webp": saved(scene(96, 64), "WEBP"),
    "cmyk": saved(scene(96, 64).convert("CMYK"), "JPEG"),
    "heic": saved(scene(96, 64), "HEIF", quality=95),
    "avif": saved(scene(96, 64), "AVIF", quality=95),
}


CUT = {ErrorCode.image_truncated, ErrorCode.image_unreadable}


@pytest.mark.parametrize("kind", WHOLE)
def test_a_picture_of_which_a_part_is_missing_is_refused(kind: str) -> None:
    data = WHOLE[kind]
    assert cleaned(data).width in (96, 40)
    for end in (len(data) * 9 // 10, len(data) // 2, len(data) // 8, 30):
        assert refusal(data[:end]) in CUT, end
    assert refusal(data[: len(data) // 2]) == ErrorCode.image_truncated or kind in ("heic", "avif", "webp")


@pytest.mark.parametrize("kind", ["jpeg", "progressive", "cmyk", "png", "gif"])
def test_a_picture_without_its_end_marker_is_whole(kind: str) -> None:
    data = WHOLE[kind]
    made = cleaned(data)
    for end in (len(data) - 1, len(data) - {"png": 12, "gif": 1}.get(kind, 2)):
        assert cleaned(data[:end]) == made


def test_damage_is_told_and_never_shown_as_black() -> None:
    drawn = png()
    assert refusal(drawn[:60] + bytes(200) + drawn[260:]) == ErrorCode.image_unreadable
    assert refusal(drawn[:100] + bytes([drawn[100] ^ 1]) + drawn[101:]) == ErrorCode.image_unreadable
    film = animation()
    at = film.index(b"\x2c") + 11  # its first frame's codes
    assert refusal(film[:at] + b"\xff" * 20 + film[at + 20 :]) in (
        ErrorCode.image_unreadable,
        ErrorCode.image_truncated,
    )


def test_a_missing_middle_is_told() -> None:
    head = struct.pack(">IIBBBBB", 96, 64, 8, 2, 0, 0, 0)
    half = zlib.compress(bytes(100))[:-8]
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", half) + chunk(b"IEND", b"")
    assert refusal(data) in (ErrorCode.image_truncated, ErrorCode.image_unreadable)


@pytest.mark.parametrize("kind", WHOLE)
@pytest.mark.parametrize("more", [HTML, ZIP, PDF, b"alert(1)", b"x", bytes(500), b"\xff" * 9, jpeg(40, 40), MP4])
def test_what_stands_behind_a_picture_is_dropped(kind: str, more: bytes) -> None:
    assert cleaned(WHOLE[kind] + more) == cleaned(WHOLE[kind])


def test_a_long_description_inside_a_picture_is_dropped() -> None:
    described = PngImagePlugin.PngInfo()
    described.add_text("XML:com.adobe.xmp", "x" * 3_000_000, zip=True)
    made = cleaned(saved(scene(96, 64), "PNG", pnginfo=described))
    assert made.data == cleaned(saved(scene(96, 64), "PNG")).data


@pytest.mark.parametrize("inner", [HTML, ZIP, PDF, SVG, b"<?php system('x') ?>"])
def test_what_stands_inside_a_picture_is_dropped(inner: bytes) -> None:
    photo, drawn, film = jpeg(), png(), animation(comment=inner)
    originals = [with_segment(photo, marker, inner) for marker in (0xE1, 0xE2, 0xE9, 0xFE)]
    originals += [drawn[:33] + chunk(kind, b"Title\0" + inner) + drawn[33:] for kind in (b"tEXt", b"prVt", b"eXIf")]
    for original in (*originals, film, saved(scene(96, 64), "WEBP", xmp=inner)):
        made = cleaned(original)
        assert inner not in made.data
    assert cleaned(originals[0]).data == cleaned(photo).data


def test_a_gif_that_is_a_script_too_is_one_no_more() -> None:
    """`GIF89a/*…*/=1;alert(1)`: its width opens a comment."""
    drawn = saved(Image.new("P", (0x2A2F, 1)), "GIF")
    assert drawn[6:8] == b"/*"
    inside = b"\x21\xfe\x10*/=1;alert(1);//\0"
    for original in (drawn, drawn + b"*/=1;alert(1);//", drawn[:-1] + inside + drawn[-1:]):
        made = cleaned(original)
        assert (made.width, b"*/" in made.data) == (0x2A2F, False)


def samsung(blocks: bytes) -> bytes:
    directory = b"SEFH" + struct.pack("<II", 107, 1) + struct.pack("<HHII", 0, 0x0A01, len(blocks), len(blocks))
    return blocks + directory + struct.pack("<I", len(directory)) + b"SEFT"


def test_what_telephones_put_behind_a_photo_is_let_in_and_dropped() -> None:
    plain = cleaned(jpeg()).data
    note = samsung(b"\0\0\x01\x0a\x0e\0\0\0Image_UTC_Data1700000000000")
    for more in (b"\r\n", jpeg(40, 40) + bytes(7) + jpeg(20, 20), MP4 + note, note):
        assert cleaned(jpeg() + more).data == plain
    # a photo that names its further pictures, as HDR ones do
    several = saved(scene(96, 64), "MPO", save_all=True, append_images=[scene(40, 40)])
    made = cleaned(several)
    assert (made.mime, made.width, made.first_frame_only) == ("image/jpeg", 96, False)


@pytest.mark.parametrize("kind", WHOLE)
@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_is_broken_it_is_refused_or_a_picture(kind: str, data: st.DataObject) -> None:
    whole = bytearray(WHOLE[kind])
    for at in data.draw(st.lists(st.integers(0, len(whole) - 1), min_size=1, max_size=8)):
        whole[at] = data.draw(st.integers(0, 255))
    try:
        made = cleaned(bytes(whole))
    except Refused:
        return
    assert opened(made.data).size == (made.width, made.height)


# let in


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photo_is_turned_upright(orientation: int) -> None:
    """The corner that was up when it was taken is where it belongs, whichever way the camera was held."""
    upright = scene(150, 100)
    back = {
        1: None,
        2: Image.Transpose.FLIP_LEFT_RIGHT,
        3: Image.Transpose.ROTATE_180,
        4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE,
        6: Image.Transpose.ROTATE_90,
        7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_270,
    }[orientation]
    taken = upright.transpose(back) if back is not None else upright
    for format in ("JPEG", "PNG", "WEBP", "HEIF", "AVIF"):
        made = cleaned(saved(taken, format, exif=exif_of_a_phone(orientation)))
        assert (made.width, made.height) == (150, 100)
        assert opened(made.data).size == (150, 100)
        assert alike(opened(made.data), upright), format
        assert alike(opened(made.thumbnail), upright), format


SECRETS = (b"Secret", b"Exif", b"ICC", b"Phone", b"xmpmeta", b"GIMP", b"\x34\x00\x00\x00\x01")


def test_nothing_is_left_that_says_where_when_or_by_whom() -> None:
    exif = exif_of_a_phone()
    text = chunk(b"tEXt", b"Author\0Secret Person") + chunk(b"zTXt", b"Place\0\0" + zlib.compress(b"Secret Place"))
    drawn = saved(scene(96, 64), "PNG", exif=exif, icc_profile=other_profile())
    originals = [
        with_segment(
            saved(scene(96, 64), "JPEG", exif=exif, icc_profile=other_profile(), comment=b"Secret Comment", xmp=XMP),
            0xED,
            b"Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0dSecret Writer\0",
        ),
        drawn[:33] + text + drawn[33:],
        saved(scene(96, 64), "WEBP", exif=exif, xmp=XMP, icc_profile=other_profile()),
        saved(scene(96, 64), "HEIF", exif=exif, xmp=XMP, icc_profile=other_profile()),
        saved(scene(96, 64), "AVIF", exif=exif, xmp=XMP, icc_profile=other_profile()),
        animation(comment=b"Secret Comment, made with GIMP"),
    ]
    for original in originals:
        assert any(secret in original for secret in SECRETS)
        made = cleaned(original)
        for data in (made.data, made.thumbnail):
            assert [secret for secret in SECRETS if secret in data] == []
            left = opened(data)
            assert not left.getexif()
            assert not {"exif", "xmp", "comment", "icc_profile", "Author", "photoshop"} & set(left.info)


def test_colours_are_as_the_profile_says() -> None:
    """Red and blue change places in this one, so a red picture is a blue one."""
    for format, mode in (
        *(("JPEG", "RGB"), ("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "P"), ("WEBP", "RGB")),
        *(("HEIF", "RGB"), ("HEIF", "RGBA"), ("AVIF", "RGB")),
    ):
        red = Image.new("RGB", (32, 32), "#f00000").convert(mode)
        made = opened(cleaned(saved(red, format, icc_profile=other_profile())).data)
        assert made.mode == mode
        colour = made.convert("RGB").getpixel((16, 16))
        assert isinstance(colour, tuple)
        assert colour[2] > 200 > 60 > colour[0], (format, mode, colour)


def test_a_profile_that_is_none_changes_nothing() -> None:
    made = cleaned(saved(scene(96, 64), "JPEG", icc_profile=b"no profile" * 20))
    assert alike(opened(made.data), scene(96, 64))


def test_every_kind_stays_what_it_is() -> None:
    scenes = {
        "1": scene(96, 64).convert("1"),
        "L": scene(96, 64).convert("L"),
        "LA": scene(96, 64).convert("LA"),
        "P": scene(96, 64).quantize(16),
        "RGB": scene(96, 64),
        "RGBA": scene(96, 64).convert("RGBA"),
    }
    scenes["RGBA"].putalpha(90)
    for mode, drawn in scenes.items():
        made = cleaned(saved(drawn, "PNG"))
        assert (made.mime, opened(made.data).mode) == ("image/png", mode)
        assert opened(made.data).convert("RGBA").tobytes() == drawn.convert("RGBA").tobytes()
    assert opened(cleaned(jpeg()).data).format == "JPEG"
    assert opened(cleaned(saved(scene(96, 64).convert("L"), "JPEG")).data).mode == "L"
    assert opened(cleaned(saved(scene(96, 64).convert("CMYK"), "JPEG")).data).mode == "RGB"
    exact = cleaned(saved(scenes["RGBA"], "WEBP", lossless=True))
    assert opened(exact.data).tobytes() == scenes["RGBA"].tobytes()
    sixteen = Image.frombytes("I;16", (2, 1), struct.pack("<HH", 0x1234, 0xFE00))
    assert opened(cleaned(saved(sixteen, "PNG")).data).tobytes() == b"\x12\xfe"


def test_what_is_seen_through_stays_so() -> None:
    keyed = Image.new("RGB", (20, 20), "#00ff00")
    keyed.paste("#112233", (0, 0, 10, 20))
    made = opened(cleaned(saved(keyed, "PNG", transparency=(0, 255, 0))).data).convert("RGBA")
    assert (made.getpixel((2, 2)), made.getpixel((15, 2))) == ((0x11, 0x22, 0x33, 255), (0, 255, 0, 0))
    named = Image.new("P", (20, 20), 1)
    named.putpalette([255, 0, 0, 0, 0, 255])
    made = opened(cleaned(saved(named, "PNG", transparency=1)).data).convert("RGBA")
    assert made.getpixel((2, 2)) == (0, 0, 255, 0)
    small = opened(cleaned(saved(named, "PNG", transparency=1)).thumbnail)
    assert small.mode == "RGBA"


def test_a_photo_keeps_the_fineness_of_its_colours() -> None:
    from PIL import JpegImagePlugin

    for sampling in (0, 1, 2):
        made = opened(cleaned(jpeg(subsampling=sampling)).data)
        again = Image.open(BytesIO(cleaned(jpeg(subsampling=sampling)).data))
        assert JpegImagePlugin.get_sampling(again) == sampling
        assert made.size == (96, 64)


def test_an_animation_keeps_its_frames_times_and_loops() -> None:
    original = animation(5, disposal=2)
    made = cleaned(original)
    before, after = Image.open(BytesIO(original)), Image.open(BytesIO(made.data))
    assert (after.format, after.size, getattr(after, "n_frames", 1)) == ("GIF", (40, 30), 5)
    for at in range(5):
        before.seek(at)
        after.seek(at)
        assert after.convert("RGBA").tobytes() == before.convert("RGBA").tobytes()
        assert after.info["duration"] == before.info["duration"] == 120
    assert after.info["loop"] == 0
    assert opened(made.thumbnail).size == (40, 30)


def frames_of(data: bytes) -> list[Image.Image]:
    return [frame.convert("RGBA") for frame in ImageSequence.Iterator(Image.open(BytesIO(data)))]


def photos(count: int) -> list[Image.Image]:
    return [ImageChops.offset(scene(96, 64), 9 * at, 5 * at).quantize(256) for at in range(count)]


def stickers(count: int) -> list[Image.Image]:
    """Shapes that move over nothing."""
    drawn = [Image.new("RGBA", (40, 30)) for _ in range(count)]
    for at, one in enumerate(drawn):
        one.paste((250, 40 * at, 0, 255), (at * 6, 5, at * 6 + 10, 25))
    return drawn


@pytest.mark.parametrize("disposal", [1, 2, 3])
@pytest.mark.parametrize("draw", [photos, stickers])
def test_an_animation_keeps_its_colours_and_its_transparency(
    draw: Callable[[int], list[Image.Image]], disposal: int
) -> None:
    first, *more = draw(5)
    original = saved(
        first, "GIF", save_all=True, append_images=more, duration=[50, 60, 70, 80, 90], loop=3, disposal=disposal
    )
    made = cleaned(original)
    for before, after in zip(frames_of(original), frames_of(made.data), strict=True):
        assert before.getchannel("A").tobytes() == after.getchannel("A").tobytes()
        seen = [Image.alpha_composite(Image.new("RGBA", one.size, "white"), one).tobytes() for one in (before, after)]
        assert seen[0] == seen[1]
    after = Image.open(BytesIO(made.data))
    assert [frame.info["duration"] for frame in ImageSequence.Iterator(after)] == [50, 60, 70, 80, 90]
    assert after.info["loop"] == 3


def test_an_animation_of_too_many_pixels_is_refused_before_it_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoding, "MAX_FRAME_MEGAPIXELS", 0.005)
    assert cleaned(animation(4)).mime == "image/gif"
    assert refusal(animation(5)) == ErrorCode.image_too_many_pixels


def test_a_frame_outside_of_its_animation_is_refused() -> None:
    film = animation(2, disposal=2)
    at = film.index(b"\x2c", film.index(b"\x21\xf9", film.index(b"\x21\xf9") + 1))  # the second frame's place
    assert refusal(film[: at + 1] + struct.pack("<H", 30) + film[at + 3 :]) == ErrorCode.image_unreadable


@pytest.mark.parametrize("quality", [50, 90, 98])
def test_a_photo_keeps_the_quality_that_it_came_with(quality: int) -> None:
    original = jpeg(quality=quality, subsampling=0, exif=exif_of_a_phone())
    before, after = opened(original), opened(cleaned(original).data)
    assert after.quantization == before.quantization  # type: ignore[attr-defined]
    assert max(ImageStat.Stat(ImageChops.difference(before, after)).mean) < 0.2


@pytest.mark.parametrize("format", ["PNG", "WEBP", "AVIF"])
def test_of_other_animations_the_first_picture_is_kept_and_told(format: str) -> None:
    frames = [Image.new("RGB", (40, 30), colour) for colour in ("#ff0000", "#00ff00", "#0000ff")]
    made = cleaned(saved(frames[0], format, save_all=True, append_images=frames[1:], duration=100))
    assert made.first_frame_only
    drawn = opened(made.data)
    assert getattr(drawn, "n_frames", 1) == 1
    assert alike(drawn, frames[0])
    assert not cleaned(saved(frames[0], format)).first_frame_only


@pytest.mark.parametrize("format", ["HEIF", "AVIF"])
def test_what_browsers_and_networks_do_not_take_is_converted(format: str) -> None:
    made = cleaned(saved(scene(96, 64), format, quality=95))
    assert (made.mime, made.width, made.height) == ("image/jpeg", 96, 64)
    assert alike(opened(made.data), scene(96, 64))
    see_through = scene(96, 64).convert("RGBA")
    see_through.putalpha(90)
    made = cleaned(saved(see_through, format, quality=95))
    assert made.mime == "image/png"
    assert opened(made.data).getchannel("A").getextrema() == (90, 90)


def test_a_thumbnail_is_small_and_never_larger_than_the_picture() -> None:
    for size, expected in (((1500, 750), (480, 240)), ((300, 200), (300, 200)), ((20_000, 10), (480, 1))):
        made = cleaned(saved(scene(*size), "PNG"))
        small = opened(made.thumbnail)
        assert (small.format, small.size) == ("WEBP", expected)
        assert max(small.size) <= THUMBNAIL
    assert alike(opened(cleaned(saved(scene(1500, 750), "PNG")).thumbnail), scene(1500, 750))


@pytest.mark.parametrize("kind", WHOLE)
def test_the_same_file_gives_the_same_picture(kind: str) -> None:
    assert cleaned(WHOLE[kind]) == cleaned(WHOLE[kind])


def test_only_these_kinds_are_known() -> None:
    assert [plugin.__name__.rpartition(".")[2] for plugin in PLUGINS] == [
        "AvifImagePlugin",
        "GifImagePlugin",
        "JpegImagePlugin",
        "PngImagePlugin",
        "WebPImagePlugin",
    ]


# the process


@pytest.fixture
def decoder() -> Decoder:
    return Decoder()


async def test_a_process_of_its_own_does_it(decoder: Decoder, tmp_path: Path) -> None:
    file = tmp_path / "photo; rm -rf"
    file.write_bytes(jpeg(300, 200))
    assert await decoder.clean(file) == cleaned(jpeg(300, 200))
    assert os.listdir(tmp_path) == [file.name]
    file.write_bytes(claiming_png(60_000, 60_000))
    with pytest.raises(InvalidInput) as raised:
        await decoder.clean(file)
    assert raised.value.code is ErrorCode.image_too_many_pixels
    assert raised.value.params == {"width": 60_000, "height": 60_000, "limit": 50}


reads_proc = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@reads_proc
async def test_a_decoder_that_dies_takes_nothing_with_it(
    decoder: Decoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = children()
    (tmp_path / "photo").write_bytes(jpeg())
    for program, patience in (("import os; os.abort()", 60.0), ("import time; time.sleep(60)", 0.5), ("1 / 0", 60.0)):
        (tmp_path / "program.py").write_text(program)
        monkeypatch.setattr(uploads, "_PICTURES", tmp_path / "program.py")
        monkeypatch.setattr(programs, "PATIENCE", patience)
        with pytest.raises(InvalidInput) as raised:
            await decoder.clean(tmp_path / "photo")
        assert raised.value.code is ErrorCode.image_unreadable
    assert children() == before


@reads_proc
async def test_who_gives_up_leaves_no_process(
    decoder: Decoder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "program.py").write_text("import time; time.sleep(60)")
    monkeypatch.setattr(uploads, "_PICTURES", tmp_path / "program.py")
    before = children()
    waiting = asyncio.create_task(decoder.clean(tmp_path))
    while children() == before:
        await asyncio.sleep(0.02)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert children() == before


@reads_proc
async def test_few_are_decoded_at_once_and_memory_stays_bounded(decoder: Decoder, tmp_path: Path) -> None:
    """Forty megapixels, lying on their side: the costliest of usual photos."""
    file, little = tmp_path / "large", tmp_path / "little"
    little.write_bytes(jpeg())
    scene(7300, 5480).save(file, "JPEG", exif=exif_of_a_phone(6))
    most, at_once, done = 0, 0, asyncio.Event()
    known = children()

    async def watch() -> None:
        nonlocal most, at_once
        while not done.is_set():
            new = children() - known
            most, at_once = max([most, *map(memory, new)]), max(at_once, len(new))
            await asyncio.sleep(0.005)

    watching = asyncio.create_task(watch())
    try:
        large, *_ = await asyncio.gather(*map(decoder.clean, [file, *[little] * 4]))
    finally:
        done.set()
        await watching
    assert (large.width, large.height) == (5480, 7300)
    assert 100 < most < 400, f"{most} MiB"
    assert at_once <= uploads.AT_ONCE


def children() -> set[int]:
    """Processes that this one has started and that still run."""
    listed: set[int] = set()
    for task in Path(f"/proc/{os.getpid()}/task").iterdir():
        # a thread may end between its name and its list
        with suppress(FileNotFoundError, ProcessLookupError):
            listed.update(map(int, (task / "children").read_text().split()))
    return {child for child in listed if memory(child)}


def memory(process: int) -> int:
    """Resident MiB; 0 of one that is over."""
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return next((int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS")), 0)
