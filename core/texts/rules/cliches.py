"""Worn phrases of marketing texts. The lists are data: `core/texts/cliches/<language>.json`.

An entry has a `phrase`, which prompts and people see, and the `pattern` of the regular expression that finds it. In a
pattern a space stands for any white space and ' for either apostrophe. Case does not matter, only whole words match.
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_LISTS: Final = Path(__file__).resolve().parents[1] / "cliches"
_LONGEST: Final = 80
"""Characters of a passage that is shown."""


class _Cliche(NamedTuple):
    phrase: str
    pattern: re.Pattern[str]


def phrases(language: str) -> tuple[str, ...]:
    """Return the phrases to avoid in a language, those that models write most often first; none if there is no list."""
    return tuple(cliche.phrase for cliche in _cliches(language))


def find(text: str, language: str) -> tuple[str, ...]:
    """Return the passages of a text that are worn phrases, in their order, on one line each and shortened."""
    matches = (cliche.pattern.search(text) for cliche in _cliches(language))
    found = sorted(match.span() for match in matches if match)
    passages, end = [], 0
    for start, stop in found:
        if start < end:  # two phrases share words
            continue
        end = stop
        passage = " ".join(text[start:stop].split())
        passages.append(passage if len(passage) <= _LONGEST else f"{passage[: _LONGEST - 1].rstrip()}…")
    return tuple(passages)


@cache
def _cliches(language: str) -> tuple[_Cliche, ...]:
    path = _LISTS / f"{language}.json"
    if language not in _languages():
        return ()
    return tuple(_Cliche(entry["phrase"], _compiled(entry["pattern"])) for entry in json.loads(path.read_text("utf-8")))


@cache
def _languages() -> frozenset[str]:
    return frozenset(path.stem for path in _LISTS.glob("*.json"))


_PART: Final = re.compile(r"(?P<set>\[[^\]]*\])|(?P<lookbehind>\(\?<[=!][^)]*\))|(?P<space> )(?P<optional>\??)|'")


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{_PART.sub(_spelled_out, pattern)})(?!\w)", re.IGNORECASE)


def _spelled_out(part: re.Match[str]) -> str:
    if part["set"] or part["lookbehind"]:  # which stands for one character
        return part[0].replace("'", "'’").replace(" ", r"\s")
    if part["space"]:
        return r"\s*" if part["optional"] else r"\s+"
    return "['’]"
