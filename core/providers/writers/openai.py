"""Texts from OpenAI or any server that speaks its API."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import openai
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from core.domain.errors import ErrorCode, ProviderError, Refused, RetrySafe
from core.providers import http
from core.providers.openai import connect, failed, failure, is_compatible, usage
from core.providers.writers.base import TextOrder, Usage, Written

TIMEOUT = timedelta(seconds=120)

MAX_OUTPUT_TOKENS = 8000
"""Reasoning counts too: a tight limit costs the whole request and returns nothing."""

_REASONING = ("gpt-5", "gpt-6")
_NO_SUCH_PATH = (404, 405)


class OpenAIWriter:
    provider = "openai"

    def __init__(self, api_key: str | None, base_url: str | None, model: str) -> None:
        self.model = model
        self._compatible = is_compatible(base_url)
        self._chats = False  # set once a compatible server turns out to have no Responses API
        self._secrets = [api_key] if api_key else []
        self._client = connect(api_key, base_url, timeout=TIMEOUT)

    async def write(self, order: TextOrder) -> Written:
        """A repeat is a new, billed request; what a lost answer cost stays unknown."""
        try:
            if not self._chats:
                try:
                    return await self._respond(order)
                except openai.APIStatusError as error:
                    if not self._lacks_responses(error):
                        raise
                    self._chats = True
            return await self._chat(order)
        except (openai.OpenAIError, ValueError) as error:  # ValueError: status 200 with broken JSON
            raise failure(error, self._secrets) from error

    async def close(self) -> None:
        await self._client.close()

    async def _respond(self, order: TextOrder) -> Written:
        # other servers may refuse parameters that they do not know
        extra: dict[str, Any] = {} if self._compatible else {"safety_identifier": order.subject}
        if not self._compatible and self.model.startswith(_REASONING):
            extra["reasoning"] = {"effort": "low"}
        answer: object = await self._client.responses.create(
            model=self.model,
            instructions=order.instructions,
            input=order.brief,
            max_output_tokens=MAX_OUTPUT_TOKENS,
            store=False,  # the default keeps every text for a month
            **extra,
        )
        if not isinstance(answer, Response):  # the client hands out other content types as they come
            raise _unreadable()
        parts = list(_parts(answer))
        _check(answer, refusal="".join(text for kind, text in parts if kind == "refusal"))
        text = "".join(text for kind, text in parts if kind == "output_text")
        return self._written(text, usage(answer.usage), answer._request_id or answer.id)

    async def _chat(self, order: TextOrder) -> Written:
        answer: object = await self._client.chat.completions.create(
            model=self.model,
            messages=[
                {"role": "system", "content": order.instructions},
                {"role": "user", "content": order.brief},
            ],
            max_tokens=MAX_OUTPUT_TOKENS,
        )
        if not isinstance(answer, ChatCompletion) or not answer.choices:
            raise _unreadable()
        choice = answer.choices[0]
        if choice.message is None:
            raise _unreadable()
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise _refused(choice.message.refusal or "content_filter")
        if choice.finish_reason == "length":
            raise _refused("incomplete: length")
        return self._written(choice.message.content, usage(answer.usage), answer._request_id or answer.id)

    def _written(self, text: str | None, used: Usage, request_id: str | None) -> Written:
        if not text or not text.strip():
            raise RetrySafe(ErrorCode.model_unavailable, detail="empty answer")
        return Written(text.strip(), self.provider, self.model, used, request_id)

    def _lacks_responses(self, error: openai.APIStatusError) -> bool:
        return self._compatible and error.status_code in _NO_SUCH_PATH and error.code != "model_not_found"


def _check(answer: Response, *, refusal: str) -> None:
    """An answer with status 200 may still have failed, been cut off or refuse."""
    if refusal:
        raise _refused(refusal)
    match answer.status:
        case "completed" | None:  # a compatible server may leave it out
            return
        case "failed":
            told = answer.error
            raise failed(getattr(told, "code", None), getattr(told, "message", None))
        case "incomplete":
            raise _refused(f"incomplete: {getattr(answer.incomplete_details, 'reason', None)}")
        case other:
            raise RetrySafe(ErrorCode.model_unavailable, detail=f"status {other}")


def _parts(answer: Response) -> Iterator[tuple[str, str]]:
    """Kind and text of all content parts; `output` may begin with reasoning, which has none."""
    for item in answer.output or ():
        for part in getattr(item, "content", None) or ():
            kind = getattr(part, "type", None)
            text = getattr(part, "refusal" if kind == "refusal" else "text", None)
            if isinstance(kind, str) and isinstance(text, str):
                yield kind, text


def _refused(why: str) -> ProviderError:
    return Refused(ErrorCode.model_refused, detail=http.clip(why))


def _unreadable() -> ProviderError:
    return RetrySafe(ErrorCode.model_unavailable, detail="unreadable answer")
