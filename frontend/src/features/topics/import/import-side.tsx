import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LineProblem } from './import-lines'
import { ImportPreview } from './import-preview'
import { withHyphens } from './indented-list'
import type { LinesPreview } from './use-lines-preview'

const SHOWN = 6 // lines of a converted list

interface ImportSideProps {
  id: string
  text: string
  preview: LinesPreview
  /** Called with the lines as an indented list. */
  onConvert: (list: string) => void
  onGoTo: (line: number) => void
}

/** The panel beside the lines: the tree that they make, and their problems. */
export function ImportSide({ id, text, preview, onConvert, onGoTo }: ImportSideProps) {
  const { t } = useTranslation(['common', 'topics'])
  const { tree, problems, isFailed } = preview
  const converted = withHyphens(text)
  return (
    <div className="import-side">
      <div className="import-label" id={id}>
        {t('topics:preview')}
      </div>
      {converted !== undefined && (
        <div className="import-convert" role="region" aria-label={t('topics:convertTitle')}>
          <p>
            <strong>{t('topics:convertTitle')}</strong> {t('topics:convertText')}
          </p>
          <pre>{firstLines(converted)}</pre>
          <Button size="xs" onClick={() => onConvert(converted)}>
            {t('topics:convert')}
          </Button>
        </div>
      )}
      {problems.length > 0 && (
        <div className="import-bad" role="region" aria-label={t('topics:badLines', { count: problems.length })} tabIndex={0}>
          <BadLines problems={problems} onGoTo={onGoTo} />
        </div>
      )}
      {isFailed && <p className="import-note">{t('topics:previewFailed')}</p>}
      {tree ? (
        <>
          {preview.isOldTree && <p className="import-note">{t('topics:previewBefore')}</p>}
          <ImportPreview preview={tree} labelledBy={id} />
        </>
      ) : (
        problems.length === 0 && !isFailed && <p className="import-note">{t('topics:previewEmpty')}</p>
      )}
    </div>
  )
}

/** Return the first lines of a list, with an ellipsis where there are more. */
function firstLines(list: string) {
  const lines = list.split('\n')
  return lines.length > SHOWN ? `${lines.slice(0, SHOWN).join('\n')}\n…` : list
}

function BadLines({ problems, onGoTo }: { problems: readonly LineProblem[]; onGoTo: (line: number) => void }) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <>
      <p className="mid">{t('topics:badLines', { count: problems.length })}</p>
      <ol className="bad-lines">
        {problems.map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            {line > 0 ? (
              <button type="button" onClick={() => onGoTo(line)}>
                {text}
              </button>
            ) : (
              text
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
