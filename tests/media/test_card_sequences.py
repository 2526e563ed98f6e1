"""Card sequences: their pages in one design, as pictures and as PDF documents."""

import io
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from typing import Any

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat
from pypdf import PdfReader

from core.errors import ErrorCode, Refused
from core.media.card_renderer.colours import MIN_CONTRAST, contrast
from core.media.card_renderer.documents import write_document
from core.media.card_renderer.page import Bar
from core.media.card_renderer.sequences import SequenceOrder, draw_page, draw_pages, plan_pages
from core.media.rules.cards import CardFont, CardLayout, CardNote, CardSettings
from core.media.rules.media import ImageRatio
from core.media.rules.sequences import CardPage, PageKind
from tests.media.test_cards import TEXTS, WORDS, check, headlines, within
from tests.pictures import png

PAGES = (
    CardPage(PageKind.cover, "Kraftfahrzeug-Haftpflichtversicherung: acht Fragen", "Was Werkstätten wirklich hören"),
    CardPage(PageKind.point, "Wer früh plant, fährt ruhiger", "Eine Wartung spart im Jahr rund 340 € und drei Anrufe."),
    CardPage(PageKind.number, "104 von 117 Regentagen im Sattel", "Das sind 89 % aller nassen Tage."),
    CardPage(PageKind.number, "Viele Tage", "im Sattel"),
    CardPage(PageKind.quote, "„Das Rad erinnert mich.“", "Mara Lindhof, Lastenradfahrerin"),
    CardPage(PageKind.list, "Vor der ersten Frostnacht", "1. Licht tiefer stellen\n2. Reifendruck senken\n3. Öl"),
    CardPage(
        PageKind.point, "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen", "Осенняя мастерская → ja 🎉"
    ),
    CardPage(PageKind.point, "Ein Satz steht groß"),
    CardPage(PageKind.list, "Sechs Dinge", "Eins\nZwei mit viel mehr Text als die anderen\nDrei\nVier\nFünf\nSechs"),
    CardPage(PageKind.call_to_action, "Komm am Samstag vorbei", "lindhof.example"),
)

NO_EMOJI = dict.fromkeys(range(0xF0000, 0xFFFFE))


def an_order(*pages: CardPage, logo: bytes | None = None, seed: str = "s", **look: Any) -> SequenceOrder:
    return SequenceOrder(pages or PAGES, CardSettings(**{"foot": "Lindhof", **look}), seed=seed, logo=logo)


def read_back(document: bytes) -> list[str]:
    return [page.extract_text() for page in PdfReader(io.BytesIO(document)).pages]


def words_of(text: str) -> str:
    return "".join(text.split())


def test_text_never_leaves_its_room() -> None:
    fonts = tuple(CardFont)
    feet = ("", "lindhof", "A brand with quite a long name that is cut")
    for number, headline in enumerate(list(headlines())[::3]):
        text, logo = TEXTS[number % len(TEXTS)], png() if number % 2 else None
        for size in ImageRatio:
            pages = tuple(CardPage(kind, headline, text) for kind in PageKind)
            for plan in plan_pages(
                an_order(*pages, logo=logo, foot=feet[number % 3], size=size, font=fonts[number % 4])
            ):
                check(plan.layout)


@settings(derandomize=True, deadline=None, database=None)
@given(
    ground=st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}"),
    ink=st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}"),
    accent=st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}"),
)
def test_any_text_stands_out_from_what_is_behind_it(ground: str, ink: str, accent: str) -> None:
    for planned in plan_pages(an_order(ground=ground, ink=ink, accent=accent)):
        for line in planned.layout.lines:
            behind = [shape.colour for shape in planned.layout.shapes if within(line.box, shape.box, 0)]
            assert contrast(line.colour, behind[-1] if behind else ground) >= MIN_CONTRAST, line


def test_all_pages_have_one_design_and_no_number_that_is_wrong_once_a_page_is_removed() -> None:
    for seed, size in product("abc", ImageRatio):
        layouts = [plan.layout for plan in plan_pages(an_order(seed=seed, size=size, logo=png()))]
        assert len({(layout.ground, layout.frame.pixels) for layout in layouts}) == 1
        cover, *others = ([line.text for line in layout.lines] for layout in layouts)
        # the foot is read last
        assert cover[-2:] == ["Lindhof", "→"]
        assert {lines[-1] for lines in others} == {"Lindhof"}
        assert len({layout.lines[-1].y for layout in layouts[1:]}) == 1
        assert len({layout.logo for layout in layouts}) == 1


def test_a_number_page_without_a_figure_and_a_list_without_items_are_shown_as_points() -> None:
    pages = an_order(CardPage(PageKind.number, "Viele Tage", "im Sattel"), CardPage(PageKind.list, "Nur das"))
    number, items = (plan.layout for plan in plan_pages(pages))
    assert [line.text for line in number.lines[:2]] == ["Viele Tage", "im Sattel"]
    assert items.lines[0].text == "Nur das"


