import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { usePageTitle } from '@/components/page'
import { ApprovalLink } from '@/features/posts/approvals/approval-link'
import { useLinkParams } from '@/lib/link-params'

/** A post as the link of a mail shows it, with or without a login. */
export function ApprovalLinkRoute() {
  const { t } = useTranslation(['common', 'approvals'])
  const { socialMediaPostId = '' } = useParams()
  const params = useLinkParams()
  usePageTitle(t('approvals:tab'))
  return (
    <div className="approval-link">
      <ApprovalLink postId={socialMediaPostId} token={params.get('token') ?? ''} />
    </div>
  )
}
