import { Code, List, Stack, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { readPublicFactsOptions } from '@/api/@tanstack/react-query/health.gen'
import { ModelHost, type PublicOut } from '@/api/types.gen'
import { PageHeader, usePageDescription } from '@/components/page'
import { Trans, useTranslation } from '@/i18n/translation'
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

/** What the server says of itself stands in it: who runs it, and where it sends what people write. */
export function PrivacyPolicyRoute() {
  const { t } = useTranslation()
  usePageDescription(t('privacy.lead'))
  const { data: server } = useQuery({ ...readPublicFactsOptions(), staleTime: Infinity })
  return (
    <div className="pub-page">
      <PageHeader title={t('privacy.title')} sub={t('privacy.lead')} />
      <div className="reading">
        <p>{t('privacy.version')}</p>
        <Part title={t('privacy.whoTitle')}>
          <Operator server={server} />
          <p>{t('privacy.makers')}</p>
        </Part>
        <Part title={t('privacy.dataTitle')}>
          <p>{t('privacy.dataLead')}</p>
          {DATA.map((name) => (
            <section key={name}>
              <Title order={3} mt="xs" mb={4} fz="md">
                {t(`privacy.data.${name}.title`)}
              </Title>
              <p>{t(`privacy.data.${name}.text`)}</p>
              <List mt={4} c="var(--pl-text-2)" fz="md">
                <List.Item>{t('privacy.basis', { basis: t(`privacy.data.${name}.basis`) })}</List.Item>
                <List.Item>
                  {t('privacy.keep', {
                    keep: t(`privacy.data.${name}.keep`, {
                      sessionDays: server?.session_days ?? '…',
                      invitationDays: server?.invitation_days ?? '…',
                    }),
                  })}
                </List.Item>
              </List>
            </section>
          ))}
        </Part>
        <Part title={t('privacy.browserTitle')}>
          <p>{t('privacy.browser')}</p>
          <Items names={BROWSER} />
        </Part>
        <Part title={t('privacy.recipientsTitle')}>
          <Items names={['networks', ...(server ? [MODELS[server.model_host]] : []), 'providers', 'nobody']} />
          <p>{t('privacy.abroad')}</p>
        </Part>
        <Part title={t('privacy.rightsTitle')}>
          <Items names={RIGHTS} />
        </Part>
        <Part title={t('privacy.decisionsTitle')}>
          <p>{t('privacy.decisions')}</p>
        </Part>
        <Part title={t('privacy.securityTitle')}>
          <p>
            <Trans name="privacy.security" components={LINKS} />
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
  return (
    <List spacing={6} c="var(--pl-text-2)" fz="md">
      {names.map((name) => (
        <List.Item key={name}>
          <Trans name={`privacy.${name}`} components={LINKS} />
        </List.Item>
      ))}
    </List>
  )
}

/** Who runs the server, as the settings say; where they say nothing, that this is open. */
function Operator({ server }: { server?: PublicOut }) {
  const { t } = useTranslation()
  if (!server) return null
  const { operator_name: name, operator_contact: contact } = server
  return (
    <>
      <p>
        {name ? (
          <Trans name="privacy.whoNamed" values={{ name }} components={{ name: <b /> }} />
        ) : (
          t('privacy.whoUnnamed')
        )}
      </p>
      {contact && (
        <p>
          <Trans name="privacy.contact" values={{ contact }} components={{ contact: <Contact at={contact} /> }} />
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
