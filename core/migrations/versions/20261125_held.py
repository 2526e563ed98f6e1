"""a delivery whose account needs reconnecting is held until then"""

import sqlalchemy as sa
from alembic import op

revision = "0085"
down_revision = "0080"
branch_labels = None
depends_on = None

_CHECK = "ck_deliveries_deliverystate_known"
_BEFORE = ("pending", "publishing", "published", "retrying", "unknown", "failed", "cancelled")


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("held_until", sa.DateTime(timezone=True), nullable=True))
    _known(*_BEFORE, "held")
    op.create_index("ix_deliveries_held", "deliveries", ["id"], postgresql_where=sa.text("state = 'held'"))


def downgrade() -> None:
    """What is held fails, as it did before."""
    op.drop_index("ix_deliveries_held", "deliveries")
    op.execute("UPDATE deliveries SET state = 'failed', settled_at = now() WHERE state = 'held'")
    _known(*_BEFORE)
    op.drop_column("deliveries", "held_until")


def _known(*states: str) -> None:
    listed = ", ".join(f"'{state}'" for state in states)
    op.drop_constraint(op.f(_CHECK), "deliveries")
    op.create_check_constraint(op.f(_CHECK), "deliveries", f"state IN ({listed})")
