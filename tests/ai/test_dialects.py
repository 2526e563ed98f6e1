"""What OpenAI-compatible servers refuse, as each of them says it, and what is sent instead."""

import base64
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from core.ai.pictures.openai import OpenAIPictures
from core.ai.writers import openai as module
from core.ai.writers.openai import OpenAIWriter
from core.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe
from core.media.rules.media import ImageRatio
from core.templates.rules.templates import ImageQuality, ReasoningEffort
from tests.ai.test_pictures import an_order, encoded, generated
from tests.ai.test_writers import KEY, ORDER, SUGGEST, Watcher, chatted, chunk, chunks, responded, said
from tests.http_server import Answer, Request, Server

RESPONSES, CHAT, IMAGES = "/v1/responses", "/v1/chat/completions", "/v1/images/generations"
EFFORT = replace(ORDER, effort=ReasoningEffort.high, temperature=0.4)


def refusal(message: str, status: int = 400, **more: Any) -> Answer:
    return Answer(status, {"error": {"message": message, "type": "invalid_request_error", "param": None} | more})


def details(*names: str) -> Answer:
    """As FastAPI refuses fields."""
    return Answer(
        422,
        {
            "detail": [
                {"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": 1}
                for name in names
            ]
        },
    )


def listed(*errors: dict[str, Any]) -> Answer:
    return Answer(
        400, json.dumps([{"error": error} for error in errors]).encode(), {"Content-Type": "application/json"}
    )


def writer(server: Server, model: str = "a-model", effort: ReasoningEffort | None = None) -> OpenAIWriter:
    return OpenAIWriter(KEY, f"{server.url}/v1", model, effort)


def asked(server: Server, path: str) -> list[dict[str, Any]]:
    return [request.json for request in server.requests if request.path == path]


# what is refused by name

NAMED: list[tuple[str, Answer]] = [
    ("max_tokens", refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                           "'max_completion_tokens' instead.", param="max_tokens", code="unsupported_parameter")),
    ("temperature", refusal("Unsupported parameter: 'temperature' is not supported with this model.",
                            param="temperature", code="unsupported_parameter")),
    ("temperature", refusal("Unrecognized request argument supplied: temperature")),
    ("reasoning_effort", refusal("Unrecognized request argument supplied: reasoning_effort")),
    ("reasoning_effort", refusal("litellm.UnsupportedParamsError: openai does not support parameters: "
                                 "['reasoning_effort'], for model=a-model.")),
    ("reasoning_effort", refusal("property 'reasoning_effort' is unsupported")),
    ("reasoning_effort", details("reasoning_effort")),
    ("max_tokens", details("max_tokens")),
    ("temperature", listed({"code": 400, "message": 'Invalid JSON payload received. Unknown name "temperature": '
                                                    "Cannot find field.", "status": "INVALID_ARGUMENT"})),
    ("temperature", Answer(400, {"error": "extra fields not permitted: temperature"})),
    ("reasoning_effort", Answer(422, {"object": "error", "message": {"detail": [
        {"type": "extra_forbidden", "loc": ["body", "reasoning_effort"], "msg": "Extra inputs are not permitted"}]}})),
    ("reasoning_effort", Answer(400, {"code": "argument", "error": "Model a does not support parameter "
                                                                   "reasoningEffort."})),
    ("reasoning_effort", refusal('"a" does not support thinking')),
    ("reasoning_effort", refusal('invalid reasoning value: "minimal" (must be "high", "medium", "low", or "none")')),
    ("temperature", Answer(400, {"error": {"message": "Provider returned error", "code": 400, "metadata": {
        "raw": json.dumps({"error": {"message": "Unsupported parameter: 'temperature'"}}), "provider_name": "A"}}})),
    ("reasoning_effort", Answer(200, {"error": {"message": "Unknown parameter: 'reasoning_effort'", "code": 400}})),
]  # fmt: skip


