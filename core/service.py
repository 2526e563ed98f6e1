"""The base class of services that work in their caller's transaction."""

from sqlalchemy.ext.asyncio import AsyncSession


class InTransaction:
    """A service that works in its caller's transaction, with whatever else belongs to it: it makes no outside calls and
    commits nothing. Every other service gets `sessions` and opens its own transactions, none of which stays open
    during an outside call."""

    def __init__(self, session: AsyncSession) -> None:
        self.session = session
