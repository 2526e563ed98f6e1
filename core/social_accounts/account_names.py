"""What accounts are called in a file, so that each is told from the others and found again by that."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from core.errors import ErrorCode, InvalidInput
from core.networks.registry import channel
from core.social_accounts.tables import Account
from core.texts.rules.texts import comparable


class AccountNames:
    """Of all that a user has: the name, of several that have the same with the network, else the id."""

    def __init__(self, accounts: Sequence[Account]) -> None:
        self.names: Mapping[UUID, str] = {one.id: one.name for one in accounts}
        self._by_name: defaultdict[str, list[UUID]] = defaultdict(list)
        self._with_network: Mapping[UUID, str] = {one.id: f"{one.name} ({channel(one.kind).label})" for one in accounts}
        for one in accounts:
            for name in {folded(one.name), folded(self._with_network[one.id])}:
                self._by_name[name].append(one.id)

    def said(self, id: UUID) -> str:
        """Of one of them."""
        names = (self.names[id], self._with_network[id])
        return next((name for name in names if self._by_name[folded(name)] == [id]), str(id))

    def find(self, said: str) -> UUID:
        """By any of these, whatever its case. Raises InvalidInput (account_unknown, account_ambiguous)."""
        if (id := id_in(said)) in self.names and id is not None:
            return id
        found = self._by_name.get(folded(said), [])
        if len(found) != 1:
            code = ErrorCode.account_ambiguous if found else ErrorCode.account_unknown
            raise InvalidInput(code, value=said[:100])
        return found[0]


def id_in(said: str) -> UUID | None:
    try:
        return UUID(said)
    except ValueError:
        return None


def folded(text: str) -> str:
    """Return what names are compared by: in neither spaces nor case, invisible characters nor ways to write an "ü"."""
    return comparable(text).casefold()
