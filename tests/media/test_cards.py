import base64
import io
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageDraw

from core.ai.pictures.base import PictureOrder
from core.ai.rules.usage import Usage
from core.errors import ErrorCode, Refused
from core.media.card_renderer.colours import MIN_CONTRAST, contrast, readable
from core.media.card_renderer.glyphs import BOLD, TEXT, Style, drawable, face, shape
from core.media.card_renderer.page import MIN_SIZE, Bar, Layout
from core.media.card_renderer.palettes import PALETTES
from core.media.card_renderer.renderer import CardMaker, Plan, paint, plan, render
from core.media.card_renderer.text import Line
from core.media.rules.cards import CardFont, CardLayout, CardNote, CardSettings
from core.media.rules.media import ImageRatio

WORDS = "Wer früh plant, schreibt ruhiger: Übergänge, Größen & 12 Wörter für jeden Tag im Jahr. "
COMPOUNDS = "Donaudampfschifffahrtsgesellschaftskapitän Kraftfahrzeug-Haftpflichtversicherung Äquatorialguinea "
EMOJI = "Los 🎉 geht’s 👩‍🚀🇩🇪 👍🏽 mit ❤️ und 👨‍👩‍👧‍👦 1️⃣ "
CYRILLIC = "Осенняя мастерская: приходите все, кто хочет починить велосипед. Ёлка! Ελλάδα "
DIGITS = "104 von 117, 1.234.567,89 € und 50 % "
TEXTS = (
    "",
    "42 Schritte\n1. Licht einen Finger tiefer\n2. Reflektoren ans Pedal\n3. " + WORDS,
    "Sa. 7. Nov., 10 bis 16 Uhr\n" + COMPOUNDS + "\nKomm vorbei",
    "Mara Lindhof",
    (WORDS + EMOJI + CYRILLIC) * 3,
)
LOOKS = tuple(product(CardLayout, ImageRatio))


def an_order(
    prompt: str, *, foot: str = "lindhof", seed: str = "s", logo: bytes | None = None, **card: Any
) -> PictureOrder:
    settings = CardSettings(foot=foot, **card)
    return PictureOrder(prompt, "en", "subject", "", seed, card=settings, logo=logo)


