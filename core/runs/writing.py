"""Write the texts of a run: within their channels' limits, and different from earlier posts.

A post has one text for all networks, or one for each, which a model writes in one answer if it can answer in JSON. Each
answer is stored before the next call, so a repeated step continues from there and asks again only for an answer that it
did not live to store. Improvements are optional: if one cannot be made, the text is used as it is. A temporary fault of
a model makes the step wait, as long as the slot is ahead, but not where a finished text was only to be revised.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai import prompts
from core.ai.model_calls import SUMMED, Meter, cut_prompts, sum_or_none
from core.ai.model_texts import write_text
from core.ai.rules.answers import Form, read_answer
from core.ai.writers.base import DEMO_MODEL, TextOrder, Writer, Written, as_data
from core.assistants.rules.assistants import TextKind
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, KnownFault, NoMoreSpending, ProviderError
from core.i18n import english_name
from core.networks.rules.channels import ChannelKind
from core.posts.repositories.posts import PostRepository
from core.posts.rules.posts import Variant, parse_variants
from core.runs.model_steps import ModelStep
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import RunSetup
from core.runs.runnable import ensure_runnable
from core.runs.second_looks import SecondLooks, is_better
from core.runs.tables import TextVersion
from core.runs.text_orders import order_for_network, order_for_networks
from core.texts.rules.review import ReviewNote
from core.texts.rules.similarity import LOOKED_BACK, SIMILAR, nearest
from core.texts.rules.texts import cut_text, fits
from core.texts.rules.typography import typeset
from core.texts.rules.written_language import Flaw, find_flaw

_CORRECTIONS: Final = {Flaw.language: prompts.CORRECT_LANGUAGE, Flaw.no_words: prompts.ADD_WORDS}
_AIM: Final = 0.92
"""Share of the limit that a shortened text is asked to have, because models count inaccurately."""

Place = ChannelKind | None
"""A network with a text of its own, or None for the one text of all networks."""


@dataclass(frozen=True)
class FinishedTexts:
    text: str
    """The one text of all networks, or that of the first one."""
    texts: Mapping[ChannelKind, str]
    """The text of each network; empty for one text."""
    model: str
    """The model that wrote the chosen text."""
    facts: dict[str, Any]
    """Prompts, usage and decisions, for the step's evidence."""
    notes: tuple[ReviewNote, ...] = ()
    """What the second look finds in the texts."""


@dataclass(frozen=True)
class EarlierPost:
    """An earlier post of the same assistant."""

    id: UUID
    topic: str
    content: str
    variants: tuple[Variant, ...] = ()

    def text_on(self, place: Place) -> str:
        """Return the text that it had on a network."""
        own = (variant.content for variant in self.variants if variant.channel == place and not variant.account_id)
        return next(own, self.content)


@dataclass(frozen=True)
class DraftText:
    text: str
    model: str


@dataclass(frozen=True)
class FurtherText:
    """A further text of a model. If empty, `reason` may hold an error code."""

    text: str
    model: str = ""
    reason: str | None = None


class AskForText(Protocol):
    """Ask for a further text. `part` is 0 or SECOND_ANSWER."""

    async def __call__(self, kind: TextKind, order: TextOrder, part: int = 0) -> FurtherText: ...


@dataclass(frozen=True)
class TextOrders:
    """What a writer is asked for."""

    whole: TextOrder
    """For all texts in one answer."""
    alone: Mapping[Place, TextOrder]
    """For each text alone, in display order."""


class TextSource(Protocol):
    """Where the further texts of a post come from."""

    async def ask(self, place: Place, kind: TextKind, order: TextOrder, part: int = 0) -> FurtherText: ...

    async def revise(self, orders: TextOrders) -> Mapping[Place, FurtherText]:
        """Return the revised texts, as far as there are any; no fault of a model is raised."""
        ...


def orders_for(order: TextOrder) -> TextOrders:
    """Return the orders for the texts of an order: of each of its networks, or one text."""
    if order.several:
        return TextOrders(order, {room.kind: order_for_network(order, room) for room in order.networks})
    return TextOrders(order, {room.kind: order for room in order.networks} or {None: order})


SECOND_ANSWER: Final = -1
"""The `part` of a text that replaces a first one: of `written`, because it had a flaw; of `rewritten`, because the
second look found something. The second answers of sections and networks are counted backwards from here."""
_NO_TEXTS: Final = -1000
"""The `part` of an answer that should have had the texts of several networks and had none."""


