"""Trying a template out: one call of a model outside of any assistant, kept with all its evidence."""

import asyncio
import logging
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from core.database import Sessions, announce
from core.domain.errors import Conflict, DomainError, ErrorCode, FieldError, InvalidInput, ProviderError
from core.domain.model_settings import image_from_json, image_to_json, text_from_json, text_to_json
from core.domain.templates import (
    CONTENT,
    MAX_VALUE,
    OPEN_TRYOUTS,
    TOPIC,
    TemplateType,
    TryoutState,
    fill,
    parse,
    taken,
)
from core.domain.texts import clean_output, first_sentence
from core.domain.usage import CURRENCY
from core.models import TemplateRun, TransactionType
from core.models.base import utcnow
from core.providers.pictures.base import PictureMaker
from core.providers.writers.base import TextOrder, Writer
from core.repositories.templates import TemplateRepository
from core.repositories.tryouts import TryoutRepository
from core.services.asking import Call, Overtaken, sums
from core.services.booking import Made, milliseconds_since
from core.services.drafting import text_order, values_for
from core.services.imaging import logo_of, maker_for, picture_order, store
from core.services.media import MediaService

logger = logging.getLogger(__name__)

SHOWING = 0.3
"""Seconds between two looks at a text that is being written: each is a commit, and a browser that asks again."""

# what a text is allowed where neither its template nor a channel says: as much as the longest channel takes
_MAX_CHARACTERS = 3000
# an assistant gives a card one sentence of its post; what is shorter than such a sentence may be is meant as it stands
_CARD_TEXT = 220
_ALT = 300


@dataclass(frozen=True)
class TryoutForm:
    body: str
    settings: dict[str, Any]
    """`text` and `image` of `core.domain.model_settings`, as JSON; the template's type decides which one is used."""
    language: str
    inputs: dict[str, str]


