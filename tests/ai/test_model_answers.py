"""What a model's server may answer, at once or as a stream: against one of somebody else's make. What that cannot do is
in test_writers.py."""

import json
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from core.ai.openai import reported_failure
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.ai.writers import openai as module
from core.ai.writers.base import SuggestOrder, TextOrder
from core.ai.writers.openai import OpenAIWriter
from core.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe
from tests.ai.aimock import mock_server

KEY = "sk-nobody"
TEXT = "Rain needs no drama, only mudguards. Ride to work once this week."


def told(given: int, made: int) -> dict[str, Any]:
    return {"input_tokens": given, "output_tokens": made, "total_tokens": given + made}


FIXTURES: list[dict[str, Any]] = [
    {"match": {"userMessage": "a good day"}, "response": {"content": TEXT, "usage": told(321, 45)}},
    {
        "match": {"userMessage": "a long one"},
        "response": {"content": TEXT, "usage": told(1000, 100), "finishReason": "length"},
    },
    {
        "match": {"userMessage": "too many"},
        "response": {"error": {"message": "slow down", "code": "rate_limit_exceeded"}, "status": 429, "retryAfter": 7},
    },
    {
        "match": {"userMessage": "no money"},
        "response": {"error": {"message": "pay first", "code": "insufficient_quota"}, "status": 429},
    },
    {
        "match": {"userMessage": "a bad day"},
        "response": {"error": {"message": "oh", "code": "server_error"}, "status": 500},
    },
    {
        "match": {"userMessage": "a retired model"},
        "response": {"error": {"message": "gone", "code": "model_not_found"}, "status": 404},
    },
    {"match": {"userMessage": "a slow day"}, "response": {"content": TEXT}, "chaos": {"latencyMs": 3000}},
    {"match": {"userMessage": "a cut wire"}, "response": {"content": TEXT}, "chaos": {"disconnectRate": 1}},
    {"match": {"userMessage": "gibberish"}, "response": {"content": TEXT}, "chaos": {"malformedRate": 1}},
    {
        "match": {"userMessage": "half a stream"},
        "response": {"content": TEXT},
        "truncateAfterChunks": 8,  # of all events, the first ones say nothing
        "latency": 20,  # else nothing has left when the connection is cut
    },
    {
        "match": {"userMessage": "Cargo bikes"},
        "response": {"content": json.dumps({"titles": ["Rain", "Snow", "Wind"]}), "usage": told(200, 20)},
    },
]


@pytest.fixture(scope="module")
async def mock(tmp_path_factory: pytest.TempPathFactory, unused_tcp_port_factory: Any) -> AsyncIterator[str]:
    async with mock_server(
        tmp_path_factory.mktemp("aimock"), unused_tcp_port_factory(), FIXTURES, "--chunk-size", "12", keys=KEY
    ) as url:
        yield url


def an_order(says: str) -> TextOrder:
    return TextOrder("You write posts.", says, says, "en", 3000, "Rain", "hash-of-user")


class Watcher:
    def __init__(self) -> None:
        self.heard: list[str] = []

    async def __call__(self, text: str) -> None:
        self.heard.append(text)


async def test_a_text_arrives_in_pieces_and_whole(mock: str) -> None:
    writer = OpenAIWriter(KEY, f"{mock}/v1", "gpt-6-luna")
    watch = Watcher()
    streamed = await writer.write(an_order("a good day"), watch)
    at_once = await writer.write(an_order("a good day"))
    assert streamed.text == at_once.text == watch.heard[-1] == TEXT
    assert streamed.usage == at_once.usage == Usage(321, 45)
    assert streamed.request_id
    assert len(watch.heard) == -(-len(TEXT) // 12)
    assert all(longer.startswith(shorter) for shorter, longer in zip(watch.heard, watch.heard[1:], strict=False))
    await writer.close()


async def test_titles_come_with_what_they_used(mock: str) -> None:
    order = SuggestOrder("Cargo bikes", (), (), ("Snow",), "", 6, "en", "hash-of-user")
    writer = OpenAIWriter(KEY, f"{mock}/v1", "gpt-6-luna")
    suggested = await writer.suggest(order)
    assert (suggested.titles, suggested.usage) == (("Rain", "Wind"), Usage(200, 20))
    await writer.close()


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(
    ("says", "kind", "code", "costs"),
    [
        ("a long one", Refused, ErrorCode.model_incomplete, Usage(1000, 100)),
        ("too many", RateLimited, ErrorCode.rate_limited, None),
        ("no money", Misconfigured, ErrorCode.model_out_of_credit, None),
        ("a bad day", RetrySafe, ErrorCode.model_unavailable, None),
        ("a retired model", Misconfigured, ErrorCode.model_misconfigured, None),
        ("a cut wire", RetrySafe, ErrorCode.model_unavailable, UNKNOWN_USAGE),
        ("gibberish", RetrySafe, ErrorCode.model_unavailable, UNKNOWN_USAGE),
    ],
)
async def test_each_failure_is_of_its_class_at_once_or_streamed(
    mock: str,
    says: str,
    kind: type[ProviderError],
    code: ErrorCode,
    costs: Usage | None,
    streams: bool,
) -> None:
    writer = OpenAIWriter(KEY, f"{mock}/v1", "gpt-6-luna")
    with pytest.raises(ProviderError) as raised:
        await writer.write(an_order(says), Watcher() if streams else None)
    error = raised.value
    assert (type(error), error.code) == (kind, code)
    assert (error.spent.usage if error.spent else None) == costs
    assert error.retry_after == (timedelta(seconds=7) if kind is RateLimited else None)
    await writer.close()


@pytest.mark.parametrize("streams", [False, True])
async def test_an_answer_that_takes_too_long_may_have_cost(
    mock: str, monkeypatch: pytest.MonkeyPatch, streams: bool
) -> None:
    monkeypatch.setattr(module, "TIMEOUT", timedelta(seconds=0.5))
    writer = OpenAIWriter(KEY, f"{mock}/v1", "gpt-6-luna")
    with pytest.raises(RetrySafe) as raised:
        await writer.write(an_order("a slow day"), Watcher() if streams else None)
    assert raised.value.spent is not None
    assert raised.value.spent.usage == UNKNOWN_USAGE
    await writer.close()


async def test_a_stream_that_breaks_off_may_have_cost(mock: str) -> None:
    writer = OpenAIWriter(KEY, f"{mock}/v1", "gpt-6-luna")
    watch = Watcher()
    with pytest.raises(RetrySafe) as raised:
        await writer.write(an_order("half a stream"), watch)
    assert watch.heard
    assert watch.heard[-1] != TEXT
    assert TEXT.startswith(watch.heard[-1])
    assert raised.value.spent is not None
    assert raised.value.spent.usage == UNKNOWN_USAGE
    await writer.close()


@pytest.mark.parametrize("streams", [False, True])
async def test_a_wrong_key_is_the_operators_business(mock: str, streams: bool) -> None:
    writer = OpenAIWriter("sk-wrong", f"{mock}/v1", "gpt-6-luna")
    with pytest.raises(Misconfigured) as raised:
        await writer.write(an_order("a good day"), Watcher() if streams else None)
    assert (raised.value.code, raised.value.spent) == (ErrorCode.model_misconfigured, None)
    assert "sk-wrong" not in raised.value.detail
    await writer.close()


def test_a_reported_status_that_is_none_is_retried() -> None:
    spent = Spent("openai", "gpt-6-luna", UNKNOWN_USAGE, None)
    assert type(reported_failure("9" * 5000, "", spent)) is RetrySafe
