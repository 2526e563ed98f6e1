import { Tabs } from '@mantine/core'
import { IconWorld } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { readMeOptions } from '@/api/@tanstack/react-query.gen'
import type { TemplateOut } from '@/api/types.gen'
import { PageHeader } from '@/components/page'
import { Tag } from '@/components/tag'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { templateTabPath, type Tab } from '@/features/templates/links'
import { TemplateMenu } from '@/features/templates/list/template-menu'

export interface TemplateHeaderProps {
  template: TemplateOut
  tab: Tab
  /** The edited version, if it is not the newest. */
  version?: number
  unsaved?: boolean
}

export function TemplateHeader({ template, tab, version = template.version, unsaved = false }: TemplateHeaderProps) {
  const { t } = useTranslation(['common', 'templates'])
  const navigate = useNavigate()
  const format = useFormat()
  const { data: me } = useQuery(readMeOptions())
  const { source } = template
  return (
    <PageHeader
      crumbs={[{ label: t('templates:title'), to: paths.templates }]}
      title={template.name}
      badge={
        <span className="tags">
          <Tag>{t(`templates:kinds.${template.type}`)}</Tag>
          <Tag>
            {template.visibility === 'public' && <IconWorld size={12} aria-hidden />}
            {t(`templates:visibilities.${template.visibility}`)}
          </Tag>
          <Tag>
            <span className="num">{t('templates:version', { number: version })}</span>
          </Tag>
        </span>
      }
      sub={
        <span className="num">
          {t('templates:usedBy', { count: template.used_by })}
          {' · '}
          {t('templates:usageCount', { count: template.usage_count })}
          {' · '}
          {t('templates:createdOn', { date: format.longDay(template.created_at) })}
          {me && ` ${t('templates:by', { author: me.display_name || me.email })}`}
          {source && (
            <>
              {' · '}
              {t('templates:copyOf')}{' '}
              <Link className="link" to={`${paths.marketplace}?template=${source.id}`}>
                {source.name}
              </Link>{' '}
              {source.author && t('templates:by', { author: source.author })}
            </>
          )}
        </span>
      }
      actions={<TemplateMenu template={template} unsaved={unsaved} onDeleted={() => void navigate(paths.templates)} />}
    >
      <Tabs value={tab} onChange={(next) => void navigate(templateTabPath(template.id, (next ?? 'editor') as Tab))}>
        <Tabs.List aria-label={t('templates:tabs')}>
          <Tabs.Tab value="editor">{t('templates:tabEditor')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('templates:tabVersions')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
    </PageHeader>
  )
}