@pytest.mark.parametrize(("name", "refused"), NAMED)
async def test_what_is_refused_by_name_is_not_sent_again(server: Server, name: str, refused: Answer) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refused, chatted({"content": "Hi"}))
    local = writer(server)
    assert (await local.write(EFFORT)).text == "Hi"
    assert (await local.write(EFFORT)).text == "Hi"
    first, repeat, later = asked(server, CHAT)
    assert name in first
    assert name not in repeat
    assert later == repeat
    renamed = {"max_completion_tokens": first["max_tokens"]} if name == "max_tokens" else {}
    assert repeat == {key: value for key, value in first.items() if key != name} | renamed


LITELLM = [
    (
        "reasoning",
        "litellm.UnsupportedParamsError: gpt-4o-mini doesn't support `reasoning.effort` (its model cost map entry "
        "lacks `supports_reasoning`). To drop unsupported params set `litellm.drop_params = True`",
    ),
    (
        "reasoning",
        'litellm.BadRequestError: MistralException - {"object": "error", "message": {"detail": [{"type": '
        '"extra_forbidden", "loc": ["body", "reasoning_effort"], "msg": "Extra inputs are not permitted"}]}',
    ),
    (
        "text",
        "litellm.UnsupportedParamsError: groq does not support parameters: ['response_format'], for model=a-model.",
    ),
]
"""As its proxy says it, also of what it has made of a parameter for the server behind it."""


@pytest.mark.parametrize(("name", "message"), LITELLM)
async def test_a_proxy_names_what_it_has_made_of_a_parameter(server: Server, name: str, message: str) -> None:
    server.answers(RESPONSES, refusal(message), responded(said("Rust")))
    local = writer(server)
    if name == "text":
        await local.suggest(SUGGEST)
    else:
        await local.write(EFFORT)
    first, repeat = asked(server, RESPONSES)
    assert repeat == {key: value for key, value in first.items() if key != name}


async def test_the_name_of_a_call_is_kept_as_far_as_there_is_room(server: Server) -> None:
    """Some proxies write the call's address into it."""
    server.answers(RESPONSES, replace(responded(said("Hi"), id="resp_" + "x" * 440), headers={}))
    name = (await writer(server).write(ORDER)).request_id
    assert name is not None
    assert len(name) == 200


async def test_several_refusals_are_learnt_in_one_call(server: Server) -> None:
    def strict(request: Request) -> Answer:
        for name in ("stream_options", "temperature", "max_tokens"):
            if name in request.json:
                return details(name)
        return chunks(chunk(content="Hi"), chunk("stop"))

    server.judges(CHAT, strict)
    server.answers(RESPONSES, Answer(404))
    local = writer(server)
    assert (await local.write(EFFORT, Watcher())).text == "Hi"
    assert len(asked(server, CHAT)) == 4
    assert (await local.write(EFFORT, Watcher())).text == "Hi"
    assert len(asked(server, CHAT)) == 5


async def test_several_names_in_one_refusal_are_left_out_together(server: Server) -> None:
    server.answers(RESPONSES, details("store", "temperature"), responded(said("Hi")))
    assert (await writer(server).write(EFFORT)).text == "Hi"
    _, repeat = asked(server, RESPONSES)
    assert not {"store", "temperature"} & repeat.keys()
    assert "max_output_tokens" in repeat


