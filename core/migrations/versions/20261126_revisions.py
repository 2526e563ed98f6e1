"""what is changed of an article after it went out, and by what its site sorts articles"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0097"
down_revision = "0096"
branch_labels = None
depends_on = None

_STATES = ("waiting", "failed")
_CHECK = "ck_deliveries_revisionstate_known"


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("site_slug", sa.Text(), nullable=True))
    op.add_column("deliveries", sa.Column("site_status", sa.Text(), nullable=True))
    op.add_column("deliveries", sa.Column("revision", sa.String(length=32), nullable=True))
    op.add_column("deliveries", sa.Column("revision_due_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("deliveries", sa.Column("revision_attempts", sa.Integer(), nullable=False, server_default="0"))
    op.alter_column("deliveries", "revision_attempts", server_default=None)
    op.add_column("deliveries", sa.Column("revision_called_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("deliveries", sa.Column("revision_error_code", sa.String(length=64), nullable=True))
    op.add_column("deliveries", sa.Column("revision_error_detail", sa.Text(), nullable=True))
    op.add_column("deliveries", sa.Column("revised_at", sa.DateTime(timezone=True), nullable=True))
    listed = ", ".join(f"'{state}'" for state in _STATES)
    op.create_check_constraint(op.f(_CHECK), "deliveries", f"revision IN ({listed})")
    op.create_index(
        "ix_deliveries_revision_due",
        "deliveries",
        ["revision_due_at"],
        postgresql_where=sa.text("revision = 'waiting'"),
    )
    op.add_column("posts", sa.Column("at_site", postgresql.JSONB(astext_type=sa.Text()), nullable=True))
    op.add_column("websites", sa.Column("terms", postgresql.JSONB(astext_type=sa.Text()), nullable=True))
    op.add_column("websites", sa.Column("terms_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("websites", "terms_at")
    op.drop_column("websites", "terms")
    op.drop_column("posts", "at_site")
    op.drop_index("ix_deliveries_revision_due", "deliveries")
    op.drop_constraint(op.f(_CHECK), "deliveries")
    for name in (
        "revised_at",
        "revision_error_detail",
        "revision_error_code",
        "revision_called_at",
        "revision_attempts",
        "revision_due_at",
        "revision",
        "site_status",
        "site_slug",
    ):
        op.drop_column("deliveries", name)
