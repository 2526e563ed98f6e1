import '@fontsource-variable/geist'
import '@fontsource-variable/geist-mono'
import '@fontsource-variable/schibsted-grotesk'
import './app/styles/mantine.css'
import './app/styles/colours.css'
import './app/styles/base.css'
import './app/styles/page.css'
import './app/styles/status.css'
import './app/styles/form.css'
import './app/styles/thread.css'
import './app/styles/states.css'
import './app/styles/public.css'
import i18n from 'i18next'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { Providers } from './app/providers'
import { createQueryClient } from './app/query-client'
import { routes } from './app/router'
import { startI18n } from './i18n'
import { namespaces } from './i18n/files'
import { connectClient } from './lib/api-client'
import { routerContext } from './lib/router-context'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')

connectClient()
const queryClient = createQueryClient()
// first of all, since it asks for the page and for what that shows
const router = createBrowserRouter(routes, { getContext: () => routerContext(queryClient) })

function show(element: HTMLElement) {
  createRoot(element).render(
    <StrictMode>
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>,
  )
}

void startI18n().then(() => show(root))

// texts of what is opened later, such as dialogs
addEventListener('load', () => void i18n.loadNamespaces(namespaces))
