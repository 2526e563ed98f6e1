import { Button, FileButton, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconFileText } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TemplateExportSchema } from '@/api/schemas.gen'
import type { TemplateExport } from '@/api/types.gen'
import { Tag } from '@/components/tag'
import { showUndo } from '@/components/undo'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, toProblem, type Problem } from '@/lib/problems'
import { useDeleteTemplate, useImportTemplates } from '@/features/templates/api'
import { importProblems, templatesIn, type FileTemplate } from './import-file'

const LARGEST = 6_000_000 // bytes; the size of an exported file, with some room
const MOST = TemplateExportSchema.properties.templates.maxItems

interface ImportDialogProps {
  opened: boolean
  onClose: () => void
}

export function ImportDialog({ opened, onClose }: ImportDialogProps) {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('templates:files.import')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <ImportForm onClose={onClose} />
    </Modal>
  )
}

interface Chosen {
  name: string
  content: TemplateExport
  templates: FileTemplate[]
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const reset = useRef<() => void>(null)
  const importing = useImportTemplates()
  const importOnce = useMutateOnce(importing)
  const remove = useDeleteTemplate()
  const [chosen, setChosen] = useState<Chosen>()
  const [unreadable, setUnreadable] = useState<string>()

  const read = async (file: File | null) => {
    reset.current?.()
    if (!file) return
    importing.reset()
    setChosen(undefined)
    setUnreadable(undefined)
    if (file.size > LARGEST) {
      setUnreadable(t('errors:too_large', { limit: LARGEST / 1_000_000 }))
      return
    }
    try {
      const content: unknown = JSON.parse((await file.text()).replace(/^\uFEFF/u, ''))
      const templates = templatesIn(content)
      if (templates && templates.length > MOST) setUnreadable(t('errors:template_too_many', { limit: MOST }))
      else if (templates) setChosen({ name: file.name, content: content as TemplateExport, templates })
      else setUnreadable(t('errors:template_import_unreadable'))
    } catch (error) {
      console.info('The chosen file could not be read.', error)
      setUnreadable(t('errors:template_import_unreadable'))
    }
  }
  const takeBack = async (ids: readonly string[]) => {
    try {
      for (const id of ids) await remove.mutateAsync({ path: { template_id: id } })
    } catch (error) {
      notifications.show({
        color: 'red',
        message: `${t('templates:deleteFailed')} ${problemText(t, toProblem(error))}`,
      })
    }
  }
  const send = ({ content }: Chosen) =>
    importOnce(
      { body: content },
      {
        onSuccess: ({ templates }) => {
          onClose()
          showUndo({
            message: t('templates:files.imported', { count: templates.length }),
            label: t('undo'),
            undo: () => void takeBack(templates.map(({ id }) => id)),
          })
        },
      },
    )
  return (
    <div className="stack">
      <p className="mid publish-lead">{t('templates:files.importLead')}</p>
      <FileButton resetRef={reset} accept=".json,application/json" onChange={(file) => void read(file)}>
        {(props) => (
          <Button
            {...props}
            className="file-choice"
            variant="default"
            leftSection={<IconFileText size={15} aria-hidden />}
          >
            {chosen ? t('templates:files.chooseOther') : t('templates:files.choose')}
          </Button>
        )}
      </FileButton>
      <div role="status">
        {chosen && (
          <p className="file-name">
            <b>{chosen.name}</b>{' '}
            <span className="dim">{t('templates:count', { count: chosen.templates.length })}</span>
          </p>
        )}
      </div>
      {chosen && <Templates chosen={chosen} problem={importing.error} />}
      {unreadable && (
        <div className="form-errors" role="alert">
          {unreadable}
        </div>
      )}
      <div className="dialog-foot">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button
          disabled={!chosen || chosen.templates.length === 0}
          loading={importing.isPending}
          onClick={() => chosen && send(chosen)}
        >
          {chosen
            ? t('templates:files.importCount', { count: chosen.templates.length })
            : t('templates:files.import')}
        </Button>
      </div>
    </div>
  )
}

/** The templates of the file; after a refusal with their problems. */
function Templates({ chosen, problem }: { chosen: Chosen; problem: Problem | null }) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const { rest, byTemplate } = importProblems(t, problem)
  return (
    <>
      {problem && (
        <div className="form-errors" role="alert">
          {t('templates:files.importFailed')} {rest.join(' ')}
        </div>
      )}
      <ul className="file-templates" aria-label={t('templates:files.inFile')} tabIndex={0}>
        {chosen.templates.map(({ name, type }, index) => (
          <li key={index}>
            <span className="file-template">
              <b className="grow">{name || t('templates:files.nameless', { number: index + 1 })}</b>
              {type && <Tag>{t(`templates:kinds.${type}`)}</Tag>}
            </span>
            {byTemplate.get(index)?.map((sentence) => (
              <span key={sentence} className="file-problem">
                <IconAlertCircle size={15} aria-hidden /> {sentence}
              </span>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}
