"""The text of a try-out, shown while a model writes it."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import dataclass, field

from sqlalchemy.exc import SQLAlchemyError

from core.ai.model_calls import CallAbandoned
from core.ai.rules.answers import Form, shown_so_far
from core.database import Sessions, notify_browsers
from core.live import LiveKind
from core.templates.repositories.tryouts import TryoutRepository
from core.templates.tables import Tryout
from core.texts.rules.texts import cut_text

logger = logging.getLogger(__name__)

SHOWING = 0.3
"""Seconds between two saves of a text that is being written: each costs a commit and a request of the browser."""


@dataclass
class ShownText:
    """A `Progress` within its block: a background task saves the text every `SHOWING` seconds while it is written.
    Raise CallAbandoned if the try-out no longer belongs to this attempt."""

    sessions: Sessions
    tryout: Tryout
    limit: int
    form: Form
    come: str = ""
    mine: bool = True
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, text: str) -> None:
        if not self.mine:
            raise CallAbandoned
        self.come = text

    async def __aenter__(self) -> "ShownText":
        self.saving = asyncio.create_task(self._save())
        return self

    async def __aexit__(self, *_: object) -> None:
        self.over.set()
        await self.saving

    async def _save(self) -> None:
        saved = ""
        while not self.over.is_set() and self.mine:
            if self.come != saved:
                saved = self.come
                await self._show(cut_text(shown_so_far(saved, self.form), self.limit))
            with suppress(TimeoutError):
                async with asyncio.timeout(SHOWING):
                    await self.over.wait()

    async def _show(self, text: str) -> None:
        tryout = self.tryout
        try:
            async with self.sessions.begin() as session:
                self.mine = await TryoutRepository(session).show_progress(
                    tryout.user_id, tryout.id, tryout.attempt, text
                )
                if self.mine:
                    await notify_browsers(session, tryout.user_id, LiveKind.tryout, tryout.id)
        except (SQLAlchemyError, OSError) as error:
            # the text is paid for: a failed preview must not end it
            logger.warning("try-out: the preview could not be saved (%s)", type(error).__name__)
