"""What becomes of a text between the model and the network: cleaned, cut, compared, hashed.

Lengths here are UTF-16 units, the larger of the two ways in which services count (`channels.check`): a text
that fits by them fits everywhere.
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
# control characters but line feeds, byte order marks, halves of characters
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
# what turns the direction of all that follows, beyond its own end
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]")
# spaces, control characters, and what is drawn as nothing: a Hangul filler, a soft hyphen, an empty Braille cell
_DRAWN_AS_NOTHING = regex.compile(r"[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*")
_INVISIBLE_PART = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
# at the ends of a name; variation selectors, joiners and tags may be the end of an emoji
_AROUND = regex.compile(
    r"\A[\s\p{Default_Ignorable_Code_Point}\u2800]+|[\s\u00ad\u115f\u1160\u200b\u200e\u200f\u2060\u2800\u3164\ufeff\uffa0]+\Z"
)
_MANY_LINES = re.compile(r"\n{4,}")
_FENCED = re.compile(r"\A(?P<fence>`{3,}|~{3,})[\w+-]*[ ]*\n(?P<inner>.*)\n(?P=fence)\Z", re.DOTALL)
_QUOTES = ('""', "''", "“”", "‘’", "„“", "„”", "‚‘", "«»", "»«", "‹›", "›‹", "「」")
# what ends a sentence, with the quotes and brackets that close after it; or the end of a line
_SENTENCE_END = re.compile(r"[.!?…]+[\"'”’“»«)\]]*(?=\s|\Z)|[。！？]+[」』”’）]*|(?=\n)")
# before a dot these are not the end: "Dr. Who", "z. B.", "3. Oktober"
_NOT_AN_END = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|\d{1,2}|Dr|Mr|Mrs|Ms|Prof|St|Nr|No|ca|bzw|vgl|inkl|evtl|ggf|vs|approx"
    r"|e\.g|i\.e|z\.B|d\.h|u\.a)\.\Z"
)
_TRAILING = " \t\n,;:–—-([{\"'“„«‚‘"
# a # that begins a tag: not inside a word, a path or an entity
_HASH = re.compile(r"(?<![\w&/#])#+")
# an @ that begins a mention: not inside a word, an address or a path
_MENTION = re.compile(r"(?<![\w@＠./-])[@＠]\w")
_URL = re.compile(r"https?://\S+")
# what may stand between two tags of a row
_BETWEEN = " \t\n,·|"
# what a row of tags may stand behind in a line
_AFTER = ".!?…:)\"'”’»"
# of the room for a text, what its own hashtags may take where it is too long
_TAGS_SHARE = 0.3
MAX_HASHTAG = 100
"""Characters, its # included."""
MAX_LINK = 500
MAX_ENDING = 1000
"""UTF-16 units of a link and of the hashtags that are always there."""
# what means nothing, or something else, without its end
_WHOLE = re.compile(r"(?:https?://|www\.)[^\s。！？、，「」『』（）]+|[#＃@＠]\w+", re.IGNORECASE)
_LINK = re.compile(r"(?:https?://|www\.)\S*\Z", re.IGNORECASE)
# scripts that put no space between words: there a cut may go between any two characters
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]"
)
# a cut at a sentence may give up at most this part of the room; beyond it a cut at a word says more
_KEEP = 0.5


def normal(text: str) -> str:
    """Return the text in Unicode's composed form (NFC): by some keyboards and programs an "ü" is a "u" and a mark."""
    return unicodedata.normalize("NFC", text)


def is_blank(text: str) -> bool:
    """Return whether nobody would see anything of the text."""
    return _DRAWN_AS_NOTHING.fullmatch(text) is not None


def without_invisible(text: str) -> str:
    """Return an address, a handle or a code without the invisible characters that come along when it is copied."""
    shown: str = _INVISIBLE_PART.sub("", text)
    return shown.strip()


def clean_output(text: str, max_characters: int) -> str:
    """A model's answer as plain text of at most `max_characters`; may be empty. `cleaned`, then `cut_text`."""
    return cut_text(cleaned(text), max_characters)


