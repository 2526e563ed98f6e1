"""Check and renew the tokens of a grant."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from temporalio import activity

from activities.heartbeating import heartbeating

if TYPE_CHECKING:
    from core.social_accounts.renewal import RenewalService


@dataclass(frozen=True)
class GrantRef:
    user_id: UUID
    grant_id: UUID


@dataclass(frozen=True)
class GrantStatus:
    """`step` is a `GrantStep`, `state` a `GrantState`. `again_at`: when to check again; None: after a message."""

    step: str
    state: str
    again_at: datetime | None = None
    expires_at: datetime | None = None


@dataclass(frozen=True)
class RenewalResult:
    """`done`: there are new tokens. Else they are not needed any more, or a person has to consent again."""

    done: bool


@dataclass(frozen=True)
class Granting:
    service: "RenewalService"

    @activity.defn
    async def look_at_grant(self, ref: GrantRef) -> GrantStatus:
        """Return what is to be done now, and notify its user of what only they can do."""
        result = await self.service.check(ref.user_id, ref.grant_id)
        return GrantStatus(result.step.value, result.state.value, result.again_at, result.expires_at)

    @activity.defn
    async def renew_grant(self, ref: GrantRef) -> RenewalResult:
        """Get new tokens, by one call to the network."""
        async with heartbeating():
            return RenewalResult(await self.service.renew(ref.user_id, ref.grant_id))
