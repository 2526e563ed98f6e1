from datetime import datetime

from sqlalchemy import SmallInteger, String, false
from sqlalchemy.orm import Mapped, mapped_column

from core.tables import Base


class NetworkUsage(Base):
    """How much of a token's allowed calls is used, as the network reported last; only stored if it is much. `key` is a
    keyed hash of the token: the owner is stored nowhere."""

    __tablename__ = "network_usage"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    percent: Mapped[int] = mapped_column(SmallInteger)
    until: Mapped[datetime] = mapped_column(index=True)
    """By the database's clock; the row is invalid afterwards."""
    is_guess: Mapped[bool] = mapped_column(default=False, server_default=false())
    """Whether `until` is a guess: the network named no time."""
