"""A writer without a model: the template's wording and a topic's notes in prepared sentences per kind of post.

It allows trying everything without a key. The same order always gives the same text, and different topics read
differently. It knows no facts except the notes, so it claims no others.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from zlib import crc32

from core.ai.rules.usage import Usage
from core.ai.writers.base import DEMO_MODEL, Progress, Suggested, SuggestOrder, TextOrder, Written
from core.ai.writers.demo_articles import compose_part
from core.ai.writers.demo_brief import Brief, Notes, about, read_brief, read_notes
from core.ai.writers.demo_phrases import Kind, Phrases, Picker, addressed, cut, length, phrases_of
from core.ai.writers.demo_titles import titles
from core.templates.rules.templates import ReasoningEffort
from core.texts.rules.similarity import similarity
from core.texts.rules.texts import cut_text, sentences

PORTIONS = 6
"""Number of progress steps in which the text is shown."""

MAX_STEPS, MAX_LABELS, MAX_OPTIONS = 6, 8, 4
MAX_PROSE = 700
"""Characters of the notes' prose in a post."""

IN_A_PARAGRAPH = 3
"""Sentences of a paragraph that is not split."""

OTHERS = 6
"""Texts made to select the one that repeats least."""

LONGEST_FACT = 120
"""Characters of a sentence, or of a topic, in the hook."""

_INK = re.compile(r"\S+")
_WORD = re.compile(r"[^\W_]+")
_AFTER_TOPIC = re.compile(r"\{topic\}[.:,]\s*(?P<rest>.?)")
_PLACE = re.compile(r"\{(topic|fact)\}")
_QUESTION = re.compile(r"[?!…]$")


class DemoWriter:
    provider = "demo"
    model = DEMO_MODEL
    effort: ReasoningEffort | None = None
    one_for_all = True

    def writes_several(self, model: str | None) -> bool:
        return False

    async def write(self, order: TextOrder, progress: Progress | None = None) -> Written:
        text = compose(order)
        if progress is not None:
            for portion in _portions(text):
                await progress(portion)
        # no model was called, so the usage really is zero
        return Written(text, self.provider, self.model, Usage(input_tokens=0, output_tokens=0), None)

    async def suggest(self, order: SuggestOrder) -> Suggested:
        return Suggested(titles(order), self.provider, self.model, Usage(input_tokens=0, output_tokens=0), None)

    async def close(self) -> None:
        return


def compose(order: TextOrder) -> str:
    """Return a post of at most `order.max_characters`: a hook, the notes (without any, general sentences and one of
    the notes above), a closing, and hashtags if the template wants them. Or return a shortened text, a replaced
    passage, the post least similar to `order.unlike`, or a part of an article. A post begins and ends unlike the
    latest one if possible. Notes that are a page's own words are left out: it would copy them as ours."""
    if order.source:
        order = replace(order, notes="")
    if order.article:
        return compose_part(order, order.article)
    if order.shorten:
        return shortened(order.shorten, order.max_characters)
    if order.passage:
        return _another_passage(order)
    if not order.unlike:
        text = _compose_post(order)
        if not _alike(text, order.latest):
            return text
    others = (
        replace(order, seed=f"{order.seed}-{number}", turn=(order.turn or 0) + number)
        for number in range(1, OTHERS + 1)
    )
    unlike = order.unlike or order.latest

    def repeats(text: str) -> tuple[bool, int, float]:
        return any(text in read for read in order.refused), _alike(text, order.latest), similarity(text, unlike)

    return min(map(_compose_post, others), key=repeats)


def _compose_post(order: TextOrder) -> str:
    phrases = phrases_of(order.language)
    prompt, topic = order.prompt, " ".join(order.topic.split())
    topic = topic.rstrip(" .:,;") or about(prompt, phrases) or phrases.fallback
    post = _Post(
        topic=topic,
        phrases=phrases,
        brief=read_brief(prompt, topic, phrases),
        notes=read_notes(order.notes, phrases),
        pick=Picker(crc32(f"{prompt}\0{topic}\0{order.seed}".encode("utf-8", "surrogatepass")), order.turn),
    )
    hook = post.hook()
    sections = [*post.middle(), *post.wider(order.above), *post.end(order.path)]
    # drop the least important section until the text fits
    while sections:
        text = "\n\n".join([hook, *(text for _, text in sections)])
        if length(text) <= order.max_characters:
            return text
        sections.remove(max(sections, key=lambda section: section[0]))
    return cut(hook, order.max_characters)


def _another_passage(order: TextOrder) -> str:
    """Return a passage of several sentences shortened, or for a shorter one a sentence on the same topic."""
    if len(list(sentences(order.passage))) > 2:
        return shortened(order.passage, min(order.max_characters, length(order.passage) - 1))
    post = replace(order, passage="", unlike=order.passage)
    return cut(compose(post).split("\n\n")[0], order.max_characters)


