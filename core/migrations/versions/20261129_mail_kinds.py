"""mails have the names of the notifications that cause them

The values are text without a constraint: pending mails stay pending and are sent by the new release. The older release
cannot read the new names, so it has to be stopped. The downgrade gives the old names back and loses nothing, since no
other kind of mail has had one of the new names.
"""

from alembic import op

revision = "0109"
down_revision = "0108"
branch_labels = None
depends_on = None
offline = True  # the older release cannot read the new names

NEW_NAMES = {
    "approval_wanted": "approval_needed",
    "account_needs_reconnecting": "account_reconnect",
    "assistant_paused": "assistant_paused_itself",
    "budget_spent": "budget_reached",
}


def upgrade() -> None:
    for old, new in NEW_NAMES.items():
        op.execute(f"UPDATE mails SET kind = '{new}' WHERE kind = '{old}'")


def downgrade() -> None:
    for old, new in NEW_NAMES.items():
        op.execute(f"UPDATE mails SET kind = '{old}' WHERE kind = '{new}'")
