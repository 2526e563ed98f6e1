from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from core.brands.rules import MAX_NAME, Address, BrandVoice, EmojiUse, HashtagUse
from core.ids import new_id
from core.media.rules.cards import CardFont
from core.tables import Base, Timestamped, status_enum


class Brand(Timestamped, Base):
    """How a user's texts and cards are to be: `core.brands.rules.BrandVoice`, and the look of cards."""

    __tablename__ = "brands"
    # the order of the list: its first page is the start of the index
    __table_args__ = (Index("ix_brands_named", "user_id", text("lower(name)"), "id"),)
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(MAX_NAME))
    about: Mapped[str] = mapped_column(Text, default="")
    audience: Mapped[str] = mapped_column(Text, default="")
    voice: Mapped[str] = mapped_column(Text, default="")
    dos: Mapped[list[str]] = mapped_column(default=list)
    donts: Mapped[list[str]] = mapped_column(default=list)
    address: Mapped[Address] = mapped_column(status_enum(Address), default=Address.any)
    emoji: Mapped[EmojiUse] = mapped_column(status_enum(EmojiUse), default=EmojiUse.sparing)
    hashtags: Mapped[HashtagUse] = mapped_column(status_enum(HashtagUse), default=HashtagUse.network)
    words_to_use: Mapped[list[str]] = mapped_column(default=list)
    words_to_avoid: Mapped[list[str]] = mapped_column(default=list)
    facts: Mapped[list[str]] = mapped_column(default=list)
    examples: Mapped[list[dict[str, Any]]] = mapped_column(default=list)
    """Each a `core.brands.rules.Example` as JSON."""
    languages: Mapped[list[str]] = mapped_column(default=list)
    """Languages that it writes in. Empty: it says nothing about them."""
    logo_id: Mapped[UUID | None] = mapped_column(ForeignKey("media.id", ondelete="SET NULL"), index=True)
    ground: Mapped[str | None] = mapped_column(String(7))
    ink: Mapped[str | None] = mapped_column(String(7))
    accent: Mapped[str | None] = mapped_column(String(7))
    """Colours of its cards as `#rrggbb`. None: a card has its own."""
    font: Mapped[CardFont | None] = mapped_column(status_enum(CardFont))
    utm: Mapped[dict[str, Any]] = mapped_column(default=dict)
    """Parameters of its links by name."""
    version: Mapped[int] = mapped_column(default=1)
    """The optimistic lock between two tabs."""

    def to_voice(self) -> BrandVoice:
        """Return what a writer is told of the brand."""
        return BrandVoice.from_json({name: getattr(self, name) for name in BrandVoice.__dataclass_fields__})
