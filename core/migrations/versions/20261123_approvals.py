"""posts are approved, and can be moved"""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_STATES = ("preparing", "ready", "publishing", "published", "drafted", "unknown", "failed", "missed", "skipped")
_OPEN = "state IN ('preparing', 'ready', 'publishing')"
_OPEN_NOW = "state IN ('preparing', 'waiting', 'ready', 'publishing')"


def upgrade() -> None:
    op.create_table(
        "approvals",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("state", sa.String(length=32), nullable=False),
        sa.Column("at_deadline", sa.String(length=32), nullable=False),
        sa.Column("deadline_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("remind_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("by_deadline", sa.Boolean(), nullable=False),
        sa.Column("remark", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('waiting', 'approved', 'declined', 'expired', 'withdrawn')",
            name=op.f("ck_approvals_approvalstate_known"),
        ),
        sa.CheckConstraint("at_deadline IN ('hold', 'skip', 'publish')", name=op.f("ck_approvals_atdeadline_known")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_approvals_user_id_users"), ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["post_id"], ["posts.id"], name=op.f("fk_approvals_post_id_posts"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_approvals")),
        sa.UniqueConstraint("post_id", "content_hash", name=op.f("uq_approvals_post_id_content_hash")),
    )
    op.create_index(
        "ix_approvals_waiting", "approvals", ["user_id", "deadline_at"], postgresql_where=sa.text("state = 'waiting'")
    )
    op.add_column("assistants", sa.Column("at_deadline", sa.String(length=32), server_default="hold", nullable=False))
    op.alter_column("assistants", "at_deadline", server_default=None)
    op.add_column("assistants", sa.Column("veto_minutes", sa.Integer(), nullable=True))
    op.create_check_constraint(
        op.f("ck_assistants_atdeadline_known"), "assistants", "at_deadline IN ('hold', 'skip', 'publish')"
    )
    op.create_check_constraint(op.f("ck_assistants_veto_range"), "assistants", "veto_minutes BETWEEN 1 AND 10080")
    _allow("assistants", "mode", "mode", ("draft", "approval", "automatic"))
    _allow("runs", "state", "runstate", (*_STATES, "waiting", "held"))
    op.drop_index("ix_runs_open", "runs")
    op.create_index("ix_runs_open", "runs", ["assistant_id", "slot"], postgresql_where=sa.text(_OPEN_NOW))
    for name, kind, default in (("pinned", sa.Boolean(), sa.false()), ("told_version", sa.Integer(), "1")):
        op.add_column("posts", sa.Column(name, kind, server_default=default, nullable=False))
        op.alter_column("posts", name, server_default=None)
    op.execute("UPDATE posts SET told_version = version WHERE version > 1")
    op.create_index("ix_posts_behind", "posts", ["updated_at"], postgresql_where=sa.text("version > told_version"))


def downgrade() -> None:
    op.drop_index("ix_posts_behind", "posts")
    for name in ("told_version", "pinned"):
        op.drop_column("posts", name)
    op.execute("UPDATE runs SET state = 'drafted' WHERE state = 'held'")
    op.execute("UPDATE runs SET state = 'ready' WHERE state = 'waiting'")
    op.drop_index("ix_runs_open", "runs")
    op.create_index("ix_runs_open", "runs", ["assistant_id", "slot"], postgresql_where=sa.text(_OPEN))
    _allow("runs", "state", "runstate", _STATES)
    # what asked first must not go out by itself
    op.execute("UPDATE assistants SET mode = 'draft' WHERE mode = 'approval'")
    _allow("assistants", "mode", "mode", ("draft", "automatic"))
    for name in ("veto_minutes", "at_deadline"):
        op.drop_column("assistants", name)
    op.drop_table("approvals")


def _allow(table: str, column: str, enum: str, values: tuple[str, ...]) -> None:
    name = op.f(f"ck_{table}_{enum}_known")
    op.drop_constraint(name, table)
    listed = ", ".join(f"'{value}'" for value in values)
    op.create_check_constraint(name, table, f"{column} IN ({listed})")
