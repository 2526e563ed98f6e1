"""All routers of the API."""

from fastapi import APIRouter

from api.live import router as live
from api.routes import (
    account_deletion,
    account_export,
    accounts,
    assistants,
    auth,
    cards,
    demo_data,
    dry_runs,
    health,
    invitations,
    marketplace,
    media,
    overview,
    post_bulk,
    posts,
    search,
    security,
    subscription,
    templates,
    topics,
    users,
)

ROUTERS: tuple[APIRouter, ...] = (
    auth.router,
    users.router,
    security.router,
    account_deletion.router,
    account_export.router,
    invitations.router,
    overview.router,
    demo_data.router,
    subscription.router,
    templates.router,
    marketplace.router,
    topics.router,
    accounts.router,
    dry_runs.router,
    assistants.router,
    post_bulk.router,
    posts.router,
    media.router,
    cards.router,
    search.router,
    live,
    health.router,
)
