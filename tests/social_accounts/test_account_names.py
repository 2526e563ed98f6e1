import pytest

from core.errors import ErrorCode, InvalidInput
from core.ids import new_id
from core.networks.rules.channels import ChannelKind
from core.social_accounts.account_names import AccountNames
from core.social_accounts.tables import Account


def account(name: str, kind: ChannelKind = ChannelKind.linkedin) -> Account:
    return Account(id=new_id(), kind=kind, name=name)


@pytest.mark.parametrize(
    "said",
    ["Müller & Söhne", "Mu\u0308ller & So\u0308hne", "\u200bMüller &\u00a0Söhne ", "MÜLLER & SÖHNE (LinkedIn)"],
    ids=["as it is called", "by a Mac", "copied from a page", "in capitals, with its network"],
)
def test_a_file_names_an_account_as_programs_write_it(said: str) -> None:
    found = account("Müller & Söhne")
    assert AccountNames([found, account("Muller & Sohne")]).find(said) == found.id


def test_a_name_that_two_have_needs_the_network() -> None:
    names = AccountNames([account("Jörg"), there := account("Jo\u0308rg", ChannelKind.bluesky)])
    with pytest.raises(InvalidInput) as raised:
        names.find("Jörg")
    assert raised.value.code is ErrorCode.account_ambiguous
    assert names.name_of(there.id) == "Jo\u0308rg (Bluesky)"
