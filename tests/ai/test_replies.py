"""Answers of servers that speak OpenAI's API in shapes of their own."""

import json
from dataclasses import replace
from typing import Any

import pytest

from core.ai.rules.answers import Form, shown_so_far
from core.ai.rules.usage import Usage
from core.ai.writers.base import PartOrder
from core.ai.writers.openai import OpenAIWriter
from core.articles.rules.outlines import Part
from core.errors import ErrorCode, ProviderError, Refused, RetrySafe
from tests.ai.test_writers import (
    CHAT_USAGE,
    ORDER,
    SUGGEST,
    Watcher,
    chatted,
    chunk,
    chunks,
    delta,
    ending,
    events,
    responded,
    said,
    writer,
)
from tests.http_server import Answer, Server

TEXT = [{"type": "text", "text": "Hallo"}]
THOUGHT = {"type": "thinking", "thinking": "Hm."}
REASONED = {"output_tokens": 8000, "output_tokens_details": {"reasoning_tokens": 8000}}


def chats(server: Server, *answers: Answer) -> OpenAIWriter:
    server.answers("/v1/responses", Answer(404))
    server.answers("/v1/chat/completions", *answers)
    return writer(server.url)


@pytest.mark.parametrize("watch", [None, Watcher()])
@pytest.mark.parametrize(
    "raw",
    [
        "<think>Ich überlege.</think>\n\nHallo",
        "Here is your post:\n\n**Hallo**",
        '{"post":"Hallo"}',
        "Hallo<|im_end|>",
        "Hal\x00lo",
    ],
)
async def test_the_text_alone_is_handed_on(server: Server, raw: str, watch: Watcher | None) -> None:
    stream = events(delta(raw), ending("completed", said(raw)))
    server.answers("/v1/responses", stream if watch else responded(said(raw)))
    assert (await writer(server.url).write(ORDER, watch)).text == "Hallo"


async def test_an_article_keeps_its_markdown(server: Server) -> None:
    raw = "<think>Hm.</think>\n**Hallo**\n\n- eins"
    server.answers("/v1/responses", responded(said(raw)))
    section = replace(ORDER, article=PartOrder(Part.section, heading="A"))
    assert (await writer(server.url).write(section)).text == "**Hallo**\n\n- eins"
    assert (await writer(server.url).write(replace(ORDER, passage="x", markdown=True))).text == "**Hallo**\n\n- eins"
    summary = replace(ORDER, article=PartOrder(Part.summary))
    assert (await writer(server.url).write(summary)).text == "Hallo\n\n- eins"


@pytest.mark.parametrize(
    "message",
    [
        {"content": TEXT},
        {"content": [THOUGHT, *TEXT]},
        {"content": ["Hallo"]},
        {"content": {"type": "text", "text": "Hallo"}},
        {"content": "Hallo", "reasoning_content": "Hm."},
        {"content": "Hallo", "reasoning": "Hm.", "refusal": ""},
        {"content": "Hallo", "tool_calls": None, "annotations": "odd"},
    ],
)
async def test_a_message_of_any_shape(server: Server, message: dict[str, Any]) -> None:
    assert (await chats(server, chatted(message, usage=CHAT_USAGE)).write(ORDER)).text == "Hallo"


@pytest.mark.parametrize(
    "told",
    [
        [chunk(content=TEXT), chunk("stop")],
        [chunk(content=[THOUGHT]), chunk(content=TEXT), chunk("stop")],
        [{"choices": [{"index": 0, "delta": None, "finish_reason": None}]}, chunk(content="Hallo"), chunk("stop")],
        [
            {"choices": None},
            chunk(content="Hallo"),
            {"choices": [{"index": 0, "delta": None, "finish_reason": "stop"}]},
        ],
        [{"id": None}, {}, chunk(content="Hallo"), chunk("stop")],
        [chunk(content="Hallo"), {"choices": ["odd", 5, None]}, chunk("stop")],
        [chunk(reasoning_content="Hm."), chunk(content="Hallo"), chunk("stop")],
        [chunk(content="<think>Hm."), chunk(content="</think>Hal"), chunk(content="lo"), chunk("stop")],
        [{"choices": [{"index": 1, "delta": {"content": "Nein"}}]}, chunk(content="Hallo"), chunk("stop")],
        [{"choices": [{"index": 0, "message": {"content": "Hallo"}, "finish_reason": "stop"}]}],
        [chunk(content="Hallo"), {"choices": [{"message": {"content": "Hallo"}, "finish_reason": "stop"}]}],
    ],
)
async def test_chunks_of_any_shape(server: Server, told: list[dict[str, Any]]) -> None:
    written = await chats(server, chunks(*told, chunk(usage=CHAT_USAGE))).write(ORDER, Watcher())
    assert (written.text, written.usage) == ("Hallo", Usage(5, 6))


