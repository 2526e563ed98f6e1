"""A writer without a model: the template's own wording, filled with the topic.

It exists so that everything can be tried without a key. The same order always gives the same text, and
different topics read differently.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from zlib import crc32

from core.domain.usage import Usage
from core.providers.writers.base import (
    DEMO_MODEL,
    MAX_TITLE,
    Progress,
    Suggested,
    SuggestOrder,
    TextOrder,
    Written,
)
from core.providers.writers.titles import new_titles

MAX_TAGS = 3
MAX_OWN_SENTENCES = 2
MAX_OWN_LENGTH = 220

PORTIONS = 6
"""In how many the text is given to whoever watches it being written."""


@dataclass(frozen=True)
class _Phrases:
    """Sentences of one language. A topic may be any noun phrase, so none inflects it."""

    openings: tuple[str, ...]
    thoughts: tuple[str, ...]
    audience: tuple[str, ...]
    closings: tuple[str, ...]
    order: re.Pattern[str]
    """How a sentence begins that tells the writer what to do, up to what it shall be about."""
    about: re.Pattern[str]
    """What of such an order may stand in a post: the words after "about"."""
    readers: re.Pattern[str]
    meta: re.Pattern[str]
    """Words about the text itself: a sentence with one of them is an order in disguise."""
    small: frozenset[str]
    fallback: str
    titles: tuple[str, ...]
    """Subtopics of any topic."""
    beside: tuple[str, ...]
    """The same with another topic, above it or beside it."""
    readers_of: tuple[str, ...]
    """For whom a subtopic may be."""
    more: str


_EN = _Phrases(
    openings=(
        "{topic}: small decisions, large effect.",
        "Let's talk about {topic}.",
        "Worth a closer look: {topic}.",
        "One minute for {topic}.",
        "What we learnt about {topic} this year.",
        "{topic}, without the buzzwords.",
        "Today's topic: {topic}.",
        "Three honest sentences about {topic}.",
    ),
    thoughts=(
        "Start with one thing you can do today, write down what happens and keep what works.",
        "The trick is rarely the tool; it is the habit behind it.",
        "Ten quiet minutes a week beat one big effort a year.",
        "Ask the people who do it every day: they know what is missing.",
        "What nobody writes down has to be found out again each time.",
        "Good results look easy afterwards because somebody prepared them.",
        "Cut the step that nobody would miss, then look again.",
        "Most questions answer themselves once you have tried it a second time.",
        "Leave out what is merely nice, and the important part becomes visible.",
        "A clear no early on saves three late compromises.",
    ),
    audience=(
        "Made for {readers}.",
        "This one is for {readers}.",
        "Worth a try for {readers}.",
    ),
    closings=(
        "What is your experience?",
        "How do you go about it?",
        "What would you add?",
        "Which step would you take first?",
        "What surprised you most about it?",
        "Tell us what worked for you.",
    ),
    order=re.compile(
        r"(?i)^(?:please\s+|now\s+)?(?:write|create|draft|compose|produce|generate|make|craft|prepare|explain|"
        r"describe|summari[sz]e|open|tell|give|use|keep|avoid|end|start|begin|close|finish|add|include|mention|do|"
        r"don't|never|always|be|answer|stick|stay|speak|address|ask|no|you\s+are|act|limit)\b"
    ),
    about=re.compile(r"(?i)\b(?:about|on|regarding|covering|explaining|explain|describe)\b[:\s]+"),
    readers=re.compile(r"(?i)\bfor\s+((?!example\b|instance\b|a\s+post\b)[\w'’ -]{4,60}?)(?=[.,;:!?\n]|$)"),
    meta=re.compile(
        r"(?i)\b(?:post|posts|hashtags?|words?|characters?|sentences?|paragraphs?|emojis?|tone|style|topic|"
        r"language|linkedin|facebook|instagram|output|brand\s+voice)\b"
    ),
    small=frozenset(
        [
            "about",
            "after",
            "before",
            "from",
            "have",
            "into",
            "made",
            "make",
            "more",
            "most",
            "over",
            "that",
            "their",
            "them",
            "then",
            "they",
            "this",
            "what",
            "when",
            "where",
            "which",
            "while",
            "with",
            "without",
            "your",
        ]
    ),
    fallback="ideas",
    titles=(
        "{topic} for beginners",
        "A checklist for {topic}",
        "Mistakes with {topic}",
        "Five questions about {topic}",
        "Myths about {topic}",
        "{topic} on a small budget",
        "{topic} in ten minutes a day",
        "What nobody tells you about {topic}",
        "{topic}: before and after",
        "Tools for {topic}",
        "A year of {topic}",
        "{topic}: the real cost",
        "How to explain {topic} to a friend",
        "{topic}: when it pays off and when not",
        "Small experiments with {topic}",
        "{topic}: questions from readers",
    ),
    beside=("{topic} and {other}", "What {topic} has to do with {other}"),
    readers_of=("{title}, for teams", "{title}, for one person", "{title}, in winter", "{title}, in summer"),
    more="Field notes on {topic}, part {number}",
)

_DE = _Phrases(
    openings=(
        "{topic}: kleine Entscheidungen, große Wirkung.",
        "Reden wir über {topic}.",
        "Heute im Blick: {topic}.",
        "Eine Minute zum Thema {topic}.",
        "{topic}, einmal ohne Schlagworte.",
        "Unser Thema heute: {topic}.",
        "Drei ehrliche Sätze zum Thema {topic}.",
        "Was wir dieses Jahr zum Thema {topic} gelernt haben.",
    ),
    thoughts=(
        "Fang mit einer Sache an, die heute geht, schreib auf, was passiert, und behalte, was hilft.",
        "Selten liegt es am Werkzeug, meistens an der Gewohnheit dahinter.",
        "Zehn ruhige Minuten in der Woche schlagen den großen Kraftakt im Jahr.",
        "Frag die Menschen, die es täglich tun: Sie wissen, was fehlt.",
        "Was niemand aufschreibt, muss jedes Mal neu herausgefunden werden.",
        "Gute Ergebnisse sehen hinterher leicht aus, weil jemand sie vorbereitet hat.",
        "Streich den Schritt, den niemand vermisst, und schau dann noch einmal hin.",
        "Die meisten Fragen klären sich, sobald man es ein zweites Mal versucht hat.",
        "Wer das nur Nette weglässt, sieht das Wichtige.",
        "Ein klares Nein am Anfang spart drei späte Kompromisse.",
    ),
    audience=(
        "Gedacht für {readers}.",
        "Dieser Beitrag ist für {readers}.",
        "Einen Versuch wert, gerade für {readers}.",
    ),
    closings=(
        "Welche Erfahrung hast du gemacht?",
        "Wie gehst du es an?",
        "Was würdest du ergänzen?",
        "Welchen Schritt gehst du zuerst?",
        "Was hat dich dabei am meisten überrascht?",
        "Erzähl uns, was bei dir geholfen hat.",
    ),
    order=re.compile(
        r"(?i)^(?:bitte\s+|nun\s+)?(?:schreibe?|erstelle?|verfasse?|formuliere?|entwirf|erzeuge?|mach|mache|"
        r"erkläre?|beschreibe?|fasse?|gib|nutze?|verwende?|halte?|vermeide?|beende?|beginne?|schließe?|füge?|"
        r"nenne?|erwähne?|sei|antworte?|bleib|bleibe|sprich|frage?|stelle?|eröffne|kein|keine|du\s+bist|duze|sieze|"
        r"höchstens|maximal)\b"
    ),
    about=re.compile(r"(?i)\b(?:über|zum\s+thema|zu|rund\s+um|erkläre?|beschreibe?)\b[:\s]+"),
    readers=re.compile(r"(?i)\bfür\s+((?!einen\s+beitrag\b)[\w'’ -]{4,60}?)(?=[.,;:!?\n]|$)"),
    meta=re.compile(
        r"(?i)\b(?:post|posts|beitr[aä]ge?s?|hashtags?|wörtern?|worte?|zeichen|sätzen?|satz|abs[aä]tze?n?|emojis?|"
        r"ton|tonfall|stil|thema|sprache|linkedin|facebook|instagram|ausgabe|markenstimme)\b"
    ),
    small=frozenset(
        [
            "aber",
            "auch",
            "beim",
            "dein",
            "deine",
            "dem",
            "den",
            "der",
            "des",
            "die",
            "diese",
            "dieser",
            "eine",
            "einem",
            "einen",
            "einer",
            "eines",
            "für",
            "haben",
            "ihre",
            "mehr",
            "mit",
            "nach",
            "nicht",
            "ohne",
            "oder",
            "sein",
            "seine",
            "sich",
            "sind",
            "über",
            "und",
            "unser",
            "unter",
            "vom",
            "von",
            "wenn",
            "wer",
            "werden",
            "wie",
            "wird",
            "zum",
            "zur",
        ]
    ),
    fallback="Ideen",
    titles=(
        "{topic}: der Einstieg",
        "Checkliste: {topic}",
        "Typische Fehler beim Thema {topic}",
        "Fünf Fragen zum Thema {topic}",
        "Irrtümer rund um das Thema {topic}",
        "{topic} mit kleinem Budget",
        "{topic} in zehn Minuten am Tag",
        "Was zum Thema {topic} selten gesagt wird",
        "{topic}: vorher und nachher",
        "Werkzeuge zum Thema {topic}",
        "Ein Jahr mit dem Thema {topic}",
        "{topic}: was es wirklich kostet",
        "{topic}, einfach erklärt",
        "{topic}: wann es sich lohnt und wann nicht",
        "Kleine Versuche zum Thema {topic}",
        "{topic}: Fragen aus dem Publikum",
    ),
    beside=("{topic} und {other}", "Was {topic} mit {other} zu tun hat"),
    readers_of=("{title}, im Team", "{title}, allein", "{title}, im Winter", "{title}, im Sommer"),
    more="Notizen zum Thema {topic}, Teil {number}",
)

_MARKS = re.compile(r"(?<!\w)[`*_#]{1,3}(?=\S)|(?<=\S)[`*_]{1,3}(?!\w)")
"""Markdown, which a network shows as it is."""
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_BULLET = re.compile(r"^\s*(?:[-•–]|\d{1,2}[.)])\s*")
_WORD = re.compile(r"[^\W_]+")
_INK = re.compile(r"\S+")


class DemoWriter:
    provider = "demo"
    model = DEMO_MODEL

    async def write(self, order: TextOrder, progress: Progress | None = None) -> Written:
        text = compose(order.prompt, order.topic, order.language, order.max_characters, order.seed)
        if progress is not None:
            for portion in _portions(text):
                await progress(portion)
        # nothing was asked of a model, so zero is what was really used
        return Written(text, self.provider, self.model, Usage(input_tokens=0, output_tokens=0), None)

    async def suggest(self, order: SuggestOrder) -> Suggested:
        return Suggested(titles(order), self.provider, self.model, Usage(input_tokens=0, output_tokens=0), None)

    async def close(self) -> None:
        return


def compose(prompt: str, topic: str, language: str, limit: int, seed: str = "") -> str:
    """A short post with one to three hashtags, at most `limit` characters long; another seed, other sentences."""
    phrases = _DE if language.lower().startswith("de") else _EN
    sentences = list(_sentences(prompt))
    topic = " ".join(topic.split()) or _about(sentences, "", phrases) or phrases.fallback
    pick = _Picker(crc32(f"{prompt}\0{topic}\0{seed}".encode()))

    opening = pick.one(phrases.openings).format(topic=_about(sentences, topic, phrases) or topic)
    first, second = pick.two(phrases.thoughts)
    own = [s for s in sentences if _is_own(s, topic, phrases)][:MAX_OWN_SENTENCES]
    readers = _readers(sentences, opening, phrases)
    middle = [first, *own, *([pick.one(phrases.audience).format(readers=readers)] if readers else []), second]
    tags = " ".join(_tags(topic, phrases))
    closing = pick.one(phrases.closings)

    # the least specific goes first when the room is short
    for body in ([*middle, closing], [*own, first, closing], [first, closing], [closing], []):
        text = "\n\n".join(part for part in (_capital(opening), _paragraphs(body), tags) if part)
        if _length(text) <= limit:
            return text
    return _cut(_capital(opening), limit)


def titles(order: SuggestOrder) -> tuple[str, ...]:
    """Subtopics made of the topic's own words and those around it; the same order gives the same. Always as many as
    are wanted."""
    phrases = _DE if order.language.lower().startswith("de") else _EN
    return new_titles(_titles(order, phrases), order)


def _titles(order: SuggestOrder, phrases: _Phrases) -> Iterator[str]:
    """Without an end: titles that are there already are passed over."""
    topic = _short(order.topic, 2 * MAX_TITLE // 5) or phrases.fallback
    pick = _Picker(crc32(f"{order.topic}\0{order.seed}".encode()))
    plain = [pattern.format(topic=topic) for pattern in pick.shuffled(phrases.titles)]
    # the topic above says what it is about; the one above all is the name of the whole tree
    others = [*reversed(order.path[1:]), *order.siblings]
    beside = [
        pick.one(phrases.beside).format(topic=topic, other=_short(other, MAX_TITLE // 5))
        for other in others[:4]
        if other
    ]
    # one of them after every three
    for at, title in enumerate(plain):
        yield title
        if at % 3 == 2 and beside:
            yield beside.pop(0)
    yield from beside
    for pattern in phrases.readers_of:
        yield from (pattern.format(title=title) for title in plain)
    for number in count(2):
        yield phrases.more.format(topic=topic, number=number)


@dataclass
class _Picker:
    """Choices that follow from a number: the same every time, different for a different order."""

    seed: int

    def one(self, options: tuple[str, ...]) -> str:
        self.seed, index = divmod(self.seed, len(options))
        return options[index]

    def two(self, options: tuple[str, ...]) -> tuple[str, str]:
        first = self.one(options)
        return first, self.one(tuple(option for option in options if option != first))

    def shuffled(self, options: tuple[str, ...]) -> Iterator[str]:
        left = options
        while left:
            chosen = self.one(left)
            left = tuple(option for option in left if option != chosen)
            yield chosen


def _sentences(prompt: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(_MARKS.sub("", prompt)):
        if text := " ".join(_BULLET.sub("", sentence).split()):
            yield text


def _about(sentences: list[str], topic: str, phrases: _Phrases) -> str:
    """What an order is about, in the template's words: "Write a post about X for beginners" gives all after
    "about". Empty when no order names the topic that way."""
    for sentence in sentences:
        if not phrases.order.search(sentence) or topic.lower() not in sentence.lower():
            continue
        for about in phrases.about.finditer(sentence):
            rest = sentence[about.end() :].strip(" .!?:\"'“”„«»")
            if rest.lower().startswith(topic.lower()) and not phrases.meta.search(rest[len(topic) :]):
                return rest if len(rest) <= len(topic) + MAX_OWN_LENGTH else topic
    return ""


def _is_own(sentence: str, topic: str, phrases: _Phrases) -> bool:
    """Whether a sentence of the template can stand in the post as it is."""
    return (
        len(_WORD.findall(sentence)) >= 4
        and len(sentence) <= MAX_OWN_LENGTH
        and sentence[-1] in ".!?…"
        and not phrases.order.search(sentence)
        and not phrases.meta.search(sentence.replace(topic, ""))
    )


def _readers(sentences: list[str], opening: str, phrases: _Phrases) -> str:
    for sentence in sentences:
        found = phrases.readers.search(sentence) if phrases.order.search(sentence) else None
        if found and not phrases.meta.search(found[1]) and found[1] not in opening:
            return found[1].strip()
    return ""


def _tags(topic: str, phrases: _Phrases) -> list[str]:
    """Hashtags of the topic's telling words, in their order."""
    words = _WORD.findall(topic)
    telling = [word for word in words if len(word) > 3 and word.lower() not in phrases.small]
    chosen = dict.fromkeys(_capital(word) for word in telling if not word.isdigit())
    joined = "".join(_capital(word) for word in words)
    fallback = joined if joined and not joined.isdigit() else phrases.fallback
    return [f"#{tag}" for tag in list(chosen)[:MAX_TAGS] or [fallback]]


def _paragraphs(sentences: list[str]) -> str:
    """The last sentence, the question to the readers, stands alone."""
    if len(sentences) < 2:
        return "".join(sentences)
    return " ".join(sentences[:-1]) + "\n\n" + sentences[-1]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _portions(text: str) -> Iterator[str]:
    """The text as it grows, each time by whole words; the last is all of it."""
    ends = [found.end() for found in _INK.finditer(text)]
    for part in range(1, PORTIONS):
        if words := len(ends) * part // PORTIONS:
            yield text[: ends[words - 1]]
    yield text


def _short(title: str, room: int) -> str:
    return _cut(" ".join(title.split()), room)


def _length(text: str) -> int:
    """As a network may count it: in UTF-16 units."""
    return len(text.encode("utf-16-le")) // 2


def _cut(text: str, limit: int) -> str:
    """The beginning of `text` that fits, up to a word's end where there is one."""
    if _length(text) <= limit:
        return text
    head = text.encode("utf-16-le")[: max(limit - 1, 0) * 2].decode("utf-16-le", errors="ignore")
    return (head.rsplit(None, 1)[0] if " " in head else head).rstrip(" ,;:.") + "…" if limit > 0 else ""
