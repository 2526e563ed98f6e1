"""What the workflow of a grant asks and does: how it is with the tokens, and new ones."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.social_accounts.renewal import RenewingService


@dataclass(frozen=True)
class GrantRef:
    user_id: UUID
    grant_id: UUID


@dataclass(frozen=True)
class GrantSeen:
    """`step` and `state`: of `GrantStep` and `GrantState`. `again_at`: when to look again; None: when told."""

    step: str
    state: str
    again_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True)
class Renewed:
    """`done`: there are new tokens. Else they are not wanted any more, or a person has to consent again."""

    done: bool


@dataclass(frozen=True)
class Granting:
    service: "RenewingService"

    @activity.defn
    async def look_at_grant(self, ref: GrantRef) -> GrantSeen:
        """What is to be done now; its user is told what only they can do."""
        seen = await self.service.look(ref.user_id, ref.grant_id)
        return GrantSeen(seen.step.value, seen.state.value, seen.again_at, seen.expires_at)

    @activity.defn
    async def renew_grant(self, ref: GrantRef) -> Renewed:
        """New tokens, by one call of the network."""
        async with heartbeating():
            return Renewed(await self.service.renew(ref.user_id, ref.grant_id))
