import type { ParseKeysWithoutVariables } from 'i18next'

/** The columns of the list besides the post itself. They are chosen in the address: local storage holds nothing else. */
export const COLUMNS = ['planned', 'channels', 'accounts', 'tags', 'status', 'created', 'updated'] as const

export type ColumnKey = (typeof COLUMNS)[number]

export const columnNames = {
  planned: 'posts:planned',
  channels: 'posts:channels',
  accounts: 'posts:accounts',
  tags: 'posts:tags',
  status: 'posts:status',
  created: 'posts:created',
  updated: 'posts:updated',
} satisfies Record<ColumnKey, ParseKeysWithoutVariables<['common', 'posts']>>

const SHOWN_FIRST: readonly ColumnKey[] = ['planned', 'channels', 'tags', 'status']
const NONE = 'none'

export function readColumns(said: string): ColumnKey[] {
  if (!said) return [...SHOWN_FIRST]
  const words = said.split(',')
  return COLUMNS.filter((column) => words.includes(column))
}

/** As the address has them: those that are shown first need no word. */
export function columnsParameter(chosen: readonly ColumnKey[]): string | null {
  const text = COLUMNS.filter((column) => chosen.includes(column)).join(',') || NONE
  return text === SHOWN_FIRST.join(',') ? null : text
}
