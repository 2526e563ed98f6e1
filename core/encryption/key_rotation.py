"""Everything that is encrypted, encrypted anew by the first key of SECRET_KEY, so that the others can go."""

from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import Table

from core.crypto import Vault
from core.database import Sessions
from core.encryption.repository import EncryptedColumnRepository, encrypted_tables

_PORTION = 200  # rows of one transaction


@dataclass(frozen=True)
class Rotated:
    """`renewed`: values by table; `lost`: by table, the keys of rows of which no key of the settings opens a value."""

    renewed: dict[str, int] = field(default_factory=dict)
    lost: dict[str, list[UUID]] = field(default_factory=dict)


@dataclass(frozen=True)
class KeyRotation:
    sessions: Sessions
    vault: Vault

    async def rotate(self) -> Rotated:
        """May be repeated, and broken off at any moment: what has been done stays. Nothing else has to stop."""
        rotated = Rotated()
        for table, columns in encrypted_tables():
            after: UUID | None = None
            rotated.renewed[table.name] = 0
            while True:
                async with self.sessions.begin() as session:
                    sealed = EncryptedColumnRepository(session)
                    rows = await sealed.read_batch(table, columns, after, _PORTION)
                    renewed = [
                        (key, values) for key, found in rows if (values := self._renewed(table, key, found, rotated))
                    ]
                    await sealed.store(table, renewed)
                rotated.renewed[table.name] += sum(len(values) for _, values in renewed)
                if len(rows) < _PORTION:
                    break
                after = rows[-1][0]
        return rotated

    def _renewed(self, table: Table, key: UUID, found: dict[str, str], rotated: Rotated) -> dict[str, str]:
        """Those of the row's values that were by another key."""
        values: dict[str, str] = {}
        for name, sealed in found.items():
            try:
                renewed = self.vault.renewed(sealed)
            except ValueError:
                lost = rotated.lost.setdefault(table.name, [])
                if key not in lost:
                    lost.append(key)
                continue
            if renewed is not None:
                values[name] = renewed
        return values
