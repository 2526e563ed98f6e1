"""Five layouts, each for every ratio. A layout decides every line of text and its position; `renderer` paints exactly
that.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from core.media.card_renderer.colours import Colours
from core.media.card_renderer.glyphs import BOLD, Box, Style
from core.media.card_renderer.page import Bar, Disc, Layout, Order, Page, QuotationMark, Shape, single_line
from core.media.card_renderer.text import Block, Part, Setting, fit, fit_line, fit_stack
from core.media.card_renderer.words import LONGEST_SOURCE, MAX_STEPS
from core.media.rules.cards import CardLayout

HEADLINE, BODY = 42.0, 23.0


def lay_out(kind: CardLayout, order: Order) -> Layout:
    """Lay out a card; never raises. Words that do not fit the kind of layout are shown as large text."""
    return _LAYOUTS[kind](order)


def _statement(order: Order) -> Layout:
    """One or two wefts through a warp, before or after the words (by `turn`), and the words."""
    page = Page(CardLayout.statement, order)
    frame, colours, content = order.frame, order.colours, order.content
    flipped, wefts = order.turn % 2 == 1, 1 + order.turn // 2 % 2
    left, right, top = frame.margin, frame.right, 40.0
    if order.wide:
        edge = 40.0 if flipped else frame.width - 108
        strand = (edge, 0.0, edge + 68, frame.height)
        left, right = (strand[2] + 30, right) if flipped else (left, edge - 30)
        bottom = page.foot(left, right)
    else:
        gap = 34.0 if order.tall else 26.0
        bottom = page.foot(left, right)
        edge = bottom - 52 if flipped else frame.margin + 6
        strand = (0.0, edge, frame.width, edge + 52)
        top, bottom = (top, edge - gap) if flipped else (strand[3] + gap, bottom)
    page.shapes += weave(strand, colours, wefts, upright=order.wide)
    width, room = right - left, bottom - top
    if content.text:
        setting = order.head(40, largest=50 if order.tall else 44)
    else:
        setting = order.head(HEADLINE, largest=96, grown_lines=5)
    parts = (Part(content.headline, setting, width), Part(content.text, order.body(21), width, 14))
    free = room - page.height_of(parts, room)
    start = top + free * (0.5 if order.wide else 1 if order.tall and not flipped else 0.45)
    page.stack(parts, room, left, start, (colours.ink, colours.soft))
    return page.done()


def weave(box: Box, colours: Colours, wefts: int, *, upright: bool) -> list[Shape]:
    """Return parallel threads, and cross threads that alternate over and under them."""
    left, top, right, bottom = box
    thick, pitch, gap = 9.0, 26.0, 2.5
    start, end = (top, bottom) if upright else (left, right)
    count = round((end - start) / pitch) + 1
    first = (start + end) / 2 - (count - 1) * pitch / 2

    def piece(along: tuple[float, float], across: tuple[float, float], colour: str, *, square: bool = True) -> Bar:
        """Return a bar by its extent along and across the weft."""
        box = (along[0], across[0], along[1], across[1])
        return Bar((box[1], box[0], box[3], box[2]) if upright else box, colour, square)

    low, high = (left, right) if upright else (top, bottom)
    half = thick / 2
    shapes = []
    for index in range(count):
        at = first + index * pitch
        shapes.append(piece((at - half, at + half), (low, high), colours.thread, square=False))
    for weft in range(wefts):
        middle = low + (high - low) * (weft + 1) / (wefts + 1)
        for index in range(weft % 2, count, 2):
            at = first + index * pitch
            shapes.append(piece((at - half, at + half), (middle - half - gap, middle + half + gap), colours.ground))
        shapes.append(piece((start, end), (middle - half, middle + half), colours.mark))
        for index in range(1 - weft % 2, count, 2):
            at = first + index * pitch
            shapes.append(piece((at - half - gap, at + half + gap), (middle - half, middle + half), colours.ground))
            shapes.append(piece((at - half, at + half), (middle - half, middle + half), colours.thread))
    return list(shapes)


def _quote(order: Order) -> Layout:
    """Quotation mark, the headline as large as possible, and the source."""
    page = Page(CardLayout.quote, order)
    frame, colours, content = order.frame, order.colours, order.content
    high = 72.0 if order.wide else 84.0 if not order.tall else 96.0
    column = 132.0 if order.wide else 0.0
    left = frame.margin + column
    width = frame.right - left
    top = 42.0 if order.wide else 40.0
    if not order.wide:
        top += high + (30 if order.tall else 24)
    bottom = page.foot(left, frame.right)
    room = bottom - top
    # a short source follows a dash, a long text goes below
    dash = 34.0 if content.source and len(content.source) <= LONGEST_SOURCE else 0.0
    parts = (
        Part(content.quotation, order.head(HEADLINE, largest=60 if order.tall else 52), width),
        Part(content.source, order.body(18 if dash else 19), width - dash, 20),
    )
    free = room - page.height_of(parts, room)
    # mark and words stay together; free space goes above and below
    shift = free * (0.5 if order.wide else 0.3)
    mark_top = 42.0 + shift if order.wide else 40.0 + shift * 0.35
    for index in (0, 1):
        page.shapes.append(QuotationMark(frame.margin + index * high * 60 / 84, mark_top, high, colours.mark))
    head, source = fit_stack(parts, room)
    end = page.put(head, left, top + shift, colours.ink) + 20
    if dash:
        middle = end + source.size * 0.36
        page.shapes.append(Bar((left, middle - 1.75, left + 22, middle + 1.75), colours.mark))
    page.put(source, left + dash, end, colours.soft)
    return page.done()


def _steps(order: Order) -> Layout:
    """Headline and numbered steps on a thread, vertical or, on a wide card, horizontal."""
    page = Page(CardLayout.steps, order)
    steps = order.content.steps[:MAX_STEPS]
    page.cut |= len(order.content.steps) > len(steps)
    (_steps_across if order.wide and len(steps) <= 4 else _steps_down)(page, steps)
    return page.done()


def _steps_down(page: Page, steps: Sequence[str]) -> None:
    order, frame, colours = page.order, page.order.frame, page.order.colours
    bottom = page.foot(frame.margin, frame.right, at_right=bool(steps) and not order.wide)
    top = 36.0
    if not steps:
        head = fit(order.content.headline, (frame.inner, bottom - top), order.head(HEADLINE, largest=64))
        page.put(head, frame.margin, top, colours.ink)
        return
    share = 0.3 if len(steps) > 3 else 0.36
    head = fit(order.content.headline, (frame.inner, (bottom - top) * share), order.head(38, largest=46, grown_lines=2))
    start = page.put(head, frame.margin, top, colours.ink) + (14 if order.wide else 20)
    columns = 2 if order.wide else 1
    rows = -(-len(steps) // columns)
    pitch = min((bottom - start) / rows, 96.0)
    start += (bottom - start - pitch * rows) * 0.3
    gap = 28.0
    width = (frame.inner - gap * (columns - 1)) / columns
    radius = min(19.0, pitch * 0.36)
    room = (width - 2 * radius - 18, pitch - 8)
    blocks = alike(steps, room, replace(order.body(BODY), leading=1.18))
    for column in range(columns):
        mine = blocks[column * rows : (column + 1) * rows]
        x = frame.margin + column * (width + gap) + radius
        centres = [start + pitch * (index + 0.5) for index in range(len(mine))]
        _thread(page, [(x, centre) for centre in centres], radius, column * rows)
        for block, centre in zip(mine, centres, strict=True):
            page.put(block, x + radius + 18, centre - block.height / 2, colours.ink)


def _steps_across(page: Page, steps: Sequence[str]) -> None:
    order, frame, colours = page.order, page.order.frame, page.order.colours
    bottom = page.foot(frame.margin, frame.right)
    top = 36.0
    if not steps:
        head = fit(order.content.headline, (frame.inner, bottom - top), order.head(HEADLINE, largest=64))
        page.put(head, frame.margin, top, colours.ink)
        return
    head = fit(order.content.headline, (frame.inner, 82), order.head(36, largest=42, grown_lines=1))
    end = page.put(head, frame.margin, top, colours.ink)
    radius, gap = 18.0, 22.0
    width = (frame.inner - gap * (len(steps) - 1)) / len(steps)
    room = (width, bottom - end - 2 * radius - 40)
    blocks = alike(steps, room, replace(order.body(22), leading=1.18))
    tallest = max(block.height for block in blocks)
    free = max(0.0, bottom - end - 2 * radius - 12 - tallest)
    y = end + radius + free * 0.5
    xs = [frame.margin + radius + index * (width + gap) for index in range(len(steps))]
    # the thread continues to the edge
    page.shapes.append(Bar((xs[0], y - 2, frame.width + 4, y + 2), colours.thread))
    _thread(page, [(x, y) for x in xs], radius, 0, bar=False)
    for block, x in zip(blocks, xs, strict=True):
        page.put(block, x - radius, y + radius + 14, colours.ink)


def alike(texts: Sequence[str], room: tuple[float, float], setting: Setting) -> list[Block]:
    """Fit all texts at the same size, which the longest text decides."""
    smallest = min(fit(text, room, setting).size for text in texts)
    blocks = []
    for text in texts:
        block = fit(text, room, replace(setting, size=smallest, smallest=1.0))
        blocks.append(replace(block, shrunk=smallest < setting.size - 1e-6))
    return blocks


def _thread(
    page: Page, centres: Sequence[tuple[float, float]], radius: float, before: int, *, bar: bool = True
) -> None:
    """Add numbered discs, and the thread behind them."""
    colours = page.order.colours
    if bar and len(centres) > 1:
        (x, first), (_, last) = centres[0], centres[-1]
        page.shapes.append(Bar((x - 2, first, x + 2, last), colours.thread))
    for index, (x, y) in enumerate(centres):
        number = str(before + index + 1)
        fill = colours.mark if (before + index) % 3 == 1 else colours.ink
        page.shapes += [Disc(x, y, radius + 6, colours.ground), Disc(x, y, radius, fill)]
        digit = fit(number, (2 * radius, radius * 1.4), Setting(Style(page.order.font, BOLD), radius * 0.95, 1.0))
        page.put(digit, x - digit.width / 2, y - digit.size * 0.36, colours.on(fill))


def _number(order: Order) -> Layout:
    """A figure as large as possible, its words, and a tally of threads."""
    page = Page(CardLayout.number, order)
    frame, colours, content = order.frame, order.colours, order.content
    fact = content.figure
    bottom = page.foot(frame.margin, frame.right)
    high = 30.0 if order.wide else 36.0 if not order.tall else 44.0
    tally_top = bottom - high - 4
    _tally(page, tally_top, high, fact.share if fact else None)
    top = 36.0
    if fact is None:
        room = tally_top - 20 - top
        parts = (
            Part(content.headline, order.head(HEADLINE, largest=96), frame.inner),
            Part(content.text, order.body(20), frame.inner, 14),
        )
        start = top + (room - page.height_of(parts, room)) * 0.5
        page.stack(parts, room, frame.margin, start, (colours.ink, colours.soft))
        return page.done()
    if fact.above:
        above = fit(fact.above, (frame.inner, 46 if order.wide else 60), replace(order.body(19), leading=1.22))
        top = page.put(above, frame.margin, top, colours.soft) + 12
    page.accented = bool(fact.below)
    label = replace(order.head(25), tracking=-0.015, leading=1.14)
    setting = replace(order.head(176), tracking=-0.04, smallest=0.2, leading=0.9)
    if order.wide:
        _number_across(page, top, tally_top - 20, setting, label)
        return page.done()
    room = tally_top - 22 - top
    parts = (Part(fact.below, label, frame.inner), Part(fact.body, order.body(19), frame.inner, 10))
    share = room * (0.5 if fact.body else 0.34)
    used = page.height_of(parts, share)
    space = room - used - (12 if used else 0)
    figure = fit_line(fact.figure, (frame.inner, space), replace(setting, size=210 if order.tall else 176))
    y = top + (space - figure.height) * 0.75
    # figures have no descenders, so that space counts as part of the gap
    end = page.put(figure, frame.margin - bearing(figure), y, colours.ink) + 12 - figure.size * 0.1
    page.stack(parts, share, frame.margin, end, (colours.accent, colours.soft))
    return page.done()


def _number_across(page: Page, top: float, bottom: float, setting: Setting, label: Setting) -> None:
    """Place the figure at the left, its words at the right on the same baseline."""
    order, frame, colours = page.order, page.order.frame, page.order.colours
    fact = order.content.figure
    if fact is None:
        return
    words = bool(fact.below or fact.body)
    figure = fit_line(fact.figure, (frame.inner * (0.56 if words else 1), bottom - top), setting)
    y = bottom - figure.height
    page.put(figure, frame.margin - bearing(figure), y + figure.size * 0.1, colours.ink)
    left = frame.margin + figure.width + 30
    width = frame.right - left
    parts = (Part(fact.below, label, width), Part(fact.body, order.body(18), width, 10))
    start = bottom - page.height_of(parts, bottom - top)
    page.stack(parts, bottom - top, left, start, (colours.accent, colours.soft))


def bearing(figure: Block) -> float:
    """Return the space before the ink, which at this size would look like an indent."""
    (line,) = figure.place(0, 0, "")
    return line.box[0]


def _tally(page: Page, top: float, high: float, share: float | None) -> None:
    """Add as many strokes as fit; those beyond the figure's `share` have the accent's colour."""
    frame, colours = page.order.frame, page.order.colours
    pitch, thick = 8.7, 4.6
    strokes = int((frame.inner + pitch - thick) / pitch)
    full = strokes - 1 if share is None else round(strokes * share)
    for index in range(strokes):
        left = frame.margin + index * pitch
        colour = colours.thread if index < full else colours.mark
        page.shapes.append(Bar((left, top, left + thick, top + high), colour))


def _event(order: Order) -> Layout:
    """Woven band, headline, date and a button shape."""
    page = Page(CardLayout.event, order)
    frame, event = order.frame, order.content.event
    if order.wide:
        edge = 204.0
        _band(page, (0, 0, edge, frame.height), 11)
        _event_words(page, edge + 28, frame.right, 34)
        return page.done()
    # more words make the band smaller
    crowded = len(order.content.headline) + len(event.when) + 2 * len(event.body) / 3
    rows = 8 if order.tall else 6
    rows -= min(3, int(crowded / (55 if order.tall else 42)))
    edge = 30 + rows * 27.0
    _band(page, (0, 0, frame.width, edge), rows)
    _event_words(page, frame.margin, frame.right, edge + 26)
    return page.done()


def _band(page: Page, box: Box, rows: int) -> None:
    """Add rows of short threads, offset in every other row."""
    colours = page.order.colours
    left, top, right, bottom = box
    page.shapes.append(Bar(box, colours.tint, square=True))
    pitch = 27.0
    first = top + (bottom - top - (rows - 1) * pitch) / 2 - 6.5
    for row in range(rows):
        colour = colours.mark if row % 5 == 2 else colours.thread if row % 2 else colours.ink
        for column in range(int((right - left) / 48) + 2):
            if (column + row) % 2 == 0:
                x, y = left + column * 48 - 14, first + row * pitch
                page.shapes.append(Bar((x, y, x + 60, y + 13), colour))
    if right < page.order.frame.width:  # cover threads that extend behind the words
        page.shapes.append(Bar((right, top, page.order.frame.width, bottom), colours.ground, square=True))


def _event_words(page: Page, left: float, right: float, top: float) -> None:
    order, colours = page.order, page.order.colours
    event = order.content.event
    width = right - left
    button = fit(event.button, (width * 0.55, 22), single_line(order.body(16, smallest=0.7))) if event.button else None
    high = 36.0
    split = min(left + (button.width + 32 + 16 if button else 0), right)
    bottom = page.foot(split, right, at_right=button is not None)
    if button is not None:
        end = order.frame.height - (19 if order.wide else 22)
        page.shapes.append(Bar((left, end - high, left + button.width + 32, end), colours.ink))
        page.put(button, left + 16, end - high / 2 - button.size * 0.36, colours.on(colours.ink))
        bottom = min(bottom, end - high - 14)
    room = bottom - top
    parts = (
        Part(order.content.headline, order.head(40, largest=48, grown_lines=1), width),
        Part(event.when, replace(order.body(BODY), leading=1.22), width, 12),
        Part(event.body, order.body(18), width, 8),
    )
    start = top + (room - page.height_of(parts, room)) * (0.5 if order.wide else 0.25)
    page.stack(parts, room, left, start, (colours.ink, colours.accent, colours.soft))
    page.accented = bool(event.when)


_LAYOUTS: dict[CardLayout, Callable[[Order], Layout]] = {
    CardLayout.number: _number,
    CardLayout.quote: _quote,
    CardLayout.steps: _steps,
    CardLayout.event: _event,
    CardLayout.statement: _statement,
}
