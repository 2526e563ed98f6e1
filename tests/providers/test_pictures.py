import base64
import io
from itertools import combinations
from typing import Any

import pytest
from PIL import Image

from core.domain.errors import ErrorCode, Misconfigured, ProviderError, RateLimited, Refused, RetrySafe
from core.providers.pictures import open_pictures
from core.providers.pictures import openai as module
from core.providers.pictures.base import PictureOrder
from core.providers.pictures.cards import (
    DESIGNS,
    PALETTES,
    Box,
    CardMaker,
    Content,
    Layout,
    Palette,
    contrast,
    designs,
    layout,
    read,
    readable,
)
from core.providers.pictures.openai import OpenAIPictures
from core.providers.writers.base import Usage
from tests.providers.conftest import Answer, Server

WORDS = "Wer früh plant, schreibt ruhiger: Übergänge, Größen & 12 Wörter für jeden Tag im Jahr. "
SENTENCES = "Light one finger down.\nReflectors on pedals.\nWipe it every Monday, rain or shine, all winter long."


def a_content(headline: str, text: str = "42 " + SENTENCES) -> Content:
    return Content(headline, text, "A brand with quite a long name that goes on and on until it has to be cut")


def an_order(prompt: str, foot: str = "lindhof", seed: str = "s") -> PictureOrder:
    return PictureOrder(prompt, "en", "subject", foot, seed)


def within(box: Box, room: Box, slack: float) -> bool:
    return (
        box[0] >= room[0] - slack
        and box[1] >= room[1] - slack
        and box[2] <= room[2] + slack
        and box[3] <= room[3] + slack
    )


def overlap(a: Box, b: Box) -> float:
    """How far two lines of text run into each other, upwards or downwards, in units."""
    across = min(a[2], b[2]) - max(a[0], b[0])
    return min(a[3], b[3]) - max(a[1], b[1]) if across > 0 else 0


def check(plan: Layout) -> None:
    assert plan.lines
    boxes = [line.box for line in plan.lines]
    for line, box in zip(plan.lines, boxes, strict=True):
        # the side bearing of a letter may reach over by a hair
        assert within(box, plan.room, 1.0), (plan.design, line)
    for (one, box), (other, next_box) in combinations(zip(plan.lines, boxes, strict=True), 2):
        assert overlap(box, next_box) <= 0.1 * max(one.size, other.size), (plan.design, one, other)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("length", sorted({1, 2, 3, 5, 200, *range(9, 200, 10)}))
def test_text_never_leaves_its_room(design: str, length: int) -> None:
    words = (WORDS * 3)[:length]
    unbroken = "Donaudampfschifffahrtsgesellschaft"[:length] * (length // 34 + 1)
    for headline in (words, unbroken[:length], ("WM" * 100)[:length]):
        for text in ("42 " + SENTENCES, "7 " + "\n".join([WORDS * 3, "y" * 150, WORDS])):
            check(layout(a_content(headline, text), "seed", design, PALETTES[length % 3]))
    if design in ("statement", "quote"):
        check(layout(a_content(words, ""), "seed", design))


def test_a_figure_too_long_for_the_card_shrinks() -> None:
    plan = layout(Content("€1,234,567.89 raised", "In one year", ""), "s", "number")
    assert plan.lines[1].text == "€1,234,567.89"
    check(plan)


def test_text_is_cut_at_a_word_only_at_the_smallest_size() -> None:
    whole = layout(Content("Short and clear", "", ""), "s", "quote").lines
    assert " ".join(line.text for line in whole) == "Short and clear"
    cut = layout(Content(WORDS * 4, "", ""), "s", "quote").lines
    assert cut[-1].text.endswith("…")
    assert cut[-1].text[:-1].split()[-1] in WORDS.replace(":", "").replace(",", "").replace(".", "").split()
    assert cut[0].size == pytest.approx(0.6 * whole[0].size)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (Content("Plain words", "", ""), {"statement", "quote"}),
        (Content("Plain words", "One. Two. Three.", ""), {"statement", "quote", "steps"}),
        (Content("Plain words", "1. One\n2. Two\n- Three", ""), {"statement", "quote", "steps"}),
        (Content("104 of 117 rainy days", "", ""), {"statement", "quote", "number"}),
        (Content("Growth", "It was 12.5 % this time", ""), {"statement", "quote", "number"}),
        (Content("Looking back at 2025", "At 12:30 on the 24-hour clock", ""), {"statement", "quote"}),
        (Content("x" * 121, "", ""), {"statement"}),
    ],
)
def test_only_fitting_designs_are_chosen(content: Content, expected: set[str]) -> None:
    assert set(designs(content)) == expected
    assert {layout(content, str(seed)).design for seed in range(60)} == expected


