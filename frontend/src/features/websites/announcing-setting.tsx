import { Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { WebsiteOut } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { ProblemText } from '@/components/problem-text'
import { allAssistantsQuery } from '@/lib/unpaged-lists'
import { useSetAnnouncing } from './api'

/** The assistant that announces new articles, and whether it publishes automatically. Each choice is saved. */
export function AnnouncingSetting({ website }: { website: WebsiteOut }) {
  const { t } = useTranslation(['common', 'websites'])
  const assistants = useQuery(allAssistantsQuery)
  const save = useSetAnnouncing()
  const { id, version, announce_assistant_id: chosen, announce_publishes: publishes } = website
  const set = (assistant_id: string | null, publishes: boolean) =>
    save.mutate(
      { path: { website_id: id }, body: { assistant_id, publishes, version } },
      { onSuccess: () => notifications.show({ message: t('websites:changed') }) },
    )
  // assistants that write articles have no social accounts; a previously chosen one is still listed
  const able = (assistants.data?.items ?? []).filter((assistant) => assistant.website === null || assistant.id === chosen)
  return (
    <Panel title={t('websites:announcing.title')} className="site-announcing">
      <div className="site-announcing-fields">
        <Select
          label={t('websites:announcing.by')}
          placeholder={t('websites:announcing.nobody')}
          data={able.map(({ id: value, name: label }) => ({ value, label }))}
          value={chosen}
          clearable
          searchable
          disabled={save.isPending}
          onChange={(next) => set(next, next !== null && publishes)}
        />
        {chosen !== null && (
          <Select
            label={t('websites:announcing.then')}
            data={[
              { value: 'draft', label: t('websites:announcing.draft') },
              { value: 'publish', label: t('websites:announcing.publish') },
            ]}
            value={publishes ? 'publish' : 'draft'}
            disabled={save.isPending}
            onChange={(next) => set(chosen, next === 'publish')}
          />
        )}
      </div>
      <p className="field-note">{t('websites:announcing.hint')}</p>
      {save.isError && (
        <p className="site-announcing-failed" role="alert">
          <ProblemText problem={save.error} />
        </p>
      )}
    </Panel>
  )
}
