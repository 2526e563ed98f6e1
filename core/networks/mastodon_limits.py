"""Mastodon's usual limits, those that a server reports, and how Mastodon counts."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from core.networks.rules.channels import ChannelLimits, Counting
from core.networks.rules.files import VideoLimits
from core.texts.rules.graphemes import graphemes

MAX_ALT = 1500
LINK_LENGTH = 23
_VIDEO_PIXELS, _VIDEO_FRAME_RATE = 8_294_400, 120
_BOUNDS = {
    "max_characters": (1, 20_000),
    "characters_reserved_per_url": (0, 1000),
    "max_media_attachments": (0, 50),
    "description_limit": (1, 20_000),
    "image_size_limit": (100_000, 100_000_001),
    "image_matrix_limit": (100_000, 1_000_000_000),
    "video_size_limit": (100_000, 10_000_000_001),
    "video_matrix_limit": (100_000, 1_000_000_000),
    "video_frame_rate_limit": (1, 1000),
}
"""Limits that a server may report, and the range in which we accept them."""
_LINK = re.compile(r"https?://[^\s<>\"]*[^\s<>\"'.,;:!?)\]}。，、]", re.IGNORECASE)
_MENTION = re.compile(r"(?<![/\w.=])@(\w+(?:[\w.-]*\w)?)@[\w.-]+\w")


def weigh(text: str, link_length: int = LINK_LENGTH) -> int:
    """Count as Mastodon does: graphemes, each link as 23, mentions without their server."""
    return graphemes(_MENTION.sub(r"@\1", _LINK.sub("x" * link_length, text)))


LIMITS: Final = ChannelLimits(
    max_characters=500,
    max_images=4,
    counting=Counting.weighted,
    weigh=weigh,
    max_pixels=33_177_600,
    max_image_bytes=16_000_000,
    max_alt=MAX_ALT,
    text_required=False,
    video=VideoLimits(
        # files must be smaller than 99 MiB
        max_bytes=103_809_023,
        mimes=("video/mp4", "video/quicktime", "video/webm"),
        shows_cover=True,
        max_pixels=_VIDEO_PIXELS,
        max_frame_rate=_VIDEO_FRAME_RATE,
    ),
)
"""A server's limits unless it reports others."""


def kept_limits(reported: Mapping[str, Any], usual: ChannelLimits) -> dict[str, Any]:
    """Return a server's numeric limits unchanged, and the supported ones of the `usual` types of images and videos."""
    parts = [part for name in ("statuses", "media_attachments") if isinstance(part := reported.get(name), dict)]
    limits = {name: part[name] for part in parts for name in _BOUNDS if type(part.get(name)) is int}
    for part in parts:
        if isinstance(types := part.get("supported_mime_types"), list):
            limits["supported_mime_types"] = [mime_type for mime_type in usual.image_types if mime_type in types]
            if limits["supported_mime_types"]:  # otherwise the list is of no use
                videos = usual.video.mimes if usual.video else ()
                limits["supported_video_types"] = [mime_type for mime_type in videos if mime_type in types]
    return limits


def limits_of_server(stored: Mapping[str, Any], usual: ChannelLimits) -> ChannelLimits:
    """Return the `usual` limits with what is kept of the server's, where it is usable."""

    def limit(name: str, default: int) -> int:
        least, most = _BOUNDS[name]
        value = stored.get(name, default)
        return min(value, most) if value >= least else default

    def video_limits() -> VideoLimits | None:
        if usual.video is None:
            return None
        mimes = tuple(stored.get("supported_video_types", usual.video.mimes))
        if not mimes:
            return None
        return replace(
            usual.video,
            # as for images
            max_bytes=limit("video_size_limit", usual.video.max_bytes + 1) - 1,
            mimes=mimes,
            max_pixels=limit("video_matrix_limit", _VIDEO_PIXELS),
            max_frame_rate=limit("video_frame_rate_limit", _VIDEO_FRAME_RATE),
        )

    links = limit("characters_reserved_per_url", LINK_LENGTH)
    return replace(
        usual,
        max_characters=limit("max_characters", usual.max_characters),
        max_alt=limit("description_limit", MAX_ALT),
        max_images=limit("max_media_attachments", usual.max_images),
        weigh=partial(weigh, link_length=links),
        max_pixels=limit("image_matrix_limit", usual.max_pixels),
        # files must be smaller than this limit
        max_image_bytes=limit("image_size_limit", usual.max_image_bytes + 1) - 1,
        image_types=tuple(stored.get("supported_mime_types") or usual.image_types),
        video=video_limits(),
    )
