"""Which videos are let in, and what is left of them."""

import asyncio
import subprocess
import sys
from pathlib import Path
from random import Random

import av
import pytest
from PIL import Image

from core.errors import ErrorCode, InvalidInput, Unavailable
from core.media import remuxing, uploads
from core.media.remuxing import Refused, RemuxedVideo, remux
from core.media.rules.media import MediaKind, VideoFacts, kind_of
from core.media.uploads import Decoder
from tests.clips import atoms, metadata, tracks, video
from tests.pictures import saved, scene

PLAIN = video()


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    return tmp_path / "packed.mp4"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return tmp_path / "small.webp"


@pytest.fixture
def original(tmp_path: Path) -> Path:
    return tmp_path / "original"


@pytest.fixture
def made(original: Path, packed: Path, small: Path) -> "Making":
    return Making(original, packed, small)


class Making:
    """What the program does, without a process for each of many cases."""

    def __init__(self, *files: Path) -> None:
        self.original, self.packed, self.small = files

    def of(self, data: bytes) -> RemuxedVideo:
        self.original.write_bytes(data)
        return remux(self.original, self.packed, self.small)

    def refusal(self, data: bytes) -> Refused:
        with pytest.raises(Refused) as raised:
            self.of(data)
        return raised.value


def test_a_video_is_packed_anew_with_its_index_first_and_without_its_secrets(made: Making) -> None:
    assert atoms(PLAIN).index("mdat") < atoms(PLAIN).index("moov")
    found = made.of(PLAIN)
    assert (found.width, found.height, found.frames_per_second) == (160, 96, 10)
    assert (found.video_codec, found.audio_codec) == ("h264", "aac")
    assert found.seconds == pytest.approx(1.5, abs=0.1)
    data = made.packed.read_bytes()
    assert atoms(data).index("moov") < atoms(data).index("mdat")
    assert {"title", "location"} <= metadata(made.original).keys()
    assert metadata(made.packed).keys() == {"major_brand", "minor_version", "compatible_brands"}
    assert tracks(made.packed) == [("video", "h264", 15), ("audio", "aac", 66)]


def test_the_same_video_gives_the_same_bytes_and_a_packed_one_stays_as_it_is(made: Making) -> None:
    made.of(PLAIN)
    first = made.packed.read_bytes()
    made.of(PLAIN)
    assert made.packed.read_bytes() == first
    made.of(first)
    assert made.packed.read_bytes() == first


@pytest.mark.parametrize(
    "data",
    [video(kind="mov"), video(flags="frag_keyframe+empty_moov"), video(flags="faststart")],
    ids=["mov", "fragments", "index first"],
)
def test_other_arrangements_of_the_same_tracks_become_the_same_kind(made: Making, data: bytes) -> None:
    assert made.of(data).seconds == pytest.approx(1.6, abs=0.2)
    assert atoms(made.packed.read_bytes())[:2] == ["ftyp", "moov"]
    assert tracks(made.packed) == [("video", "h264", 15), ("audio", "aac", 66)]


def test_a_silent_video_is_let_in(made: Making) -> None:
    assert made.of(video(sound=None)).audio_codec == ""
    assert tracks(made.packed) == [("video", "h264", 15)]


def test_a_lying_portrait_has_the_size_that_is_shown(made: Making) -> None:
    found = made.of(video(rotation=90))
    assert (found.width, found.height) == (96, 160)
    with av.open(str(made.packed)) as opened:  # players still turn it
        assert next(opened.decode(video=0)).rotation == 90
    with Image.open(made.small) as drawn:
        assert drawn.size == (96, 160)
        # a quarter counterclockwise: what was left is below
        red, _, blue = drawn.convert("RGB").getpixel((48, 150))  # type: ignore[misc]
        assert red > 150 > blue


