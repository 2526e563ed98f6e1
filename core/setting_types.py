"""Types of the operator's settings: what a value may look like, and what the application reads from it."""

import base64
import binascii
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parseaddr
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, SecretStr, ValidationInfo
from pydantic_settings import NoDecode

_SHORTEST_SECRET = 32
_SHORTEST_TOKEN = 20


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
    values_by_option = {
        "hostaddr": options.get("hostaddr") or [os.environ.get("PGHOSTADDR", "")],
        "host": options.get("host") or [parts.hostname or os.environ.get("PGHOST", "")],
    }
    hosts = [host for values in values_by_option.values() for value in values for host in value.split(",") if host]
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
    match = re.fullmatch(
        r"(?:\[(?P<ipv6>[0-9a-fA-F:.]*:[0-9a-fA-F:.]*)\]|(?P<name>[^:\[\]]+)):(?P<port>\d{1,5})", value
    )
    if not match or not _is_host(match["ipv6"] or match["name"]) or not 0 < int(match["port"]) < 65536:
        raise ValueError("must be host:port such as temporal.example.org:7233, without scheme and login")
    return value


def _version_name(value: str) -> str:
    if not re.fullmatch(r"[\w.+-]{0,128}", value, re.ASCII):
        raise ValueError("must be at most 128 letters, digits and . _ + -")
    return value


def _deployment_name(value: str) -> str:
    # Temporal refuses . and : as well, which separate it from the build; its Worker Controller sets <namespace>/<name>
    if not re.fullmatch(r"(?!__)[\w/+-]{1,128}", value, re.ASCII):
        raise ValueError("must be at most 128 letters, digits and _ + - /, and not begin with __")
    return value


def _sender(value: str) -> str:
    if "@" not in parseaddr(value)[1]:
        raise ValueError("must be a mail address such as Postloom <post@example.org>")
    return value


def _one_line(value: str) -> str:
    if not (text := " ".join(value.split())).isprintable():
        raise ValueError("must be one line of text")
    return text


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


def _long_enough(keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
    if any(len(key.get_secret_value()) < _SHORTEST_SECRET for key in keys):
        raise ValueError(f"every key must have at least {_SHORTEST_SECRET} characters")
    return keys


def _token(value: SecretStr) -> SecretStr:
    if len(value.get_secret_value()) < _SHORTEST_TOKEN:
        raise ValueError(f"must have at least {_SHORTEST_TOKEN} characters")
    return value


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


Port = Annotated[int, Field(ge=1, le=65535)]
Line = Annotated[str, AfterValidator(_one_line)]
Header = Annotated[str, AfterValidator(_header)]
WebAddress = Annotated[str, AfterValidator(_web_address)]
PublicAddress = Annotated[str, AfterValidator(_origin), AfterValidator(_tls_in_production)]
PublicBucketAddress = Annotated[
    str, AfterValidator(_web_address), AfterValidator(_of_a_bucket), AfterValidator(_tls_in_production)
]
StorageAddress = Annotated[str, AfterValidator(_storage)]
PostgresAddress = Annotated[str, BeforeValidator(_postgres)]
VersionName = Annotated[str, AfterValidator(_version_name)]
DeploymentName = Annotated[str, AfterValidator(_deployment_name)]
TemporalAddress = Annotated[str, AfterValidator(_temporal_server)]
MailServer = Annotated[str, AfterValidator(_mail_server)]
Sender = Annotated[str, AfterValidator(_sender)]
Networks = Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_networks)]
OnOutsideTests = Annotated[bool, AfterValidator(_limits_stay_on)]
SecretList = Annotated[tuple[SecretStr, ...], NoDecode, BeforeValidator(_words)]
SecretKeys = Annotated[SecretList, AfterValidator(_long_enough)]
Token = Annotated[SecretStr, AfterValidator(_token)]
CodecKeys = Annotated[tuple[CodecKey, ...], NoDecode, BeforeValidator(_codec_keys)]
