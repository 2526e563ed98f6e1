"""a post may have a link, and announce an article"""

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


def downgrade() -> None:
    op.drop_index("ix_posts_announcing", "posts")
    op.drop_constraint(op.f("fk_posts_announces_id_posts"), "posts")
    op.drop_column("posts", "announces_id")
    op.drop_column("posts", "link")
