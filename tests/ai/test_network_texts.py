"""Several texts in one answer: how they are asked for, and what is read of an answer."""

import json
from dataclasses import replace
from typing import Any

import pytest

from core.ai.bounds import MAX_OUTPUT_TOKENS, REASONING_TOKENS, text_bound, text_room
from core.ai.writers.demo import DemoWriter
from core.ai.writers.network_texts import first_text_so_far, read_texts
from core.errors import ErrorCode, ProviderError
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import NetworkRoom
from tests.ai.test_writers import ORDER, Watcher, chatted, delta, ending, events, failing, responded, said, writer
from tests.http_server import Answer, Server

ROOMS = (NetworkRoom(ChannelKind.linkedin, 3000), NetworkRoom(ChannelKind.mastodon, 500))
SEVERAL = replace(ORDER, networks=ROOMS)
LONG, SHORT = "Rain needs no drama.\n\nMudguards help.", "Mudguards help against “rain”."
TEXTS = {"linkedin": LONG, "mastodon": SHORT}
READ = {ChannelKind.linkedin: LONG, ChannelKind.mastodon: SHORT}


async def test_one_text_for_each_network_by_a_schema(server: Server) -> None:
    server.answers("/v1/responses", responded(said(json.dumps(TEXTS))))
    written = await writer(server.url).write(SEVERAL)
    assert (written.text, written.texts) == (LONG, READ)
    asked = server.requests[0].json
    form = asked["text"]["format"]
    assert (form["type"], form["strict"]) == ("json_schema", True)
    assert form["schema"]["required"] == ["linkedin", "mastodon"]
    assert asked["max_output_tokens"] == text_room(SEVERAL)


async def test_an_order_for_one_network_is_an_order_for_one_text(server: Server) -> None:
    server.answers("/v1/responses", responded(said(SHORT)))
    written = await writer(server.url).write(replace(ORDER, networks=ROOMS[1:]))
    assert (written.text, written.texts) == (SHORT, {})
    assert "text" not in server.requests[0].json


async def test_a_server_that_refuses_the_schema_is_asked_in_words(server: Server) -> None:
    server.answers("/v1/responses", Answer(404))
    server.answers(
        "/v1/chat/completions",
        failing(400, "unknown_parameter"),
        chatted({"content": f"```json\n{json.dumps(TEXTS)}\n```"}),
        chatted({"content": json.dumps(TEXTS)}),
    )
    local = writer(server.url)
    for _ in range(2):
        assert (await local.write(SEVERAL)).texts == READ
    asked = [request.json for request in server.requests if "chat" in request.path]
    assert ["response_format" in body for body in asked] == [True, False, False]
    assert local.writes_several(None)


async def test_a_model_that_twice_answers_in_another_form_is_no_longer_asked_for_it(server: Server) -> None:
    server.answers("/v1/responses", *[responded(said(text)) for text in (SHORT, json.dumps(TEXTS), SHORT, SHORT)])
    local, known = writer(server.url), []
    for _ in range(4):
        written = await local.write(SEVERAL)
        known.append((bool(written.texts), local.writes_several(None)))
    assert known == [(False, True), (True, True), (False, True), (False, False)]
    assert written.text == SHORT


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (responded(said("I'm sorry, but I can't help with that request.")), ErrorCode.model_refused),
        (responded({"type": "refusal", "refusal": "No."}), ErrorCode.model_refused),
        (responded(said(" ")), ErrorCode.model_unavailable),
        (
            responded(
                said('{"linkedin": "Rain'), status="incomplete", incomplete_details={"reason": "max_output_tokens"}
            ),
            ErrorCode.model_incomplete,
        ),
    ],
)
async def test_what_is_no_answer_fails_as_for_one_text(server: Server, answer: Answer, code: ErrorCode) -> None:
    server.answers("/v1/responses", answer)
    local = writer(server.url)
    for _ in range(3):
        with pytest.raises(ProviderError) as raised:
            await local.write(SEVERAL)
        assert raised.value.code is code
    assert local.writes_several(None), "a refusal says nothing about the form"


