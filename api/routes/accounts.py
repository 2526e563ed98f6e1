from uuid import UUID

from fastapi import status

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Session
from api.errors import problems
from api.schemas.accounts import AccountOut, CallbackIn, ChannelLimitsOut, ChannelOut, ConnectOut
from core.domain.channels import ChannelKind
from core.domain.errors import ErrorCode
from core.models import Account
from core.providers.channels import channels
from core.repositories.accounts import AccountRepository

router = Router(tags=["accounts"])


def _out(account: Account, used_by: int) -> AccountOut:
    return AccountOut(
        id=account.id,
        kind=account.kind,
        type=account.type,
        name=account.name,
        picture_url=account.picture_url,
        state=account.state,
        expires_at=account.expires_at,
        last_used_at=account.last_used_at,
        created_at=account.created_at,
        used_by=used_by,
    )


@router.get("/channels/")
async def list_channels(user: CurrentUser) -> list[ChannelOut]:
    """The networks this installation knows, and whether it holds their client id and secret."""
    return [
        ChannelOut(
            kind=network.kind,
            label=network.label,
            limits=ChannelLimitsOut.model_validate(network.limits),
            configured=network.configured(),
            settings=[f"{network.kind.upper()}_CLIENT_ID", f"{network.kind.upper()}_CLIENT_SECRET"],
            own_posts_url=network.own_posts_url(),
        )
        for network in channels()
    ]


@router.get("/accounts/")
async def list_accounts(user: CurrentUser, session: Session) -> list[AccountOut]:
    """The connected social accounts."""
    return [_out(account, used) for account, used in await AccountRepository(session).all(user.id)]


@router.post("/accounts/connect/{kind}/", responses=problems(ErrorCode.channel_not_configured))
async def start_connecting(kind: ChannelKind, user: CurrentUser, services: Core) -> ConnectOut:
    """The network's consent page; it sends the browser back to /account/connect/{kind}/callback/."""
    return ConnectOut(authorize_url=await services.connecting.start(user.id, kind))


@router.post(
    "/accounts/connect/{kind}/callback/",
    responses=problems(ErrorCode.connect_denied, ErrorCode.connect_expired, ErrorCode.connect_failed),
)
async def finish_connecting(kind: ChannelKind, body: CallbackIn, user: CurrentUser, services: Core) -> list[AccountOut]:
    """What the callback's address held: `state` with `code` or `error`. The state is this user's, once."""
    connected = await services.connecting.finish(user.id, kind, state=body.state, code=body.code, error=body.error)
    ids = {account.id for account in connected}
    async with services.sessions() as session:
        # an account that was connected before is in use already
        return [
            _out(account, used) for account, used in await AccountRepository(session).all(user.id) if account.id in ids
        ]


@router.delete(
    "/accounts/{account_id}/",
    status_code=status.HTTP_204_NO_CONTENT,
    responses=problems(ErrorCode.not_found),
)
async def disconnect_account(account_id: UUID, user: CurrentUser, services: Core) -> None:
    """Forgets its tokens; assistants stop posting through it."""
    await services.connecting.disconnect(user.id, account_id)
