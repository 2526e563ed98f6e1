import { Link } from 'react-router'
import type { ArticleOut, ArticleWritingOut, StepKind } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { Step, Thread } from '@/components/thread'
import { useTranslation } from '@/i18n/translation'
import { runPath } from '@/lib/run-path'

interface ArticleWritingProps {
  article: Pick<ArticleOut, 'assistant_id' | 'assistant_name' | 'run_id'>
  writing: ArticleWritingOut
}

const ORDER: readonly StepKind[] = ['topic', 'outline', 'text', 'summary', 'search', 'image', 'check']
const SHOWN = ['outline', 'text', 'summary', 'search', 'image', 'check'] as const

/** What its assistant does with it now, and why nobody else can. */
export function ArticleWriting({ article, writing }: ArticleWritingProps) {
  const { t } = useTranslation()
  const { assistant_id: assistantId, assistant_name: name, run_id: runId } = article
  const { step, section, sections, again } = writing
  // whether it gets an image is known once that is being made
  const steps = SHOWN.filter((kind) => kind !== 'image' || step === 'image')
  return (
    <Panel
      title={name ? t('articleWriting.by', { name }) : t('articleWriting.title')}
      aside={
        assistantId &&
        runId && (
          <Link className="link" to={runPath(assistantId, runId)}>
            {t('articleWriting.run')}
          </Link>
        )
      }
    >
      <p className="said" role="status">
        {again ? t('articleWriting.again') : now()} {t('articleWriting.later')}
      </p>
      {!again && (
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
    if (kind !== 'text' || sections === null) return t(`articleWriting.steps.${kind}`)
    return step === 'text' && section !== null
      ? t('articleWriting.section', { number: section, count: sections })
      : t('articleWriting.sections', { count: sections })
  }

  function now() {
    if (step === 'text' && section !== null && sections !== null) return t('articleWriting.nowSection', { number: section, count: sections })
    return t(`articleWriting.now.${step}`)
  }
}
