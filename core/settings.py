"""All settings of the operator, read from the environment.

Each entry point loads `.env` into the environment (`load_environment`), since it may also hold the variables of
Temporal and AWS. A network's settings (client id, secret, addresses) are in its module in `core/networks/`.
"""

import base64
import binascii
import os
import re
import secrets
import sys
import tempfile
import tomllib
import zoneinfo
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from dotenv import dotenv_values
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    NonNegativeFloat,
    NonNegativeInt,
    PositiveInt,
    SecretStr,
    ValidationError,
    ValidationInfo,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from core.templates.rules.templates import ReasoningEffort

ROOT: Final = Path(__file__).resolve().parents[1]
"""The project's folder, with `.env` and, unless `DATA_DIR` is set, `.postloom`."""

OPENAI_URL: Final = "https://api.openai.com/v1"
DEFAULT_TEXT_MODEL: Final = "gpt-6-luna"
_SHORTEST_SECRET = 32


class WrongSetting(Exception):
    """A setting that prevents the start. The message is one line, names the setting and never contains its value."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(f"{name}: {message}")
        self.name = name


@dataclass(frozen=True)
class CodecKey:
    """A key that encrypts what Temporal stores; `id` is stored with the payload, so it is not secret."""

    id: str
    key: bytes = field(repr=False)


def _words(value: Any) -> Any:
    """Split a comma-separated list. Leave other types to pydantic."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


_ENCODE: Final = "encode / ? # @ [ ] % in its user and password as %2F %3F %23 %40 %5B %5D %25"


def _split(value: str) -> SplitResult:
    """Return the parts of an address. Raise ValueError with a text that contains no part of it."""
    try:
        parts = urlsplit(value)
        _ = parts.port
    except ValueError:
        raise ValueError("is not a valid address: the port after the colon must be a number") from None
    return parts


def _split_with_login(value: str) -> SplitResult:
    """As `_split`, for an address that may contain a user and a password. Refuse addresses that parsers read
    differently: a raw `#` or `/` in a password ends the host for one parser, and not for another."""
    authority = re.split("[/?#]", value.partition("://")[2], maxsplit=1)[0]
    path, _, query = value.partition("://")[2][len(authority) :].partition("?")
    misplaced = "@" in path or not all(re.match(r"\w+=", part) for part in query.split("&") if part)
    login = authority.rpartition("@")[0]
    if "#" in value or misplaced or "@" in login or re.search(r"[\[\]]|%(?![0-9A-Fa-f]{2})", login):
        raise ValueError(f"cannot be read for certain: {_ENCODE}")
    try:
        return _split(value)
    except ValueError as error:
        raise ValueError(f"{error}; or {_ENCODE}" if ":" in authority else str(error)) from None


def _web_address(value: str) -> str:
    """Return an absolute http(s) address without its last slash, so that paths can be appended."""
    parts = _split(value)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must be an address such as https://example.org")
    if parts.query or parts.fragment:
        raise ValueError("must not have a query or a fragment")
    return value.rstrip("/")


def _origin(value: str) -> str:
    if _split(address := _web_address(value)).path:
        raise ValueError("must not have a path: Postloom is served at the root of its host")
    return address


def _postgres(value: Any) -> Any:
    """Return the address for SQLAlchemy with psycopg."""
    if not isinstance(value, str):
        return value
    value = value.strip()
    if not re.match(r"^postgres(ql)?(\+psycopg)?://", value):
        raise ValueError("must be an address such as postgresql://user:password@host:5432/postloom")
    address = re.sub(r"^postgres(ql)?(\+psycopg)?://", "postgresql+psycopg://", value)
    parts = _split_with_login(address)
    options = parse_qs(parts.query, keep_blank_values=True)
    if options.get("sslmode") == [""]:
        raise ValueError("has an sslmode without a value")
    if "%2f" in (parts.hostname or "").lower():
        raise ValueError("must name a socket's folder as postgresql:///postloom?host=/the/folder")
    if "sslmode" in options or "PGSSLMODE" in os.environ or all(map(_needs_no_tls, _postgres_hosts(parts, options))):
        return address
    # by default libpq falls back to plain text if the server, or an attacker in between, offers no TLS
    query = "&".join(filter(None, (parts.query.strip("&"), "sslmode=require")))
    return f"{address.partition('?')[0]}?{query}"


def _postgres_hosts(parts: SplitResult, options: Mapping[str, list[str]]) -> list[str]:
    """Return the hosts that libpq would try: the `hostaddr` values if given, else the names."""
    told = {
        "hostaddr": options.get("hostaddr") or [os.environ.get("PGHOSTADDR", "")],
        "host": options.get("host") or [parts.hostname or os.environ.get("PGHOST", "")],
    }
    hosts = [host for name in told for value in told[name] for host in value.split(",") if host]
    return [re.sub(r":\d+\Z", "", host) if host.count(":") == 1 else host for host in hosts]


def _needs_no_tls(host: str) -> bool:
    return host.startswith(("/", "@")) or is_local_host(host)


