"""What the developers' targets tell."""

import subprocess
import sys

import pytest

from cli.develop import Job, in_lanes
from core.settings import ROOT


def _job(name: str, code: str) -> Job:
    return Job(name, (sys.executable, "-c", code))


def test_what_failed_is_told_again_at_the_end_since_lanes_speak_in_turn(capfd: pytest.CaptureFixture[str]) -> None:
    failing = _job("first", "print('größe'); raise SystemExit(3)")
    long = _job("second", "print(*range(100), sep=chr(10))")

    assert in_lanes([failing], [long, _job("third", "pass")]) == 1

    said = capfd.readouterr().out
    after = said[said.index("\n99\n") :]
    assert "first failed, it ended with:\ngröße\n" in after
    assert [line[0] for line in after.strip().splitlines()[-3:]] == ["✗", "✓", "✓"]
    assert "second failed" not in said


def test_the_last_lines_name_what_failed(capfd: pytest.CaptureFixture[str]) -> None:
    said = [
        "FAILED tests/api/test_posts.py::test_one - assert 1 == 2",
        "\\x1b[31m FAIL \\x1b[39m  screens  src/routes/post.test.tsx > a post",
        "  3:1  error  'x' is defined but never used",
        "timedOut after 90 s: an article is announced",
        "in passing",
    ]
    failing = _job("first", f"print('''{chr(10).join(said)}'''); raise SystemExit(1)")

    assert in_lanes([failing], [_job("second", "pass")]) == 1

    first, *named, second = capfd.readouterr().out.strip().splitlines()[-6:]
    assert (first[0], second[0]) == ("✗", "✓")
    assert named == [
        "    FAILED tests/api/test_posts.py::test_one - assert 1 == 2",
        "    FAIL   screens  src/routes/post.test.tsx > a post",
        "    3:1  error  'x' is defined but never used",
        "    timedOut after 90 s: an article is announced",
    ]


def test_nothing_is_told_again_where_nothing_failed(capfd: pytest.CaptureFixture[str]) -> None:
    assert in_lanes([_job("first", "print('once')")], [_job("second", "pass")]) == 0

    said = capfd.readouterr().out
    assert said.count("\nonce\n") == 1
    assert "✗" not in said


def test_what_is_compiled_is_kept_for_the_next_process(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert in_lanes([_job("first", "import sys; print('kept:', not sys.dont_write_bytecode)")], []) == 0
    assert "kept: True" in capfd.readouterr().out


def test_the_stories_that_only_benchmarks_tell_find_what_they_need() -> None:
    planned = subprocess.run(
        [sys.executable, "-m", "benchmarks.faults", "--setup-plan"], cwd=ROOT, capture_output=True, text=True
    )
    assert planned.returncode == 0, planned.stdout
    assert "one_post_per_account" in planned.stdout
