from datetime import datetime

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from core.clock import utcnow
from core.tables import Base


class WorkerBeat(Base):
    """The heartbeat of one worker process, written every 10 s."""

    __tablename__ = "worker_beats"
    worker: Mapped[str] = mapped_column(String(120), primary_key=True)
    queues: Mapped[list[str]] = mapped_column(default=list)
    started_at: Mapped[datetime] = mapped_column(default=utcnow)
    seen_at: Mapped[datetime] = mapped_column(default=utcnow)
