import { defaultLanguage } from './languages'

type Texts = Record<string, unknown>

const files = import.meta.glob<Texts>('./*/*.json', { import: 'default' })

export const textFiles = {
  /** Return the texts of a namespace. Reject if they could not be loaded. */
  async load(language: string, namespace: string): Promise<Texts> {
    const load = files[`./${language}/${namespace}.json`]
    if (!load) throw new Error(`${language} has no namespace ${namespace}`)
    return load()
  },
}

/** All namespaces, which are the same in each language. */
export const namespaces = Object.keys(files).flatMap((path) => new RegExp(`/${defaultLanguage}/(.*)\\.json$`).exec(path)?.[1] ?? [])
