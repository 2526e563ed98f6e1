"""Look up the adapter of a network or kind of site. Nothing is registered here: an adapter is the module of
`core/networks` that is named after its `ChannelKind`."""

from functools import cache
from importlib import import_module

from core.networks.base import BaseChannel
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
