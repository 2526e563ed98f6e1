"""Subtopics suggested by the text model, accepted one by one."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.generations import GenerationService
from core.ai.model_calls import Meter
from core.ai.model_texts import suggest_titles, titles_request
from core.ai.repositories.transactions import Cause
from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import TransactionType
from core.ai.writers.base import SuggestOrder, Writer
from core.clock import utcnow
from core.database import notify_browsers
from core.errors import Conflict, DomainError, ErrorCode, NotFound
from core.live import LiveKind
from core.runs.text_orders import provider_subject_id
from core.topics.repositories.suggestions import SuggestionRepository, TopicContext
from core.topics.repositories.topics import TopicRepository
from core.topics.rules import MAX_TITLE, clean_title
from core.topics.tables import Topic, TopicSuggestion
from core.topics.topic_trees import TopicTreeService

_SHOWN_FRUITLESS = timedelta(days=1)
"""How long a round without titles is listed."""


@dataclass(frozen=True)
class SuggestionService(GenerationService[TopicSuggestion]):
    meter: Meter
    writer: Writer
    kind = LiveKind.topic_suggestion

    async def order(
        self, user_id: UUID, tree_id: UUID, topic_id: UUID, suggestion_id: UUID, *, wanted: int, language: str
    ) -> TopicSuggestion:
        """Save a queued round. The caller starts its workflow; if that fails, the reconciliation does.
        Raise NotFound, Conflict (generation_in_progress) while a round under the topic is open,
        SubscriptionRequired."""
        async with self.sessions.begin() as session:
            suggestions, topics = SuggestionRepository(session), TopicRepository(session)
            # the lock makes the second of two concurrent clicks find the first one's round
            await topics.lock(user_id, tree_id)
            await topics.topic(user_id, tree_id, topic_id)
            if await suggestions.is_open(user_id, topic_id):
                raise Conflict(ErrorCode.generation_in_progress)
            row = TopicSuggestion(
                id=suggestion_id,
                user_id=user_id,
                tree_id=tree_id,
                topic_id=topic_id,
                wanted=wanted,
                language=language,
                created_at=utcnow(),
            )
            if self.meter.entitlements.asks:
                order = _order(row, await self._load_context(session, row))
                await self.meter.admit(session, user_id, titles_request(self.writer, order))
            session.add(row)
            await session.flush()
            await notify_browsers(session, user_id, LiveKind.topic_suggestion, suggestion_id)
        return row

    async def latest(self, user_id: UUID, tree_id: UUID, topic_id: UUID) -> TopicSuggestion | None:
        """Return the newest round under a topic. Raise NotFound."""
        async with self.sessions() as session:
            await TopicRepository(session).topic(user_id, tree_id, topic_id)
            return await SuggestionRepository(session).latest(user_id, topic_id)

    async def list_open(self, user_id: UUID, tree_id: UUID) -> Sequence[TopicSuggestion]:
        """Return the newest rounds of a tree's topics that wait for the model or the user. Raise NotFound."""
        async with self.sessions() as session:
            await TopicRepository(session).get(user_id, tree_id)
            return await SuggestionRepository(session).list_open(user_id, tree_id, utcnow() - _SHOWN_FRUITLESS)

    async def accept(self, user_id: UUID, tree_id: UUID, suggestion_id: UUID, index: int) -> Topic:
        """Add the title as the topic's last child. Raise NotFound, Conflict (suggestion_decided) if it was decided
        before, InvalidInput (topic_too_many)."""
        async with self.sessions.begin() as session:
            row, title = await self._get_undecided(session, user_id, tree_id, suggestion_id, index)
            topic = await TopicTreeService(session).append(user_id, tree_id, row.topic_id, title)
            row.decided = row.decided | {str(index): str(topic.id)}
            await notify_browsers(session, user_id, LiveKind.topic_suggestion, suggestion_id)
        return topic

    async def dismiss(self, user_id: UUID, tree_id: UUID, suggestion_id: UUID, index: int) -> TopicSuggestion:
        """Dismiss the title. Raise NotFound, Conflict (suggestion_decided)."""
        async with self.sessions.begin() as session:
            row, _ = await self._get_undecided(session, user_id, tree_id, suggestion_id, index)
            row.decided = row.decided | {str(index): None}
            await session.flush()
            await notify_browsers(session, user_id, LiveKind.topic_suggestion, suggestion_id)
        return row

    async def restore(self, user_id: UUID, tree_id: UUID, suggestion_id: UUID, index: int) -> TopicSuggestion:
        """Undo a dismissal. Raise NotFound, Conflict (suggestion_decided) if the title became a topic."""
        async with self.sessions.begin() as session:
            row, _ = await self._title(session, user_id, tree_id, suggestion_id, index)
            if row.decided.get(str(index)) is not None:
                raise Conflict(ErrorCode.suggestion_decided)
            row.decided = {name: topic for name, topic in row.decided.items() if name != str(index)}
            await session.flush()
            await notify_browsers(session, user_id, LiveKind.topic_suggestion, suggestion_id)
        return row

    async def _get_undecided(
        self, session: AsyncSession, user_id: UUID, tree_id: UUID, suggestion_id: UUID, index: int
    ) -> tuple[TopicSuggestion, str]:
        row, title = await self._title(session, user_id, tree_id, suggestion_id, index)
        if str(index) in row.decided:
            raise Conflict(ErrorCode.suggestion_decided)
        return row, title

    async def _title(
        self, session: AsyncSession, user_id: UUID, tree_id: UUID, suggestion_id: UUID, index: int
    ) -> tuple[TopicSuggestion, str]:
        # lock the tree before the round, like changing or deleting a tree does: another order would deadlock
        await TopicRepository(session).lock(user_id, tree_id)
        row = await SuggestionRepository(session).lock(user_id, tree_id, suggestion_id)
        if not index < len(row.titles):
            raise NotFound(what="suggested_title", id=str(suggestion_id))
        return row, row.titles[index]

    # called by the workflow

    async def run_round(self, user_id: UUID, suggestion_id: UUID, attempt: int) -> GenerationState | None:
        """Call the model once and book the cost. Titles are cleaned; duplicates and existing children are dropped.
        Return the state, or None if the round was deleted with its topic."""
        async with self.sessions.begin() as session:
            suggestions = SuggestionRepository(session)
            row = await suggestions.find_locked(user_id, suggestion_id)
            if row is None or not row.is_open:
                return row.state if row else None
            self._claim(row, attempt)
            row.provider, row.model = self.writer.provider, self.writer.model
            around = await self._load_context(session, row)
            await notify_browsers(session, user_id, LiveKind.topic_suggestion, suggestion_id)
        try:
            return await self._ask(row, around)
        except asyncio.CancelledError:
            await self._settle_attempt(row)
            raise
        except DomainError as error:
            reason = error.code.value
            await self._settle_attempt(row, lambda found: setattr(found, "reason", reason))
            raise

    async def _ask(self, row: TopicSuggestion, around: TopicContext) -> GenerationState | None:
        order = _order(row, around)
        suggested, used = await suggest_titles(self.meter, self._cause(row), self.writer, order)
        async with self.sessions.begin() as session:
            suggestions = SuggestionRepository(session)
            found = await suggestions.find_locked(row.user_id, row.id)
            if found is None:
                return None
            if found.is_open:
                # read the children again: the user may have added one during the call
                now = await suggestions.topic_context(row.user_id, around.topic)
                found.titles = _new_titles(suggested.titles, now.children, row.wanted)
                found.provider, found.model = used["provider"], used["model"]
                found.state, found.reason, found.finished_at = GenerationState.succeeded, None, utcnow()
            await self._count(session, found)
            await notify_browsers(session, found.user_id, LiveKind.topic_suggestion, found.id)
            return found.state

    async def _load_context(self, session: AsyncSession, row: TopicSuggestion) -> TopicContext:
        topic = await TopicRepository(session).topic(row.user_id, row.tree_id, row.topic_id)
        return await SuggestionRepository(session).topic_context(row.user_id, topic)

    def _rows(self, session: AsyncSession) -> SuggestionRepository:
        return SuggestionRepository(session)

    def _cause(self, row: TopicSuggestion) -> Cause:
        return Cause(row.user_id, TransactionType.text, suggestion_id=row.id)


def _order(row: TopicSuggestion, around: TopicContext) -> SuggestOrder:
    return SuggestOrder(
        topic=around.topic.title,
        path=around.path,
        siblings=around.siblings,
        children=around.children,
        notes=around.topic.notes,
        wanted=row.wanted,
        language=row.language,
        subject=provider_subject_id(row.user_id),
        seed=str(row.id),
    )


def _new_titles(titles: tuple[str, ...], children: tuple[str, ...], wanted: int) -> list[str]:
    known = {title.casefold() for title in children}
    found = {title.casefold(): title for title in map(clean_title, titles) if 0 < len(title) <= MAX_TITLE}
    return [title for key, title in found.items() if key not in known][:wanted]
