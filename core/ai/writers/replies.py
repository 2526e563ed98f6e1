"""Reads answers of OpenAI-compatible servers: their text, or their failure.

No structure of an answer is trusted. Objects of the client library and plain JSON are read alike, and missing fields
or fields of another type are ignored.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Final

from core.ai.openai import read_request_id, read_usage, reported_failure
from core.ai.rules.answers import Content, End, Form, field, read_answer, read_content, read_end, reasoned_beside
from core.ai.rules.reasoning import without_reasoning
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.errors import ErrorCode, ProviderError, Refused, RetrySafe
from core.outgoing.redaction import clip

NO_CONTENT: Final = Content()
REASONING_SHARE: Final = 0.5
"""Share of a cut off answer's tokens from which its reasoning is the cause."""


@dataclass(frozen=True)
class Reply:
    """An answer: raw `content`, `end` with the server's word for it as `reason`, and its usage."""

    content: Content
    end: End
    used: Usage = UNKNOWN_USAGE
    reasoning_tokens: int = 0
    reason: str = ""
    id: str | None = None
    failed: tuple[Any, Any] | None = None
    """Code and message of a reported failure."""

    def raw_text(self, spent: Spent) -> str:
        """Return the raw text. Raise Refused for a refusal or a cut off answer, RetrySafe for an unknown end, and the
        error of `failed` for a failure."""
        if self.failed:
            raise reported_failure(*self.failed, spent)
        if self.content.refusal:
            raise refusal_error(self.content.refusal, spent)
        match self.end:
            case End.filtered:
                raise refusal_error(self.reason, spent)
            case End.cut_off:
                raise self._cut_off(spent)
            case End.unknown:
                raise RetrySafe(ErrorCode.model_unavailable, detail=clip(f"ended: {self.reason}"), spent=spent)
        return self.content.text

    def text(self, form: Form, spent: Spent) -> str:
        """Return the requested text. Raise as `raw_text`, or `missing_text_error` if there is none."""
        answer = read_answer(self.raw_text(spent), form)
        if answer.refusal:
            raise refusal_error(answer.refusal, spent)
        if not answer.text:
            raise self.missing_text_error(spent, reasoned=answer.reasoned)
        return answer.text

    def missing_text_error(self, spent: Spent, *, reasoned: bool = False) -> ProviderError:
        """Return the error of an answer without text."""
        if reasoned or self.content.reasoned or self.reasoning_tokens:
            return Refused(ErrorCode.model_reasoned_too_long, detail="the answer has only reasoning", spent=spent)
        return RetrySafe(ErrorCode.model_unavailable, detail="the answer is empty", spent=spent)

    def _cut_off(self, spent: Spent) -> ProviderError:
        bare = without_reasoning(self.content.text)
        reasoned = bare.reasoned or self.content.reasoned or self.reasoning_tokens > 0
        is_mostly_reasoning = self.reasoning_tokens >= REASONING_SHARE * (
            self.used.output_tokens or self.reasoning_tokens or 1
        )
        used_up = reasoned and (not bare.text.strip() or is_mostly_reasoning)
        code = ErrorCode.model_reasoned_too_long if used_up else ErrorCode.model_incomplete
        return Refused(code, detail=clip(f"incomplete: {self.reason}"), spent=spent)


def refusal_error(reason: str, spent: Spent) -> ProviderError:
    return Refused(ErrorCode.model_refused, detail=clip(reason), spent=spent)


def from_json(body: bytes) -> Any:
    """Return JSON as objects like the client library's. Raise JSONDecodeError or UnicodeDecodeError."""
    return json.loads(body, object_hook=lambda found: SimpleNamespace(**found))


def read_response(answer: Any, received: Content = NO_CONTENT, status: str | None = None) -> Reply | None:
    """Return an answer of the Responses API, or None for anything else. `received` is the content of a stream's earlier
    events, and `status` the status of its last event, used if the answer lacks them."""
    if field(answer, "choices"):  # some servers always answer in the Chat API's format
        return read_chat(answer)
    known = ("output", "status", "error", "id", "usage")
    if status is None and all(field(answer, name) is None for name in known):
        return None
    output = field(answer, "output")
    items = output if isinstance(output, list) else []
    content = sum(_of_items(items), NO_CONTENT)
    if any(map(_is_commentary, items)):
        received = NO_CONTENT  # it may contain commentary
    final_status = field(answer, "status") or status
    final_status = final_status.lower() if isinstance(final_status, str) else final_status
    if final_status == "completed" and any(field(item, "status") == "incomplete" for item in items):
        final_status = "incomplete"
    reason = str(field(field(answer, "incomplete_details"), "reason") or final_status or "")
    return Reply(
        content if content.text or content.refusal else content + received,
        _end_of_response(final_status, reason),
        **_spent_on(answer),
        reason=reason,
        failed=_failure(answer) if final_status == "failed" or (final_status is None and not content.text) else None,
    )


