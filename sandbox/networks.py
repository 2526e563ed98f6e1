"""What a network that keeps its own tables gives the board."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from sandbox.pages import Text
from sandbox.state import State


class Refusal(Exception):
    """With its answer."""

    def __init__(self, answer: Response) -> None:
        super().__init__(answer.status_code)
        self.answer = answer


@dataclass(frozen=True)
class Network:
    shown: Callable[[State, Text], list[tuple[float, str]]]
    """(when, card) of each post that everybody sees."""
    as_json: Callable[[State, str], list[dict[str, Any]]]
    """All posts, by the sandbox's address."""
    unseen: Callable[[State], list[tuple[str, str]]] = lambda _: []
    """(id, name) of what a site keeps that nobody sees yet."""
