"""All settings of the operator, read from the environment.

Each entry point loads `.env` into the environment (`load_environment`), since it may also hold the variables of
Temporal and AWS. A network's settings (client id, secret, addresses) are in its module in `core/networks/`.
"""

import os
import secrets
import sys
import tempfile
import tomllib
import zoneinfo
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any, Final, Literal

from dotenv import dotenv_values
from pydantic import AfterValidator, Field, NonNegativeFloat, NonNegativeInt, PositiveInt, SecretStr, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from core.assistants.rules.limits import MAX_CATCH_UP
from core.setting_types import (
    CodecKeys,
    DeploymentName,
    Header,
    Line,
    MailServer,
    Networks,
    OnOutsideTests,
    Port,
    PostgresAddress,
    PublicAddress,
    PublicBucketAddress,
    SecretKeys,
    SecretList,
    Sender,
    StorageAddress,
    TemporalAddress,
    Token,
    VersionName,
    WebAddress,
)
from core.templates.rules.templates import ReasoningEffort

CODE: Final = Path(__file__).resolve().parents[1]
"""The folder of the product's packages: the project's, or that of an environment where the wheel is installed."""
IS_INSTALLED: Final = not (CODE / "pyproject.toml").is_file()
ROOT: Final = Path.cwd() if IS_INSTALLED else CODE
"""The folder with `.env` and, unless `DATA_DIR` is set, `.postloom`: the project's, or with the wheel the working
directory."""

SHORTEST_RETENTION: Final = 92
"""Days. Budgets, limits and the dashboard look at this month and the one before, call by call."""

OPENAI_URL: Final = "https://api.openai.com/v1"
DEFAULT_TEXT_MODEL: Final = "gpt-6-luna"


