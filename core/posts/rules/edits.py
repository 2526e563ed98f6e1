"""What people changed in texts of a model before they approved them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from core.texts.rules.texts import comparable, cut_text, sentences


@dataclass(frozen=True, slots=True)
class Edit:
    """A text as the model wrote it, and as a person approved it."""

    before: str
    after: str


def edits_between(written: Mapping[str, Any], content: str, variants: Iterable[Mapping[str, Any]]) -> Iterator[Edit]:
    """Yield the texts of a post that differ from what a model wrote by more than white space, each with the text that
    stands in the same place now: the post's text, unless it is a network's own text now; then the variants that there
    are still. `written`: `content` and `variants` of then."""
    variants_now = list(variants)
    now = {(row["channel"], row["account_id"]): row["content"] for row in variants_now}
    moved = {comparable(row["content"]) for row in variants_now}
    # where another network came first or went, the post's text is that of another one than then
    pairs = [(written["content"], content)] if comparable(written["content"]) not in moved else []
    pairs += [
        (row["content"], now[place])
        for row in written["variants"]
        if (place := (row["channel"], row["account_id"])) in now
    ]
    for before, after in pairs:
        if after.strip() and comparable(before) != comparable(after):
            yield Edit(before, after)


def changed_part(edit: Edit, longest: int) -> Edit | None:
    """Return only the sentences that differ, each side at most `longest` characters; None if none does. A side is empty
    where sentences were added or left out."""
    before, after = list(sentences(edit.before)), list(sentences(edit.after))
    differing = [
        (before[start:end], after[new_start:new_end])
        for kind, start, end, new_start, new_end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    if not differing:
        return None
    old, new = (" ".join(sentence for pair in differing for sentence in pair[side]) for side in (0, 1))
    return Edit(cut_text(old, longest), cut_text(new, longest))
