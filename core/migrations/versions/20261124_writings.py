"""templates write and draw for posts that people compose, and passages of them are written anew"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0031"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.alter_column("tryouts", "template_id", nullable=True)
    op.add_column("tryouts", sa.Column("post_id", sa.Uuid(), nullable=True))
    op.add_column("tryouts", sa.Column("passage", postgresql.JSONB(), nullable=True))
    op.create_foreign_key(
        op.f("fk_tryouts_post_id_posts"), "tryouts", "posts", ["post_id"], ["id"], ondelete="CASCADE"
    )
    op.create_index(op.f("ix_tryouts_post_id"), "tryouts", ["post_id"])


def downgrade() -> None:
    # older releases know neither; what they cost stays in the transactions
    op.execute("DELETE FROM tryouts WHERE post_id IS NOT NULL")
    op.drop_index(op.f("ix_tryouts_post_id"), "tryouts")
    op.drop_constraint(op.f("fk_tryouts_post_id_posts"), "tryouts")
    op.drop_column("tryouts", "passage")
    op.drop_column("tryouts", "post_id")
    op.alter_column("tryouts", "template_id", nullable=False)
