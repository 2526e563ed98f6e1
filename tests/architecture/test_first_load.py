"""How much of the web app a page loads before anybody does anything, and that its styles are whole."""

import re

import pytest

from benchmarks.first_load import KB, WEB, first_files, sent

_MOST = {"home": 165, "sign-in": 190, "sign-up": 190, "dashboard": 292}  # KB of JavaScript as sent, packed with Brotli
_MOST_STYLES = {"home": 26, "sign-in": 25, "sign-up": 25, "dashboard": 31}
_MANTINE = WEB.parent / "node_modules" / "@mantine" / "core" / "styles.css"
_MANTINE_CLASS = re.compile(r"\bm_[0-9a-f]{6,8}\b")


@pytest.mark.skipif(not (WEB / "index.html").is_file(), reason="the web app is not built, as it is for make test")
@pytest.mark.parametrize("page", _MOST)
def test_a_page_loads_no_more_than_it_may(page: str) -> None:
    for (name, language), files in first_files().items():
        if name == page:
            scripts = sent(files, ".js") / KB
            assert scripts <= _MOST[page], f"{page} in {language} loads {scripts:.0f} KB of scripts"
            styles = sent(files, ".css") / KB
            assert styles <= _MOST_STYLES[page], f"{page} in {language} loads {styles:.0f} KB of styles"
            assert not any(file.name.startswith("day-bars") for file in files)


@pytest.mark.skipif(not (WEB / "index.html").is_file(), reason="the web app is not built, as it is for make test")
def test_nobody_loads_the_texts_of_two_languages() -> None:
    for (page, _), files in first_files().items():
        texts = [file.name for file in files if file.name.startswith(("en-", "de-"))]
        assert len({name[:2] for name in texts}) == 1, page
        assert any("-users-" in name for name in texts) == (page == "dashboard"), page


@pytest.mark.skipif(not (WEB / "index.html").is_file(), reason="the web app is not built, as it is for make test")
def test_each_of_mantines_components_in_use_has_its_styles() -> None:
    """They are named one by one in frontend/src/app/styles/mantine.css."""

    def classes(ending: str) -> set[str]:
        files = (WEB / "assets").glob(f"*{ending}")
        return {name for file in files for name in _MANTINE_CLASS.findall(file.read_text())}

    used = classes(".js") & set(_MANTINE_CLASS.findall(_MANTINE.read_text()))
    assert len(used) > 100
    assert used - classes(".css") == set()
