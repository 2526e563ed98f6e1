from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.rules.generation import GenerationState
from core.ai.tables.transactions import Transaction
from core.errors import NotFound
from core.templates.rules.templates import TemplateType
from core.templates.tables import TemplateVersion, Tryout


class TryoutRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self, user_id: UUID, template_id: UUID, *, search: str, offset: int, limit: int
    ) -> tuple[list[Tryout], int]:
        """Newest first; `search` matches the output or the value of an input."""
        query = select(Tryout).where(
            Tryout.user_id == user_id, Tryout.template_id == template_id, Tryout.sample.is_(None)
        )
        if search:
            values = func.jsonb_each_text(Tryout.inputs).table_valued("key", "value")
            matching_inputs = select(values.c.value).where(values.c.value.icontains(search, autoescape=True))
            query = query.where(or_(Tryout.output.icontains(search, autoescape=True), matching_inputs.exists()))
        total = await self.session.scalar(select(func.count()).select_from(query.subquery()))
        rows = await self.session.scalars(
            query.order_by(Tryout.created_at.desc(), Tryout.id.desc()).offset(offset).limit(limit)
        )
        return list(rows), total or 0

    async def get(self, user_id: UUID, template_id: UUID, tryout_id: UUID) -> Tryout:
        tryout = await self.session.scalar(
            select(Tryout).where(
                Tryout.id == tryout_id,
                Tryout.user_id == user_id,
                Tryout.template_id == template_id,
                Tryout.sample.is_(None),
            )
        )
        if tryout is None:
            raise NotFound(what="tryout", id=str(tryout_id))
        return tryout

    async def sample(self, user_id: UUID, tryout_id: UUID) -> Tryout:
        """Return a dry run. Raise NotFound."""
        tryout = await self.session.scalar(
            select(Tryout).where(
                Tryout.id == tryout_id,
                Tryout.user_id == user_id,
                Tryout.sample.is_not(None),
                Tryout.post_id.is_(None),
            )
        )
        if tryout is None:
            raise NotFound(what="tryout", id=str(tryout_id))
        return tryout

    async def for_post(self, user_id: UUID, post_id: UUID, tryout_id: UUID) -> Tryout:
        """Return a try-out made for a post that a user composes. Raise NotFound."""
        tryout = await self.session.scalar(
            select(Tryout).where(Tryout.id == tryout_id, Tryout.user_id == user_id, Tryout.post_id == post_id)
        )
        if tryout is None:
            raise NotFound(what="tryout", id=str(tryout_id))
        return tryout

    async def first_text_of_post(self, user_id: UUID, post_id: UUID) -> Tryout | None:
        """Return the first whole text ordered for a post, not a passage, a part or an image."""
        return await self.session.scalar(
            select(Tryout)
            .where(
                Tryout.user_id == user_id,
                Tryout.post_id == post_id,
                Tryout.type == TemplateType.text,
                Tryout.passage.is_(None),
                Tryout.part.is_(None),
            )
            .order_by(Tryout.created_at, Tryout.id)
            .limit(1)
        )

    async def find_locked(self, user_id: UUID, tryout_id: UUID) -> Tryout | None:
        """Return the locked try-out, or None if it was deleted with its template."""
        return await self.session.scalar(
            select(Tryout)
            .where(Tryout.id == tryout_id, Tryout.user_id == user_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )

    async def show_progress(self, user_id: UUID, tryout_id: UUID, attempt: int, output: str) -> bool:
        """Save the text written so far. Return False if the try-out is over, deleted or claimed by another attempt."""
        shown = await self.session.scalar(
            update(Tryout)
            .where(
                Tryout.id == tryout_id,
                Tryout.user_id == user_id,
                Tryout.state == GenerationState.running,
                Tryout.attempt == attempt,
            )
            .values(output=output)
            .returning(Tryout.id)
        )
        return shown is not None

    async def versions_of(self, user_id: UUID, template_id: UUID, body: str) -> Sequence[TemplateVersion]:
        """Return the saved versions with this body, newest first."""
        rows = await self.session.scalars(
            select(TemplateVersion)
            .where(
                TemplateVersion.user_id == user_id,
                TemplateVersion.template_id == template_id,
                TemplateVersion.body == body,
            )
            .order_by(TemplateVersion.number.desc())
        )
        return rows.all()

    async def list_calls(self, user_id: UUID, tryout_id: UUID) -> Sequence[Transaction]:
        """Return the try-out's model calls in order."""
        rows = await self.session.scalars(
            select(Transaction)
            .where(Transaction.user_id == user_id, Transaction.tryout_id == tryout_id)
            .order_by(Transaction.created_at, Transaction.id)
        )
        return rows.all()
