"""card notes"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0007'
down_revision = '0006'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('media', sa.Column('card_notes', postgresql.JSONB(astext_type=sa.Text()), nullable=False, server_default='[]'))
    # what was noted of cards of before was never kept; from here on the code says it
    op.alter_column('media', 'card_notes', server_default=None)


def downgrade() -> None:
    op.drop_column('media', 'card_notes')
