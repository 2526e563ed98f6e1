"""What tells the two kinds of service apart."""

from sqlalchemy.ext.asyncio import AsyncSession


class InTransaction:
    """A service that works in its caller's transaction, beside whatever else belongs into it: it asks nothing outside
    and commits nothing. Every other service is given `sessions` and opens transactions of its own, none of which is
    open while it asks something outside."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session