@dataclass(frozen=True)
class WritingService:
    sessions: Sessions
    meter: Meter
    writer: Writer
    catch_up: timedelta
    """How late a post may still be published."""

    async def write_finished_texts(
        self,
        step: ModelStep,
        setup: RunSetup,
        assistant_id: UUID,
        order: TextOrder,
        slot: datetime,
        versions: Sequence[TextVersion],
    ) -> FinishedTexts:
        """Write the texts of a step that has just started, continuing from the `versions` of earlier attempts. Raises
        the errors of the first call, and temporary errors of further calls, but not of a revision, as long as the slot
        is ahead and another attempt can follow."""
        existing = {(version.kind, version.part): version for version in versions}
        making = _TextsInProgress(self, step, setup, slot, existing)
        orders = orders_for(order)
        drafts = await making.first_texts(orders)
        async with self.sessions() as session:
            earlier = await earlier_posts(session, step.user_id, assistant_id, beside=step.run_id)
        made = await finish_texts(drafts, orders, earlier, making, SecondLooks.of_run(setup, self.writer))
        # texts that came in one answer share the usage of the first of them
        used = [version.used for version in making.versions.values() if "input_tokens" in (version.used or {})]
        sums = {name: sum_or_none([usage.get(name) for usage in used]) for name in SUMMED}
        return replace(made, facts=used[0] | sums | cut_prompts(used) | made.facts)


@dataclass
class _TextsInProgress:
    """The texts of a run's step: each is stored, and read where an earlier attempt has stored it."""

    service: WritingService
    step: ModelStep
    setup: RunSetup
    slot: datetime
    versions: dict[tuple[TextKind, int], TextVersion]

    async def first_texts(self, orders: TextOrders) -> dict[Place, FurtherText]:
        """Return a first text for each place; only further ones may be empty."""
        parts = {place: self._part(place) for place in orders.alone}
        stored = [(TextKind.written, part) for part in (*parts.values(), _NO_TEXTS)]
        is_new = not any(key in self.versions for key in stored)
        if is_new and orders.whole.several and self.service.writer.writes_several(orders.whole.model):
            # `ensure_runnable` was called when the step started
            await self._call_several(TextKind.written, orders.whole, parts)
        first: dict[Place, FurtherText] = {}
        for place, order in orders.alone.items():
            has_text = any(_text_of(self.versions[key]) for key in stored if key in self.versions)
            if has_text or (TextKind.written, parts[place]) in self.versions:
                first[place] = await self.ask(place, TextKind.written, order)
            else:
                first[place] = _as_further(await self._call(TextKind.written, order, parts[place]))
        return first

    async def ask(self, place: Place, kind: TextKind, order: TextOrder, part: int = 0) -> FurtherText:
        return await self._ask(place, kind, order, part, waits=True)

    async def _ask(self, place: Place, kind: TextKind, order: TextOrder, part: int, *, waits: bool) -> FurtherText:
        """`waits`: a temporary error is raised, so that another attempt asks again."""
        own = self._part(place)
        key = kind, part - own if part < 0 else own
        version = self.versions.get(key)
        if version is None:
            try:
                await self._begin(kind, order)
                version = await self._call(kind, order, key[1])
            except (NoMoreSpending, KnownFault) as error:
                return FurtherText("", reason=error.code.value)
            except ProviderError as error:
                if waits and error.retryable and utcnow() < self.slot:
                    raise
                version = await self._keep(*key, reason=error.code)
        return _as_further(version)

    async def revise(self, orders: TextOrders) -> Mapping[Place, FurtherText]:
        kind, whole = TextKind.rewritten, orders.whole
        together = whole.several and self.service.writer.writes_several(whole.model)
        if not together and (kind, _NO_TEXTS) not in self.versions:
            return {
                place: await self._ask(place, kind, order, SECOND_ANSWER, waits=False)
                for place, order in orders.alone.items()
            }
        parts = {place: SECOND_ANSWER - self._part(place) for place in orders.alone}
        if not any((kind, part) in self.versions for part in (*parts.values(), _NO_TEXTS)):
            try:
                await self._begin(kind, whole)
                await self._call_several(kind, whole, parts)
            except (NoMoreSpending, KnownFault) as error:
                return {place: FurtherText("", reason=error.code.value) for place in parts}
            except ProviderError as error:
                await self._keep(kind, _NO_TEXTS, reason=error.code)
        failed = self.versions.get((kind, _NO_TEXTS))
        missing = FurtherText("", reason=failed.reason if failed else None)
        found = {place: self.versions.get((kind, part)) for place, part in parts.items()}
        return {place: _as_further(version) if version else missing for place, version in found.items()}

    def _part(self, place: Place) -> int:
        # by the set-up and not by the order: an account may be disconnected between two attempts
        return 0 if place is None else self.setup.networks.index(place)

    async def _begin(self, kind: TextKind, order: TextOrder) -> None:
        service, step = self.service, self.step
        async with service.sessions.begin() as session:
            await ensure_runnable(
                session, step.user_id, step.run_id, self.setup, service.catch_up, service.meter.entitlements
            )
            await step.start(session, service.writer.provider, order.model or service.writer.model, doing=kind)

    async def _write(self, order: TextOrder) -> tuple[Written, dict[str, Any]]:
        service, step = self.service, self.step
        async with step.record_failures():
            return await write_text(service.meter, step.cause, service.writer, order)

    async def _call(self, kind: TextKind, order: TextOrder, part: int) -> TextVersion:
        answer, used = await self._write(order)
        return await self._keep(kind, part, content=answer.text, used=used)

    async def _call_several(self, kind: TextKind, order: TextOrder, parts: Mapping[Place, int]) -> None:
        """Ask for the texts of several networks in one answer, and store those that it has."""
        answer, used = await self._write(order)
        if not answer.texts:
            await self._keep(kind, _NO_TEXTS, reason=ErrorCode.model_unavailable, used=used)
            return
        step, by_first = self.step, used
        async with self.service.sessions.begin() as session:
            for place, text in answer.texts.items():
                self.versions[kind, parts[place]] = await RunRepository(session).add_text(
                    step.user_id, step.run_id, kind, part=parts[place], content=text, used=by_first
                )
                by_first = {"model": used["model"]}

    async def _keep(
        self,
        kind: TextKind,
        part: int,
        *,
        content: str | None = None,
        reason: ErrorCode | None = None,
        used: dict[str, Any] | None = None,
    ) -> TextVersion:
        step = self.step
        async with self.service.sessions.begin() as session:
            version = await RunRepository(session).add_text(
                step.user_id, step.run_id, kind, part=part, content=content, reason=reason, used=used
            )
        self.versions[kind, part] = version
        return version


