"""`postloom doctor`: a line per check, and 1 if one failed."""

import asyncio
import subprocess
import sys
from collections.abc import Mapping
from datetime import date, timedelta

import pytest
from pydantic import SecretStr

from cli.doctor import _check_versions
from cli.stand_ins import STAND_INS
from core.clock import utcnow
from core.networks.facebook import FacebookChannel
from core.networks.graph import MetaSettings
from core.networks.instagram import InstagramChannel
from core.networks.linkedin import LinkedInChannel, LinkedInSettings
from core.networks.rules.channels import ChannelKind
from core.settings import ROOT
from core.social_accounts.tables import Account
from temporal.worker import run_worker
from tests.cli.test_run import apart
from tests.conftest import GRACEFUL, Stack
from tests.http_server import Answer, Server
from tests.mailbox import mail_server
from tests.patience import PATIENCE

NOWHERE = "127.0.0.1:1"


async def examine(environ: Mapping[str, str]) -> tuple[int, dict[str, str]]:
    """Return the exit code, and the lines by the name of what they are about."""

    def run() -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cli", "doctor"]
        return subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, timeout=PATIENCE)

    done = await asyncio.to_thread(run)
    assert not done.stderr
    return done.returncode, {line.partition(": ")[0]: line for line in done.stdout.splitlines()}


@pytest.fixture
def environ(stack: Stack, server: Server) -> dict[str, str]:
    settings = stack.services.settings
    server.answers("/v1/models", Answer(body={"object": "list", "data": [{"id": "loom-1", "object": "model"}]}))
    return {
        **apart(),
        "DATABASE_URL": str(settings.database_url),
        "DATA_DIR": str(settings.data_dir),
        "TEMPORAL_ADDRESS": stack.client.service_client.config.target_host,
        "TEMPORAL_TLS": "false",
        "OPENAI_BASE_URL": f"{server.url}/v1",
        "TEXT_MODEL": "loom-1",
    }


async def test_what_is_fine_and_what_is_not_configured(stack: Stack, environ: dict[str, str]) -> None:
    async with mail_server() as mails, run_worker(stack.client, stack.services, graceful=GRACEFUL):
        async with asyncio.timeout(PATIENCE):
            while not await stack.gateway.has_pollers():
                await asyncio.sleep(0.2)
        code, lines = await examine({**environ, "SMTP_URL": mails.url})
    assert code == 0, lines
    fine = (
        "packages",
        "time zones",
        "database",
        "clock",
        "keys",
        "storage",
        "Temporal",
        "namespace",
        "workers",
        "model",
    )
    assert {f"✓ {name}" for name in (*fine, "mail (SMTP_URL)", "disk of DATA_DIR", "disk of MEDIA_URL")} <= set(lines)
    assert lines["– Stripe"] == "– Stripe: STRIPE_SECRET_KEY is not set: nobody is charged"
    assert lines["– networks"].startswith("– networks: not configured: LinkedIn, ")


async def test_what_an_app_may_do_is_told_by_what_was_granted(stack: Stack, environ: dict[str, str]) -> None:
    linkedin = STAND_INS[ChannelKind.linkedin].settings(stack.networks.url, "test-secret")
    _, lines = await examine({**environ, **linkedin})
    assert lines["– LinkedIn app"] == (
        "– LinkedIn app: seems to have Sign In with LinkedIn using OpenID Connect, Share on LinkedIn (as the settings "
        "say; nobody has connected an account yet); no first comments: needs Community Management API, and "
        "w_member_social_feed in LINKEDIN_SCOPES; no figures of posts: needs Community Management API, and "
        "r_member_postAnalytics in LINKEDIN_SCOPES"
    )
    user = await stack.make.user()
    pages = await stack.make.account(user, stack.networks.url, kind=ChannelKind.linkedin_pages)
    wider = {**environ, **linkedin, "LINKEDIN_SCOPES": "openid profile w_member_social w_member_social_feed"}
    await stack.make.account(user, stack.networks.url)
    _, lines = await examine(wider)
    assert "no first comments" in lines["– LinkedIn app"], "that was not granted"
    assert (
        lines["✓ LinkedIn Pages app"]
        == "✓ LinkedIn Pages app: seems to have Community Management API (as last granted)"
    )
    async with stack.services.sessions.begin() as session:
        (await session.get_one(Account, pages.id)).comments_refused_at = utcnow()
    _, lines = await examine(wider)
    assert lines["! LinkedIn Pages app"].endswith("(as last granted); first comments were refused for 1 account")


async def test_each_failure_is_one_line(stack: Stack, environ: dict[str, str], server: Server) -> None:
    secret = "a-secret-of-at-least-32-characters-or-more"
    server.answers("/v1/models", Answer(401, {"error": {"message": "Incorrect API key provided"}}))
    wrong = {
        "META_CLIENT_ID": "half",
        "SMTP_URL": f"smtp://user:{secret}@{NOWHERE}",
        "OPENAI_API_KEY": secret,
        "MEDIA_URL": "file:///dev/null/media",
        "TEMPORAL_NAMESPACE": "nowhere",
        "LINKEDIN_CLIENT_ID": "id",
        "LINKEDIN_CLIENT_SECRET": secret,
        "LINKEDIN_VERSION": "202501",
    }
    code, lines = await examine({**environ, **wrong})
    assert code == 1
    failed = {name.removeprefix("✗ ") for name in lines if name.startswith("✗")}
    assert failed == {"networks", "storage", "mail (SMTP_URL)", "model", "namespace"}
    assert lines["✗ networks"].endswith("needs META_CLIENT_SECRET as well")
    assert "model_misconfigured" in lines["✗ model"]
    assert lines["✗ namespace"].endswith("has no namespace nowhere: run `postloom temporal-setup`")
    assert "! LINKEDIN_VERSION" in lines
    assert secret not in str(lines)

    code, lines = await examine(
        {**environ, "DATABASE_URL": f"postgresql://u:{secret}@{NOWHERE}/d", "TEMPORAL_ADDRESS": NOWHERE}
    )
    assert code == 1
    assert "✗ database" in lines
    assert "✗ Temporal" in lines
    assert secret not in str(lines)

    code, lines = await examine({**environ, "MAIL_FROM": "nobody"})
    assert (code, lines["✗ settings"].startswith("✗ settings: MAIL_FROM: must be a mail address")) == (1, True)
    code, lines = await examine({**environ, "META_VERSION": "newest"})
    assert (code, lines["✗ settings"].startswith("✗ settings: META_VERSION: ")) == (1, True)


@pytest.mark.parametrize(
    ("setting", "version", "ends"),
    [
        ("LINKEDIN_VERSION", "202609", date(2027, 9, 1)),
        ("META_VERSION", "v25.0", date(2028, 7, 29)),
        ("META_VERSION", "v20.0", date(2026, 9, 24)),
    ],
)
def test_a_version_that_ends_within_sixty_days_is_warned_of_once(
    setting: str, version: str, ends: date, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = LinkedInSettings(client_id="id", client_secret=SecretStr("secret"), version=version)
    graph_version = version if setting == "META_VERSION" else "v99.0"
    meta = MetaSettings(client_id="id", client_secret=SecretStr("secret"), version=graph_version)
    configured = [LinkedInChannel(settings), FacebookChannel(meta), InstagramChannel(meta)]
    monkeypatch.setattr("cli.doctor.channels", lambda: configured)
    [warning] = _check_versions(ends - timedelta(days=60))
    assert str(warning).startswith(f"! {setting}: version {version} of the API may end from {ends} on: set a newer one")
    assert list(_check_versions(ends - timedelta(days=61))) == []
