"""Names, addresses and quotations in a text that its source does not have."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

_FIRST_NAMES: Final = Path(__file__).resolve().parents[1] / "first_names.txt"
_APART: Final = re.compile(r"(?:https?://|www\.)\S+|[#＃@＠][\w.-]+|[\w.+-]{1,64}@[\w-]+\.\w+", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-'’&][^\W\d_]+)*")
_SAINT: Final = re.compile(r"(?:St\.?|Sankt|Saint|San|Santa|Ave|Mona)[ -]\Z")

_TITLED: Final = re.compile(
    # not "jede Frau Anfang dreißig"
    r"(?:(?:^|(?<=[.!?:„“\"\n] )|(?<=[„“\"\n])|(?<=\b(?:von|mit|bei|für|und) )|(?<=\bsagt )|(?<=\bunsere ))"
    r"(?:Frau|Herr|Herrn)|(?<!\w)(?:Dr\.|Prof\.|Mr\.?|Mrs\.?|Ms\.?))"
    r" (?:(?:Dr|Prof)\. )*(?P<name>[A-ZÄÖÜ][a-zäöüß]+(?:[- ][A-ZÄÖÜ][a-zäöüß]+)?)"
)
_COMPANY: Final = re.compile(
    r"(?<!\w)(?P<name>(?:[A-ZÄÖÜ][\w&-]*[ \u00a0]){1,3})(?:g?GmbH|AG|KG|OHG|UG|SE|Inc\.?|Ltd\.?|LLC|Corp\.?|PLC)(?!\w)"
)
_CAPITALISED: Final = re.compile(r"[A-Z][a-zà-ÿ]+(?:[A-Z][a-z]+)*(?:['’]s)?(?!\w)")
_RUN: Final = re.compile(rf"{_CAPITALISED.pattern}(?:[ ]{_CAPITALISED.pattern})*")
_BEFORE_A_NAME: Final = re.compile(r"(?<!\w)(?:with|at|by|from|near|to|in|of|like|for|joined|says|met)\s\Z")
_INSIDE: Final = re.compile(r"[\w,] \Z")
"""A word inside a sentence follows a word or a comma: after other signs something new may begin."""
# capitalised in English, without being a name that somebody could have made up
_NO_NAMES: Final = """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december christmas easter halloween thanksgiving ramadan diwali hanukkah eve valentine
    new year black cyber day week night mother father spring summer autumn fall winter english german french spanish
    italian dutch polish turkish chinese japanese korean arabic portuguese swedish danish greek latin indian american
    british european african asian austrian swiss irish scottish welsh canadian australian mexican brazilian ukrainian
    russian europe germany france spain italy austria switzerland america england britain ireland scotland wales canada
    australia india china japan africa asia earth north south east west united states kingdom union internet web wi-fi
    bluetooth youtube tiktok whatsapp google apple microsoft excel word
    powerpoint outlook zoom teams slack android iphone windows mac linux sir madam mum mom dad grandma grandpa god ok
    okay ceo cto ai plan one two three step part tip bonus pro free sale open house shop store team office first
    manager management product project marketing sales customer success support service services head chief officer
    executive director lead engineer engineering developer designer design search engine optimization optimisation
    content social media data science scientist machine learning artificial intelligence generative key performance
    indicator return investment human resources software public relations business intelligence development research
    finance operations supply chain quality assurance user experience interface community brand strategy creative
    agile scrum lean digital transformation code conduct privacy policy general cloud computing big deep best practice
    happy hour merry national international world good morning board president founder professor doctor university
    school college church state city street road avenue park river lake mountain sea ocean island
"""
_TITLE_SHARE: Final = 0.6
_HANDLE: Final = re.compile(r"(?<![\w@＠./-])[@＠][\w.-]*\w(?:@[\w.-]*\w)?")
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)(?P<host>[\w.-]+)\S*|(?<![\w@./-])(?P<bare>(?:[a-z0-9äöü][\w-]*\.)+"
    r"(?:de|com|org|net|at|ch|eu|io|app|info|shop|dev|biz|co\.uk|uk))(?![\w@-])|(?P<mail>[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)",
    re.IGNORECASE,
)
_AFTER_ADDRESS: Final = ".,;:!?…)]}>*_\"'“”‘’«»"
_QUOTATION: Final = re.compile(
    r"„(?P<a>[^“”\"„]+)[“”\"]|“(?P<b>[^”“]+)”|»(?P<c>[^«»]+)«|«(?P<d>[^«»]+)»|\"(?P<e>[^\"\n]+)\""
)
_SAYS: Final = (
    r"(?:sagt|sagte|sagen|meint|meinte|erklärt|erzählt|berichtet|schreibt|freut sich|says|said|explains|explained|told"
    r"|tells|writes|wrote|recalls|adds)"
)
_SPEAKER_AFTER: Final = re.compile(rf"[\s,.–—-]*(?:(?:\w+ )?{_SAYS}|so) +\w|[\s]*[–—-] ?[A-ZÄÖÜ]\w+", re.IGNORECASE)
_NOBODY: Final = re.compile(
    r"\b(?:wer|man|jemand|niemand|viele|manche[rs]?|alle|oft|wir|ich|du|ihr|who|whoever|people|everyone|someone|somebody"
    r"|nobody|many|often|you|we|I|they)\b",
    re.IGNORECASE,
)
"""Around a quotation, somebody who says what many say, or those who write."""
_SPEAKER_BEFORE: Final = re.compile(rf"(?<!\w){_SAYS}\b[^.!?\n]{{0,60}}[:,]\s*\Z", re.IGNORECASE)
_AROUND: Final = 20
"""Characters before and after a speaker's verb in which its subject is looked for."""
_LEAST_QUOTED: Final = 4
"""Words: shorter quotations are names of things and irony."""


