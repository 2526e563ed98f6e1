"""Text processing between the model and the network: cleaning, cutting, comparing, hashing.

Lengths here are UTF-16 units, the larger of the two ways in which services count (`channels.check`), so that a text
within the limit fits everywhere.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256

import regex

ELLIPSIS = "…"
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# control characters except line feeds, byte order marks, lone surrogates
CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
# marks that change the direction of all following text
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]")
# spaces, control characters, and invisible ones: a Hangul filler, a soft hyphen, an empty Braille cell
_DRAWN_AS_NOTHING = regex.compile(r"[\s\p{Cc}\p{Z}\p{Default_Ignorable_Code_Point}\u2800\ufff9-\ufffb]*")
_INVISIBLE_PART = regex.compile(r"[\p{Cf}\p{Default_Ignorable_Code_Point}]+")
# at the ends of a name; a trailing variation selector, joiner or tag may belong to an emoji
_AROUND = regex.compile(
    r"\A[\s\p{Default_Ignorable_Code_Point}\u2800]+|[\s\u00ad\u115f\u1160\u200b\u200e\u200f\u2060\u2800\u3164\ufeff\uffa0]+\Z"
)
MANY_LINES = re.compile(r"\n{4,}")
_FENCED = re.compile(r"\A(?P<fence>`{3,}|~{3,})[\w+-]*[ ]*\n(?P<inner>.*)\n(?P=fence)\Z", re.DOTALL)
_QUOTES = ('""', "''", "“”", "‘’", "„“", "„”", "‚‘", "«»", "»«", "‹›", "›‹", "「」")
# the end of a sentence with closing quotes and brackets, or of a line
# only from the first sign of several: from each of them, a long row would take too long
_SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’“»«)\]]*(?=\s|\Z)|[。！？]+[」』”’）]*|(?=\n)")
# no end of a sentence before a dot: "Dr. Who", "z. B.", "3. Oktober"
_NOT_AN_END = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|\d{1,2}|Dr|Mr|Mrs|Ms|Prof|St|Nr|No|ca|bzw|vgl|inkl|evtl|ggf|vs|approx"
    r"|e\.g|i\.e|z\.B|d\.h|u\.a)\.\Z"
)
TRAILING = " \t\n,;:–—-([{\"'“„«‚‘"
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
    text = CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " "))
    text = MANY_LINES.sub("\n\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()
    return _unwrapped(text)


def length(text: str) -> int:
    """Return the number of UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def fits(text: str, limit: int) -> bool:
    return length(text) <= limit


def cut_text(text: str, limit: int) -> str:
    """Return the beginning of a cleaned text, at most `limit` characters, maybe empty.

    It ends with a whole sentence or line, or, if that would waste more than half of the limit, with a whole word and an
    ellipsis. No word, link, hashtag, mention or character is split, except a first word longer than the limit; a first
    link or hashtag of that length leaves nothing.
    """
    if length(text) <= limit:
        return text
    fitting = _fitting(text, limit)
    spans = _spans(text, fitting)
    last = 0
    for end in _sentence_ends(text):
        if end > fitting:
            break
        if not _inside(spans, end):
            last = end
    sentences = text[:last].rstrip()
    return sentences if last and last >= fitting * _KEEP else _cut_at_word(text, limit)


def first_sentence(text: str, limit: int) -> str:
    """Return the first sentence or line, on one line; if longer than `limit`, cut at a word with an ellipsis."""
    text = CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " ")).strip()
    sentence = " ".join(text[: next(_sentence_ends(text), len(text))].split())
    return sentence if length(sentence) <= limit else _cut_at_word(sentence, limit)


def sentences(text: str) -> Iterator[str]:
    """Yield the non-empty sentences and lines in order, each on one line."""
    text = CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " "))
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
    **others: object,
) -> str:
    """Return the SHA-256 (hex) of what an approval covers. The order of files matters, that of channels does not.
    `others`: the post's other fields by name."""
    # JSON separates the parts unambiguously; ASCII, so that any text can be encoded
    parts: list[object] = ["post", text, list(file_hashes), sorted(channels)]
    # absent parts are left out, so that older hashes stay valid
    parts += [first_comment] if first_comment else []
    parts += [sorted(link.items())] if link else []
    parts += [[name, value] for name, value in sorted(others.items()) if value]
    return sha256(json.dumps(parts, separators=(",", ":")).encode("ascii")).hexdigest()


def one_line(text: str) -> str:
    """Return a name for a row, a mail's subject or a log: without line breaks, other control characters and direction
    marks. Empty if nothing is visible."""
    broken = _LINE_END.sub(" ", text).replace("\t", " ").replace("\n", " ")
    named: str = _AROUND.sub("", _DIRECTION.sub("", CONTROL.sub("", broken)))
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
    shown = _HIDDEN.sub("", CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " ")))
    return _EMPTY_LINES.sub("\n\n\n", _LONG_GAP.sub(" ", shown))


def comparable(text: str) -> str:
    """Return a form that is equal for texts differing only in spaces, line ends and invisible characters."""
    visible = INVISIBLE.sub("", unicodedata.normalize("NFC", text))
    return " ".join(CONTROL.sub(" ", visible).split())


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
    spans = _spans(text, end)
    # the nearest index between two words; other indexes could split a cluster only inside a word
    place = next((index for index in range(end, 0, -1) if _parts_words(text, index, spans)), 0)
    if place == 0:
        if _inside(spans, end):
            return ""
        place = end
    words = text[:place].rstrip()
    if _LINK.search(words):
        # a character directly after a link would become part of it
        return f"{words} {ELLIPSIS}" if length(words) + 2 <= limit else words
    words = words.rstrip(TRAILING)
    return words + ELLIPSIS if words else ""


def _spans(text: str, end: int) -> list[tuple[int, int]]:
    """Return the spans of links, hashtags and mentions that begin before `end`."""
    # one more character shows whether the last one continues
    return [match.span() for match in _WHOLE.finditer(text[: end + 1])]


def _inside(spans: Sequence[tuple[int, int]], index: int) -> bool:
    return any(start < index < end for start, end in spans)


def _parts_words(text: str, index: int, spans: Sequence[tuple[int, int]]) -> bool:
    before, after = text[index - 1], text[index]
    if before.isspace() or after.isspace():
        return True
    unspaced = _UNSPACED.match(before) or _UNSPACED.match(after)
    return bool(unspaced) and _may_cut(text, index) and not _inside(spans, index)


def _sentence_ends(text: str) -> Iterator[int]:
    """Yield sentence ends in ascending order. A heuristic tells abbreviations and ordinals from ends."""
    for match in _SENTENCE_END.finditer(text):
        end = match.end()
        following = text[end : end + 2].lstrip()
        if match[0] == "." and (_NOT_AN_END.search(text, max(0, end - 12), end) or following[:1].islower()):
            continue
        if end:
            yield end
