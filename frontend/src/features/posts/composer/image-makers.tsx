import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCards, IconSparkles } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import '@/components/writing.css'
import type { MadeImage } from './use-post-images'
import type { Values } from './composer-values'

const TemplatePanel = lazy(() => import('@/components/template-panel'))
const CardPanel = lazy(() => import('./card-panel'))

interface ImageMakersProps {
  values: () => Values
  stored: () => Promise<string | undefined>
  /** Whether the post has the maximum number of images. */
  full: boolean
  onMade: (images: readonly MadeImage[]) => void
}

/** Images that are made for the post: by an image template, or as a card. */
export function ImageMakers({ values, stored, full, onMade }: ImageMakersProps) {
  const { t } = useTranslation(['common', 'writing'])
  const [panel, setPanel] = useState<'template' | 'card'>()
  const [busy, setBusy] = useState(false)
  const opener = useRef<HTMLDivElement>(null)
  const onShow = useCallback((atWork: boolean) => setBusy(atWork), [])
  const close = () => {
    setPanel(undefined)
    setBusy(false)
    opener.current?.querySelector('button')?.focus()
  }
  const add = (images: MadeImage[]) => {
    onMade(images)
    close()
    notifications.show({ message: t('writing:doneImages', { count: images.length }) })
  }
  const take = ({ state, media_id, alt, pages = [] }: WritingOut) => {
    if (state === 'cancelled') notifications.show({ message: t('writing:stoppedEmpty') })
    if (state !== 'succeeded' || !media_id) return
    add(pages.length > 0 ? pages.map((page) => ({ media_id: page.media_id, alt: page.alt })) : [{ media_id, alt }])
  }
  return (
    <div className="writing-images">
      <div className="writing-tools" ref={opener}>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconSparkles size={14} aria-hidden />}
          aria-expanded={panel === 'template'}
          disabled={busy || full}
          onClick={() => setPanel('template')}
        >
          {t('writing:openImage')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconCards size={14} aria-hidden />}
          aria-expanded={panel === 'card'}
          disabled={busy || full}
          onClick={() => setPanel('card')}
        >
          {t('writing:openCard')}
        </Button>
      </div>
      {panel && (
        <Suspense fallback={null}>
          {panel === 'template' ? (
            <TemplatePanel type="image" values={values} stored={stored} onShow={onShow} onMade={take} onClose={close} />
          ) : (
            <CardPanel content={values().content} onMade={(media_id, alt) => add([{ media_id, alt }])} onClose={close} />
          )}
        </Suspense>
      )}
    </div>
  )
}
