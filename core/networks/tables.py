from datetime import datetime

from sqlalchemy import SmallInteger, String, false
from sqlalchemy.orm import Mapped, mapped_column

from core.tables import Base


class NetworkUsage(Base):
    """How much of the calls that a network takes by one token are used, as its answers said last, where that is much.
    `key` is a keyed hash of the token: whose it is stands nowhere."""

    __tablename__ = "network_usage"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    percent: Mapped[int] = mapped_column(SmallInteger)
    until: Mapped[datetime] = mapped_column(index=True)
    """By the database's clock; believed no longer."""
    is_guess: Mapped[bool] = mapped_column(default=False, server_default=false())
    """The network did not say until when."""
