"""Which parts of a Postloom run embedded, and where."""

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cli import ports
from cli.stand_ins import STAND_INS, point_to_sandbox, sets_any
from core.settings import Settings

# preferred ports of the embedded parts; a taken one is replaced by a free one
TEMPORAL_PORT, TEMPORAL_UI_PORT, SANDBOX_PORT, MAIL_PORT = 7233, 8233, 4010, 4025
_WORKER_GRACE = "2"
_TEMPORAL_SETTINGS: Final = ("TEMPORAL_ADDRESS", "TEMPORAL_PROFILE", "TEMPORAL_CONFIG_FILE")
_NETWORK_PREFIXES: Final = tuple(stand_in.prefix for stand_in in STAND_INS.values())


@dataclass(frozen=True)
class Plan:
    """Which embedded parts run, and where."""

    settings: Settings
    folder: Path
    postgres: bool
    temporal: bool
    sandbox: bool
    stripe: bool
    """Whether Stripe is the sandbox's stand-in."""
    temporal_port: int
    temporal_ui_port: int
    temporal_http_port: int
    sandbox_port: int
    mail_port: int
    sandbox_secret: str = field(repr=False)

    @property
    def sandbox_url(self) -> str:
        return f"http://127.0.0.1:{self.sandbox_port}"

    @property
    def stripe_webhook_secret(self) -> str:
        return f"whsec_{self.sandbox_secret}"

    @property
    def local_url(self) -> str:
        """The web app's address on this machine."""
        host = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(self.settings.host, self.settings.host)
        return f"http://{host}:{self.settings.port}"

    @property
    def temporal_ui_url(self) -> str | None:
        embedded = f"http://127.0.0.1:{self.temporal_ui_port}"
        return self.settings.temporal_ui_url or (embedded if self.temporal else None)

    def environment(self, environ: Mapping[str, str], database_url: str) -> dict[str, str]:
        """Return the variables that the services get in addition to `environ`, whose own values are kept."""
        settings = self.settings
        added = {
            "DATA_DIR": str(settings.data_dir),
            "DATABASE_URL": database_url,
            "PUBLIC_URL": settings.public_url,
            "PYTHONUNBUFFERED": "1",
        }
        if "GRACEFUL_SECONDS" not in environ:
            added["GRACEFUL_SECONDS"] = _WORKER_GRACE
        if self.temporal:
            # a profile in the user's home must not change the connection to the embedded server
            added |= {
                "TEMPORAL_ADDRESS": f"127.0.0.1:{self.temporal_port}",
                "TEMPORAL_NAMESPACE": "default",
                "TEMPORAL_TLS": "false",
                "TEMPORAL_CONFIG_FILE": os.devnull,
            }
        if self.temporal_ui_url:
            added["TEMPORAL_UI_URL"] = self.temporal_ui_url
        if self.sandbox:
            if not settings.smtp_url:
                added["SMTP_URL"] = f"smtp://127.0.0.1:{self.mail_port}"
                added["MAIL_OUTBOX_URL"] = f"{self.sandbox_url}/outbox"
            if networks := point_to_sandbox(environ, self.sandbox_url, self.sandbox_secret):
                added |= {**networks, "SANDBOX_URL": self.sandbox_url}
            if not settings.internal_pages:  # it also has a feed, and pages to write about
                added["INTERNAL_PAGES"] = self.sandbox_url
        if self.stripe:
            added |= {
                # letters and digits, as in Stripe's keys
                "STRIPE_SECRET_KEY": f"sk_test_{''.join(filter(str.isalnum, self.sandbox_secret))}",
                "STRIPE_WEBHOOK_SECRET": self.stripe_webhook_secret,
                "STRIPE_PRICE_ID": "price_sandbox",
                "STRIPE_API_URL": f"{self.sandbox_url}/stripe",
            }
        return added


def make_plan(settings: Settings, environ: Mapping[str, str], *, demo: bool = False) -> Plan:
    """Decide by the settings which parts are embedded, and choose their ports."""
    postgres = settings.database_url is None
    temporal = not any(environ.get(name) for name in _TEMPORAL_SETTINGS)
    sandbox = settings.sandbox
    if sandbox is None:
        sandbox = postgres and temporal and not sets_any(environ, _NETWORK_PREFIXES)
    stripe = settings.sandbox_stripe if settings.sandbox_stripe is not None else demo
    taken = {0, settings.port}
    return Plan(
        settings=settings,
        folder=settings.data_dir,
        postgres=postgres,
        temporal=temporal,
        sandbox=sandbox,
        stripe=stripe and sandbox and not settings.stripe_secret_key,
        temporal_port=ports.choose(TEMPORAL_PORT, taken),
        temporal_ui_port=ports.choose(TEMPORAL_UI_PORT, taken),
        temporal_http_port=ports.choose(0, taken),
        sandbox_port=ports.choose(SANDBOX_PORT, taken),
        mail_port=ports.choose(MAIL_PORT, taken),
        sandbox_secret=_read_or_create_secret(settings.data_dir / "sandbox.secret") if sandbox else "",
    )


def _read_or_create_secret(path: Path) -> str:
    """Return the secret in the file, which the first call creates."""
    with suppress(FileExistsError):
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(24))
    return path.read_text().strip()