async def test_another_value_or_model_is_asked_for_anew(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_compatible", lambda _: False)
    refused = refusal("Invalid 'temperature': must be at most 1", param="temperature", code="decimal_above_max_value")
    server.answers(RESPONSES, refused, responded(said("Hi")))
    own = writer(server, "gpt-4.1")
    for temperature, model in ((1.5, None), (1.5, None), (0.7, None), (1.5, "gpt-4o")):
        await own.write(replace(ORDER, temperature=temperature, model=model))
    sent = [(one["model"], one.get("temperature")) for one in asked(server, RESPONSES)]
    assert sent == [("gpt-4.1", 1.5), ("gpt-4.1", None), ("gpt-4.1", None), ("gpt-4.1", 0.7), ("gpt-4o", 1.5)]


@pytest.mark.parametrize(
    ("message", "room"),
    [
        ("max_tokens is too large: 8000. This model supports at most 4096 completion tokens.", 4096),
        ("Invalid max_tokens value, the valid range of max_tokens is [1, 4,096]", 4096),
        ("max_tokens: 8000 > 4096, which is the maximum allowed number of output tokens for a-model-2025", 4096),
        (
            "This model's maximum context length is 4096 tokens. However, you requested 8100 tokens (100 in the "
            "messages, 8000 in the completion). Please reduce max_tokens.",
            3996,
        ),
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4096 "
            "tokens and your request has 100 input tokens (8000 > 4096 - 100).",
            3996,
        ),
        (
            "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 6000 `inputs` tokens "
            "and 8000 `max_new_tokens`",
            2193,
        ),
        (
            "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total "
            "of 13192 tokens: 5192 tokens from the input messages and 8000 tokens for the completion.",
            3000,
        ),
        ("input length and `max_tokens` exceed context limit: 197000 + 8000 > 200000, decrease input length", 3000),
    ],
)
async def test_less_is_asked_for_where_the_answer_may_not_be_so_long(server: Server, message: str, room: int) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refusal(message), chatted({"content": "Hi"}))
    local = writer(server)
    await local.write(ORDER)
    await local.write(ORDER)
    assert [one["max_tokens"] for one in asked(server, CHAT)] == [8000, room, room if room == 4096 else 8000]


async def test_a_prompt_that_fills_the_context_is_not_sent_again(server: Server) -> None:
    message = (
        "maximum context length is 4096 tokens. However, you requested 12000 tokens (4000 in the messages, 8000 in"
    )
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refusal(f"{message} the completion). Reduce max_tokens."))
    with pytest.raises(Refused) as raised:
        await writer(server).write(ORDER)
    assert raised.value.code is ErrorCode.model_context_too_small
    assert "4000 in the messages" in raised.value.detail
    assert len(asked(server, CHAT)) == 1


async def test_a_model_without_a_system_role_is_told_by_the_user(server: Server) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refusal("System role not supported"), chatted({"content": "Hi"}))
    assert (await writer(server).write(ORDER)).text == "Hi"
    content = f"{ORDER.instructions}\n\n{ORDER.brief}"
    assert asked(server, CHAT)[-1]["messages"] == [{"role": "user", "content": content}]


# what is refused without a name


async def test_a_refusal_that_names_nothing_is_followed_by_the_least(server: Server) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refusal("Bad request"), chatted({"content": "Hi"}))
    local = writer(server)
    await local.write(EFFORT)
    await local.write(EFFORT)
    assert [one.keys() for one in asked(server, CHAT)][1:] == [{"model", "messages", "max_tokens"}] * 2


async def test_what_does_not_help_is_not_remembered_and_the_first_answer_is_told(server: Server) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refusal("Bad day"), refusal("Bad again"), chatted({"content": "Hi"}))
    local = writer(server)
    with pytest.raises(Refused) as raised:
        await local.write(EFFORT)
    assert "Bad day" in raised.value.detail
    await local.write(EFFORT)
    assert asked(server, CHAT)[2] == asked(server, CHAT)[0]


async def test_an_error_with_status_200_is_not_guessed_about(server: Server) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, Answer(200, {"error": {"code": "rate_limit_exceeded", "message": "slow down"}}))
    with pytest.raises(RateLimited):
        await writer(server).write(EFFORT)
    assert len(asked(server, CHAT)) == 1


async def test_a_server_that_is_never_content_is_left(server: Server) -> None:
    server.judges(CHAT, lambda request: refusal(f"max_tokens must be at most {request.json['max_tokens'] - 1}"))
    with pytest.raises(Refused):
        await writer(server).write(ORDER)
    assert len(asked(server, CHAT)) == 11


