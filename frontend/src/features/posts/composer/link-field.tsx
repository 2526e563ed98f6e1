import { Button } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelOut } from '@/api/types.gen'
import { keepFocus } from '@/lib/keep-focus'
import type { ComposerForm } from './use-composer'
import type { EditedFile } from './use-files'

const LinkFields = lazy(() => import('./link-fields'))
const BUTTON = 'composer-add-link'

interface LinkFieldProps {
  form: ComposerForm
  /** The accounts that the post goes to. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
  /** The loaded files of the post. */
  files: readonly EditedFile[]
}

/** The fields of the post's link, or the button that adds one. */
export function LinkField(props: LinkFieldProps) {
  const { t } = useTranslation(['common', 'posts'])
  /** Whether the fields are shown before anything is typed. */
  const [isAsked, setIsAsked] = useState(false)
  if (props.form.values.link || isAsked)
    return (
      <Suspense fallback={null}>
        <LinkFields
          {...props}
          onType={() => setIsAsked(true)}
          onRemove={() => {
            setIsAsked(false)
            keepFocus(() => document.getElementById(BUTTON))
          }}
        />
      </Suspense>
    )
  return (
    <div data-field="link">
      <Button id={BUTTON} size="compact-sm" variant="subtle" leftSection={<IconLink size={15} aria-hidden />} onClick={() => setIsAsked(true)}>
        {t('posts:composer.link.add')}
      </Button>
    </div>
  )
}
