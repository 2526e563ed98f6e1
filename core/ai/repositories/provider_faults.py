from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from core.ai.tables.provider_faults import ProviderFault


class FaultRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def list_all(self) -> Sequence[ProviderFault]:
        rows = await self.session.scalars(select(ProviderFault).order_by(ProviderFault.since, ProviderFault.subject))
        return rows.all()

    async def find(self, subjects: Sequence[str]) -> Sequence[ProviderFault]:
        """Those that stand."""
        rows = await self.session.scalars(
            select(ProviderFault).where(ProviderFault.subject.in_(subjects)).order_by(ProviderFault.subject)
        )
        return rows.all()

    async def since(self, reason: str) -> datetime | None:
        """The first of those for that reason that stand."""
        found: datetime | None = await self.session.scalar(
            select(func.min(ProviderFault.since)).where(ProviderFault.reason == reason)
        )
        return found

    async def claim_checks(self, subjects: Sequence[str], now: datetime, until: datetime) -> Sequence[str]:
        """Those that are to be looked at again, each by one alone: for everybody else it is not time before `until`."""
        rows = await self.session.scalars(
            update(ProviderFault)
            .where(ProviderFault.subject.in_(subjects), ProviderFault.try_after <= now)
            .values(try_after=until)
            .returning(ProviderFault.subject)
        )
        return rows.all()

    async def note(self, subject: str, reason: str, detail: str, now: datetime, until: datetime) -> None:
        """It stands, or still does."""
        told = {"reason": reason, "detail": detail, "try_after": until}
        await self.session.execute(
            insert(ProviderFault)
            .values(subject=subject, since=now, **told)
            .on_conflict_do_update(index_elements=[ProviderFault.subject], set_=told)
        )

    async def release_check(self, subjects: Sequence[str], now: datetime) -> None:
        """A look that proved nothing: the next may be at once."""
        await self.session.execute(
            update(ProviderFault).where(ProviderFault.subject.in_(subjects)).values(try_after=now)
        )

    async def clear(self, subjects: Sequence[str]) -> bool:
        """Mended. Whether one of them stood."""
        rows = await self.session.scalars(
            delete(ProviderFault).where(ProviderFault.subject.in_(subjects)).returning(ProviderFault.subject)
        )
        return bool(rows.all())