def is_local_host(host: str) -> bool:
    """Return whether a host is this machine: no TLS is needed, and certificates are mostly self-signed."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _mail_server(value: str) -> str:
    parts = _split_with_login(value)
    if parts.scheme not in ("smtp", "smtps", "smtp+plain") or not _is_host(parts.hostname or ""):
        raise ValueError("must be an address such as smtp://user:password@host:587 or smtps://…")
    if parts.password and not parts.username:
        raise ValueError("has a password but no user")
    if parts.scheme == "smtp+plain" and parts.password:
        raise ValueError("with a password must be smtp:// or smtps://, because smtp+plain:// has no TLS")
    if parts.path.strip("/") or parts.query:
        raise ValueError("must end with the host and port")
    if parts.port == 0:
        raise ValueError("must not have port 0")
    return value


def _is_host(host: str) -> bool:
    """Return whether `host` can be a name or an IP address; IPv6 without brackets."""
    if ":" not in host:
        return re.fullmatch(r"[\w-]+(\.[\w-]+)*\.?", host) is not None
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _temporal_server(value: str) -> str:
    found = re.fullmatch(
        r"(?:\[(?P<ipv6>[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)\]|(?P<name>[^:\[\]]+)):(?P<port>\d{1,5})", value
    )
    if not found or not _is_host(found["ipv6"] or found["name"]) or not 0 < int(found["port"]) < 65536:
        raise ValueError("must be host:port such as temporal.example.org:7233, without scheme and login")
    return value


def _sender(value: str) -> str:
    if "@" not in parseaddr(value)[1]:
        raise ValueError("must be a mail address such as Postloom <post@example.org>")
    return value


def _one_line(value: str) -> str:
    if not (text := " ".join(value.split())).isprintable():
        raise ValueError("must be one line of text")
    return text


def version() -> str:
    """Return the version of this installation."""
    told: str = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    return told


def _header(value: str) -> str:
    if not (value := _one_line(value)).isascii() or not value:
        raise ValueError("must be one line of ASCII text")
    return value


def _storage(value: str) -> str:
    parts = _split(value)
    if parts.query or parts.fragment:
        raise ValueError("must encode ? and # as %3F and %23")
    if parts.scheme == "s3" and "@" in parts.netloc:
        raise ValueError("must not contain a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY")
    if parts.scheme == "s3" and ":" in parts.netloc:
        raise ValueError("must begin with the bucket's name: set the server with AWS_ENDPOINT_URL")
    if parts.scheme == "s3" and re.fullmatch(r"[\w.-]{3,255}", parts.netloc, re.ASCII):
        return f"s3{value[2:].rstrip('/')}"
    if parts.scheme == "file" and parts.path.startswith("/") and parts.netloc in ("", "localhost"):
        return Path(unquote(parts.path)).as_uri()
    raise ValueError("must be file:///an/absolute/folder or s3://bucket/prefix")


def _of_a_bucket(value: str, info: ValidationInfo) -> str:
    if not str(info.data.get("media_url", "")).startswith("s3:"):
        raise ValueError("requires a bucket: set MEDIA_URL to s3://bucket/prefix")
    return value


def _networks(value: Any) -> Any:
    """Convert addresses and networks to a tuple of networks."""
    try:
        return tuple(ip_network(part, strict=False) for part in _words(value))
    except ValueError:
        raise ValueError("must be a list of addresses or networks such as 127.0.0.1, 10.0.0.0/8") from None


def _limits_stay_on(value: bool, info: ValidationInfo) -> bool:
    if not value and info.data.get("environment") != "test":
        raise ValueError("can be off only if ENVIRONMENT is test")
    return value


def _tls_in_production(value: str, info: ValidationInfo) -> str:
    if not value.startswith("https:") and info.data.get("environment") == "production":
        raise ValueError("must begin with https:// if ENVIRONMENT is production")
    return value


def _folder(value: Path) -> Path:
    """Resolve relative paths against the project's folder, not the working directory."""
    return (ROOT / value.expanduser()).resolve()


