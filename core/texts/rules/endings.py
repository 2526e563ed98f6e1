"""What ends a text: its hashtags, and a link and fixed hashtags below it."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple
from urllib.parse import urlsplit

from core.texts.rules.texts import CONTROL, ELLIPSIS, INVISIBLE, MANY_LINES, TRAILING, clean_output, cut_text, length

# a # that begins a hashtag: not inside a word, a path or an entity
_HASH = re.compile(r"(?<![\w&/#])#+")
# an @ that begins a mention: not inside a word, an address or a path
_MENTION = re.compile(r"(?<![\w@＠./-])[@＠]\w")
_URL = re.compile(r"https?://\S+")
# allowed between two hashtags of a row
_BETWEEN = " \t\n,·|"
# allowed before a row of hashtags in its line
_AFTER = ".!?…:)\"'”’»"
# share of the limit for the text's own hashtags if the text is too long
_TAGS_SHARE = 0.3
# share of the limit that these leave to the text beside the fixed ones
_BODY_SHARE = 0.25
MAX_HASHTAG = 100
"""Characters, including the #."""
MAX_LINK = 500
MAX_ENDING = 1000
"""UTF-16 units of the link and the fixed hashtags."""


class HashtagPolicy(StrEnum):
    """What happens to the hashtags of a text."""

    as_written = "as_written"
    none = "none"
    at_most = "at_most"


@dataclass(frozen=True, slots=True)
class Ending:
    """How a text's hashtags are handled, and what is added below it."""

    hashtags: HashtagPolicy = HashtagPolicy.as_written
    most_hashtags: int | None = None
    """For `at_most`; includes those of `always`."""
    always: tuple[str, ...] = ()
    """Hashtags that every post has, each with its #."""
    link: str = ""
    is_own: bool = True
    """Whether the link leads to a site of our own: to the assistant's link, or for a topic's page to the same site. A
    brand's parameters are added only there."""
    bare_link: str = ""
    """The link without the brand's parameters, if it has any: a text that names it gets the link with them instead."""

    @property
    def keeps_hashtags(self) -> bool:
        """Whether any hashtags of a text's own are published."""
        if self.hashtags is HashtagPolicy.at_most:
            return (self.most_hashtags or 0) > len(self.always)
        return self.hashtags is HashtagPolicy.as_written

    def with_most_hashtags(self, most: int) -> "Ending":
        """Return the ending with at most so many hashtags in all."""
        always = self.always[:most]
        match self.hashtags:
            case HashtagPolicy.none:
                return replace(self, always=always)
            case HashtagPolicy.at_most:
                return replace(self, most_hashtags=min(self.most_hashtags or 0, most), always=always)
            case HashtagPolicy.as_written:
                return replace(self, hashtags=HashtagPolicy.at_most, most_hashtags=most, always=always)

    def with_topic_link(self, link: str) -> "Ending":
        """Return the ending with the link of a post's topic; unchanged if the topic has none that can be shown."""
        shown = normal_link(link) if link else None
        return replace(self, link=shown, is_own=_is_within(shown, self.link)) if shown else self


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    """Without #, for comparison."""


def normal_hashtag(text: str) -> str | None:
    """Return `bikes` or `#bikes` as `#bikes`; None if it is no hashtag: with a space, without a letter, too long."""
    tag = "#" + text.strip().lstrip("#")
    tags = _tags(tag)
    return tag if [(each.start, each.end) for each in tags] == [(0, len(tag))] and len(tag) <= MAX_HASHTAG else None


def normal_link(text: str, most: int = MAX_LINK) -> str | None:
    """Return a web address with its scheme; None if it is invalid, longer than `most`, or contains credentials."""
    link = text.strip()
    if link and "://" not in link:
        link = f"https://{link}"
    if len(link) > most or any(each.isspace() or each in '<>"\\^`{|}' for each in link) or CONTROL.search(link):
        return None
    try:
        parts = urlsplit(link)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return None
    labels = host.split(".")
    named = len(labels) > 1 and all(labels) and not INVISIBLE.search(host)
    return link if parts.scheme in ("http", "https") and named and parts.username is None else None


