import type { en } from './en'
import type { parts } from './en-parts'
import type { Language } from './languages'

/** As they stand in the files: groups of texts, and in them texts or groups again. */
export interface Texts {
  readonly [name: string]: string | Texts
}

type Form = '_zero' | '_one' | '_other'
type WithoutForm<Name extends string> = Name extends `${infer Counted}${Form}` ? Counted : Name
type NamesIn<Group> = {
  [Name in keyof Group & (string | number)]: Group[Name] extends string ? WithoutForm<`${Name}`> : `${Name}.${NamesIn<Group[Name]>}`
}[keyof Group & (string | number)]

/** Where a text stands, such as `common.save`; what counts is named without its form. */
export type TextName = NamesIn<typeof en & typeof parts>

export interface Values {
  /** Chooses the form: none (where the text has that), one, or other. */
  count?: unknown
  /** Said where no text has the name. */
  defaultValue?: string
  [name: string]: unknown
}

/** The text of this name in the language of the interface, or of the first of these names that has one. */
export type TFunction = (name: TextName | readonly TextName[], values?: Values) => string

const SLOT = /\{\{(\w+)(, number)?\}\}/g

function textAt(texts: Texts, name: string): string | undefined {
  let found: string | Texts | undefined = texts
  for (const step of name.split('.')) found = typeof found === 'object' ? found[step] : undefined
  return typeof found === 'string' ? found : undefined
}

/**
 * What the texts of one language say. `texts` is asked each time, since parts come later; a text that is missing is
 * told by its name.
 */
export function createTranslation(language: Language, texts: () => Texts) {
  // made when it is first asked for: the browser takes milliseconds for each
  let numbers: Intl.NumberFormat | undefined
  let plurals: Intl.PluralRules | undefined

  /** A text in the form for the count, with the places for values as they are. */
  const pattern = (names: string | readonly string[], { count, defaultValue }: Values = {}): string => {
    const all = texts()
    const forms = typeof count === 'number' ? [(plurals ??= new Intl.PluralRules(language)).select(count)] : []
    const endings = [...(count === 0 ? ['_zero'] : []), ...forms.map((form) => `_${form}`), '']
    const wanted = typeof names === 'string' ? [names] : names
    for (const name of wanted)
      for (const ending of endings) {
        const text = textAt(all, name + ending)
        if (text !== undefined) return text
      }
    return defaultValue ?? wanted.at(-1) ?? ''
  }

  /** Puts the values in. What people wrote is never read for places of its own. */
  const fill = (text: string, values: Values = {}): string =>
    text.replace(SLOT, (_, name: string, asNumber?: string) => {
      const value = values[name] ?? ''
      if (asNumber) return (numbers ??= new Intl.NumberFormat(language)).format(Number(value))
      return typeof value === 'string' ? value : JSON.stringify(value)
    })

  const t: TFunction = (names, values) => fill(pattern(names, values), values)
  return { language, t, pattern, fill }
}

export type Translation = ReturnType<typeof createTranslation>