async def test_openai_itself_is_not_guessed_about(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_compatible", lambda _: False)
    server.answers(RESPONSES, refusal("Bad request"))
    with pytest.raises(Refused):
        await writer(server, "gpt-6-luna").write(EFFORT)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "message",
    ["The response was filtered by the content management policy", "flagged by moderation", "prompt is too long"],
)
async def test_what_is_about_the_text_is_final(server: Server, message: str) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refusal(message))
    with pytest.raises(Refused):
        await writer(server).write(EFFORT)
    assert len(asked(server, CHAT)) == 1
    server.answers(RESPONSES, refusal(message))
    with pytest.raises(Refused):
        await writer(server).write(EFFORT)
    assert len(asked(server, CHAT)) == 1


async def test_a_form_that_is_refused_is_asked_for_in_words(server: Server) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, refusal("This response_format type is unavailable now"), chatted({"content": "Rust"}))
    local = writer(server)
    assert (await local.suggest(SUGGEST)).titles == ("Rust",)
    assert (await local.suggest(SUGGEST)).titles == ("Rust",)
    assert ["response_format" in one for one in asked(server, CHAT)] == [True, False, False]


# the Responses API


@pytest.mark.parametrize("streams", [False, True])
@pytest.mark.parametrize(
    "refused",
    [
        refusal("The Responses API is not enabled for this deployment"),
        refusal("Responses are not enabled for your key", 403),
        Answer(404, {"detail": "Not Found"}),
        Answer(405, {"detail": "Method Not Allowed"}),
        Answer(500, {"error": {"message": "not implemented", "type": "server_error", "code": None}}),
        Answer(200, {"error": {"message": "unknown endpoint", "code": 404}}),
        Answer(200, {"error": "Unexpected endpoint or method. (POST /v1/responses)"}),
    ],
)
async def test_a_server_without_responses_is_asked_by_chat(server: Server, refused: Answer, streams: bool) -> None:
    server.answers(RESPONSES, refused)
    chat = chunks(chunk(content="Hi"), chunk("stop")) if streams else chatted({"content": "Hi"})
    server.answers(CHAT, chat)
    local = writer(server)
    for _ in range(2):
        assert (await local.write(ORDER, Watcher() if streams else None)).text == "Hi"
    assert [request.path for request in server.requests] == [RESPONSES, CHAT, CHAT]


async def test_chat_is_remembered_only_where_it_works(server: Server) -> None:
    server.answers(RESPONSES, Answer(500), responded(said("Hello")))
    server.answers(CHAT, Answer(500))
    local = writer(server)
    with pytest.raises(RetrySafe):
        await local.write(ORDER)
    assert (await local.write(ORDER)).text == "Hello"
    assert [request.path for request in server.requests] == [RESPONSES, CHAT, RESPONSES]


async def test_a_server_whose_responses_work_is_not_asked_by_chat(server: Server) -> None:
    server.answers(RESPONSES, responded(said("Hello")), Answer(500))
    local = writer(server)
    await local.write(ORDER)
    with pytest.raises(RetrySafe):
        await local.write(ORDER)
    assert asked(server, CHAT) == []


async def test_where_neither_is_there_the_first_answer_is_told(server: Server) -> None:
    server.answers(RESPONSES, refusal("Responses are not enabled for your key", 403))
    with pytest.raises(Misconfigured) as raised:
        await writer(server).write(ORDER)
    assert "not enabled for your key" in raised.value.detail


# errors keep their reason


