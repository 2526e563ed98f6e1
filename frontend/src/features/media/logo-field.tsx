import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemText } from '@/components/use-problem-text'
import { imageQuery } from './api'
import { nameOf } from './image-text'
import { ImagePicker } from './image-picker'
import { Picture } from './picture'

interface LogoFieldProps {
  /** An image of the library. */
  value: string | null
  error?: string
  onChange: (imageId: string | null) => void
}

export function LogoField({ value, error, onChange }: LogoFieldProps) {
  const { t } = useTranslation()
  const textOf = useProblemText()
  const labelId = useId()
  const [picking, { open, close }] = useDisclosure()
  const logo = useQuery({ ...imageQuery(value ?? ''), enabled: value !== null })
  const shown = value ? logo.data : undefined
  const wrong = error ?? (value && logo.error ? textOf(logo.error) : undefined)
  return (
    <div className="card-field" role="group" aria-labelledby={labelId}>
      <div className="field-label" id={labelId}>
        {t('cards.logo')}
      </div>
      <div className="logo-row">
        <span className="logo-well">
          {shown ? <Picture key={shown.id} image={shown} /> : <IconPhoto size={20} stroke={1.5} aria-hidden />}
        </span>
        <span className="grow clip mid">{shown ? nameOf(t, shown) : t('cards.noLogo')}</span>
        <Button size="xs" variant="default" onClick={open}>
          {t(value ? 'cards.changeLogo' : 'cards.chooseLogo')}
        </Button>
        {value && (
          <Button size="xs" variant="subtle" onClick={() => onChange(null)}>
            {t('cards.removeLogo')}
          </Button>
        )}
      </div>
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      <ImagePicker
        opened={picking}
        title={t('cards.logoTitle')}
        onClose={close}
        onPick={({ id }) => {
          onChange(id)
          close()
        }}
      />
    </div>
  )
}
