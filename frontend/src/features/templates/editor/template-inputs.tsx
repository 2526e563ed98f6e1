import { UnstyledButton } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TemplateCheckOut } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { problemText } from '@/lib/problems'
import { isFilledIn, keyOf } from '@/lib/template-segments'

interface TemplateInputsProps {
  /** Undefined until the first response. */
  check: TemplateCheckOut | undefined
  failed: boolean
  onShow: (name: string) => void
}

/** The variables as inputs, and the values that an assistant needs. */
export function TemplateInputs({ check, failed, onShow }: TemplateInputsProps) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const variables = check?.variables ?? []
  const ready = check && check.errors.length === 0 && check.needs.length === 0
  return (
    <Panel
      title={t('templates:inputs')}
      aside={check && <span className="num">{t('templates:inputsCount', { count: variables.length })}</span>}
    >
      {check && variables.length === 0 && <p className="inputs-none">{t('templates:noInputs')}</p>}
      <ul className="inputs">
        {variables.map((name) => (
          <li key={name}>
            <UnstyledButton
              className="var"
              data-own={!isFilledIn(name) || undefined}
              aria-label={t('templates:showInput', { name })}
              onClick={() => onShow(name)}
            >
              {name}
            </UnstyledButton>
            <span className="dim grow">{t(meaningOf(name))}</span>
          </li>
        ))}
      </ul>
      <div role="status">
        {check?.needs.map((need) => (
          <p key={need.code} className="note" data-tone="warn">
            <IconInfoCircle size={16} aria-hidden /> {problemText(t, need)}
          </p>
        ))}
        {ready && variables.length > 0 && (
          <p className="note" data-tone="good">
            <IconCheck size={16} aria-hidden /> {t('templates:readyForAssistant')}
          </p>
        )}
        {failed && (
          <p className="note" data-tone="warn">
            <IconAlertCircle size={16} aria-hidden /> {t('templates:checkFailed')}
          </p>
        )}
      </div>
    </Panel>
  )
}

const meanings = {
  topic: 'templates:meanings.topic',
  content: 'templates:meanings.content',
  'topic path': 'templates:meanings.topicPath',
  language: 'templates:meanings.language',
  date: 'templates:meanings.date',
  channel: 'templates:meanings.channel',
  'brand voice': 'templates:meanings.brandVoice',
  link: 'templates:meanings.link',
} as const

/** Return what an assistant fills in for a variable. */
const meaningOf = (name: string) =>
  isFilledIn(name) ? (meanings[keyOf(name) as keyof typeof meanings] ?? 'templates:reserved') : 'templates:own'
