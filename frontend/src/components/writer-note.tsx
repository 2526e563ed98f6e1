import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { readSystemOptions } from '@/api/@tanstack/react-query/health.gen'

/** Whether texts are written by the demo writer here, since no model is configured. Undefined until that is known. */
export const useDemoWriter = (): boolean | undefined => useQuery({ ...readSystemOptions(), staleTime: Infinity }).data?.writer.is_demo

/** Who writes or draws here, and that a model may cost something. Empty until that is known. */
export function WriterNote({ image = false }: { image?: boolean }) {
  const { t } = useTranslation(['common', 'writing'])
  const isDemo = useDemoWriter()
  if (isDemo === undefined || (isDemo && image)) return null
  return t(isDemo ? 'writing:demoCost' : 'writing:cost')
}
