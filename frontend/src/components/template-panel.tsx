import { Button, Group, Switch } from '@mantine/core'
import { IconSparkles } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateType, WritingOut } from '@/api/types.gen'
import type { Language } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { fieldErrors } from '@/lib/problems'
import { plannedAt } from '@/lib/time-zones'
import { useFocusInvalid } from '@/lib/use-focus-invalid'
import { channelName } from './channel'
import { NOTHING, TemplateFields, useTemplateChoice } from './template-fields'
import { useWriting } from './use-writing'
import { WriterNote } from './writer-note'
import { problemBesidesFields, WritingPanel } from './writing-panel'
import { WritingState } from './writing-state'

/** The post or article in the composer. */
interface Composed {
  content: string
  language: Language
  zone: string
  planned: string
  account_ids: string[]
}

interface TemplatePanelProps {
  type: TemplateType
  values: () => Composed
  /** The networks of the chosen accounts, if each can get its own text. */
  networks?: readonly string[]
  /** The page to write about, maybe empty; undefined: the text is not about a page. */
  address?: string
  /** Save the post if needed and return its id; undefined if that failed, which is shown. */
  stored: () => Promise<string | undefined>
  /** Called with whether writing is in progress, and the text so far. */
  onShow: (busy: boolean, text: string | null) => void
  /** Called with what was made, and the address of the page that it is about, if there is one. */
  onMade: (writing: WritingOut, page?: string) => void
  onClose: () => void
}

/** Choose template, topic and values, and let the template write or draw. */
export default function TemplatePanel({ type, values, networks = [], address, stored, onShow, onMade, onClose }: TemplatePanelProps) {
  const { t } = useTranslation(['common', 'errors', 'writing'])
  const format = useFormat()
  const image = type === 'image'
  const panel = useRef<HTMLElement>(null)
  const choice = useTemplateChoice(type, { ...NOTHING, ...(address !== undefined && { address }) })
  const { template } = choice
  const [preparing, setPreparing] = useState(false)
  const [writesPerNetwork, setWritesPerNetwork] = useState(true)
  const offersPerNetwork = !image && networks.length > 1
  const writing = useWriting((made) => onMade(made, choice.chosen.address?.trim()))
  const { atWork } = writing
  const call = image ? writing.draw : writing.write
  const errors = call.error ? fieldErrors(t, call.error) : {}
  const pageless = choice.chosen.address?.trim() === ''
  const wordless = image && values().content.trim() === ''

  const current = writing.writing
  useEffect(() => {
    onShow(atWork, current?.text || null)
  }, [onShow, atWork, current?.text])
  useFocusInvalid(panel, call.error)

  async function start() {
    if (!choice.order || atWork || preparing || wordless || pageless) return
    writing.reset()
    setPreparing(true)
    const postId = await stored().finally(() => setPreparing(false))
    if (!postId) return
    const post = values()
    const body = {
      ...choice.order,
      language: post.language,
      time_zone: post.zone,
      planned_at: plannedAt(post)?.toISOString() ?? null,
      account_ids: post.account_ids,
    }
    if (image) writing.draw.mutate({ path: { post_id: postId }, body: { ...body, content: post.content } })
    else writing.write.mutate({ path: { post_id: postId }, body: { ...body, ...(offersPerNetwork && { per_network: writesPerNetwork }) } })
  }

  return (
    <WritingPanel
      ref={panel}
      title={t(image ? 'writing:imageTitle' : address === undefined ? 'writing:title' : 'writing:pageTitle')}
      onEnter={() => void start()}
      onEscape={atWork ? writing.stop : onClose}
    >
      <TemplateFields choice={choice} errors={errors} disabled={atWork} onChange={() => call.isError && call.reset()} />
      {offersPerNetwork && (
        <Switch
          label={t('writing:perNetwork')}
          description={t('writing:perNetworkHint', { networks: format.list(networks.map(channelName)) })}
          checked={writesPerNetwork}
          disabled={atWork}
          onChange={(event) => setWritesPerNetwork(event.currentTarget.checked)}
        />
      )}
      {wordless && <p className="field-note">{t('writing:noText')}</p>}
      <WritingState writing={writing} image={image} problem={problemBesidesFields(call.error, errors, choice.fields)} />
      {!atWork && (
        <Group gap="sm">
          <Button
            leftSection={<IconSparkles size={15} aria-hidden />}
            disabled={!template || wordless || pageless}
            loading={preparing}
            onClick={() => void start()}
          >
            {t(image ? 'writing:startImage' : 'writing:start')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('close')}
          </Button>
          <span className="writing-cost">
            {image && template && template.settings.image?.engine === 'card' ? (
              t('writing:cardFree')
            ) : (
              <WriterNote image={image} isCarousel={template?.settings.image?.engine === 'carousel'} />
            )}
          </span>
        </Group>
      )}
    </WritingPanel>
  )
}
