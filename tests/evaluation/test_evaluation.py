"""`python -m evaluation` against its stand-in for a model, over HTTP."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.samples import NOBODY, SLOT
from core.brands.rules import BrandVoice
from core.runs.text_orders import text_order_of_run
from core.templates.marketplace import STARTERS
from evaluation.__main__ import main
from evaluation.cases import DEMO_TREE, list_series
from evaluation.judge import Criterion, read_marks
from evaluation.report import compare, figures_of
from evaluation.result import JudgedText, Note, Round, read_round
from evaluation.stub import MODEL, open_server
from evaluation.writing import brief_of, facts_for

PRICES = {"prices": [{"model": MODEL, "since": "2026-01-01", "input": "1", "output": "10"}]}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[str]:
    """The settings lead to the stand-in, which writes and judges and has a price."""
    server = open_server(0)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/v1"
    prices = tmp_path / "prices.json"
    prices.write_text(json.dumps(PRICES))
    for name, value in {"OPENAI_BASE_URL": address, "TEXT_MODEL": MODEL, "PRICES_FILE": str(prices)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("EVALUATION_JUDGE_MODEL", MODEL)
    yield address
    server.shutdown()
    server.server_close()
    thread.join()


def test_every_text_template_is_written_with_and_the_last_post_has_no_notes() -> None:
    series = list_series(("de", "en"), (), 3)
    texts = [path for path in STARTERS.glob("*.json") if json.loads(path.read_text())["type"] == "text"]
    assert len(series) == len(texts) + 2
    for each in series:
        assert len(each.subjects) == 3
        assert all(subject.notes for subject in each.subjects[:-1])
        assert bool(each.subjects[-1].notes) is (each.template == DEMO_TREE)


def test_a_round_is_written_judged_stored_and_compared(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "round.json"
    wanted = ["--templates", "event,article,demo-tree", "--posts", "2", "--networks", "linkedin,bluesky"]
    assert main([*wanted, "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    result = read_round(out)
    # two languages and two posts: of articles one text, of the others one for each network
    assert len(result.texts) == 2 * 2 * (1 + 2 + 2)
    assert {text.network for text in result.texts} == {"website", "linkedin", "bluesky"}
    for text in result.texts:
        assert not text.too_long
        assert text.marks is not None
        assert set(text.marks) == set(Criterion)
        assert text.template in shown
    # the brief reaches the model, whatever it makes of it
    assert any("Patientenverfügung" in text.text for text in result.texts if text.language == "de")
    for cost in result.costs:
        assert cost.calls >= cost.posts == 2
        assert cost.input_tokens
        assert cost.output_tokens
        assert cost.cost_micros == cost.input_tokens + 10 * cost.output_tokens
    assert main(["--compare", str(out), str(out)]) == 0
    assert "→" not in capsys.readouterr().out


def test_without_a_judge_rules_decide_alone(model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("EVALUATION_JUDGE_MODEL")
    out = tmp_path / "round.json"
    assert main(["--templates", "season", "--languages", "en", "--posts", "1", "--out", str(out)]) == 0
    result = read_round(out)
    assert result.judge is None
    assert result.judging is None
    assert all(text.marks is None for text in result.texts)


def test_a_round_ends_before_it_costs_more_than_its_budget(model: str, tmp_path: Path) -> None:
    out = tmp_path / "round.json"
    arguments = ["--templates", "season,event", "--posts", "3", "--out", str(out)]
    assert main([*arguments, "--budget", "10"]) == 1
    result = read_round(out)
    assert result.ended_by_budget
    assert result.judging
    costs = [cost.cost_micros for cost in (*result.costs, result.judging)]
    assert 0 < sum(cost or 0 for cost in costs) <= 10 * 10_000
    assert len(result.texts) < 2 * 2 * 3 * 3


def test_a_model_without_a_price_needs_a_round_without_a_budget(
    model: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("PRICES_FILE")
    out = tmp_path / "round.json"
    arguments = ["--templates", "season", "--languages", "en", "--posts", "1", "--out", str(out)]
    with pytest.raises(SystemExit, match="has no price"):
        main(arguments)
    assert not out.exists()
    assert main([*arguments, "--budget", "0"]) == 0
    assert read_round(out).costs[0].cost_micros is None


def test_a_model_that_does_not_answer_leaves_posts_missing(
    nowhere: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"{nowhere}/v1")
    monkeypatch.setenv("TEXT_MODEL", MODEL)
    out = tmp_path / "round.json"
    arguments = ["--templates", "season", "--languages", "en", "--posts", "1", "--budget", "0", "--out", str(out)]
    assert main(arguments) == 1
    [failure] = read_round(out).failures
    assert (failure.step, failure.code) == ("text", "model_unavailable")
    assert "Missing: en-season, post 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changed", "readable"),
    [({}, True), ({"reason": "…"}, True), ({"hook": 6}, False), ({"hook": "4"}, False), ({"hook": True}, False)],
)
def test_only_whole_marks_are_read(changed: dict[str, Any], readable: bool) -> None:
    marks = read_marks(dict.fromkeys(Criterion, 3) | changed)
    assert marks == (dict.fromkeys(Criterion, 3) if readable else None)


def test_the_judge_is_told_all_that_a_text_may_state() -> None:
    brand = BrandVoice("Speiche", about="Repairs bikes", audience="Families", facts=("Open since 1998",))
    [series] = list_series(("en",), ("season",), 1, brand)
    order = text_order_of_run(
        series.body, series.settings, brief_of(series, series.subjects[0]),
        slot=SLOT, limit=500, user_id=NOBODY, seed="seed", brand=brand,
    )  # fmt: skip
    told = facts_for(order, brand)
    for fact in ("Speiche", "Repairs bikes", "Families", "Open since 1998", str(SLOT.year), series.subjects[0].topic):
        assert fact in told


def test_a_round_without_a_folder_for_it_does_not_begin(model: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="folder"):
        main(["--templates", "season", "--languages", "en", "--posts", "1", "--out", str(tmp_path / "no" / "out.json")])


def test_a_missing_mark_is_no_mark() -> None:
    assert read_marks({"hook": 3}) is None


def a_text(text: str, **more: Any) -> JudgedText:
    about = {"template": "tip", "language": "en", "network": "linkedin", "topic": "Rain", "has_notes": True}
    found = {"limit": 3000, "notes": [], "too_long": False, "similarity": 0, "facts": {}}
    return JudgedText.model_validate(about | {"number": 0, "text": text} | found | more)


def test_figures_count_what_repeats_and_what_is_invented() -> None:
    invented = Note(finding="unproven", params={"what": "40 %"})
    figures = figures_of(
        [
            a_text("Wipe the chain first. Then oil it."),
            a_text("Wipe the chain every night.", number=1, notes=[invented, invented], similarity=40),
            a_text("Oil it.", number=2, marks=dict.fromkeys(Criterion, 4)),
        ]
    )
    assert (figures.texts, figures.same_openings, figures.unproven, figures.similarity) == (3, 2, 1, 40)
    assert figures.notes == pytest.approx(2 / 3)
    assert figures.mark == 4


def test_a_comparison_shows_what_changed() -> None:
    def a_round(*texts: JudgedText) -> Round:
        return Round(
            written_at="2026-11-29T12:00:00+00:00", model="m", judge=None, networks=["linkedin"],
            second_look="rules", posts=1,
            texts=list(texts), costs=[], failures=[], ended_by_budget=False,
        )  # fmt: skip

    note = Note(finding="cliche", params={"what": "game changer"})
    shown = compare(a_round(a_text("A game changer.", notes=[note])), a_round(a_text("A spare tube.")))
    assert "1.00 → 0.00" in shown
    shown = compare(a_round(a_text("Wet.")), a_round(a_text("Wet.", template="myth")))
    assert "Only before: tip en linkedin" in shown
    assert "Only after: myth en linkedin" in shown
    assert "All texts" not in shown
    more = a_text("A text of 26 characters, long", template="myth")
    shown = compare(a_round(a_text("Wet.")), a_round(a_text("Wet."), more))
    assert "All texts of both rounds' places: texts 1, characters 4" in shown
