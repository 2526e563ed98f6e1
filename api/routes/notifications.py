from typing import Annotated
from uuid import UUID

from fastapi import Query, status

from api.bodies import Router
from api.dependencies import Core, CurrentUser
from api.errors import problems
from api.paging import Cursor, cursor_at
from api.schemas.notifications import (
    NotificationOut,
    NotificationPage,
    NotificationSettingIn,
    NotificationSettingOut,
    ReadIn,
)
from core.errors import ErrorCode
from core.notifications.repositories.notifications import NamedNotification
from core.notifications.rules import MailTiming, MailTopic, is_valid_timing

router = Router(prefix="/notifications", tags=["notifications"])
_NOTHING = status.HTTP_204_NO_CONTENT


def _out(notification: NamedNotification) -> NotificationOut:
    row, account = notification.row, notification.account
    return NotificationOut(
        id=row.id,
        kind=row.kind,
        post_id=row.post_id,
        post_title=notification.post_title,
        assistant_id=row.assistant_id,
        assistant_name=notification.assistant_name,
        account_id=row.account_id,
        account_name=account.called if account else None,
        channel=account.kind if account else None,
        of_article=notification.of_article,
        created_at=row.created_at,
        read_at=row.read_at,
    )


def _setting_out(topic: MailTopic, mail: MailTiming) -> NotificationSettingOut:
    return NotificationSettingOut(
        topic=topic, mail=mail, choices=[timing for timing in MailTiming if is_valid_timing(topic, timing)]
    )


@router.get("/")
async def list_notifications(
    user: CurrentUser,
    services: Core,
    offset: Cursor,
    unread: Annotated[bool, Query(description="Only unread ones")] = False,
    page_size: Annotated[int, Query(ge=1, le=100)] = 20,
) -> NotificationPage:
    """The user's notifications of the last 90 days, newest first."""
    rows, total, left = await services.notifications.list_page(user.id, unread=unread, offset=offset, limit=page_size)
    after = offset + page_size
    return NotificationPage(
        items=[_out(row) for row in rows],
        next_cursor=cursor_at(after) if after < total else None,
        total=total,
        unread=left,
    )


@router.post("/read/", status_code=_NOTHING)
async def mark_notifications_read(body: ReadIn, user: CurrentUser, services: Core) -> None:
    """Mark all notifications up to a time as read."""
    await services.notifications.mark_read_until(user.id, body.until)


@router.get("/settings/")
async def list_notification_settings(user: CurrentUser, services: Core) -> list[NotificationSettingOut]:
    """Which mails the user wants. The list of notifications shows all of them; mails about the account itself are
    always sent."""
    chosen = await services.notifications.settings(user.id)
    return [_setting_out(topic, mail) for topic, mail in chosen.items()]


@router.put("/settings/{topic}/", responses=problems(ErrorCode.invalid_input))
async def choose_notification_setting(
    topic: MailTopic, body: NotificationSettingIn, user: CurrentUser, services: Core
) -> NotificationSettingOut:
    """Change the setting from now on. Waiting notifications of the topic leave the next overview if it is not
    chosen."""
    await services.notifications.set_timing(user.id, topic, body.mail)
    return _setting_out(topic, body.mail)


@router.post("/{notification_id}/read/", status_code=_NOTHING, responses=problems(ErrorCode.not_found))
async def mark_notification_read(notification_id: UUID, user: CurrentUser, services: Core) -> None:
    """Mark a notification as read."""
    await services.notifications.mark_read(user.id, notification_id)