async def finish_texts(
    first: Mapping[Place, FurtherText],
    orders: TextOrders,
    earlier: Sequence[EarlierPost],
    source: TextSource,
    looks: SecondLooks,
) -> FinishedTexts:
    """Return the texts without flaws, within their limits and unlike earlier posts, as far as that can be had, after a
    second look. A network without a text takes the first one that there is."""
    first = {place: set_type(text, orders.whole) for place, text in first.items()}
    instead = next((text for text in first.values() if text.text), FurtherText(""))
    drafts: dict[Place, DraftText] = {}
    facts: dict[Place, dict[str, Any]] = {}
    for place, order in orders.alone.items():
        text, copied = first[place], dict[str, Any]()
        if not text.text:
            text, copied = instead, {"copied": True, "copied_code": text.reason}
        draft, finished = await _finish_text(text, order, earlier, place, source)
        drafts[place], facts[place] = draft, copied | finished
    made, notes, looked = await _look_again(drafts, orders, earlier, source, looks)
    texts = {place: draft.text for place, draft in made.items() if place is not None}
    chosen = next(iter(made.values()))
    if not texts:
        return FinishedTexts(chosen.text, {}, chosen.model, facts[None] | looked, notes)
    told = facts_of_networks(made, facts)
    return FinishedTexts(chosen.text, texts, chosen.model, told | looked, notes)


