"""What the keys of the settings are used for."""

import pytest

from core.crypto import Vault
from core.users.password_hashing import Hashing

NEW, OLD = "a key of at least 32 characters, new", "a key of at least 32 characters, old"


def test_a_signature_is_no_keyed_hash_of_anything() -> None:
    """Signatures are seen by people, keyed hashes keep codes safe: neither may stand for the other."""
    vault = Vault.from_secrets([NEW])
    assert vault.sign("ABCDE-FGHJK") != vault.keyed_hash("ABCDE-FGHJK")


def test_keys_are_exchanged_without_losing_what_they_protect() -> None:
    before = Vault.from_secrets([OLD])
    sealed, signed, hashed = before.encrypt("token"), before.sign("picture"), before.keyed_hash("code")
    after = Vault.from_secrets([NEW, OLD])
    assert after.decrypt(sealed) == "token"
    assert after.verify("picture", signed)
    assert after.keyed_hash("code") == hashed
    assert after.sign("picture") != signed
    assert not Vault.from_secrets([NEW]).verify("picture", signed)


def test_what_was_changed_is_not_decrypted() -> None:
    vault = Vault.from_secrets([NEW])
    sealed = vault.encrypt("token")
    changed = sealed[:-3] + ("A" if sealed[-3] != "A" else "B") + sealed[-2:]
    for wrong in (changed, sealed[4:]):
        with pytest.raises(ValueError, match="SECRET_KEY"):
            vault.decrypt(wrong)


async def test_passwords_take_the_work_that_is_asked_for() -> None:
    """OWASP: argon2id with 19 MB and 2 passes at least."""
    assert (await Hashing().hash("loom over warp and weft")).startswith("$argon2id$v=19$m=65536,t=3,p=4$")
