import { ActionIcon } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState, type ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { loadedLater } from '@/lib/loaded-later'

export const keysParts = loadedLater(() => import('./keys-help'))

export interface TreeHelpProps {
  opened: boolean
  onChange: (opened: boolean) => void
}

/** All keys of the tree: they come when the page stands, the button is there before. */
export function TreeHelp({ opened, onChange }: TreeHelpProps) {
  const { part, draw } = keysParts.useLoaded({ atOnce: true })
  const [focused, setFocused] = useState(false)
  const drawNow = useEffectEvent(draw)
  useEffect(() => {
    if (opened) drawNow()
  }, [opened])
  if (part) return <part.KeysHelp opened={opened} focused={focused} onChange={onChange} />
  return (
    <HelpButton
      aria-expanded={false}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onClick={() => onChange(!opened)}
    />
  )
}

export function HelpButton(props: Omit<ComponentProps<'button'>, 'color' | 'style'>) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <ActionIcon variant="subtle" color="gray" size={30} aria-label={t('topics:keys')} {...props}>
      <IconHelp size={17} aria-hidden />
    </ActionIcon>
  )
}
