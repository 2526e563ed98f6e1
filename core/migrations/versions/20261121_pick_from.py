"""pick from"""

import sqlalchemy as sa
from alembic import op

revision = '0005'
down_revision = '0004'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column('assistants', sa.Column('pick_from', sa.Enum('leaves', 'all', name='pickfrom_known', native_enum=False, create_constraint=True, length=32), nullable=False, server_default='leaves'))
    # rows of before have been picking from leaves; from here on the code says it
    op.alter_column('assistants', 'pick_from', server_default=None)


def downgrade() -> None:
    op.drop_column('assistants', 'pick_from')
