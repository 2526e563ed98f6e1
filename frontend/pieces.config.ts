import type { ESTree, Plugin } from 'vite'

/** Our own code; texts are looked up by their names as a whole. */
const OWN = /\/src\/(?!i18n\/texts\/).+\.tsx?$/
const PIECE = '?piece='

interface Statement {
  code: string
  /** What it declares. */
  names: string[]
  exported: boolean
  /** All names in it, those of properties, too: one too many only has nothing made of it. */
  mentions: Set<string>
}

/** By the name that something has here, how the list between the braces says it. */
interface Imported {
  from: string
  names: Map<string, string>
}

interface Contents {
  imports: Imported[]
  statements: Statement[]
  /** Those that only hand on what another module has. */
  handedOn: string[]
}

function mentionedIn(node: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(node)) for (const one of node) mentionedIn(one, found)
  else if (node && typeof node === 'object') {
    if ('type' in node && /^(JSX)?Identifier$/.test(String(node.type)) && 'name' in node) found.add(String(node.name))
    for (const value of Object.values(node)) mentionedIn(value, found)
  }
  return found
}

/** What it declares for good, one name for each; null where it does anything else. */
function declaredBy(node: ESTree.Node): string[] | null {
  if (node.type === 'FunctionDeclaration' || node.type === 'ClassDeclaration') return node.id ? [node.id.name] : null
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const') return null
  const names = node.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  return names.length === node.declarations.length ? names : null
}

const textOf = (name: ESTree.ModuleExportName) => (name.type === 'Literal' ? name.value : name.name)

/** Null where it brings all of a module, or what is there without being asked for, such as styles. */
function importedBy(node: ESTree.ImportDeclaration): Imported | null {
  const names = new Map<string, string>()
  for (const one of node.specifiers) {
    if (one.type === 'ImportNamespaceSpecifier') return null
    const name = one.type === 'ImportSpecifier' ? textOf(one.imported) : 'default'
    names.set(one.local.name, `${name} as ${one.local.name}`)
  }
  return names.size > 0 ? { from: node.source.value, names } : null
}

/** Null where a module does more than to declare: that happens as a whole. */
function contentsOf({ body }: ESTree.Program, code: string): Contents | null {
  const contents: Contents = { imports: [], statements: [], handedOn: [] }
  for (const node of body) {
    const text = code.slice(node.start, node.end)
    if (node.type === 'ImportDeclaration') {
      const imported = importedBy(node)
      if (!imported) return null
      contents.imports.push(imported)
    } else if (node.type === 'ExportNamedDeclaration' && node.source) contents.handedOn.push(text)
    else {
      const exported = node.type === 'ExportNamedDeclaration'
      const declaration = exported ? node.declaration : node
      const names = declaration && declaredBy(declaration)
      if (!names) return null
      contents.statements.push({ code: text, names, exported, mentions: mentionedIn(declaration) })
    }
  }
  return contents
}

const importOf = (names: string[], from: string) =>
  names.length > 0 ? `import { ${names.join(', ')} } from ${JSON.stringify(from)}` : ''

/** A module with one statement, what that needs of other modules, and of the others of its own. */
function pieceOf(statement: Statement, imports: Imported[], homes: Map<string, string>): string {
  const needed = ([name]: [string, string]) => statement.mentions.has(name) && !statement.names.includes(name)
  return [
    ...imports.map(({ from, names }) => importOf([...names].filter(needed).map(([, said]) => said), from)),
    ...[...homes].filter(needed).map(([name, home]) => importOf([name], home)),
    `${statement.exported ? '' : 'export '}${statement.code}`,
  ].join('\n')
}

/**
 * Builds each function and each constant as if it had a file of its own. A file that a page needs is in it with all that it
 * imports, and of the calls of a feature, or of the hooks beside each other, most pages need few.
 */
export function inPieces(): Plugin {
  const pieces = new Map<string, string>()
  return {
    name: 'in-pieces',
    apply: 'build',
    enforce: 'post',
    resolveId: (source) => (source.includes(PIECE) ? source : null),
    load(id) {
      const code = pieces.get(id)
      return code === undefined ? null : { code, moduleSideEffects: false }
    },
    transform(code, id) {
      if (!OWN.test(id)) return null
      const contents = contentsOf(this.parse(code), code)
      if (!contents) return null
      const { imports, statements, handedOn } = contents
      const homeOf = ({ names }: Statement) => `${id}${PIECE}${names[0]}`
      const homes = new Map(statements.flatMap((one) => one.names.map((name) => [name, homeOf(one)] as const)))
      for (const statement of statements) pieces.set(homeOf(statement), pieceOf(statement, imports, homes))
      const exported = statements.filter((one) => one.exported)
      const own = exported.map((one) => `export { ${one.names.join(', ')} } from ${JSON.stringify(homeOf(one))}`)
      return { code: [...handedOn, ...own].join('\n'), map: null, moduleSideEffects: false }
    },
  }
}
