"""questions are answered by a link of their mail, or by asking for another text"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

_STATES = ("waiting", "approved", "declined", "expired", "withdrawn")


def upgrade() -> None:
    op.create_table(
        "approval_links",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("approval_id", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_approval_links_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["approval_id"], ["approvals.id"], name=op.f("fk_approval_links_approval_id_approvals"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_approval_links")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_approval_links_token_hash")),
    )
    op.create_index(op.f("ix_approval_links_user_id"), "approval_links", ["user_id"])
    op.create_index(op.f("ix_approval_links_approval_id"), "approval_links", ["approval_id"])
    op.add_column("approvals", sa.Column("rewrite_error", sa.String(length=64), nullable=True))
    _allow((*_STATES, "rewritten"))


def downgrade() -> None:
    # who wanted another text has not approved this one
    op.execute("UPDATE approvals SET state = 'withdrawn' WHERE state = 'rewritten'")
    _allow(_STATES)
    op.drop_column("approvals", "rewrite_error")
    op.drop_table("approval_links")


def _allow(states: tuple[str, ...]) -> None:
    name = op.f("ck_approvals_approvalstate_known")
    op.drop_constraint(name, "approvals")
    listed = ", ".join(f"'{state}'" for state in states)
    op.create_check_constraint(name, "approvals", f"state IN ({listed})")
