import 'i18next'
import type { en } from './en'
import type { planning } from './en-planning'
import type { users } from './en-users'
import type { notifications } from './texts/notifications.en'
import type { privacy } from './texts/privacy.en'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    returnNull: false
    // the parts that come later are found without their name (index.ts)
    resources: {
      translation: typeof en &
        typeof users &
        typeof planning & { notifications: typeof notifications; privacy: typeof privacy }
    }
  }
}
