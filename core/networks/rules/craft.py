"""What works on each network: how long texts are, where they are folded, hashtags, links, mentions and emoji.

Networks document none of it. The sources are studies by vendors, which show correlations, and what networks said in
public (decision 131).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from core.networks.rules.channels import ChannelKind


@dataclass(frozen=True, slots=True)
class NetworkRoom:
    """A network that a text is written for, and the most characters that the text may have there."""

    kind: ChannelKind
    limit: int


@dataclass(frozen=True, slots=True)
class Craft:
    """`length` are the usual characters of an English text, from and to."""

    length: tuple[int, int]
    fold: int | None
    """Characters that readers on a phone see before they unfold the text; None: all of it."""
    first_line: str
    """What makes a first line different there, or ""."""
    hashtags: tuple[int, int]
    """How many are usual, from and to."""
    hashtag_form: str
    links: str
    """What makes links different there from a plain address at the end, or ""."""
    mentions: str
    """What makes mentions different there from an @ before accounts of the brief, or ""."""
    emoji: int
    """How many are usual at most."""


_PROFESSIONAL: Final = Craft(
    length=(900, 1600),
    fold=140,
    first_line="",
    hashtags=(0, 3),
    hashtag_form="specific ones, in a last line",
    links="the post is useful without its link",
    mentions="none, names are words",
    emoji=2,
)
_SITE: Final = Craft(
    length=(400, 1500),
    fold=None,
    first_line="says what the page is about",
    hashtags=(0, 0),
    hashtag_form="",
    links="in the text, where they help",
    mentions="none, names are words",
    emoji=0,
)

CRAFT: Final[Mapping[ChannelKind, Craft]] = {
    ChannelKind.linkedin: _PROFESSIONAL,
    ChannelKind.linkedin_pages: _PROFESSIONAL,
    ChannelKind.facebook: Craft(
        length=(150, 500),
        fold=110,
        first_line="",
        hashtags=(0, 2),
        hashtag_form="in a last line",
        links="",
        mentions="none, names are words",
        emoji=2,
    ),
    ChannelKind.instagram: Craft(
        length=(300, 900),
        fold=125,
        first_line="the reason to look at the picture; its line break folds the text",
        hashtags=(3, 5),
        hashtag_form="specific ones, in a last line; search terms also in the sentences",
        links="none, since addresses cannot be opened there",
        mentions="",
        emoji=4,
    ),
    ChannelKind.threads: Craft(
        length=(150, 400),
        fold=250,
        first_line="the point itself, as said in a conversation: an observation of one's own, or a result",
        hashtags=(0, 1),
        hashtag_form="the topic of the post, as its only one, at the end",
        links="with a sentence on what is there",
        mentions="",
        emoji=2,
    ),
    ChannelKind.mastodon: Craft(
        length=(200, 450),
        fold=None,
        first_line="",
        hashtags=(3, 6),
        hashtag_form="each word with a capital, since its search finds posts by them",
        links="with a sentence on what is there",
        mentions="with their server",
        emoji=2,
    ),
    ChannelKind.bluesky: Craft(
        length=(150, 280),
        fold=None,
        first_line="",
        hashtags=(1, 3),
        hashtag_form="in the sentences or at the end",
        links="",
        mentions="",
        emoji=2,
    ),
    ChannelKind.wordpress: _SITE,
    ChannelKind.ghost: _SITE,
    ChannelKind.webhook: _SITE,
    ChannelKind.hosted_feed: _SITE,
}


def craft_of_all(kinds: Sequence[ChannelKind]) -> Craft:
    """Return the craft of one text for several networks, at least one: it keeps within what each of them takes."""
    crafts = [CRAFT[kind] for kind in kinds]
    first = crafts[0]
    if len(set(crafts)) == 1:
        return first
    folds = [craft.fold for craft in crafts if craft.fold is not None]
    shortest = min(crafts, key=lambda craft: craft.length[1])
    return Craft(
        length=shortest.length,
        fold=min(folds, default=None),
        first_line=next(craft.first_line for craft in crafts if craft.fold == min(folds, default=None)),
        hashtags=(min(craft.hashtags[0] for craft in crafts), min(craft.hashtags[1] for craft in crafts)),
        hashtag_form="specific ones, in a last line",
        links="the post is useful without its link",
        mentions="none, names are words",
        emoji=min(craft.emoji for craft in crafts),
    )