def test_the_thumbnail_is_not_black(made: Making) -> None:
    made.of(video(black=0.4))
    with Image.open(made.small) as drawn:
        assert (drawn.format, drawn.size) == ("WEBP", (160, 96))
        assert drawn.convert("RGB").getpixel((20, 50))[0] > 150  # type: ignore[index]
    made.of(video(black=5))  # nothing else is there
    with Image.open(made.small) as drawn:
        assert max(high for _, high in drawn.convert("RGB").getextrema()) < 30  # type: ignore[misc]


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (video(codec="libx265"), "hevc"),
        (video(pixels="yuv420p10le"), "h264, yuv420p10le"),
        (video(pixels="yuv444p"), "h264, yuv444p"),
        (video(sound="libmp3lame"), "h264, mp3float"),
        (video(codec="mpeg4"), "mpeg4"),
    ],
    ids=["hevc", "ten bits", "no subsampling", "mp3", "mpeg4"],
)
def test_other_codecs_are_refused_by_name(made: Making, data: bytes, found: str) -> None:
    refused = made.refusal(data)
    assert (refused.code, refused.params) == (ErrorCode.video_type_refused, {"found": found})


def test_a_video_of_which_a_part_is_missing_is_refused(made: Making) -> None:
    for data in (PLAIN, video(flags="faststart"), video(flags="frag_keyframe+empty_moov")):
        for end in (len(data) * 95 // 100, len(data) // 2, len(data) // 8, 30, 8, 0):
            assert made.refusal(data[:end]).code == ErrorCode.video_unreadable, end


def test_gigantic_dimensions_are_refused(made: Making) -> None:
    refused = made.refusal(video(0.2, (4112, 16), sound=None))
    assert (refused.code, refused.params) == (
        ErrorCode.video_too_many_pixels,
        {"width": 4112, "height": 16, "limit": 4096},
    )


def test_only_one_track_of_each_kind_is_left(made: Making, tmp_path: Path) -> None:
    """Of a file with subtitles, a second sound track and a track of data."""
    source, many = tmp_path / "source", tmp_path / "many.mp4"
    source.write_bytes(PLAIN)
    with av.open(str(source)) as opened, av.open(str(many), "w") as out:
        copies = [out.add_stream_from_template(track) for track in opened.streams for _ in range(3)]
        for packet in opened.demux():
            if packet.dts is None:
                continue
            data, pts, dts, base = bytes(packet), packet.pts, packet.dts, packet.time_base
            for copy in copies[packet.stream.index * 3 :][:3]:
                another = av.Packet(data)
                another.pts, another.dts, another.time_base, another.stream = pts, dts, base, copy
                another.duration, another.is_keyframe = packet.duration, packet.is_keyframe
                out.mux(another)
    assert len(tracks(many)) == 6
    made.of(many.read_bytes())
    assert [kind for kind, *_ in tracks(made.packed)] == ["video", "audio"]


def test_an_index_that_leads_to_other_files_is_not_followed(made: Making, tmp_path: Path) -> None:
    """A QuickTime reference file, and the formats that are lists of further files."""
    other = tmp_path / "other.mp4"
    other.write_bytes(PLAIN)
    assert made.refusal(f"ffconcat version 1.0\nfile {other}\n".encode()).code == ErrorCode.video_unreadable
    assert made.refusal(f"#EXTM3U\n#EXTINF:1,\n{other}\n".encode()).code == ErrorCode.video_unreadable
    # the data reference says "in this file" (flag 1); now it names another
    at = PLAIN.index(b"url ")
    elsewhere = PLAIN[:at] + b"url \0\0\0\0" + PLAIN[at + 8 :]
    found = made.of(elsewhere)  # FFmpeg ignores the reference and reads this file
    assert found.width == 160


def test_broken_files_are_refused_and_nothing_else(made: Making) -> None:
    random, kinds = Random(7), [PLAIN, video(kind="mov"), video(flags="frag_keyframe+empty_moov")]
    outcomes = set()
    for _ in range(150):
        data = bytearray(random.choice(kinds))
        for _ in range(random.choice((1, 3, 20))):
            at = random.randrange(len(data) - 4)
            data[at : at + 4] = random.choice((b"\xff\xff\xff\xff", bytes(4), random.randbytes(4)))
        try:
            made.of(bytes(data))
            outcomes.add("packed")
        except Refused as refused:
            outcomes.add(refused.code)
    assert outcomes <= {"packed", "video_unreadable", "video_type_refused", "video_too_many_pixels"}
    assert len(outcomes) > 1


def test_an_index_that_names_the_same_bytes_again_and_again_fills_no_disk(original: Path, tmp_path: Path) -> None:
    """The limit of a file's size, lowered for the test."""
    original.write_bytes(video(5, colour="green"))
    lowered = f"""
import runpy, sys
sys.argv = ["remuxing.py", {str(original)!r}, {str(tmp_path / "out.mp4")!r}, {str(tmp_path / "out.webp")!r}]
import resource
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
runpy.run_path({remuxing.__file__!r}, run_name="__main__")
"""
    ended = subprocess.run([sys.executable, "-P", "-c", lowered], capture_output=True, text=True, check=False)
    assert '"code": "video_unreadable"' in ended.stdout or ended.returncode, ended
    assert (tmp_path / "out.mp4").stat().st_size <= 3000


@pytest.mark.parametrize(
    ("beginning", "kind"),
    [
        (PLAIN[:64], MediaKind.video),
        (video(kind="mov")[:64], MediaKind.video),
        (b"\0\0\0\x08wide\0\0\0\0mdat", MediaKind.video),
        (saved(scene(96, 64), "AVIF")[:64], MediaKind.image),
        (b"\0\0\0\x18ftypheic", MediaKind.image),
        (b"\0\0\0\x18ftypMiHB\0\0\0\0mif1heic", MediaKind.image),
        (b"\0\0\0\x1cftypmiaf\0\0\0\0MiHBavifmif1", MediaKind.image),
        (b"\0\0\0\x14ftypqt  \0\0\0\0qt  heic", MediaKind.video),
        (b"%PDF-1.7", MediaKind.document),
        (b"", MediaKind.image),
    ],
    # bytes of an encoder differ between processes, and so would the names of the tests
    ids=[
        "mp4",
        "mov",
        "without a brand",
        "avif",
        "heic",
        "heic by its second brand",
        "avif among brands",
        "qt",
        "pdf",
        "none",
    ],
)
def test_the_beginning_says_the_kind(beginning: bytes, kind: MediaKind) -> None:
    assert kind_of(beginning) is kind


async def test_the_program_answers_with_facts_or_a_reason(tmp_path: Path) -> None:
    decoder = Decoder()
    one, other = await asyncio.gather(*(decoder.check(_saved(tmp_path / name), MediaKind.video) for name in "ab"))
    assert one.facts is not None
    assert one.facts == VideoFacts(one.facts.to_json()["seconds"], "h264", "aac", 10)
    assert (one.kind, one.mime, one.width, one.height) == (MediaKind.video, "video/mp4", 160, 96)
    assert one.thumbnail[8:12] == b"WEBP"
    assert one.file is not None
    assert other.file is not None
    assert one.file.read_bytes() == other.file.read_bytes()
    with pytest.raises(InvalidInput) as raised:
        await decoder.check(_saved(tmp_path / "c", video(codec="libx265")), MediaKind.video)
    assert (raised.value.code, raised.value.params) == (ErrorCode.video_type_refused, {"found": "hevc"})


def _saved(folder: Path, data: bytes = PLAIN) -> Path:
    folder.mkdir()
    (folder / "original").write_bytes(data)
    return folder / "original"


async def test_a_full_disk_is_no_fault_of_the_video(tmp_path: Path) -> None:
    original = _saved(tmp_path / "a")
    original.with_name("video.mp4").symlink_to("/dev/full")
    with pytest.raises(Unavailable) as raised:
        await Decoder().check(original, MediaKind.video)
    assert raised.value.code is ErrorCode.storage_unavailable


async def test_a_program_that_crashes_refuses_that_video(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "program.py"
    program.write_text("import os; os.abort()")
    monkeypatch.setattr(uploads, "_VIDEOS", program)
    with pytest.raises(InvalidInput) as raised:
        await Decoder().check(_saved(tmp_path / "a"), MediaKind.video)
    assert raised.value.code is ErrorCode.video_unreadable
