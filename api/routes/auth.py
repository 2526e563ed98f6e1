from fastapi import APIRouter, status

from api.dependencies import Core, Device, Token
from api.errors import problems
from api.schemas.session import LinkIn, SignInIn, SignUpIn, TokenOut
from core.domain.errors import ErrorCode
from core.services.identity import SignUp

router = APIRouter(prefix="/auth", tags=["auth"])


@router.post("/signup/", status_code=status.HTTP_201_CREATED, responses=problems(ErrorCode.invalid_input))
async def sign_up(body: SignUpIn, services: Core, device: Device) -> TokenOut:
    """Redeem an invitation code and sign in. One code makes one user, however many ask at once."""
    form = SignUp(
        email=body.email,
        password=body.password,
        invitation_code=body.invitation_code,
        language=body.language,
        time_zone=body.time_zone,
        consent=body.consent,
        device=device,
    )
    _, token = await services.identity.sign_up(form)
    return TokenOut(token=token)


@router.post("/login/", responses=problems(ErrorCode.login_failed))
async def sign_in(body: SignInIn, services: Core, device: Device) -> TokenOut:
    """The same answer after the same time for a wrong password and for an unknown e-mail."""
    _, token = await services.identity.sign_in(body.email, body.password, device)
    return TokenOut(token=token)


@router.post("/link/", responses=problems(ErrorCode.login_failed))
async def sign_in_by_link(body: LinkIn, services: Core, device: Device) -> TokenOut:
    """Sign in with the token of a link that this installation printed."""
    _, token = await services.identity.sign_in_by_link(body.token, device)
    return TokenOut(token=token)


@router.post("/logout/", status_code=status.HTTP_204_NO_CONTENT)
async def sign_out(token: Token, services: Core) -> None:
    """Revoke the token that this call carries."""
    await services.identity.sign_out(token)
