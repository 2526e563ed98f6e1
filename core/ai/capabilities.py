"""What an OpenAI-compatible server refuses, learnt from its errors.

There is no list of servers: they change with every release, and one address may serve many models. A request is first
sent whole. If the server refuses a parameter, the request is repeated without it, with its other name, or with a
smaller value. What works is remembered for the model until the process ends. A refused request costs nothing.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import openai

Api = Literal["responses", "chat", "images"]

_REFUSALS: Final = (200, 400, 422, 501)
"""Statuses of a refused request: 200 if the answer is an error."""
_LIMITS: Final = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens", "max_output_tokens": ""}
"""Output limits, each with its other name. They are never left out, so that a call's maximum cost is known before
it is made."""
_OPTIONAL: Final = frozenset(
    {
        "temperature",
        "reasoning",
        "reasoning_effort",
        "response_format",
        "text",
        "store",
        "stream_options",
        "safety_identifier",
        "size",
        "quality",
        "output_format",
        "output_compression",
        "moderation",
        "n",
    }
)
"""Parameters that a request can leave out."""
_ALSO_CALLED: Final = {
    "max_output_tokens": ("max_tokens", "max_completion_tokens"),
    "reasoning": ("reasoning_effort", "reasoningEffort", "thinking"),
    "reasoning_effort": ("reasoningEffort", "reasoning", "thinking"),
    "text": ("response_format", "json schema", "json mode"),
    "response_format": ("json schema", "json mode"),
}
"""Other names of a parameter in errors: a proxy may rename it for the server behind it, or describe it in words."""
_MAX_REPEATS: Final = 10
"""Repeats of one request: more than any server has refused parameters one by one."""
_MIN_ROOM: Final = 500
"""Output tokens below which a text is not requested."""
_MOST_MISSES: Final = 2
"""Answers in a row without the form that was asked for, after which a model is no longer asked for it."""

UNSUPPORTED: Final = re.compile(
    r"\b(?:un(?:supported|recogni[sz]ed|known|expected)|invalid)[ _]\W?"
    r"(?:request |keyword )?(?:parameter|argument|field|property|name|key)"
    r"|\b(?:parameter|argument|field|property|propert|input)(?:s|ies)?\b.{0,80}?"
    r"(?:not (?:supported|permitted|allowed|recogni[sz]ed)|unsupported)"
    r"|\bnot support.{0,20}? parameter|\bextra[ _](?:fields|inputs|forbidden)|\badditional properties"
    r"|\bis unsupported\b|cannot find field",
    re.IGNORECASE,
)
"""Matches errors about an unknown parameter."""
TOO_LONG: Final = re.compile(
    r"context[ _](?:length|size|window|limit)|maximum (?:context|prompt length|number of tokens)"
    r"|(?:prompt|input) is too long|too many (?:input |prompt )?tokens|too large to process|request too large"
    r"|model token limit|range of input length|[`']inputs[`'] (?:tokens|must have)",
    re.IGNORECASE,
)
"""Matches errors about prompt and text exceeding the model's context."""
ABOUT_CONTENT: Final = re.compile(
    r"content[ _](?:filter|policy|management)|moderation|safety|\bpolicy\b|flagged|invalid_prompt", re.IGNORECASE
)
"""Matches refusals by a content policy."""
_NO_SYSTEM: Final = re.compile(r"system (?:role|message|prompt)s?[^.]{0,40}\bnot\b|roles must alternate", re.IGNORECASE)
_SIZE: Final = re.compile(r"\b(\d{2,5})x(\d{2,5})\b")
_NUMBER: Final = re.compile(r"(?<![\w.-])\d{2,7}(?![\w-]|\.\d)")
_OPENS, _ENDS = "['\"`\\[‘“]", "['\"`\\]’”]"
_CALLED: Final = r"(?:parameter|argument|field|property|option|name|input)s?(?: supplied| provided)?:? "


class ErrorAnswer(openai.OpenAIError):
    """An error in an answer with status 200."""

    def __init__(self, body: object) -> None:
        super().__init__("an error with status 200")
        self.body = body
        code = body.get("code") if isinstance(body, Mapping) else None
        self.code = str(code) if code is not None else None
        self.param = body.get("param") if isinstance(body, Mapping) else None
        # the error's code, if it is a status
        self.status_code = int(found[0]) if (found := re.fullmatch(r"[45]\d\d", self.code or "")) else 200


Refusal = openai.APIStatusError | ErrorAnswer