@pytest.mark.parametrize(
    ("answer", "kind", "code", "words"),
    [
        (refusal("Insufficient Balance", 402), Misconfigured, ErrorCode.model_out_of_credit, "Insufficient Balance"),
        (
            refusal("pay", 400, code="billing_hard_limit_reached"),
            Misconfigured,
            ErrorCode.model_out_of_credit,
            "billing_hard_limit_reached",
        ),
        (
            refusal("Unknown parameter: 'messages'."),
            Misconfigured,
            ErrorCode.model_misconfigured,
            "Unknown parameter: 'messages'",
        ),
        (refusal("a-model is not a valid model ID"), Misconfigured, ErrorCode.model_misconfigured, "valid model ID"),
        (
            refusal("The model `llama-3.1-8b` does not exist"),
            Misconfigured,
            ErrorCode.model_misconfigured,
            "llama-3.1-8b",
        ),
        (
            refusal("Parameter 'input.text' is not supported"),
            Misconfigured,
            ErrorCode.model_misconfigured,
            "input.text",
        ),
        (refusal("Invalid model: a-model"), Misconfigured, ErrorCode.model_misconfigured, "Invalid model: a-model"),
        (
            Answer(307, b"", {"Location": "https://user:word@login.example.test/sign-in?token=abc"}),
            Misconfigured,
            ErrorCode.model_misconfigured,
            "redirects to https://login.example.test/sign-in",
        ),
        (
            Answer(403, {"code": "permission", "error": "Your newly created team doesn't have any credits yet."}),
            Misconfigured,
            ErrorCode.model_out_of_credit,
            "any credits yet",
        ),
        (
            refusal("You have reached the monthly spending limit.", 429),
            Misconfigured,
            ErrorCode.model_out_of_credit,
            "spending limit",
        ),
        (
            refusal("Account a is suspended, possibly due to failure to pay past invoices.", 412),
            Misconfigured,
            ErrorCode.model_out_of_credit,
            "past invoices",
        ),
        (
            refusal("Access denied, please make sure your account is in good standing.", 400),
            Misconfigured,
            ErrorCode.model_out_of_credit,
            "good standing",
        ),
        (
            Answer(400, {"code": "argument", "error": "Incorrect API key provided."}),
            Misconfigured,
            ErrorCode.model_misconfigured,
            "Incorrect API key",
        ),
        (
            Answer(400, {"errors": [{"message": "No such model @cf/a or task", "code": 5007}], "success": False}),
            Misconfigured,
            ErrorCode.model_misconfigured,
            "400 No such model @cf/a or task",
        ),
        *(
            (refusal(words), Refused, ErrorCode.model_context_too_small, words)
            for words in (
                "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
                "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000",
                "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
                "Range of input length should be [1, 98304]",
                "Invalid request: Your request exceeded model token limit: 8192",
                "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
                "Input is too long for requested model.",
            )
        ),
        (Answer(404, {"detail": "Not Found"}), Misconfigured, ErrorCode.model_misconfigured, "Not Found"),
        (refusal("Your input was flagged", 403), Refused, ErrorCode.model_refused, "flagged"),
        (
            Answer(400, {"error": {"code": 400, "type": "exceed_context_size_error", "message": "request "
                "(32023 tokens) exceeds the available context size (4096 tokens), try increasing it"}}),
            Refused,
            ErrorCode.model_context_too_small,
            "32023 tokens",
        ),
        (
            Answer(503, {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}),
            RetrySafe,
            ErrorCode.model_unavailable,
            "Loading model",
        ),
        (Answer(451, {"message": "not in your country"}), Refused, ErrorCode.model_refused, "not in your country"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("streams", [False, True])
async def test_a_failure_keeps_its_reason(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode, words: str, streams: bool
) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, answer)
    with pytest.raises(ProviderError) as raised:
        await writer(server).write(ORDER, Watcher() if streams else None)
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert words in raised.value.detail
    assert "word@" not in raised.value.detail
    assert "abc" not in raised.value.detail


async def test_an_error_instead_of_a_choice_keeps_its_reason(server: Server) -> None:
    server.answers(RESPONSES, Answer(404))
    error = {"code": 502, "message": "upstream"}
    server.answers(CHAT, Answer(200, {"choices": [{"index": 0, "error": error, "message": None}]}))
    with pytest.raises(RetrySafe) as raised:
        await writer(server).write(ORDER)
    assert "upstream" in raised.value.detail


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        ({"code": 502, "message": "upstream"}, RetrySafe, ErrorCode.model_unavailable),
        ({"code": "nobody_knows_it", "message": "x"}, RetrySafe, ErrorCode.model_unavailable),
        ({"message": "no code at all"}, RetrySafe, ErrorCode.model_unavailable),
        ("words alone", RetrySafe, ErrorCode.model_unavailable),
        ({"code": 402, "message": "pay"}, Misconfigured, ErrorCode.model_out_of_credit),
        ({"code": "content_filter", "message": "x"}, Refused, ErrorCode.model_refused),
    ],
)
async def test_an_error_within_a_stream_keeps_its_reason(
    server: Server, error: Any, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, chunks(chunk(content="Ha"), {"error": error}))
    with pytest.raises(ProviderError) as raised:
        await writer(server).write(ORDER, Watcher())
    assert (type(raised.value), raised.value.code) == (kind, code)
    assert (error if isinstance(error, str) else error["message"]) in raised.value.detail


