"""Record which keys of SECRET_KEY the database needs, and refuse nodes that have others."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from core.crypto import Vault
from core.database import Sessions
from core.encryption.repository import EncryptedColumnRepository, encrypted_tables
from core.installation.repository import InstallationRepository
from core.installation.rules import KeyUse, find_key_problem

_SAMPLE: Final = 20  # rows per table


@dataclass(frozen=True)
class SecretKeyService:
    sessions: Sessions
    vault: Vault

    async def record_start(self) -> str | None:
        """Record the keys of this node, and return None; if they do not fit, record nothing and return why."""
        async with self.sessions.begin() as session:
            problem = await self._find_problem(session)
            if problem is None:
                await self._record(InstallationRepository(session))
            return problem

    async def find_problem(self) -> str | None:
        """As `record_start`, but record nothing."""
        async with self.sessions.begin() as session:
            return await self._find_problem(session)

    async def record_rotation(self) -> None:
        """After all values were encrypted anew: only the first key is still needed for them. Which key hashes stays."""
        async with self.sessions.begin() as session:
            installation = InstallationRepository(session)
            await installation.lock_key_uses()
            await installation.forget_key_uses(KeyUse.encrypts)
            await installation.record_key_use(KeyUse.encrypts, self.vault.fingerprints()[0])

    async def accept(self) -> None:
        """Record the keys of this node in place of all others, which are lost or were removed."""
        async with self.sessions.begin() as session:
            installation = InstallationRepository(session)
            await installation.lock_key_uses()
            for use in KeyUse:
                await installation.forget_key_uses(use)
            await self._record(installation)

    async def _find_problem(self, session: AsyncSession) -> str | None:
        recorded = await InstallationRepository(session).lock_key_uses()
        if recorded:
            return find_key_problem(self.vault.fingerprints(), recorded)
        # the first start with these records: ask the values themselves
        return await self._find_unreadable(EncryptedColumnRepository(session))

    async def _record(self, installation: InstallationRepository) -> None:
        mine = self.vault.fingerprints()
        await installation.record_key_use(KeyUse.encrypts, mine[0])
        await installation.record_key_use(KeyUse.hashes, mine[-1])

    async def _find_unreadable(self, columns: EncryptedColumnRepository) -> str | None:
        """Return a problem if there are encrypted values and this node can read none of a sample."""
        found = False
        for table, encrypted in encrypted_tables():
            for _, values in await columns.read_batch(table, encrypted, None, _SAMPLE):
                found = True
                if any(self.vault.can_decrypt(value) for value in values.values()):
                    return None
        return "is not the key that encrypted the values in this database" if found else None