class WrongSetting(Exception):
    """A setting that prevents the start. The message is one line, names the setting and never contains its value."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(name, message)
        self.name, self.message = name, message

    def __str__(self) -> str:
        return f"{self.name}: {self.message}"


def version() -> str:
    """Return the version of this installation."""
    if IS_INSTALLED:
        return metadata.version("postloom")
    told: str = tomllib.loads((CODE / "pyproject.toml").read_text())["project"]["version"]
    return told


def _folder(value: Path) -> Path:
    """Resolve relative paths against `ROOT`: in a project that is not the working directory."""
    return (ROOT / value.expanduser()).resolve()


def _default_text_model(known: Mapping[str, Any]) -> str | None:
    base_url = known["openai_base_url"]
    if base_url and base_url != OPENAI_URL:
        raise WrongSetting("TEXT_MODEL", "must be set when OPENAI_BASE_URL points to another server")
    return DEFAULT_TEXT_MODEL if base_url or known["openai_api_key"] else None


def _api_processes() -> int:
    """Return half of the available processors, since PostgreSQL and the worker need some too: on two processors, a
    second process answered no more calls (decision 26)."""
    processors = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(4, max(1, processors // 2))


def _shown(default: str, *, secret: bool = False) -> dict[str, Any]:
    """Return what `postloom settings` prints as the default, and whether it masks the value."""
    return {"default": default, "secret": secret}


Folder = Annotated[Path, AfterValidator(_folder)]


class Settings(BaseSettings):
    """Read with `read_settings`, once per process. The environment variables are the field names in capitals."""

    model_config = SettingsConfigDict(frozen=True, env_ignore_empty=True, extra="ignore", str_strip_whitespace=True)

    environment: Literal["development", "test", "production"] = Field(
        "development",
        description="development, test or production; only test may turn rate limits off; production requires https "
        "in PUBLIC_URL",
    )
    host: str = Field("127.0.0.1", description="address the web app listens on")
    port: Port = Field(8000, description="port the web app listens on")
    api_processes: Annotated[int, Field(ge=1, le=16)] = Field(
        default_factory=_api_processes,
        description="number of API processes; each uses at most one processor and about 150 MB",
        json_schema_extra=_shown("half of the processors, at least 1, at most 4"),
    )
    public_url: PublicAddress = Field(
        default_factory=lambda known: f"http://localhost:{known['port']}",
        description="address at which browsers and networks reach the app",
        json_schema_extra=_shown("http://localhost:<PORT>"),
    )
    hsts_subdomains: bool = Field(
        False, description="tell browsers to use only TLS for all subdomains too; set it only if all of them have TLS"
    )
    trusted_proxies: Networks = Field(
        (),
        description="your proxies' addresses or networks, comma-separated; only their X-Forwarded-For is trusted",
    )
    rate_limits: OnOutsideTests = Field(
        default_factory=lambda known: known["environment"] != "test",
        description="limit sign-ins, mails and the like; off only in tests",
        json_schema_extra=_shown("on"),
    )
    operator_name: Line | None = Field(
        None,
        max_length=200,
        description="person or organisation responsible for this server, named in its privacy policy",
        json_schema_extra=_shown("none: the policy names whoever sent the invitation"),
    )
    operator_contact: Line | None = Field(
        None,
        max_length=300,
        description="e-mail address or web page of the operator, shown beside the name",
        json_schema_extra=_shown("none"),
    )
    data_dir: Folder = Field(
        default_factory=lambda: Path(".postloom"),
        description="folder of all embedded data: database, Temporal's file, media, mails, keys, logs",
        json_schema_extra=_shown(".postloom in the project, or in the working directory of an installed wheel"),
    )
    secret_key: SecretKeys = Field(
        (),
        description="keys for tokens and credentials, comma-separated; the first encrypts, all decrypt",
        json_schema_extra=_shown("created once in DATA_DIR/secret.key", secret=True),
    )

    database_url: PostgresAddress | None = Field(
        None,
        description="postgresql://user:password@host:port/database; other machines are reached over TLS unless it has "
        "an sslmode",
        repr=False,
        json_schema_extra=_shown("embedded PostgreSQL", secret=True),
    )
    temporal_address: TemporalAddress | None = Field(
        None,
        description="host:port of the Temporal server; TEMPORAL_… variables mean what they mean for Temporal's tools",
        json_schema_extra=_shown("embedded development server"),
    )
    temporal_namespace: str = Field("default", description="namespace on the Temporal server")
    temporal_ui_url: WebAddress | None = Field(
        None,
        description="address of Temporal's Web UI, used for links",
        json_schema_extra=_shown("the embedded server's"),
    )
    temporal_worker_build_id: VersionName = Field(
        "",
        description="name of this release for Temporal's Worker Versioning: workers get work by `postloom deploy`",
        json_schema_extra=_shown("no Worker Versioning"),
    )
    temporal_deployment_name: DeploymentName = Field(
        "postloom", description="what Worker Versioning calls the releases' workers together"
    )
    temporal_codec_keys: CodecKeys = Field(
        (),
        description="comma-separated id:base64 keys of 32 bytes for the data that Temporal stores; the first encrypts",
        repr=False,
        json_schema_extra=_shown("off", secret=True),
    )

    codec_host: str = Field("127.0.0.1", description="address that `postloom codec` listens on")
    codec_port: Port = Field(8089, description="port of `postloom codec`, the codec endpoint of Temporal's Web UI")
    codec_token: Token | None = Field(
        None,
        description="bearer token of `postloom codec`; required if CODEC_HOST is not this machine's own address",
        json_schema_extra=_shown("none: whoever reaches it on this machine may use it", secret=True),
    )

    openai_api_key: SecretStr | None = Field(
        None,
        description="API key; turns the models on",
        json_schema_extra=_shown("none: demo writer", secret=True),
    )
    openai_base_url: WebAddress | None = Field(
        None,
        description="address of an OpenAI-compatible server; turns the models on",
        json_schema_extra=_shown("OpenAI's own"),
    )
    text_model: str | None = Field(
        default_factory=_default_text_model,
        description="text model; required with another OPENAI_BASE_URL",
        json_schema_extra=_shown(f"{DEFAULT_TEXT_MODEL} if the models are on"),
    )
    reasoning_effort: ReasoningEffort | None = Field(
        None,
        description="how much a model thinks before it writes: none, minimal, low, medium, high or xhigh; more takes "
        "longer and costs more; templates can override it",
        json_schema_extra=_shown("low for OpenAI, else the server's default"),
    )
    image_model: str | None = Field(None, description="image model", json_schema_extra=_shown("none: cards"))
    prices_file: Folder | None = Field(
        None,
        description="JSON file of model prices that adds to or replaces the bundled ones (docs/prices.md)",
        json_schema_extra=_shown("the bundled prices"),
    )

    smtp_url: MailServer | None = Field(
        None,
        description="smtp://user:password@host:port (STARTTLS, required for other machines), smtps://, or "
        "smtp+plain:// for a relay without TLS in your own network",
        repr=False,
        json_schema_extra=_shown("the sandbox's outbox", secret=True),
    )
    mail_outbox_url: WebAddress | None = Field(
        None,
        description="page that shows the mails if they are not really sent; people who wait for a mail see its link",
        json_schema_extra=_shown("the sandbox's outbox, if the sandbox takes the mails"),
    )
    mail_from: Sender = Field("Postloom <postloom@localhost>", description="sender of all mails")
    internal_pages: str = Field(
        "",
        description="base addresses of web pages to read although they are in your network or have no TLS, "
        "comma-separated; brands, posts and topics are made from pages and feeds",
    )
    topic_feed_minutes: PositiveInt = Field(
        15, description="shortest pause, in minutes, between two times that the feed of a topic tree is asked"
    )
    user_agent: Header = Field(
        default_factory=lambda known: f"Postloom/{version()} (+{known['public_url']})",
        max_length=300,
        description="name sent to networks and websites, for example for firewalls that admit only known names",
        json_schema_extra=_shown("Postloom/<version> (+PUBLIC_URL)"),
    )
    media_url: StorageAddress = Field(
        default_factory=lambda known: (known["data_dir"] / "media").as_uri(),
        description="file:///folder, or s3://bucket/prefix with the usual AWS variables",
        json_schema_extra=_shown("media in DATA_DIR"),
    )
    media_fetch_url: PublicBucketAddress | None = Field(
        None,
        description="public address of the bucket's server, where networks fetch images by signed addresses",
        json_schema_extra=_shown("images are fetched from PUBLIC_URL"),
    )
    sandbox: bool | None = Field(
        None,
        description="start stand-ins for the networks, and use them for networks that are not configured; with "
        "SANDBOX_URL also by `postloom serve` and `worker`",
        json_schema_extra=_shown("on if no network is configured and the embedded services run"),
    )
    sandbox_url: WebAddress | None = Field(
        None,
        description="address of the networks' stand-ins, the only place to which demo data posts",
        json_schema_extra=_shown("the sandbox's address if a network uses it"),
    )

    sandbox_stripe: bool | None = Field(
        None,
        description="use the sandbox's stand-in for Stripe, unless STRIPE_SECRET_KEY is set",
        json_schema_extra=_shown("on in the demo"),
    )
    stripe_secret_key: SecretStr | None = Field(
        None,
        description="turns subscriptions on; also set STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID",
        json_schema_extra=_shown("none: nobody is charged, everything is unlocked", secret=True),
    )
    stripe_webhook_secret: SecretList = Field(
        (),
        description="signing secret of the endpoint PUBLIC_URL/api/webhooks/stripe/; two, comma-separated, during a "
        "replacement",
        json_schema_extra=_shown("none", secret=True),
    )
    stripe_price_id: str | None = Field(None, description="id of the recurring price, such as price_1Ab2")
    stripe_api_url: WebAddress | None = Field(
        None, description="address of Stripe's API", json_schema_extra=_shown("Stripe's own")
    )
    trial_days: NonNegativeInt = Field(14, description="days of the free trial; 0: no trial")
    past_due_days: NonNegativeInt = Field(
        7, description="days for which everything stays unlocked after a failed charge"
    )

    free_assistants: NonNegativeInt | None = Field(
        1, description="active assistants without a subscription, if subscriptions are on"
    )
    free_posts: NonNegativeInt | None = Field(10, description="published posts per month without a subscription")
    free_model_cost: NonNegativeFloat | None = Field(
        1, description="cost of model calls per month without a subscription, in the price list's currency"
    )
    plan_assistants: NonNegativeInt | None = Field(
        None,
        description="active assistants with a subscription",
        json_schema_extra=_shown("unlimited"),
    )
    plan_posts: NonNegativeInt | None = Field(
        None, description="published posts per month with a subscription", json_schema_extra=_shown("unlimited")
    )
    plan_model_cost: NonNegativeFloat | None = Field(
        None, description="cost of model calls per month with a subscription", json_schema_extra=_shown("unlimited")
    )

    invitation_days: PositiveInt = Field(14, description="days until an invitation code expires")
    invitations_open: NonNegativeInt = Field(10, description="open invitation codes per user")
    session_days: PositiveInt = Field(30, description="days until an unused session ends")

    catch_up_seconds: Annotated[int, Field(ge=0, le=MAX_CATCH_UP * 60)] = Field(
        3600,
        description="seconds after its slot until which a post is still prepared, retried and published; assistants "
        "can override it",
    )
    jitter_seconds: NonNegativeInt = Field(
        300, description="seconds over which the preparation of simultaneous posts is spread"
    )
    retention_days: Annotated[int, Field(ge=SHORTEST_RETENTION)] | None = Field(
        None,
        description="age in days at which the evidence of runs and deliveries and single model calls are removed; sums "
        f"stay; at least {SHORTEST_RETENTION}",
        json_schema_extra=_shown("off: nothing is removed"),
    )
    arm_seconds: NonNegativeInt = Field(15, description="seconds before its slot at which changes of a post end")
    arm_spread_seconds: NonNegativeInt = Field(
        60,
        description="seconds over which the arming of simultaneous posts is spread, more where many are due; 0 arms "
        "them at once",
    )
    stage_ahead_seconds: NonNegativeInt = Field(
        600, description="seconds before its slot at which a post's files are uploaded"
    )

    log_format: Literal["console", "json"] = Field("console", description="console or json")
    metrics_host: str = Field("127.0.0.1", description="address that Prometheus metrics listen on")
    metrics_port: Port | None = Field(
        None,
        description="port of Prometheus metrics; each process of a host takes the first free one from there on",
        json_schema_extra=_shown("off"),
    )
    graceful_seconds: NonNegativeInt = Field(25, description="seconds that a stopping worker waits for steps")

    @property
    def has_tls(self) -> bool:
        """Whether browsers reach the app over TLS."""
        return self.public_url.startswith("https:")

    @property
    def model_on(self) -> bool:
        """Whether a model writes the texts; otherwise the demo writer does."""
        return self.openai_api_key is not None or self.openai_base_url is not None


def use_locked_time_zones() -> None:
    """Read time zones only from the locked `tzdata` package, so that a schedule means the same on every machine."""
    zoneinfo.reset_tzpath(to=())
    zoneinfo.ZoneInfo.clear_cache()


def load_environment(root: Path = ROOT) -> frozenset[str]:
    """Set locked time zones, and load `.env` into the environment without overriding it. Each entry point calls this
    first. Return the names that came from the file.

    Values stay as written: a `$` in a password is no variable.
    """
    use_locked_time_zones()
    path = root / ".env"
    if not path.is_file():
        return frozenset()
    found = {name: value for name, value in dotenv_values(path, interpolate=False).items() if value is not None}
    new = {name: value for name, value in found.items() if name not in os.environ}
    os.environ.update(new)
    return frozenset(new)


def read_settings() -> Settings:
    """Return the settings of this process. Raise WrongSetting for the first invalid setting."""
    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise WrongSetting(str(first["loc"][0]).upper(), first["msg"].removeprefix("Value error, ")) from None
    if settings.stripe_secret_key is not None:
        for name in ("stripe_webhook_secret", "stripe_price_id"):
            if not getattr(settings, name):
                raise WrongSetting(name.upper(), "must be set if STRIPE_SECRET_KEY is")
    return settings


def secret_keys(settings: Settings) -> tuple[str, ...]:
    """Return the keys of tokens and credentials: the first encrypts, all decrypt.

    If no key is set, one is created once in `DATA_DIR/secret.key`; processes that start together read the same key.
    """
    if settings.secret_key:
        return tuple(key.get_secret_value() for key in settings.secret_key)
    path = settings.data_dir / "secret.key"
    if not path.exists():
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        # written completely to a temporary file (mode 0600), then linked: no process reads half a key
        handle, name = tempfile.mkstemp(dir=settings.data_dir, prefix=".secret-")
        with os.fdopen(handle, "w") as file:
            file.write(secrets.token_urlsafe(48) + "\n")
        with suppress(FileExistsError):
            os.link(name, path)
        os.unlink(name)
    keys = tuple(line.strip() for line in path.read_text().splitlines() if line.strip())
    if not keys:
        raise WrongSetting(
            "SECRET_KEY", f"{path} is empty: restore it, because encrypted data cannot be read without it"
        )
    return keys
