import type { QueryClient } from '@tanstack/react-query'
import { createContext, RouterContextProvider } from 'react-router'

/** Where loaders find the query client. */
export const queryClientContext = createContext<QueryClient>()

/** Return what the router hands to its loaders. */
export const routerContext = (queryClient: QueryClient) => new RouterContextProvider(new Map([[queryClientContext, queryClient]]))
