from datetime import timedelta
from typing import Any

import pytest

from core.domain.errors import (
    ErrorCode,
    Misconfigured,
    ProviderError,
    RateLimited,
    Refused,
    RetrySafe,
)
from core.providers.writers import open_writer
from core.providers.writers import openai as module
from core.providers.writers.base import TextOrder, Usage, Writer
from core.providers.writers.demo import DemoWriter
from core.providers.writers.openai import OpenAIWriter
from tests.providers.conftest import Answer, Server

KEY = "sk-very-secret-key"
ORDER = TextOrder(
    "You write posts.",
    "Write about Chain care.",
    "Write about <value>Chain care</value>.",
    "en",
    3000,
    "Chain care",
    "hash-of-user",
)
USAGE = {
    "input_tokens": 36,
    "input_tokens_details": {"cached_tokens": 4},
    "output_tokens": 87,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 123,
}


def responded(*content: dict[str, Any], status: str = "completed", **more: Any) -> Answer:
    body = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1795000000,
        "status": status,
        "model": "gpt-6-luna-2026-05-01",
        "output": [
            {"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "m", "status": status, "role": "assistant", "content": list(content)},
        ],
        "usage": USAGE,
        **more,
    }
    return Answer(200, body, {"x-request-id": "req_1"})


def said(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": []}


def failing(status: int, code: str | None, **headers: str) -> Answer:
    body = {"error": {"message": f"no, not with {KEY}", "type": "t", "param": None, "code": code}}
    return Answer(status, body, headers)


def writer(server_url: str) -> OpenAIWriter:
    return OpenAIWriter(KEY, f"{server_url}/v1", "gpt-6-luna")


async def test_the_text_with_its_usage(server: Server) -> None:
    server.answers("/v1/responses", responded(said("Hello "), said("there")))
    written = await writer(server.url).write(ORDER)
    assert (written.text, written.provider, written.model) == ("Hello there", "openai", "gpt-6-luna")
    assert (written.usage, written.request_id) == (Usage(36, 87, 4), "req_1")
    [request] = server.requests
    assert request.headers["authorization"] == f"Bearer {KEY}"
    # another server than OpenAI's own is sent nothing that it may not know
    assert set(request.json) == {"model", "instructions", "input", "max_output_tokens", "store"}
    assert request.json["store"] is False
    assert request.json["input"] == ORDER.brief


async def test_openai_itself_is_told_about_the_user(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_compatible", lambda _: False)
    server.answers("/v1/responses", responded(said("Hello")), Answer(404))
    own = writer(server.url)
    await own.write(ORDER)
    assert server.requests[0].json["safety_identifier"] == "hash-of-user"
    assert server.requests[0].json["reasoning"] == {"effort": "low"}
    with pytest.raises(Misconfigured):  # and is never asked by the older API
        await own.write(ORDER)


@pytest.mark.parametrize(("told", "usage"), [(None, Usage(None, None)), ({"input_tokens": 3}, Usage(3, None))])
async def test_untold_usage_is_none(server: Server, told: Any, usage: Usage) -> None:
    server.answers("/v1/responses", responded(said("Hello"), usage=told))
    assert (await writer(server.url).write(ORDER)).usage == usage


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (responded({"type": "refusal", "refusal": "I can't."}), Refused, ErrorCode.model_refused),
        (
            responded(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
            Refused,
            ErrorCode.model_refused,
        ),
        (
            responded(said("half"), status="incomplete", incomplete_details={"reason": "content_filter"}),
            Refused,
            ErrorCode.model_refused,
        ),
        (
            responded(status="failed", error={"code": "server_error", "message": "x"}),
            RetrySafe,
            ErrorCode.model_unavailable,
        ),
        (
            responded(status="failed", error={"code": "rate_limit_exceeded", "message": "x"}),
            RateLimited,
            ErrorCode.rate_limited,
        ),
        (
            responded(status="failed", error={"code": "invalid_prompt", "message": "x"}),
            Refused,
            ErrorCode.model_refused,
        ),
        (responded(status="queued"), RetrySafe, ErrorCode.model_unavailable),
        (responded(said(" ")), RetrySafe, ErrorCode.model_unavailable),
        (responded(output=None), RetrySafe, ErrorCode.model_unavailable),
        (Answer(200, b"<html>", {"Content-Type": "text/html"}), RetrySafe, ErrorCode.model_unavailable),
        (Answer(200, b'{"id":', {"Content-Type": "application/json"}), RetrySafe, ErrorCode.model_unavailable),
        (failing(400, "context_length_exceeded"), Refused, ErrorCode.model_refused),
        (failing(401, "invalid_api_key"), Misconfigured, ErrorCode.model_misconfigured),
        (failing(403, None), Misconfigured, ErrorCode.model_misconfigured),
        (failing(404, "model_not_found"), Misconfigured, ErrorCode.model_misconfigured),
        (failing(429, "rate_limit_exceeded"), RateLimited, ErrorCode.rate_limited),
        (failing(429, "insufficient_quota"), Misconfigured, ErrorCode.model_misconfigured),
        (failing(429, "credit_balance_exhausted"), Misconfigured, ErrorCode.model_misconfigured),
        (failing(500, "server_error"), RetrySafe, ErrorCode.model_unavailable),
        (Answer(503, b"<html>"), RetrySafe, ErrorCode.model_unavailable),
        (Answer(drop=True), RetrySafe, ErrorCode.model_unavailable),
    ],
)
async def test_every_failure_has_its_class(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers("/v1/responses", answer)
    with pytest.raises(ProviderError) as raised:
        await writer(server.url).write(ORDER)
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert KEY not in raised.value.detail
    assert len(server.requests) == 1  # each repeat would be billed


async def test_the_named_time_of_return_is_kept(server: Server) -> None:
    server.answers("/v1/responses", failing(429, None, **{"Retry-After": "17"}), failing(429, None))
    for seconds in (17, 30):
        with pytest.raises(RateLimited) as raised:
            await writer(server.url).write(ORDER)
        assert raised.value.retry_after == timedelta(seconds=seconds)


async def test_nothing_listens(nowhere: str) -> None:
    with pytest.raises(RetrySafe) as raised:
        await writer(nowhere).write(ORDER)
    assert raised.value.code is ErrorCode.model_unavailable


def chatted(message: dict[str, Any], reason: str = "stop", **more: Any) -> Answer:
    choice = {"index": 0, "finish_reason": reason, "message": {"role": "assistant", **message}}
    body = {"id": "chat_1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
    return Answer(200, {**body, **more})


async def test_an_older_compatible_server_is_asked_by_chat(server: Server) -> None:
    usage = {"prompt_tokens": 5, "completion_tokens": 6, "total_tokens": 11}
    server.answers("/v1/responses", Answer(404, b"not here"))
    server.answers("/v1/chat/completions", chatted({"content": "Hi"}, usage=usage))
    local = OpenAIWriter(None, f"{server.url}/v1", "llama")
    for _ in range(2):
        written = await local.write(ORDER)
        assert (written.text, written.usage) == ("Hi", Usage(5, 6))
    paths = [request.path for request in server.requests]
    assert paths == ["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (chatted({"content": None, "refusal": "No."}), Refused),
        (chatted({"content": "half"}, "length"), Refused),
        (chatted({"content": ""}, "content_filter"), Refused),
        (chatted({"content": None}), RetrySafe),
        (Answer(200, {"id": "x", "choices": []}), RetrySafe),
        (Answer(404, {"error": {"message": "no such model", "code": "model_not_found"}}), Misconfigured),
    ],
)
async def test_failures_of_a_chat(server: Server, answer: Answer, kind: type[ProviderError]) -> None:
    server.answers("/v1/responses", Answer(404))
    server.answers("/v1/chat/completions", answer)
    with pytest.raises(ProviderError) as raised:
        await writer(server.url).write(ORDER)
    assert type(raised.value) is kind


def test_settings_choose_the_writer() -> None:
    def name(made: Writer) -> tuple[str, str]:
        return made.provider, made.model

    assert name(open_writer(None, None, "ignored")) == ("demo", "demo-writer")
    assert name(open_writer(KEY, None, None)) == ("openai", "gpt-6-luna")
    assert name(open_writer(None, "http://127.0.0.1:1/v1", "llama")) == ("openai", "llama")
    with pytest.raises(Misconfigured):
        open_writer(KEY, "http://127.0.0.1:1/v1", None)


def order(prompt: str, topic: str, language: str = "en", limit: int = 3000) -> TextOrder:
    return TextOrder("", prompt, prompt, language, limit, topic, "s")


async def demo(prompt: str, topic: str, language: str = "en", limit: int = 3000) -> str:
    return (await DemoWriter().write(order(prompt, topic, language, limit))).text


async def test_the_demo_writer_uses_the_templates_words() -> None:
    prompt = (
        "Write a LinkedIn post about Chain care for people who cycle to work. Use a friendly tone.\n"
        "- Give three tips.\nWe have repaired bikes in Lindhof since 1998."
    )
    text = await demo(prompt, "Chain care")
    assert "Chain care for people who cycle to work" in text
    assert "We have repaired bikes in Lindhof since 1998." in text
    assert text.endswith("#Chain #Care")
    for order_word in ("LinkedIn", "tone", "Give three"):
        assert order_word not in text


async def test_the_demo_writer_is_the_same_each_time_and_differs_by_topic() -> None:
    texts = {await demo(f"Write about {topic}.", topic) for topic in ("Salt", "Soap", "Sand", "Silk")}
    assert len({text.split("\n\n")[1] for text in texts}) >= 3
    assert await demo("Write about Salt.", "Salt") in texts
    written = await DemoWriter().write(order("x", "Salt"))
    assert written.usage == Usage(0, 0)


async def test_the_demo_writer_speaks_german() -> None:
    text = await demo("Schreib einen Beitrag über Kettenpflege für Radfahrer. Duze die Leser.", "Kettenpflege", "de")
    assert "Kettenpflege für Radfahrer" in text
    assert text.endswith("#Kettenpflege")
    assert "Duze" not in text


@pytest.mark.parametrize("topic", ["", "x", "2026", "Straßenbahn 🚋 & Co", "a " * 100, "ß" * 200, "{topic}"])
@pytest.mark.parametrize("limit", [1, 20, 120, 300, 3000])
async def test_the_demo_writer_stays_within_the_limit(topic: str, limit: int) -> None:
    text = await demo(f"Write about {topic}.\nIt matters to all of us here.", topic, "en", limit)
    assert 0 < len(text.encode("utf-16-le")) // 2 <= limit
    if limit == 3000:
        assert 1 <= sum(word.startswith("#") for word in text.split()) <= 3
