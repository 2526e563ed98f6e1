"""Texts from OpenAI or any server that speaks its API."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import openai
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from core.domain.errors import ErrorCode, ProviderError, Refused, RetrySafe
from core.domain.templates import ReasoningEffort
from core.domain.usage import UNTOLD, Spent, Usage, is_prompt_cut
from core.providers.bounds import text_room, title_room
from core.providers.capabilities import ABOUT_CONTENT, TOO_LONG, Api, Capabilities, ErrorAnswer, words_of
from core.providers.catalogue import is_compatible, reasons, takes_temperature
from core.providers.openai import FAILURES, connect, failed, failure, name_of_call, usage
from core.providers.redaction import clip
from core.providers.writers.base import Progress, Suggested, SuggestOrder, TextOrder, Written
from core.providers.writers.titles import SCHEMA, brief, instructions, read_titles

TIMEOUT = timedelta(seconds=120)
"""Of the whole call, also of a stream that drips."""

_LACKS_RESPONSES = (200, 400, 403, 404, 405, 415, 422, 500, 501)
"""Statuses by which servers refuse the Responses API that they do not have, or do not have for this model; 200 where
the answer is an error."""
_ABOUT_MODEL = ("model_not_found", "invalid_api_key")


@dataclass(frozen=True)
class _Call:
    """What is asked, in whichever of the two APIs."""

    model: str
    instructions: str
    brief: str
    subject: str
    max_tokens: int
    temperature: float | None = None
    effort: ReasoningEffort | None = None
    schema: dict[str, Any] | None = None


@dataclass(frozen=True)
class _Said:
    text: str
    spent: Spent


class OpenAIWriter:
    provider = "openai"

    def __init__(
        self, api_key: str | None, base_url: str | None, model: str, effort: ReasoningEffort | None = None
    ) -> None:
        self.model = model
        self.effort = effort
        self._compatible = is_compatible(base_url)
        self._capabilities = Capabilities()
        self._client = connect(api_key, base_url, timeout=TIMEOUT)

    async def write(self, order: TextOrder, progress: Progress | None = None) -> Written:
        """A repeat is a new, billed request. Streams only for `progress`."""
        # of another server nobody knows more models than its own
        model = self.model if self._compatible else order.model or self.model
        temperature = order.temperature if takes_temperature(model) else None
        call = _Call(
            model,
            order.instructions,
            order.brief,
            order.subject,
            text_room(order, self.effort),
            temperature,
            self._effort(model, order.effort),
        )
        said = await self._ask(call, progress)
        spent = said.spent
        return Written(said.text, spent.provider, spent.model, spent.usage, spent.request_id)

    async def suggest(self, order: SuggestOrder) -> Suggested:
        call = _Call(
            self.model,
            instructions(order),
            brief(order),
            order.subject,
            title_room(self.effort),
            effort=self._effort(self.model, None),
            schema=SCHEMA,
        )
        said = await self._ask(call, None)
        spent = said.spent
        titles = read_titles(said.text, order)
        if not titles:
            raise RetrySafe(ErrorCode.model_unavailable, detail="no titles in the answer", spent=spent)
        return Suggested(titles, spent.provider, spent.model, spent.usage, spent.request_id)

    async def close(self) -> None:
        await self._client.close()

    def _effort(self, model: str, wanted: ReasoningEffort | None) -> ReasoningEffort | None:
        """Left to another server where nobody has set one."""
        if not (self._compatible or reasons(model)):
            return None
        return wanted or self.effort or (None if self._compatible else ReasoningEffort.low)

    async def _ask(self, call: _Call, progress: Progress | None) -> _Said:
        try:
            async with asyncio.timeout(TIMEOUT.total_seconds()):
                return await self._ask_either(call, progress)
        except FAILURES as error:
            raise failure(error, self._spent(call, UNTOLD)) from error
        except Refused as error:
            raise _cut_off_because(error, call) from error

    async def _ask_either(self, call: _Call, progress: Progress | None) -> _Said:
        """By the Responses API, or by the older one where a compatible server does not have it for this model."""
        known = self._capabilities.api_of(call.model) if self._compatible else "responses"
        if known == "chat":
            return await self._chat(call, progress)
        try:
            said = await self._respond(call, progress)
        except (openai.APIStatusError, ErrorAnswer) as error:
            if known or not _may_lack_responses(error):
                raise
            try:
                said = await self._chat(call, progress)
            except openai.NotFoundError as other:
                # it has neither, so that the first answer is the one to show
                raise (other if error.status_code == 404 else error) from None
            self._capabilities.works(call.model, "chat")
            return said
        except ProviderError as error:
            if error.spent and error.spent.usage != UNTOLD:  # it has answered, whatever it said
                self._capabilities.works(call.model, "responses")
            raise
        self._capabilities.works(call.model, "responses")
        return said

    # the Responses API

    async def _respond(self, call: _Call, progress: Progress | None) -> _Said:
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
            answer: object = await self._send(self._client.responses.create, request, "responses")
            return self._read(call, answer, getattr(answer, "_request_id", None))
        return await self._listen(call, request, progress)

    async def _listen(self, call: _Call, request: dict[str, Any], progress: Progress) -> _Said:
        text = ""
        async with await self._send(self._client.responses.create, request | {"stream": True}, "responses") as stream:
            request_id = stream.response.headers.get("x-request-id")
            async for event in stream:
                match event.type:
                    case "response.output_text.delta":
                        text += event.delta
                        await progress(text)
                    case "response.completed" | "response.incomplete" | "response.failed":
                        return self._read(call, event.response, request_id, text)
                    case "error":
                        raise failed(event.code, event.message, self._spent(call, UNTOLD, request_id))
        raise self._broken_off(call, request_id)

    def _read(self, call: _Call, answer: object, request_id: str | None, heard: str = "") -> _Said:
        """What an answer says, `heard` where a stream's last event leaves it out. With status 200 it may still have
        failed, been cut off or refuse."""
        if not isinstance(answer, Response):  # the client hands out other content types as they come
            raise self._unreadable(call, request_id)
        # compatible servers leave out what nobody reads, and the client lets them
        spent = self._spent(call, usage(getattr(answer, "usage", None)), request_id or getattr(answer, "id", None))
        parts = list(_parts(answer))
        if refusal := "".join(text for kind, text in parts if kind == "refusal"):
            raise _refused(refusal, spent)
        match getattr(answer, "status", None):
            case "completed" | None:  # a compatible server may leave it out
                return _said("".join(text for kind, text in parts if kind == "output_text") or heard, spent)
            case "failed":
                told = answer.error
                raise failed(getattr(told, "code", None), getattr(told, "message", None), spent)
            case "incomplete":
                raise _cut_off(getattr(answer.incomplete_details, "reason", None), spent)
            case other:
                raise RetrySafe(ErrorCode.model_unavailable, detail=f"status {other}", spent=spent)

    # the older API, which most compatible servers have

    async def _chat(self, call: _Call, progress: Progress | None) -> _Said:
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
        answer: object = await self._send(self._client.chat.completions.create, request, "chat")
        request_id = getattr(answer, "_request_id", None)
        if not isinstance(answer, ChatCompletion):
            raise self._unreadable(call, request_id)
        spent = self._spent(call, usage(getattr(answer, "usage", None)), request_id or getattr(answer, "id", None))
        if not answer.choices or answer.choices[0].message is None:
            raise RetrySafe(ErrorCode.model_unavailable, detail="unreadable answer", spent=spent)
        choice = answer.choices[0]
        return _judged(choice.message.content, choice.message.refusal, choice.finish_reason, spent)

    async def _listen_to_chat(self, call: _Call, request: dict[str, Any], progress: Progress) -> _Said:
        text = refusal = ""
        finished: str | None = None
        used = UNTOLD
        streamed = request | {"stream": True, "stream_options": {"include_usage": True}}
        async with await self._send(self._client.chat.completions.create, streamed, "chat") as stream:
            request_id = stream.response.headers.get("x-request-id")
            async for chunk in stream:
                request_id = request_id or getattr(chunk, "id", None)
                used = usage(chunk.usage) if chunk.usage else used
                for choice in chunk.choices or ():
                    finished = choice.finish_reason or finished
                    refusal += choice.delta.refusal or ""
                    if choice.delta.content:
                        text += choice.delta.content
                        await progress(text)
        if finished is None:
            raise self._broken_off(call, request_id, used)
        return _judged(text, refusal, finished, self._spent(call, used, request_id))

    async def _send(self, create: Callable[..., Awaitable[Any]], request: dict[str, Any], api: Api) -> Any:
        # of OpenAI it is known what it takes, and where it refuses something, it says what
        guess = self._compatible and (api == "chat" or self._capabilities.api_of(request["model"]) is not None)
        return await self._capabilities.send(create, request, api, guess=guess)

    def _spent(self, call: _Call, used: Usage, request_id: str | None = None) -> Spent:
        return Spent(self.provider, call.model, used, name_of_call(request_id))

    def _unreadable(self, call: _Call, request_id: str | None) -> ProviderError:
        spent = self._spent(call, UNTOLD, request_id)
        return RetrySafe(ErrorCode.model_unavailable, detail="unreadable answer", spent=spent)

    def _broken_off(self, call: _Call, request_id: str | None, used: Usage = UNTOLD) -> ProviderError:
        spent = self._spent(call, used, request_id)
        return RetrySafe(ErrorCode.model_unavailable, detail="the stream broke off", spent=spent)


def _may_lack_responses(error: openai.APIStatusError | ErrorAnswer) -> bool:
    said = f"{error.code} {words_of(error)}"
    return (
        error.status_code in _LACKS_RESPONSES
        and error.code not in _ABOUT_MODEL
        and not TOO_LONG.search(said)
        # elsewhere a policy may be one of what is allowed to whom
        and not (error.status_code in (400, 422) and ABOUT_CONTENT.search(said))
    )


def _cut_off_because(error: Refused, call: _Call) -> Refused:
    """The same, with what took the room of an answer that was cut off, as far as its tokens tell."""
    spent = error.spent
    if error.code is not ErrorCode.model_incomplete or spent is None:
        return error
    if is_prompt_cut(len((call.instructions + call.brief).encode()), spent.usage):
        return Refused(ErrorCode.model_context_too_small, detail=error.detail, spent=spent)
    if spent.usage.reasoning_tokens > (spent.usage.output_tokens or 0) // 2:
        return Refused(ErrorCode.model_reasoned_too_long, detail=error.detail, spent=spent)
    return error


def _parts(answer: Response) -> Iterator[tuple[str, str]]:
    """Kind and text of all content parts; `output` may begin with reasoning, which has none."""
    for item in getattr(answer, "output", None) or ():
        for part in getattr(item, "content", None) or ():
            kind = getattr(part, "type", None)
            text = getattr(part, "refusal" if kind == "refusal" else "text", None)
            if isinstance(kind, str) and isinstance(text, str):
                yield kind, text


def _judged(text: str | None, refusal: str | None, finished: str | None, spent: Spent) -> _Said:
    """The answer of a chat."""
    if refusal:
        raise _refused(refusal, spent)
    if finished in ("content_filter", "length"):
        raise _cut_off(finished, spent)
    return _said(text, spent)


def _said(text: str | None, spent: Spent) -> _Said:
    if not text or not text.strip():
        raise RetrySafe(ErrorCode.model_unavailable, detail="empty answer", spent=spent)
    return _Said(text.strip(), spent)


def _refused(why: str, spent: Spent) -> ProviderError:
    return Refused(ErrorCode.model_refused, detail=clip(why), spent=spent)


def _cut_off(reason: str | None, spent: Spent) -> ProviderError:
    """By the provider's filter, which is a refusal, or before it was complete."""
    if reason == "content_filter":
        return _refused(reason, spent)
    return Refused(ErrorCode.model_incomplete, detail=clip(f"incomplete: {reason}"), spent=spent)
