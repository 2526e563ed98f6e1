"""What a second look at a text finds, and what an edit leaves behind. The rules themselves are in `second_look.py`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final


class Finding(StrEnum):
    """The web app has words for each, and the prompt of a revision for each that a second look finds."""

    unproven = "unproven"
    """A number or a name that stands neither in the brief nor in the brand's facts. `params`: what."""
    cliche = "cliche"
    """A worn phrase. `params`: what."""
    avoided_word = "avoided_word"
    """A word that the brand avoids. `params`: what."""
    repeated_opening = "repeated_opening"
    """Begins like an earlier post. `params`: what."""
    repeated_closing = "repeated_closing"
    """Ends like an earlier post. `params`: what."""
    wrong_address = "wrong_address"
    """Addresses readers otherwise than the brand. `params`: what."""
    wrong_language = "wrong_language"
    too_many_hashtags = "too_many_hashtags"
    """`params`: count, most."""
    too_many_emoji = "too_many_emoji"
    """`params`: count, most, and where: first_line, if only emoji in the first line count."""
    earlier_pages = "earlier_pages"
    """The text was changed, and the pages of the post's carousel show the earlier one. No second look finds it.
    `params`: shown, the hash of that text; missing in older rows."""
    late_message = "late_message"
    """The first sentence does not end before the network folds the text. `params`: fold."""


_KNOWN: Final = frozenset(Finding)


@dataclass(frozen=True, slots=True)
class ReviewNote:
    """One finding, for the post's text or the text of one network (a `ChannelKind`, "" for the post's)."""

    finding: Finding
    network: str = ""
    params: Mapping[str, str | int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {"finding": self.finding.value, "network": self.network, "params": dict(self.params)}


def parse_review(stored: Iterable[Mapping[str, Any]]) -> tuple[ReviewNote, ...]:
    """Read what `ReviewNote.to_json` wrote. Leaves out findings of a newer release, which has nodes beside this one
    during an upgrade."""
    return tuple(
        ReviewNote(Finding(row["finding"]), row["network"], dict(row["params"]))
        for row in stored
        if row["finding"] in _KNOWN
    )
