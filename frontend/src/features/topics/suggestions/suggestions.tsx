import { Button, NumberInput, Select } from '@mantine/core'
import { IconChecks, IconPlus, IconSparkles, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SuggestionInSchema } from '@/api/schemas.gen'
import type { SuggestionOut, TopicOut } from '@/api/types.gen'
import { ProblemText } from '@/components/problem-text'
import { useLanguage } from '@/i18n/locale'
import { useFormat } from '@/i18n/use-format'
import { isLanguage, languages } from '@/i18n/languages'
import { isAtWork } from '@/lib/generation'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { useSuggest } from '@/features/topics/api'
import { openTitles } from './offers'
import { RoundState } from './round-state'
import type { TreeEditor } from '@/features/topics/tree/tree-editor'
import type { SuggestionActions, Suggestions } from './use-suggestions'

const TITLE_COUNT = SuggestionInSchema.properties.wanted

interface SuggestionsPanelProps {
  treeId: string
  topic: TopicOut
  editor: TreeEditor
  suggestions: Suggestions
  /** List the titles here, too, because the tree is not in view. */
  listed: boolean
  /** Called when suggestions are requested; the tree shows where. */
  onRequested: () => void
}

/** Request subtopics of a topic from the text model, and show the state of the request. */
export function SuggestionsPanel({ treeId, topic, editor, suggestions, listed, onRequested }: SuggestionsPanelProps) {
  const { t } = useTranslation(['common', 'topics'])
  const language = useLanguage()
  const suggest = useSuggest(treeId)
  const suggestOnce = useMutateOnce(suggest)
  const [titleCount, setTitleCount] = useState<number | string>(TITLE_COUNT.default)
  const [titleLanguage, setTitleLanguage] = useState(language)
  const round = suggestions.rounds.find(({ topic_id }) => topic_id === topic.id)
  const problem = suggest.error ?? suggestions.problem
  return (
    <div className="stack">
      <form
        className="suggest-form"
        onSubmit={(event) => {
          event.preventDefault()
          suggestOnce(
            {
              path: { tree_id: treeId, topic_id: topic.id },
              body: { wanted: Number(titleCount) || TITLE_COUNT.default, language: titleLanguage },
            },
            { onSuccess: onRequested },
          )
        }}
      >
        <NumberInput
          label={t('topics:suggest.wanted')}
          size="xs"
          min={TITLE_COUNT.minimum}
          max={TITLE_COUNT.maximum}
          clampBehavior="strict"
          allowDecimal={false}
          value={titleCount}
          onChange={setTitleCount}
        />
        <Select
          label={t('topics:suggest.language')}
          size="xs"
          data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          value={titleLanguage}
          onChange={(value) => value && isLanguage(value) && setTitleLanguage(value)}
        />
        <Button
          type="submit"
          size="xs"
          variant="light"
          leftSection={<IconSparkles size={15} aria-hidden />}
          disabled={(round && isAtWork(round)) || editor.isProvisional(topic.id)}
          loading={suggest.isPending}
        >
          {t('topics:act.suggest')}
        </Button>
      </form>
      {problem && (
        <div className="form-errors" role="alert">
          {t('topics:suggest.failed')} <ProblemText problem={problem} />
        </div>
      )}
      <div role="status" className="suggest-state">
        {round && <RoundSummary round={round} listed={listed} />}
      </div>
      {round && <Decisions round={round} actions={suggestions.actions} listed={listed} />}
    </div>
  )
}

function RoundSummary({ round, listed }: { round: SuggestionOut; listed: boolean }) {
  const { t } = useTranslation(['common', 'topics'])
  const left = openTitles(round).length
  if (left > 0) return listed ? null : <p className="dim">{t('topics:suggest.inTree', { count: left })}</p>
  return <RoundState round={round} />
}

interface DecisionsProps {
  round: SuggestionOut
  actions: SuggestionActions
  listed: boolean
}

function Decisions({ round, actions, listed }: DecisionsProps) {
  const { t } = useTranslation(['common', 'topics'])
  const format = useFormat()
  const left = openTitles(round)
  const tokens = (round.input_tokens ?? 0) + (round.output_tokens ?? 0)
  const facts = [
    round.provider === 'demo' ? t('topics:suggest.demo') : round.model,
    tokens > 0 && t('topics:suggest.tokens', { count: tokens }),
    round.cost_micros !== null && round.cost_micros > 0 && format.money(round.cost_micros, round.currency),
    round.cost_micros === null && tokens > 0 && t('topics:suggest.costUnknown'),
  ].filter(Boolean)
  return (
    <>
      {listed && left.length > 0 && (
        <ul className="suggest-list" aria-label={t('topics:suggest.title')}>
          {left.map((offer) => (
            <li key={offer.index}>
              <span className="grow">{offer.title}</span>
              <Button
                size="compact-xs"
                variant="light"
                leftSection={<IconPlus size={13} aria-hidden />}
                aria-label={t('topics:suggest.keepThis', { title: offer.title })}
                onClick={() => actions.keep(round, offer)}
              >
                {t('topics:suggest.keep')}
              </Button>
              <Button
                size="compact-xs"
                variant="subtle"
                color="gray"
                leftSection={<IconX size={13} aria-hidden />}
                aria-label={t('topics:suggest.discardThis', { title: offer.title })}
                onClick={() => actions.discard(round, offer)}
              >
                {t('topics:suggest.discard')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {left.length > 1 && (
        <div className="suggest-all">
          <Button
            size="xs"
            variant="default"
            leftSection={<IconChecks size={15} aria-hidden />}
            onClick={() => actions.keepAll(round)}
          >
            {t('topics:suggest.keepAll')}
          </Button>
          <Button size="xs" variant="subtle" color="gray" onClick={() => actions.discardAll(round)}>
            {t('topics:suggest.discardAll')}
          </Button>
        </div>
      )}
      {round.state === 'succeeded' && facts.length > 0 && <p className="fine-print num">{facts.join(' · ')}</p>}
    </>
  )
}