def headlines() -> Iterator[str]:
    """200, of every length from 1 to 200 characters."""
    kinds = (
        WORDS,
        "Donaudampfschifffahrtsgesellschaft",
        COMPOUNDS,
        EMOJI,
        CYRILLIC,
        DIGITS,
        "WM",
        "ÅÇģ pqy ",
        "a\u0304\u0302o\u0308 ",
    )
    for length in range(1, 201):
        kind = kinds[length % len(kinds)]
        # a mark or a joiner alone is nothing to draw
        yield (kind * (length // len(kind) + 1))[:length] if length > 3 else "Ab1"[:length]


def touch(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """By more than what rounding explains."""
    return min(a[2], b[2]) - max(a[0], b[0]) > 0.4 and min(a[3], b[3]) - max(a[1], b[1]) > 0.4


def within(box: tuple[float, ...], room: tuple[float, ...], slack: float) -> bool:
    return (
        box[0] >= room[0] - slack
        and box[1] >= room[1] - slack
        and box[2] <= room[2] + slack
        and box[3] <= room[3] + slack
    )


def check(layout: Layout) -> None:
    """All text stays in its room and in the card's, and runs into nothing."""
    about = (layout.kind, layout.frame.pixels)
    boxes = [(line, line.box) for line in layout.lines]
    assert boxes
    for line, box in boxes:
        assert within(box, layout.frame.room, 0.1), (*about, line, box)
        assert within(box, line.room, 0.1), (*about, line, box)
        assert line.size >= MIN_SIZE - 1e-6, (*about, line)
    for (one, box), (other, next_box) in combinations(boxes, 2):
        assert not touch(box, next_box), (*about, one, other)
    for line, box in boxes:
        for shape_ in reversed(layout.shapes):
            if within(box, shape_.box, 0):
                break  # the number on a disc, the words on a button or on a ground: it hides what is below
            assert not touch(box, shape_.box), (*about, line, shape_)
    if layout.logo is not None:
        assert within(layout.logo.box, (0, 0, layout.frame.width, layout.frame.height), 0), about
        assert not [line for line, box in boxes if touch(box, layout.logo.box)], about


def test_text_never_leaves_its_room() -> None:
    fonts = tuple(CardFont)
    for number, headline in enumerate(headlines()):
        text = TEXTS[number % len(TEXTS)]
        foot = ("", "lindhof", "A brand with quite a long name that goes on and on until it has to be cut")[number % 3]
        for kind, size in LOOKS:
            order = an_order(f"{headline}\n{text}", foot=foot, layout=kind, size=size, font=fonts[number % 4])
            check(plan(order).layout)


def painted(planned: Plan, *lines: Line) -> Image.Image:
    return paint(replace(planned, layout=replace(planned.layout, lines=lines)))


@pytest.mark.parametrize(("kind", "size"), LOOKS)
def test_ink_is_where_it_was_measured(kind: CardLayout, size: ImageRatio) -> None:
    font = tuple(CardFont)[LOOKS.index((kind, size)) % 4]
    prompt = f"12 {EMOJI}Übergänge\n1. {CYRILLIC}\n2. a\u0331 Größe, fjord\n3. {DIGITS}"
    planned = plan(an_order(prompt, layout=kind, size=size, font=font))
    scale = planned.layout.frame.scale
    empty = painted(planned)
    for line in planned.layout.lines:
        ink = ImageChops.difference(painted(planned, line), empty).convert("L").point(lambda v: 255 if v > 40 else 0)
        seen = ink.getbbox()
        assert seen is not None, line
        for measured, drawn in zip(line.box, seen, strict=True):
            assert abs(measured * scale - drawn) <= 2.5, (line, line.box, seen)


def test_all_layouts_have_the_pixels_of_their_ratio() -> None:
    wanted = {ImageRatio.square: (1080, 1080), ImageRatio.portrait: (1080, 1350), ImageRatio.landscape: (1200, 628)}
    for kind, size in LOOKS:
        card = render(an_order("12 Wörter\nEins.\nZwei.\nDrei.", layout=kind, size=size))
        assert card.layout is kind
        with Image.open(io.BytesIO(card.picture.data)) as image:
            assert (image.format, image.size) == ("JPEG", wanted[size])
        assert (card.picture.width, card.picture.height) == wanted[size]


def test_without_settings_the_size_of_the_order_counts() -> None:
    card = render(PictureOrder("Words", "en", "subject", "lindhof", "s", size=ImageRatio.landscape))
    assert (card.picture.width, card.picture.height) == (1200, 628)


async def test_the_same_order_gives_the_same_bytes() -> None:
    first = await CardMaker().make(an_order("Open workshop 🎉\nBring your bike."))
    again = await CardMaker().make(an_order("Open workshop 🎉\nBring your bike."))
    assert first == again
    assert (first.provider, first.mime, first.usage) == ("cards", "image/jpeg", Usage(0, 0))
    assert first.model in set(CardLayout)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Plain words", {CardLayout.statement}),
        ("Finding a quiet route\nRiding to work in the dark", {CardLayout.statement}),
        ("„Wer früh plant, schreibt ruhiger.“\nMara", {CardLayout.quote}),
        ("Riding beats waiting\n— Mara Lindhof", {CardLayout.quote}),
        ("Riding beats waiting\n- Lights on", {CardLayout.statement}),
        ("Riding beats waiting\n— Mara Lindhof\n— Ada", {CardLayout.statement}),
        ("“104 of 117 days”\nMara", {CardLayout.number, CardLayout.quote}),
        ("Plain words\n" + WORDS.replace("12", "zwölf"), {CardLayout.statement}),
        ("Plain words\nOne. Two. Three.", {CardLayout.steps}),
        ("Plain words\n1. One\n2. Two", {CardLayout.steps}),
        ("104 of 117 rainy days", {CardLayout.number}),
        ("Growth\nIt was 12.5 % this time", {CardLayout.number}),
        ("Looking back at 2025", {CardLayout.statement}),
        ("Open workshop\nSat 7 Nov, 10:00 to 16:00\nDrop in", {CardLayout.event}),
        ("Offene Werkstatt\nSa. 7. Nov., 10 bis 16 Uhr", {CardLayout.event}),
        ("x" * 161, {CardLayout.statement}),
    ],
)
def test_the_words_choose_the_layout(prompt: str, expected: set[CardLayout]) -> None:
    assert {plan(an_order(prompt, seed=str(seed))).layout.kind for seed in range(40)} == expected


@pytest.mark.parametrize("size", ImageRatio)
def test_statements_differ_though_their_layout_does_not(size: ImageRatio) -> None:
    orders = [an_order("Finding a quiet route\nIn the dark", seed=str(seed), size=size) for seed in range(40)]
    layouts = [plan(order).layout for order in orders]
    for layout in layouts:
        check(layout)
    assert {layout.kind for layout in layouts} == {CardLayout.statement}
    assert len({tuple(shape_.box for shape_ in layout.shapes) for layout in layouts}) == 4
    # a layout that was asked for stays as it is while one types
    asked = [plan(replace(order, card=CardSettings(CardLayout.statement, size))).layout for order in orders]
    assert len({tuple(shape_.box for shape_ in layout.shapes) for layout in asked}) == 1


def shown(prompt: str, kind: CardLayout, **card: Any) -> list[str]:
    return [line.text for line in plan(an_order(prompt, layout=kind, foot="", **card)).layout.lines]


def test_a_number_card_takes_the_figure_out_of_its_sentence() -> None:
    assert shown("104 of 117 rainy days\nRidden in the rain.", CardLayout.number) == [
        "104",
        "of 117 rainy days",
        "Ridden in the rain.",
    ]
    assert shown("€1,234,567.89 raised", CardLayout.number)[0] == "€1,234,567.89"
    assert shown("Growth\n12.5 % more. In one year.", CardLayout.number) == ["Growth", "12.5 %", "more", "In one year."]


def test_an_event_card_finds_its_date_and_its_button() -> None:
    prompt = "Weihnachtsfeier\nIm Hof.\nFreitag, 12. Dezember, ab 18 Uhr\nSag zu"
    planned = plan(an_order(prompt, layout=CardLayout.event, foot=""))
    texts = [line.text for line in planned.layout.lines]
    assert " ".join(texts) == "Sag zu Weihnachtsfeier Freitag, 12. Dezember, ab 18 Uhr Im Hof."
    button = next(line for line in planned.layout.lines if line.text == "Sag zu")
    assert any(
        isinstance(bar, Bar) and not bar.square and within(button.box, bar.box, 0) for bar in planned.layout.shapes
    )


def test_a_source_stands_behind_one_dash() -> None:
    assert shown("“Go by bike”\n— Mara Lindhof", CardLayout.quote) == ["Go by bike", "Mara Lindhof"]


def test_lines_without_a_mark_are_parted_where_they_become_one() -> None:
    words = "12 minutes\nfor a new tube\nwith a coffee\nWe are quick. Mostly.\nCome by"
    assert " ".join(shown(words, CardLayout.number)[2:]) == (
        "for a new tube · with a coffee · We are quick. Mostly. Come by"
    )
    assert "Mara Lind · Lindhof" in " ".join(shown("Oil is not care.\nMara Lind\nLindhof", CardLayout.quote))


@pytest.mark.parametrize(
    "together",
    ["1,234,567.89 €", "1.234.567,89 EUR", "€ 1,234,567.89", "CHF 1'234'567", "3 Mio. €", "99,5 %", "1500,0 km/h"],
)
def test_a_number_and_its_unit_stay_on_one_line(together: str) -> None:
    for size, before in product(ImageRatio, ("", "Gespart: ", "Das Rad kostet ", "Insgesamt hat es in diesem Jahr ")):
        lines = shown(f"{before}{together} gewesen.", CardLayout.quote, size=size)
        assert any(together in line for line in lines), (size, lines)


def test_several_numbers_are_no_single_word() -> None:
    lines = shown("10 € 20 € 30 € 40 € 50 € 60 € 70 € 80 €", CardLayout.statement)
    assert len(lines) > 1
    assert all(line.endswith("€") for line in lines)


def test_a_number_wider_than_the_card_is_parted_from_its_unit() -> None:
    digits = "1" * 40
    lines = shown(f"{digits} km", CardLayout.statement)
    assert "".join(lines).replace(" ", "") == f"{digits}km"


def test_steps_are_numbered_and_more_than_six_are_cut() -> None:
    texts = shown("Tips\n1. One\n2) Two\n- Three", CardLayout.steps)
    assert {"One", "Two", "Three", "1", "2", "3"} <= set(texts)
    many = plan(an_order("Tips\n" + "\n".join("abcdefgh"), layout=CardLayout.steps))
    assert CardNote.text_cut in many.notes
    assert "g" not in [line.text for line in many.layout.lines]


def test_text_is_cut_at_a_word_only_at_the_smallest_size() -> None:
    whole = plan(an_order("Short and clear", layout=CardLayout.quote, foot=""))
    assert " ".join(line.text for line in whole.layout.lines) == "Short and clear"
    assert whole.notes == ()
    shrunk = plan(an_order(WORDS * 2, layout=CardLayout.quote, foot=""))
    assert shrunk.notes == (CardNote.text_shrunk,)
    cut = plan(an_order(WORDS * 6, layout=CardLayout.quote, foot=""))
    assert cut.notes == (CardNote.text_shrunk, CardNote.text_cut)
    lines = cut.layout.lines
    assert lines[-1].text.endswith("…")
    last = lines[-1].text[:-1].split()[-1]
    assert last in WORDS.replace(":", "").replace(",", "").replace(".", "").split()
    assert lines[0].size == pytest.approx(0.6 * 42)


def test_a_long_word_is_broken_with_a_hyphen_and_nothing_of_it_is_lost() -> None:
    texts = shown("Donaudampfschifffahrtsgesellschaftskapitän", CardLayout.statement)
    assert len(texts) == 2
    assert texts[0].endswith("-")
    assert texts[0][:-1] + texts[1] == "Donaudampfschifffahrtsgesellschaftskapitän"


def test_the_headline_outlives_a_long_text() -> None:
    for kind in (CardLayout.statement, CardLayout.event):
        texts = shown("Open workshop at the river\n" + WORDS * 16, kind)
        assert "Open workshop at the river" in " ".join(texts)
        assert any(text.endswith("…") for text in texts)


_SAME = settings(derandomize=True, deadline=None, database=None)
_COLOUR = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@_SAME
@given(ground=_COLOUR, ink=_COLOUR, accent=_COLOUR, kind=st.sampled_from(CardLayout))
def test_any_text_stands_out_from_what_is_behind_it(ground: str, ink: str, accent: str, kind: CardLayout) -> None:
    prompt = "9 lives\nSat 7 Nov\n1. One\n2. Two\nDrop in"
    planned = plan(an_order(prompt, layout=kind, ground=ground, ink=ink, accent=accent))
    for line in planned.layout.lines:
        behind = [shape_.colour for shape_ in planned.layout.shapes if within(line.box, shape_.box, 0)]
        assert contrast(line.colour, behind[-1] if behind else ground) >= MIN_CONTRAST, line
    if contrast(ink, ground) < MIN_CONTRAST:
        assert CardNote.ink_switched in planned.notes
    elif contrast(accent, ground) >= MIN_CONTRAST:
        assert CardNote.ink_switched not in planned.notes
        assert ink in {line.colour for line in planned.layout.lines}


@_SAME
@given(ground=_COLOUR, ink=_COLOUR)
def test_white_black_or_near_black_always_does(ground: str, ink: str) -> None:
    assert contrast(readable(ink, ground), ground) >= MIN_CONTRAST


def test_a_switched_accent_is_told_only_where_text_stands_in_it() -> None:
    colours: dict[str, Any] = {"ground": "#ffffff", "ink": "#000000", "accent": "#ffee00"}
    assert plan(an_order("12 of 20 days", layout=CardLayout.number, **colours)).notes == (CardNote.ink_switched,)
    assert plan(an_order("Words", layout=CardLayout.quote, **colours)).notes == ()


def test_colours_left_open_come_from_one_palette() -> None:
    for palette in PALETTES:
        assert min(contrast(colour, palette.ground) for colour in (palette.ink, palette.accent, palette.soft)) >= 4.5
        planned = plan(an_order("12 of 20 days\nmore", ground=palette.ground))
        assert {line.colour for line in planned.layout.lines} == {palette.ink, palette.accent, palette.soft}
    grounds = {plan(an_order("Words", seed=str(seed))).layout.ground for seed in range(80)}
    assert grounds == {palette.ground for palette in PALETTES}
    # a ground of one's own needs no ink of one's own
    assert plan(an_order("Words", ground="#223344")).notes == ()


def test_what_no_font_has_is_dropped_and_told() -> None:
    planned = plan(an_order("Ölwechsel 你好 fällig", layout=CardLayout.quote))
    assert planned.notes == (CardNote.characters_dropped,)
    assert [line.text for line in planned.layout.lines] == ["lindhof", "Ölwechsel", "fällig"]
    # what is not seen is not missed; letters of the mathematical plane are letters
    assert drawable("a\u200bb\u00adc 𝗯𝗼𝗹𝗱 ﬁn\u2003x") == ("abc bold fin x", False)
    assert shown("Text\n你好", CardLayout.quote) == ["Text"]
    # a line that nobody sees is no headline
    assert shown("\u200b\ufeff\nText", CardLayout.quote) == ["Text"]


@pytest.mark.parametrize(
    "prompt",
    [
        "自転車で通勤するコツ",
        "نصائح للركوب في الشتاء",
        "טיפים לרכיבה בחורף",
        "सर्दियों में साइकिल चलाना",
        "ปั่นจักรยานในฤดูหนาว",
        "2026年の計画!",
        "Tokyo 東京の自転車",
        "🎉 你好",
        "你好\nText",
        "\ue000\ue001",
    ],
)
def test_a_headline_that_no_font_has_is_refused_whatever_the_foot(prompt: str) -> None:
    for foot in ("", "lindhof"):
        with pytest.raises(Refused) as raised:
            plan(an_order(prompt, foot=foot))
        assert raised.value.code is ErrorCode.card_letters_missing


@pytest.mark.parametrize("prompt", ["", " \n\t", "\u200b"])
def test_without_words_the_foot_is_no_headline(prompt: str) -> None:
    with pytest.raises(Refused) as raised:
        plan(an_order(prompt))
    assert raised.value.code is ErrorCode.image_failed


@pytest.mark.parametrize(
    "emoji", ["🎉", "👩‍🚀", "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "1️⃣", "❤️", "❤", "🏳️‍🌈", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "👩🏾‍❤️‍👨🏻", "☀️", "✅", "↗️"]
)
def test_a_sequence_of_emoji_is_one_coloured_sign(emoji: str) -> None:
    text, dropped = drawable(f"a{emoji}b")
    word = shape(text, Style(CardFont.schibsted, BOLD))
    assert not dropped
    assert [sign.coloured for sign in word.signs] == [False, True, False]
    planned = plan(an_order(emoji, layout=CardLayout.quote, foot="", ground="#ffffff", ink="#000000"))
    ink = ImageChops.difference(paint(planned), painted(planned))
    saturated = ink.convert("HSV").getchannel("S").point(lambda value: 255 if value > 100 else 0).getbbox()
    assert saturated or emoji == "🏴󠁧󠁢󠁥󠁮󠁧󠁿"  # colours, not a box


def test_what_is_no_emoji_stays_text() -> None:
    word = shape(drawable("© ™ → ✔ 1 # ↗".replace(" ", ""))[0], Style(CardFont.source_serif, TEXT))
    assert not any(sign.coloured for sign in word.signs)
    assert len(word.signs) == 7
    # half a flag, a skin tone that nothing wears and a joiner between strangers leave no box
    assert drawable("x\U0001f1e9 y") == ("x y", True)
    assert len(shape(drawable("🎉\u200d🚲")[0], Style(CardFont.schibsted, BOLD)).signs) == 2


@pytest.mark.parametrize("font", CardFont)
@pytest.mark.parametrize("weight", [TEXT, BOLD])
def test_every_font_writes_the_languages_of_europe(font: CardFont, weight: int) -> None:
    letters = "ÄÖÜäöüßẞąćęłńóśźżěščřžýáíéůúďťňğışİŞăâîșțőűāčēģīķļņšūžėįųåæøðþċġħżếộữñçàèìòùÿœŒ"
    letters += "абвгдежзийклмнопрстуфхцчшщъыьэюяЁёіїєґђћљњџјαβγδεζηθάέήίόύώϊϋΐΰΩ€£$₽₴₺„“‚‘»«–—…·•%‰°²№†§½"
    for letter in letters:
        text, dropped = drawable(letter)
        assert not dropped, letter
        (sign,) = shape(text, Style(font, weight)).signs
        left, top, right, bottom = sign.box
        assert right > left, letter
        assert bottom > top, letter


@pytest.mark.parametrize("font", CardFont)
def test_whatever_drawable_leaves_every_family_can_show(font: CardFont) -> None:
    for name in ("schibsted-700", "fallback-700", "symbols-400", "emoji-400"):
        for sign in face(name).advances:
            text, _ = drawable(sign)
            for word in text.split():
                assert shape(word, Style(font, TEXT)).signs or unicodedata.combining(word[0])


def test_a_word_of_another_script_is_in_one_font() -> None:
    word = shape("Việt", Style(CardFont.schibsted, BOLD))
    assert {sign.face for sign in word.signs} == {"fallback-700"}
    assert {sign.face for sign in shape("Viet", Style(CardFont.schibsted, BOLD)).signs} == {"schibsted-700"}


@pytest.mark.parametrize("font", CardFont)
def test_marks_stand_over_the_middle_of_their_letter(font: CardFont) -> None:
    for text, above in (("m\u0302", True), ("M\u0308", True), ("m\u0331", False)):
        base, mark = shape(drawable(text)[0], Style(font, BOLD)).signs
        assert mark.step == base.step
        middle = (mark.box[0] + mark.box[2]) / 2
        assert middle == pytest.approx((base.box[0] + base.box[2]) / 2, abs=0.01)
        assert mark.box[3] < base.box[1] if above else mark.box[1] > base.box[3]
    # no pile of them, and none on nothing
    assert len(drawable("a" + "\u0301\u0302\u0303\u0304" * 9)[0]) <= 3
    assert drawable("\u0302 x") == ("x", True)


def test_pairs_of_letters_are_kerned() -> None:
    for font in CardFont:
        pair, single = (shape(text, Style(font, BOLD)).width for text in ("AV", "A"))
        assert pair < single + shape("V", Style(font, BOLD)).width - 0.01


@lru_cache
def a_logo(width: int, height: int, colour: str, kind: str = "PNG") -> bytes:
    """An ellipse that fills its picture; without transparency it stands on white."""
    image = Image.new("RGBA", (width, height), (255, 255, 255, 0 if kind == "PNG" else 255))
    ImageDraw.Draw(image).ellipse((0, 0, width - 1, height - 1), fill=colour)
    output = io.BytesIO()
    (image if kind == "PNG" else image.convert("RGB")).save(output, kind)
    return output.getvalue()


@pytest.mark.parametrize(("kind", "size"), LOOKS)
def test_a_logo_is_never_stretched(kind: CardLayout, size: ImageRatio) -> None:
    for width, height, colour in ((900, 90, "#ffffff"), (60, 600, "#0e444b"), (300, 300, "#0e444b"), (2, 2, "#ffffff")):
        for foot in ("", "lindhof und Freunde in der Werkstatt an der Lindenstraße", "x"):
            order = an_order(
                "12 of 20\nSat 7 Nov, 10:00\nOne\nTwo\nDrop in",
                foot=foot, layout=kind, size=size, ground="#0e444b", logo=a_logo(width, height, colour),
            )  # fmt: skip
            layout = plan(order).layout
            assert layout.logo is not None
            left, top, right, bottom = layout.logo.box
            assert (right - left) / (bottom - top) == pytest.approx(width / height, rel=0.01)
            assert max(right - left, bottom - top) >= 20
            check(layout)


def test_a_logo_like_the_ground_gets_a_plate() -> None:
    def plate(colour: str, ground: str, kind: str = "PNG") -> str | None:
        place = plan(an_order("Words", ground=ground, logo=a_logo(300, 100, colour, kind))).layout.logo
        assert place is not None
        return place.plate

    assert plate("#ffffff", "#0e444b") is None
    assert plate("#0e444b", "#0e444b") == "#ffffff"
    assert plate("#fdc146", "#fdc146") == "#151f21"
    assert plate("#0e444b", "#0e444b", "JPEG") is None  # opaque: on its own ground


def test_the_logo_is_drawn_where_it_was_placed() -> None:
    planned = plan(an_order("Words", foot="", ground="#0e444b", logo=a_logo(300, 100, "#ff0000")))
    place = planned.layout.logo
    assert place is not None
    seen = ImageChops.difference(paint(planned), paint(replace(planned, logo=None))).getbbox()
    edges = [edge * planned.layout.frame.scale for edge in place.box]
    assert seen == pytest.approx(edges, abs=24 if place.plate else 2)


@pytest.mark.parametrize(
    "data", [b"GIF89a", b"<svg/>", b"\x89PNG\r\n\x1a\n" + bytes(40), base64.b64decode(b"/9j/4A==")]
)
def test_a_logo_that_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(Refused) as raised:
        render(an_order("Words", logo=data))
    assert raised.value.code is ErrorCode.image_failed


def test_an_invisible_logo_is_refused() -> None:
    output = io.BytesIO()
    Image.new("RGBA", (10, 10), (0, 0, 0, 0)).save(output, "PNG")
    with pytest.raises(Refused):
        render(an_order("Words", logo=output.getvalue()))
