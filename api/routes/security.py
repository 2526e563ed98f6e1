from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from api.bodies import Router
from api.dependencies import Core, Person
from api.errors import problems
from api.limits import ASK_PASSWORD, CONFIRM, NEW_EMAIL
from api.paging import Cursor, cursor_at
from api.schemas.base import Page
from api.schemas.security import (
    ApiKeyIn,
    ApiKeyOut,
    CodeIn,
    NewApiKeyOut,
    NewEmailIn,
    NewPasswordIn,
    PasswordIn,
    RecoveryCodesOut,
    SecondFactorOfferOut,
    SecondFactorOffIn,
    SecondFactorOut,
    SecurityEventOut,
    SessionOut,
)
from core.errors import ErrorCode

router = Router(prefix="/users/me", tags=["security"])
_NOTHING = status.HTTP_204_NO_CONTENT


@router.post(
    "/password/",
    status_code=_NOTHING,
    responses=problems(ErrorCode.password_wrong, ErrorCode.invalid_input),
    dependencies=[ASK_PASSWORD],
)
async def change_password(body: NewPasswordIn, person: Person, services: Core) -> None:
    """Change the password. Every other session ends, and a mail reports the change."""
    await services.account_security.change_password(
        person.user.id, body.current_password, body.new_password, keep=person.token_id
    )


@router.post(
    "/email/",
    status_code=_NOTHING,
    responses=problems(ErrorCode.password_wrong, ErrorCode.email_taken, ErrorCode.email_unchanged),
    dependencies=[ASK_PASSWORD, NEW_EMAIL],
)
async def change_email(body: NewEmailIn, person: Person, services: Core) -> None:
    """Mail a link to the new address; the old one stays until that link is opened."""
    await services.account_security.change_email(person.user.id, body.current_password, body.email)


@router.get("/sessions/")
async def list_sessions(person: Person, services: Core) -> list[SessionOut]:
    """The signed-in devices, last used first."""
    return [
        SessionOut(
            id=token.id,
            device=token.device,
            created_at=token.created_at,
            last_used_at=token.last_used_at or token.created_at,
            current=token.id == person.token_id,
        )
        for token in await services.account_security.sessions_of(person.user.id)
    ]


@router.delete("/sessions/", status_code=_NOTHING)
async def end_other_sessions(person: Person, services: Core) -> None:
    """End all sessions but the caller's."""
    await services.account_security.end_sessions(person.user.id, keep=person.token_id)


@router.delete("/sessions/{session_id}/", status_code=_NOTHING, responses=problems(ErrorCode.not_found))
async def end_session(session_id: UUID, person: Person, services: Core) -> None:
    """End a session: its token is refused from now on."""
    await services.account_security.end_session(person.user.id, session_id)


@router.get("/api-keys/")
async def list_api_keys(person: Person, services: Core) -> list[ApiKeyOut]:
    """API keys, newest first."""
    return [ApiKeyOut.model_validate(key) for key in await services.account_security.api_keys(person.user.id)]


@router.post(
    "/api-keys/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(ErrorCode.password_wrong, ErrorCode.invalid_input, ErrorCode.api_key_limit),
    dependencies=[ASK_PASSWORD],
)
async def create_api_key(body: ApiKeyIn, person: Person, services: Core) -> NewApiKeyOut:
    """Create a bearer token for scripts, shown only in this answer. By default it expires after a year."""
    key, token = await services.account_security.make_api_key(
        person.user.id, body.current_password, body.name, body.scope, days=body.days
    )
    return NewApiKeyOut(
        id=key.id,
        name=key.name,
        scope=key.scope,
        created_at=key.created_at,
        last_used_at=key.last_used_at,
        expires_at=key.expires_at,
        key=token,
    )


@router.delete("/api-keys/{key_id}/", status_code=_NOTHING, responses=problems(ErrorCode.not_found))
async def revoke_api_key(key_id: UUID, person: Person, services: Core) -> None:
    """Revoke a key: scripts that use it are refused from now on."""
    await services.account_security.revoke_api_key(person.user.id, key_id)


@router.get("/second-factor/")
async def read_second_factor(person: Person, services: Core) -> SecondFactorOut:
    """Whether two-step login is on."""
    left = await services.account_security.recovery_codes_left(person.user.id)
    user = person.user
    return SecondFactorOut(
        enabled=user.totp_enabled_at is not None, enabled_at=user.totp_enabled_at, recovery_codes_left=left
    )


@router.post(
    "/second-factor/",
    responses=problems(ErrorCode.password_wrong, ErrorCode.second_factor_on),
    dependencies=[ASK_PASSWORD],
)
async def offer_second_factor(body: PasswordIn, person: Person, services: Core) -> SecondFactorOfferOut:
    """Create a secret for an authenticator app. It takes effect once a first code confirms it."""
    offer = await services.account_security.offer_second_factor(person.user.id, body.current_password)
    return SecondFactorOfferOut(secret=offer.secret, uri=offer.uri, qr_svg=offer.qr_svg)


@router.post(
    "/second-factor/confirm/",
    responses=problems(ErrorCode.second_factor_wrong, ErrorCode.second_factor_on, ErrorCode.second_factor_off),
    dependencies=[CONFIRM],
)
async def confirm_second_factor(body: CodeIn, person: Person, services: Core) -> RecoveryCodesOut:
    """Turn two-step login on with the app's first code."""
    codes = await services.account_security.confirm_second_factor(person.user.id, body.code)
    return RecoveryCodesOut(recovery_codes=codes)


@router.post(
    "/second-factor/off/",
    status_code=_NOTHING,
    responses=problems(
        ErrorCode.password_wrong,
        ErrorCode.second_factor_required,
        ErrorCode.second_factor_wrong,
        ErrorCode.second_factor_off,
    ),
    dependencies=[ASK_PASSWORD],
)
async def remove_second_factor(body: SecondFactorOffIn, person: Person, services: Core) -> None:
    """Turn two-step login off with both steps; its recovery codes are deleted."""
    await services.account_security.remove_second_factor(person.user.id, body.current_password, body.code)


@router.post(
    "/second-factor/recovery-codes/",
    responses=problems(ErrorCode.password_wrong, ErrorCode.second_factor_off),
    dependencies=[ASK_PASSWORD],
)
async def renew_recovery_codes(body: PasswordIn, person: Person, services: Core) -> RecoveryCodesOut:
    """Create ten new recovery codes; the old ones stop working."""
    codes = await services.account_security.renew_recovery_codes(person.user.id, body.current_password)
    return RecoveryCodesOut(recovery_codes=codes)


@router.get("/security-events/")
async def list_security_events(
    person: Person, services: Core, offset: Cursor, page_size: Annotated[int, Query(ge=1, le=200)] = 20
) -> Page[SecurityEventOut]:
    """Recent activity: sign-ins, refusals and changes of the last 180 days, newest first."""
    rows, total = await services.security_events.page(person.user.id, offset=offset, limit=page_size)
    after = offset + page_size
    return Page(
        items=[
            SecurityEventOut(
                id=row.id,
                kind=row.kind,
                at=row.at,
                address=str(row.address) if row.address else None,
                device=row.device,
                facts=row.facts,
            )
            for row in rows
        ],
        next_cursor=cursor_at(after) if after < total else None,
        total=total,
    )
