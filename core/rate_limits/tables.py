from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from core.tables import Base


class RateLimit(Base):
    """One limit of one caller for the generic cell rate algorithm: the time at which all calls are available again.
    `key` is a keyed hash: no address or e-mail is stored."""

    __tablename__ = "rate_limits"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    free_at: Mapped[datetime] = mapped_column(index=True)
