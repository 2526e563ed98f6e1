import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TemplateCheckOut } from '@/api/types.gen'

/** The share of the limit from which a warning is shown. */
const NEAR = 0.8

interface PromptLengthProps {
  body: string
  /** The maximum of characters. */
  limit: number
  /** Undefined until the first response. */
  check: Pick<TemplateCheckOut, 'longest' | 'limit'> | undefined
}

/** The length of the text, and the maximum length of its prompt in a run. */
export function PromptLength({ body, limit, check }: PromptLengthProps) {
  const { t } = useTranslation(['common', 'templates'])
  const near = check && check.longest > check.limit * NEAR
  return (
    <div className="code-length">
      <span className="num">
        {t('templates:bodyLength', { length: [...body].length, limit })}
        {check && `\u00a0· ${t('templates:promptLength', check)}`}
      </span>
      <div role="status">
        {near && (
          <p className="note" data-tone="warn">
            <IconInfoCircle size={16} aria-hidden />
            {t(check.longest > check.limit ? 'templates:promptOver' : 'templates:promptNear', check)}
          </p>
        )}
      </div>
    </div>
  )
}
