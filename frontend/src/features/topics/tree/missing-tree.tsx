import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TopicTreeDetail } from '@/api/types.gen'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { EmptyState } from '@/components/empty-state'
import { PageHeader, type Crumb } from '@/components/page'
import { paths } from '@/lib/paths'
import { saveAs } from './save-as'
import { linesOf } from './tree-edits'

/** The page of a deleted or unknown tree. The topics that were on the screen can be copied or downloaded. */
export function MissingTree({ tree, crumbs }: { tree: TopicTreeDetail | undefined; crumbs: Crumb[] }) {
  const { t } = useTranslation(['common', 'topics'])
  const shown = useRef<HTMLPreElement>(null)
  const lines = useMemo(() => linesOf(tree?.topics ?? []), [tree?.topics])
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={tree?.name ?? t('topics:topics')}
      />
      <div role="alert">
        <EmptyState
          title={t('topics:treeGone')}
          text={t(tree ? 'topics:treeGoneText' : 'topics:treeMissingText')}
          actions={
            <>
              <Button component={Link} to={paths.topics}>
                {t('topics:toTrees')}
              </Button>
              {tree && (
                <>
                  <CopyButton
                    text={lines}
                    label={t('topics:copyLines')}
                    onForbidden={() => markAndCopy(shown.current)}
                  />
                  <Button
                    variant="default"
                    leftSection={<IconDownload size={15} aria-hidden />}
                    onClick={() => saveAs(`${tree.name}.txt`, lines)}
                  >
                    {t('topics:download')}
                  </Button>
                </>
              )}
            </>
          }
        />
      </div>
      {tree && (
        <pre ref={shown} className="panel tree-lines" aria-label={t('topics:lines')} tabIndex={0}>
          {lines}
        </pre>
      )}
    </>
  )
}
