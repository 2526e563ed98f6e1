import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TemplateCheckOut } from '@/api/types.gen'

/** From which part of the limit on a warning is worth its place. */
const NEAR = 0.8

interface PromptLengthProps {
  body: string
  /** Characters that the body may have. */
  limit: number
  /** Missing until the first answer. */
  check: Pick<TemplateCheckOut, 'longest' | 'limit'> | undefined
}

/** How long the text is, and how long the prompt can get that a run makes of it. */
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
