from collections.abc import Sequence
from uuid import UUID

from sqlalchemy import func, or_, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from core.domain.errors import NotFound
from core.domain.templates import TryoutState
from core.models import TemplateRun, TemplateVersion, Transaction


class TryoutRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(
        self, user_id: UUID, template_id: UUID, *, search: str, offset: int, limit: int
    ) -> tuple[list[TemplateRun], int]:
        """Newest first; `search` is in the output or in the value of an input."""
        query = select(TemplateRun).where(TemplateRun.user_id == user_id, TemplateRun.template_id == template_id)
        if search:
            values = func.jsonb_each_text(TemplateRun.inputs).table_valued("key", "value")
            given = select(values.c.value).where(values.c.value.icontains(search, autoescape=True))
            query = query.where(or_(TemplateRun.output.icontains(search, autoescape=True), given.exists()))
        total = await self.session.scalar(select(func.count()).select_from(query.subquery()))
        rows = await self.session.scalars(
            query.order_by(TemplateRun.created_at.desc(), TemplateRun.id.desc()).offset(offset).limit(limit)
        )
        return list(rows), total or 0

    async def get(self, user_id: UUID, template_id: UUID, run_id: UUID) -> TemplateRun:
        run = await self.session.scalar(
            select(TemplateRun).where(
                TemplateRun.id == run_id, TemplateRun.user_id == user_id, TemplateRun.template_id == template_id
            )
        )
        if run is None:
            raise NotFound(what="template_run", id=str(run_id))
        return run

    async def locked(self, user_id: UUID, run_id: UUID) -> TemplateRun | None:
        """None where it went with its template."""
        found: TemplateRun | None = await self.session.scalar(
            select(TemplateRun)
            .where(TemplateRun.id == run_id, TemplateRun.user_id == user_id)
            .with_for_update()
            .execution_options(populate_existing=True)
        )
        return found

    async def show(self, user_id: UUID, run_id: UUID, attempt: int, output: str) -> bool:
        """The text as far as it has come. False: the attempt has lost the run; it was cancelled, is over or gone."""
        shown = await self.session.scalar(
            update(TemplateRun)
            .where(
                TemplateRun.id == run_id,
                TemplateRun.user_id == user_id,
                TemplateRun.state == TryoutState.running,
                TemplateRun.attempt == attempt,
            )
            .values(output=output)
            .returning(TemplateRun.id)
        )
        return shown is not None

    async def versions_of(self, user_id: UUID, template_id: UUID, body: str) -> Sequence[TemplateVersion]:
        """The saved versions with that body, newest first."""
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

    async def booked(self, user_id: UUID, run_id: UUID) -> Sequence[Transaction]:
        """Its calls of a model, in their order."""
        rows = await self.session.scalars(
            select(Transaction)
            .where(Transaction.user_id == user_id, Transaction.template_run_id == run_id)
            .order_by(Transaction.created_at, Transaction.id)
        )
        return rows.all()
