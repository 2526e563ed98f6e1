"""What a brand says about the texts that are written for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final, Self

MAX_NAME: Final = 120
MAX_EXAMPLES: Final = 20
MAX_EXAMPLE: Final = 3000
"""Characters of an example post."""
MAX_LINES: Final = 30
"""Entries of a list: of rules, words or facts."""
MAX_LINE: Final = 300
"""Characters of an entry of a list."""
MAX_TEXT: Final = 2000
"""Characters of a description."""
MAX_UTM: Final = 10
MAX_UTM_NAME: Final = 40
MAX_UTM_VALUE: Final = 100
"""Parameters of links, and characters of their names and values."""


class Address(StrEnum):
    """How readers are addressed, in languages that have both forms."""

    any = "any"
    """The brand says nothing about it: the template decides."""
    informal = "informal"
    """German "du" and "ihr"."""
    formal = "formal"
    """German "Sie"."""


class EmojiUse(StrEnum):
    none = "none"
    sparing = "sparing"
    """At most two in a post, none in its first line."""
    free = "free"


class HashtagUse(StrEnum):
    none = "none"
    network = "network"
    """As many as are usual on the network."""


class BrandUseKind(StrEnum):
    assistant = "assistant"
    template = "template"
    card_preset = "card_preset"


@dataclass(frozen=True, slots=True)
class BrandUse:
    """What goes on without a brand that is deleted."""

    kind: BrandUseKind
    name: str


@dataclass(frozen=True, slots=True)
class Example:
    """An earlier post that shows how the brand writes. `network`: a `ChannelKind`, or "" if it fits all."""

    text: str
    network: str = ""


@dataclass(frozen=True, slots=True)
class BrandVoice:
    """What a writer is told of a brand."""

    name: str
    about: str = ""
    """What it does."""
    audience: str = ""
    """For whom it does that."""
    voice: str = ""
    """Adjectives and sentences about the tone."""
    dos: tuple[str, ...] = ()
    donts: tuple[str, ...] = ()
    address: Address = Address.any
    emoji: EmojiUse = EmojiUse.sparing
    hashtags: HashtagUse = HashtagUse.network
    words_to_use: tuple[str, ...] = ()
    words_to_avoid: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    """What is always true, so that texts may state it."""
    examples: tuple[Example, ...] = ()
    utm: Mapping[str, str] = field(default_factory=dict)
    """Parameters added to the brand's links, by name, such as `utm_medium`. `{network}` in a value is replaced by the
    network's name."""

    @property
    def told_name(self) -> str:
        """The name as that of whoever posts; empty for a brand of which nothing but a voice is known: its name may be
        that of the voice, as of brands made from the tones of older releases."""
        known = self.about or self.audience or self.facts or self.examples
        return self.name if known or not self.voice else ""

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "about": self.about,
            "audience": self.audience,
            "voice": self.voice,
            "dos": list(self.dos),
            "donts": list(self.donts),
            "address": self.address.value,
            "emoji": self.emoji.value,
            "hashtags": self.hashtags.value,
            "words_to_use": list(self.words_to_use),
            "words_to_avoid": list(self.words_to_avoid),
            "facts": list(self.facts),
            "examples": [{"text": each.text, "network": each.network} for each in self.examples],
            "utm": dict(self.utm),
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Self:
        """Read what `to_json` wrote. Missing values, as in rows of an older release, take their default."""
        return cls(
            name=stored["name"],
            about=stored.get("about", ""),
            audience=stored.get("audience", ""),
            voice=stored.get("voice", ""),
            dos=tuple(stored.get("dos", ())),
            donts=tuple(stored.get("donts", ())),
            address=Address(stored.get("address", Address.any)),
            emoji=EmojiUse(stored.get("emoji", EmojiUse.sparing)),
            hashtags=HashtagUse(stored.get("hashtags", HashtagUse.network)),
            words_to_use=tuple(stored.get("words_to_use", ())),
            words_to_avoid=tuple(stored.get("words_to_avoid", ())),
            facts=tuple(stored.get("facts", ())),
            examples=tuple(Example(each["text"], each.get("network", "")) for each in stored.get("examples", ())),
            utm=dict(stored.get("utm", {})),
        )
