"""What becomes of a text between the model and the network: cleaned, cut, compared, hashed.

Lengths here are UTF-16 units, the larger of the two ways in which services count (`channels.check`): a text
that fits by them fits everywhere.
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from hashlib import sha256

_ELLIPSIS = "…"
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
# control characters but line feeds, byte order marks, halves of characters
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ufeff\ud800-\udfff]")
# what turns the direction of all that follows, beyond its own end
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]")
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
# a cut at a sentence may give up at most this part of the room; beyond it a cut at a word says more
_KEEP = 0.5


def clean_output(text: str, max_characters: int) -> str:
    """A model's answer as plain text of at most `max_characters`; may be empty.

    Without control characters, a wrapping code fence or wrapping quotes, without space at line ends and with
    at most three line feeds in a row. A text that is too long ends with a whole sentence or line, or, if that
    would waste more than half of the room, with a whole word and an ellipsis; no character is torn apart.
    """
    text = _CONTROL.sub("", _LINE_END.sub("\n", text).replace("\t", " "))
    text = _MANY_LINES.sub("\n\n\n", "\n".join(line.rstrip() for line in text.split("\n"))).strip()
    return _cut(_unwrapped(text), max_characters)


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


def content_hash(text: str, file_hashes: Sequence[str], channels: Sequence[str]) -> str:
    """SHA-256 in hex of what an approval is given for. Files count in their order, channels in any."""
    # JSON keeps the parts apart whatever is in them; ASCII, so that any text can be encoded
    parts = json.dumps(["post", text, list(file_hashes), sorted(channels)], separators=(",", ":"))
    return sha256(parts.encode("ascii")).hexdigest()


def one_line(text: str) -> str:
    """A name as it can stand in a row, a mail's subject or a log: without line breaks, other control characters, and
    marks that turn the direction of what stands after it."""
    broken = _LINE_END.sub(" ", text).replace("\t", " ").replace("\n", " ")
    return _DIRECTION.sub("", _CONTROL.sub("", broken)).strip()


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


def _cut(text: str, limit: int) -> str:
    if _length(text) <= limit:
        return text
    fitting = _fitting(text, limit)
    last = 0
    for end in _sentence_ends(text):
        if end > fitting:
            break
        last = end
    sentences = text[:last].rstrip()
    return sentences if last and last >= fitting * _KEEP else _cut_at_word(text, limit)


def _cut_at_word(text: str, limit: int) -> str:
    """Of a text that is too long. A single long word is cut inside."""
    end = _fitting(text, limit - 1)
    if end <= 0:
        return ""
    if not text[end].isspace():
        space = next((index for index in range(end - 1, 0, -1) if text[index].isspace()), 0)
        end = space if space >= end * _KEEP else end
    words = text[:end].rstrip(_TRAILING)
    return words + _ELLIPSIS if words else ""


def _sentence_ends(text: str) -> Iterator[int]:
    """Ascending. Abbreviations and ordinals are told from ends by what stands around the dot, so mostly."""
    for match in _SENTENCE_END.finditer(text):
        end = match.end()
        following = text[end : end + 2].lstrip()
        if match[0] == "." and (_NOT_AN_END.search(text, max(0, end - 12), end) or following[:1].islower()):
            continue
        if end:
            yield end
