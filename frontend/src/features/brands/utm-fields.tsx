import { Input, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { firstChannel } from '@/components/channel'
import { LONGEST_UTM } from './brand-limits'
import { linkWithUtm, NETWORK_MARK, UTM_NAMES } from './brand-values'

const SAMPLE = 'https://example.org/'

interface UtmFieldsProps {
  value: Record<string, string>
  errors: Partial<Record<string, ReactNode>>
  onChange: (utm: Record<string, string>) => void
}

/** The parameters that the brand's links get, and how a link looks with them. */
export function UtmFields({ value, errors, onChange }: UtmFieldsProps) {
  const { t } = useTranslation(['common', 'brands'])
  const [link, setLink] = useState(SAMPLE)
  const names = [...new Set([...UTM_NAMES, ...Object.keys(value)])]
  const isUsed = Object.values(value).some((text) => text.trim() !== '')
  return (
    <div className="stack" data-field="utm">
      <div className="pair">
        {names.map((name) => (
          <TextInput
            key={name}
            label={<code className="mono">{name}</code>}
            placeholder={name === 'utm_source' ? NETWORK_MARK : undefined}
            autoComplete="off"
            maxLength={LONGEST_UTM}
            value={value[name] ?? ''}
            error={errors[`utm.${name}`]}
            onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      {errors.utm && (
        <Input.Error mt={6} role="alert">
          {errors.utm}
        </Input.Error>
      )}
      {isUsed && (
        <div className="pair">
          <TextInput
            type="url"
            inputMode="url"
            autoComplete="off"
            label={t('brands:utm.sample')}
            value={link}
            onChange={(event) => setLink(event.currentTarget.value)}
          />
          <div>
            <div className="field-label">{t('brands:utm.preview')}</div>
            <output className="utm-preview mono">{linkWithUtm(link, value, firstChannel)}</output>
          </div>
        </div>
      )}
    </div>
  )
}
