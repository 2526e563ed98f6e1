"""How much of the web app a page loads before anybody does anything."""

import pytest

from benchmarks.first_load import KB, WEB, first_files, sent

_MOST = {"home": 220, "sign-in": 220, "sign-up": 230, "dashboard": 300}  # KB of JavaScript as sent, packed with Brotli


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
        assert len([file for file in files if file.name.startswith(("en-", "de-"))]) == 1, page
