"""the list of posts in every order, and what is deleted for good one day"""

import sqlalchemy as sa
from alembic import op

revision = '0027'
down_revision = '0026'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index('ix_posts_soonest', 'posts', ['user_id', 'planned_at', 'id'])
    op.create_index('ix_posts_made', 'posts', ['user_id', sa.text('created_at DESC'), sa.text('id DESC')])
    op.create_index('ix_posts_changed', 'posts', ['user_id', sa.text('updated_at DESC'), sa.text('id DESC')])
    op.create_index(
        'ix_posts_counted', 'posts', ['user_id', 'status'], postgresql_where=sa.text('deleted_at IS NULL')
    )
    op.create_index(
        'ix_posts_deleted', 'posts', ['deleted_at'], postgresql_where=sa.text('deleted_at IS NOT NULL')
    )


def downgrade() -> None:
    op.drop_index('ix_posts_deleted', table_name='posts')
    op.drop_index('ix_posts_counted', table_name='posts')
    op.drop_index('ix_posts_changed', table_name='posts')
    op.drop_index('ix_posts_made', table_name='posts')
    op.drop_index('ix_posts_soonest', table_name='posts')
