import { Button, NumberInput, Select } from '@mantine/core'
import { IconPlus, IconSparkles, IconX } from '@tabler/icons-react'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SuggestedTitle, SuggestionOut, TopicOut } from '@/api/types.gen'
import { StatusBadge } from '@/components/status'
import { useFormat, useLanguage } from '@/i18n/use-format'
import { isLanguage, languageNames, languages } from '@/i18n/languages'
import { isProblem, problemText, toProblem, type Problem } from '@/lib/problems'
import { useDismiss, useShowRound, useSuggest, useSuggestions } from './api'
import type { TreeEditor } from './tree-editor'
import { placeInside } from './tree-edits'

const ASK_AFTER = 400 // ms on one topic: arrow keys go past many
const WANTED = { min: 1, max: 12, first: 6 }

interface SuggestionsProps {
  treeId: string
  topic: TopicOut
  editor: TreeEditor
}

/** Subtopics from the text model. None enters the tree by itself. */
export function Suggestions({ treeId, topic, editor }: SuggestionsProps) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [settled] = useDebouncedValue(topic.id, ASK_AFTER)
  const known = settled === topic.id && !editor.isProvisional(topic.id)
  const round = useSuggestions(treeId, known ? topic.id : undefined)
  const suggest = useSuggest(treeId)
  const [wanted, setWanted] = useState<number | string>(WANTED.first)
  const [wordsIn, setWordsIn] = useState(language)
  const current = round.data
  const open = current?.state === 'queued' || current?.state === 'running'
  const problem = suggest.error ?? round.error
  return (
    <div className="stack">
      <form
        className="suggest-form"
        onSubmit={(event) => {
          event.preventDefault()
          suggest.mutate({
            path: { tree_id: treeId, topic_id: topic.id },
            body: { wanted: Number(wanted) || WANTED.first, language: wordsIn },
          })
        }}
      >
        <NumberInput
          label={t('topics.suggest.wanted')}
          size="xs"
          min={WANTED.min}
          max={WANTED.max}
          clampBehavior="strict"
          allowDecimal={false}
          value={wanted}
          onChange={setWanted}
        />
        <Select
          label={t('topics.suggest.language')}
          size="xs"
          data={languages.map((value) => ({ value, label: languageNames[value] }))}
          value={wordsIn}
          allowDeselect={false}
          onChange={(value) => value && isLanguage(value) && setWordsIn(value)}
        />
        <Button
          type="submit"
          size="xs"
          variant="light"
          leftSection={<IconSparkles size={15} aria-hidden />}
          disabled={open || !known}
          loading={suggest.isPending}
        >
          {t('topics.act.suggest')}
        </Button>
      </form>
      {problem && (
        <div className="form-errors" role="alert">
          {t('topics.suggest.failed')} {problemText(t, problem)}
        </div>
      )}
      {current && known && <Round key={current.id} treeId={treeId} round={current} editor={editor} />}
    </div>
  )
}

function Round({ treeId, round, editor }: { treeId: string; round: SuggestionOut; editor: TreeEditor }) {
  const { t } = useTranslation()
  const format = useFormat()
  const show = useShowRound(treeId)
  const dismiss = useDismiss(treeId)
  const [problem, setProblem] = useState<Problem>()
  const left = round.titles.filter(({ state }) => state === 'open')
  const decide = (index: number, state: SuggestedTitle['state']) =>
    show(
      round.topic_id,
      (now) =>
        now?.id === round.id
          ? { ...now, titles: now.titles.map((one) => (one.index === index ? { ...one, state } : one)) }
          : now,
    )
  const failed = (index: number) => (error: unknown) => {
    decide(index, 'open')
    setProblem(isProblem(error) ? error : toProblem(error))
  }
  const accept = ({ index, title }: SuggestedTitle) => {
    const place = placeInside(editor.topics, round.topic_id)
    if (!place) return
    setProblem(undefined)
    decide(index, 'accepted')
    editor
      .run({ kind: 'accept', id: editor.newId(), place, title, suggestionId: round.id, index })
      .catch(failed(index))
  }
  const refuse = ({ index }: SuggestedTitle) => {
    setProblem(undefined)
    decide(index, 'dismissed')
    dismiss.mutate(
      { path: { tree_id: treeId, suggestion_id: round.id }, body: { index } },
      { onError: failed(index) },
    )
  }
  const tokens = (round.input_tokens ?? 0) + (round.output_tokens ?? 0)
  const facts = [
    round.provider === 'demo' ? t('topics.suggest.demo') : round.model,
    tokens > 0 && t('topics.suggest.tokens', { count: tokens }),
    round.cost_micros !== null && round.cost_micros > 0 && format.money(round.cost_micros, round.currency),
    round.cost_micros === null && tokens > 0 && t('topics.suggest.costUnknown'),
  ].filter(Boolean)
  return (
    <>
      <div role="status" className="suggest-state">
        <RoundState round={round} left={left.length} />
      </div>
      {problem && (
        <div className="form-errors" role="alert">
          {problemText(t, problem)}
        </div>
      )}
      {left.length > 0 && (
        <ul className="suggest-list" aria-label={t('topics.suggest.title')}>
          {left.map((one) => (
            <li key={one.index}>
              <span className="grow">{one.title}</span>
              <Button
                size="compact-xs"
                variant="light"
                leftSection={<IconPlus size={13} aria-hidden />}
                aria-label={t('topics.suggest.keepThis', { title: one.title })}
                onClick={() => accept(one)}
              >
                {t('topics.suggest.keep')}
              </Button>
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                leftSection={<IconX size={13} aria-hidden />}
                aria-label={t('topics.suggest.discardThis', { title: one.title })}
                onClick={() => refuse(one)}
              >
                {t('topics.suggest.discard')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {round.state === 'succeeded' && facts.length > 0 && <p className="fine-print num">{facts.join(' · ')}</p>}
    </>
  )
}

function RoundState({ round, left }: { round: SuggestionOut; left: number }) {
  const { t } = useTranslation()
  switch (round.state) {
    case 'queued':
      return <StatusBadge status="complete" label={t('topics.suggest.queued')} />
    case 'running':
      return round.attempt > 1 ? (
        <>
          <StatusBadge status="retrying" label={t('topics.suggest.retrying', { attempt: round.attempt })} />
          {round.reason && <p>{problemText(t, reasonOf(round.reason))}</p>}
        </>
      ) : (
        <StatusBadge status="publishing" label={t('topics.suggest.running')} />
      )
    case 'failed':
      return (
        <>
          <StatusBadge status="failed" />
          <p>{problemText(t, reasonOf(round.reason ?? 'internal'))}</p>
        </>
      )
    case 'cancelled':
      return <StatusBadge status="skipped" label={t('topics.suggest.cancelled')} />
    case 'succeeded':
      if (round.titles.length === 0) return <p className="dim">{t('topics.suggest.none')}</p>
      return left > 0 ? null : <p className="dim">{t('topics.suggest.allDecided')}</p>
  }
}

const reasonOf = (code: string) => ({ code: code as Problem['code'], params: {} })
