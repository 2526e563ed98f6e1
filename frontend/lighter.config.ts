import type { Plugin } from 'vite'

/** Modules of React Router that its `createBrowserRouter` and its `Link` are in. */
const IN_USE = /[\\/]react-router[\\/]dist[\\/]production[\\/]lib[\\/](?:components|dom[\\/]lib|router[\\/]router)\.js$/

/** What they import and this app has no use for, as it is where nobody uses it. */
const UNUSED = new Map([
  [
    'instrumentation.js', // looks at what loaders do
    `export const consumeInstrumentationClientResultMetaReceiver = () => undefined
    export const getRouteInstrumentationUpdates = () => ({})
    export const instrumentClientSideRouter = (router) => router`,
  ],
  [
    'ssr/components.js', // pages that a server renders
    `import { createContext } from 'react'
    export const FrameworkContext = createContext(undefined)
    export const usePrefetchBehavior = () => [false, null, {}]
    export const mergeRefs = (ref) => ref
    export const PrefetchPageLinks = () => null`,
  ],
])

/** In the same file of the build as React Router, which begins with them: in another one each would wait for the other. */
const PLACE = '\0node_modules/react-router/'

/** Leaves out of React Router what is of no use here: 3 KB of every first load. */
export function lighterRouter(): Plugin {
  const left = new Set(UNUSED.keys())
  return {
    name: 'lighter-router',
    apply: 'build',
    enforce: 'pre',
    resolveId(source, importer = '') {
      if (!IN_USE.test(importer)) return null
      const name = [...UNUSED.keys()].find((ending) => source.endsWith(`/${ending}`))
      if (!name) return null
      left.delete(name)
      return PLACE + name
    },
    load(id) {
      const code = id.startsWith(PLACE) ? UNUSED.get(id.slice(PLACE.length)) : undefined
      return code === undefined ? null : { code, moduleSideEffects: false }
    },
    buildEnd(error) {
      // another version may have it elsewhere: all of it would be back, and nobody would notice
      if (!error && left.size > 0) this.error(`react-router imports no ${[...left].join(', ')}`)
    },
  }
}

const COMPONENT = /[\\/]@mantine[\\/]core[\\/]esm[\\/]components[\\/](\w+)[\\/]\1\.mjs$/
const OWN = /[\\/]src[\\/].+\.tsx?$/

/** Components that hang on others and are either not used, or imported by their own names, such as `CheckboxGroup`. */
const HANGING = [
  'ActionIcon.Group',
  'ActionIcon.GroupSection',
  'Avatar.Group',
  'Button.Group',
  'Button.GroupSection',
  'Checkbox.Card',
  'Checkbox.Group',
  'Checkbox.Indicator',
  'Progress.Label',
  'Switch.Group',
]

/** Leaves out of Mantine's components those that hang on them: who draws a button brought what groups buttons. */
export function lighterComponents(): Plugin {
  const uses = new RegExp(`\\b(?:${HANGING.map((name) => name.replace('.', '\\.')).join('|')})\\b`)
  const left = new Set(HANGING)
  return {
    name: 'lighter-components',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (OWN.test(id)) {
        const used = uses.exec(code)?.[0]
        if (used) this.error(`${used} is not built in: import ${used.replace('.', '')} instead`)
      }
      const component = COMPONENT.exec(id)?.[1] ?? ''
      const names = HANGING.filter((name) => name.startsWith(`${component}.`))
      if (names.length === 0) return null
      for (const name of names) left.delete(name)
      const kept = code.split('\n').filter((line) => !names.some((name) => line.startsWith(`${name} = `)))
      return { code: kept.join('\n'), map: null }
    },
    buildEnd(error) {
      if (!error && left.size > 0) this.error(`Mantine has no ${[...left].join(', ')}`)
    },
  }
}