def _is_within(link: str, site: str) -> bool:
    """Return whether a link leads to the server of another link, or to one below it (blog.example.org, example.org)."""
    host, of_site = (urlsplit(each).hostname or "" for each in (link, site))
    host, of_site = host.removeprefix("www."), of_site.removeprefix("www.")
    return bool(of_site) and (host == of_site or host.endswith(f".{of_site}"))


def hashtags(text: str) -> list[str]:
    """Return a text's hashtags in order, each with one #. Parts of addresses and plain numbers are none."""
    return [f"#{text[tag.start : tag.end].lstrip('#')}" for tag in _tags(text)]


def count_own_hashtags(text: str, ending: Ending) -> int:
    """Return how many hashtags of a text's own are published with this ending: without the fixed ones."""
    fixed = {_name(tag) for tag in ending.always}
    return sum(_name(tag) not in fixed for tag in hashtags(_with_policy(text, ending)))


def mentions(text: str) -> int:
    """Return the number of @ mentions."""
    return len(_MENTION.findall(text))


def room_for(ending: Ending) -> int:
    """Return the UTF-16 units to reserve for what is added below the text."""
    line = " ".join(ending.always)
    return sum(length(f"\n\n{part}") for part in (ending.link, line) if part)


def finished(text: str, limit: int, ending: Ending, most: int | None = None) -> str:
    """Return a model's answer ready to publish: cleaned as by `clean_output`, hashtags handled, link and fixed hashtags
    added, in `limit` units in total; the text itself in `most`, if given.

    A too long text is cut. The link is never cut, but omitted if it alone exceeds the limit; no hashtag is cut.
    """
    text = _with_policy(clean_output(text, length(text)), ending)
    if most is not None and length(text) > most:
        text = _composed(*_apart(text), (), "", most)
    link = ending.link if length(ending.link) <= limit else ""
    if link and ending.bare_link:
        text = replace_link(text, ending.bare_link, link)
    complete = _names(text) >= {_name(tag) for tag in ending.always} and (not link or has_link(text, link))
    if complete and length(text) <= limit:
        return text
    body, own = _apart(text)
    own = [tag for tag in own if _name(tag) not in {_name(each) for each in ending.always}]
    below = [tag for tag in ending.always if _name(tag) not in _names(body)]
    while True:
        result = _composed(body, own, below, link, limit)
        lost = [tag for tag in ending.always if tag not in below and _name(tag) not in _names(result)]
        if not lost:
            return result
        below += lost  # hashtags that were cut off with the text


def _composed(body: str, own: Sequence[str], always: Sequence[str], link: str, limit: int) -> str:
    """Return text, link and hashtags; the link only if the text lacks it."""
    for link_line in ("", link):
        row = _row(body, own, always, limit - length(f"{link_line}\n\n") if link_line else limit)
        below = "\n\n".join(part for part in (link_line, row) if part)
        shortened = _cut_between(body, limit - length(f"\n\n{below}") if below else limit)
        if link_line == link or has_link(shortened, link):
            break
    return "\n\n".join(part for part in (shortened, below) if part)


def _row(body: str, own: Sequence[str], always: Sequence[str], limit: int) -> str:
    """Return as many hashtags as fit: first the fixed ones, which stand after the text's own. The own ones leave the
    body its share, or its length if that is less."""
    fitting, room = _fit(always, limit)
    room -= min(length(f"{body} "), int(limit * _BODY_SHARE)) if body else 0
    before, _ = _fit(own, min(room, int(limit * _TAGS_SHARE)))
    return " ".join(before + fitting)


def _fit(tags: Sequence[str], room: int) -> tuple[list[str], int]:
    fitting: list[str] = []
    for tag in tags:
        if length(f"{tag} ") > room:
            break
        room -= length(f"{tag} ")
        fitting.append(tag)
    return fitting, room


def _cut_between(text: str, limit: int) -> str:
    """As `cut_text`, without cutting a hashtag."""
    if limit <= 0:
        return ""
    cut = cut_text(text, limit)
    length_left = len(cut.removesuffix(ELLIPSIS)) if cut != text else len(text)
    halved = next((tag for tag in _tags(text) if tag.start < length_left < tag.end), None)
    if halved is None:
        return cut
    words = text[: halved.start].rstrip(TRAILING)
    return words + ELLIPSIS if words else ""


