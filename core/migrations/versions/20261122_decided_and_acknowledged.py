"""decided and acknowledged"""

import sqlalchemy as sa
from alembic import op

revision = '0014'
down_revision = '0013'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('deliveries', sa.Column('decided_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('posts', sa.Column('acknowledged_at', sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column('posts', 'acknowledged_at')
    op.drop_column('deliveries', 'decided_at')
