"""Key rotation from the command line."""

from core.container import open_services
from core.encryption.key_rotation import KeyRotation, Rotated
from core.settings import Settings


async def rotate(settings: Settings) -> Rotated:
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        return await KeyRotation(services.sessions, services.vault).rotate()


def told(rotated: Rotated, keys: int) -> list[str]:
    """Return the report: one line per table, then what to do next."""
    lines = [f"{table}: {count} encrypted anew" for table, count in rotated.renewed.items()]
    for table, lost in rotated.lost.items():
        lines.append(f"✗ {table}: no key of SECRET_KEY opens {len(lost)}: {', '.join(map(str, lost[:5]))}")
    if rotated.lost:
        lines.append("Add the key that they were encrypted with to SECRET_KEY, and repeat this.")
    elif keys > 1:
        # fingerprints cannot be renewed: their originals are not stored
        lines.append(
            "Nothing is encrypted by the later keys any more. Keep the last one all the same: open invitation codes "
            "and recovery codes are recognised by it. Those between can go."
        )
    return lines
