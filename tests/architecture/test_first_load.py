"""How much of the web app a page loads before anybody does anything."""

import pytest

from benchmarks.first_load import KB, WEB, first_files, sent

_MOST = {"home": 165, "sign-in": 190, "sign-up": 190, "dashboard": 290}  # KB of JavaScript as sent, packed with Brotli


@pytest.mark.skipif(not (WEB / "index.html").is_file(), reason="the web app is not built, as it is for make test")
@pytest.mark.parametrize("page", _MOST)
def test_a_page_loads_no_more_scripts_than_it_may(page: str) -> None:
    for (name, language), files in first_files().items():
        if name == page:
            scripts = sent(files, ".js") / KB
            assert scripts <= _MOST[page], f"{page} in {language} loads {scripts:.0f} KB of scripts"
            assert not any(file.name.startswith("day-bars") for file in files)


@pytest.mark.skipif(not (WEB / "index.html").is_file(), reason="the web app is not built, as it is for make test")
def test_nobody_loads_the_texts_of_two_languages() -> None:
    for (page, _), files in first_files().items():
        texts = [file.name for file in files if file.name.startswith(("en-", "de-"))]
        assert len({name[:2] for name in texts}) == 1, page
        assert any("-users-" in name for name in texts) == (page == "dashboard"), page
