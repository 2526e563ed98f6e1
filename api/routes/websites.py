from uuid import UUID

from api.article_presenters import website_out
from api.bodies import Router
from api.dependencies import Core, CurrentUser, Reading, Workflows
from api.errors import problems
from api.limits import CONNECTIONS, by_user
from api.schemas.accounts import ConnectionOut
from api.schemas.websites import SiteKindOut, WebsiteConnectIn, WebsiteIn, WebsiteOut, WebsiteRemovedOut
from core.container import Services
from core.domain.channels import ChannelKind
from core.domain.errors import ErrorCode
from core.providers.channels import sites
from core.repositories.websites import WebsiteRepository

router = Router(prefix="/websites", tags=["websites"])

_REFUSALS = [
    *sorted(code for code in ErrorCode if code.startswith("connect_")),
    ErrorCode.provider_misconfigured,
    ErrorCode.account_blocked,
]


async def _read(services: Services, user_id: UUID, website_id: UUID) -> WebsiteOut:
    async with services.reading() as session:
        return website_out(await WebsiteRepository(session).get(user_id, website_id))


@router.get("/")
async def list_websites(user: CurrentUser, session: Reading) -> list[WebsiteOut]:
    return [website_out(one) for one in await WebsiteRepository(session).all(user.id)]


@router.get("/kinds/")
async def list_site_kinds(user: CurrentUser) -> list[SiteKindOut]:
    """What kinds of site can be connected, and what each asks for."""
    return [
        SiteKindOut(
            kind=site.kind,
            label=site.label,
            configured=site.configured(),
            connection=ConnectionOut.model_validate(site.connection),
        )
        for site in sites()
    ]


@router.post(
    "/connect/{kind}/",
    status_code=201,
    responses=problems(ErrorCode.not_found, ErrorCode.channel_not_configured, *_REFUSALS),
    dependencies=[by_user(CONNECTIONS)],
)
async def connect_website(kind: ChannelKind, body: WebsiteConnectIn, user: CurrentUser, services: Core) -> WebsiteOut:
    """Tried before it is kept. A site that was connected before stays the same website, with new access."""
    form = {name.value: value for name, value in body.fields.items()}
    return await _read(services, user.id, await services.websites.connect(user.id, kind, form, body.language))


@router.get("/{website_id}/", responses=problems(ErrorCode.not_found))
async def read_website(website_id: UUID, user: CurrentUser, services: Core) -> WebsiteOut:
    return await _read(services, user.id, website_id)


@router.put(
    "/{website_id}/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.name_required),
)
async def change_website(website_id: UUID, body: WebsiteIn, user: CurrentUser, services: Core) -> WebsiteOut:
    await services.websites.change(user.id, website_id, body.version, body.name, body.language)
    return await _read(services, user.id, website_id)


@router.delete("/{website_id}/", responses=problems(ErrorCode.not_found, ErrorCode.in_use))
async def remove_website(website_id: UUID, user: CurrentUser, services: Core, gateway: Workflows) -> WebsiteRemovedOut:
    """Its access is given back. Its articles stay, here and at the site."""
    over = await services.websites.remove(user.id, website_id)
    if over and over.grant_id:
        await gateway.end_grant(over.grant_id)
    return WebsiteRemovedOut(access=over.access if over else None)