def facts_of_networks(made: Mapping[Place, DraftText], facts: Mapping[Place, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the evidence about the texts of networks, with the facts about each."""
    each = {
        place.value: {"characters": len(draft.text), **facts[place]}
        for place, draft in made.items()
        if place is not None
    }
    return {"texts": len(each), "networks": each}


async def _finish_text(
    first: FurtherText, order: TextOrder, earlier: Sequence[EarlierPost], place: Place, source: TextSource
) -> tuple[DraftText, dict[str, Any]]:
    async def ask(kind: TextKind, order: TextOrder, part: int = 0) -> FurtherText:
        return set_type(await source.ask(place, kind, order, part), order)

    text, model, corrections = await correct_flaw(first.text, first.model, order, ask)
    text, facts = await shorten_to_fit(text, order, ask)
    contents = [post.text_on(place) for post in earlier]
    text, model, repeated = await avoid_repetition(text, model, earlier, contents, order, ask)
    return DraftText(text, model), corrections | facts | repeated


async def _look_again(
    made: Mapping[Place, DraftText],
    orders: TextOrders,
    earlier: Sequence[EarlierPost],
    source: TextSource,
    looks: SecondLooks,
) -> tuple[Mapping[Place, DraftText], tuple[ReviewNote, ...], dict[str, Any]]:
    """Return the texts, revised where the second look found something; what it finds in them; and facts."""
    found = find_faults(made, orders, earlier, looks)
    faulty = [place for place, notes in found.items() if notes]
    if not faulty:
        return made, (), {}
    facts: dict[str, Any] = {"found": [note.to_json() for place in faulty for note in found[place]]}
    if looks.revise:
        asked = _revising_orders(orders, {place: (made[place].text, found[place]) for place in faulty})
        answers = {place: set_type(text, asked.whole) for place, text in (await source.revise(asked)).items()}
        revised = {
            place: DraftText(answers[place].text, answers[place].model)
            for place in faulty
            if place in answers and answers[place].text and not flaw_of(answers[place].text, orders.alone[place])
        }
        left = find_faults(revised, orders, earlier, looks)
        better = [
            place
            for place, draft in revised.items()
            if is_better(draft.text, left[place], made[place].text, found[place], orders.alone[place])
        ]
        made = {**made, **{place: revised[place] for place in better}}
        found |= {place: left[place] for place in better}
        facts |= {"revision": "revised" if better else "kept", "revised": len(better)}
        if code := next((answer.reason for answer in answers.values() if answer.reason), None):
            facts["revision_code"] = code
    return made, tuple(note for notes in found.values() for note in notes), facts


def find_faults(
    made: Mapping[Place, DraftText], orders: TextOrders, earlier: Sequence[EarlierPost], looks: SecondLooks
) -> dict[Place, tuple[ReviewNote, ...]]:
    """Return what a second look finds in each text; nothing if it is off."""
    return {
        place: looks.look(draft.text, orders.alone[place], place, [post.text_on(place) for post in earlier])
        for place, draft in made.items()
    }


def _revising_orders(orders: TextOrders, found: Mapping[Place, tuple[str, Sequence[ReviewNote]]]) -> TextOrders:
    """Return the orders to mend what was found in the texts of some networks, or in the one text."""
    requests = {place: prompts.revision([(place, text, notes)]) for place, (text, notes) in found.items()}
    alone = {
        place: replace(orders.alone[place], brief=orders.alone[place].brief + request)
        for place, request in requests.items()
    }
    if len(found) == 1:
        return TextOrders(next(iter(alone.values())), alone)
    whole = order_for_networks(orders.whole, [room for room in orders.whole.networks if room.kind in found])
    request = prompts.revision([(place, text, notes) for place, (text, notes) in found.items()])
    return TextOrders(replace(whole, brief=whole.brief + request), alone)


async def earlier_posts(session: AsyncSession, user_id: UUID, assistant_id: UUID, *, beside: UUID) -> list[EarlierPost]:
    """Return the posts that a text must not repeat, without that of the run `beside`."""
    rows = await PostRepository(session).latest_texts(user_id, assistant_id, LOOKED_BACK, beside=beside)
    return [EarlierPost(id, topic, content, parse_variants(variants)) for id, topic, content, variants in rows]


def set_type(text: FurtherText, order: TextOrder) -> FurtherText:
    """Return a model's text with the typography of its language. The built-in writer's texts have it already."""
    return text if text.model == DEMO_MODEL else replace(text, text=typeset(text.text, order.language))


def flaw_of(text: str, order: TextOrder) -> Flaw | None:
    """Return the flaw of the text, or None."""
    return find_flaw(text, order.language, asked=order.brief)


async def correct_flaw(text: str, model: str, order: TextOrder, ask: AskForText) -> tuple[str, str, dict[str, Any]]:
    """Return the text, or a second one if it has a flaw; its model; and facts."""
    flaw = flaw_of(text, order)
    if flaw is None:
        return text, model, {}
    answer = _reject_if_worse(await ask(TextKind.written, correcting_order(order, flaw), SECOND_ANSWER), order, None)
    facts: dict[str, Any] = {"flaw": flaw.value, "correction": "rewritten" if answer.text else "accepted"}
    if answer.reason:
        facts["correction_code"] = answer.reason
    return answer.text or text, answer.model if answer.text else model, facts


def _reject_if_worse(further: FurtherText, order: TextOrder, first_flaw: Flaw | None) -> FurtherText:
    """Return `further`, emptied if it has another flaw than the first text (`first_flaw`)."""
    return (
        further if not further.text or flaw_of(further.text, order) in (None, first_flaw) else replace(further, text="")
    )


async def shorten_to_fit(text: str, order: TextOrder, ask: AskForText) -> tuple[str, dict[str, Any]]:
    """Return the text within the limit, shortened by the model or cut, and facts."""
    limit = order.max_characters
    if fits(text, limit):
        return text, {}
    facts: dict[str, Any] = {"first_characters": len(text), "limit": limit}
    shorter = _reject_if_worse(
        await ask(TextKind.shortened, shortening_order(order, text)), order, flaw_of(text, order)
    )
    how = "shortened" if shorter.text else "cut"
    if shorter.text and not fits(shorter.text, limit):
        how = "shortened_and_cut"
    code = {"fitting_code": shorter.reason} if shorter.reason else {}
    return cut_text(shorter.text or text, limit), facts | {"fitting": how} | code


async def avoid_repetition(
    text: str,
    model: str,
    earlier: Sequence[EarlierPost],
    contents: Sequence[str],
    order: TextOrder,
    ask: AskForText,
) -> tuple[str, str, dict[str, Any]]:
    """Return the text, or another one if it repeats an earlier post; its model; and facts about the similarity.
    `contents`: the text of each of the posts to compare with."""
    match = nearest(text, contents)
    if match is None:
        return text, model, {}
    post = earlier[match.index]
    facts: dict[str, Any] = {"similarity": _percent(match.similarity), "compared": len(earlier)}
    if match.similarity < SIMILAR:
        return text, model, facts
    facts |= {"first_similarity": facts["similarity"], "similar_post_id": str(post.id), "similar_topic": post.topic}
    answer = _reject_if_worse(
        await ask(TextKind.rewritten, distinct_order(order, contents[match.index])), order, flaw_of(text, order)
    )
    other = cut_text(answer.text, order.max_characters)
    again = nearest(other, contents) if other else None
    if other and again and again.similarity < match.similarity:
        text, model = other, answer.model
        facts["similarity"] = _percent(again.similarity)
        repeats = again.similarity >= SIMILAR
    else:
        repeats = True
    facts["repetition"] = "accepted" if repeats else "rewritten"
    return text, model, facts | ({"repetition_code": answer.reason} if answer.reason else {})


def shortening_order(order: TextOrder, text: str) -> TextOrder:
    """Return an order to shorten the text."""
    return replace(
        order,
        instructions=prompts.SHORTEN_POST.format(limit=int(order.max_characters * _AIM)),
        brief=as_data(text),
        shorten=text,
    )


def correcting_order(order: TextOrder, flaw: Flaw) -> TextOrder:
    """Return the order again, with the flaw pointed out."""
    return replace(order, brief=order.brief + _CORRECTIONS[flaw].format(language=english_name(order.language)))


def distinct_order(order: TextOrder, post: str) -> TextOrder:
    """Return the order again, for a text that differs from `post`."""
    return replace(order, brief=order.brief + prompts.UNLIKE.format(post=as_data(post)), unlike=post)


def _as_further(version: TextVersion) -> FurtherText:
    return FurtherText(_text_of(version), (version.used or {}).get("model", ""), version.reason)


def _text_of(version: TextVersion) -> str:
    # rows of older releases hold the raw answer; other texts are not changed by parsing
    return read_answer(version.content or "", Form.post).text


def _percent(share: float) -> int:
    return round(share * 100)
