import type { QueryClient } from '@tanstack/react-query'
import { createContext, RouterContextProvider } from 'react-router'

/** Provides the query client to loaders. */
export const queryClientContext = createContext<QueryClient>()

/** Return the context that the router passes to its loaders. */
export const routerContext = (queryClient: QueryClient) => new RouterContextProvider(new Map([[queryClientContext, queryClient]]))
