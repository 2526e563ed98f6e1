"""Unique names of accounts in files."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from core.errors import ErrorCode, InvalidInput
from core.networks.registry import channel
from core.social_accounts.tables import Account
from core.texts.rules.texts import comparable


class AccountNames:
    """Names of all accounts of a user: the name; if that is not unique, with the network; else the id."""

    def __init__(self, accounts: Sequence[Account]) -> None:
        self.names: Mapping[UUID, str] = {one.id: one.name for one in accounts}
        self._by_name: defaultdict[str, list[UUID]] = defaultdict(list)
        self._with_network: Mapping[UUID, str] = {one.id: f"{one.name} ({channel(one.kind).label})" for one in accounts}
        for one in accounts:
            for name in {fold(one.name), fold(self._with_network[one.id])}:
                self._by_name[name].append(one.id)

    def name_of(self, id: UUID) -> str:
        """Return the unique name of the account."""
        names = (self.names[id], self._with_network[id])
        return next((name for name in names if self._by_name[fold(name)] == [id]), str(id))

    def find(self, said: str) -> UUID:
        """Return the account of any of these names, ignoring case. Raises InvalidInput (account_unknown,
        account_ambiguous)."""
        if (id := parse_id(said)) in self.names and id is not None:
            return id
        found = self._by_name.get(fold(said), [])
        if len(found) != 1:
            code = ErrorCode.account_ambiguous if found else ErrorCode.account_unknown
            raise InvalidInput(code, value=said[:100])
        return found[0]


def parse_id(said: str) -> UUID | None:
    try:
        return UUID(said)
    except ValueError:
        return None


def fold(text: str) -> str:
    """Return the form in which names are compared, without differences in spaces, case, invisible characters or Unicode
    normalisation."""
    return comparable(text).casefold()
