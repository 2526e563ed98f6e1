import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut, TryoutOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { Panel } from '@/components/panel'
import { tryoutQuery, useRefetchHistory } from '@/features/templates/api'
import { TryoutHistory } from './tryout-history'
import { TryoutResult } from './tryout-result'

interface PastTryoutsProps {
  template: TemplateOut
  /** The number of all try-outs. */
  total: number
  /** The id of the shown try-out. */
  shown: string | undefined
  onAgain: (tryout: TryoutOut) => void
  onUseInputs: (tryout: TryoutOut) => void
  /** Called if the shown try-out was deleted or its address is wrong. */
  onGone: () => void
}

/** The result of one try-out, and the list of all. */
export function PastTryouts({ template, total, shown, onAgain, onUseInputs, onGone }: PastTryoutsProps) {
  return (
    <>
      {shown && (
        <ShownTryout
          key={shown}
          templateId={template.id}
          tryoutId={shown}
          onAgain={onAgain}
          onUseInputs={onUseInputs}
          onGone={onGone}
        />
      )}
      <TryoutHistory template={template} total={total} shown={shown} onAgain={onAgain} onUseInputs={onUseInputs} />
    </>
  )
}

interface ShownTryoutProps {
  templateId: string
  tryoutId: string
  onAgain: (tryout: TryoutOut) => void
  onUseInputs: (tryout: TryoutOut) => void
  /** Called if it was deleted or its address is wrong. */
  onGone: () => void
}

function ShownTryout({ templateId, tryoutId, onAgain, onUseInputs, onGone }: ShownTryoutProps) {
  const { t } = useTranslation(['common', 'templates'])
  const refetchHistory = useRefetchHistory()
  const { data: tryout, error, refetch } = useQuery(tryoutQuery(templateId, tryoutId))
  const state = tryout?.state
  const before = useRef(state)
  useEffect(() => {
    // the list is not refetched on every word, only when the try-out has ended
    if (before.current !== undefined && before.current !== state) void refetchHistory()
    before.current = state
  }, [state, refetchHistory])
  if (tryout) return <TryoutResult tryout={tryout} onAgain={() => onAgain(tryout)} onUseInputs={() => onUseInputs(tryout)} />
  if (error?.code === 'not_found')
    return (
      <Panel>
        <p className="deleted-tryout">
          <span className="grow">{t('templates:tried.gone')}</span>
          <Button size="xs" variant="default" onClick={onGone}>
            {t('templates:tried.showLast')}
          </Button>
        </p>
      </Panel>
    )
  if (error)
    return <Failure title={t('templates:tried.readFailed')} problem={error} onRetry={() => void refetch()} />
  return null
}
