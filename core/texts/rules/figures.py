"""Figures in a text that its source does not have: amounts, dates, times, years and percentages.

The comparison is lenient. A figure counts as known if the source has it in any way of writing it: as a word, with other
separators, as a part of a date or a time, or multiplied by "million".
"""

import re
from collections.abc import Iterator
from typing import Final

_APART: Final = re.compile(r"(?:https?://|www\.)\S+|[#＃@＠][\w.-]+|[\w.+-]{1,64}@[\w-]+\.\w+", re.IGNORECASE)
"""Addresses, hashtags and mentions, which have rules of their own."""
# not inside a name such as B2B, CO2, Typ-2 or A4
_FIGURE: Final = re.compile(
    r"(?<!\w)(?<![^\W\d_][-–])(?P<digits>\d+(?:[.,:/'’]\d+|[ \u00a0\u202f]\d{3}(?!\d))*)(?P<rest>[^\W\d_]*)"
)
_DIMENSIONS: Final = frozenset({"D", "K", "G"})
"""Letters after a digit that make a name: 3D, 4K, 5G."""
_VERSION: Final = re.compile(r"[^\W\d_]+ \Z")
_SCALES: Final = {
    "k": 1_000,
    "tsd": 1_000,
    "thousand": 1_000,
    "tausend": 1_000,
    "m": 1_000_000,
    "mio": 1_000_000,
    "million": 1_000_000,
    "millionen": 1_000_000,
    "millions": 1_000_000,
    "mrd": 1_000_000_000,
    "milliarde": 1_000_000_000,
    "milliarden": 1_000_000_000,
    "bn": 1_000_000_000,
    "billion": 1_000_000_000,
}
_SCALE: Final = re.compile(rf"[\s\u00a0\u202f]*({'|'.join(_SCALES)})\b", re.IGNORECASE)
_AFTERNOON: Final = re.compile(
    r"[\s\u00a0\u202f]*(?:pm\b|p\.m\.|Uhr (?:am )?(?:nach(?:mittags?)|abends?))", re.IGNORECASE
)

_GERMAN: Final = "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf"
_ENGLISH: Final = "zero one two three four five six seven eight nine ten eleven twelve"
_GERMAN_TEENS: Final = "dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
_ENGLISH_TEENS: Final = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_GERMAN_TENS: Final = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_ENGLISH_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_MONTHS_OF: Final = (
    "januar februar märz april mai juni juli august september oktober november dezember",
    "january february march april may june july august september october november december",
    "jänner",
)


def _number_words() -> dict[str, int]:
    words: dict[str, int] = {}
    for small, teens, tens in ((_GERMAN, _GERMAN_TEENS, _GERMAN_TENS), (_ENGLISH, _ENGLISH_TEENS, _ENGLISH_TENS)):
        words |= {word: value for value, word in enumerate((*small.split(), *teens.split()))}
        words |= {word: value for value, word in zip(range(20, 100, 10), tens.split(), strict=True)}
        for ten in tens.split():
            for value, unit in enumerate(small.split()[1:10], 1):
                number = words[ten] + value
                words |= {f"{unit.removesuffix('s') if value == 1 else unit}und{ten}": number, f"{ten}-{unit}": number}
    words |= dict.fromkeys(("ein", "eine", "einen", "einem", "einer", "eines", "once", "einmal"), 1)
    words |= dict.fromkeys(("doppelt", "doppelte", "double", "twice", "zweimal", "beide", "beiden", "both"), 2)
    words |= {"dutzend": 12, "dozen": 12, "hundert": 100, "hundred": 100, "tausend": 1000, "thousand": 1000}
    # months, for dates in digits
    return words | {name: number for names in _MONTHS_OF for number, name in enumerate(names.split(), 1)}


_NUMBER_WORDS: Final = _number_words()
_MONTHS: Final = "Jan|Jän|Feb|Mär|Mar|Apr|Mai|May|Jun|Jul|Aug|Sep|Okt|Oct|Nov|Dez|Dec"  # and what follows these letters
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)?")
_SMALL: Final = {word: _NUMBER_WORDS[word] for word in (*_GERMAN.split()[2:], *_ENGLISH.split()[2:])}
# a small number as a word is a claim only with a noun of measure: "three things help" counts the text's own points
_CLAIM: Final = re.compile(
    rf"(?<![\w-])(?P<word>{'|'.join(_SMALL)})[\s\u00a0]+(?:Prozent|percent|Euro|euros|Dollars?|Franken|Jahren?|years|Monaten?"
    r"|months|Kund\w+|customers|clients|Mitarbeit\w+|employees|Filialen|Standorten?|locations|branches|Länder\w?|countries"
    r"|Millionen|million|Milliarden|billion)(?!\w)",
    re.IGNORECASE,
)
# "5 Tipps" and "3 simple steps" count the text's own points
_OWN_POINTS: Final = re.compile(
    r"[\s\u00a0\u202f]+(?:[\w-]+ ){0,2}(?:Tipps?|Dinge|Gründe|Fehler|Schritten?|Fragen|Punkten?|Wegen?|Ideen|Regeln"
    r"|Mythen|Anzeichen|Lektionen|Learnings|Fakten|Mal|Sätzen?|tips|things|reasons|mistakes|steps|questions|points|ways|ideas|rules|lessons"
    r"|signs|myths|facts|habits|times)(?!\w)",
    re.IGNORECASE,
)
_MOST_POINTS: Final = 12
_BEFORE: Final = 60
"""Characters before a figure that say what it is."""
_COUNTED: Final = re.compile(
    r"(?:Tipp|Schritt|Punkt|Fehler|Teil|Tag|Frage|Grund|Regel|Mythos|Step|Tip|Part|Day|Rule|Reason|Mistake|Myth|No\.|Nr\.)[\s\u00a0]\Z",
    re.IGNORECASE,
)
_MARKER: Final = re.compile(rf"(?:\.|\))[ \u00a0](?!(?:{_MONTHS}))|\ufe0f?\u20e3")


