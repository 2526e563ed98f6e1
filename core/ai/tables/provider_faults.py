from datetime import datetime

from sqlalchemy import String, Text
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.tables import Base


class ProviderFault(Base):
    """A fault of a provider for all users until an operator fixes it: a network's retired API version, a refused model
    key. Nothing that costs money is started while the fault exists."""

    __tablename__ = "provider_faults"
    subject: Mapped[str] = mapped_column(String(180), primary_key=True)
    """A subject of `core.ai.rules.faults`."""
    reason: Mapped[str] = mapped_column(String(64))
    """An ErrorCode."""
    detail: Mapped[str] = mapped_column(Text, default="")
    """The provider's error message, for operators."""
    since: Mapped[datetime] = mapped_column(default=utcnow)
    try_after: Mapped[datetime] = mapped_column(default=utcnow)
    """When one run may check whether the fault is fixed."""
