"""Text processing between the model and the network: cleaning, cutting, comparing, hashing.

Lengths here are UTF-16 units, the larger of the two ways in which services count (`channels.check`), so that a text
within the limit fits everywhere.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urlsplit

import regex

_ELLIPSIS = "…"
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# control characters except line feeds, byte order marks, lone surrogates
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
# marks that change the direction of all following text
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]")
# spaces, control characters, and invisible ones: a Hangul filler, a soft hyphen, an empty Braille cell
_DRAWN_AS_NOTHING = regex.compile(r"[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*")
_INVISIBLE_PART = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
# at the ends of a name; a trailing variation selector, joiner or tag may belong to an emoji
_AROUND = regex.compile(
    r"\A[\s\p{Default_Ignorable_Code_Point}\u2800]+|[\s\u00ad\u115f\u1160\u200b\u200e\u200f\u2060\u2800\u3164\ufeff\uffa0]+\Z"
)
_MANY_LINES = re.compile(r"\n{4,}")
_FENCED = re.compile(r"\A(?P<fence>`{3,}|~{3,})[\w+-]*[ ]*\n(?P<inner>.*)\n(?P=fence)\Z", re.DOTALL)
_QUOTES = ('""', "''", "“”", "‘’", "„“", "„”", "‚‘", "«»", "»«", "‹›", "›‹", "「」")
# the end of a sentence with closing quotes and brackets, or of a line
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’“»«)\]]*(?=\s|\Z)|[。！？]+[」』”’）]*|(?=\n)")
# no end of a sentence before a dot: "Dr. Who", "z. B.", "3. Oktober"
_NOT_AN_END = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|\d{1,2}|Dr|Mr|Mrs|Ms|Prof|St|Nr|No|ca|bzw|vgl|inkl|evtl|ggf|vs|approx"
    r"|e\.g|i\.e|z\.B|d\.h|u\.a)\.\Z"
)
_TRAILING = " \t\n,;:–—-([{\"'“„«‚‘"
# a # a # that begins a hashtag: not inside a word, a path or an entity
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
MAX_HASHTAG = 100
"""Characters, including the #."""
MAX_LINK = 500
MAX_ENDING = 1000
"""UTF-16 units of the link and the fixed hashtags."""
# must not be cut: it would mean nothing, or something else
_WHOLE = re.compile(r"(?:https?://|www\.)[^\s。！？、，「」『』（）]+|[#＃@＠]\w+", re.IGNORECASE)
_LINK = re.compile(r"(?:https?://|www\.)\S*\Z", re.IGNORECASE)
# scripts without spaces between words: a cut may be between any two characters
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
)
# a cut at a sentence may waste at most this share of the limit; otherwise cut at a word
_KEEP = 0.5


def normal(text: str) -> str:
    """Return the text in Unicode's composed form (NFC): some keyboards and programs send "ü" as "u" and a mark."""
    return unicodedata.normalize("NFC", text)


def is_blank(text: str) -> bool:
    """Return whether the text has no visible characters."""
    return _DRAWN_AS_NOTHING.fullmatch(text) is not None


def without_invisible(text: str) -> str:
    """Return an address, a handle or a code without invisible characters that were copied with it."""
    shown: str = _INVISIBLE_PART.sub("", text)
    return shown.strip()


def clean_output(text: str, max_characters: int) -> str:
    """Return a model's answer as plain text of at most `max_characters`, maybe empty: `cleaned`, then `cut_text`."""
    return cut_text(cleaned(text), max_characters)


