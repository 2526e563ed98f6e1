"""All routers of the API."""

from fastapi import APIRouter

from api.live import router as live
from api.routes import accounts, assistants, auth, health, media, posts, templates, topics, users

ROUTERS: tuple[APIRouter, ...] = (
    auth.router,
    users.router,
    templates.router,
    topics.router,
    accounts.router,
    assistants.router,
    posts.router,
    media.router,
    live,
    health.router,
)
