import { useQuery } from '@tanstack/react-query'
import { readSystemOptions } from '@/api/@tanstack/react-query.gen'

/** Return whether the demo writer writes texts, because no model is configured. Undefined until loaded. */
export const useDemoWriter = (): boolean | undefined => useQuery({ ...readSystemOptions(), staleTime: Infinity }).data?.writer.is_demo
