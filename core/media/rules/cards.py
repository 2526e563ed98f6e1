"""Settings of a card's look. The renderer is `core/media/card_renderer/renderer.py`."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final
from uuid import UUID

from core.media.rules.media import ImageRatio

MAX_HEADLINE, MAX_TEXT, MAX_FOOT, MAX_ALT = 200, 1000, 80, 1000
"""Characters that the designer takes."""


class CardLayout(StrEnum):
    """A figure with its unit; a quotation; a numbered list; a future date; any other words."""

    number = "number"
    quote = "quote"
    steps = "steps"
    event = "event"
    statement = "statement"


class CardFont(StrEnum):
    """Bundled families: a grotesque, a humanist sans, a serif and a slab."""

    schibsted = "schibsted"
    source_sans = "source_sans"
    source_serif = "source_serif"
    zilla_slab = "zilla_slab"


class CardNote(StrEnum):
    """A change that the renderer made to keep a card readable."""

    ink_switched = "ink_switched"
    text_shrunk = "text_shrunk"
    text_cut = "text_cut"
    characters_dropped = "characters_dropped"


LOSSES: Final = (CardNote.text_cut, CardNote.characters_dropped)
"""Notes about missing text; the others change only the card's look."""


@dataclass(frozen=True)
class CardLook:
    """What a brand says about its cards. None: nothing."""

    font: CardFont | None = None
    ground: str | None = None
    ink: str | None = None
    accent: str | None = None
    logo_id: UUID | None = None


@dataclass(frozen=True)
class CardSettings:
    """Colours are `#rrggbb`; None lets the renderer choose, always the same for the same words."""

    layout: CardLayout | None = None
    size: ImageRatio = ImageRatio.square
    font: CardFont = CardFont.schibsted
    ground: str | None = None
    ink: str | None = None
    accent: str | None = None
    logo_id: UUID | None = None
    """A picture of the media library; None shows only the foot's words."""
    foot: str = ""
    brand_id: UUID | None = None
    """The brand whose logo, colours and font replace these, as far as it has some."""

    def with_look(self, look: CardLook | None) -> "CardSettings":
        """Return the settings for drawing. Ground and ink belong together: a brand with one of them replaces all
        colours, one with an accent alone only the accent."""
        if look is None:
            return self
        coloured = look if look.ground or look.ink else replace(self, accent=look.accent or self.accent)
        return replace(
            self,
            font=look.font or self.font,
            ground=coloured.ground,
            ink=coloured.ink,
            accent=coloured.accent,
            logo_id=look.logo_id or self.logo_id,
        )


def card_from_json(stored: dict[str, Any]) -> CardSettings:
    """Read settings. Missing ones, as in rows of an older release, take their default."""
    logo = stored.get("logo_id")
    return CardSettings(
        layout=CardLayout(stored["layout"]) if stored.get("layout") else None,
        size=ImageRatio(stored.get("size", ImageRatio.square)),
        font=CardFont(stored.get("font", CardFont.schibsted)),
        ground=stored.get("ground"),
        ink=stored.get("ink"),
        accent=stored.get("accent"),
        logo_id=UUID(logo) if logo else None,
        foot=stored.get("foot", ""),
        brand_id=UUID(brand) if (brand := stored.get("brand_id")) else None,
    )


def card_to_json(card: CardSettings) -> dict[str, Any]:
    return {
        "layout": card.layout.value if card.layout else None,
        "size": card.size.value,
        "font": card.font.value,
        "ground": card.ground,
        "ink": card.ink,
        "accent": card.accent,
        "logo_id": str(card.logo_id) if card.logo_id else None,
        "foot": card.foot,
        # left out if unset: during an update the older release still runs and does not know this setting
        **({"brand_id": str(card.brand_id)} if card.brand_id else {}),
    }
