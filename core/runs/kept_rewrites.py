"""What a rewrite has paid for so far. It stays in the facts of the run's text step until the new text replaces the old
one, so a repeat of the step pays for no text and no pages again."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.model_calls import SUMMED, sum_or_none
from core.approvals.tables.approvals import Approval
from core.assistants.rules.assistants import StepKind
from core.database import Sessions
from core.networks.rules.channels import ChannelKind
from core.runs.carousels import StructuredPages
from core.runs.repositories.runs import RunRepository
from core.runs.writing import DraftText, Place, TextOrders

_FACT: Final = "rewriting"

MadeTexts = tuple[dict[Place, DraftText], dict[str, Any]]
"""The texts, and facts about how they were made."""


@dataclass
class KeptRewrite:
    """The answers of one request of a person, each kept as soon as it is there."""

    sessions: Sessions
    user_id: UUID
    run_id: UUID
    number: int
    """Of the request, from 1, among all for this run, also those that failed."""
    facts: dict[str, Any]

    @classmethod
    async def load(cls, sessions: Sessions, approval: Approval, run_id: UUID) -> "KeptRewrite":
        """Return what earlier attempts of the request have kept. A new request is counted, and an earlier one's answers
        are discarded."""
        request = f"{approval.id} {approval.decided_at}"
        async with sessions.begin() as session:
            runs = RunRepository(session)
            before = await runs.step_facts(approval.user_id, run_id, StepKind.text)
            facts = before.get(_FACT, {})
            if facts.get("request") != request:
                await discard_answers(session, approval.user_id, run_id)
                number = max(int(before.get("rewrites", 0)), int(facts.get("number", 0))) + 1
                facts = {"request": request, "number": number}
                await runs.add_facts(approval.user_id, run_id, StepKind.text, {_FACT: facts})
        return cls(sessions, approval.user_id, run_id, facts["number"], facts)

    async def texts(self, orders: TextOrders, write: Callable[[], Awaitable[MadeTexts]]) -> MadeTexts:
        """Return the kept texts, or write and keep them. They are written anew if accounts of other networks are
        connected now."""
        kept = {ChannelKind(place) if place else None: DraftText(*made) for place, *made in self.facts.get("texts", ())}
        if list(kept) == list(orders.alone):
            return kept, self.facts["how"]
        made, how = await write()
        async with self.sessions.begin() as session:
            await discard_answers(session, self.user_id, self.run_id)
        # a list, since PostgreSQL does not keep the order of an object's names
        texts = [(place and place.value, draft.text, draft.model) for place, draft in made.items()]
        self.facts.pop("pages", None)
        await self._keep({"texts": texts, "how": how})
        return made, how

    async def pages(self, structure: Callable[[], Awaitable[StructuredPages]]) -> StructuredPages:
        """Return the kept pages of the texts, or structure and keep them."""
        if "pages" in self.facts:
            return StructuredPages.from_json(self.facts["pages"])
        structured = await structure()
        await self._keep({"pages": structured.to_json()})
        return structured

    async def _keep(self, answers: dict[str, Any]) -> None:
        self.facts |= answers
        async with self.sessions.begin() as session:
            await RunRepository(session).add_facts(self.user_id, self.run_id, StepKind.text, {_FACT: self.facts})


async def discard_answers(session: AsyncSession, user_id: UUID, run_id: UUID) -> None:
    """Remove the answers of a rewrite that has not replaced the text. Their usage is added to that of the run's steps.
    Does nothing if none are kept."""
    runs = RunRepository(session)
    facts = await runs.step_facts(user_id, run_id, StepKind.text)
    kept = facts.get(_FACT, {})
    if "how" not in kept:
        return
    of_pages = kept["pages"]["used"] if "pages" in kept else {}
    for kind, used in ((StepKind.text, kept["how"]), (StepKind.image, of_pages)):
        if "input_tokens" in used:  # the others are free
            before = await runs.step_facts(user_id, run_id, kind)
            of_calls = [each for each in (before, used) if "input_tokens" in each]
            sums: dict[str, Any] = {name: sum_or_none([each.get(name) for each in of_calls]) for name in SUMMED}
            # the model that the sums are of
            sums |= {name: of_calls[0][name] for name in ("provider", "model") if name in of_calls[0]}
            await runs.add_facts(user_id, run_id, kind, sums)
    await runs.add_facts(user_id, run_id, StepKind.text, {_FACT: without_answers(facts)[_FACT]})


def without_answers(facts: dict[str, Any]) -> dict[str, Any]:
    """Return the facts of a text step without the answers of a rewrite that is over."""
    return facts | {_FACT: {"number": facts[_FACT]["number"]}} if _FACT in facts else facts
