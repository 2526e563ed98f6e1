import { Button, Input, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPhoto } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, type ReactNode, type RefCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { FeaturedInSchema } from '@/api/schemas.gen'
import type { ArticleOut } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { keepFocus } from '@/lib/keep-focus'
import { imageQuery } from '@/features/articles/api'
import type { GalleryParts } from './article-text'
import type { Values } from './article-values'

interface FeaturedImageProps {
  value: Values['featured']
  /** The image of the saved article, which keeps images that are deleted from the gallery. */
  saved: ArticleOut['featured'] | undefined
  error: ReactNode
  onChange: (featured: Values['featured']) => void
  Picker: GalleryParts['Picker']
  /** Where the writer's tools are rendered. */
  writing: RefCallback<HTMLElement>
}

/** The featured image and its alt text. */
export function FeaturedImage({ value, saved, error, onChange, Picker, writing }: FeaturedImageProps) {
  const { t } = useTranslation(['common', 'articles'])
  const [picking, { open, close }] = useDisclosure()
  const choose = useRef<HTMLButtonElement>(null)
  const image = useQuery({ ...imageQuery(value?.media_id ?? ''), enabled: value !== null })
  const address = image.data?.url ?? (saved && saved.media_id === value?.media_id ? saved.url : undefined)
  return (
    <Panel title={t('articles:editor.featured')}>
      <div className="stack" data-field="featured">
        <p className="fine-print">{t('articles:editor.featuredHint')}</p>
        {value && (
          <>
            <span className="article-featured">
              {address ? <img src={address} alt="" /> : <IconPhoto size={22} stroke={1.6} aria-hidden />}
            </span>
            <TextInput
              label={t('articles:editor.altText')}
              placeholder={image.data?.alt || t('articles:editor.altHint')}
              maxLength={FeaturedInSchema.properties.alt.maxLength}
              value={value.alt}
              onChange={(event) => onChange({ ...value, alt: event.currentTarget.value })}
            />
          </>
        )}
        {error && <Input.Error role="alert">{error}</Input.Error>}
        <div className="buttons">
          <Button ref={choose} size="xs" variant="default" aria-haspopup="dialog" leftSection={<IconPhoto size={15} aria-hidden />} onClick={open}>
            {t(value ? 'articles:editor.changeImage' : 'articles:editor.chooseImage')}
          </Button>
          {value && (
            <Button
              size="xs"
              variant="subtle"
              onClick={() => {
                onChange(null)
                keepFocus(() => choose.current)
              }}
            >
              {t('articles:editor.takeImage')}
            </Button>
          )}
        </div>
        <div className="article-at-field" ref={writing} />
        <Picker
          opened={picking}
          title={t('articles:editor.chooseImage')}
          onClose={close}
          onPick={({ id, alt }) => {
            onChange({ media_id: id, alt: value?.media_id === id ? value.alt : alt })
            close()
          }}
        />
      </div>
    </Panel>
  )
}
