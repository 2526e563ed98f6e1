"""posts are deleted on their networks, and a refused repeat names what an unproved call made"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

_STATES = ("waiting", "removed", "failed")
_CHECK = "ck_deliveries_removalstate_known"


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("doubted_hash", sa.String(length=64), nullable=True))
    op.add_column("deliveries", sa.Column("removal", sa.String(length=32), nullable=True))
    op.add_column("deliveries", sa.Column("removal_due_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("deliveries", sa.Column("removal_attempts", sa.Integer(), nullable=False, server_default="0"))
    op.alter_column("deliveries", "removal_attempts", server_default=None)
    op.add_column("deliveries", sa.Column("removal_error_code", sa.String(length=64), nullable=True))
    op.add_column("deliveries", sa.Column("removal_error_detail", sa.Text(), nullable=True))
    op.add_column("deliveries", sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True))
    listed = ", ".join(f"'{state}'" for state in _STATES)
    op.create_check_constraint(op.f(_CHECK), "deliveries", f"removal IN ({listed})")
    op.create_index(
        "ix_deliveries_removal_due",
        "deliveries",
        ["removal_due_at"],
        postgresql_where=sa.text("removal = 'waiting'"),
    )
    # of those that wait for a person, or for whom one has decided, nobody could prove what the call did
    op.execute("UPDATE deliveries SET doubted_hash = content_hash WHERE state = 'unknown' OR decided_at IS NOT NULL")
    op.add_column("posts", sa.Column("leaves", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.alter_column("posts", "leaves", server_default=None)


def downgrade() -> None:
    op.drop_column("posts", "leaves")
    op.drop_index("ix_deliveries_removal_due", "deliveries")
    op.drop_constraint(op.f(_CHECK), "deliveries")
    for name in (
        "removed_at",
        "removal_error_detail",
        "removal_error_code",
        "removal_attempts",
        "removal_due_at",
        "removal",
        "doubted_hash",
    ):
        op.drop_column("deliveries", name)
