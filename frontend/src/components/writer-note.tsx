import { useTranslation } from 'react-i18next'
import { useDemoWriter } from './use-demo-writer'

/** Says which writer is used, and that a model may cost money. Empty until loaded. */
export function WriterNote({ image = false }: { image?: boolean }) {
  const { t } = useTranslation(['common', 'writing'])
  const isDemo = useDemoWriter()
  if (isDemo === undefined || (isDemo && image)) return null
  return t(isDemo ? 'writing:demoCost' : 'writing:cost')
}
