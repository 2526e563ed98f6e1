import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AssistantOut, PreparedRuns } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'
import { openDialog } from '@/lib/dialogs'
import { publishTimeOf } from '@/features/assistants/runs/run-state'
import { contentKindOfAssistant } from '@/lib/content-kind'

interface Choice {
  title: string
  /** Verb and object on the two buttons. */
  publish: string
  cancel: string
}

/** Return whether a run is prepared that can still be published or cancelled. */
export const hasPrepared = ({ open_run }: Pick<AssistantOut, 'open_run'>): boolean =>
  open_run !== null && open_run.state !== 'publishing'

/** Return a function that asks what to do with prepared posts. It resolves to null if the user cancels. */
export function usePreparedChoice(): (assistant: AssistantOut, choice: Choice) => Promise<PreparedRuns | null> {
  const { t } = useTranslation(['common', 'assistants'])
  const format = useFormat()
  return (assistant, { title, publish, cancel }) =>
    new Promise((resolve) => {
      const run = assistant.open_run
      openDialog((close) => {
        const answer = (chosen: PreparedRuns) => {
          resolve(chosen)
          close()
        }
        return {
          title,
          children: (
            <>
              <p className="prose">
                {run &&
                  t(`assistants:${run.decide_until ? 'preparedAsks' : 'preparedText'}.${contentKindOfAssistant(assistant)}`, {
                    when: format.dayAndTime(run.decide_until ?? publishTimeOf(run)),
                  })}
              </p>
              <div className="buttons at-end">
                <Button variant="default" onClick={close}>
                  {t('cancel')}
                </Button>
                <Button color="red" variant="light" onClick={() => answer('cancel')}>
                  {cancel}
                </Button>
                <Button onClick={() => answer('publish')}>{publish}</Button>
              </div>
            </>
          ),
          // closing by any other way; after an answer the promise is already settled
          onClose: () => resolve(null),
        }
      })
    })
}
