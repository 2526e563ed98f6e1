import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { AskedOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { approvalsQuery } from '@/features/posts/api'
import { useWriteAgain } from '@/features/posts/write-again'
import { useUrlFilters } from '@/lib/url-filters'
import { useIsMounted } from '@/lib/use-is-mounted'
import { nameOf, RefusalText, type Refusal } from './refusal-notice'
import { useHeldDecision, type Decision } from './use-held-decision'

const SAME_PRESS = 400 // ms: a second press within this time means the post before

const millisecondsSince = (moment: number) => Date.now() - moment

/** Identify a post with the content that is asked about: a changed post is asked about again, and contents may be equal. */
export const questionOf = ({ post }: AskedOut) => `${post.id} ${post.content_hash}`

/** Return the posts that wait for approval, the one that is shown, and the commands that answer it. */
export function useApprovalInbox(region: RefObject<HTMLElement | null>) {
  const { t } = useTranslation(['common', 'posts'])
  const inbox = useQuery(approvalsQuery)
  const items = inbox.data?.items
  const [declining, setDeclining] = useState(false)
  /** Closes the notification that offers to undo an answer. */
  const endOffer = useRef<() => void>(undefined)
  const answers = useAnswers(() => endOffer.current?.())
  const { waiting, at, shown, nextQuestion, first, goneId, show, hasJustChanged } = useShownPost(items, answers.answered, region)

  const showPost = (postId: string | null) => {
    setDeclining(false)
    show(postId)
  }
  const undo = () => {
    const decision = answers.takeBack()
    if (!decision) return
    endOffer.current?.()
    showPost(decision.question.post.id)
    region.current?.focus({ preventScroll: true })
    notifications.show({ message: t('posts:inbox.undone') })
  }
  const decide = (approved: boolean, remark = '') => {
    if (!shown || hasJustChanged()) return
    if (shown.post.approval && millisecondsSince(Date.parse(shown.post.approval.deadline_at)) >= 0) return
    endOffer.current?.()
    const heldFor = answers.hold({ question: shown, approved, remark })
    if (heldFor > 0)
      endOffer.current = showUndo({
        message: t(approved ? 'posts:inbox.sending.approved' : 'posts:inbox.sending.declined', { post: nameOf(shown) }),
        label: t('posts:inbox.undo'),
        undo,
        offeredFor: heldFor,
      })
    showPost(nextQuestion?.post.id ?? null)
    region.current?.focus({ preventScroll: true })
  }

  const requestRewrite = useWriteAgain(() => showPost(nextQuestion?.post.id ?? null))
  const writeAgain = () => {
    const deadline = shown?.post.approval?.deadline_at
    if (shown && deadline && millisecondsSince(Date.parse(deadline)) < 0) requestRewrite(shown.post)
  }

  return {
    inbox,
    waiting,
    /** How many posts wait, also those that are not loaded. */
    total: (inbox.data?.total ?? 0) - ((items?.length ?? 0) - waiting.length),
    shown,
    /** The position of the shown post in `waiting`. */
    at,
    /** The id of a post in the address that does not wait for approval any more. */
    goneId,
    refusals: answers.refusals,
    dismiss: answers.dismiss,
    declining,
    setDeclining,
    decide,
    undo,
    writeAgain,
    showPost,
    showNext: nextQuestion && (() => showPost(nextQuestion.post.id)),
    /** Send the answer that is held back, then show the first post. */
    showFirst: () => {
      answers.flush()
      showPost(first ?? null)
    },
  }
}

/** Return what sends answers, which questions have an answer, and which answers the server refused. */
function useAnswers(onSend: () => void) {
  const { t } = useTranslation(['common', 'posts'])
  const isMounted = useIsMounted()
  const [answered, setAnswered] = useState<readonly string[]>([])
  const [refusals, setRefusals] = useState<readonly Refusal[]>([])
  const askAgain = ({ question }: Decision) => setAnswered((all) => all.filter((key) => key !== questionOf(question)))
  const withoutPost = (all: readonly Refusal[], { question: { post } }: Decision) =>
    all.filter(({ decision }) => decision.question.post.id !== post.id)
  const { hold, takeBack, flush } = useHeldDecision({
    onSend,
    onSaved: (_, { confirmed }) => {
      if (!confirmed) notifications.show({ message: t('posts:inbox.later') })
    },
    onRefused: (decision, problem) => {
      if (!isMounted()) {
        // the person has left the inbox, so the notice stays until it is closed
        notifications.show({ color: 'red', autoClose: false, message: <RefusalText decision={decision} problem={problem} /> })
        return
      }
      askAgain(decision)
      setRefusals((all) => [...withoutPost(all, decision), { decision, problem }])
    },
  })
  return {
    /** The answered questions (`questionOf`). */
    answered,
    refusals,
    dismiss: (refusal: Refusal) => setRefusals((all) => all.filter((candidate) => candidate !== refusal)),
    /** Hold an answer back before it is sent. Return for how many ms. */
    hold: (decision: Decision) => {
      setAnswered((all) => [...all, questionOf(decision.question)])
      setRefusals((all) => withoutPost(all, decision))
      return hold(decision)
    },
    /** Take back the answer that is held back, and return it. */
    takeBack: () => {
      const decision = takeBack()
      if (decision) askAgain(decision)
      return decision
    },
    flush,
  }
}

/** Return the posts that wait for an answer, and the one among them that the address names. */
function useShownPost(items: readonly AskedOut[] | undefined, answered: readonly string[], region: RefObject<HTMLElement | null>) {
  const { filter, change } = useUrlFilters()
  const changedAt = useRef(0)
  const isLoaded = items !== undefined
  const waiting = items?.filter((question) => !answered.includes(questionOf(question))) ?? []
  const current = filter('post')
  const at = waiting.findIndex(({ post }) => post.id === current)
  const shown = waiting[at]
  // the address follows a moment later than the answer
  const isLeaving = items?.some(({ post }) => post.id === current) && !shown

  // the shown post stays until the person goes on: a list that changes must not put another post under their finger
  const first = waiting[0]?.post.id
  useEffect(() => {
    if (current === '' && first !== undefined) change({ post: first })
  }, [current, first, change])
  useEffect(() => {
    // the keys of the inbox work only while the focus is inside
    if (current !== '' && (document.activeElement === document.body || document.activeElement === null))
      region.current?.focus({ preventScroll: true })
  }, [region, current, isLoaded])

  return {
    waiting,
    at,
    shown,
    /** The next post, else the one before. */
    nextQuestion: waiting[at + 1] ?? waiting[at - 1],
    first,
    goneId: current !== '' && !shown && !isLeaving ? current : undefined,
    show: (postId: string | null) => {
      changedAt.current = Date.now()
      change({ post: postId })
    },
    /** Whether another post has just taken the place of the one that the person saw. */
    hasJustChanged: () => millisecondsSince(changedAt.current) < SAME_PRESS,
  }
}