@dataclass(frozen=True)
class TryingService:
    sessions: Sessions
    writer: Writer
    cards: PictureMaker
    pictures: PictureMaker | None
    """The image model; None: cards draw for it."""
    media: MediaService

    async def order(self, user_id: UUID, template_id: UUID, run_id: UUID, form: TryoutForm) -> TemplateRun:
        """The row, queued; its workflow is started by the caller, and by the reconcile where that failed.

        Raises NotFound; InvalidInput: template_syntax and content_empty on `body`, variable_value_required and
        content_too_long on `inputs.<name>`; prompt_too_long on `body`.
        """
        inputs = taken(form.body, form.inputs)
        async with self.sessions.begin() as session:
            template, *_ = await TemplateRepository(session).get(user_id, template_id)
            settings = _settings(template.type, form.settings)
            run = TemplateRun(
                id=run_id,
                user_id=user_id,
                template_id=template_id,
                type=template.type,
                body=form.body,
                settings=settings,
                language=form.language,
                inputs=inputs,
                created_at=utcnow(),
            )
            if problems := _problems(run):
                raise InvalidInput(errors=problems)
            run.number = await self._number(session, run)
            session.add(run)
            await session.flush()
            await announce(session, user_id, "template_run", run_id)
        return run

    async def page(
        self, user_id: UUID, template_id: UUID, *, search: str, offset: int, limit: int
    ) -> tuple[list[TemplateRun], int]:
        """Newest first. `search` is in inputs and output. Raises NotFound."""
        async with self.sessions() as session:
            await TemplateRepository(session).get(user_id, template_id)
            return await TryoutRepository(session).page(user_id, template_id, search=search, offset=offset, limit=limit)

    async def get(self, user_id: UUID, template_id: UUID, run_id: UUID) -> TemplateRun:
        async with self.sessions() as session:
            return await TryoutRepository(session).get(user_id, template_id, run_id)

    async def open(self, user_id: UUID, template_id: UUID, run_id: UUID) -> TemplateRun:
        """One that can still be stopped. Raises NotFound, Conflict (tryout_over)."""
        run = await self.get(user_id, template_id, run_id)
        if run.state not in OPEN_TRYOUTS:
            raise Conflict(ErrorCode.tryout_over)
        return run

    async def remove(self, user_id: UUID, template_id: UUID, run_id: UUID) -> None:
        """Raises NotFound, Conflict (run_in_progress) while it runs. What it cost stays in the transactions."""
        async with self.sessions.begin() as session:
            tryouts = TryoutRepository(session)
            await tryouts.get(user_id, template_id, run_id)
            run = await tryouts.locked(user_id, run_id)
            if run is None:  # by another tab, meanwhile
                return
            if run.state in OPEN_TRYOUTS:
                raise Conflict(ErrorCode.run_in_progress)
            await session.delete(run)
            await announce(session, user_id, "template_run", run_id)

    # what its workflow does

    async def make(
        self, user_id: UUID, run_id: UUID, attempt: int, pause: timedelta | None = None
    ) -> TryoutState | None:
        """The step: asks the model once, shows the text as it comes, books what it cost. A repeat of a finished one
        asks no model again.

        `pause` is how long the next attempt waits where an error names no time of its own. Returns how it stands, None
        where it went with its template. Raises what the model's provider raises, after the row says so.
        """
        begun = await self._begin(user_id, run_id, attempt)
        if begun is None or begun.state not in OPEN_TRYOUTS:
            return begun.state if begun else None
        began = time.monotonic()
        try:
            if begun.type is TemplateType.text:
                return await self._write(begun)
            return await self._draw(begun)
        except Overtaken:
            return await self._stopped(begun)
        except asyncio.CancelledError:
            await self._stopped(begun)
            raise
        except DomainError as error:
            await self._stumbled(begun, error, milliseconds_since(began), pause)
            raise

    async def failed(self, user_id: UUID, run_id: UUID, reason: str) -> TryoutState | None:
        """For good. One that is over stays as it is; None where it went with its template."""
        return await self._end(user_id, run_id, TryoutState.failed, reason)

    async def cancelled(self, user_id: UUID, run_id: UUID) -> TryoutState | None:
        """As `failed`. What has been written by then stays to be read."""
        return await self._end(user_id, run_id, TryoutState.cancelled, None)

    async def _end(self, user_id: UUID, run_id: UUID, state: TryoutState, reason: str | None) -> TryoutState | None:
        async with self.sessions.begin() as session:
            run = await TryoutRepository(session).locked(user_id, run_id)
            if run is None or run.state not in OPEN_TRYOUTS:
                return run.state if run else None
            asking = run.state is TryoutState.running and run.reason is None
            if asking and state is TryoutState.failed:
                await self._call(run).book_unheard(session)
            if reason != run.reason:
                run.detail = ""
            run.state, run.reason, run.next_try_at, run.finished_at = state, reason, None, utcnow()
            if not (asking and state is TryoutState.cancelled):  # else the call itself says what it cost, in a moment
                await self._count(session, run)
            await announce(session, user_id, "template_run", run_id)
        return state

    async def _begin(self, user_id: UUID, run_id: UUID, attempt: int) -> TemplateRun | None:
        """Claims the run for this attempt. Its number is the row's own: a workflow that was lost begins again at 1."""
        async with self.sessions.begin() as session:
            run = await TryoutRepository(session).locked(user_id, run_id)
            if run is None or run.state not in OPEN_TRYOUTS:
                return run
            if run.state is TryoutState.running and run.reason is None:
                await self._call(run).book_unheard(session)
            run.attempt = max(attempt, run.attempt + 1)
            run.state, run.output, run.detail = TryoutState.running, "", ""
            run.reason = run.next_try_at = run.duration_ms = run.request_id = None
            run.started_at = run.started_at or utcnow()
            run.provider, run.model = self._asked(run)
            await announce(session, user_id, "template_run", run_id)
        return run

    def _asked(self, run: TemplateRun) -> tuple[str, str]:
        """Whom: provider and model."""
        if run.type is TemplateType.text:
            maker: Writer | PictureMaker = self.writer
            model = text_from_json(run.settings).model
        else:
            settings = image_from_json(run.settings)
            maker = maker_for(settings, self.cards, self.pictures)
            model = settings.model if maker is self.pictures else None
        return maker.provider, model or maker.model

    def _call(self, run: TemplateRun) -> Call:
        kind = TransactionType.text if run.type is TemplateType.text else TransactionType.image
        return Call(run.user_id, {"template_run_id": run.id}, run.attempt, kind, run.provider, run.model)

    async def _write(self, run: TemplateRun) -> TryoutState | None:
        order, call = _text_order(run), self._call(run)
        showing = _Showing(self.sessions, run, order.max_characters)
        async with call.accounted(self.sessions), showing:
            written = await self.writer.write(order, showing)
        text = clean_output(written.text, order.max_characters)
        async with self.sessions.begin() as session:
            return await self._finish(session, run, await self._facts(session, call, written) | {"output": text})

    async def _draw(self, run: TemplateRun) -> TryoutState | None:
        settings = image_from_json(run.settings)
        maker = maker_for(settings, self.cards, self.pictures)
        values = _values(run)
        content = next(iter(taken(f"(({CONTENT}))", values).values()), "")
        if maker is self.cards and len(content) > _CARD_TEXT:
            values |= {CONTENT: first_sentence(content, _CARD_TEXT)}
        order = picture_order(
            run.body,
            values,
            settings,
            language=run.language,
            user_id=run.user_id,
            foot="",
            seed=str(run.id),
            logo=await logo_of(self.media, run.user_id, settings.card) if maker is self.cards else None,
        )
        call = self._call(run)
        async with call.accounted(self.sessions):
            picture = await maker.make(order)
        # before it is stored: what it cost is true whatever becomes of the picture
        async with self.sessions.begin() as session:
            facts = await self._facts(session, call, picture)
        name = await self._name(run)
        media = await store(
            self.media, run.user_id, picture, order, name=name, alt=first_sentence(content or order.prompt, _ALT)
        )
        facts |= {
            "media_id": media.id,
            "image_width": media.width,
            "image_height": media.height,
            "image_mime": media.mime,
        }
        async with self.sessions.begin() as session:
            state = await self._finish(session, run, facts)
            await announce(session, run.user_id, "media", media.id)
        return state

    async def _facts(self, session: AsyncSession, call: Call, made: Made) -> dict[str, Any]:
        booked = await call.book(session, made)
        return {name: booked[name] for name in ("provider", "model", "duration_ms", "request_id")}

    async def _finish(self, session: AsyncSession, run: TemplateRun, facts: Mapping[str, Any]) -> TryoutState | None:
        """Whichever attempt has a result first gives it to the run; one that was stopped meanwhile stays stopped, and
        says what it cost."""
        row = await TryoutRepository(session).locked(run.user_id, run.id)
        if row is None:
            return None
        if row.state in OPEN_TRYOUTS:
            for name, value in facts.items():
                setattr(row, name, value)
            row.state, row.finished_at = TryoutState.succeeded, utcnow()
            row.reason, row.next_try_at, row.detail = None, None, ""
        await self._count(session, row)
        await announce(session, row.user_id, "template_run", row.id)
        return row.state

    async def _stumbled(self, run: TemplateRun, error: DomainError, duration_ms: int, pause: timedelta | None) -> None:
        """Why this attempt failed, and when the next one is: to be seen while it waits."""
        async with self.sessions.begin() as session:
            row = await TryoutRepository(session).locked(run.user_id, run.id)
            if row is None:
                return
            if row.state in OPEN_TRYOUTS and row.attempt == run.attempt:
                wait = error.retry_after or pause
                row.reason, row.duration_ms = error.code.value, duration_ms
                if isinstance(error, ProviderError):
                    row.detail, row.request_id = error.detail, error.request_id
                row.next_try_at = utcnow() + wait if error.retryable and wait else None
                row.output = ""
            await self._count(session, row)
            await announce(session, row.user_id, "template_run", row.id)

    async def _stopped(self, run: TemplateRun) -> TryoutState | None:
        """Its call was ended from outside: what has been booked until now is what it cost."""
        async with self.sessions.begin() as session:
            row = await TryoutRepository(session).locked(run.user_id, run.id)
            if row is None:
                return None
            await self._count(session, row)
            await announce(session, row.user_id, "template_run", row.id)
            return row.state

    async def _count(self, session: AsyncSession, row: TemplateRun) -> None:
        """Tokens and cost of all of its calls."""
        for name, total in sums(await TryoutRepository(session).booked(row.user_id, row.id)).items():
            setattr(row, name, total)

    async def _number(self, session: AsyncSession, run: TemplateRun) -> int | None:
        """The newest saved version that says the same."""
        for version in await TryoutRepository(session).versions_of(run.user_id, run.template_id, run.body):
            if version.language == run.language and _settings(run.type, version.settings) == run.settings:
                return version.number
        return None

    async def _name(self, run: TemplateRun) -> str:
        async with self.sessions() as session:
            template, *_ = await TemplateRepository(session).get(run.user_id, run.template_id)
        return template.name