def test_all_colours_stand_out() -> None:
    for palette in PALETTES:
        for colour in (palette.ink, palette.accent, palette.soft):
            assert contrast(readable(colour, palette.ground), palette.ground) >= 4.5
    dull = Palette("dull", "#808080", "#888888", "#777777", "#000000", "#7f7f7f")
    for design in DESIGNS:
        for line in layout(a_content("9 lives", SENTENCES), "s", design, dull).lines:
            assert line.colour in ("#ffffff", "#151f21")


async def test_a_card_is_a_jpeg_and_the_same_each_time() -> None:
    first = await CardMaker().make(an_order("Open workshop 🎉\nBring your bike."))
    again = await CardMaker().make(an_order("Open workshop 🎉\nBring your bike."))
    assert first == again
    assert first.data == again.data
    with Image.open(io.BytesIO(first.data)) as image:
        assert (image.format, image.size) == ("JPEG", (1080, 1080))
    assert (first.provider, first.mime, first.usage) == ("cards", "image/jpeg", Usage(0, 0))
    assert first.model in DESIGNS


def test_signs_without_a_glyph_are_left_out() -> None:
    assert read(an_order("🎉  Ölwechsel 你好 fällig\n\n🚲\nText")) == Content("Ölwechsel fällig", "Text", "lindhof")
    assert read(an_order("你好")) == Content("lindhof", "", "")
    with pytest.raises(Refused) as raised:
        read(an_order("你好", foot=""))
    assert raised.value.code is ErrorCode.image_failed


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


async def test_openai_itself_is_asked_for_a_portrait(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "is_compatible", lambda _: False)
    server.answers("/v1/images/generations", generated([{"b64_json": encoded()}]))
    picture = await maker(server.url).make(an_order("A loom"))
    assert picture.usage == Usage(None, None)
    sent = server.requests[0].json
    assert (sent["size"], sent["output_format"], sent["safety_identifier"]) == ("1088x1360", "jpeg", "subject")


@pytest.mark.parametrize(
    ("answer", "kind", "code"),
    [
        (generated([{"url": "https://x.test/a.png"}]), Refused, ErrorCode.image_failed),
        (generated([]), Refused, ErrorCode.image_failed),
        (generated([{"b64_json": "%%%"}]), Refused, ErrorCode.image_failed),
        (generated([{"b64_json": "aGVsbG8="}]), Refused, ErrorCode.image_failed),
        (generated([{"b64_json": encoded()[:400]}]), Refused, ErrorCode.image_failed),
        (generated([{"b64_json": encoded("GIF")}]), Refused, ErrorCode.image_failed),
        (generated([{"b64_json": encoded("PNG", (8000, 7000))}]), Refused, ErrorCode.image_failed),
        (Answer(200, b"<html>", {"Content-Type": "text/html"}), Refused, ErrorCode.image_failed),
        (Answer(400, {"error": {"code": "moderation_blocked"}}), Refused, ErrorCode.model_refused),
        (Answer(401), Misconfigured, ErrorCode.model_misconfigured),
        (Answer(429, headers={"Retry-After": "3"}), RateLimited, ErrorCode.rate_limited),
        (Answer(500), RetrySafe, ErrorCode.model_unavailable),
    ],
)
async def test_every_failure_has_its_class(
    server: Server, answer: Answer, kind: type[ProviderError], code: ErrorCode
) -> None:
    server.answers("/v1/images/generations", answer)
    with pytest.raises(ProviderError) as raised:
        await maker(server.url).make(an_order("A loom"))
    assert (type(raised.value), raised.value.code) == (kind, code)


async def test_nothing_listens(nowhere: str) -> None:
    with pytest.raises(RetrySafe):
        await maker(nowhere).make(an_order("A loom"))


def test_settings_choose_the_maker() -> None:
    assert open_pictures(None, None, "gpt-image-2").provider == "cards"
    assert open_pictures("sk-key", None, None).provider == "cards"
    assert open_pictures("sk-key", None, "gpt-image-2").model == "gpt-image-2"
