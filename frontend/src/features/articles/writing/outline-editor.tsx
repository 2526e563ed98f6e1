import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { headingsOf, sectionsOf, swapped, withFurther, withHeading, without, sectionText } from './article-parts'

const LONGEST = 160 // characters, as a writer's headings are

interface OutlineEditorProps {
  /** The article's text with these headings. */
  content: string
  disabled: boolean
  onChange: (content: string) => void
  /** Called with the text without a section; the caller offers an undo. */
  onRemove: (content: string) => void
}

/** The editor of an article's headings: rename, reorder, remove, add. The text below a heading moves with it. */
export function OutlineEditor({ content, disabled, onChange, onRemove }: OutlineEditorProps) {
  const { t } = useTranslation(['common', 'articles'])
  const list = useRef<HTMLOListElement>(null)
  const [further, setFurther] = useState('')
  const name = useId()
  const headings = headingsOf(content)
  const sections = sectionsOf(content)
  // once the new order is drawn
  const focus = (row: number, which: string) =>
    requestAnimationFrame(() => {
      const place = list.current?.children[row]
      const able = place?.querySelector<HTMLElement>(`${which}:not(:disabled)`) ?? place?.querySelector<HTMLElement>('input')
      able?.focus()
    })
  const move = (number: number, by: -1 | 1) => {
    onChange(swapped(content, by < 0 ? number - 1 : number))
    focus(number + by, by < 0 ? '[data-up]' : '[data-down]')
  }
  const add = () => {
    if (further.trim() === '') return
    onChange(withFurther(content, further.trim()))
    setFurther('')
  }
  return (
    <div className="outline">
      <ol ref={list} aria-label={t('articles:writer.headings')}>
        {sections.map((section, number) => (
          <li key={number}>
            <TextInput
              className="grow"
              size="xs"
              aria-label={t('articles:writer.heading', { number: number + 1 })}
              maxLength={LONGEST}
              value={section.heading}
              disabled={disabled}
              onChange={(event) => onChange(withHeading(content, number, event.currentTarget.value))}
            />
            <ActionIcon
              data-up
              size={28}
              disabled={disabled || number === 0}
              aria-label={t('articles:writer.up', { heading: headings[number] ?? '' })}
              onClick={() => move(number, -1)}
            >
              <IconArrowUp size={15} aria-hidden />
            </ActionIcon>
            <ActionIcon
              data-down
              size={28}
              disabled={disabled || number === sections.length - 1}
              aria-label={t('articles:writer.down', { heading: headings[number] ?? '' })}
              onClick={() => move(number, 1)}
            >
              <IconArrowDown size={15} aria-hidden />
            </ActionIcon>
            <ActionIcon
              size={28}
              disabled={disabled}
              aria-label={t('articles:writer.remove', { heading: headings[number] ?? '' })}
              onClick={() => {
                const next = without(content, number)
                if (sectionText(content, section)) onRemove(next)
                else onChange(next)
                focus(Math.min(number, sections.length - 2), 'input')
              }}
            >
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <div className="outline-more">
        <TextInput
          id={name}
          className="grow"
          size="xs"
          aria-label={t('articles:writer.further')}
          placeholder={t('articles:writer.further')}
          maxLength={LONGEST}
          value={further}
          disabled={disabled}
          onChange={(event) => setFurther(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') add()
          }}
        />
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} aria-hidden />} disabled={disabled || further.trim() === ''} onClick={add}>
          {t('articles:writer.add')}
        </Button>
      </div>
    </div>
  )
}