@dataclass
class _Showing:
    """Saves a text while it is written, now and then, beside whoever writes it: within the block it is a `Progress`.
    Raises Overtaken where nobody waits for the text any more."""

    sessions: Sessions
    run: TemplateRun
    limit: int
    come: str = ""
    mine: bool = True
    over: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, text: str) -> None:
        if not self.mine:
            raise Overtaken
        self.come = text

    async def __aenter__(self) -> "_Showing":
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
                await self._show(clean_output(saved, self.limit))
            with suppress(TimeoutError):
                await asyncio.wait_for(self.over.wait(), SHOWING)

    async def _show(self, text: str) -> None:
        run = self.run
        try:
            async with self.sessions.begin() as session:
                self.mine = await TryoutRepository(session).show(run.user_id, run.id, run.attempt, text)
                if self.mine:
                    await announce(session, run.user_id, "template_run", run.id)
        except (SQLAlchemyError, OSError) as error:
            # a text that is paid for does not end because nobody could watch it come
            logger.warning("try-out: not shown (%s)", type(error).__name__)


def json_output(run: TemplateRun) -> dict[str, Any]:
    """Output and evidence of a try-out as one document, as far as they have come.

    The keys are always there. `output` is the text, None of an image template; `image` is None of a text template and
    until the picture is there. `prompt` is None where it is longer than is taken today, `version` for changes that
    were not saved, tokens and cost for what is unknown.
    """
    text = run.type is TemplateType.text
    return {
        "id": str(run.id),
        "type": run.type.value,
        "state": run.state.value,
        "output": run.output if text else None,
        "image": (
            {
                "media_id": str(run.media_id),
                "width": run.image_width,
                "height": run.image_height,
                "mime": run.image_mime,
            }
            if run.media_id
            else None
        ),
        "error": {"code": run.reason, "detail": run.detail} if run.reason else None,
        "version": run.number,
        "language": run.language,
        "inputs": run.inputs,
        "settings": run.settings,
        "prompt": _prompt_kept(run),
        "provider": run.provider,
        "model": run.model,
        "usage": {"input_tokens": run.input_tokens, "output_tokens": run.output_tokens},
        "cost": {"micros": run.cost_micros, "currency": CURRENCY},
        "attempt": run.attempt,
        "duration_ms": run.duration_ms,
        "request_id": run.request_id,
        "created_at": _moment(run.created_at),
        "started_at": _moment(run.started_at),
        "finished_at": _moment(run.finished_at),
    }


