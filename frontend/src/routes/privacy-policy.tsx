import { Code, List, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { readPublicFactsOptions } from '@/api/@tanstack/react-query.gen'
import { ModelHost, type PublicOut } from '@/api/types.gen'
import { PageHeader, usePageDescription } from '@/components/page'
import { paths, profilePath } from '@/lib/paths'

const DATA = ['account', 'security', 'content', 'accounts', 'invitations', 'mails', 'costs', 'traces'] as const
const BROWSER = ['browserToken', 'browserLanguage', 'browserColours', 'browserCookie'] as const
const RIGHTS = ['rightAccess', 'rightCorrect', 'rightDelete', 'rightRestrict', 'rightWithdraw', 'rightComplain'] as const
const MODELS = {
  [ModelHost.NONE]: 'modelNone',
  [ModelHost.OPENAI]: 'modelOpenai',
  [ModelHost.OTHER]: 'modelOther',
} as const

const LINKS = {
  b: <b />,
  code: <Code />,
  data: <Link className="link" to={`${paths.account}?tab=data`} />,
  profile: <Link className="link" to={profilePath} />,
  security: <Link className="link" to={`${paths.account}?tab=security`} />,
}

/** The privacy policy, with the operator and the providers that the server names. */
export function PrivacyPolicyRoute() {
  const { t } = useTranslation(['common', 'legal'])
  usePageDescription(t('legal:privacy.lead'))
  const { data: server } = useQuery({ ...readPublicFactsOptions(), staleTime: Infinity })
  return (
    <div className="pub-page">
      <PageHeader title={t('legal:privacy.title')} sub={t('legal:privacy.lead')} />
      <div className="reading">
        <p>{t('legal:privacy.version')}</p>
        <Part title={t('legal:privacy.whoTitle')}>
          <Operator server={server} />
          <p>{t('legal:privacy.makers')}</p>
        </Part>
        <Part title={t('legal:privacy.dataTitle')}>
          <p>{t('legal:privacy.dataLead')}</p>
          {DATA.map((name) => (
            <section key={name}>
              <Title order={3} mt="xs" mb={4} fz="md">
                {t(`legal:privacy.data.${name}.title`)}
              </Title>
              <p>{t(`legal:privacy.data.${name}.text`)}</p>
              <List mt={4} c="var(--pl-text-2)" fz="md">
                <List.Item>{t('legal:privacy.basis', { basis: t(`legal:privacy.data.${name}.basis`) })}</List.Item>
                <List.Item>
                  {t('legal:privacy.keep', {
                    keep: t(`legal:privacy.data.${name}.keep`, {
                      sessionDays: server?.session_days ?? '…',
                      invitationDays: server?.invitation_days ?? '…',
                    }),
                  })}
                </List.Item>
              </List>
            </section>
          ))}
        </Part>
        <Part title={t('legal:privacy.browserTitle')}>
          <p>{t('legal:privacy.browser')}</p>
          <Items names={BROWSER} />
        </Part>
        <Part title={t('legal:privacy.recipientsTitle')}>
          <Items names={['networks', ...(server ? [MODELS[server.model_host]] : []), 'providers', 'nobody']} />
          <p>{t('legal:privacy.abroad')}</p>
        </Part>
        <Part title={t('legal:privacy.rightsTitle')}>
          <Items names={RIGHTS} />
        </Part>
        <Part title={t('legal:privacy.decisionsTitle')}>
          <p>{t('legal:privacy.decisions')}</p>
        </Part>
        <Part title={t('legal:privacy.securityTitle')}>
          <p>
            <Trans t={t} i18nKey="legal:privacy.security" components={LINKS} />
          </p>
        </Part>
      </div>
    </div>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2>{title}</h2>
      <Stack gap="xs">{children}</Stack>
    </section>
  )
}

type Item =
  | (typeof BROWSER)[number]
  | (typeof RIGHTS)[number]
  | (typeof MODELS)[keyof typeof MODELS]
  | 'networks'
  | 'providers'
  | 'nobody'

function Items({ names }: { names: readonly Item[] }) {
  const { t } = useTranslation(['common', 'legal'])
  return (
    <List spacing={6} c="var(--pl-text-2)" fz="md">
      {names.map((name) => (
        <List.Item key={name}>
          <Trans t={t} i18nKey={`legal:privacy.${name}`} components={LINKS} />
        </List.Item>
      ))}
    </List>
  )
}

/** Who runs the server, as the settings say; where they say nothing, that this is open. */
function Operator({ server }: { server?: PublicOut }) {
  const { t } = useTranslation(['common', 'legal'])
  if (!server) return null
  const { operator_name: name, operator_contact: contact } = server
  return (
    <>
      <p>
        {name ? (
          <Trans t={t} i18nKey="legal:privacy.whoNamed" values={{ name }} components={{ name: <b /> }} />
        ) : (
          t('legal:privacy.whoUnnamed')
        )}
      </p>
      {contact && (
        <p>
          <Trans t={t} i18nKey="legal:privacy.contact" values={{ contact }} components={{ contact: <Contact at={contact} /> }} />
        </p>
      )}
    </>
  )
}

/** A mail address and a web page can be followed, other words only be read. */
function Contact({ at, children }: { at: string; children?: ReactNode }) {
  const href = /^https?:\/\//.test(at) ? at : /^[^\s@]+@[^\s@]+$/.test(at) ? `mailto:${at}` : undefined
  if (!href) return <b>{children}</b>
  return (
    <a className="link" href={href}>
      {children}
    </a>
  )
}
