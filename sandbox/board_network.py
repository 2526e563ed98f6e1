"""The interface between the board and a network."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sandbox.state import State
from sandbox.texts import Text


@dataclass(frozen=True)
class Network:
    cards: Callable[[State, Text], list[tuple[float, str]]]
    """Return (time, card) of each published post."""
    as_json: Callable[[State, str], list[dict[str, Any]]]
    """Return all posts as JSON, for the sandbox's address."""
    drafts: Callable[[State], list[tuple[str, str]]] = lambda _: []
    """Return (id, slug) of each unpublished article of a site."""
