import { TextInput } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ComposedFileInSchema } from '@/api/schemas.gen'
import { imageQuery } from '@/features/posts/api'
import { carouselPath, pageToEdit } from '@/lib/carousels'
import type { ComposerForm } from './use-composer'

/** The alt texts of the images. Each begins with the alt text from the library. */
export function AltTexts({ form }: { form: ComposerForm }) {
  const { t } = useTranslation(['common', 'posts'])
  const { files } = form.values
  const images = useQueries({ queries: files.map(({ media_id }) => imageQuery(media_id)) })
  if (files.length === 0) return null
  const page = pageToEdit(
    files.map(({ media_id }, index) => ({ media_id, carousel: images[index]?.data?.carousel ?? null })),
  )
  return (
    <>
      <ul className="composer-alts">
        {files.map((file, index) => {
          const image = images[index]?.data
          return (
            <li key={file.media_id}>
              <span className="composer-thumb">{image && <img src={image.thumbnail_url} alt="" />}</span>
              <TextInput
                className="grow"
                label={files.length > 1 ? t('posts:composer.altOf', { number: index + 1 }) : t('posts:altText')}
                placeholder={t('posts:composer.altHint')}
                maxLength={ComposedFileInSchema.properties.alt.maxLength}
                {...form.getInputProps(`files.${index}.alt`)}
              />
            </li>
          )
        })}
      </ul>
      {page && (
        <Link className="link" to={carouselPath(page)}>
          {t('posts:editCarousel')}
        </Link>
      )}
    </>
  )
}
