"""Subjects of provider faults, and the time between checks."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

from core.networks.rules.channels import ChannelKind

RECHECK_AFTER: Final = timedelta(minutes=5)
"""Wait after a failed check until the next one, which the first run due makes."""

NETWORK: Final = "network:"


def network_subject(kind: ChannelKind) -> str:
    return f"{NETWORK}{kind.value}"


def network_of(subject: str) -> ChannelKind | None:
    """Return the network, or None if the subject is a model or its provider."""
    name = subject.removeprefix(NETWORK)
    return ChannelKind(name) if subject.startswith(NETWORK) else None


def provider_subject(provider: str) -> str:
    """Return the subject for all models of a provider: its key or its credit."""
    return f"provider:{provider}"


def model_subject(provider: str, model: str) -> str:
    return f"model:{provider}/{model}"


def subjects_of_call(provider: str, model: str) -> Sequence[str]:
    """Return the subjects that must have no fault for a call of the model."""
    return (provider_subject(provider), model_subject(provider, model))
