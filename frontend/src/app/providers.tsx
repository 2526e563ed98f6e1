import { createTheme, MantineProvider, mergeThemeOverrides } from '@mantine/core'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import { useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { theme } from './theme'

export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  const named = useNamedTheme()
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={named}
        defaultColorScheme="auto"
        env={import.meta.env.MODE === 'test' ? 'test' : 'default'} // without transitions, which jsdom can't run
      >
        {children}
      </MantineProvider>
    </QueryClientProvider>
  )
}

/** Return the theme with accessible names for buttons that have only an icon. */
function useNamedTheme() {
  const { t } = useTranslation()
  const close = t('close')
  const clear = t('clear')
  return useMemo(() => {
    const named = createTheme({
      components: {
        CloseButton: { defaultProps: { 'aria-label': close } },
        InputClearButton: { defaultProps: { 'aria-label': clear } },
      },
    })
    return mergeThemeOverrides(theme, named)
  }, [close, clear])
}
