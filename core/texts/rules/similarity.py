"""Similarity of a text to earlier ones, so that an assistant does not post the same again.

A text is the set of its runs of five characters, without case, punctuation, links, hashtags and mentions, which all
posts of an account may share. The similarity is the share of the text's runs that the earlier text has as well: 1 if
it contains the whole text, and nearly 1 if only the order of sentences differs. Figures are in decision 36.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOOKED_BACK: Final = 50
"""Number of earlier posts that a new one is compared with."""

SIMILAR: Final = 0.7
"""From this value on a text repeats an earlier one: about every sixth word may differ."""

_RUN = 5
_SHARED = re.compile(r"(?:https?://|www\.)\S+|[#＃@＠]\w+", re.IGNORECASE)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Nearest:
    index: int
    """Of the earlier text."""
    similarity: float


def similarity(text: str, earlier: str) -> float:
    """Return a similarity from 0 to 1; 0 for a text without letters."""
    return _share(_runs(text), _runs(earlier))


def nearest(text: str, earlier: Sequence[str]) -> Nearest | None:
    """Return the first of the most similar texts; None if there are none."""
    mine = _runs(text)
    shares = [_share(mine, _runs(other)) for other in earlier]
    if not shares:
        return None
    most = max(shares)
    return Nearest(shares.index(most), most)


def _share(mine: frozenset[str], others: frozenset[str]) -> float:
    return len(mine & others) / len(mine) if mine else 0.0


def _runs(text: str) -> frozenset[str]:
    folded = _SHARED.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    words = " ".join(_WORD.findall(folded))
    return frozenset(words[start : start + _RUN] for start in range(max(1, len(words) - _RUN + 1))) - {""}