def _long_enough(keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
    if any(len(key.get_secret_value()) < _SHORTEST_SECRET for key in keys):
        raise ValueError(f"every key must have at least {_SHORTEST_SECRET} characters")
    return keys


def _codec_keys(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    keys = []
    for part in _words(value):
        name, _, encoded = part.partition(":")
        try:
            key = base64.b64decode(encoded, validate=True)
        except binascii.Error:
            key = b""
        if not re.fullmatch(r"[\w.-]+", name) or len(key) != 32:
            raise ValueError("must be a list of id:base64 with keys of 32 bytes (openssl rand -base64 32)")
        keys.append(CodecKey(name, key))
    if len({key.id for key in keys}) < len(keys):
        raise ValueError("has the same id twice")
    return tuple(keys)


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


Port = Annotated[int, Field(ge=1, le=65535)]
WebAddress = Annotated[str, AfterValidator(_web_address)]


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
    public_url: Annotated[str, AfterValidator(_origin), AfterValidator(_tls_in_production)] = Field(
        default_factory=lambda known: f"http://localhost:{known['port']}",
        description="address at which browsers and networks reach the app",
        json_schema_extra=_shown("http://localhost:<PORT>"),
    )
    hsts_subdomains: bool = Field(
        False, description="tell browsers to use only TLS for all subdomains too; set it only if all of them have TLS"
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_networks)] = Field(
        (),
        description="your proxies' addresses or networks, comma-separated; only their X-Forwarded-For is trusted",
    )
    rate_limits: Annotated[bool, AfterValidator(_limits_stay_on)] = Field(
        default_factory=lambda known: known["environment"] != "test",
        description="limit sign-ins, mails and the like; off only in tests",
        json_schema_extra=_shown("on"),
    )
    operator_name: Annotated[str, AfterValidator(_one_line)] | None = Field(
        None,
        max_length=200,
        description="person or organisation responsible for this server, named in its privacy policy",
        json_schema_extra=_shown("none: the policy names whoever sent the invitation"),
    )
    operator_contact: Annotated[str, AfterValidator(_one_line)] | None = Field(
        None,
        max_length=300,
        description="e-mail address or web page of the operator, shown beside the name",
        json_schema_extra=_shown("none"),
    )
    data_dir: Annotated[Path, AfterValidator(_folder)] = Field(
        default_factory=lambda: Path(".postloom"),
        description="folder of all embedded data: database, Temporal's file, media, mails, keys, logs",
        json_schema_extra=_shown(".postloom in the project"),
    )
    secret_key: Annotated[tuple[SecretStr, ...], NoDecode, BeforeValidator(_words), AfterValidator(_long_enough)] = (
        Field(
            (),
            description="keys for tokens and credentials, comma-separated; the first encrypts, all decrypt",
            json_schema_extra=_shown("created once in DATA_DIR/secret.key", secret=True),
        )
    )

    database_url: Annotated[str, BeforeValidator(_postgres)] | None = Field(
        None,
        description="postgresql://user:password@host:port/database; other machines are reached over TLS unless it has "
        "an sslmode",
        repr=False,
        json_schema_extra=_shown("embedded PostgreSQL", secret=True),
    )
    temporal_address: Annotated[str, AfterValidator(_temporal_server)] | None = Field(
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
    temporal_codec_keys: Annotated[tuple[CodecKey, ...], NoDecode, BeforeValidator(_codec_keys)] = Field(
        (),
        description="comma-separated id:base64 keys of 32 bytes for the data that Temporal stores; the first encrypts",
        repr=False,
        json_schema_extra=_shown("off", secret=True),
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
    prices_file: Annotated[Path, AfterValidator(_folder)] | None = Field(
        None,
        description="JSON file of model prices that adds to or replaces the bundled ones (docs/prices.md)",
        json_schema_extra=_shown("the bundled prices"),
    )

    smtp_url: Annotated[str, AfterValidator(_mail_server)] | None = Field(
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
    mail_from: Annotated[str, AfterValidator(_sender)] = Field(
        "Postloom <postloom@localhost>", description="sender of all mails"
    )
    user_agent: Annotated[str, AfterValidator(_header)] = Field(
        default_factory=lambda known: f"Postloom/{version()} (+{known['public_url']})",
        max_length=300,
        description="name sent to networks and websites, for example for firewalls that admit only known names",
        json_schema_extra=_shown("Postloom/<version> (+PUBLIC_URL)"),
    )
    media_url: Annotated[str, AfterValidator(_storage)] = Field(
        default_factory=lambda known: (known["data_dir"] / "media").as_uri(),
        description="file:///folder, or s3://bucket/prefix with the usual AWS variables",
        json_schema_extra=_shown("media in DATA_DIR"),
    )
    media_fetch_url: (
        Annotated[str, AfterValidator(_web_address), AfterValidator(_of_a_bucket), AfterValidator(_tls_in_production)]
        | None
    ) = Field(
        None,
        description="public address of the bucket's server, where networks fetch images by signed addresses",
        json_schema_extra=_shown("images are fetched from PUBLIC_URL"),
    )
    sandbox: bool | None = Field(
        None,
        description="start stand-ins for the networks, and use them for networks that are not configured",
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
    stripe_webhook_secret: Annotated[tuple[SecretStr, ...], NoDecode, BeforeValidator(_words)] = Field(
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

    catch_up_seconds: NonNegativeInt = Field(
        3600,
        description="age in seconds at which the newest missed occurrence no longer runs; assistants can override it",
    )
    jitter_seconds: NonNegativeInt = Field(
        300, description="seconds over which the preparation of simultaneous posts is spread"
    )
    arm_seconds: NonNegativeInt = Field(15, description="seconds before its slot at which changes of a post end")
    arm_spread_seconds: NonNegativeInt = Field(
        60, description="seconds over which the arming of simultaneous posts is spread"
    )
    stage_ahead_seconds: NonNegativeInt = Field(
        600, description="seconds before its slot at which a post's images are uploaded"
    )

    log_format: Literal["console", "json"] = Field("console", description="console or json")
    metrics_port: Port | None = Field(
        None, description="port of the worker's Prometheus metrics", json_schema_extra=_shown("off")
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
