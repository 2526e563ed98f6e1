import { Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ArticleFieldsInSchema } from '@/api/schemas.gen'
import type { ArticleForm } from './use-article'

/** The title of the article: one line of text, shown on as many lines as it needs. */
export function TitleField({ form, autoFocus }: { form: ArticleForm; autoFocus: boolean }) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    <Textarea
      data-field="title"
      className="article-title"
      autosize
      minRows={1}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault()
      }}
      label={t('articles:editor.titleField')}
      placeholder={t('articles:editor.titleHint')}
      maxLength={ArticleFieldsInSchema.properties.title.maxLength}
      lang={form.values.language}
      data-autofocus={autoFocus || undefined}
      {...form.getInputProps('title')}
      onChange={(event) => {
        form.setFieldValue('title', event.currentTarget.value.replace(/\s*[\r\n]+\s*/g, ' '))
        form.clearFieldError('title')
      }}
    />
  )
}