@dataclass(frozen=True)
class Source:
    """What a text may state."""

    text: str

    @cached_property
    def folded(self) -> str:
        return self.text.casefold()

    @cached_property
    def words(self) -> str:
        return " ".join(_plain_words(self.text))

    def has(self, name: str) -> bool:
        """Return whether the name is there, in any case, also as part of a longer word."""
        return name.casefold().removesuffix("'s").removesuffix("’s") in self.folded


def unproven_names(text: str, language: str, source: Source) -> Iterator[str]:
    """Yield the names of people and companies that the source does not have; in English also other names."""
    text = _APART.sub(lambda match: " " * len(match[0]), text)
    shown: set[str] = set()
    for name in (
        *_people(text, source),
        *_companies(text, source),
        *(_proper(text, source) if language == "en" else ()),
    ):
        words = set(name.split())
        if not words & shown:
            shown |= words
            yield name


def _people(text: str, source: Source) -> Iterator[str]:
    for match in _TITLED.finditer(text):
        if not source.has(match["name"]) and not source.has(match["name"].split()[-1]):
            yield match["name"]
    for match in _WORD.finditer(text):
        name, first = match[0], re.split(r"['’]", match[0])[0]
        known = first if first in first_names() else first.removesuffix("s")
        if (
            known not in first_names()
            or _SAINT.search(text[max(0, match.start() - 8) : match.start()])
            or source.has(known)
        ):
            continue
        # with the surname
        more = re.match(r" ([A-ZÄÖÜ][a-zäöüß]+)(?!\w)", text[match.end() : match.end() + 40]) if name == known else None
        yield f"{name} {more[1]}" if more else name


def _companies(text: str, source: Source) -> Iterator[str]:
    for match in _COMPANY.finditer(text):
        if not any(source.has(word) for word in match["name"].split() if len(word) > 1):
            yield match[0]


def _proper(text: str, source: Source) -> Iterator[str]:
    """Yield capitalised English words inside a sentence: several, or one after a word such as "with" or "at"."""
    lower = set(re.findall(r"(?<!\w)[a-z][a-z'’-]+", text))
    for line in text.split("\n"):
        if _is_headline(line):
            continue
        for match in _RUN.finditer(line):
            before = line[max(0, match.start() - 12) : match.start()]
            if not _INSIDE.search(before):
                continue
            words = [word for word in match[0].split() if not _is_common(word, lower)]
            missing = [word for word in words if not source.has(word)]
            if missing and len(missing) * 2 >= len(words) and (len(words) > 1 or _BEFORE_A_NAME.search(before)):
                yield match[0]


def _is_common(word: str, lower: set[str]) -> bool:
    folded = word.casefold()
    bare = folded.removesuffix("'s").removesuffix("’s")
    return len(bare) < 3 or bool({folded, bare, bare.removesuffix("s")} & (_no_names() | lower))


def _is_headline(line: str) -> bool:
    """Return whether a line is in title case."""
    words = [word for word in _WORD.findall(line) if len(word) > 3]
    return len(words) > 2 and sum(word[0].isupper() for word in words) / len(words) >= _TITLE_SHARE


def addresses(text: str) -> Iterator[str]:
    """Yield the web and mail addresses of a text, without signs after them."""
    for match in _ADDRESS.finditer(text):
        yield match[0].rstrip(_AFTER_ADDRESS)


def unproven_addresses(text: str, source: Source) -> Iterator[str]:
    """Yield the web sites, mail addresses and mentions that the source does not have."""
    for match in _ADDRESS.finditer(text):
        host = (match["host"] or match["bare"] or match["mail"]).casefold().removeprefix("www.").rstrip(".")
        if host not in source.folded:
            yield host
    for match in _HANDLE.finditer(text):
        if match[0][1:].casefold() not in source.folded:
            yield match[0]


def unproven_quotations(text: str, source: Source) -> Iterator[str]:
    """Yield what the text says that somebody said, if the source does not say it."""
    for match in _QUOTATION.finditer(text):
        quoted = next(part for part in match.groups() if part)
        words = _plain_words(quoted)
        if len(words) < _LEAST_QUOTED or " ".join(words) in source.words:
            continue
        speakers = (
            _SPEAKER_AFTER.match(text, match.end()),
            _SPEAKER_BEFORE.search(text, max(0, match.start() - 100), match.start()),
        )
        around = [text[max(0, each.start() - _AROUND) : each.end() + _AROUND] for each in speakers if each]
        if around and not any(map(_NOBODY.search, around)):
            yield quoted


@cache
def _no_names() -> frozenset[str]:
    return frozenset(_NO_NAMES.split())


@cache
def first_names() -> frozenset[str]:
    """Return first names that are no other words."""
    return frozenset(_FIRST_NAMES.read_text("utf-8").split())


def _plain_words(text: str) -> list[str]:
    return [word.casefold().replace("’", "'") for word in re.findall(r"\w+(?:['’]\w+)?", text)]
