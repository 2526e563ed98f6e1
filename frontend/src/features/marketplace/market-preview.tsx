import { Button, Drawer } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { IconCopy, IconPencil } from '@tabler/icons-react'
import { useId, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { MarketTemplateDetail } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { TemplateText } from '@/components/template-text'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat } from '@/i18n/use-format'
import { layoutName } from '@/lib/card-words'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { marketTemplateQuery, useCopyTemplate } from './api'
import { KindTags } from './market-card'
import { hasPicture, SampleCarousel, SamplePicture } from './sample-picture'

interface PreviewProps {
  template: MarketTemplateDetail
  /** The button shown after a copy is made. */
  next: ReactNode
}

interface MarketPreviewProps {
  opened: boolean
  next: ReactNode
  /** Empty if closed. */
  templateId: string
  onClose: () => void
}

/** A template's result, text and variables, before the user copies it. */
export function MarketPreview({ opened, templateId, next, onClose }: MarketPreviewProps) {
  const { t } = useTranslation(['common', 'marketplace'])
  const template = useQuery({ ...marketTemplateQuery(templateId), enabled: templateId !== '' })
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={520}
      title={template.data?.name ?? t('marketplace:preview')}
      closeButtonProps={{ 'aria-label': t('close') }}
      className="market-drawer"
    >
      {template.data ? (
        <Preview template={template.data} next={next} />
      ) : template.isError ? (
        <Failure title={t('marketplace:readFailed')} problem={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <RowSkeletons rows={3} />
      )}
    </Drawer>
  )
}

function Preview({ template, next }: PreviewProps) {
  const { t } = useTranslation(['common', 'cards', 'marketplace'])
  const format = useFormat()
  const { text = {}, image = {} } = template.settings
  return (
    <div className="market-preview">
      <p className="market-text">{template.description}</p>
      <KindTags template={template} />
      <Actions template={template} next={next} />
      <Part title={t('marketplace:sample')}>
        <Sample template={template} />
      </Part>
      <Part title={t(template.type === 'image' && image.engine !== 'ai' ? 'marketplace:wordsOnCard' : 'marketplace:body')}>
        <pre className="market-body">
          <TemplateText body={template.body} />
        </pre>
      </Part>
      <Part title={t('marketplace:settings')}>
        <Facts
          facts={
            template.type === 'text'
              ? [
                  [t('marketplace:tone'), text.tone],
                  [t('marketplace:longest'), text.max_characters && t('marketplace:characters', { count: text.max_characters })],
                  [t('marketplace:model'), text.model ?? t('marketplace:serversModel')],
                  [t('marketplace:needs'), template.variables.join(', ')],
                ]
              : [
                  [t('marketplace:engine'), t(`marketplace:engines.${image.engine ?? 'card'}`)],
                  [t('marketplace:style'), image.engine === 'ai' && image.style],
                  [t('marketplace:layout'), image.engine === 'card' && image.card?.layout && layoutName(t, image.card.layout)],
                  [t('marketplace:needs'), template.variables.join(', ')],
                ]
          }
        />
      </Part>
      <p className="fine-print">
        {t('marketplace:by', { author: template.author || t('marketplace:unnamed') })}
        {' · '}
        {t('marketplace:uses', { count: template.usage_count })}
        {' · '}
        {t('marketplace:changed', { day: format.day(template.updated_at) })}
      </p>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

function Actions({ template, next }: PreviewProps) {
  const { t } = useTranslation(['common', 'marketplace'])
  const problemText = useProblemText()
  const copy = useCopyTemplate()
  const copyOnce = useMutateOnce(copy)
  const confirm = useConfirm()
  const open = (templateId: string) => generatePath(paths.template, { templateId })
  if (template.own)
    return (
      <div className="market-actions">
        <Button component={Link} to={open(template.id)} leftSection={<IconPencil size={15} aria-hidden />}>
          {t('marketplace:edit')}
        </Button>
        <span className="dim">{t('marketplace:ownNote')}</span>
      </div>
    )
  const take = async () => {
    const wasCopied = template.copied || copy.data
    if (wasCopied && !(await confirm({ title: t('marketplace:copyAgainQuestion'), text: t('marketplace:copyAgainText', { name: template.name }), action: t('marketplace:copy') })))
      return
    copyOnce(
      { path: { template_id: template.id } },
      {
        onSuccess: ({ name }) => notifications.show({ message: t('marketplace:copiedTo', { name }) }),
        onError: (problem) => notifications.show({ color: 'red', message: problemText(problem) }),
      },
    )
  }
  const hasCopy = copy.data !== undefined || template.copied
  return (
    <div className="market-actions">
      {copy.data && (
        <Button component={Link} to={open(copy.data.id)} variant={next ? 'default' : 'filled'}>
          {t('marketplace:openCopy')}
        </Button>
      )}
      <Button
        loading={copy.isPending}
        variant={hasCopy ? 'default' : 'filled'}
        leftSection={<IconCopy size={15} aria-hidden />}
        onClick={() => void take()}
      >
        {t(hasCopy ? 'marketplace:copyAgain' : 'marketplace:copy')}
      </Button>
      {copy.data ? (
        next
      ) : (
        template.copied && <span className="dim">{t('marketplace:copiedBefore')}</span>
      )}
    </div>
  )
}

function Sample({ template }: { template: MarketTemplateDetail }) {
  const { t } = useTranslation(['common', 'marketplace'])
  const standsIn = template.settings.image?.engine === 'ai' && !template.sample_url
  const alt = t('marketplace:sampleAlt', { name: template.name })
  if (hasPicture(template))
    return (
      <>
        {template.is_carousel && !template.sample_url ? (
          <SampleCarousel template={template} alt={alt} />
        ) : (
          <SamplePicture template={template} className="market-picture" alt={alt} />
        )}
        {standsIn && <p className="fine-print">{t('marketplace:standIn')}</p>}
        <DemoNote template={template} />
      </>
    )
  if (!template.sample_text) return <p className="dim">{t('marketplace:noSample')}</p>
  return (
    <>
      <div className="market-post">{template.sample_text}</div>
      {template.type === 'image' && <p className="fine-print">{t('marketplace:aiNote')}</p>}
      <DemoNote template={template} />
    </>
  )
}

function DemoNote({ template }: { template: MarketTemplateDetail }) {
  const { t } = useTranslation(['common', 'marketplace'])
  if (!template.sample_is_demo) return null
  return (
    <p className="fine-print">
      <span className="tag">{t('marketplace:demoWriter')}</span> {t('marketplace:demoHint')}
    </p>
  )
}
