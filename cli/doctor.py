"""`postloom doctor`: check every dependency and setting, one line each."""

import asyncio
import os
import shutil
import zoneinfo
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from email.utils import parseaddr
from enum import StrEnum
from importlib import import_module, metadata
from operator import attrgetter
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sqlalchemy.exc import SQLAlchemyError
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.service import RPCError

from cli.services import load_service_environment
from core.ai.openai import list_models
from core.ai.rules.prices import PriceBook
from core.clock import utcnow
from core.container import Services, open_services
from core.errors import DomainError, ProviderError
from core.installation.start_checks import StartDelayed, StartRefused
from core.networks.base import BaseChannel
from core.networks.registry import channels
from core.notifications.smtp import open_mailer
from core.settings import CODE, IS_INSTALLED, Settings, WrongSetting, read_settings, version
from core.settings_check import check_settings, warnings
from core.social_accounts.comment_access import REFUSED_FOR
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.repositories.grants import GrantRepository
from temporal.attributes import TYPES
from temporal.client import connect
from temporal.gateway import Gateway
from temporal.setup import describe_days

_PACKAGES: Final = ("api", "workflows", "activities", "temporal", "core", "cli", "sandbox")
_PATIENCE: Final = 60.0  # seconds for one check
_LEAST_SPACE: Final = 1_000_000_000  # bytes
_ENDS_SOON: Final = timedelta(days=60)
_FAILURES: Final = (
    DomainError,
    OSError,
    RPCError,
    RuntimeError,
    SQLAlchemyError,
    StartDelayed,
    StartRefused,
    WrongSetting,
)
"""What a check may fail with; TimeoutError is an OSError."""


class Mark(StrEnum):
    fine = "✓"
    warning = "!"
    unset = "–"
    """Not configured, which is no failure."""
    failed = "✗"


@dataclass(frozen=True)
class Finding:
    mark: Mark
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.mark} {self.name}: {self.text}"


Check = Callable[[], Awaitable[str]]


async def examine(print_line: Callable[[str], None] = print) -> int:
    """Print a line per check. Return the exit code: 1 if one failed."""
    failed = False
    async for finding in _find_all():
        print_line(str(finding))
        failed = failed or finding.mark is Mark.failed
    return 1 if failed else 0


async def _find_all() -> AsyncIterator[Finding]:
    yield _check_packages()
    yield _check_time_zones()
    try:
        load_service_environment()
        settings = read_settings()
        prices = check_settings(settings)
    except WrongSetting as wrong:
        yield Finding(Mark.failed, "settings", str(wrong))
        return
    for finding in _check_settings(settings, prices):
        yield finding
    if settings.database_url is None:
        nothing = f"nothing runs on {settings.data_dir} (`make run`)"
        yield Finding(Mark.failed, "database", f"DATABASE_URL is not set, and {nothing}")
    else:
        async with open_services(settings, pool_size=2, application="postloom command") as services:
            for finding in await _check_database(services):
                yield finding
            yield await _try("storage", lambda: _check_storage(services))
            yield await _check_mail(settings)
            yield await _check_model(settings)
            yield await _check_stripe(services)
            async for finding in _check_temporal(services):
                yield finding


async def _try(name: str, check: Check) -> Finding:
    """Run a check, which returns what is fine."""
    try:
        async with asyncio.timeout(_PATIENCE):
            return Finding(Mark.fine, name, await check())
    except _FAILURES as error:
        return Finding(Mark.failed, name, _describe(error))


def _describe(error: BaseException) -> str:
    if isinstance(error, StartDelayed) and error.reason:
        return f"{error}: {error.reason}"
    if isinstance(error, ProviderError) and error.detail:
        return f"{error.code}: {error.detail}"
    error = getattr(error, "orig", None) or error
    return " ".join(str(error).split()) or type(error).__name__


