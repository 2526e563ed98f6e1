from fastapi import status

from api.bodies import Router
from api.dependencies import Core, Device, Token
from api.errors import problems
from api.limits import FORGOT, LINKS, SIGN_IN, SIGN_UP, SIGN_UPS, by_address
from api.schemas.auth import (
    ForgotIn,
    InvitationCodeIn,
    InvitationCodeOut,
    LinkIn,
    ResetIn,
    SignInIn,
    SignUpIn,
    TokenOut,
)
from core.errors import ErrorCode
from core.users.identity import SignUp

router = Router(prefix="/auth", tags=["auth"])


@router.post(
    "/signup/",
    status_code=status.HTTP_201_CREATED,
    responses=problems(ErrorCode.invalid_input),
    dependencies=[SIGN_UP],
)
async def sign_up(body: SignUpIn, services: Core, device: Device) -> TokenOut:
    """Redeem an invitation code and sign in. One code creates one user, even with parallel calls."""
    form = SignUp(
        email=body.email,
        password=body.password,
        invitation_code=body.invitation_code,
        language=body.language,
        time_zone=body.time_zone,
        consent=body.consent,
        device=device,
        invitation_proof=body.invitation_proof,
    )
    _, token = await services.identity.sign_up(form)
    return TokenOut(token=token)


@router.post("/signup/code/", dependencies=[by_address(SIGN_UPS)])
async def check_invitation_code(body: InvitationCodeIn, services: Core) -> InvitationCodeOut:
    """Whether the code is valid, before the rest of the form is filled in. Counts like a sign-up, which reveals it
    too."""
    return InvitationCodeOut(valid=await services.invitations.is_open(body.invitation_code))


@router.post(
    "/login/",
    responses=problems(
        ErrorCode.login_failed,
        ErrorCode.second_factor_required,
        ErrorCode.second_factor_wrong,
        ErrorCode.account_disabled,
    ),
    dependencies=[SIGN_IN],
)
async def sign_in(body: SignInIn, services: Core, device: Device) -> TokenOut:
    """The same answer after the same time for a wrong password and for an unknown e-mail.

    With two-step login, the right password alone is answered with `second_factor_required`.
    """
    _, token = await services.identity.sign_in(body.email, body.password, device, code=body.code)
    return TokenOut(token=token)


@router.post(
    "/link/",
    responses=problems(ErrorCode.login_failed, ErrorCode.account_disabled),
    dependencies=[by_address(LINKS)],
)
async def sign_in_by_link(body: LinkIn, services: Core, device: Device) -> TokenOut:
    """Sign in with the token of a link that the operator created."""
    _, token = await services.identity.sign_in_by_link(body.token, device)
    return TokenOut(token=token)


@router.post("/logout/", status_code=status.HTTP_204_NO_CONTENT, responses=problems(ErrorCode.scope_missing))
async def sign_out(token: Token, services: Core) -> None:
    """End the session of this call's token; API keys are revoked under `/users/me/api-keys/`."""
    await services.identity.sign_out(token)


@router.post("/forgot/", status_code=status.HTTP_204_NO_CONTENT, dependencies=[FORGOT])
async def forgot_password(body: ForgotIn, services: Core) -> None:
    """Mail a link that sets a new password, if the e-mail is known. The answer is always the same."""
    await services.identity.request_password_reset(body.email)


@router.post(
    "/reset/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.link_invalid, ErrorCode.invalid_input),
    dependencies=[by_address(LINKS)],
)
async def reset_password(body: ResetIn, services: Core) -> None:
    """Set a new password with the link from the mail. Every session ends."""
    await services.identity.reset(body.token, body.password)
