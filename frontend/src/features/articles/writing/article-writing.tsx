import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { StepKind, type ArticleOut, type ArticleWritingOut } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { Step, Thread } from '@/components/thread'
import { runPath } from '@/lib/run-path'

interface ArticleWritingProps {
  article: Pick<ArticleOut, 'assistant_id' | 'assistant_name' | 'run_id'>
  writing: ArticleWritingOut
}

const ORDER = Object.values(StepKind)
const SHOWN = ORDER.filter((kind) => kind !== 'topic')

/** What the assistant does with the article, which can't be edited meanwhile. */
export function ArticleWriting({ article, writing }: ArticleWritingProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { assistant_id: assistantId, assistant_name: name, run_id: runId } = article
  const { step, section, sections, again: isRepeated } = writing
  // the image step is known only when it runs
  const steps = SHOWN.filter((kind) => kind !== 'image' || step === 'image')
  return (
    <Panel
      title={name ? t('articles:writing.by', { name }) : t('articles:writing.title')}
      aside={
        assistantId &&
        runId && (
          <Link className="link" to={runPath(assistantId, runId)}>
            {t('articles:writing.run')}
          </Link>
        )
      }
    >
      <p className="prose" role="status">
        {isRepeated ? t('articles:writing.again') : stepText()} {t('articles:writing.later')}
      </p>
      {!isRepeated && (
        <Thread>
          {steps.map((kind, at) => (
            <Step key={kind} state={stateOf(kind)} last={at === steps.length - 1} title={titleOf(kind)} />
          ))}
        </Thread>
      )}
    </Panel>
  )

  function stateOf(kind: StepKind) {
    if (kind === step) return 'active'
    return ORDER.indexOf(kind) < ORDER.indexOf(step) ? 'done' : 'todo'
  }

  function titleOf(kind: (typeof SHOWN)[number]) {
    if (kind !== 'text' || sections === null) return t(`articles:writing.steps.${kind}`)
    return step === 'text' && section !== null
      ? t('articles:writing.section', { number: section, count: sections })
      : t('articles:writing.sections', { count: sections })
  }

  function stepText() {
    if (step === 'text' && section !== null && sections !== null) return t('articles:writing.nowSection', { number: section, count: sections })
    return t(`articles:writing.now.${step}`)
  }
}
