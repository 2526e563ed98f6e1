import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicPreviewOut } from '@/api/types.gen'
import { importPreviewQuery } from '@/features/topics/api'
import { lineProblems } from './import-lines'

const PREVIEW_PAUSE = 300 // ms without a keystroke before the preview

/** Return what the lines would make, by the server: a tree, or the problems of lines. */
export function useLinesPreview(text: string, name: string, isBranch: boolean) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const [debouncedText] = useDebouncedValue(text, PREVIEW_PAUSE)
  const [debouncedName] = useDebouncedValue(name, PREVIEW_PAUSE)
  const preview = useQuery({
    ...importPreviewQuery(debouncedName, debouncedText, isBranch),
    enabled: debouncedText.trim() !== '',
  })
  const isEmpty = text.trim() === ''
  const result = isEmpty ? undefined : preview.data
  // the name has a field of its own, which shows its problems
  const problems = lineProblems(t, result?.errors.filter((error) => error.field !== 'name') ?? [])
  const isCurrent = debouncedText === text && debouncedName === name && !preview.isPlaceholderData && preview.isSuccess

  // for invalid lines the server makes no tree, so the last one stays
  const [lastTree, setLastTree] = useState<TopicPreviewOut>()
  const tree = result && problems.length === 0 ? result : undefined
  if (tree && tree !== lastTree) setLastTree(tree)
  if (isEmpty && lastTree) setLastTree(undefined)
  return {
    problems,
    tree: tree ?? (isEmpty ? undefined : lastTree),
    /** Whether the tree is that of an earlier text. */
    isOldTree: !tree && problems.length > 0,
    isFailed: preview.isError,
    isReady: !isEmpty && isCurrent && problems.length === 0,
    total: result?.total ?? 0,
  }
}

export type LinesPreview = ReturnType<typeof useLinesPreview>
