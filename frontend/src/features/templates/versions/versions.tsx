import { Button, Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconArrowsDiff, IconInfoCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TemplateOut, TemplateVersionOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { Tag } from '@/components/tag'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText, toProblem } from '@/lib/problems'
import { allBrandsQuery } from '@/lib/unpaged-lists'
import { useUrlFilters } from '@/lib/url-filters'
import { useRestoreVersion, useVersions } from '@/features/templates/api'
import { DiffView } from './diff-view'
import { comparePath, templatePath } from '@/features/templates/links'
import { settingRows, type SettingRow } from '@/features/templates/editor/setting-rows'
import { TemplateHeader } from '@/features/templates/editor/template-header'
import '@/features/templates/templates.css'
import { draftName } from '@/features/templates/editor/template-values'
import { changedLines, comparedVersions } from './version-diff'

/** Every saved change, what it changed, and the way back to it. */
export function TemplateVersions({ template }: { template: TemplateOut }) {
  const { t } = useTranslation(['common', 'templates'])
  const { filter } = useUrlFilters()
  const versions = useVersions(template.id)
  const unsaved = useDraft(draftName(template.id)).read() !== undefined
  const rows = versions.data?.pages.flatMap((page) => page.items) ?? []
  const comparedNumbers = comparedVersions(filter('compare')) ?? lastChange(rows)
  // those of an old address may be on later pages
  const missing = comparedNumbers !== null && !comparedNumbers.every((number) => rows.some((row) => row.number === number))
  const { hasNextPage, isFetching, fetchNextPage } = versions
  useEffect(() => {
    if (missing && hasNextPage && !isFetching) void fetchNextPage()
  }, [missing, hasNextPage, isFetching, fetchNextPage])

  return (
    <div className="page-wide">
      <TemplateHeader template={template} tab="versions" unsaved={unsaved} />
      {unsaved && (
        <p className="note versions-note">
          <IconInfoCircle size={16} aria-hidden />
          <span>
            {t('templates:versions.unsaved')}{' '}
            <Link className="link" to={templatePath(template.id)}>
              {t('templates:versions.toEditor')}
            </Link>
          </span>
        </p>
      )}
      {versions.isPending && <RowSkeletons />}
      {versions.isError && !versions.data && (
        <Failure
          title={t('templates:versions.listFailed')}
          problem={versions.error}
          onRetry={() => void versions.refetch()}
        />
      )}
      {versions.data && (
        <div className="versions">
          <Panel
            title={t('templates:tabVersions')}
            aside={<span className="num">{t('templates:versions.count', { count: versions.data.pages[0]?.total ?? 0 })}</span>}
            flush
          >
            <ol className="version-list">
              {rows.map((version, index) => (
                <Row
                  key={version.id}
                  template={template}
                  version={version}
                  before={rows[index + 1]}
                  shown={comparedNumbers?.[1] === version.number && comparedNumbers[0] === rows[index + 1]?.number}
                />
              ))}
            </ol>
            {hasNextPage && (
              <div className="history-foot">
                <ListFoot hasMore loading={versions.isFetchingNextPage} onMore={() => void fetchNextPage()}>
                  {t('templates:versions.shown', { count: rows.length })}
                </ListFoot>
              </div>
            )}
          </Panel>
          <Comparison rows={rows} comparedNumbers={comparedNumbers} looking={missing && (hasNextPage || isFetching)} />
        </div>
      )}
    </div>
  )
}

const lastChange = ([newest, before]: readonly TemplateVersionOut[]): [number, number] | null =>
  newest && before ? [before.number, newest.number] : null

interface RowProps {
  template: TemplateOut
  version: TemplateVersionOut
  before: TemplateVersionOut | undefined
  /** What it changed is on the screen. */
  shown: boolean
}

function Row({ template, version, before, shown }: RowProps) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  const newest = version.number === template.version
  return (
    <li data-current={shown || undefined}>
      <div className="version-head">
        <b className="num">{t('templates:version', { number: version.number })}</b>
        {newest && <Tag>{t('templates:versions.newest')}</Tag>}
        {version.used_by > 0 && <Tag>{t('templates:usedByCount', { count: version.used_by })}</Tag>}
      </div>
      <div className="version-facts num">
        <span>
          <time dateTime={version.created_at}>{format.dayAndTime(version.created_at)}</time>
          {' · '}
          {version.name}
        </span>
      </div>
      <div className="version-facts">
        <span>{changeText()}</span>
      </div>
      <div className="version-actions">
        {before && (
          <Button
            component={Link}
            to={comparePath(template.id, before.number, version.number)}
            replace
            size="compact-xs"
            variant="default"
            leftSection={<IconArrowsDiff size={14} aria-hidden />}
            aria-label={t('templates:versions.whatChanged', { number: version.number })}
            aria-current={shown ? 'true' : undefined}
          >
            {t('templates:versions.changes')}
          </Button>
        )}
        {!newest && <Restore template={template} number={version.number} />}
      </div>
    </li>
  )

  function changeText(): string {
    if (version.restored_from !== null) return t('templates:versions.restoredFrom', { number: version.restored_from })
    if (version.number === 1) return t('templates:versions.first')
    if (!before) return ''
    const lines = changedLines(before.body, version.body)
    if (lines > 0) return t('templates:versions.changedLines', { count: lines })
    return changed(before, version) ? t('templates:versions.onlySettings') : t('templates:versions.nothing')
  }
}

const changed = (a: TemplateVersionOut, b: TemplateVersionOut) =>
  [a.type, a.name, a.description, a.language, a.tags, a.settings].some(
    (value, index) =>
      JSON.stringify(value) !==
      JSON.stringify([b.type, b.name, b.description, b.language, b.tags, b.settings][index]),
  )

