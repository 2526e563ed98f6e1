"""When grants are renewed, and when their user is warned of their end. Pure: `now` is a parameter."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

WARNING_LEADS: Final = (timedelta(days=14), timedelta(days=7), timedelta(days=1))
"""How long before the end its user is warned, once each."""
RENEWAL_PATIENCE: Final = timedelta(days=1)
"""The user is also warned once renewing has failed for this long."""

_LONGEST_LEAD, _SHORTEST_LEAD = timedelta(days=10), timedelta(minutes=5)
_LEAST_LIFE = timedelta(minutes=1)
# both ends are measured from the answer, in seconds
_SAME_END = timedelta(minutes=1)


class GrantStep(StrEnum):
    """What the grant's workflow does next."""

    wait = "wait"
    renew = "renew"
    over = "over"


class GrantState(StrEnum):
    """State of a grant, for operators."""

    connected = "connected"
    expires_soon = "expires_soon"
    needs_reconnecting = "needs_reconnecting"


@dataclass(frozen=True)
class TokenLifetime:
    """Lifetime of a grant's tokens. `renewable`: there is a refresh token, and the network renews."""

    grant_id: UUID
    since: datetime
    expires_at: datetime | None
    renewable: bool
    renewable_until: datetime | None = None
    """End of renewing. None: no known end."""

    def can_be_renewed(self, now: datetime) -> bool:
        return self.renewable and (self.renewable_until is None or now < self.renewable_until)

    def renewal_due(self) -> datetime | None:
        """Return when to renew: a sixth of its life before its end, at most ten days; spread, so that grants of the
        same time are not renewed at once. None: renewing is of no use."""
        if self.expires_at is None or not self.renewable:
            return None
        if self.renewable_until is not None and self.renewable_until <= self.expires_at + _SAME_END:
            return None
        life = max(self.expires_at - self.since, timedelta(0))
        lead = min(max(life / 6, _SHORTEST_LEAD), _LONGEST_LEAD, life / 2)
        spread = zlib.crc32(self.grant_id.bytes) % 1000 / 4000
        return max(self.expires_at - lead * (1 + spread), self.since + _LEAST_LIFE)

    def due_warning(self, now: datetime) -> timedelta | None:
        """Return the latest of `WARNING_LEADS` that is due, or None."""
        return next((ahead for ahead, at in reversed(self._warnings()) if at <= now), None)

    def next_change(self, now: datetime) -> datetime | None:
        """Return when something changes next by time alone."""
        due = self.renewal_due()
        moments = [at for _, at in self._warnings()]
        if due is not None:
            moments.append(due)
        if self.expires_at is not None:
            moments.append(self.expires_at)
        return min((moment for moment in moments if moment > now), default=None)

    def _warnings(self) -> list[tuple[timedelta, datetime]]:
        """Return the warnings, longest lead first. Short-lived tokens have no early warnings, and renewable ones are
        only warned of after failed renewals."""
        return list(self._warning_times()) if self.expires_at is not None else []

    def _warning_times(self) -> Iterator[tuple[timedelta, datetime]]:
        assert self.expires_at is not None
        due = self.renewal_due()
        for ahead in WARNING_LEADS:
            at = self.expires_at - ahead
            if at <= self.since:
                continue
            if due is None or at >= due + RENEWAL_PATIENCE:
                yield ahead, at
