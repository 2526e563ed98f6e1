import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'

/** A new version that is not applied yet. */
export function NewVersion({ writing: { text, outline, search }, language }: { writing: WritingOut; language: string }) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    // it scrolls, so the keyboard has to reach it
    <section className="writing-new" aria-label={t('articles:writer.newVersion')} lang={language} tabIndex={0}>
      {outline ? (
        <>
          <b>{outline.title}</b>
          <ol>
            {outline.headings.filter(Boolean).map((heading) => (
              <li key={heading}>{heading}</li>
            ))}
          </ol>
        </>
      ) : search ? (
        <>
          <b>{search.title}</b>
          <p>{search.description}</p>
        </>
      ) : (
        text.trim()
      )}
    </section>
  )
}
