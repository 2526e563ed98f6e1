"""Networks: one module each, named after its `ChannelKind`."""

from functools import cache
from importlib import import_module

from core.domain.channels import ChannelKind
from core.providers.channels.base import Channel


@cache
def channel(kind: ChannelKind) -> Channel:
    """The adapter in the module named after the network; reads its settings when first used."""
    adapter: Channel = import_module(f"{__name__}.{kind}").CHANNEL
    return adapter


def channels() -> list[Channel]:
    """All adapters, in the order of `ChannelKind`."""
    return [channel(kind) for kind in ChannelKind]


def sites() -> list[Channel]:
    """Those of sites, which articles go to."""
    return [channel(kind) for kind in ChannelKind if kind.is_site]
