"""A process that dies right after it has kept a model's answer."""

from typing import Any

import pytest

from core.runs.repositories.runs import RunRepository
from core.runs.tables import TextVersion


class Died(Exception):
    pass


def die_after_kept_answers(monkeypatch: pytest.MonkeyPatch, times: int) -> list[bool]:
    """Raise Died after each of the next `times` answers is stored. Return the list that says so, last first: an answer
    beyond it is an IndexError unless the test appends False."""
    keep, dying = RunRepository.add_text, [True] * times

    async def and_die(self: RunRepository, *args: Any, **more: Any) -> TextVersion:
        kept = await keep(self, *args, **more)
        if dying.pop():
            await self.session.commit()
            raise Died
        return kept

    monkeypatch.setattr(RunRepository, "add_text", and_die)
    return dying
