import { Button, Group, Textarea } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PassageInSchema } from '@/api/schemas.gen'
import type { WritingOut } from '@/api/types.gen'
import { fieldErrors } from '@/lib/problems'
import type { Values } from './composer-values'
import { replacePassage, passageText, type Passage } from '@/lib/passage'
import { useWriting } from '@/components/use-writing'
import { WriterNote } from '@/components/writer-note'
import { WritingState } from '@/components/writing-state'


interface PassagePanelProps {
  passage: Passage
  values: () => Values
  stored: () => Promise<string | undefined>
  /** Whether it is on its way, and the whole text with what has come of it. */
  onShow: (busy: boolean, text: string | null) => void
  onMade: (made: WritingOut) => void
  onClose: () => void
}

/** What should be another in a passage, which then is written anew. */
export default function PassagePanel({ passage, values, stored, onShow, onMade, onClose }: PassagePanelProps) {
  const { t } = useTranslation(['common', 'errors', 'writing'])
  const title = useId()
  const [remark, setRemark] = useState('')
  const [preparing, setPreparing] = useState(false)
  const writing = useWriting(onMade)
  const { atWork, rewrite } = writing
  const errors = rewrite.error ? fieldErrors(t, rewrite.error) : {}

  const coming = writing.writing?.text
  useEffect(() => {
    onShow(atWork, coming ? replacePassage(passage, coming) : null)
  }, [onShow, atWork, coming, passage])

  async function start() {
    if (atWork || preparing || remark.trim() === '') return
    writing.reset()
    setPreparing(true)
    const postId = await stored().finally(() => setPreparing(false))
    if (!postId) return
    const { language, account_ids } = values()
    rewrite.mutate({ path: { post_id: postId }, body: { ...passage, remark: remark.trim(), language, account_ids } })
  }

  return (
    <section
      className="writing-panel"
      role="group"
      aria-labelledby={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          if (atWork) writing.stop()
          else onClose()
        }
      }}
    >
      <h3 id={title}>{t('writing:passageTitle')}</h3>
      <blockquote className="writing-passage" aria-label={t('writing:selected')}>
        {passageText(passage)}
      </blockquote>
      <Textarea
        label={t('writing:remark')}
        description={t('writing:remarkHint')}
        value={remark}
        error={errors.remark}
        maxLength={PassageInSchema.properties.remark.maxLength}
        autosize
        minRows={2}
        maxRows={6}
        disabled={atWork}
        autoFocus
        onChange={(event) => {
          setRemark(event.currentTarget.value)
          if (rewrite.isError) rewrite.reset()
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.stopPropagation()
          void start()
        }}
      />
      <WritingState writing={writing} problem={errors.remark ? null : rewrite.error} />
      {!atWork && (
        <Group gap="sm">
          <Button disabled={remark.trim() === ''} loading={preparing} onClick={() => void start()}>
            {t('writing:startPassage')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          <span className="writing-cost">
            <WriterNote />
          </span>
        </Group>
      )}
    </section>
  )
}
