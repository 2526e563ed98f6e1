"""`postloom settings`: every setting with its meaning, default, value and where the value came from."""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from pydantic import SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from core.clock import utcnow
from core.networks.registry import settings_of_networks
from core.settings import ROOT, Settings, load_environment, read_settings
from core.settings_check import check_settings, warnings

ENV_EXAMPLE: Final = ROOT / ".env.example"
_HIDDEN = "(hidden)"
_MIN_COLUMNS = 140  # at that width names are not cut
# Temporal's own variables, which its SDK and tools read; two others are in Settings
_TEMPORAL_SETTINGS: Final = (
    ("TEMPORAL_API_KEY", "API key, for Temporal Cloud; switches TLS on", True),
    ("TEMPORAL_TLS", "true or false", False),
    ("TEMPORAL_TLS_CLIENT_CERT_PATH", "certificate of the client", False),
    ("TEMPORAL_TLS_CLIENT_KEY_PATH", "its key", False),
    ("TEMPORAL_TLS_SERVER_CA_CERT_PATH", "authority that signed the server's certificate", False),
    ("TEMPORAL_TLS_SERVER_NAME", "name in the server's certificate", False),
    ("TEMPORAL_PROFILE", "profile of Temporal's configuration file", False),
    ("TEMPORAL_CONFIG_FILE", "that file", False),
)


@dataclass(frozen=True)
class SettingDescription:
    """One setting as operators see it."""

    name: str
    meaning: str
    default: str
    secret: bool

    def mask(self, value: str) -> str:
        """Return the value; a secret one is hidden, of an address only the password."""
        if not self.secret:
            return value
        return re.sub(r"(//[^:/@]*:)[^@]*@", r"\1…@", value) if "://" in value else _HIDDEN


def describe_settings() -> list[SettingDescription]:
    """Return all settings: the product's with Temporal's own among them, then each network's."""
    ours = list(_describe(Settings))
    position = next(i for i, setting in enumerate(ours) if setting.name == "TEMPORAL_UI_URL")
    temporals = [SettingDescription(name, meaning, "none", secret) for name, meaning, secret in _TEMPORAL_SETTINGS]
    return [*ours[:position], *temporals, *ours[position:], *_describe_networks()]


def env_example() -> str:
    """Return the content of `.env.example`: every setting commented out, its meaning above."""
    head = "# Copy to .env and change what you need. Everything may stay unset.\n"
    parts = [
        "\n".join([*textwrap.wrap(f"{one.meaning} (default: {one.default})", 100, initial_indent="# ",
                                  subsequent_indent="# "), f"#{one.name}="])
        for one in describe_settings()
    ]  # fmt: skip
    return "\n\n".join([head.rstrip(), *parts]) + "\n"


def show_settings() -> None:
    """Print the table of settings, then warnings. Raise WrongSetting, after the table, for the first invalid
    setting."""
    from rich.console import Console
    from rich.table import Table

    from_file = load_environment()
    table = Table(box=None, pad_edge=False)
    for title, share in (("setting", None), ("meaning", 3), ("default", 2), ("value", 2), ("from", None)):
        table.add_column(title, ratio=share, overflow="fold", no_wrap=share is None)
    for one in describe_settings():
        value = os.environ.get(one.name, "")
        source = ".env" if one.name in from_file else "environment"
        table.add_row(one.name, one.meaning, one.default, *((one.mask(value), source) if value else ("", "default")))
    Console(width=max(shutil.get_terminal_size().columns, _MIN_COLUMNS)).print(table)
    settings = read_settings()
    for warning in warnings(settings, check_settings(settings), utcnow().date()):
        print(f"warning: {warning}", file=sys.stderr)


def _describe_networks() -> Iterator[SettingDescription]:
    for kind, settings in settings_of_networks():
        yield from _describe(settings, str(kind))


def _describe(settings: type[BaseSettings], network: str = "") -> Iterator[SettingDescription]:
    prefix = settings.model_config.get("env_prefix", "")
    for name, field in settings.model_fields.items():
        extra: dict[str, Any] = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        secret = bool(extra.get("secret")) or SecretStr in _types(field.annotation)
        default = str(extra.get("default", _default(field)))
        meaning = field.description or f"{network}: {name.replace('_', ' ')}"
        yield SettingDescription(f"{prefix}{name}".upper(), meaning, default, secret)


def _default(field: FieldInfo) -> str:
    value = field.get_default()
    if isinstance(value, bool):
        return "on" if value else "off"
    return "none" if value in (None, "", ()) else str(value)


def _types(annotation: Any) -> set[Any]:
    """Return a type and all types nested in it."""
    inner = getattr(annotation, "__args__", ())
    return {annotation, *(found for one in inner for found in _types(one))}
