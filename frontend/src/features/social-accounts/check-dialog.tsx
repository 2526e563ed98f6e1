import { Button, Group } from '@mantine/core'
import { IconPlugConnected, IconRefresh } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, CheckResult, ErrorCode } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { Failure } from '@/components/failure'
import { ProblemText } from '@/components/problem-text'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge, type Status } from '@/components/status'
import { useCheckAccount } from './api'
import { useReadableProblem } from './use-readable-problem'

const looks = { fine: 'published', broken: 'failed', unsure: 'unknown' } satisfies Record<CheckResult, Status>

/** The problems that a new login fixes. */
const byLogin: readonly ErrorCode[] = ['account_blocked', 'account_role_lost', 'connect_scope_missing', 'delivery_needs_reconnect']

interface CheckProps {
  account: Pick<AccountOut, 'id' | 'kind'>
  onDone: () => void
  /** Called to replace the dialog by a new login. */
  onReconnect: () => void
}

/** The result of checking an account at its network, point by point, with what to do. */
export function CheckAccount({ account, onDone, onReconnect }: CheckProps) {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const readableProblem = useReadableProblem()
  const check = useCheckAccount()
  const { mutate, data, error, isPending } = check
  const ask = () => mutate({ path: { account_id: account.id } })
  const isRequested = useRef(false)
  useEffect(() => {
    if (isRequested.current) return
    isRequested.current = true
    mutate({ path: { account_id: account.id } })
  }, [mutate, account.id])
  const results = data?.map(({ result }) => result) ?? []
  const sum = results.includes('broken') ? 'notAll' : results.includes('unsure') ? 'notSure' : 'allFine'
  const needsLogin = !isPending && data?.some(({ error: wrong }) => wrong && byLogin.includes(wrong.code))
  return (
    <div className="stack">
      <div aria-live="polite" aria-busy={isPending}>
        {isPending || (!data && !error) ? (
          <>
            <p className="fine-print">{t('socialAccounts:check.asking', { network: channelName(account.kind) })}</p>
            <RowSkeletons rows={3} />
          </>
        ) : error ? (
          <Failure title={t('socialAccounts:check.failed')} problem={error} onRetry={ask} />
        ) : (
          <>
            <p>{t(`socialAccounts:check.${sum}`)}</p>
            <ul className="checks plain-list">
              {data.map(({ point, result, error: wrong }) => (
                <li key={point} className="check-point">
                  <div className="grow two-lines">
                    <b>{t(`socialAccounts:check.point.${point}`)}</b>
                    {wrong && (
                      <small>
                        <ProblemText problem={readableProblem(wrong)} />
                      </small>
                    )}
                  </div>
                  <StatusBadge status={looks[result]} label={t(`socialAccounts:check.result.${result}`)} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" leftSection={<IconRefresh size={15} aria-hidden />} loading={isPending} onClick={ask}>
          {t('socialAccounts:check.again')}
        </Button>
        <Button variant={needsLogin ? 'default' : 'filled'} onClick={onDone} data-autofocus>
          {t('close')}
        </Button>
        {needsLogin && (
          <Button leftSection={<IconPlugConnected size={15} aria-hidden />} onClick={onReconnect}>
            {t('socialAccounts:reconnect')}
          </Button>
        )}
      </Group>
    </div>
  )
}
