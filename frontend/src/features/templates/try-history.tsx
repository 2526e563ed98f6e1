import { ActionIcon, Button, Collapse, Menu } from '@mantine/core'
import { useDisclosure, useId } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconChevronDown, IconChevronRight, IconDots, IconRepeat, IconTextWrap, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import type { TemplateOut, TryoutOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { Panel } from '@/components/panel'
import { SearchField } from '@/components/search-field'
import { useFormat } from '@/i18n/use-format'
import { problemText, toProblem } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { useDeleteRun, useRuns } from './api'
import { isOpen } from './run-view'
import { PhaseBadge, RunInputs, versionText } from './try-result'

interface RunActions {
  onAgain: (run: TryoutOut) => void
  onUseInputs: (run: TryoutOut) => void
}

interface TryHistoryProps extends RunActions {
  template: TemplateOut
  /** Of all runs, found or not. */
  total: number
  shown: string | undefined
}

export function TryHistory({ template, total, shown, onAgain, onUseInputs }: TryHistoryProps) {
  const { t } = useTranslation()
  const { filter, change } = useUrlFilters()
  const search = filter('search')
  const runs = useRuns(template.id, search)
  const rows = runs.data?.pages.flatMap((page) => page.items) ?? []
  if (total === 0 && !runs.isError) return null
  return (
    <Panel title={t('templates.try.history')} flush>
      <div className="history-search">
        <SearchField
          label={t('templates.try.search')}
          value={search}
          onSearch={(text) => change({ search: text })}
        />
      </div>
      {runs.isError && !runs.data && (
        <div className="history-failed" role="alert">
          <span className="grow">
            {t('templates.try.historyFailed')} {problemText(t, runs.error)}
          </span>
          <Button size="xs" variant="default" onClick={() => void runs.refetch()}>
            {t('common.tryAgain')}
          </Button>
        </div>
      )}
      {runs.data && rows.length === 0 && search && (
        <NoMatch text={t('templates.try.noMatch', { search })} onClear={() => change({ search: null })} />
      )}
      <ul className="history">
        {rows.map((run) => (
          <Row key={run.id} run={run} current={run.id === shown} onAgain={onAgain} onUseInputs={onUseInputs} />
        ))}
      </ul>
      <div className="history-foot">
        <ListFoot
          hasMore={runs.hasNextPage}
          loading={runs.isFetchingNextPage}
          onMore={() => void runs.fetchNextPage()}
        >
          {t('templates.try.count', { count: runs.data?.pages.at(-1)?.total ?? 0 })}
        </ListFoot>
      </div>
    </Panel>
  )
}

interface RowProps extends RunActions {
  run: TryoutOut
  current: boolean
}

function Row({ run, current, onAgain, onUseInputs }: RowProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { pathname, search } = useLocation()
  const [opened, inputs] = useDisclosure()
  const id = useId()
  const query = new URLSearchParams(search)
  query.set('run', run.id)
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <li data-current={current || undefined}>
      <div className="history-row">
        <div className="grow">
          <Link
            className="history-link"
            to={`${pathname}?${query.toString()}`}
            replace
            preventScrollReset
            aria-current={current ? 'true' : undefined}
          >
            {firstLine(run) || t(`templates.try.${nothingYet(run)}`)}
          </Link>
          <span className="history-facts num">
            <PhaseBadge run={run} />
            <span>
              <time dateTime={run.created_at}>{format.dayAndTime(run.created_at)}</time>
              {' · '}
              {versionText(run, t)}
              {run.model && ` · ${run.provider === 'demo' ? t('templates.try.demoWriter') : run.model}`}
            </span>
          </span>
        </div>
        <RunMenu run={run} onAgain={onAgain} onUseInputs={onUseInputs} />
      </div>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        className="history-toggle"
        aria-expanded={opened}
        aria-controls={id}
        leftSection={<Chevron size={14} aria-hidden />}
        onClick={inputs.toggle}
      >
        {t('templates.inputs')}
      </Button>
      <Collapse expanded={opened} id={id} transitionDuration={0}>
        <div className="history-inputs">
          <RunInputs run={run} />
        </div>
      </Collapse>
    </li>
  )
}

const firstLine = ({ output }: TryoutOut) => output.trim().split('\n')[0] ?? ''

function nothingYet(run: TryoutOut): 'stillDrawn' | 'stillWritten' | 'anImage' | 'noOutput' {
  if (isOpen(run)) return run.type === 'image' ? 'stillDrawn' : 'stillWritten'
  return run.type === 'image' && run.state === 'succeeded' ? 'anImage' : 'noOutput'
}

function RunMenu({ run, onAgain, onUseInputs }: { run: TryoutOut } & RunActions) {
  const { t } = useTranslation()
  const format = useFormat()
  const confirm = useConfirm()
  const remove = useDeleteRun()
  const { filter, change } = useUrlFilters()
  const when = format.dayAndTime(run.created_at)
  const askToDelete = async () => {
    const sure = await confirm({
      title: t('templates.try.deleteTitle', { when }),
      text: t('templates.try.deleteText'),
      action: t('templates.try.delete'),
      danger: true,
    })
    if (!sure) return
    try {
      if (filter('run') === run.id) change({ run: null, show: null })
      await remove.mutateAsync({ path: { template_id: run.template_id, run_id: run.id } })
      notifications.show({ message: t('templates.try.deleted') })
    } catch (error) {
      const reason = problemText(t, toProblem(error))
      notifications.show({ color: 'red', message: `${t('templates.try.deleteFailed')} ${reason}` })
    }
  }
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon size={30} aria-label={t('templates.try.more', { when })} loading={remove.isPending}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconRepeat size={16} aria-hidden />} onClick={() => onAgain(run)}>
          {t('templates.try.again')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTextWrap size={16} aria-hidden />} onClick={() => onUseInputs(run)}>
          {t('templates.try.useInputs')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          disabled={isOpen(run)}
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void askToDelete()}
        >
          {t('templates.try.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
