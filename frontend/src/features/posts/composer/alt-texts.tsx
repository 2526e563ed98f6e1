import { TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ComposedFileInSchema } from '@/api/schemas.gen'
import { lazyPart } from '@/components/lazy-part'
import { carouselPath, pageToEdit } from '@/lib/carousels'
import type { FileFieldsProps } from './file-fields'

const FileFields = lazyPart(async () => (await import('./file-fields')).FileFields)
const AsDocument = lazyPart(async () => (await import('./as-document')).AsDocument)
const SentNotes = lazyPart(async () => (await import('./sent-notes')).SentNotes)

type AltTextsProps = Omit<FileFieldsProps, 'file' | 'index'> & {
  /** The loaded files of the post. */
  files: readonly FileFieldsProps['file'][]
  /** Absent for a post that the server does not have yet, or that can't be changed any more. */
  postId?: string | undefined
}

/** What is typed for each file: the alt texts of images, and the fields of documents and videos. */
export function AltTexts({ files, postId, ...props }: AltTextsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { form, accounts, channels } = props
  const all = form.values.files
  if (all.length === 0) return null
  const page = pageToEdit(files)
  return (
    <>
      <ul className="composer-alts">
        {all.map(({ media_id }, index) => {
          const file = files.find((loaded) => loaded.media_id === media_id)
          if (file && file.kind !== 'image') return <FileFields key={media_id} file={file} index={index} {...props} />
          return (
            <li key={media_id}>
              <span className="composer-thumb">{file && <img src={file.thumbnail_url} alt="" />}</span>
              <TextInput
                className="grow"
                label={all.length > 1 ? t('posts:composer.altOf', { number: index + 1 }) : t('posts:altText')}
                placeholder={t('posts:composer.altHint')}
                maxLength={ComposedFileInSchema.properties.alt.maxLength}
                data-field={`files.${index}`}
                {...form.getInputProps(`files.${index}.alt`)}
                error={form.errors[`files.${index}.alt`] ?? form.errors[`files.${index}`]}
              />
            </li>
          )
        })}
      </ul>
      <AsDocument form={form} files={files} accounts={accounts} channels={channels} />
      <SentNotes files={files} accounts={accounts} channels={channels} />
      {page && (
        <Link className="link" to={carouselPath(page, postId)}>
          {t('posts:editCarousel')}
        </Link>
      )}
    </>
  )
}
