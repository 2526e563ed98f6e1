import { Input, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AssistantOut, WebsiteOut } from '@/api/types.gen'
import { connectWebsitePath } from '@/lib/article-paths'
import { problemText } from '@/lib/problems'
import { websitesQuery } from '@/features/assistants/api'
import { useAssistantForm } from './assistant-form-context'
import { forWebsite, type AssistantValues } from './form-values'
import { NoChoice } from './template-select'

/** Posts for accounts, or articles for one website. */
export function WritesFor({ assistant }: { assistant: AssistantOut | null }) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { writes_for } = form.values
  const choices: { value: AssistantValues['writes_for']; title: string; text: string }[] = [
    { value: 'networks', title: t('assistants:form.forNetworks'), text: t('assistants:form.forNetworksText') },
    { value: 'website', title: t('assistants:form.forWebsite'), text: t('assistants:form.forWebsiteText') },
  ]
  return (
    <>
      <fieldset className="plain" data-field="writes_for">
        <legend className="vh">{t('assistants:form.writesFor')}</legend>
        <div className="modes two-modes">
          {choices.map(({ value, title, text }) => (
            <label key={value} className="mode" data-on={value === writes_for || undefined}>
              <input
                type="radio"
                name="writes_for"
                checked={value === writes_for}
                onChange={() => {
                  form.setFieldValue('writes_for', value)
                  form.clearFieldError('website_id')
                }}
              />
              <b>{title}</b>
              <span>{text}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {writes_for === 'website' && <WebsiteChoice assistant={assistant} />}
    </>
  )
}

/** The choice of a website; websites with another assistant are disabled and name it. */
function WebsiteChoice({ assistant }: { assistant: AssistantOut | null }) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const form = useAssistantForm()
  const websites = useQuery(websitesQuery)
  const all = websites.data ?? (assistant?.website ? [assistant.website] : [])
  const isTaken = (website: WebsiteOut) => website.assistant !== null && website.assistant.id !== assistant?.id

  function option(website: WebsiteOut | NonNullable<AssistantOut['website']>) {
    const { id: value, name } = website
    if (!('assistant' in website)) return { value, label: name }
    if (website.assistant && isTaken(website))
      return { value, label: t('assistants:form.websiteTaken', { name, by: website.assistant.name || t('assistants:unnamed') }), disabled: true }
    return website.state === null ? { value, label: t('assistants:form.websiteAway', { name }), disabled: true } : { value, label: name }
  }

  return (
    <div className="pair">
      <div>
        <Select
          label={t('assistants:form.website')}
          description={t('assistants:form.websiteHint')}
          placeholder={t('assistants:form.websitePlaceholder')}
          data={all.map(option)}
          {...form.getInputProps('website_id')}
          onChange={(chosen: string | null) => {
            form.setFieldValue('website_id', chosen)
            form.clearFieldError('website_id')
            const website = websites.data?.find(({ id }) => id === chosen)
            // keep the language that the user has chosen
            if (!assistant && website) form.setValues(forWebsite(website))
          }}
        />
        {websites.data?.length === 0 && (
          <NoChoice text={t('assistants:form.noWebsites')} to={connectWebsitePath} action={t('assistants:form.connectWebsite')} />
        )}
        {websites.isError && (
          <Input.Error mt={5} role="alert">
            {t('assistants:form.noWebsitesLoaded')} {problemText(t, websites.error)}
          </Input.Error>
        )}
      </div>
    </div>
  )
}
