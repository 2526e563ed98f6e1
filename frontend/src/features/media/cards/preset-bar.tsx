import { Button, Menu, Modal, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDeviceFloppy, IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { CardPresetInSchema } from '@/api/schemas.gen'
import type { CardPresetOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useProblemText } from '@/components/use-problem-text'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { fieldErrors, type Problem } from '@/lib/problems'
import { cardPresetsQuery, useCreatePreset, useDeletePreset, useUpdatePreset } from '@/features/media/api'
import { completeSettings, sameSettings, type CardSettings } from '@/lib/card-settings'

interface PresetBarProps {
  /** The one in use; empty for none. */
  presetId: string
  settings: CardSettings
  onUse: (preset: CardPresetOut | null) => void
}

/** Saved looks: take one, save the present look as one, change, rename and delete them. */
export function PresetBar({ presetId, settings, onUse }: PresetBarProps) {
  const { t } = useTranslation(['common', 'cards'])
  const textOf = useProblemText()
  const presets = useQuery(cardPresetsQuery)
  const create = useCreatePreset()
  const update = useUpdatePreset()
  const remove = useDeletePreset()
  const [naming, setNaming] = useState<'new' | 'rename'>()
  const known = presets.data ?? []
  const used = known.find(({ id }) => id === presetId)
  const differs = used !== undefined && !sameSettings(completeSettings(used.settings), settings)

  const sayFailed = (problem: Problem) =>
    notifications.show({ color: 'red', message: `${t('cards:presetFailed')} ${textOf(problem)}` })
  const updateOnce = useMutateOnce(update)
  const removeOnce = useMutateOnce(remove)
  const saveLook = (preset: CardPresetOut) =>
    updateOnce(
      { path: { preset_id: preset.id }, body: { name: preset.name, settings } },
      {
        onSuccess: () => notifications.show({ message: t('cards:presetSaved', { name: preset.name }) }),
        onError: sayFailed,
      },
    )
  const deleteIt = (preset: CardPresetOut) =>
    removeOnce(
      { path: { preset_id: preset.id } },
      {
        onSuccess: () => {
          onUse(null)
          showUndo({
            message: t('cards:presetDeleted', { name: preset.name }),
            label: t('undo'),
            undo: () =>
              create.mutate({ body: { name: preset.name, settings: preset.settings } }, { onError: sayFailed }),
          })
        },
        onError: (problem) =>
          notifications.show({ color: 'red', message: `${t('cards:presetDeleteFailed')} ${textOf(problem)}` }),
      },
    )
  return (
    <div className="preset-bar">
      <Select
        className="grow"
        label={t('cards:preset')}
        placeholder={known.length > 0 ? t('cards:noPreset') : t('cards:noPresets')}
        data={known.map(({ id, name }) => ({ value: id, label: name }))}
        value={used?.id ?? null}
        disabled={known.length === 0}
        error={presets.error && textOf(presets.error)}
        clearable
        clearButtonProps={{ 'aria-label': t('cards:leavePreset') }}
        onChange={(id) => onUse(known.find((preset) => preset.id === id) ?? null)}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconDots size={15} aria-hidden />} loading={update.isPending}>
            {t('cards:presetMenu')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setNaming('new')}>
            {t('cards:presetNew')}
          </Menu.Item>
          {used && (
            <>
              <Menu.Item
                leftSection={<IconDeviceFloppy size={16} aria-hidden />}
                disabled={!differs}
                onClick={() => saveLook(used)}
              >
                {t('cards:presetSave', { name: used.name })}
              </Menu.Item>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setNaming('rename')}>
                {t('cards:presetRename')}
              </Menu.Item>
              <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => deleteIt(used)}>
                {t('cards:presetDelete')}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={naming !== undefined}
        onClose={() => setNaming(undefined)}
        size="md"
        title={t(naming === 'rename' ? 'cards:presetRename' : 'cards:presetNew')}
      >
        <NameForm
          preset={naming === 'rename' ? used : undefined}
          settings={settings}
          onDone={(preset) => {
            setNaming(undefined)
            if (naming === 'new') onUse(preset)
          }}
        />
      </Modal>
    </div>
  )
}

interface NameFormProps {
  /** The one that gets another name; none makes a new one. */
  preset?: CardPresetOut
  settings: CardSettings
  onDone: (preset: CardPresetOut) => void
}

function NameForm({ preset, settings, onDone }: NameFormProps) {
  const { t } = useTranslation(['common', 'cards', 'errors'])
  const textOf = useProblemText()
  const create = useCreatePreset()
  const update = useUpdatePreset()
  const createOnce = useMutateOnce(create)
  const updateOnce = useMutateOnce(update)
  const [name, setName] = useState(preset?.name ?? '')
  const [error, setError] = useState<string>()
  const failed = (problem: Problem) => setError(fieldErrors(t, problem).name ?? textOf(problem))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    // the dialog lies outside of the designer's form, but events take the way of the components
    event.stopPropagation()
    if (name.trim() === '') return setError(t('validation.name'))
    // a new name alone leaves the look as it was saved
    const body = { name: name.trim(), settings: preset?.settings ?? settings }
    const callbacks = { onSuccess: onDone, onError: failed }
    if (preset) updateOnce({ path: { preset_id: preset.id }, body }, callbacks)
    else createOnce({ body }, callbacks)
  }
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextInput
        label={t('cards:presetName')}
        description={preset ? undefined : t('cards:presetHint')}
        maxLength={CardPresetInSchema.properties.name.maxLength}
        value={name}
        error={error}
        data-autofocus
        onChange={(event) => {
          setName(event.currentTarget.value)
          setError(undefined)
        }}
      />
      <div className="dialog-foot">
        <Button type="submit" loading={create.isPending || update.isPending}>
          {t('cards:presetStore')}
        </Button>
      </div>
    </form>
  )
}