@dataclass(frozen=True)
class ModelLimits:
    """Limits learnt for one model of one server through one API."""

    left_out: frozenset[tuple[str, str]] = frozenset()
    """Parameters with the refused value: a server that refuses a temperature of 1.5 may accept 0.7."""
    sizes: Mapping[str, str] = field(default_factory=dict)
    """By refused image size: the nearest size that the server named."""
    limit_name: str | None = None
    """The server's name for the output limit."""
    most_output: int | None = None
    """The model's maximum output in tokens."""
    room: int | None = None
    """Tokens left in the model's context beside the current prompt."""
    no_system: bool = False
    """Whether the model accepts only user messages."""

    def apply(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the request as the server accepts it."""
        accepted: dict[str, Any] = {}
        for name, value in request.items():
            if name in _LIMITS:
                name = self.limit_name or name
                value = min(most for most in (value, self.most_output, self.room) if most is not None)
            elif name == "size":
                value = self.sizes.get(value, value)
            elif name == "messages" and self.no_system:
                value = [{"role": "user", "content": "\n\n".join(message["content"] for message in value)}]
            if name not in _OPTIONAL or (name, _key(value)) not in self.left_out:
                accepted[name] = value
        return accepted

    def learn_from(self, error: Refusal, sent: Mapping[str, Any]) -> "ModelLimits | None":
        """Return the limits after the server has refused `sent`, or None if the error names nothing that can be
        changed."""
        if error.status_code not in _REFUSALS:
            return None
        words = error_text(error)
        if "messages" in sent and not self.no_system and _NO_SYSTEM.search(words):
            return replace(self, no_system=True)
        if TOO_LONG.search(words) and (limit := next((name for name in sent if name in _LIMITS), None)):
            room = _room(sent[limit], _numbers(words))
            if room is not None:
                return replace(self, room=room) if room >= _MIN_ROOM else None
        named = [name for name in sent if name in _OPTIONAL | _LIMITS.keys() and _is_named(name, error, words)]
        if limit := next((name for name in named if name in _LIMITS), None):
            return self._after_limit(limit, sent[limit], words)
        if "size" in named and sent["size"] not in self.sizes.values() and (near := _nearest(sent["size"], words)):
            return replace(self, sizes={**self.sizes, sent["size"]: near})
        return self._without(named, sent) if named else None

    def learn_from_unnamed(self, error: Refusal, sent: Mapping[str, Any]) -> "ModelLimits | None":
        """As `learn_from`, for an error that names nothing: leave out all optional parameters."""
        words = error_text(error)
        optional = [name for name in sent if name in _OPTIONAL]
        if error.status_code not in _REFUSALS or error.status_code == 200 or not optional:
            return None
        if ABOUT_CONTENT.search(words) or TOO_LONG.search(words):
            return None
        return self._without(optional, sent)

    def _without(self, names: list[str], sent: Mapping[str, Any]) -> "ModelLimits":
        return replace(self, left_out=self.left_out | {(name, _key(sent[name])) for name in names})

    def _after_limit(self, name: str, requested: int, words: str) -> "ModelLimits | None":
        other, numbers = _LIMITS[name], _numbers(words)
        if other and self.limit_name is None and (UNSUPPORTED.search(words) or f"{other}' instead" in words):
            return replace(self, limit_name=other)
        below = sorted((number for number in numbers if number < requested), reverse=True)
        if below and TOO_LONG.search(words):
            # the context minus the prompt, or half the context if the error does not name the prompt's length
            room = below[0] - (below[1] if len(below) > 1 else below[0] // 2)
            return replace(self, room=room) if room >= _MIN_ROOM else None
        if below and below[0] >= _MIN_ROOM:
            return replace(self, most_output=below[0])
        return replace(self, limit_name=other) if other and self.limit_name is None else None


class Capabilities:
    """The APIs, limits and forms of answers learnt for one server's models."""

    def __init__(self) -> None:
        self._learnt: dict[tuple[str, Api], ModelLimits] = {}
        self._apis: dict[str, Api] = {}
        self._misses: dict[str, int] = {}

    def api_of(self, model: str) -> Api | None:
        """Return the API for the model's texts, or None if unknown yet."""
        return self._apis.get(model)

    def remember_api(self, model: str, api: Api) -> None:
        """Remember the API for the model's texts."""
        self._apis[model] = api

    def keeps_form(self, model: str) -> bool:
        """Return whether the model may be asked for several texts as JSON."""
        return self._misses.get(model, 0) < _MOST_MISSES

    def note_form(self, model: str, *, kept: bool) -> None:
        """Note whether an answer was the JSON that was asked for."""
        self._misses[model] = 0 if kept else self._misses.get(model, 0) + 1

    async def send(
        self, create: Callable[..., Awaitable[Any]], request: dict[str, Any], api: Api, *, guess: bool
    ) -> Any:
        """Return the result of `create` for the request, reduced to what the server accepts. `guess`: repeat once
        without optional parameters after an error that names none.

        Raise the errors of `create`, and ErrorAnswer."""
        key = (request["model"], api)
        learnt, guessed_after, repeats = self._learnt.get(key, ModelLimits()), None, 0
        while True:
            sent = learnt.apply(request)
            try:
                answer = await create(**sent)
                await _raise_error_of(answer)
            except (openai.APIStatusError, ErrorAnswer) as error:
                if guessed_after and error.status_code in _REFUSALS:
                    raise guessed_after from None
                repeats += 1
                if repeats > _MAX_REPEATS:
                    raise
                if further := learnt.learn_from(error, sent):
                    learnt = further
                elif guess and (further := learnt.learn_from_unnamed(error, sent)):
                    learnt, guessed_after = further, error
                else:
                    raise
            else:
                self._learnt[key] = replace(learnt, room=None)
                return answer


def error_text(error: openai.APIError | ErrorAnswer) -> str:
    """Return the server's error message from any of the usual formats."""
    response = getattr(error, "response", None)
    return _words(error.body) or (response.text.strip() if response is not None else "") or str(error)


def _words(body: object) -> str:
    if isinstance(body, str):
        return body.strip()
    if isinstance(body, list):
        return "; ".join(filter(None, map(_words, body)))
    if not isinstance(body, Mapping):
        return ""
    if "msg" in body:  # FastAPI's format of an error of one parameter
        places = [place for place in body.get("loc") or () if isinstance(place, str) and place != "body"]
        return f"'{'.'.join(places)}': {body['msg']}"
    words = next((words for name in ("message", "detail", "error", "errors") if (words := _words(body.get(name)))), "")
    behind = body.get("metadata")  # a router's copy of the error of the server behind it
    raw = behind.get("raw") if isinstance(behind, Mapping) else None
    return f"{words}: {raw}" if isinstance(raw, str) else words


async def _raise_error_of(answer: object) -> None:
    error: object = None
    if isinstance(answer, openai.AsyncStream):
        if "json" in answer.response.headers.get("content-type", ""):  # not the requested stream
            try:
                body = json.loads(await answer.response.aread())
            except ValueError:
                return
            error = body.get("error") if isinstance(body, dict) else None
    elif choices := getattr(answer, "choices", None):
        error = getattr(choices[0], "error", None)
    elif not getattr(answer, "output", None) and getattr(answer, "status", None) != "failed":
        error = getattr(answer, "error", None)
    if error:
        raise ErrorAnswer(error.to_dict() if isinstance(error, openai.BaseModel) else error)


def _is_named(name: str, error: Refusal, words: str) -> bool:
    param = error.param if isinstance(error.param, str) else ""
    names = (name, *_ALSO_CALLED.get(name, ()))
    return re.split(r"[.\[]", param)[0] in names or any(_has_name(one, words) for one in names)


def _has_name(name: str, words: str) -> bool:
    # an everyday word counts only if it is quoted or called a parameter
    plain = rf"\b{name}\b|" if "_" in name or name == "temperature" else ""
    refused = rf"\b(?:does|do)(?:n['’]t| not) support {name}\b|\binvalid {name} value"
    pattern = rf"{plain}{_OPENS}{name}(?:[.\[][^'\"`]*)?{_ENDS}|{_CALLED}{name}\b|^{name}\b|{refused}"
    return re.search(pattern, words, re.IGNORECASE) is not None


def _numbers(words: str) -> set[int]:
    return {int(number) for number in _NUMBER.findall(re.sub(r"(?<=\d),(?=\d{3}\b)", "", words))}


def _room(requested: int, numbers: set[int]) -> int | None:
    """Return the context minus the prompt, if the error names both and the requested output."""
    others = numbers - {requested}
    others -= {prompt + requested for prompt in others}
    return max(others) - min(others) if requested in numbers and len(others) == 2 else None


def _nearest(size: str, words: str) -> str | None:
    """Return the named size with the nearest ratio; of equal ratios, the one with the most pixels."""
    wanted = _SIZE.fullmatch(size)
    offered = [found for found in _SIZE.finditer(words) if found[0] != size]
    if wanted is None or not offered:
        return None

    def distance(found: re.Match[str]) -> tuple[float, int]:
        width, height = int(found[1]), int(found[2])
        return abs(width * int(wanted[2]) / (height * int(wanted[1])) - 1), -width * height

    return min(offered, key=distance)[0]


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)
