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
  /** The preset in use; empty for none. */
  presetId: string
  settings: CardSettings
  onUse: (preset: CardPresetOut | null) => void
}

/** The choice of a preset, and the menu that saves the current settings as one, changes, renames and deletes it. */
export function PresetBar({ presetId, settings, onUse }: PresetBarProps) {
  const { t } = useTranslation(['common', 'cards'])
  const textOf = useProblemText()
  const presets = useQuery(cardPresetsQuery)
  const { savePreset, deletePreset, isSaving } = usePresetCommands(settings, onUse)
  const [naming, setNaming] = useState<'new' | 'rename'>()
  const saved = presets.data ?? []
  const used = saved.find(({ id }) => id === presetId)
  const differs = used !== undefined && !sameSettings(completeSettings(used.settings), settings)

  return (
    <div className="preset-bar">
      <Select
        className="grow"
        label={t('cards:preset')}
        placeholder={saved.length > 0 ? t('cards:noPreset') : t('cards:noPresets')}
        data={saved.map(({ id, name }) => ({ value: id, label: name }))}
        value={used?.id ?? null}
        disabled={saved.length === 0}
        error={presets.error && textOf(presets.error)}
        clearable
        clearButtonProps={{ 'aria-label': t('cards:leavePreset') }}
        onChange={(id) => onUse(saved.find((preset) => preset.id === id) ?? null)}
      />
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<IconDots size={15} aria-hidden />} loading={isSaving}>
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
                onClick={() => savePreset(used)}
              >
                {t('cards:presetSave', { name: used.name })}
              </Menu.Item>
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setNaming('rename')}>
                {t('cards:presetRename')}
              </Menu.Item>
              <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => deletePreset(used)}>
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

/** Return the commands that save the settings in a preset, and delete it with an undo. */
function usePresetCommands(settings: CardSettings, onUse: (preset: null) => void) {
  const { t } = useTranslation(['common', 'cards'])
  const textOf = useProblemText()
  const create = useCreatePreset()
  const update = useUpdatePreset()
  const remove = useDeletePreset()
  const showFailure = (problem: Problem) =>
    notifications.show({ color: 'red', message: `${t('cards:presetFailed')} ${textOf(problem)}` })
  const updateOnce = useMutateOnce(update)
  const removeOnce = useMutateOnce(remove)
  const savePreset = (preset: CardPresetOut) =>
    updateOnce(
      { path: { preset_id: preset.id }, body: { name: preset.name, settings } },
      {
        onSuccess: () => notifications.show({ message: t('cards:presetSaved', { name: preset.name }) }),
        onError: showFailure,
      },
    )
  const deletePreset = (preset: CardPresetOut) =>
    removeOnce(
      { path: { preset_id: preset.id } },
      {
        onSuccess: () => {
          onUse(null)
          showUndo({
            message: t('cards:presetDeleted', { name: preset.name }),
            label: t('undo'),
            undo: () =>
              create.mutate({ body: { name: preset.name, settings: preset.settings } }, { onError: showFailure }),
          })
        },
        onError: (problem) =>
          notifications.show({ color: 'red', message: `${t('cards:presetDeleteFailed')} ${textOf(problem)}` }),
      },
    )
  return { savePreset, deletePreset, isSaving: update.isPending }
}

interface NameFormProps {
  /** The preset to rename; absent for a new one. */
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
    // the dialog is outside of the designer's form in the DOM, but React's events bubble through components
    event.stopPropagation()
    if (name.trim() === '') return setError(t('validation.name'))
    // renaming keeps the saved settings
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
