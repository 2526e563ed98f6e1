import 'i18next'
import type { en } from './en'
import type { parts } from './en-parts'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    returnNull: false
    // the parts that come later are found without their name (index.ts)
    resources: { translation: typeof en & typeof parts }
  }
}
