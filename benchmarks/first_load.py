"""What each page of the built web app loads before anybody does anything: `python -m benchmarks.first_load`.

In KB as sent, read from the build: `index.html` names the start, and the parts that `frontend/src/before.js` asks for
beside it. What comes once the page stands, such as dialogs, or charts once they are seen, is not in it, nor are texts.
"""

import html
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from core.settings import ROOT

WEB: Final = ROOT / "frontend" / "dist"
KB: Final = 1000  # bytes
_LANGUAGES: Final = ("en", "de")
_FRAME: Final = "frame"
_NOWHERE: Final = "nowhere"  # an address without a page
_VISITORS: Final = frozenset({"home", "signin", "signup"})
_EVERYBODYS: Final = frozenset({"verify-email", "privacy-policy", "approval-link", _NOWHERE})
_CHARTS: Final = "day-bars-*.js"
_PACKED: Final = {"brotli": ".br", "gzip": ".gz"}


class Load(NamedTuple):
    page: str
    signed_in: bool
    language: str


def first_files(web: Path = WEB) -> dict[Load, frozenset[Path]]:
    """Raises FileNotFoundError without a build."""
    document = (web / "index.html").read_text()
    start = re.findall(r'(?:src|href)="/(assets/[^"]+\.(?:js|css))"', document)
    told = re.search(r'data-files="([^"]+)"', document)
    if not told or not start:
        raise ValueError("index.html does not tell what a page needs")
    early = json.loads(html.unescape(told[1]))
    parts: dict[str, list[int]] = early["parts"]
    pages = {name for name in parts if "." not in name} - {*_LANGUAGES, _FRAME} | {_NOWHERE}

    def files(load: Load) -> frozenset[Path]:
        own = [load.language, *([_FRAME] if load.signed_in else []), load.page]
        named = [name for part in own for name in (part, f"{part}.{load.language}")]
        return frozenset(
            web / file for file in [*start, *(early["files"][index] for name in named for index in parts.get(name, []))]
        )

    return {
        load: files(load)
        for page in sorted(pages)
        for signed_in in (False, True)
        if page in _EVERYBODYS or signed_in != (page in _VISITORS)
        for load in (Load(page, signed_in, language) for language in _LANGUAGES)
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
    line = "{:32} {:>8} {:>8} {:>8} {:>8} {:>7}\n".format
    sys.stdout.write(line("first load, KB as sent", "JS br", "CSS br", "JS gzip", "CSS gzip", "files"))
    rows = {
        f"{page}{', signed in' if signed_in and page in _EVERYBODYS else ''} ({language})": files
        for (page, signed_in, language), files in first_files().items()
    }
    rows["charts, once seen"] = charts() - first_files()[Load("dashboard", signed_in=True, language="en")]
    for name, files in rows.items():
        sizes = [sent(files, ending, packing) / KB for packing in _PACKED for ending in (".js", ".css")]
        sys.stdout.write(line(name, *(f"{size:.1f}" for size in sizes), len(files)))


if __name__ == "__main__":
    main()
