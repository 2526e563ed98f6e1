"""How much of the web app a page loads before anybody does anything, and that its styles are whole."""

import re
from typing import Final

import pytest

from benchmarks.first_load import KB, WEB, first_files, sent_bytes

_MOST: Final = 300  # KB of JavaScript as sent, packed with gzip
_UNBOUNDED: Final = "calendar"  # its grid is a library of 70 KB
_MANTINE = WEB.parent / "node_modules" / "@mantine" / "core" / "styles.css"
_MANTINE_CLASS = re.compile(r"\bm_[0-9a-f]{6,8}\b")

pytestmark = pytest.mark.skipif(
    not (WEB / "index.html").is_file(), reason="the web app is not built, as it is for make test"
)


def test_no_page_loads_more_than_300_kb_of_scripts() -> None:
    loads = first_files()
    routes = {file.stem for file in (WEB.parent / "src" / "routes").glob("*.tsx") if "." not in file.stem}
    router = (WEB.parent / "src" / "app" / "router.tsx").read_text()
    assert {load.page for load in loads} == {route for route in routes if f"import('@/routes/{route}')" in router}
    scripts = {load: sent_bytes(files, ".js", "gzip") / KB for load, files in loads.items()}
    assert min(scripts.values()) > 100  # React, Mantine and the router alone are more
    assert {load: size for load, size in scripts.items() if size > _MOST and load.page != _UNBOUNDED} == {}


def test_each_of_mantines_components_in_use_has_its_styles() -> None:
    """They are named one by one in frontend/src/app/styles/mantine.css."""

    def classes(ending: str) -> set[str]:
        files = (WEB / "assets").glob(f"*{ending}")
        return {name for file in files for name in _MANTINE_CLASS.findall(file.read_text())}

    used = classes(".js") & set(_MANTINE_CLASS.findall(_MANTINE.read_text()))
    assert len(used) > 100
    assert used - classes(".css") == set()