async def test_reasoning_that_used_up_the_room_is_told(server: Server) -> None:
    used = {
        "prompt_tokens": 50,
        "completion_tokens": 8000,
        "total_tokens": 8050,
        "completion_tokens_details": {"reasoning_tokens": 7990},
    }
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, chatted({"content": ""}, "length", usage=used))
    with pytest.raises(Refused) as raised:
        await writer(server).write(ORDER)
    assert raised.value.code is ErrorCode.model_reasoned_too_long


async def test_a_context_that_is_full_is_told(server: Server) -> None:
    used = {"prompt_tokens": 3900, "completion_tokens": 196, "total_tokens": 4096}
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, chatted({"content": "Half"}, "length", usage=used))
    with pytest.raises(Refused) as raised:
        await writer(server).write(replace(ORDER, brief="word " * 3200))
    assert raised.value.code is ErrorCode.model_context_too_small


# reasoning effort


async def test_the_effort_of_a_template_goes_before_the_servers(server: Server) -> None:
    server.answers(RESPONSES, Answer(404))
    server.answers(CHAT, chatted({"content": "Hi"}))
    local = writer(server, effort=ReasoningEffort.medium)
    await local.write(ORDER)
    await local.write(EFFORT)
    await local.suggest(SUGGEST)
    await writer(server).write(ORDER)
    sent = asked(server, CHAT)
    assert [one.get("reasoning_effort") for one in sent] == ["medium", "high", "medium", None]
    # thinking counts as output
    assert [one["max_tokens"] for one in sent] == [11_500, 26_500, 12_000, 8_000]


async def test_openais_own_models_think_little_unless_they_are_told(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "is_compatible", lambda _: False)
    server.answers(RESPONSES, responded(said("Hi")))
    own = writer(server, "gpt-6-luna")
    await own.write(ORDER)
    await own.write(EFFORT)
    await own.write(replace(EFFORT, model="gpt-4.1"))  # knows no effort
    assert [one.get("reasoning") for one in asked(server, RESPONSES)] == [{"effort": "low"}, {"effort": "high"}, None]


# images


def maker(server: Server, model: str = "flux") -> OpenAIPictures:
    return OpenAIPictures(KEY, f"{server.url}/v1", model)


