"""Which files of a post a network gets, and what it requires of them."""

from dataclasses import replace

import pytest

from core.errors import ErrorCode
from core.media.rules.media import MediaKind
from core.networks.rules.channels import ChannelLimits, PostFacts, check
from core.networks.rules.files import DocumentLimits, FileFacts, VideoLimits
from core.networks.rules.links import Link, LinkPlace

IMAGE = FileFacts(400, 300)
PAGE = FileFacts(1080, 1350, is_card_page=True)
DOCUMENT = FileFacts(
    612, 792, kind=MediaKind.document, mime="application/pdf", bytes=1_000_000, title="Eight questions", pages=8
)
VIDEO = FileFacts(1080, 1920, kind=MediaKind.video, mime="video/mp4", bytes=5_000_000, title="Rain", seconds=30)

PLAIN = ChannelLimits(500, max_images=4)
DOCUMENTS = ChannelLimits(500, max_images=4, document=DocumentLimits(100_000_000, 300, 58))
VIDEOS = ChannelLimits(
    500,
    max_images=4,
    video=VideoLimits(100_000_000, 3, 90, 0.5, 2, min_bytes=75_000, max_pixels=8_294_400, max_frame_rate=60),
)


def codes(limits: ChannelLimits, *files: FileFacts) -> list[tuple[str, ErrorCode]]:
    return [(one.field, one.code) for one in check(PostFacts("Rain.", files=files), limits)]


@pytest.mark.parametrize(
    ("limits", "files", "sent"),
    [
        (PLAIN, [IMAGE, IMAGE], (0, 1)),
        (PLAIN, [PAGE, DOCUMENT, PAGE], (0, 2)),
        (DOCUMENTS, [PAGE, DOCUMENT, PAGE], (1,)),
        (DOCUMENTS, [PAGE, PAGE], (0, 1)),
        (VIDEOS, [VIDEO], (0,)),
        (PLAIN, [VIDEO], ()),
        (PLAIN, [PAGE] * 6, (0, 1, 2, 3)),
        (PLAIN, [PAGE] * 5 + [IMAGE], (0, 1, 2, 3, 4, 5)),
        (PLAIN, [], ()),
    ],
)
def test_a_network_gets_its_video_or_document_alone_else_the_images(
    limits: ChannelLimits, files: list[FileFacts], sent: tuple[int, ...]
) -> None:
    assert limits.sent_places(files) == sent


def test_pages_of_a_carousel_are_left_out_and_other_images_refused() -> None:
    assert codes(PLAIN, *[PAGE] * 6) == []
    assert codes(PLAIN, *[PAGE] * 5, IMAGE) == [("files", ErrorCode.too_many_images)]


def test_a_post_has_one_document_and_a_video_stands_alone() -> None:
    assert codes(DOCUMENTS, DOCUMENT, DOCUMENT) == [("files.1", ErrorCode.one_document)]
    assert codes(VIDEOS, VIDEO, IMAGE) == [("files.0", ErrorCode.video_stands_alone)]


def test_what_a_network_does_not_take_needs_images_instead() -> None:
    assert codes(PLAIN, DOCUMENT) == [("files.0", ErrorCode.document_unsupported)]
    assert codes(PLAIN, DOCUMENT, PAGE) == []
    assert codes(PLAIN, VIDEO) == [("files.0", ErrorCode.video_unsupported)]


def test_a_network_that_takes_no_images_gets_no_carousel_without_its_pages() -> None:
    assert codes(replace(PLAIN, max_images=0), *[PAGE] * 4) == [("files", ErrorCode.image_unsupported)]
    assert codes(replace(DOCUMENTS, max_images=0), PAGE, DOCUMENT) == []


def changed(file: FileFacts, **changes: object) -> FileFacts:
    return FileFacts(**{**vars(file), **changes})


@pytest.mark.parametrize(
    ("changes", "field", "code", "params"),
    [
        ({"bytes": 100_000_001}, "files.0", ErrorCode.file_too_large, {"found": 100.1, "limit": 100}),
        ({"pages": 301}, "files.0", ErrorCode.too_many_pages, {"found": 301, "limit": 300}),
        ({"title": "a" * 59}, "files.0.title", ErrorCode.content_too_long, {"length": 59, "limit": 58}),
    ],
)
def test_limits_of_a_document(changes: dict[str, object], field: str, code: ErrorCode, params: object) -> None:
    assert codes(DOCUMENTS, DOCUMENT) == []
    (problem,) = check(PostFacts("Rain.", files=[changed(DOCUMENT, **changes)]), DOCUMENTS)
    assert (problem.field, problem.code, dict(problem.params)) == (field, code, params)


@pytest.mark.parametrize(
    ("changes", "code", "params"),
    [
        ({"mime": "video/webm"}, ErrorCode.video_type_unfit, {}),
        ({"bytes": 74_999}, ErrorCode.video_too_small, {"found": 74, "limit": 75}),
        ({"bytes": 200_000_000}, ErrorCode.file_too_large, {"found": 200, "limit": 100}),
        ({"seconds": 2.94}, ErrorCode.video_too_short, {"seconds": 2.9, "limit": 3}),
        ({"seconds": 90.2}, ErrorCode.video_too_long, {"seconds": 90.2, "limit": 90}),
        (
            {"width": 3000, "height": 2765},
            ErrorCode.video_resolution_too_high,
            {"width": 3000, "height": 2765, "limit": 8_294_400},
        ),
        ({"frames_per_second": 61.2}, ErrorCode.video_frame_rate_too_high, {"found": 61.2, "limit": 60}),
        ({"width": 4000}, ErrorCode.video_ratio_unfit, {"ratio": 2.08, "least": 0.5, "most": 2}),
    ],
)
def test_limits_of_a_video(changes: dict[str, object], code: ErrorCode, params: object) -> None:
    assert codes(VIDEOS, VIDEO) == []
    (problem,) = check(PostFacts("Rain.", files=[changed(VIDEO, **changes)]), VIDEOS)
    assert (problem.field, problem.code, dict(problem.params)) == ("files.0", code, params)


def test_a_document_leaves_no_room_for_a_card() -> None:
    limits = ChannelLimits(500, max_images=4, link=LinkPlace.card, card_images=1, document=DOCUMENTS.document)
    facts = PostFacts("Rain.", link=Link("https://blog.example/rain"), files=[DOCUMENT])
    assert check(facts, limits) == []  # the address stands below the text, so the link needs no title
    assert [one.code for one in check(PostFacts("Rain.", link=facts.link), limits)] == [ErrorCode.link_title_missing]
