"""that a calendar's secret address was shown stands in the recent activity"""

from alembic import op

revision = "0108"
down_revision = "0107"
branch_labels = None
depends_on = None

_ADDED = "calendar_feed_shown"
_KINDS = (
    "signed_up",
    "signed_in",
    "signed_out",
    "sign_in_failed",
    "password_refused",
    "second_factor_failed",
    "second_factor_on",
    "second_factor_off",
    "recovery_code_used",
    "recovery_codes_renewed",
    "password_changed",
    "password_reset",
    "password_reset_asked",
    "email_change_asked",
    "email_changed",
    "email_verified",
    "api_key_made",
    "api_key_revoked",
    "session_ended",
    "other_sessions_ended",
    "invitation_made",
    "invitation_revoked",
    "invitation_redeemed",
    "calendar_feed_made",
    "calendar_feed_removed",
    "data_exported",
    "account_deletion_asked",
    "access_refused",
)


def upgrade() -> None:
    _allow((*_KINDS, _ADDED))


def downgrade() -> None:
    op.execute(f"DELETE FROM security_events WHERE kind = '{_ADDED}'")
    _allow(_KINDS)


def _allow(kinds: tuple[str, ...]) -> None:
    name = op.f("ck_security_events_securityeventkind_known")
    op.drop_constraint(name, "security_events")
    listed = ", ".join(f"'{kind}'" for kind in kinds)
    op.create_check_constraint(name, "security_events", f"kind IN ({listed})")
