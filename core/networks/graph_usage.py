"""How much of the calls that Meta allows a token is used, by what its answers report."""

import json
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import httpx2

from core.clock import utcnow
from core.errors import RateLimited
from core.networks.base import EstimatedDelay, UsageStore, Used
from core.outgoing import http

THROTTLED = EstimatedDelay(minutes=10)
"""How long to wait first if the answer does not say: many limits count the calls of the last hour, and some of those
expire in this time."""

FULL = 100
"""Percent of a limit used at which all calls stop."""
ALMOST_FULL = 95
"""Percent at which nothing new is started."""
MUCH = 80
"""Percent at which calls slow down."""

_LATELY = EstimatedDelay(minutes=5)
"""How long a reported high usage stays valid."""
_SAME_END = timedelta(minutes=1)
"""Changes of the end smaller than this are not stored."""
_MOST_PERCENT = 999


class _Known(NamedTuple):
    percent: float
    until: datetime
    is_guess: bool

    @classmethod
    def of(cls, used: Used) -> "_Known":
        return cls(used.percent, utcnow() + used.lasts, isinstance(used.lasts, EstimatedDelay))


class GraphUsage:
    """How much of each token's allowed calls is used, as this process or another one was told last."""

    def __init__(self) -> None:
        self.store: UsageStore | None = None
        # last read or reported, by token
        self._usage: dict[str, _Known] = {}

    async def load(self, token: str) -> None:
        """Load the usage that any process stored last. An answer that arrives during the read is newer and wins."""
        if self.store is None:
            return
        before = self._usage.get(token)
        used = await self.store.read(token)
        if self._usage.get(token) is not before:
            return
        self._usage.pop(token, None)
        if used is not None:
            self._usage[token] = _Known.of(used)

    def left(self, token: str, percent: float) -> timedelta | None:
        """Return how long this percentage of the token's calls counts as used, or None if less is used."""
        usage = self._usage.get(token)
        if usage is None or usage.percent < percent or (left := usage.until - utcnow()) <= timedelta(0):
            return None
        return EstimatedDelay.of(left) if usage.is_guess else left

    def require_below(self, token: str, percent: float) -> None:
        if wait := self.left(token, percent):
            raise RateLimited(detail=f"{percent} % of the allowed calls are used", retry_after=wait)

    async def record(self, token: str, response: httpx2.Response) -> None:
        """Note what an answer reports of its token's limits. Store it only if it changes a decision: most answers do
        not."""
        percent, regained = usage_of(response)
        if percent is None:
            return
        now = utcnow()
        self._usage = {key: usage for key, usage in self._usage.items() if usage.until > now}
        duration = (regained or THROTTLED) if percent >= FULL else _LATELY
        usage = self._usage.get(token)
        level, until = (_level(usage.percent), usage.until) if usage else (_level(0), now + duration)
        if _level(percent) == level and abs(now + duration - until) < _SAME_END:
            return
        used: Used | None = None
        self._usage.pop(token, None)
        if _level(percent):
            used = Used(int(min(percent, _MOST_PERCENT)), duration)
            self._usage[token] = _Known.of(used)
        if self.store is not None:
            await self.store.keep(token, used)


def usage_of(response: httpx2.Response) -> tuple[float | None, timedelta | None]:
    """Return (used percent of a limit, time until calls are accepted again), as far as reported. Headers appear only
    after some calls; if both kinds are present, the business limits apply.

    Source: https://developers.facebook.com/docs/graph-api/overview/rate-limiting/
    """
    listed = [item for item in _json_header(response, "x-business-use-case-usage").values() if isinstance(item, list)]
    rows = [row for item in listed for row in item if isinstance(row, dict)]
    rows = rows or [_json_header(response, name) for name in ("x-app-usage", "x-page-usage")]
    percents = [row.get(name) for row in rows for name in ("call_count", "total_time", "total_cputime")]
    minutes = [row.get("estimated_time_to_regain_access") for row in rows]
    used = max((percent for percent in percents if isinstance(percent, int | float)), default=None)
    regained = max((number for number in minutes if isinstance(number, int) and number > 0), default=None)
    if regained is None:
        return used, None
    most = http.LONGEST_RETRY_AFTER // timedelta(minutes=1)
    return max(used or 0, FULL), timedelta(minutes=min(regained, most))


def _level(percent: float) -> int:
    """Return the threshold reached; 0: none."""
    return next((bound for bound in (FULL, ALMOST_FULL, MUCH) if percent >= bound), 0)


def _json_header(response: httpx2.Response, header: str) -> dict[str, Any]:
    """Return the JSON object in a header; empty for anything else."""
    try:
        value = json.loads(response.headers.get(header, ""))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}
