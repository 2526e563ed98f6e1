"""The texts of a post for somebody who waits for them. Answers are not stored, and an improvement that fails, or would
begin late, is left out."""

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from core.ai.model_calls import SUMMED, cut_prompts, sum_or_none
from core.ai.model_texts import CallMeter, write_text
from core.ai.repositories.transactions import Cause
from core.ai.writers.base import TextOrder, Writer, Written
from core.assistants.rules.assistants import TextKind
from core.errors import KnownFault, NoMoreSpending, ProviderError
from core.runs.writing import SECOND_ANSWER, FurtherText, Place, TextOrders

PATIENCE: Final = 180.0
"""Seconds after which no further text is asked for: with a last call of two minutes, the step still ends in time. If it
did not, all texts would be lost and paid for again."""


@dataclass
class UnstoredTexts:
    """A `TextSource`."""

    meter: CallMeter
    cause: Cause
    writer: Writer
    used: list[dict[str, Any]] = field(default_factory=list)
    """Usage of each call so far, as returned by the meter."""
    ends: float = field(default_factory=lambda: time.monotonic() + PATIENCE)
    """When no further text is asked for any more, as `time.monotonic`."""

    async def first_texts(
        self, orders: TextOrders, write: Callable[[TextOrder], Awaitable[Written]] | None = None
    ) -> dict[Place, FurtherText]:
        """Return a first text for each place; only further ones may be empty. `write` replaces the writer's own, for
        calls without which there is no text. Raise the errors of those calls."""
        whole, found = orders.whole, dict[Place, FurtherText]()
        if whole.several and self.writer.writes_several(whole.model):
            answer = await self._write(whole, write)
            found = {place: FurtherText(text, answer.model) for place, text in answer.texts.items()}
        for place, order in orders.alone.items():
            if place in found:
                continue
            if found:
                found[place] = await self.ask(place, TextKind.written, order)
            else:
                answer = await self._write(order, write)
                found[place] = FurtherText(answer.text, answer.model)
        return {place: found[place] for place in orders.alone}

    def has_time(self) -> bool:
        """Return whether a further call may begin."""
        return time.monotonic() < self.ends

    async def ask(self, place: Place, kind: TextKind, order: TextOrder, part: int = 0) -> FurtherText:
        if not self.has_time():
            return FurtherText("")
        try:
            answer = await self._write(order)
        except (NoMoreSpending, KnownFault, ProviderError) as error:
            return FurtherText("", reason=error.code.value)
        return FurtherText(answer.text, answer.model)

    async def revise(self, orders: TextOrders) -> Mapping[Place, FurtherText]:
        whole = orders.whole
        if not (whole.several and self.writer.writes_several(whole.model)):
            return {
                place: await self.ask(place, TextKind.rewritten, order, SECOND_ANSWER)
                for place, order in orders.alone.items()
            }
        if not self.has_time():
            return {}
        try:
            answer = await self._write(whole)
        except (NoMoreSpending, KnownFault, ProviderError) as error:
            return {place: FurtherText("", reason=error.code.value) for place in orders.alone}
        texts: Mapping[Any, str] = answer.texts
        return {place: FurtherText(texts.get(place, ""), answer.model) for place in orders.alone}

    def sums(self) -> dict[str, Any]:
        """Return tokens and cost of all calls."""
        return {name: sum_or_none([used.get(name) for used in self.used]) for name in SUMMED} | cut_prompts(self.used)

    async def _write(self, order: TextOrder, write: Callable[[TextOrder], Awaitable[Written]] | None = None) -> Written:
        answer, used = await write_text(self.meter, self.cause, self.writer, order, write)
        self.used.append(used)
        return answer