async def test_an_image_that_is_fetched_from_its_own_server(server: Server) -> None:
    """Which may be inside, as the operator has set it."""
    image = base64.b64decode(encoded("PNG"))
    for address in (f"{server.url}/images/a.png?sig=1", "/images/a.png?sig=1"):
        server.answers(IMAGES, generated([{"url": address}]))
        server.answers("/images/a.png", Answer(503), Answer(200, image))
        picture = await maker(server).make(an_order("A loom"))
        assert (picture.data, picture.mime) == (image, "image/png")
        assert server.requests[-1].headers["authorization"] == f"Bearer {KEY}"


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("http://images.example.test/a.png", "not by TLS"),
        ("https://127.0.0.1:1/a.png", "leads inside"),
        ("https://[::1]/a.png", "leads inside"),
        ("https://169.254.169.254/latest/meta-data", "leads inside"),
        ("file:///etc/passwd", "not by TLS"),
    ],
)
async def test_an_image_is_not_fetched_from_inside(server: Server, address: str, why: str) -> None:
    server.answers(IMAGES, generated([{"url": address}]))
    with pytest.raises(Refused) as raised:
        await maker(server).make(an_order("A loom"))
    assert raised.value.code is ErrorCode.image_failed
    assert why in raised.value.detail
    assert raised.value.spent is not None


async def test_an_image_that_cannot_be_fetched_may_come_again(server: Server) -> None:
    server.answers(IMAGES, generated([{"url": "/images/a.png?sig=secret"}]))
    server.answers("/images/a.png", Answer(503))
    with pytest.raises(RetrySafe) as raised:
        await maker(server).make(an_order("A loom"))
    assert raised.value.spent is not None
    assert "secret" not in raised.value.detail
    assert [request.path for request in server.requests].count("/images/a.png?sig=secret") == 2


@pytest.mark.parametrize(
    "written",
    [
        lambda text: f"data:image/png;base64,{text}",
        lambda text: text.rstrip("="),
        lambda text: "\n".join(text[at : at + 76] for at in range(0, len(text), 76)),
        lambda text: text.replace("+", "-").replace("/", "_"),
    ],
)
@pytest.mark.parametrize("field", ["b64_json", "url"])
async def test_base64_is_read_as_servers_write_it(server: Server, written: Callable[[str], str], field: str) -> None:
    text = encoded("PNG", (61, 80))
    value = written(text)
    if field == "url" and not value.startswith("data:"):
        value = f"data:image/png;base64,{value}"
    server.answers(IMAGES, generated([{field: value}]))
    assert (await maker(server).make(an_order("A loom"))).data == base64.b64decode(text)


@pytest.mark.parametrize(
    ("name", "refused"),
    [
        ("response_format", refusal("Unknown parameter: 'response_format'.", param="response_format")),
        ("quality", details("quality")),
        ("size", refusal("Unrecognized request argument supplied: size")),
        ("n", listed({"code": 400, "message": 'Unknown name "n": Cannot find field.'})),
    ],
)
async def test_what_an_image_model_refuses_is_not_sent_again(server: Server, name: str, refused: Answer) -> None:
    server.answers(IMAGES, refused, generated([{"b64_json": encoded()}]))
    own, order = maker(server), replace(an_order("A loom"), quality=ImageQuality.high)
    await own.make(order)
    await own.make(order)
    first, repeat, later = asked(server, IMAGES)
    assert repeat == later == {key: value for key, value in first.items() if key != name}


async def test_a_size_that_is_refused_becomes_the_nearest_that_is_named(server: Server) -> None:
    refused = refusal(
        "Invalid value: '1024x1536'. Supported values are: '1024x1024', '1024x1792', and '1792x1024'.", param="size"
    )
    server.answers(IMAGES, refused, generated([{"b64_json": encoded()}]))
    own, order = maker(server), replace(an_order("A loom"), size=ImageRatio.portrait)
    await own.make(order)
    await own.make(order)
    assert [one["size"] for one in asked(server, IMAGES)] == ["1024x1536", "1024x1792", "1024x1792"]


async def test_models_that_give_no_address_are_not_asked_for_none(server: Server) -> None:
    server.answers(IMAGES, generated([{"b64_json": encoded()}]))
    await maker(server, "gpt-image-2").make(an_order("A loom"))
    await maker(server, "flux").make(an_order("A loom"))
    assert [one.get("response_format") for one in asked(server, IMAGES)] == [None, "b64_json"]