def unproven_figures(text: str, source: str) -> Iterator[str]:
    """Yield the figures of the text that the source does not have, as they are written."""
    text = _APART.sub(lambda match: " " * len(match[0]), text)
    known = _known(source)
    for match in _FIGURE.finditer(text):
        if not _is_claim(text, match) or _readings(text, match) & known:
            continue
        parts = {float(part) for part in re.findall(r"\d+", match["digits"])} - {0.0}
        if not parts <= known:
            yield _shown(text, match)
    for match in _CLAIM.finditer(text):
        if float(_SMALL[match["word"].casefold()]) not in known:
            yield match[0]


def _known(source: str) -> set[float]:
    """Return each figure of the source in all its readings."""
    known: set[float] = set()
    for match in _FIGURE.finditer(source):
        known |= _readings(source, match)
        known |= {float(part) for part in re.findall(r"\d+", match["digits"])}
    if _AFTERNOON.search(source):  # "6 to 9 pm"
        known |= {value + 12 for value in known if value < 12}
    # also those that are parts of names and addresses, and of compounds such as "zweimonatig"
    known |= {float(part) for part in re.findall(r"\d+", source)}
    for match in _WORD.finditer(source.casefold()):
        word = match[0]
        if (value := _NUMBER_WORDS.get(word)) is not None:
            known |= {float(value), *_scaled(source, match.end(), {float(value)})}
        known |= {float(value) for small, value in _SMALL.items() if word.startswith(small)}
    return known


def _readings(text: str, match: re.Match[str]) -> set[float]:
    """Return the values that the digits may have: `1.200` is 1200 or 1.2, and `6` before "pm" also 18."""
    groups = re.split(r"\D", match["digits"])
    values = set()
    if all(len(group) == 3 for group in groups[1:]):
        values.add(float("".join(groups)))
    if len(groups) > 1:
        values.add(float(f"{''.join(groups[:-1])}.{groups[-1]}"))
    end = match.start("rest")
    if _AFTERNOON.match(text, end) and float(groups[0]) < 12:
        values |= {float(groups[0]) + 12}
    return values | _scaled(text, end, values)


def _scaled(text: str, end: int, values: set[float]) -> set[float]:
    scale = _SCALE.match(text, end)
    return {value * _SCALES[scale[1].casefold()] for value in values} if scale else set()


def _is_claim(text: str, match: re.Match[str]) -> bool:
    """Return whether the digits state something: no number of a list, of the text's own points, or part of a name."""
    digits, rest = match["digits"], match["rest"]
    before = text[max(0, match.start() - _BEFORE) : match.start()]
    line = before.rpartition("\n")[2] if "\n" in before or match.start() <= _BEFORE else None
    if rest in _DIMENSIONS or digits == "1:1" or (re.fullmatch(r"\d\.0", digits) and _VERSION.search(before)):
        return False
    if not digits.isdecimal():
        counter = re.fullmatch(r"\d{1,2}/\d{1,2}", digits)  # of a thread
        return not (counter and line is not None and line.strip(" (") == "")
    if float(digits) > _MOST_POINTS:  # a whole number may have too many digits
        return True
    begins = line is not None and line.strip(" \t•*-–") == ""
    if begins and not rest and _MARKER.match(text, match.end()):
        return False
    return not (_COUNTED.search(before) or (not rest and _OWN_POINTS.match(text, match.end())))


def _shown(text: str, match: re.Match[str]) -> str:
    """Return the figure with the word or sign that says of what."""
    after = re.match(
        r"[\s\u00a0\u202f]?[%€$£°]|\.?[ \u00a0\u202f][A-ZÄÖÜ][^\W\d_]+", text[match.end() : match.end() + _BEFORE]
    )
    before = re.search(r"[€$£]\Z", text[max(0, match.start() - 1) : match.start()])
    return f"{before[0] if before else ''}{match[0]}{after[0] if after else ''}"
