"""Keys from the command line."""

from core.container import open_services
from core.encryption.key_rotation import KeyRotation, Rotated
from core.settings import Settings


async def rotate(settings: Settings) -> Rotated:
    """Encrypt everything with the first key. Raise StartRefused, before anything is changed, if no node could start
    with these keys."""
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        await services.start_checks.check_secret_key()
        rotated = await KeyRotation(services.sessions, services.vault).rotate()
        if not rotated.lost:
            await services.secret_keys.record_rotation()
        return rotated


async def accept(settings: Settings) -> None:
    async with open_services(settings, pool_size=1, application="postloom command") as services:
        await services.secret_keys.accept()


def describe_rotation(rotated: Rotated, keys: int) -> list[str]:
    """Return one line per table, then what to do next."""
    lines = [f"{table}: {count} encrypted anew" for table, count in rotated.renewed.items()]
    for table, lost in rotated.lost.items():
        lines.append(f"✗ {table}: no key of SECRET_KEY opens {len(lost)}: {', '.join(map(str, lost[:5]))}")
    if rotated.lost:
        lines.append("Add the key that encrypted them to SECRET_KEY, then run this again.")
    elif keys > 1:
        # fingerprints cannot be renewed: their originals are not stored
        lines.append(
            "Nothing is encrypted by the later keys any more. Keep the last one all the same: open invitation codes "
            "and recovery codes are recognised by it. Those between can go. To remove the last one too, run "
            "`postloom keys accept` without it."
        )
    return lines
