"""The interface between the board and a network that keeps its own tables."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from sandbox.pages import Text
from sandbox.state import State


class Refusal(Exception):
    """A refused request, with its response."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


@dataclass(frozen=True)
class Network:
    shown: Callable[[State, Text], list[tuple[float, str]]]
    """Return (time, card) of each published post."""
    as_json: Callable[[State, str], list[dict[str, Any]]]
    """Return all posts as JSON, for the sandbox's address."""
    unseen: Callable[[State], list[tuple[str, str]]] = lambda _: []
    """Return (id, slug) of each unpublished article of a site."""
