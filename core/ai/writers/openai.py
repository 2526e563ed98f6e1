"""Texts from OpenAI or a server with a compatible API."""

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from dataclasses import dataclass
from datetime import timedelta
from types import MappingProxyType
from typing import Any

import httpx2
import openai

from core.ai.bounds import form_room, text_room, title_room
from core.ai.capabilities import ABOUT_CONTENT, TOO_LONG, Api, Capabilities, ErrorAnswer, error_text
from core.ai.catalogue import is_compatible, reasons, takes_temperature
from core.ai.openai import FAILURES, connect, failure, read_request_id, reported_failure
from core.ai.rules.answers import Content, Form, field, read_answer, read_content
from core.ai.rules.reasoning import ends_unopened_reasoning
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage, is_prompt_cut
from core.ai.writers.base import Progress, Suggested, SuggestOrder, TextOrder, Written
from core.ai.writers.forms import Filled, FormOrder, read_object
from core.ai.writers.network_texts import first_text_so_far, read_texts, schema_of
from core.ai.writers.replies import ChatStream, Reply, from_json, read_chat, read_response
from core.ai.writers.titles import SCHEMA, brief, instructions, read_titles
from core.errors import ErrorCode, ProviderError, Refused, RetrySafe
from core.networks.rules.channels import ChannelKind
from core.templates.rules.templates import ReasoningEffort

TIMEOUT = timedelta(seconds=120)
"""Limit for the whole call, also for a slow stream."""

