"""How much of a text was said before, so that an assistant does not post the same again.

A text is the set of its runs of five characters, without case, punctuation, links, hashtags and mentions, which posts
of one account share whatever they say. Its similarity to an earlier text is the share of them that the earlier one has
as well: 1 for a text that stands in it whole, and nearly so in another order of its sentences. Figures are in decision
36.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

LOOKED_BACK: Final = 50
"""Posts that a new one is compared with."""

SIMILAR: Final = 0.7
"""From here on a text repeats an earlier one: about every sixth word may differ."""

_RUN = 5
_SHARED = re.compile(r"(?:https?://|www\.)\S+|[#＃@＠]\w+", re.IGNORECASE)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Nearest:
    index: int
    """Of the earlier text."""
    similarity: float


def similarity(text: str, earlier: str) -> float:
    """From 0 to 1. Of a text without a letter it is 0."""
    return _share(_runs(text), _runs(earlier))


def nearest(text: str, earlier: Sequence[str]) -> Nearest | None:
    """The first of those most like it; None where there are none."""
    mine = _runs(text)
    shares = [_share(mine, _runs(other)) for other in earlier]
    if not shares:
        return None
    most = max(shares)
    return Nearest(shares.index(most), most)


def _share(mine: frozenset[str], others: frozenset[str]) -> float:
    return len(mine & others) / len(mine) if mine else 0.0


def _runs(text: str) -> frozenset[str]:
    told = _SHARED.sub(" ", unicodedata.normalize("NFKC", text).casefold())
    words = " ".join(_WORD.findall(told))
    return frozenset(words[start : start + _RUN] for start in range(max(1, len(words) - _RUN + 1))) - {""}
