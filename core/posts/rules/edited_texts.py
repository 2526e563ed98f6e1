"""What a second look found, after a person has changed the texts."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from uuid import UUID

from core.posts.rules.posts import Variant
from core.texts.rules.endings import Ending, count_own_hashtags
from core.texts.rules.review import Finding, ReviewNote
from core.texts.rules.second_look import count_emoji, opening_of
from core.texts.rules.texts import content_hash
from core.texts.rules.written_language import other_language


def keep_notes(
    notes: Iterable[ReviewNote],
    content: str,
    variants: Sequence[Variant],
    language: str,
    always: tuple[str, ...] = (),
) -> Iterator[ReviewNote]:
    """Yield the notes that still hold for the texts. No new ones are looked for: a person may state what stands in no
    brief. `always`: the assistant's fixed hashtags, which do not count. Pages are no text: see `note_earlier_pages`."""
    own = {variant.channel.value: variant.content for variant in variants if variant.account_id is None}
    for note in notes:
        if kept := _after_edit(note, own.get(note.network, content), language, Ending(always=always)):
            yield kept


def note_earlier_pages(notes: Iterable[ReviewNote], before: str | None, now: str) -> ReviewNote | None:
    """Return the note that the pages of a post's carousel show an earlier text than `now`, or None. They show the text
    that the post's `notes` name, else the one from `before` the change; None: any, a person composes the post."""
    for note in notes:
        if note.finding is Finding.earlier_pages:
            return None if note.params.get("shown") == _hash(now) else note
    if before is None or before == now:
        return None
    return ReviewNote(Finding.earlier_pages, params={"shown": _hash(before)})


def are_seen_to(before: Set[UUID], now: Set[UUID]) -> bool:
    """Return whether a person has seen to the pages of a carousel, by ids: one was added, or all are gone."""
    return not now or not now <= before


def _hash(text: str) -> str:
    return content_hash(text, (), ())


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
