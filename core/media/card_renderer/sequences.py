"""Sequences of cards: all pages in one design, as pictures and as a PDF document.

`plan_pages` decides contents and positions; `draw` (of `renderer`) and `documents` show the same plans.
"""

from dataclasses import dataclass, field, replace

from PIL import Image

from core.ai.pictures.base import Picture, PictureOrder
from core.errors import Refused
from core.media.card_renderer.colours import Colours, colours
from core.media.card_renderer.page import FRAMES, Order, Place
from core.media.card_renderer.page_layouts import lay_out_page
from core.media.card_renderer.renderer import Plan, draw, logo_facts, open_logo
from core.media.card_renderer.words import read
from core.media.rules.cards import CardSettings
from core.media.rules.sequences import CardPage


@dataclass(frozen=True)
class SequenceOrder:
    """`settings`: the look of all pages; its layout is not used. `foot`: shown if the settings have none. `logo`: the
    bytes of `settings.logo_id`. The same seed gives the same colours where the settings have none."""

    pages: tuple[CardPage, ...]
    settings: CardSettings
    foot: str = ""
    seed: str = ""
    logo: bytes | None = field(default=None, repr=False)


def plan_pages(order: SequenceOrder) -> list[Plan]:
    """Plan all pages. Raise Refused: card_letters_missing or image_failed, with the `page` (from 0) that no font can
    draw; image_failed without a page if the logo is no picture."""
    shown = colours(order.settings, order.seed)
    logo = open_logo(order.logo) if order.logo else None
    return [_plan_page(order, index, shown, logo) for index in range(len(order.pages))]


def draw_pages(order: SequenceOrder) -> list[Picture]:
    """Draw all pages in order. Takes up to two tenths of a second for each: call it off the event loop. Raise Refused
    as `plan_pages`."""
    return [draw(plan) for plan in plan_pages(order)]


def draw_page(order: SequenceOrder, index: int) -> Picture:
    """Draw one page of the sequence. Raise Refused as `plan_pages`."""
    return draw(plan_page(order, index))


def plan_page(order: SequenceOrder, index: int) -> Plan:
    """Plan one page of the sequence. Raise Refused as `plan_pages`."""
    shown = colours(order.settings, order.seed)
    logo = open_logo(order.logo) if order.logo else None
    return _plan_page(order, index, shown, logo)


def _plan_page(order: SequenceOrder, index: int, shown: Colours, logo: Image.Image | None) -> Plan:
    page, settings = order.pages[index], order.settings
    words = PictureOrder(
        prompt=f"{' '.join(page.headline.split())}\n{page.text}",
        language="",
        subject="",
        foot=order.foot,
        seed=order.seed,
        card=replace(settings, layout=None),
    )
    try:
        content = read(words)
    except Refused as error:
        raise Refused(error.code, page=index) from error
    layout = lay_out_page(
        page.kind,
        Order(
            content,
            shown,
            FRAMES[settings.size],
            settings.font,
            logo_facts(logo, shown) if logo else None,
            place=Place(index + 1, len(order.pages)),
        ),
    )
    return Plan(layout, shown, content, logo)