def _with_policy(text: str, ending: Ending) -> str:
    if ending.hashtags is HashtagPolicy.as_written:
        return text
    always = {_name(tag) for tag in ending.always}
    room = 0
    if ending.hashtags is HashtagPolicy.at_most:
        room = max(0, (ending.most_hashtags or 0) - len(always))
    else:
        always = set()  # they are added below the text
    rows, pieces, position = _rows(text), [], 0
    for tag in _tags(text):
        keep = tag.name in always
        always.discard(tag.name)  # a repeated one counts as an additional one
        if not keep and room > 0:
            keep, room = True, room - 1
        if keep:
            continue
        # remove it from a row; in a sentence keep its word
        rest = "" if tag in rows else text[tag.start : tag.end].lstrip("#")
        pieces += [text[position : tag.start], rest]
        position = tag.end
    if not pieces:
        return text
    return _tidied(text, "".join((*pieces, text[position:])))


def _tidied(before: str, after: str) -> str:
    """Remove empty lines and double spaces that removed hashtags left."""
    lines = []
    for old, new in zip(before.split("\n"), after.split("\n"), strict=True):
        if old == new:
            lines.append(new)
        elif new.strip(_BETWEEN):
            lines.append(re.sub(r" {2,}", " ", new).rstrip(_BETWEEN).lstrip(" "))
    return MANY_LINES.sub("\n\n\n", "\n".join(lines)).strip()


def _apart(text: str) -> tuple[str, list[str]]:
    """Return the text without its final row of hashtags, and those, each once."""
    rows, cut = _rows(text), len(text)
    row: list[_Tag] = []
    for tag in reversed(_tags(text)):
        if tag not in rows or text[tag.end : cut].strip(_BETWEEN):
            break
        cut = tag.start
        row.insert(0, tag)
    named = {tag.name: f"#{text[tag.start : tag.end].lstrip('#')}" for tag in reversed(row)}
    return text[:cut].rstrip(_BETWEEN), list(reversed(named.values()))


def _rows(text: str) -> set[_Tag]:
    """Return the hashtags outside of sentences: in a line of only hashtags, or after the last sentence."""
    tags: set[_Tag] = set()
    following, row = len(text), True
    for tag in reversed(_tags(text)):
        between = text[tag.end : following]
        # only a row's hashtag or the end of the line follows
        row = (row or "\n" in between) and not between.split("\n")[0].strip(_BETWEEN)
        row = row and _may_follow(text[: tag.start].rpartition("\n")[2].rstrip(_BETWEEN))
        if row:
            tags.add(tag)
        following = tag.start
    return tags


def _may_follow(line: str) -> bool:
    """Return whether a row of hashtags may begin after this part of its line: not inside a sentence."""
    if not line or line[-1] in _AFTER or not (line[-1].isascii() or line[-1].isalnum()):
        return True
    last = next(reversed(_tags(line)), None)
    return last is not None and last.end == len(line)


def _names(text: str) -> set[str]:
    return {tag.name for tag in _tags(text)}


def _tags(text: str) -> list[_Tag]:
    addresses = [match.span() for match in _URL.finditer(text)] if "://" in text else []
    tags = []
    for match in _HASH.finditer(text):
        end = match.end()
        while end < len(text) and _in_hashtag(text[end]):
            end += 1
        name = text[match.end() : end]
        if any(each.isalpha() for each in name) and not any(a < match.start() < b for a, b in addresses):
            tags.append(_Tag(match.start(), end, _name(name)))
    return tags


def _name(tag: str) -> str:
    return unicodedata.normalize("NFC", tag.lstrip("#")).casefold()


def _in_hashtag(character: str) -> bool:
    return character.isalnum() or character in "_\u200c\u200d" or unicodedata.category(character)[0] == "M"


def has_link(text: str, link: str) -> bool:
    """Return whether the text contains the address, not only as the start of a longer one."""
    return _whole(link).search(text) is not None


def replace_link(text: str, link: str, other: str) -> str:
    """Return the text with another address instead of this one, which it may have more than once."""
    return _whole(link).sub(lambda _: other, text)


def _whole(link: str) -> re.Pattern[str]:
    return re.compile(re.escape(link) + r"(?![\w/?#&=%~+-]|[.:@]\w)")