def _check_packages() -> Finding:
    """Other distributions may have packages of the same names, which replace or hide ours."""
    found = {name: Path(str(import_module(name).__file__)).resolve() for name in _PACKAGES}
    foreign = sorted(name for name, path in found.items() if not path.is_relative_to(CODE))
    if IS_INSTALLED and not foreign:
        files = [file for file in metadata.files("postloom") or () if file.suffix == ".py" and file.size is not None]
        foreign = sorted(str(file) for file in files if os.stat(file.locate()).st_size != file.size)[:3]
    if foreign:
        text = f"{', '.join(foreign)} are another distribution's: install Postloom in an environment of its own"
        return Finding(Mark.failed, "packages", text)
    return Finding(Mark.fine, "packages", f"Postloom {version()} in {CODE}")


def _check_time_zones() -> Finding:
    try:
        zoneinfo.ZoneInfo("Europe/Berlin")
        return Finding(Mark.fine, "time zones", f"tzdata {metadata.version('tzdata')}")
    except (zoneinfo.ZoneInfoNotFoundError, metadata.PackageNotFoundError):
        return Finding(Mark.failed, "time zones", "the package tzdata is missing or incomplete: install it again")


def _check_settings(settings: Settings, prices: PriceBook) -> Iterator[Finding]:
    said = list(warnings(settings, prices, utcnow().date()))
    yield from (Finding(Mark.warning, "settings", warning) for warning in said)
    if not said:
        text = f"ENVIRONMENT is {settings.environment}, PUBLIC_URL {settings.public_url}"
        yield Finding(Mark.fine, "settings", text)
    yield from _check_networks()
    yield from _check_versions(utcnow().date())
    yield _check_disk("disk of DATA_DIR", settings.data_dir)
    if settings.media_url.startswith("file:"):
        yield _check_disk("disk of MEDIA_URL", Path(unquote(urlsplit(settings.media_url).path)))


def _check_networks() -> Iterator[Finding]:
    ready, unset = [], []
    for network in channels():
        missing = [name for name in network.connection.settings if not os.environ.get(name)]
        if network.configured():
            ready.append(network.label)
        elif len(missing) < len(network.connection.settings):
            yield Finding(Mark.failed, "networks", f"{network.label} needs {' and '.join(missing)} as well")
        else:
            unset.append(network.label)
    yield Finding(Mark.fine if ready else Mark.unset, "networks", f"configured: {', '.join(ready) or 'none'}")
    if unset:
        yield Finding(Mark.unset, "networks", f"not configured: {', '.join(unset)}")


def _check_versions(today: date) -> Iterator[Finding]:
    """Yield a warning for each version of a network's API that ends soon."""
    found = {network.api_version() for network in channels() if network.configured()}
    for one in sorted(filter(None, found), key=attrgetter("setting")):
        if one.ends - today <= _ENDS_SOON:
            text = f"version {one.name} of the API may end from {one.ends} on: set a newer one ({one.source})"
            yield Finding(Mark.warning, one.setting, text)


def _check_disk(name: str, folder: Path) -> Finding:
    there = next(one for one in (folder, *folder.parents) if one.exists())
    free = shutil.disk_usage(there).free
    text = f"{free / 1e9:.1f} GB free at {there}"
    if free < _LEAST_SPACE:
        return Finding(Mark.failed, name, f"only {text}: make room, or everything stops when it is full")
    return Finding(Mark.fine, name, text)


async def _check_database(services: Services) -> list[Finding]:
    checks = services.start_checks

    async def revision() -> str:
        await checks.check_revision()
        return "is at this release's revision"

    async def origin() -> str:
        await checks.check_origin(record=False)
        return "is no copy of another one"

    async def clock() -> str:
        difference = await checks.check_clock()
        return f"at most {max(abs(difference), timedelta(seconds=0.1)).total_seconds():.1f} s from the database's"

    async def secret_key() -> str:
        await checks.check_secret_key(record=False)
        return "SECRET_KEY has what the database needs"

    found = [await _try("database", revision)]
    if found[0].mark is Mark.fine:
        found += [await _try("database", origin), await _try("clock", clock), await _try("keys", secret_key)]
        found += await _check_apps(services)
    return found


async def _check_apps(services: Services) -> list[Finding]:
    """Return for each network whose apps differ in what they may do what ours seems to have."""
    apps = [network for network in channels() if network.app_permissions and network.configured()]
    kinds = [network.kind for network in apps]
    try:
        async with services.sessions() as session:
            granted = await GrantRepository(session).latest_scopes(kinds)
            refused = await AccountRepository(session).count_comment_refusals(kinds, since=utcnow() - REFUSED_FOR)
    except SQLAlchemyError as error:
        return [Finding(Mark.failed, "apps", _describe(error))]
    return [_describe_app(network, granted.get(network.kind), refused.get(network.kind, 0)) for network in apps]


