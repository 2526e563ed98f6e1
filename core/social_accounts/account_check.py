"""'Check this account': whether its next post would go out, asked of its network now, each point for itself."""

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
from core.networks.base import BaseChannel, Credentials, Guessed, Standing, supports
from core.networks.registry import channel
from core.networks.rules.channels import CheckPoint, CheckResult
from core.outgoing import http
from core.social_accounts.connecting import ConnectingService, access_refused
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account
from core.users.repositories.users import UserRepository

_CALL: Final = timedelta(seconds=20)
_OWN: Final = timedelta(seconds=5)
_OFF: Final = timedelta(minutes=5)
"""So far a site's clock may be from ours: readers hardly see that."""


@dataclass(frozen=True)
class Checked:
    point: CheckPoint
    result: CheckResult
    error: ErrorCode | None = None
    """What is wrong, or why nobody can tell; of what is fine, what else there is to know."""
    params: dict[str, str | int | float | None] = field(default_factory=dict)


@dataclass(frozen=True)
class CheckingService:
    sessions: Sessions
    connecting: ConnectingService
    public_url: str
    bucket_url: str | None
    """Where networks fetch pictures, if not from us."""

    async def check(self, user_id: UUID, account_id: UUID) -> list[Checked]:
        """What its network has to say, in the order of `CheckPoint`. An access that is refused is marked as that.
        Raises NotFound, Refused (account_disconnected)."""
        async with self.sessions() as session:
            account = await AccountRepository(session).get(user_id, account_id)
            own_zone = (await UserRepository(session).get(user_id)).time_zone
        if account.disconnected_at is not None or account.grant is None:
            raise Refused(ErrorCode.account_disconnected)
        network = channel(account.kind)
        try:
            to, grant = self.connecting.credentials(account), self.connecting.grants.opened(account.grant)
        except ValueError:  # the secret key was lost
            return [Checked(CheckPoint.access, CheckResult.broken, ErrorCode.delivery_needs_reconnect)]
        access, standing, quota, media, clock, _ = await asyncio.gather(
            self._access(network, account, to),
            _standing(lambda: network.standing(grant, to)),
            _quota(network, to) if supports(network, BaseChannel.quota) else _nothing(),
            self._media() if network.traits.stages_by_url else _nothing(),
            _clock(network, to, own_zone),
            self._learn(network, account, to),
        )
        return [access, *standing, *quota, *media, *clock]

    async def _access(self, network: BaseChannel, account: Account, to: Credentials) -> Checked:
        try:
            async with asyncio.timeout(_CALL.total_seconds()):
                await network.probe(to)
        except NeedsReconnect as error:
            async with self.sessions.begin() as session:
                current = await AccountRepository(session).get(account.user_id, account.id)
                renewed = await access_refused(session, current, error, by=account.token_id)
            # another token has come, or is being had
            result = CheckResult.unsure if renewed else CheckResult.broken
            return Checked(CheckPoint.access, result, ErrorCode.access_renewing if renewed else error.code)
        except Misconfigured as error:
            return Checked(CheckPoint.access, CheckResult.broken, error.code)
        except (ProviderError, TimeoutError) as error:
            return _unsure(CheckPoint.access, error)
        return Checked(CheckPoint.access, CheckResult.fine)

    async def _learn(self, network: BaseChannel, account: Account, to: Credentials) -> list[Checked]:
        """What its server takes, for its next posts. Where that cannot be asked, it stays as it was."""
        try:
            async with asyncio.timeout(_CALL.total_seconds()):
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

    async def _media(self) -> list[Checked]:
        """By a call of ourselves, at the address that networks are told. A bucket's server need only answer."""
        address = self.bucket_url or self.public_url
        host = urlsplit(address).hostname or ""
        try:
            async with http.client(base_url=address, timeout=_OWN) as own:
                answer = await http.send(own, "GET", "/healthz", publishing=False, within=_OWN)
            there = answer.status_code == 200 or (self.bucket_url is not None and answer.status_code < 500)
        except ProviderError:
            there = False
        if not there:
            return [Checked(CheckPoint.media, CheckResult.broken, ErrorCode.media_unreachable)]
        if not await _is_public(host):
            return [Checked(CheckPoint.media, CheckResult.unsure, ErrorCode.media_local, {"address": address})]
        return [Checked(CheckPoint.media, CheckResult.fine)]


