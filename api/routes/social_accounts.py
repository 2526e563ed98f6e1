from collections.abc import Sequence
from typing import Annotated
from uuid import UUID

from fastapi import Request, Response
from pydantic import AfterValidator

from api.bodies import Router
from api.connect_cookies import forget_departure, keep_departure, kept_secret
from api.dependencies import Core, CurrentUser, Session, Workflows
from api.errors import problems
from api.limits import ACCOUNT_CHECKS, CONNECTIONS, by_user
from api.schemas.problems import FieldProblem
from api.schemas.social_accounts import (
    AccountOut,
    CallbackIn,
    CandidateOut,
    ChannelLimitsOut,
    ChannelOut,
    CheckOut,
    ChoiceIn,
    ChoiceOut,
    ConnectedOut,
    ConnectIn,
    ConnectionOut,
    ConnectOut,
    DisconnectedOut,
)
from core.container import Services
from core.errors import ErrorCode
from core.networks.base import BaseChannel, supports
from core.networks.registry import channel, networks
from core.networks.rules.channels import NETWORKS, ChannelKind, known_of
from core.posts.fitting import limits_of_account
from core.social_accounts.comment_access import comment_refusal
from core.social_accounts.connecting import ConnectResult
from core.social_accounts.repositories.accounts import AccountRepository
from core.social_accounts.tables import Account

router = Router(tags=["accounts"])

_REFUSALS = [
    *sorted(code for code in ErrorCode if code.startswith("connect_")),
    ErrorCode.api_version_retired,
    ErrorCode.provider_misconfigured,
    ErrorCode.account_blocked,
]


def _network(kind: ChannelKind) -> ChannelKind:
    if kind not in NETWORKS:
        raise ValueError("a website is not a social account")
    return kind


NetworkKind = Annotated[ChannelKind, AfterValidator(_network)]


def _out(account: Account, used_by: int) -> AccountOut:
    refusal = comment_refusal(channel(account.kind), account)
    return AccountOut(
        id=account.id,
        kind=account.kind,
        type=account.type,
        name=account.name,
        picture_url=account.picture_url,
        state=account.state,
        expires_at=account.expires_at,
        expires_soon=account.expires_soon,
        restricts_automation=account.type in channel(account.kind).traits.restricts_automation,
        first_comment_error=FieldProblem.of(refusal) if refusal else None,
        last_used_at=account.last_used_at,
        created_at=account.created_at,
        used_by=used_by,
        max_characters=limits_of_account(account).max_characters if account.server_limits else None,
        form=known_of(channel(account.kind).connection.fields, account.base_url, account.handle),
    )


@router.get("/channels/")
async def list_channels(user: CurrentUser) -> list[ChannelOut]:
    """The supported networks, and whether client id and secret are configured."""
    return [
        ChannelOut(
            kind=network.kind,
            label=network.label,
            limits=ChannelLimitsOut.model_validate(network.limits),
            configured=network.configured(),
            connection=ConnectionOut.model_validate(network.connection),
            can_delete=supports(network, BaseChannel.delete),
        )
        for network in networks()
    ]


@router.get("/accounts/")
async def list_accounts(user: CurrentUser, session: Session) -> list[AccountOut]:
    """The connected social accounts."""
    return [_out(account, used) for account, used in await AccountRepository(session).list_connected(user.id)]


@router.post(
    "/accounts/connect/{kind}/",
    responses=problems(ErrorCode.channel_not_configured, *_REFUSALS),
    dependencies=[by_user(CONNECTIONS)],
)
async def start_connecting(
    kind: NetworkKind, body: ConnectIn, user: CurrentUser, services: Core, response: Response
) -> ConnectOut:
    """Return the network's consent page, which redirects the browser to /account/connect/{kind}/callback/. Sets a
    cookie, so that only this browser can finish. Without consent: connect with the form."""
    form = {name.value: value for name, value in body.fields.items()}
    started = await services.connecting.start(user.id, kind, form)
    if isinstance(started, ConnectResult):
        return ConnectOut(authorize_url=None, connected=await _connected(services, user.id, started))
    keep_departure(response, started, services.settings)
    return ConnectOut(authorize_url=started.authorize_url, connected=None)


@router.post("/accounts/connect/{kind}/callback/", responses=problems(*_REFUSALS))
async def finish_connecting(
    kind: NetworkKind, body: CallbackIn, user: CurrentUser, services: Core, request: Request, response: Response
) -> ConnectedOut:
    """Finish with the callback's parameters: `state` with `code` or `error`. The state is valid once, for this user and
    browser."""
    connected = await services.connecting.finish(
        user.id,
        kind,
        state=body.state,
        browser_secret=kept_secret(request, body.state, services.settings),
        code=body.code,
        error=body.error,
        description=body.error_description or "",
    )
    forget_departure(response, body.state, services.settings)
    return await _connected(services, user.id, connected)


@router.post(
    "/accounts/connect/choice/accounts/",
    responses=problems(ErrorCode.not_found, *_REFUSALS),
    dependencies=[by_user(CONNECTIONS)],
)
async def choose_accounts(body: ChoiceIn, user: CurrentUser, services: Core) -> list[AccountOut]:
    """Connect the chosen accounts of a grant."""
    chosen = await services.connecting.choose(user.id, body.grant_id, body.external_ids)
    return await _out_of(services, user.id, chosen)


@router.post(
    "/accounts/{account_id}/check/",
    responses=problems(ErrorCode.not_found, ErrorCode.account_disconnected),
    dependencies=[by_user(ACCOUNT_CHECKS)],
)
async def check_account(account_id: UUID, user: CurrentUser, services: Core) -> list[CheckOut]:
    """Ask the network whether the account's next post would be published. A refused access is marked as such."""
    return [
        CheckOut(
            point=point.point,
            result=point.result,
            error=FieldProblem(field="", code=point.error, params=point.params) if point.error else None,
        )
        for point in await services.account_checks.check(user.id, account_id)
    ]


async def _connected(services: Services, user_id: UUID, connected: ConnectResult) -> ConnectedOut:
    choice = connected.choice and ChoiceOut(
        grant_id=connected.choice.grant_id,
        candidates=[
            CandidateOut(
                external_id=candidate.profile.external_id,
                name=candidate.profile.name,
                type=candidate.profile.type,
                picture_url=candidate.profile.picture_url,
                account_id=candidate.account_id,
            )
            for candidate in connected.choice.candidates
        ],
    )
    return ConnectedOut(accounts=await _out_of(services, user_id, connected.accounts), choice=choice)


async def _out_of(services: Services, user_id: UUID, accounts: Sequence[Account]) -> list[AccountOut]:
    ids = {account.id for account in accounts}
    async with services.sessions() as session:
        # an account that was connected before may already be in use
        return [
            _out(account, used)
            for account, used in await AccountRepository(session).list_connected(user_id)
            if account.id in ids
        ]


@router.delete("/accounts/{account_id}/", responses=problems(ErrorCode.not_found))
async def disconnect_account(
    account_id: UUID, user: CurrentUser, services: Core, gateway: Workflows
) -> DisconnectedOut:
    """Delete the account's tokens; assistants stop posting through it. With the last account of a grant, the grant is
    revoked at the network."""
    over = await services.connecting.disconnect(user.id, account_id)
    if over.grant_id:
        await gateway.end_grant(over.grant_id)
    return DisconnectedOut(access=over.access)
