from collections.abc import Sequence
from datetime import datetime
from ipaddress import IPv4Network, IPv6Network
from typing import Any
from uuid import UUID

from sqlalchemy import delete, exists, func, insert, literal, select, text
from sqlalchemy.dialects.postgresql import INET, JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from core.users.tables.security_events import SecurityEvent, SecurityEventKind
from core.users.tables.users import User

_PROVING = (SecurityEventKind.signed_up, SecurityEventKind.signed_in, SecurityEventKind.password_reset)


class SecurityEventRepository:
    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def page(self, user_id: UUID, *, offset: int, limit: int) -> tuple[Sequence[SecurityEvent], int]:
        """Return events, newest first, and their total."""
        own = select(SecurityEvent).where(SecurityEvent.user_id == user_id)
        total = await self.session.scalar(select(func.count()).select_from(own.subquery()))
        events = await self.session.scalars(
            own.order_by(SecurityEvent.at.desc(), SecurityEvent.id.desc()).offset(offset).limit(limit)
        )
        return events.all(), total or 0

    async def add_if_exists(self, user_id: UUID, values: dict[str, Any], *, unless_since: datetime | None) -> None:
        """Add an event for a user who may not exist: the work is the same, so that the time reveals nothing.

        `unless_since`: skip it if the same event happened after that time.
        """
        # do not wait for the disk: a crash may lose a refusal
        await self.session.execute(text("SET LOCAL synchronous_commit TO off"))
        columns = SecurityEvent.__table__.c
        row = select(User.id, *(literal(value, columns[name].type) for name, value in values.items())).where(
            User.id == user_id
        )
        if unless_since is not None:
            row = row.where(
                ~exists().where(
                    SecurityEvent.user_id == user_id,
                    SecurityEvent.kind == values["kind"],
                    SecurityEvent.facts == literal(values["facts"], JSONB),
                    SecurityEvent.at > unless_since,
                )
            )
        await self.session.execute(insert(SecurityEvent).from_select(["user_id", *values], row))

    async def has_proved(self, email: str, network: IPv4Network | IPv6Network) -> bool:
        """Return whether the owner of this e-mail has signed in from this network before."""
        event_id = await self.session.scalar(
            select(
                exists().where(
                    SecurityEvent.user_id == User.id,
                    func.lower(User.email) == func.lower(email),
                    SecurityEvent.kind.in_(_PROVING),
                    SecurityEvent.address.op("<<=", is_comparison=True)(literal(network, INET)),
                )
            )
        )
        return bool(event_id)

    async def sweep(self, before: datetime, *, most: int) -> int:
        """Delete up to `most` rows older than `before`. Return how many; the rest waits for the next call."""
        old = select(SecurityEvent.id).where(SecurityEvent.at < before).limit(most).with_for_update(skip_locked=True)
        deleted_ids = await self.session.scalars(
            delete(SecurityEvent).where(SecurityEvent.id.in_(old)).returning(SecurityEvent.id)
        )
        return len(deleted_ids.all())
