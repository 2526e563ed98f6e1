"""The second look at the texts of a post that a model has written."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.ai.writers.base import TextOrder, Writer
from core.assistants.rules.assistants import SecondLook
from core.brands.rules import BrandVoice
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import craft_of_all
from core.runs.rules.runs import RunSetup
from core.texts.rules.endings import HashtagPolicy
from core.texts.rules.review import ReviewNote
from core.texts.rules.second_look import closing_of, look, opening_of

LOOKED_BACK = 10
"""Earlier posts whose openings and closings a text must not repeat, as the prompt says."""


@dataclass(frozen=True)
class SecondLooks:
    mode: SecondLook
    brand: BrandVoice | None
    link: str
    """The link below the posts, which a text may name."""
    counts_hashtags: bool
    """Whether the text's own hashtags are published, so that too many of them matter."""
    revise: bool
    """Whether the writer is told once what was found."""

    @classmethod
    def of_run(cls, setup: RunSetup, writer: Writer) -> "SecondLooks":
        # the built-in writer cannot mend a text
        revise = setup.second_look is SecondLook.revision and not writer.one_for_all
        keeps_hashtags = setup.ending.hashtags is not HashtagPolicy.none
        return cls(setup.second_look, setup.brand, setup.ending.link, keeps_hashtags, revise)

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
            brief=_known(order, self.link),
            brand=self.brand,
            network=place.value if place else "",
            fold=craft.fold if craft else None,
            most_hashtags=craft.hashtags[1] if craft and self.counts_hashtags else None,
            earlier_openings=[opening_of(text) for text in recent],
            earlier_closings=[closing_of(text) for text in recent],
        )


def _known(order: TextOrder, link: str) -> str:
    """Return all that a text may state: the filled template and the notes, but not what the prompt quotes of earlier
    posts."""
    above = (part for pair in order.above for part in pair)
    return "\n".join((order.prompt, order.topic, *order.path, order.notes, *above, link))
