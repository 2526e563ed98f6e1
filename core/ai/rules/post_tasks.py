"""What the instructions for a post depend on."""

from dataclasses import dataclass

from core.brands.rules import BrandVoice
from core.networks.rules.craft import NetworkRoom


@dataclass(frozen=True, slots=True)
class PostTask:
    """`limit` are the most characters of a text, `topic` its title, and `tone` the words of the assistant, or
    else the template, on the voice, which those of a brand replace."""

    language: str
    limit: int
    topic: str = ""
    networks: tuple[NetworkRoom, ...] = ()
    """The networks that the text is for; empty if they are not known."""
    shared: bool = False
    """Whether it is one text for all of the networks, and not one for each."""
    brand: BrandVoice | None = None
    tone: str = ""
    hashtags: bool = True
    """Whether hashtags of the text's own are published."""

    @property
    def several(self) -> bool:
        """Whether several texts are asked for, in one answer."""
        return len(self.networks) > 1 and not self.shared
