"""The record of a post at Bluesky: its key, its facets and what it embeds."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import regex

from core.clock import utcnow
from core.networks.bluesky_videos import MAX_ALT as MAX_VIDEO_ALT
from core.networks.connections import Credentials
from core.networks.posts import Image, Outgoing
from core.networks.rules.found_links import links_in
from core.networks.rules.links import Link
from core.texts.rules.graphemes import graphemes
from core.texts.rules.texts import cut_text

POSTS = "app.bsky.feed.post"
EXTERNAL = "app.bsky.embed.external"
MAX_TAG = 64
_SORTABLE = "234567abcdefghijklmnopqrstuvwxyz"
_HIDDEN = "\u00ad\u2060\u200a\u200b\u200c\u200d\u20e2"
_TAG = regex.compile(
    rf"(?<=^|\s)[#＃](?!\ufe0f)([^\s{_HIDDEN}]*[^\d\s\p{{P}}{_HIDDEN}]+[^\s{_HIDDEN}]*)", regex.MULTILINE
)
_TAG_END = regex.compile(r"\p{P}+$")
_MENTION = regex.compile(
    r"(?<=^|[\s(])@((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])", regex.I | regex.M
)


def new_key() -> str:
    """Return a record key (TID): microseconds and ten random bits, in a sortable alphabet."""
    number = (int(utcnow().timestamp() * 1_000_000) << 10) | secrets.randbits(10)
    return "".join(_SORTABLE[number >> 5 * place & 31] for place in reversed(range(13)))


def record_of(post: Outgoing, refs: Sequence[str]) -> dict[str, Any]:
    """Return the post's record, but for the time of its creation."""
    _, mentioned = read_ref(refs)
    record: dict[str, Any] = {"$type": POSTS, "text": post.text}
    if post.language:
        record["langs"] = [post.language]
    if facets := list(facets_of(post.text, mentioned)):
        record["facets"] = facets
    if post.link:
        record["embed"] = {"$type": EXTERNAL, "external": _card(post.link, refs[:-1])}
    elif post.video:
        record["embed"] = {
            "$type": "app.bsky.embed.video",
            "video": _blob(refs[0]),
            "alt": cut_text(post.video.alt, MAX_VIDEO_ALT),
            "aspectRatio": _ratio(refs[0]),
        }
    elif post.images:
        images = [_embedded(image, ref) for image, ref in zip(post.images, refs, strict=False)]
        record["embed"] = {"$type": "app.bsky.embed.images", "images": images}
    return record


def facets_of(text: str, mentioned: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Yield the links, hashtags and mentions of a text with their byte positions: the network detects none itself.
    `mentioned`: DIDs by handle."""
    occupied: list[range] = []
    for start, end, feature in _features(text, mentioned):
        place = range(start, end)
        if any(place.start < other.stop and other.start < place.stop for other in occupied):
            continue  # a tag or a mention inside a link
        occupied.append(place)
        index = {"byteStart": len(text[:start].encode()), "byteEnd": len(text[:end].encode())}
        yield {"index": index, "features": [feature]}


def handles_in(text: str) -> set[str]:
    """Return the mentioned handles."""
    return {match[1].lower() for match in _MENTION.finditer(text)}


def _features(text: str, mentioned: Mapping[str, str]) -> Iterator[tuple[int, int, dict[str, str]]]:
    kind = "app.bsky.richtext.facet#"
    for link in links_in(text):
        yield link.start, link.end, {"$type": f"{kind}link", "uri": link.url}
    for match in _TAG.finditer(text):
        tag = _TAG_END.sub("", match[1])
        if tag and graphemes(tag) <= MAX_TAG:
            yield match.start(), match.start(1) + len(tag), {"$type": f"{kind}tag", "tag": tag}
    for match in _MENTION.finditer(text):
        if did := mentioned.get(match[1].lower()):
            yield match.start(), match.end(), {"$type": f"{kind}mention", "did": did}


def new_ref(mentioned: Mapping[str, str]) -> str:
    """Return a new record key and the DIDs by handle as one reference, which `read_ref` reads."""
    return " ".join([new_key(), *(f"{handle}={did}" for handle, did in mentioned.items())])


def read_ref(refs: Sequence[str]) -> tuple[str, dict[str, str]]:
    """Return (the record's key, DIDs by handle)."""
    key, *mentioned = refs[-1].split(" ")
    return key, {handle: did for handle, _, did in (mention.partition("=") for mention in mentioned)}


def _card(link: Link, pictures: Sequence[str]) -> dict[str, Any]:
    """Return the card. The network does not fetch the page, and the card's picture has no alt text."""
    card: dict[str, Any] = {"uri": link.url, "title": link.title, "description": link.description}
    return {**card, "thumb": _blob(pictures[0])} if pictures else card


def _blob(ref: str) -> dict[str, Any]:
    link, mime, size, _ = ref.split(" ")
    return {"$type": "blob", "ref": {"$link": link}, "mimeType": mime, "size": int(size)}


def _embedded(image: Image, ref: str) -> dict[str, Any]:
    return {"alt": image.alt, "image": _blob(ref), "aspectRatio": _ratio(ref)}


def _ratio(ref: str) -> dict[str, int]:
    width, _, height = ref.split(" ")[3].partition("x")
    return {"width": int(width), "height": int(height)}


def uri_of(to: Credentials, key: str) -> str:
    return f"at://{to.external_id}/{POSTS}/{key}"