def _alike(text: str, latest: str) -> int:
    """Return 2 if both texts begin alike, plus 1 if they end alike."""
    if not latest:
        return 0
    first, *more = text.split("\n\n")
    begins = first == latest.split("\n\n")[0]
    closing = next((part for part in reversed(more) if not part.startswith("#")), None)
    return 2 * begins + (closing is not None and closing in latest)


def shortened(text: str, limit: int) -> str:
    """Return the text's beginning and end, and as much of the middle as fits."""
    parts = [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]
    between = "\n\n"
    if len(parts) < 3:
        parts, between = list(sentences(text)), " "
    last = parts[1:][-1:]
    kept = parts[:1]
    for part in parts[1:-1]:
        if length(between.join([*kept, part, *last])) > limit:
            break
        kept.append(part)
    return cut_text(between.join([*kept, *last]), limit)


_KEEP, _SECOND, _EXTRA, _TAGS = range(4)
"""Order in which sections are dropped: the highest first."""

Section = tuple[int, str]


@dataclass
class _Post:
    topic: str
    phrases: Phrases
    brief: Brief
    notes: Notes
    pick: Picker

    @property
    def _usual(self) -> Kind:
        """The kind of a template without a sign."""
        return next(iter(self.phrases.kinds.values()))

    def hook(self) -> str:
        kind, topic = self.brief.kind, self.topic
        if self.brief.hooks:
            return _capital(self.pick.one(self.brief.hooks, "hook"))
        hooks = kind.hooks if self.notes.quotes or not kind.plain_hooks else kind.plain_hooks
        clause = self.phrases.clause.match(topic) is not None and not topic.endswith("?")
        if clause and kind is self._usual:
            hooks = self.phrases.clause_hooks
        fact = self._first_fact()
        if not fact:
            hooks = tuple("{topic}:" if "{fact}" in hook else hook for hook in hooks)
        pattern = self._address(self.pick.one(tuple(_fitting(hooks, topic, clause=clause)) or ("{topic}",), "hook"))
        if "{fact}" in pattern:
            # the hook's fact is not repeated
            self.notes = replace(self.notes, prose=self.notes.prose[1:])
        if kind.suffix and kind.suffix not in topic:
            topic = f"{topic} {kind.suffix}"
        if _QUESTION.search(topic):
            # a topic that ends with a mark gets no second one
            pattern = _AFTER_TOPIC.sub(lambda found: ("{topic} " + found["rest"].upper()).strip(), pattern)
        if clause and not pattern.startswith("{topic}"):
            topic = topic[:1].lower() + topic[1:]
        if pattern != "{topic}":
            topic = topic.replace(": ", " – ")
        return _capital(_PLACE.sub(lambda place: topic if place[1] == "topic" else fact, pattern))

    def _first_fact(self) -> str:
        """Return the first sentence of the notes if it can stand alone before the others, else an empty text."""
        if len(self.notes.prose) < 2:
            return ""
        first, second, *_ = self.notes.prose
        alone = not any(map(self.phrases.pronoun.match, (first, second))) and length(first) <= LONGEST_FACT
        return first if alone and ":" not in first and length(self.topic) <= LONGEST_FACT else ""

    def middle(self) -> Iterator[Section]:
        """Yield the sections between hook and closing."""
        kind, notes = self.brief.kind, self.notes
        if kind.facts == "options":
            yield from self._options()
        elif not notes:
            yield from self._without_notes()
        elif kind.facts == "steps" and len(notes.items or notes.prose) > 1:
            yield from self._steps(notes.items or notes.prose)
            yield from self._labels()
        elif kind.labels_first:
            yield from self._labels()
            yield from self._prose()
        else:
            yield from self._prose()
            yield from self._labels()
        if kind.always:
            yield _KEEP, kind.always

    def wider(self, above: tuple[tuple[str, str], ...]) -> Iterator[Section]:
        """Yield a sentence of the nearest notes above if the topic has no notes."""
        if self.notes or not above:
            return
        notes = read_notes(above[0][1], self.phrases)
        if prose := tuple(sentence for sentence in notes.prose if not self.phrases.pronoun.match(sentence)):
            yield _SECOND, self.pick.one(prose, "wider")

    def end(self, path: tuple[str, ...]) -> Iterator[Section]:
        kind, brief = self.brief.kind, self.brief
        own = [(_EXTRA, text) for text in brief.own[:2]]
        # no thanks for a quote if there is none
        turns = kind.turns if self.notes.quotes or not kind.plain_hooks else ()
        if self.notes.question:
            turns = ()
        turn = self._address(self.pick.one(turns, "turn")) if turns else ""
        closing = self.notes.question or self._address(self.pick.one(kind.closings, "closing"))
        contact = self.pick.one(brief.closings, "contact") if brief.closings else ""
        if contact.endswith("?"):
            closing, contact = contact, ""
        yield from own
        if not self.notes and kind.facts == "prose":
            yield _KEEP, closing
        elif turn and self.pick.one((True, False)):
            yield _KEEP, f"{turn} {closing}"
        else:
            if turn:
                yield _EXTRA, turn
            yield _KEEP, closing
        if contact:
            yield _KEEP, contact
        if tags := self._hashtags(path):
            yield _TAGS, " ".join(tags)

    def _options(self) -> Iterator[Section]:
        """Yield lettered answers: the notes' list, or answers that fit most questions."""
        kind, notes = self.brief.kind, self.notes
        if notes.prose or notes.quotes:
            yield from self._prose(items=False)
        elif not notes.items:
            yield _SECOND, self._address(self.pick.one(kind.plain))
        options = notes.items[:MAX_OPTIONS] if len(notes.items) > 1 else self.pick.one(kind.options, "options")
        yield _KEEP, "\n".join(f"{letter}) {text.rstrip('.')}" for letter, text in zip("ABCD", options, strict=False))
        yield from self._labels(quotes=False)

    def _without_notes(self) -> Iterator[Section]:
        kind = self.brief.kind
        if kind.facts == "steps":
            steps = self._address(self.pick.one(kind.plain)).splitlines()
            yield from self._steps(tuple(steps))
            return
        first, *more = self.pick.shuffled(kind.plain)
        yield _KEEP, self._address(first)
        for text in more[:1]:
            yield _SECOND, self._address(text)

    def _steps(self, steps: tuple[str, ...]) -> Iterator[Section]:
        numbered = [f"{number}. {text}" for number, text in enumerate(steps[:MAX_STEPS], 1)]
        yield _KEEP, "\n".join(numbered)

    def _labels(self, *, quotes: bool = True) -> Iterator[Section]:
        if quotes and self.notes.quotes:
            yield _KEEP, "\n".join(self.notes.quotes[:2])
        if self.notes.labels:
            yield _KEEP, "\n".join(self.notes.labels[:MAX_LABELS])

    def _prose(self, *, items: bool = True) -> Iterator[Section]:
        """Yield up to two paragraphs of the notes' sentences, and their list."""
        prose = list(_within(self.notes.prose, MAX_PROSE))
        if prose:
            first = len(prose) if len(prose) <= IN_A_PARAGRAPH else (len(prose) + 1) // 2
            yield _KEEP, " ".join(prose[:first])
            if rest := " ".join(prose[first:]):
                yield _SECOND, rest
        if items and self.notes.items:
            yield _KEEP, "\n".join(f"– {text}" for text in self.notes.items[:MAX_STEPS])

    def _address(self, sentence: str) -> str:
        """Return the sentence in the formal or informal address of the brief."""
        return addressed(sentence, formal=self.brief.formal)

    def _hashtags(self, path: tuple[str, ...]) -> list[str]:
        """Return hashtags of the topic, then of the topics above it, whose titles are more general."""
        if not self.brief.tags:
            return []
        above = tuple(reversed(path))
        # the words of a question make poor hashtags
        titles = (*above, self.topic) if self.topic.endswith("?") else (self.topic, *above)
        found = [tag for title in titles for tag in self._tags_of(title)]
        chosen: list[str] = []
        for tag in found:
            if not any(tag.casefold() in known.casefold() or known.casefold() in tag.casefold() for known in chosen):
                chosen.append(tag)
        return [f"#{tag}" for tag in (chosen or [self.phrases.fallback])[: self.brief.tags]]

    def _tags_of(self, title: str) -> Iterator[str]:
        """Yield a tag of the first one or two adjacent words that can be hashtags."""
        runs: list[list[str]] = [[]]
        for word in _WORD.findall(title):
            if self._is_telling(word):
                runs[-1].append(word)
            elif runs[-1]:
                runs.append([])
        found = [run[:2] for run in runs if run]
        # "Riding in the snow" is about snow
        if len(found) > 1 and len(found[0]) == 1 and found[0][0].endswith("ing"):
            del found[0]
        if found:
            yield "".join(map(_capital, found[0]))

    def _is_telling(self, word: str) -> bool:
        small = len(word) < 3 or word.casefold() in self.phrases.small or not word.isalpha()
        # in languages with capital nouns, only those are hashtags
        return not small and (not self.phrases.capital_nouns or word[0].isupper())


def _fitting(hooks: tuple[str, ...], topic: str, *, clause: bool) -> Iterator[str]:
    """Yield hooks that fit the topic: without a second colon in a sentence, and not continuing a clause."""
    for hook in hooks:
        after = hook.partition("{topic}")[2]
        if ":" in topic and after.startswith((":", ",", " ")):
            continue
        if (clause or "," in topic) and after.startswith((",", " ")):
            continue
        yield hook


def _within(texts: tuple[str, ...], room: int) -> Iterator[str]:
    for text in texts:
        room -= length(text)
        if room < 0:
            return
        yield text


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _portions(text: str) -> Iterator[str]:
    """Yield the growing text by whole words; the last is the whole text."""
    ends = [found.end() for found in _INK.finditer(text)]
    for part in range(1, PORTIONS):
        if words := len(ends) * part // PORTIONS:
            yield text[: ends[words - 1]]
    yield text
