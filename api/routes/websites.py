from uuid import UUID

from fastapi import Request, Response

from api.article_presenters import terms_out, website_out
from api.bodies import Router
from api.connect_cookies import forget_departure, keep_departure, kept_secret
from api.dependencies import Core, CurrentUser, Reading, Workflows
from api.errors import problems
from api.limits import ACCOUNT_CHECKS, CONNECTIONS, FEED_ADDRESS, by_user
from api.schemas.social_accounts import ConnectionOut
from api.schemas.websites import (
    AnnouncingIn,
    SiteKindOut,
    WebsiteCallbackIn,
    WebsiteConnectIn,
    WebsiteIn,
    WebsiteLeaveIn,
    WebsiteLeaveOut,
    WebsiteOut,
    WebsiteRemovedOut,
    WebsiteTermsOut,
)
from core.container import Services
from core.errors import ErrorCode
from core.networks.base import BaseChannel, supports
from core.networks.registry import sites
from core.networks.rules.channels import ChannelKind
from core.websites.repositories.websites import WebsiteRepository
from core.websites.site_feeds import FeedFacts
from core.websites.site_passwords import CallbackParameters

router = Router(prefix="/websites", tags=["websites"])

_REFUSALS = [
    *sorted(code for code in ErrorCode if code.startswith("connect_")),
    ErrorCode.api_version_retired,
    ErrorCode.provider_misconfigured,
    ErrorCode.account_blocked,
]


async def _read(services: Services, user_id: UUID, website_id: UUID) -> WebsiteOut:
    async with services.reading() as session:
        return website_out(await WebsiteRepository(session).get(user_id, website_id))


@router.get("/")
async def list_websites(user: CurrentUser, session: Reading) -> list[WebsiteOut]:
    return [website_out(website) for website in await WebsiteRepository(session).list_all(user.id)]


@router.get("/kinds/")
async def list_site_kinds(user: CurrentUser, services: Core) -> list[SiteKindOut]:
    """The kinds of site that can be connected, and what each requires."""
    return [
        SiteKindOut(
            kind=site.kind,
            label=site.label,
            configured=site.configured(),
            connection=ConnectionOut.model_validate(site.connection),
            page=services.site_passwords.is_offered(site.kind),
            served_here=supports(site, BaseChannel.feeds_of),
        )
        for site in sites()
    ]


@router.post(
    "/connect/{kind}/",
    status_code=201,
    responses=problems(ErrorCode.not_found, ErrorCode.channel_not_configured, *_REFUSALS),
    dependencies=[by_user(CONNECTIONS), FEED_ADDRESS],
)
async def connect_website(kind: ChannelKind, body: WebsiteConnectIn, user: CurrentUser, services: Core) -> WebsiteOut:
    """Connect a site; its access is tested first. A site that was connected before stays the same website."""
    form = {name.value: value for name, value in body.fields.items()}
    connected = await services.websites.connect(user.id, kind, form, body.language, body.website_id)
    return await _read(services, user.id, connected)


@router.post(
    "/connect/{kind}/page/",
    responses=problems(ErrorCode.not_found, *_REFUSALS),
    dependencies=[by_user(CONNECTIONS)],
)
async def leave_for_site(
    kind: ChannelKind, body: WebsiteLeaveIn, user: CurrentUser, services: Core, response: Response
) -> WebsiteLeaveOut:
    """Return the site's page on which its user allows access; it redirects the browser to
    /account/connect/{kind}/callback/. Sets a cookie, so that only this browser can finish."""
    leaving = await services.site_passwords.start(user.id, kind, body.site, body.language)
    keep_departure(response, leaving, services.settings)
    return WebsiteLeaveOut(address=leaving.authorize_url)


@router.post(
    "/connect/{kind}/callback/",
    status_code=201,
    responses=problems(ErrorCode.not_found, *_REFUSALS),
    dependencies=[by_user(CONNECTIONS)],
)
async def come_back_from_site(
    kind: ChannelKind, body: WebsiteCallbackIn, user: CurrentUser, services: Core, request: Request, response: Response
) -> WebsiteOut:
    """Connect with the password that the site created. The state is valid once, for this user and browser; the site
    must be the one that the state names."""
    website_id = await services.websites.finish_connect(
        user.id,
        kind,
        state=body.state,
        browser_secret=kept_secret(request, body.state, services.settings),
        handed=CallbackParameters(body.site_url, body.user_login, body.password) if body.allowed else None,
        language=body.language,
    )
    forget_departure(response, body.state, services.settings)
    return await _read(services, user.id, website_id)


@router.get("/{website_id}/", responses=problems(ErrorCode.not_found))
async def read_website(website_id: UUID, user: CurrentUser, services: Core) -> WebsiteOut:
    return await _read(services, user.id, website_id)


@router.get("/{website_id}/terms/", responses=problems(ErrorCode.not_found))
async def read_website_terms(website_id: UUID, user: CurrentUser, services: Core) -> WebsiteTermsOut:
    """The website's categories and tags; read from the site if the stored ones are some minutes old."""
    return terms_out(await services.taxonomies.get_terms(user.id, website_id))


@router.post("/{website_id}/terms/", responses=problems(ErrorCode.not_found), dependencies=[by_user(ACCOUNT_CHECKS)])
async def reread_website_terms(website_id: UUID, user: CurrentUser, services: Core) -> WebsiteTermsOut:
    """Read the categories and tags from the site now."""
    return terms_out(await services.taxonomies.get_terms(user.id, website_id, anew=True))


@router.put(
    "/{website_id}/",
    responses=problems(ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.name_required),
)
async def change_website(website_id: UUID, body: WebsiteIn, user: CurrentUser, services: Core) -> WebsiteOut:
    feed_in = body.feed
    feed = FeedFacts(feed_in.description, feed_in.author, feed_in.indexed) if feed_in else None
    await services.websites.change(user.id, website_id, body.version, body.name, body.language, feed)
    return await _read(services, user.id, website_id)


@router.put(
    "/{website_id}/announcing/",
    responses=problems(
        ErrorCode.not_found, ErrorCode.stale_version, ErrorCode.invalid_input, ErrorCode.assistant_writes_articles
    ),
)
async def set_announcing(website_id: UUID, body: AnnouncingIn, user: CurrentUser, services: Core) -> WebsiteOut:
    """Set whether articles published there from now on are announced automatically, and by which assistant."""
    await services.websites.set_announcements(
        user.id, website_id, body.version, body.assistant_id, publishes=body.publishes
    )
    return await _read(services, user.id, website_id)


@router.delete("/{website_id}/", responses=problems(ErrorCode.not_found, ErrorCode.in_use))
async def remove_website(website_id: UUID, user: CurrentUser, services: Core, gateway: Workflows) -> WebsiteRemovedOut:
    """Remove the website and revoke its access. Its articles stay here and at the site. A site served here is no longer
    shown until it is connected again."""
    over = await services.websites.remove(user.id, website_id)
    if over and over.grant_id:
        await gateway.end_grant(over.grant_id)
    return WebsiteRemovedOut(access=over.access if over else None)
