"""templates topics and media"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = '0004'
down_revision = '0003'
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table('starter_templates',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('key', sa.String(length=80), nullable=False),
    sa.Column('type', sa.Enum('text', 'image', name='templatetype_known', native_enum=False, create_constraint=True, length=32), nullable=False),
    sa.Column('name', sa.String(length=120), nullable=False),
    sa.Column('description', sa.Text(), nullable=False),
    sa.Column('language', sa.String(length=2), nullable=False),
    sa.Column('tags', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.Column('settings', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('sample_text', sa.Text(), nullable=False),
    sa.Column('usage_count', sa.Integer(), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_starter_templates')),
    sa.UniqueConstraint('key', name=op.f('uq_starter_templates_key'))
    )
    op.create_table('card_presets',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('user_id', sa.Uuid(), nullable=False),
    sa.Column('name', sa.String(length=80), nullable=False),
    sa.Column('settings', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['user_id'], ['users.id'], name=op.f('fk_card_presets_user_id_users'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_card_presets')),
    sa.UniqueConstraint('user_id', 'name', name=op.f('uq_card_presets_user_id_name'))
    )
    op.create_table('template_runs',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('user_id', sa.Uuid(), nullable=False),
    sa.Column('template_id', sa.Uuid(), nullable=False),
    sa.Column('number', sa.Integer(), nullable=True),
    sa.Column('type', sa.Enum('text', 'image', name='templatetype_known', native_enum=False, create_constraint=True, length=32), nullable=False),
    sa.Column('body', sa.Text(), nullable=False),
    sa.Column('settings', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('language', sa.String(length=2), nullable=False),
    sa.Column('inputs', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('state', sa.Enum('queued', 'running', 'succeeded', 'failed', 'cancelled', name='tryoutstate_known', native_enum=False, create_constraint=True, length=32), nullable=False),
    sa.Column('attempt', sa.Integer(), nullable=False),
    sa.Column('reason', sa.String(length=64), nullable=True),
    sa.Column('detail', sa.Text(), nullable=False),
    sa.Column('next_try_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('output', sa.Text(), nullable=False),
    sa.Column('media_id', sa.Uuid(), nullable=True),
    sa.Column('image_width', sa.Integer(), nullable=True),
    sa.Column('image_height', sa.Integer(), nullable=True),
    sa.Column('image_mime', sa.String(length=64), nullable=True),
    sa.Column('provider', sa.String(length=64), nullable=False),
    sa.Column('model', sa.String(length=100), nullable=False),
    sa.Column('input_tokens', sa.Integer(), nullable=True),
    sa.Column('output_tokens', sa.Integer(), nullable=True),
    sa.Column('cost_micros', sa.BigInteger(), nullable=True),
    sa.Column('duration_ms', sa.Integer(), nullable=True),
    sa.Column('request_id', sa.String(length=200), nullable=True),
    sa.Column('started_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('finished_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['media_id'], ['media.id'], name=op.f('fk_template_runs_media_id_media'), ondelete='SET NULL'),
    sa.ForeignKeyConstraint(['template_id'], ['templates.id'], name=op.f('fk_template_runs_template_id_templates'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['user_id'], ['users.id'], name=op.f('fk_template_runs_user_id_users'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_template_runs'))
    )
    op.create_index(op.f('ix_template_runs_media_id'), 'template_runs', ['media_id'], unique=False)
    op.create_index('ix_template_runs_template_id_created_at', 'template_runs', ['template_id', 'created_at'], unique=False)
    op.create_index(op.f('ix_template_runs_user_id'), 'template_runs', ['user_id'], unique=False)
    op.create_table('topic_suggestions',
    sa.Column('id', sa.Uuid(), nullable=False),
    sa.Column('user_id', sa.Uuid(), nullable=False),
    sa.Column('tree_id', sa.Uuid(), nullable=False),
    sa.Column('topic_id', sa.Uuid(), nullable=False),
    sa.Column('wanted', sa.Integer(), nullable=False),
    sa.Column('language', sa.String(length=2), nullable=False),
    sa.Column('state', sa.Enum('queued', 'running', 'succeeded', 'failed', 'cancelled', name='tryoutstate_known', native_enum=False, create_constraint=True, length=32), nullable=False),
    sa.Column('attempt', sa.Integer(), nullable=False),
    sa.Column('reason', sa.String(length=64), nullable=True),
    sa.Column('titles', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('decided', postgresql.JSONB(astext_type=sa.Text()), nullable=False),
    sa.Column('provider', sa.String(length=64), nullable=False),
    sa.Column('model', sa.String(length=100), nullable=False),
    sa.Column('input_tokens', sa.Integer(), nullable=True),
    sa.Column('output_tokens', sa.Integer(), nullable=True),
    sa.Column('cost_micros', sa.BigInteger(), nullable=True),
    sa.Column('finished_at', sa.DateTime(timezone=True), nullable=True),
    sa.Column('created_at', sa.DateTime(timezone=True), nullable=False),
    sa.Column('updated_at', sa.DateTime(timezone=True), nullable=False),
    sa.ForeignKeyConstraint(['topic_id'], ['topics.id'], name=op.f('fk_topic_suggestions_topic_id_topics'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['tree_id'], ['topic_trees.id'], name=op.f('fk_topic_suggestions_tree_id_topic_trees'), ondelete='CASCADE'),
    sa.ForeignKeyConstraint(['user_id'], ['users.id'], name=op.f('fk_topic_suggestions_user_id_users'), ondelete='CASCADE'),
    sa.PrimaryKeyConstraint('id', name=op.f('pk_topic_suggestions'))
    )
    op.create_index(op.f('ix_topic_suggestions_topic_id'), 'topic_suggestions', ['topic_id'], unique=False)
    op.create_index(op.f('ix_topic_suggestions_tree_id'), 'topic_suggestions', ['tree_id'], unique=False)
    op.create_index(op.f('ix_topic_suggestions_user_id'), 'topic_suggestions', ['user_id'], unique=False)
    op.add_column('media', sa.Column('source', sa.Enum('upload', 'ai', 'card', name='mediasource_known', native_enum=False, create_constraint=True, length=32), nullable=False, server_default='ai'))
    op.add_column('media', sa.Column('name', sa.String(length=200), nullable=False, server_default=''))
    op.add_column('media', sa.Column('alt', sa.Text(), nullable=False, server_default=''))
    op.add_column('media', sa.Column('tags', postgresql.JSONB(astext_type=sa.Text()), nullable=False, server_default='[]'))
    op.add_column('media', sa.Column('thumbnail_key', sa.String(length=255), nullable=True))
    op.add_column('media', sa.Column('design', postgresql.JSONB(astext_type=sa.Text()), nullable=True))
    op.add_column('media', sa.Column('deleted_at', sa.DateTime(timezone=True), nullable=True))
    op.create_index('ix_media_user_id_created_at', 'media', ['user_id', 'created_at'], unique=False)
    op.create_index('ix_media_deleted', 'media', ['deleted_at'], unique=False, postgresql_where=sa.text('deleted_at IS NOT NULL'))
    op.add_column('template_versions', sa.Column('type', sa.Enum('text', 'image', name='templatetype_known', native_enum=False, create_constraint=True, length=32), nullable=False, server_default='text'))
    op.add_column('template_versions', sa.Column('name', sa.String(length=120), nullable=False, server_default=''))
    op.add_column('template_versions', sa.Column('description', sa.Text(), nullable=False, server_default=''))
    op.add_column('template_versions', sa.Column('language', sa.String(length=2), nullable=False, server_default='en'))
    op.add_column('template_versions', sa.Column('tags', postgresql.JSONB(astext_type=sa.Text()), nullable=False, server_default='[]'))
    op.add_column('template_versions', sa.Column('settings', postgresql.JSONB(astext_type=sa.Text()), nullable=False, server_default='{}'))
    op.add_column('template_versions', sa.Column('restored_from', sa.Integer(), nullable=True))
    op.add_column('templates', sa.Column('published_at', sa.DateTime(timezone=True), nullable=True))
    op.add_column('templates', sa.Column('sample_text', sa.Text(), nullable=False, server_default=''))
    op.add_column('templates', sa.Column('sample_media_id', sa.Uuid(), nullable=True))
    op.add_column('templates', sa.Column('copied_from', sa.Uuid(), nullable=True))
    op.add_column('templates', sa.Column('copied_name', sa.String(length=120), nullable=False, server_default=''))
    op.add_column('templates', sa.Column('copied_author', sa.String(length=120), nullable=False, server_default=''))
    op.create_index('ix_templates_copied', 'templates', ['user_id', 'copied_from'], unique=False)
    op.create_index('ix_templates_public', 'templates', ['published_at'], unique=False, postgresql_where=sa.text("visibility = 'public'"))
    op.create_index(op.f('ix_templates_sample_media_id'), 'templates', ['sample_media_id'], unique=False)
    op.create_foreign_key(op.f('fk_templates_sample_media_id_media'), 'templates', 'media', ['sample_media_id'], ['id'], ondelete='SET NULL')
    op.add_column('topics', sa.Column('deletion_id', sa.Uuid(), nullable=True))
    op.add_column('topics', sa.Column('deleted_at', sa.DateTime(timezone=True), nullable=True))
    op.create_index('ix_topics_deletion_id', 'topics', ['deletion_id'], unique=False, postgresql_where=sa.text('deletion_id IS NOT NULL'))
    op.add_column('topic_trees', sa.Column('renamed_version', sa.Integer(), nullable=False, server_default='1'))
    op.add_column('transactions', sa.Column('template_run_id', sa.Uuid(), nullable=True))
    op.add_column('transactions', sa.Column('suggestion_id', sa.Uuid(), nullable=True))
    op.add_column('transactions', sa.Column('outcome', sa.Enum('succeeded', 'refused', 'incomplete', 'failed', name='outcome_known', native_enum=False, create_constraint=True, length=32), nullable=False, server_default='succeeded'))
    op.create_index(op.f('ix_transactions_suggestion_id'), 'transactions', ['suggestion_id'], unique=False)
    op.create_index(op.f('ix_transactions_template_run_id'), 'transactions', ['template_run_id'], unique=False)
    op.create_foreign_key(op.f('fk_transactions_template_run_id_template_runs'), 'transactions', 'template_runs', ['template_run_id'], ['id'], ondelete='SET NULL')
    op.create_foreign_key(op.f('fk_transactions_suggestion_id_topic_suggestions'), 'transactions', 'topic_suggestions', ['suggestion_id'], ['id'], ondelete='SET NULL')
    # every version says the whole; of the older ones only the body was kept
    op.execute(
        "UPDATE template_versions v SET type = t.type, name = t.name, description = t.description, language = t.language, tags = t.tags "
        "FROM templates t WHERE t.id = v.template_id"
    )
    # until now a version came with a new name alone
    op.execute("UPDATE topic_trees SET renamed_version = version")
    # what was stored before was made, by cards or by a model
    op.execute("UPDATE media SET source = 'card' WHERE made_by LIKE 'cards/%'")
    # rows get these from the models; a default was only needed for the rows that were there
    op.alter_column('media', 'source', server_default=None)
    op.alter_column('media', 'name', server_default=None)
    op.alter_column('media', 'alt', server_default=None)
    op.alter_column('media', 'tags', server_default=None)
    op.alter_column('template_versions', 'type', server_default=None)
    op.alter_column('template_versions', 'name', server_default=None)
    op.alter_column('template_versions', 'description', server_default=None)
    op.alter_column('template_versions', 'language', server_default=None)
    op.alter_column('template_versions', 'tags', server_default=None)
    op.alter_column('template_versions', 'settings', server_default=None)
    op.alter_column('topic_trees', 'renamed_version', server_default=None)
    op.alter_column('templates', 'sample_text', server_default=None)
    op.alter_column('templates', 'copied_name', server_default=None)
    op.alter_column('templates', 'copied_author', server_default=None)
    op.alter_column('transactions', 'outcome', server_default=None)


def downgrade() -> None:
    op.drop_constraint(op.f('fk_transactions_suggestion_id_topic_suggestions'), 'transactions', type_='foreignkey')
    op.drop_constraint(op.f('fk_transactions_template_run_id_template_runs'), 'transactions', type_='foreignkey')
    op.drop_index(op.f('ix_transactions_template_run_id'), table_name='transactions')
    op.drop_index(op.f('ix_transactions_suggestion_id'), table_name='transactions')
    op.drop_column('transactions', 'outcome')
    op.drop_column('transactions', 'suggestion_id')
    op.drop_column('transactions', 'template_run_id')
    # they would be back
    op.execute("DELETE FROM topics WHERE deletion_id IS NOT NULL")
    op.drop_column('topic_trees', 'renamed_version')
    op.drop_index('ix_topics_deletion_id', table_name='topics', postgresql_where=sa.text('deletion_id IS NOT NULL'))
    op.drop_column('topics', 'deleted_at')
    op.drop_column('topics', 'deletion_id')
    op.drop_constraint(op.f('fk_templates_sample_media_id_media'), 'templates', type_='foreignkey')
    op.drop_index(op.f('ix_templates_sample_media_id'), table_name='templates')
    op.drop_index('ix_templates_public', table_name='templates', postgresql_where=sa.text("visibility = 'public'"))
    op.drop_index('ix_templates_copied', table_name='templates')
    op.drop_column('templates', 'copied_author')
    op.drop_column('templates', 'copied_name')
    op.drop_column('templates', 'copied_from')
    op.drop_column('templates', 'sample_media_id')
    op.drop_column('templates', 'sample_text')
    op.drop_column('templates', 'published_at')
    op.drop_column('template_versions', 'restored_from')
    op.drop_column('template_versions', 'settings')
    op.drop_column('template_versions', 'tags')
    op.drop_column('template_versions', 'language')
    op.drop_column('template_versions', 'description')
    op.drop_column('template_versions', 'name')
    op.drop_column('template_versions', 'type')
    op.drop_index('ix_media_deleted', table_name='media', postgresql_where=sa.text('deleted_at IS NOT NULL'))
    op.drop_index('ix_media_user_id_created_at', table_name='media')
    op.drop_column('media', 'deleted_at')
    op.drop_column('media', 'design')
    op.drop_column('media', 'thumbnail_key')
    op.drop_column('media', 'tags')
    op.drop_column('media', 'alt')
    op.drop_column('media', 'name')
    op.drop_column('media', 'source')
    op.drop_index(op.f('ix_topic_suggestions_user_id'), table_name='topic_suggestions')
    op.drop_index(op.f('ix_topic_suggestions_tree_id'), table_name='topic_suggestions')
    op.drop_index(op.f('ix_topic_suggestions_topic_id'), table_name='topic_suggestions')
    op.drop_table('topic_suggestions')
    op.drop_index(op.f('ix_template_runs_user_id'), table_name='template_runs')
    op.drop_index('ix_template_runs_template_id_created_at', table_name='template_runs')
    op.drop_index(op.f('ix_template_runs_media_id'), table_name='template_runs')
    op.drop_table('template_runs')
    op.drop_table('card_presets')
    op.drop_table('starter_templates')
