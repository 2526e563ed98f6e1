from fastapi import status

from api.bodies import Router
from api.dependencies import AnyUser, Core, Person
from api.errors import problems
from api.limits import LINKS, RESEND, by_address
from api.schemas.auth import ProfileIn, UserOut, VerifiedOut, VerifyEmailIn
from core.errors import ErrorCode
from core.languages import language_of
from core.users.identity import Profile
from core.users.repositories.users import KnownUser
from core.users.tables.users import User

router = Router(prefix="/users", tags=["users"])


def _out(user: User | KnownUser) -> UserOut:
    return UserOut(
        id=user.id,
        email=user.email,
        is_email_verified=user.is_email_verified,
        email_refused_at=user.email_refused_at,
        display_name=user.display_name,
        language=language_of(user.language),
        time_zone=user.time_zone,
        second_factor=user.totp_enabled_at is not None,
    )


@router.get("/me/")
async def read_me(user: AnyUser) -> UserOut:
    """The signed-in user."""
    return _out(user)


@router.patch("/me/", responses=problems(ErrorCode.invalid_input))
async def update_me(body: ProfileIn, person: Person, services: Core) -> UserOut:
    """Change display name, language or time zone; omitted fields stay unchanged."""
    profile = Profile(body.display_name, body.language, body.time_zone)
    return _out(await services.identity.update(person.user.id, profile))


@router.post("/me/email/try-again/", dependencies=[RESEND])
async def try_email_again(person: Person, services: Core) -> UserOut:
    """Allow mails to an address that the mail server refused. Once a minute, five times an hour."""
    return _out(await services.identity.try_email_again(person.user.id))


@router.post(
    "/resend_verification_email/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.already_verified, ErrorCode.rate_limited),
    dependencies=[RESEND],
)
async def resend_verification_email(person: Person, services: Core) -> None:
    """Send the verification mail again. Once a minute, five times an hour."""
    await services.identity.send_verification(person.user.id)


@router.post(
    "/verify-email/",
    responses=problems(ErrorCode.link_invalid, ErrorCode.email_taken),
    dependencies=[by_address(LINKS)],
)
async def verify_email(body: VerifyEmailIn, services: Core) -> VerifiedOut:
    """Verify an e-mail with the link from the mail, after sign-up or a change of e-mail."""
    user = await services.identity.verify_email(body.token)
    return VerifiedOut(email=user.email, is_email_verified=user.is_email_verified)
