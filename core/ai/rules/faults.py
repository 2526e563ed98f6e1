"""What may be at fault at a provider, and when it is looked at again."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from core.networks.rules.channels import ChannelKind

LOOKED_AT_AGAIN: Final = timedelta(minutes=5)
"""After a look that found it still there, until the next: one run's, whichever is due first."""

NETWORK: Final = "network:"


def network_subject(kind: ChannelKind) -> str:
    return f"{NETWORK}{kind.value}"


def network_of(subject: str) -> ChannelKind | None:
    """None where it is a model's."""
    name = subject.removeprefix(NETWORK)
    return ChannelKind(name) if subject.startswith(NETWORK) else None


def provider_subject(provider: str) -> str:
    """All of its models: its key, or its credit."""
    return f"provider:{provider}"


def model_subject(provider: str, model: str) -> str:
    return f"model:{provider}/{model}"


def subjects_of_call(provider: str, model: str) -> Sequence[str]:
    """What has to work for a call of that model."""
    return (provider_subject(provider), model_subject(provider, model))
