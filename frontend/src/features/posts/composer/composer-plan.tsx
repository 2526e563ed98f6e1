import { Select, TextInput } from '@mantine/core'
import { memo, useCallback, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TagCount } from '@/api/types.gen'
import { TagInput } from '@/components/tag-input'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { languages } from '@/i18n/languages'
import { timeInsteadOf, wallTime } from '@/lib/time-zones'
import { TIME_FIELD, type Values } from './composer-values'
import { FreeMoments } from './free-moments'
import type { ComposerForm } from './use-composer'

interface PlanProps extends Pick<Values, 'planned' | 'zone' | 'tags' | 'language'> {
  /** The user's tags so far; undefined until loaded. */
  knownTags: readonly TagCount[] | undefined
  timeError: ReactNode
  zoneError: ReactNode
  tagError: ReactNode
  languageError: ReactNode
  set: ComposerForm['setFieldValue']
  clear: ComposerForm['clearFieldError']
}

/**
 * When the post goes out, its tags and language. Memoized: rendered only if one of them changes, not on each keystroke.
 */
export const Plan = memo(function Plan({ planned, zone, tags, language, knownTags, ...props }: PlanProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { timeError, zoneError, tagError, languageError, set, clear } = props
  const skipped = timeInsteadOf(planned, zone)
  const choose = useCallback(
    (wall: string) => {
      set('planned', wall)
      clear('planned_at')
    },
    [set, clear],
  )
  return (
    <>
      <div className="composer-time">
        <TextInput
          id={TIME_FIELD}
          data-field="planned_at"
          type="datetime-local"
          label={t('posts:actions.when')}
          description={skipped ? t('posts:actions.leftOut', { time: skipped }) : undefined}
          value={planned}
          min={wallTime(new Date(), zone)}
          error={timeError}
          onChange={(event) => choose(event.currentTarget.value)}
        />
        <TimeZoneSelect label={t('posts:timeZone')} value={zone} error={zoneError} onChange={(next) => next && set('zone', next)} />
      </div>
      <FreeMoments zone={zone} value={planned} onChoose={choose} />
      <div className="composer-time">
        <TagInput label={t('posts:composer.tags')} tags={knownTags} value={tags} error={tagError} onChange={(next) => set('tags', next)} />
        <Select
          label={t('posts:language')}
          data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          value={language}
          error={languageError}
          onChange={(next) => next && set('language', next)}
        />
      </div>
    </>
  )
})
