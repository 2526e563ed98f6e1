"""Look up the adapter of a network or kind of site. Nothing is registered here: an adapter is the module of
`core/networks` that is named after its `ChannelKind`."""

import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from pydantic_settings import BaseSettings

from core.networks.base import BaseChannel, supports
from core.networks.rules.channels import NETWORKS, ChannelKind


@cache
def channel(kind: ChannelKind) -> BaseChannel:
    """Return the adapter in the module named after the kind; it reads its settings when first used."""
    adapter: BaseChannel = import_module(f"core.networks.{kind}").CHANNEL
    return adapter


def channels() -> list[BaseChannel]:
    """Return all adapters, including sites, in the order of `ChannelKind`."""
    return [channel(kind) for kind in ChannelKind]


def sites() -> list[BaseChannel]:
    """Return the adapters of sites."""
    return [channel(kind) for kind in ChannelKind if kind.is_site]


def networks() -> list[BaseChannel]:
    """Return the adapters of the social networks, in display order."""
    return [channel(kind) for kind in NETWORKS]


def processing_kinds() -> list[ChannelKind]:
    """Return the networks that process staged content for a time of their own."""
    return [one.kind for one in channels() if supports(one, BaseChannel.ready)]


def settings_of_networks() -> Iterator[tuple[ChannelKind, type[BaseSettings]]]:
    """Yield the settings in each network's module and in modules that networks share, each once."""
    seen: set[str] = set()
    for kind in ChannelKind:
        for name in dict.fromkeys(part.__module__ for part in type(channel(kind)).__mro__):
            for found in vars(sys.modules[name]).values():
                own = isinstance(found, type) and issubclass(found, BaseSettings) and found is not BaseSettings
                if own and found.__module__ == name and name not in seen:
                    yield kind, found
            seen.add(name)
