import { useTranslation } from 'react-i18next'
import { useLeaveQuestion } from './use-leave-question'

/** Asks before a page is left whose uploads run. */
export function UploadsQuestion({ busy }: { busy: boolean }) {
  const { t } = useTranslation(['common', 'media'])
  useLeaveQuestion(busy, {
    title: t('media:leaveTitle'),
    text: t('media:leaveText'),
    action: t('media:leaveAction'),
  })
  return null
}
