import { useTranslation } from 'react-i18next'
import { useDemoWriter } from './use-demo-writer'

/** Who writes or draws here, and that a model may cost something. Empty until that is known. */
export function WriterNote({ image = false }: { image?: boolean }) {
  const { t } = useTranslation(['common', 'writing'])
  const isDemo = useDemoWriter()
  if (isDemo === undefined || (isDemo && image)) return null
  return t(isDemo ? 'writing:demoCost' : 'writing:cost')
}
