"""docs/security.md: every requirement has its row, and what a row names is there."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest

from core.settings import ROOT

DOCUMENT = (ROOT / "docs" / "security.md").read_text()
ROWS = re.findall(r"^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+) \|$", DOCUMENT, re.MULTILINE)

# of ASVS 5.0, levels 1 and 2: chapter.section:numbers
REQUIREMENTS = """
    1.1:1-2 1.2:1-9 1.3:1-11 1.4:1-3 1.5:1-2
    2.1:1-3 2.2:1-3 2.3:1-4 2.4:1
    3.2:1-2 3.3:1-4 3.4:1-6 3.5:1-5 3.7:1-2
    4.1:1-3 4.2:1 4.3:1-2 4.4:1-4
    5.1:1 5.2:1-3 5.3:1-2 5.4:1-3
    6.1:1-3 6.2:1-12 6.3:1-4 6.4:1-4 6.5:1-5 6.6:1-3 6.8:1-4
    7.1:1-3 7.2:1-4 7.3:1-2 7.4:1-5 7.5:1-2 7.6:1-2
    8.1:1-2 8.2:1-3 8.3:1 8.4:1
    9.1:1-3 9.2:1-4
    10.1:1-2 10.2:1-2 10.3:1-4 10.4:1-11 10.5:1-5 10.6:1-2 10.7:1-3
    11.1:1-2 11.2:1-3 11.3:1-3 11.4:1-4 11.5:1 11.6:1
    12.1:1-3 12.2:1-2 12.3:1-4
    13.1:1 13.2:1-5 13.3:1-2 13.4:1-5
    14.1:1-2 14.2:1-4 14.3:1-3
    15.1:1-3 15.2:1-3 15.3:1-7
    16.1:1 16.2:1-5 16.3:1-4 16.4:1-3 16.5:1-3
    17.1:1 17.2:1-4 17.3:1-2
"""

_PATH = re.compile(r"[\w.-]+(/[\w.-]+)*(/|\.(?:py|tsx?|md|json|ya?ml|toml|lock))")
_DATE = re.compile(r"\b[Bb]y (January|March|May|June) 2027\b")


def required() -> Iterator[str]:
    for part in REQUIREMENTS.split():
        section, _, numbers = part.partition(":")
        for span in numbers.split(","):
            first, _, last = span.partition("-")
            yield from (f"{section}.{number}" for number in range(int(first), int(last or first) + 1))


def named() -> list[str]:
    return re.findall(r"`([^`\n]+)`", DOCUMENT)


def test_every_requirement_has_one_row() -> None:
    assert len(ROWS) > 200
    rows = Counter(number for number, *_ in ROWS)
    assert {number for number, times in rows.items() if times > 1} == set()
    assert set(required()) - set(rows) == set()
    assert set(rows) - set(required()) == set()


@pytest.mark.parametrize(("number", "state"), [(number, state) for number, _, state in ROWS], ids=lambda part: part[:9])
def test_a_row_says_whether_it_is_met(number: str, state: str) -> None:
    if state.startswith("Not met"):
        assert _DATE.search(state), f"{number}: until when?"
    else:
        assert re.match(r"Met(:| but)|n/a", state), number


def test_every_file_that_is_named_is_there() -> None:
    paths = {name for name in named() if _PATH.fullmatch(name)}
    assert len(paths) > 50
    assert {path for path in paths if not (ROOT / path).exists()} == set()


def test_every_test_that_is_named_is_there() -> None:
    names = {name for name in named() if name.startswith("test_")}
    sources = [path.read_text() for path in (ROOT / "tests").rglob("test_*.py")]
    there = set(re.findall(r"^(?:async )?def (test_\w+)", "\n".join(sources), re.MULTILINE))
    assert len(names) > 50
    assert names - there == set()


def test_every_decision_that_is_named_is_there() -> None:
    told = re.findall(r"decisions? ((?:\d+(?:, | and | to )?)+)", DOCUMENT)
    numbers = {int(number) for found in told for number in re.findall(r"\d+", found)}
    there = {int(path.name[:4]) for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md")}
    assert len(numbers) > 5
    assert numbers - there == set()
