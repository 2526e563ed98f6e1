import { useQuery } from '@tanstack/react-query'
import { readSystemOptions } from '@/api/@tanstack/react-query.gen'

/** Whether texts are written by the demo writer here, since no model is configured. Undefined until that is known. */
export const useDemoWriter = (): boolean | undefined => useQuery({ ...readSystemOptions(), staleTime: Infinity }).data?.writer.is_demo
