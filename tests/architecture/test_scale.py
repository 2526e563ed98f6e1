"""The page about scale is as `benchmarks.scale` computes it from its own table."""

from pathlib import Path

import pytest

from benchmarks.scale import PAGE, Day, Figures, main, price_actions, render


def test_the_page_is_as_computed() -> None:
    assert main(PAGE, check=True) == 0, "python -m benchmarks.scale"


def test_a_changed_figure_changes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "scale.md"
    page.write_text(PAGE.read_text().replace("| `posts_a_day` | 3 |", "| `posts_a_day` | 6 |"))
    assert main(page, check=True) == 1
    main(page, check=False)
    assert main(page, check=True) == 0
    assert "6,000,000 posts a day" in page.read_text()


def test_a_page_without_the_mark_stays_as_it_is() -> None:
    with pytest.raises(SystemExit, match="lacks the line"):
        render("# A million assistants\n")


def test_a_day_has_each_post_once() -> None:
    figures = Figures(PAGE.read_text())
    posts = figures["assistants"] * figures["posts_a_day"]
    day = Day.simulate(figures)
    assert [sum(minutes) for minutes in (day.due, day.prepared, day.closed)] == [pytest.approx(posts)] * 3


@pytest.mark.parametrize(("millions", "usd"), [(2, 100), (11.25, 525), (300, 8425)])
def test_actions_get_cheaper_with_their_number(millions: float, usd: float) -> None:
    prices = [(5, 50), (10, 45), (20, 40), (50, 35), (100, 30), (200, 25)]
    assert price_actions(millions, prices) == pytest.approx(usd)