async def test_the_first_text_is_shown_while_it_is_written(server: Server) -> None:
    raw = json.dumps(TEXTS)
    parts = [raw[at : at + 9] for at in range(0, len(raw), 9)]
    server.answers(
        "/v1/responses", events(*[delta(part) for part in parts], ending("completed", said(raw)), done=False)
    )
    watch = Watcher()
    assert (await writer(server.url).write(SEVERAL, watch)).texts == READ
    assert watch.heard[-1] == LONG
    assert all(LONG.startswith(shown) for shown in watch.heard)
    assert len(set(watch.heard)) > 3


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("", ""),
        ('{"linkedin"', ""),
        ('{"linkedin": "Rain \\u00', "Rain "),
        ('{"linkedin": "Rain \\"and\\', 'Rain "and'),
        ('<think>Hm.</think>\n{"linkedin": "Rain.\\n\\nSnow', "Rain.\n\nSnow"),
        ("Rain needs no drama.", ""),
    ],
)
def test_an_unfinished_answer_shows_what_can_be_read(raw: str, shown: str) -> None:
    assert first_text_so_far(raw) == shown


@pytest.mark.parametrize(
    "answer",
    [
        f"Sure, here you are:\n\n{json.dumps(TEXTS)}\n\nShall I write more?",
        json.dumps({"LinkedIn": LONG, "Mastodon": f"**{SHORT}**"}),
        json.dumps({"posts": TEXTS}),
        json.dumps([{"network": "LinkedIn", "text": LONG}, {"platform": "mastodon", "content": SHORT}]),
        json.dumps({"posts": [{"network": name, "text": text} for name, text in TEXTS.items()]}),
        json.dumps({name: {"text": text} for name, text in TEXTS.items()}),
        json.dumps({"linkedin": LONG.split("\n\n"), "mastodon": SHORT, "notes": "none"}),
        f'<think>{{"linkedin": "no"}}</think>{json.dumps(TEXTS)}',
        json.dumps(TEXTS).replace("\\n", "\n"),
    ],
)
def test_other_forms_of_the_answer_are_understood(answer: str) -> None:
    assert read_texts(answer, ROOMS) == READ


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        (json.dumps({"linkedin": LONG}), {ChannelKind.linkedin: LONG}),
        (json.dumps({"linkedin": LONG, "mastodon": "  "}), {ChannelKind.linkedin: LONG}),
        (json.dumps({"linkedin": LONG, "mastodon": None}), {ChannelKind.linkedin: LONG}),
        (json.dumps({"linkedin": LONG, "mastodon": {"words": 3}}), {ChannelKind.linkedin: LONG}),
        (json.dumps({"linkedin": LONG, "facebook": SHORT}), {ChannelKind.linkedin: LONG}),
        (LONG, {}),
        (json.dumps({"linkedin": "", "mastodon": ""}), {}),
        ("[" * 5000, {}),
        ('{"a": ' * 5000, {}),
        ('{"linkedin": "Rain', {}),
    ],
)
def test_what_is_missing_is_left_out(answer: str, read: dict[ChannelKind, str]) -> None:
    assert read_texts(answer, ROOMS) == read


def test_the_output_limit_and_the_reserved_budget_cover_all_texts() -> None:
    def rooms(*limits: int) -> Any:
        kinds = (ChannelKind.linkedin, ChannelKind.facebook, ChannelKind.instagram)
        return replace(ORDER, networks=tuple(map(NetworkRoom, kinds, limits)))

    assert text_room(rooms(500, 500)) > 1000 + REASONING_TOKENS
    assert text_room(rooms(3000, 3000, 2200)) > max(MAX_OUTPUT_TOKENS, 8200 // 2 + REASONING_TOKENS)
    one, three = text_bound(replace(ORDER, max_characters=3000)), text_bound(rooms(3000, 3000, 2200))
    assert one.input_tokens is not None
    assert three.input_tokens is not None
    assert three.input_tokens > one.input_tokens, "the schema is part of the prompt"


async def test_the_demo_writer_writes_one_text_for_all() -> None:
    demo = DemoWriter()
    written = await demo.write(SEVERAL)
    assert demo.one_for_all
    assert (written.text, written.texts) == ((await demo.write(ORDER)).text, {})
