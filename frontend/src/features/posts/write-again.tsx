import { Button, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writePostAgainMutation } from '@/api/@tanstack/react-query.gen'
import { WriteAgainInSchema } from '@/api/schemas.gen'
import type { PostOut } from '@/api/types.gen'
import { ProblemText } from '@/components/problem-text'
import { openDialog } from '@/lib/dialogs'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { useRefetchPosts } from '@/lib/refetch-posts'

type Shown = Pick<PostOut, 'id' | 'content_hash'>

/** Return a function that asks what to change and then has the text written again. */
export function useWriteAgain(onAsked?: () => void) {
  const { t } = useTranslation(['common', 'posts'])
  return (post: Shown) => {
    openDialog((close, isTyped) => ({
      title: t('posts:again.title'),
      children: <WriteAgain post={post} onAsked={onAsked} onTyped={isTyped} onDone={close} />,
    }))
  }
}

interface WriteAgainProps {
  post: Shown
  onAsked: (() => void) | undefined
  onTyped: (typed: boolean) => void
  onDone: () => void
}

function WriteAgain({ post, onAsked, onTyped, onDone }: WriteAgainProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [remark, setRemark] = useState('')
  const refetch = useRefetchPosts()
  const ask = useMutation({
    ...writePostAgainMutation(),
    onSuccess: ({ confirmed }) => {
      onDone()
      onAsked?.()
      notifications.show({ message: t(confirmed ? 'posts:again.asked' : 'posts:actions.later') })
    },
    onSettled: refetch,
  })
  const askOnce = useMutateOnce(ask)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (remark.trim())
          askOnce({ path: { post_id: post.id }, body: { content_hash: post.content_hash, remark: remark.trim() } })
      }}
    >
      <Textarea
        label={t('posts:again.remark')}
        description={t('posts:again.hint')}
        value={remark}
        maxLength={WriteAgainInSchema.properties.remark.maxLength}
        autosize
        minRows={3}
        maxRows={10}
        required
        withAsterisk={false}
        data-autofocus
        onChange={(event) => {
          setRemark(event.currentTarget.value)
          onTyped(event.currentTarget.value !== '')
        }}
      />
      {ask.error && (
        <p role="alert" className="fault">
          <ProblemText problem={ask.error} />
        </p>
      )}
      <div className="buttons at-end">
        <Button variant="default" onClick={onDone}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={ask.isPending} disabled={!remark.trim()}>
          {t('posts:again.action')}
        </Button>
      </div>
    </form>
  )
}