def cleaned(text: str) -> str:
    """A model's answer as plain text, however long: without control characters, a wrapping code fence or wrapping
    quotes, without space at line ends and with at most three line feeds in a row."""
    text = _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " "))
    text = _MANY_LINES.sub("\n\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()
    return _unwrapped(text)


def fits(text: str, limit: int) -> bool:
    return _length(text) <= limit


def cut_text(text: str, limit: int) -> str:
    """A cleaned text's beginning that has at most `limit` characters; may be empty.

    It ends with a whole sentence or line, or, if that would waste more than half of the room, with a whole word and an
    ellipsis. No word, link, hashtag, mention or character is torn apart, but for a first word that is longer than all
    of the room; a link or tag of that length leaves nothing.
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
    """The first sentence or line, on one line; if longer than `limit`, cut at a word with an ellipsis."""
    text = _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " ")).strip()
    sentence = " ".join(text[: next(_sentence_ends(text), len(text))].split())
    return sentence if _length(sentence) <= limit else _cut_at_word(sentence, limit)


def sentences(text: str) -> Iterator[str]:
    """Sentences and lines in their order, each on one line; none is empty."""
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
    """SHA-256 in hex of what an approval is given for. Files count in their order, channels in any."""
    # JSON keeps the parts apart whatever is in them; ASCII, so that any text can be encoded
    parts: list[object] = ["post", text, list(file_hashes), sorted(channels)]
    # what a post has not got leaves its hash as it was before there was such a thing
    parts += [first_comment] if first_comment else []
    parts += [sorted(link.items())] if link else []
    return sha256(json.dumps(parts, separators=(",", ":")).encode("ascii")).hexdigest()


def one_line(text: str) -> str:
    """A name as it can stand in a row, a mail's subject or a log: without line breaks, other control characters, and
    marks that turn the direction of what stands after it. Empty where nobody would see anything of it."""
    broken = _LINE_END.sub(" ", text).replace("\t", " ").replace("\n", " ")
    named: str = _AROUND.sub("", _DIRECTION.sub("", _CONTROL.sub("", broken)))
    return named


# what nobody sees: soft hyphens, fillers, zero widths, marks and overrides of direction, tags (which spell whole texts)
# and rare selectors; joiners and the selectors of emoji mean something, one at a time
_HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    "|(?<=[\u200c\u200d\ufe0e\ufe0f])[\u200c\u200d\ufe0e\ufe0f]+(?![\U0001f000-\U0001faff\u2600-\u27bf])"
)
_LONG_GAP = re.compile("[ \t\u00a0\u2000-\u200a\u2800\u3000]{40,}")
_EMPTY_LINES = re.compile("\n(?:[ \t\u00a0\u2000-\u200a\u2800\u3000]*\n){3,}")


def visible(text: str) -> str:
    """Return a text that holds nothing but what its reader sees, for what one person takes over from another: without
    invisible characters, turned directions and long gaps that push something out of sight."""
    shown = _HIDDEN.sub("", _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " ")))
    return _EMPTY_LINES.sub("\n\n\n", _LONG_GAP.sub(" ", shown))


def comparable(text: str) -> str:
    """Equal for texts that differ in nothing but spaces, line ends and invisible characters."""
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
    """How many code points of the text fit into `limit` units, whole characters only."""
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
    """Whether what a reader sees as one character does not span the index (the usual cases of UAX 29)."""
    before, after = text[index - 1], text[index]
    if unicodedata.category(after) in {"Mn", "Mc", "Me"} or before == "\u200d":
        return False
    if after in "\u200c\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return False  # joiners, skin tones, the letters in a flag of a region
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
    """Of a text that is too long."""
    end = _fitting(text, limit - 1)
    if end <= 0:
        return ""
    whole = _spans(text, end)
    # the nearest place that parts two words; an index that is none tears a cluster apart only inside of a word
    place = next((index for index in range(end, 0, -1) if _parts_words(text, index, whole)), 0)
    if place == 0:
        if _inside(whole, end):
            return ""
        place = end
    words = text[:place].rstrip()
    if _LINK.search(words):
        # what touches a link becomes a part of it
        return f"{words} {_ELLIPSIS}" if _length(words) + 2 <= limit else words
    words = words.rstrip(_TRAILING)
    return words + _ELLIPSIS if words else ""


def _spans(text: str, end: int) -> list[tuple[int, int]]:
    """Where links, hashtags and mentions stand that begin before `end`."""
    # one character more, to see whether the last of them goes on
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
    """Ascending. Abbreviations and ordinals are told from ends by what stands around the dot, so mostly."""
    for match in _SENTENCE_END.finditer(text):
        end = match.end()
        following = text[end : end + 2].lstrip()
        if match[0] == "." and (_NOT_AN_END.search(text, max(0, end - 12), end) or following[:1].islower()):
            continue
        if end:
            yield end


# --- hashtags, and a link below the text


class HashtagPolicy(StrEnum):
    """What becomes of the hashtags that a text has."""

    as_written = "as_written"
    none = "none"
    at_most = "at_most"


@dataclass(frozen=True, slots=True)
class Ending:
    """What is made of a text's hashtags, and what is put below it."""

    hashtags: HashtagPolicy = HashtagPolicy.as_written
    most_hashtags: int | None = None
    """For `at_most`; those of `always` count too."""
    always: tuple[str, ...] = ()
    """Hashtags that every post has, each with its #."""
    link: str = ""


class _Tag(NamedTuple):
    start: int
    end: int
    name: str
    """Without its #, for comparing."""


def normal_hashtag(text: str) -> str | None:
    """`bikes`, `#bikes` as `#bikes`; None where it is none: with a space, without a letter, too long."""
    tag = "#" + text.strip().lstrip("#")
    found = _tags(tag)
    return tag if [(each.start, each.end) for each in found] == [(0, len(tag))] and len(tag) <= MAX_HASHTAG else None


def normal_link(text: str, most: int = MAX_LINK) -> str | None:
    """An address of the web with its scheme; None where it is none, longer than `most`, or holds a password."""
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
    """Those of a text in their order, each with one #. Parts of addresses, and numbers alone, are none."""
    return [f"#{text[tag.start : tag.end].lstrip('#')}" for tag in _tags(text)]


def mentions(text: str) -> int:
    """How many people a text names by an @."""
    return len(_MENTION.findall(text))


def room_for(ending: Ending) -> int:
    """UTF-16 units that the model has to leave for what is put below its text."""
    line = " ".join(ending.always)
    return sum(_length(f"\n\n{part}") for part in (ending.link, line) if part)


def finished(text: str, limit: int, ending: Ending, most: int | None = None) -> str:
    """A model's answer as it goes out: cleaned as by `clean_output`, its hashtags as they are wanted, link and standing
    hashtags below it, all of it in `limit` units; the text itself in `most`, where given.

    What is too long is cut in the text. The link is there whole, or, where it alone is longer than the limit, not at
    all; no hashtag is ever halved.
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
        below += lost  # what the text lost when it was cut


def _composed(body: str, own: Sequence[str], always: Sequence[str], link: str, limit: int) -> str:
    """Text, link, row of hashtags; the link only where the text has not got it."""
    for wanted in ("", link):
        row = _row(own, always, limit - _length(f"{wanted}\n\n") if wanted else limit)
        below = "\n\n".join(part for part in (wanted, row) if part)
        shortened = _cut_between(body, limit - _length(f"\n\n{below}") if below else limit)
        if wanted == link or has_link(shortened, link):
            break
    return "\n\n".join(part for part in (shortened, below) if part)


def _row(own: Sequence[str], always: Sequence[str], limit: int) -> str:
    """As many hashtags as have room, first of all those that are always there, which stand behind the text's own."""
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
    """As `cut_text`, and no hashtag is halved."""
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
        always = set()  # they are put below the text
    rows, pieces, position = _rows(text), [], 0
    for tag in _tags(text):
        keep = tag.name in always
        always.discard(tag.name)  # a second time it is one more
        if not keep and room > 0:
            keep, room = True, room - 1
        if keep:
            continue
        # of a row it goes, in a sentence its word is needed
        rest = "" if tag in rows else text[tag.start : tag.end].lstrip("#")
        pieces += [text[position : tag.start], rest]
        position = tag.end
    if not pieces:
        return text
    return _tidied(text, "".join((*pieces, text[position:])))


def _tidied(before: str, after: str) -> str:
    """Without the lines and spaces that hashtags have left."""
    lines = []
    for old, new in zip(before.split("\n"), after.split("\n"), strict=True):
        if old == new:
            lines.append(new)
        elif new.strip(_BETWEEN):
            lines.append(re.sub(r" {2,}", " ", new).rstrip(_BETWEEN).lstrip(" "))
    return _MANY_LINES.sub("\n\n\n", "\n".join(lines)).strip()


def _apart(text: str) -> tuple[str, list[str]]:
    """The text without the row of hashtags that it ends with, and these, each once."""
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
    """Hashtags that belong to no sentence: of a line that has nothing else, or behind the last sentence."""
    found: set[_Tag] = set()
    following, row = len(text), True
    for tag in reversed(_tags(text)):
        between = text[tag.end : following]
        # up to the end of its line, or to a hashtag of a row, nothing stands behind it
        row = (row or "\n" in between) and not between.split("\n")[0].strip(_BETWEEN)
        row = row and _may_follow(text[: tag.start].rpartition("\n")[2].rstrip(_BETWEEN))
        if row:
            found.add(tag)
        following = tag.start
    return found


def _may_follow(line: str) -> bool:
    """Whether a row of hashtags may begin behind what stands before it in its line: not within a sentence."""
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
    """Whether the address stands in the text, not as the beginning of a longer one."""
    return re.search(re.escape(link) + r"(?![\w/?#&=%~+-])", text) is not None
