from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.tables import Base


class ProviderFault(Base):
    """What keeps a provider from working for anybody until an operator mends it: a network's version that is retired, a
    model's key that is refused. Nothing that costs is begun while it stands."""

    __tablename__ = "provider_faults"
    subject: Mapped[str] = mapped_column(String(180), primary_key=True)
    """As `core.ai.rules.faults` names it."""
    reason: Mapped[str] = mapped_column(String(64))
    """An ErrorCode."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The provider's own words, for operators."""
    since: Mapped[datetime] = mapped_column(default=utcnow)
    try_after: Mapped[datetime] = mapped_column(default=utcnow)
    """When one run may find out whether it is mended."""
