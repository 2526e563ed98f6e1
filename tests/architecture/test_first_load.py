"""How much of the web app a page loads before anybody does anything, and that its styles are whole."""

import re
from graphlib import TopologicalSorter
from typing import Final

import pytest

from benchmarks.first_load import KB, WEB, first_files, sent

_MOST: Final = 300  # KB of JavaScript as sent, packed with gzip
_UNBOUNDED: Final = "calendar"  # its grid is a library of 70 KB
_MOST_STYLES: Final = 45
_MANTINE = WEB.parent / "node_modules" / "@mantine" / "core" / "styles.css"
_MANTINE_CLASS = re.compile(r"\bm_[0-9a-f]{6,8}\b")

pytestmark = pytest.mark.skipif(
    not (WEB / "index.html").is_file(), reason="the web app is not built, as it is for make test"
)


def test_a_page_loads_no_more_than_it_may() -> None:
    loads = first_files()
    assert len(loads) > 50
    assert all(any(file.name.startswith("react-") for file in files) for files in loads.values())  # all of the start
    scripts = {load: sent(files, ".js", "gzip") / KB for load, files in loads.items()}
    assert {load: size for load, size in scripts.items() if size > _MOST and load.page != _UNBOUNDED} == {}
    assert max(sent(files, ".css", "gzip") / KB for files in loads.values()) <= _MOST_STYLES
    assert not any(file.name.startswith("day-bars") for files in loads.values() for file in files)


def test_no_file_begins_before_what_it_needs() -> None:
    """Two that import each other leave one of them without what the other has: an empty page."""
    importing = re.compile(r'(?:from|import)\s*"\./([^"]+\.js)"')
    needs = {file.name: set(importing.findall(file.read_text())) for file in (WEB / "assets").glob("*.js")}
    TopologicalSorter(needs).prepare()


def test_every_page_of_the_router_is_measured() -> None:
    routes = {file.stem for file in (WEB.parent / "src" / "routes").glob("*.tsx") if "." not in file.stem}
    router = (WEB.parent / "src" / "app" / "router.tsx").read_text()
    shown = {route for route in routes if f"import('@/routes/{route}')" in router}
    assert len(shown) > 20
    assert {load.page for load in first_files()} == shown | {"nowhere"}


def test_each_of_mantines_components_in_use_has_its_styles() -> None:
    """They are named one by one in frontend/src/app/styles/mantine.css."""

    def classes(ending: str) -> set[str]:
        files = (WEB / "assets").glob(f"*{ending}")
        return {name for file in files for name in _MANTINE_CLASS.findall(file.read_text())}

    used = classes(".js") & set(_MANTINE_CLASS.findall(_MANTINE.read_text()))
    assert len(used) > 100
    assert used - classes(".css") == set()
