"""demo data"""

import sqlalchemy as sa
from alembic import op

revision = '0017'
down_revision = '0016'
branch_labels = None
depends_on = None

KINDS = ('account', 'template', 'topic_tree', 'assistant', 'media')


def upgrade() -> None:
    op.create_table(
        'demo_data',
        sa.Column('user_id', sa.Uuid(), nullable=False),
        sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
        sa.Column('complete', sa.Boolean(), nullable=False),
        sa.Column('busy_until', sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(['user_id'], ['users.id'], name=op.f('fk_demo_data_user_id_users'), ondelete='CASCADE'),
        sa.PrimaryKeyConstraint('user_id', name=op.f('pk_demo_data')),
    )
    op.create_table(
        'demo_items',
        sa.Column('user_id', sa.Uuid(), nullable=False),
        sa.Column(
            'kind',
            sa.Enum(*KINDS, name='demoitemkind_known', native_enum=False, create_constraint=True, length=32),
            nullable=False,
        ),
        sa.Column('item_id', sa.Uuid(), nullable=False),
        sa.Column('as_made', sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ['user_id'], ['demo_data.user_id'], name=op.f('fk_demo_items_user_id_demo_data'), ondelete='CASCADE'
        ),
        sa.PrimaryKeyConstraint('user_id', 'kind', 'item_id', name=op.f('pk_demo_items')),
    )


def downgrade() -> None:
    op.drop_table('demo_items')
    op.drop_table('demo_data')
