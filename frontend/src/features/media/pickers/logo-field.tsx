import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '@/components/lazy-part'
import { useProblemText } from '@/components/use-problem-text'
import { imageQuery } from '@/features/media/api'
import { nameOf } from '@/features/media/image-text'
import { Picture } from '@/features/media/picture'

const ImagePicker = lazyPart(
  async () => (await import('./image-picker')).ImagePicker,
)

/** The maximum ratio of the long side to the short one; beyond it a card shows hardly more than a line. */
const THIN = 8

interface LogoFieldProps {
  /** The id of an image of the library. */
  value: string | null
  error?: ReactNode
  onChange: (imageId: string | null) => void
}

export function LogoField({ value, error, onChange }: LogoFieldProps) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  const textOf = useProblemText()
  const labelId = useId()
  const [picking, { open, close }] = useDisclosure()
  const logo = useQuery({ ...imageQuery(value ?? ''), enabled: value !== null })
  const shown = value ? logo.data : undefined
  const problem = value ? logo.error : null
  // the server keeps an image as long as it is used
  const deleted = problem?.code === 'not_found'
  const ratio = shown ? Math.max(shown.width / shown.height, shown.height / shown.width) : 1
  const wrong = error ?? (problem && !deleted ? textOf(problem) : undefined)
  return (
    <div className="card-field" role="group" aria-labelledby={labelId}>
      <div className="field-label" id={labelId}>
        {t('cards:logo')}
      </div>
      <div className="logo-row">
        <span className="logo-well">
          {shown ? <Picture key={shown.id} image={shown} /> : <IconPhoto size={20} stroke={1.5} aria-hidden />}
        </span>
        <div className="logo-text">
          <span className="clip mid">
            {!value && t('cards:noLogo')}
            {shown ? nameOf(t, shown) : deleted && t('cards:deletedLogo')}
          </span>
          <span>
            <Button size="xs" variant="default" onClick={open}>
              {t(value ? 'cards:changeLogo' : 'cards:chooseLogo')}
            </Button>
            {value && (
              <Button size="xs" variant="subtle" onClick={() => onChange(null)}>
                {t('cards:removeLogo')}
              </Button>
            )}
          </span>
        </div>
      </div>
      {ratio > THIN && !wrong && <p className="card-hint">{t('cards:logoThin', { ratio: Math.round(ratio) })}</p>}
      {deleted && !wrong && <p className="card-hint">{t('cards:logoKept')}</p>}
      {wrong && (
        <p className="field-error" role="alert">
          {wrong}
        </p>
      )}
      <ImagePicker
        opened={picking}
        title={t('cards:logoTitle')}
        onClose={close}
        onPick={({ id }) => {
          onChange(id)
          close()
        }}
      />
    </div>
  )
}
