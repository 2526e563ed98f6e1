"""What people changed in texts of a model before they approved them."""

from dataclasses import dataclass
from difflib import SequenceMatcher

from core.texts.rules.texts import cut_text, sentences


@dataclass(frozen=True, slots=True)
class Edit:
    """A text as the model wrote it, and as a person approved it."""

    before: str
    after: str


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
