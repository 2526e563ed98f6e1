"""lists in order"""

import sqlalchemy as sa
from alembic import op

revision = '0018'
down_revision = '0017'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        'ix_posts_listed', 'posts', ['user_id', sa.text('planned_at DESC NULLS LAST'), sa.text('id DESC')]
    )
    op.drop_index('ix_posts_user_id_planned_at', table_name='posts')
    op.create_index('ix_templates_changed', 'templates', ['user_id', sa.text('updated_at DESC'), 'id'])
    op.create_index('ix_templates_named', 'templates', ['user_id', sa.text('lower(name)'), 'id'])
    op.drop_index('ix_templates_user_id', table_name='templates')
    op.create_index('ix_assistants_named', 'assistants', ['user_id', sa.text('lower(name)'), 'id'])
    op.drop_index('ix_assistants_user_id', table_name='assistants')
    op.create_index('ix_assistants_template_version_id', 'assistants', ['template_version_id'])
    op.create_index('ix_assistants_image_template_version_id', 'assistants', ['image_template_version_id'])
    op.create_index(
        'ix_runs_open',
        'runs',
        ['assistant_id', 'slot'],
        postgresql_where=sa.text("state IN ('preparing', 'ready', 'publishing')"),
    )


def downgrade() -> None:
    op.drop_index('ix_runs_open', table_name='runs')
    op.drop_index('ix_assistants_image_template_version_id', table_name='assistants')
    op.drop_index('ix_assistants_template_version_id', table_name='assistants')
    op.create_index('ix_assistants_user_id', 'assistants', ['user_id'])
    op.drop_index('ix_assistants_named', table_name='assistants')
    op.create_index('ix_templates_user_id', 'templates', ['user_id'])
    op.drop_index('ix_templates_named', table_name='templates')
    op.drop_index('ix_templates_changed', table_name='templates')
    op.create_index('ix_posts_user_id_planned_at', 'posts', ['user_id', 'planned_at'])
    op.drop_index('ix_posts_listed', table_name='posts')
