"""Layouts of a sequence's pages: one family, each for every ratio. `Page` adds thread and arrow at the foot."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from core.media.card_renderer.layouts import BODY, alike, bearing, weave
from core.media.card_renderer.page import Bar, Disc, Layout, Order, Page, QuotationMark, single_line
from core.media.card_renderer.text import Block, Part, Setting, fit, fit_line, fit_stack
from core.media.card_renderer.words import LONGEST_BUTTON, LONGEST_SOURCE
from core.media.rules.sequences import MAX_ITEMS, PageKind

_TOP, _TOP_WIDE = 44.0, 34.0
_BUTTON = 44.0


def lay_out_page(kind: PageKind, order: Order) -> Layout:
    """Lay out a page of a sequence; never raises. A number without a figure is shown as a point."""
    return _LAYOUTS[kind](order)


def _top(order: Order) -> float:
    return _TOP_WIDE if order.wide else _TOP


def _cover(order: Order) -> Layout:
    """Two wefts through a warp, and the title as large as possible."""
    page = Page(PageKind.cover, order)
    frame, colours, content = order.frame, order.colours, order.content
    bottom = page.foot(frame.margin, frame.right)
    left, right, top = frame.margin, frame.right, frame.margin + 88
    if order.wide:
        strand = (frame.width - 92, 0.0, frame.width - 32, bottom - 8)
        right, top = strand[0] - 28, _top(order)
    else:
        strand = (0.0, frame.margin, frame.width, frame.margin + 60)
        top = strand[3] + (40 if order.tall else 24)
    page.shapes += weave(strand, colours, 2, upright=order.wide)
    width, room = right - left, bottom - top
    parts = (
        Part(content.headline, order.head(44, largest=72, grown_lines=5), width),
        Part(content.text, order.body(21), width, 14),
    )
    start = top + (room - page.height_of(parts, room)) * (0.35 if order.wide else 0.2)
    page.stack(parts, room, left, start, (colours.ink, colours.soft))
    return page.done()


def _point(order: Order) -> Layout:
    """A short bar, a headline and its words."""
    page = Page(PageKind.point, order)
    _put_point(page)
    return page.done()


def _put_point(page: Page) -> None:
    order, frame, colours, content = page.order, page.order.frame, page.order.colours, page.order.content
    bottom = page.foot(frame.margin, frame.right)
    below_bar = 6 + (16 if order.wide else 22)
    top = _top(order) + below_bar
    room = bottom - top
    head = order.head(36, largest=48, grown_lines=3) if content.text else order.head(42, largest=72, grown_lines=5)
    parts = (
        Part(content.headline, head, frame.inner),
        Part(content.text, replace(order.body(BODY), leading=1.34), frame.inner, 12 if order.wide else 18),
    )
    top += (room - page.height_of(parts, room)) * (0.3 if order.tall else 0.2)
    page.shapes.append(Bar((frame.margin, top - below_bar, frame.margin + 44, top - below_bar + 6), colours.mark))
    page.stack(parts, room, frame.margin, top, (colours.ink, colours.soft))


def _number(order: Order) -> Layout:
    """A figure as large as possible, and its words below."""
    page = Page(PageKind.number, order)
    frame, colours, content = order.frame, order.colours, order.content
    fact = content.figure
    if fact is None:
        _put_point(page)
        return page.done()
    bottom = page.foot(frame.margin, frame.right)
    top = _top(order)
    if fact.above:
        above = fit(fact.above, (frame.inner, 40 if order.wide else 64), replace(order.body(19), leading=1.22))
        top = page.put(above, frame.margin, top, colours.soft) + 12
    room = bottom - top
    parts = (
        Part(fact.below, replace(order.head(26), tracking=-0.015, leading=1.16), frame.inner),
        Part(fact.body, order.body(20), frame.inner, 10),
    )
    share = room * (0.55 if fact.body or len(fact.below) > 60 else 0.4)
    used = page.height_of(parts, share)
    space = room - used - (14 if used else 0)
    setting = replace(order.head(176), tracking=-0.04, smallest=0.2, leading=0.9)
    figure = fit_line(fact.figure, (frame.inner, space), setting)
    start = top + (space - figure.height) * 0.45
    end = page.put(figure, frame.margin - bearing(figure), start, colours.accent)
    page.accented = True
    page.stack(parts, share, frame.margin, end + 14 - figure.size * 0.1, (colours.ink, colours.soft))
    return page.done()


def _quote(order: Order) -> Layout:
    """Quotation mark, the words as large as possible, and the source after a dash."""
    page = Page(PageKind.quote, order)
    frame, colours, content = order.frame, order.colours, order.content
    bottom = page.foot(frame.margin, frame.right)
    high = 46.0 if order.wide else 64.0
    top = _top(order)
    for index in (0, 1):
        page.shapes.append(QuotationMark(frame.margin + index * high * 60 / 84, top, high, colours.mark))
    top += high + (16 if order.wide else 24)
    room = bottom - top
    # a short source follows a dash, a long text goes below
    dash = 34.0 if content.source and len(content.source) <= LONGEST_SOURCE else 0.0
    parts = (
        Part(content.quotation, order.head(38, largest=52, grown_lines=6), frame.inner),
        Part(content.source, order.body(18), frame.inner - dash, 18),
    )
    head, source = fit_stack(parts, room)
    start = top + (room - page.height_of(parts, room)) * 0.25
    end = page.put(head, frame.margin, start, colours.ink) + 18
    if dash:
        middle = end + source.size * 0.36
        page.shapes.append(Bar((frame.margin, middle - 1.75, frame.margin + 22, middle + 1.75), colours.mark))
    page.put(source, frame.margin + dash, end, colours.soft)
    return page.done()


def _list(order: Order) -> Layout:
    """A headline and a disc before each item, all items in one size."""
    page = Page(PageKind.list, order)
    frame, colours = order.frame, order.colours
    items = order.content.steps[:MAX_ITEMS]
    page.cut |= len(order.content.steps) > len(items)
    if not items:
        _put_point(page)
        return page.done()
    bottom = page.foot(frame.margin, frame.right)
    top = _top(order)
    share = 0.3 if len(items) > 3 else 0.36
    head = fit(order.content.headline, (frame.inner, (bottom - top) * share), order.head(34, largest=42, grown_lines=2))
    start = page.put(head, frame.margin, top, colours.ink) + (14 if order.wide else 22)
    columns = 2 if order.wide and len(items) > 2 else 1
    rows = -(-len(items) // columns)
    gap, indent, between = 28.0, 24.0, 8.0 if len(items) > 4 or order.wide else 14.0
    width = (frame.inner - gap * (columns - 1)) / columns
    setting = replace(order.body(BODY), leading=1.22)
    for column, blocks in enumerate(_columns(items, rows, (width - indent, bottom - start), between, setting)):
        y, x = start, frame.margin + column * (width + gap)
        for block in blocks:
            page.shapes.append(Disc(x + 6, y + block.size * 0.36, 5, colours.mark))
            y = page.put(block, x + indent, y, colours.ink) + between
    return page.done()


def _columns(
    items: Sequence[str], rows: int, room: tuple[float, float], between: float, setting: Setting
) -> list[list[Block]]:
    """Return the items in columns of `rows`, in the largest size at which each column fits into the room."""
    width, height = room
    for size in setting.sizes():
        fixed = replace(setting, size=size, smallest=1.0)
        blocks = [replace(fit(item, (width, math.inf), fixed), shrunk=size < setting.size - 1e-6) for item in items]
        columns = [blocks[start : start + rows] for start in range(0, len(blocks), rows)]
        if all(sum(block.height for block in column) + between * (len(column) - 1) <= height for column in columns):
            return columns
    blocks = alike(items, (width, (height - between * (rows - 1)) / rows), setting)
    return [blocks[start : start + rows] for start in range(0, len(blocks), rows)]


def _call_to_action(order: Order) -> Layout:
    """The words, a short text as a button shape, and the weft of the cover."""
    page = Page(PageKind.call_to_action, order)
    frame, colours, content = order.frame, order.colours, order.content
    bottom = page.foot(frame.margin, frame.right)
    left, right, top = frame.margin, frame.right, _top(order)
    if order.wide:
        strand = (frame.width - 92, 0.0, frame.width - 32, bottom - 8)
        right = strand[0] - 28
    else:
        strand = (0.0, frame.margin, frame.width, frame.margin + 60)
        top = strand[3] + (40 if order.tall else 24)
    page.shapes += weave(strand, colours, 1, upright=order.wide)
    width = right - left
    label: Block | None = None
    edge = bottom
    if 0 < len(content.text) <= LONGEST_BUTTON:
        label = fit(content.text, (width - 48, 26), single_line(order.body(19, smallest=0.7)))
        edge = bottom - _BUTTON - 4
    room = edge - (18 if label else 0) - top
    parts = (
        Part(content.headline, order.head(42, largest=64, grown_lines=4), width),
        Part("" if label else content.text, order.body(22), width, 16),
    )
    start = top + (room - page.height_of(parts, room)) * 0.3
    page.stack(parts, room, left, start, (colours.ink, colours.soft))
    if label is not None:
        page.shapes.append(Bar((left, edge, left + label.width + 48, edge + _BUTTON), colours.ink))
        page.put(label, left + 24, edge + _BUTTON / 2 - label.size * 0.36, colours.on(colours.ink))
    return page.done()


_LAYOUTS: dict[PageKind, Callable[[Order], Layout]] = {
    PageKind.cover: _cover,
    PageKind.point: _point,
    PageKind.number: _number,
    PageKind.quote: _quote,
    PageKind.list: _list,
    PageKind.call_to_action: _call_to_action,
}
