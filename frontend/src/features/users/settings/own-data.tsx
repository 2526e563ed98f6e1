import { Button, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { FormErrors } from '@/components/form-errors'
import { FormSection } from '@/components/form-section'
import { lazyPart } from '@/components/lazy-part'
import { useProblemText } from '@/components/use-problem-text'
import { useLanguage } from '@/i18n/locale'
import { meQuery } from './api'
import { useExport } from './export'

const DeleteAccountDialog = lazyPart(async () => (await import('./delete-account-dialog')).DeleteAccountDialog)

const MEGABYTE = 1_000_000

const GOES = ['rows', 'runs', 'images', 'access', 'tokens'] as const
const STAYS = ['posts', 'people', 'sums'] as const

/** The export of all data, and the deletion of the account. */
export function OwnData() {
  const { t } = useTranslation(['common', 'settings'])
  const { data: me } = useQuery(meQuery)
  const [dialog, { open, close }] = useDisclosure()
  return (
    <div>
      <FormSection title={t('settings:exportTitle')} hint={t('settings:exportHint')}>
        <Export />
      </FormSection>
      <FormSection title={t('settings:deleteTitle')} hint={t('settings:deleteHint')}>
        <div className="fate">
          <div>
            <Title order={3}>{t('settings:goesTitle')}</Title>
            <ul>
              {GOES.map((kind) => (
                <li key={kind}>{t(`settings:goes.${kind}`)}</li>
              ))}
            </ul>
          </div>
          <div>
            <Title order={3}>{t('settings:staysTitle')}</Title>
            <ul>
              {STAYS.map((kind) => (
                <li key={kind}>{t(`settings:stays.${kind}`)}</li>
              ))}
            </ul>
          </div>
        </div>
        <div>
          <Button
            color="red"
            variant="outline"
            leftSection={<IconTrash size={15} aria-hidden />}
            disabled={!me}
            onClick={open}
          >
            {t('settings:deleteAction')}
          </Button>
        </div>
      </FormSection>
      {me && <DeleteAccountDialog email={me.email} opened={dialog} onClose={close} />}
    </div>
  )
}

function Export() {
  const { t } = useTranslation(['common', 'settings'])
  const textOf = useProblemText()
  const language = useLanguage()
  const { run, received, cancel } = useExport()
  const size = (received / MEGABYTE).toLocaleString(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <>
      <p className="dialog-text">{t('settings:exportText')}</p>
      <FormErrors message={run.error ? `${t('settings:exportFailed')} ${textOf(run.error)}` : undefined} />
      <div className="setting">
        <Button
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={run.isPending}
          onClick={() => run.mutate()}
        >
          {t('settings:exportStart')}
        </Button>
        {run.isPending && (
          <Button variant="default" onClick={cancel}>
            {t('cancel')}
          </Button>
        )}
        <span role="status" className="mid">
          {run.isPending && t('settings:exportCollecting')}
          {run.isSuccess && (
            <span className="note-line">
              <IconCheck size={15} aria-hidden /> {t('settings:exportDone', { name: run.data })}
            </span>
          )}
        </span>
        {/* outside of what is announced: it changes many times a second */}
        {run.isPending && received > 0 && <span className="mid num">{t('settings:exportReceived', { size })}</span>}
      </div>
    </>
  )
}