@pytest.mark.parametrize("line", ["null", "5", "[]", '"odd"', '{"choices": {"0": 1}}', '{"usage": "none"}'])
async def test_a_line_that_is_no_chunk_tells_nothing(server: Server, line: str) -> None:
    lines = [line, json.dumps(chunk(content="Hallo")), json.dumps(chunk("stop")), "[DONE]"]
    body = "".join(f"data: {one}\n\n" for one in lines).encode()
    written = await chats(server, Answer(200, body, {"Content-Type": "text/event-stream"})).write(ORDER, Watcher())
    assert written.text == "Hallo"


async def test_a_server_that_begins_within_reasoning_shows_none_of_it_again(server: Server) -> None:
    told = [chunk(content="Secret."), chunk(content=" Secret.</think>"), chunk(content="\n\nHallo"), chunk("stop")]
    asked, first, second = chats(server, chunks(*told)), Watcher(), Watcher()
    for watch in (first, second):
        assert (await asked.write(ORDER, watch)).text == "Hallo"
    assert [shown_so_far(heard, Form.post) for heard in second.heard] == ["", "Hallo"]


async def test_json_in_answer_to_a_stream(server: Server) -> None:
    assert (await chats(server, chatted({"content": TEXT}, usage=CHAT_USAGE)).write(ORDER, Watcher())).usage == Usage(
        5, 6
    )
    server.answers("/v1/responses", responded(said("Hallo")))
    written = await writer(server.url).write(ORDER, Watcher())
    assert (written.text, written.usage) == ("Hallo", Usage(36, 87, 4))


async def test_a_chat_in_answer_to_the_newer_api(server: Server) -> None:
    server.answers("/v1/responses", chatted({"content": "Hallo"}, usage=CHAT_USAGE))
    for watch in (None, Watcher()):
        assert (await writer(server.url).write(ORDER, watch)).text == "Hallo"


@pytest.mark.parametrize(
    "output",
    [
        [{"type": "message", "content": "Hallo"}],
        [{"type": "message", "content": [{"type": "text", "text": "Hallo"}]}],
        [{"type": "reasoning", "content": [{"type": "reasoning_text", "text": "Hm."}]}, {"content": TEXT}],
        [
            {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "I write it."}]},
            {"type": "message", "phase": "final_answer", "content": TEXT},
        ],
        [None, "odd", {"type": "function_call"}, {"type": "message", "content": [None, *TEXT]}],
    ],
)
async def test_a_response_of_any_shape(server: Server, output: list[Any]) -> None:
    server.answers("/v1/responses", responded(output=output))
    assert (await writer(server.url).write(ORDER)).text == "Hallo"


async def test_a_commentary_is_no_text_even_where_nothing_else_came(server: Server) -> None:
    comment = {"type": "message", "phase": "commentary", "content": [{"type": "output_text", "text": "I write it."}]}
    server.answers("/v1/responses", events(delta("I write it."), ending("completed", output=[comment])))
    with pytest.raises(RetrySafe):
        await writer(server.url).write(ORDER, Watcher())


async def test_a_message_that_is_half_is_no_post(server: Server) -> None:
    half = {"type": "message", "status": "incomplete", "content": TEXT}
    server.answers("/v1/responses", responded(output=[half]))
    with pytest.raises(Refused) as raised:
        await writer(server.url).write(ORDER)
    assert raised.value.code is ErrorCode.model_incomplete


async def test_the_last_event_may_tell_nothing(server: Server) -> None:
    server.answers("/v1/responses", events(delta("Hallo"), {"type": "response.completed", "response": None}))
    assert (await writer(server.url).write(ORDER, Watcher())).text == "Hallo"