_LACKS_RESPONSES = (200, 400, 403, 404, 405, 415, 422, 500, 501)
"""Statuses of servers without the Responses API, or without it for this model; 200 if the answer is an error."""
_ABOUT_MODEL = ("model_not_found", "invalid_api_key")
_ODD = (AttributeError, LookupError, RuntimeError, TypeError, ValueError, httpx2.HTTPError, httpx2.StreamError)
"""Errors of the client library, beside its own, for an answer of unexpected structure."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Call:
    """A request for either of the two APIs."""

    model: str
    instructions: str
    brief: str
    subject: str
    max_tokens: int
    temperature: float | None = None
    effort: ReasoningEffort | None = None
    schema: dict[str, Any] | None = None


@dataclass(frozen=True)
class _StreamedAnswer:
    reply: Reply
    spent: Spent


class OpenAIWriter:
    provider = "openai"
    one_for_all = False

    def __init__(
        self, api_key: str | None, base_url: str | None, model: str, effort: ReasoningEffort | None = None
    ) -> None:
        self.model = model
        self.effort = effort
        self._compatible = is_compatible(base_url)
        self._capabilities = Capabilities()
        # set once an answer has only the end of reasoning, because the server's prompt opens it
        self._begins_reasoning = False
        self._client = connect(api_key, base_url, timeout=TIMEOUT)

    async def write(self, order: TextOrder, progress: Progress | None = None) -> Written:
        """Write a text; each call is a new, billed request. Streams only for `progress`."""
        model = self._model_of(order.model)
        temperature = order.temperature if takes_temperature(model) else None
        call = _Call(
            model,
            order.instructions,
            order.brief,
            order.subject,
            text_room(order, self.effort),
            temperature,
            self._effort(model, order.effort),
            schema_of(order.networks) if order.several else None,
        )
        if order.several:
            return await self._write_several(call, order, progress)
        answer = await self._ask(call, progress)
        return _written(answer.reply.text(order.form, answer.spent), answer.spent)

    async def _write_several(self, call: _Call, order: TextOrder, progress: Progress | None) -> Written:
        async def show_first(raw: str) -> None:
            assert progress is not None
            await progress(first_text_so_far(raw))

        answer = await self._ask(call, show_first if progress else None)
        spent = answer.spent
        texts = read_texts(answer.reply.raw_text(spent), order.networks)
        # a refusal or an empty answer says nothing about the form, and is raised
        text = next(iter(texts.values()), "") or answer.reply.text(order.form, spent)
        self._capabilities.note_form(call.model, kept=bool(texts))
        return _written(text, spent, texts)

    def writes_several(self, model: str | None) -> bool:
        return self._capabilities.keeps_form(self._model_of(model))

    async def suggest(self, order: SuggestOrder) -> Suggested:
        call = _Call(
            self.model,
            instructions(order),
            brief(order),
            order.subject,
            title_room(order, self.effort),
            effort=self._effort(self.model, None),
            schema=SCHEMA,
        )
        answer = await self._ask(call, None)
        spent = answer.spent
        bare = read_answer(answer.reply.raw_text(spent), Form.article)
        titles = read_titles(bare.text, order)
        if not titles:
            if not bare.text:
                raise answer.reply.missing_text_error(spent, reasoned=bare.reasoned)
            raise RetrySafe(ErrorCode.model_unavailable, detail="the answer has no titles", spent=spent)
        return Suggested(titles, spent.provider, spent.model, spent.usage, spent.request_id)

    async def fill(self, order: FormOrder) -> Filled:
        call = _Call(
            self.model,
            order.instructions,
            order.brief,
            order.subject,
            form_room(order, self.effort),
            effort=self._effort(self.model, None),
            schema=order.schema,
        )
        answer = await self._ask(call, None)
        spent = answer.spent
        values = read_object(answer.reply.raw_text(spent))
        if values is None:
            raise RetrySafe(ErrorCode.model_unavailable, detail="the answer is no JSON object", spent=spent)
        return Filled(values, spent.provider, spent.model, spent.usage, spent.request_id)

    async def close(self) -> None:
        await self._client.close()

    def _model_of(self, wanted: str | None) -> str:
        # another server's models are unknown except the configured one
        return self.model if self._compatible else wanted or self.model

    def _effort(self, model: str, wanted: ReasoningEffort | None) -> ReasoningEffort | None:
        """Return the effort to request, or None to leave it to the model or, if none is set, to another server."""
        if not (self._compatible or reasons(model)):
            return None
        return wanted or self.effort or (None if self._compatible else ReasoningEffort.low)

    async def _ask(self, call: _Call, progress: Progress | None) -> _StreamedAnswer:
        try:
            async with asyncio.timeout(TIMEOUT.total_seconds()):
                return await self._ask_either(call, progress)
        except FAILURES as error:
            raise failure(error, self._spent(call, UNKNOWN_USAGE)) from error
        except _Unreadable as error:
            logger.warning("the text model's answer could not be read (%s)", error)
            raise self._unreadable(call, None) from error
        except Refused as error:
            raise _cut_off_because(error, call) from error

    async def _ask_either(self, call: _Call, progress: Progress | None) -> _StreamedAnswer:
        """Call the Responses API, or the Chat API if a compatible server lacks the former for this model."""
        known = self._capabilities.api_of(call.model) if self._compatible else "responses"
        if known == "chat":
            return await self._chat(call, progress)
        try:
            answer = await self._respond(call, progress)
        except (openai.APIStatusError, ErrorAnswer) as error:
            if known or not _may_lack_responses(error):
                raise
            try:
                answer = await self._chat(call, progress)
            except openai.NotFoundError as other:
                # the server has neither API, so the first error is the one to show
                raise (other if error.status_code == 404 else error) from None
            self._capabilities.remember_api(call.model, "chat")
            return answer
        except ProviderError as error:
            if error.spent and error.spent.usage != UNKNOWN_USAGE:  # the API has answered
                self._capabilities.remember_api(call.model, "responses")
            raise
        self._capabilities.remember_api(call.model, "responses")
        return answer

    # the Responses API

    async def _respond(self, call: _Call, progress: Progress | None) -> _StreamedAnswer:
        extra: dict[str, Any] = {} if self._compatible else {"safety_identifier": call.subject}
        if call.effort:
            extra["reasoning"] = {"effort": call.effort.value}
        if call.temperature is not None:
            extra["temperature"] = call.temperature
        if call.schema:
            extra["text"] = {"format": {"type": "json_schema", "name": "answer", "strict": True, "schema": call.schema}}
        request = {
            "model": call.model,
            "instructions": call.instructions,
            "input": call.brief,
            "max_output_tokens": call.max_tokens,
            "store": False,  # the default keeps every text for a month
            **extra,
        }
        if progress is None:
            with _reading_answer():
                answer: object = await self._send(self._client.responses.create, request, "responses")
            return self._read(call, read_response(answer), getattr(answer, "_request_id", None))
        return await self._listen(call, request, progress)

    async def _listen(self, call: _Call, request: dict[str, Any], progress: Progress) -> _StreamedAnswer:
        received = Content()
        async with await self._send(self._client.responses.create, request | {"stream": True}, "responses") as stream:
            request_id = stream.response.headers.get("x-request-id")
            if _is_json(stream.response):
                return self._read(call, read_response(await _merge_headers(stream.response)), request_id)
            async with aclosing(_stream_events(stream)) as events:
                async for event in events:
                    match field(event, "type"):
                        case "response.output_text.delta":
                            received += read_content(field(event, "delta"))
                            await self._show(progress, received.text)
                        case "response.completed" | "response.incomplete" | "response.failed" as kind:
                            status = kind.removeprefix("response.")
                            return self._read(
                                call, read_response(field(event, "response"), received, status), request_id
                            )
                        case "error":
                            code, message = field(event, "code"), field(event, "message")
                            raise reported_failure(code, message, self._spent(call, UNKNOWN_USAGE, request_id))
        raise self._broken_off(call, request_id)

    def _read(self, call: _Call, reply: Reply | None, request_id: str | None) -> _StreamedAnswer:
        """Return the answer with its usage. Raise if it is unreadable, failed, cut off or a refusal despite 200."""
        if reply is None:
            raise self._unreadable(call, request_id)
        spent = self._spent(call, reply.used, request_id or reply.id)
        self._begins_reasoning = self._begins_reasoning or ends_unopened_reasoning(reply.raw_text(spent))
        return _StreamedAnswer(reply, spent)

    # the Chat API, which most compatible servers have

    async def _chat(self, call: _Call, progress: Progress | None) -> _StreamedAnswer:
        extra: dict[str, Any] = {} if call.temperature is None else {"temperature": call.temperature}
        if call.effort:
            extra["reasoning_effort"] = call.effort.value
        if call.schema:
            form = {"name": "answer", "strict": True, "schema": call.schema}
            extra["response_format"] = {"type": "json_schema", "json_schema": form}
        request = {
            "model": call.model,
            "messages": [
                {"role": "system", "content": call.instructions},
                {"role": "user", "content": call.brief},
            ],
            "max_tokens": call.max_tokens,
            **extra,
        }
        if progress is not None:
            return await self._listen_to_chat(call, request, progress)
        with _reading_answer():
            answer: object = await self._send(self._client.chat.completions.create, request, "chat")
        return self._read(call, read_chat(answer), getattr(answer, "_request_id", None))

    async def _listen_to_chat(self, call: _Call, request: dict[str, Any], progress: Progress) -> _StreamedAnswer:
        received = ChatStream()
        streamed = request | {"stream": True, "stream_options": {"include_usage": True}}
        async with await self._send(self._client.chat.completions.create, streamed, "chat") as stream:
            request_id = stream.response.headers.get("x-request-id")
            if _is_json(stream.response):
                return self._read(call, read_chat(await _merge_headers(stream.response)), request_id)
            async with aclosing(_stream_events(stream)) as chunks:
                async for chunk in chunks:
                    if received.take(chunk):
                        await self._show(progress, received.content.text)
        reply = received.reply()
        if reply is None:
            raise self._broken_off(call, request_id or received.id, received.used)
        return self._read(call, reply, request_id)

    async def _show(self, progress: Progress, text: str) -> None:
        """Show the text so far, except reasoning of a server that is known to begin with it."""
        if not self._begins_reasoning or ends_unopened_reasoning(text):
            await progress(text)

    async def _send(self, create: Callable[..., Awaitable[Any]], request: dict[str, Any], api: Api) -> Any:
        # OpenAI always names the refused parameter
        guess = self._compatible and (api == "chat" or self._capabilities.api_of(request["model"]) is not None)
        return await self._capabilities.send(create, request, api, guess=guess)

    def _spent(self, call: _Call, used: Usage, request_id: str | None = None) -> Spent:
        return Spent(self.provider, call.model, used, read_request_id(request_id))

    def _unreadable(self, call: _Call, request_id: str | None) -> ProviderError:
        spent = self._spent(call, UNKNOWN_USAGE, request_id)
        return RetrySafe(ErrorCode.model_unavailable, detail="the answer cannot be read", spent=spent)

    def _broken_off(self, call: _Call, request_id: str | None, used: Usage = UNKNOWN_USAGE) -> ProviderError:
        spent = self._spent(call, used, request_id)
        return RetrySafe(ErrorCode.model_unavailable, detail="the stream was interrupted", spent=spent)


def _written(text: str, spent: Spent, texts: Mapping[ChannelKind, str] = MappingProxyType({})) -> Written:
    return Written(text, spent.provider, spent.model, spent.usage, spent.request_id, texts)


def _is_json(response: httpx2.Response) -> bool:
    """Return whether a server has sent a whole answer in place of the requested stream."""
    return "json" in response.headers.get("content-type", "").lower()


def _may_lack_responses(error: openai.APIStatusError | ErrorAnswer) -> bool:
    message = f"{error.code} {error_text(error)}"
    return (
        error.status_code in _LACKS_RESPONSES
        and error.code not in _ABOUT_MODEL
        and not TOO_LONG.search(message)
        # with other statuses, "policy" may mean access rights
        and not (error.status_code in (400, 422) and ABOUT_CONTENT.search(message))
    )


def _cut_off_because(error: Refused, call: _Call) -> Refused:
    """Return the error of a cut off answer with the cause that its token counts show, else the same error."""
    spent = error.spent
    if error.code is not ErrorCode.model_incomplete or spent is None:
        return error
    if is_prompt_cut(len((call.instructions + call.brief).encode()), spent.usage):
        return Refused(ErrorCode.model_context_too_small, detail=error.detail, spent=spent)
    if spent.usage.reasoning_tokens > (spent.usage.output_tokens or 0) // 2:
        return Refused(ErrorCode.model_reasoned_too_long, detail=error.detail, spent=spent)
    return error


async def _merge_headers(response: httpx2.Response) -> Any:
    with _reading_answer():
        return from_json(await response.aread())


class _Unreadable(Exception):
    """An answer that the client library cannot read, with the name of its error."""


@contextmanager
def _reading_answer() -> Iterator[None]:
    try:
        yield
    except FAILURES:
        raise
    except _ODD as error:
        raise _Unreadable(type(error).__name__) from error


async def _stream_events(stream: AsyncIterable[Any]) -> AsyncGenerator[Any]:
    """Yield the events of a stream. Only errors of the stream itself become `_Unreadable`. The caller closes it."""
    with _reading_answer():
        async for event in stream:
            yield event
