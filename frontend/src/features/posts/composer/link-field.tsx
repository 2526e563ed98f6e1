import { Button } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelOut } from '@/api/types.gen'
import { keepFocus } from '@/lib/keep-focus'
import type { ComposerForm } from './use-composer'

const LinkFields = lazy(() => import('./link-fields'))
const BUTTON = 'composer-add-link'

interface LinkFieldProps {
  form: ComposerForm
  /** Where it goes. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
}

/** The address that the post leads to, or the way to one. */
export function LinkField(props: LinkFieldProps) {
  const { t } = useTranslation(['common', 'posts'])
  /** Asked for, but nothing is typed yet. */
  const [asked, setAsked] = useState(false)
  if (props.form.values.link || asked)
    return (
      <Suspense fallback={null}>
        <LinkFields
          {...props}
          onType={() => setAsked(true)}
          onRemove={() => {
            setAsked(false)
            keepFocus(() => document.getElementById(BUTTON))
          }}
        />
      </Suspense>
    )
  return (
    <div data-field="link">
      <Button id={BUTTON} size="compact-sm" variant="subtle" leftSection={<IconLink size={15} aria-hidden />} onClick={() => setAsked(true)}>
        {t('posts:composer.link.add')}
      </Button>
    </div>
  )
}