def cleaned(text: str) -> str:
    """Return a model's answer as plain text: without control characters, a wrapping code fence or quotes, or spaces at
    line ends, and with at most three line feeds in a row."""
    text = _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " "))
    text = _MANY_LINES.sub("\n\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()
    return _unwrapped(text)


def fits(text: str, limit: int) -> bool:
    return _length(text) <= limit


def cut_text(text: str, limit: int) -> str:
    """Return the beginning of a cleaned text, at most `limit` characters, maybe empty.

    It ends with a whole sentence or line, or, if that would waste more than half of the limit, with a whole word and an
    ellipsis. No word, link, hashtag, mention or character is split, except a first word longer than the limit; a first
    link or hashtag of that length leaves nothing.
    """
    if _length(text) <= limit:
        return text
    fitting = _fitting(text, limit)
    whole = _spans(text, fitting)
    last = 0
    for end in _sentence_ends(text):
        if end > fitting:
            break
        if not _inside(whole, end):
            last = end
    sentences = text[:last].rstrip()
    return sentences if last and last >= fitting * _KEEP else _cut_at_word(text, limit)


def first_sentence(text: str, limit: int) -> str:
    """Return the first sentence or line, on one line; if longer than `limit`, cut at a word with an ellipsis."""
    text = _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " ")).strip()
    sentence = " ".join(text[: next(_sentence_ends(text), len(text))].split())
    return sentence if _length(sentence) <= limit else _cut_at_word(sentence, limit)


def sentences(text: str) -> Iterator[str]:
    """Yield the non-empty sentences and lines in order, each on one line."""
    text = _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " "))
    start = 0
    for end in (*_sentence_ends(text), len(text)):
        if sentence := " ".join(text[start:end].split()):
            yield sentence
        start = end


def content_hash(
    text: str,
    file_hashes: Sequence[str],
    channels: Sequence[str],
    first_comment: str = "",
    link: Mapping[str, str] | None = None,
) -> str:
    """Return the SHA-256 (hex) of what an approval covers. The order of files matters, that of channels does not."""
    # JSON separates the parts unambiguously; ASCII, so that any text can be encoded
    parts: list[object] = ["post", text, list(file_hashes), sorted(channels)]
    # absent parts are left out, so that older hashes stay valid
    parts += [first_comment] if first_comment else []
    parts += [sorted(link.items())] if link else []
    return sha256(json.dumps(parts, separators=(",", ":")).encode("ascii")).hexdigest()


def one_line(text: str) -> str:
    """Return a name for a row, a mail's subject or a log: without line breaks, other control characters and direction
    marks. Empty if nothing is visible."""
    broken = _LINE_END.sub(" ", text).replace("\t", " ").replace("\n", " ")
    named: str = _AROUND.sub("", _DIRECTION.sub("", _CONTROL.sub("", broken)))
    return named


# invisible: soft hyphens, fillers, zero widths, direction marks and overrides, tags (which can spell whole texts) and
# rare selectors; single joiners and emoji selectors are kept
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<=[\u200c\u200d\ufe0e\ufe0f])[\u200c\u200d\ufe0e\ufe0f]+(?![\U0001f000-\U0001faff\u2600-\u27bf])"
)
_LONG_GAP = re.compile("[ \t\u00a0\u2000-\u200a\u2800\u3000]{40,}")
_EMPTY_LINES = re.compile("\n(?:[ \t\u00a0\u2000-\u200a\u2800\u3000]*\n){3,}")


def visible(text: str) -> str:
    """Return only what a reader sees of a text, for taking over another person's text: without invisible characters,
    direction marks, and long gaps that move text out of sight."""
    shown = _HIDDEN.sub("", _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " ")))
    return _EMPTY_LINES.sub("\n\n\n", _LONG_GAP.sub(" ", shown))


def comparable(text: str) -> str:
    """Return a form that is equal for texts differing only in spaces, line ends and invisible characters."""
    visible = _INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return " ".join(_CONTROL.sub(" ", visible).split())


def _unwrapped(text: str) -> str:
    while True:
        inner = text
        fence = _FENCED.match(inner)
        # with the same marks inside it may be two blocks, or `"A" and "B"`
        if fence and fence["fence"] not in fence["inner"]:
            inner = fence["inner"].strip()
        middle = inner[1:-1]
        if len(inner) > 1 and inner[0] + inner[-1] in _QUOTES and not {inner[0], inner[-1]} & set(middle):
            inner = middle.strip()
        if inner == text:
            return text
        text = inner


