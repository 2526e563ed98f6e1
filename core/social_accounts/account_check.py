"""'Check this account': ask its network, point by point, whether its next post could be published."""

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID
from zoneinfo import ZoneInfo

from core.clock import utcnow
from core.database import Sessions, notify_browsers
from core.errors import ErrorCode, Misconfigured, NeedsReconnect, ProviderError, RateLimited, Refused
from core.live import LiveKind
from core.networks.base import BaseChannel, EstimatedDelay, supports
from core.networks.connections import Credentials, Standing
from core.networks.registry import channel
from core.networks.rules.channels import CheckPoint, CheckResult
from core.outgoing import http
from core.social_accounts.connecting import ConnectingService
from core.social_accounts.reconnecting import handle_access_refused
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.users.repositories.users import UserRepository

_CALL_TIMEOUT: Final = timedelta(seconds=20)
_OWN_TIMEOUT: Final = timedelta(seconds=5)
_CLOCK_TOLERANCE: Final = timedelta(minutes=5)
"""Tolerated difference of a site's clock, which readers hardly notice."""


@dataclass(frozen=True)
class CheckedPoint:
    point: CheckPoint
    result: CheckResult
    error: ErrorCode | None = None
    """What is wrong, or why it cannot be told; for a fine point, additional information."""
    params: dict[str, str | int | float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class AccountCheckService:
    sessions: Sessions
    connecting: ConnectingService
    public_url: str
    bucket_url: str | None
    """Where networks fetch images, if not from this server."""

    async def check(self, user_id: UUID, account_id: UUID) -> list[CheckedPoint]:
        """Return the results in the order of `CheckPoint`. A refused token is handled as such. Raises NotFound, Refused
        (account_disconnected)."""
        async with self.sessions() as session:
            account = await AccountRepository(session).get(user_id, account_id)
            own_zone = (await UserRepository(session).get(user_id)).time_zone
        if account.disconnected_at is not None or account.grant is None:
            raise Refused(ErrorCode.account_disconnected)
        network = channel(account.kind)
        try:
            to, grant = self.connecting.credentials(account), self.connecting.grants.decrypt(account.grant)
        except ValueError:  # the secret key was lost
            return [CheckedPoint(CheckPoint.access, CheckResult.broken, ErrorCode.delivery_needs_reconnect)]
        access, standing, quota, media, clock, _ = await asyncio.gather(
            self._check_access(network, account, to),
            _check_permissions(lambda: network.standing(grant, to)),
            _check_quota(network, to) if supports(network, BaseChannel.quota) else _no_points(),
            self._check_media() if network.traits.stages_by_url else _no_points(),
            _check_clock(network, to, own_zone),
            self._update_limits(network, account, to),
        )
        return [access, *standing, *quota, *media, *clock]

    async def _check_access(self, network: BaseChannel, account: Account, to: Credentials) -> CheckedPoint:
        try:
            async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
                await network.probe(to)
        except NeedsReconnect as error:
            async with self.sessions.begin() as session:
                current = await AccountRepository(session).get(account.user_id, account.id)
                renewed = await handle_access_refused(session, current, error, by=account.token_id)
            # another token was stored, or is being requested
            result = CheckResult.unsure if renewed else CheckResult.broken
            return CheckedPoint(CheckPoint.access, result, ErrorCode.access_renewing if renewed else error.code)
        except Misconfigured as error:
            return CheckedPoint(CheckPoint.access, CheckResult.broken, error.code)
        except (ProviderError, TimeoutError) as error:
            return _unknown_point(CheckPoint.access, error)
        return CheckedPoint(CheckPoint.access, CheckResult.fine)

    async def _update_limits(self, network: BaseChannel, account: Account, to: Credentials) -> list[CheckedPoint]:
        """Store the limits of the account's server. If they cannot be read, keep the stored ones."""
        try:
            async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
                limits = await network.own_limits(to)
        except (ProviderError, TimeoutError):
            return []
        if limits is None:
            return []
        async with self.sessions.begin() as session:
            current = await AccountRepository(session).get(account.user_id, account.id)
            if current.server_limits != limits:
                current.server_limits = limits
                await notify_browsers(session, account.user_id, LiveKind.account, account.id)
        return []

    async def _check_media(self) -> list[CheckedPoint]:
        """Call our own public address. A bucket's server only needs to answer."""
        address = self.bucket_url or self.public_url
        host = urlsplit(address).hostname or ""
        try:
            async with http.client(base_url=address, timeout=_OWN_TIMEOUT) as own:
                answer = await http.send(own, "GET", "/healthz", publishing=False, within=_OWN_TIMEOUT)
            is_reachable = answer.status_code == 200 or (self.bucket_url is not None and answer.status_code < 500)
        except ProviderError:
            is_reachable = False
        if not is_reachable:
            return [CheckedPoint(CheckPoint.media, CheckResult.broken, ErrorCode.media_unreachable)]
        if not await _is_public(host):
            return [CheckedPoint(CheckPoint.media, CheckResult.unsure, ErrorCode.media_local, {"address": address})]
        return [CheckedPoint(CheckPoint.media, CheckResult.fine)]


async def _no_points() -> list[CheckedPoint]:
    return []


def _unknown_point(point: CheckPoint, error: ProviderError | TimeoutError) -> CheckedPoint:
    """Return a point that cannot be told now, with the time from when it can, if known."""
    if not isinstance(error, ProviderError):
        return CheckedPoint(point, CheckResult.unsure, ErrorCode.provider_unavailable)
    until = _until_param(error.retry_after) if isinstance(error, RateLimited) else {}
    return CheckedPoint(point, CheckResult.unsure, error.code, until)


def _until_param(wait: timedelta | None) -> dict[str, str | int | float | None]:
    """Return from when the network accepts calls again, rounded up to a minute, if it said so."""
    if wait is None or isinstance(wait, EstimatedDelay):
        return {}
    over = utcnow() + wait + timedelta(minutes=1) - timedelta.resolution
    return {"until": over.replace(second=0, microsecond=0).isoformat()}


async def _check_permissions(ask: Callable[[], Awaitable[Standing | None]]) -> list[CheckedPoint]:
    try:
        async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
            standing = await ask()
    except (ProviderError, TimeoutError) as error:
        return [_unknown_point(CheckPoint.permissions, error)]
    if standing is None:
        return []
    points = [
        CheckedPoint(
            CheckPoint.permissions, CheckResult.broken, ErrorCode.connect_scope_missing, {"scopes": ", ".join(missing)}
        )
        if (missing := standing.missing)
        else CheckedPoint(CheckPoint.permissions, CheckResult.unsure, ErrorCode.account_write_only)
        if standing.may_read is False
        else CheckedPoint(CheckPoint.permissions, CheckResult.fine)
    ]
    if standing.may_post is not None:
        result = CheckResult.fine if standing.may_post else CheckResult.broken
        code = None if standing.may_post else ErrorCode.connect_role_too_low
        points.append(CheckedPoint(CheckPoint.role, result, code))
    return points


async def _check_quota(network: BaseChannel, to: Credentials) -> list[CheckedPoint]:
    try:
        async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
            wait = await network.quota(to)
    except (ProviderError, TimeoutError) as error:
        return [_unknown_point(CheckPoint.quota, error)]
    if wait is None:
        return [CheckedPoint(CheckPoint.quota, CheckResult.fine)]
    return [CheckedPoint(CheckPoint.quota, CheckResult.broken, ErrorCode.quota_used, _until_param(wait))]


async def _check_clock(network: BaseChannel, to: Credentials, own_zone: str) -> list[CheckedPoint]:
    """Compare the site's clock and time zone. Another zone than the user's is not an error, but readers see other times
    than are planned here."""
    try:
        async with asyncio.timeout(_CALL_TIMEOUT.total_seconds()):
            clock = await network.clock(to)
    except (ProviderError, TimeoutError) as error:
        return [_unknown_point(CheckPoint.clock, error)]
    if clock is None:
        return []
    if clock.off is not None and abs(clock.off) >= _CLOCK_TOLERANCE:
        minutes = round(abs(clock.off) / timedelta(minutes=1))
        return [CheckedPoint(CheckPoint.clock, CheckResult.broken, ErrorCode.site_clock_wrong, {"minutes": minutes})]
    if clock.ahead_of_utc not in (None, utcnow().astimezone(ZoneInfo(own_zone)).utcoffset()):
        zones: dict[str, str | int | float | None] = {"zone": clock.zone, "yours": own_zone}
        return [CheckedPoint(CheckPoint.clock, CheckResult.fine, ErrorCode.site_zone_differs, zones)]
    return [CheckedPoint(CheckPoint.clock, CheckResult.fine if clock.off is not None else CheckResult.unsure)]


async def _is_public(host: str) -> bool:
    """Return whether all addresses of the host are public."""
    try:
        addresses = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(str(row[4][0]).partition("%")[0]).is_global for row in addresses)