def test_items_share_one_size_and_lose_their_marks() -> None:
    (planned,) = plan_pages(an_order(PAGES[8]))
    assert planned.notes == ()
    texts = [line.text for line in planned.layout.lines]
    assert {"Eins", "Drei", "Sechs"} <= set(texts)
    assert len({line.size for line in planned.layout.lines if line.text in ("Eins", "Drei", "Sechs")}) == 1
    (numbered,) = plan_pages(an_order(PAGES[5]))
    assert "Licht tiefer stellen" in " ".join(line.text for line in numbered.layout.lines)
    (many,) = plan_pages(an_order(CardPage(PageKind.list, "Tips", "\n".join("abcdefgh"))))
    assert CardNote.text_cut in many.notes


def test_a_short_text_of_the_end_card_is_a_button() -> None:
    *_, planned = plan_pages(an_order())
    button = next(line for line in planned.layout.lines if line.text == "lindhof.example")
    assert any(isinstance(bar, Bar) and within(button.box, bar.box, 0) for bar in planned.layout.shapes)
    *_, longer = plan_pages(an_order(replace(PAGES[-1], text=WORDS)))
    assert CardNote.text_cut not in longer.notes


def test_the_same_order_gives_the_same_pictures_and_a_single_page_is_one_of_them() -> None:
    order = an_order(size=ImageRatio.portrait)
    pictures = draw_pages(order)
    assert pictures == draw_pages(order)
    assert draw_page(order, 4) == pictures[4]
    assert {(picture.mime, picture.width, picture.height) for picture in pictures} == {("image/jpeg", 1080, 1350)}
    assert [picture.model for picture in pictures] == [page.kind for page in PAGES]


def test_a_page_that_no_font_can_draw_is_named() -> None:
    with pytest.raises(Refused) as raised:
        plan_pages(an_order(PAGES[0], CardPage(PageKind.point, "こんにちは")))
    assert (raised.value.code, raised.value.params["page"]) == (ErrorCode.card_letters_missing, 1)


@pytest.mark.parametrize(("size", "font"), list(zip(ImageRatio, tuple(CardFont)[1:], strict=True)))
def test_a_document_holds_the_text_of_its_pages(size: ImageRatio, font: CardFont) -> None:
    plans = plan_pages(an_order(size=size, font=font))
    document = write_document(plans, title="Acht Fragen", language="de", author="Lindhof")
    texts = read_back(document)
    assert len(texts) == len(plans)
    for plan, text in zip(plans, texts, strict=True):
        shown = [line.text.translate(NO_EMOJI) for line in plan.layout.lines]
        for line in shown:
            assert words_of(line) in words_of(text), line
        assert len(words_of(text)) == sum(len(words_of(line)) for line in shown)
    assert "Wer früh plant" in " ".join(texts[1].split())
    assert "Осенняя мастерская → ja" in " ".join(texts[6].split())


def test_a_document_embeds_its_fonts_and_says_what_it_is() -> None:
    reader = PdfReader(io.BytesIO(write_document(plan_pages(an_order()), title="Acht Fragen", language="de")))
    assert reader.metadata is not None
    assert (reader.metadata.title, str(reader.root_object["/Lang"])) == ("Acht Fragen", "de")
    assert {page.mediabox.upper_right for page in reader.pages} == {(810, 810)}
    resources: list[Any] = [page["/Resources"] for page in reader.pages]
    fonts = {name: font.get_object() for held in resources for name, font in held["/Font"].items()}
    assert len(fonts) >= 4  # two weights, letters of the fallback, symbols
    for font in fonts.values():
        assert "/FontFile2" in font["/FontDescriptor"].get_object()
        assert "/ToUnicode" in font
        assert "PostloomCard" in font["/BaseFont"]


def test_documents_of_several_threads_are_the_same() -> None:
    plans = plan_pages(an_order())

    def write(_: int) -> bytes:
        return write_document(plans, title="Acht Fragen", language="de")

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(write, range(8)))) == 1


@pytest.mark.parametrize("size", ImageRatio)
def test_a_document_looks_like_its_pictures(size: ImageRatio) -> None:
    order = an_order(size=size, logo=png(), ground="#38264f")
    document = pypdfium2.PdfDocument(write_document(plan_pages(order), title="", language=""))
    for page, picture in zip(document, draw_pages(order), strict=True):
        drawn = Image.open(io.BytesIO(picture.data)).convert("RGB")
        seen = page.render(scale=drawn.width / page.get_width()).to_pil().convert("RGB")
        assert abs(seen.height - drawn.height) <= 1
        small = (drawn.width // 6, drawn.height // 6)
        differing = ImageChops.difference(seen.resize(small), drawn.resize(small))
        assert max(ImageStat.Stat(differing).mean) < 3


def test_a_layout_of_single_cards_is_not_used() -> None:
    assert draw_pages(an_order(layout=CardLayout.event)) == draw_pages(an_order())
