import { Menu } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { passageOf } from '@/lib/passage'
import { bodyPassage, sectionAt, sectionsOf } from './article-parts'
import type { Values } from '@/features/articles/editor/article-values'
import type { Target } from './part-again'
import type { Caret } from '@/features/articles/editor/text-handle'

interface AgainMenuProps {
  values: Pick<Values, 'title' | 'content' | 'summary' | 'seo_title' | 'seo_description'>
  /** Return the selection in the text when the menu opens. */
  selection: () => Caret
  onChoose: (target: Target) => void
}

/** The menu of what can be written again: the selection, the section at the caret, and each part. */
export function AgainMenu({ values, selection, onChoose }: AgainMenuProps) {
  const { t } = useTranslation(['common', 'articles'])
  const [[start, end]] = useState(selection)
  const { content } = values
  const passage = passageOf(content, start, end)
  const number = sectionAt(content, start)
  const section = number === undefined ? undefined : sectionsOf(content)[number]
  const body = section && bodyPassage(content, section)
  const heading = section?.heading.trim()
  return (
    <>
      <Menu.Item disabled={!passage} onClick={() => passage && onChoose({ part: 'passage', passage })}>
        {t(passage ? 'articles:writer.choose.passage' : 'articles:writer.choose.noPassage')}
      </Menu.Item>
      <Menu.Item
        disabled={!body}
        onClick={() => body && onChoose({ part: 'passage', passage: { text: content, start: body[0], end: body[1] }, heading })}
      >
        {heading && body ? t('articles:writer.choose.section', { heading }) : t('articles:writer.choose.noSection')}
      </Menu.Item>
      <Menu.Item onClick={() => onChoose({ part: 'outline' })}>{t('articles:writer.choose.outline')}</Menu.Item>
      <Menu.Item disabled={content.trim() === ''} onClick={() => onChoose({ part: 'summary' })}>
        {t('articles:writer.choose.summary')}
      </Menu.Item>
      <Menu.Item disabled={content.trim() === ''} onClick={() => onChoose({ part: 'search' })}>
        {t('articles:writer.choose.search')}
      </Menu.Item>
      <Menu.Item disabled={content.trim() === ''} onClick={() => onChoose({ part: 'revision' })}>
        {t('articles:writer.choose.revision')}
      </Menu.Item>
    </>
  )
}