def read_chat(answer: Any) -> Reply | None:
    """Return an answer of the Chat API, or None for anything else."""
    choices = field(answer, "choices")
    if isinstance(choices, list) and choices and (message := field(choices[0], "message")) is not None:
        content, ended = _of_message(message), field(choices[0], "finish_reason")
        return Reply(content, read_end(ended), **_spent_on(answer), reason=str(ended))
    failure = _failure(answer)
    if failure is None and not isinstance(choices, list):
        return None
    return Reply(NO_CONTENT, End.unknown, **_spent_on(answer), reason="no message", failed=failure)


@dataclass
class ChatStream:
    """A streamed answer of the Chat API. Invalid or incomplete chunks are ignored."""

    content: Content = NO_CONTENT
    ended: object = None
    used: Usage = UNKNOWN_USAGE
    reasoning_tokens: int = 0
    id: str | None = None

    def take(self, chunk: Any) -> bool:
        """Add a chunk. Return whether it has text."""
        before = self.content.text
        self.id = self.id or read_request_id(field(chunk, "id"))
        if reported := field(chunk, "usage"):
            self._count(reported)
        choices = field(chunk, "choices")
        for choice in choices if isinstance(choices, list) else ():
            if field(choice, "index") in (0, None):
                if reported := field(choice, "usage"):
                    self._count(reported)
                self.ended = field(choice, "finish_reason") or self.ended
                # some servers repeat the whole message at the end
                message = field(choice, "delta") or (None if before else field(choice, "message"))
                self.content += _of_message(message)
        return self.content.text != before

    def _count(self, reported: Any) -> None:
        counted = _valid_usage(reported)
        # some proxies end with a count of zeros
        if counted.input_tokens or counted.output_tokens or self.used == UNKNOWN_USAGE:
            self.used, self.reasoning_tokens = counted, counted.reasoning_tokens

    def reply(self) -> Reply | None:
        """Return the whole answer, or None if the stream broke off."""
        if self.ended is None:
            return None
        return Reply(self.content, read_end(self.ended), self.used, self.reasoning_tokens, str(self.ended), self.id)


_MAX_TOKENS: Final = 1_000_000_000


def _of_items(items: list[Any]) -> Iterator[Content]:
    """Yield the contents of a response's items. Reasoning is an item too, and may be empty. A message that is a
    commentary on the work is left out."""
    for item in items:
        if "reason" in str(field(item, "type")):
            yield Content(reasoned=bool(field(item, "content") or field(item, "summary")))
        elif field(item, "type") in ("message", None) and not _is_commentary(item):
            yield read_content(field(item, "content"))


def _is_commentary(item: object) -> bool:
    return str(field(item, "phase")) == "commentary"


def _of_message(message: Any) -> Content:
    refusal = field(message, "refusal")
    beside = Content(refusal=refusal if isinstance(refusal, str) else "", reasoned=reasoned_beside(message))
    return read_content(field(message, "content")) + beside


def _end_of_response(status: object, reason: str) -> End:
    if status in ("completed", "failed", None):
        return End.complete
    if status != "incomplete":
        return End.unknown
    return End.filtered if read_end(reason) is End.filtered else End.cut_off


def _failure(answer: Any) -> tuple[Any, Any] | None:
    error = field(answer, "error")
    if isinstance(error, str):
        return None, error
    if error:
        return field(error, "code"), field(error, "message")
    return (None, None) if field(answer, "status") == "failed" else None


def _spent_on(answer: Any) -> dict[str, Any]:
    reported = field(answer, "usage")
    return {
        "used": _valid_usage(reported),
        "reasoning_tokens": _reasoning_tokens(reported),
        "id": read_request_id(field(answer, "id")),
    }


def _valid_usage(reported: Any) -> Usage:
    """Return the tokens that can be booked; invalid numbers count as unknown."""
    found = read_usage(reported)
    return Usage(
        _valid_count(found.input_tokens),
        _valid_count(found.output_tokens),
        _valid_count(found.cached_tokens),
        _reasoning_tokens(reported),
    )


def _valid_count(count: object) -> int | None:
    return count if type(count) is int and count < _MAX_TOKENS else None


def _reasoning_tokens(reported: Any) -> int:
    details = field(reported, "output_tokens_details") or field(reported, "completion_tokens_details")
    count = field(details, "reasoning_tokens")
    return count if type(count) is int and 0 <= count < _MAX_TOKENS else 0
