"""what is told of an article of a feed is kept with it, and its links are not followed"""

import sqlalchemy as sa
from alembic import op

revision = "0107"
down_revision = "0106"
branch_labels = None
depends_on = None

# the text of its HTML, which was cleaned: no element but those of an article, and three entities that matter
_FILL = r"""
WITH told AS (
    SELECT id, btrim(regexp_replace(replace(replace(replace(replace(
        regexp_replace(html, '<[^>]*>', ' ', 'g'), '&lt;', '<'), '&gt;', '>'), '&quot;', '"'), '&amp;', '&'),
        '\s+', ' ', 'g')) AS words
    FROM feed_articles WHERE removed_at IS NULL
)
UPDATE feed_articles SET
    beginning = CASE WHEN length(told.words) > 160 THEN btrim(left(told.words, 159)) || '…' ELSE told.words END,
    words = regexp_count(told.words, '\w[\w''’-]*'),
    html = replace(html, ' rel="noopener">', ' rel="noopener nofollow ugc">')
FROM told WHERE told.id = feed_articles.id
"""


def upgrade() -> None:
    op.add_column("feed_articles", sa.Column("beginning", sa.Text(), server_default="", nullable=False))
    op.add_column("feed_articles", sa.Column("words", sa.Integer(), server_default="0", nullable=False))
    op.execute(_FILL)


def downgrade() -> None:
    op.drop_column("feed_articles", "words")
    op.drop_column("feed_articles", "beginning")
