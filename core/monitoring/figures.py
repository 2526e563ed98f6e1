"""Figures about the database, read when they are asked for."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from core.assistants.rules.assistants import AssistantPhase, RunState
from core.clock import utcnow
from core.database import Sessions
from core.deliveries.repositories.deliveries import DeliveryRepository
from core.monitoring.repository import FiguresRepository
from core.networks.registry import processing_kinds
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState

EXPIRES_SOON: Final = timedelta(days=7)


@dataclass(frozen=True)
class Figures:
    held: Mapping[ChannelKind, int]
    unknown: Mapping[ChannelKind, int]
    assistants: Mapping[AssistantPhase, int]
    open_runs: Mapping[RunState, int]
    expiring_grants: Mapping[ChannelKind, int]
    oldest_due: timedelta
    """As `DeliveryRepository.oldest_due`; 0 if none is."""


@dataclass(frozen=True)
class FiguresService:
    sessions: Sessions

    async def read(self) -> Figures:
        """Raises SQLAlchemyError or OSError while the database is away."""
        now = utcnow()
        async with self.sessions() as session:
            figures = FiguresRepository(session)
            oldest = await DeliveryRepository(session).oldest_due(now, processing_kinds())
            return Figures(
                held=dict(await figures.count_deliveries(DeliveryState.held)),
                unknown=dict(await figures.count_deliveries(DeliveryState.unknown)),
                assistants=dict(await figures.count_assistants()),
                open_runs=dict(await figures.count_open_runs()),
                expiring_grants=dict(await figures.count_expiring_grants(now, now + EXPIRES_SOON)),
                oldest_due=now - oldest if oldest else timedelta(0),
            )
