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
import { isAtWork } from '@/lib/generation'
import { problemText, toProblem } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { useDeleteTryout, useTryouts } from '@/features/templates/api'
import { PhaseBadge, InputFacts, versionText } from './tryout-result'
import { modelText } from './tryout-view'

interface TryoutActions {
  onAgain: (tryout: TryoutOut) => void
  onUseInputs: (tryout: TryoutOut) => void
}

interface TryoutHistoryProps extends TryoutActions {
  template: TemplateOut
  /** The number of all try-outs, independent of the search. */
  total: number
  shown: string | undefined
}

export function TryoutHistory({ template, total, shown, onAgain, onUseInputs }: TryoutHistoryProps) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const { filter, change } = useUrlFilters()
  const search = filter('search')
  const tryouts = useTryouts(template.id, search)
  const rows = tryouts.data?.pages.flatMap((page) => page.items) ?? []
  if (total === 0 && !tryouts.isError) return null
  return (
    <Panel title={t('templates:tried.history')} flush>
      <div className="history-search">
        <SearchField
          label={t('templates:tried.search')}
          value={search}
          onSearch={(text) => change({ search: text })}
        />
      </div>
      {tryouts.isError && !tryouts.data && (
        <div className="history-failed" role="alert">
          <span className="grow">
            {t('templates:tried.historyFailed')} {problemText(t, tryouts.error)}
          </span>
          <Button size="xs" variant="default" onClick={() => void tryouts.refetch()}>
            {t('tryAgain')}
          </Button>
        </div>
      )}
      {tryouts.data && rows.length === 0 && search && (
        <NoMatch text={t('templates:tried.noMatch', { search })} onClear={() => change({ search: null })} />
      )}
      <ul className="history">
        {rows.map((tryout) => (
          <Row key={tryout.id} tryout={tryout} current={tryout.id === shown} onAgain={onAgain} onUseInputs={onUseInputs} />
        ))}
      </ul>
      <div className="history-foot">
        <ListFoot
          hasMore={tryouts.hasNextPage}
          loading={tryouts.isFetchingNextPage}
          onMore={() => void tryouts.fetchNextPage()}
        >
          {t('templates:tried.count', { count: tryouts.data?.pages.at(-1)?.total ?? 0 })}
        </ListFoot>
      </div>
    </Panel>
  )
}

interface RowProps extends TryoutActions {
  tryout: TryoutOut
  current: boolean
}

function Row({ tryout, current, onAgain, onUseInputs }: RowProps) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  const { pathname, search } = useLocation()
  const [opened, inputs] = useDisclosure()
  const id = useId()
  const query = new URLSearchParams(search)
  query.set('tryout', tryout.id)
  const Chevron = opened ? IconChevronDown : IconChevronRight
  return (
    <li data-current={current || undefined}>
      <div className="history-row">
        <div className="grow">
          <Link
            className="history-link"
            to={`${pathname}?${query.toString()}`}
            replace
            aria-current={current ? 'true' : undefined}
          >
            {firstLine(tryout) || t(`templates:tried.${nothingYet(tryout)}`)}
          </Link>
          <span className="history-facts num">
            <PhaseBadge tryout={tryout} />
            <span>
              <time dateTime={tryout.created_at}>{format.dayAndTime(tryout.created_at)}</time>
              {' · '}
              {[versionText(tryout, t), modelText(t, tryout)].filter(Boolean).join(' · ')}
            </span>
          </span>
        </div>
        <TryoutMenu tryout={tryout} onAgain={onAgain} onUseInputs={onUseInputs} />
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
        {t('templates:inputs')}
      </Button>
      <Collapse expanded={opened} id={id} transitionDuration={0}>
        <div className="history-inputs">
          <InputFacts tryout={tryout} />
        </div>
      </Collapse>
    </li>
  )
}

const firstLine = ({ output }: TryoutOut) => output.trim().split('\n')[0] ?? ''

function nothingYet(tryout: TryoutOut): 'stillDrawn' | 'stillWritten' | 'anImage' | 'noOutput' {
  if (isAtWork(tryout)) return tryout.type === 'image' ? 'stillDrawn' : 'stillWritten'
  return tryout.type === 'image' && tryout.state === 'succeeded' ? 'anImage' : 'noOutput'
}

function TryoutMenu({ tryout, onAgain, onUseInputs }: { tryout: TryoutOut } & TryoutActions) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const format = useFormat()
  const confirm = useConfirm()
  const remove = useDeleteTryout()
  const { filter, change } = useUrlFilters()
  const when = format.dayAndTime(tryout.created_at)
  const askToDelete = async () => {
    const sure = await confirm({
      title: t('templates:tried.deleteTitle', { when }),
      text: t('templates:tried.deleteText'),
      action: t('templates:tried.delete'),
      danger: true,
    })
    if (!sure) return
    try {
      if (filter('tryout') === tryout.id) change({ tryout: null, show: null })
      await remove.mutateAsync({ path: { template_id: tryout.template_id, tryout_id: tryout.id } })
      notifications.show({ message: t('templates:tried.deleted') })
    } catch (error) {
      const reason = problemText(t, toProblem(error))
      notifications.show({ color: 'red', message: `${t('templates:tried.deleteFailed')} ${reason}` })
    }
  }
  return (
    <Menu position="bottom-end" width={230}>
      <Menu.Target>
        <ActionIcon size={30} aria-label={t('templates:tried.more', { when })} loading={remove.isPending}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconRepeat size={16} aria-hidden />} onClick={() => onAgain(tryout)}>
          {t('templates:tried.again')}
        </Menu.Item>
        <Menu.Item leftSection={<IconTextWrap size={16} aria-hidden />} onClick={() => onUseInputs(tryout)}>
          {t('templates:tried.useInputs')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          disabled={isAtWork(tryout)}
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void askToDelete()}
        >
          {t('templates:tried.delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
