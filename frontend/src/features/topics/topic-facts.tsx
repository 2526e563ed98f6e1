import { useTranslation } from 'react-i18next'
import { Facts } from '@/components/facts'
import { Panel } from '@/components/panel'
import { useFormat } from '@/i18n/use-format'
import type { TreeNode } from './tree-rows'

/** The chosen topic; read-only so far. */
export function TopicFacts({ node, path }: { node: TreeNode | undefined; path: readonly string[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const times = (count: number) => (count ? t('topics.timesUsed', { count }) : t('topics.neverUsed'))
  return (
    <Panel title={t('topics.topic')}>
      {node ? (
        <Facts
          facts={[
            [t('topics.titleOf'), node.topic.title],
            [t('topics.path'), path.length > 8 ? [...path.slice(0, 3), '…', ...path.slice(-4)].join(' / ') : path.join(' / ')],
            [t('topics.notes'), node.topic.notes],
            [t('topics.state'), node.topic.enabled ? t('topics.enabled') : t('topics.disabled')],
            [t('topics.weight'), format.number(node.topic.weight)],
            [t('topics.used'), times(node.topic.times_used)],
            [t('topics.usedWithin'), node.hasChildren && times(node.usedWithin)],
            [t('topics.lastUsed'), node.topic.last_used_at && format.dayAndTime(node.topic.last_used_at)],
          ]}
        />
      ) : (
        <p className="dim">{t('topics.chooseTopic')}</p>
      )}
      <p className="fine-print">{t('topics.readOnly')}</p>
    </Panel>
  )
}
