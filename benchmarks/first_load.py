"""What each page of the built web app loads before anybody does anything: `python -m benchmarks.first_load`.

In KB as sent, read from the build: `index.html` names the start, and the parts that `frontend/src/before.js` asks for
beside it. What a page asks for later, such as charts once they are seen, is a row of its own.
"""

import html
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from core.settings import ROOT

WEB: Final = ROOT / "frontend" / "dist"
KB: Final = 1000  # bytes
_PAGES: Final = {
    "home": ("home",),
    "sign-in": ("signIn",),
    "sign-up": ("signUp",),
    "dashboard": ("users", "{}Users", "dashboard"),  # texts by their language
}
_LANGUAGES: Final = ("en", "de")
_CHARTS: Final = "day-bars-*.js"
_PACKED: Final = {"brotli": ".br", "gzip": ".gz"}


def first_files(web: Path = WEB) -> dict[tuple[str, str], frozenset[Path]]:
    """Page and language → the files. Raises FileNotFoundError without a build."""
    page = (web / "index.html").read_text()
    start = re.findall(r'(?:src|href)="/(assets/[^"]+\.(?:js|css))"', page)
    told = re.search(r'data-files="([^"]+)"', page)
    if not told or not start:
        raise ValueError("index.html does not tell what a page needs")
    parts: dict[str, list[str]] = json.loads(html.unescape(told[1]))
    return {
        (name, language): frozenset(
            web / file
            for file in [*start, *parts[language], *(file for part in own for file in parts[part.format(language)])]
        )
        for name, own in _PAGES.items()
        for language in _LANGUAGES
    }


def charts(web: Path = WEB) -> frozenset[Path]:
    """What the dashboard loads once a chart is seen, with all that it imports."""
    waiting = list((web / "assets").glob(_CHARTS))
    if len(waiting) != 1:
        raise ValueError(f"{len(waiting)} files are called {_CHARTS}")
    for file in waiting:
        for name in re.findall(r'(?:from|import)\s*"\./([^"]+\.js)"', file.read_text()):
            if file.with_name(name) not in waiting:
                waiting.append(file.with_name(name))
    return frozenset(waiting)


def sent(files: Iterable[Path], ending: str, packing: str = "brotli") -> int:
    """Bytes of the files of one kind, as they go out; those too small to be packed go as they are."""
    total = 0
    for file in files:
        if file.suffix == ending:
            packed = file.with_name(file.name + _PACKED[packing])
            total += (packed if packed.is_file() else file).stat().st_size
    return total


def main() -> None:
    if not (WEB / "index.html").is_file():
        sys.exit("The web app is not built: `npm run build` in frontend/.")
    line = "{:24} {:>8} {:>8} {:>8} {:>8} {:>7}\n".format
    sys.stdout.write(line("first load, KB as sent", "JS br", "CSS br", "JS gzip", "CSS gzip", "files"))
    rows = {f"{page} ({language})": files for (page, language), files in first_files().items()}
    rows["charts, once seen"] = charts() - first_files()["dashboard", "en"]
    for name, files in rows.items():
        sizes = [sent(files, ending, packing) / KB for packing in _PACKED for ending in (".js", ".css")]
        sys.stdout.write(line(name, *(f"{size:.1f}" for size in sizes), len(files)))


if __name__ == "__main__":
    main()
