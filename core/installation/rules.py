"""Which keys a node may start with."""

from collections.abc import Collection, Sequence
from enum import StrEnum


class KeyUse(StrEnum):
    encrypts = "encrypts"
    """It encrypted values at some time, so every node has to have it."""
    hashes = "hashes"
    """It hashes codes, so it has to be the last key of every node."""


def find_key_problem(mine: Sequence[str], recorded: Collection[tuple[KeyUse, str]]) -> str | None:
    """Return what is wrong with a node's keys; None if they fit. `mine`: their fingerprints in order."""
    if {fingerprint for use, fingerprint in recorded if use is KeyUse.encrypts} - set(mine):
        return "lacks a key that encrypts values in this database"
    if {fingerprint for use, fingerprint in recorded if use is KeyUse.hashes} - {mine[-1]}:
        return "has another last key than the one that hashed codes in this database"
    return None