@pytest.mark.parametrize("watch", [None, Watcher()])
@pytest.mark.parametrize(
    ("reason", "kind", "code"),
    [
        ("tool_calls", RetrySafe, ErrorCode.model_unavailable),
        ("error", RetrySafe, ErrorCode.model_unavailable),
        ("insufficient_system_resource", RetrySafe, ErrorCode.model_unavailable),
        ("max_tokens", Refused, ErrorCode.model_incomplete),
        ("SAFETY", Refused, ErrorCode.model_refused),
    ],
)
async def test_a_half_is_never_a_post(
    server: Server, reason: str, kind: type[ProviderError], code: ErrorCode, watch: Watcher | None
) -> None:
    whole, told = chatted({"content": "half"}, reason), chunks(chunk(content="half"), chunk(reason))
    with pytest.raises(ProviderError) as raised:
        await chats(server, told if watch else whole).write(ORDER, watch)
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert raised.value.spent


@pytest.mark.parametrize(
    "answer",
    [
        chatted({"content": "<think>Ich überlege"}, "length"),
        chatted({"content": "<think>Ich überlege.</think>"}),
        chatted({"content": None, "reasoning_content": "Ich überlege."}, "length"),
        chatted({"content": "", "reasoning": "Ich überlege."}),
        chatted({"content": [THOUGHT]}),
        chatted(
            {"content": None},
            "length",
            usage={"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 9}},
        ),
        chatted(
            {"content": "Ha"},
            "length",
            usage={"completion_tokens": 9, "completion_tokens_details": {"reasoning_tokens": 8}},
        ),
    ],
)
async def test_reasoning_that_used_up_the_room_is_told_as_that(server: Server, answer: Answer) -> None:
    with pytest.raises(Refused) as raised:
        await chats(server, answer).write(ORDER)
    assert raised.value.code is ErrorCode.model_reasoned_too_long
    cut = responded(status="incomplete", incomplete_details={"reason": "max_output_tokens"}, usage=REASONED)
    server.answers("/v1/responses", cut)
    with pytest.raises(Refused) as raised:
        await writer(server.url).write(ORDER)
    assert raised.value.code is ErrorCode.model_reasoned_too_long


@pytest.mark.parametrize(
    "raw", ["I'm sorry, but I can't assist with that request.", "Dabei kann ich leider nicht helfen."]
)
async def test_a_refusal_in_words(server: Server, raw: str) -> None:
    with pytest.raises(Refused) as raised:
        await chats(server, chatted({"content": raw})).write(ORDER)
    assert (raised.value.code, raised.value.detail) == (ErrorCode.model_refused, raw)


@pytest.mark.parametrize(
    "raw",
    [
        "<think>only</think>",
        '{"post": "half',
        "Here is your post:",
        "\u200b",
        "```\n```",
        '{"title": "x", "hashtags": []}',
    ],
)
async def test_what_has_no_text_is_no_post(server: Server, raw: str) -> None:
    with pytest.raises(ProviderError):
        await chats(server, chatted({"content": raw})).write(ORDER)


ODD: list[Any] = [
    None,
    5,
    "odd",
    [],
    {},
    {"x": 1},
    [None],
    [5],
    True,
    {"type": None},
    {"text": None},
    {"text": {"a": 1}},
]


@pytest.mark.parametrize("odd", ODD)
async def test_nothing_but_a_providers_error_escapes(server: Server, odd: Any) -> None:
    """Whatever stands where something else is expected."""
    older, newer = chats(server, chatted({"content": "Hallo"})), writer(server.url)
    await older.write(ORDER)
    for watch in (None, Watcher()):
        for chat in (
            {"choices": odd},
            {"choices": [odd]},
            {"choices": [{"message": odd, "finish_reason": "stop"}]},
            {"choices": [{"message": {"content": odd, "refusal": odd}, "finish_reason": "stop"}]},
            {"choices": [{"message": {"content": "Hallo"}, "finish_reason": odd}]},
            {
                "choices": [{"message": {"content": "Hallo"}, "finish_reason": "stop"}],
                "usage": odd,
                "id": odd,
                "error": odd,
            },
        ):
            stream = json.loads(json.dumps(chat).replace('"message"', '"delta"'))
            for answer in (Answer(200, chat), chunks(stream)):
                server.answers("/v1/chat/completions", answer)
                await harmless(older, watch)
        for response in (
            {"output": odd},
            {"output": [odd]},
            {"output": [{"type": "message", "content": odd}], "status": odd},
            {
                "output": [{"type": odd, "content": [odd]}],
                "error": odd,
                "incomplete_details": odd,
                "usage": odd,
                "id": odd,
            },
            {"status": "incomplete", "incomplete_details": odd},
            {"status": "failed", "error": odd},
        ):
            stream = {"type": "response.completed", "response": response}
            for answer in (
                Answer(200, response),
                events({"type": odd}, {"type": "response.output_text.delta", "delta": odd}, stream),
            ):
                server.answers("/v1/responses", answer)
                await harmless(newer, watch)
    await older.close()
    await newer.close()


async def harmless(asked: OpenAIWriter, watch: Watcher | None) -> None:
    try:
        written = await asked.write(ORDER, watch)
    except ProviderError:
        return
    assert written.text
    assert isinstance(written.request_id, str | None)


async def test_titles_are_read_behind_reasoning(server: Server) -> None:
    raw = '<think>["Nicht das"]</think>\n\n{"titles": ["Öl oder\u202e Wachs?", "Rost\x00"]}<|im_end|>'
    assert (await chats(server, chatted({"content": raw})).suggest(SUGGEST)).titles == ("Öl oder Wachs?", "Rost")
    with pytest.raises(Refused) as raised:
        await chats(server, chatted({"content": "<think>1. Nicht das\n2. Das auch nicht"})).suggest(SUGGEST)
    assert raised.value.code is ErrorCode.model_reasoned_too_long


@pytest.mark.parametrize("count", [True, 10**12, -5, "5", 5.5, None])
async def test_what_is_no_number_of_tokens_was_not_told(server: Server, count: Any) -> None:
    used = {"prompt_tokens": count, "completion_tokens": 6}
    assert (await chats(server, chatted({"content": "Hallo"}, usage=used)).write(ORDER)).usage == Usage(None, 6)
    told = [chunk(content="Hallo"), chunk("stop"), chunk(usage=used)]
    assert (await chats(server, chunks(*told)).write(ORDER, Watcher())).usage == Usage(None, 6)


@pytest.mark.parametrize("count", [10**30, -5, None])
async def test_what_is_no_number_of_reasoning_tokens_was_not_told(server: Server, count: Any) -> None:
    used = {**CHAT_USAGE, "completion_tokens_details": {"reasoning_tokens": count}}
    assert (await chats(server, chatted({"content": "Hallo"}, usage=used)).write(ORDER)).usage == Usage(5, 6)


@pytest.mark.parametrize(
    "told",
    [
        [chunk(content="Hallo"), chunk("stop") | {"usage": CHAT_USAGE}, chunk(usage={"prompt_tokens": 0})],
        [chunk(content="Hallo"), {"choices": [{"delta": {}, "finish_reason": "stop", "usage": CHAT_USAGE}]}],
        [
            chunk(content="Hallo") | {"usage": {**CHAT_USAGE, "completion_tokens": 1}},
            chunk("stop") | {"usage": CHAT_USAGE},
        ],
    ],
)
async def test_tokens_are_counted_wherever_a_stream_tells_them(server: Server, told: list[dict[str, Any]]) -> None:
    assert (await chats(server, chunks(*told)).write(ORDER, Watcher())).usage == Usage(5, 6)


async def test_cached_tokens_under_another_name(server: Server) -> None:
    used = {**CHAT_USAGE, "prompt_cache_hit_tokens": 4, "prompt_cache_miss_tokens": 1}
    assert (await chats(server, chatted({"content": "Hallo"}, usage=used)).write(ORDER)).usage == Usage(5, 6, 4)


async def test_a_refusal_in_half_a_character(server: Server) -> None:
    """JSON may have what no text can be written with."""
    for answer in (
        chatted({"content": None, "refusal": "No \ud83d."}),
        Answer(400, {"error": {"message": "no \ud83d", "code": "x\ud83d"}}),
        chatted({"content": "x"}, "odd \ud83d"),
    ):
        with pytest.raises(ProviderError) as raised:
            await chats(server, answer).write(ORDER)
        assert raised.value.detail.encode()


async def test_the_name_of_a_call_can_be_kept(server: Server) -> None:
    odd = replace(responded(said("Hallo"), id="x" * 300 + "\x00"), headers={})
    server.answers("/v1/responses", odd)
    assert len((await writer(server.url).write(ORDER)).request_id or "") <= 200
