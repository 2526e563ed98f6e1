"""The second look at the texts of a post that a model has written."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from core.ai.writers.base import TextOrder, Writer
from core.assistants.rules.assistants import SecondLook
from core.brands.rules import BrandVoice
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import craft_of_all
from core.posts.rules.edited_texts import keep_notes
from core.runs.rules.runs import RunSetup
from core.texts.rules.endings import Ending
from core.texts.rules.names import addresses
from core.texts.rules.review import Finding, ReviewNote
from core.texts.rules.second_look import closing_of, look, opening_of
from core.texts.rules.similarity import similarity
from core.texts.rules.texts import fits, sentences

LOOKED_BACK = 10
"""Earlier posts whose openings and closings a text must not repeat, as the prompt says."""
_LEAST_LENGTH: Final = 0.5
"""A revision is at least this share of the text that it replaces: an answer such as "Done." is none."""
_LEAST_LIKENESS: Final = 0.4
"""A revision is at least this similar to the text: the model is asked to keep the rest word for word."""
_LEAST_REST: Final = 0.7
"""A revision has at least this share of the sentences without a finding."""
_LEAST_ADDRESSED: Final = 0.5
"""The same where the form of address changes, which is in many sentences and noted once."""
_WEIGHTY: Final = frozenset({Finding.unproven, Finding.wrong_language, Finding.wrong_address, Finding.avoided_word})
"""What no revision may add, however much else it mends."""


@dataclass(frozen=True)
class SecondLooks:
    mode: SecondLook
    brand: BrandVoice | None
    ending: Ending
    """What is below the posts: a text may name the link, and not all of its hashtags may be published."""
    revise: bool
    """Whether the writer is told once what was found."""
    remark: str = ""
    """What a person said about the text before, which the next one may state."""

    @classmethod
    def of_run(cls, setup: RunSetup, writer: Writer) -> "SecondLooks":
        # the built-in writer cannot mend a text
        revise = setup.second_look is SecondLook.revision and not writer.one_for_all
        return cls(setup.second_look, setup.brand, setup.ending, revise)

    @property
    def are_off(self) -> bool:
        return self.mode is SecondLook.off

    def look(
        self, text: str, order: TextOrder, place: ChannelKind | None, earlier: Sequence[str]
    ) -> tuple[ReviewNote, ...]:
        """Return what is found in a text for a network, or in the one text for all (`place` None); nothing if the look
        is off. `earlier`: texts of earlier posts, newest first."""
        if self.are_off:
            return ()
        kinds = [room.kind for room in order.task.networks] if order.task else []
        craft = craft_of_all(kinds) if kinds else None
        recent = [text for text in earlier[:LOOKED_BACK] if text]
        return look(
            text,
            language=order.language,
            brief=_known(order, self.ending.link, self.remark),
            brand=self.brand,
            network=place.value if place else "",
            fold=craft.fold if craft else None,
            most_hashtags=craft.hashtags[1] if craft else None,
            ending=self.ending,
            earlier_openings=[opening_of(text) for text in recent],
            earlier_closings=[closing_of(text) for text in recent],
        )


def is_better(
    revised: str, left: Sequence[ReviewNote], first: str, found: Sequence[ReviewNote], order: TextOrder
) -> bool:
    """Return whether a revised text replaces the `first`: fewer notes are `left` than were `found`, none of weight is
    new, and it is the same text, whole and within its limit, where only what was found has changed."""
    findings = {note.finding for note in found}
    if len(left) >= len(found) or not fits(revised, order.max_characters):
        return False
    if any(_is_new(note, first, findings, order) for note in left if note.finding in _WEIGHTY):
        return False
    if len(revised) < len(first) * _LEAST_LENGTH:
        return False
    if Finding.wrong_language in findings and all(note.finding is not Finding.wrong_language for note in left):
        return True  # a text in the right language has no words of the other one
    return similarity(revised, first) >= _LEAST_LIKENESS and _keeps_rest(revised, first, found, order.language)


def _keeps_rest(revised: str, first: str, found: Sequence[ReviewNote], language: str) -> bool:
    """Return whether a revised text has the addresses and most of the words of the sentences that no note is about."""
    findings = {note.finding for note in found}
    passages = [
        replace(note, params={"what": part})
        for note in found
        if "what" in note.params
        for part in sentences(str(note.params["what"]))
    ]
    rest, kept = list[str](), list[str]()
    for number, sentence in enumerate(sentences(first)):
        noted = {note.finding for note in keep_notes(passages, sentence, (), language)}
        if Finding.unproven not in noted:  # which is left out with all that depends on it
            kept += addresses(sentence)
        if not noted and not (number == 0 and Finding.late_message in findings):
            rest.append(sentence)
    if any(address.casefold() not in revised.casefold() for address in kept):
        return False
    least = _LEAST_ADDRESSED if Finding.wrong_address in findings else _LEAST_REST
    # nothing is shared if all sentences have findings
    return similarity("\n".join(rest), revised) >= least * similarity("\n".join(rest), first)


def _is_new(note: ReviewNote, first: str, findings: set[Finding], order: TextOrder) -> bool:
    """Return whether the first text does not have it, noted or not: only so many notes of a finding are shown."""
    if note.finding is Finding.wrong_address and note.finding in findings:  # by another word
        return False
    return not any(keep_notes([note], first, (), order.language))


def _known(order: TextOrder, *more: str) -> str:
    """Return all that a text may state: the filled template, the notes, their page and `more`, but not what the prompt
    quotes of earlier posts."""
    above = (part for pair in order.above for part in pair)
    return "\n".join((order.prompt, order.topic, *order.path, order.notes, order.source, *above, *more))
