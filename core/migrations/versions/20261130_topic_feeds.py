"""feeds of topic trees, and the page that a topic is about"""

import sqlalchemy as sa
from alembic import op

revision = "0117"
down_revision = "0116"
branch_labels = None
depends_on = None

_STATES = ("left_out", "waiting", "added")
_TOPIC_LINKS = ("none", "append")


def upgrade() -> None:
    op.create_table(
        "topic_feeds",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("tree_id", sa.Uuid(), nullable=False),
        sa.Column("topic_id", sa.Uuid(), nullable=False),
        sa.Column("address", sa.String(length=2000), nullable=False),
        sa.Column("moved_to", sa.String(length=2000), nullable=True),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("daily", sa.Integer(), nullable=False),
        sa.Column("full_text", sa.Boolean(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("told_version", sa.Integer(), nullable=False),
        sa.Column("etag", sa.String(length=1000), nullable=True),
        sa.Column("last_modified", sa.String(length=200), nullable=True),
        sa.Column("asked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("newest_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("pause_seconds", sa.Integer(), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("error", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("daily BETWEEN 1 AND 20", name=op.f("ck_topic_feeds_daily_range")),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name="fk_topic_feeds_user_id_users", ondelete="CASCADE"),
        sa.ForeignKeyConstraint(
            ["tree_id"], ["topic_trees.id"], name="fk_topic_feeds_tree_id_topic_trees", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["topic_id"], ["topics.id"], name="fk_topic_feeds_topic_id_topics", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name="pk_topic_feeds"),
        sa.UniqueConstraint("tree_id", "address", name="uq_topic_feeds_tree_id_address"),
    )
    op.create_index("ix_topic_feeds_user_id", "topic_feeds", ["user_id"])
    op.create_index("ix_topic_feeds_topic_id", "topic_feeds", ["topic_id"])
    op.create_index(
        "ix_topic_feeds_untold", "topic_feeds", ["id"], postgresql_where=sa.text("told_version < version")
    )
    op.create_table(
        "topic_feed_items",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("feed_id", sa.Uuid(), nullable=False),
        sa.Column("own_key", sa.String(length=64), nullable=False),
        sa.Column("link_key", sa.String(length=64), nullable=True),
        sa.Column("title_key", sa.String(length=64), nullable=True),
        sa.Column(
            "state",
            sa.Enum(*_STATES, name="itemstate_known", native_enum=False, create_constraint=True, length=32),
            nullable=False,
        ),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("link", sa.String(length=2000), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("found_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("added_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("topic_id", sa.Uuid(), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name="fk_topic_feed_items_user_id_users", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["feed_id"], ["topic_feeds.id"], name="fk_topic_feed_items_feed_id_topic_feeds", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["topic_id"], ["topics.id"], name="fk_topic_feed_items_topic_id_topics", ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_topic_feed_items"),
        sa.UniqueConstraint("feed_id", "own_key", name="uq_topic_feed_items_feed_id_own_key"),
    )
    op.create_index("ix_topic_feed_items_user_id", "topic_feed_items", ["user_id"])
    op.create_index("ix_topic_feed_items_topic_id", "topic_feed_items", ["topic_id"])
    op.create_index("ix_topic_feed_items_state", "topic_feed_items", ["feed_id", "state", "found_at"])
    op.add_column("topics", sa.Column("link", sa.Text(), nullable=False, server_default=""))
    links = sa.Enum(*_TOPIC_LINKS, name="topiclink_known", native_enum=False, create_constraint=False, length=32)
    op.add_column("assistants", sa.Column("topic_link", links, nullable=False, server_default="none"))
    op.create_check_constraint(
        op.f("ck_assistants_topiclink_known"),
        "assistants",
        "topic_link IN ('none', 'append')",
        postgresql_not_valid=True,
    )
    op.execute("ALTER TABLE assistants VALIDATE CONSTRAINT ck_assistants_topiclink_known")


def downgrade() -> None:
    op.drop_column("assistants", "topic_link")
    op.drop_column("topics", "link")
    op.drop_table("topic_feed_items")
    op.drop_table("topic_feeds")
