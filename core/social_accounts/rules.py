"""When access that a network has granted is renewed, and when its user hears that it ends. Pure: `now` is given."""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

WARNED: Final = (timedelta(days=14), timedelta(days=7), timedelta(days=1))
"""So long before its end its user is told, once each."""
IN_VAIN: Final = timedelta(days=1)
"""What could not be renewed for so long its user hears of, too."""

_LONGEST_LEAD, _SHORTEST_LEAD = timedelta(days=10), timedelta(minutes=5)
_LEAST_LIFE = timedelta(minutes=1)
# both ends are counted from the moment of the answer, and in seconds
_SAME_END = timedelta(minutes=1)


class GrantStep(StrEnum):
    """What its workflow does next."""

    wait = "wait"
    renew = "renew"
    over = "over"


class GrantState(StrEnum):
    """How it is with a grant, for operators."""

    connected = "connected"
    expires_soon = "expires_soon"
    needs_reconnecting = "needs_reconnecting"


@dataclass(frozen=True)
class Lifetime:
    """Of the tokens of one grant. `renewable`: there is what it takes for new ones, and the network gives them."""

    grant_id: UUID
    since: datetime
    expires_at: datetime | None
    renewable: bool
    renewable_until: datetime | None = None
    """When that ends; None: it does not, as far as the network says."""

    def can_be_renewed(self, now: datetime) -> bool:
        return self.renewable and (self.renewable_until is None or now < self.renewable_until)

    def renewal_due(self) -> datetime | None:
        """A sixth of its life before its end, ten days at most; spread, so that what was granted at once does not ask
        at once. None: nothing would be won by it."""
        if self.expires_at is None or not self.renewable:
            return None
        if self.renewable_until is not None and self.renewable_until <= self.expires_at + _SAME_END:
            return None
        life = max(self.expires_at - self.since, timedelta(0))
        lead = min(max(life / 6, _SHORTEST_LEAD), _LONGEST_LEAD, life / 2)
        spread = zlib.crc32(self.grant_id.bytes) % 1000 / 4000
        return max(self.expires_at - lead * (1 + spread), self.since + _LEAST_LIFE)

    def warning(self, now: datetime) -> timedelta | None:
        """The last of `WARNED` that has come; None: its user has nothing to hear yet."""
        return next((ahead for ahead, at in reversed(self._warnings()) if at <= now), None)

    def looked_at(self, now: datetime) -> datetime | None:
        """When something of it changes next by time alone."""
        due = self.renewal_due()
        moments = [at for _, at in self._warnings()]
        if due is not None:
            moments.append(due)
        if self.expires_at is not None:
            moments.append(self.expires_at)
        return min((moment for moment in moments if moment > now), default=None)

    def _warnings(self) -> list[tuple[timedelta, datetime]]:
        """Longest ahead first. What lives shorter than that is not warned of so early, and what is renewed by then only
        where that is tried in vain."""
        return list(self._told()) if self.expires_at is not None else []

    def _told(self) -> Iterator[tuple[timedelta, datetime]]:
        assert self.expires_at is not None
        due = self.renewal_due()
        for ahead in WARNED:
            at = self.expires_at - ahead
            if at <= self.since:
                continue
            if due is None or at >= due + IN_VAIN:
                yield ahead, at