function Restore({ template, number }: { template: TemplateOut; number: number }) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const restore = useRestoreVersion()
  const bring = async (from: TemplateOut, versionNumber: number): Promise<TemplateOut | undefined> => {
    try {
      return await restore.mutateAsync({
        path: { template_id: from.id, number: versionNumber },
        body: { version: from.version },
      })
    } catch (error) {
      const reason = problemText(t, toProblem(error))
      notifications.show({ color: 'red', message: `${t('templates:versions.restoreFailed')} ${reason}` })
      return undefined
    }
  }
  const bringBack = useOneAtATime(async () => {
    const restored = await bring(template, number)
    if (!restored) return
    showUndo({
      message: t('templates:versions.restored', { number, version: restored.version }),
      label: t('undo'),
      // the one that was the newest until now
      undo: () => void bring(restored, template.version),
    })
  })
  return (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<IconArrowBackUp size={14} aria-hidden />}
      loading={restore.isPending}
      aria-label={t('templates:versions.restoreNumber', { number })}
      onClick={() => void bringBack()}
    >
      {t('templates:versions.restore')}
    </Button>
  )
}

interface ComparisonProps {
  rows: readonly TemplateVersionOut[]
  comparedNumbers: readonly [number, number] | null
  /** The asked ones may be among those that are still to come. */
  looking: boolean
}

function Comparison({ rows, comparedNumbers, looking }: ComparisonProps) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  const { change } = useUrlFilters()
  if (!comparedNumbers)
    return (
      <Panel title={t('templates:versions.compare')}>
        <p className="inputs-none">{t('templates:versions.onlyOne')}</p>
      </Panel>
    )
  const [older, newer] = comparedNumbers.map((number) => rows.find((row) => row.number === number))
  const compare = (first: number, second: number) => {
    if (first !== second) change({ compare: `${Math.min(first, second)}..${Math.max(first, second)}` })
  }
  const choices = (except: number) =>
    rows.map(({ number }) => ({
      value: String(number),
      label: t('templates:version', { number }),
      disabled: number === except,
    }))
  return (
    <Panel title={t('templates:versions.compare')}>
      <div className="stack">
        <div className="field-pair">
          <Select
            label={t('templates:versions.from')}
            data={choices(comparedNumbers[1])}
            value={String(comparedNumbers[0])}
            onChange={(value) => compare(Number(value), comparedNumbers[1])}
          />
          <Select
            label={t('templates:versions.to')}
            data={choices(comparedNumbers[0])}
            value={String(comparedNumbers[1])}
            onChange={(value) => compare(comparedNumbers[0], Number(value))}
          />
        </div>
        {older && newer ? (
          <>
            <SettingChanges older={older} newer={newer} />
            <h3 className="diff-title">{t('templates:body')}</h3>
            <DiffView
              key={comparedNumbers.join()}
              older={older.body}
              newer={newer.body}
              label={t('templates:versions.diff', { older: older.number, newer: newer.number })}
            />
            <p className="fine-print num">
              {t('templates:versions.written', {
                number: newer.number,
                when: format.dayAndTime(newer.created_at),
              })}
            </p>
          </>
        ) : (
          <p className="inputs-none" role="status">
            {looking ? t('loading') : t('templates:versions.unknown')}
          </p>
        )}
      </div>
    </Panel>
  )
}

function SettingChanges({ older, newer }: { older: TemplateVersionOut; newer: TemplateVersionOut }) {
  const { t } = useTranslation(['common', 'brands', 'cards', 'templates'])
  const format = useFormat()
  const { data: brands } = useQuery(allBrandsQuery)
  const brandName = (brandId: string) => brands?.items.find(({ id }) => id === brandId)?.name ?? t('brands:choice.gone')
  const facts = (version: TemplateVersionOut): SettingRow[] => [
    { key: 'name', label: t('templates:name'), value: version.name },
    { key: 'type', label: t('templates:type'), value: t(`templates:kinds.${version.type}`) },
    {
      key: 'description',
      label: t('templates:description'),
      value: version.description || t('templates:settings.none'),
    },
    { key: 'language', label: t('templates:language'), value: t(`languages.${version.language}`) },
    { key: 'tags', label: t('templates:tags'), value: version.tags.join(', ') || t('templates:settings.none') },
    ...settingRows(t, format, version.type, version.settings, brandName),
  ]
  const [before, after] = [facts(older), facts(newer)]
  const keys = [...new Set([...before, ...after].map(({ key }) => key))]
  const changes = keys.flatMap((key) => {
    const [oldFact, newFact] = [before.find((fact) => fact.key === key), after.find((fact) => fact.key === key)]
    const sameWords = oldFact?.value === newFact?.value
    if (sameWords && oldFact?.imageId === newFact?.imageId) return []
    const newText = sameWords ? t('templates:card.otherLogo') : newFact?.value
    return [{ key, label: oldFact?.label ?? newFact?.label, oldText: oldFact?.value, newText }]
  })
  if (changes.length === 0) return null
  return (
    <dl className="setting-changes">
      {changes.map(({ key, label, oldText, newText }) => (
        <div key={key}>
          <dt>{label}</dt>
          <dd>
            {oldText !== undefined && (
              <del>
                <span className="vh">{t('templates:versions.removed')} </span>
                {oldText}
              </del>
            )}{' '}
            {newText !== undefined && (
              <ins>
                <span className="vh">{t('templates:versions.added')} </span>
                {newText}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
