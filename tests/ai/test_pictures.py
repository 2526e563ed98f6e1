import base64
import io
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from PIL import Image

from core.ai.pictures import open_pictures
from core.ai.pictures import openai as module
from core.ai.pictures.base import PictureOrder
from core.ai.pictures.openai import OpenAIPictures
from core.ai.rules.usage import UNKNOWN_USAGE, Spent, Usage
from core.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe
from core.media.rules.media import ImageRatio
from core.templates.rules.templates import ImageQuality
from tests.http_server import Answer, Server


def an_order(prompt: str, foot: str = "lindhof", seed: str = "s") -> PictureOrder:
    return PictureOrder(prompt, "en", "subject", foot, seed)


def encoded(kind: str = "JPEG", size: tuple[int, int] = (64, 80)) -> str:
    data = io.BytesIO()
    Image.new("RGB", size, "#115d67").save(data, kind)
    return base64.b64encode(data.getvalue()).decode()


def generated(data: list[dict[str, Any]], **more: Any) -> Answer:
    return Answer(200, {"created": 1, "data": data, **more}, {"x-request-id": "req_2"})


def maker(server_url: str) -> OpenAIPictures:
    return OpenAIPictures("sk-key", f"{server_url}/v1", "gpt-image-2.5-flare")


@pytest.mark.parametrize(("kind", "mime"), [("JPEG", "image/jpeg"), ("PNG", "image/png"), ("WEBP", "image/webp")])
async def test_a_generated_picture(server: Server, kind: str, mime: str) -> None:
    usage = {"input_tokens": 50, "output_tokens": 1056, "total_tokens": 1106}
    server.answers("/v1/images/generations", generated([{"b64_json": encoded(kind)}], usage=usage))
    picture = await maker(server.url).make(an_order("A loom"))
    assert (picture.mime, picture.width, picture.height) == (mime, 64, 80)
    assert (picture.usage, picture.model, picture.request_id) == (Usage(50, 1056), "gpt-image-2.5-flare", "req_2")
    assert server.requests[0].json == {
        "model": "gpt-image-2.5-flare",
        "prompt": "A loom",
        "n": 1,
        "size": "1024x1024",
    }


async def test_the_order_says_size_quality_style_and_model(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_compatible", lambda _: False)
    server.answers("/v1/images/generations", generated([{"b64_json": encoded()}]))
    order = replace(
        an_order("A loom"),
        size=ImageRatio.portrait,
        quality=ImageQuality.high,
        style="woodcut, two colours",
        model="gpt-image-2",
    )
    picture = await maker(server.url).make(order)
    assert (picture.usage, picture.model) == (UNKNOWN_USAGE, "gpt-image-2")
    assert server.requests[0].json == {
        "model": "gpt-image-2",
        "prompt": "A loom\n\nStyle: woodcut, two colours",
        "n": 1,
        "size": "1088x1360",
        "quality": "high",
        "output_format": "jpeg",
        "output_compression": 90,
        "moderation": "auto",
        "safety_identifier": "subject",
    }


@pytest.mark.parametrize(
    ("model", "sizes"),
    [
        ("gpt-image-2", ["1024x1024", "1088x1360", "1216x640"]),
        ("gpt-image-2.6-sunburst", ["1024x1024", "1088x1360", "1216x640"]),
        ("gpt-image-1.5", ["1024x1024", "1024x1536", "1536x1024"]),
        ("gpt-image-1-mini", ["1024x1024", "1024x1536", "1536x1024"]),
        ("flux", ["1024x1024", "1024x1536", "1536x1024"]),
    ],
)
async def test_each_model_is_asked_for_sizes_that_it_can(server: Server, model: str, sizes: list[str]) -> None:
    server.answers("/v1/images/generations", generated([{"b64_json": encoded()}]))
    own = OpenAIPictures(None, f"{server.url}/v1", model)
    for size in (ImageRatio.square, ImageRatio.portrait, ImageRatio.landscape):
        await own.make(replace(an_order("A loom"), size=size, quality=ImageQuality.low, model="another"))
    assert [request.json["size"] for request in server.requests] == sizes
    # of another server nobody knows more models than its own
    assert {(request.json["model"], request.json["quality"]) for request in server.requests} == {(model, "low")}


async def test_a_prompt_that_is_too_long_keeps_its_style(server: Server) -> None:
    server.answers("/v1/images/generations", generated([{"b64_json": encoded()}]))
    await maker(server.url).make(replace(an_order("x" * 40_000), style="woodcut"))
    prompt = server.requests[0].json["prompt"]
    assert (len(prompt), prompt[-7:]) == (32_000, "woodcut")


USED = {"input_tokens": 50, "output_tokens": 1056, "total_tokens": 1106}
TOLD = Spent("openai", "gpt-image-2.5-flare", Usage(50, 1056), "req_2")
UNSAID = replace(TOLD, usage=UNKNOWN_USAGE)
LOST = replace(UNSAID, request_id=None)


@pytest.mark.parametrize(
    ("answer", "kind", "code", "spent"),
    [
        (generated([{"url": "http://x.test/a.png"}]), Refused, ErrorCode.image_failed, UNSAID),
        (generated([], usage=USED), Refused, ErrorCode.image_failed, TOLD),
        (generated([{"b64_json": "%%%"}], usage=USED), Refused, ErrorCode.image_failed, TOLD),
        (generated([{"b64_json": "aGVsbG8="}], usage=USED), Refused, ErrorCode.image_failed, TOLD),
        (generated([{"b64_json": encoded()[:400]}], usage=USED), Refused, ErrorCode.image_failed, TOLD),
        (generated([{"b64_json": encoded("GIF")}], usage=USED), Refused, ErrorCode.image_failed, TOLD),
        (generated([{"b64_json": encoded("PNG", (8000, 7000))}], usage=USED), Refused, ErrorCode.image_failed, TOLD),
        (Answer(200, b"<html>", {"Content-Type": "text/html"}), Refused, ErrorCode.image_failed, LOST),
        (Answer(400, {"error": {"code": "moderation_blocked"}}), Refused, ErrorCode.model_refused, None),
        (Answer(401), Misconfigured, ErrorCode.model_misconfigured, None),
        (Answer(429, headers={"Retry-After": "3"}), RateLimited, ErrorCode.rate_limited, None),
        (Answer(500), RetrySafe, ErrorCode.model_unavailable, None),
        (Answer(drop=True), RetrySafe, ErrorCode.model_unavailable, LOST),
    ],
)
async def test_every_failure_has_its_class(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode, spent: Spent | None
) -> None:
    """And carries what it may have cost."""
    server.answers("/v1/images/generations", answer)
    with pytest.raises(ProviderError) as raised:
        await maker(server.url).make(an_order("A loom"))
    assert (type(raised.value), raised.value.code, raised.value.spent) == (kind, code, spent)


async def test_a_picture_that_takes_too_long_may_have_cost(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT", timedelta(seconds=0.2))
    server.answers("/v1/images/generations", Answer(200, b"", delay=2))
    with pytest.raises(RetrySafe) as raised:
        await maker(server.url).make(an_order("A loom"))
    assert raised.value.spent == LOST


async def test_nothing_listens(nowhere: str) -> None:
    with pytest.raises(RetrySafe):
        await maker(nowhere).make(an_order("A loom"))


def test_settings_choose_the_maker() -> None:
    assert open_pictures(None, None, "gpt-image-2").provider == "cards"
    assert open_pictures("sk-key", None, None).provider == "cards"
    assert open_pictures("sk-key", None, "gpt-image-2").model == "gpt-image-2"
