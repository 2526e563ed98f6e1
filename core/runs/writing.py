"""Write the text of a run: within its channels' limits, and different from earlier posts.

Each answer is stored before the next call, so a repeated step continues from there and pays for no answer twice.
Improvements are optional: if one cannot be made, the text is used as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai import prompts
from core.ai.model_calls import SUMMED, Meter, cut_prompts, sum_or_none
from core.ai.model_texts import write_text
from core.ai.rules.answers import Form, read_answer
from core.ai.writers.base import TextOrder, Writer, as_data
from core.assistants.rules.assistants import TextKind
from core.clock import utcnow
from core.database import Sessions
from core.errors import ErrorCode, KnownFault, NoMoreSpending, ProviderError
from core.i18n import english_name
from core.posts.repositories.posts import PostRepository
from core.runs.model_steps import ModelStep
from core.runs.repositories.runs import RunRepository
from core.runs.rules.runs import RunSetup
from core.runs.runnable import ensure_runnable
from core.runs.tables import TextVersion
from core.texts.rules.similarity import LOOKED_BACK, SIMILAR, nearest
from core.texts.rules.texts import cut_text, fits
from core.texts.rules.written_language import Flaw, find_flaw

_CORRECTIONS: Final = {Flaw.language: prompts.CORRECT_LANGUAGE, Flaw.no_words: prompts.ADD_WORDS}
_AIM: Final = 0.92
"""Share of the limit that a shortened text is asked to have, because models count inaccurately."""


@dataclass(frozen=True)
class FinishedText:
    text: str
    model: str
    """The model that wrote the chosen text."""
    facts: dict[str, Any]
    """Prompts, usage and decisions, for the step's evidence."""


@dataclass(frozen=True)
class EarlierPost:
    """An earlier post of the same assistant."""

    id: UUID
    topic: str
    content: str


@dataclass(frozen=True)
class FurtherText:
    """A further text of a model. If empty, `reason` may hold an error code."""

    text: str
    model: str = ""
    reason: str | None = None


class AskForText(Protocol):
    async def __call__(self, kind: TextKind, order: TextOrder, part: int = 0) -> FurtherText: ...


SECOND_ANSWER: Final = -1
"""The `part` of a text that replaces a first one with a flaw. Second answers of sections are counted backwards from
here."""


@dataclass(frozen=True)
class WritingService:
    sessions: Sessions
    meter: Meter
    writer: Writer
    catch_up: timedelta
    """How late a post may still be published."""

    async def write_finished_text(
        self,
        step: ModelStep,
        setup: RunSetup,
        assistant_id: UUID,
        order: TextOrder,
        slot: datetime,
        versions: Sequence[TextVersion],
    ) -> FinishedText:
        """Write the text of a step that has just started, continuing from the `versions` of earlier attempts. Raises
        the errors of the first call, and temporary errors of further calls as long as the slot is ahead and another
        attempt can follow."""
        existing = {(version.kind, version.part): version for version in versions}
        making = _TextInProgress(self, step, setup, order, slot, existing)
        first = await making.first_text()
        text, model, corrections = await correct_flaw(_text_of(first), first.used["model"], order, making.further_text)
        text, facts = await shorten_to_fit(text, order, making.further_text)
        async with self.sessions() as session:
            earlier = await earlier_posts(session, step.user_id, assistant_id, beside=step.run_id)
        text, model, repeated = await avoid_repetition(text, model, earlier, order, making.further_text)
        used = [version.used for version in making.versions.values() if version.used]
        sums = {name: sum_or_none([usage.get(name) for usage in used]) for name in SUMMED}
        return FinishedText(text, model, used[0] | sums | cut_prompts(used) | corrections | facts | repeated)


@dataclass
class _TextInProgress:
    service: WritingService
    step: ModelStep
    setup: RunSetup
    order: TextOrder
    slot: datetime
    versions: dict[tuple[TextKind, int], TextVersion]

    async def first_text(self) -> TextVersion:
        # `ensure_runnable` was called when the step started
        return self.versions.get((TextKind.written, 0)) or await self._call(TextKind.written, self.order)

    async def further_text(self, kind: TextKind, order: TextOrder, part: int = 0) -> FurtherText:
        version = self.versions.get((kind, part))
        if version is None:
            try:
                version = await self._ask_model(kind, order, part)
            except (NoMoreSpending, KnownFault) as error:
                return FurtherText("", reason=error.code.value)
            except ProviderError as error:
                if error.retryable and utcnow() < self.slot:
                    raise
                version = await self._keep(kind, part, reason=error.code)
        return FurtherText(_text_of(version), (version.used or {}).get("model", ""), version.reason)

    async def _ask_model(self, kind: TextKind, order: TextOrder, part: int) -> TextVersion:
        service, step = self.service, self.step
        async with service.sessions.begin() as session:
            await ensure_runnable(
                session, step.user_id, step.run_id, self.setup, service.catch_up, service.meter.entitlements
            )
            await step.start(session, *self._provider_and_model(order), doing=kind)
        return await self._call(kind, order, part)

    def _provider_and_model(self, order: TextOrder) -> tuple[str, str]:
        return self.service.writer.provider, order.model or self.service.writer.model

    async def _call(self, kind: TextKind, order: TextOrder, part: int = 0) -> TextVersion:
        service, step = self.service, self.step
        async with step.record_failures():
            answer, used = await write_text(service.meter, step.cause, service.writer, order)
        return await self._keep(kind, part, content=answer.text, used=used)

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


async def earlier_posts(session: AsyncSession, user_id: UUID, assistant_id: UUID, *, beside: UUID) -> list[EarlierPost]:
    """Return the posts that a text must not repeat, without that of the run `beside`."""
    rows = await PostRepository(session).latest_texts(user_id, assistant_id, LOOKED_BACK, beside=beside)
    return [EarlierPost(*row) for row in rows]


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
    text: str, model: str, earlier: Sequence[EarlierPost], order: TextOrder, ask: AskForText
) -> tuple[str, str, dict[str, Any]]:
    """Return the text, or another one if it repeats an earlier post; its model; and facts about the similarity."""
    contents = [post.content for post in earlier]
    match = nearest(text, contents)
    if match is None:
        return text, model, {}
    post = earlier[match.index]
    facts: dict[str, Any] = {"similarity": _percent(match.similarity), "compared": len(earlier)}
    if match.similarity < SIMILAR:
        return text, model, facts
    facts |= {"first_similarity": facts["similarity"], "similar_post_id": str(post.id), "similar_topic": post.topic}
    answer = _reject_if_worse(
        await ask(TextKind.rewritten, distinct_order(order, post.content)), order, flaw_of(text, order)
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


def _text_of(version: TextVersion) -> str:
    # rows of older releases hold the raw answer; other texts are not changed by parsing
    return read_answer(version.content or "", Form.post).text


def _percent(share: float) -> int:
    return round(share * 100)
