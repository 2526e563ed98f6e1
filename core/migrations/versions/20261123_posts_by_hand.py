"""posts by hand: accounts, texts of their own for some of them, tags; what a delivery takes instead of the post's text"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0025'
down_revision = '0024'
branch_labels = None
depends_on = None

_LISTS = ('account_ids', 'variants', 'tags')


def upgrade() -> None:
    for name in _LISTS:
        op.add_column('posts', sa.Column(name, postgresql.JSONB(), nullable=False, server_default='[]'))
        op.alter_column('posts', name, server_default=None)
    op.add_column('posts', sa.Column('deleted_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('deliveries', sa.Column('content', sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column('deliveries', 'content')
    op.drop_column('posts', 'deleted_at')
    for name in reversed(_LISTS):
        op.drop_column('posts', name)
