"""Unique names of accounts in files."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from core.errors import ErrorCode, InvalidInput
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.social_accounts.tables import Account
from core.texts.rules.texts import comparable


class AccountNames:
    """Names of all accounts of a user: the name; if that is not unique, with the network; else the id."""

    def __init__(self, accounts: Sequence[Account]) -> None:
        self.names: Mapping[UUID, str] = {account.id: account.name for account in accounts}
        self.kinds: Mapping[UUID, ChannelKind] = {account.id: account.kind for account in accounts}
        self._by_name: defaultdict[str, list[UUID]] = defaultdict(list)
        self._with_network: Mapping[UUID, str] = {
            account.id: f"{account.name} ({channel(account.kind).label})" for account in accounts
        }
        for account in accounts:
            for name in {fold(account.name), fold(self._with_network[account.id])}:
                self._by_name[name].append(account.id)

    def name_of(self, id: UUID) -> str:
        """Return the unique name of the account."""
        names = (self.names[id], self._with_network[id])
        return next((name for name in names if self._by_name[fold(name)] == [id]), str(id))

    def find(self, name_or_id: str) -> UUID:
        """Return the account of any of these names, ignoring case. Raises InvalidInput (account_unknown,
        account_ambiguous)."""
        if (id := parse_id(name_or_id)) in self.names and id is not None:
            return id
        account_ids = self._by_name.get(fold(name_or_id), [])
        if len(account_ids) != 1:
            code = ErrorCode.account_ambiguous if account_ids else ErrorCode.account_unknown
            raise InvalidInput(code, value=name_or_id[:100])
        return account_ids[0]


def parse_id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def fold(text: str) -> str:
    """Return the form in which names are compared, without differences in spaces, case, invisible characters or Unicode
    normalisation."""
    return comparable(text).casefold()
