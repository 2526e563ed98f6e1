"""indexes for what monitoring counts: unknown deliveries, grants that expire, phases of assistants"""

import sqlalchemy as sa
from alembic import op

revision = "0110"
down_revision = "0109"
branch_labels = None
depends_on = None
offline = True  # nobody can write to these tables meanwhile


def upgrade() -> None:
    op.create_index("ix_deliveries_unknown", "deliveries", ["id"], postgresql_where=sa.text("state = 'unknown'"))
    op.create_index(
        "ix_grants_expiring", "grants", ["expires_at"], postgresql_where=sa.text("refresh_token_encrypted IS NULL")
    )
    op.create_index("ix_grants_refresh_expiring", "grants", ["refresh_expires_at"])
    op.create_index("ix_assistant_statuses_phase", "assistant_statuses", ["phase"])


def downgrade() -> None:
    op.drop_index("ix_assistant_statuses_phase", "assistant_statuses")
    op.drop_index("ix_grants_refresh_expiring", "grants")
    op.drop_index("ix_grants_expiring", "grants")
    op.drop_index("ix_deliveries_unknown", "deliveries")
