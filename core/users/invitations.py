"""Invitations: who may sign up."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode
from uuid import UUID

from core.crypto import Vault, new_code, normal_code, shown_code
from core.database import Sessions
from core.errors import Conflict, ErrorCode, FieldError, InvalidInput
from core.notifications.repositories.mails import MailRepository
from core.notifications.rules import MailKind
from core.notifications.tables.mails import Mail
from core.users.repositories.invitations import InvitationRepository
from core.users.repositories.security import SecurityRepository
from core.users.repositories.users import UserRepository
from core.users.rules.email_addresses import normal_email
from core.users.security_events import record
from core.users.tables.security_events import SecurityEventKind
from core.users.tables.users import Invitation


@dataclass(frozen=True)
class Invited:
    row: Invitation
    code: str = field(repr=False)
    """As shown: XXXXX-XXXXX."""
    link: str = field(repr=False)
    state: str
    """open, used, revoked or expired."""


@dataclass(frozen=True)
class InvitedPage:
    items: Sequence[Invited]
    total: int
    open: int


@dataclass(frozen=True)
class InvitationService:
    sessions: Sessions
    vault: Vault
    public_url: str
    days: int
    """Days until a code expires."""
    limit: int
    """Maximum open codes per user."""

    async def page(self, user_id: UUID, *, search: str, offset: int, limit: int) -> InvitedPage:
        """Return invitations, newest first; `open` counts all open ones, whatever the search."""
        now = datetime.now(UTC)
        async with self.sessions() as session:
            invitations = InvitationRepository(session)
            rows, total = await invitations.page(user_id, search=search, offset=offset, limit=limit)
            open = await invitations.count_open(user_id, now)
        return InvitedPage([self._shown(row, now) for row in rows], total, open)

    async def is_open(self, code: str) -> bool:
        """Return whether somebody could sign up with the code now."""
        async with self.sessions() as session:
            code_hash = invitation_hash(self.vault, code)
            return await InvitationRepository(session).is_open(code_hash, datetime.now(UTC))

    async def create(self, user_id: UUID, *, email: str | None, send: bool) -> Invited:
        """Create a code; with `send`, mail it to the address it is bound to.

        Only the address's owner learns, from the mail, whether it has an account: answer, rows and time are the same.
        Raise InvalidInput at `email` (invalid_email), and Conflict (invitation_limit).
        """
        bound = normal_email(email) if email else None
        if bound is None and (email or send):
            raise InvalidInput(errors=[FieldError("email", ErrorCode.invalid_email)])
        now = datetime.now(UTC)
        async with self.sessions.begin() as session:
            # lock the user: two parallel calls would both find room for one more
            user = await SecurityRepository(session).locked(user_id)
            invitations = InvitationRepository(session)
            if await invitations.count_open(user_id, now) >= self.limit:
                raise Conflict(ErrorCode.invitation_limit, limit=self.limit)
            row, code = new_invitation(self.vault, user_id, self.days, email=bound)
            invitations.add(row)
            record(session, user_id, SecurityEventKind.invitation_made)
            if send and bound:
                await MailRepository(session).add(
                    Mail(
                        user_id=user_id,
                        kind=MailKind.invitation,
                        to_email=bound,
                        language=user.language,
                        params={"inviter": user.display_name or user.email},
                        secret_encrypted=self.vault.encrypt(code),
                    )
                )
        return self._shown(row, now)

    async def revoke(self, user_id: UUID, invitation_id: UUID) -> None:
        """Raise NotFound for another user's invitation, and Conflict (invitation_used) if it is not open."""
        now = datetime.now(UTC)
        async with self.sessions.begin() as session:
            row = await InvitationRepository(session).locked(user_id, invitation_id)
            if _state(row, now) != "open":
                raise Conflict(ErrorCode.invitation_used)
            row.revoked_at = now
            record(session, user_id, SecurityEventKind.invitation_revoked)

    # the operator

    async def invite(self) -> str:
        """Create a code of the operator and return it as shown: XXXXX-XXXXX."""
        row, code = new_invitation(self.vault, None, self.days)
        async with self.sessions.begin() as session:
            InvitationRepository(session).add(row)
        return shown_code(code)

    async def first_code(self) -> str | None:
        """Return the operator's open code, creating one if missing; None once somebody has signed up."""
        async with self.sessions() as session:
            if await UserRepository(session).any_exists():
                return None
            invitation = await InvitationRepository(session).operators_open(datetime.now(UTC))
        if invitation is not None:
            return shown_code(self.vault.decrypt(invitation.code_encrypted))
        return await self.invite()

    def _shown(self, row: Invitation, now: datetime) -> Invited:
        code = shown_code(self.vault.decrypt(row.code_encrypted))
        query = {"code": code, **({"email": row.email} if row.email else {})}
        return Invited(row, code, f"{self.public_url}/signup#{urlencode(query)}", _state(row, now))


def new_invitation(
    vault: Vault, user_id: UUID | None, days: int, *, email: str | None = None
) -> tuple[Invitation, str]:
    """Return a row to add, and its code: ten characters without the dash."""
    code = new_code()
    invitation = Invitation(
        user_id=user_id,
        code_hash=invitation_hash(vault, code),
        code_encrypted=vault.encrypt(code),
        email=email,
        expires_at=datetime.now(UTC) + timedelta(days=days),
    )
    return invitation, code


def invitation_hash(vault: Vault, typed: str) -> str:
    return vault.keyed_hash(normal_code(typed))


def invitation_proof(code: str, email: str) -> str:
    """Return the message that is signed for the link in an invitation's mail."""
    return f"invitation:{normal_code(code)}:{email}"


def _state(row: Invitation, now: datetime) -> str:
    if row.accepted_at:
        return "used"
    if row.revoked_at:
        return "revoked"
    return "open" if row.expires_at > now else "expired"
