"""What a second look found, after a person has changed the texts."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from uuid import UUID

from core.posts.rules.posts import Variant
from core.texts.rules.endings import Ending, count_own_hashtags
from core.texts.rules.review import Finding, ReviewNote
from core.texts.rules.second_look import count_emoji, opening_of
from core.texts.rules.written_language import other_language


def keep_notes(
    notes: Iterable[ReviewNote],
    content: str,
    variants: Sequence[Variant],
    language: str,
    always: tuple[str, ...] = (),
) -> Iterator[ReviewNote]:
    """Yield the notes that still hold for the texts. No new ones are looked for: a person may state what stands in no
    brief. `always`: the assistant's fixed hashtags, which do not count. Pages are no text: see `show_earlier_text`."""
    own = {variant.channel.value: variant.content for variant in variants if variant.account_id is None}
    for note in notes:
        if kept := _after_edit(note, own.get(note.network, content), language, Ending(always=always)):
            yield kept


def show_earlier_text(before: Set[UUID], now: Set[UUID], *, changed: bool) -> bool:
    """Return whether the pages of a carousel show an earlier text. `before`, `now`: the ids of a post's pages.
    `changed`: the text was changed while it had the pages of before. Whoever adds a page has seen to them."""
    return changed and bool(now) and now <= before


def _after_edit(note: ReviewNote, text: str, language: str, ending: Ending) -> ReviewNote | None:
    match note.finding:
        case Finding.earlier_pages:
            return None
        case Finding.wrong_language:
            return note if other_language(text, language) else None
        case Finding.late_message:
            return note if len(opening_of(text)) > int(note.params["fold"]) else None
        case Finding.too_many_hashtags:
            return _recounted(note, count_own_hashtags(text, ending))
        case Finding.too_many_emoji:
            in_first_line = note.params.get("where") == "first_line"
            return _recounted(note, count_emoji(text.strip().partition("\n")[0] if in_first_line else text))
        case _:
            # addresses are noted in lower case
            folded = re.IGNORECASE if note.finding is Finding.unproven else re.NOFLAG
            return note if _has(text, str(note.params["what"]), folded) else None


def _recounted(note: ReviewNote, count: int) -> ReviewNote | None:
    return replace(note, params={**note.params, "count": count}) if count > int(note.params["most"]) else None


def _has(text: str, passage: str, flags: re.RegexFlag) -> bool:
    """Return whether the passage is in the text, as whole words; a shortened one ends with an ellipsis."""
    pattern = r"\s+".join(map(re.escape, passage.removesuffix("…").split()))
    end = "" if passage.endswith("…") else r"(?!\w)"
    return re.search(rf"(?<!\w){pattern}{end}", text, flags) is not None