def _length(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _fitting(text: str, limit: int) -> int:
    """Return how many code points of the text fit into `limit` units, whole characters only."""
    units = index = 0
    while index < len(text) and units < limit:
        units += 2 if text[index] > "\uffff" else 1
        index += 1
    if units > limit:
        index -= 1
    while 0 < index < len(text) and not _may_cut(text, index):
        index -= 1
    return index


def _may_cut(text: str, index: int) -> bool:
    """Return whether no user-perceived character spans the index (the usual cases of UAX 29)."""
    before, after = text[index - 1], text[index]
    if unicodedata.category(after) in {"Mn", "Mc", "Me"} or before == "\u200d":
        return False
    if after in "\u200c\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return False  # joiners, skin tones, tag letters of regional flags
    if _is_flag_half(before) and _is_flag_half(after):
        run = index
        while run > 0 and _is_flag_half(text[run - 1]):
            run -= 1
        return (index - run) % 2 == 0
    # decomposed Korean: a syllable's vowel and final consonant
    return not ("\u1160" <= after <= "\u11ff" and "\u1100" <= before <= "\u11ff")


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _cut_at_word(text: str, limit: int) -> str:
    """Cut a text that is too long."""
    end = _fitting(text, limit - 1)
    if end <= 0:
        return ""
    whole = _spans(text, end)
    # the nearest index between two words; other indexes could split a cluster only inside a word
    place = next((index for index in range(end, 0, -1) if _parts_words(text, index, whole)), 0)
    if place == 0:
        if _inside(whole, end):
            return ""
        place = end
    words = text[:place].rstrip()
    if _LINK.search(words):
        # a character directly after a link would become part of it
        return f"{words} {_ELLIPSIS}" if _length(words) + 2 <= limit else words
    words = words.rstrip(_TRAILING)
    return words + _ELLIPSIS if words else ""


def _spans(text: str, end: int) -> list[tuple[int, int]]:
    """Return the spans of links, hashtags and mentions that begin before `end`."""
    # one more character shows whether the last one continues
    return [found.span() for found in _WHOLE.finditer(text[: end + 1])]


def _inside(spans: Sequence[tuple[int, int]], index: int) -> bool:
    return any(start < index < end for start, end in spans)


def _parts_words(text: str, index: int, whole: Sequence[tuple[int, int]]) -> bool:
    before, after = text[index - 1], text[index]
    if before.isspace() or after.isspace():
        return True
    unspaced = _UNSPACED.match(before) or _UNSPACED.match(after)
    return bool(unspaced) and _may_cut(text, index) and not _inside(whole, index)


def _sentence_ends(text: str) -> Iterator[int]:
    """Yield sentence ends in ascending order. A heuristic tells abbreviations and ordinals from ends."""
    for match in _SENTENCE_END.finditer(text):
        end = match.end()
        following = text[end : end + 2].lstrip()
        if match[0] == "." and (_NOT_AN_END.search(text, max(0, end - 12), end) or following[:1].islower()):
            continue
        if end:
            yield end


# --- hashtags, and a link below the text


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


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    """Without #, for comparison."""


def normal_hashtag(text: str) -> str | None:
    """Return `bikes` or `#bikes` as `#bikes`; None if it is no hashtag: with a space, without a letter, too long."""
    tag = "#" + text.strip().lstrip("#")
    found = _tags(tag)
    return tag if [(each.start, each.end) for each in found] == [(0, len(tag))] and len(tag) <= MAX_HASHTAG else None


def normal_link(text: str, most: int = MAX_LINK) -> str | None:
    """Return a web address with its scheme; None if it is invalid, longer than `most`, or contains credentials."""
    link = text.strip()
    if link and "://" not in link:
        link = f"https://{link}"
    if len(link) > most or any(each.isspace() or each in '<>"\\^`{|}' for each in link) or _CONTROL.search(link):
        return None
    try:
        parts = urlsplit(link)
        host, _ = parts.hostname or "", parts.port
    except ValueError:
        return None
    labels = host.split(".")
    named = len(labels) > 1 and all(labels) and not _INVISIBLE.search(host)
    return link if parts.scheme in ("http", "https") and named and parts.username is None else None


def hashtags(text: str) -> list[str]:
    """Return a text's hashtags in order, each with one #. Parts of addresses and plain numbers are none."""
    return [f"#{text[tag.start : tag.end].lstrip('#')}" for tag in _tags(text)]


def mentions(text: str) -> int:
    """Return the number of @ mentions."""
    return len(_MENTION.findall(text))


def room_for(ending: Ending) -> int:
    """Return the UTF-16 units to reserve for what is added below the text."""
    line = " ".join(ending.always)
    return sum(_length(f"\n\n{part}") for part in (ending.link, line) if part)


def finished(text: str, limit: int, ending: Ending, most: int | None = None) -> str:
    """Return a model's answer ready to publish: cleaned as by `clean_output`, hashtags handled, link and fixed hashtags
    added, in `limit` units in total; the text itself in `most`, if given.

    A too long text is cut. The link is never cut, but omitted if it alone exceeds the limit; no hashtag is cut.
    """
    text = _with_policy(clean_output(text, _length(text)), ending)
    if most is not None and _length(text) > most:
        text = _composed(*_apart(text), (), "", most)
    link = ending.link if _length(ending.link) <= limit else ""
    complete = _names(text) >= {_name(tag) for tag in ending.always} and (not link or has_link(text, link))
    if complete and _length(text) <= limit:
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
    for wanted in ("", link):
        row = _row(own, always, limit - _length(f"{wanted}\n\n") if wanted else limit)
        below = "\n\n".join(part for part in (wanted, row) if part)
        shortened = _cut_between(body, limit - _length(f"\n\n{below}") if below else limit)
        if wanted == link or has_link(shortened, link):
            break
    return "\n\n".join(part for part in (shortened, below) if part)


def _row(own: Sequence[str], always: Sequence[str], limit: int) -> str:
    """Return as many hashtags as fit: first the fixed ones, which stand after the text's own."""
    kept, room = _fit(always, limit)
    before, _ = _fit(own, min(room, int(limit * _TAGS_SHARE)))
    return " ".join(before + kept)


def _fit(tags: Sequence[str], room: int) -> tuple[list[str], int]:
    kept: list[str] = []
    for tag in tags:
        if _length(f"{tag} ") > room:
            break
        room -= _length(f"{tag} ")
        kept.append(tag)
    return kept, room


def _cut_between(text: str, limit: int) -> str:
    """As `cut_text`, without cutting a hashtag."""
    if limit <= 0:
        return ""
    cut = cut_text(text, limit)
    kept = len(cut.removesuffix(_ELLIPSIS)) if cut != text else len(text)
    halved = next((tag for tag in _tags(text) if tag.start < kept < tag.end), None)
    if halved is None:
        return cut
    words = text[: halved.start].rstrip(_TRAILING)
    return words + _ELLIPSIS if words else ""


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
    return _MANY_LINES.sub("\n\n\n", "\n".join(lines)).strip()


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
    found: set[_Tag] = set()
    following, row = len(text), True
    for tag in reversed(_tags(text)):
        between = text[tag.end : following]
        # only a row's hashtag or the end of the line follows
        row = (row or "\n" in between) and not between.split("\n")[0].strip(_BETWEEN)
        row = row and _may_follow(text[: tag.start].rpartition("\n")[2].rstrip(_BETWEEN))
        if row:
            found.add(tag)
        following = tag.start
    return found


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
    found = []
    for match in _HASH.finditer(text):
        end = match.end()
        while end < len(text) and _in_hashtag(text[end]):
            end += 1
        name = text[match.end() : end]
        if any(each.isalpha() for each in name) and not any(a < match.start() < b for a, b in addresses):
            found.append(_Tag(match.start(), end, _name(name)))
    return found


def _name(tag: str) -> str:
    return unicodedata.normalize("NFC", tag.lstrip("#")).casefold()


def _in_hashtag(character: str) -> bool:
    return character.isalnum() or character in "_\u200c\u200d" or unicodedata.category(character)[0] == "M"


def has_link(text: str, link: str) -> bool:
    """Return whether the text contains the address, not only as the start of a longer one."""
    return re.search(re.escape(link) + r"(?![\w/?#&=%~+-])", text) is not None
