"""A post as LinkedIn takes it: its text in the "little" format, its card, and its images, its document or its
video."""

import re
from collections.abc import Iterator
from typing import Any

from core.errors import ErrorCode, Refused
from core.networks.connections import Credentials
from core.networks.posts import Image, Outgoing
from core.networks.rules.channels import AccountType
from core.texts.rules.mentions import MENTION

_RESERVED = re.compile(r"[\\|{}@\[\]()<>#*_~]")
_SPELLED = re.compile(rf"{MENTION.pattern}|{_RESERVED.pattern}", re.ASCII)
# a # that begins a hashtag: not inside a word, a link's fragment or an entity, and not only digits
_TAG = re.compile(r"(?<![\w/&])#(?=\d*[^\W\d])")
_LITTLE = re.compile(
    r"\\(?P<plain>.)"
    r"|\{hashtag\|\\?\#\|(?P<tag>(?:\\.|[^}\\])*)\}"
    r"|@\[(?P<name>(?:\\.|[^\]\\])*)\]\([^)]*\)",
    re.DOTALL,
)


def escape(text: str) -> str:
    """Return `text` in LinkedIn's "little" format. Unescaped, a reserved character silently ends the post.

    The # of a hashtag is not escaped, or it would show as plain text; the rest of its word is. Of a typed mention only
    the name is.
    """
    tags = {match.start() for match in _TAG.finditer(text)}

    def spelled(match: re.Match[str]) -> str:
        if match["urn"]:
            return f"@[{_escape_all(match['name'])}]({match['urn']})"
        return match[0] if match.start() in tags else _escape_all(match[0])

    return _SPELLED.sub(spelled, text)


def _escape_all(text: str) -> str:
    return _RESERVED.sub(lambda match: "\\" + match[0], text)


def unescape(little: str) -> str:
    """Return the visible text of "little" format, with both spellings of a hashtag; mentions become the name."""

    def visible(match: re.Match[str]) -> str:
        if (plain := match["plain"]) is not None:
            return plain
        if (tag := match["tag"]) is not None:
            return "#" + unescape(tag)
        return unescape(match["name"])

    return _LITTLE.sub(visible, little)


def post_body(to: Credentials, post: Outgoing, refs: tuple[str, ...]) -> dict[str, Any]:
    if len(refs) != post.file_count:
        raise Refused(ErrorCode.delivery_image_missing, expected=post.file_count, staged=len(refs))
    body: dict[str, Any] = {
        "author": author_of(to),
        "commentary": escape(post.text),
        "visibility": "PUBLIC",
        "distribution": {
            "feedDistribution": "MAIN_FEED",
            "targetEntities": [],
            "thirdPartyDistributionChannels": [],
        },
        "lifecycleState": "PUBLISHED",
        "isReshareDisabledByAuthor": False,
    }
    if post.link:
        body["content"] = {"article": _card(post, refs)}
    elif post.document:
        body["content"] = {"media": {"id": refs[0], "title": post.document.title}}
    elif post.video:
        body["content"] = {"media": {"id": refs[0], "title": post.video.title}}
    elif media := list(_media(post.images, refs)):
        body["content"] = {"media": media[0]} if len(media) == 1 else {"multiImage": {"images": media}}
    return body


def _card(post: Outgoing, refs: tuple[str, ...]) -> dict[str, str]:
    """LinkedIn does not fetch the page: the card shows what this request contains."""
    assert post.link is not None
    card = {
        "source": post.link.url,
        "title": post.link.title,
        "description": post.link.description,
        "thumbnail": refs[0] if refs else "",
    }
    return {name: value for name, value in card.items() if value}


def _media(images: tuple[Image, ...], refs: tuple[str, ...]) -> Iterator[dict[str, str]]:
    for image, urn in zip(images, refs, strict=True):
        yield {"id": urn, "altText": image.alt} if image.alt else {"id": urn}


def author_of(to: Credentials) -> str:
    kind = "organization" if to.type is AccountType.organisation else "person"
    return f"urn:li:{kind}:{to.external_id}"
