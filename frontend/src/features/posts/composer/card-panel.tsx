import { Button, Group, Select, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listCardPresetsOptions, saveCardMutation } from '@/api/@tanstack/react-query.gen'
import { CardSaveInSchema } from '@/api/schemas.gen'
import { previewCard } from '@/api/sdk.gen'
import type { CardIn, CardPreviewOut } from '@/api/types.gen'
import { CardNotes } from '@/components/card-notes'
import { WritingPanel } from '@/components/writing-panel'
import { altOf } from '@/lib/card-settings'
import { firstSentence } from '@/lib/first-sentence'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { fieldErrors, problemText } from '@/lib/problems'

const TYPING_PAUSE = 300 // ms without a keystroke before a preview is requested
const FITS = 100 // characters: more of them are too small to be read in a feed
const FIELDS = CardSaveInSchema.properties

const presetsQuery = listCardPresetsOptions()

const previewQuery = (body: CardIn) =>
  queryOptions({
    queryKey: ['post-card', body],
    queryFn: async ({ signal }) => (await previewCard({ body, signal })).data,
    enabled: body.headline.trim() !== '',
    staleTime: Infinity, // the same words and look give the same card
    gcTime: 60_000, // ms: each is a picture
    retry: false,
    placeholderData: keepPreviousData,
  })

interface CardPanelProps {
  /** The post's text, whose first sentence the card begins with. */
  content: string
  onMade: (mediaId: string, alt: string) => void
  onClose: () => void
}

/** The panel that makes a card in one of the saved designs, adds it to the library and to the post. */
export default function CardPanel({ content, onMade, onClose }: CardPanelProps) {
  const { t } = useTranslation(['common', 'errors', 'writing'])
  const [headline, setHeadline] = useState(() => firstSentence(content, FITS))
  const [text, setText] = useState('')
  const [look, setLook] = useState<string | null>(null)
  const presets = useQuery(presetsQuery)
  const settings = presets.data?.find(({ id }) => id === look)?.settings
  const card = { headline, text, ...(settings && { settings }) }
  const [previewed] = useDebouncedValue(JSON.stringify(card), TYPING_PAUSE)
  const preview = useQuery(previewQuery(JSON.parse(previewed) as CardIn))
  const save = useMutation({ ...saveCardMutation(), onSuccess: ({ id, alt }) => onMade(id, alt) })
  const saveOnce = useMutateOnce(save)
  const problem = save.error ?? preview.error
  const errors = problem ? fieldErrors(t, problem) : {}
  const placed = errors.headline !== undefined || errors.text !== undefined
  const wordless = headline.trim() === ''

  const add = () => {
    if (wordless) return
    saveOnce({ body: { ...card, alt: altOf({ headline, text }), tags: [] } })
  }
  return (
    <WritingPanel title={t('writing:cardTitle')} onEnter={add} onEscape={onClose}>
      <div className="writing-fields">
        <TextInput
          label={t('writing:headline')}
          value={headline}
          error={errors.headline}
          maxLength={FIELDS.headline.maxLength}
          autoFocus
          onChange={(event) => {
            setHeadline(event.currentTarget.value)
            save.reset()
          }}
        />
        <Select
          label={t('writing:look')}
          placeholder={t('writing:lookChosen')}
          data={(presets.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={look}
          onChange={setLook}
          clearable
        />
        <Textarea
          className="writing-wide"
          label={t('writing:cardText')}
          value={text}
          error={errors.text}
          maxLength={FIELDS.text.maxLength}
          autosize
          minRows={2}
          maxRows={6}
          onChange={(event) => {
            setText(event.currentTarget.value)
            save.reset()
          }}
        />
      </div>
      {!wordless && preview.data && !preview.isError && <Drawn card={preview.data} alt={t('writing:cardPreview')} />}
      {problem && !placed && (
        <p className="writing-error" role="alert">
          <strong>{t('writing:cardFailed')}</strong> {Object.values(errors)[0] ?? problemText(t, problem)}
        </p>
      )}
      <Group gap="sm">
        <Button disabled={wordless} loading={save.isPending} onClick={add}>
          {t('writing:addCard')}
        </Button>
        <Button variant="default" onClick={onClose}>
          {t('close')}
        </Button>
        <span className="writing-cost">{t('writing:cardFree')}</span>
      </Group>
    </WritingPanel>
  )
}

function Drawn({ card, alt }: { card: CardPreviewOut; alt: string }) {
  const picture = useRef<HTMLImageElement>(null)
  useEffect(() => {
    if (!picture.current) return
    const bytes = Uint8Array.from(atob(card.image), (character) => character.charCodeAt(0))
    const address = URL.createObjectURL(new Blob([bytes], { type: card.mime }))
    picture.current.src = address
    return () => URL.revokeObjectURL(address)
  }, [card])
  return (
    <>
      <img ref={picture} className="writing-card" alt={alt} width={card.width} height={card.height} />
      <CardNotes notes={card.notes} />
    </>
  )
}
