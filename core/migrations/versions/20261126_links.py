"""a post may have a link, and announce an article; a website may have its articles announced"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0094"
down_revision = "0093"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("posts", sa.Column("link", postgresql.JSONB(astext_type=sa.Text())))
    op.add_column("posts", sa.Column("announces_id", sa.Uuid()))
    op.create_foreign_key(
        op.f("fk_posts_announces_id_posts"), "posts", "posts", ["announces_id"], ["id"], ondelete="SET NULL"
    )
    op.create_index(
        "ix_posts_announcing", "posts", ["announces_id"], postgresql_where=sa.text("announces_id IS NOT NULL")
    )
    op.add_column("websites", sa.Column("announce_assistant_id", sa.Uuid()))
    op.create_foreign_key(
        op.f("fk_websites_announce_assistant_id_assistants"),
        "websites",
        "assistants",
        ["announce_assistant_id"],
        ["id"],
        ondelete="SET NULL",
    )
    op.create_index(op.f("ix_websites_announce_assistant_id"), "websites", ["announce_assistant_id"])
    op.add_column("websites", sa.Column("announce_publishes", sa.Boolean(), nullable=False, server_default="false"))
    op.alter_column("websites", "announce_publishes", server_default=None)
    op.create_table(
        "announcements",
        sa.Column("id", sa.Uuid(), nullable=False),
        sa.Column("user_id", sa.Uuid(), nullable=False),
        sa.Column("article_id", sa.Uuid(), nullable=False),
        sa.Column("assistant_id", sa.Uuid()),
        sa.Column("publishes", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(32), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("post_id", sa.Uuid(), nullable=False),
        sa.Column("error_code", sa.String(64)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "state IN ('waiting', 'writing', 'made', 'failed')", name=op.f("ck_announcements_announcementstate_known")
        ),
        sa.ForeignKeyConstraint(
            ["article_id"], ["posts.id"], name=op.f("fk_announcements_article_id_posts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["assistant_id"],
            ["assistants.id"],
            name=op.f("fk_announcements_assistant_id_assistants"),
            ondelete="SET NULL",
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_announcements_user_id_users"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements")),
        sa.UniqueConstraint("article_id", name=op.f("uq_announcements_article_id")),
    )
    op.create_index(op.f("ix_announcements_assistant_id"), "announcements", ["assistant_id"])
    op.create_index(op.f("ix_announcements_user_id"), "announcements", ["user_id"])
    op.create_index(
        "ix_announcements_due",
        "announcements",
        ["due_at"],
        postgresql_where=sa.text("state IN ('waiting', 'writing')"),
    )


def downgrade() -> None:
    op.drop_table("announcements")
    op.drop_column("websites", "announce_publishes")
    op.drop_index(op.f("ix_websites_announce_assistant_id"), "websites")
    op.drop_constraint(op.f("fk_websites_announce_assistant_id_assistants"), "websites")
    op.drop_column("websites", "announce_assistant_id")
    op.drop_index("ix_posts_announcing", "posts")
    op.drop_constraint(op.f("fk_posts_announces_id_posts"), "posts")
    op.drop_column("posts", "announces_id")
    op.drop_column("posts", "link")
