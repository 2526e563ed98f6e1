from typing import Any
from uuid import UUID

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.ids import new_id
from core.models import Run, TopicSuggestion, Transaction, Tryout


class TransactionRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def add(
        self,
        user_id: UUID,
        key: str,
        values: dict[str, Any],
        *,
        run_id: UUID | None = None,
        tryout_id: UUID | None = None,
        suggestion_id: UUID | None = None,
    ) -> None:
        """One row per key, however often it is added. A cause that was deleted meanwhile is left out."""
        await self.session.execute(
            insert(Transaction)
            .values(
                id=new_id(),
                user_id=user_id,
                run_id=select(Run.id).where(Run.id == run_id, Run.user_id == user_id).scalar_subquery(),
                tryout_id=select(Tryout.id).where(Tryout.id == tryout_id, Tryout.user_id == user_id).scalar_subquery(),
                suggestion_id=select(TopicSuggestion.id)
                .where(TopicSuggestion.id == suggestion_id, TopicSuggestion.user_id == user_id)
                .scalar_subquery(),
                key=key,
                **values,
            )
            .on_conflict_do_nothing(index_elements=[Transaction.key])
        )
