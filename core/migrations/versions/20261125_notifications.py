"""what a user should look at is kept for the bell, and each kind is mailed as they choose"""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notifications",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("cause", sa.String(length=100), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=True),
        sa.Column("assistant_id", sa.Uuid(), nullable=True),
        sa.Column("account_id", sa.Uuid(), nullable=True),
        sa.Column("for_digest", sa.Boolean(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_notifications_user_id_users"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["post_id"], ["posts.id"], name=op.f("fk_notifications_post_id_posts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["assistant_id"], ["assistants.id"], name=op.f("fk_notifications_assistant_id_assistants"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_notifications_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notifications")),
        sa.UniqueConstraint("user_id", "kind", "cause", name=op.f("uq_notifications_user_id_kind_cause")),
    )
    op.create_index(
        "ix_notifications_in_order", "notifications", ["user_id", sa.text("created_at DESC"), sa.text("id DESC")]
    )
    op.create_index(
        "ix_notifications_unread", "notifications", ["user_id"], postgresql_where=sa.text("read_at IS NULL")
    )
    op.create_index("ix_notifications_for_digest", "notifications", ["user_id"], postgresql_where=sa.text("for_digest"))
    for column in ("post_id", "assistant_id", "account_id", "created_at"):
        op.create_index(op.f(f"ix_notifications_{column}"), "notifications", [column])
    op.create_table(
        "notification_settings",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("topic", sa.String(length=32), nullable=False),
        sa.Column("mail", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("mail IN ('at_once', 'daily', 'never')", name=op.f("ck_notification_settings_mailtiming_known")),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_notification_settings_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notification_settings")),
        sa.UniqueConstraint("user_id", "topic", name=op.f("uq_notification_settings_user_id_topic")),
    )
    op.create_table(
        "digests",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_digests_user_id_users"), ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_digests")),
        sa.UniqueConstraint("user_id", "day", name=op.f("uq_digests_user_id_day")),
    )
    op.create_index(op.f("ix_digests_created_at"), "digests", ["created_at"])


def downgrade() -> None:
    # older releases know none of these mails
    op.execute(
        "DELETE FROM mails WHERE kind IN ('post_failed', 'run_failed', 'post_unknown', 'daily_overview')"
    )
    op.drop_table("digests")
    op.drop_table("notification_settings")
    op.drop_table("notifications")