def _describe_app(network: BaseChannel, granted: Collection[str] | None, refused: int) -> Finding:
    scopes = network.requested_scopes() if granted is None else granted
    source = "as the settings say; nobody has connected an account yet" if granted is None else "as last granted"
    texts = [f"seems to have {', '.join(network.app_products(scopes)) or 'no product that is known'} ({source})"]
    missing = [permission for permission in network.app_permissions if permission.scope not in scopes]
    texts += [f"no {one.allows}: needs {one.product}, and {one.scope} in {one.setting}" for one in missing]
    if refused:
        texts.append(f"first comments were refused for {refused} account{'' if refused == 1 else 's'}")
    mark = Mark.warning if refused else Mark.unset if missing else Mark.fine
    return Finding(mark, f"{network.label} app", "; ".join(texts))


async def _check_storage(services: Services) -> str:
    await services.start_checks.check_storage()
    return f"{services.settings.media_url.partition(':')[0]}: a file was written and deleted"


async def _check_mail(settings: Settings) -> Finding:
    mailer = open_mailer(settings.smtp_url)
    if mailer is None:
        return Finding(Mark.unset, "mail", "SMTP_URL is not set: no mails are sent")

    async def connects() -> str:
        await mailer.check(parseaddr(settings.mail_from)[1])
        return f"{mailer.host} takes connections{' and the login' if mailer.username else ''}"

    return await _try("mail (SMTP_URL)", connects)


async def _check_model(settings: Settings) -> Finding:
    if not settings.model_on:
        return Finding(Mark.unset, "model", "neither OPENAI_API_KEY nor OPENAI_BASE_URL is set: the demo writer writes")
    key = settings.openai_api_key.get_secret_value() if settings.openai_api_key else None
    missing: list[str] = []

    async def answers() -> str:
        known = await list_models(key, settings.openai_base_url)
        wanted = [model for model in (settings.text_model, settings.image_model) if model]
        missing.extend(model for model in wanted if known and model not in known)
        return f"the server takes the key; {', '.join(wanted)}"

    found = await _try("model", answers)
    if missing:
        return Finding(Mark.warning, "model", f"the server's list lacks {', '.join(missing)} (TEXT_MODEL, IMAGE_MODEL)")
    return found


async def _check_stripe(services: Services) -> Finding:
    stripe = services.subscriptions.stripe
    if stripe is None:
        return Finding(Mark.unset, "Stripe", "STRIPE_SECRET_KEY is not set: nobody is charged")

    async def has_price() -> str:
        await stripe.price()
        return "knows the price STRIPE_PRICE_ID"

    return await _try("Stripe", has_price)


async def _check_temporal(services: Services) -> AsyncIterator[Finding]:
    client: Client | None = None

    async def connects() -> str:
        nonlocal client
        client = await connect(services.settings)
        return f"{client.service_client.config.target_host} answers"

    yield await _try("Temporal", connects)
    if client is None:
        return
    gateway, there = Gateway(client, services.settings), client

    async def is_set_up() -> str:
        if problem := await gateway.find_setup_problem():
            raise StartRefused(problem)
        return f"{there.namespace} has the {len(TYPES)} search attributes{await _describe_retention(there)}"

    yield (namespace := await _try("namespace", is_set_up))
    if namespace.mark is Mark.failed:
        return

    async def are_polled() -> str:
        if unpolled := await gateway.list_unpolled():
            raise StartRefused(f"nobody polls {', '.join(unpolled)}: start `postloom worker`")
        return "every queue is polled"

    yield await _try("workers", are_polled)


async def _describe_retention(client: Client) -> str:
    try:
        found = await client.workflow_service.describe_namespace(DescribeNamespaceRequest(namespace=client.namespace))
    except RPCError:  # this login may not ask
        return ""
    kept = found.config.workflow_execution_retention_ttl.ToTimedelta()
    return f" and keeps closed workflows for {describe_days(kept)}"