def _prompt_kept(run: TemplateRun) -> str | None:
    """None of what an older release took, which knew no limit."""
    try:
        return _prompt(run)
    except InvalidInput:
        return None


def _problems(run: TemplateRun) -> list[FieldError]:
    """All that keeps it from being tried."""
    parsed = parse(run.body)
    problems = list(parsed.errors)
    if not run.body.strip():
        problems.append(FieldError("body", ErrorCode.content_empty))
    values = taken(run.body, _values(run))
    for name in parsed.variables:
        field, value = f"inputs.{name}", values.get(name)
        if value is None:
            problems.append(FieldError(field, ErrorCode.variable_value_required, name=name))
        elif len(value) > MAX_VALUE:
            problems.append(FieldError(field, ErrorCode.content_too_long, length=len(value), limit=MAX_VALUE))
    if not problems:
        try:
            _prompt(run)
        except InvalidInput as error:
            return error.errors
    return problems


def _prompt(run: TemplateRun) -> str:
    """What the model is told. Raises InvalidInput (prompt_too_long)."""
    return _text_order(run).brief if run.type is TemplateType.text else fill(run.body, _values(run))


def _values(run: TemplateRun) -> dict[str, str]:
    """What is given, over what needs not be: an assistant has a language, a day, a channel and the template's tone."""
    tone = text_from_json(run.settings).tone if run.type is TemplateType.text else ""
    usual = values_for({"variables": {}, "topic": "", "topic_path": [], "language": run.language}, tone=tone)
    del usual[TOPIC]
    given = {name: value for name, value in run.inputs.items() if value.strip()}
    # of the day it was ordered, so that a repeat after midnight asks for the same
    return usual | {"Date": run.created_at.date().isoformat()} | given


def _text_order(run: TemplateRun) -> TextOrder:
    settings, values = text_from_json(run.settings), _values(run)
    return text_order(
        run.body,
        values,
        settings,
        language=run.language,
        limit=settings.max_characters or _MAX_CHARACTERS,
        topic=next(iter(taken(f"(({TOPIC}))", values).values()), ""),
        user_id=run.user_id,
        seed=str(run.id),
    )


def _settings(type: TemplateType, stored: dict[str, Any]) -> dict[str, Any]:
    """Those of the type, whole: what an older release did not know takes its default."""
    if type is TemplateType.text:
        return text_to_json(text_from_json(stored.get("text") or {}))
    return image_to_json(image_from_json(stored.get("image") or {}))


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
