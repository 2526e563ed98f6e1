"""CPU time of drawing a card: `python -m benchmarks.cards --rounds 5`.

Every layout in every ratio with every font; each text is new, so that only the fonts are cached. `carousel` are ten
pages of a sequence as pictures, `document` the same pages as a PDF; both in milliseconds for all ten.
"""

import argparse
import statistics
import sys
import time
from itertools import product

from core.ai.pictures.base import PictureOrder
from core.media.card_renderer.documents import write_document
from core.media.card_renderer.renderer import paint, plan, render
from core.media.card_renderer.sequences import SequenceOrder, draw_pages, plan_pages
from core.media.rules.cards import CardFont, CardLayout, CardSettings
from core.media.rules.media import ImageRatio
from core.media.rules.sequences import CardPage, PageKind

_PROMPT = (
    "{n} von 117 Regentagen im Sattel 🚲\nSa. 7. Nov., 10 bis 16 Uhr\nLicht einen Finger tiefer\nReflektoren ans Pedal"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of all layouts, ratios and fonts")
    rounds = parser.parse_args().rounds
    kinds = list(product(range(rounds), CardLayout, ImageRatio, CardFont))
    times: dict[str, list[float]] = {"first": [], "layout": [], "paint": [], "all": []}
    for number, (_, layout, size, font) in enumerate(kinds):
        card = CardSettings(layout=layout, size=size, font=font)
        order = PictureOrder(_PROMPT.format(n=number + 1), "de", "bench", "lindhof", str(number), card=card)
        begun = time.process_time()
        planned = plan(order)
        laid_out = time.process_time()
        paint(planned)
        painted = time.process_time()
        render(order)
        done = time.process_time()
        times["layout"].append(laid_out - begun)
        times["paint"].append(painted - laid_out)
        # measured separately: layout, paint and encoding together
        times["first" if number < len(CardFont) else "all"].append(done - painted)
    times |= _sequences(rounds)
    for name, found in times.items():
        ordered = [1000 * value for value in sorted(found)]
        p95, middle = ordered[round(0.95 * (len(ordered) - 1))], statistics.median(ordered)
        line = f"{name:8} n={len(ordered):4}  p50 {middle:6.1f} ms  p95 {p95:6.1f} ms  max {ordered[-1]:6.1f} ms\n"
        sys.stdout.write(line)


def _sequences(rounds: int) -> dict[str, list[float]]:
    times: dict[str, list[float]] = {"carousel": [], "document": []}
    inner = (PageKind.point, PageKind.number, PageKind.quote, PageKind.list)
    for number, (_, size, font) in enumerate(product(range(rounds), ImageRatio, CardFont)):
        kinds = (PageKind.cover, *(inner[at % len(inner)] for at in range(8)), PageKind.call_to_action)
        headline, _, text = _PROMPT.partition("\n")
        pages = tuple(CardPage(kind, headline.format(n=100 * number + at), text) for at, kind in enumerate(kinds))
        order = SequenceOrder(pages, CardSettings(size=size, font=font, foot="lindhof"), seed=str(number))
        begun = time.process_time()
        draw_pages(order)
        drawn = time.process_time()
        write_document(plan_pages(order), title=headline, language="de")
        times["carousel"].append(drawn - begun)
        times["document"].append(time.process_time() - drawn)
    return times


if __name__ == "__main__":
    main()
