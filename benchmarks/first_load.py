"""Size of the first load of each page of the built web app: `python -m benchmarks.first_load`.

In KB as sent, read from the build's manifest: the entry, the frame for users, the route's module and their static
imports. Texts and dynamic imports (dialogs, editors, charts) are not included.
"""

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple, TypedDict

from core.settings import ROOT

WEB: Final = ROOT / "frontend" / "dist"
KB: Final = 1000  # bytes
_ENTRY: Final = "index.html"
_FRAME: Final = "src/app/user-frame.tsx"
_ROUTES: Final = "src/routes/"
_CHARTS: Final = "src/components/day-bars.tsx"
_VISITORS: Final = frozenset({"home", "signin", "signup"})
_WITH_AND_WITHOUT_SESSION: Final = frozenset({"verify-email", "privacy-policy", "approval-link"})
_SUFFIXES: Final = {"brotli": ".br", "gzip": ".gz"}


class Chunk(TypedDict, total=False):
    file: str
    css: list[str]
    imports: list[str]
    dynamicImports: list[str]


class Load(NamedTuple):
    page: str
    signed_in: bool


def read_manifest(web: Path = WEB) -> dict[str, Chunk]:
    """Return the chunks of the build by their module. Raise FileNotFoundError without a build."""
    manifest: dict[str, Chunk] = json.loads((web / ".vite" / "manifest.json").read_text())
    return manifest


def files_of(manifest: dict[str, Chunk], *modules: str, web: Path = WEB) -> frozenset[Path]:
    """Return the scripts and styles of the modules and of all that they import statically."""
    chunks = list(dict.fromkeys(modules))
    for chunk in chunks:  # grows while it is iterated
        chunks += [name for name in manifest[chunk].get("imports", []) if name not in chunks]
    return frozenset(
        web / file for chunk in chunks for file in [manifest[chunk]["file"], *manifest[chunk].get("css", [])]
    )


def first_files(web: Path = WEB) -> dict[Load, frozenset[Path]]:
    """Return the files that the first load of each page of the router needs."""
    manifest = read_manifest(web)
    routes = [name for name in manifest[_ENTRY].get("dynamicImports", []) if name.startswith(_ROUTES)]

    def files(route: str, *, signed_in: bool) -> frozenset[Path]:
        return files_of(manifest, _ENTRY, *([_FRAME] if signed_in else []), route, web=web)

    return {
        Load(page, signed_in): files(route, signed_in=signed_in)
        for route in sorted(routes)
        if route.endswith(".tsx")
        for page in [Path(route).stem]
        for signed_in in (False, True)
        if page in _WITH_AND_WITHOUT_SESSION or signed_in != (page in _VISITORS)
    }


def sent_bytes(files: Iterable[Path], ending: str, encoding: str = "brotli") -> int:
    """Return the bytes of the files of one kind as sent: compressed, or as they are if too small to be compressed."""
    total = 0
    for file in files:
        if file.suffix == ending:
            compressed = file.with_name(file.name + _SUFFIXES[encoding])
            total += (compressed if compressed.is_file() else file).stat().st_size
    return total


def main() -> None:
    if not (WEB / "index.html").is_file():
        sys.exit("The web app is not built: `npm run build` in frontend/.")
    line = "{:32} {:>8} {:>8} {:>8} {:>8} {:>7}\n".format
    sys.stdout.write(line("first load, KB as sent", "JS br", "CSS br", "JS gzip", "CSS gzip", "files"))
    loads = first_files()
    rows = {
        f"{page}{', signed in' if signed_in and page in _WITH_AND_WITHOUT_SESSION else ''}": files
        for (page, signed_in), files in loads.items()
    }
    rows["charts, loaded on first use"] = files_of(read_manifest(), _CHARTS) - loads[Load("dashboard", signed_in=True)]
    for name, files in rows.items():
        sizes = [sent_bytes(files, ending, encoding) / KB for encoding in _SUFFIXES for ending in (".js", ".css")]
        sys.stdout.write(line(name, *(f"{size:.1f}" for size in sizes), len(files)))


if __name__ == "__main__":
    main()