async def _nothing() -> list[Checked]:
    return []


def _unsure(point: CheckPoint, error: ProviderError | TimeoutError) -> Checked:
    """Nobody can tell, and what is known of when somebody can."""
    if not isinstance(error, ProviderError):
        return Checked(point, CheckResult.unsure, ErrorCode.provider_unavailable)
    until = _until(error.retry_after) if isinstance(error, RateLimited) else {}
    return Checked(point, CheckResult.unsure, error.code, until)


def _until(wait: timedelta | None) -> dict[str, str | int | float | None]:
    """When a network takes calls again, as far as it said that: in whole minutes, none too early."""
    if wait is None or isinstance(wait, Guessed):
        return {}
    over = utcnow() + wait + timedelta(minutes=1) - timedelta.resolution
    return {"until": over.replace(second=0, microsecond=0).isoformat()}


async def _standing(ask: Callable[[], Awaitable[Standing | None]]) -> list[Checked]:
    try:
        async with asyncio.timeout(_CALL.total_seconds()):
            found = await ask()
    except (ProviderError, TimeoutError) as error:
        return [_unsure(CheckPoint.permissions, error)]
    if found is None:
        return []
    points = [
        Checked(
            CheckPoint.permissions, CheckResult.broken, ErrorCode.connect_scope_missing, {"scopes": ", ".join(missing)}
        )
        if (missing := found.missing)
        else Checked(CheckPoint.permissions, CheckResult.unsure, ErrorCode.account_write_only)
        if found.may_read is False
        else Checked(CheckPoint.permissions, CheckResult.fine)
    ]
    if found.may_post is not None:
        result = CheckResult.fine if found.may_post else CheckResult.broken
        points.append(Checked(CheckPoint.role, result, None if found.may_post else ErrorCode.connect_role_too_low))
    return points


async def _quota(network: BaseChannel, to: Credentials) -> list[Checked]:
    try:
        async with asyncio.timeout(_CALL.total_seconds()):
            wait = await network.quota(to)
    except (ProviderError, TimeoutError) as error:
        return [_unsure(CheckPoint.quota, error)]
    if wait is None:
        return [Checked(CheckPoint.quota, CheckResult.fine)]
    return [Checked(CheckPoint.quota, CheckResult.broken, ErrorCode.quota_used, _until(wait))]


async def _clock(network: BaseChannel, to: Credentials, own_zone: str) -> list[Checked]:
    """Of a zone that is another than its user's nothing is wrong: readers see other times than are planned here."""
    try:
        async with asyncio.timeout(_CALL.total_seconds()):
            found = await network.clock(to)
    except (ProviderError, TimeoutError) as error:
        return [_unsure(CheckPoint.clock, error)]
    if found is None:
        return []
    if found.off is not None and abs(found.off) >= _OFF:
        minutes = round(abs(found.off) / timedelta(minutes=1))
        return [Checked(CheckPoint.clock, CheckResult.broken, ErrorCode.site_clock_wrong, {"minutes": minutes})]
    if found.ahead_of_utc not in (None, utcnow().astimezone(ZoneInfo(own_zone)).utcoffset()):
        zones: dict[str, str | int | float | None] = {"zone": found.zone, "yours": own_zone}
        return [Checked(CheckPoint.clock, CheckResult.fine, ErrorCode.site_zone_differs, zones)]
    return [Checked(CheckPoint.clock, CheckResult.fine if found.off is not None else CheckResult.unsure)]


async def _is_public(host: str) -> bool:
    """Whether all that the name leads to is outside of private networks."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ipaddress.ip_address(str(row[4][0]).partition("%")[0]).is_global for row in found)
