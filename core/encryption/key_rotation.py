"""Encrypts all encrypted values with the first key of SECRET_KEY, so that the other keys can be removed."""

from dataclasses import dataclass, field
from uuid import UUID

from sqlalchemy import Table

from core.crypto import Vault
from core.database import Sessions
from core.encryption.repository import EncryptedColumnRepository, encrypted_tables

_PORTION = 200  # rows per transaction


@dataclass(frozen=True)
class Rotated:
    """`renewed`: number of values by table; `lost`: by table, the keys of rows with a value that no key opens."""

    renewed: dict[str, int] = field(default_factory=dict)
    lost: dict[str, list[UUID]] = field(default_factory=dict)


@dataclass(frozen=True)
class KeyRotation:
    sessions: Sessions
    vault: Vault

    async def rotate(self) -> Rotated:
        """Rotate all values. Idempotent and interruptible: finished batches stay. Nothing else has to stop."""
        rotated = Rotated()
        for table, columns in encrypted_tables():
            after: UUID | None = None
            rotated.renewed[table.name] = 0
            while True:
                async with self.sessions.begin() as session:
                    sealed = EncryptedColumnRepository(session)
                    rows = await sealed.read_batch(table, columns, after, _PORTION)
                    renewed = [
                        (key, values) for key, row in rows if (values := self._renewed(table, key, row, rotated))
                    ]
                    await sealed.store(table, renewed)
                rotated.renewed[table.name] += sum(len(values) for _, values in renewed)
                if len(rows) < _PORTION:
                    break
                after = rows[-1][0]
        return rotated

    def _renewed(self, table: Table, key: UUID, row: dict[str, str], rotated: Rotated) -> dict[str, str]:
        """Return the row's values that another key had encrypted, encrypted by the first key."""
        values: dict[str, str] = {}
        for name, sealed in row.items():
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
