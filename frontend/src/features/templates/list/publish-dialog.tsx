import { Button, Modal, Radio } from '@mantine/core'
import { IconAlertTriangle, IconWorld } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut, TryoutOut } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { Tag } from '@/components/tag'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { usePublishTemplate, useRecentTryouts } from '@/features/templates/api'
import { settingRows } from '@/features/templates/editor/setting-rows'
import { useTemplateActions } from './use-template-actions'

const SAMPLES = 10
const PRESENT = 'present'

interface PublishDialogProps {
  template: TemplateOut
  unsaved: boolean
  opened: boolean
  onClose: () => void
}

/** The dialog before publishing, with everything that others will see. */
export function PublishDialog({ template, unsaved, opened, onClose }: PublishDialogProps) {
  const { t } = useTranslation(['common', 'templates'])
  const isPublic = template.visibility === 'public'
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t(isPublic ? 'templates:publish.changeTitle' : 'templates:publish.title', { name: template.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <PublishForm template={template} unsaved={unsaved} onClose={onClose} />
    </Modal>
  )
}

function PublishForm({ template, unsaved, onClose }: Omit<PublishDialogProps, 'opened'>) {
  const { t } = useTranslation(['common', 'cards', 'errors', 'templates'])
  const format = useFormat()
  const publish = usePublishTemplate()
  const publishOnce = useMutateOnce(publish)
  const { takeBack } = useTemplateActions()
  const tryouts = useRecentTryouts(template.id, true)
  const [sample, setSample] = useState(PRESENT)
  const isPublic = template.visibility === 'public'
  const usable = (tryouts.data?.items ?? []).filter(({ state }) => state === 'succeeded').slice(0, SAMPLES)
  const send = () =>
    publishOnce(
      {
        path: { template_id: template.id },
        body: { version: template.version, sample_tryout_id: sample === PRESENT ? null : sample },
      },
      {
        onSuccess: (published) => {
          onClose()
          showUndo({
            message: t('templates:publish.done', { name: published.name }),
            label: t('templates:publish.takeBack'),
            undo: () => void takeBack(published),
          })
        },
      },
    )
  return (
    <div className="stack publish">
      <p className="mid publish-lead">{t('templates:publish.lead')}</p>
      {unsaved && (
        <p className="note" data-tone="warn">
          <IconAlertTriangle size={16} aria-hidden /> {t('templates:publish.unsaved', { number: template.version })}
        </p>
      )}
      <Facts
        facts={[
          [t('templates:publish.author'), template.author || t('templates:publish.noName')],
          [t('templates:name'), template.name],
          [t('templates:description'), template.description || t('templates:settings.none')],
          [t('templates:language'), t(`languages.${template.language}`)],
          [
            t('templates:tags'),
            template.tags.length > 0 && (
              <span className="tags">
                {template.tags.map((tag) => (
                  <Tag key={tag}>{tag}</Tag>
                ))}
              </span>
            ),
          ],
          [
            t('templates:body'),
            <pre key="body" className="publish-body" tabIndex={0} aria-label={t('templates:body')}>
              {template.body}
            </pre>,
          ],
          ...settingRows(t, format, template.type, template.settings).map(
            ({ label, value, imageId }) => [label, imageId ? t('templates:publish.logo') : value] as const,
          ),
        ]}
      />
      <Radio.Group
        label={t('templates:publish.sample')}
        description={t(usable.length > 0 ? 'templates:publish.sampleHint' : 'templates:publish.noSamples')}
        value={sample}
        onChange={setSample}
      >
        <div className="samples">
          <Radio
            value={PRESENT}
            label={t(hasSample(template) ? 'templates:publish.keepSample' : 'templates:publish.withoutSample')}
            description={template.sample_text && <span className="clip-2">{template.sample_text}</span>}
          />
          {usable.map((tryout) => (
            <Radio key={tryout.id} value={tryout.id} label={format.dayAndTime(tryout.created_at)} description={<Sample tryout={tryout} />} />
          ))}
        </div>
      </Radio.Group>
      {publish.error && (
        <div className="form-errors" role="alert">
          {t('templates:publish.failed')} {problemText(t, publish.error)}
        </div>
      )}
      <div className="dialog-foot">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button leftSection={<IconWorld size={15} aria-hidden />} loading={publish.isPending} onClick={send}>
          {t(isPublic ? 'templates:publish.changeAction' : 'templates:publish.action')}
        </Button>
      </div>
    </div>
  )
}

const hasSample = ({ sample_text, sample_url }: TemplateOut) => sample_text !== '' || sample_url !== null

function Sample({ tryout }: { tryout: TryoutOut }) {
  const { t } = useTranslation(['common', 'templates'])
  if (tryout.image_url)
    return (
      <img
        className="sample-shot"
        src={tryout.image_url}
        alt={t('templates:tried.imageAlt', { size: `${tryout.image_width ?? '?'} × ${tryout.image_height ?? '?'}` })}
      />
    )
  return <span className="clip-2">{tryout.output}</span>
}
