from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ForeignKey, String
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column, relationship

from core.ids import new_id
from core.languages import Language
from core.social_accounts.tables import Account
from core.tables import Base, Timestamped


class Website(Timestamped, Base):
    """A website for articles. Its address and credentials are its account's, which is reconnected and disconnected like
    a network's."""

    __tablename__ = "websites"
    id: Mapped[UUID] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[UUID] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"), index=True)
    account_id: Mapped[UUID] = mapped_column(ForeignKey("accounts.id", ondelete="CASCADE"), unique=True)
    name: Mapped[str] = mapped_column(String(120))
    language: Mapped[str] = mapped_column(String(2), default=Language.en)
    """The default language of its articles."""
    announce_assistant_id: Mapped[UUID | None] = mapped_column(
        ForeignKey("assistants.id", ondelete="SET NULL", use_alter=True), index=True
    )
    """The assistant that announces new articles; None: no announcements."""
    announce_publishes: Mapped[bool] = mapped_column(default=False)
    """If false, the announcement is a draft."""
    terms: Mapped[dict[str, Any] | None] = mapped_column(JSONB(none_as_null=True))
    """Its categories and tags, a `core.websites.rules.terms.StoredTaxonomy` as JSON; None: never read."""
    terms_at: Mapped[datetime | None]
    """When they were last read."""
    version: Mapped[int] = mapped_column(default=1)
    account: Mapped[Account] = relationship(lazy="raise")
