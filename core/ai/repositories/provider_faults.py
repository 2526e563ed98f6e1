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
        """Return the faults of the subjects."""
        rows = await self.session.scalars(
            select(ProviderFault).where(ProviderFault.subject.in_(subjects)).order_by(ProviderFault.subject)
        )
        return rows.all()

    async def since(self, reason: str) -> datetime | None:
        """Return when the oldest fault with this reason began, or None."""
        found: datetime | None = await self.session.scalar(
            select(func.min(ProviderFault.since)).where(ProviderFault.reason == reason)
        )
        return found

    async def claim_checks(self, subjects: Sequence[str], now: datetime, until: datetime) -> Sequence[str]:
        """Claim the checks that are due and return their subjects; no other run may check them before `until`."""
        rows = await self.session.scalars(
            update(ProviderFault)
            .where(ProviderFault.subject.in_(subjects), ProviderFault.try_after <= now)
            .values(try_after=until)
            .returning(ProviderFault.subject)
        )
        return rows.all()

    async def note(self, subject: str, reason: str, detail: str, now: datetime, until: datetime) -> None:
        """Save a fault, or update the existing one."""
        values = {"reason": reason, "detail": detail, "try_after": until}
        await self.session.execute(
            insert(ProviderFault)
            .values(subject=subject, since=now, **values)
            .on_conflict_do_update(index_elements=[ProviderFault.subject], set_=values)
        )

    async def release_check(self, subjects: Sequence[str], now: datetime) -> None:
        """Allow the next check at once, after a check without a result."""
        await self.session.execute(
            update(ProviderFault).where(ProviderFault.subject.in_(subjects)).values(try_after=now)
        )

    async def clear(self, subjects: Sequence[str]) -> bool:
        """Delete the faults. Return whether there were any."""
        rows = await self.session.scalars(
            delete(ProviderFault).where(ProviderFault.subject.in_(subjects)).returning(ProviderFault.subject)
        )
        return bool(rows.all())
