"""Write the posts of a series as a run does, by the product's orders, writer, checks and second look, without a
database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Final
from uuid import UUID, uuid5

from cli.samples import NOBODY, SLOT, ZONE, Subject, write_article
from core.ai.model_texts import write_text
from core.ai.writers.base import TextOrder, Writer, Written
from core.assistants.rules.assistants import SecondLook
from core.brands.rules import BrandVoice
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import NetworkRoom
from core.posts.rules.posts import Variant
from core.runs.rules.runs import Brief
from core.runs.second_looks import SecondLooks
from core.runs.text_orders import LONGEST_TEXT, text_order_of_run
from core.runs.unstored_texts import UnstoredTexts
from core.runs.writing import EarlierPost, finish_texts, orders_for
from core.texts.rules.endings import Ending
from core.texts.rules.review import ReviewNote
from evaluation.cases import Series
from evaluation.meter import NO_CAUSE, BudgetMeter

WEBSITE: Final = "website"
"""Where articles are judged: they are written for a website and not for a network."""


@dataclass(frozen=True)
class WrittenText:
    """A finished text. `network` is a `ChannelKind` or WEBSITE, `known` all that the text may state, `notes` what the
    second look finds in it, and `facts` what the product did until it was finished."""

    network: str
    text: str
    limit: int
    known: str
    notes: tuple[ReviewNote, ...]
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class PostWriter:
    """Writes posts for the networks, or articles."""

    meter: BudgetMeter
    writer: Writer
    networks: tuple[ChannelKind, ...]
    second_look: SecondLook

    async def write(self, series: Series, number: int, posts: Sequence[Sequence[WrittenText]]) -> list[WrittenText]:
        """Return the texts of post `number`, from 0: one for each network, or an article. `posts` are the earlier ones
        of the series, oldest first. Raise ProviderError, and
        NoMoreSpending if the budget does not allow the next text."""
        subject, newest_first = series.subjects[number], list(reversed(posts))
        order = text_order_of_run(
            series.body,
            series.settings,
            brief_of(series, subject),
            slot=SLOT,
            limit=LONGEST_TEXT,
            user_id=NOBODY,
            seed=f"{series}-{number}",
            turn=number,
            networks=() if series.is_article else rooms_of(self.networks),
            brand=series.brand,
            latest=[post[0].text for post in newest_first],
        )
        known = facts_for(order, series.brand)
        revise = self.second_look is SecondLook.revision and not self.writer.one_for_all
        looks = SecondLooks(self.second_look, series.brand, Ending(), revise)
        if series.is_article:
            article = await write_article(order, self._write)
            notes = looks.look(article.text, order, None, [post[0].text for post in newest_first])
            return [WrittenText(WEBSITE, article.text, order.max_characters, known, notes, {})]
        # nobody waits
        orders, source = orders_for(order), UnstoredTexts(self.meter, NO_CAUSE, self.writer, ends=inf)
        earlier = [_as_earlier(series, post) for post in newest_first]
        made = await finish_texts(await source.first_texts(orders), orders, earlier, source, looks)
        return [
            WrittenText(
                room.kind.value,
                made.texts[room.kind],
                room.limit,
                known,
                tuple(note for note in made.notes if note.network == room.kind),
                _facts_on(room.kind, made.facts),
            )
            for room in order.networks
        ]

    async def _write(self, order: TextOrder) -> Written:
        return (await write_text(self.meter, NO_CAUSE, self.writer, order))[0]


def facts_for(order: TextOrder, brand: BrandVoice | None) -> str:
    """Return all that the second look lets a text state: the filled template, the brief with its date, the notes and
    what the brand says of itself. The brand's examples are other posts."""
    above = (part for pair in order.above for part in pair)
    told = [order.prompt, order.topic, *order.path, order.notes, *above]
    if brand:
        told += [brand.name, brand.about, brand.audience, brand.voice, *brand.dos, *brand.words_to_use, *brand.facts]
    return "\n".join(filter(None, told))


def _facts_on(kind: ChannelKind, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the product did with the text of a network; `found` is what the first second look found there."""
    found = [note for note in facts.get("found", ()) if note["network"] == kind]
    return {**facts["networks"][kind], "found": found}


def rooms_of(networks: Iterable[ChannelKind]) -> tuple[NetworkRoom, ...]:
    """Return the networks with the most characters of a text there."""
    return tuple(NetworkRoom(kind, min(channel(kind).limits.max_characters, LONGEST_TEXT)) for kind in networks)


def _as_earlier(series: Series, post: Sequence[WrittenText]) -> EarlierPost:
    variants = tuple(Variant(ChannelKind(text.network), None, text.text) for text in post)
    return EarlierPost(uuid5(_POSTS, f"{series}-{post[0].text}"), "", post[0].text, variants)


_POSTS: Final = UUID("0d0a3a3c-6a0c-4f0e-9c0b-2f2b8f8f6f11")
"""Namespace of the ids of posts that are stored nowhere."""


def brief_of(series: Series, subject: Subject) -> Brief:
    return Brief(
        name=str(series),
        language=series.language,
        time_zone=ZONE,
        variables=subject.variables,
        topic=subject.topic,
        topic_path=subject.path,
        topic_notes=subject.notes,
    )
