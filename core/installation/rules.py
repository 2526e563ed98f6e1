"""Which keys a node may start with, and on which database."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class DatabaseIdentity:
    """What tells a database from a copy of its rows in another one."""

    cluster: str | None
    """The identifier of its PostgreSQL cluster; None: the server does not tell it."""
    database: str
    table: str
    """The id of the table of known databases: a restore into the same database makes another."""

    @classmethod
    def from_text(cls, stored: str) -> "DatabaseIdentity":
        cluster, database, table = stored.split("/")
        return cls(cluster or None, database, table)

    def __str__(self) -> str:
        return f"{self.cluster or ''}/{self.database}/{self.table}"

    def is_same(self, other: "DatabaseIdentity") -> bool:
        """Return whether both may be the same database."""
        same = (self.database, self.table) == (other.database, other.table)
        return same and (None in (self.cluster, other.cluster) or self.cluster == other.cluster)
