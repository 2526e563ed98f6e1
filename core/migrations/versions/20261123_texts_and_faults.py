"""texts of a run are kept as they come, and so is what keeps a provider from working"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0024'
down_revision = '0023'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        'text_versions',
        sa.Column('id', sa.Uuid(), nullable=False),
        sa.Column('user_id', sa.Uuid(), nullable=False),
        sa.Column('run_id', sa.Uuid(), nullable=False),
        sa.Column('kind', sa.String(length=32), nullable=False),
        sa.Column('content', sa.Text(), nullable=True),
        sa.Column('reason', sa.String(length=64), nullable=True),
        sa.Column('used', postgresql.JSONB(), nullable=False),
        sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "kind IN ('written', 'shortened', 'rewritten')", name=op.f('ck_text_versions_textkind_known')
        ),
        sa.ForeignKeyConstraint(
            ['run_id'], ['runs.id'], name=op.f('fk_text_versions_run_id_runs'), ondelete='CASCADE'
        ),
        sa.ForeignKeyConstraint(
            ['user_id'], ['users.id'], name=op.f('fk_text_versions_user_id_users'), ondelete='CASCADE'
        ),
        sa.PrimaryKeyConstraint('id', name=op.f('pk_text_versions')),
        sa.UniqueConstraint('run_id', 'kind', name=op.f('uq_text_versions_run_id_kind')),
    )
    op.create_table(
        'provider_faults',
        sa.Column('subject', sa.String(length=180), nullable=False),
        sa.Column('reason', sa.String(length=64), nullable=False),
        sa.Column('detail', sa.Text(), nullable=False),
        sa.Column('since', sa.DateTime(timezone=True), nullable=False),
        sa.Column('try_after', sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint('subject', name=op.f('pk_provider_faults')),
    )
    op.add_column(
        'assistants', sa.Column('image_fallback', sa.String(length=32), nullable=False, server_default='ask')
    )
    op.alter_column('assistants', 'image_fallback', server_default=None)
    op.create_check_constraint(
        op.f('ck_assistants_imagefallback_known'), 'assistants', "image_fallback IN ('without', 'card', 'ask')"
    )
    op.add_column('tryouts', sa.Column('sample', postgresql.JSONB(), nullable=True))
    op.add_column('tryouts', sa.Column('assistant_id', sa.Uuid(), nullable=True))
    op.create_foreign_key(
        op.f('fk_tryouts_assistant_id_assistants'),
        'tryouts',
        'assistants',
        ['assistant_id'],
        ['id'],
        ondelete='SET NULL',
    )
    op.create_index(op.f('ix_tryouts_assistant_id'), 'tryouts', ['assistant_id'])
    op.create_index(
        'ix_posts_newest', 'posts', ['assistant_id', sa.text('created_at DESC'), sa.text('id DESC')]
    )
    op.drop_index('ix_posts_assistant_id', table_name='posts')


def downgrade() -> None:
    op.create_index('ix_posts_assistant_id', 'posts', ['assistant_id'])
    op.drop_index('ix_posts_newest', table_name='posts')
    op.execute('DELETE FROM tryouts WHERE sample IS NOT NULL')
    op.drop_column('tryouts', 'assistant_id')
    op.drop_column('tryouts', 'sample')
    op.drop_column('assistants', 'image_fallback')
    op.drop_table('provider_faults')
    op.drop_table('text_versions')
