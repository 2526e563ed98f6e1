import { Button, Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import { RemarkField, WritingPanel } from '@/components/writing-panel'
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
  /** Called with whether writing is in progress, and the whole text with the passage so far. */
  onShow: (busy: boolean, text: string | null) => void
  onMade: (writing: WritingOut) => void
  onClose: () => void
}

/** The panel that writes a passage again, with a remark on what to change. */
export default function PassagePanel({ passage, values, stored, onShow, onMade, onClose }: PassagePanelProps) {
  const { t } = useTranslation(['common', 'errors', 'writing'])
  const [remark, setRemark] = useState('')
  const [preparing, setPreparing] = useState(false)
  const writing = useWriting(onMade)
  const { atWork, rewrite } = writing
  const errors = rewrite.error ? fieldErrors(t, rewrite.error) : {}

  const newText = writing.writing?.text
  useEffect(() => {
    onShow(atWork, newText ? replacePassage(passage, newText) : null)
  }, [onShow, atWork, newText, passage])

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
    <WritingPanel title={t('writing:passageTitle')} onEscape={atWork ? writing.stop : onClose}>
      <blockquote className="writing-passage" aria-label={t('writing:selected')}>
        {passageText(passage)}
      </blockquote>
      <RemarkField
        label={t('writing:remark')}
        description={t('writing:remarkHint')}
        value={remark}
        error={errors.remark}
        disabled={atWork}
        autoFocus
        onChange={(next) => {
          setRemark(next)
          if (rewrite.isError) rewrite.reset()
        }}
        onStart={() => void start()}
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
    </WritingPanel>
  )
}
